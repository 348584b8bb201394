//! Numbers: read from texts, and mathematics.

use super::{Row, each, row};
use crate::Fails::{Errno, Never};
use crate::NumberValue::{Float, Integer};
use crate::Precision::{Double, Extended, Single};
use crate::Writes;

const LONG: crate::NumberValue = Integer { bits: 64, signed: true };
const UNSIGNED: crate::NumberValue = Integer { bits: 64, signed: false };
/// What argument 1 points to.
const END: &[Writes] = &[Writes::Object(1)];

pub(super) const ROWS: &[Row] = &[
    row("strtol strtoll strtoimax __isoc23_strtol __isoc23_strtoll __isoc23_strtoimax", Errno)
        .number(LONG, Some(1), Some(2))
        .writes(END),
    row("strtoul strtoull strtoumax __isoc23_strtoul __isoc23_strtoull __isoc23_strtoumax", Errno)
        .number(UNSIGNED, Some(1), Some(2))
        .writes(END),
    row("strtod", Errno).number(Float(Double), Some(1), None).writes(END),
    row("strtof", Errno).number(Float(Single), Some(1), None).writes(END),
    row("strtold", Errno).number(Float(Extended), Some(1), None).writes(END),
    row("atoi", Never).number(Integer { bits: 32, signed: true }, None, None),
    row("atol atoll", Never).number(LONG, None, None),
    row("atof", Never).number(Float(Double), None, None),
    row("abs", Never).computed(),
    row("labs llabs !imaxabs", Never).computed(),
    // Mathematics.
    each(
        "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p \
         logb sqrt cbrt fabs floor ceil trunc round rint nearbyint erf erfc tgamma roundeven pow fmod remainder \
         atan2 hypot fmin fmax fdim copysign nextafter fma ldexp scalbn scalbln ilogb lrint lround llrint llround \
         __fpclassify __signbit __isnan __isinf __finite",
        Never,
    )
    .mathematics(Double),
    each(
        "sinf cosf tanf asinf acosf atanf sinhf coshf tanhf asinhf acoshf atanhf expf exp2f exp10f expm1f logf \
         log2f log10f log1pf logbf sqrtf cbrtf fabsf floorf ceilf truncf roundf rintf nearbyintf erff erfcf \
         tgammaf roundevenf powf fmodf remainderf atan2f hypotf fminf fmaxf fdimf copysignf nextafterf fmaf ldexpf \
         scalbnf scalblnf ilogbf lrintf lroundf llrintf llroundf __fpclassifyf __signbitf __isnanf __isinff \
         __finitef",
        Never,
    )
    .mathematics(Single),
    each(
        "sinl cosl tanl asinl acosl atanl sinhl coshl tanhl asinhl acoshl atanhl expl exp2l exp10l expm1l logl \
         log2l log10l log1pl logbl sqrtl cbrtl fabsl floorl ceill truncl roundl rintl nearbyintl erfl erfcl \
         tgammal roundevenl powl fmodl remainderl atan2l hypotl fminl fmaxl fdiml copysignl nextafterl fmal ldexpl \
         scalbnl scalblnl ilogbl lrintl lroundl llrintl llroundl __fpclassifyl __signbitl __isnanl __isinfl \
         __finitel",
        Never,
    )
    .mathematics(Extended),
    each("frexp modf", Never).writes(END).mathematics(Double),
    each("frexpf modff", Never).writes(END).mathematics(Single),
    each("frexpl modfl", Never).writes(END).mathematics(Extended),
    row("remquo", Never).writes(&[Writes::Object(2)]).mathematics(Double),
    row("remquof", Never).writes(&[Writes::Object(2)]).mathematics(Single),
    row("remquol", Never).writes(&[Writes::Object(2)]).mathematics(Extended),
    row("sincos", Never).writes(&[Writes::Object(1), Writes::Object(2)]).mathematics(Double),
    row("sincosf", Never).writes(&[Writes::Object(1), Writes::Object(2)]).mathematics(Single),
    row("sincosl", Never).writes(&[Writes::Object(1), Writes::Object(2)]).mathematics(Extended),
    // The sign is a variable of the library.
    row("lgamma", Never).writes(&[Writes::Own]).mathematics(Double),
    row("lgammaf", Never).writes(&[Writes::Own]).mathematics(Single),
    row("lgammal", Never).writes(&[Writes::Own]).mathematics(Extended),
];
