//! Warps that take landmarks to landmarks: thin-plate splines in space (Bookstein1989), which bend least
//! between them.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use super::Affine;
use crate::{Mat3, Vec3};

/// Fewest landmarks that fix an affine map.
const FEWEST: usize = 4;
/// Most landmarks: the equations are dense, and their solution takes seconds beyond.
const MOST: usize = 2000;
/// Least extent of landmarks over the largest below which they lie in a plane [-]: coordinates of points in
/// files have some six digits.
const FLAT: f64 = 1e-6;

/// x -> A x + t + Σ w_k |x - c_k|: the map through pairs of landmarks with the least integral of squared second
/// derivatives over space (Bookstein1989, with the kernel r of three dimensions; Duchon1977).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Pairs", into = "Pairs")]
pub struct LandmarkWarp {
    pairs: Pairs,
    weights: Vec<Vec3>,
    affine: Affine,
}

/// Landmarks, and their images.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Pairs {
    from: Vec<Vec3>,
    to: Vec<Vec3>,
}

impl TryFrom<Pairs> for LandmarkWarp {
    type Error = LandmarkError;

    fn try_from(pairs: Pairs) -> Result<Self, LandmarkError> {
        Self::new(pairs.from, pairs.to)
    }
}

impl From<LandmarkWarp> for Pairs {
    fn from(warp: LandmarkWarp) -> Self {
        warp.pairs
    }
}

/// Errors of lists of landmarks.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LandmarkError {
    /// The lists differ in length.
    #[error(
        "{from} landmarks and {to} images: give one image for each landmark, in the same order"
    )]
    Count {
        /// Number of landmarks.
        from: usize,
        /// Number of images.
        to: usize,
    },
    /// Too few landmarks for a map of space, or too many to solve for.
    #[error("{0} landmarks: give {FEWEST} at least, not all in one plane, and {MOST} at most")]
    Number(usize),
    /// All landmarks lie in a plane.
    #[error("the landmarks lie in a plane: give one beside it")]
    Flat,
    /// Two landmarks are one point.
    #[error("landmarks {0} and {1} (counted from 0) are at the same place")]
    Twice(usize, usize),
    /// A coordinate is not a finite number.
    #[error("landmark {0} (counted from 0) has a coordinate that is not finite")]
    NotFinite(usize),
}

impl LandmarkWarp {
    /// The warp that takes each point of `from` [m] to the one of `to` [m] at the same place in the list.
    ///
    /// # Errors
    /// [`LandmarkError`]: lists that differ in length, too few or too many points, points that are not finite, in a
    /// plane, or at one place.
    pub fn new(from: Vec<Vec3>, to: Vec<Vec3>) -> Result<Self, LandmarkError> {
        check(&from, &to)?;
        let count = from.len();
        let center = from.iter().sum::<Vec3>() / count as f64;
        let size = from.iter().map(|x| (x - center).norm()).fold(0.0, f64::max);
        // Numbers of size 1, whatever the unit.
        let scaled: Vec<Vec3> = from.iter().map(|x| (x - center) / size).collect();
        let matrix = DMatrix::from_fn(count + 4, count + 4, |i, j| entry(&scaled, i, j));
        let lu = matrix.lu();
        let mut solution = [const { Vec::new() }; 3];
        for (axis, values) in solution.iter_mut().enumerate() {
            let right = |i: usize| to.get(i).map_or(0.0, |y| y[axis]);
            let right = DVector::from_fn(count + 4, |i, _| right(i));
            *values = lu.solve(&right).ok_or(LandmarkError::Flat)?.as_slice().to_vec();
        }
        let row = |i: usize| Vec3::new(solution[0][i], solution[1][i], solution[2][i]);
        let weights = (0..count).map(|k| row(k) / size).collect();
        let linear = Mat3::from_columns(&[1, 2, 3].map(|i| row(count + i))) / size;
        let affine = Affine { linear, translation: row(count) - linear * center };
        Ok(Self { pairs: Pairs { from, to }, weights, affine })
    }

    /// Landmarks [m].
    pub fn from(&self) -> &[Vec3] {
        &self.pairs.from
    }

    /// Their images [m].
    pub fn to(&self) -> &[Vec3] {
        &self.pairs.to
    }

    /// Image of a point [m].
    pub fn point(&self, x: &Vec3) -> Vec3 {
        let bent = self.pairs.from.iter().zip(&self.weights);
        bent.fold(self.affine.point(x), |sum, (c, w)| sum + w * (x - c).norm())
    }

    /// The affine map that agrees with it to first order at a point [m]. At a landmark, where its slope depends on
    /// the direction, the mean of opposite directions.
    pub fn local(&self, x: &Vec3) -> Affine {
        let mut linear = self.affine.linear;
        for (c, w) in self.pairs.from.iter().zip(&self.weights) {
            if let Some(direction) = (x - c).try_normalize(0.0) {
                linear += w * direction.transpose();
            }
        }
        Affine { linear, translation: self.point(x) - linear * x }
    }
}

