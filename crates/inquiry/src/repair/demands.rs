//! What a test demands of an expression, in words.

use std::time::Duration;

use whydunit_solve::{Cadical, Limits};
use whydunit_synthesis::{Decided, Gaps, Kind, Range};
use whydunit_terms::Pool;

/// What one question to the solver may cost.
const CONFLICTS: u32 = 3_000;
const TIME: Duration = Duration::from_millis(200);

/// What a demand says of the first execution that is not as it has to be, beside what it gave in the run; none where no single
/// execution is at fault, or where what it has to be cannot be said in a few words. The words go on behind the expression.
pub fn demanded(decided: &Decided, gave: &[i64], kind: Kind, pool: &mut Pool) -> Option<String> {
    (0..gave.len()).find_map(|number| {
        let when = match gave.len() {
            1 => String::new(),
            all => format!(", the {} of {all} times,", ordinal(number + 1)),
        };
        match kind {
            Kind::Truth => {
                let turned = |(at, &value): (usize, &i64)| if at == number { i64::from(value == 0) } else { value };
                let other: Vec<i64> = gave.iter().enumerate().map(turned).collect();
                let wanted = decided.met_by(pool, &other)? && !decided.met_by(pool, gave)?;
                let (has, did) =
                    if gave[number] == 0 { ("has to hold", "does not") } else { ("must not hold", "does") };
                wanted.then(|| format!("{when} {has}, and {did}"))
            }
            Kind::Number => {
                let limits = Limits { time: Some(TIME), conflicts: Some(CONFLICTS), interrupt: None };
                let range = decided.range(pool, number, gave, &|| Box::new(Cadical::new()), &limits).ok()??;
                let gave = i64::from(gave[number] as i32);
                let wanted = within(&range).filter(|_| !has(&range, gave))?;
                Some(format!("{when} has to be {wanted}, and is {gave}"))
            }
            Kind::Address => None,
        }
    })
}

/// Whether a number is surely one of a range.
fn has(range: &Range, number: i64) -> bool {
    // Of several gaps it is not known where they are.
    let hole = matches!(range.gaps, Gaps::One(hole) if hole == number);
    (range.least..=range.most).contains(&number) && !hole
}

/// The numbers of a range; none where they are all.
fn within(range: &Range) -> Option<String> {
    let (below, above) = (range.least == i64::from(i32::MIN), range.most == i64::from(i32::MAX));
    let whole = match (below, above) {
        (true, true) => None,
        (true, false) => Some(format!("at most {}", range.most)),
        (false, true) => Some(format!("at least {}", range.least)),
        (false, false) if range.least == range.most => Some(range.least.to_string()),
        (false, false) => Some(format!("between {} and {}", range.least, range.most)),
    };
    match (range.gaps, whole) {
        (Gaps::None, whole) => whole,
        (Gaps::One(hole), None) => Some(format!("other than {hole}")),
        (Gaps::One(hole), Some(whole)) => Some(format!("{whole}, other than {hole}")),
        (Gaps::Some, whole) => whole.map(|whole| format!("one of some numbers {whole}")),
    }
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words() {
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        let told = |least, most, gaps| within(&Range { least, most, gaps }).unwrap_or_default();
        assert_eq!(told(111, most, Gaps::None), "at least 111");
        assert_eq!(told(5, 5, Gaps::None), "5");
        assert_eq!(told(least, most, Gaps::One(0)), "other than 0");
        assert_eq!(told(1, 9, Gaps::One(3)), "between 1 and 9, other than 3");
        assert_eq!(told(least, 8, Gaps::Some), "one of some numbers at most 8");
        assert_eq!(told(least, most, Gaps::None), "");
        assert_eq!([1, 2, 3, 4, 11, 12, 21, 112].map(ordinal).join(" "), "1st 2nd 3rd 4th 11th 12th 21st 112th");
    }
}
