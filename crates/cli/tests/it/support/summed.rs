//! Two versions of a program of many functions, one case of which says what they come to together.

use std::fmt::Write;
use std::path::PathBuf;

use super::project::Project;

/// The project with both versions, `good` and `bad`, and the bad one's folder. `function` writes the function `fN` of a version (the bad
/// one: `true`); where it is right it gives its argument and N more.
pub fn versions(functions: usize, function: impl Fn(usize, bool) -> String) -> (Project, PathBuf) {
    let project = Project::new();
    for (folder, bad) in [("good", false), ("bad", true)] {
        let mut source = String::from("#include <stdio.h>\n\n");
        let mut sum = String::new();
        for number in 0..functions {
            source += &function(number, bad);
            write!(sum, " + f{number}(1)").expect("a text");
        }
        source += &format!("int main(void)\n{{\n    printf(\"%d\\n\", 0{sum});\n    return 0;\n}}\n");
        std::fs::create_dir(project.path(folder)).expect("a folder");
        project.write(&format!("{folder}/main.c"), &source);
        let right: usize = (0..functions).map(|number| number + 1).sum();
        project
            .write(&format!("{folder}/cases.jsonl"), &format!("{{\"name\": \"sum\", \"stdout\": \"{right}\\n\"}}\n"));
        let told = "[build]\nsources = [\"main.c\"]\n[tests]\ncases = \"cases.jsonl\"\n";
        project.write(&format!("{folder}/whydunit.toml"), told);
    }
    let bad = project.path("bad");
    (project, bad)
}
