//! How formats are read off expected texts, case by case.

use whydunit_oracle::{
    Alternative, Argument, Format, MOST_ALTERNATIVES, Match, Place, Refusal, Requirement, Text, match_format,
};

fn word(value: i64) -> Argument {
    Argument::Word(value as u64)
}

fn double(value: f64) -> Argument {
    Argument::Double(value.to_bits())
}

fn text(text: &str) -> Argument {
    Argument::Bytes(text.into())
}

fn place(place: Place) -> String {
    match place {
        Place::Argument(index) => index.to_string(),
        Place::Memory { argument, offset } => format!("{argument}[{offset}]"),
    }
}

/// `0=13 2="x"; 1 stays; 5 bytes`
fn shown(alternative: &Alternative) -> String {
    let needs: Vec<_> =
        alternative.needs.iter().map(|need| format!("{}={}", place(need.place), need.requirement)).collect();
    let stay: Vec<_> = alternative.stay.iter().map(|need| format!("{} stays; ", place(need.place))).collect();
    format!("{}; {}{} bytes", needs.join(" "), stay.concat(), alternative.consumed)
}

/// The first alternatives, and whether these are all.
#[track_caller]
fn requires(format: &str, arguments: &[Argument], expected: &str, alternatives: &[&str], all: bool) {
    match match_format(format.as_bytes(), arguments, expected.as_bytes()) {
        Match::Requires { alternatives: found, complete } => {
            let found: Vec<_> = found.iter().map(shown).collect();
            assert_eq!(found[..alternatives.len().min(found.len())], *alternatives);
            assert_eq!(complete && found.len() == alternatives.len(), all, "{found:?}, complete: {complete}");
        }
        other => panic!("{format:?} beside {expected:?}: {other:?}"),
    }
}

/// How many there are, and whether these are all.
#[track_caller]
fn alternatives(format: &str, arguments: &[Argument], expected: &str) -> (usize, bool) {
    match match_format(format.as_bytes(), arguments, expected.as_bytes()) {
        Match::Requires { alternatives, complete } => (alternatives.len(), complete),
        other => panic!("{format:?} beside {expected:?}: {other:?}"),
    }
}

/// There is one way.
#[track_caller]
fn one(format: &str, arguments: &[Argument], expected: &str, alternative: &str) {
    requires(format, arguments, expected, &[alternative], true);
}

#[track_caller]
fn equal(format: &str, arguments: &[Argument], expected: &str, consumed: usize) {
    let found = match_format(format.as_bytes(), arguments, expected.as_bytes());
    assert_eq!(found, Match::Equal { consumed }, "{format:?} beside {expected:?}");
}

#[track_caller]
fn impossible(format: &str, arguments: &[Argument], expected: &str, at: usize) {
    let found = match_format(format.as_bytes(), arguments, expected.as_bytes());
    assert_eq!(found, Match::Impossible { at }, "{format:?} beside {expected:?}");
}

#[track_caller]
fn refused(format: &str, arguments: &[Argument], refusal: Refusal) {
    let found = match_format(format.as_bytes(), arguments, b"1 2 3\n");
    assert_eq!(found, Match::Refused(refusal), "{format:?}");
}

#[test]
fn an_integer_is_read_with_its_width_and_sign() {
    one("%d\n", &[word(12)], "13\nmore", "0=13; 3 bytes");
    one("%d\n", &[word(12)], "-13\n", "0=-13; 4 bytes");
    one("%5d|", &[word(12)], "  -13|", "0=-13; 6 bytes");
    one("%-5d|", &[word(12)], "-13  |", "0=-13; 6 bytes");
    one("%05d|", &[word(12)], "-0013|", "0=-13; 6 bytes");
    one("%+d|", &[word(12)], "+13|", "0=13; 4 bytes");
    one("% d|", &[word(12)], " 13|", "0=13; 4 bytes");
    one("%.4d|", &[word(12)], "0013|", "0=13; 5 bytes");
    one("%.0d|", &[word(12)], "|", "0=0; 1 bytes");
    one("%u|", &[word(12)], "4294967295|", "0=4294967295; 11 bytes");
    one("%x %#X %o|", &[word(0), word(0), word(0)], "ff 0XAB 17|", "0=255 1=171 2=15; 11 bytes");
    one("%hhd|", &[word(12)], "-128|", "0=-128; 5 bytes");
    one("%ld|", &[word(12)], "-9223372036854775808|", "0=-9223372036854775808; 21 bytes");
    one("%p|", &[word(12)], "(nil)|", "0=0; 6 bytes");
}

