//! Models of objects: the worked examples, and what stands in the way of a model.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::git::{commit_all, git};
use crate::support::models::{self, set};
use crate::support::project::{Project, assert_one_message};

/// The only model of an answer.
fn model(project: &Project, args: &[&str]) -> Value {
    let (status, answer, errors) = project.json(&[&["mine"], args].concat());
    assert_eq!(status, 0, "{errors}");
    let models = answer["models"].as_array().expect("models");
    assert_eq!(models.len(), 1, "{answer}");
    models[0].clone()
}

/// Transitions as `from -[label]> to`, states by the values of some paths.
fn transitions(model: &Value, paths: &[&str]) -> BTreeSet<String> {
    models::transitions(model, paths, None)
}

#[test]
fn a_growable_vector_is_empty_or_not() {
    let project = Project::of("behavior/vector");
    let model = model(&project, &["IntVector"]);
    assert_eq!(model["states"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        transitions(&model, &["is_empty()"]),
        set(&[
            "start -IntVector> true",
            "true -add> false",
            "true -!remove> true",
            "false -add> false",
            "false -remove> false",
            "false -remove> true",
            "false -clear> true",
        ])
    );
    let exceptional = model["transitions"].as_array().expect("transitions").iter().find(|it| it["exceptional"] == true);
    let exceptional = exceptional.expect("one that ends exceptionally");
    assert_eq!(exceptional["reason"], "std::out_of_range");
    assert_eq!(exceptional["examples"][0]["test"], "exhaust");
    assert_eq!(exceptional["examples"][0]["location"]["file"], "main.cpp");
}

#[test]
fn an_integer_that_is_only_given_constants_has_their_names() {
    let project = Project::of("behavior/protocol");
    let seen = transitions(&model(&project, &["Protocol"]), &["state", "sent"]);
    assert_eq!(
        seen,
        set(&[
            "start -Protocol> CLOSED = 0",
            "CLOSED = 0 -!auth_send> CLOSED = 0",
            "CLOSED = 0 -open_port> CONNECTED = 0",
            "CONNECTED = 0 -!open_port> CONNECTED = 0",
            "CONNECTED = 0 -quit> CLOSED = 0",
            "CONNECTED = 0 -auth_send> AUTHENTICATED > 0",
            "AUTHENTICATED > 0 -quit> CLOSED > 0",
        ])
    );
}

#[test]
fn a_transaction_is_a_part_of_its_managers_state_at_depth_two() {
    let project = Project::of("behavior/manager");
    let deep = transitions(&model(&project, &["Manager", "--depth", "2"]), &["closed", "transaction.active"]);
    for expected in [
        "start -Manager> false false",
        "false false -transaction.begin> false true",
        "false true -transaction.commit> false false",
        "false false -!get_object> false false",
        "false true -get_object> false true",
        "false false -close> true false",
    ] {
        assert!(deep.contains(expected), "{expected} is not in {deep:#?}");
    }
    let flat = transitions(&model(&project, &["Manager"]), &["closed"]);
    assert!(!flat.iter().any(|line| line.contains("begin")), "{flat:#?}");
}

#[test]
fn classes_with_objects_are_listed() {
    let project = Project::of("behavior/manager");
    let (status, answer, _) = project.json(&["mine"]);
    assert_eq!((status, &answer["runs"]), (0, &2.into()));
    let classes = answer["classes"].as_array().expect("classes");
    let manager = classes.iter().find(|class| class["class"] == "Manager").expect("it is there");
    assert_eq!((&manager["objects"], &manager["exceptional"]), (&2.into(), &true.into()));
}

#[test]
fn models_are_drawn() {
    let project = Project::of("behavior/vector");
    let text =
        |format| String::from_utf8(project.run(&["mine", "IntVector", "--format", format]).stdout).expect("text");
    assert!(text("dot").contains("start -> s1 [label=\"IntVector \u{d7}3\"]"), "{}", text("dot"));
    assert!(text("mermaid").contains("[*] --> s1: IntVector \u{d7}3"), "{}", text("mermaid"));
    assert!(text("text").contains("start -> s1  IntVector \u{d7}3"), "{}", text("text"));
}

#[test]
fn what_cannot_be_mined_is_one_message() {
    let project = Project::of("behavior/vector");
    let errors = |args: &[&str]| {
        let output = project.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_one_message(&errors(&["mine", "IntVecto"]), &["no class `IntVecto`", "IntVector"]);
    assert_one_message(&errors(&["mine", "IntVector", "--tests", "nothing"]), &["`nothing`"]);
    assert_one_message(&errors(&["locate", "--format", "dot"]), &["`--format dot` is for `whydunit mine`"]);
    project.edit("whydunit.toml", "\"is_empty\"", "\"is_emty\"");
    assert_one_message(&errors(&["mine", "IntVector"]), &["[mine.IntVector]", "`is_emty`", "is_empty()"]);
    project.edit("whydunit.toml", "state =", "states =");
    assert_one_message(&errors(&["mine", "IntVector"]), &["whydunit.toml:7", "state"]);
}

#[test]
fn objects_of_rust_are_made_moved_and_fail_in_two_ways() {
    let project = Project::of("behavior/rust");
    let connection = transitions(&model(&project, &["Connection"]), &["state"]);
    assert_eq!(
        connection,
        set(&[
            "start -new> Closed",
            "start -connect> Open",
            "start -?connect> start",
            "Closed -?read> Closed",
            "Closed -open> Open",
            "Open -read> Open",
            "Open -?fail> Failed",
            "Failed -!check> Failed",
            "Failed -close> Failed",
        ])
    );
    // Three in a list, one in a box, two that are swapped, one of which is taken out of an option: no more than were made.
    let small = model(&project, &["Small"]);
    assert_eq!(small["objects"], 6);
    assert_eq!(transitions(&small, &["full"]), set(&["start -new> false", "false -fill> true", "true -fill> true"]));
    let stack = transitions(&model(&project, &["Stack"]), &["items"]);
    assert!(stack.contains("empty -?pop> empty") && stack.contains("not empty -pop> empty"), "{stack:#?}");
}

#[test]
fn an_interface_of_c_is_what_its_configuration_says() {
    let project = Project::of("behavior/stack");
    let stack = model(&project, &["stack"]);
    assert_eq!(
        transitions(&stack, &["used"]),
        set(&[
            "start -stack_new> = 0",
            "= 0 -stack_push> > 0",
            "> 0 -stack_push> > 0",
            "> 0 -?stack_push> > 0",
            "> 0 -stack_pop> > 0",
            "> 0 -stack_pop> = 0",
            "= 0 -?stack_pop> = 0",
        ])
    );
    let ended: u64 = stack["states"].as_array().expect("states").iter().filter_map(|it| it["ended"].as_u64()).sum();
    assert_eq!(ended, 1);
    let (_, answer, _) = project.json(&["mine", "stack", "--propose"]);
    let proposal = "[mine.stack]\nconstructor = \"stack_new\"\ndestructor = \"stack_free\"\nerror = \"!= 0\"\n";
    assert_eq!(answer["proposal"], proposal);
    project.edit("whydunit.toml", "\"stack_new\"", "\"stack_make\"");
    let output = project.run(&["mine", "stack"]);
    assert_eq!(output.status.code(), Some(2));
    assert_one_message(&String::from_utf8_lossy(&output.stderr), &["[mine.stack]", "`stack_make`"]);
}

const PORT: &str = "#include <stdlib.h>\n\
    struct options { int speed; };\n\
    struct port { int open; int speed; };\n\
    typedef struct port *port_t;\n\
    port_t port_plain(void) { port_t p = malloc(sizeof *p); p->open = 0; p->speed = 1; return p; }\n\
    port_t port_new(const struct options *with) { port_t p = port_plain(); p->speed = with->speed; return p; }\n\
    void port_open(port_t p) { p->open = 1; }\n\
    void port_free(port_t p) { free(p); }\n\
    int main(void) {\n\
    struct options fast = {9600};\n\
    port_t p = port_new(&fast), q = port_plain();\n\
    port_open(p);\n\
    port_open(q);\n\
    port_free(p);\n\
    port_free(q);\n\
    return 0;\n\
    }\n";

/// By its first parameter a function of C is one of another structure, though it makes objects of this one; the result may be a name for a pointer.
#[test]
fn what_makes_objects_of_c_may_be_given_another_structure() {
    let project = Project::new();
    let config = "[build]\nsources = [\"port.c\"]\n[tests]\ncases = \"cases.jsonl\"\n";
    project.write("port.c", PORT);
    project.write("cases.jsonl", "{\"name\":\"t\",\"status\":0}\n");
    project.write("whydunit.toml", config);
    let begin = |model: &Value| -> BTreeSet<String> {
        let all = transitions(model, &["open"]).into_iter();
        all.filter_map(|it| it.strip_prefix("start -")?.split('>').next().map(str::to_owned)).collect()
    };
    assert_eq!(begin(&model(&project, &["port"])), BTreeSet::from(["port_plain".to_owned()]));
    project.write(
        "whydunit.toml",
        &format!("{config}[mine.port]\nconstructor = [\"port_new\", \"port_plain\"]\nerror = \"!= 0\"\n"),
    );
    let both = BTreeSet::from(["port_new".to_owned(), "port_plain".to_owned()]);
    assert_eq!(begin(&model(&project, &["port"])), both);
    project.write("whydunit.toml", &format!("{config}[mine.port]\nconstructor = \"main\"\n"));
    assert_one_message(&String::from_utf8_lossy(&project.run(&["mine", "port"]).stderr), &["[mine.port]", "`main`"]);
}

#[test]
fn methods_are_impure_where_they_were_seen_to_be() {
    let project = Project::of("behavior/pure");
    let verdicts = |args: &[&str]| {
        let (status, answer, _) = project.json(&[&["mine", "--purity", "Shape"], args].concat());
        assert_eq!((status, answer["problems"].as_array().map(Vec::len)), (0, Some(0)), "{answer}");
        answer["methods"].as_array().expect("methods").clone()
    };
    let all = verdicts(&[]);
    let verdict = |methods: &[Value], name: &str| {
        let method = methods.iter().find(|method| method["method"] == name).expect(name);
        method["verdict"].as_str().expect("a verdict").to_owned()
    };
    for (name, expected) in [
        ("area", "proved"),
        ("sum", "proved"),
        ("sum_on_the_heap", "seen"),
        ("turned", "seen"),
        ("grow", "impure"),
        ("cached_area", "cache"),
        ("counted", "impure"),
        ("copy_to", "impure"),
        ("stretch", "impure"),
    ] {
        let found = verdict(&all, name);
        // What is proved is pure in all runs.
        assert!(found == expected || (expected, found.as_str()) == ("seen", "proved"), "{name}: {found}");
    }
    assert_eq!(verdict(&verdicts(&["--tests", "still"]), "stretch"), "seen");
    for method in all.iter().filter(|method| method["verdict"] == "impure") {
        assert!(method["witness"]["line"].as_u64().is_some_and(|line| line > 0), "{method}");
    }
    let grow = all.iter().find(|method| method["method"] == "grow").expect("grow");
    assert_eq!((&grow["written"], &grow["witness"]["line"]), (&"this.width".into(), &13.into()));
}

#[test]
fn what_only_the_failing_test_does_is_told() {
    let project = Project::of("behavior/faulty");
    let (status, answer, errors) = project.json(&["mine", "Port", "--failing", "twice"]);
    assert_eq!(status, 0, "{errors}");
    let differences = answer["differences"].as_array().expect("differences");
    assert_eq!(differences.len(), 1, "{differences:#?}");
    assert_eq!(differences[0]["location"]["line"], 27);
    let text = differences[0]["text"].as_str().expect("text");
    assert!(text.contains("where bound false, `unbind` changes nothing") && text.contains("never call it"), "{text}");
    let output = project.run(&["mine", "Port", "--failing", "once"]);
    assert_one_message(&String::from_utf8_lossy(&output.stderr), &["once does not fail"]);
}

#[test]
fn classes_are_ranked_by_how_their_objects_call() {
    let project = Project::of("behavior/faulty");
    let (status, answer, _) = project.json(&["locate", "--method", "ample"]);
    assert_eq!((status, &answer["method"]), (1, &"ample".into()));
    let first = &answer["findings"][0];
    assert_eq!(first["function"], "Client");
    assert!(first["witness"][0].as_str().is_some_and(|it| it.contains("Port::unbind")), "{first}");
}

#[test]
fn the_stream_of_events_is_a_file_that_fits_its_schema() {
    let project = Project::of("behavior/vector");
    assert_eq!(project.run(&["mine", "IntVector", "--events", "stream.jsonl"]).status.code(), Some(0));
    let schemas = crate::support::schema::Schemas::of_repository();
    let text = project.read("stream.jsonl");
    assert!(text.lines().count() > 20, "{text}");
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(schemas.violations("events.json", &value), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn objects_are_the_same_wherever_they_are() {
    let project = Project::of("behavior/corners");
    let of = |class: &str, paths: &[&str]| {
        let model = model(&project, &[class, "--no-inspectors"]);
        (model["objects"].as_u64().expect("a number"), transitions(&model, paths))
    };
    // The methods of a base are called on the derived object.
    assert_eq!(
        of("Derived", &["named", "acted"]),
        (1, set(&["start -Derived> false false", "false false -name> true false", "true false -act> true true"]))
    );
    // One that throws while it is made is none.
    assert_eq!(
        of("Fragile", &["whole"]).1,
        set(&["start -Fragile> true", "start -!Fragile> start", "true -is_whole> true"])
    );
    // By a constructor of its own a new one is made, and the older one goes on.
    assert_eq!(
        of("Buffer", &["data"]),
        (2, set(&["start -Buffer> not null", "not null -fill> not null", "not null -Buffer::Buffer> null",]))
    );
    // Four that realloc and memmove take elsewhere, and the part of an owner: five, none of which is used twice as new.
    let (objects, plain) = of("Plain", &["used"]);
    assert_eq!((objects, plain), (5, set(&["start -Plain> false", "false -use> true", "true -use> true"])));
    // A global one, which the compiler has made, one that two threads use, one of a thread.
    assert_eq!(
        of("Counter", &["count"]),
        (3, set(&["start -Counter> = 0", "start -(made)> = 0", "= 0 -add> > 0", "> 0 -add> > 0"]))
    );
    let (_, owner) = (of("Owner", &[]).0, transitions(&model(&project, &["Owner", "--depth", "2"]), &["part.used"]));
    assert_eq!(owner, set(&["start -Owner> false", "false -use_part> true"]));
    assert_eq!(of("Crashing", &["begun"]).1, set(&["start -Crashing> false", "false -!crash> true"]));
}

#[test]
fn classes_that_say_nothing_are_told_in_one_message() {
    let project = Project::of("behavior/corners");
    let errors = |args: &[&str]| {
        let output = project.run(&[&["mine"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_one_message(&errors(&["Thing"]), &["several classes are called `Thing`", "one::Thing", "two::Thing"]);
    assert_one_message(&errors(&["Base", "--tests", "inherited"]), &["no object of `Base`", "Derived"]);
    assert_one_message(&errors(&["Unused", "--tests", "moves"]), &["no object of `Unused` was seen in 1 run"]);
    assert_one_message(&errors(&["Buffer", "--recording", "gone"]), &["gone"]);
}

#[test]
fn what_is_no_inspector_after_all_is_told() {
    let project = Project::of("behavior/pure");
    let (_, answer, _) = project.json(&["mine", "Shape"]);
    let notes = crate::support::project::notes(&answer);
    for name in ["cached_area", "counted"] {
        assert!(notes.contains(&format!("`Shape::{name}` is not asked for its value: it changes memory")), "{notes}");
    }
    let values = &answer["models"][0]["states"][1]["values"];
    assert_eq!((&values["sum()"], &values["width"]), (&"> 0".into(), &"> 0".into()));
    // Nothing of the object has changed where a method that is pure was called.
    assert!(answer["inspector_runs_saved"].as_u64() > Some(0), "{answer}");
}

#[test]
fn a_version_that_behaves_differently_is_told() {
    let project = Project::of("behavior/faulty");
    project.write(".gitignore", ".whydunit/\nprogram\n");
    git(project.folder(), &["init", "-q"]);
    commit_all(project.folder(), "one");
    project.edit(
        "main.cpp",
        "        bound = false;\n",
        "        bound = was && bound && false;\n        refused = !was;\n",
    );
    project.edit("main.cpp", "    bool bound = false;\n", "    bool bound = false;\n    bool refused = false;\n");
    project.write("whydunit.toml", &format!("{}[mine.Port]\nstate = [\"bound\"]\n", project.read("whydunit.toml")));
    let differences = || {
        let (status, answer, errors) = project.json(&["mine", "Port", "--against", "HEAD"]);
        assert_eq!(status, 0, "{errors}");
        answer["differences"].as_array().expect("differences").clone()
    };
    // By what is configured to be the state nothing has changed.
    assert_eq!(differences(), Vec::<Value>::new());
    project.edit("main.cpp", "        bool was = bound;\n", "        bool was = bound;\n        if (!was) {\n            bound = true;\n            return false;\n        }\n");
    let found = differences();
    let texts: Vec<&str> = found.iter().filter_map(|it| it["text"].as_str()).collect();
    assert!(
        texts.contains(&"Port: where bound false, `unbind` leads to bound true; with HEAD: `unbind` to the same"),
        "{texts:#?}"
    );
    assert!(texts.contains(&"Port no longer: where bound false, `unbind` changes nothing"), "{texts:#?}");
}
