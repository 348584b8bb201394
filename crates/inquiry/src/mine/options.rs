//! What is to be mined, out of a question and the project's configuration.

use std::collections::{BTreeMap, BTreeSet};

use whydunit_behavior::{Abstraction, ClassOptions, Mined, Options};
use whydunit_objects::{Catalogue, ErrorRule, Wanted, candidates};
use whydunit_suite::{MineConfig, nearest};
use whydunit_workbench::Project;

use super::runs::Reading;
use super::{MineError, Question};

/// So many names that are near are told.
const NEAR: usize = 3;

/// The number of the class of a name, with or without its scopes.
pub(crate) fn class(catalogue: &Catalogue, name: &str) -> Result<usize, MineError> {
    let classes = catalogue.classes();
    let with = |wanted: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..classes.len()).filter(|&number| wanted(&classes[number].name)).collect()
    };
    let mut found = with(&|known| known == name);
    if found.is_empty() {
        found = with(&|known| known.strip_suffix(name).is_some_and(|scopes| scopes.ends_with("::")));
    }
    if found.len() > 1 && found.iter().any(|&number| !classes[number].library) {
        found.retain(|&number| !classes[number].library);
    }
    match found[..] {
        [number] => Ok(number),
        [] => {
            let with_methods = || classes.iter().filter(|class| !class.methods.is_empty());
            let names: Vec<&str> =
                with_methods().filter(|class| !class.library).map(|class| class.name.as_str()).collect();
            let all = with_methods().map(|class| class.name.as_str());
            let last = |known: &str| known.rsplit("::").next().unwrap_or(known).to_lowercase();
            let mut near: Vec<String> = nearest(name, &names).into_iter().map(str::to_owned).collect();
            near.extend(all.filter(|known| last(known) == last(name)).map(str::to_owned));
            near.sort();
            near.dedup();
            near.truncate(NEAR);
            Err(MineError::NoClass { name: name.to_owned(), near })
        }
        _ => {
            let place = |number: &usize| {
                let class = &classes[*number];
                let at = class.position.as_ref().map(|at| format!(" ({}:{})", at.file, at.line));
                format!("{}{}", class.name, at.unwrap_or_default())
            };
            Err(MineError::Several { name: name.to_owned(), names: found.iter().map(place).collect() })
        }
    }
}

/// How models are made.
pub(crate) fn of(reading: &Reading<'_>, question: &Question<'_>, class: Option<usize>) -> Options {
    let class = class.map(|class| reading.catalogue.classes()[class].name.as_str());
    named(&reading.project.config.mine, class, question.depth)
}

/// The same of a class by its full name.
pub(crate) fn named(configured: &BTreeMap<String, MineConfig>, class: Option<&str>, depth: usize) -> Options {
    let mut of_class = BTreeMap::new();
    for (name, config) in configured {
        // A class is named as on the command line.
        let is_own = |class: &&str| {
            class
                .strip_suffix(name.as_str())
                .is_some_and(|scopes| scopes.is_empty() || scopes.ends_with([':', '.', '$']))
        };
        let own = class.filter(is_own).unwrap_or(name);
        of_class.insert(own.to_owned(), class_options(config));
    }
    let classes = class.map(|name| BTreeSet::from([name.to_owned()]));
    Options { classes, depth, of_class }
}

fn class_options(config: &MineConfig) -> ClassOptions {
    ClassOptions {
        state: config.state.as_ref().map(|paths| paths.iter().cloned().collect()),
        leave_out: config.leave_out.iter().cloned().collect(),
        abstraction: config
            .abstraction
            .iter()
            .filter_map(|(path, how)| Some((path.clone(), Abstraction::named(how)?)))
            .collect(),
    }
}

/// What is traced for it.
pub(crate) fn wanted(
    project: &Project,
    catalogue: &Catalogue,
    question: &Question<'_>,
    class: Option<usize>,
) -> Result<Wanted, MineError> {
    let libraries = catalogue.classes().iter().enumerate().filter(|(_, class)| class.library);
    let mut wanted = Wanted {
        libraries: libraries.map(|(number, _)| number).filter(|number| Some(*number) != class).collect(),
        ..Wanted::default()
    };
    wanted.purity = question.purity;
    if let Some(class) = class.filter(|_| question.inspectors && !question.purity && !question.propose) {
        wanted.inspectors.insert(class, candidates(catalogue, class));
    }
    wanted.errors = error_rules(project, catalogue)?;
    Ok(wanted)
}

/// The rules for errors that the configuration has, by class.
pub(crate) fn error_rules(project: &Project, catalogue: &Catalogue) -> Result<BTreeMap<usize, ErrorRule>, MineError> {
    let mut rules = BTreeMap::new();
    for (name, config) in &project.config.mine {
        if let Some(rule) = &config.error {
            let class = self::class(catalogue, name)?;
            let parsed =
                error_rule(rule).ok_or_else(|| MineError::ErrorRule { class: name.clone(), rule: rule.clone() })?;
            rules.insert(class, parsed);
        }
    }
    Ok(rules)
}

/// `< 0`, `NULL`, `== N`, `!= N`, `not in {N, M}`.
fn error_rule(text: &str) -> Option<ErrorRule> {
    let text = text.trim();
    let number = |text: &str| text.trim().parse::<i64>().ok();
    if let Some(rest) = text.strip_prefix('<') {
        return (number(rest)? == 0).then_some(ErrorRule::Negative);
    }
    if let Some(rest) = text.strip_prefix("==") {
        return if rest.trim() == "NULL" { Some(ErrorRule::Null) } else { Some(ErrorRule::Equal(number(rest)?)) };
    }
    if let Some(rest) = text.strip_prefix("!=") {
        return Some(ErrorRule::NoneOf(BTreeSet::from([number(rest)?])));
    }
    if let Some(rest) = text.strip_prefix("not in") {
        let inner = rest.trim().strip_prefix('{')?.strip_suffix('}')?;
        return inner.split(',').map(number).collect::<Option<BTreeSet<i64>>>().map(ErrorRule::NoneOf);
    }
    (text == "NULL").then_some(ErrorRule::Null)
}

/// What a configuration names must be there, where the class has objects.
pub(crate) fn check_paths(options: &Options, mined: &Mined) -> Result<(), MineError> {
    for model in &mined.models {
        let Some(of_class) = options.of_class.get(&model.class) else { continue };
        let known = |path: &str| model.paths.iter().any(|it| it == path || it.trim_end_matches("()") == path);
        if let Some(path) = of_class.paths().find(|path| !known(path)) {
            return Err(MineError::NoPath {
                class: model.class.clone(),
                path: path.to_owned(),
                known: model.paths.clone(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_for_errors_read_as_they_are_written() {
        let fails = |rule: &str, value| error_rule(rule).expect("a rule").fails(value);
        assert!(fails("< 0", -1) && !fails("< 0", 0));
        assert!(fails("NULL", 0) && fails("== NULL", 0) && !fails("NULL", 8));
        assert!(fails("!= 0", 2) && !fails("!= 0", 0) && fails("== 3", 3));
        assert!(fails("not in {0, 100, 101}", 1) && !fails("not in {0, 100, 101}", 101));
        assert_eq!(error_rule("perhaps"), None);
        assert_eq!(error_rule("< 5"), None);
    }
}
