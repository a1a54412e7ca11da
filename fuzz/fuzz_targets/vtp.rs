//! VTP: whatever the bytes, the reader ends with a surface or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::io::{ReadOptions, SurfaceFormat, read_surface_as};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = read_surface_as(SurfaceFormat::Vtp, bytes, &ReadOptions::default()) {
        file.surface.mesh().expect("indices in range and finite points");
    }
});
