//! Following the outputs of a run.

mod support;

use proptest::prelude::*;
use whydunit_library::{Content, Destination, prints};
use whydunit_oracle::{
    Alternative, Argument, Call, Difference, Ending, Match, Oracle, Place, Refusal, Requirement, Source, Step,
};

fn word(value: i64) -> Argument {
    Argument::Word(value as u64)
}

fn text(text: &str) -> Argument {
    Argument::Bytes(text.into())
}

fn printf(format: &str, arguments: &[Argument]) -> Call {
    Call::new(Content::Format { format: 0, first: 1 }, [&[text(format)], arguments].concat())
}

fn puts(line: &str) -> Call {
    Call::new(Content::Line { text: 0 }, vec![text(line)])
}

fn fputs(string: &str) -> Call {
    Call::new(Content::Text { text: 0 }, vec![text(string), word(0)])
}

fn putchar(byte: u8) -> Call {
    Call::new(Content::Byte { byte: 0 }, vec![word(byte.into())])
}

fn fwrite(memory: &str, size: i64, count: i64) -> Call {
    let content = Content::Memory { memory: 0, size: Some(1), count: 2 };
    Call::new(content, vec![text(memory), word(size), word(count), word(0)])
}

fn write(memory: &[u8], length: usize) -> Call {
    let content = Content::Memory { memory: 1, size: None, count: 2 };
    Call::new(content, vec![word(1), Argument::Bytes(memory.into()), Argument::Word(length as u64)])
}

/// The difference at the last of these calls; those before are as expected.
#[track_caller]
fn difference(expected: impl Into<Vec<u8>>, calls: &[Call]) -> Difference {
    let mut oracle = Oracle::new(expected);
    let (last, before) = calls.split_last().unwrap();
    for call in before {
        let step = oracle.next(call);
        assert!(matches!(step, Step::AsExpected { .. }), "{step:?}");
    }
    match oracle.next(last) {
        Step::Differs(difference) => *difference,
        step => panic!("{step:?}"),
    }
}

fn first(found: &Match) -> &Alternative {
    match found {
        Match::Requires { alternatives, .. } => &alternatives[0],
        other => panic!("{other:?}"),
    }
}

fn needs(alternative: &Alternative) -> Vec<(Place, String)> {
    alternative.needs.iter().map(|need| (need.place, need.requirement.to_string())).collect()
}

#[test]
fn a_run_that_prints_what_is_expected_is_followed_to_its_end() {
    let mut oracle = Oracle::new("total 12\nx y\nend");
    let calls =
        [printf("total %d", &[word(12)]), putchar(b'\n'), fwrite("x ", 1, 2), fputs(""), puts("y"), write(b"end", 3)];
    let offsets: Vec<_> = calls
        .iter()
        .map(|call| match oracle.next(call) {
            Step::AsExpected { offset } => offset,
            step => panic!("{step:?}"),
        })
        .collect();
    assert_eq!(offsets, [8, 9, 11, 11, 13, 16]);
    assert_eq!(oracle.finish(), Ending::Complete);
}

#[test]
fn the_first_difference_has_a_place_and_a_requirement() {
    let calls = [puts("head"), printf("a = %d, b = %d\n", &[word(1), word(12)])];
    let found = difference("head\na = 1, b = 13\nmore\n", &calls);
    assert_eq!((found.call, found.start.offset, found.at.offset), (1, 5, 17));
    assert_eq!((found.at.line, found.at.column), (2, 13));
    // Places are by the indices of the call: the format is argument 0.
    let alternative = first(&found.found);
    assert_eq!(needs(alternative), [(Place::Argument(2), "13".into())]);
    assert_eq!(alternative.stay[0].place, Place::Argument(1));
    assert_eq!(alternative.consumed, 14);
    assert_eq!(found.to_string(), "line 2, column 13: this prints 12, 13 is expected");
}

#[test]
fn nothing_is_said_after_the_first_difference() {
    let mut oracle = Oracle::new("a\nb\n");
    assert!(matches!(oracle.next(&puts("x")), Step::Differs(_)));
    assert_eq!(oracle.next(&puts("b")), Step::After);
    assert_eq!(oracle.finish(), Ending::Differed);
}