#[test]
fn only_the_bits_that_are_read_are_required() {
    equal("%d", &[Argument::Word(0xdead_beef_0000_0007)], "7", 1);
    equal("%hhu", &[Argument::Word(0x107)], "7", 1);
    one("%hd|", &[word(1)], "-1|", "0=-1; 3 bytes");
}

#[test]
fn text_that_no_value_prints_is_impossible() {
    impossible("%d|", &[word(1)], "007|", 1);
    impossible("%d|", &[word(1)], "+7|", 0);
    impossible("%d|", &[word(1)], " 7|", 0);
    impossible("%d|", &[word(1)], "4294967295|", 9);
    impossible("%hhu|", &[word(1)], "256|", 2);
    impossible("%5d|", &[word(1)], "12|", 0);
    impossible("%x|", &[word(1)], "FF|", 0);
    impossible("%.2f|", &[double(1.0)], "1.5|", 0);
    impossible("%f|", &[double(1.0)], "x|", 0);
    impossible("%d\n", &[word(1)], "2 3\n", 1);
    impossible("x = %d\n", &[word(1)], "y = 1\n", 0);
    impossible("x = %d\n", &[word(1)], "x =", 3);
    impossible("%d %d\n", &[word(1), word(2)], "", 0);
    impossible("%.3s|", &[text("abc")], "abcd|", 3);
}

#[test]
fn what_is_right_stays() {
    one("%d %d %d\n", &[word(1), word(2), word(3)], "1 5 3\n", "1=5; 0 stays; 2 stays; 6 bytes");
    one("%*d|", &[word(4), word(2)], "   7|", "1=7; 0 stays; 5 bytes");
    one("%.*f|", &[word(1), double(2.0)], "1.5|", "1=from 1.4500000000000002 to 1.5499999999999998; 0 stays; 4 bytes");
    equal("%d %d\n", &[word(1), word(2)], "1 2\n3 4\n", 4);
}

#[test]
fn an_ambiguous_text_is_split_so_that_most_arguments_stay() {
    requires("%d%d|", &[word(1), word(3)], "12|", &["1=2; 0 stays; 3 bytes"], true);
    requires("%d%d|", &[word(7), word(2)], "12|", &["0=1; 1 stays; 3 bytes"], true);
    requires("%d%d|", &[word(12), word(4)], "123|", &["1=3; 0 stays; 4 bytes"], true);
    let digits = "12345678901234567890|";
    one("%lu%lu%lu|", &[word(123), word(8), word(67890)], digits, "1=456789012345; 0 stays; 2 stays; 21 bytes");
    // Nothing can stay: all splits are given, up to a bound.
    requires("%lu%lu|", &[word(7), word(8)], digits, &["0=1234567890123456789 1=0; 21 bytes"], false);
    assert_eq!(alternatives("%lu%lu|", &[word(7), word(8)], digits), (MOST_ALTERNATIVES, false));
    assert_eq!(alternatives("%lu%lu|", &[word(7), word(8)], &digits[10..]), (9, true));
    requires("%d%d|", &[word(7), word(8)], "123|", &["0=12 1=3; 4 bytes", "0=1 1=23; 4 bytes"], true);
}

#[test]
fn a_number_at_the_end_goes_as_far_as_it_can_first() {
    requires("%d", &[word(7)], "12\n", &["0=12; 2 bytes", "0=1; 1 bytes"], true);
    requires("%g", &[double(7.0)], "2.5 x", &["0=from 2.499995 to 2.500005; 3 bytes"], false);
}

