// Ambient obscurance from depths [McGuire2011], at half the size of the picture. One fragment is a pixel
// of that.

@group(1) @binding(0) var depths: texture_depth_multisampled_2d;

const SAMPLES = 14u;
const TURNS = 5.0;

// Place in the axes of the camera of a pixel of the picture.
fn seen_at(pixel: vec2i, stored: f32) -> vec3f {
    let near = globals.depths.x;
    let far = globals.depths.y;
    let perspective = globals.back.w > 0.5;
    let depth = select(far - stored * (far - near), near * far / (near + stored * (far - near)), perspective);
    let ndc = (vec2f(pixel) + 0.5) / globals.viewport.xy * 2.0 - 1.0;
    let across = vec2f(ndc.x, -ndc.y) * globals.viewport.zw * select(1.0, depth, perspective);
    return vec3f(across, -depth);
}

fn load(pixel: vec2i) -> f32 {
    let last = vec2i(globals.viewport.xy) - 1;
    return textureLoad(depths, clamp(pixel, vec2i(0), last), 0);
}

// The nearer of the two neighbours in a direction leads along the surface, not over its edge.
fn slope(pixel: vec2i, here: vec3f, step: vec2i) -> vec3f {
    let ahead = seen_at(pixel + step, load(pixel + step)) - here;
    let behind = here - seen_at(pixel - step, load(pixel - step));
    return select(behind, ahead, abs(ahead.z) < abs(behind.z));
}

@vertex
fn place(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
    return vec4f(f32(corner & 1u) * 4.0 - 1.0, f32(corner >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn calc(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(at.xy) * 2;
    let stored = load(pixel);
    if (stored <= 0.0) { return vec4f(1.0); }
    let here = seen_at(pixel, stored);
    let normal = normalize(cross(slope(pixel, here, vec2i(1, 0)), slope(pixel, here, vec2i(0, -1))));
    let radius = globals.depths.z;
    let scale = select(1.0, -here.z, globals.back.w > 0.5) * globals.viewport.w * 2.0 / globals.viewport.y;
    let reach = clamp(radius / scale, 2.0, 0.12 * globals.viewport.y);
    // Sixteen directions in turn, which the composition averages over 4 x 4 pixels.
    let turn = f32((u32(at.x) & 3u) * 4u + (u32(at.y) & 3u)) * 0.3926991;
    var sum = 0.0;
    for (var k = 0u; k < SAMPLES; k++) {
        let part = (f32(k) + 0.5) / f32(SAMPLES);
        let angle = turn + part * TURNS * 6.2831853;
        let other = pixel + vec2i(part * reach * vec2f(cos(angle), sin(angle)));
        let d = load(other);
        let v = seen_at(other, d) - here;
        let square = dot(v, v);
        let fades = max(1.0 - square / (radius * radius), 0.0);
        let height = max(dot(v, normal) - 0.02 * radius, 0.0);
        sum += select(0.0, fades * height / sqrt(square + 1.0e-20), d > 0.0);
    }
    let open = 1.0 - globals.depths.w * 2.0 * sum / f32(SAMPLES);
    return vec4f(max(open, 0.0));
}
