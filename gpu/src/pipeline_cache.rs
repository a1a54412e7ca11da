//! Compiled kernels on disk, as the driver gives them, so that the next process need not compile.
//! The one file of this crate with `unsafe`: wgpu cannot know where the bytes come from.
#![allow(unsafe_code)]

use std::fs;
use std::path::{Path, PathBuf};

/// First bytes of a file: name and version of its format.
const MAGIC: &[u8; 8] = b"sinewpc1";

/// Compiled kernels of one adapter and driver.
#[derive(Debug)]
pub(crate) struct PipelineCache {
    cache: wgpu::PipelineCache,
    path: PathBuf,
}

impl PipelineCache {
    /// Reads what an earlier process left in `folder`. A file that is not whole, or of another
    /// driver, is ignored.
    pub(crate) fn open(device: &wgpu::Device, folder: &Path) -> Self {
        let path = folder.join(file_name(&device.adapter_info()));
        let data = match fs::read(&path) {
            Ok(bytes) => {
                let payload = payload(&bytes).map(<[u8]>::to_vec);
                if payload.is_none() {
                    tracing::warn!("ignoring the broken cache of kernels {}", path.display());
                }
                payload
            }
            Err(_) => None,
        };
        let descriptor = wgpu::PipelineCacheDescriptor {
            label: Some("kernels"),
            data: data.as_deref(),
            fallback: true,
        };
        // SAFETY: the data is what `PipelineCache::get_data` returned to a process that wrote it by
        // `save` under the name of this adapter and driver, with a checksum that was compared. wgpu
        // and the driver check their own headers in it and begin anew when they differ.
        let cache = unsafe { device.create_pipeline_cache(&descriptor) };
        Self { cache, path }
    }

    /// For the making of pipelines.
    pub(crate) fn get(&self) -> &wgpu::PipelineCache {
        &self.cache
    }

    /// Writes what has been compiled so far, beside the file first, so that no reader meets half of
    /// it. Failure is logged and nothing more: the next process compiles.
    pub(crate) fn save(&self) {
        let Some(data) = self.cache.get_data() else { return };
        let bytes = [MAGIC, &checksum(&data).to_le_bytes(), &data[..]].concat();
        if fs::read(&self.path).is_ok_and(|old| old == bytes) {
            return;
        }
        let beside = self.path.with_extension(format!("{}.part", std::process::id()));
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let written = fs::create_dir_all(folder)
            .and_then(|()| fs::write(&beside, bytes))
            .and_then(|()| fs::rename(&beside, &self.path));
        if let Err(error) = written {
            // What was begun must not pile up.
            let _ = fs::remove_file(&beside);
            tracing::warn!("compiled kernels are not kept in {}: {error}", self.path.display());
        }
    }
}

/// One file for each adapter and driver.
fn file_name(info: &wgpu::AdapterInfo) -> String {
    let driver = checksum(format!("{} {} {}", info.name, info.driver, info.driver_info).as_bytes());
    format!("kernels-{}-{:x}-{:x}-{driver:016x}.bin", info.backend, info.vendor, info.device)
}

/// Data that the driver wrote, when the file is whole.
fn payload(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (sum, data) = rest.split_first_chunk::<8>()?;
    (u64::from_le_bytes(*sum) == checksum(data)).then_some(data)
}

/// FNV-1a: finds damage, not malice.
fn checksum(data: &[u8]) -> u64 {
    data.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_not_given_to_the_driver() {
        let data = b"what a driver wrote";
        let whole = [MAGIC, &checksum(data).to_le_bytes()[..], data].concat();
        assert_eq!(payload(&whole), Some(&data[..]));
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 16;
            assert_eq!(payload(&damaged), None, "byte {place}");
            assert_eq!(payload(&whole[..place]), None, "cut at {place}");
        }
    }
}
