// Surfaces of bodies and tissues, sections and shrunken elements. One instance is an item.

@group(1) @binding(0) var<storage, read> positions: array<vec4f>;
@group(1) @binding(1) var<storage, read> normals: array<vec4f>;

struct Vertex {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    // Number on the colour map; 1 where no plane cuts.
    @location(2) number: vec2f,
    @location(3) @interpolate(flat) item: u32,
    // Place in the frame of a body [m].
    @location(4) place: vec3f,
}

@vertex
fn place(@builtin(vertex_index) vertex: u32, @builtin(instance_index) item: u32) -> Vertex {
    let position = positions[vertex];
    let normal = normals[vertex];
    let frame = items[item];
    let world = frame.position.xyz + rotated(frame.rotation, position.xyz);
    let clip = globals.view_projection * vec4f(world, 1.0);
    return Vertex(clip, world, rotated(frame.rotation, normal.xyz), vec2f(position.w, normal.w), item, position.xyz);
}

fn surface_color(v: Vertex, front: bool) -> vec4f {
    // Derivatives first, where all fragments still take the same way.
    let facet = cross(dpdx(v.world), dpdy(v.world));
    let item = items[v.item];
    let is_section = v.number.y > 0.5;
    let cut = globals.flags.x != 0u;
    // Up to half a pixel beyond a plane: samples between a surface and its section are not left out.
    let height = height_over_planes(v.world);
    // A face that is seen from its edge rises by far more in a pixel.
    let room = min(0.5 * fwidth(height), pixel_at(v.world));
    if (cut && !is_section && height > room) { discard; }
    let side = select(2u, 1u, front || is_section);
    if (!cut && (item.flags.y & side) == 0u) { discard; }
    var base = select(item.back.rgb, item.face.rgb, front || cut);
    if (item.flags.z != 0u && v.number.x > -1.0e6) { base = mapped(v.number.x); }
    if (item.flags.x == 2u) { return vec4f(base, item.face.a); }
    let eye = to_eye(v.world);
    var normal = normalize(v.normal);
    if (item.flags.x == 0u && !is_section) { normal = normalize(facet); }
    if (dot(normal, eye) < 0.0 && (item.flags.x == 0u || is_section || !front)) { normal = -normal; }
    var specular = item.specular;
    if (cut && !front && item.position.w > 0.5) {
        // The inside of a clipped body looks like its section.
        normal = normal_of_section(v.world);
        base *= 0.8;
    }
    if (is_section) { specular = vec4f(0.0, 0.0, 0.0, 1.0); }
    var color: vec3f;
    if (globals.scales.z > 0.5) {
        if (item.position.w > 0.5) { base = spotted(base, v.place, item.finish.z); }
        // No light shines through what is cut.
        let inside = is_section || (cut && !front);
        let scatter = vec4f(item.scatter.rgb, select(item.scatter.w, 0.0, inside));
        color = published(Lit(base, normal, v.world, scatter, item.finish, v.clip.xy));
    } else {
        color = lit(base, specular, normal, v.world);
    }
    if (item.flags.w != 0u) { color = highlighted(color, normal, v.world); }
    return vec4f(color, item.face.a);
}

@fragment
fn solid(v: Vertex, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    return vec4f(surface_color(v, front).rgb, 1.0);
}

@fragment
fn glass(v: Vertex, @builtin(front_facing) front: bool) -> Blended {
    return blended(surface_color(v, front), v.world);
}

// What is between the key light and all else.
@fragment
fn shade(v: Vertex) {
    if (v.number.y < 0.5 && is_cut(v.world)) { discard; }
}
