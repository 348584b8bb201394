//! Test frameworks of C and C++: which of their functions are called where a check fails, what they are told about it, and which
//! functions hold a test. Rust's checks panic (see [`names::panics`](crate::names::panics)).

/// A function of a test framework that is called where a check fails, or where it may fail, which its arguments say.
#[derive(PartialEq, Eq, Debug)]
pub struct Check {
    /// How its symbol begins.
    symbol: &'static str,
    /// What else is in it.
    part: &'static str,
    fails: Fails,
    tells: Tells,
}

/// When a check fails.
#[derive(PartialEq, Eq, Debug)]
pub enum Fails {
    /// Whenever this is called.
    Always,
    /// Whenever this is called, which is where an exception left the test.
    Thrown,
    /// By no call of this.
    Never,
    /// If an argument is one of these.
    Is(usize, &'static [u32]),
    /// If an argument has one of these bits.
    Has(usize, u32),
    /// If an argument has none of these bits.
    Lacks(usize, u32),
    /// If the byte at the place that an argument points to is 0.
    FalseAt(usize),
    /// If two arguments are not the same.
    Unequal(usize, usize),
    /// If two arguments point to texts that differ, or both to none.
    Differ(usize, usize),
    /// If they do not differ.
    Agree(usize, usize),
}

/// What the arguments tell of the check.
#[derive(PartialEq, Eq, Debug)]
enum Tells {
    Nothing,
    /// What a call that follows tells better.
    Later,
    /// What happened, in words.
    Words(Text),
    /// The condition that was checked.
    Condition(Text),
    /// `Assertion '` condition `' failed` and perhaps more, as `printf` makes it of a format, which is an argument, and of those behind
    /// it; without a format another argument.
    Printed {
        format: usize,
        otherwise: usize,
    },
    /// That two expressions should be equal, or in another relation whose sign is a text; and the values of these.
    Related {
        expressions: (usize, usize),
        sign: Sign,
        values: Option<(Text, Text)>,
    },
    /// An expression that is true or false, which is a text.
    Truth {
        expression: usize,
        value: usize,
    },
}

/// The sign of a relation.
#[derive(PartialEq, Eq, Debug)]
enum Sign {
    Of(&'static str),
    Argument(usize),
}

/// Where a text is.
#[derive(PartialEq, Eq, Debug)]
enum Text {
    /// An argument points to it; it ends with 0.
    C(usize),
    /// An argument points to it, the next one is its length.
    Range(usize),
    /// An argument points to a structure, which at these offsets has where it is and its length.
    In(usize, u64, u64),
}

/// A call of such a function: its arguments, and the memory that they point to.
pub trait Called {
    /// The first word of an argument, by its number; 0 where there is none.
    fn argument(&self, number: usize) -> u64;
    /// The word at an address.
    fn word(&self, address: u64) -> u64;
    /// The text at an address up to a 0, at most so many bytes of it.
    fn text(&self, address: u64, most: u64) -> String;
    /// What `printf` makes of the format that an argument points to, and of the arguments behind it; `None` where the argument points
    /// nowhere, or what it would print is not known.
    fn printed(&self, format: usize) -> Option<String> {
        let _ = format;
        None
    }
}

/// What is known of a failing check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Told {
    /// What should have held, as the source has it.
    pub condition: Option<String>,
    /// The expressions of it, and their values as text.
    pub values: Vec<(String, String)>,
    /// What happened, in the framework's words.
    pub words: Option<String>,
}

/// Where Catch2's `AssertionInfo` has the expression: behind the macro's name, the file and the line.
const EXPRESSION: Tells = Tells::Condition(Text::In(1, 32, 40));

const fn check(symbol: &'static str, fails: Fails, tells: Tells) -> Check {
    Check { symbol, part: "", fails, tells }
}

/// Two texts that GoogleTest compares; their expressions come before them.
const fn texts(symbol: &'static str, fails: Fails, sign: &'static str) -> Check {
    let values = Some((Text::C(3), Text::C(4)));
    check(symbol, fails, Tells::Related { expressions: (1, 2), sign: Sign::Of(sign), values })
}

/// All that are known. What returns an object has its place as first argument.
static CHECKS: &[Check] = &[
    // GoogleTest. What makes the words of a comparison that does not hold prints both values first, which may take long.
    check("_ZN7testing8internal18CmpHelperEQFailure", Fails::Always, Tells::Later),
    // Kinds of results: success, not fatal, fatal, skipped; file, line, message.
    check("_ZN7testing8internal12AssertHelperC", Fails::Is(1, &[1, 2]), Tells::Words(Text::C(4))),
    check(
        "_ZN7testing8internal9EqFailure",
        Fails::Always,
        Tells::Related {
            expressions: (1, 2),
            sign: Sign::Of("=="),
            // `std::string`.
            values: Some((Text::In(3, 0, 8), Text::In(4, 0, 8))),
        },
    ),
    check(
        "_ZN7testing8internal18CmpHelperOpFailure",
        Fails::Always,
        Tells::Related { expressions: (1, 2), sign: Sign::Argument(5), values: None },
    ),
    check(
        "_ZN7testing8internal30GetBoolAssertionFailureMessage",
        Fails::Always,
        Tells::Truth { expression: 2, value: 3 },
    ),
    texts("_ZN7testing8internal14CmpHelperSTREQEPKcS", Fails::Differ(3, 4), "=="),
    texts("_ZN7testing8internal14CmpHelperSTRNEEPKcS", Fails::Agree(3, 4), "!="),
    check(SUCCESS, Fails::Never, Tells::Nothing),
    // Catch2: about the assertion, kind of the result, which has a bit for failures.
    check("_ZN5Catch10RunContext10reportExpr", Fails::Has(2, 0x10), EXPRESSION),
    check("_ZN5Catch10RunContext13handleMessage", Fails::Has(2, 0x10), Tells::Words(Text::Range(3))),
    check("_ZN5Catch10RunContext13handleNonExpr", Fails::Has(2, 0x10), Tells::Nothing),
    check("_ZN5Catch10RunContext33handleUnexpectedInflightException", Fails::Thrown, EXPRESSION),
    check("_ZN5Catch10RunContext34handleUnexpectedExceptionNotThrown", Fails::Always, EXPRESSION),
    // doctest: kind of the assertion, which has a bit for warnings.
    Check { part: "15addFailedAssert", ..check("_ZN7doctest", Fails::Lacks(0, 1), Tells::Nothing) },
    // Boost.Test: the result, which begins with whether it holds.
    check("_ZN5boost10test_tools9tt_detail16report_assertion", Fails::FalseAt(0), Tells::Nothing),
    // CppUTest: the test itself, then the check's values.
    check("_ZN10UtestShell10assertTrue", Fails::Is(1, &[0]), Tells::Condition(Text::C(3))),
    check("_ZN10UtestShell16assertLongsEqual", Fails::Unequal(1, 2), Tells::Nothing),
    check("_ZN10UtestShell24assertUnsignedLongsEqual", Fails::Unequal(1, 2), Tells::Nothing),
    check("_ZN10UtestShell20assertLongLongsEqual", Fails::Unequal(1, 2), Tells::Nothing),
    check("_ZN10UtestShell19assertPointersEqual", Fails::Unequal(1, 2), Tells::Nothing),
    check("_ZN10UtestShell15assertCstrEqual", Fails::Differ(1, 2), Tells::Nothing),
    check("_ZN10UtestShell12assertEquals", Fails::Is(1, &[1]), Tells::Nothing),
    check("_ZN10UtestShell4fail", Fails::Always, Tells::Words(Text::C(1))),
    // Unity. Comparisons that do not hold begin their words by a call; what they compare is told by the branch before that.
    check("UnityTestResultsFailBegin", Fails::Always, Tells::Nothing),
    check("UnityFail", Fails::Always, Tells::Words(Text::C(0))),
    // CUnit.
    check("CU_assertImplementation", Fails::Is(0, &[0]), Tells::Condition(Text::C(2))),
    // Check: file, line, what failed, a format and its arguments.
    check("_ck_assert_failed", Fails::Always, Tells::Printed { format: 3, otherwise: 2 }),
];

/// What test frameworks are called for with nothing but a place of the test, or what a check is given and needs where it fails: how their symbols
/// begin.
const NOTES: [&str; 3] = [
    "_ZN5boost9unit_test15unit_test_log_t14set_checkpoint",
    "_ZN10UtestShell10countCheck",
    "_ZN20NormalTestTerminatorD",
];

/// Whether the function with this symbol only notes where a test stands, or that it has checked something: no check of the test depends on it.
pub fn is_note(symbol: &str) -> bool {
    NOTES.iter().any(|note| symbol.starts_with(note))
}

/// Makes GoogleTest's result of a check that holds.
const SUCCESS: &str = "_ZN7testing16AssertionSuccessEv";

/// What the function with this symbol says of checks; `None` where it is of no test framework, or has nothing to do with them.
pub fn of(symbol: &str) -> Option<&'static Check> {
    let of_cpp = symbol.starts_with("_Z");
    CHECKS.iter().find(|check| match of_cpp {
        true => symbol.starts_with(check.symbol) && symbol.contains(check.part),
        false => symbol == check.symbol,
    })
}

