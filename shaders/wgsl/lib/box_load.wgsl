// Boxes of trees, six scalars of `boxes` each.

fn load_box(number: u32) -> Bounds {
    let at = 6u * number;
    let low = vec3<f32>(boxes[at], boxes[at + 1u], boxes[at + 2u]);
    return Bounds(low, vec3<f32>(boxes[at + 3u], boxes[at + 4u], boxes[at + 5u]));
}
