// The blocks of a segment for what only smooths: as they are, or in 16 bits. Then each number stands over a power of two,
// which takes the largest of the block to between 2^14 and 2^15, rounded to the nearest: blocks above and below the
// diagonal stay transposes, and what is 2^-28 of the largest or less is zero. The upper half of the last word is that of
// the factor's bits in f32, whose lower half is zero. Numbers that have not all digits of f32 are zero: some devices
// take them as such, others compute with them.
//
// One invocation writes one block, padding included. Twin: src/cpu/multigrid/pack.rs.

@group(0) @binding(0) var<uniform> params: PackParams;
@group(0) @binding(1) var<storage, read> blocks: array<f32>;
@group(0) @binding(2) var<storage, read_write> packed: array<u32>;

struct PackParams {
    entry_count: u32,
    words: u32,
    padding_0: u32,
    padding_1: u32,
}

// The bits of a number over a power of two, then below 2^15, in half precision; no device rounds otherwise, as it would by
// itself.
fn half_bits(number: f32, factor: f32) -> u32 {
    if (bitcast<u32>(number) & 0x7f800000u) == 0u {
        return 0u;
    }
    let bits = bitcast<u32>(number * factor);
    let size = bits & 0x7fffffffu;
    // Below the least number with all its digits.
    if size < 0x38800000u {
        return 0u;
    }
    let rebiased = size - 0x38000000u;
    let rounded = rebiased + 0xfffu + ((rebiased >> 13u) & 1u);
    return ((bits >> 16u) & 0x8000u) | (rounded >> 13u);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn pack(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let entry = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if entry >= params.entry_count {
        return;
    }
    let at = BLOCK * SLICE * (entry / SLICE) + entry % SLICE;
    let to = params.words * SLICE * (entry / SLICE) + entry % SLICE;
    if params.words == BLOCK {
        for (var c = 0u; c < BLOCK; c++) {
            packed[to + c * SLICE] = bitcast<u32>(blocks[at + c * SLICE]);
        }
        return;
    }
    var largest = 0u;
    for (var c = 0u; c < BLOCK; c++) {
        largest = max(largest, bitcast<u32>(blocks[at + c * SLICE]) & 0x7fffffffu);
    }
    let exponent = clamp(largest >> 23u, 15u, 254u) - 14u;
    let factor = bitcast<f32>((254u - exponent) << 23u);
    for (var w = 0u; w < HALVES - 1u; w++) {
        let low = half_bits(blocks[at + 2u * w * SLICE], factor);
        let high = half_bits(blocks[at + (2u * w + 1u) * SLICE], factor);
        packed[to + w * SLICE] = low | (high << 16u);
    }
    let last = half_bits(blocks[at + (BLOCK - 1u) * SLICE], factor);
    packed[to + (HALVES - 1u) * SLICE] = last | (exponent << 23u);
}
