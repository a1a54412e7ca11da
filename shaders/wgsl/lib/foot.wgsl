// Distance of a point and a triangle from above: that of some point of the triangle, but for rounding the nearest.

fn distance_above(two: Two) -> f32 {
    let u = two.b - two.a;
    let v = two.c - two.a;
    let w = two.p - two.a;
    let area = max(dot(u, u) * dot(v, v) - dot(u, v) * dot(u, v), TINY);
    let s = clamp((dot(v, v) * dot(u, w) - dot(u, v) * dot(v, w)) / area, 0.0, 1.0);
    let t = clamp((dot(u, u) * dot(v, w) - dot(u, v) * dot(u, w)) / area, 0.0, 1.0 - s);
    var least = length(w - s * u - t * v);
    least = min(least, length(arm(two.p, two.a, two.b)));
    least = min(least, length(arm(two.p, two.b, two.c)));
    return min(least, length(arm(two.p, two.c, two.a)));
}
