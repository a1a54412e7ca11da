// Lines and dots of a width in pixels. One instance is a line from a to b, or a dot at a; six vertices.

struct Mark {
    // Place [m] and width [pixel].
    @location(0) a: vec4f,
    // Place [m]; w: 1 for a dot, 2 for pixels in place of metres, 3 for a line that is
    // never cut.
    @location(1) b: vec4f,
    // Linear light, opacity.
    @location(2) color: vec4f,
}

struct Vertex {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) color: vec4f,
    // Across the line, or both ways over a dot, in pixels; its half width.
    // w: 1 where the plane cuts it.
    @location(2) across: vec4f,
}

struct End {
    clip: vec4f,
    world: vec3f,
}

fn end_at(place: vec3f, in_pixels: bool) -> End {
    if (in_pixels) {
        let ndc = 2.0 * place.xy / globals.viewport.xy - 1.0;
        return End(vec4f(ndc.x, -ndc.y, 0.5, 1.0), place);
    }
    return End(globals.view_projection * vec4f(place, 1.0), place);
}

@vertex
fn place(@builtin(vertex_index) corner: u32, mark: Mark) -> Vertex {
    let in_pixels = mark.b.w > 1.5 && mark.b.w < 2.5;
    let is_dot = mark.b.w > 0.5 && mark.b.w < 1.5;
    var a = mark.a.xyz;
    var b = select(mark.b.xyz, a, is_dot);
    if (!in_pixels && !is_dot && globals.back.w > 0.5) {
        // Ends behind the eye come forward along the line.
        let near = globals.depths.x;
        let da = depth_of(a);
        let db = depth_of(b);
        if (da < near && db > near) { a = mix(a, b, (near - da) / (db - da)); }
        if (db < near && da > near) { b = mix(b, a, (near - db) / (da - db)); }
    }
    let number = select(corner, corner - 2u, corner > 2u);
    let second = (number & 1u) == 1u;
    let begin = end_at(a, in_pixels);
    let end = end_at(b, in_pixels);
    let size = globals.viewport.xy;
    let along = (end.clip.xy / end.clip.w - begin.clip.xy / begin.clip.w) * size;
    let unit = select(vec2f(1.0, 0.0), normalize(along), dot(along, along) > 0.0);
    let half_width = 0.5 * mark.a.w * select(globals.scales.x, 1.0, in_pixels);
    // A pixel of room, for soft edges.
    let reach = half_width + 1.0;
    let side = select(-1.0, 1.0, number >= 2u);
    var shift = vec2f(-unit.y, unit.x) * side * reach;
    if (is_dot) { shift += unit * select(-1.0, 1.0, second) * reach; }
    var here = begin;
    if (second) { here = end; }
    let clip = vec4f(here.clip.xy + 2.0 * shift / size * here.clip.w, here.clip.zw);
    let cut = select(0.0, 1.0, mark.b.w < 1.5);
    let lengthwise = select(0.0, select(-1.0, 1.0, second) * reach, is_dot);
    return Vertex(clip, here.world, mark.color, vec4f(side * reach, lengthwise, half_width, cut));
}

fn coverage(across: vec4f) -> f32 {
    return clamp(across.z + 0.5 - length(across.xy), 0.0, 1.0) * min(2.0 * across.z, 1.0);
}

// Among what is drawn, behind what is nearer.
@fragment
fn soft(v: Vertex) -> @location(0) vec4f {
    if (v.across.w > 0.5 && is_cut(v.world)) { discard; }
    return vec4f(v.color.rgb, v.color.a * coverage(v.across));
}

@fragment
fn overlay(v: Vertex) -> @location(0) vec4f {
    let color = select(v.color.rgb, srgb(v.color.rgb), globals.flags.y != 0u);
    return vec4f(color, v.color.a * coverage(v.across));
}
