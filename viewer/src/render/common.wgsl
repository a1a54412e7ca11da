// Common part of all programs that draw: the camera, lights, colours. Colours are linear light.

struct Globals {
    view_projection: mat4x4f,
    // Rows that lead to the axes of the camera.
    right: vec4f,
    up: vec4f,
    // w: 1 for perspective, 0 for orthographic.
    back: vec4f,
    // w: least depth of what is nearest [m].
    eye: vec4f,
    // Width and height [pixel], half of both at depth 1 [m].
    viewport: vec4f,
    // Near and far plane [m], radius of occlusion [m], its strength.
    depths: vec4f,
    // Points with a greater product with xyz than w are cut away, by each of as many as the flags tell.
    planes: array<vec4f, 6>,
    top: vec4f,
    bottom: vec4f,
    selection: vec4f,
    // Number of planes, encode as sRGB, transparent background, translucent parts.
    flags: vec4u,
    // Pixels per unit of width; 1 where of tissues only sections are drawn; 1 in the style of publications; width of
    // outlines [pixel].
    scales: vec4f,
    // To the key light; w: extent of a texel of the shadow map [m], 0 for none.
    light: vec4f,
    // From the scene to the shadow map.
    light_projection: mat4x4f,
    // Depth of the shadow map [m], its width [texel], width of shadows over the distance of what casts them, their largest
    // radius [texel].
    shadow: vec4f,
}

struct Item {
    rotation: vec4f,
    // w: 1 where back faces close a clipped body.
    position: vec4f,
    // w: opacity.
    face: vec4f,
    back: vec4f,
    // w: exponent.
    specular: vec4f,
    // Shading (0 flat, 1 smooth, 2 none), sides (1 front, 2 back), coloured by the map, selected.
    flags: vec4u,
    // Share of light that turns around the edge of the dark side; way of light through it [m].
    scatter: vec4f,
    // Reflection, exponent of highlights, spots, fibres.
    finish: vec4f,
}

@group(0) @binding(0) var<uniform> globals: Globals;
@group(0) @binding(1) var<storage, read> items: array<Item>;
@group(0) @binding(2) var<storage, read> color_map: array<vec4f>;

fn rotated(q: vec4f, v: vec3f) -> vec3f {
    let twice = 2.0 * cross(q.xyz, v);
    return v + q.w * twice + cross(q.xyz, twice);
}

fn mapped(number: f32) -> vec3f {
    // As many colours as are sent; the buffer may be larger.
    let last = 255.0;
    let place = clamp(number, 0.0, 1.0) * last;
    let at = u32(min(floor(place), last - 1.0));
    return mix(color_map[at].rgb, color_map[at + 1u].rgb, place - f32(at));
}

// Unit vector from a place to the eye.
fn to_eye(world: vec3f) -> vec3f {
    return select(globals.back.xyz, normalize(globals.eye.xyz - world), globals.back.w > 0.5);
}

fn is_cut(world: vec3f) -> bool {
    return globals.flags.x != 0u && height_over_planes(world) > 0.0;
}

// Greatest height over the planes that cut [m]: what is above one of them is cut away.
fn height_over_planes(world: vec3f) -> f32 {
    var height = -1.0e30;
    for (var k = 0u; k < globals.flags.x; k++) {
        height = max(height, dot(globals.planes[k].xyz, world) - globals.planes[k].w);
    }
    return height;
}

// Least distance from a plane that cuts [m].
fn distance_from_planes(world: vec3f) -> f32 {
    var least = 1.0e30;
    for (var k = 0u; k < globals.flags.x; k++) {
        least = min(least, abs(dot(globals.planes[k].xyz, world) - globals.planes[k].w));
    }
    return least;
}

// Normal of the plane through which the eye sees a place: the last one that its line of sight goes through.
fn normal_of_section(world: vec3f) -> vec3f {
    let eye = to_eye(world);
    var nearest = 1.0e30;
    var normal = globals.planes[0].xyz;
    for (var k = 0u; k < globals.flags.x; k++) {
        let plane = globals.planes[k];
        let slope = dot(plane.xyz, eye);
        let along = (plane.w - dot(plane.xyz, world)) / max(slope, 1.0e-12);
        if (slope > 0.0 && along < nearest) {
            nearest = along;
            normal = plane.xyz;
        }
    }
    return normal;
}

fn depth_of(world: vec3f) -> f32 {
    return dot(globals.eye.xyz - world, globals.back.xyz);
}

// Extent of a pixel at a place [m].
fn pixel_at(world: vec3f) -> f32 {
    let depth = select(1.0, depth_of(world), globals.back.w > 0.5);
    return 2.0 * globals.viewport.w * depth / globals.viewport.y;
}

// A key light over the left shoulder, a weak one from the right, sky and ground.
fn lit(base: vec3f, specular: vec4f, normal: vec3f, world: vec3f) -> vec3f {
    let key = globals.light.xyz;
    let fill = normalize(0.9 * globals.right.xyz + 0.1 * globals.up.xyz + 0.5 * globals.back.xyz);
    let eye = to_eye(world);
    let sky = 0.5 + 0.5 * normal.z;
    var light = mix(vec3f(0.20, 0.19, 0.18), vec3f(0.33, 0.34, 0.36), sky);
    light += 0.66 * max(dot(normal, key), 0.0) * vec3f(1.0, 0.98, 0.95);
    light += 0.16 * max(dot(normal, fill), 0.0) * vec3f(0.9, 0.95, 1.0);
    let half_way = normalize(key + eye);
    let shine = pow(max(dot(normal, half_way), 0.0), max(specular.w, 1.0));
    return base * light + specular.rgb * shine;
}

fn highlighted(color: vec3f, normal: vec3f, world: vec3f) -> vec3f {
    let rim = 1.0 - abs(dot(normal, to_eye(world)));
    return mix(color, globals.selection.rgb, 0.3 + 0.65 * rim * rim);
}

fn srgb(light: vec3f) -> vec3f {
    let c = clamp(light, vec3f(0.0), vec3f(1.0));
    let low = 12.92 * c;
    let high = 1.055 * pow(c, vec3f(1.0 / 2.4)) - 0.055;
    return select(high, low, c <= vec3f(0.0031308));
}

// Weighted blended transparency [McGuire2013]: sums that do not depend on the order.
struct Blended {
    @location(0) sum: vec4f,
    @location(1) seen: vec4f,
}

fn blended(color: vec4f, world: vec3f) -> Blended {
    let near = globals.depths.x;
    let part = clamp((depth_of(world) - near) / (globals.depths.y - near), 0.0, 1.0);
    let weight = color.a * clamp(300.0 * pow(1.0 - part, 3.0), 0.01, 300.0);
    return Blended(vec4f(color.rgb * color.a, color.a) * weight, vec4f(color.a));
}