#[test]
fn floating_values_are_intervals() {
    one("%.2f\n", &[double(0.0)], "1.00\n", "0=from 0.9950000000000001 to 1.005; 5 bytes");
    one("%.0f\n", &[double(0.0)], "2\n", "0=from 1.5 to 2.5; 2 bytes");
    one("%.0f\n", &[double(0.0)], "1\n", "0=from 0.5000000000000001 to 1.4999999999999998; 2 bytes");
    one("%.1f\n", &[double(9.0)], "-0.0\n", "0=from -0.049999999999999996 to -0.0; 5 bytes");
    one("%.1f\n", &[double(9.0)], "0.0\n", "0=from 0.0 to 0.049999999999999996; 4 bytes");
    one("%.17g\n", &[double(0.0)], "0.10000000000000001\n", "0=0.1; 20 bytes");
    one("%e\n", &[double(0.0)], "4.940656e-324\n", "0=5e-324; 14 bytes");
    one("%e\n", &[double(0.0)], "inf\n", "0=inf; 4 bytes");
    one("%F\n", &[double(0.0)], "-NAN\n", "0=-NaN; 5 bytes");
    one("%a\n", &[double(0.0)], "0x1.8p+1\n", "0=3.0; 9 bytes");
    one("%.0a\n", &[double(0.0)], "0x2p+0\n", "0=from 1.5 to 1.9999999999999998; 7 bytes");
    // The double nearest to 10^23 is below it and prints as 9.99…e22.
    one(
        "%.15e\n",
        &[double(0.0)],
        "1.000000000000000e+23\n",
        "0=from 1.0000000000000001e23 to 1.0000000000000004e23; 22 bytes",
    );
    // What is carried to a power of ten has one digit in glibc.
    one("%#.2g\n", &[double(0.0)], "1.e+02\n", "0=from 99.5 to 99.99999999999999; 7 bytes");
    one("%#.2g\n", &[double(0.0)], "1.0e+02\n", "0=from 100.0 to 105.0; 8 bytes");
    one("%8.1f|", &[double(0.0)], "    -2.5|", "0=from -2.55 to -2.45; 9 bytes");
    one("%.0f\n", &[double(0.0)], &format!("{:.0}\n", f64::MAX), "0=1.7976931348623157e308; 310 bytes");
    one("%La\n", &[Argument::LongDouble(0)], "0x8p-3\n", "0=0x3fff8000000000000000 (80 bits); 7 bytes");
}

#[test]
fn the_sign_of_zero_counts() {
    let requirement = |format: &str, argument: Argument| match match_format(format.as_bytes(), &[argument], b"-0|") {
        Match::Requires { alternatives, .. } => alternatives[0].needs[0].requirement.clone(),
        other => panic!("{other:?}"),
    };
    let zero = requirement("%g|", double(1.0));
    assert_eq!(zero, Requirement::Double { low: -0.0, high: -0.0 });
    assert!(zero.holds(&double(-0.0)) && !zero.holds(&double(0.0)));
    let zero = requirement("%Lg|", Argument::LongDouble(1));
    assert!(zero.holds(&Argument::LongDouble(1 << 79)) && !zero.holds(&Argument::LongDouble(0)));
    let small = requirement("%.0Lf|", Argument::LongDouble(0x3fff << 64 | 1 << 63));
    assert!(small.holds(&Argument::LongDouble(1 << 79 | 5)) && !small.holds(&Argument::LongDouble(5)));
}

#[test]
fn a_width_from_an_argument_is_shown_as_it_is_read() {
    let width = Argument::Word(0xdead_beef_ffff_fffc);
    let Match::Requires { alternatives, .. } = match_format(b"%*d|", &[width, word(1)], b"7   |") else { panic!() };
    assert_eq!(
        (&alternatives[0].stay[0].printed[..], alternatives[0].needs[0].requirement.to_string()),
        (&b"-4"[..], "7".into())
    );
}

#[test]
fn a_string_may_end_late() {
    let expected = "x;".repeat(200) + "5!\n";
    let string = "x;".repeat(199) + "x";
    let Match::Requires { alternatives, .. } = match_format(b"%s;%d!\n", &[text("y"), word(5)], expected.as_bytes())
    else {
        panic!()
    };
    assert_eq!(alternatives[0].needs[0].expected, string.as_bytes());
    // There it is the number that can stay; earlier it could not.
    let expected = "x;7!\n".repeat(200) + "x;5!\n";
    one(
        "%s;%d!\n",
        &[text("y"), word(5)],
        &expected,
        &format!(
            "0={}; 1 stays; {} bytes",
            Requirement::Text(Text::exactly("x;7!\n".repeat(200) + "x")),
            expected.len()
        ),
    );
}

#[test]
fn strings_are_read_up_to_what_follows() {
    one("name: %s, %d\n", &[text("x"), word(1)], "name: abc, 1\n", "0=\"abc\"; 1 stays; 13 bytes");
    one("[%5s]", &[text("x")], "[   ab]", "0=\"ab\"; 7 bytes");
    one("[%-5s]", &[text("x")], "[ab   ]", "0=\"ab\"; 7 bytes");
    one("[%.2s]", &[text("x")], "[ab]", "0=\"ab\"…; 4 bytes");
    one("[%c]", &[word(7)], "[\u{1}]", "0=1; 3 bytes");
    equal("%s", &[Argument::Null], "(null)", 6);
    equal("%.2s", &[text("abc")], "ab", 2);
    // A string of several lines is possible, if less likely.
    requires("%s\n", &[text("x")], "ab c\nd\n", &["0=\"ab c\"; 5 bytes", "0=\"ab c\\nd\"; 7 bytes"], true);
}

