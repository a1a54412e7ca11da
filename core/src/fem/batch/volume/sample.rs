//! The volume of an element at a point.

use crate::Vec3;

/// Volume of one point of an element that is deformed.
pub(in crate::fem::batch) struct Sample<const N: usize> {
    /// J - 1 [-]; the trace of the strain of a linear law.
    pub(in crate::fem::batch) change: f64,
    /// Volume at rest [m³].
    pub(in crate::fem::batch) rest_volume: f64,
    /// Scale of the derivatives of `change` times the volume at rest [m³]: they are this times
    /// `gradients`.
    pub(in crate::fem::batch) volume: f64,
    /// Derivatives of the shape functions in space [1/m].
    pub(in crate::fem::batch) gradients: [Vec3; N],
}
