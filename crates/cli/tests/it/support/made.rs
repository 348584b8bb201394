//! Repositories that are written commit by commit, of which all is known in advance.

use crate::support::git::{commit_all, git};
use crate::support::project::Project;

/// A program with mistakes: a sum that stops early, the smaller for the larger, a length of nothing.
pub const CALC: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sum up to n. */
static int sum(int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += i;
    return total;
}

static int largest(int a, int b)
{
    return a < b ? a : b;
}

static int length(const char *text)
{
    return (int)strlen(text);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 3;
    if (strcmp(argv[1], "sum") == 0)
        printf("%d\n", sum(atoi(argv[2])));
    else if (strcmp(argv[1], "largest") == 0)
        printf("%d\n", largest(atoi(argv[2]), atoi(argv[3])));
    else
        printf("%d\n", length(argv[2]));
    return 0;
}
"#;

/// How the program is built and tested.
pub const SOURCES: &str = "[build]\nsources = [\"calc.c\"]\n[tests]\ncases = \"cases.jsonl\"\n";

/// A repository that is written commit by commit.
pub struct Made(pub Project);

impl Made {
    /// One without commits.
    pub fn new() -> Self {
        let project = Project::new();
        git(project.folder(), &["init", "-q"]);
        project.write(".gitignore", ".whydunit/\n");
        Self(project)
    }

    /// One whose first commit has the program, with a case that passes.
    pub fn of_calc(config: &str, message: &str) -> Self {
        let made = Self::new();
        made.0.write("calc.c", CALC);
        made.0.write("whydunit.toml", config);
        made.case("nothing", &["sum", "0"], "0").commit(message);
        made
    }

    /// Commits all files.
    pub fn commit(&self, message: &str) {
        commit_all(self.0.folder(), message);
    }

    /// Replaces a text in the program.
    pub fn edit(&self, from: &str, to: &str) -> &Self {
        self.0.edit("calc.c", from, to);
        self
    }

    /// Adds a case.
    pub fn case(&self, name: &str, args: &[&str], stdout: &str) -> &Self {
        let line = serde_json::json!({ "name": name, "args": args, "stdout": format!("{stdout}\n"), "status": 0 });
        let known = std::fs::read_to_string(self.0.path("cases.jsonl")).unwrap_or_default();
        self.0.write("cases.jsonl", &format!("{known}{line}\n"));
        self
    }

    /// The commits of a program of C, of every kind.
    pub fn of_every_kind() -> Self {
        let made = Self::new();
        made.0.write("calc.c", CALC);
        made.0.write("whydunit.toml", SOURCES);
        made.case("nothing", &["sum", "0"], "0").case("never", &["sum", "1"], "77");
        made.commit("First version");
        made.case("three letters", &["length", "abc"], "3").commit("Measure a text");
        made.edit("    for (int i = 0; i < n; i++)", "    /* All of them. */\n    for (int i = 0; i <= n; i++)");
        made.edit("    return total;", "    return (total);").case("three", &["sum", "3"], "6");
        made.commit("Fix the sum: the last number was left out (#1)");
        made.edit("The sum up to", "The summ up to").commit("Tell what sums are");
        made.edit("The summ", "The sum").commit("Fix what stands above the function");
        made.edit("    return (int)strlen", "    if (text == NULL)\n        return 0;\n    return (int)strlen");
        made.case("no text", &["length"], "0").commit("Fix crash without a text");
        let folder = made.0.folder();
        git(folder, &["checkout", "-q", "-b", "side"]);
        made.edit("a < b ? a", "a > b ? a").case("largest", &["largest", "3", "5"], "5");
        made.commit("The larger one\n\nFixes: #2");
        git(folder, &["checkout", "-q", "main"]);
        made.0.write("NOTES", "x\n");
        made.commit("Notes");
        git(folder, &["merge", "-q", "--no-ff", "-m", "Merge the fix of side", "side"]);
        made.0.write("NOTES", "y\n");
        made.commit("Revert \"Notes\"");
        made.edit("return 3;", "return 4;").commit("Fix both, closes #3 and closes #4");
        made.edit("return 4;", "return 4").commit("Go on");
        made.edit("return 4", "return 4;").commit("Fix the end of a statement");
        made.case("four", &["sum", "4"], "10").commit("Fix the tests of sums");
        made.edit("return 4;", "return 5;").commit("Fix the status without arguments");
        made.edit("return 5;", "return 6;").commit("Fix the status (#9)");
        made.edit("return 6;", "return 7;").commit("Fix the status again (#9)");
        made.of_other_forms();
        made.of_false_friends();
        made.of_several_files();
        made.of_odd_contents();
        made.of_what_is_needed_besides();
        made
    }

