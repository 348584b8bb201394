//! Tests as sources declare them, and their names in the suite.

use std::path::Path;

/// A test where it is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The line, from 0.
    pub line: u32,
    /// Its name as it stands there.
    pub name: Name,
}

/// How a test is named where it is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Name {
    /// A function of Rust.
    Function(String),
    /// A suite of GoogleTest's and a test of it, with a dot between.
    Google(String),
    /// A text: of Catch2's, of CTest's, of a case.
    Text(String),
}

/// The tests that a source declares: of Rust, of GoogleTest and Catch2, of CMake's `add_test`, and the lines of a table of cases.
pub fn declared(path: &Path, text: &str) -> Vec<Declared> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let read: fn(&[&str], usize) -> Option<Name> = match extension {
        "rs" => rust,
        "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" => macros,
        "jsonl" => case,
        "txt" | "cmake" => ctest,
        _ => return Vec::new(),
    };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let declared = |line: usize| Some(Declared { line: u32::try_from(line).ok()?, name: read(&lines, line)? });
    (0..lines.len()).filter_map(declared).collect()
}

/// So many lines an attribute stands at most before its function.
const NEAR: usize = 8;

/// A function behind an attribute whose last word is `test`.
fn rust(lines: &[&str], line: usize) -> Option<Name> {
    let words = lines[line].split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut words = words.filter(|word| !word.is_empty()).skip_while(|word| *word != "fn");
    words.next()?;
    let name = words.next()?;
    let before =
        lines[..line].iter().rev().take(NEAR).take_while(|line| line.starts_with('#') || line.starts_with("//"));
    let is_test = |line: &&str| {
        let inside = line.strip_prefix("#[").and_then(|rest| rest.split([']', '(']).next());
        inside.is_some_and(|path| path.trim().rsplit("::").next() == Some("test"))
    };
    before.into_iter().any(is_test).then(|| Name::Function(name.into()))
}

/// A macro of GoogleTest's or Catch2's that declares a test.
fn macros(lines: &[&str], line: usize) -> Option<Name> {
    let (name, rest) = lines[line].split_once('(')?;
    match name.trim_end() {
        "TEST" | "TEST_F" | "TYPED_TEST" => {
            let (suite, rest) = rest.split_once(',')?;
            let (test, _) = rest.split_once(')')?;
            Some(Name::Google(format!("{}.{}", suite.trim(), test.trim())))
        }
        "TEST_CASE" | "SCENARIO" => quoted(rest).map(|text| match name.trim_end() {
            "SCENARIO" => Name::Text(format!("Scenario: {text}")),
            _ => Name::Text(text),
        }),
        _ => None,
    }
}

/// The text in quotes that something begins with.
fn quoted(text: &str) -> Option<String> {
    let inside = text.trim_start().strip_prefix('"')?;
    let mut out = String::new();
    let mut chars = inside.chars();
    loop {
        match chars.next()? {
            '"' => return Some(out),
            '\\' => out.push(chars.next()?),
            c => out.push(c),
        }
    }
}

fn case(lines: &[&str], line: usize) -> Option<Name> {
    let case: serde_json::Value = serde_json::from_str(lines[line]).ok()?;
    case["name"].as_str().map(|name| Name::Text(name.into()))
}

fn ctest(lines: &[&str], line: usize) -> Option<Name> {
    let rest = lines[line].strip_prefix("add_test")?.trim_start().strip_prefix('(')?;
    let mut words = rest.split([' ', '\t', ')']).filter(|word| !word.is_empty());
    let first = words.next()?;
    Some(Name::Text(if first == "NAME" { words.next()? } else { first }.trim_matches('"').into()))
}

/// The name in a suite of the test that a file declares; `None` where that is not certain.
pub fn named<'a>(name: &Name, path: &Path, suite: &'a [String]) -> Option<&'a String> {
    match name {
        Name::Text(text) => {
            suite.iter().find(|it| *it == text).or_else(|| suite.iter().find(|it| behind(it, text, &['/'])))
        }
        Name::Google(text) => suite.iter().filter(|it| behind(it, text, &['/', '.'])).min_by_key(|it| it.len()),
        Name::Function(function) => {
            let of_name: Vec<&String> = suite.iter().filter(|it| behind(it, function, &[' ', ':'])).collect();
            if let [one] = of_name[..] {
                return Some(one);
            }
            // Of several that of the file's own module or program.
            let stem = path.file_stem()?.to_str()?;
            let module = match stem {
                "mod" => path.parent()?.file_name()?.to_str()?,
                stem => stem,
            };
            let of_module = |it: &&&String| it.split([' ', ':']).any(|word| word == module);
            let mut of_module = of_name.iter().filter(of_module);
            of_module.next().copied().filter(|_| of_module.next().is_none())
        }
    }
}

/// Whether a name is a text, or ends with it behind one of these.
fn behind(name: &str, text: &str, before: &[char]) -> bool {
    name.strip_suffix(text).is_some_and(|rest| rest.is_empty() || rest.ends_with(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_where_sources_declare_them() {
        let names = |path: &str, text: &str| -> Vec<(u32, String)> {
            let declared = declared(Path::new(path), text).into_iter();
            declared
                .map(|it| {
                    (
                        it.line,
                        match it.name {
                            Name::Function(n) | Name::Google(n) | Name::Text(n) => n,
                        },
                    )
                })
                .collect()
        };
        let rust =
            "#[test]\nfn a() {}\n\nfn b() {}\n#[tokio::test(x)]\n#[ignore]\npub async fn c() {}\n#[testing]\nfn d() {}";
        assert_eq!(names("a.rs", rust), [(1, "a".into()), (6, "c".into())]);
        let cpp = "TEST(Sum, One) {\n  TEST_F( A,B )\nTEST_CASE(\"a \\\"b\\\"\", \"[x]\")\nTEST\nTEST(x)";
        assert_eq!(names("a.cc", cpp), [(0, "Sum.One".into()), (1, "A.B".into()), (2, "a \"b\"".into())]);
        assert_eq!(names("cases.jsonl", "{\"name\":\"x\"}\n{\n{\"name\":7}"), [(0, "x".into())]);
        assert_eq!(
            names("CMakeLists.txt", "add_test(NAME plain COMMAND x)\n add_test(old x)"),
            [(0, "plain".into()), (1, "old".into())]
        );
        assert!(names("a.py", "def test(): pass").is_empty());
    }

    #[test]
    fn a_name_that_several_tests_have_is_told_by_its_file() {
        let suite = [
            "p::own",
            "p::whole even",
            "p tests::even",
            "p a::b::odd",
            "unit/Sum.One",
            "found.Sum.One",
            "cases/fine",
            "plain",
        ];
        let suite = suite.map(String::from);
        let of = |name: Name, path: &str| named(&name, Path::new(path), &suite).map(String::as_str);
        let function = |name: &str| Name::Function(name.into());
        assert_eq!(of(function("even"), "tests/whole.rs"), Some("p::whole even"));
        assert_eq!(of(function("even"), "src/lib.rs"), None);
        assert_eq!(of(function("odd"), "src/x.rs"), Some("p a::b::odd"));
        assert_eq!(of(function("dd"), "src/x.rs"), None);
        assert_eq!(of(Name::Google("Sum.One".into()), "unit.cc"), Some("unit/Sum.One"));
        assert_eq!(of(Name::Text("fine".into()), "cases.cc"), Some("cases/fine"));
        assert_eq!(of(Name::Text("plain".into()), "CMakeLists.txt"), Some("plain"));
        assert_eq!(of(Name::Text("ain".into()), "CMakeLists.txt"), None);
    }
}
