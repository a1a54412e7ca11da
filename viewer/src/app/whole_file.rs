//! Files that the window writes: whole, or not there.

use std::path::Path;

/// Writes aside, then renames: a file is whole or not there.
pub(super) fn whole(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let write = || {
        if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)?;
        }
        let aside = path.with_extension("part");
        std::fs::write(&aside, bytes)?;
        std::fs::rename(&aside, path)
    };
    write().map_err(|error: std::io::Error| error.to_string())
}
