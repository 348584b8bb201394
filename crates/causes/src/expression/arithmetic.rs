//! Arithmetic and comparisons of expressions. Integers are exact: nothing overflows that a program's numbers can make.

use super::Value;

/// The number that bytes hold, signed.
pub fn signed(bytes: &[u8]) -> i128 {
    let shift = 128 - 8 * bytes.len().clamp(1, 16) as u32;
    ((unsigned(bytes) << shift) as i128) >> shift
}

/// The number that bytes hold.
pub fn unsigned(bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    let n = bytes.len().min(16);
    all[..n].copy_from_slice(&bytes[..n]);
    u128::from_le_bytes(all)
}

/// Whether a value is neither false nor zero.
pub fn truth(value: &Value) -> Result<bool, String> {
    match value {
        Value::Truth(holds) => Ok(*holds),
        Value::Number(number) => Ok(*number != 0),
        Value::Float(number) => Ok(*number != 0.0),
        Value::Address(address) => Ok(*address != 0),
        Value::Text(_) | Value::Found(_) => Err("a text is neither true nor false".into()),
    }
}

/// `-`, `+`, `!` or `~` of a value.
pub fn unary(operator: char, value: Value) -> Result<Value, String> {
    Ok(match (operator, value) {
        ('!', value) => Value::Truth(!truth(&value)?),
        ('+', value) => value,
        ('-', Value::Float(number)) => Value::Float(-number),
        ('-', value) => Value::Number(number(&value)?.checked_neg().ok_or(OVERFLOW)?),
        (_, value) => Value::Number(!number(&value)?),
    })
}

const OVERFLOW: &str = "the result has more than 128 bits";

/// A value as an integer.
fn number(value: &Value) -> Result<i128, String> {
    match value {
        Value::Number(number) => Ok(*number),
        Value::Truth(holds) => Ok(i128::from(*holds)),
        Value::Address(address) => Ok(i128::from(*address)),
        Value::Float(_) | Value::Text(_) | Value::Found(_) => Err("an integer is needed".into()),
    }
}

fn float(value: &Value) -> Result<f64, String> {
    match value {
        Value::Float(number) => Ok(*number),
        other => number(other).map(|number| number as f64),
    }
}

/// Two values joined by an operator other than `&&` and `||`.
pub fn binary(operator: &str, left: Value, right: Value) -> Result<Value, String> {
    if matches!(left, Value::Float(_)) || matches!(right, Value::Float(_)) {
        return floats(operator, float(&left)?, float(&right)?);
    }
    let (a, b) = (number(&left)?, number(&right)?);
    let shift = || u32::try_from(b).map_err(|_| format!("{b} is no number of bits"));
    let result = match operator {
        "==" => return Ok(Value::Truth(a == b)),
        "!=" => return Ok(Value::Truth(a != b)),
        "<" => return Ok(Value::Truth(a < b)),
        "<=" => return Ok(Value::Truth(a <= b)),
        ">" => return Ok(Value::Truth(a > b)),
        ">=" => return Ok(Value::Truth(a >= b)),
        "/" | "%" if b == 0 => return Err("division by zero".into()),
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        "&" => Some(a & b),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "<<" => a.checked_shl(shift()?),
        ">>" => a.checked_shr(shift()?),
        other => return Err(format!("`{other}` is no operator")),
    };
    result.map(Value::Number).ok_or_else(|| OVERFLOW.into())
}

fn floats(operator: &str, a: f64, b: f64) -> Result<Value, String> {
    Ok(match operator {
        "==" => Value::Truth(a == b),
        "!=" => Value::Truth(a != b),
        "<" => Value::Truth(a < b),
        "<=" => Value::Truth(a <= b),
        ">" => Value::Truth(a > b),
        ">=" => Value::Truth(a >= b),
        "+" => Value::Float(a + b),
        "-" => Value::Float(a - b),
        "*" => Value::Float(a * b),
        "/" => Value::Float(a / b),
        "%" => Value::Float(a % b),
        other => return Err(format!("`{other}` is not for floating numbers")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_by_their_sign() {
        assert_eq!((signed(&[0xff]), unsigned(&[0xff])), (-1, 255));
        assert_eq!(signed(&(-7i32).to_le_bytes()), -7);
        assert_eq!(signed(&i128::MIN.to_le_bytes()), i128::MIN);
    }

    #[test]
    fn what_cannot_be_computed_is_refused() {
        let number = Value::Number;
        assert_eq!(binary("/", number(7), number(2)), Ok(number(3)));
        assert_eq!(binary("<", Value::Float(0.5), number(1)), Ok(Value::Truth(true)));
        assert!(binary("/", number(7), number(0)).is_err() && binary("<<", number(1), number(-1)).is_err());
        assert!(binary("<<", number(1), number(200)).is_err() && binary("*", number(i128::MAX), number(2)).is_err());
        assert!(unary('-', number(i128::MIN)).is_err() && binary("&", Value::Float(1.0), number(1)).is_err());
    }
}
