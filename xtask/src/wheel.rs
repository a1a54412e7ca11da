//! The wheel of the package for Python: maturin's description of it, and the library that the workspace has built, so that
//! nothing is compiled anew; installed by pip in an environment of its own, and tried there.

use std::path::{Path, PathBuf};

use crate::folder::{copy_files, make, make_anew, named, python_in};
use crate::process::{root, run, with};

/// Packages that make a wheel.
pub(crate) const PACKAGES: [&str; 2] = ["maturin", "wheel"];

/// Makes a wheel of the package `sinew` in a folder, installs it and tries it.
///
/// # Errors
/// The first of these that fails.
pub(crate) fn check(python: &Path, package: &Path) -> Result<(), String> {
    let folder = root().join("target").join("wheel");
    // What an earlier version left is not to be installed again.
    make_anew(&folder)?;
    let [content, made, environment] = ["content", "made", "env"].map(|name| folder.join(name));
    let packed = content.join("sinew");
    make(&packed)?;
    make(&made)?;
    let text = |path: &Path| path.display().to_string();
    let describe = ["-m", "maturin", "pep517", "write-dist-info", "--metadata-directory"];
    let mut described = with(python, &[&describe[..], &[&text(&content)]].concat());
    described.current_dir(root().join("python"));
    run(described)?;
    copy_files(&package.join("sinew"), &packed)?;
    let pack = ["-m", "wheel", "pack", &text(&content), "--dest-dir", &text(&made)];
    run(with(python, &pack))?;
    run(with(python, &["-m", "venv", &text(&environment)]))?;
    let own = python_in(&environment);
    let wheel = only_file(&made)?;
    let install = ["-m", "pip", "install", "-q", "--disable-pip-version-check", &text(&wheel)];
    run(with(&own, &install))?;
    // Isolated: neither the sources nor PYTHONPATH are looked at.
    let script = root().join("python").join("tests").join("installed.py");
    let mut tried = with(&own, &["-I", &text(&script), env!("CARGO_PKG_VERSION")]);
    tried.current_dir(&folder);
    run(tried)
}

/// The only file of a folder.
fn only_file(folder: &Path) -> Result<PathBuf, String> {
    let files = std::fs::read_dir(folder).map_err(|error| named(folder, &error))?;
    let files: Vec<PathBuf> = files.filter_map(|it| Some(it.ok()?.path())).collect();
    match &files[..] {
        [file] => Ok(file.clone()),
        _ => Err(format!("{}: one wheel is expected, there are {}", folder.display(), files.len())),
    }
}
