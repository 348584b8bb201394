//! Calls of a function of C or C++ as source: a driver that takes numbers and texts from the program's arguments, and a test that
//! has them in it.

use std::fmt::Write;

use whydunit_symbolic::ENTRY;

use super::calls::{Language, Signature};
use super::given::{Given, Kind, Leaf, Shape};

/// What a driver of C needs.
const C: &str = include_str!("driver.c");
/// What a driver of C++ needs.
const CPP: &str = include_str!("driver.cpp");

/// What leaves are in a source.
#[derive(Clone, Copy)]
enum Leaves<'a> {
    /// The program's arguments.
    Arguments,
    /// These.
    Values(&'a [String]),
}

/// A file's text with a driver behind it.
pub fn driver(signature: &Signature, given: &Given) -> String {
    let writer = Writer { signature, given, leaves: Leaves::Arguments };
    let (objects, call) = writer.call();
    let mut body = objects;
    let name = writer.name();
    let is_c = signature.language == Language::C;
    match (is_c, signature.void) {
        (_, true) => _ = writeln!(body, "    {name}({call});"),
        (true, false) => {
            _ = writeln!(body, "    __auto_type whydunit_result = {name}({call});");
            body.push_str(
                "    whydunit_show(&whydunit_result, WHYDUNIT_KIND(whydunit_result), sizeof whydunit_result);\n",
            );
        }
        (false, false) => _ = writeln!(body, "    (void)({name}({call}), whydunit_done());"),
    }
    body.push_str(&writer.shown());
    let wanted = given.leaves.len() + 1;
    let common = if is_c { C } else { CPP };
    let start = format!(
        "    if (!getenv(\"{}\"))\n        return;\n    if (argc != {wanted})\n        exit(2);\n",
        super::VARIABLE
    );
    let open = writer.namespaces();
    if is_c {
        return format!(
            "\n{common}\n__attribute__((constructor)) static void {ENTRY}(int argc, char **argv) {{\n{start}{body}    exit(0);\n}}\n"
        );
    }
    // Behind what the file's own objects are made by.
    format!(
        "\n{common}{open}\nstatic int whydunit_argc;\nstatic char **whydunit_argv;\n__attribute__((constructor(101))) static void \
         {ENTRY}(int argc, char **argv) {{\n    whydunit_argc = argc;\n    whydunit_argv = argv;\n}}\nstatic void \
         whydunit_call(int argc, char **argv) {{\n{start}{body}    exit(0);\n}}\nstatic struct whydunit_start {{\n    \
         whydunit_start() {{ whydunit_call(whydunit_argc, whydunit_argv); }}\n}} whydunit_started;\n"
    )
}

/// A program that calls the function with these values, to be compiled in place of the file that has it.
pub fn unit_test(signature: &Signature, given: &Given, values: &[String], file: &str) -> String {
    let writer = Writer { signature, given, leaves: Leaves::Values(values) };
    let (objects, call) = writer.call();
    let objects: String = objects
        .lines()
        .map(|line| format!("{}\n", line.replacen("    static ", "    ", usize::from(line.starts_with("    static ")))))
        .collect();
    let name = writer.name();
    let file = file.rsplit('/').next().unwrap_or(file);
    format!(
        "/* To be compiled in place of {file}, and beside it. */\n#define main main_of_the_program\n#include \"{file}\"\n#undef main\n{}\n\
         int main(void) {{\n{objects}    {name}({call});\n    return 0;\n}}\n",
        writer.namespaces(),
    )
}

struct Writer<'a> {
    signature: &'a Signature,
    given: &'a Given,
    leaves: Leaves<'a>,
}

