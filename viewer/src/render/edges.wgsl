// Edges of surfaces, as wide as is asked for in pixels. One instance is an edge; six vertices.

@group(1) @binding(0) var<storage, read> positions: array<vec4f>;
@group(1) @binding(1) var<storage, read> normals: array<vec4f>;

struct Vertex {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) color: vec3f,
}

// Width of an edge over its length in the picture: edges cover no more of a mesh than some third.
const MOST_COVERED: f32 = 0.12;

// Color and width [pixel] of the edges of an item.
@group(0) @binding(3) var<storage, read> edge_styles: array<vec4f>;

@vertex
fn place(@builtin(vertex_index) corner: u32, @location(0) edge: vec4u) -> Vertex {
    let item = items[edge.z];
    let from_end = select(edge.x, edge.y, (corner & 1u) == 1u);
    let to_end = select(edge.y, edge.x, (corner & 1u) == 1u);
    // Towards the eye by a little, not to be half inside its faces.
    var world = item.position.xyz + rotated(item.rotation, positions[from_end].xyz);
    let other = item.position.xyz + rotated(item.rotation, positions[to_end].xyz);
    let depth = max(depth_of(world), globals.depths.x);
    let lift = 1.5e-3 * select(globals.depths.y - globals.depths.x, depth, globals.back.w > 0.5);
    let shown = world + lift * to_eye(world);
    var clip = globals.view_projection * vec4f(shown, 1.0);
    let end = globals.view_projection * vec4f(other + lift * to_eye(other), 1.0);
    let size = globals.viewport.xy;
    let along = (end.xy / end.w - clip.xy / clip.w) * size;
    let style = edge_styles[edge.z];
    let unit = select(vec2f(1.0, 0.0), normalize(along), dot(along, along) > 0.0);
    // Corners 0 1 2, 2 1 3: even ones at the first end, odd at the second.
    let number = select(corner, corner - 2u, corner > 2u);
    let side = select(-1.0, 1.0, number >= 2u) * select(1.0, -1.0, (corner & 1u) == 1u);
    // Thinner where edges are short in the picture: a dense mesh is shaded by its edges, and not black.
    let length = 0.5 * length(along);
    let width = min(style.w * globals.scales.x, MOST_COVERED * length);
    let across = vec2f(-unit.y, unit.x) * side * width;
    clip = vec4f(clip.xy + across / size * clip.w, clip.zw);
    return Vertex(clip, world, style.rgb);
}

@fragment
fn solid(v: Vertex) -> @location(0) vec4f {
    if (is_cut(v.world)) { discard; }
    return vec4f(v.color, 1.0);
}
