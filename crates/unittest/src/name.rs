//! Names of tests, which say what they state.

/// How a suite writes names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// `quit_when_closed_throws`
    Snake,
    /// `QuitWhenClosedThrows`
    Camel,
    /// `quit when closed throws`
    Words,
}

impl Style {
    /// That of a name.
    pub fn of(name: &str) -> Self {
        match name {
            _ if name.contains(' ') => Self::Words,
            _ if name.contains('_') || !name.starts_with(|c: char| c.is_ascii_uppercase()) => Self::Snake,
            _ => Self::Camel,
        }
    }
}

/// Parts of a name as one name in a style, none of `taken`.
pub fn identifier(parts: &[&str], style: Style, taken: &dyn Fn(&str) -> bool) -> String {
    let words: Vec<String> = parts.iter().flat_map(|part| words(part)).collect();
    let capital = |word: &String| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
    };
    let name = match style {
        Style::Snake => words.join("_"),
        Style::Camel => words.iter().map(capital).collect(),
        Style::Words => words.join(" "),
    };
    let further = |number: usize| match style {
        Style::Snake => format!("{name}_{number}"),
        Style::Camel => format!("{name}{number}"),
        Style::Words => format!("{name} {number}"),
    };
    std::iter::once(name.clone()).chain((2..).map(further)).find(|name| !taken(name)).unwrap_or(name)
}

/// The words of a name, in small letters.
fn words(name: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut small = false;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() {
            small = false;
            found.push(String::new());
            continue;
        }
        if found.is_empty() || c.is_ascii_uppercase() && small {
            found.push(String::new());
        }
        small = c.is_ascii_lowercase() || c.is_ascii_digit();
        if let Some(last) = found.last_mut() {
            last.push(c.to_ascii_lowercase());
        }
    }
    found.retain(|word| !word.is_empty());
    found
}

/// More of a state than so many values is not told in a name.
const MOST: usize = 3;

/// What tells a state from others, in words for a name: `closed`, `not empty`, `reads positive`. `values` are the paths and values of the
/// state; `others` those of all states. Empty where nothing tells it from others.
pub fn state_words(values: &[(String, String)], others: &[&[(String, String)]]) -> String {
    let is_other =
        |other: &[(String, String)], path: &str, value: &str| other.iter().any(|(its, it)| its == path && it != value);
    let mut told: Vec<(u8, String, &(String, String))> = values
        .iter()
        .filter_map(|value| told_of(&value.0, &value.1).map(|(rank, words)| (rank, words, value)))
        .collect();
    told.sort_by_key(|(rank, _, _)| *rank);
    let mut rest: Vec<&[(String, String)]> = others.iter().copied().filter(|other| *other != values).collect();
    let mut words = Vec::new();
    for (_, told, (path, value)) in told {
        let before = rest.len();
        rest.retain(|other| !is_other(other, path, value));
        if rest.len() < before && words.len() < MOST {
            words.push(told);
        }
    }
    words.join(" and ")
}

/// How well a value tells of a state, and the words; `None` of one that is not known.
fn told_of(path: &str, value: &str) -> Option<(u8, String)> {
    let is_inspector = path.ends_with("()");
    let name = path.trim_end_matches("()");
    let name = name.strip_prefix("m_").unwrap_or(name).trim_matches('_');
    let bare = name.strip_prefix("is_").or(name.strip_prefix("has_")).unwrap_or(name);
    let is_word = value.starts_with(|c: char| c.is_ascii_alphabetic());
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    // An inspector is what its users know of a class.
    let rank = |of_field: u8| if is_inspector { 1 } else { of_field };
    Some(match value {
        "unknown" => return None,
        "true" => (rank(2) - 1, bare.into()),
        "false" => (rank(2) - 1, format!("not {bare}")),
        "empty" | "null" | "None" | "Some" => (rank(4), format!("{name} {value}")),
        "not empty" | "not null" => (rank(4), format!("{name} {value}")),
        "= 0" => (rank(3), format!("{name} zero")),
        "> 0" => (rank(3), format!("{name} positive")),
        "< 0" => (rank(3), format!("{name} negative")),
        _ if is_word && plain => (rank(2), value.rsplit("::").next().unwrap_or(value).into()),
        _ => (5, format!("{name} {value}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_the_suite_writes_them() {
        let parts = ["quit", "when", "CLOSED", "throws"];
        let name = |style| identifier(&parts, style, &|_| false);
        assert_eq!(name(Style::Snake), "quit_when_closed_throws");
        assert_eq!(name(Style::Camel), "QuitWhenClosedThrows");
        assert_eq!(name(Style::Words), "quit when closed throws");
        assert_eq!(identifier(&["popFront"], Style::Snake, &|known| known == "pop_front"), "pop_front_2");
        assert_eq!(
            [Style::of("PopsInOrder"), Style::of("pops"), Style::of("a b")],
            [Style::Camel, Style::Snake, Style::Words]
        );
    }

    #[test]
    fn states_are_told_by_what_is_otherwise_in_others() {
        let state = |values: &[(&str, &str)]| -> Vec<(String, String)> {
            values.iter().map(|(path, value)| ((*path).into(), (*value).into())).collect()
        };
        let empty = state(&[("len", "= 0"), ("is_empty()", "true"), ("limit", "> 0")]);
        let full = state(&[("len", "> 0"), ("is_empty()", "false"), ("limit", "> 0")]);
        let all = [&empty[..], &full[..]];
        assert_eq!(state_words(&empty, &all), "empty");
        assert_eq!(state_words(&full, &all), "not empty");
        // What one value does not tell two do.
        let sent = state(&[("open_", "true"), ("sent", "> 0"), ("is_open()", "true")]);
        let fresh = state(&[("open_", "true"), ("sent", "= 0"), ("is_open()", "true")]);
        let shut = state(&[("open_", "false"), ("sent", "= 0"), ("is_open()", "false")]);
        assert_eq!(state_words(&fresh, &[&sent, &fresh, &shut]), "open and sent zero");
        assert_eq!(state_words(&empty, &all[..1]), "");
        let (open, closed) = (state(&[("state", "OPEN")]), state(&[("state", "CLOSED")]));
        assert_eq!(state_words(&open, &[&open, &closed]), "OPEN");
    }
}
