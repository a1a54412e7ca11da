//! A shell that is typed into while its model runs.

use std::time::{Duration, Instant};

use clap::Parser;

use super::command::{Command, CommandError};
use super::runner::Runner;
use super::session::Shell;
use crate::command_line::{Cli, Command as Subcommand};
use crate::compute::{Interrupt, Live};
use crate::options::EditArgs;

/// A shell with a chain, as someone types into it.
fn shell() -> Shell {
    let Some(Subcommand::Shell(args)) = Cli::try_parse_from(["sinew", "shell"]).unwrap().command
    else {
        panic!("'shell' was read as something else")
    };
    let live = Live::new(&args.live).unwrap();
    let mut shell = Shell::new(args.out, live, Interrupt::never());
    shell.load("chain", &EditArgs::default(), true).unwrap();
    shell
}

fn run(shell: &mut Shell, text: &str) -> Result<(), CommandError> {
    shell.run(Command::parse(text)?.expect("it is a command")).map(|_| ())
}

fn is_running(shell: &Shell) -> bool {
    shell.runner.as_ref().is_some_and(Runner::is_running)
}

fn time(shell: &Shell) -> f64 {
    shell.scheduler().unwrap().time()
}

/// Waits until the time is beyond `after` [s].
fn wait_beyond(shell: &Shell, after: f64) {
    let begun = Instant::now();
    while time(shell) <= after {
        assert!(begun.elapsed() < Duration::from_secs(60), "it stands still at {after} s");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn commands_are_done_between_the_steps_of_a_run() {
    let mut shell = shell();
    run(&mut shell, "run").unwrap();
    assert!(is_running(&shell));
    wait_beyond(&shell, 0.0);
    run(&mut shell, "set /models/chain:gravity 0 0 -1").unwrap();
    run(&mut shell, "get /models/chain/rigid_bodies/link1:position").unwrap();
    run(&mut shell, "find /models").unwrap();
    wait_beyond(&shell, time(&shell));
    assert!(shell.prompt().contains("running"), "{}", shell.prompt());
    assert!(matches!(run(&mut shell, "run 1"), Err(CommandError::Running)));
    assert!(matches!(run(&mut shell, "step"), Err(CommandError::Running)));
    run(&mut shell, "wait 0.01").unwrap();
    assert!(is_running(&shell));
    run(&mut shell, "pause").unwrap();
    assert!(!is_running(&shell));
    let now = time(&shell);
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(time(&shell), now);
}

#[test]
fn what_goes_to_another_time_halts_a_run_first() {
    let mut shell = shell();
    for command in ["reset", "rewind", "load chain n=2"] {
        run(&mut shell, "run").unwrap();
        wait_beyond(&shell, 0.0);
        run(&mut shell, command).unwrap();
        assert!(!is_running(&shell), "{command}");
        assert_eq!(time(&shell), 0.0, "{command}");
    }
    run(&mut shell, "run 0.05").unwrap();
    run(&mut shell, "wait").unwrap();
    assert!((time(&shell) - 0.05).abs() < 1e-9);
}

#[test]
fn the_end_of_a_run_is_told_when_it_comes() {
    let (sender, told) = std::sync::mpsc::channel();
    let sender = std::sync::Mutex::new(sender);
    let mut shell = shell();
    shell.announce = Some(std::sync::Arc::new(move |line, prompt| {
        assert!(prompt.starts_with("chain 0.") && !prompt.contains("running"), "{prompt}");
        sender.lock().unwrap().send(line.to_owned()).unwrap();
    }));
    let next = || told.recv_timeout(Duration::from_secs(60)).unwrap();
    run(&mut shell, "add_breakpoint 0.02").unwrap();
    run(&mut shell, "run 0.04").unwrap();
    assert_eq!(next(), "breakpoint at t = 0.02 s");
    run(&mut shell, "wait").unwrap();
    run(&mut shell, "run 0.02").unwrap();
    assert_eq!(next(), "t = 0.04 s");
    run(&mut shell, "wait").unwrap();
    run(&mut shell, "run").unwrap();
    run(&mut shell, "pause").unwrap();
    assert!(next().starts_with("paused at t = "));
}

#[test]
fn a_shell_that_ends_while_its_model_runs_halts_it() {
    let mut shell = shell();
    run(&mut shell, "run").unwrap();
    shell.finish().unwrap();
    assert!(!is_running(&shell));
    run(&mut shell, "run").unwrap();
    drop(shell);
}
