//! The checks that a change must pass, as one list; `.ci/run` calls it on a bare machine.

use std::num::NonZero;
use std::process::Command;
use std::thread::available_parallelism;
use std::time::Instant;

use crate::process::{cargo, root, run, succeeds};
use crate::{dependencies, display, docs, driver, gallery, python, real_data};

/// Variable from which proptest takes the seed of its draws.
const SEED: &str = "PROPTEST_RNG_SEED";

struct Step {
    name: &'static str,
    why: &'static str,
    check: fn() -> Result<(), String>,
}

/// In this order: what fails fastest comes first.
const STEPS: [Step; 11] = [
    Step {
        name: "format",
        why: "one format, so that a diff shows what was meant and nothing else",
        check: || run(cargo(&["fmt", "--all", "--", "--check"])),
    },
    Step {
        name: "dependencies",
        why: "a licence that forbids to give the binary on, or a compiler older than the code needs, is found \
              by others first",
        check: dependencies::check,
    },
    Step {
        name: "clippy",
        why: "mistakes that the compiler lets pass, and public items without documentation",
        check: clippy,
    },
    Step {
        name: "no-metis",
        why: "the build without METIS is a promise of the manifest, and must refuse bad graphs too",
        check: || run(cargo(&["test", "--package", "sinew-ordering", "--no-default-features"])),
    },
    Step {
        name: "docs",
        why: "a broken link or formula in the documentation is a mistake like any other",
        check: docs::check,
    },
    Step {
        name: "test",
        why: "contracts, published values, invariants; naga's validation of every shader, and the documentation's \
              examples with them",
        check: || test(None),
    },
    Step {
        name: "python",
        why: "who has no Rust uses the package for Python: its tests, the blocks of its tutorial, and a wheel that pip installs",
        check: python::check,
    },
    Step {
        name: "run",
        why: "the command of the README must work as it stands there",
        check: || {
            run(cargo(&["run", "--release", "--", "run", "--time", "0.05", "--frames", "none"]))
        },
    },
    Step {
        name: "picture",
        why: "the pictures of the README and of the gallery are drawn by what stands beside them",
        check: pictures,
    },
    Step {
        name: "real_data",
        why: "anatomical meshes have the slivers and sizes that made ones lack",
        check: real_data::check,
    },
    Step {
        name: "benches",
        why: "benches that nobody compiles rot; each runs once, its time is not looked at",
        // With the features and the profile of the step `test`, so that nothing that it built is built anew.
        check: || run(cargo(&["test", "--workspace", "--bench", "*", "--", "--test"])),
    },
];

/// Runs the steps of these names, or all of them when none is named, and stops at the first that
/// fails.
pub(crate) fn run_steps(names: &[&str]) -> Result<(), String> {
    if let Some(unknown) = names.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        return Err(format!("no step `{unknown}`; `cargo xtask ci --list` names them"));
    }
    let chosen = STEPS.iter().filter(|step| names.is_empty() || names.contains(&step.name));
    for step in chosen {
        println!("\n== {}: {}", step.name, step.why);
        let start = Instant::now();
        (step.check)().map_err(|error| format!("step `{}` failed: {error}", step.name))?;
        println!("== {} passed in {:.0} s", step.name, start.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Prints the steps and why each exists.
pub(crate) fn list() {
    for step in &STEPS {
        println!("{:10} {}", step.name, step.why);
    }
}

/// Every test of the workspace with the documentation's examples, or those whose names contain
/// `name`. What the tests of the GPU and of the window need is installed first where it is missing. The walk through the window
/// leaves its pictures in `target/walk`.
pub(crate) fn test(name: Option<&str>) -> Result<(), String> {
    driver::ensure()?;
    display::ensure()?;
    let walk = root().join("target").join("walk");
    std::fs::create_dir_all(&walk).map_err(|error| format!("{}: {error}", walk.display()))?;
    let with_name = |mut command: Command| {
        command.args(name).env("SINEW_WALK", &walk);
        // The same draws on every machine; who looks for others sets a seed.
        if std::env::var_os(SEED).is_none() {
            command.env(SEED, "1");
        }
        command
    };
    if !succeeds(cargo(&["nextest", "--version"])) {
        return run(with_name(cargo(&["test", "--workspace"])));
    }
    // A name that only an example bears leaves no test: that is no failure.
    let mut nextest =
        cargo(&["nextest", "run", "--workspace", "--no-fail-fast", "--no-tests", "pass"]);
    // One more than cores: a fifth of the time of a test is spent waiting, for a device, a window or a child.
    nextest
        .arg("--test-threads")
        .arg((available_parallelism().map_or(1, NonZero::get) + 1).to_string());
    run(with_name(nextest))?;
    run(with_name(cargo(&["test", "--workspace", "--doc"])))
}

/// Writes the table of validation from what the tests compute, and the page of properties, the schema of
/// model files and its reference from the tables; read the difference before committing.
pub(crate) fn bless() -> Result<(), String> {
    for (package, target, name) in [
        ("sinew", "validation", "the_table"),
        ("sinew", "properties", "the_page"),
        ("sinew-model-files", "files", "is_current"),
    ] {
        let mut test = cargo(&["test", "--package", package, "--test", target, name]);
        test.env("SINEW_BLESS", "1");
        run(test)?;
    }
    Ok(())
}

/// Draws the picture of the README and the gallery anew, into files of their own.
fn pictures() -> Result<(), String> {
    driver::ensure()?;
    let size = ["--time", "0.46", "--size", "1200x900", "-o", "target/jaw.png"];
    run(cargo(&[&["run", "--release", "--", "render"][..], &size].concat()))?;
    gallery::draw()
}

fn clippy() -> Result<(), String> {
    run(cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}
