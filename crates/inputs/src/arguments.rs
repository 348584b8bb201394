//! Changes of arguments as a whole.

use crate::input::Input;
use crate::random::Random;
use crate::stock::Stock;

/// An argument less or more, two that have changed places, or one that another case has there.
pub fn argument(input: &Input, stock: &Stock, random: &mut Random) -> Option<Input> {
    let mut args = input.args.clone();
    let at = random.below(args.len());
    match random.below(6) {
        0 if !args.is_empty() => _ = args.remove(at),
        1 if args.len() > 1 => {
            let other = random.below(args.len());
            args.swap(at, other);
        }
        2 => args.insert(random.below(args.len() + 1), random.pick(&stock.args)?.clone()),
        _ => {
            let row = random.pick(&stock.rows)?;
            let at = random.below(row.len());
            let other = row.get(at)?.clone();
            match args.get_mut(at) {
                Some(arg) => *arg = other,
                None => args.push(other),
            }
        }
    }
    Some(Input { args, ..input.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_come_from_the_suite() {
        let of = |args: &[&str]| Input { args: args.iter().map(ToString::to_string).collect(), ..Input::default() };
        let (one, two) = (of(&["-a", "x"]), of(&["-b", "y", "z"]));
        let stock = Stock::of(&[one.clone(), two]);
        let found: Vec<Input> =
            (0..200).filter_map(|seed| argument(&one, &stock, &mut Random::new(seed, "a"))).collect();
        for expected in [&["x"][..], &["x", "-a"], &["-b", "x"], &["-a", "y"], &["-a", "x", "z"]] {
            assert!(found.contains(&of(expected)), "{expected:?}");
        }
        assert!(found.iter().flat_map(|input| &input.args).all(|arg| stock.args.contains(arg)));
        let nothing = Stock::of(&[of(&[])]);
        assert!((0..20).all(|seed| argument(&of(&[]), &nothing, &mut Random::new(seed, "a")).is_none()));
    }
}
