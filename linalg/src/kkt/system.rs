//! The values of a saddle-point system.

use crate::{BlockMatrix, Vec3};

/// The values of a saddle-point system
///
/// S u - G^T lambda = b, G u + R lambda = b_g.
#[derive(Clone, Copy, Debug)]
pub struct KktSystem<'a> {
    /// S, symmetric; \[kg\] with u in m/s and lambda in N s.
    pub s: &'a BlockMatrix,
    /// The vector of every entry of G, in the order of its [`ConstraintPattern`](super::ConstraintPattern).
    pub g: &'a [Vec3],
    /// Diagonal of R, one a constraint row: not negative, zero for a rigid constraint.
    pub r: &'a [f64],
}
