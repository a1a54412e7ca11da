//! The parsers of ANSYS's pairs of files, over any bytes that `%%` on a line parts, and of its archives,
//! over others: they may refuse them, but not panic, hang or exhaust memory.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::io::{ReadOptions, VolumeFormat, read_volume_bytes};

fuzz_target!(|bytes: &[u8]| {
    let options = ReadOptions::default();
    if let Some(i) = bytes.windows(4).position(|w| w == b"\n%%\n") {
        let pair = [&bytes[..i], &bytes[i + 4..]];
        let _ = read_volume_bytes(&pair, Some(VolumeFormat::Ansys), &options);
    } else {
        let _ = read_volume_bytes(&[bytes], Some(VolumeFormat::AnsysArchive), &options);
    }
});
