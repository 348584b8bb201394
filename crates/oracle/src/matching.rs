//! A call's format beside the text that is expected.
//!
//! Each part of the format may end at several places of the text. Forward, layer by layer, the places that can be reached
//! are collected; backward, each keeps its best ways to the end of the call.

use std::collections::{BTreeMap, BTreeSet};

use crate::format::{Conversion, Count, Format, Kind, Piece};
use crate::print::{Field, printed};
use crate::reading::{lengths, read};
use crate::requirement::extended;
use crate::{Alternative, Argument, Match, Need, Place, Refusal, Requirement, Text};

/// The most alternatives that are given for a call.
pub const MOST_ALTERNATIVES: usize = 16;

/// The most ends of one string that are tried at first.
const MOST_ENDS: usize = 64;

/// The work that a match may cost: bytes of the text that strings run over, and for each end of a part as much as 256.
const MOST_WORK: usize = 1 << 28;

/// What the arguments of a printf call with this format have to be so that it prints the start of `expected`.
///
/// Arguments count from 0, the first one after the format. Widths and precisions that are arguments stay as they are.
pub fn match_format(format: &[u8], arguments: &[Argument], expected: &[u8]) -> Match {
    Format::parse(format)
        .and_then(|format| Parts::of_format(&format, arguments, None))
        .map_or_else(Match::Refused, |parts| parts.matched(arguments, expected, None))
}

/// A part of what a call prints.
enum Part {
    Literal(Vec<u8>),
    Field {
        field: Field,
        argument: usize,
        /// What the call prints of it.
        printed: Vec<u8>,
    },
}

/// All that a call prints.
pub(crate) struct Parts {
    parts: Vec<Part>,
    /// Arguments that are widths and precisions.
    counts: Vec<Need>,
}

/// A way on from a place.
struct Edge {
    end: usize,
    cost: u64,
}

/// Of each part, its ways on from each place where it may start.
type Layers = Vec<BTreeMap<usize, Vec<Edge>>>;

/// Places where the parts end, the last part's first.
#[derive(Clone)]
struct Path {
    cost: u64,
    ends: Vec<usize>,
}

/// The cost of an argument that has to change, against which every other weighs nothing.
const CHANGE: u64 = 1 << 32;

impl Parts {
    /// `message` is that of the error which `%m` tells.
    pub fn of_format(format: &Format, arguments: &[Argument], message: Option<&[u8]>) -> Result<Parts, Refusal> {
        let mut found = Parts { parts: Vec::new(), counts: Vec::new() };
        for piece in &format.pieces {
            match piece {
                Piece::Literal(text) => found.parts.push(Part::Literal(text.clone())),
                Piece::Conversion(conversion) => found.conversion(conversion, arguments, message)?,
            }
        }
        Ok(found)
    }

    fn conversion(
        &mut self,
        conversion: &Conversion,
        arguments: &[Argument],
        message: Option<&[u8]>,
    ) -> Result<(), Refusal> {
        let field = Field::new(conversion, arguments)?;
        let printed = printed(conversion, arguments, message)?;
        for count in [conversion.width, conversion.precision] {
            if let Some(Count::Argument(index)) = count
                && let Some(Argument::Word(word)) = arguments.get(index)
            {
                let shown = extended(32, *word).to_string().into_bytes();
                let requirement = Requirement::Integer { bits: 32, signed: true, value: u64::from(*word as u32) };
                let place = Place::Argument(index);
                self.counts.push(Need { place, requirement, printed: shown.clone(), expected: shown });
            }
        }
        self.parts.push(match conversion.argument {
            Some(argument) => Part::Field { field, argument, printed },
            None => Part::Literal(printed),
        });
        Ok(())
    }

    /// What the call prints.
    pub fn printed(&self) -> Vec<u8> {
        let text = |part: &Part| match part {
            Part::Literal(text) => text.clone(),
            Part::Field { printed, .. } => printed.clone(),
        };
        self.parts.iter().flat_map(text).collect()
    }

    /// Beside `expected`. With `beyond`, output that is right so far counts as wrong: more than so many bytes are wanted.
    pub fn matched(&self, arguments: &[Argument], expected: &[u8], beyond: Option<usize>) -> Match {
        let printed = self.printed();
        if beyond.is_none() && expected.starts_with(&printed) {
            return Match::Equal { consumed: printed.len() };
        }
        let least = beyond.map_or(0, |beyond| beyond + 1);
        let mut found = Match::Refused(Refusal::Ambiguous);
        for most_ends in [MOST_ENDS, usize::MAX] {
            let mut search = Search { expected, most_ends, work: 0, cut: false, furthest: 0 };
            let Some(layers) = search.forward(&self.parts) else { break };
            let (paths, all) = self.backward(&layers, expected, least);
            if !paths.is_empty() {
                found = self.requires(&paths, arguments, expected, all && !search.cut);
            } else if !search.cut {
                found = Match::Impossible { at: search.furthest };
            }
            // What was left out may change less.
            if !search.cut {
                break;
            }
        }
        found
    }

