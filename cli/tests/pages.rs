//! The commands of the pages for users do what stands there: blocks named `console` are run in the order of the
//! page, beside files from blocks named `toml` whose first line is `# NAME`, or `# NAME, continued`.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use crate::common::{Workshop, stderr};

/// Actions of a page, in its order.
#[derive(Debug)]
enum Action {
    /// A command, and the lines that follow it.
    Run { command: String, expected: Vec<String> },
    /// A file, or what is added to it.
    Write { name: String, text: String, continued: bool },
}

/// Actions of the blocks of a page.
fn actions(page: &str) -> Vec<Action> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("```") {
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match line {
            "```console" => add_commands(&block, &mut found),
            "```toml" => found.extend(file_of(&block)),
            _ => {}
        }
    }
    found
}

fn add_commands(lines: &[&str], found: &mut Vec<Action>) {
    for line in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            found.push(Action::Run { command: command.to_owned(), expected: Vec::new() });
            continue;
        }
        let Some(Action::Run { command, expected }) = found.last_mut() else {
            panic!("a command begins with $: {line}")
        };
        match line.strip_prefix("> ") {
            Some(more) => *command += &format!("\n{more}"),
            None => expected.push((*line).to_owned()),
        }
    }
}

/// The file that a block is, if it names one.
fn file_of(lines: &[&str]) -> Option<Action> {
    let heading = lines.first()?.strip_prefix("# ")?;
    let (name, continued) = match heading.strip_suffix(", continued") {
        Some(name) => (name, true),
        None => (heading, false),
    };
    let is_file = name.ends_with(".toml") && !name.contains(' ');
    let text = lines.join("\n") + "\n";
    is_file.then(|| Action::Write { name: name.to_owned(), text, continued })
}

/// True if lines are those expected, where `...` stands for any number of lines.
fn fits(lines: &[&str], expected: &[String]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((any, rest)) if any == "..." => {
            (0..=lines.len()).any(|skipped| fits(&lines[skipped..], rest))
        }
        Some((line, rest)) => {
            lines.first().is_some_and(|first| first == line) && fits(&lines[1..], rest)
        }
    }
}

/// Does what a page asks for, which is `least` commands at least, in a folder of its own.
fn follow(page: &str, least: usize) {
    let shop = Workshop::new();
    let sinew = Path::new(env!("CARGO_BIN_EXE_sinew")).parent().unwrap().display().to_string();
    let path = format!("{sinew}:{}", std::env::var("PATH").unwrap_or_default());
    let actions = actions(page);
    let commands = actions.iter().filter(|action| matches!(action, Action::Run { .. })).count();
    assert!(commands >= least, "{commands} commands");
    for action in actions {
        let (command, expected) = match action {
            Action::Run { command, expected } => (command, expected),
            Action::Write { name, text, continued } => {
                let file = shop.path(&name);
                let before = continued.then(|| std::fs::read_to_string(&file).unwrap());
                std::fs::write(&file, before.unwrap_or_default() + &text).unwrap();
                continue;
            }
        };
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).current_dir(shop.path(".")).env("PATH", &path);
        let output = shell.output().expect("sh starts");
        assert!(output.status.success(), "$ {command}\n{}", stderr(&output));
        let said = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<_> = said.lines().collect();
        assert!(fits(&lines, &expected), "$ {command}\n{said}\nis not {expected:#?}");
    }
}

#[test]
fn the_first_model_is_built_as_its_page_says() {
    follow(include_str!("../../docs/tutorial/first-model.md"), 7);
}

#[test]
fn runs_through_time_do_what_their_page_says() {
    follow(include_str!("../../docs/tutorial/running.md"), 10);
}

#[test]
fn parts_of_meshes_are_selected_as_their_page_says() {
    follow(include_str!("../../docs/howto/select-nodes.md"), 2);
}

#[test]
fn tissue_varies_and_has_a_skin_as_its_page_says() {
    follow(include_str!("../../docs/howto/fields-and-shells.md"), 2);
}

#[test]
fn a_world_is_written_as_its_page_says() {
    follow(include_str!("../../docs/howto/worlds.md"), 1);
}

#[test]
fn properties_are_declared_as_their_page_says() {
    follow(include_str!("../../docs/howto/own-properties.md"), 2);
}
