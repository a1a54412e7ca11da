//! Forces and moments on coordinates of joints: on each carrier its derivative of the coordinate
//! times the force, so that the force does work at the rate of the coordinate. No derivatives, no
//! energy.

use super::drives::Drives;
use super::{
    EffectorView, ExcitationSource, ExcitedStep, Fault, ForceEffector, ForceNumber, Kinematics,
    Part, VelocityTerms,
};
use crate::Vec3;
use crate::constraint::JointTerm;
use crate::state::Schedule;

/// One actuator.
pub(crate) struct Actuator {
    /// The coordinate.
    pub(crate) coordinate: JointTerm,
    /// At an excitation of 1 [N or N m].
    pub(crate) max_force: f64,
    /// At a schedule value of 1 [-].
    pub(crate) excitation: f64,
    pub(crate) schedule: Schedule,
    /// Its place among those that exciters drive.
    pub(crate) place: usize,
}

/// All actuators of a system.
pub(crate) struct Actuators {
    pub(crate) actuators: Vec<Actuator>,
    pub(crate) drives: Drives,
}

impl Actuators {
    /// Force on the coordinate at a time [N or N m].
    fn force(&self, actuator: &Actuator, time: f64) -> f64 {
        let own = actuator.excitation * actuator.schedule.at(time);
        let given = self.drives.given(actuator.place, time);
        actuator.max_force * given.map_or(own, |given| (own + given).clamp(-1.0, 1.0))
    }

    /// Derivative of the force by what `source` excites at a time [s] [N or N m].
    fn share(&self, actuator: &Actuator, source: ExcitationSource, time: f64) -> f64 {
        let known = matches!(source, ExcitationSource::Exciter(_))
            || source == ExcitationSource::Actuator(actuator.place);
        if !known {
            return 0.0;
        }
        let course = actuator.schedule.at(time);
        let at = (actuator.excitation * course, time);
        let by = self.drives.share((actuator.place, source.exciter()), at, [-1.0, 1.0]);
        actuator.max_force * if source.exciter().is_none() { by * course } else { by }
    }
}

/// Adds a force on the coordinate of an actuator [N or N m].
fn add_push(
    actuator: &Actuator,
    (part, kin): (&Part, &Kinematics),
    push: f64,
    forces: &mut [Vec3],
) {
    if push == 0.0 {
        return;
    }
    let wrenches = actuator.coordinate.wrenches_at(kin.motion.q, kin.motion.coordinates);
    for (row, wrench) in actuator.coordinate.rows().iter().zip(wrenches) {
        if let Some(i) = row.and_then(|row| part.local(row)) {
            forces[i] += wrench * push;
        }
    }
}

impl ForceEffector for Actuators {
    fn visit_rows(&self, visit: &mut dyn FnMut(&[u32])) {
        for actuator in &self.actuators {
            let rows: Vec<u32> = actuator.coordinate.rows().into_iter().flatten().collect();
            visit(&rows);
        }
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        _velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for actuator in &self.actuators {
            let rows = actuator.coordinate.rows();
            let force = self.force(actuator, kin.load.time) * kin.load.factor;
            if force == 0.0 || !rows.iter().flatten().any(|row| part.rows.contains(row)) {
                continue;
            }
            let wrenches = actuator.coordinate.wrenches_at(kin.motion.q, kin.motion.coordinates);
            for (row, wrench) in rows.iter().zip(wrenches) {
                if let Some(i) = row.and_then(|row| part.local(row)) {
                    forces[i] += wrench * force;
                }
            }
        }
        Ok(())
    }

    fn add_excitation_impulses(
        &self,
        part: &Part,
        source: ExcitationSource,
        step: &ExcitedStep,
        impulses: &mut [Vec3],
    ) -> Result<(), Fault> {
        let (kin, time) = (&step.kinematics, step.kinematics.load.time);
        for actuator in &self.actuators {
            let push = self.share(actuator, source, time) * kin.load.factor * step.length();
            add_push(actuator, (part, kin), push, impulses);
        }
        Ok(())
    }

    fn add_forces_by(
        &self,
        part: &Part,
        kin: &Kinematics,
        number: ForceNumber,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        let ForceNumber::Excitation(source) = number else { return Ok(()) };
        for actuator in &self.actuators {
            let push = self.share(actuator, source, kin.load.time) * kin.load.factor;
            add_push(actuator, (part, kin), push, forces);
        }
        Ok(())
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::Border("actuators of joints")
    }
}
