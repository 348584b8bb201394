//! What is what in a line of C, for the eye only.

/// What a piece of source is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Names, operators, spaces.
    Plain,
    /// Words of the language.
    Keyword,
    /// Texts and characters.
    Text,
    /// Comments.
    Comment,
    /// Numbers.
    Number,
    /// Directives.
    Directive,
}

impl Kind {
    /// The class of its element.
    pub const fn class(self) -> &'static str {
        match self {
            Kind::Plain => "",
            Kind::Keyword => "k",
            Kind::Text => "s",
            Kind::Comment => "c",
            Kind::Number => "n",
            Kind::Directive => "p",
        }
    }
}

const KEYWORDS: &[&str] = &[
    "auto", "bool", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
    "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed",
    "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
];

/// Goes through a file line by line.
#[derive(Default)]
pub struct Highlighter {
    in_comment: bool,
}

impl Highlighter {
    /// The kind of each character of the next line.
    pub fn line(&mut self, line: &str) -> Vec<Kind> {
        let chars: Vec<char> = line.chars().collect();
        let mut kinds = Vec::with_capacity(chars.len());
        let directive = !self.in_comment && line.trim_start().starts_with('#');
        let rest = if directive { Kind::Directive } else { Kind::Plain };
        while kinds.len() < chars.len() {
            let at = kinds.len();
            let (kind, length) = self.token(&chars[at..], rest);
            kinds.resize(at + length.max(1), kind);
        }
        kinds
    }

    fn token(&mut self, chars: &[char], rest: Kind) -> (Kind, usize) {
        if self.in_comment {
            let end = chars.windows(2).position(|pair| pair == ['*', '/']);
            self.in_comment = end.is_none();
            return (Kind::Comment, end.map_or(chars.len(), |at| at + 2));
        }
        let word = |c: &char| c.is_alphanumeric() || *c == '_';
        let run = |test: &dyn Fn(&char) -> bool| chars.iter().take_while(|c| test(c)).count();
        match chars {
            ['/', '/', ..] => (Kind::Comment, chars.len()),
            ['/', '*', inner @ ..] => {
                let end = inner.windows(2).position(|pair| pair == ['*', '/']);
                self.in_comment = end.is_none();
                (Kind::Comment, end.map_or(chars.len(), |at| at + 4))
            }
            [quote @ ('"' | '\''), inner @ ..] => (Kind::Text, 1 + quoted(inner, *quote)),
            [c, ..] if c.is_ascii_digit() => (Kind::Number, run(&|c| word(c) || *c == '.')),
            [c, ..] if word(c) => {
                let length = run(&word);
                let name: String = chars[..length].iter().collect();
                (if KEYWORDS.contains(&name.as_str()) { Kind::Keyword } else { rest }, length)
            }
            _ => (rest, 1),
        }
    }
}

/// The length of a text up to its closing quote, which is included.
fn quoted(chars: &[char], quote: char) -> usize {
    let mut escaped = false;
    for (index, c) in chars.iter().enumerate() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if *c == quote => return index + 1,
            _ => {}
        }
    }
    chars.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(lines: &[&str]) -> Vec<String> {
        let mut highlighter = Highlighter::default();
        let class = |kind: &Kind| kind.class().chars().next().unwrap_or('.');
        lines.iter().map(|line| highlighter.line(line).iter().map(class).collect()).collect()
    }

    #[test]
    fn tokens_of_c_are_told_apart() {
        assert_eq!(classes(&[r#"int x1 = 0x1F + "a\"b"; // y"#]), ["kkk......nnnn...ssssss..cccc"]);
        assert_eq!(classes(&["#include <a.h>", "'\\'' ü"]), ["pppppppppppppp", "ssss.."]);
    }

    #[test]
    fn comments_go_over_lines() {
        assert_eq!(classes(&["a /* b", "if", "c */ if"]), ["..".to_string() + "cccc", "cc".into(), "cccc.kk".into()]);
    }
}
