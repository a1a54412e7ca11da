//! A few steps of real anatomical meshes, where the optional reference data lies beside the
//! repository (`../shared/datasets`, or the folder that SINEW_SHARED names).

use std::path::{Path, PathBuf};

use crate::process::{cargo, root, run};

/// A mesh file below the datasets, and what must be said about it.
struct Mesh {
    path: &'static str,
    parameters: &'static str,
}

/// The units give each organ a plausible size; the liver's file does not say its own.
const MESHES: [Mesh; 3] = [
    Mesh { path: "formats_good/liver_7k_ascii.vtu", parameters: "unit=cm" },
    Mesh { path: "tongue/tongue.1.node", parameters: "unit=m" },
    Mesh { path: "large/femur_253k.vtu", parameters: "unit=mm" },
];

/// Three steps of 10 ms each: enough to read, compile, factor and advance.
pub(crate) fn check() -> Result<(), String> {
    let shared = std::env::var_os("SINEW_SHARED").map_or(root().join("../shared"), PathBuf::from);
    let datasets = shared.join("datasets");
    if !datasets.is_dir() {
        println!("the reference data is not there ({}): nothing to run", datasets.display());
        return Ok(());
    }
    MESHES.iter().try_for_each(|mesh| three_steps(&datasets, mesh))
}

fn three_steps(datasets: &Path, mesh: &Mesh) -> Result<(), String> {
    let path = datasets.join(mesh.path);
    let model = path.to_str().ok_or_else(|| format!("{} is not UTF-8", path.display()))?;
    let mut command = cargo(&["run", "--release", "--", "run", model]);
    command.args(["--param", mesh.parameters, "--time", "0.03", "--step", "0.01"]);
    command.args(["--frames", "none", "--json"]);
    run(command)
}
