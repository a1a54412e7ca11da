//! The package for Python, tested beside what the workspace has built, and as a wheel (`wheel.rs`).

use std::path::{Path, PathBuf};

use crate::driver::{self, apt_get, is_root};
use crate::folder::{copy, copy_files, make_anew, python_in};
use crate::process::{cargo, root, run, succeeds, with};
use crate::wheel;

/// Packages that the tests need beside the package.
const PACKAGES: [&str; 3] = ["numpy", "pytest", "gymnasium"];

/// Packages of notebooks, tables and Ray; tests that want one that is missing are skipped, and say so.
const MORE: [&str; 6] = ["matplotlib", "pandas", "pyarrow", "meshio", "cmaes", "ray"];

/// Debian's and Ubuntu's packages.
const SYSTEM: [&str; 2] = ["python3", "python3-venv"];

/// Builds the library, puts the package together below target/, and runs its tests in an environment of their own.
///
/// # Errors
/// The first of these that fails; with the command to run, where Python is missing and may not be installed.
pub(crate) fn check() -> Result<(), String> {
    driver::ensure()?;
    let Some(python) = environment()? else {
        println!(
            "numpy, pytest and gymnasium cannot be installed here: the package for Python is not tested"
        );
        return Ok(());
    };
    // The whole workspace and one of its tests, so that nothing that the step `test` built is built anew: libraries
    // have other features where no test is built.
    let targets = ["--lib", "--bin", "sinew", "--test", "house"];
    let features = ["--features", "sinew-python/render,sinew-python/gpu"];
    run(cargo(&[&["build", "--workspace"][..], &targets, &features].concat()))?;
    let packages = put_together()?;
    let pytest = ["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "python/tests"];
    let mut tests = with(&python, &pytest);
    // Not from python/, whose sources have no library.
    tests.current_dir(root()).env("PYTHONPATH", &packages);
    tests
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("SINEW_COMMAND", built(&format!("sinew{}", std::env::consts::EXE_SUFFIX)));
    run(tests)?;
    if has(&python, &wheel::PACKAGES) {
        return wheel::check(&python, &packages);
    }
    println!("{} cannot be installed here: no wheel is made", wheel::PACKAGES.join(" and "));
    Ok(())
}

/// A file that the workspace builds.
fn built(file: &str) -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    target.join("debug").join(file)
}

/// The Python of an environment with all that the tests need, made where it is missing; `None` where no package index is
/// reached.
fn environment() -> Result<Option<PathBuf>, String> {
    let folder = root().join("target").join("python-env");
    let python = python_in(&folder);
    if !succeeds(with(&python, &["-m", "pip", "--version"])) {
        ensure_python()?;
        run(with(Path::new("python3"), &["-m", "venv", &folder.display().to_string()]))?;
    }
    if !has(&python, &PACKAGES) {
        return Ok(None);
    }
    if !has(&python, &MORE) {
        println!("{} cannot be installed here: tests that need them are skipped", MORE.join(", "));
    }
    Ok(Some(python))
}

/// True if packages are there, or could be installed.
fn has(python: &Path, packages: &[&str]) -> bool {
    let imports = format!("import {}", packages.join(", "));
    let install = ["-m", "pip", "install", "-q", "--disable-pip-version-check"];
    succeeds(with(python, &["-c", &imports]))
        || run(with(python, &[&install[..], packages].concat())).is_ok()
}

/// Installs Python where it is missing and that may be done.
fn ensure_python() -> Result<(), String> {
    if succeeds(with(Path::new("python3"), &["-c", "import venv, ensurepip"])) {
        return Ok(());
    }
    if !(is_root() && succeeds(with(Path::new("apt-get"), &["--version"]))) {
        let packages = SYSTEM.join(" ");
        return Err(format!("Python 3 with venv is needed; run: sudo apt-get install {packages}"));
    }
    apt_get(&["update", "-qq"])?;
    apt_get(&[&["install", "-y", "-qq", "--no-install-recommends"][..], &SYSTEM].concat())
}

/// The package as a wheel would have it, below target/python; the folder that Python is to look into.
fn put_together() -> Result<PathBuf, String> {
    let [prefix, ending] = [std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX];
    let library = built(&format!("{prefix}_sinew{ending}"));
    let folder = root().join("target").join("python");
    let package = folder.join("sinew");
    // What was deleted from the sources is not to be found there either.
    make_anew(&package)?;
    copy_files(&root().join("python").join("sinew"), &package)?;
    let module = if cfg!(windows) { "_sinew.pyd" } else { "_sinew.abi3.so" };
    copy(&library, &package.join(module))?;
    Ok(folder)
}
