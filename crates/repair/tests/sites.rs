//! What may be another expression, read from real C.

use std::path::Path;

use whydunit_repair::{
    Candidate, Candidates, Class, Compile, Expression, Role, Schemata, Site, Surroundings, errors, functions, sites,
};

const OFFER: &str = "\
#define LIMIT(x) ((x) + 1)
typedef long count;
struct offer { count group, free; };
enum state { OFF, ON };
count asked;

count free_pieces(const struct offer *o, count quantity)
{
    count started = quantity % o->group;
    count unset;
    count pieces = quantity / o->group * o->free;
    if (started > o->group - o->free
            && asked < LIMIT(3))
        pieces += started - o->free;
    unset = OFF;
    for (int i = 0; i < 3; i++)
        asked += unset;
    return pieces;
}
";

fn read(source: &str, function: &str) -> (Compile, Vec<Site>, tempfile::TempDir) {
    read_in(source, function, &Surroundings::default())
}

/// In a program of which something is known.
fn read_in(source: &str, function: &str, around: &Surroundings) -> (Compile, Vec<Site>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    std::fs::write(&path, source).unwrap();
    let compile = Compile {
        compiler: Path::new("clang-22").into(),
        source: path,
        folder: folder.path().into(),
        arguments: vec!["-std=gnu17".into()],
        header: None,
    };
    let trees = functions(&compile, source, function, None).unwrap();
    assert_eq!(trees.len(), 1);
    let sites = sites(source, &trees[0], around);
    (compile, sites, folder)
}

fn texts(site: &Site) -> Vec<String> {
    Candidates::of(site, &[7]).list.iter().map(|candidate| candidate.expression.text()).collect()
}

#[test]
fn expressions_of_a_function_are_found_with_what_is_in_scope() {
    let (_, sites, _folder) = read(OFFER, "free_pieces");
    let guarded: Vec<&str> =
        sites.iter().filter(|site| site.role == Role::Guarded).map(|site| &OFFER[site.range.clone()]).collect();
    // Without its last `return` a function has no value.
    assert_eq!(guarded, ["unset = OFF;"]);
    let is_expression = |site: &Site| !site.role.is_statement() && !site.role.is_done();
    let sites: Vec<Site> = sites.into_iter().filter(is_expression).collect();
    let all: Vec<(Role, &str)> = sites.iter().map(|site| (site.role, &OFFER[site.range.clone()])).collect();
    use Role::{Assigned, Condition, Returned};
    let expected = [
        (Assigned, "quantity % o->group"),
        (Assigned, "quantity / o->group * o->free"),
        (Condition, "started > o->group - o->free\n            && asked < LIMIT(3)"),
        (Assigned, "started - o->free"),
        (Assigned, "OFF"),
        (Assigned, "0"),
        (Condition, "i < 3"),
        (Assigned, "unset"),
        (Returned, "pieces"),
    ];
    assert_eq!(all, expected);
    let names = |site: &Site| site.variables.iter().map(|variable| variable.text()).collect::<Vec<_>>();
    // What has no value yet is not named; what is named nearby comes first.
    assert_eq!(names(&sites[3]), ["pieces", "started", "o", "o->free", "asked", "o->group", "quantity"]);
    assert_eq!(names(&sites[7])[..3], ["unset", "asked", "i"]);
    assert_eq!((sites[2].line, sites[2].lines.clone()), (12, 12..14));
}

#[test]
fn candidates_are_close_to_what_stands_there_first() {
    let (_, sites, _folder) = read(OFFER, "free_pieces");
    let of = texts(sites.iter().find(|site| &OFFER[site.range.clone()] == "started - o->free").unwrap());
    let at = |text: &str| of.iter().position(|candidate| candidate == text).unwrap_or_else(|| panic!("{text}: {of:?}"));
    assert!(at("started + o->free") < at("pieces"));
    assert!(at("started - quantity") < at("started - (o->group - o->free)"));
    for silly in ["started - started", "started / 1", "o->free - o->free", "0 - 1"] {
        assert!(!of.iter().any(|text| text == silly), "{silly}");
    }
    assert!(!of.iter().any(|text| text.contains("unset") || text == "started - o->free"), "{of:?}");
}