#[test]
fn a_string_at_the_end_is_like_the_one_that_was_printed() {
    let first = |present: &str, expected: &str, alternative: &str| {
        requires("%s", &[text(present)], expected, &[alternative], false);
    };
    first("hellp world\n", "hello world\nbye\n", "0=\"hello world\\n\"; 12 bytes");
    first("hellp", "hello world\nbye\n", "0=\"hello\"; 5 bytes");
    first("x", "hello world\nbye\n", "0=\"hello\"; 5 bytes");
    first("a\nb\n", "1\n2\n3\n", "0=\"1\\n2\\n\"; 4 bytes");
}

#[test]
fn strings_side_by_side_are_split_where_one_can_stay() {
    requires("%s%s\n", &[text("ab"), text("x")], "abcd\n", &["1=\"cd\"; 0 stays; 5 bytes"], true);
    requires("%s%d\n", &[text("ab"), word(7)], "xy7\n", &["0=\"xy\"; 1 stays; 4 bytes"], true);
}

#[test]
fn a_numbered_argument_that_is_printed_twice_has_one_value() {
    one("%1$s=%1$s\n", &[text("x")], "ab=ab\n", "0=\"ab\" 0=\"ab\"; 6 bytes");
    one("%2$d %1$d\n", &[word(1), word(2)], "2 3\n", "0=3; 1 stays; 4 bytes");
    let found = match_format(b"%1$d %1$d\n", &[word(1)], b"2 3\n");
    assert_eq!(found, Match::Refused(Refusal::Repeated));
    one("%1$d %1$hhd\n", &[word(1)], "258 2\n", "0=258 0=2; 6 bytes");
}

#[test]
fn what_would_be_a_guess_is_refused() {
    refused("%n", &[word(1)], Refusal::Stores);
    refused("%ls", &[text("x")], Refusal::Wide);
    refused("%C", &[word(1)], Refusal::Wide);
    refused("%m", &[], Refusal::Message);
    refused("%1$d %d", &[word(1)], Refusal::Mixed);
    refused("%1$d %1$s", &[word(1)], Refusal::Kinds(0));
    refused("%99999d", &[word(1)], Refusal::TooWide);
    refused("%d %d", &[word(1)], Refusal::MissingArgument(1));
    refused("%d", &[double(1.0)], Refusal::WrongArgument(0));
    refused("%*d", &[word(1 << 20), word(1)], Refusal::TooWide);
    refused("%y", &[word(1)], Refusal::Unknown("%y".into()));
    refused("%", &[], Refusal::Unknown("%".into()));
    refused("%hs", &[text("x")], Refusal::Unknown("%hs".into()));
    refused("%-5", &[], Refusal::Unknown("%-5".into()));
}

#[test]
fn many_strings_in_a_row_end_in_an_answer() {
    let strings = "%s".repeat(8) + "\n";
    let arguments: Vec<_> = (0..8).map(|index| text(&format!("x{index}"))).collect();
    let expected = "some words of text ".repeat(40) + "\n";
    let Match::Requires { alternatives, complete } = match_format(strings.as_bytes(), &arguments, expected.as_bytes())
    else {
        panic!("refused or impossible")
    };
    assert!(!complete && !alternatives.is_empty());
    // Where the text never ends as the format does, all is looked at or it is said that it was not.
    let found = match_format(strings.as_bytes(), &arguments, "no newline ".repeat(400).as_bytes());
    assert!(matches!(found, Match::Refused(Refusal::Ambiguous) | Match::Impossible { .. }), "{found:?}");
}

#[test]
fn a_format_says_what_its_arguments_are() {
    use whydunit_oracle::{Count, Want};
    let wants = |format: &str| Format::parse(format.as_bytes()).unwrap().wants;
    assert_eq!(wants("100%% %d %s %c %p"), [Want::Word, Want::Text(None), Want::Word, Want::Word]);
    assert_eq!(wants("%*.*s"), [Want::Word, Want::Word, Want::Text(Some(Count::Argument(1)))]);
    assert_eq!(
        wants("%f %lf %Lf %.3s"),
        [Want::Double, Want::Double, Want::LongDouble, Want::Text(Some(Count::Fixed(3)))]
    );
    assert_eq!(wants("%3$s %1$f"), [Want::Double, Want::Word, Want::Text(None)]);
    assert_eq!(wants("%m %%"), []);
    // Read as far as any of its conversions does.
    assert_eq!(wants("%1$.3s %1$s"), [Want::Text(None)]);
}
