// Lines around surfaces that are selected: their backs, larger by some pixels, seen beside their fronts.
// Where only sections are drawn, what of the surface lies within some pixels of a plane. One instance is an item.

@group(1) @binding(0) var<storage, read> positions: array<vec4f>;
@group(1) @binding(1) var<storage, read> normals: array<vec4f>;

// Width of the lines [pixel].
const WIDTH = 3.0;

struct Vertex {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
}

@vertex
fn place(@builtin(vertex_index) vertex: u32, @builtin(instance_index) item: u32) -> Vertex {
    let frame = items[item];
    let world = frame.position.xyz + rotated(frame.rotation, positions[vertex].xyz);
    let normal = rotated(frame.rotation, normals[vertex].xyz);
    var clip = globals.view_projection * vec4f(world, 1.0);
    if (globals.scales.y > 0.5) { return Vertex(clip, world); }
    // Direction of the normal in the picture, in pixels.
    let ahead = globals.view_projection * vec4f(normal, 0.0);
    let size = globals.viewport.xy;
    let along = (ahead.xy - clip.xy / clip.w * ahead.w) * size;
    let unit = select(vec2f(0.0), normalize(along), dot(along, along) > 0.0);
    let shift = 2.0 * WIDTH * globals.scales.x * unit / size * clip.w;
    clip = vec4f(clip.xy + shift, clip.zw);
    return Vertex(clip, world);
}

@fragment
fn solid(v: Vertex, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    if (globals.scales.y > 0.5) {
        let off = distance_from_planes(v.world);
        if (off > WIDTH * globals.scales.x * pixel_at(v.world)) { discard; }
    } else if (front || is_cut(v.world)) {
        discard;
    }
    return vec4f(globals.selection.rgb, 1.0);
}