    /// Whether an argument is printed more than once, or is a width too. What an alternative costs is then not the sum
    /// over its parts.
    fn repeats(&self) -> bool {
        let mut seen = BTreeSet::new();
        let fields = self.parts.iter().filter_map(|part| match part {
            Part::Field { argument, .. } => Some(Place::Argument(*argument)),
            Part::Literal(_) => None,
        });
        !fields.chain(self.counts.iter().map(|need| need.place)).all(|place| seen.insert(place))
    }

    /// The best paths through all parts that end at `least` or later, and whether these are all.
    fn backward(&self, layers: &Layers, expected: &[u8], least: usize) -> (Vec<Path>, bool) {
        let keep_all = self.repeats();
        let most = if keep_all { MOST_ALTERNATIVES * 16 } else { MOST_ALTERNATIVES };
        let mut all = true;
        // Of the place where the part after the one in question starts.
        let mut after: Option<BTreeMap<usize, Vec<Path>>> = None;
        for layer in layers.iter().rev() {
            let mut here = BTreeMap::new();
            for (start, edges) in layer {
                let mut paths = Vec::new();
                for edge in edges {
                    let last = [Path { cost: 0, ends: Vec::new() }];
                    let onward = match &after {
                        Some(after) => after.get(&edge.end).map_or(&[][..], Vec::as_slice),
                        None if edge.end >= least => &last[..],
                        None => &[][..],
                    };
                    for path in onward {
                        let mut ends = path.ends.clone();
                        ends.push(edge.end);
                        paths.push(Path { cost: path.cost + edge.cost, ends });
                    }
                }
                let end = |path: &Path| path.ends.first().copied().unwrap_or(expected.len());
                paths.sort_by_key(|path| (path.cost, std::cmp::Reverse(end(path))));
                let fewest = paths.first().map_or(0, |path| path.cost / CHANGE);
                paths.retain(|path| keep_all || path.cost / CHANGE == fewest);
                all &= paths.len() <= most;
                paths.truncate(most);
                if !paths.is_empty() {
                    here.insert(*start, paths);
                }
            }
            after = Some(here);
        }
        (after.and_then(|mut after| after.remove(&0)).unwrap_or_default(), all)
    }

    fn requires(&self, paths: &[Path], arguments: &[Argument], expected: &[u8], mut complete: bool) -> Match {
        let alternatives = paths.iter().filter_map(|path| self.alternative(path, arguments, expected));
        let mut alternatives: Vec<Alternative> = alternatives.collect();
        let changes =
            |alternative: &Alternative| alternative.needs.iter().map(|need| need.place).collect::<BTreeSet<_>>().len();
        let Some(fewest) = alternatives.iter().map(changes).min() else {
            return Match::Refused(if complete { Refusal::Repeated } else { Refusal::Ambiguous });
        };
        alternatives.retain(|alternative| changes(alternative) == fewest);
        complete &= alternatives.len() <= MOST_ALTERNATIVES;
        alternatives.truncate(MOST_ALTERNATIVES);
        Match::Requires { alternatives, complete }
    }

    fn alternative(&self, path: &Path, arguments: &[Argument], expected: &[u8]) -> Option<Alternative> {
        let mut needs = self.counts.clone();
        let mut start = 0;
        for (part, end) in self.parts.iter().zip(path.ends.iter().rev().copied()) {
            if let Part::Field { field, argument, printed } = part {
                let text = &expected[start..end];
                let requirement = match field.kind {
                    Kind::Text => Requirement::Text(strings(field, text)),
                    _ => read(field, text)?,
                };
                let place = Place::Argument(*argument);
                needs.push(Need { place, requirement, printed: printed.clone(), expected: text.into() });
            }
            start = end;
        }
        Alternative::sorted(needs, arguments, start)
    }
}

/// The strings that print `text`, which is at least as long as the width.
fn strings(field: &Field, text: &[u8]) -> Text {
    let blanks = |bytes: &mut dyn Iterator<Item = &u8>| bytes.take_while(|byte| **byte == b' ').count();
    let left = field.flags.left;
    let optional = match (text.len() > field.width, left) {
        (true, _) => 0,
        (false, true) => blanks(&mut text.iter().rev()),
        (false, false) => blanks(&mut text.iter()),
    };
    Text { text: text.into(), optional, left, limit: field.precision }
}

/// The forward half of a match.
struct Search<'a> {
    expected: &'a [u8],
    most_ends: usize,
    work: usize,
    /// Ends were left out.
    cut: bool,
    furthest: usize,
}