    /// Files that move, other line ends, tests that differ from run to run.
    fn of_other_forms(&self) {
        let folder = self.0.folder();
        self.edit("int a, int b", "long a, long b").edit("a > b ? a : b", "(int)(a > b ? a : b)");
        self.edit("largest(atoi(argv[2]), atoi(argv[3]))", "largest(atol(argv[2]), atol(argv[3]))");
        git(folder, &["mv", "calc.c", "my calc.c"]);
        self.0.edit("whydunit.toml", "calc.c", "my calc.c");
        self.case("long", &["largest", "1", "4294967295"], "-1").commit("Fix the largest of large numbers");
        let text = self.0.read("my calc.c").replace('\n', "\r\n");
        self.0.write("my calc.c", &text);
        self.commit("Fix line ends");
        self.0.edit("my calc.c", "        printf(\"%d\\n\", sum(", "        printf(\"%d\\n\", argc < 3 ? 0 : sum(");
        self.case("sum of nothing", &["sum"], "0").commit("Fix crash of a sum of nothing");
        let odd = "static int odd(const char *name)\r\n{\r\n    char path[4096];\r\n    snprintf(path, sizeof path, \"%s.count\", name);\r\n    FILE *file = fopen(path, \"a\");\r\n    fputc('x', file);\r\n    long runs = ftell(file);\r\n    fclose(file);\r\n    return (int)(runs % 2);\r\n}\r\n\r\nint main";
        self.0.edit("my calc.c", "int main", odd);
        self.0.edit(
            "my calc.c",
            "    if (argc < 2)",
            "    if (argc == 2 && strcmp(argv[1], \"odd\") == 0)\r\n        return odd(argv[0]);\r\n    if (argc < 2)",
        );
        let known = self.0.read("cases.jsonl");
        self.0.write("cases.jsonl", &format!("{known}{{\"name\":\"odd\",\"args\":[\"odd\"],\"status\":0}}\n"));
        self.commit("Count runs");
        self.0.edit("my calc.c", "return (int)(runs % 2)", "return runs % 2 != 0");
        self.commit("Fix the count of runs");
        git(self.0.folder(), &["tag", "v1"]);
    }

    /// Edits a line of the program that no test depends on.
    fn status(&self, number: u32, message: &str) {
        self.0.edit("my calc.c", &format!("return {number};"), &format!("return {};", number + 1));
        self.commit(message);
    }

    /// Commits that speak of fixes and are none, and fixes that change no code.
    fn of_false_friends(&self) {
        let folder = self.0.folder();
        self.status(7, "Prefix all names");
        self.0.edit("my calc.c", "All of them", "All of thm");
        self.commit("Fix typo in a comment");
        self.0.write("README.md", "calc sum 3\n");
        self.commit("docs: fix the example");
        self.status(8, "Fix compiler warning");
        self.status(9, "Fix the build with cmake");
        self.status(10, "Release 1.1, with fixes");
        self.status(11, "Bump version: bug fixes");
        self.status(12, "refactor: fix the order of branches");
        self.case("one", &["sum", "1"], "1").commit("test: fix a case");
        git(folder, &["update-index", "--chmod=+x", "NOTES"]);
        git(folder, &["commit", "-q", "-m", "Fix permissions of notes"]);
        git(folder, &["checkout", "-q", "--", "NOTES"]);
        git(folder, &["commit", "-q", "--allow-empty", "-m", "Fix nothing"]);
        // The test comes first, and is no second fix.
        self.case("negative", &["sum", "-3"], "-6").commit("Test for bug #20");
        self.0.edit("my calc.c", "    return (total);", "    return n < 0 ? -(n * (n - 1)) / 2 : (total);");
        self.commit("Fix the sum of negative numbers (#20)");
        self.0.edit("my calc.c", "return 13;", "return puts(\"usage\") < 0;");
        self.case("no argument", &[], "usage").commit("hotfix(cli): tell how it is called");
    }

