// Places of the candidates of each workgroup of queries in the list: `totals` becomes the sums before each, and the number
// of all candidates goes to the head of the list.
//
// One workgroup; its lanes add up in a fixed order. Twin: src/cpu/contact/place_candidates.rs.

@group(0) @binding(0) var<uniform> params: CandidateParams;
@group(0) @binding(1) var<storage, read_write> totals: array<u32>;
@group(0) @binding(2) var<storage, read_write> pairs: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn place_candidates(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var before = 0u;
    for (var first = 0u; first < params.group_count; first += WORKGROUP_SIZE) {
        let k = first + lane;
        var count = 0u;
        if k < params.group_count {
            count = totals[k];
        }
        let sums = running_sum(count, lane);
        if k < params.group_count {
            totals[k] = before + sums.x - count;
        }
        before += sums.y;
    }
    if lane == 0u && group.x + group.y == 0u {
        pairs[0] = before;
    }
}
