// Distances of features from below: the slab across any direction between two convex sets is as wide as they are apart at
// most, however the direction was rounded. Directions are those of all pairs of features that may be nearest.

// Keeps quotients finite.
const TINY: f32 = 1e-30;

// A vertex or an edge against a triangle, which may be an edge (its last corners are one).
struct Two {
    p: vec3<f32>,
    q: vec3<f32>,
    a: vec3<f32>,
    b: vec3<f32>,
    c: vec3<f32>,
}

// Width of the slab across `normal`, from the triangle to the other; negative where none parts them.
fn slab(two: Two, normal: vec3<f32>) -> f32 {
    let low = min(dot(normal, two.p - two.a), dot(normal, two.q - two.a));
    let high = max(max(dot(normal, two.b - two.a), dot(normal, two.c - two.a)), 0.0);
    return (low - high) / max(length(normal), TINY);
}

// From the point of a segment that is nearest to `p`.
fn arm(p: vec3<f32>, start: vec3<f32>, end: vec3<f32>) -> vec3<f32> {
    let along = end - start;
    let t = clamp(dot(p - start, along) / max(dot(along, along), TINY), 0.0, 1.0);
    return (p - start) - t * along;
}

// The widest slab across directions between sides and corners, faces and edges.
fn distance_below(two: Two) -> f32 {
    let face = cross(two.b - two.a, two.c - two.a);
    let across = cross(two.q - two.p, two.b - two.a);
    var widest = max(slab(two, face), slab(two, -face));
    widest = max(widest, max(slab(two, across), slab(two, -across)));
    widest = max(widest, slab(two, arm(two.p, two.a, two.b)));
    widest = max(widest, slab(two, arm(two.p, two.b, two.c)));
    widest = max(widest, slab(two, arm(two.p, two.c, two.a)));
    widest = max(widest, slab(two, arm(two.q, two.a, two.b)));
    widest = max(widest, slab(two, -arm(two.a, two.p, two.q)));
    return max(widest, slab(two, -arm(two.b, two.p, two.q)));
}

// True if a vertex is clearly in front of a triangle.
fn is_in_front(two: Two) -> bool {
    let u = two.b - two.a;
    let v = two.c - two.a;
    let w = two.p - two.a;
    let size = length(u) * length(v) + length(w) * (length(u) + length(v));
    return dot(w, cross(u, v)) > reach[REACH_SLACK] * size;
}
