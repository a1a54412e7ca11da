//! The equations of one system: forces, their matrix, the work vectors of a step, and the linear solver of systems without
//! constraint rows. What steps are made of them is elsewhere.

use std::time::{Duration, Instant};

use super::correction_mixing::CorrectionMixing;
use super::failure::Failure;
use super::kept::KeptStep;
use super::linear::LinearSystem;
use super::remembered::MemoryStages;
use super::settings::{Integrator, LinearSolver, SolverSettings};
use super::stop::StopFlag;
use crate::Vec3;
use crate::force::{JacobianScale, Kinematics, VelocityTerms};
use crate::linalg::{BLOCK, BlockMatrix, BlockPattern, Definiteness};
use crate::system::{LoadCase, MechSystem, Motion, StepStats};

/// Matrix, linear solver and work vectors that every rule uses.
pub(super) struct Equations {
    pub(super) settings: SolverSettings,
    /// The rule that steps are taken by: that of the settings, or one with the iteration that it needs.
    pub(super) integrator: Integrator,
    /// S, or what a rule has in its place.
    pub(super) matrix: BlockMatrix,
    pub(super) linear: LinearSystem,
    pub(super) work: Work,
    /// The step that was linearized last; `None` where steps are taken alone.
    pub(super) kept: Option<Box<KeptStep>>,
    /// Mixing of updates of equilibria; `None` where steps are taken.
    mixing: Option<CorrectionMixing>,
    /// Ends a step that takes long.
    pub(super) stop: StopFlag,
    /// Longest preparation so far: none that is as long is begun once the step is to end.
    longest: Duration,
    /// Report of the step under way.
    pub(super) stats: StepStats,
}

/// Work vectors, one entry a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    /// State at the start of the step.
    pub(super) q0: Vec<Vec3>,
    pub(super) u0: Vec<Vec3>,
    /// Forces.
    pub(super) f: Vec<Vec3>,
    /// Forces at the start of the step.
    pub(super) f0: Vec<Vec3>,
    /// Right side, or residual.
    pub(super) b: Vec<Vec3>,
    /// Solution of a linear system.
    pub(super) x: Vec<Vec3>,
    /// Positions or velocities before a line search.
    pub(super) start: Vec<Vec3>,
    /// Memory of forces, such as activations.
    pub(super) memory: MemoryStages,
}

impl Work {
    fn new(size: usize) -> Self {
        let zeros = || vec![Vec3::zeros(); size];
        Self {
            q0: zeros(),
            u0: zeros(),
            f: zeros(),
            f0: zeros(),
            b: zeros(),
            x: zeros(),
            start: zeros(),
            memory: MemoryStages::default(),
        }
    }
}

impl Equations {
    /// Equations of a pattern.
    pub(super) fn new(
        pattern: &std::sync::Arc<BlockPattern>,
        linear: LinearSystem,
        settings: SolverSettings,
        integrator: Integrator,
    ) -> Self {
        Self {
            stop: StopFlag::default(),
            longest: Duration::ZERO,
            settings,
            integrator,
            matrix: BlockMatrix::zeros(pattern.clone()),
            linear,
            work: Work::new(pattern.size()),
            kept: None,
            mixing: matches!(integrator, Integrator::Static(_))
                .then(|| CorrectionMixing::new(&vec![Vec3::repeat(1.0); pattern.size()])),
            stats: StepStats::default(),
        }
    }

    /// Asks whether the step is to go on: between its iterations, and wherever it begins something long.
    pub(super) fn go_on(&self) -> Result<(), Failure> {
        if self.stop.is_overdue() { Err(Failure::Stopped) } else { Ok(()) }
    }

    /// `work.f` = forces, timed.
    pub(super) fn eval_forces(
        &mut self,
        system: &dyn MechSystem,
        load: LoadCase,
        motion: Motion,
        velocity: VelocityTerms,
    ) -> Result<(), Failure> {
        self.go_on()?;
        let start = Instant::now();
        let (at, f) = (Kinematics { load, motion }, &mut self.work.f);
        let kept = self.kept.as_mut().map(|kept| kept.set_forces(system, &at, velocity, f));
        if !kept.transpose()?.unwrap_or(false) {
            system.forces(load, motion, velocity, f)?;
        }
        self.stats.phases.forces += start.elapsed();
        Ok(())
    }

