//! What ends the program, and jumps.

use super::{Row, each, row};
use crate::Ending::{Abort, Assertion, Exit, Jump, Refused, Throw};
use crate::Fails::{Negative, Never};
use crate::Reads::{Format, FormatList, Object, Text};
use crate::Writes;

pub(super) const ROWS: &[Row] = &[
    row("exit", Never).ends(Exit { flushes: true }),
    each("_exit _Exit quick_exit", Never).ends(Exit { flushes: false }),
    // Of err.h: a message, and the end with the first argument as status.
    each("!err !errx", Never).reads(&[Format(1)]).ends(Exit { flushes: true }),
    each("!verr !verrx", Never).reads(&[FormatList(1)]).ends(Exit { flushes: true }),
    each("!warn !warnx", Never).reads(&[Format(0)]),
    each("!vwarn !vwarnx", Never).reads(&[FormatList(0)]),
    row("abort", Never).ends(Abort),
    row("!__stack_chk_fail", Never).ends(Abort),
    row("!__chk_fail", Never).ends(Abort),
    row("!__fortify_fail", Never).reads(&[Text(0)]).ends(Abort),
    row("!__assert_fail", Never).reads(&[Text(0), Text(1), Text(3)]).ends(Assertion { text: Some(0) }),
    row("!__assert", Never).reads(&[Text(0), Text(1)]).ends(Assertion { text: Some(0) }),
    row("!__assert_perror_fail", Never).reads(&[Text(1), Text(3)]).ends(Assertion { text: None }),
    row("!setjmp !_setjmp !__setjmp", Never).writes(&[Writes::Object(0)]).twice(),
    row("!sigsetjmp !__sigsetjmp", Never).writes(&[Writes::Object(0)]).twice(),
    row("!longjmp !_longjmp !siglongjmp !__longjmp_chk", Never).reads(&[Object(0)]).ends(Jump),
    each("!__cxa_throw !__cxa_rethrow", Never).writes(&[Writes::Own]).calls_back().ends(Throw),
    // What the compiled part of the library of C++ throws for its headers.
    each(
        "!_ZSt19__throw_logic_errorPKc !_ZSt20__throw_length_errorPKc !_ZSt20__throw_out_of_rangePKc !_ZSt24__throw_out_of_range_fmtPKcz \
         !_ZSt24__throw_invalid_argumentPKc !_ZSt21__throw_runtime_errorPKc !_ZSt19__throw_domain_errorPKc !_ZSt19__throw_range_errorPKc \
         !_ZSt22__throw_overflow_errorPKc !_ZSt17__throw_bad_allocv !_ZSt28__throw_bad_array_new_lengthv !_ZSt16__throw_bad_castv \
         !_ZSt25__throw_bad_function_callv !_ZSt26__throw_bad_variant_accessPKc !_ZSt20__throw_system_errori \
         !__cxa_throw_bad_array_new_length !__cxa_bad_cast",
        Never,
    )
    .writes(&[Writes::Own])
    .calls_back()
    .ends(Throw),
    row("makecontext", Never).ends(Refused),
    row("swapcontext", Negative).ends(Refused),
];
