//! Program spectra and suspiciousness formulas.
