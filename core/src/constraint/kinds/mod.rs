//! Kinds of joints: coordinates, pose and errors of each. One file a family; the list that
//! dispatches to them is [`JointKind`](super::JointKind).

use super::{CoordinateSpec, Pose, Quantity, RelativePose, Scalar};

pub(crate) mod ellipsoid;
pub(crate) mod gimbal;
pub(crate) mod hinge;
pub(crate) mod slider;
pub(crate) mod universal;

/// A kind of joint: a set of poses T_CD, as the zeros of errors and as the image of coordinates.
pub(crate) trait Kinematics {
    /// The coordinates, in order; angles are in radians.
    const COORDINATES: &'static [CoordinateSpec];
    /// Quantities of the errors, in order; with the degrees of freedom they are 6.
    const ROWS: &'static [Quantity];
    /// Axes that it turns about or slides along, in frame D, as they are drawn.
    const AXES: &'static [[f32; 3]] = &[];

    /// Its rows as products of vectors; `None` where they are functions of the relative pose alone.
    fn products(&self) -> Option<Products>;

    /// T_CD of coordinates.
    fn pose(&self, q: &[f64]) -> Pose;

    /// Errors [m or rad], zero exactly when the joint is assembled.
    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]);

    /// Coordinates [m or rad] of a pose, near `previous` where several describe it; whole turns are
    /// added by the caller. Defined, and smooth, off the assembled poses too.
    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, previous: &[f64], q: &mut [S]);
}

/// Rows of a joint that are products of vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Products {
    /// Axes along which the origins of C and D coincide: of the world where it is all three, else of D.
    pub(crate) lengths: &'static [usize],
    /// Turns that it leaves.
    pub(crate) turns: Turns,
}

impl Products {
    /// Of a joint whose rows these are.
    pub(crate) const fn of(lengths: &'static [usize], turns: Turns) -> Option<Self> {
        Some(Self { lengths, turns })
    }
}

/// Turns of C against D that a joint leaves free.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turns {
    /// None.
    None,
    /// About z of D.
    AboutZ,
    /// About z of D, then about an axis of C that misses y by this angle [rad].
    Skew(f64),
    /// About z of C, then about y of D.
    Reversed,
    /// All.
    All,
}

/// Axes of a joint that turns about z, or slides along it.
pub(crate) const Z: [[f32; 3]; 1] = [[0.0, 0.0, 1.0]];

/// Rows that hold the three coordinates of the origin.
pub(crate) const POINT: [Quantity; 3] = [Quantity::Length; 3];
