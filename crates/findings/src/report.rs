//! A command's whole answer.

use crate::{
    Build, Cases, Checked, Class, Divergence, Enriched, Explained, Health, History, Init, Located, Mined, Problem,
    Record, Repaired, Replay, Reviewed, RunErrors, Score, ShardOf, Show, Shrunk, Stats, TestResult, Why,
};

/// What a command answers.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Tests that were run, in the order of the suite.
    pub tests: Vec<TestResult>,
    /// The command's own part.
    pub body: Body,
    /// What did not stop it and should be known.
    pub problems: Vec<Problem>,
    /// Figures.
    pub stats: Stats,
    /// A time limit cut the work short: the answer is partial.
    pub partial: bool,
    /// It was not time but the user who cut it short.
    pub interrupted: bool,
    /// The part of the suite that it is of; `None` where it is of all that was asked for.
    pub shard: Option<ShardOf>,
}

/// The part of a report that differs from command to command.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    /// `init`
    Init(Init),
    /// `build`
    Build(Build),
    /// `test`: the tests are all.
    Test,
    /// `test --list`: the tests' names, in the order of the suite.
    TestList(Vec<String>),
    /// `cases`
    Cases(Cases),
    /// `record`
    Record(Record),
    /// `replay`
    Replay(Replay),
    /// `show`
    Show(Show),
    /// `show --classes`: the classes of the program, in the order of their names.
    Classes(Vec<Class>),
    /// `mine`
    Mine(Mined),
    /// `enrich`
    Enrich(Box<Enriched>),
    /// `check`
    Check(Checked),
    /// `why`
    Why(Why),
    /// `locate`
    Locate(Located),
    /// `explain`
    Explain(Box<Explained>),
    /// `repair`
    Repair(Repaired),
    /// `review`
    Review(Box<Reviewed>),
    /// `score`
    Score(Score),
    /// `history`
    History(Box<History>),
    /// `shrink`
    Shrink(Shrunk),
    /// `doctor`
    Doctor(Health),
    /// `demo`
    Demo(Vec<DemoStep>),
}

/// A step of the tour.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DemoStep {
    /// The command, as a user would type it.
    pub command: String,
    /// What it does, in a line.
    pub purpose: String,
    /// What came out, in a line.
    pub result: String,
}

impl Body {
    /// The command's name.
    pub const fn command(&self) -> &'static str {
        match self {
            Body::Init(_) => "init",
            Body::Build(_) => "build",
            Body::Test | Body::TestList(_) => "test",
            Body::Cases(_) => "cases",
            Body::Record(_) => "record",
            Body::Replay(_) => "replay",
            Body::Show(_) | Body::Classes(_) => "show",
            Body::Mine(_) => "mine",
            Body::Enrich(_) => "enrich",
            Body::Check(_) => "check",
            Body::Why(_) => "why",
            Body::Locate(_) => "locate",
            Body::Explain(_) => "explain",
            Body::Repair(_) => "repair",
            Body::Review(_) => "review",
            Body::Score(_) => "score",
            Body::History(_) => "history",
            Body::Shrink(_) => "shrink",
            Body::Doctor(_) => "doctor",
            Body::Demo(_) => "demo",
        }
    }

    /// What a run does wrong, where it tells of one.
    pub fn errors(&self) -> Option<&RunErrors> {
        match self {
            Body::Record(record) => Some(&record.errors),
            Body::Replay(replay) => Some(&replay.errors),
            Body::Show(show) => Some(&show.errors),
            _ => None,
        }
    }
}

impl Report {
    /// A report with nothing but its body.
    pub fn new(body: Body) -> Self {
        Self {
            tests: Vec::new(),
            body,
            problems: Vec::new(),
            stats: Stats::default(),
            partial: false,
            interrupted: false,
            shard: None,
        }
    }

    /// Where a replay parted from its recording.
    pub fn divergence(&self) -> Option<&Divergence> {
        match &self.body {
            Body::Replay(replay) => replay.divergence.as_ref(),
            Body::Show(show) => show.divergence.as_ref(),
            Body::Why(why) => why.divergence.as_ref(),
            _ => None,
        }
    }
}
