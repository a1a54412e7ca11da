//! Geometric stiffness: how the forces Gᵀλ of a joint change with the poses of its bodies at
//! constant multipliers.

use nalgebra::{Matrix3, Matrix6};

use super::rows::RelativeMotion;
use super::{FrameMotion, Jet, JointKind, RelativePose, Scalar};
use crate::Vec3;
use crate::dynamics::skew;

/// ∂(Gᵀλ)/∂q of a joint: block \[i\]\[j\] is the change of the wrench on body i (force, then moment
/// about its centre of mass, world axes) with the displacement of body j (of the centre of mass,
/// then the rotation vector, world axes); 0 is body A, 1 is body B.
pub type StiffnessBlocks = [[Matrix6<f64>; 2]; 2];

impl JointKind {
    /// ∂(Gᵀλ)/∂q [N/m, N, N m] at multipliers λ [N or N m], one a constraint row: the exact
    /// derivative, which is not symmetric where moments turn with the bodies. With impulses in
    /// place of forces everything is times seconds.
    ///
    /// # Panics
    /// When `multipliers` does not have [`row_count`](Self::row_count) entries.
    pub fn calc_geometric_stiffness(
        &self,
        c: &FrameMotion,
        d: &FrameMotion,
        multipliers: &[f64],
    ) -> StiffnessBlocks {
        assert_eq!(multipliers.len(), self.row_count(), "rows of a {} joint", self.name());
        let motion = RelativeMotion::new(c, d);
        let mut jets = [Jet::constant(0.0); 6];
        let jets = &mut jets[..multipliers.len()];
        self.errors(&RelativePose::with_derivatives(&motion.pose), jets);
        let add_scaled = |sum: Jet, (jet, l): (&Jet, &f64)| sum + *jet * *l;
        let sum = jets.iter().zip(multipliers).fold(Jet::constant(0.0), add_scaled);
        geometric_stiffness(&motion, &sum)
    }
}

/// The blocks of λ · g, given as one jet.
pub(crate) fn geometric_stiffness(motion: &RelativeMotion, sum: &Jet) -> StiffnessBlocks {
    let parts = geometric_parts(motion, sum);
    let mut blocks = [[Matrix6::zeros(); 2]; 2];
    for (i, row) in parts.iter().enumerate() {
        for (j, part) in row.iter().enumerate() {
            let block = &mut blocks[i / 2][j / 2];
            block.fixed_view_mut::<3, 3>(3 * (i % 2), 3 * (j % 2)).copy_from(part);
        }
    }
    blocks
}

/// The same as 3 x 3 blocks: changes of the force and the moment on A, then on B, by the displacement and the turn of
/// A, then of B.
pub(super) fn geometric_parts(motion: &RelativeMotion, sum: &Jet) -> [[Matrix3<f64>; 4]; 4] {
    Load::new(motion, sum).parts()
}

/// The force and moment at the origin of C, and their derivatives by the relative displacement, all
/// in world axes.
struct Load {
    arm_a: Vec3,
    arm_b: Vec3,
    force: Vec3,
    moment: Vec3,
    force_by_shift: Matrix3<f64>,
    force_by_turn: Matrix3<f64>,
    moment_by_turn: Matrix3<f64>,
}

impl Load {
    fn new(motion: &RelativeMotion, sum: &Jet) -> Self {
        let axes = &motion.axes;
        let hessian = sum.hessian();
        let block =
            |i: usize, j: usize| axes * hessian.fixed_view::<3, 3>(3 * i, 3 * j) * axes.transpose();
        Self {
            arm_a: motion.arm_a,
            arm_b: motion.arm_b,
            force: axes * sum.force(),
            moment: axes * sum.moment(),
            force_by_shift: block(0, 0),
            force_by_turn: block(0, 1),
            moment_by_turn: block(1, 1),
        }
    }

    /// Derivatives of the force on A, the moment on A, the force on B, the moment on B by the displacements
    /// (x_A, θ_A, x_B, θ_B). The arm of A changes by θ_A x a, that of B by the shift x_A + θ_A x a - x_B; the pose of C
    /// seen from D by the shift less θ_B x b and by the turn θ_A - θ_B.
    ///
    /// The load turns with D, and changes with the pose of C seen from D. Half of the turn of C against D carries the
    /// moment: its slope is taken anew at the turned pose.
    fn parts(&self) -> [[Matrix3<f64>; 4]; 4] {
        let [a, b, force, moment] =
            [self.arm_a, self.arm_b, self.force, self.moment].map(|v| skew(&v));
        let (by_shift, by_turn) = (&self.force_by_shift, &self.force_by_turn);
        let moment_by_shift = by_turn.transpose();
        let half_turned = self.moment_by_turn - moment * 0.5;
        let forces = [*by_shift, by_turn - by_shift * a, -by_shift, by_shift * b - by_turn - force];
        let moments = [
            moment_by_shift,
            half_turned - moment_by_shift * a,
            -moment_by_shift,
            moment_by_shift * b - half_turned - moment,
        ];
        let mut on_a = [0, 1, 2, 3].map(|k| a * forces[k] + moments[k]);
        let mut on_b = [0, 1, 2, 3].map(|k| b * forces[k] + moments[k]);
        // The arms themselves.
        let levers = force * a;
        on_a[1] += levers;
        on_b[0] -= force;
        on_b[1] += levers;
        on_b[2] += force;
        [forces, on_a, forces.map(|part| -part), on_b.map(|part| -part)]
    }
}
