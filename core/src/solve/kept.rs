//! Steady forces and the solution of a step that was linearized, kept for other linearizations of it and for the step
//! itself, whose excitations are others (docs/theory/inverse.md, "Costs").

use super::equations::Equations;
use crate::Vec3;
use crate::force::{Fault, JacobianScale, Kinematics, VelocityTerms};
use crate::linalg::BlockMatrix;
use crate::system::{DividedForces, ForceShare, MechSystem, SteadyForces};

/// Forces and matrix of the steady forces at the start of a step, and the solution of its linearization.
pub(super) struct KeptStep {
    steady: SteadyForces,
    start: KeptStart,
    forces: Vec<Vec3>,
    /// Terms that the forces have; `None` where they are not those of the start.
    velocity: Option<VelocityTerms>,
    matrix: BlockMatrix,
    /// Scale of the matrix, as that of the forces.
    scale: Option<JacobianScale>,
    /// True while a step is linearized: what is not that of its start is made anew.
    renews: bool,
    /// True if the latest forces, and the latest matrix, were made of what was kept.
    serves: [bool; 2],
    solution: KeptSolution,
}

/// Mean velocities and impulses that solve the linearized step.
#[derive(Default)]
struct KeptSolution {
    y: Vec<Vec3>,
    impulses: Vec<f64>,
    is_known: bool,
}

impl KeptSolution {
    fn keep(&mut self, y: &[Vec3], impulses: &[f64]) {
        self.y.clear();
        self.y.extend_from_slice(y);
        self.impulses.clear();
        self.impulses.extend_from_slice(impulses);
        self.is_known = true;
    }
}

/// Arguments of the steady forces.
#[derive(Default)]
struct KeptStart {
    q: Vec<Vec3>,
    u: Vec<Vec3>,
    memory: Vec<f64>,
    /// Time and share of the loads, and the time from the begin of the step.
    times: [f64; 3],
    drives: Vec<f64>,
    /// Those of another start.
    others: Vec<f64>,
}

impl KeptStart {
    /// True if the motion is that of this start.
    fn is_at(&mut self, system: &dyn DividedForces, steady: SteadyForces, at: &Kinematics) -> bool {
        system.update_drives(steady, at, &mut self.others);
        self.times == times_of(at)
            && self.drives == self.others
            && self.q == at.motion.q
            && self.u == at.motion.u
            && self.memory == at.motion.memory
    }

    /// Takes the motion that [`Self::is_at`] was asked about last.
    fn take(&mut self, at: &Kinematics) {
        self.times = times_of(at);
        std::mem::swap(&mut self.drives, &mut self.others);
        for (own, of) in [(&mut self.q, at.motion.q), (&mut self.u, at.motion.u)] {
            own.clear();
            own.extend_from_slice(of);
        }
        self.memory.clear();
        self.memory.extend_from_slice(at.motion.memory);
    }
}

fn times_of(at: &Kinematics) -> [f64; 3] {
    [at.load.time, at.load.factor, at.motion.step]
}

impl KeptStep {
    fn new(steady: SteadyForces, system: &dyn MechSystem) -> Self {
        let pattern = system.pattern();
        Self {
            steady,
            start: KeptStart::default(),
            forces: vec![Vec3::zeros(); pattern.size()],
            velocity: None,
            matrix: BlockMatrix::zeros(pattern.clone()),
            scale: None,
            renews: false,
            serves: [false; 2],
            solution: KeptSolution::default(),
        }
    }

    /// True if the start is that of a motion, or becomes it.
    fn is_at(&mut self, system: &dyn DividedForces, at: &Kinematics) -> bool {
        let is_at = self.start.is_at(system, self.steady, at);
        if !is_at && self.renews {
            self.start.take(at);
            (self.velocity, self.scale) = (None, None);
        }
        is_at || self.renews
    }

    /// Sets `forces` [N] to the sum of all; false, and nothing done, where what is kept is that of another motion.
    pub(super) fn set_forces(
        &mut self,
        system: &dyn MechSystem,
        at: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<bool, Fault> {
        self.serves = [false; 2];
        let Some(system) = system.divided() else { return Ok(false) };
        if !self.is_at(system, at) || !(self.renews || self.velocity == Some(velocity)) {
            return Ok(false);
        }
        if self.velocity != Some(velocity) {
            self.velocity = None;
            self.forces.fill(Vec3::zeros());
            let share = (ForceShare::Steady, self.steady);
            system.add_share(share, at, velocity, &mut self.forces)?;
            self.velocity = Some(velocity);
        }
        forces.copy_from_slice(&self.forces);
        system.add_share((ForceShare::Rest, self.steady), at, velocity, forces)?;
        self.serves[0] = true;
        Ok(true)
    }

    /// Sets `matrix` to `-scale.position df/dq - scale.velocity df/du` of all forces; false, and nothing done, where what
    /// is kept is that of another motion.
    pub(super) fn set_jacobian(
        &mut self,
        system: &dyn MechSystem,
        at: &Kinematics,
        scale: JacobianScale,
        matrix: &mut BlockMatrix,
    ) -> Result<bool, Fault> {
        self.serves[1] = false;
        let Some(system) = system.divided() else { return Ok(false) };
        if !self.is_at(system, at) || !(self.renews || self.scale == Some(scale)) {
            return Ok(false);
        }
        if self.scale != Some(scale) {
            self.scale = None;
            self.matrix.values_mut().fill(0.0);
            let share = (ForceShare::Steady, self.steady);
            system.add_jacobian_share(share, at, scale, &mut self.matrix)?;
            self.scale = Some(scale);
        }
        matrix.values_mut().copy_from_slice(self.matrix.values());
        system.add_jacobian_share((ForceShare::Rest, self.steady), at, scale, matrix)?;
        self.serves[1] = true;
        Ok(true)
    }

    /// Mean velocities and impulses of the linearization of the step under way, whose factor is at hand still: once, in the
    /// step itself, and where its forces and its matrix were made of what is kept.
    pub(super) fn take_solution(&mut self) -> Option<(&[Vec3], &[f64])> {
        let is_known = std::mem::take(&mut self.solution.is_known);
        let repeats = !self.renews && self.serves == [true; 2];
        (is_known && repeats).then_some((&self.solution.y[..], &self.solution.impulses[..]))
    }
}

impl Equations {
    /// Keeps the steady forces of steps that are linearized from here on.
    pub(super) fn keep_steady(&mut self, system: &dyn MechSystem, steady: SteadyForces) {
        self.kept = Some(Box::new(KeptStep::new(steady, system)));
    }

    /// Begins or ends the linearization of a step; what one before found is forgotten as it begins.
    pub(super) fn set_renewing(&mut self, renews: bool) {
        if let Some(kept) = &mut self.kept {
            kept.renews = renews;
            kept.solution.is_known &= !renews;
        }
    }

    /// Keeps the solution of the step that is being linearized.
    pub(super) fn keep_solution(&mut self, y: &[Vec3], impulses: &[f64]) {
        self.kept.iter_mut().for_each(|kept| kept.solution.keep(y, impulses));
    }

    /// The same of a system without constraint rows.
    pub(super) fn keep_free_solution(&mut self) {
        self.kept.iter_mut().for_each(|kept| kept.solution.keep(&self.work.x, &[]));
    }
}
