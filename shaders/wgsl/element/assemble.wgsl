// One invocation a matrix entry (i, j), i != j, that elements of the batch couple: adds factor K_ij,
// summed over its sources in their order, each a pair of corners of an element. Where i > j it
// computes K_ji from the same pairs in the same order and adds the transposed block, so that the
// matrix is symmetric to the last bit. `entries`: number of the entry, plus TRANSPOSED where i > j.
// Sources of entry k are offsets[k]..offsets[k + 1] of `sources`, each
// (e * NODE_COUNT + a) * NODE_COUNT + b. Race-free: an entry is listed once.

const TRANSPOSED: u32 = 0x80000000u;

struct AssembleParams {
    entry_count: u32,
    factor_place: u32,
    extra_0: u32,
    extra_1: u32,
}

@group(0) @binding(0) var<uniform> params: AssembleParams;
@group(0) @binding(1) var<storage, read> points: array<f32>;
@group(0) @binding(2) var<storage, read> table: array<f32>;
@group(0) @binding(3) var<storage, read> entries: array<u32>;
@group(0) @binding(4) var<storage, read> offsets: array<u32>;
@group(0) @binding(5) var<storage, read> sources: array<u32>;
@group(0) @binding(6) var<storage, read> factors: array<stored>;
@group(0) @binding(7) var<storage, read_write> blocks: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn assemble(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.entry_count {
        return;
    }
    var sum: mat3x3<real>;
    for (var s = offsets[i]; s < offsets[i + 1u]; s++) {
        let pair = sources[s];
        let a = pair / NODE_COUNT % NODE_COUNT;
        let b = pair % NODE_COUNT;
        var first = pair / (NODE_COUNT * NODE_COUNT) * POINT_COUNT * POINT_WORDS;
        var volume = VolumeSlopes();
        for (var p = 0u; p < POINT_COUNT; p++) {
            let g = gradient(first, p, a);
            let h = gradient(first, p, b);
            sum = sum + tangent_block(first + 15u, g, h) + stress_block(first + 9u, g, h);
            add_volume_slopes(&volume, first + MODE_WORDS, g, h);
            first += POINT_WORDS;
        }
        sum = sum + volume_block(&volume);
    }
    let entry = entries[i] & ~TRANSPOSED;
    if (entries[i] & TRANSPOSED) != 0u {
        sum = transpose(sum);
    }
    sum = sum * real(factors[params.factor_place]);
    // Scalar 3 row + column of an entry, SLICE entries side by side.
    let place = BLOCK * SLICE * (entry / SLICE) + entry % SLICE;
    for (var c = 0u; c < 3u; c++) {
        blocks[place + c * SLICE] += sum[c].x;
        blocks[place + (3u + c) * SLICE] += sum[c].y;
        blocks[place + (6u + c) * SLICE] += sum[c].z;
    }
}
