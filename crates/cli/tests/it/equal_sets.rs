//! On-demand formulas give the correction sets that all ways at once give, on small programs that are made up.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::support::project::Project;

/// A small generator, the same on every machine (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % bound
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }
}

const VARIABLES: [&str; 4] = ["a", "b", "c", "d"];

fn operand(random: &mut Random) -> String {
    if random.below(3) == 0 { random.below(7).to_string() } else { random.of(&VARIABLES).to_string() }
}

fn assignment(random: &mut Random, text: &mut String, indent: &str) {
    let (to, x, y) = (random.of(&VARIABLES), operand(random), operand(random));
    let operator = random.of(&["+", "-", "&", "^"]);
    writeln!(text, "{indent}{to} = {x} {operator} {y};").expect("text");
}

/// Assignments, conditionals and at most one loop over four variables, then an assertion that fails for the values of the run:
/// it asks for another value of a variable than the program computes.
fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = String::from("#include <stdlib.h>\n#include <assert.h>\nint main(int argc, char **argv)\n{\n");
    for variable in VARIABLES {
        writeln!(text, "    unsigned {variable} = argc + {};", random.below(5)).expect("text");
    }
    for _ in 0..2 + random.below(2) {
        assignment(&mut random, &mut text, "    ");
        let (x, y) = (operand(&mut random), operand(&mut random));
        let comparison = random.of(&["<", ">", "==", "!="]);
        writeln!(text, "    if ({x} {comparison} {y}) {{").expect("text");
        assignment(&mut random, &mut text, "        ");
        if random.below(2) == 0 {
            text += "    } else {\n";
            assignment(&mut random, &mut text, "        ");
        }
        text += "    }\n";
    }
    let (x, y) = (random.of(&VARIABLES), random.of(&VARIABLES));
    writeln!(text, "    assert(({x} & 15) == {} && {y} != {x});", random.below(16)).expect("text");
    text += "    return argv == 0;\n}\n";
    text
}

/// Two loops that write a table, conditionals in them, and what is read from the table; what it prints or asserts is another
/// value than it computes.
fn program_with_loops(seed: u64) -> (String, &'static str) {
    let mut random = Random(seed.wrapping_mul(0xa076_1d64_78bd_642f) | 1);
    let mut text = String::from("#include <assert.h>\n#include <stdio.h>\nint main(int argc, char **argv)\n{\n");
    for variable in VARIABLES {
        writeln!(text, "    unsigned {variable} = argc + {};", random.below(5)).expect("text");
    }
    text += "    unsigned t[4] = {1, 2, 3, 4};\n";
    for _ in 0..2 {
        writeln!(text, "    for (unsigned i = 0; i < {}; i++) {{", 2 + random.below(2)).expect("text");
        assignment(&mut random, &mut text, "        ");
        let (x, comparison, y) = (random.of(&VARIABLES), random.of(&["<", ">", "=="]), operand(&mut random));
        writeln!(text, "        if ({x} {comparison} {y})").expect("text");
        assignment(&mut random, &mut text, "            ");
        let (index, value) = (random.of(&VARIABLES), operand(&mut random));
        writeln!(text, "        t[({index} + i) & 3] = {value};\n    }}").expect("text");
        let (to, index) = (random.of(&VARIABLES), random.of(&VARIABLES));
        writeln!(text, "    {to} = t[{index} & 3];").expect("text");
    }
    let (asked, value) = (random.of(&VARIABLES), random.below(16));
    let case = if random.below(2) == 0 {
        writeln!(text, "    assert(({asked} & 15) == {value});").expect("text");
        r#"{"name":"it","status":0}"#
    } else {
        writeln!(text, "    printf(\"%u\\n\", {asked});").expect("text");
        r#"{"name":"it","status":0,"stdout":"6\n"}"#
    };
    text += "    return argv == 0;\n}\n";
    (text, case)
}

/// Lines of a correction set, those of the loops among them or not.
type Set = Vec<u64>;

fn sets(project: &Project, method: &str) -> Option<BTreeSet<Set>> {
    let (status, answer, errors) = project.json(&["locate", "--thorough", "--method", method]);
    if answer["tests"][0]["outcome"] == "pass" {
        return None;
    }
    assert!(status == 0 || status == 1, "{errors}");
    let sets = answer["correction_sets"].as_array().expect("sets");
    assert!(sets.iter().all(|set| set["confirmed"] == true), "{method}: {answer:#}");
    let lines = |set: &serde_json::Value| {
        let statements = set["statements"].as_array().expect("statements");
        statements.iter().map(|statement| statement["line"].as_u64().expect("a line")).collect()
    };
    Some(sets.iter().map(lines).collect())
}

/// The sets of both methods for a program.
fn both(source: &str, case: &str) -> Option<(BTreeSet<Set>, BTreeSet<Set>)> {
    let project = Project::new();
    project.write("it.c", source);
    project.write("cases.jsonl", case);
    project.write("whydunit.toml", "[build]\nsources = [\"it.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    let on_demand = sets(&project, "ofc")?;
    Some((on_demand, sets(&project, "ba").expect("it fails")))
}

#[test]
fn on_demand_formulas_give_the_sets_of_all_ways_at_once() {
    let (mut compared, mut found) = (0, 0);
    for seed in 1..=14 {
        let source = program(seed);
        let Some((on_demand, all)) = both(&source, r#"{"name":"it","status":0}"#) else { continue };
        assert_eq!(on_demand, all, "seed {seed}:\n{source}");
        compared += 1;
        found += all.len();
    }
    assert!(compared >= 8 && found >= 20, "{compared} programs with {found} sets are too few to tell");
}

/// With loops, on-demand formulas also know of ways on which a loop turns more often than all ways at once were unrolled: these
/// hold a loop's own line.
#[test]
fn the_same_with_loops_and_a_table() {
    let (mut compared, mut found, mut beyond) = (0, 0, 0);
    for seed in 1..=10 {
        let (source, case) = program_with_loops(seed);
        let Some((on_demand, all)) = both(&source, case) else { continue };
        let loops: Vec<u64> =
            (1..).zip(source.lines()).filter(|(_, line)| line.contains("for (")).map(|at| at.0).collect();
        assert_eq!(all.difference(&on_demand).collect::<Vec<_>>(), Vec::<&Set>::new(), "seed {seed}:\n{source}");
        for more in on_demand.difference(&all) {
            assert!(more.iter().any(|line| loops.contains(line)), "seed {seed}: {more:?}\n{source}");
            beyond += 1;
        }
        compared += 1;
        found += all.len();
    }
    assert!(compared >= 8 && found >= 60 && beyond * 20 < found, "{compared} programs, {found} sets, {beyond} beyond");
}
