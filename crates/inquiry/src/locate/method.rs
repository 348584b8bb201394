//! The methods of `locate` by name.

use whydunit_spectra::Formula;

use super::formulas::Formulas;

/// What ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Counts of a spectrum.
    Spectrum(Formula),
    /// Trace formulas.
    Formulas(Formulas),
    /// Classes, by the sequences in which their objects call (AMPLE).
    Ample,
}

impl Default for Method {
    fn default() -> Self {
        Method::BY_FORMULAS[0].1.into()
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Formulas> for Method {
    fn from(formulas: Formulas) -> Self {
        Method::Formulas(formulas)
    }
}

impl Method {
    const BY_FORMULAS: [(&'static str, Formulas); 4] = [
        ("ofc+cw", Formulas { bug_assist: false, weighted: true }),
        ("ofc", Formulas { bug_assist: false, weighted: false }),
        ("ba+cw", Formulas { bug_assist: true, weighted: true }),
        ("ba", Formulas { bug_assist: true, weighted: false }),
    ];

    /// All names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::BY_FORMULAS.into_iter().map(|method| method.0).chain(Formula::ALL.map(Formula::name)).chain(["ample"])
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Spectrum(formula) => formula.name(),
            Method::Ample => "ample",
            Method::Formulas(formulas) => {
                Self::BY_FORMULAS.iter().find(|method| method.1 == formulas).map_or("", |method| method.0)
            }
        }
    }

    /// The method of a name.
    pub fn parse(name: &str) -> Result<Self, String> {
        if name == "ample" {
            return Ok(Method::Ample);
        }
        match Self::BY_FORMULAS.iter().find(|method| method.0 == name) {
            Some(method) => Ok(Method::Formulas(method.1)),
            None => name.parse().map(Method::Spectrum),
        }
    }
}
