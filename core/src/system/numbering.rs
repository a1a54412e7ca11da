//! The order of the rows: along a space-filling curve through the rest positions, so that rows
//! which are coupled lie close in memory and a contiguous range of rows is a compact piece.

use crate::Vec3;

/// Row of every point: the points sorted along the Morton curve.
pub(super) fn rows_along_curve(points: &[Vec3]) -> Vec<u32> {
    let finite = |p: &&Vec3| p.iter().all(|c| c.is_finite());
    let first = points.iter().find(finite).copied().unwrap_or_else(Vec3::zeros);
    let (low, high) = points
        .iter()
        .filter(finite)
        .fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
    // One scale for all axes: a long body is cut along its length first.
    let extent = (high - low).max();
    let scale = if extent > 0.0 { f64::from((1u32 << 21) - 1) / extent } else { 0.0 };
    let code = |p: &Vec3| {
        let cell = (p - low) * scale;
        spread(cell[0] as u64) << 2 | spread(cell[1] as u64) << 1 | spread(cell[2] as u64)
    };
    let mut order: Vec<(u64, u32)> =
        points.iter().enumerate().map(|(i, p)| (code(p), i as u32)).collect();
    order.sort_unstable();
    let mut rows = vec![0; points.len()];
    for (row, &(_, point)) in order.iter().enumerate() {
        rows[point as usize] = row as u32;
    }
    rows
}

/// Puts two zero bits between the lowest 21 bits of `x`.
fn spread(x: u64) -> u64 {
    let mut x = x & 0x1f_ffff;
    for (shift, mask) in [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ] {
        x = (x | x << shift) & mask;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_a_permutation_and_neighbours_on_a_line_stay_neighbours() {
        let points: Vec<Vec3> =
            (0..50).map(|i| Vec3::new(f64::from(i * 7 % 50), 0.0, 0.0)).collect();
        let rows = rows_along_curve(&points);
        for (i, p) in points.iter().enumerate() {
            assert_eq!(rows[i], p[0] as u32, "row of the point at {p:?}");
        }
    }
}
