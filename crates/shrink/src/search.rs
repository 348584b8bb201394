//! The search: whole parts, then each text coarse to fine, again and again until nothing changes.

use whydunit_delta::{Outcome, Set, Test, sweep};
use whydunit_inputs::{Input, Keep, Part};

use crate::cuts::{self, Cut};
use crate::numbers;
use crate::trials::{Stopped, Trials};

/// How fine texts are cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Levels {
    /// Into lines and blocks of them.
    pub lines: bool,
    /// Into brackets, words, numbers and marks.
    pub tokens: bool,
    /// Into characters.
    pub bytes: bool,
}

impl Levels {
    /// All of them.
    pub const ALL: Levels = Levels { lines: true, tokens: true, bytes: true };
}

/// The smallest input with the failure that is found, and what ended the search before it was done. `input` has the failure.
pub fn shrink(input: Input, keep: &Keep, levels: Levels, trials: &Trials<'_>) -> (Input, Option<Stopped>) {
    trials.learn(&input);
    let mut search = Search { now: input, keep, trials };
    let stopped = search.run(levels).err();
    (search.now, stopped)
}

struct Search<'a> {
    now: Input,
    keep: &'a Keep,
    trials: &'a Trials<'a>,
}

impl Search<'_> {
    fn run(&mut self, levels: Levels) -> Result<(), Stopped> {
        loop {
            let before = self.now.clone();
            self.parts()?;
            if levels.lines {
                self.each(Self::lines)?;
            }
            if levels.tokens {
                self.each(Self::tokens)?;
            }
            if levels.bytes {
                self.each(|search, part| search.cut(part, Cut::Characters))?;
            }
            if levels.tokens || levels.bytes {
                self.each(Self::numbers)?;
            }
            if self.now == before {
                return Ok(());
            }
        }
    }

    /// Leaves out whole files, standard input, arguments, and arguments with their neighbours.
    fn parts(&mut self) -> Result<(), Stopped> {
        let parts = || {
            let mut parts = self.now.parts(self.keep);
            parts.retain(|part| !self.keep.names || !matches!(part, Part::File(_)));
            parts
        };
        let single: Vec<Vec<Part>> = parts().into_iter().map(|part| vec![part]).collect();
        self.leave_out(&single)?;
        let args = if self.keep.args { 0 } else { self.now.args.len() };
        let pairs: Vec<Vec<Part>> = (1..args).map(|second| vec![Part::Arg(second - 1), Part::Arg(second)]).collect();
        self.leave_out(&pairs)
    }

    fn leave_out(&mut self, units: &[Vec<Part>]) -> Result<(), Stopped> {
        let base = self.now.clone();
        self.sweep(units.len(), &|gone| {
            let parts: Vec<&Part> = gone.iter().flat_map(|&unit| &units[unit]).collect();
            base.without(&parts)
        })
    }

    fn each(&mut self, work: impl Fn(&mut Self, &Part) -> Result<(), Stopped>) -> Result<(), Stopped> {
        self.now.parts(self.keep).iter().try_for_each(|part| work(self, part))
    }

    fn lines(&mut self, part: &Part) -> Result<(), Stopped> {
        for cut in [Cut::Lines, Cut::Blocks, Cut::Bodies, Cut::Wraps, Cut::Lines, Cut::LinePairs] {
            self.cut(part, cut)?;
        }
        Ok(())
    }

    fn tokens(&mut self, part: &Part) -> Result<(), Stopped> {
        let mut depth = 0;
        // Deeper brackets only where there still are some.
        while depth <= cuts::depth(self.now.text(part)) {
            for cut in [Cut::Groups(depth), Cut::Items(depth), Cut::Insides(depth)] {
                self.cut(part, cut)?;
            }
            depth += 1;
        }
        for cut in [Cut::Hoists, Cut::Brackets, Cut::Tokens, Cut::TokenPairs] {
            self.cut(part, cut)?;
        }
        Ok(())
    }

    fn cut(&mut self, part: &Part, cut: Cut) -> Result<(), Stopped> {
        let base = self.now.clone();
        let text = base.text(part);
        let units = cut.units(text);
        self.sweep(units.len(), &|gone| base.with(part, cuts::without(text, gone.iter().map(|&unit| &units[unit]))))
    }

    /// Leaves out as many of `number` units as possible; `candidate` is given those that are gone.
    fn sweep(&mut self, number: usize, candidate: &(dyn Fn(&[usize]) -> Input + Sync)) -> Result<(), Stopped> {
        let mut cutting = Cutting { trials: self.trials, number, candidate, best: None };
        let all: Set = (0..number).collect();
        let done = sweep(&all, &mut cutting).map(drop);
        if let Some(best) = cutting.best {
            self.now = best;
        }
        done
    }

    fn numbers(&mut self, part: &Part) -> Result<(), Stopped> {
        let mut from = 0;
        while let Some(range) = numbers::next(self.now.text(part), from) {
            let text = self.now.text(part);
            let candidates = numbers::simpler(&String::from_utf8_lossy(&text[range.clone()]));
            let replaced = |index: usize| {
                let number = candidates[index].as_bytes();
                self.now.with(part, [&text[..range.start], number, &text[range.end..]].concat())
            };
            match self.trials.first(candidates.len(), &replaced)? {
                // It may become simpler still.
                Some((_, input)) => (self.now, from) = (input, range.start),
                None => from = range.end,
            }
        }
        Ok(())
    }
}

