//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands::{
    build, demo, explain, init, locate, record, repair, replay, review, score, show, shrink, test, why,
};
use crate::failure::Failure;

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

/// Options of every command.
#[derive(Args, Debug)]
pub struct Global {
    /// The project's folder [default: the nearest one upward with whydunit.toml or .whydunit, else the current one]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Options of every command")]
    pub project: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, global = true, value_enum, default_value_t, help_heading = "Options of every command")]
    pub format: Format,
    /// Colour in text
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        help_heading = "Options of every command"
    )]
    pub color: Color,
}

/// How the answer is written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// One JSON object; its schemas are in docs/schema
    Json,
    /// The same object in lines
    Jsonl,
    /// For comments and summaries
    Markdown,
    /// SARIF 2.1.0, for code scanning and editors (locate, explain, repair, review)
    Sarif,
    /// Annotations of a GitHub workflow (locate)
    Github,
    /// A page: the sources as a heat map (locate), both versions and the causes (explain), patches (repair), both runs (review)
    Html,
    /// JUnit's XML (test, record, locate)
    Junit,
}

impl Arguments {
    /// A format that the command has no answer in is a mistake that is better told at once.
    pub fn check(&self) -> Result<(), Failure> {
        let format = self.global.format;
        let locates = matches!(self.command, Command::Locate(_));
        let has_page = locates || matches!(self.command, Command::Explain(_) | Command::Repair(_) | Command::Review(_));
        let has_tests = locates || matches!(self.command, Command::Test(_) | Command::Record(_));
        let commands = match format {
            Format::Junit if !has_tests => "`whydunit test`, `record` and `locate`",
            Format::Github if !locates => "`whydunit locate`",
            Format::Sarif | Format::Html if !has_page => "`whydunit locate`, `explain`, `repair` and `review`",
            _ => return Ok(()),
        };
        let name = format.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default();
        Err(Failure::usage(format!("`--format {name}` is for {commands}"))
            .advice("every command has --format text, json, jsonl and markdown"))
    }
}

/// When text has colour.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    Init(init::Init),
    Build(build::Build),
    Test(test::Test),
    Record(record::Record),
    Replay(replay::Replay),
    Show(show::Show),
    Why(why::Why),
    Locate(locate::Locate),
    Explain(explain::Explain),
    Repair(repair::Repair),
    Review(review::Review),
    Shrink(shrink::Shrink),
    Score(score::ScoreArgs),
    Demo(demo::Demo),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

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
        assert!(!check(["whydunit", "test", "--format", "sarif"]));
        assert!(check(["whydunit", "test", "--format", "junit"]));
        assert!(!check(["whydunit", "init", "--format", "junit"]));
    }
}