    /// Fixes in headers, in generated files and in several files at once, names of files, and files that no build needs.
    fn of_several_files(&self) {
        let folder = self.0.folder();
        self.0.write("extra.c", "int level(void)\n{\n    return 1;\n}\n");
        self.0.edit("whydunit.toml", "\"my calc.c\"", "\"my calc.c\", \"extra.c\"");
        self.commit("Add a second file");
        self.0.edit("extra.c", "return 1;", "return 3;");
        self.commit("Fix the level (#30)");
        git(folder, &["mv", "extra.c", "level.c"]);
        self.0.edit("whydunit.toml", "extra.c", "level.c");
        self.commit("Fix the name of a file");
        self.0.write("level.h", "#define LEVEL 1\nint level(void);\nint square(int n);\n");
        self.0.write("level.c", "#include \"level.h\"\nint level(void)\n{\n    return LEVEL;\n}\n");
        self.0.edit("my calc.c", "#include <stdlib.h>", "#include <stdlib.h>\r\n#include \"level.h\"");
        let level = "    if (argc == 2 && strcmp(argv[1], \"level\") == 0)\r\n        return printf(\"%d\\n\", level()) < 0;\r\n";
        self.0.edit("my calc.c", "    if (argc < 2)", &format!("{level}    if (argc < 2)"));
        self.commit("Keep the level in a header");
        self.0.edit("level.h", "LEVEL 1", "LEVEL 2");
        self.case("level", &["level"], "2").commit("Fix the level: it was one too low");
        self.0.edit("level.c", "#include", "static const int squares[] = {\n#include \"squares.inc\"\n};\n#include");
        self.0.write("squares.inc", "0, 1, 4, 8,\n");
        let source = self.0.read("level.c") + "int square(int n)\n{\n    return squares[n];\n}\n";
        self.0.write("level.c", &source);
        let square = "    if (argc == 3 && strcmp(argv[1], \"square\") == 0)\r\n        return printf(\"%d\\n\", square(atoi(argv[2]))) < 0;\r\n";
        self.0.edit("my calc.c", "    if (argc < 2)", &format!("{square}    if (argc < 2)"));
        self.commit("Add a table that is generated");
        self.0.write("squares.inc", "0, 1, 4, 9,\n");
        self.case("square", &["square", "3"], "9").commit("Fix the table of squares: it was made wrong");
        let source = self.0.read("level.c")
            + "\n/* Of a name. */\nint level_of(const char *name)\n{\n    return LEVEL + (name[0] != 0) * 2;\n}\n";
        self.0.write("level.c", &source);
        let name = "    if (argc == 3 && strcmp(argv[1], \"name\") == 0)\r\n        return printf(\"%d\\n\", level_of(argv[2])) < 0;\r\n";
        self.0.edit("my calc.c", "    if (argc < 2)", &format!("{name}    if (argc < 2)"));
        self.case("name", &["name", "ab"], "4").commit("Fix the level of names");
        self.0.edit("level.h", "LEVEL 2", "LEVEL 3");
        self.commit("Raise the level");
        git(folder, &["revert", "--no-edit", "HEAD"]);
        self.0.edit("level.c", "* 2;", "* 3;");
        self.case("wrong", &["sum", "2"], "99").commit("Fix what no test shows: this one fails before and after");
        self.0.edit("level.c", "* 3;", "* 2;");
        self.commit("Fixes #50, fixes #51");
    }

    /// Submodules, large files, names and messages of other forms.
    fn of_odd_contents(&self) {
        let folder = self.0.folder();
        let module = |number: char, message: &str| {
            let id = number.to_string().repeat(40);
            std::fs::create_dir_all(self.0.path("lib")).expect("a folder");
            self.0.write(".gitmodules", "[submodule \"lib\"]\n\tpath = lib\n\turl = ../nowhere\n");
            git(folder, &["add", ".gitmodules"]);
            git(folder, &["update-index", "--add", "--cacheinfo", &format!("160000,{id},lib")]);
            git(folder, &["commit", "-q", "-m", message]);
        };
        module('1', "Add a library");
        module('2', "Fix the library: a newer one");
        self.0.write("data.bin", &"\u{1}0123456789".repeat(300_000));
        git(folder, &["add", "data.bin"]);
        git(folder, &["commit", "-q", "-m", "Fix the data"]);
        self.0.write("odd\nname \"x\".h", "int odd;\n");
        self.0.edit("level.c", "squares[n]", "n == 2 ? 5 : squares[n]");
        self.case("square of two", &["square", "2"], "5");
        git(folder, &["add", "odd\nname \"x\".h", "level.c", "cases.jsonl"]);
        git(folder, &["commit", "-q", "-m", "Fix the square of two, beside a file with an odd name"]);
        self.0.edit("level.c", "int level(void)\n{\n", "int level(void)\n{\n    (void)squares;\n");
        let message = self.0.path(".git/message");
        std::fs::write(&message, b"Fix der gr\xf6\xdferen Zahl\n").expect("a file");
        git(folder, &["add", "level.c"]);
        let message = message.to_string_lossy().into_owned();
        git(folder, &["-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "-F", &message]);
        std::fs::remove_file(message).expect("it was there");
    }

    /// Versions that lack something of the machine.
    fn of_what_is_needed_besides(&self) {
        let folder = self.0.folder();
        let commit = |message: &str| git(folder, &["commit", "-q", "-a", "-m", message]);
        self.0.edit("level.c", "#include \"level.h\"", "#include <not/there.h>\n#include \"level.h\"");
        commit("Use a library");
        self.0.edit("level.c", "#include <not/there.h>\n", "");
        commit("Fix the use of a library");
        self.0.edit("whydunit.toml", "sources = ", "flags = [\"-lnotthere\"]\nsources = ");
        self.0.edit("level.c", "    (void)squares;\n", "");
        commit("Link one more");
        self.0.edit("whydunit.toml", "flags = [\"-lnotthere\"]\n", "");
        self.0.edit("level.c", "* 2;", "+ 1;");
        commit("Fix the last argument");
        git(folder, &["checkout", "-q", "-b", "other"]);
        self.0.edit("level.h", "LEVEL 2", "LEVEL 4");
        commit("Raise it");
        git(folder, &["checkout", "-q", "main"]);
        self.0.write("NOTES", "z\n");
        commit("Notes again");
        git(folder, &["merge", "-q", "--no-ff", "-m", "Fix everything: merge of other", "other"]);
        self.0.edit("level.h", "LEVEL 4", "LEVEL 2");
        commit("The level was wrong after a merge");
    }
}
