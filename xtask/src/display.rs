//! Requirements of the tests of the window on a bare machine: a display in memory, hands on a mouse
//! and a keyboard, and the libraries that windows load when they open.

use std::path::Path;
use std::process::Command;

use crate::driver::{apt_get, is_root};
use crate::process::succeeds;

/// Programs, with the packages of Debian and Ubuntu that bring them.
const PROGRAMS: [(&str, &str); 2] = [("Xvfb", "xvfb"), ("xdotool", "xdotool")];

/// Libraries that a window under X11 loads, with their packages.
const LIBRARIES: [(&str, &str); 6] = [
    ("libX11.so.6", "libx11-6"),
    ("libX11-xcb.so.1", "libx11-xcb1"),
    ("libXcursor.so.1", "libxcursor1"),
    ("libXi.so.6", "libxi6"),
    ("libXrandr.so.2", "libxrandr2"),
    ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
];

/// Installs what is missing, where that may be done.
///
/// # Errors
/// With the command to run, where it may not.
pub(crate) fn ensure() -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let missing = missing(&libraries(), has_program);
    if missing.is_empty() {
        return Ok(());
    }
    if !(is_root() && succeeds(program("apt-get", &["--version"]))) {
        return Err(advice(&missing));
    }
    println!("tests of the window need a display in memory: installing {}", missing.join(" "));
    apt_get(&["update", "-qq"])?;
    let install = ["install", "-y", "-qq", "--no-install-recommends"];
    apt_get(&[&install, missing.as_slice()].concat())
}

/// Packages that bring what is not there.
fn missing(libraries: &str, has_program: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let programs = PROGRAMS.iter().filter(|(name, _)| !has_program(name));
    let absent = LIBRARIES.iter().filter(|(name, _)| !libraries.contains(name));
    programs.chain(absent).map(|(_, package)| *package).collect()
}

fn advice(missing: &[&str]) -> String {
    format!(
        "tests of the window need a display in memory, and this task may not install one; run: sudo \
         apt-get install {}",
        missing.join(" ")
    )
}

/// Libraries that the dynamic linker finds.
fn libraries() -> String {
    let print = |path| program(path, &["-p"]).output().ok().filter(|it| it.status.success());
    let output = ["ldconfig", "/sbin/ldconfig"].into_iter().find_map(print);
    output.map(|it| String::from_utf8_lossy(&it.stdout).into_owned()).unwrap_or_default()
}

fn has_program(name: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| Path::new(&folder).join(name).exists())
}

fn program(name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.args(arguments);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_missing_is_installed() {
        let all: Vec<&str> = LIBRARIES.iter().map(|(name, _)| *name).collect();
        assert_eq!(missing(&all.join("\n"), |_| true), [""; 0]);
        assert_eq!(missing(&all[1..].join("\n"), |name| name == "Xvfb"), ["xdotool", "libx11-6"]);
    }

    #[test]
    fn where_nothing_may_be_installed_the_one_command_is_named() {
        let what = advice(&["xvfb", "libxi6"]);
        assert!(what.ends_with("run: sudo apt-get install xvfb libxi6"), "{what}");
    }
}
