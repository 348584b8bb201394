//! What the oracle says that a call prints is what glibc prints.

mod support;

use proptest::prelude::*;
use support::{FLOATS, INTEGERS, LONG_FLOATS, OTHERS};
use whydunit_library::Content;
use whydunit_oracle::{Argument, Call, Format};

#[track_caller]
fn check(format: &str, arguments: &[Argument]) {
    let parsed = Format::parse(format.as_bytes()).unwrap_or_else(|refusal| panic!("{format}: {refusal}"));
    let printed = parsed.print(arguments, None).unwrap_or_else(|refusal| panic!("{format}: {refusal}"));
    let reference = support::print(format.as_bytes(), arguments);
    assert_eq!(printed.escape_ascii().to_string(), reference.escape_ascii().to_string(), "{format:?} {arguments:?}");
}

fn long(bits: u128) -> Argument {
    Argument::LongDouble(bits)
}

#[test]
fn corners_print_as_in_the_c_library() {
    for format in [
        "%d", "%.0d", "%+.0d", "%5.0d", "%#x", "%#.0x", "%#o", "%#.0o", "%#.3o", "%#b", "%p", "%012p", "%+p", "%.2p",
        "% p",
    ] {
        for value in [0, 1, 8, u64::MAX, 1 << 31, 1 << 63] {
            check(format, &[Argument::Word(value)]);
        }
    }
    for format in ["%s", "%.3s", "%.9s", "%10s", "%-10s", "%05s", "%.0s", "%+#s"] {
        check(format, &[Argument::Null]);
        check(format, &[Argument::Bytes(b"some text".into())]);
    }
    for format in ["%c", "%3c", "%-3c", "%03c"] {
        check(format, &[Argument::Word(0)]);
        check(format, &[Argument::Word(0xff61)]);
    }
    for value in [
        0.0,
        -0.0,
        1.5,
        1.4,
        1.99,
        2.5,
        9.5,
        99.95,
        100.0,
        1e23,
        5e-324,
        1e-5,
        123456.0,
        1234567.0,
        f64::MAX,
        f64::NAN,
        f64::INFINITY,
    ] {
        for format in [
            "%f", "%.0f", "%#.0f", "%e", "%.0e", "%#.0e", "%g", "%#g", "%.0g", "%.17g", "%a", "%.0a", "%#.0a", "%.1a",
            "%020a", "%-20A|", "%+.20f", "% 08g", "%#.2g",
        ] {
            check(format, &[Argument::Double(value.to_bits())]);
            check(format, &[Argument::Double((-value).to_bits())]);
        }
    }
    // 9.6, 15.6, 16 and the least, largest and nearly normal long doubles.
    for bits in [
        0x4002_9999_9999_9999_999a,
        0x4002_f999_9999_9999_999a,
        0x4003_8000_0000_0000_0000,
        1,
        0x7ffe_ffff_ffff_ffff_ffff,
        0x7fff_ffff_ffff_ffff,
    ] {
        for format in ["%La", "%.0La", "%.3La", "%Lg", "%.0Lf", "%.25Le", "%030La"] {
            check(format, &[long(bits)]);
        }
    }
}

#[test]
fn long_formats_print_as_in_the_c_library() {
    let word = Argument::Word;
    let text = |text: &str| Argument::Bytes(text.into());
    check("%2$s is %1$d, %2$5s", &[word(7), text("x")]);
    check("%2$*1$d|%3$.*1$f", &[word(4), word(7), Argument::Double(1.0f64.to_bits())]);
    check(
        "100%% %*d%.*s%-*.*f",
        &[word(5), word(7), word(2), text("abc"), word(9), word(u64::MAX), Argument::Double(0)],
    );
    check("%*d", &[word(-6i64 as u64), word(3)]);
    check("%'d %Id", &[word(123_456), word(5)]);
}

#[test]
fn the_message_of_an_error_is_given() {
    let mut call = Call::new(
        Content::Format { format: 0, first: 1 },
        vec![Argument::Bytes(b"%d: %m\n".into()), Argument::Word(3)],
    );
    assert!(call.output().is_err());
    call.message = Some(b"No such file or directory".into());
    assert_eq!(&*call.output().unwrap(), b"3: No such file or directory\n");
}

fn with_arguments(format: String) -> impl Strategy<Value = (String, Vec<Argument>)> {
    let parsed = Format::parse(format.as_bytes()).unwrap();
    (Just(format), support::arguments(&parsed))
}

proptest! {
    #![proptest_config(support::cases(3000))]

    #[test]
    fn integers((format, arguments) in support::conversion(INTEGERS, true).prop_flat_map(with_arguments)) {
        check(&format, &arguments);
    }

    #[test]
    fn doubles((format, arguments) in support::conversion(FLOATS, true).prop_flat_map(with_arguments)) {
        check(&format, &arguments);
    }

    #[test]
    fn long_doubles((format, arguments) in support::conversion(LONG_FLOATS, false).prop_flat_map(with_arguments)) {
        check(&format, &arguments);
    }

    #[test]
    fn strings_characters_and_pointers((format, arguments) in support::conversion(OTHERS, true).prop_flat_map(with_arguments)) {
        check(&format, &arguments);
    }

    #[test]
    fn whole_formats((format, arguments) in support::format().prop_flat_map(with_arguments)) {
        check(&format, &arguments);
    }
}