#[test]
fn a_negation_too_many_is_taken_away_first() {
    let source = "int best_of(const int *s, int n)\n{\n    int best = s[0];\n    for (int i = 1; i < n; i++)\n        if (!(best < s[i]))\n\
                  \x20           best = s[i];\n    return best;\n}\n";
    let (_, sites, _folder) = read(source, "best_of");
    let of = texts(sites.iter().find(|site| &source[site.range.clone()] == "!(best < s[i])").unwrap());
    assert_eq!(of.first().map(String::as_str), Some("best < s[i]"), "{of:?}");
}

#[test]
fn another_character_may_be_meant() {
    let source = "int blank(char c)\n{\n    return c == 'q' || c == '-';\n}\n";
    let (_, sites, _folder) = read(source, "blank");
    let of = texts(sites.iter().find(|site| &source[site.range.clone()] == "c == 'q' || c == '-'").unwrap());
    let blank = "c == ' ' || c == '-'";
    assert_eq!(of.iter().filter(|text| *text == blank).count(), 1, "{of:?}");
}

#[test]
fn what_begins_with_a_macro_is_read_where_its_operator_stands_in_the_source() {
    let source = "#include <ctype.h>\n#define SUM a +\nint f(int c, int a)\n{\n    int b = SUM 2;\n    return isalpha(c) && a == b;\n}\n";
    let (_, sites, _folder) = read(source, "f");
    let texts: Vec<&str> = sites.iter().map(|site| &source[site.range.clone()]).collect();
    assert!(texts.contains(&"isalpha(c) && a == b") && !texts.contains(&"SUM 2"), "{texts:?}");
}

/// A place in a statement is found by any of its lines.
#[test]
fn a_statement_has_all_its_lines() {
    let source = "int g(int, int);\nint f(int a)\n{\n    if (a)\n        a = g(1,\n            2);\n    return g(3,\n        a);\n}\n";
    let (_, sites, _folder) = read(source, "f");
    let lines = |text: &str| sites.iter().find(|site| &source[site.range.clone()] == text).unwrap().lines.clone();
    assert_eq!([lines("2"), lines("a"), lines("3")], [5..7, 4..5, 7..9]);
}

#[test]
fn a_guard_stands_before_its_statement() {
    let (_, sites, _folder) = read(OFFER, "free_pieces");
    let site = sites.iter().find(|site| site.role == Role::Guarded).unwrap();
    let guards = Candidates::of(site, &[]);
    let guard = guards.list.iter().find(|guard| guard.expression.text() == "o").expect("a pointer is tested");
    assert_eq!(site.edit(OFFER, &guard.expression), (site.range.clone(), "if (o)\n        unset = OFF;".into()));
    let renamed = "#define put real_put\n#define CALL(x) put(x)\nint put(int);\nvoid f(int a)\n{\n    put(a + 1);\n    CALL(a);\n    a = 0;\n}\n";
    let (_, sites_of_macros, _folder) = read(renamed, "f");
    let guarded = sites_of_macros.iter().filter(|site| site.role == Role::Guarded);
    let guarded: Vec<&str> = guarded.map(|site| &renamed[site.range.clone()]).collect();
    assert_eq!(guarded, ["put(a + 1);", "CALL(a);", "a = 0;"], "a function of another name, and a macro");
    // A function or a loop is left before a statement.
    let left = |leave: &str| sites.iter().find(|site| site.leave == leave).expect(leave);
    let returned = left("return 0;");
    let null = Expression::Unary("!", Box::new(guard.expression.clone()));
    let at = returned.range.start;
    assert!(OFFER[at..].starts_with("if (started > o->group - o->free"));
    assert_eq!(returned.edit(OFFER, &null), (at..at, "if (!o)\n        return 0;\n    ".into()));
    assert!(sites.iter().all(|site| site.leave != "break;"), "a loop of one statement has no block");
}

