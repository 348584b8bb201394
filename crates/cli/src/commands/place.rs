//! A place in the source, as people type it.

use std::str::FromStr;

/// `FILE:LINE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// As typed: the end of the file's path suffices where it is the only such file.
    pub file: String,
    /// From 1.
    pub line: u32,
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("`{text}` is no place in the source; write FILE:LINE, as in src/main.c:12");
        let (file, line) = text.rsplit_once(':').ok_or_else(form)?;
        let line = line.parse().ok().filter(|&line| line > 0).ok_or_else(form)?;
        if file.is_empty() {
            return Err(form());
        }
        Ok(Self { file: file.into(), line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_and_a_line() {
        assert_eq!("a:b.c:12".parse(), Ok(Place { file: "a:b.c".into(), line: 12 }));
        for wrong in ["a.c", "a.c:", "a.c:0", "a.c:x", ":3", "a.c:-1"] {
            assert!(wrong.parse::<Place>().unwrap_err().contains("FILE:LINE"), "{wrong}");
        }
    }
}