/// Entry of the equations: distances, bordered by the polynomial 1, x, y, z.
fn entry(points: &[Vec3], i: usize, j: usize) -> f64 {
    let count = points.len();
    let term = |k: usize, term: usize| if term == 0 { 1.0 } else { points[k][term - 1] };
    match (i < count, j < count) {
        (true, true) => (points[i] - points[j]).norm(),
        (true, false) => term(i, j - count),
        (false, true) => term(j, i - count),
        (false, false) => 0.0,
    }
}

fn check(from: &[Vec3], to: &[Vec3]) -> Result<(), LandmarkError> {
    if from.len() != to.len() {
        return Err(LandmarkError::Count { from: from.len(), to: to.len() });
    }
    if !(FEWEST..=MOST).contains(&from.len()) {
        return Err(LandmarkError::Number(from.len()));
    }
    let infinite = |(x, y): (&Vec3, &Vec3)| x.iter().chain(y.iter()).any(|a| !a.is_finite());
    if let Some(k) = from.iter().zip(to).position(infinite) {
        return Err(LandmarkError::NotFinite(k));
    }
    for (k, x) in from.iter().enumerate() {
        if let Some(before) = from[..k].iter().position(|y| x == y) {
            return Err(LandmarkError::Twice(before, k));
        }
    }
    let center = from.iter().sum::<Vec3>() / from.len() as f64;
    let spread: Mat3 = from.iter().map(|x| (x - center) * (x - center).transpose()).sum();
    let sizes = spread.symmetric_eigenvalues().map(|x| x.max(0.0).sqrt());
    if sizes.min() > FLAT * sizes.max() { Ok(()) } else { Err(LandmarkError::Flat) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners() -> Vec<Vec3> {
        let corner = |k: u32| [0, 1, 2].map(|axis| f64::from(k >> axis & 1));
        (0..8).map(|k| Vec3::from(corner(k)) + Vec3::new(3.0, 0.1, -2.0)).collect()
    }

    #[test]
    fn landmarks_come_to_their_images_and_slopes_are_those_of_differences() {
        let from = corners();
        let bent = |x: &Vec3| x * 1.2 + Vec3::new(0.1 * x.y * x.z, -0.2 * x.x * x.z, 0.05 * x.x);
        let warp = LandmarkWarp::new(from.clone(), from.iter().map(bent).collect()).unwrap();
        for x in &from {
            // Some hundred roundings of coordinates of 5 m.
            assert!((warp.point(x) - bent(x)).norm() < 1e-13, "{x}");
        }
        let x = Vec3::new(3.3, 0.7, -1.6);
        let step = 1e-6;
        for axis in 0..3 {
            let mut ahead = Vec3::zeros();
            ahead[axis] = step;
            let difference = (warp.point(&(x + ahead)) - warp.point(&(x - ahead))) / (2.0 * step);
            // Roundings of 1e-15 m over the step, and its square.
            assert!((warp.local(&x).linear.column(axis) - difference).norm() < 1e-8);
        }
        assert!((warp.local(&x).point(&x) - warp.point(&x)).norm() < 1e-14);
    }

    #[test]
    fn images_of_an_affine_map_give_that_map_everywhere() {
        let map = Affine {
            linear: Mat3::new(1., 0.2, 0., 0., 0.9, 0.1, 0.3, 0., 1.1),
            translation: Vec3::x(),
        };
        let from = corners();
        let warp =
            LandmarkWarp::new(from.clone(), from.iter().map(|x| map.point(x)).collect()).unwrap();
        let far = Vec3::new(-20.0, 15.0, 9.0);
        // Weights that are zero but for rounding, times distances of 30 m.
        assert!((warp.point(&far) - map.point(&far)).norm() < 1e-11);
        assert!((warp.local(&far).linear - map.linear).norm() < 1e-12);
    }

    #[test]
    fn landmarks_that_fix_no_map_are_refused_with_what_is_wrong() {
        let from = corners();
        let new =
            |from: &[Vec3], to: &[Vec3]| LandmarkWarp::new(from.to_vec(), to.to_vec()).unwrap_err();
        assert_eq!(new(&from, &from[1..]), LandmarkError::Count { from: 8, to: 7 });
        assert_eq!(new(&from[..3], &from[..3]), LandmarkError::Number(3));
        assert_eq!(new(&from[..4], &from[..4]), LandmarkError::Flat);
        let mut twice = from.clone();
        twice[5] = twice[2];
        assert_eq!(new(&twice, &from), LandmarkError::Twice(2, 5));
        twice[5].x = f64::NAN;
        assert_eq!(new(&twice, &from), LandmarkError::NotFinite(5));
    }
}
