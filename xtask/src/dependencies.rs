//! Dependencies of the binary: their licences, sources and versions.

use std::collections::BTreeMap;
use std::process::Command;

use crate::process::{cargo, root, run, succeeds};

/// Name of the page of notices.
const PAGE: &str = "THIRD_PARTY.md";

/// Text above the list.
const HEAD: &str = "\
# Third-party notices

The binary `sinew`, and the library of the package for Python, are built from these packages, besides those of
this project. Their texts of licence stand in the packages at <https://crates.io>. METIS (in `metis-sys`) is
\u{a9} the Regents of the University of Minnesota, Apache-2.0. The fonts that the window shows (in
`epaint_default_fonts`) are Ubuntu Light (Ubuntu Font Licence 1.0), Hack (MIT), Noto Emoji (OFL-1.1) and
emoji-icon-font (MIT).

`cargo xtask notices` writes this page.

";

/// The page: a line a licence, with the packages below it.
fn page() -> Result<String, String> {
    let packages = ["--package", "sinew-cli", "--package", "sinew-python"];
    let arguments = ["tree", "--locked", "--edges", "normal,build"];
    let format = ["--target", "all", "--prefix", "none", "--no-dedupe", "--format", "{p}\t{l}"];
    let mut tree: Command = cargo(&[&arguments[..], &packages, &format].concat());
    let output = tree.output().map_err(|error| format!("cargo tree: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let mut by_licence: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Some((package, licence)) = line.split_once('\t') else { continue };
        let name = package.split(' ').next().unwrap_or_default().to_owned();
        if !name.starts_with("sinew") {
            by_licence.entry(licence.replace('/', " OR ")).or_default().push(name);
        }
    }
    let mut text = HEAD.to_owned();
    for (licence, mut names) in by_licence {
        names.sort();
        names.dedup();
        text += &format!("## {licence}\n{}\n\n", names.join(", "));
    }
    Ok(text.trim_end().to_owned() + "\n")
}

/// Writes the page of notices.
pub(crate) fn write_notices() -> Result<(), String> {
    let path = root().join(PAGE);
    std::fs::write(&path, page()?).map_err(|error| format!("{}: {error}", path.display()))
}

/// Licences and sources, where the tool for them is there; the page of notices; the oldest compiler.
pub(crate) fn check() -> Result<(), String> {
    let written = std::fs::read_to_string(root().join(PAGE)).unwrap_or_default();
    if written != page()? {
        return Err(format!("{PAGE} is not of these dependencies: run `cargo xtask notices`"));
    }
    if succeeds(cargo(&["deny", "--version"])) {
        run(cargo(&["deny", "--offline", "check", "licenses", "bans", "sources"]))?;
    } else {
        println!("cargo-deny is not installed: licences and sources are not looked at");
    }
    check_oldest_compiler()
}

/// Builds with the compiler that the manifest promises, where it is another one and is there.
fn check_oldest_compiler() -> Result<(), String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap_or_default();
    let promised = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \""));
    let Some(oldest) = promised.and_then(|rest| rest.strip_suffix('"')) else {
        return Err("Cargo.toml promises no rust-version".to_owned());
    };
    let version = Command::new("rustc").arg("--version").output();
    let version = version.map_err(|error| format!("rustc: {error}"))?;
    if String::from_utf8_lossy(&version.stdout).starts_with(&format!("rustc {oldest}.")) {
        println!("the compiler is Rust {oldest}, the oldest that is promised");
        return Ok(());
    }
    let toolchain = format!("+{oldest}");
    let with_oldest = |arguments: &[&str]| {
        let mut command = Command::new("cargo");
        command.arg(&toolchain).args(arguments).current_dir(root()).env_remove("CARGO");
        command
    };
    if succeeds(with_oldest(&["--version"])) {
        return run(with_oldest(&["check", "--workspace", "--all-targets"]));
    }
    println!("Rust {oldest} is not installed: what it makes of the workspace is not looked at");
    Ok(())
}
