//! Recognition and whatever parser it leads to, over any bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::io::{ReadOptions, read_volume_bytes};

fuzz_target!(|bytes: &[u8]| {
    let _ = read_volume_bytes(&[bytes], None, &ReadOptions::default());
});
