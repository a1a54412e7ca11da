// The prolongator of a coarse level, whose rows are halves of aggregates of the level above: what
// rigid motions are there stands in `above`, and is made orthonormal in each aggregate.
//
// A team of TEAM lanes works on one aggregate; each lane writes rows of its own, the first lane what
// belongs to the aggregate. Twin: src/cpu/multigrid/modes_coarse.rs.

alias num = vec3<f32>;

@group(0) @binding(0) var<uniform> params: TransferParams;
@group(0) @binding(1) var<storage, read> maps: array<u32>;
@group(0) @binding(2) var<storage, read> above: array<f32>;
@group(0) @binding(3) var<storage, read_write> modes: array<f32>;
@group(0) @binding(4) var<storage, read_write> rigid: array<f32>;

fn point_of(i: u32) -> vec3<f32> {
    let at = 40u * (i / 2u) + 36u;
    return vec3<f32>(above[at], above[at + 1u], above[at + 2u]);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn modes_coarse(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let aggregate = ((group.y * groups.x + group.x) * WORKGROUP_SIZE + lane) / TEAM;
    let range = aggregate_range(aggregate);
    let centre = centre_of(aggregate, range, lane);
    for (var k = range.x + lane % TEAM; k < range.y; k += TEAM) {
        let i = member(k);
        var m: array<vec3<f32>, 6>;
        for (var column = 0u; column < 6u; column++) {
            let at = 40u * (i / 2u) + 6u * column + 3u * (i % 2u);
            m[column] = vec3<f32>(above[at], above[at + 1u], above[at + 2u]);
        }
        write_modes(i, m, point_of(i) - centre);
    }
    orthonormalize(aggregate, range, lane);
}
