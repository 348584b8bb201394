//! What `doctor` finds.

/// What was looked at on this system and of this project, topic by topic.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Health {
    /// The version of this program.
    pub version: String,
    /// In the order in which they are told.
    pub checks: Vec<HealthCheck>,
}

/// One thing that was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HealthCheck {
    /// What it belongs to.
    pub topic: HealthTopic,
    /// Its name, in a word or two.
    pub name: String,
    /// How it stands.
    pub state: HealthState,
    /// What was found, in a line.
    pub found: String,
    /// What to do, in a line; `None` where nothing has to be done.
    pub remedy: Option<String>,
}

/// What a check belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HealthTopic {
    /// Programs that others make.
    Tools,
    /// The kernel, and what it allows.
    System,
    /// What is kept on the disk.
    Kept,
    /// The project here.
    Project,
}

/// How a thing stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HealthState {
    /// As it has to be.
    Good,
    /// It is not as it could be; something may not work, or needs a decision.
    Doubtful,
    /// It is not there, and nothing here needs it.
    Absent,
    /// It is not there, or is wrong, and is needed.
    Missing,
}

impl HealthTopic {
    /// All, in the order in which they are told.
    pub const ALL: [Self; 4] = [Self::Tools, Self::System, Self::Kept, Self::Project];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::System => "system",
            Self::Kept => "kept",
            Self::Project => "project",
        }
    }
}

impl HealthState {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Doubtful => "doubtful",
            Self::Absent => "absent",
            Self::Missing => "missing",
        }
    }
}

impl Health {
    /// How many things are missing that are needed.
    pub fn missing(&self) -> usize {
        self.checks.iter().filter(|check| check.state == HealthState::Missing).count()
    }
}

impl HealthCheck {
    /// A thing that stands like this.
    pub fn new(topic: HealthTopic, name: impl Into<String>, state: HealthState, found: impl Into<String>) -> Self {
        Self { topic, name: name.into(), state, found: found.into(), remedy: None }
    }

    /// The same, with what to do.
    pub fn remedy(self, remedy: impl Into<String>) -> Self {
        Self { remedy: Some(remedy.into()), ..self }
    }
}
