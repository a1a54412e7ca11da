//! Twin of wgsl/lib/sliced_level.wgsl and level_store.wgsl: regions of 3-vectors in one buffer.

use super::sliced::vector;

/// Vector `i` of the region that begins at `region`.
pub(crate) fn load(vectors: &[f32], region: u32, i: usize) -> [f32; 3] {
    vector(vectors, region as usize + 3 * i)
}

/// Writes it.
pub(crate) fn store(vectors: &mut [f32], region: u32, i: usize, value: [f32; 3]) {
    let at = region as usize + 3 * i;
    vectors[at..at + 3].copy_from_slice(&value);
}

/// c v.
pub(crate) fn scaled(c: f32, v: [f32; 3]) -> [f32; 3] {
    v.map(|x| c * x)
}

/// a + b.
pub(crate) fn sum(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|k| a[k] + b[k])
}

/// a - b.
pub(crate) fn difference(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}