#[test]
fn all_candidates_compile_in_one_source_whose_lines_stay() {
    let (compile, sites, _folder) = read(OFFER, "free_pieces");
    let candidates: Vec<Candidates> = sites.iter().map(|site| Candidates::of(site, &[7, -3])).collect();
    let pairs: Vec<(&Site, &Candidates)> = sites.iter().zip(&candidates).collect();
    let Schemata { text, slots } = Schemata::of(OFFER, &pairs, 1, 0);
    assert_eq!(errors(&compile, &text).unwrap(), []);
    let body = text.split_once("#line 1\n").unwrap().1;
    assert_eq!(body.lines().count(), OFFER.lines().count());
    assert_eq!(slots.windows(2).filter(|pair| pair[0].base + pair[0].entries() != pair[1].base).count(), 0);
    assert_eq!(errors(&compile, "int f(void)\n{ return x; }").unwrap(), [(2, 10)]);
}

const LIST: &str = "\
enum kind { SMALL, LARGE, HUGE };
struct node { struct node *next; long value; enum kind kind; };
static int small_of(const struct node *n, long at) { return n->value < at; }
extern int shown(struct node *n);
static int of_list(struct node *first, struct node *other, const long *list, int count, long most)
{
    const char *mark = count > 1 ? \"+ \" : \"- \";
    int found = 0;
    for (int i = 0; i < count; i++) {
        if (first->next == 0)
            found = small_of(first, list[i]);
        found += list[i] / most;
        list += shown(other);
    }
    if (first->kind == SMALL)
        first->value = small_of(other, most);
    return mark[0] == '-' ? found : 0;
}
";

/// What could stand at the first expression that is written so.
fn texts_at(sites: &[Site], source: &str, written: &str) -> Vec<String> {
    texts(sites.iter().find(|site| &source[site.range.clone()] == written).unwrap_or_else(|| panic!("{written}")))
}

#[test]
fn candidates_are_made_of_what_the_program_has() {
    let members = [("next", "struct node *"), ("value", "long"), ("kind", "enum kind")];
    let around = Surroundings {
        texts: vec!["Hello, World!".into()],
        pure: ["small_of".to_string()].into(),
        members: [("node".to_string(), members.map(|(name, ty)| (name.into(), ty.into())).to_vec())].into(),
        enumerations: vec![("kind".into(), vec!["SMALL".into(), "LARGE".into(), "HUGE".into()])],
    };
    let (compile, sites, _folder) = read_in(LIST, "of_list", &around);
    for (written, candidates) in [
        // Another argument, another element, the other structure.
        (
            "small_of(first, list[i])",
            &["small_of(other, list[i])", "small_of(first, most)", "small_of(first, list[i + 1])"][..],
        ),
        // Rounded otherwise, and only sometimes.
        ("list[i] / most", &["(list[i] + most / 2) / most", "(list[i] + most - 1) / most", "list[i + 1] / most"]),
        // Members that the function does not name, and the same member of two structures.
        (
            "first->next == 0",
            &[
                "other->next == 0",
                "first->next == 0 || first->value > other->value",
                "first->next == 0 && first->kind == HUGE",
            ],
        ),
        // Other enumerators than those that are named.
        ("first->kind == SMALL", &["first->kind == LARGE", "other->kind == SMALL"]),
        ("count > 1 ? \"+ \" : \"- \"", &["count > 1 ? \"+ \" : count ? \"- \" : \"\"", "count > 1 ? \"- \" : \"+ \""]),
        ("i < count", &["i < count && list[i] < most"]),
        ("most", &["first->next->value", "small_of(other, most)"]),
    ] {
        let of = texts_at(&sites, LIST, written);
        for candidate in candidates {
            assert!(of.iter().any(|text| text == candidate), "{written}: {candidate} is not in {of:?}");
        }
    }
    // What is of an enumeration is no number, and nothing is assigned to itself.
    let of = texts_at(&sites, LIST, "first->kind == SMALL");
    assert!(of.iter().all(|text| !text.contains("first->kind <") && !text.contains("first->kind == 1")), "{of:?}");
    assert!(!texts_at(&sites, LIST, "small_of(first, list[i])").contains(&"found".to_string()));
    // What has effects is not doubled.
    assert!(texts_at(&sites, LIST, "list[i] / most").iter().all(|text| !text.contains("shown")));
    let candidates: Vec<Candidates> = sites.iter().map(|site| Candidates::of(site, &[])).collect();
    let pairs: Vec<(&Site, &Candidates)> = sites.iter().zip(&candidates).collect();
    assert_eq!(errors(&compile, &Schemata::of(LIST, &pairs, 1, 0).text).unwrap(), []);
}

