// Solids about a line: cylinders, cones, spindles, spheres. One instance is one of them; its vertices go
// by rings from a to b, the first and the last of which close it.

const SIDES = 16u;
const RINGS = 12u;

struct Tube {
    // End and radius there [m].
    @location(0) a: vec4f,
    @location(1) b: vec4f,
    // Linear light, opacity.
    @location(2) color: vec4f,
    // Part of a spindle from x to y; z: 1 for a spindle; w: 1 where selected.
    @location(3) profile: vec4f,
}

struct Vertex {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) @interpolate(flat) selected: f32,
}

// Radius at part t of the way, and how it changes with t.
fn radius_at(tube: Tube, t: f32) -> vec2f {
    if (tube.profile.z < 0.5) {
        return vec2f(mix(tube.a.w, tube.b.w, t), tube.b.w - tube.a.w);
    }
    // An ellipse over the whole of the spindle.
    let span = tube.profile.y - tube.profile.x;
    let u = 2.0 * (tube.profile.x + t * span) - 1.0;
    let height = sqrt(max(1.0 - u * u, 0.0));
    return vec2f(tube.a.w * height, -2.0 * tube.a.w * span * u / max(height, 1.0e-2));
}

@vertex
fn place(@builtin(vertex_index) vertex: u32, tube: Tube) -> Vertex {
    let face = vertex / 6u;
    let corner = vertex % 6u;
    // Corners 0 1 2, 2 1 3: both triangles wind alike, and are fronts seen from inside.
    let number = select(select(corner, 5u - corner, corner > 2u), 3u, corner == 5u);
    let strip = face / SIDES;
    let ring = strip + (number & 1u);
    let side = face % SIDES + (number >> 1u);
    let angle = 6.2831853 * f32(side % SIDES) / f32(SIDES);
    // Denser towards the ends, where a spindle is round.
    let step = clamp(f32(ring) - 1.0, 0.0, f32(RINGS)) / f32(RINGS);
    let t = 0.5 - 0.5 * cos(3.1415927 * step);
    let path = tube.b.xyz - tube.a.xyz;
    let extent = max(length(path), 1.0e-12);
    let axis = path / extent;
    let other = select(vec3f(0.0, 0.0, 1.0), vec3f(1.0, 0.0, 0.0), abs(axis.z) > 0.7);
    let e = normalize(cross(axis, other));
    let f = cross(axis, e);
    let radial = cos(angle) * e + sin(angle) * f;
    let radius = radius_at(tube, t);
    let closes = ring == 0u || ring == RINGS + 2u;
    let world = tube.a.xyz + t * path + select(radius.x, 0.0, closes) * radial;
    var normal = normalize(radial - axis * radius.y / extent);
    if (strip == 0u) { normal = -axis; }
    if (strip == RINGS + 1u) { normal = axis; }
    let clip = globals.view_projection * vec4f(world, 1.0);
    return Vertex(clip, world, normal, tube.color, tube.profile.w);
}

fn tube_color(v: Vertex, inside: bool) -> vec4f {
    if (is_cut(v.world)) { discard; }
    var normal = normalize(v.normal);
    var base = v.color.rgb;
    var specular = vec4f(0.08, 0.08, 0.08, 40.0);
    if (inside && globals.flags.x != 0u) {
        // The inside of a clipped solid looks like its section, as that of a body does.
        normal = globals.plane.xyz;
        base *= 0.8;
        specular = vec4f(0.0, 0.0, 0.0, 1.0);
    }
    var color = lit(base, specular, normal, v.world);
    if (v.selected > 0.5) { color = highlighted(color, normal, v.world); }
    return vec4f(color, v.color.a);
}

@fragment
fn solid(v: Vertex, @builtin(front_facing) inside: bool) -> @location(0) vec4f {
    return vec4f(tube_color(v, inside).rgb, 1.0);
}

@fragment
fn glass(v: Vertex, @builtin(front_facing) inside: bool) -> Blended {
    return blended(tube_color(v, inside), v.world);
}
