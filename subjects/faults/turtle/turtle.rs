//! Draws on a board of characters, as a small program says that it reads from standard input.
//!
//! `forward N`, `back N`, `left`, `right`, `up`, `down` (the pen), `pen C`, `home`, `set X N`, `add X N`,
//! `repeat N [ ... ]`, `if X < N [ ... ]` (also `>` and `=`), `to NAME [ ... ]` and `NAME`, `where`, `show`, `clear`.
//! N is a number or a variable.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read};

const WIDTH: i64 = 24;
const HEIGHT: i64 = 10;
const DEPTH: usize = 20;
const STEPS: usize = 2000;

#[derive(Clone, Debug)]
enum Value {
    Number(i64),
    Variable(String),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Test {
    Less,
    Greater,
    Equal,
}

#[derive(Clone, Debug)]
enum Command {
    Move { by: Value, backwards: bool },
    Turn(i64),
    Pen(bool),
    Sign(char),
    Home,
    Set(String, Value),
    Add(String, Value),
    Repeat(Value, Vec<Command>),
    If(Value, Test, Value, Vec<Command>),
    To(String, Vec<Command>),
    Call(String),
    Where,
    Show,
    Clear,
}

#[derive(Debug)]
enum Error {
    Missing(&'static str),
    NoNumber(String),
    NoVariable(String),
    NoWord(String),
    TooDeep,
    TooLong,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Missing(what) => write!(f, "{what} is missing"),
            Error::NoNumber(word) => write!(f, "{word} is no number"),
            Error::NoVariable(name) => write!(f, "{name} has no value"),
            Error::NoWord(name) => write!(f, "what is {name}?"),
            Error::TooDeep => f.write_str("calls are too deep"),
            Error::TooLong => f.write_str("the program takes too long"),
        }
    }
}

struct Parser<'a> {
    words: std::str::SplitWhitespace<'a>,
}

impl<'a> Parser<'a> {
    fn word(&mut self, what: &'static str) -> Result<&'a str, Error> {
        self.words.next().ok_or(Error::Missing(what))
    }

    fn value(&mut self) -> Result<Value, Error> {
        let word = self.word("a number")?;
        match word.parse() {
            Ok(number) => Ok(Value::Number(number)),
            Err(_) if word.chars().all(char::is_alphabetic) => Ok(Value::Variable(word.to_string())),
            Err(_) => Err(Error::NoNumber(word.to_string())),
        }
    }

    fn block(&mut self) -> Result<Vec<Command>, Error> {
        match self.word("[")? {
            "[" => self.commands(true),
            _ => Err(Error::Missing("[")),
        }
    }

    fn commands(&mut self, inner: bool) -> Result<Vec<Command>, Error> {
        let mut commands = Vec::new();
        while let Some(word) = self.words.next() {
            if inner && word == "]" {
                return Ok(commands);
            }
            commands.push(self.command(word)?);
        }
        if inner { Err(Error::Missing("]")) } else { Ok(commands) }
    }

    fn command(&mut self, word: &str) -> Result<Command, Error> {
        Ok(match word {
            "forward" => Command::Move { by: self.value()?, backwards: false },
            "back" => Command::Move { by: self.value()?, backwards: true },
            "left" => Command::Turn(-1),
            "right" => Command::Turn(1),
            "up" => Command::Pen(false),
            "down" => Command::Pen(true),
            "pen" => Command::Sign(self.word("a sign")?.chars().next().unwrap_or('*')),
            "home" => Command::Home,
            "set" => Command::Set(self.word("a name")?.to_string(), self.value()?),
            "add" => Command::Add(self.word("a name")?.to_string(), self.value()?),
            "repeat" => Command::Repeat(self.value()?, self.block()?),
            "to" => Command::To(self.word("a name")?.to_string(), self.block()?),
            "where" => Command::Where,
            "show" => Command::Show,
            "clear" => Command::Clear,
            "if" => {
                let left = self.value()?;
                let test = match self.word("a comparison")? {
                    "<" => Test::Less,
                    ">" => Test::Greater,
                    "=" => Test::Equal,
                    _ => return Err(Error::Missing("a comparison")),
                };
                Command::If(left, test, self.value()?, self.block()?)
            }
            name => Command::Call(name.to_string()),
        })
    }
}

struct Turtle {
    x: i64,
    y: i64,
    /// 0 is north, 1 east, 2 south, 3 west.
    direction: i64,
    draws: bool,
    sign: char,
    board: Vec<Vec<char>>,
    variables: HashMap<String, i64>,
    words: HashMap<String, Vec<Command>>,
    steps: usize,
    out: String,
}

impl Turtle {
    fn new() -> Turtle {
        Turtle {
            x: 0,
            y: 0,
            direction: 1,
            draws: true,
            sign: '*',
            board: vec![vec!['.'; WIDTH as usize]; HEIGHT as usize],
            variables: HashMap::new(),
            words: HashMap::new(),
            steps: 0,
            out: String::new(),
        }
    }

