//! Numbers as the conversions of C's printf write them, in the C locale.

use crate::decimal::Decimal;

/// How a number is converted: the flags of a conversion, its width and precision.
#[derive(Default)]
pub struct Spec {
    /// `-`: filled up on the right.
    pub left: bool,
    /// `+`: a sign before what is not negative.
    pub plus: bool,
    /// A space before what is not negative.
    pub space: bool,
    /// `#`: a prefix, a point, trailing zeros.
    pub alternate: bool,
    /// `0`: filled up with zeros.
    pub zero: bool,
    /// Characters at least.
    pub width: usize,
    /// Digits, by what the conversion counts; the usual where there is none.
    pub precision: Option<usize>,
}

/// The sign that is written before a number that is negative, or is not.
pub fn sign(spec: &Spec, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, _, _) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

/// Appends an integer whose sign, prefix (as `0x`) and digits are these.
pub fn integer(spec: &Spec, sign: &str, prefix: &str, digits: String, out: &mut Vec<u8>) {
    let digits = match spec.precision {
        Some(0) if digits == "0" => String::new(),
        Some(precision) => format!("{}{digits}", "0".repeat(precision.saturating_sub(digits.len()))),
        None => digits,
    };
    let used = sign.len() + prefix.len() + digits.len();
    let zeros = if spec.zero && !spec.left && spec.precision.is_none() { spec.width.saturating_sub(used) } else { 0 };
    padded(spec, format!("{sign}{prefix}{}{digits}", "0".repeat(zeros)).as_bytes(), out);
}

/// Appends a text, filled up with spaces to the width.
pub fn padded(spec: &Spec, text: &[u8], out: &mut Vec<u8>) {
    let fill = spec.width.saturating_sub(text.len());
    if !spec.left {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
    out.extend_from_slice(text);
    if spec.left {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
}

/// Appends an x87 value, given by its bits, by `%e`, `%f` or `%g`, or the same in upper case.
pub fn floating(spec: &Spec, conversion: u8, bits: u128, out: &mut Vec<u8>) {
    let upper = conversion.is_ascii_uppercase();
    let sign = sign(spec, bits >> 79 & 1 == 1);
    let (exponent, significand) = ((bits >> 64) as i32 & 0x7fff, bits as u64);
    if exponent == 0x7fff {
        let text = match (significand << 1 == 0, upper) {
            (true, false) => "inf",
            (true, true) => "INF",
            (false, false) => "nan",
            (false, true) => "NAN",
        };
        return padded(spec, format!("{sign}{text}").as_bytes(), out);
    }
    let decimal = Decimal::new(significand, exponent.max(1) - 16383 - 63);
    let precision = spec.precision.unwrap_or(6);
    let scientific = |precision: usize, trim: bool| {
        let (digits, exponent) = decimal.scientific(precision);
        let mut mantissa = format!("{}.{}", &digits[..1], &digits[1..]);
        if trim {
            mantissa.truncate(mantissa.trim_end_matches('0').len());
        }
        if mantissa.ends_with('.') && !spec.alternate {
            mantissa.pop();
        }
        let mark = if upper { 'E' } else { 'e' };
        format!("{mantissa}{mark}{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
    };
    let text = match conversion.to_ascii_lowercase() {
        b'e' => scientific(precision, false),
        b'f' => {
            let mut text = decimal.fixed(precision);
            if precision == 0 && spec.alternate {
                text.push('.');
            }
            text
        }
        _ => {
            let significant = precision.max(1);
            let (_, power) = decimal.scientific(significant - 1);
            if power < -4 || power >= significant as i32 {
                scientific(significant - 1, !spec.alternate)
            } else {
                let mut text = decimal.fixed((significant as i32 - 1 - power) as usize);
                if !spec.alternate && text.contains('.') {
                    text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
                }
                text
            }
        }
    };
    let zeros = if spec.zero && !spec.left { spec.width.saturating_sub(sign.len() + text.len()) } else { 0 };
    padded(spec, format!("{sign}{}{text}", "0".repeat(zeros)).as_bytes(), out);
}

#[cfg(test)]
mod tests {
    use whydunit_model::Scalar;

    use super::*;
    use crate::float;

    fn double(format: (bool, usize, Option<usize>, u8), value: f64) -> String {
        let (alternate, width, precision, conversion) = format;
        let spec = Spec { alternate, width, precision, ..Spec::default() };
        let mut out = Vec::new();
        floating(&spec, conversion, float::conversion(Scalar::F64, Scalar::F80, value.to_bits().into()), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn doubles_come_out_as_c_prints_them() {
        assert_eq!(double((false, 0, None, b'f'), 3.15), "3.150000");
        assert_eq!(double((false, 0, None, b'g'), 100000.0), "100000");
        assert_eq!(double((false, 0, None, b'g'), 1_000_000.0), "1e+06");
        assert_eq!(double((false, 0, None, b'g'), 0.0001), "0.0001");
        assert_eq!(double((false, 0, None, b'g'), 0.00001234), "1.234e-05");
        assert_eq!(double((true, 0, None, b'g'), 1.0), "1.00000");
        assert_eq!(double((false, 0, Some(17), b'g'), 0.1), "0.10000000000000001");
        assert_eq!(double((false, 0, Some(0), b'e'), 12345.0), "1e+04");
        assert_eq!(double((false, 10, Some(2), b'F'), -1.005), "     -1.00");
        assert_eq!(double((false, 0, None, b'E'), f64::NEG_INFINITY), "-INF");
        assert_eq!(double((false, 0, None, b'g'), 0.0), "0");
        assert_eq!(double((false, 0, None, b'f'), 1e300).len(), 308);
    }

    #[test]
    fn integers_are_padded_and_signed() {
        let show = |spec: Spec, sign: &str, prefix: &str, digits: &str| {
            let mut out = Vec::new();
            integer(&spec, sign, prefix, digits.into(), &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(show(Spec { width: 6, zero: true, ..Spec::default() }, "-", "", "42"), "-00042");
        assert_eq!(show(Spec { width: 6, left: true, ..Spec::default() }, "", "0x", "2a"), "0x2a  ");
        assert_eq!(show(Spec { precision: Some(0), ..Spec::default() }, "", "", "0"), "");
        assert_eq!(show(Spec { width: 5, precision: Some(3), zero: true, ..Spec::default() }, "+", "", "7"), " +007");
    }
}
