// Boxes along the axes.

struct Bounds {
    low: vec3<f32>,
    high: vec3<f32>,
}

// Lower than the high end of every box, and higher than the low end.
const FAR: f32 = 1e30;

fn empty_bounds() -> Bounds {
    return Bounds(vec3<f32>(FAR, FAR, FAR), vec3<f32>(-FAR, -FAR, -FAR));
}

fn joined(a: Bounds, b: Bounds) -> Bounds {
    return Bounds(min(a.low, b.low), max(a.high, b.high));
}

fn widened(bounds: Bounds, border: f32) -> Bounds {
    let margin = vec3<f32>(border, border, border);
    return Bounds(bounds.low - margin, bounds.high + margin);
}