#[test]
fn every_kind_of_call_has_requirements() {
    let found = difference("abc\n", &[puts("abd")]);
    assert_eq!(needs(first(&found.found)), [(Place::Argument(0), "\"abc\"".into())]);
    assert_eq!(found.to_string(), "line 1, column 3: this prints \"abd\", \"abc\" is expected");
    let found = difference("abc", &[putchar(b'x')]);
    assert_eq!(needs(first(&found.found)), [(Place::Argument(0), b'a'.to_string())]);
    assert_eq!(found.to_string(), "line 1, column 1: this prints \"x\", \"a\" is expected");
    let found = difference("abc\n", &[fputs("xyz\n")]);
    assert_eq!(needs(first(&found.found)), [(Place::Argument(0), "\"abc\\n\"".into())]);
}

#[test]
fn memory_is_required_byte_by_byte_or_shorter() {
    let found = difference("abcd\n", &[write(b"abXd\n", 5)]);
    let Match::Requires { alternatives, complete } = &found.found else { panic!("{found:?}") };
    assert!(!complete);
    assert_eq!(needs(&alternatives[0]), [(Place::Memory { argument: 1, offset: 2 }, b'c'.to_string())]);
    assert_eq!((alternatives[0].stay.len(), alternatives[0].consumed), (5, 5));
    // Or the two bytes that are right, and the rest by other calls.
    assert_eq!(needs(&alternatives[1]), [(Place::Argument(2), "2".into())]);
    assert_eq!(alternatives[1].consumed, 2);
    assert_eq!(found.to_string(), "line 1, column 3: this prints \"abXd\\n\", \"abcd\\n\" is expected");
}

#[test]
fn lengths_are_told_by_the_argument_that_varies() {
    let shorter = |call: Call| needs(first(&difference("ab", &[puts_nothing(), call]).found));
    // Both bytes are right and nothing more is expected.
    assert_eq!(shorter(fwrite("abc", 1, 3)), [(Place::Argument(2), "2".into())]);
    assert_eq!(shorter(fwrite("abc", 3, 1)), [(Place::Argument(1), "2".into())]);
    // Items of four bytes cannot make two.
    let found = difference("ab", &[fwrite("abcdefgh", 4, 2)]);
    assert_eq!(needs(first(&found.found)), [(Place::Argument(1), "1".into())]);
}

fn puts_nothing() -> Call {
    fputs("")
}

#[test]
fn output_is_missing_at_the_end() {
    let mut oracle = Oracle::new("a\nbc\nd\n");
    oracle.next(&puts("a"));
    oracle.next(&fputs("b"));
    let ending = oracle.finish();
    let Ending::Missing { at, expected } = &ending else { panic!("{ending:?}") };
    assert_eq!((at.offset, at.line, at.column, &expected[..]), (3, 2, 2, &b"c\nd\n"[..]));
    assert_eq!(ending.to_string(), "line 2, column 2: the output ends, \"c\\n\" is still expected");
}

#[test]
fn a_call_too_many_is_impossible_where_nothing_more_is_expected() {
    let found = difference("a\n", &[puts("a"), puts("b")]);
    assert_eq!(found.found, Match::Impossible { at: 0 });
    assert_eq!((found.at.offset, found.at.line, found.at.column), (2, 2, 1));
    assert!(found.expected.is_empty() && found.earlier.is_none());
    assert_eq!(found.to_string(), "line 2, column 1: this prints \"b\\n\", nothing more is expected");
}

#[test]
fn a_missing_line_shows_where_the_output_resumes() {
    let found = difference("head\nsum 1\n== end ==\n", &[puts("head"), printf("== end ==\n", &[])]);
    assert_eq!(found.found, Match::Impossible { at: 0 });
    assert_eq!(found.resumes.map(|position| position.line), Some(3));
    let found = difference("head\nsum 1\n", &[puts("head"), printf("== end ==\n", &[])]);
    assert_eq!(found.resumes, None);
}

#[test]
fn the_call_before_may_have_printed_too_little() {
    let found = difference("n = 12\n", &[printf("n = %d", &[word(1)]), printf("\n", &[])]);
    assert_eq!(found.found, Match::Impossible { at: 0 });
    let earlier = found.earlier.as_ref().unwrap();
    assert_eq!((earlier.call, earlier.start.offset), (0, 0));
    assert_eq!(needs(&earlier.alternatives[0]), [(Place::Argument(1), "12".into())]);
    assert_eq!(earlier.alternatives[0].consumed, 6);
    assert_eq!(found.to_string(), "line 1, column 1: the output before this is 1, 12 is expected");
    // Memory may have been longer.
    let found = difference("abcd\n", &[write(b"ab", 2), printf("\n", &[])]);
    let longer = needs(&found.earlier.unwrap().alternatives[0]);
    assert_eq!(longer[0], (Place::Argument(2), "5".into()));
    assert_eq!(longer[1], (Place::Memory { argument: 1, offset: 2 }, b'c'.to_string()));
    // One item of memory grows, it does not become two.
    let found = difference("abcdef\n", &[fwrite("abc", 3, 1), fputs(""), printf("\n", &[])]);
    let earlier = found.earlier.unwrap();
    assert_eq!((earlier.call, earlier.alternatives[0].consumed), (0, 7));
    assert_eq!(earlier.alternatives[0].needs[0].place, Place::Argument(1));
    let found = difference("abcdef", &[fwrite("abc", 3, 1), printf("\n", &[])]);
    assert_eq!(needs(&found.earlier.unwrap().alternatives[0])[0], (Place::Argument(1), "6".into()));
    // A finished line is not continued.
    assert!(difference("a\nb\n", &[puts("a"), printf("%%\n", &[])]).earlier.is_none());
}

