//! Reports on the grades of a class.
//!
//! The input has lines `name;subject;points[;weight]`, and `#` begins a comment. Arguments say what is wanted:
//! `table` (the default), `best`, `subjects`, `histogram` or `student NAME`.

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::io::{self, Read};
use std::process::ExitCode;

const MOST_POINTS: u32 = 100;
const BAR: usize = 20;
/// The least points of each mark.
const MARKS: [(u32, char); 5] = [(90, 'A'), (75, 'B'), (60, 'C'), (50, 'D'), (0, 'F')];

#[derive(Clone, Debug)]
struct Score {
    subject: String,
    points: u32,
    weight: u32,
}

#[derive(Debug)]
enum Mistake {
    Fields(usize),
    Number { line: usize, text: String },
    TooMany { line: usize, points: u32 },
    Student(String),
    Command(String),
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mistake::Fields(line) => write!(f, "line {line}: three or four fields are wanted"),
            Mistake::Number { line, text } => write!(f, "line {line}: `{text}` is no number"),
            Mistake::TooMany { line, points } => write!(f, "line {line}: {points} points are more than {MOST_POINTS}"),
            Mistake::Student(name) => write!(f, "there is no student {name}"),
            Mistake::Command(word) => write!(f, "unknown command `{word}`"),
        }
    }
}

#[derive(Default)]
struct Class {
    students: BTreeMap<String, Vec<Score>>,
}

impl Class {
    fn parse(text: &str) -> Result<Class, Mistake> {
        let mut class = Class::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (name, result) = parse_line(line, index + 1)?;
            let results = class.students.entry(name).or_default();
            // What comes later counts.
            results.retain(|other| other.subject != result.subject);
            results.push(result);
        }
        Ok(class)
    }

    fn subjects(&self) -> Vec<String> {
        let mut subjects: Vec<String> = self.students.values().flatten().map(|result| result.subject.clone()).collect();
        subjects.sort();
        subjects.dedup();
        subjects
    }
}

fn parse_line(line: &str, number: usize) -> Result<(String, Score), Mistake> {
    let fields: Vec<&str> = line.split(';').map(str::trim).collect();
    if !(3..=4).contains(&fields.len()) {
        return Err(Mistake::Fields(number));
    }
    let parse = |text: &str| text.parse().map_err(|_| Mistake::Number { line: number, text: text.to_string() });
    let points = parse(fields[2])?;
    if points > MOST_POINTS {
        return Err(Mistake::TooMany { line: number, points });
    }
    let weight = match fields.get(3) {
        Some(text) => parse(text)?,
        None => 1,
    };
    Ok((fields[0].to_string(), Score { subject: fields[1].to_lowercase(), points, weight }))
}

/// The weighted mean in tenths, rounded; none where nothing has a weight.
fn mean(results: &[Score]) -> Option<u32> {
    let weights: u32 = results.iter().map(|result| result.weight).sum();
    let points: u32 = results.iter().map(|result| result.points * result.weight).sum();
    if weights == 0 { None } else { Some((points * 10 + weights / 2) / weights) }
}

fn mark(tenths: u32) -> char {
    MARKS.iter().find(|(least, _)| tenths >= least * 10).map_or('?', |(_, mark)| *mark)
}

fn tenths(value: u32) -> String {
    format!("{}.{}", value / 10, value % 10)
}

fn table(class: &Class) -> String {
    let subjects = class.subjects();
    let width = class.students.keys().map(String::len).max().unwrap_or(0).max(4);
    let mut out = format!("{:<width$}", "name");
    for subject in &subjects {
        out.push_str(&format!(" {subject:>7.7}"));
    }
    out.push_str("    mean\n");
    for (name, results) in &class.students {
        out.push_str(&format!("{name:<width$}"));
        for subject in &subjects {
            match results.iter().find(|result| result.subject == *subject) {
                Some(result) => out.push_str(&format!(" {:>7}", result.points)),
                None => out.push_str(&format!(" {:>7}", "-")),
            }
        }
        match mean(results) {
            Some(value) => out.push_str(&format!(" {:>5} {}\n", tenths(value), mark(value))),
            None => out.push_str("     -\n"),
        }
    }
    out
}

/// Those with the best mean; equal ones share a place.
fn best(class: &Class) -> String {
    let mut ranked: Vec<(u32, &str)> =
        class.students.iter().filter_map(|(name, results)| Some((mean(results)?, name.as_str()))).collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let mut out = String::new();
    let mut place = 0;
    let mut last = None;
    for (index, (value, name)) in ranked.iter().enumerate() {
        if last != Some(*value) {
            place = index + 1;
        }
        last = Some(*value);
        if place > 3 {
            break;
        }
        out.push_str(&format!("{place}. {name} ({})\n", tenths(*value)));
    }
    out
}

fn subjects(class: &Class) -> String {
    let mut out = String::new();
    for subject in class.subjects() {
        let mut sum = 0;
        let mut count = 0;
        let mut least = MOST_POINTS;
        let mut most = 0;
        for result in class.students.values().flatten().filter(|result| result.subject == subject) {
            sum += result.points;
            count += 1;
            least = least.min(result.points);
            most = most.max(result.points);
        }
        let plural = if count == 1 { "" } else { "s" };
        out += &format!(
            "{subject}: {count} student{plural}, {least} to {most}, mean {}\n",
            tenths((sum * 10 + count / 2) / count)
        );
    }
    out
}

fn histogram(class: &Class) -> String {
    let mut counts: BTreeMap<char, usize> = MARKS.iter().map(|(_, mark)| (*mark, 0)).collect();
    for value in class.students.values().filter_map(|results| mean(results)) {
        *counts.entry(mark(value)).or_insert(0) += 1;
    }
    let most = counts.values().copied().max().unwrap_or(0).max(1);
    let mut out = String::new();
    for (mark, count) in counts {
        let bar = "#".repeat(count * BAR / most);
        out.push_str(format!("{mark} {count:>2} {bar}").trim_end());
        out.push('\n');
    }
    out
}

fn student(class: &Class, name: &str) -> Result<String, Mistake> {
    let results = class.students.get(name).ok_or_else(|| Mistake::Student(name.to_string()))?;
    let mut out = format!("{name}\n");
    for result in results {
        out.push_str(&format!("  {}: {}", result.subject, result.points));
        if result.weight != 1 {
            out.push_str(&format!(" (x{})", result.weight));
        }
        out.push('\n');
    }
    if let Some(value) = mean(results) {
        out.push_str(&format!("  {} {}\n", mark(value), tenths(value)));
    }
    Ok(out)
}

fn run(arguments: &[String], input: &str) -> Result<String, Mistake> {
    let class = Class::parse(input)?;
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] | ["table"] => Ok(table(&class)),
        ["best"] => Ok(best(&class)),
        ["subjects"] => Ok(subjects(&class)),
        ["histogram"] => Ok(histogram(&class)),
        ["student", name] => student(&class, name),
        [word, ..] => Err(Mistake::Command(word.to_string())),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let mut input = String::new();
    if io::stdin().read_to_string(&mut input).is_err() {
        println!("error: the input is no text");
        return ExitCode::FAILURE;
    }
    match run(&arguments, &input) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(mistake) => {
            println!("error: {mistake}");
            ExitCode::FAILURE
        }
    }
}
