//! Curves through the rows of tables, and the smooth step.

/// The cubic between two values with these slopes over the unit, at `t` in [0, 1].
pub(crate) fn hermite([from, to]: [f64; 2], [start, end]: [f64; 2], t: f64) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    from * (2.0 * t3 - 3.0 * t2 + 1.0)
        + to * (3.0 * t2 - 2.0 * t3)
        + start * (t3 - 2.0 * t2 + t)
        + end * (t3 - t2)
}

/// The uniform Catmull-Rom curve through two points or more, at a place in intervals from the first; past the ends it
/// goes on straight.
pub(crate) fn catmull_rom<const N: usize>(points: &[[f64; N]], place: f64) -> [f64; N] {
    let i = (place as usize).min(points.len() - 2);
    let t = place - i as f64;
    std::array::from_fn(|axis| {
        let [b, c] = [points[i][axis], points[i + 1][axis]];
        let a = if i == 0 { 2.0 * b - c } else { points[i - 1][axis] };
        let d = points.get(i + 2).map_or(2.0 * c - b, |point| point[axis]);
        hermite([b, c], [0.5 * (c - a), 0.5 * (d - b)], t)
    })
}

/// Rises from 0 to 1 as `t` does, level at both ends.
pub(crate) fn smooth_step(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
