//! The parser of one format over any bytes: it may refuse them, but not panic, hang or exhaust memory.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::io::{ReadOptions, VolumeFormat, read_volume_bytes};

fuzz_target!(|bytes: &[u8]| {
    let _ = read_volume_bytes(&[bytes], Some(VolumeFormat::Abaqus), &ReadOptions::default());
});