#[test]
fn candidates_that_do_not_compile_are_told_from_others() {
    let (compile, sites, _folder) = read(OFFER, "free_pieces");
    let mut candidates: Vec<Candidates> = sites.iter().map(|site| Candidates::of(site, &[])).collect();
    let wrong = |text: &str| Candidate {
        expression: Expression::Atom { text: text.into(), class: Class::Int, pure: true, constant: false },
        level: 1,
        cost: 1,
    };
    candidates[2].list.insert(3, wrong("nothing_of_that_name"));
    candidates[4].list.insert(0, wrong("*started"));
    let pairs: Vec<(&Site, &Candidates)> = sites.iter().zip(&candidates).collect();
    let schemata = Schemata::of(OFFER, &pairs, 7, 0);
    assert_eq!(schemata.refused(&errors(&compile, &schemata.text).unwrap()), [(2, 3), (4, 0)]);
}

const TOTAL: &str = "\
#include <string.h>
int total(const int *list, int count, int base)
{
    int sum = 0;
    int value = 0;
    int seen[8];
    for (int i = 0; i < count; i++) {
        sum -= list[i];
        if (list[i] < base)
            return -1;
    }
    return sum + value + seen[0];
}
";

#[test]
fn statements_that_change_something_may_be_others_or_missing() {
    let (compile, sites, _folder) = read(TOTAL, "total");
    let of = |role: Role| sites.iter().filter(move |site| site.role == role);
    let replaced = of(Role::Replaced).find(|site| &TOTAL[site.range.clone()] == "sum -= list[i]").unwrap();
    assert_eq!(texts(replaced)[..2], ["sum += list[i]", "sum *= list[i]"]);
    // At the end of the loop, on a line of its own; what is changed already is not changed once more.
    let end = TOTAL.find("\n    }\n    return sum").unwrap();
    let added = of(Role::Added).find(|site| site.range == (end..end)).expect("a place");
    let made = texts(added);
    for wanted in ["value++", "value += i", "memset(seen, 0, sizeof(seen))", "sum -= list[i]"] {
        assert!(made.iter().any(|text| text == wanted), "{wanted}: {made:?}");
    }
    assert!(made.iter().all(|text| text != "sum = value"), "{made:?}");
    let (range, text) = added.edit(TOTAL, &Expression::statement("value++"));
    assert_eq!((range, &*text), (end..end, "\n        value++;"));
    let candidates: Vec<Candidates> = sites.iter().map(|site| Candidates::of(site, &[])).collect();
    let pairs: Vec<(&Site, &Candidates)> = sites.iter().zip(&candidates).collect();
    assert_eq!(errors(&compile, &Schemata::of(TOTAL, &pairs, 1, 0).text).unwrap(), []);
}

#[test]
fn a_text_may_be_one_that_is_nearly_the_same() {
    let source = "int puts(const char *);\nvoid greet(void)\n{\n    puts(\"Helo, World!\");\n    puts(\"Bye\");\n}\n";
    let around = Surroundings { texts: vec!["Hello, World!".into(), "Goodbye".into()], ..Surroundings::default() };
    let (_, sites, _folder) = read_in(source, "greet", &around);
    assert_eq!(texts_at(&sites, source, "\"Helo, World!\""), ["\"Hello, World!\""]);
    assert!(sites.iter().all(|site| &source[site.range.clone()] != "\"Bye\""));
}