#[test]
fn expected_output_need_not_be_text() {
    let expected = b"\xff\x00\xfe\n";
    let found = difference(*expected, &[write(b"\xff", 1), putchar(0), putchar(0x41)]);
    assert_eq!(found.at.offset, 2);
    assert_eq!(found.to_string(), r#"line 1, column 3: this prints "A", "\xfe" is expected"#);
    let found = difference(*expected, &[printf("\u{1}%d", &[word(1)])]);
    assert_eq!(found.to_string(), r#"line 1, column 1: this prints "\u{1}1", "\xff\0\xfe\n" is expected"#);
}

#[test]
fn a_va_list_is_compared_as_a_whole() {
    let mut call = Call::new(Content::List { format: 0, list: 1 }, vec![text("%d\n"), word(0)]);
    call.printed = b"12\n".into();
    assert_eq!(call.matched(b"12\n13\n"), Match::Equal { consumed: 3 });
    assert_eq!(call.matched(b"13\n"), Match::Refused(Refusal::NoArguments));
    let found = difference("13\n", &[call]);
    assert_eq!(found.at.offset, 1);
    assert_eq!(found.to_string(), r#"line 1, column 2: this prints "12\n", "13\n" is expected"#);
}

/// A memory of strings at addresses, and words as arguments.
struct Process {
    arguments: Vec<u64>,
    strings: Vec<(u64, &'static [u8])>,
}

impl Source for Process {
    fn word(&self, index: usize) -> Option<u64> {
        self.arguments.get(index).copied()
    }

    fn double(&self, index: usize) -> Option<u64> {
        self.word(index)
    }

    fn long_double(&self, index: usize) -> Option<u128> {
        self.word(index).map(|_| 0x3fff_8000_0000_0000_0000)
    }

    fn string(&self, address: u64, limit: Option<usize>) -> Vec<u8> {
        let bytes = self.strings.iter().find(|(at, _)| *at == address).map_or(&b""[..], |(_, bytes)| bytes);
        let end = bytes.iter().position(|byte| *byte == 0).or(limit).expect("a NUL or a limit");
        bytes[..limit.map_or(end, |limit| limit.min(end))].into()
    }

    fn memory(&self, address: u64, length: usize) -> Vec<u8> {
        let (_, bytes) = self.strings.iter().find(|(at, _)| *at == address).expect("memory at the address");
        bytes[..length.min(bytes.len())].into()
    }
}

#[test]
fn a_call_is_gathered_as_the_function_reads_it() {
    let gather = |name: &str, arguments: &[u64], strings: &[(u64, &'static [u8])]| {
        let function = prints(name).unwrap();
        Call::gather(function.content, &Process { arguments: arguments.into(), strings: strings.into() })
    };
    let format = (8, &b"%d %.*s %s %g %Lg\n\0"[..]);
    // What the precision limits has no NUL.
    let arguments = [1, 8, 5, 2, 16, 0, 0x3ff8_0000_0000_0000, 0];
    let call = gather("__printf_chk", &arguments, &[format, (16, b"abc")]).unwrap();
    assert_eq!(&*call.output().unwrap(), b"5 ab (null) 1.5 1\n");
    assert_eq!(call.arguments[5], Argument::Null);
    assert_eq!(gather("printf", &[8, 5], &[format]), Err(Refusal::MissingArgument(2)));
    let call = gather("fwrite", &[16, 2, 2, 0], &[(16, b"abcdef")]).unwrap();
    assert_eq!(&*call.output().unwrap(), b"abcd");
    let call = gather("write", &[1, 16, 3], &[(16, b"a\0b")]).unwrap();
    assert_eq!(&*call.output().unwrap(), b"a\0b");
    let call = gather("fputc", &[0x141, 0], &[]).unwrap();
    assert_eq!(&*call.output().unwrap(), b"A");
    let call = gather("puts", &[16], &[(16, b"line\0")]).unwrap();
    assert_eq!(&*call.output().unwrap(), b"line\n");
    assert_eq!(prints("fputc").unwrap().destination, Destination::Stream(1));
}

/// Calls with random arguments.
fn calls() -> impl Strategy<Value = Vec<Call>> {
    let format = support::format().prop_flat_map(|format| {
        let parsed = whydunit_oracle::Format::parse(format.as_bytes()).unwrap();
        support::arguments(&parsed).prop_map(move |arguments| printf(&format, &arguments))
    });
    let memory = (support::string(), 0usize..12).prop_map(|(bytes, length)| write(&bytes, length.min(bytes.len())));
    let string = || support::string().prop_map(Argument::Bytes);
    let one = prop_oneof![
        3 => format,
        1 => string().prop_map(|string| Call::new(Content::Line { text: 0 }, vec![string])),
        1 => string().prop_map(|string| Call::new(Content::Text { text: 0 }, vec![string])),
        1 => any::<u8>().prop_map(putchar),
        1 => memory,
    ];
    proptest::collection::vec(one, 1..8)
}

proptest! {
    #![proptest_config(support::cases(1000))]

    #[test]
    fn the_first_call_that_prints_something_else_is_found(calls in calls(), at: proptest::sample::Index, byte: u8) {
        let outputs: Vec<Vec<u8>> = calls.iter().map(|call| call.output().unwrap().into_owned()).collect();
        let mut expected = outputs.concat();
        let mut oracle = Oracle::new(expected.clone());
        for call in &calls {
            let as_expected = matches!(oracle.next(call), Step::AsExpected { .. });
            prop_assert!(as_expected);
        }
        prop_assert_eq!(oracle.finish(), Ending::Complete);
        prop_assume!(!expected.is_empty());
        // One byte is different.
        let at = at.index(expected.len());
        prop_assume!(expected[at] != byte);
        expected[at] = byte;
        let mut ends = outputs.iter().scan(0, |end, output| { *end += output.len(); Some(*end) });
        let wrong = ends.position(|end| end > at).unwrap();
        let mut oracle = Oracle::new(expected);
        for (index, call) in calls.iter().enumerate() {
            match oracle.next(call) {
                Step::AsExpected { offset } => prop_assert!(index < wrong && offset <= at),
                Step::After => prop_assert!(index > wrong),
                Step::Differs(found) => {
                    prop_assert_eq!((index, found.call, found.at.offset), (wrong, wrong, at));
                    prop_assert!(!found.to_string().is_empty());
                }
            }
        }
        prop_assert_eq!(oracle.finish(), Ending::Differed);
    }

    #[test]
    fn a_call_that_is_repaired_prints_what_is_expected(calls in calls(), others in calls()) {
        for (call, other) in calls.iter().zip(&others) {
            let expected = other.output().unwrap();
            let Match::Requires { alternatives, .. } = call.matched(&expected) else { continue };
            for alternative in &alternatives {
                let mut repaired = call.clone();
                for need in &alternative.needs {
                    apply(&mut repaired, need.place, &need.requirement);
                }
                prop_assert!(alternative.all().all(|need| need.holds(&repaired.arguments)), "{:?} {:?}", call, alternative);
                let output = repaired.output().unwrap().into_owned();
                prop_assert_eq!(&output[..], &expected[..alternative.consumed], "{:?} {:?}", call, alternative);
            }
        }
    }
}

/// Puts one value of a requirement in its place.
fn apply(call: &mut Call, place: Place, requirement: &Requirement) {
    match (place, requirement) {
        (Place::Memory { argument, offset }, Requirement::Integer { value, .. }) => {
            let Argument::Bytes(bytes) = &mut call.arguments[argument] else { panic!("no memory") };
            bytes.resize(bytes.len().max(offset + 1), 0);
            bytes[offset] = *value as u8;
        }
        (Place::Argument(index), requirement) => {
            call.arguments[index] = match requirement {
                Requirement::Integer { value, .. } => Argument::Word(*value),
                Requirement::Double { low, .. } => Argument::Double(low.to_bits()),
                Requirement::LongDouble { low, .. } => Argument::LongDouble(*low),
                Requirement::NotANumber { negative } => {
                    Argument::Double(if *negative { -f64::NAN } else { f64::NAN }.to_bits())
                }
                Requirement::Text(text) => Argument::Bytes(text.contents().next().unwrap().into()),
            };
        }
        _ => panic!("{requirement:?} in memory"),
    }
}
