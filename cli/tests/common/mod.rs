//! Runs the binary in a directory of its own and looks at what it leaves.

#[cfg(target_os = "linux")]
pub(crate) mod display;
pub(crate) mod rays;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A small beam and few steps: 81 nodes, 0.1 s.
pub(crate) const SHORT_BEAM: [&str; 3] = ["beam", "--time", "0.1"];

/// A directory that runs take place in.
pub(crate) struct Workshop(tempfile::TempDir);

impl Workshop {
    /// An empty one.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary directory"))
    }

    /// The path of `name` in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file into it.
    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file in the temporary directory");
    }

    /// The command `sinew` with `arguments`, in this directory.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.args(arguments).current_dir(self.0.path()).env_remove("SINEW_LOG");
        command.env_remove("SINEW_DEVICE");
        command
    }

    /// Runs `sinew` with `arguments`.
    pub(crate) fn sinew(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("sinew starts")
    }

    /// Runs `sinew` with `arguments` where no driver of an adapter is found (Vulkan, on Linux).
    pub(crate) fn without_adapters(&self, arguments: &[&str]) -> Output {
        let nowhere = self.path("no_such_driver.json");
        let mut command = self.command(arguments);
        command.env("VK_DRIVER_FILES", &nowhere).env("VK_ICD_FILENAMES", &nowhere);
        command.output().expect("sinew starts")
    }

    /// Runs `sinew run` with `arguments`, which must succeed, and `--json`; returns the object.
    pub(crate) fn run_json(&self, arguments: &[&str]) -> Value {
        let output = self.sinew(&[&["run", "--json"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        last_line(&output)
    }

    /// Names of all files below `directory`, sorted; none when it is missing.
    pub(crate) fn names(&self, directory: &str) -> Vec<String> {
        names(&self.path(directory))
    }
}

/// Names of what is in `directory`, sorted; none when it is missing.
pub(crate) fn names(directory: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let name = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let mut names: Vec<_> = entries.map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

/// Text of the command on stderr.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The JSON object in the last line of stdout.
pub(crate) fn last_line(output: &Output) -> Value {
    let text = std::str::from_utf8(&output.stdout).expect("stdout is UTF-8");
    let line = text.lines().last().expect("stdout has a line");
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// The record in `directory`.
pub(crate) fn run_json(directory: &Path) -> Value {
    let text = std::fs::read(directory.join("run.json")).expect("run.json is there");
    serde_json::from_slice(&text).expect("run.json is JSON")
}

/// Heading and rows of the table of energies in `directory`.
pub(crate) fn energies(directory: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_path(directory.join("energies.csv")).expect("energies.csv");
    let owned = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
    let heading = owned(reader.headers().expect("a heading"));
    let rows = reader.records().map(|row| owned(&row.expect("rows as long as the heading")));
    let rows = rows.collect();
    (heading, rows)
}

/// Asserts that the series lists exactly the frames that are there, and that no file is unfinished.
pub(crate) fn assert_whole(directory: &Path) {
    let series = std::fs::read_to_string(directory.join("frames.pvd")).expect("frames.pvd");
    let frames: Vec<_> =
        names(directory).into_iter().filter(|name| name.starts_with("frame_")).collect();
    assert!(!frames.is_empty(), "no frame in {}", directory.display());
    for frame in &frames {
        assert!(frame.ends_with(".vtu"), "unfinished: {frame}");
        assert!(series.contains(frame.as_str()), "{frame} is not in the series");
    }
    assert_eq!(series.matches(".vtu").count(), frames.len());
}

/// A tetrahedron with edges of 1 along the axes, legacy VTK.
pub(crate) const TETRAHEDRON: &str = "# vtk DataFile Version 3.0
a tetrahedron
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 double
0 0 0  1 0 0  0 1 0  0 0 1
CELLS 1 5
4 0 1 2 3
CELL_TYPES 1
10
";