    fn value(&self, value: &Value) -> Result<i64, Error> {
        match value {
            Value::Number(number) => Ok(*number),
            Value::Variable(name) => self.variables.get(name).copied().ok_or_else(|| Error::NoVariable(name.clone())),
        }
    }

    fn mark(&mut self) {
        if self.draws && (0..WIDTH).contains(&self.x) && (0..HEIGHT).contains(&self.y) {
            self.board[self.y as usize][self.x as usize] = self.sign;
        }
    }

    fn go(&mut self, by: i64) {
        let (dx, dy) = match self.direction {
            0 => (0, -1),
            1 => (1, 0),
            2 => (0, 1),
            _ => (-1, 0),
        };
        for _ in 0..by.abs() {
            self.mark();
            self.x += dx * by.signum();
            self.y += dy * by.signum();
        }
        self.mark();
    }

    fn show(&mut self) {
        for row in &self.board {
            let line: String = row.iter().collect();
            self.out.push_str(line.trim_end_matches('.'));
            self.out.push('\n');
        }
        self.out.push_str(&"-".repeat(WIDTH as usize));
        self.out.push('\n');
    }

    fn run(&mut self, commands: &[Command], depth: usize) -> Result<(), Error> {
        if depth > DEPTH {
            return Err(Error::TooDeep);
        }
        for command in commands {
            self.steps += 1;
            if self.steps > STEPS {
                return Err(Error::TooLong);
            }
            self.execute(command, depth)?;
        }
        Ok(())
    }

    fn execute(&mut self, command: &Command, depth: usize) -> Result<(), Error> {
        match command {
            Command::Move { by, backwards } => {
                let by = self.value(by)?;
                self.go(if *backwards { -by } else { by });
            }
            Command::Turn(by) => self.direction = (self.direction + by).rem_euclid(4),
            Command::Pen(draws) => self.draws = *draws,
            Command::Sign(sign) => self.sign = *sign,
            Command::Home => {
                self.x = 0;
                self.y = 0;
                self.direction = 1;
            }
            Command::Set(name, value) => {
                let value = self.value(value)?;
                self.variables.insert(name.clone(), value);
            }
            Command::Add(name, value) => {
                let value = self.value(value)?;
                *self.variables.entry(name.clone()).or_insert(0) += value;
            }
            Command::Repeat(times, body) => {
                for _ in 0..self.value(times)? {
                    self.run(body, depth)?;
                }
            }
            Command::If(left, test, right, body) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let holds = match test {
                    Test::Less => left < right,
                    Test::Greater => left > right,
                    Test::Equal => left == right,
                };
                if holds {
                    self.run(body, depth)?;
                }
            }
            Command::To(name, body) => {
                self.words.insert(name.clone(), body.clone());
            }
            Command::Call(name) => {
                let body = self.words.get(name).cloned().ok_or_else(|| Error::NoWord(name.clone()))?;
                self.run(&body, depth + 1)?;
            }
            Command::Where => {
                let name = ["north", "east", "south", "west"][self.direction as usize];
                self.out.push_str(&format!("at {},{} facing {name}\n", self.x, self.y));
            }
            Command::Show => self.show(),
            Command::Clear => self.board.iter_mut().for_each(|row| row.fill('.')),
        }
        Ok(())
    }
}

fn main() {
    let mut input = String::new();
    if io::stdin().read_to_string(&mut input).is_err() {
        println!("error: the program is no text");
        return;
    }
    let mut turtle = Turtle::new();
    let mut parser = Parser { words: input.split_whitespace() };
    let result = parser.commands(false).and_then(|commands| turtle.run(&commands, 0));
    print!("{}", turtle.out);
    if let Err(error) = result {
        println!("error: {error}");
        std::process::exit(1);
    }
}
