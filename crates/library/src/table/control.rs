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
    row("makecontext", Never).ends(Refused),
    row("swapcontext", Negative).ends(Refused),
];