impl Writer<'_> {
    fn is_c(&self) -> bool {
        self.signature.language == Language::C
    }

    fn name(&self) -> &str {
        &self.signature.name
    }

    /// The function's own namespaces are open, so that types are found.
    fn namespaces(&self) -> String {
        let parts: Vec<&str> = self.name().split("::").collect();
        let open = (1..parts.len()).map(|end| parts[..end].join("::"));
        // What is a class is none.
        let is_namespace =
            |name: &String| !name.rsplit("::").next().is_some_and(|last| last.starts_with(char::is_uppercase));
        open.filter(is_namespace).map(|name| format!("using namespace {name};\n")).collect()
    }

    /// A leaf as an expression.
    fn leaf(&self, number: usize) -> String {
        let Leaf { kind, .. } = &self.given.leaves[number];
        let argument = format!("argv[{}]", number + 1);
        match (self.leaves, kind) {
            (Leaves::Arguments, Kind::Integer { bytes: 8, signed: false }) => format!("strtoull({argument}, 0, 10)"),
            (Leaves::Arguments, Kind::Float) => format!("strtod({argument}, 0)"),
            (Leaves::Arguments, Kind::String(_)) => argument,
            (Leaves::Arguments, _) => format!("strtoll({argument}, 0, 10)"),
            (_, Kind::Text(_)) => format!("whydunit_text_{number}"),
            (Leaves::Values(values), Kind::String(_)) => quoted(&values[number]),
            (Leaves::Values(values), Kind::Integer { bytes: 8, signed }) => {
                format!("{}{}", values[number], if *signed { "LL" } else { "ULL" })
            }
            (Leaves::Values(values), Kind::Enum(name, _)) => {
                let shown = self.given.leaves[number].shown(&values[number]);
                match shown.parse::<i128>() {
                    Ok(_) if self.is_c() => shown,
                    Ok(_) => format!("({name}){shown}"),
                    Err(_) if self.is_c() => shown,
                    Err(_) => format!("{name}::{shown}"),
                }
            }
            (Leaves::Values(values), Kind::Float) => match &values[number][..] {
                "inf" => "__builtin_inf()".into(),
                "-inf" => "-__builtin_inf()".into(),
                "NaN" => "__builtin_nan(\"\")".into(),
                value => value.into(),
            },
            (Leaves::Values(values), _) => values[number].clone(),
        }
    }

    /// A leaf as an argument.
    fn argument(&self, number: usize) -> String {
        let leaf = self.leaf(number);
        match (&self.given.leaves[number].kind, self.leaves) {
            (Kind::Integer { .. } | Kind::Bool | Kind::Enum(..), Leaves::Arguments) if !self.is_c() => {
                format!("whydunit_number({leaf})")
            }
            _ => leaf,
        }
    }

    /// Statements that give a place its value.
    fn assign(&self, place: &str, shape: &Shape, out: &mut String) {
        match shape {
            Shape::Leaf(number) => {
                let leaf = self.leaf(*number);
                let set = matches!(self.given.leaves[*number].kind, Kind::Integer { .. } | Kind::Bool | Kind::Enum(..));
                _ = match (self.is_c(), set, self.leaves) {
                    (false, true, Leaves::Arguments) => writeln!(out, "    whydunit_set({place}, {leaf});"),
                    _ => writeln!(out, "    {place} = {leaf};"),
                };
            }
            Shape::Null => _ = writeln!(out, "    {place} = 0;"),
            Shape::Pointer(object) => _ = writeln!(out, "    {place} = whydunit_{object};"),
            Shape::Struct { members, .. } => {
                for (name, member) in members {
                    self.assign(&format!("{place}.{name}"), member, out);
                }
            }
            Shape::Array(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    self.assign(&format!("{place}[{at}]"), part, out);
                }
            }
            Shape::Sequence { elements, .. } => {
                _ = writeln!(out, "    {place}.resize({});", elements.len());
                for (at, element) in elements.iter().enumerate() {
                    self.assign(&format!("{place}[{at}]"), element, out);
                }
            }
        }
    }

    /// What has to be there, and the arguments of the call.
    fn call(&self) -> (String, String) {
        let mut out = String::new();
        for (number, leaf) in self.given.leaves.iter().enumerate() {
            _ = match (&leaf.kind, self.leaves) {
                (Kind::Text(room), Leaves::Values(values)) => {
                    let room = values[number].len().max(*room as usize) + 1;
                    writeln!(out, "    char whydunit_text_{number}[{room}] = {};", quoted(&values[number]))
                }
                (Kind::Text(room), Leaves::Arguments) => {
                    writeln!(out, "    char *whydunit_text_{number} = whydunit_text(argv[{}], {room});", number + 1)
                }
                _ => Ok(()),
            };
        }
        for (number, object) in self.given.objects.iter().enumerate() {
            _ = writeln!(out, "    static {} whydunit_{number}[{}];", object.ty, object.elements.len());
        }
        for (number, object) in self.given.objects.iter().enumerate() {
            for (at, element) in object.elements.iter().enumerate() {
                self.assign(&format!("whydunit_{number}[{at}]"), element, &mut out);
            }
        }
        let mut arguments = Vec::new();
        for (number, (_, shape)) in self.given.params.iter().enumerate() {
            let reference = self.signature.references.get(number).copied().unwrap_or(false);
            let local = |ty: &str, out: &mut String| {
                _ = writeln!(out, "    static {ty} whydunit_parameter_{number};");
                let place = format!("whydunit_parameter_{number}");
                self.assign(&place, shape, out);
                place
            };
            arguments.push(match shape {
                Shape::Leaf(leaf) if matches!(self.given.leaves[*leaf].kind, Kind::String(_)) => {
                    local("std::string", &mut out)
                }
                Shape::Leaf(leaf) => self.argument(*leaf),
                Shape::Null | Shape::Array(_) => "0".into(),
                Shape::Pointer(object) if reference => format!("whydunit_{object}[0]"),
                Shape::Pointer(object) => format!("whydunit_{object}"),
                Shape::Struct { ty, .. } | Shape::Sequence { ty, .. } => local(ty, &mut out),
            });
        }
        (out, arguments.join(", "))
    }

    /// Statements that print the numbers that pointers led to.
    fn shown(&self) -> String {
        let mut out = String::new();
        for (number, (_, shape)) in self.given.params.iter().enumerate() {
            match shape {
                Shape::Leaf(leaf) if matches!(self.given.leaves[*leaf].kind, Kind::Text(_)) => {
                    self.show(&format!("whydunit_text_{leaf}"), shape, &mut out);
                }
                Shape::Sequence { .. } => self.show(&format!("whydunit_parameter_{number}"), shape, &mut out),
                _ => {}
            }
        }
        for (number, object) in self.given.objects.iter().enumerate() {
            for (at, element) in object.elements.iter().enumerate() {
                self.show(&format!("whydunit_{number}[{at}]"), element, &mut out);
            }
        }
        out
    }

    fn show(&self, place: &str, shape: &Shape, out: &mut String) {
        match shape {
            Shape::Leaf(_) if self.is_c() => {
                _ = writeln!(out, "    whydunit_show(&{place}, WHYDUNIT_KIND({place}), sizeof {place});");
            }
            Shape::Leaf(_) => _ = writeln!(out, "    (void)({place}, whydunit_done());"),
            Shape::Struct { members, .. } => {
                for (name, member) in members {
                    self.show(&format!("{place}.{name}"), member, out);
                }
            }
            Shape::Array(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    self.show(&format!("{place}[{at}]"), part, out);
                }
            }
            Shape::Sequence { .. } => _ = writeln!(out, "    (void)({place}, whydunit_done());"),
            Shape::Null | Shape::Pointer(_) => {}
        }
    }
}

/// A text as a literal.
fn quoted(text: &str) -> String {
    let escaped = text.bytes().map(|byte| match byte {
        b'"' => "\\\"".into(),
        b'\\' => "\\\\".into(),
        b'\n' => "\\n".into(),
        32..=126 => char::from(byte).to_string(),
        // Digits behind it are not part of it: three are all.
        other => format!("\\{other:03o}"),
    });
    format!("\"{}\"", escaped.collect::<String>())
}
