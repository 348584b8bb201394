//! Conditions on bugs: `fingerprint=KZ lines<10 tests>0`.

use whydunit_findings::HistoryBug;

/// Conditions that hold all at once.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Query {
    conditions: Vec<Condition>,
}

#[derive(Clone, PartialEq, Debug)]
struct Condition {
    key: &'static str,
    operator: Operator,
    value: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operator {
    Equal,
    Different,
    Less,
    LessEqual,
    More,
    MoreEqual,
    Contains,
}

/// Why a text is no query.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum QueryError {
    /// No operator.
    #[error("`{0}` is no condition: write KEY, one of = != < <= > >= ~, and a value, as in `lines<10`")]
    NoCondition(String),
    /// Unknown.
    #[error("there is no key `{0}`: keys are {keys}", keys = KEYS.join(", "))]
    NoKey(String),
    /// A number is needed.
    #[error("`{key}` is a number, and `{value}` is none")]
    NoNumber {
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
    /// Only numbers are less or more.
    #[error("`{0}` is a text: compare it by =, != or ~")]
    NotOrdered(String),
}

/// Numbers first.
const KEYS: &[&str] = &[
    "lines",
    "added",
    "deleted",
    "modified",
    "hunks",
    "files",
    "functions",
    "tests",
    "needed",
    "score",
    "fingerprint",
    "token",
    "kind",
    "class",
    "id",
    "author",
    "message",
    "file",
    "function",
    "test",
    "severity",
    "priority",
];
/// So many of them are numbers.
const NUMBERS: usize = 10;

impl Query {
    /// Reads conditions, divided by spaces.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let conditions = text.split_whitespace().map(condition).collect::<Result<_, _>>()?;
        Ok(Self { conditions })
    }

    /// Whether all conditions hold of a bug.
    pub fn holds(&self, bug: &HistoryBug) -> bool {
        self.conditions.iter().all(|condition| condition.holds(bug))
    }
}

fn condition(text: &str) -> Result<Condition, QueryError> {
    use Operator::{Contains, Different, Equal, Less, LessEqual, More, MoreEqual};
    let none = || QueryError::NoCondition(text.to_owned());
    let at = text.find(['=', '!', '<', '>', '~']).ok_or_else(none)?;
    let (key, rest) = text.split_at(at);
    let operators = [
        ("!=", Different),
        ("<=", LessEqual),
        (">=", MoreEqual),
        ("=", Equal),
        ("<", Less),
        (">", More),
        ("~", Contains),
    ];
    let (sign, operator) = operators.into_iter().find(|(sign, _)| rest.starts_with(sign)).ok_or_else(none)?;
    let value = rest[sign.len()..].to_owned();
    let number = KEYS.iter().position(|known| *known == key).ok_or_else(|| QueryError::NoKey(key.to_owned()))?;
    let key = KEYS[number];
    if number < NUMBERS && operator != Contains && value.parse::<f64>().is_err() {
        return Err(QueryError::NoNumber { key: key.into(), value });
    }
    if number >= NUMBERS && !matches!(operator, Equal | Different | Contains) {
        return Err(QueryError::NotOrdered(key.into()));
    }
    Ok(Condition { key, operator, value })
}

impl Condition {
    fn holds(&self, bug: &HistoryBug) -> bool {
        if let Some(value) = number(bug, self.key) {
            return self.holds_of_number(value);
        }
        let texts = texts(bug, self.key);
        let same = |text: &String| *text == self.value;
        match self.operator {
            Operator::Different => !texts.iter().any(same),
            Operator::Contains => texts.iter().any(|text| text.contains(&self.value)),
            // A bug without a figure (nothing was minimised) is neither less nor more.
            _ => texts.iter().any(same),
        }
    }

    fn holds_of_number(&self, value: f64) -> bool {
        let Ok(bound) = self.value.parse::<f64>() else { return false };
        match self.operator {
            Operator::Equal => value == bound,
            Operator::Different => value != bound,
            Operator::Less => value < bound,
            Operator::LessEqual => value <= bound,
            Operator::More => value > bound,
            Operator::MoreEqual => value >= bound,
            Operator::Contains => value.to_string().contains(&self.value),
        }
    }
}

fn number(bug: &HistoryBug, key: &str) -> Option<f64> {
    Some(match key {
        "lines" => bug.lines_churned as f64,
        "added" => bug.lines_added as f64,
        "deleted" => bug.lines_deleted as f64,
        "modified" => bug.lines_modified as f64,
        "hunks" => bug.hunks as f64,
        "files" => bug.files.len() as f64,
        "functions" => bug.functions.len() as f64,
        "tests" => bug.tests.len() as f64,
        "needed" => bug.minimised.as_ref()?.needed as f64,
        "score" => bug.score,
        _ => return None,
    })
}

fn texts(bug: &HistoryBug, key: &str) -> Vec<String> {
    match key {
        "fingerprint" => vec![bug.fingerprint.clone()],
        "token" => bug.full_fingerprint.clone(),
        "kind" => vec![bug.kind.clone()],
        "class" => bug.classes.iter().map(|class| class.name.clone()).collect(),
        "id" => vec![bug.id.clone()],
        "author" => vec![bug.author.clone()],
        "message" => vec![bug.message.clone()],
        "file" => bug.files.clone(),
        "function" => bug.functions.clone(),
        "test" => bug.tests.clone(),
        "severity" => bug.severity.iter().cloned().collect(),
        "priority" => bug.priority.iter().cloned().collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_select_bugs() {
        let bug = HistoryBug {
            fingerprint: "KZ".into(),
            lines_churned: 4,
            files: vec!["a.c".into()],
            full_fingerprint: vec!["K-if".into()],
            ..HistoryBug::default()
        };
        let holds = |text: &str| Query::parse(text).expect("a query").holds(&bug);
        assert!(holds("fingerprint=KZ lines<10") && holds("") && holds("file~.c token=K-if lines>=4 tests=0"));
        assert!(!holds("fingerprint=KZ lines<4") && !holds("fingerprint!=KZ") && !holds("needed<10"));
        assert!(matches!(Query::parse("lines"), Err(QueryError::NoCondition(_))));
        assert!(matches!(Query::parse("colour=1"), Err(QueryError::NoKey(_))));
        assert!(matches!(Query::parse("lines<x"), Err(QueryError::NoNumber { .. })));
        assert!(matches!(Query::parse("kind<x"), Err(QueryError::NotOrdered(_))));
    }
}
