//! Forces that do not depend on deformation: weight, body forces, point forces; and drag.

use super::{
    EffectorView, ExcitationSource, ExcitedStep, Fault, ForceEffector, JacobianScale, Kinematics,
    Part, RowPartition, VelocityTerms,
};
use crate::Vec3;
use crate::linalg::{BLOCK, BlockPattern};
use crate::state::Schedule;

/// A force per mass on a list of rows: weight, or a body load.
pub(crate) struct BodyForces {
    pub(crate) acceleration: Vec3,
    pub(crate) schedule: Schedule,
    /// Mass times weight of every row [kg].
    pub(crate) masses: Vec<f64>,
}

impl ForceEffector for BodyForces {
    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        _velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        let acceleration = self.acceleration * (self.schedule.at(kin.load.time) * kin.load.factor);
        let masses = &self.masses[part.rows.start as usize..part.rows.end as usize];
        for (force, mass) in forces.iter_mut().zip(masses) {
            *force += acceleration * *mass;
        }
        Ok(())
    }

    fn view(&self) -> EffectorView<'_> {
        let (acceleration, schedule, masses) = (self.acceleration, &self.schedule, &self.masses);
        EffectorView::BodyForces { acceleration, schedule, masses }
    }
}

/// Scheduled forces on single points.
#[derive(Default)]
pub(crate) struct PointForces {
    pub(crate) loads: Vec<(u32, Vec3, Schedule)>,
    /// Of each the place of the load that it is of, and its force at an excitation of 1 [N], [N m].
    pub(crate) excited: Vec<(usize, Vec3)>,
}

impl ForceEffector for PointForces {
    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        _velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for (row, force, schedule) in &self.loads {
            if let Some(i) = part.local(*row) {
                forces[i] += force * (schedule.at(kin.load.time) * kin.load.factor);
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
        let load = step.kinematics.load;
        for ((row, _, schedule), (place, force)) in self.loads.iter().zip(&self.excited) {
            if let (true, Some(i)) = (source == ExcitationSource::Load(*place), part.local(*row)) {
                impulses[i] += force * (schedule.at(load.time) * load.factor * step.length());
            }
        }
        Ok(())
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::PointForces(&self.loads)
    }
}

/// Viscous drag against space: f = -c u, from point damping and the mass part of Rayleigh damping.
pub(crate) struct Drag {
    /// c of every row [N s/m].
    pub(crate) coefficients: Vec<f64>,
    /// Slot of the diagonal block of every row.
    pub(crate) diagonal: Vec<u32>,
}

impl ForceEffector for Drag {
    fn bind(&mut self, pattern: &BlockPattern, _partition: &RowPartition) {
        self.diagonal = (0..pattern.size()).map(|i| pattern.diagonal(i) as u32).collect();
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        if velocity == VelocityTerms::Included {
            for (force, row) in forces.iter_mut().zip(part.rows.clone()) {
                *force -= kin.motion.u[row as usize] * self.coefficients[row as usize];
            }
        }
        Ok(())
    }

    fn add_jacobian(
        &self,
        part: &Part,
        _kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        for row in part.rows.start as usize..part.rows.end as usize {
            let start = BLOCK * (self.diagonal[row] as usize - part.first_slot);
            for axis in 0..3 {
                blocks[start + 4 * axis] += scale.velocity * self.coefficients[row];
            }
        }
        Ok(())
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::Drag(&self.coefficients)
    }
}