impl Search<'_> {
    /// Nothing if that takes too long.
    fn forward(&mut self, parts: &[Part]) -> Option<Layers> {
        let mut layers = Vec::new();
        let mut starts = BTreeSet::from([0]);
        for (index, part) in parts.iter().enumerate() {
            let mut layer = BTreeMap::new();
            for start in starts {
                let edges = self.edges(part, parts.get(index + 1), start);
                self.work += edges.len() * 256;
                if self.work > MOST_WORK {
                    return None;
                }
                layer.insert(start, edges);
            }
            starts = layer.values().flatten().map(|edge| edge.end).collect();
            layers.push(layer);
        }
        Some(layers)
    }

    fn edges(&mut self, part: &Part, next: Option<&Part>, start: usize) -> Vec<Edge> {
        let rest = &self.expected[start..];
        match part {
            Part::Literal(text) => {
                let end = start + text.len();
                if self.follows(text, start) { vec![Edge { end, cost: 0 }] } else { Vec::new() }
            }
            Part::Field { field, printed, .. } => {
                self.furthest = self.furthest.max(start);
                let literal = match next {
                    Some(Part::Literal(literal)) => Some(&literal[..]),
                    _ => None,
                };
                if field.kind == Kind::Text {
                    return self.strings(field, printed, literal, start);
                }
                let open = |length| literal.is_none_or(|literal| self.follows(literal, start + length));
                let found = lengths(field, rest, open);
                let longest = found.last().copied().unwrap_or(0);
                let edge = |length| {
                    let changed = rest[..length] != **printed;
                    // A number goes as far as it can, as a reader sees it.
                    let cost = (longest - length).min(15) as u64 + u64::from(changed) * CHANGE;
                    Edge { end: start + length, cost }
                };
                found.into_iter().map(edge).collect()
            }
        }
    }

    /// Whether a text of the format stands there.
    fn follows(&mut self, literal: &[u8], at: usize) -> bool {
        let common = literal.iter().zip(&self.expected[at..]).take_while(|(a, b)| a == b).count();
        self.furthest = self.furthest.max(at + common);
        common == literal.len()
    }

    /// The places where a string may end: where the text that follows it in the format is found, or anywhere.
    fn strings(&mut self, field: &Field, printed: &[u8], literal: Option<&[u8]>, start: usize) -> Vec<Edge> {
        let rest = &self.expected[start..];
        let readable = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
        let most = field.precision.map_or(readable, |limit| limit.max(field.width).min(readable));
        let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        let lines_printed = lines(printed);
        let mut lines_read = lines(&rest[..field.width.min(rest.len())]);
        self.work += most;
        let mut edges = Vec::new();
        for length in field.width..=most {
            if length > field.width && rest[length - 1] == b'\n' {
                lines_read += 1;
            }
            if literal.is_some_and(|literal| !self.follows(literal, start + length)) {
                continue;
            }
            let text = &rest[..length];
            if field.precision.is_some_and(|limit| length - strings(field, text).optional > limit) {
                continue;
            }
            let cost = if text == printed {
                0
            } else {
                // As many lines as now, whole words and not nothing, about as long as now.
                let word = |at: usize| rest.get(at).is_some_and(u8::is_ascii_alphanumeric);
                let torn = literal.is_none() && (length == 0 || (word(length - 1) && word(length)));
                let unlike = lines_read.abs_diff(lines_printed).min(15) * 64 + usize::from(torn) * 32;
                CHANGE + (unlike + length.abs_diff(printed.len()).min(31)) as u64
            };
            edges.push(Edge { end: start + length, cost });
        }
        if edges.len() > self.most_ends {
            self.cut = true;
            edges.sort_by_key(|edge| edge.cost);
            edges.truncate(self.most_ends);
        }
        edges
    }
}

/// The parts of a call that prints a string and then `after`.
pub(crate) fn string_parts(argument: usize, arguments: &[Argument], after: &[u8]) -> Result<Parts, Refusal> {
    simple_parts(Kind::Text, argument, arguments, after)
}

/// The parts of a call that prints one byte.
pub(crate) fn byte_parts(argument: usize, arguments: &[Argument]) -> Result<Parts, Refusal> {
    simple_parts(Kind::Character, argument, arguments, b"")
}

fn simple_parts(kind: Kind, argument: usize, arguments: &[Argument], after: &[u8]) -> Result<Parts, Refusal> {
    let field = Field { flags: Default::default(), width: 0, precision: None, kind };
    let value = arguments.get(argument).ok_or(Refusal::MissingArgument(argument))?;
    let printed = field.print(value).ok_or(Refusal::WrongArgument(argument))?;
    let mut parts = vec![Part::Field { field, argument, printed }];
    if !after.is_empty() {
        parts.push(Part::Literal(after.into()));
    }
    Ok(Parts { parts, counts: Vec::new() })
}
