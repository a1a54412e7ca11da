//! The parser of a pair of files over any bytes, which `%%` on a line parts: it may refuse them, but
//! not panic, hang or exhaust memory.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::io::{ReadOptions, VolumeFormat, read_volume_bytes};

fuzz_target!(|bytes: &[u8]| {
    let parted = bytes.windows(4).position(|w| w == b"\n%%\n");
    let (nodes, elements) = parted.map_or((bytes, &b""[..]), |i| (&bytes[..i], &bytes[i + 4..]));
    let _ = read_volume_bytes(&[nodes, elements], Some(VolumeFormat::TetGen), &ReadOptions::default());
});
