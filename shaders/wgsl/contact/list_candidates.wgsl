// The list of candidates, by query: after the number of all, query and leaf of each. What it has no room for is left
// out; the number of all tells.
//
// One invocation lists those of one query and writes to the places that were counted for it alone: overlaps of boxes
// are comparisons of sums, which no device computes in another way in another kernel.
// Twin: src/cpu/contact/list_candidates.rs.

@group(0) @binding(0) var<uniform> params: CandidateParams;
@group(0) @binding(1) var<storage, read> reach: array<f32>;
@group(0) @binding(2) var<storage, read> ways: array<f32>;
@group(0) @binding(3) var<storage, read> corners: array<u32>;
@group(0) @binding(4) var<storage, read> boxes: array<f32>;
@group(0) @binding(5) var<storage, read> queries: array<u32>;
@group(0) @binding(6) var<storage, read> places: array<u32>;
@group(0) @binding(7) var<storage, read> totals: array<u32>;
@group(0) @binding(8) var<storage, read_write> pairs: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn list_candidates(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let own = group.y * groups.x + group.x;
    let i = own * WORKGROUP_SIZE + lane;
    if i >= params.query_count {
        return;
    }
    let query = query_of(i);
    let bounds = query_bounds(query);
    var at = begin_walk(query);
    let first = totals[own] + places[2u * i];
    let end = min(first + places[2u * i + 1u], params.capacity);
    for (var slot = first; slot < end; slot++) {
        let leaf = next_candidate(&at, query, bounds);
        pairs[2u * slot + 1u] = i;
        pairs[2u * slot + 2u] = leaf;
    }
}
