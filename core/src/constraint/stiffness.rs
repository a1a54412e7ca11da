//! Geometric stiffness: how the forces Gᵀλ of a joint change with the poses of its bodies at
//! constant multipliers.

use nalgebra::{Matrix3, Matrix6, Vector6};

use super::rows::RelativeMotion;
use super::{FrameMotion, Jet, JointKind, RelativePose, Scalar};
use crate::Vec3;

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
    let load = Load::new(motion, sum);
    let mut blocks = [[Matrix6::zeros(); 2]; 2];
    for j in 0..12 {
        let unit = |first: usize| Vec3::from_fn(|k, _| if first + k == j { 1.0 } else { 0.0 });
        let change = load.change([unit(0), unit(3), unit(6), unit(9)]);
        for i in 0..2 {
            let column = Vector6::from_fn(|k, _| change[2 * i + k / 3][k % 3]);
            blocks[i][j / 6].set_column(j % 6, &column);
        }
    }
    blocks
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

    /// Change of (force on A, moment on A, force on B, moment on B) with the displacements
    /// (x_A, θ_A, x_B, θ_B).
    fn change(&self, [shift_a, turn_a, shift_b, turn_b]: [Vec3; 4]) -> [Vec3; 4] {
        let turned = turn_a.cross(&self.arm_a);
        let (arm_a_change, arm_b_change) = (turned, shift_a + turned - shift_b);
        let shift = arm_b_change - turn_b.cross(&self.arm_b);
        let turn = turn_a - turn_b;
        // The load turns with D, and changes with the pose of C seen from D. Half of the turn of C
        // against D carries the moment: its slope is taken anew at the turned pose.
        let force =
            turn_b.cross(&self.force) + self.force_by_shift * shift + self.force_by_turn * turn;
        let moment = turn_b.cross(&self.moment)
            + self.force_by_turn.tr_mul(&shift)
            + self.moment_by_turn * turn
            + turn.cross(&self.moment) * 0.5;
        let on_a = arm_a_change.cross(&self.force) + self.arm_a.cross(&force) + moment;
        let on_b = arm_b_change.cross(&self.force) + self.arm_b.cross(&force) + moment;
        [force, on_a, -force, -on_b]
    }
}
