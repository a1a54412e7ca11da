// Pieces of the Galerkin product: blocks as matrices, and stores into the coarse matrix.

struct GalerkinParams {
    first_row: u32,
    row_count: u32,
    slice_count: u32,
    shift: f32,
    aggregate_count: u32,
    of_row: u32,
    bases: u32,
    pair_count: u32,
    add: u32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}

alias num = mat3x3<f32>;

fn block_matrix(entry: u32) -> mat3x3<f32> {
    let at = BLOCK * SLICE * (entry / SLICE) + entry % SLICE;
    return transpose(mat3x3<f32>(
        blocks[at], blocks[at + SLICE], blocks[at + 2u * SLICE],
        blocks[at + 3u * SLICE], blocks[at + 4u * SLICE], blocks[at + 5u * SLICE],
        blocks[at + 6u * SLICE], blocks[at + 7u * SLICE], blocks[at + 8u * SLICE],
    ));
}

fn translations(i: u32) -> mat3x3<f32> {
    return mat3x3<f32>(mode(i, 0u), mode(i, 1u), mode(i, 2u));
}

fn rotations(i: u32) -> mat3x3<f32> {
    return mat3x3<f32>(mode(i, 3u), mode(i, 4u), mode(i, 5u));
}

fn column_of(entry: u32) -> u32 {
    return structure[params.slice_count + 1u + params.slice_count * SLICE + entry];
}

// Stores a block, or adds it to what another segment left.
fn put_block(entry: u32, block: mat3x3<f32>) {
    let at = BLOCK * SLICE * (entry / SLICE) + entry % SLICE;
    for (var k = 0u; k < BLOCK; k++) {
        var value = block[k % 3u][k / 3u];
        if params.add != 0u {
            value += coarse_blocks[at + k * SLICE];
        }
        coarse_blocks[at + k * SLICE] = value;
    }
}
