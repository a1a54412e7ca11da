// Place and way of each vertex, three scalars of `ways` each.

fn place_of(vertex: u32) -> vec3<f32> {
    let at = 6u * vertex;
    return vec3<f32>(ways[at], ways[at + 1u], ways[at + 2u]);
}

fn way_of(vertex: u32) -> vec3<f32> {
    let at = 6u * vertex + 3u;
    return vec3<f32>(ways[at], ways[at + 1u], ways[at + 2u]);
}

// The box with the way of a vertex.
fn with_way(bounds: Bounds, vertex: u32) -> Bounds {
    let start = place_of(vertex);
    let end = start + way_of(vertex);
    return joined(bounds, Bounds(min(start, end), max(start, end)));
}
