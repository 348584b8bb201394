//! Values in words as literals of a language.

use crate::source::Language;

/// A value that a recorded call had, or a boundary value, as it is written in a language for a parameter of a type. The reason where that
/// cannot be said: what was cut short, or is made of parts.
pub fn literal(words: &str, ty: &str, language: Language) -> Result<String, String> {
    let plain = plain(ty);
    // `Binary (1)` is an enumerator with its number.
    let words = match words.split_once(" (") {
        Some((name, number)) if number.trim_end_matches(')').parse::<i64>().is_ok() => name,
        _ => words,
    };
    if words.starts_with('"') {
        return text(words, ty, language);
    }
    if words == "null" {
        return Ok(match language {
            Language::C => "NULL",
            Language::Cpp => "nullptr",
            Language::Rust if ty.contains("*mut") => "std::ptr::null_mut()",
            Language::Rust if ty.contains("*const") => "std::ptr::null()",
            Language::Rust => "None",
        }
        .into());
    }
    let value = scalar(words, plain, language).ok_or_else(|| no_literal(ty))?;
    Ok(match language {
        Language::Rust if ty.starts_with("&mut") => format!("&mut {value}"),
        Language::Rust if ty.starts_with('&') => format!("&{value}"),
        _ if language != Language::Rust && ty.contains('*') => {
            return Err(no_literal(ty));
        }
        _ => value,
    })
}

fn no_literal(ty: &str) -> String {
    match ty {
        "" | "_" => "an argument cannot be written as a literal".into(),
        ty => format!("an argument of the type `{ty}` cannot be written as a literal"),
    }
}

/// A type without references and qualifiers.
fn plain(ty: &str) -> &str {
    let mut ty = ty.trim().trim_end_matches('&').trim();
    for begin in ["&mut ", "&", "const ", "enum "] {
        ty = ty.strip_prefix(begin).unwrap_or(ty).trim();
    }
    ty.strip_suffix(" const").unwrap_or(ty)
}

fn scalar(words: &str, ty: &str, language: Language) -> Option<String> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // `97 'a'` is a character with its number.
    let (number, character) = words.split_once(' ').map_or((words, None), |(number, rest)| (number, Some(rest)));
    let magnitude = number.strip_prefix('-').unwrap_or(number);
    if digits(magnitude) {
        let real = language == Language::Rust && matches!(ty, "f32" | "f64");
        return Some(match character {
            Some(character) if language != Language::Rust && ty.contains("char") => character.into(),
            _ if real => format!("{number}.0"),
            _ if language == Language::Cpp && is_enumeration(ty) => format!("static_cast<{ty}>({number})"),
            // The least number has no literal in C.
            _ if language != Language::Rust && number == "-9223372036854775808" => "(-9223372036854775807 - 1)".into(),
            _ if language != Language::Rust && magnitude.parse::<i64>().is_err() => format!("{number}u"),
            _ => number.into(),
        });
    }
    if character.is_some() {
        return None;
    }
    let real = magnitude.split_once('.').is_some_and(|(whole, part)| digits(whole) && digits(part));
    if real || matches!(words, "true" | "false") {
        return Some(words.into());
    }
    let is_character = language == Language::Rust && words.starts_with('\'') && words.ends_with('\'');
    let inner = words.split_once('(').and_then(|(name, rest)| Some((name, rest.strip_suffix(')')?)));
    match inner {
        Some((name @ ("Some" | "Ok"), inner)) if language == Language::Rust => {
            let of = ty.split_once('<').and_then(|(_, of)| of.strip_suffix('>')).unwrap_or_default();
            Some(format!("{name}({})", literal(inner, of, language).ok()?))
        }
        Some(_) => None,
        None if is_character => Some(words.into()),
        None => enumerator(words, ty, language),
    }
}

