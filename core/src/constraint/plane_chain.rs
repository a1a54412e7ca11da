//! Planes that follow each other along a chain of points, and the distance of a point from them.

use crate::Vec3;

/// Planes along y through neighbouring points (x, z) of a chain; the first and the last have no end.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneChain {
    points: Vec<Vec3>,
    /// Of each plane, along the chain and across it, of length 1.
    axes: Vec<[Vec3; 2]>,
}

impl PlaneChain {
    /// `None` where there are less than two points, or two in one place.
    pub fn new(points: &[[f64; 2]]) -> Option<Self> {
        let points: Vec<Vec3> = points.iter().map(|&[x, z]| Vec3::new(x, 0.0, z)).collect();
        let axes = |pair: &[Vec3]| {
            let along = (pair[1] - pair[0]).try_normalize(0.0)?;
            Some([along, along.cross(&Vec3::y())])
        };
        let axes: Vec<[Vec3; 2]> = points.windows(2).map(axes).collect::<Option<_>>()?;
        (!axes.is_empty()).then_some(Self { points, axes })
    }

    /// Distance of a point from its plane [m], positive towards the normal, which is z where x grows along
    /// the chain; and the normal. Planes change at those that halve the angles of the chain, where both
    /// are as near.
    pub fn distance(&self, point: &Vec3) -> (f64, Vec3) {
        let passed = |bend: &usize| {
            let between = self.axes[bend - 1][0] + self.axes[*bend][0];
            (point - self.points[*bend]).dot(&between) > 0.0
        };
        let plane = (1..self.axes.len()).take_while(passed).count();
        let normal = self.axes[plane][1];
        ((point - self.points[plane]).dot(&normal), normal)
    }
}