impl Check {
    /// Whether the check fails by this call.
    pub fn fails(&self, called: &impl Called) -> bool {
        let argument = |number| called.argument(number) as u32;
        let agree = |a: usize, b: usize| match (called.argument(a), called.argument(b)) {
            (0, b) => b == 0,
            (_, 0) => false,
            (a, b) => called.text(a, u64::MAX) == called.text(b, u64::MAX),
        };
        match self.fails {
            Fails::Always | Fails::Thrown => true,
            Fails::Never => false,
            Fails::Is(number, kinds) => kinds.contains(&argument(number)),
            Fails::Has(number, bits) => argument(number) & bits != 0,
            Fails::Lacks(number, bits) => argument(number) & bits == 0,
            Fails::FalseAt(number) => called.word(called.argument(number)) & 0xff == 0,
            Fails::Unequal(a, b) => called.argument(a) != called.argument(b),
            Fails::Differ(a, b) => !agree(a, b),
            Fails::Agree(a, b) => agree(a, b),
        }
    }

    /// When it fails.
    pub fn fails_when(&self) -> &Fails {
        &self.fails
    }

    /// Whether the function is called for checks that hold, too: then its arguments say whether one does, and it has nothing else to do where
    /// it does.
    pub fn is_asked(&self) -> bool {
        use Fails::{Differ, FalseAt, Has, Is, Lacks, Unequal};
        // GoogleTest makes a result of each check, and calls what tells of it where it fails.
        !self.symbol.starts_with("_ZN7testing")
            && matches!(self.fails, Is(..) | Has(..) | Lacks(..) | FalseAt(_) | Unequal(..) | Differ(..))
    }

