//! The parser of two or three files over any bytes, which `%%` on a line parts: it may refuse them, but
//! not panic, hang or exhaust memory.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::io::{ReadOptions, VolumeFormat, read_volume_bytes};

fuzz_target!(|bytes: &[u8]| {
    let mut files = vec![bytes];
    while let Some(i) = files[files.len() - 1].windows(4).position(|w| w == b"\n%%\n") {
        let last = files.len() - 1;
        let rest = &files[last][i + 4..];
        files[last] = &files[last][..i];
        files.push(rest);
    }
    let _ = read_volume_bytes(&files, Some(VolumeFormat::TetGen), &ReadOptions::default());
});
