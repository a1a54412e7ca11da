//! Development tasks of Sinew: `cargo xtask test|ci|bless|notices|first-frame|dump-wgsl`. Standard library and the kernel
//! table only, so that it builds in seconds.
#![forbid(unsafe_code)]

mod ci;
mod dependencies;
mod display;
mod docs;
mod driver;
mod dump;
mod first_frame;
mod folder;
mod gallery;
mod process;
mod python;
mod real_data;
mod wheel;

use std::process::ExitCode;

const USAGE: &str = "\
Development tasks of Sinew.

  cargo xtask test [NAME]      every test of the workspace, or those whose names contain NAME; as root
                               it installs the software Vulkan and the display that they need
  cargo xtask ci [STEP..]      the checks that a change must pass, or the steps named
  cargo xtask ci --list        the steps, and why each exists
  cargo xtask bless            docs/theory/validation.md from what the tests compute; docs/reference/properties.md, the
                               schema of model files and its reference from the tables
  cargo xtask notices          THIRD_PARTY.md from the dependencies of the binary
  cargo xtask first-frame [MODEL]  seconds from the start of `sinew view` to its first frame and to the
                               model in it, on a display in memory, five times
  cargo xtask dump-wgsl DIR    every kernel as the device gets it, for other validators";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test"] => ci::test(None),
        ["test", name] => ci::test(Some(name)),
        ["ci", "--list"] => {
            ci::list();
            Ok(())
        }
        ["ci", steps @ ..] => ci::run_steps(steps),
        ["bless"] => ci::bless(),
        ["notices"] => dependencies::write_notices(),
        ["first-frame"] => first_frame::measure("jaw-tongue-hyoid", 5),
        ["first-frame", model] => first_frame::measure(model, 5),
        ["dump-wgsl", folder] => dump::dump_wgsl(folder.as_ref()),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(format!("unknown task: {}\n\n{USAGE}", words.join(" "))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
