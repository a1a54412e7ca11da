// Spatial gradient of node a at point p of an element, from the words at `first`. The table starts
// with the constants of the law and the gradients at the centre.
fn gradient(first: u32, p: u32, a: u32) -> vec3<real> {
    let k = LAW_CONSTANTS + 3u * ((1u + p) * NODE_COUNT + a);
    var g = vec3<real>(points[first], points[first + 1u], points[first + 2u]) * table[k];
    g += vec3<real>(points[first + 3u], points[first + 4u], points[first + 5u]) * table[k + 1u];
    return g + vec3<real>(points[first + 6u], points[first + 7u], points[first + 8u]) * table[k + 2u];
}
