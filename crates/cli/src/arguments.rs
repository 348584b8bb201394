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