/// One operand of a kind that is not known leaves the others open.
#[test]
fn operands_of_unknown_kinds_stay_beside_others() {
    let source = "#include <stddef.h>\nint any(int rows, int columns, char m[][columns], int (*more)(void))\n{\n    if (rows > 1 && m != NULL)\n        return 1;\n    \
                  return rows < 1 || !more;\n}\n";
    let (_, sites, _folder) = read(source, "any");
    let table = texts_at(&sites, source, "rows > 1 && m != NULL");
    assert!(
        table.contains(&"rows >= 1 && m != NULL".into()) && table.contains(&"rows > 1 && m == NULL".into()),
        "{table:?}"
    );
    let function = texts_at(&sites, source, "rows < 1 || !more");
    assert!(function.contains(&"rows <= 1 || !more".into()) && function.contains(&"rows < 1 || more".into()));
}

/// Entries of lists are made where the function runs; those of a static variable are there before.
#[test]
fn entries_of_lists_may_be_others() {
    let source = "struct p { int x, y; };\nint f(int n)\n{\n    static const int fixed[] = { 17, 18 };\n    int own[] = { n + 1, 23 };\n    \
                  struct p p = (struct p){ n, 24 };\n    return own[0] + p.y + fixed[1];\n}\n";
    let (compile, all, _folder) = read(source, "f");
    assert!(texts_at(&all, source, "n + 1").contains(&"n - 1".into()));
    assert!(texts_at(&all, source, "24").contains(&"25".into()) && texts_at(&all, source, "23").contains(&"22".into()));
    assert!(all.iter().all(|site| !["17", "18"].contains(&&source[site.range.clone()])));
    let candidates: Vec<Candidates> = all.iter().map(|site| Candidates::of(site, &[])).collect();
    let schemata = Schemata::of(source, &all.iter().zip(&candidates).collect::<Vec<_>>(), 1, 0);
    assert_eq!(errors(&compile, &schemata.text).unwrap(), []);
}

/// Where a number is given, `false` is not meant by 0.
#[test]
fn truth_values_are_no_numbers() {
    let source = "#include <stdbool.h>\nbool any(const int *list, int count)\n{\n    int i = 1;\n    for (; i < count; i++)\n        \
                  if (list[i])\n            return true;\n    return false;\n}\n";
    let (_, sites, _folder) = read(source, "any");
    let start = texts_at(&sites, source, "1");
    assert!(start.contains(&"0".into()) && !start.contains(&"false".into()), "{start:?}");
    assert!(texts_at(&sites, source, "true").contains(&"false".into()));
}

/// The opposite of a comparison is one, as people write it.
#[test]
fn opposites_are_comparisons() {
    let source = "int f(int i, int n, double x)\n{\n    if (i >= n)\n        return 1;\n    return x > 2.5;\n}\n";
    let (_, sites, _folder) = read(source, "f");
    let order = texts_at(&sites, source, "i >= n");
    assert!(order.contains(&"i < n".into()) && !order.contains(&"!(i >= n)".into()), "{order:?}");
    // With what is no number neither holds.
    assert!(texts_at(&sites, source, "x > 2.5").contains(&"!(x > 2.5)".into()));
}

/// A negation may be missing before one side of what is joined.
#[test]
fn a_negation_that_is_missing_is_tried() {
    let source = "#include <ctype.h>\nint f(int c, int last)\n{\n    return isalpha(c) && last;\n}\n";
    let (_, sites, _folder) = read(source, "f");
    let of = texts_at(&sites, source, "isalpha(c) && last");
    assert!(of.contains(&"isalpha(c) && !last".into()) && of.contains(&"!isalpha(c) && last".into()), "{of:?}");
}

const COPY: &str = "\
#include \"file.h\"
#define EACH for (at = 0; at < 3; at++) {
#define DONE }
int get(struct file *from);
int copy(struct file *from)
{
    int c, at, read = 0;
    while ((c = get(from)) == -1)
        read++;
    EACH
        read += from->lines;
    DONE
    return read;
}
";

