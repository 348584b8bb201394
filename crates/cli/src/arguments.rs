//! The command line.

use clap::{Parser, ValueEnum};

use crate::commands::Command;
use crate::failure::Failure;
use crate::global::{Format, Global};

/// Finds out why a test of a C, C++ or Rust program fails.
///
/// whydunit captures a program while its own build runs, records tests exactly and cheaply, and replays a recording as
/// often as a question needs: where the run failed, where a value came from, which statements are suspicious.
#[derive(Parser, Debug)]
#[command(
    name = "whydunit",
    version,
    max_term_width = 100,
    after_help = "In a project, first:  whydunit build -- make\nthen:                 whydunit locate\n\
                  The tour:             whydunit demo"
)]
pub struct Arguments {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

impl Arguments {
    /// A format that the command has no answer in is a mistake that is better told at once.
    pub fn check(&self) -> Result<(), Failure> {
        let also = self.global.also.iter().map(|also| also.format);
        std::iter::once(self.global.format).chain(also).try_for_each(|format| self.check_format(format))
    }

    fn check_format(&self, format: Format) -> Result<(), Failure> {
        let locates = matches!(self.command, Command::Locate(_));
        let has_page = locates || matches!(self.command, Command::Explain(_) | Command::Repair(_) | Command::Review(_));
        let checks = matches!(self.command, Command::Check(_));
        let has_tests = locates || matches!(self.command, Command::Test(_) | Command::Merge(_) | Command::Record(_));
        let mines = matches!(self.command, Command::Mine(_));
        let enriches = matches!(self.command, Command::Enrich(_));
        let has_history = matches!(self.command, Command::History(_));
        let shows = matches!(&self.command, Command::Show(show) if show.classes.is_none());
        let as_it_is = matches!(self.command, Command::Completions(_) | Command::Manual(_));
        if as_it_is && (format != Format::Text || !self.global.also.is_empty()) {
            let what = "this command prints no answer, so it has neither `--format` nor `--also`";
            return Err(Failure::usage(what).advice("leave them out"));
        }
        let commands = match format {
            Format::Dot | Format::Mermaid | Format::Graphml | Format::Svg if !mines && !enriches => {
                "`whydunit mine` and `enrich`"
            }
            Format::Junit if !has_tests => "`whydunit test`, `merge`, `record` and `locate`",
            Format::Github if !locates => "`whydunit locate`",
            Format::Html if !has_page && !mines && !has_history && !shows => {
                "`whydunit show` (of a recording), `locate`, `explain`, `repair`, `review`, `mine` and `history`"
            }
            Format::Sarif if !has_page && !checks => "`whydunit locate`, `explain`, `repair`, `review` and `check`",
            _ => return Ok(()),
        };
        let name = format.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default();
        Err(Failure::usage(format!("`--format {name}` is for {commands}"))
            .advice("every command has --format text, json, jsonl and markdown"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use whydunit_inquiry::locate::Method;
    use whydunit_spectra::Formula;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example_in_its_help() {
        for command in Arguments::command().get_subcommands_mut() {
            let help = command.render_long_help().to_string();
            assert!(help.contains(&format!("whydunit {}", command.get_name())), "{help}");
        }
    }

    #[test]
    fn options_of_every_command_stand_before_or_after_it() {
        for args in [["whydunit", "--format", "json", "test"], ["whydunit", "test", "--format", "json"]] {
            assert_eq!(Arguments::try_parse_from(args).expect("it parses").global.format, Format::Json);
        }
    }

    /// The manual's table: each option with the commands that have it, and what it takes.
    fn options_by_command() -> String {
        let mut table: std::collections::BTreeMap<(String, String), Vec<String>> = std::collections::BTreeMap::new();
        let command = Arguments::command();
        for sub in command.get_subcommands() {
            for option in sub.get_arguments().filter(|arg| !arg.is_positional() && !arg.is_global_set()) {
                let long = option.get_long().map(|long| format!("--{long}")).unwrap_or_default();
                let short = option.get_short().map(|short| format!(", -{short}")).unwrap_or_default();
                let takes = option.get_action().takes_values();
                let value =
                    option.get_value_names().filter(|_| takes).map(|names| names[0].to_string()).unwrap_or_default();
                table.entry((format!("{long}{short}"), value)).or_default().push(sub.get_name().to_owned());
            }
        }
        let rows = table.into_iter().map(|((option, value), commands)| {
            let value = if value.is_empty() { String::new() } else { format!(" {}", value.replace('|', "\\|")) };
            format!("| `{option}{value}` | {} |\n", commands.join(", "))
        });
        rows.collect()
    }

    #[test]
    fn the_manual_has_the_table_of_all_options() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/book/src/options.md");
        let text = std::fs::read_to_string(path).expect("the manual's page");
        let (head, _) = text.split_once("|---|---|\n").expect("it has a table");
        let wanted = format!("{head}|---|---|\n{}", options_by_command());
        if std::env::var_os("UPDATE_OPTIONS").is_some() {
            std::fs::write(path, &wanted).expect("it is written");
        }
        assert_eq!(text, wanted, "set UPDATE_OPTIONS to write the table anew");
    }

    /// Options that take something else in another command, as people know them by now; none is to come.
    const OTHERWISE: [&str; 6] = ["output", "against", "keep", "failing", "only", "lines"];

    #[test]
    fn an_option_takes_the_same_in_every_command() {
        let command = Arguments::command();
        let mut known: std::collections::HashMap<String, (String, Option<char>)> = std::collections::HashMap::new();
        for sub in command.get_subcommands() {
            for option in sub.get_arguments().filter(|arg| arg.get_long().is_some()) {
                let long = option.get_long().expect("it has one").to_owned();
                if OTHERWISE.contains(&long.as_str()) {
                    continue;
                }
                let values = option.get_value_names().map(|names| names[0].to_string()).unwrap_or_default();
                let has = (values, option.get_short());
                let first = known.entry(long.clone()).or_insert_with(|| has.clone());
                assert_eq!(*first, has, "--{long} of {}", sub.get_name());
            }
        }
    }

    #[test]
    fn formats_are_for_commands_that_have_something_to_show_in_them() {
        let check = |args: [&str; 4]| Arguments::try_parse_from(args).expect("it parses").check().is_ok();
        assert!(check(["whydunit", "locate", "--format", "sarif"]));
        assert!(check(["whydunit", "test", "--format", "markdown"]));
        let explain = |format| Arguments::try_parse_from(["whydunit", "explain", "--good", "v1", "--format", format]);
        let accepted = |format| explain(format).expect("it parses").check().is_ok();
        assert!(accepted("sarif") && accepted("html") && !accepted("github"));
        let review = |format| Arguments::try_parse_from(["whydunit", "review", "fix.diff", "--format", format]);
        let accepted = |format| review(format).expect("it parses").check().is_ok();
        assert!(accepted("sarif") && accepted("html") && !accepted("junit"));
        assert!(check(["whydunit", "show", "--format", "html"]));
        let classes = Arguments::try_parse_from(["whydunit", "show", "--classes", "--format", "html"]);
        assert!(classes.expect("it parses").check().is_err());
        assert!(!check(["whydunit", "test", "--format", "sarif"]));
        assert!(check(["whydunit", "test", "--format", "junit"]));
        assert!(!check(["whydunit", "init", "--format", "junit"]));
    }

    #[test]
    fn what_is_printed_as_it_is_has_no_format() {
        for command in ["completions bash", "manual locate"] {
            let parse = |words: String| Arguments::try_parse_from(words.split(' ')).expect("it parses").check();
            assert!(parse(format!("whydunit {command}")).is_ok());
            assert!(parse(format!("whydunit --format json {command}")).is_err());
        }
    }

    #[test]
    fn every_formula_is_a_method() {
        for formula in Formula::ALL {
            let arguments = Arguments::try_parse_from(["whydunit", "locate", "--method", formula.name()]);
            let Command::Locate(locate) = arguments.expect("it parses").command else { panic!("another command") };
            assert_eq!(locate.method, Method::Spectrum(formula));
        }
        assert!(Arguments::try_parse_from(["whydunit", "locate", "--method", "best"]).is_err());
    }

    #[test]
    fn the_command_reads_as_a_question() {
        let parse = |words: &str| Arguments::try_parse_from(words.split(' '));
        let arguments = parse("whydunit why p->n at a.c:7 --recording r").expect("it parses");
        let Command::Why(why) = arguments.command else { panic!("another command") };
        assert_eq!((why.variable.as_deref(), why.place.map(|place| place.line)), (Some("p->n"), Some(7)));
        assert!(parse("whydunit why").is_ok() && parse("whydunit why a.c:7 --execution first").is_ok());
        assert!(parse("whydunit why n at").is_err() && parse("whydunit why a.c:7 --execution 0").is_err());
        assert!(parse("whydunit why n in a.c:7").is_err());
        assert!(parse("whydunit why n at a.c").unwrap_err().to_string().contains("FILE:LINE"));
    }
}
