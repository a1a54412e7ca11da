//! Twin of wgsl/multigrid/pack.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::layout::{BLOCK, SLICE};
use crate::matrix::block_place;
use crate::params::PackParams;

/// The blocks of a segment as they are, or in 16 bits with a factor a block.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn pack<T: Real>(call: Call<'_, '_, T>) {
    let params: PackParams = call.params();
    let [Buffer::Floats(blocks), Buffer::WordsMut(packed)] = call.buffers else {
        panic!("pack takes blocks, packed");
    };
    let (width, words) = (SLICE as usize, params.words as usize);
    for entry in 0..params.entry_count as usize {
        let block: [f32; 9] = std::array::from_fn(|c| blocks[block_place(entry, c)]);
        let to = words * width * (entry / width) + entry % width;
        if params.words == BLOCK {
            (0..9).for_each(|c| packed[to + c * width] = block[c].to_bits());
            continue;
        }
        let largest = block.iter().map(|x| x.to_bits() & 0x7fff_ffff).max().unwrap_or(0);
        let exponent = (largest >> 23).clamp(15, 254) - 14;
        let factor = f32::from_bits((254 - exponent) << 23);
        let bits = block.map(|x| half_bits(x, factor));
        (0..4).for_each(|w| packed[to + w * width] = bits[2 * w] | bits[2 * w + 1] << 16);
        packed[to + 4 * width] = bits[8] | exponent << 23;
    }
}

/// The bits of a number over a power of two, then below 2^15, in half precision; 0 for subnormal ones.
fn half_bits(number: f32, factor: f32) -> u32 {
    if number.to_bits() & 0x7f80_0000 == 0 {
        return 0;
    }
    let bits = (number * factor).to_bits();
    let size = bits & 0x7fff_ffff;
    if size < 0x3880_0000 {
        return 0;
    }
    let rebiased = size - 0x3800_0000;
    let rounded = rebiased + 0xfff + (rebiased >> 13 & 1);
    bits >> 16 & 0x8000 | rounded >> 13
}