/// A sweep's sets as inputs.
struct Cutting<'a> {
    trials: &'a Trials<'a>,
    number: usize,
    candidate: &'a (dyn Fn(&[usize]) -> Input + Sync),
    best: Option<Input>,
}

impl Test<Stopped> for Cutting<'_> {
    fn test(&mut self, set: &[usize]) -> Result<Outcome, Stopped> {
        let found = self.first_failing(1, &|_| set.to_vec())?;
        Ok(if found.is_some() { Outcome::Fail } else { Outcome::Unresolved })
    }

    fn first_failing(&mut self, number: usize, set: &(dyn Fn(usize) -> Set + Sync)) -> Result<Option<usize>, Stopped> {
        let candidate = |index| {
            let mut kept = set(index).into_iter().peekable();
            let gone: Set = (0..self.number).filter(|unit| kept.next_if_eq(unit).is_none()).collect();
            (self.candidate)(&gone)
        };
        let found = self.trials.first(number, &candidate)?;
        Ok(found.map(|(index, input)| {
            self.best = Some(input);
            index
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::time::{Duration, Instant};
    use whydunit_process::Cancel;

    use super::*;
    use crate::oracle::{Oracle, Verdict};

    /// Judges by a function; the odd ones take longer, so that what runs side by side ends out of order.
    struct Is<F>(F);

    impl<F: Fn(&Input) -> bool + Sync> Oracle for Is<F> {
        fn judge(&self, input: &Input, _: &Cancel) -> Verdict {
            if input.digest()[0] % 2 == 1 {
                std::thread::sleep(Duration::from_micros(300));
            }
            if (self.0)(input) { Verdict::Same } else { Verdict::Other }
        }
    }

    fn smallest_by(input: &Input, jobs: usize, levels: Levels, fails: impl Fn(&Input) -> bool + Sync) -> Input {
        let (oracle, interrupt) = (Is(fails), Cancel::new());
        let jobs = NonZeroUsize::new(jobs).expect("some jobs");
        let trials = Trials::new(&oracle, jobs, None, &interrupt, &|_| {});
        let (found, stopped) = shrink(input.clone(), &Keep::default(), levels, &trials);
        assert_eq!(stopped, None);
        found
    }

    fn stdin(text: &str) -> Input {
        Input { stdin: Some(text.into()), ..Input::default() }
    }

    fn stdin_has(words: &'static [&'static str]) -> impl Fn(&Input) -> bool + Sync {
        move |input| {
            let text = String::from_utf8_lossy(input.text(&Part::Stdin)).into_owned();
            words.iter().all(|word| text.contains(word))
        }
    }

    #[test]
    fn what_is_needed_is_left_and_nothing_else() {
        let text: String = (0..300).map(|n| format!("line {n} of (many, [odd, things]) é\n")).collect();
        let mut input = stdin(&text);
        input.args = vec!["-v".into(), "5".into()];
        input.files.insert("a".into(), b"x".to_vec());
        let found = smallest_by(&input, 1, Levels::ALL, stdin_has(&["117", "odd"]));
        assert_eq!(found, stdin("117odd"));
        let lines = Levels { tokens: false, bytes: false, lines: true };
        let found = smallest_by(&input, 1, lines, stdin_has(&["117", "230 of"]));
        assert_eq!(found.text(&Part::Stdin).iter().filter(|&&byte| byte == b'\n').count(), 2);
    }

    #[test]
    fn the_answer_does_not_depend_on_how_many_run_side_by_side() {
        let text: String = (0..80).map(|n| format!("f({n}, {{x: [{}, 'q']}});\n", n * 37 % 11)).collect();
        // Any of several small answers would do.
        let fails = |input: &Input| {
            let text = input.text(&Part::Stdin);
            text.iter().filter(|&&byte| byte == b'7').count() >= 3
                && text.iter().map(|&byte| u32::from(byte)).sum::<u32>() % 3 != 1
        };
        let one = smallest_by(&stdin(&text), 1, Levels::ALL, fails);
        for jobs in [2, 3, 8] {
            assert_eq!(smallest_by(&stdin(&text), jobs, Levels::ALL, fails), one);
        }
    }

    #[test]
    fn balanced_text_stays_balanced_where_it_must() {
        let balanced = |input: &Input| {
            let mut depth = 0i32;
            let text = String::from_utf8_lossy(input.text(&Part::Stdin)).into_owned();
            let well = text.chars().all(|c| {
                depth += match c {
                    '{' => 1,
                    '}' => -1,
                    _ => 0,
                };
                depth >= 0
            });
            well && depth == 0 && text.contains("boom")
        };
        let text = "a {\n b {\n  c; { boom; } d\n }\n e {\n }\n}\nf { g }\n";
        assert_eq!(smallest_by(&stdin(text), 2, Levels::ALL, balanced), stdin("boom"));
        let wrapped = |input: &Input| balanced(input) && input.text(&Part::Stdin).starts_with(b"a {");
        assert_eq!(smallest_by(&stdin(text), 2, Levels::ALL, wrapped), stdin("a {boom}"));
    }

    #[test]
    fn numbers_become_simple() {
        let big = |word: &str| word.parse::<u64>().is_ok_and(|number| number > 600);
        let fails = |input: &Input| {
            let text = String::from_utf8_lossy(input.text(&Part::Stdin)).into_owned();
            text.split(' ').count() == 2 && text.split(' ').all(big)
        };
        assert_eq!(smallest_by(&stdin("987654 31337"), 1, Levels::ALL, fails), stdin("654 1000"));
    }

    #[test]
    fn arguments_go_with_their_neighbours() {
        let input = Input { args: ["-o", "x", "-n", "12", "file"].map(String::from).to_vec(), ..Input::default() };
        // An option needs its value.
        let fails = |input: &Input| {
            let at = |option: &str| input.args.iter().position(|arg| arg == option);
            let whole = |option| {
                at(option).is_none_or(|at| input.args.get(at + 1).is_some_and(|next| next != "file" && next != "-n"))
            };
            whole("-o") && whole("-n") && input.args.last().is_some_and(|arg| arg == "file")
        };
        assert_eq!(smallest_by(&input, 2, Levels::ALL, fails).args, ["file"]);
    }

    #[test]
    fn what_is_kept_stays() {
        let (oracle, interrupt) = (Is(|_: &Input| true), Cancel::new());
        let trials = Trials::new(&oracle, NonZeroUsize::MIN, None, &interrupt, &|_| {});
        let mut input = stdin("text");
        input.files.insert("a".into(), b"12".to_vec());
        let keep = Keep { stdin: true, names: true, ..Keep::default() };
        let (found, _) = shrink(input.clone(), &keep, Levels::ALL, &trials);
        assert_eq!((found.stdin, found.files["a"].len()), (input.stdin, 0));
    }

    #[test]
    fn where_time_is_up_the_smallest_so_far_is_the_answer() {
        let (oracle, interrupt) = (Is(stdin_has(&["x"])), Cancel::new());
        let until = Some(Instant::now() + Duration::from_millis(40));
        let text = "x".repeat(100_000);
        let oracle_of_most = Is(|input: &Input| input.text(&Part::Stdin).len() > 60_000);
        let trials = Trials::new(&oracle_of_most, NonZeroUsize::MIN, until, &interrupt, &|_| {});
        let (found, stopped) = shrink(stdin(&text), &Keep::default(), Levels::ALL, &trials);
        assert_eq!(stopped, Some(Stopped::Time));
        assert!(found.text(&Part::Stdin).len() > 60_000);
        interrupt.cancel();
        let trials = Trials::new(&oracle, NonZeroUsize::MIN, None, &interrupt, &|_| {});
        assert_eq!(
            shrink(stdin(&text), &Keep::default(), Levels::ALL, &trials),
            (stdin(&text), Some(Stopped::Interrupted))
        );
    }
}