/// Whether a type is none of those that numbers are written for.
fn is_enumeration(ty: &str) -> bool {
    let known =
        ["int", "char", "short", "long", "unsigned", "signed", "float", "double", "bool", "size_t", "_t", "auto", "_"];
    !ty.is_empty()
        && !known.iter().any(|word| ty.split_whitespace().any(|part| part == *word || part.ends_with("_t")))
        && ty.split("::").all(|part| part.starts_with(|c: char| c.is_ascii_uppercase()) && part.len() > 1)
}

fn enumerator(words: &str, ty: &str, language: Language) -> Option<String> {
    let is_path = words.split("::").all(|part| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    });
    if !is_path {
        return None;
    }
    let name = words.rsplit("::").next().unwrap_or(words);
    let known = !ty.is_empty()
        && ty.split("::").all(|part| part.chars().all(|c| c.is_alphanumeric() || c == '_') && part != "_");
    Some(match language {
        Language::C => name.into(),
        Language::Rust if name == "None" => name.into(),
        _ if known => format!("{ty}::{name}"),
        _ => words.into(),
    })
}

fn text(words: &str, ty: &str, language: Language) -> Result<String, String> {
    // `"abc"…` is the beginning of a longer one.
    if words.len() < 2 || !words.ends_with('"') {
        return Err("a text that is longer than what is told of it is no literal".into());
    }
    let escaped = words.contains("\\x");
    if escaped && language == Language::Rust {
        return Err("a text with bytes that are no characters is no literal".into());
    }
    Ok(match language {
        Language::Rust if plain(ty) == "String" && ty.starts_with('&') => format!("&{words}.to_owned()"),
        Language::Rust if plain(ty) == "String" => format!("{words}.to_owned()"),
        // A digit behind an escape would belong to it.
        _ if escaped => words.replace("\\x", "\" \"\\x").replacen("\" \"", "", usize::from(words.starts_with("\"\\x"))),
        _ => words.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rust(words: &str, ty: &str) -> Option<String> {
        literal(words, ty, Language::Rust).ok()
    }

    fn cpp(words: &str, ty: &str) -> Option<String> {
        literal(words, ty, Language::Cpp).ok()
    }

    #[test]
    fn numbers_texts_and_enumerators_are_literals() {
        assert_eq!(rust("5", "u32").as_deref(), Some("5"));
        assert_eq!(rust("5", "f64").as_deref(), Some("5.0"));
        assert_eq!(rust("5", "&T").as_deref(), Some("&5"));
        assert_eq!(rust("97 'a'", "u8").as_deref(), Some("97"));
        assert_eq!(rust("\"a\"", "&str").as_deref(), Some("\"a\""));
        assert_eq!(rust("\"a\"", "String").as_deref(), Some("\"a\".to_owned()"));
        assert_eq!(rust("Some(3)", "Option<u8>").as_deref(), Some("Some(3)"));
        assert_eq!(rust("Red", "Color").as_deref(), Some("Color::Red"));
        assert_eq!(cpp("97 'a'", "char").as_deref(), Some("'a'"));
        assert_eq!(cpp("CLOSED", "const State &").as_deref(), Some("State::CLOSED"));
        assert_eq!(cpp("Binary (1)", "Mode").as_deref(), Some("Mode::Binary"));
        assert_eq!(cpp("7", "State").as_deref(), Some("static_cast<State>(7)"));
        assert_eq!(cpp("18446744073709551615", "unsigned long").as_deref(), Some("18446744073709551615u"));
        assert_eq!(cpp("null", "const char *").as_deref(), Some("nullptr"));
        assert_eq!(literal("CLOSED", "enum state", Language::C).as_deref(), Ok("CLOSED"));
    }

    #[test]
    fn what_is_no_literal_is_not_guessed() {
        for (words, ty) in [("{x = 1}", "Point"), ("\"abc\"\u{2026}", "&str"), ("[1, 2]", "&[u8]"), ("?", "u8")] {
            assert_eq!(rust(words, ty), None, "{words}");
        }
        assert_eq!(cpp("5", "int *"), None);
    }
}
