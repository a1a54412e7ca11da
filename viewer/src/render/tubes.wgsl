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
    // Direction in which it is thin; w: its item, from 0.
    @location(4) thin: vec4f,
}

struct Vertex {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) @interpolate(flat) selected: f32,
    // Item, from 0.
    @location(4) @interpolate(flat) item: f32,
    // Part of the way along the whole, direction around it; 1 for a spindle.
    @location(5) along: vec4f,
}

// Width of a flat one over its mean width; its thickness is the inverse.
const FLATNESS = 1.6;

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
    let flat = dot(tube.thin.xyz, tube.thin.xyz) > 0.25;
    let e = normalize(cross(select(-other, tube.thin.xyz, flat), axis));
    let f = cross(axis, e);
    let wide = select(1.0, FLATNESS, flat);
    let around = vec2f(cos(angle), sin(angle));
    let radial = wide * around.x * e + around.y / wide * f;
    let outward = around.x / wide * e + wide * around.y * f;
    let radius = radius_at(tube, t);
    let closes = ring == 0u || ring == RINGS + 2u;
    let world = tube.a.xyz + t * path + select(radius.x, 0.0, closes) * radial;
    var normal = normalize(outward - axis * radius.y / extent);
    if (strip == 0u) { normal = -axis; }
    if (strip == RINGS + 1u) { normal = axis; }
    let clip = globals.view_projection * vec4f(world, 1.0);
    let part = mix(tube.profile.x, tube.profile.y, t);
    let along = vec4f(part, around, tube.profile.z);
    return Vertex(clip, world, normal, tube.color, tube.profile.w, tube.thin.w, along);
}

fn tube_color(v: Vertex, inside: bool) -> vec4f {
    if (is_cut(v.world)) { discard; }
    var normal = normalize(v.normal);
    var base = v.color.rgb;
    var specular = vec4f(0.08, 0.08, 0.08, 40.0);
    if (inside && globals.flags.x != 0u) {
        // The inside of a clipped solid looks like its section, as that of a body does.
        normal = normal_of_section(v.world);
        base *= 0.8;
        specular = vec4f(0.0, 0.0, 0.0, 1.0);
    }
    var color: vec3f;
    if (globals.scales.z > 0.5) {
        let item = items[u32(v.item)];
        if (v.along.w > 0.5) {
            base = fibrous(base, v.along.x, normalize(v.along.yz), item.finish.w);
        }
        color = published(Lit(base, normal, v.world, item.scatter, item.finish, v.clip.xy));
    } else {
        color = lit(base, specular, normal, v.world);
    }
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

// What is between the key light and all else.
@fragment
fn shade(v: Vertex) {
    if (is_cut(v.world)) { discard; }
}
