//! The exit status.

/// How the command ends. The numbers are a contract; the manual has the same table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Exit {
    /// Nothing found, or all well.
    Success = 0,
    /// There are findings: a test fails, a fault is located, a memory error was seen.
    Findings = 1,
    /// A mistake in the command line, a configuration or an input file.
    Usage = 2,
    /// The program under test does not build.
    Build = 3,
    /// Its test suite is not usable as a baseline.
    Baseline = 4,
    /// The time limit was reached; the answer is partial.
    TimeLimit = 5,
    /// Our own fault: a divergence of a replay, or an internal error.
    Internal = 70,
}

impl Exit {
    /// All of them, in order.
    pub const ALL: [Exit; 7] =
        [Exit::Success, Exit::Findings, Exit::Usage, Exit::Build, Exit::Baseline, Exit::TimeLimit, Exit::Internal];

    /// The number that the shell sees.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// What it says, as the manual does.
    pub const fn meaning(self) -> &'static str {
        match self {
            Exit::Success => "nothing found, or all well",
            Exit::Findings => "there are findings",
            Exit::Usage => "a mistake in the command line, a configuration or an input file",
            Exit::Build => "the program under test does not build",
            Exit::Baseline => "its test suite is not usable as a baseline",
            Exit::TimeLimit => "the time limit was reached, the answer is partial",
            Exit::Internal => "our own fault, a divergence of a replay among them",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn codes_are_distinct_and_in_order() {
        assert!(Exit::ALL.windows(2).all(|pair| pair[0].code() < pair[1].code()));
    }
}
