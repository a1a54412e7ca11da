// Light and surfaces of pictures for publication: soft shadows [Fernando2005], light that turns around the edge of the dark
// side and shines through what is thin [Jimenez2010], spots of bone, fibres of muscle.

@group(0) @binding(4) var shadows: texture_depth_2d;

const BLOCKERS = 12u;
const TAPS = 20u;
const GOLDEN_ANGLE = 2.3999632;
const TENDON = vec3f(0.78, 0.72, 0.62);

struct Lit {
    base: vec3f,
    normal: vec3f,
    world: vec3f,
    scatter: vec4f,
    finish: vec4f,
    pixel: vec2f,
}

// Place in the shadow map [texel], distance from its near plane [m].
fn in_light(world: vec3f) -> vec3f {
    let clip = globals.light_projection * vec4f(world, 1.0);
    let texel = (0.5 + vec2f(0.5, -0.5) * clip.xy) * globals.shadow.y;
    return vec3f(texel, (1.0 - clip.z) * globals.shadow.x);
}

// Distance of the first surface from the near plane [m].
fn first_at(texel: vec2f) -> f32 {
    let last = vec2i(i32(globals.shadow.y) - 1);
    let at = clamp(vec2i(floor(texel)), vec2i(0), last);
    return (1.0 - textureLoad(shadows, at, 0)) * globals.shadow.x;
}

// Points of a disk of radius 1 along a spiral, turned.
fn on_disk(k: u32, count: u32, turn: f32) -> vec2f {
    let angle = f32(k) * GOLDEN_ANGLE + turn;
    return sqrt((f32(k) + 0.5) / f32(count)) * vec2f(cos(angle), sin(angle));
}

// A turn of its own for each of neighbouring pixels.
fn turn_at(pixel: vec2f) -> f32 {
    return 6.2831853 * fract(52.9829189 * fract(dot(floor(pixel), vec2f(0.06711056, 0.00583715))));
}

// Part of the key light that is seen from a place.
fn lit_share(world: vec3f, normal: vec3f, pixel: vec2f) -> f32 {
    let texel = globals.light.w;
    if (texel <= 0.0) { return 1.0; }
    let cosine = clamp(dot(normal, globals.light.xyz), 0.05, 1.0);
    // Heights of a slanted surface differ within the disk.
    let slope = min(sqrt(1.0 - cosine * cosine) / cosine, 3.0);
    let at = in_light(world + 1.5 * texel * normal);
    let turn = turn_at(pixel);
    var sum = 0.0;
    var count = 0.0;
    for (var k = 0u; k < BLOCKERS; k++) {
        let offset = on_disk(k, BLOCKERS, turn) * globals.shadow.w;
        let first = first_at(at.xy + offset);
        let blocks = first < at.z - texel * (1.0 + slope * length(offset));
        sum += select(0.0, first, blocks);
        count += select(0.0, 1.0, blocks);
    }
    if (count == 0.0) { return 1.0; }
    let gap = at.z - sum / count;
    let radius = clamp(gap * globals.shadow.z / texel, 1.2, globals.shadow.w);
    var open = 0.0;
    for (var k = 0u; k < TAPS; k++) {
        let offset = on_disk(k, TAPS, turn) * radius;
        let blocks = first_at(at.xy + offset) < at.z - texel * (1.0 + slope * length(offset));
        open += select(1.0, 0.0, blocks);
    }
    return open / f32(TAPS);
}

// Part of the key light that comes through from behind, by the way it goes inside.
fn shone_through(world: vec3f, normal: vec3f, path: f32) -> f32 {
    if (globals.light.w <= 0.0 || path <= 0.0) { return 0.0; }
    let at = in_light(world - globals.light.w * normal);
    return exp(-max(at.z - first_at(at.xy), 0.0) / path);
}

fn published(lit: Lit) -> vec3f {
    let key = globals.light.xyz;
    let fill = normalize(0.9 * globals.right.xyz + 0.1 * globals.up.xyz + 0.4 * globals.back.xyz);
    let eye = to_eye(lit.world);
    let cosine = dot(lit.normal, key);
    let wrap = lit.scatter.rgb;
    let share = lit_share(lit.world, lit.normal, lit.pixel);
    // Red light goes farther into shadows, as it goes farther inside.
    let reached = pow(vec3f(share), 1.0 - wrap);
    let sky = 0.5 + 0.5 * dot(lit.normal, globals.up.xyz);
    var light = mix(vec3f(0.21, 0.20, 0.20), vec3f(0.37, 0.375, 0.39), sky);
    light += 0.78 * reached * clamp((vec3f(cosine) + wrap) / (1.0 + wrap), vec3f(0.0), vec3f(1.0));
    light += 0.15 * max(dot(lit.normal, fill), 0.0) * vec3f(0.92, 0.96, 1.0);
    let tint = wrap / max(max(wrap.r, wrap.g), max(wrap.b, 1.0e-3));
    light += 0.8 * tint * max(0.3 - cosine, 0.0) * shone_through(lit.world, lit.normal, lit.scatter.w);
    let half_way = normalize(key + eye);
    let exponent = lit.finish.y;
    let lobe = 0.125 * (exponent + 8.0) * pow(max(dot(lit.normal, half_way), 0.0), exponent);
    let fresnel = lit.finish.x + (1.0 - lit.finish.x) * pow(1.0 - max(dot(eye, half_way), 0.0), 5.0);
    let shine = 0.32 * fresnel * lobe * share * max(cosine, 0.0);
    let edge = pow(1.0 - abs(dot(lit.normal, eye)), 4.0);
    return lit.base * light + shine + 0.6 * lit.finish.x * edge * sky;
}

fn hashed(p: vec3i) -> f32 {
    var h = bitcast<u32>(p.x) * 0x8da6b343u ^ bitcast<u32>(p.y) * 0xd8163841u ^ bitcast<u32>(p.z) * 0xcb1ab31fu;
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    return f32((h ^ (h >> 15u)) & 0xffffu) / 65535.0;
}

// Smooth numbers from 0 to 1 in space, one a unit of length.
fn noise(p: vec3f) -> f32 {
    let cell = vec3i(floor(p));
    let t = fract(p);
    let s = t * t * (3.0 - 2.0 * t);
    var edges: array<f32, 4>;
    for (var k = 0; k < 4; k++) {
        let base = cell + vec3i(0, k & 1, k >> 1u);
        edges[k] = mix(hashed(base), hashed(base + vec3i(1, 0, 0)), s.x);
    }
    return mix(mix(edges[0], edges[1], s.y), mix(edges[2], edges[3], s.y), s.z);
}

// Spots of 1 and of 6 mm, at a place of a body [m].
fn spotted(base: vec3f, place: vec3f, amount: f32) -> vec3f {
    if (amount <= 0.0) { return base; }
    let spots = 0.6 * noise(place / 6.0e-3) + 0.4 * noise(place / 1.1e-3);
    return base * mix(vec3f(1.0), vec3f(0.86, 0.76, 0.60), amount * 2.0 * spots);
}

// Fibres along a muscle, and its tendons: part of the way along it, direction around it.
fn fibrous(base: vec3f, along: f32, around: vec2f, amount: f32) -> vec3f {
    if (amount <= 0.0) { return base; }
    let strands = 0.6 * noise(vec3f(7.0 * around, 2.5 * along)) + 0.4 * noise(vec3f(19.0 * around, 5.0 * along));
    let belly = smoothstep(0.06, 0.22, min(along, 1.0 - along) + 0.05 * (strands - 0.5));
    return mix(TENDON, base, belly) * (1.0 + amount * (1.0 - 2.0 * strands));
}
