//! Forces on some points by the user's own code: no derivatives, no energy.

use std::sync::Arc;

use super::{EffectorView, Fault, ForceEffector, Kinematics, Part, VelocityTerms};
use crate::Vec3;

/// Input of a force law: the time, and its points in the order in which they were named.
#[derive(Clone, Copy, Debug)]
pub struct PointMotion<'a> {
    /// Time [s].
    pub time: f64,
    /// Positions [m].
    pub positions: &'a [Vec3],
    /// Velocities [m/s].
    pub velocities: &'a [Vec3],
}

/// Adds forces [N] on its points to the slice.
pub type ForceLaw = dyn Fn(PointMotion<'_>, &mut [Vec3]) + Send + Sync;

/// Points that a force may have without taking memory in a step.
const FEW: usize = 8;

/// One force, and the rows of its points.
pub(crate) struct CustomPointForce {
    pub(crate) rows: Vec<u32>,
    pub(crate) law: Arc<ForceLaw>,
}

impl CustomPointForce {
    /// Computes the forces of all points, with three slices to work in, and adds those of the part.
    fn add(&self, part: &Part, kin: &Kinematics, work: [&mut [Vec3]; 3], forces: &mut [Vec3]) {
        let [positions, velocities, own] = work;
        for (k, &row) in self.rows.iter().enumerate() {
            positions[k] = kin.motion.q[row as usize];
            velocities[k] = kin.motion.u[row as usize];
        }
        (self.law)(PointMotion { time: kin.load.time, positions, velocities }, own);
        for (&row, force) in self.rows.iter().zip(own) {
            if let Some(i) = part.local(row) {
                forces[i] += *force * kin.load.factor;
            }
        }
    }
}

impl ForceEffector for CustomPointForce {
    fn visit_rows(&self, visit: &mut dyn FnMut(&[u32])) {
        visit(&self.rows);
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        _velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        if !self.rows.iter().any(|&row| part.rows.contains(&row)) {
            return Ok(());
        }
        let count = self.rows.len();
        if count <= FEW {
            let mut work = [[Vec3::zeros(); FEW]; 3];
            self.add(part, kin, work.each_mut().map(|w| &mut w[..count]), forces);
        } else {
            let mut work = [(); 3].map(|()| vec![Vec3::zeros(); count]);
            self.add(part, kin, work.each_mut().map(|w| &mut w[..]), forces);
        }
        Ok(())
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::Border("forces by the user's own code")
    }
}
