// Points that may touch a solid of triangles: 1 in `kept`. The others, 0, are farther away than their limit and in front
// of every triangle that may be the nearest.
//
// One invocation looks at one point, and writes of it alone: a first walk finds how far the nearest triangle is at most,
// a second looks at all that may be as near. Twin: src/cpu/contact/near_points.rs.

@group(0) @binding(0) var<uniform> params: CandidateParams;
@group(0) @binding(1) var<storage, read> reach: array<f32>;
@group(0) @binding(2) var<storage, read> ways: array<f32>;
@group(0) @binding(3) var<storage, read> corners: array<u32>;
@group(0) @binding(4) var<storage, read> boxes: array<f32>;
@group(0) @binding(5) var<storage, read> points: array<f32>;
@group(0) @binding(6) var<storage, read_write> kept: array<u32>;

fn beside(p: vec3<f32>, leaf: u32) -> Two {
    let a = place_of(corners[3u * leaf]);
    let b = place_of(corners[3u * leaf + 1u]);
    return Two(p, p, a, b, place_of(corners[3u * leaf + 2u]));
}

// All leaves of all trees.
fn everything() -> Query {
    return Query(vec2<u32>(NONE, NONE), 0u, 0u, params.root_count);
}

// Distance of some triangle, not much farther than the nearest.
fn nearest_above(p: vec3<f32>) -> f32 {
    let query = everything();
    var at = begin_walk(query);
    var least = length(p - place_of(corners[0]));
    for (var k = 0u; k < params.box_count; k++) {
        let leaf = next_candidate(&at, query, widened(Bounds(p, p), least));
        if leaf == NONE {
            break;
        }
        least = min(least, distance_above(beside(p, leaf)));
    }
    return least + reach[REACH_SLACK];
}

fn may_touch(p: vec3<f32>, limit: f32) -> bool {
    let farthest = nearest_above(p);
    if farthest <= limit {
        return true;
    }
    let query = everything();
    let bounds = widened(Bounds(p, p), farthest);
    var at = begin_walk(query);
    for (var k = 0u; k < params.box_count; k++) {
        let leaf = next_candidate(&at, query, bounds);
        if leaf == NONE {
            break;
        }
        let two = beside(p, leaf);
        let distance = distance_below(two);
        if distance <= limit || (distance <= farthest && !is_in_front(two)) {
            return true;
        }
    }
    return false;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn near_points(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.query_count {
        return;
    }
    let p = vec3<f32>(points[4u * i], points[4u * i + 1u], points[4u * i + 2u]);
    kept[i] = select(0u, 1u, may_touch(p, points[4u * i + 3u]));
}
