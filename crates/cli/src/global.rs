//! Options of every command: the project, and how the answer is written.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

/// Options of every command.
#[derive(Args, Debug)]
pub struct Global {
    /// The project's folder [default: the nearest one upward with whydunit.toml or .whydunit, else the current one]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Options of every command")]
    pub project: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, global = true, value_enum, default_value_t, help_heading = "Options of every command")]
    pub format: Format,
    /// Write the answer to this file, too, in this format; can be given several times
    #[arg(long, global = true, value_name = "FORMAT=FILE", help_heading = "Options of every command")]
    pub also: Vec<Also>,
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

/// A file that has the answer, too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Also {
    /// How it is written there.
    pub format: Format,
    /// Where.
    pub file: PathBuf,
}

impl FromStr for Also {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, file) = text
            .split_once('=')
            .filter(|(_, file)| !file.is_empty())
            .ok_or("it is a format and a file, as sarif=out.sarif")?;
        let format =
            <Format as ValueEnum>::from_str(format, false).map_err(|_| format!("there is no format `{format}`"))?;
        Ok(Self { format, file: file.into() })
    }
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
    /// A page: the moments of a run to go through (show), the sources as a heat map (locate), both versions and the causes (explain), patches (repair), both runs (review), automata (mine)
    Html,
    /// JUnit's XML (test, merge, record, locate)
    Junit,
    /// The automata for Graphviz (mine)
    Dot,
    /// The automata as a state diagram of Mermaid (mine)
    Mermaid,
    /// The automata as GraphML (mine)
    Graphml,
    /// The first automaton as a drawing (mine)
    Svg,
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
