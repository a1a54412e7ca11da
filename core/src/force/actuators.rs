//! Forces and moments on coordinates of joints: on each carrier its derivative of the coordinate times
//! the force, which is what does work at the rate of the coordinate. No derivatives, no energy.

use super::{EffectorView, Fault, ForceEffector, Kinematics, Part, VelocityTerms};
use crate::Vec3;
use crate::constraint::JointTerm;
use crate::model::Schedule;

/// One actuator.
pub(crate) struct Actuator {
    /// The coordinate.
    pub(crate) coordinate: JointTerm,
    /// At a schedule value of 1 [N or N m].
    pub(crate) force: f64,
    pub(crate) schedule: Schedule,
}

/// All actuators of a system.
pub(crate) struct Actuators {
    pub(crate) actuators: Vec<Actuator>,
}

impl ForceEffector for Actuators {
    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        _velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for actuator in &self.actuators {
            let rows = actuator.coordinate.rows();
            let force = actuator.force * actuator.schedule.at(kin.time) * kin.load_factor;
            if force == 0.0 || !rows.iter().flatten().any(|row| part.rows.contains(row)) {
                continue;
            }
            let wrenches = actuator.coordinate.wrenches_at(kin.q, kin.coordinates);
            for (row, wrench) in rows.iter().zip(wrenches) {
                if let Some(i) = row.and_then(|row| part.local(row)) {
                    forces[i] += wrench * force;
                }
            }
        }
        Ok(())
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::Other("actuators of joints")
    }
}