#[test]
fn an_assignment_keeps_its_parentheses_and_half_a_macro_is_no_expression() {
    let members = [("_held".to_string(), "int".to_string()), ("lines".to_string(), "int".to_string())].to_vec();
    let around = Surroundings { members: [("file".to_string(), members)].into(), ..Surroundings::default() };
    let header = "struct file { int _held; int lines; };\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file.h"), header).unwrap();
    std::fs::write(folder.path().join("a.c"), COPY).unwrap();
    let compile = Compile {
        compiler: Path::new("clang-22").into(),
        source: folder.path().join("a.c"),
        folder: folder.path().into(),
        arguments: vec!["-std=gnu17".into()],
        header: None,
    };
    let trees = functions(&compile, COPY, "copy", None).unwrap();
    let sites = sites(COPY, &trees[0], &around);
    let condition = sites.iter().find(|site| &COPY[site.range.clone()] == "(c = get(from)) == -1").unwrap();
    let made = texts(condition);
    assert!(made.contains(&"(c = get(from)) != -1".to_string()), "{made:?}");
    assert!(made.iter().all(|text| text.contains("(c = get(from))")), "{made:?}");
    let other = Candidates::of(condition, &[]).list.into_iter().find(|of| of.expression.text().contains("!=")).unwrap();
    assert_eq!(condition.edit(COPY, &other.expression).1, "(c = get(from)) != -1");
    assert!(condition.is_of_loop(COPY));
    let all: Vec<String> = sites.iter().flat_map(texts).collect();
    assert!(all.iter().any(|text| text.contains("from->lines")), "{all:?}");
    for wrong in ["EACH", "_held"] {
        assert!(all.iter().all(|text| !text.contains(wrong)), "{wrong}: {all:?}");
    }
    let candidates: Vec<Candidates> = sites.iter().map(|site| Candidates::of(site, &[])).collect();
    let pairs: Vec<(&Site, &Candidates)> = sites.iter().zip(&candidates).collect();
    assert_eq!(errors(&compile, &Schemata::of(COPY, &pairs, 1, 0).text).unwrap(), []);
}

const WORDS: &str = "\
#include <string>
#include <vector>
int count(const std::vector<std::string> &words, const std::string &head)
{
    int found = 0;
    for (const std::string &word : words) {
        if (word.substr(0, head.size()) >= head)
            found++;
        if (word[found] == 'x') {
        }
        int last = 0;
        auto sum = [&found](int of) { return found += of; };
        last += sum(2);
    }
    return found;
}
";

#[test]
fn loops_over_ranges_comparisons_of_objects_and_numbers_of_containers_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.cpp");
    std::fs::write(&path, WORDS).unwrap();
    let compile = Compile {
        compiler: Path::new("clang++-22").into(),
        source: path,
        folder: folder.path().into(),
        arguments: vec!["-std=gnu++17".into()],
        header: None,
    };
    let trees = functions(&compile, WORDS, "count", None).unwrap();
    let sites = sites(WORDS, &trees[0], &Surroundings::default());
    let of = |text: &str| sites.iter().find(|site| &WORDS[site.range.clone()] == text).expect(text);
    assert_eq!(texts(of("word.substr(0, head.size()) >= head"))[0], "word.substr(0, head.size()) > head");
    assert_eq!(of("head.size()").ty, "unsigned long");
    assert!(!of("word.substr(0, head.size()) >= head").is_of_loop(WORDS));
    let empty = sites.iter().find(|site| site.fills_a_block(WORDS)).unwrap();
    assert!(texts(empty).contains(&"found++".to_string()));
    assert!(sites.iter().all(|site| !WORDS[site.range.clone()].starts_with(':')), "{sites:?}");
    // In a lambda what it captures is named; an assignment has parentheses where it is a part.
    let returned = texts(of("found += of"));
    assert!(returned.contains(&"(found += of) + 1".to_string()), "{returned:?}");
    assert!(returned.iter().all(|text| !text.contains("last") && !text.contains("head")), "{returned:?}");
    let edited = of("found += of").edit(WORDS, &Candidates::of(of("found += of"), &[]).list[0].expression).1;
    assert!(edited.starts_with("(found += of)"), "{edited}");
    let candidates: Vec<Candidates> = sites.iter().map(|site| Candidates::of(site, &[])).collect();
    let pairs: Vec<(&Site, &Candidates)> = sites.iter().zip(&candidates).collect();
    assert_eq!(errors(&compile, &Schemata::of(WORDS, &pairs, 1, 0).text).unwrap(), []);
}
