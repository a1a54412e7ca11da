//! Rays, and where they enter a solid [mm].

use super::segment::Point;

/// A half line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    /// Its start.
    pub(crate) from: Point,
    /// Its direction, of length 1.
    pub(crate) inward: Point,
}

impl Ray {
    /// The point at a distance along it [mm].
    pub(crate) fn at(&self, t: f64) -> Point {
        std::array::from_fn(|axis| self.from[axis] + t * self.inward[axis])
    }

    /// Distance along the ray to where a value becomes negative, from `start` up to `most` [mm]; `None` where it stays positive.
    /// Steps are parts of the values, which are at most little more than distances.
    pub(crate) fn hit(&self, [start, most]: [f64; 2], value: impl Fn(Point) -> f64) -> Option<f64> {
        const LEAST_STEP: f64 = 0.05;
        let (mut outside, mut t) = (start, start);
        while t < most {
            let v = value(self.at(t));
            if v <= 0.0 {
                return Some(self.bisect([outside, t], value));
            }
            outside = t;
            t += (0.8 * v).max(LEAST_STEP);
        }
        None
    }

    /// The place between one outside and one inside.
    fn bisect(&self, [mut outside, mut inside]: [f64; 2], value: impl Fn(Point) -> f64) -> f64 {
        for _ in 0..24 {
            let middle = 0.5 * (outside + inside);
            if value(self.at(middle)) > 0.0 { outside = middle } else { inside = middle }
        }
        0.5 * (outside + inside)
    }
}
