//! Patterns parsed and translated. usage: program ROUNDS
use regex_syntax::hir::literal::Extractor;
use regex_syntax::{hir::Hir, ParserBuilder};

const PATTERNS: [&str; 14] = [
    r"[a-z]+@[a-z]+\.(com|org|net)",
    r"(?i)straße|ﬁnal|ſhort",
    r"\p{Greek}+\s\p{Lu}\p{Ll}*",
    r"(?x) \d{4} - \d{2} - \d{2} # a date",
    r"[\w&&[^\d_]]{2,5}",
    r"(a|ab|abc|abcd)(x|xy|xyz){3}",
    r"(?P<key>[^=]+)=(?P<value>.*)$",
    r"(?-u:[\x80-\xFF]+)",
    r"(?i)[α-ω]+[[:alpha:]--[aeiou]]?",
    r"((((((((((a?)?)?)?)?)?)?)?)?)?)?",
    r"foo|foobar|food|fool|fo{1,3}",
    r"\b(?:alpha|beta|gamma)\B|\A\z",
    r"[unclosed",
    r"a{5,2}",
];

fn main() {
    let rounds: u64 = std::env::args().nth(1).and_then(|word| word.parse().ok()).expect("rounds");
    let (mut errors, mut least, mut literals, mut printed) = (0, 0, 0, 0);
    for _ in 0..rounds {
        for pattern in PATTERNS {
            let parsed: Result<Hir, _> = ParserBuilder::new().utf8(false).build().parse(pattern);
            let Ok(hir) = parsed else {
                errors += 1;
                continue;
            };
            least += hir.properties().minimum_len().unwrap_or(0);
            literals += Extractor::new().extract(&hir).len().unwrap_or(0);
            printed += Hir::concat(vec![hir.clone(), Hir::alternation(vec![hir, Hir::empty()])]).to_string().len();
        }
    }
    println!("{errors} errors, {least} bytes at least, {literals} literals, {printed} bytes printed");
}
