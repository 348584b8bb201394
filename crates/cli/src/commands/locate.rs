//! `whydunit locate`

use std::num::NonZeroUsize;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use whydunit_findings::{Exit, Report};
use whydunit_spectra::Formula;

use crate::failure::Failure;
use crate::session::Session;

/// Rank the statements that can be at fault
///
/// Runs the suite (built first where that was not done), counts which statements and branch outcomes failing and
/// passing tests execute, and ranks by a formula. Statements of one score are a tie and shown as one.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit locate\n  whydunit locate tall wild            the faults of these failing tests\n  \
                        whydunit locate --method dstar --top 20"
)]
pub struct Locate {
    /// The failing tests in question [default: all that fail]
    pub tests: Vec<String>,
    /// The formula
    #[arg(long, default_value = "ochiai", value_parser = methods())]
    pub method: Formula,
    /// How many findings text shows; ties are not cut apart
    #[arg(long, value_name = "N", default_value = "10")]
    pub top: NonZeroUsize,
    /// Tests at a time [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

fn methods() -> impl TypedValueParser<Value = Formula> {
    PossibleValuesParser::new(Formula::ALL.map(Formula::name)).try_map(|name| name.parse::<Formula>())
}

/// Ranks.
pub fn run(_session: &Session, _args: &Locate) -> Result<Report, Failure> {
    Err(Failure::new(Exit::Internal, "this command is not part of this build"))
}

#[cfg(test)]
mod tests {
    use crate::arguments::{Arguments, Command};
    use clap::Parser;
    use whydunit_spectra::Formula;

    #[test]
    fn every_formula_is_a_method() {
        for formula in Formula::ALL {
            let arguments = Arguments::try_parse_from(["whydunit", "locate", "--method", formula.name()]);
            let Command::Locate(locate) = arguments.expect("it parses").command else { panic!("another command") };
            assert_eq!(locate.method, formula);
        }
        assert!(Arguments::try_parse_from(["whydunit", "locate", "--method", "best"]).is_err());
    }
}
