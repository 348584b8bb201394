//! The rounding mode of a run, thread by thread.

use whydunit_numerics::rounding::Round;

/// `FE_DFL_ENV` of the C library.
const DEFAULT_ENVIRONMENT: u64 = u64::MAX;

/// How a thread rounds; none for the usual way, to nearest.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mode(Option<Round>);

impl Mode {
    /// As the processor's control registers say: two bits as in MXCSR, two as in the x87 control word.
    pub fn of_control(bits: u32) -> Self {
        Self(mode_of(u64::from(bits & 3) << 10))
    }
}

/// The mode, and those kept by `fegetenv` and `feholdexcept` at an address.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounding {
    mode: Option<Round>,
    kept: Vec<(u64, Option<Round>)>,
}

impl Rounding {
    /// The mode; none for the usual one, to nearest.
    #[inline(always)]
    pub fn mode(&self) -> Option<Round> {
        self.mode
    }

    /// The mode of the thread that runs.
    pub fn thread_mode(&self) -> Mode {
        Mode(self.mode)
    }
    /// Another thread runs, in this mode.
    pub fn set_mode(&mut self, mode: Mode) {
        self.mode = mode.0;
    }

    /// An external function returned.
    pub fn follow(&mut self, call: Environment, args: &[u64], result: u64) {
        let Some(&argument) = args.first() else { return };
        if result as u32 != 0 {
            return;
        }
        match call {
            Environment::Mode => self.mode = mode_of(argument),
            Environment::Keep => {
                self.kept.retain(|kept| kept.0 != argument);
                self.kept.push((argument, self.mode));
            }
            Environment::Restore if argument == DEFAULT_ENVIRONMENT => self.mode = None,
            Environment::Restore => {
                if let Some(kept) = self.kept.iter().find(|kept| kept.0 == argument) {
                    self.mode = kept.1;
                }
            }
        }
    }
}

/// Functions that change the mode (ISO C, 7.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Environment {
    /// `fesetround`.
    Mode,
    /// `fegetenv`, `feholdexcept`.
    Keep,
    /// `fesetenv`, `feupdateenv`.
    Restore,
}

impl Environment {
    /// By name.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "fesetround" => Self::Mode,
            "fegetenv" | "feholdexcept" => Self::Keep,
            "fesetenv" | "feupdateenv" => Self::Restore,
            _ => return None,
        })
    }
}

/// The mode that a value of `<fenv.h>` names on x86.
fn mode_of(value: u64) -> Option<Round> {
    match value & 0xc00 {
        0x400 => Some(Round::TowardNegative),
        0x800 => Some(Round::TowardPositive),
        0xc00 => Some(Round::TowardZero),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_set_kept_and_restored() {
        let mut rounding = Rounding::default();
        rounding.follow(Environment::Mode, &[0x800], 0);
        rounding.follow(Environment::Keep, &[16], 0);
        rounding.follow(Environment::Mode, &[0x400], 0);
        rounding.follow(Environment::Mode, &[0xc00], 1);
        assert_eq!(rounding.mode(), Some(Round::TowardNegative));
        rounding.follow(Environment::Restore, &[16], 0);
        assert_eq!(rounding.mode(), Some(Round::TowardPositive));
        rounding.follow(Environment::Restore, &[DEFAULT_ENVIRONMENT], 0);
        assert_eq!(rounding.mode(), None);
    }
}
