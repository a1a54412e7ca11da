//! Constraint rows by the user's own code: a law of positions of points and poses of bodies, which
//! writes values and their derivatives; and the comparison of the two.

use super::Pose;
use crate::Vec3;

/// Input of the law of a constraint: its points and bodies, in the order in which they were named.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintInput<'a> {
    /// Positions of the points [m].
    pub positions: &'a [Vec3],
    /// Poses of the frames of the bodies, body to world [m].
    pub poses: &'a [Pose],
}

/// Output of the law of a constraint: for each row its value, and its derivatives. What is not
/// written is zero.
#[derive(Debug)]
pub struct RowSheet<'a> {
    pub(super) values: &'a mut [f64],
    /// For each row: a vector a point, two a body.
    pub(super) slopes: &'a mut [Vec3],
    pub(super) points: usize,
}

impl RowSheet<'_> {
    /// Sets the value of a row, which the constraint makes zero: a length [m], an angle [rad], or any
    /// number whose derivatives are of size 1.
    pub fn set_value(&mut self, row: usize, value: f64) {
        self.values[row] = value;
    }

    /// Sets the derivative of a row by the position of a point: the force on it for a multiplier of 1.
    pub fn set_point(&mut self, row: usize, point: usize, slope: Vec3) {
        assert!(point < self.points, "point {point} of {}", self.points);
        let width = self.width();
        self.slopes[row * width + point] = slope;
    }

    /// Sets the derivatives of a row by the origin of the frame of a body, and by its turn about this
    /// origin, world axes: the force and the moment on it for a multiplier of 1.
    pub fn set_body(&mut self, row: usize, body: usize, force: Vec3, moment: Vec3) {
        let (width, at) = (self.width(), self.points + 2 * body);
        assert!(at + 1 < width, "body {body} of {}", (width - self.points) / 2);
        self.slopes[row * width + at] = force;
        self.slopes[row * width + at + 1] = moment;
    }

    fn width(&self) -> usize {
        self.slopes.len() / self.values.len()
    }
}

/// Writes values and derivatives of all rows of a constraint.
pub type ConstraintLaw = dyn Fn(ConstraintInput<'_>, &mut RowSheet<'_>) + Send + Sync;

/// A derivative that is not that of the value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "row {row}: the derivative by {of} is {derivative}, by differences of its value {difference}: \
     correct what the law writes for it"
)]
pub struct SlopeError {
    /// The row.
    pub row: usize,
    /// Name of the variable: "x of point 0", "turn about z of body 1".
    pub of: String,
    /// Derivative that the law writes.
    pub derivative: f64,
    /// Derivative by differences of its values.
    pub difference: f64,
}

/// Displacement for central differences [m or rad]: the cube root of the rounding error.
const DIFFERENCE: f64 = 6e-6;
/// Difference that is taken for rounding, over 1 and the derivative: differences are good to 1e-10 over
/// distances of one.
const ROUNDING: f64 = 1e-6;

/// Compares the derivatives of all rows with differences of their values at a place. A check for once,
/// when a model is compiled: it allocates.
///
/// # Errors
/// The derivative that is off most.
pub fn check_slopes(
    law: &ConstraintLaw,
    rows: usize,
    place: ConstraintInput<'_>,
) -> Result<(), SlopeError> {
    let (points, bodies) = (place.positions.len(), place.poses.len());
    let (_, slopes) = written(law, rows, place);
    let mut worst: Option<(f64, SlopeError)> = None;
    for entry in 0..3 * (points + 2 * bodies) {
        let [before, after] = [-DIFFERENCE, DIFFERENCE].map(|size| {
            let (positions, poses) = moved(place, entry, size);
            written(law, rows, ConstraintInput { positions: &positions, poses: &poses }).0
        });
        for row in 0..rows {
            let derivative = slopes[row * (points + 2 * bodies) + entry / 3][entry % 3];
            let difference = (after[row] - before[row]) / (2.0 * DIFFERENCE);
            let off = (derivative - difference).abs() / (1.0 + difference.abs());
            // Written so that what is not a number is off too.
            if off < ROUNDING || worst.as_ref().is_some_and(|(most, _)| off <= *most) {
                continue;
            }
            let of = entry_name(entry, points);
            worst = Some((off, SlopeError { row, of, derivative, difference }));
        }
    }
    worst.map_or(Ok(()), |(_, error)| Err(error))
}

fn written(law: &ConstraintLaw, rows: usize, place: ConstraintInput<'_>) -> (Vec<f64>, Vec<Vec3>) {
    let points = place.positions.len();
    let mut values = vec![0.0; rows];
    let mut slopes = vec![Vec3::zeros(); rows * (points + 2 * place.poses.len())];
    law(place, &mut RowSheet { values: &mut values, slopes: &mut slopes, points });
    (values, slopes)
}

/// The place after one of the scalar displacements: of points, then of bodies, a turn after a move.
fn moved(place: ConstraintInput<'_>, entry: usize, size: f64) -> (Vec<Vec3>, Vec<Pose>) {
    let (mut positions, mut poses) = (place.positions.to_vec(), place.poses.to_vec());
    let unit = Vec3::ith(entry % 3, size);
    let vector = entry / 3;
    match vector.checked_sub(positions.len()) {
        None => positions[vector] += unit,
        Some(of_body) if of_body.is_multiple_of(2) => {
            poses[of_body / 2].translation.vector += unit;
        }
        Some(of_body) => {
            let pose = &mut poses[of_body / 2];
            pose.rotation = nalgebra::UnitQuaternion::new(unit) * pose.rotation;
        }
    }
    (positions, poses)
}

fn entry_name(entry: usize, points: usize) -> String {
    let axis = ["x", "y", "z"][entry % 3];
    match (entry / 3).checked_sub(points) {
        None => format!("{axis} of point {}", entry / 3),
        Some(k) if k.is_multiple_of(2) => format!("{axis} of body {}", k / 2),
        Some(k) => format!("the turn about {axis} of body {}", k / 2),
    }
}