    /// Whether all that the function does is to make the result of a check that holds, where it does not fail: GoogleTest's
    /// `AssertionResult`, a truth value and a pointer to a message, at the place that the first argument says.
    pub fn makes_result(&self) -> bool {
        self.symbol.starts_with("_ZN7testing")
            && matches!(self.fails, Fails::Never | Fails::Differ(..) | Fails::Agree(..))
    }

    /// Whether an exception that nobody caught is what made the check fail.
    pub fn is_thrown(&self) -> bool {
        self.fails == Fails::Thrown
    }

    /// Whether a call that follows tells more of the same check.
    pub fn is_told_later(&self) -> bool {
        self.tells == Tells::Later
    }

    /// What the call tells of the check, each text at most so long.
    pub fn told(&self, called: &impl Called, most: u64) -> Told {
        let own = |number: usize| called.text(called.argument(number), most);
        let text = |text: &Text| match *text {
            Text::C(number) => own(number),
            Text::Range(number) => called.text(called.argument(number), called.argument(number + 1).min(most)),
            Text::In(number, place, length) => {
                let at = called.argument(number);
                called.text(called.word(at.wrapping_add(place)), called.word(at.wrapping_add(length)).min(most))
            }
        };
        match &self.tells {
            Tells::Nothing | Tells::Later => Told::default(),
            Tells::Words(words) => Told { words: Some(text(words)), ..Told::default() },
            Tells::Condition(condition) => Told { condition: Some(text(condition)), ..Told::default() },
            Tells::Printed { format, otherwise } => {
                let words = called.printed(*format).unwrap_or_else(|| own(*otherwise));
                let condition = words.strip_prefix("Assertion '").and_then(|rest| rest.split_once("' failed"));
                match condition {
                    Some((condition, more)) => Told {
                        condition: Some(condition.to_owned()),
                        values: Vec::new(),
                        words: more.strip_prefix(": ").map(str::to_owned),
                    },
                    None => Told { words: Some(words), ..Told::default() },
                }
            }
            Tells::Related { expressions: (left, right), sign, values } => {
                let (left, right) = (own(*left), own(*right));
                let sign = match sign {
                    Sign::Of(sign) => (*sign).to_owned(),
                    Sign::Argument(number) => own(*number),
                };
                let condition = Some(format!("{left} {sign} {right}"));
                let values = values.iter().flat_map(|(a, b)| [(left.clone(), text(a)), (right.clone(), text(b))]);
                Told { condition, values: values.collect(), words: None }
            }
            Tells::Truth { expression, value } => {
                let (expression, value) = (own(*expression), own(*value));
                let condition = if value == "true" { format!("!({expression})") } else { expression.clone() };
                Told { condition: Some(condition), values: vec![(expression, value)], words: None }
            }
        }
    }
}

