//! The order of points along a curve that stays near in space (Morton1966): bits of the coordinates in turns.

use sinew::Vec3;

/// Bits of each coordinate.
const BITS: u32 = 20;

/// Numbers of the points along the curve.
pub(super) fn order(points: &[Vec3]) -> Vec<u32> {
    let none = Vec3::repeat(f64::INFINITY);
    let extend = |[low, high]: [Vec3; 2], p: &Vec3| [low.inf(p), high.sup(p)];
    let [low, high] = points.iter().fold([none, -none], extend);
    let scale = f64::from((1 << BITS) - 1) / (high - low).max().max(f64::MIN_POSITIVE);
    let code = |p: &Vec3| {
        let cell = (p - low) * scale;
        (0..3).map(|axis| spread(cell[axis] as u64) << axis).sum::<u64>()
    };
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_by_cached_key(|&k| code(&points[k as usize]));
    order
}

/// The bits of a number, two places apart.
fn spread(x: u64) -> u64 {
    (0..BITS).map(|bit| (x >> bit & 1) << (3 * bit)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_a_cube_are_visited_octant_by_octant() {
        let at = |k: u32, n: u32| f64::from(k % n);
        let grid: Vec<Vec3> =
            (0..64).map(|k| Vec3::new(at(k, 4), at(k / 4, 4), at(k / 16, 4))).collect();
        let order = order(&grid);
        for octant in order.chunks(8) {
            let cells = octant.iter().map(|&k| (grid[k as usize] / 2.0).map(f64::floor));
            let first = (grid[octant[0] as usize] / 2.0).map(f64::floor);
            assert!(cells.into_iter().all(|cell| cell == first), "{octant:?}");
        }
    }
}
