//! Every renderer on the same reports, and the JSON held to its schemas.

mod support;

use serde_json::{Value, json as value};
use support::fixtures::{Triangle, reports};
use support::schema::Schemas;
use whydunit_render::{NoSources, TextOptions, json, text};

#[test]
fn text_of_every_command() {
    for (name, report) in reports() {
        let options = TextOptions { colour: false, sources: &Triangle, limit: 3 };
        insta::assert_snapshot!(format!("{name}.text"), text(&report, &options));
    }
}

#[test]
fn json_of_every_command() {
    for (name, report) in reports() {
        insta::assert_snapshot!(format!("{name}.json"), json(&report));
    }
}

#[test]
fn json_fits_the_schema_of_its_command() {
    let schemas = Schemas::of_repository();
    for (name, report) in reports() {
        let value: Value = serde_json::from_str(&json(&report)).expect("it is JSON");
        let file = format!("{}.json", report.body.command());
        assert_eq!(schemas.violations(&file, &value), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn the_check_of_schemas_notices_what_does_not_fit() {
    let schemas = Schemas::of_repository();
    let good = |name: &str| -> Value {
        let (_, report) = reports().into_iter().find(|(own, _)| *own == name).expect("a fixture");
        serde_json::from_str(&json(&report)).expect("it is JSON")
    };
    let spoil = |name: &str, pointer: &str, with: Value| {
        let mut value = good(name);
        *value.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = with;
        !schemas.violations(&format!("{name}.json"), &value).is_empty()
    };
    assert!(spoil("locate", "/schema", value!("whydunit/2")));
    assert!(spoil("locate", "/findings/0/rank", value!("1")));
    assert!(spoil("locate", "/findings/0/rank_best", value!(0)));
    assert!(spoil("locate", "/findings/0/location/line", value!(1.5)));
    assert!(spoil("locate", "/findings/0/sets/0", value!(-1)));
    assert!(spoil("test", "/tests/0/outcome", value!("fine")));
    assert!(spoil("show", "/failure/variables/base", value!(3)));
    assert!(spoil("show", "/failure", value!({})));
    assert!(spoil("replay", "/stats", value!({ "seconds": 1 })));
    let mut surplus = good("why");
    surplus["more"] = value!(1);
    assert_eq!(schemas.violations("why.json", &surplus), ["$: `more` is not in the schema"]);
}

#[test]
fn text_is_plain_unless_colour_is_asked_for() {
    for (name, report) in reports() {
        let render = |colour| text(&report, &TextOptions { colour, sources: &NoSources, limit: 10 });
        assert!(!render(false).contains('\x1b'), "{name}");
        let coloured = render(true);
        assert_eq!(anstripped(&coloured), render(false), "{name}");
    }
}

/// Without the escape sequences that the renderer writes.
fn anstripped(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        out.push_str(part.split_once('m').expect("a whole sequence").1);
    }
    out
}
