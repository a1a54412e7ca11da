//! The commands of docs/running.md do what stands there.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::process::Command;

use common::{Workshop, stderr};

const PAGE: &str = include_str!("../../docs/running.md");

/// A command of a block, and the lines that follow it.
struct Example {
    command: String,
    expected: Vec<String>,
}

/// The commands of the blocks named `console`, in order.
fn examples(page: &str) -> Vec<Example> {
    let (mut found, mut inside): (Vec<Example>, _) = (Vec::new(), false);
    for line in page.lines() {
        match (line, inside) {
            ("```console", _) => inside = true,
            ("```", _) => inside = false,
            (_, false) => {}
            (line, true) => {
                if let Some(command) = line.strip_prefix("$ ") {
                    found.push(Example { command: command.to_owned(), expected: Vec::new() });
                } else if let Some(more) = line.strip_prefix("> ") {
                    let last = found.last_mut().expect("a command begins with $");
                    last.command += "\n";
                    last.command += more;
                } else {
                    let last = found.last_mut().expect("a command begins with $");
                    last.expected.push(line.to_owned());
                }
            }
        }
    }
    found
}

/// Whether lines are those expected, where `...` stands for any number of lines.
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

#[test]
fn every_command_of_the_page_runs_and_says_what_stands_there() {
    let shop = Workshop::new();
    let sinew = Path::new(env!("CARGO_BIN_EXE_sinew")).parent().unwrap().display().to_string();
    let path = format!("{sinew}:{}", std::env::var("PATH").unwrap_or_default());
    let examples = examples(PAGE);
    assert!(examples.len() >= 10, "{} commands", examples.len());
    for Example { command, expected } in examples {
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).current_dir(shop.path(".")).env("PATH", &path);
        let output = shell.output().expect("sh starts");
        assert!(output.status.success(), "$ {command}\n{}", stderr(&output));
        let said = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<_> = said.lines().collect();
        assert!(fits(&lines, &expected), "$ {command}\n{said}\nis not {expected:#?}");
    }
}
