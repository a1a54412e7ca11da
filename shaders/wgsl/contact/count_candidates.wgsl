// Number of candidates of each query, and how many those before it in its workgroup have. Candidates are the features
// whose boxes overlap that of the query: all of them, or none where each is farther away than the limit and the ways
// that both go against each other, and a vertex is in front of each face that has an inside.
//
// One invocation counts for one query; lanes then add up in a fixed order. `places` holds both numbers of each query,
// `totals` the sum of each workgroup. Twin: src/cpu/contact/count_candidates.rs.

@group(0) @binding(0) var<uniform> params: CandidateParams;
@group(0) @binding(1) var<storage, read> reach: array<f32>;
@group(0) @binding(2) var<storage, read> ways: array<f32>;
@group(0) @binding(3) var<storage, read> corners: array<u32>;
@group(0) @binding(4) var<storage, read> boxes: array<f32>;
@group(0) @binding(5) var<storage, read> queries: array<u32>;
@group(0) @binding(6) var<storage, read_write> places: array<u32>;
@group(0) @binding(7) var<storage, read_write> totals: array<u32>;

// Longest way that an end of the query goes against a corner of the leaf.
fn longest_way(query: Query, leaf: u32) -> f32 {
    let p = way_of(query.ends.x);
    let q = way_of(query.ends.y);
    var longest = 0.0;
    for (var k = 0u; k < 3u; k++) {
        let corner = way_of(corners[3u * leaf + k]);
        longest = max(longest, max(length(p - corner), length(q - corner)));
    }
    return longest;
}

fn may_matter(query: Query, leaf: u32) -> bool {
    let a = place_of(corners[3u * leaf]);
    let b = place_of(corners[3u * leaf + 1u]);
    let c = place_of(corners[3u * leaf + 2u]);
    let two = Two(place_of(query.ends.x), place_of(query.ends.y), a, b, c);
    if distance_below(two) <= reach[REACH_LIMIT] + longest_way(query, leaf) {
        return true;
    }
    return params.has_inside == 1u && query.ends.x == query.ends.y && !is_in_front(two);
}

fn candidate_count(query: Query) -> u32 {
    let bounds = query_bounds(query);
    var at = begin_walk(query);
    var count = 0u;
    var matters = false;
    for (var k = 0u; k < params.box_count; k++) {
        let leaf = next_candidate(&at, query, bounds);
        if leaf == NONE {
            break;
        }
        count += 1u;
        if !matters {
            matters = may_matter(query, leaf);
        }
    }
    return select(0u, count, matters);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn count_candidates(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let own = group.y * groups.x + group.x;
    let i = own * WORKGROUP_SIZE + lane;
    var count = 0u;
    if i < params.query_count {
        count = candidate_count(query_of(i));
    }
    let sums = running_sum(count, lane);
    if i < params.query_count {
        places[2u * i] = sums.x - count;
        places[2u * i + 1u] = count;
    }
    if lane == 0u && own < params.group_count {
        totals[own] = sums.y;
    }
}