/// How functions are called that Catch2 and doctest make of test cases.
const CASES: [&str; 4] =
    ["C_A_T_C_H_T_E_S_T_", "C_A_T_C_H____T_E_S_T____", "CATCH2_INTERNAL_TEST_", "DOCTEST_ANON_FUNC_"];

/// Whether a function with this readable name is the body of a test, or makes the object that it belongs to.
pub fn is_readable_body(name: &str) -> bool {
    let (scope, last) = name.rsplit_once("::").unwrap_or(("", name));
    // GoogleTest makes a class of each test.
    let class = scope.rsplit("::").next().unwrap_or(scope);
    let made = class.ends_with("_Test") && last.trim_start_matches('~') == class;
    matches!(last, "TestBody" | "test_method" | "testBody") && !scope.is_empty()
        || made
        || CASES.iter().any(|case| last.trim_start_matches('_').starts_with(case))
}

/// Whether a function with this symbol is the body of one test: once it has returned without a failing check, the test has passed.
/// Bodies that a framework runs several times, each time another part, are found out by what they call ([`is_part`]).
pub fn is_body(symbol: &str) -> bool {
    let method = || ["8TestBodyEv", "11test_methodEv", "_Test8testBodyEv"].iter().any(|end| symbol.ends_with(end));
    // A function of a file or a namespace, or a method `test` of a class: not what stands inside of one.
    let case = || {
        CASES.iter().any(|case| {
            let behind = symbol.split_once(case).map(|(_, rest)| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
            matches!(behind, Some("v" | "Ev" | "testEv"))
        })
    };
    symbol.starts_with("_ZN") && (method() || case()) || symbol.starts_with("_ZL") && case()
}

/// Whether a function with this symbol begins a part of a test's body (a section, a subcase, a generator).
pub fn is_part(symbol: &str) -> bool {
    ["_ZN5Catch7Section", "_ZN7doctest6detail7Subcase", "_ZN5Catch10Generators"]
        .iter()
        .any(|part| symbol.starts_with(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A call with these arguments, where texts and words lie at addresses.
    struct Call<'a> {
        arguments: &'a [u64],
        texts: &'a [(u64, &'a str)],
        words: &'a [(u64, u64)],
    }

    impl Called for Call<'_> {
        fn argument(&self, number: usize) -> u64 {
            self.arguments.get(number).copied().unwrap_or(0)
        }
        fn word(&self, address: u64) -> u64 {
            self.words.iter().find(|(at, _)| *at == address).map_or(0, |(_, word)| *word)
        }
        fn text(&self, address: u64, most: u64) -> String {
            let text = self.texts.iter().find(|(at, _)| *at == address).map_or("", |(_, text)| text);
            text.chars().take(most as usize).collect()
        }
        fn printed(&self, format: usize) -> Option<String> {
            let format = self.argument(format);
            (format != 0).then(|| self.text(format, u64::MAX))
        }
    }

    #[test]
    fn failing_checks_are_known_by_what_their_functions_are_given() {
        let helper = of("_ZN7testing8internal12AssertHelperC2ENS_14TestPartResult4TypeEPKciS5_").unwrap();
        let texts = [(9, "no"), (50, "a == b and more")];
        let words = [(132, 50), (140, 6)];
        let call = |arguments| Call { arguments, texts: &texts, words: &words };
        let fails = |kind: u64| helper.fails(&Call { arguments: &[0, kind, 7, 8, 9], texts: &texts, words: &words });
        assert_eq!([0, 1, 2, 3].map(fails), [false, true, true, false]);
        assert_eq!(helper.told(&call(&[0, 1, 7, 8, 9]), 100).words.as_deref(), Some("no"));
        let expression = of("_ZN5Catch10RunContext10reportExprERKNS_13AssertionInfoENS_9ResultWas6OfTypeEPKv").unwrap();
        assert!(expression.fails(&call(&[0, 100, 0x11])) && !expression.fails(&call(&[0, 100, 0])));
        assert_eq!(expression.told(&call(&[0, 100, 0x11]), 100).condition.as_deref(), Some("a == b"));
        assert!(of("_ZN7doctest6detail15addFailedAssertENS_10assertType4EnumE").unwrap().fails(&call(&[2])));
        assert!(of("CU_assertImplementation").unwrap().fails(&call(&[0])));
        let unity = of("UnityFail").unwrap();
        assert_eq!((unity.fails(&call(&[9, 1])), unity.told(&call(&[9, 1]), 100).words.as_deref()), (true, Some("no")));
        assert!(of("UnityTestResultsFailBegin").unwrap().fails(&call(&[7])) && of("UnityTestResultsBegin").is_none());
        let thrown = of("_ZN5Catch10RunContext33handleUnexpectedInflightExceptionERKNS_13AssertionInfoE").unwrap();
        assert!(thrown.is_thrown() && thrown.fails(&call(&[0])) && !unity.is_thrown());
        assert!(of("CU_assertImplementations").is_none() && of("_ZN7doctest6detail9addAssertEv").is_none());
    }

    #[test]
    fn what_is_called_for_every_check_fails_by_its_arguments() {
        let call = |arguments| Call { arguments, texts: &[(60, "a"), (61, "b")], words: &[(200, 1), (208, 0)] };
        let longs = of("_ZN10UtestShell16assertLongsEqualEllPKcS1_mRK14TestTerminator").unwrap();
        assert!(longs.fails(&call(&[1, 3, 2])) && !longs.fails(&call(&[1, 3, 3])) && longs.is_asked());
        let truth = of("_ZN10UtestShell10assertTrueEbPKcS1_S1_S1_mRK14TestTerminator").unwrap();
        assert!(truth.fails(&call(&[1, 0])) && !truth.fails(&call(&[1, 1])));
        let texts = of("_ZN10UtestShell15assertCstrEqualEPKcS1_S1_S1_mRK14TestTerminator").unwrap();
        assert!(
            texts.fails(&call(&[1, 60, 61]))
                && !texts.fails(&call(&[1, 60, 60]))
                && texts.is_asked()
                && !texts.makes_result()
        );
        let boost = of("_ZN5boost10test_tools9tt_detail16report_assertionE").unwrap();
        assert!(boost.fails(&call(&[208])) && !boost.fails(&call(&[200])) && boost.is_asked());
        assert!(
            !of("UnityFail").unwrap().is_asked()
                && !of("_ZN7testing8internal14CmpHelperSTREQEPKcS2_S2_S2_").unwrap().is_asked()
        );
        assert!(is_note("_ZN10UtestShell10countCheckEv") && !is_note("_ZN10UtestShell10assertTrueE"));
    }

    #[test]
    fn conditions_are_told_with_their_values() {
        let texts = [(60, "a"), (61, "b"), (62, "1"), (63, "2"), (64, "false"), (65, "b")];
        let words = [(200, 62), (208, 1), (216, 63), (224, 1)];
        let call = |arguments| Call { arguments, texts: &texts, words: &words };
        let values = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
        };
        let told = of("_ZN7testing8internal9EqFailureEPKcS2_").unwrap().told(&call(&[1, 60, 61, 200, 216]), 100);
        assert_eq!((told.condition.as_deref(), told.values), (Some("a == b"), values(&[("a", "1"), ("b", "2")])));
        let truth = of("_ZN7testing8internal30GetBoolAssertionFailureMessageB5cxx11E").unwrap();
        let told = truth.told(&call(&[1, 2, 60, 64]), 100);
        assert_eq!((told.condition.as_deref(), told.values), (Some("a"), values(&[("a", "false")])));
        let texts = of("_ZN7testing8internal14CmpHelperSTREQEPKcS2_S2_S2_").unwrap();
        assert!(texts.makes_result() && !truth.makes_result() && of(SUCCESS).unwrap().makes_result());
        assert!(texts.fails(&call(&[1, 60, 61, 62, 63])) && !texts.fails(&call(&[1, 60, 61, 61, 65])));
        assert!(texts.fails(&call(&[1, 60, 61, 0, 63])) && !texts.fails(&call(&[1, 60, 61, 0, 0])));
    }

    #[test]
    fn a_check_may_be_told_by_a_format() {
        let check = of("_ck_assert_failed").unwrap();
        let texts = [
            (60, "Assertion '_ck_x == _ck_y' failed"),
            (61, "Assertion 'f(3) == 6' failed: f(3) == 5, 6 == 6"),
            (62, "no"),
        ];
        let told = |arguments| check.told(&Call { arguments, texts: &texts, words: &[] }, 100);
        let with = told(&[1, 2, 60, 61]);
        assert_eq!((with.condition.as_deref(), with.words.as_deref()), (Some("f(3) == 6"), Some("f(3) == 5, 6 == 6")));
        let without = told(&[1, 2, 60, 0]);
        assert_eq!((without.condition.as_deref(), without.words), (Some("_ck_x == _ck_y"), None));
        assert_eq!(told(&[1, 2, 60, 62]).words.as_deref(), Some("no"));
    }

    #[test]
    fn bodies_of_tests_are_known_by_their_symbols() {
        for body in [
            "_ZN9List_Push8TestBodyEv",
            "_ZL26____C_A_T_C_H____T_E_S_T____0v",
            "_ZL22CATCH2_INTERNAL_TEST_0v",
            "_ZL20DOCTEST_ANON_FUNC_12v",
            "_ZN21DOCTEST_ANON_SUITE_13L20DOCTEST_ANON_FUNC_16Ev",
            "_ZN12_GLOBAL__N_122CATCH2_INTERNAL_TEST_44testEv",
            "_ZN4push11test_methodEv",
            "_ZN19TEST_List_push_Test8testBodyEv",
        ] {
            assert!(is_body(body), "{body}");
        }
        for body in ["Largest_Last_Test::TestBody", "C_A_T_C_H_T_E_S_T_2", "push::test_method", "DOCTEST_ANON_FUNC_4"] {
            assert!(is_readable_body(body), "{body}");
        }
        assert!(
            is_readable_body("a::Largest_Last_Test::Largest_Last_Test") && is_readable_body("Last_Test::~Last_Test")
        );
        assert!(!is_readable_body("TestBody") && !is_readable_body("List::push"));
        assert!(!is_body("_ZN4List4pushEv") && !is_body("TestBody"));
        assert!(!is_body("_ZZL20DOCTEST_ANON_FUNC_12vENKUlvE_clEv") && !is_body("_ZN20DOCTEST_ANON_CLASS_83getEv"));
        assert!(is_part("_ZN5Catch7SectionC1ERKNS_11SectionInfoE") && !is_part("_ZN5Catch11SectionInfoC1Ev"));
    }
}
