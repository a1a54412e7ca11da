//! The documentation builds, that of the libraries and the book, and every link in it leads somewhere. Units in brackets, as in
//! "mass [kg]", look like links to rustdoc; they alone are let pass.

use std::process::{Command, Stdio};

use crate::process::{cargo, line_of, root, run, succeeds};

/// Units of one word that stand in brackets; others, as `N s/m`, are no links to rustdoc.
const UNITS: [&str; 16] = [
    "m", "m²", "m³", "s", "s²", "kg", "N", "Pa", "J", "W", "Hz", "K", "rad", "bytes", "m⁵", "pixel",
];

/// Builds the documentation of all libraries, and the book where mdBook is installed.
///
/// # Errors
/// When one does not build, or that of the libraries warns of anything but a unit.
pub(crate) fn check() -> Result<(), String> {
    check_book()?;
    check_libraries()
}

/// Builds the pages below docs/ as a book, into target/book.
fn check_book() -> Result<(), String> {
    let mut version = Command::new("mdbook");
    version.arg("--version");
    if !succeeds(version) {
        println!("mdBook is not installed: the book is not built (cargo install mdbook)");
        return Ok(());
    }
    let mut build = Command::new("mdbook");
    build.arg("build").arg(root().join("docs"));
    run(build)
}

fn check_libraries() -> Result<(), String> {
    // Libraries only: the command has the name of the core library, and their pages would collide.
    let arguments = ["doc", "--workspace", "--no-deps", "--lib", "--message-format", "short"];
    let mut command = cargo(&arguments);
    command.args(["--color", "never"]).stderr(Stdio::piped());
    println!("$ {}", line_of(&command));
    let output = command.output().map_err(|error| format!("cargo doc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let mistakes: Vec<&str> = text.lines().filter(|line| is_mistake(line)).collect();
    if output.status.success() && mistakes.is_empty() {
        return Ok(());
    }
    let report = if mistakes.is_empty() { text.into_owned() } else { mistakes.join("\n") };
    Err(format!("{} ({})\n{report}", line_of(&command), output.status))
}

/// True if a line of the compiler's short messages is an error, or a warning at a place in a file
/// that is not about a unit.
fn is_mistake(line: &str) -> bool {
    if line.contains(": error") || line.starts_with("error") {
        return true;
    }
    let Some((_, message)) = line.split_once(": warning: ") else { return false };
    match message.strip_prefix("unresolved link to `").and_then(|rest| rest.split_once('`')) {
        Some((target, _)) => !UNITS.contains(&target),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::is_mistake;

    #[test]
    fn a_unit_in_brackets_is_no_mistake() {
        assert!(!is_mistake(
            "a.rs:3:4: warning: unresolved link to `Pa`: no item named `Pa` in scope"
        ));
        assert!(!is_mistake("warning: `sinew` (lib doc) generated 30 warnings"));
        assert!(!is_mistake(" Documenting sinew v0.1.0"));
    }

    #[test]
    fn a_broken_link_and_any_other_warning_is_one() {
        assert!(is_mistake("a.rs:3:4: warning: unresolved link to `MechSystem`: no item named"));
        assert!(is_mistake("a.rs:3:4: warning: unclosed HTML tag `T`"));
        assert!(is_mistake("a.rs:3:4: error[E0425]: cannot find value `x` in this scope"));
        assert!(is_mistake("error: could not document `sinew`"));
    }
}
