//! The kernels as files, complete with the constants that Rust injects.

use std::path::Path;

use sinew_shaders::table::KERNELS;

/// Writes every kernel to `folder`, made when it is missing.
///
/// # Errors
/// When the folder or a file cannot be written.
pub(crate) fn dump_wgsl(folder: &Path) -> Result<(), String> {
    let named = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
    for kernel in &KERNELS {
        let path = folder.join(kernel.name).with_extension("wgsl");
        std::fs::write(&path, kernel.source()).map_err(|error| named(&path, error))?;
        println!("{}", path.display());
    }
    Ok(())
}
