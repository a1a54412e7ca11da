//! Work vectors of a constrained step.

use nalgebra::Quaternion;

use crate::Vec3;

/// Right sides of the saddle point of an iteration, its compliances, and its solution.
pub(in crate::solve) struct LinearStep {
    /// Corrections of velocities and impulses.
    pub(in crate::solve) step: Vec<Vec3>,
    pub(in crate::solve) row_step: Vec<f64>,
    pub(in crate::solve) right: Vec<Vec3>,
    pub(in crate::solve) row_right: Vec<f64>,
    /// Compliances as the matrix has them.
    pub(in crate::solve) compliance: Vec<f64>,
    /// Vectors of the rows at the end of the step, where the matrix has these in its second line.
    pub(in crate::solve) end_values: Vec<Vec3>,
}

/// Loads of bodies that follow points.
pub(in crate::solve) struct FittedLoads {
    /// Forces on the way from attached points to masters, and the moments that fitted bodies pass on.
    pub(in crate::solve) passed_on: Vec<Vec3>,
    pub(in crate::solve) moments: Vec<Vec3>,
    /// Accelerations of attached points whose masters go on evenly, where bodies follow or rows touch them.
    pub(in crate::solve) bias: Vec<Vec3>,
}

impl LinearStep {
    pub(in crate::solve) fn new(size: usize, count: usize) -> Self {
        let (vectors, scalars) = (|| vec![Vec3::zeros(); size], || vec![0.0; count]);
        Self {
            step: vectors(),
            row_step: scalars(),
            right: vectors(),
            row_right: scalars(),
            compliance: scalars(),
            end_values: Vec::new(),
        }
    }
}

impl FittedLoads {
    /// For `size` rows and `fitted` bodies that follow points.
    pub(in crate::solve) fn new(size: usize, fitted: usize) -> Self {
        Self {
            passed_on: vec![Vec3::zeros(); size],
            moments: vec![Vec3::zeros(); fitted],
            bias: vec![Vec3::zeros(); size],
        }
    }
}

/// Rates of an orientation as a quaternion: of the last stage, and the weighted sum of all.
pub(in crate::solve) type QuaternionRates = [Quaternion<f64>; 2];
