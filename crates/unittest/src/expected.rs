//! What a test expects, in the words of its framework.

use crate::body::Kind;
use crate::source::{Language, Source};

/// What is expected of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// An exception of a type; empty where that is not known.
    Throws(String),
    /// A panic with a message; empty where that is not known.
    Panics(String),
    /// It returns `Err`.
    Err,
    /// It returns `None`.
    Nothing,
    /// It returns this number, enumerator or `NULL`.
    Value(String),
    /// It returns, and these conditions hold then: what follows the object (`empty()`), and a value in words (`true`, `= 0`).
    Returns(Vec<(String, String)>),
}

/// How a framework says that a condition holds.
pub(crate) fn holds(source: &Source, kind: &Kind, condition: &str) -> Result<String, String> {
    // Both frameworks have words for the opposite of a plain call.
    let not = condition.strip_prefix('!').filter(|rest| !rest.contains(' '));
    let macros = match kind {
        Kind::Cargo => return Ok(format!("assert!({condition});")),
        Kind::Gtest { .. } => {
            return Ok(not.map_or(format!("EXPECT_TRUE({condition});"), |not| format!("EXPECT_FALSE({not});")));
        }
        Kind::Catch { .. } => {
            return Ok(not.map_or(format!("REQUIRE({condition});"), |not| format!("REQUIRE_FALSE({not});")));
        }
        // The first that the file uses.
        Kind::Function | Kind::Main => ["TEST_ASSERT", "ck_assert", "assert_true", "CU_ASSERT", "assert"],
    };
    let tokens = source.tokens(source.root());
    let uses = |name: &&str| {
        let begins = |text: &str| text.strip_prefix(*name).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
        tokens.iter().any(|token| begins(token.text))
    };
    let found =
        macros.iter().find(|name| uses(name)).ok_or("nothing in the file tells how its tests check something")?;
    Ok(format!("{found}({condition});"))
}

/// That a call gives a value.
pub(crate) fn equals(source: &Source, kind: &Kind, call: &str, value: &str) -> Result<String, String> {
    match kind {
        Kind::Gtest { .. } => Ok(format!("EXPECT_EQ({call}, {value});")),
        Kind::Cargo => Ok(format!("assert_eq!({call}, {value});")),
        _ => holds(source, kind, &format!("{call} == {value}")),
    }
}

/// That a call throws, in lines.
pub(crate) fn throws(source: &Source, kind: &Kind, call: &str, ty: &str) -> Result<Vec<String>, String> {
    Ok(match (kind, ty) {
        (Kind::Gtest { .. }, "") => vec![format!("EXPECT_ANY_THROW({call});")],
        (Kind::Gtest { .. }, ty) => vec![format!("EXPECT_THROW({call}, {ty});")],
        (Kind::Catch { .. }, "") => vec![format!("REQUIRE_THROWS({call});")],
        (Kind::Catch { .. }, ty) => vec![format!("REQUIRE_THROWS_AS({call}, {ty});")],
        (_, ty) => {
            let caught = if ty.is_empty() { "...".into() } else { format!("const {ty} &") };
            let check = holds(source, kind, "thrown")?;
            let lines = ["bool thrown = false;".into(), "try {".into(), format!("    {call};")];
            let caught = [format!("}} catch ({caught}) {{"), "    thrown = true;".into(), "}".into(), check];
            lines.into_iter().chain(caught).collect()
        }
    })
}

/// A condition on a value in words; `None` where that is none that a test can ask.
pub(crate) fn condition(language: Language, path: &str, value: &str) -> Option<String> {
    Some(match value {
        "true" => path.to_owned(),
        "false" => format!("!{path}"),
        "= 0" => format!("{path} == 0"),
        "> 0" => format!("{path} > 0"),
        "< 0" => format!("{path} < 0"),
        "Some" | "None" | "Ok" | "Err" if language == Language::Rust => {
            format!("{path}.is_{}()", value.to_ascii_lowercase())
        }
        "null" if language == Language::Cpp => format!("{path} == nullptr"),
        "non-null" | "not null" if language == Language::Cpp => format!("{path} != nullptr"),
        "empty" => format!("{path}.{}()", if language == Language::Rust { "is_empty" } else { "empty" }),
        "non-empty" | "not empty" => {
            format!("!{path}.{}()", if language == Language::Rust { "is_empty" } else { "empty" })
        }
        _ => return None,
    })
}
