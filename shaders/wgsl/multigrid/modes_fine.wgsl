// The prolongator of the finest level: rigid motions of the aggregates at the current positions,
// without the scalars that are fixed, orthonormal in each aggregate. A body is an aggregate of two rows,
// which carry its own six motions.
//
// A team of TEAM lanes works on one aggregate; each lane writes rows of its own, the first lane what
// belongs to the aggregate. Twin: src/cpu/multigrid/modes_fine.rs.

alias num = vec3<f32>;

@group(0) @binding(0) var<uniform> params: TransferParams;
@group(0) @binding(1) var<storage, read> maps: array<u32>;
@group(0) @binding(2) var<storage, read> fixed: array<u32>;
@group(0) @binding(3) var<storage, read> rest: array<f32>;
@group(0) @binding(4) var<storage, read> displacement: array<real>;
@group(0) @binding(5) var<storage, read_write> modes: array<f32>;
@group(0) @binding(6) var<storage, read_write> rigid: array<f32>;

fn point_of(i: u32) -> vec3<f32> {
    let moved = vec3<real>(displacement[3u * i], displacement[3u * i + 1u], displacement[3u * i + 2u]);
    return vec3<f32>(rest[3u * i], rest[3u * i + 1u], rest[3u * i + 2u]) + vec3<f32>(moved);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn modes_fine(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let aggregate = ((group.y * groups.x + group.x) * WORKGROUP_SIZE + lane) / TEAM;
    let range = aggregate_range(aggregate);
    let centre = centre_of(aggregate, range, lane);
    for (var k = range.x + lane % TEAM; k < range.y; k += TEAM) {
        let i = member(k);
        let bits = vec3<u32>(fixed[i], fixed[i] >> 1u, fixed[i] >> 2u) & vec3<u32>(1u, 1u, 1u);
        let free = vec3<f32>(vec3<u32>(1u, 1u, 1u) - bits);
        var m: array<vec3<f32>, 6>;
        let first = select(0u, 3u, (fixed[i] & ROTATION) != 0u);
        m[first] = vec3<f32>(free.x, 0.0, 0.0);
        m[first + 1u] = vec3<f32>(0.0, free.y, 0.0);
        m[first + 2u] = vec3<f32>(0.0, 0.0, free.z);
        write_modes(i, m, point_of(i) - centre);
    }
    orthonormalize(aggregate, range, lane);
}
