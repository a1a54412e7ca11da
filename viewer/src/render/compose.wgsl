// The picture from its parts: background, what is solid and how open it lies, what is translucent. One
// fragment is a pixel.

@group(1) @binding(0) var solids: texture_2d<f32>;
@group(1) @binding(1) var openness: texture_2d<f32>;
@group(1) @binding(2) var sums: texture_2d<f32>;
@group(1) @binding(3) var seen: texture_2d<f32>;
@group(1) @binding(4) var depths: texture_depth_multisampled_2d;

@vertex
fn place(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
    return vec4f(f32(corner & 1u) * 4.0 - 1.0, f32(corner >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// Metres along the line of sight.
fn depth_at(pixel: vec2i) -> f32 {
    let last = vec2i(globals.viewport.xy) - 1;
    let stored = textureLoad(depths, clamp(pixel, vec2i(0), last), 0);
    let near = globals.depths.x;
    let far = globals.depths.y;
    return select(
        far - stored * (far - near), near * far / (near + stored * (far - near)), globals.back.w > 0.5);
}

// Mean over 4 x 4 pixels of what lies at the same depth.
fn open_at(pixel: vec2i) -> f32 {
    if (globals.depths.w <= 0.0) { return 1.0; }
    let size = vec2i(textureDimensions(openness)) - 1;
    let here = depth_at(pixel);
    let corner = (pixel - 3) / 2;
    var sum = 0.0;
    var weights = 0.0;
    for (var k = 0; k < 16; k++) {
        let place = clamp(corner + vec2i(k & 3, k >> 2u), vec2i(0), size);
        let apart = abs(depth_at(place * 2) - here) / globals.depths.z;
        let weight = max(1.0 - 4.0 * apart, 1.0e-3);
        sum += weight * textureLoad(openness, place, 0).r;
        weights += weight;
    }
    return sum / weights;
}

// Brightness under a line where depth jumps, folds, or the model ends; 1 where there is none. Stored depths of a plane are
// linear in the picture, whatever its slope.
fn outline_at(pixel: vec2i) -> f32 {
    let width = globals.scales.w;
    if (width <= 0.0) { return 1.0; }
    let last = vec2i(globals.viewport.xy) - 1;
    let here = textureLoad(depths, pixel, 0);
    if (here <= 0.0) { return 1.0; }
    let reach = max(i32(round(width)), 1);
    var most = 0.0;
    for (var k = 0; k < 4; k++) {
        // Across, upwards, and both diagonals.
        let step = reach * vec2i(select(1, 0, k == 1), select(select(1, 0, k == 0), -1, k == 3));
        let ahead = textureLoad(depths, clamp(pixel + step, vec2i(0), last), 0);
        let behind = textureLoad(depths, clamp(pixel - step, vec2i(0), last), 0);
        most = max(most, 2.0 * here - ahead - behind);
    }
    // A bend by this part of the model's depth is a line.
    let perspective = globals.back.w > 0.5;
    let near = globals.depths.x;
    let span = globals.depths.y - near;
    let a_metre = select(1.0 / span, (near + here * span) * (near + here * span) / (near * globals.depths.y * span), perspective);
    let bend = most / (a_metre * 2.0 * globals.depths.z);
    return 1.0 - 0.85 * smoothstep(0.04, 0.12, bend);
}

// What is left of light by how open a place lies: colours of hollows are warmer in the style of publications.
fn occluded(color: vec3f, open: f32) -> vec3f {
    if (globals.scales.z < 0.5) { return color * open; }
    return color * pow(vec3f(max(open, 1.0e-3)), vec3f(0.80, 1.0, 1.10));
}

@fragment
fn compose(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(at.xy);
    let solid = textureLoad(solids, pixel, 0);
    let behind = mix(globals.top.rgb, globals.bottom.rgb, at.y / globals.viewport.y);
    let clear = globals.flags.z != 0u;
    var alpha = select(1.0, solid.a, clear);
    var color = occluded(solid.rgb, open_at(pixel)) * outline_at(pixel);
    if (!clear) { color += behind * (1.0 - solid.a); }
    if (globals.flags.w != 0u) {
        let sum = textureLoad(sums, pixel, 0);
        let hidden = 1.0 - textureLoad(seen, pixel, 0).r;
        color = mix(color, sum.rgb / max(sum.a, 1.0e-5), hidden);
        alpha = mix(alpha, 1.0, hidden);
    }
    if (clear) { color /= max(alpha, 1.0e-4); }
    return vec4f(select(color, srgb(color), globals.flags.y != 0u), alpha);
}