    /// `matrix` = mass_scale M - scale.position df/dq - scale.velocity df/du, timed.
    pub(super) fn assemble(
        &mut self,
        system: &dyn MechSystem,
        load: LoadCase,
        motion: Motion,
        (mass_scale, scale): (f64, JacobianScale),
    ) -> Result<(), Failure> {
        self.go_on()?;
        let start = Instant::now();
        let (at, matrix) = (Kinematics { load, motion }, &mut self.matrix);
        let kept = self.kept.as_mut().map(|kept| kept.set_jacobian(system, &at, scale, matrix));
        if !kept.transpose()?.unwrap_or(false) {
            matrix.values_mut().fill(0.0);
            system.add_jacobian(load, motion, scale, matrix)?;
        }
        let pattern = system.pattern();
        if mass_scale != 0.0 {
            for (row, mass) in system.masses().iter().enumerate() {
                let block = BLOCK * pattern.diagonal(row);
                for axis in 0..3 {
                    self.matrix.values_mut()[block + 4 * axis] += mass_scale * mass;
                }
            }
        }
        self.stats.phases.assembly += start.elapsed();
        Ok(())
    }

    /// The same with how elements turn, which Newton's method converges faster with; it may make the matrix indefinite,
    /// where a factor is needed.
    pub(super) fn assemble_whole(
        &mut self,
        system: &dyn MechSystem,
        load: LoadCase,
        motion: Motion,
        (mass_scale, scale): (f64, JacobianScale),
    ) -> Result<(), Failure> {
        self.assemble(system, load, motion, (mass_scale, scale))?;
        if self.linear.kind() == LinearSolver::ConjugateGradients {
            return Ok(());
        }
        let start = Instant::now();
        system.add_jacobian_of_turns(load, motion, scale, &mut self.matrix)?;
        self.stats.phases.assembly += start.elapsed();
        Ok(())
    }

    /// Factors `matrix`, or takes it and the positions `q` into the preconditioner.
    pub(super) fn prepare(
        &mut self,
        system: &dyn MechSystem,
        q: &[Vec3],
    ) -> Result<Definiteness, Failure> {
        match self.stop.leaves(self.longest) {
            true => self.go_on()?,
            false => return Err(Failure::Stopped),
        }
        let start = Instant::now();
        let done = self.linear.prepare((&self.matrix, system.fixed()), q, &mut self.stats);
        self.longest = self.longest.max(start.elapsed());
        Ok(done?)
    }

    /// Updates that are mixed from here on have nothing to do with those before.
    pub(super) fn begin_mixing(&mut self) {
        self.mixing.iter_mut().for_each(CorrectionMixing::begin);
    }

    /// Turns the update in `work.x` into the step to take.
    pub(super) fn mix_update(&mut self) {
        let Self { mixing, work, .. } = self;
        mixing.iter_mut().for_each(|mixing| mixing.mix(&mut work.x, &mut []));
    }

    /// Solves `matrix` x = b for the free scalars of `work.x`.
    pub(super) fn solve(&mut self, system: &dyn MechSystem) -> Result<(), Failure> {
        self.go_on()?;
        let Work { b, x, .. } = &mut self.work;
        Ok(self.linear.solve((&self.matrix, system.fixed()), b, x, &mut self.stats)?)
    }
}

/// One-step rules q1 = q0 + h ((1 - w) u0 + w u1), M (u1 - u0) = h ((1 - w) f0 + w f1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ImplicitRule {
    /// Weight w of the end of the step [-].
    pub(super) end_weight: f64,
    /// True in the first half of a step of the midpoint rule: what is prescribed then goes half of its way over the whole step.
    pub(super) is_half: bool,
}

pub(super) const BACKWARD_EULER: ImplicitRule = ImplicitRule::of_weight(1.0);
pub(super) const TRAPEZOIDAL: ImplicitRule = ImplicitRule::of_weight(0.5);
/// The first half of a step of the midpoint rule.
pub(super) const MIDPOINT_HALF: ImplicitRule = ImplicitRule { is_half: true, ..BACKWARD_EULER };

impl ImplicitRule {
    /// A rule of a whole step, with the weight w of its end [-].
    pub(super) const fn of_weight(end_weight: f64) -> Self {
        Self { end_weight, is_half: false }
    }

    /// Factors of the Jacobians in S = M - w h df/du - w² h² df/dq.
    pub(super) fn jacobian_scale(self, h: f64) -> JacobianScale {
        let wh = self.end_weight * h;
        JacobianScale { position: wh * wh, velocity: wh }
    }
}
