//! Completions of a line: names of commands, components and properties.

use std::cell::RefCell;
use std::rc::Rc;

use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};
use sinew::model::Model;

use super::command::COMMANDS;
use super::session::Shell;
use crate::load::tree;

/// Completion from the model of a shell.
pub(super) struct Completion(pub(super) Rc<RefCell<Shell>>);

impl Completer for Completion {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let shell = self.0.borrow();
        let scheduler = shell.scheduler().ok();
        let model = scheduler.as_ref().map(|it| it.simulation().model());
        Ok(candidates(&line[..position], model))
    }
}

impl Hinter for Completion {
    type Hint = String;
}

impl Highlighter for Completion {}
impl Validator for Completion {}
impl Helper for Completion {}

/// Begin of the last word, and its completions.
fn candidates(line: &str, model: Option<&Model>) -> (usize, Vec<String>) {
    let start = line.rfind([' ', '(', '\'']).map_or(0, |at| at + 1);
    let word = &line[start..];
    if start == 0 {
        let names = COMMANDS.iter().map(|it| it.0).filter(|name| name.starts_with(word));
        return (0, names.map(str::to_owned).collect());
    }
    if line.trim_start().starts_with("load") {
        let names = sinew_datasets::BUILTINS.iter().map(|it| it.name);
        return (start, names.filter(|name| name.starts_with(word)).map(str::to_owned).collect());
    }
    (start, model.map(|model| of_path(word, model)).unwrap_or_default())
}

/// Children of what is before the last slash, or properties of what is before the colon.
fn of_path(word: &str, model: &Model) -> Vec<String> {
    if let Some((path, begun)) = word.rsplit_once(':') {
        let Ok(host) = model.find(path) else { return Vec::new() };
        let names = model.properties(host).into_iter().map(|property| property.info().name);
        let names = names.filter(|name| name.starts_with(begun));
        return names.map(|name| format!("{path}:{name}")).collect();
    }
    let (parent, begun) = word.rsplit_once('/').unwrap_or(("", word));
    let parent = if parent.is_empty() { "/" } else { parent };
    let Ok(host) = model.find(parent) else { return Vec::new() };
    let paths = tree::children(model, host).into_iter().map(|child| model.path(child));
    let last = |path: &String| path.rsplit('/').next().is_some_and(|name| name.starts_with(begun));
    paths.filter(last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_models_components_and_properties_are_completed() {
        let mut params = sinew_datasets::Params::parse::<_, &str>([]).unwrap();
        let model = (sinew_datasets::find("chain").unwrap().build)(&mut params).unwrap();
        let of = |line: &str| candidates(line, Some(&model));
        assert_eq!(of("add_b"), (0, vec!["add_breakpoint".to_owned()]));
        assert_eq!(of("load ch"), (5, vec!["chain".to_owned()]));
        assert_eq!(of("find /mod"), (5, vec!["/models".to_owned()]));
        assert_eq!(of("get /models/chain:gravity"), (4, vec!["/models/chain:gravity".to_owned()]));
        let bodies = of("get(/models/chain/rigid_bodies/link").1;
        assert_eq!(bodies[0], "/models/chain/rigid_bodies/link0");
        assert!(of("get /nowhere/x").1.is_empty() && candidates("get /m", None).1.is_empty());
    }
}
