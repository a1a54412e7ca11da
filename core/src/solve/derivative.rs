//! The equations of a step as a function of its start, its unknowns and the numbers of a system, for derivatives of steps
//! (`adjoint/`, docs/theory/adjoint.md). Nothing here is part of a step.

use crate::Vec3;
use crate::attachment::Attachments;
use crate::force::VelocityTerms;
use crate::linalg::clear_fixed;
use crate::solve::constrained::{
    ForceMatrices, StepColumns, StepContext, are_closed, eval_constrained,
};
use crate::solve::equations::{BACKWARD_EULER, Equations, ImplicitRule, TRAPEZOIDAL};
use crate::solve::failure::Failure;
use crate::solve::settings::{ImplicitMode, Integrator};
use crate::solve::solver::{Extent, MechSystemSolver};
use crate::system::{LoadCase, MechSystem, Motion, State, StepError};

/// Unknowns of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepUnknowns {
    /// Mean velocities [m/s], [rad/s].
    pub(crate) y: Vec<Vec3>,
    /// Impulses of the rows times the weight of the end [N s], [N m s].
    pub(crate) impulses: Vec<f64>,
    /// Bodies whose rotation nothing resists.
    pub(crate) free: Vec<bool>,
    /// Rows of contacts and ranges that act, and their impulses times the weight of the end [N s].
    pub(crate) active: Vec<ActiveRow>,
    pub(crate) pushes: Vec<f64>,
}

/// A contact by what touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Feature {
    pub(crate) pair: u32,
    pub(crate) a: u32,
    pub(crate) key: u64,
}

/// Origin of a unilateral row that acts: a range by its number, or a contact, along its normal or across it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ActiveOrigin {
    Range(u32),
    Normal(Feature),
    Across { feature: Feature, direction: Vec3, rolls: bool },
}

/// Law of a unilateral row that acts: its velocity stays what it is asked to be, or it is friction that slides, with the
/// numbers of the row of its normal and of that across it in the other direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ActiveLaw {
    Active,
    Sliding { normal: usize, partner: usize },
}

/// A unilateral row that acts in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ActiveRow {
    pub(crate) origin: ActiveOrigin,
    pub(crate) law: ActiveLaw,
}

/// Block rows of a row, each with its vector.
pub(crate) type RowVectors = Vec<(u32, Vec3)>;

/// Equations of the unilateral rows that act.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActiveRows {
    /// Their errors [m/s], of what slides [N s]; not a number where a contact is no more.
    pub(crate) errors: Vec<f64>,
    /// Blocks and vectors along which they push.
    pub(crate) vectors: Vec<RowVectors>,
    /// Derivatives of the errors by mean velocities.
    pub(crate) by_y: Vec<RowVectors>,
}

/// State of contact in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// Rows that act are among the unknowns.
    Active,
    /// Something sprang back.
    SprangBack,
    /// Rolling friction is at its limit.
    Rolls,
    /// Contacts pulled.
    Adheres,
    /// A contact presses on an area of tissue, which depends on nodes that its row does not act on.
    Areas,
}

/// Errors of the equations of a step, and the end that its unknowns lead to.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepEquations {
    /// Balance of momenta, one a block row [N s], [N m s].
    pub(crate) momenta: Vec<Vec3>,
    /// Errors of the constraint rows [m], [-], then of the unilateral rows that act.
    pub(crate) rows: Vec<f64>,
    /// The end.
    pub(crate) end: State,
    /// Velocities that the forces at the end know: those of attached points are made half way.
    pub(crate) force_u: Vec<Vec3>,
}

/// Attached points half way through a step, and at its end.
#[derive(Clone)]
pub(crate) struct StepAttachments {
    pub(crate) mean: Attachments,
    pub(crate) end: Attachments,
}

impl MechSystemSolver {
    /// The rule of steps whose equations are those of the rule itself, solved by Newton's method; `None` of others.
    pub(crate) fn newton_rule(&self) -> Option<f64> {
        match self.settings().integrator {
            Integrator::BackwardEuler(ImplicitMode::Newton(_)) => Some(BACKWARD_EULER.end_weight),
            Integrator::Trapezoidal(ImplicitMode::Newton(_)) => Some(TRAPEZOIDAL.end_weight),
            _ => None,
        }
    }

    /// Takes a step of `h` [s] as a whole, without taking back overlaps; its unknowns, and its start on the rows, are written.
    pub(crate) fn step_whole(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        h: f64,
        (start, unknowns): (&mut State, &mut StepUnknowns),
    ) -> Result<(), StepError> {
        start.clone_from(state);
        self.forget();
        self.advance(system, state, (h, Extent::Whole))?;
        match &mut self.constrained {
            Some(own) => own.write_solution(start, unknowns),
            None => {
                let w = self.newton_rule().unwrap_or(1.0);
                let mean = |(u0, u): (&Vec3, &Vec3)| u0 * (1.0 - w) + u * w;
                unknowns.y = start.u.iter().zip(&state.u).map(mean).collect();
                // What is prescribed ends with the velocity of its path, whatever that of the step was.
                for (row, fixed) in system.fixed().iter().enumerate() {
                    for axis in (0..3).filter(|&axis| fixed[axis]) {
                        unknowns.y[row][axis] = (state.q[row][axis] - start.q[row][axis]) / h;
                    }
                }
                unknowns.impulses.clear();
            }
        }
        Ok(())
    }

    /// Finds the rows of contacts and ranges that acted in the last step, of `h` [s] from `start`, and their impulses.
    pub(crate) fn find_active(
        &mut self,
        system: &dyn MechSystem,
        (start, h): (&State, f64),
        unknowns: &mut StepUnknowns,
    ) -> Touch {
        let w = self.newton_rule().unwrap_or(1.0);
        match (&mut self.constrained, system.multibody()) {
            (Some(own), Some(multibody)) => own.find_active(multibody, (start, h, w), unknowns),
            _ => Touch::Active,
        }
    }

    /// Equations of the rows of contacts and ranges that act in a step of `h` [s].
    pub(crate) fn active_rows(
        &mut self,
        system: &dyn MechSystem,
        (start, unknowns): (&State, &StepUnknowns),
        h: f64,
    ) -> ActiveRows {
        let w = self.newton_rule().unwrap_or(1.0);
        match (&mut self.constrained, system.multibody()) {
            (Some(own), Some(multibody)) => own.active_rows(multibody, (start, unknowns), (h, w)),
            _ => ActiveRows::default(),
        }
    }

    /// Writes the errors of the equations of a step of `h` [s], multiplied by the weight of the end, and where it leads.
    pub(crate) fn eval_equations(
        &mut self,
        system: &dyn MechSystem,
        (start, unknowns): (&State, &StepUnknowns),
        h: f64,
        out: &mut StepEquations,
    ) -> Result<(), StepError> {
        let w = self.newton_rule().unwrap_or(1.0);
        let rule = ImplicitRule::of_weight(w);
        let Self { equations, constrained, .. } = self;
        out.end.clone_from(start);
        let evaluated = match (constrained, system.multibody()) {
            (Some(own), Some(multibody)) => {
                let context = StepContext { system, multibody };
                eval_constrained(equations, own, context, (start, unknowns, h), out)
            }
            _ => eval_free(equations, system, (start, unknowns, h, rule), out),
        };
        evaluated.map_err(|failure| failure.name(system, start.time))?;
        system.advance_memory(h, &mut out.end);
        out.end.time = start.time + h;
        Ok(())
    }

    /// Columns of the equations of a step of `h` [s] without active contacts, about where they were evaluated last; `None` where
    /// closed forms do not have all.
    pub(crate) fn columns<'a>(
        &'a self,
        system: &'a dyn MechSystem,
        forces: &'a ForceMatrices,
        h: f64,
    ) -> Option<StepColumns<'a>> {
        let (own, multibody) = (self.constrained.as_ref()?, system.multibody()?);
        let context = StepContext { system, multibody };
        let w = self.newton_rule().unwrap_or(1.0);
        let made = || StepColumns::new((&self.equations, own), context, forces, (h, w));
        are_closed(multibody).then(made)
    }

    /// Attached points of the equations evaluated last.
    pub(crate) fn attachments(
        &mut self,
        system: &dyn MechSystem,
        h: f64,
    ) -> Option<StepAttachments> {
        let (own, multibody) = (self.constrained.as_mut()?, system.multibody()?);
        Some(own.attachments(multibody, &self.equations.work, h))
    }

    /// Attached points as they were placed last.
    pub(crate) fn placed_attachments(&self) -> Option<Attachments> {
        self.constrained.as_ref().map(|own| own.placed_attachments())
    }

    /// Puts attached points of a state where their masters have them, and gives them their velocities.
    pub(crate) fn place_attached(&mut self, system: &dyn MechSystem, state: &mut State) {
        if let (Some(own), Some(multibody)) = (&mut self.constrained, system.multibody()) {
            own.place_attached(multibody, state);
        }
    }
}

/// The equations of a system without bodies, attached points and rows:
/// M (y - u0) - w h ((1 - w) f0 + w f1), y = (1 - w) u0 + w u1.
fn eval_free(
    equations: &mut Equations,
    system: &dyn MechSystem,
    (start, unknowns, h, rule): (&State, &StepUnknowns, f64, ImplicitRule),
    out: &mut StepEquations,
) -> Result<(), Failure> {
    let w = rule.end_weight;
    let StepEquations { momenta, rows, end, force_u } = out;
    rows.clear();
    momenta.clear();
    let impulse = |((y, u0), mass): ((&Vec3, &Vec3), &f64)| (y - u0) * *mass;
    momenta.extend(unknowns.y.iter().zip(&start.u).zip(system.masses()).map(impulse));
    if w < 1.0 {
        let motion = Motion::now(start);
        equations.eval_forces(system, LoadCase::at(start.time), motion, VelocityTerms::Included)?;
        let forces = equations.work.f.iter();
        momenta.iter_mut().zip(forces).for_each(|(r, f)| *r -= f * (w * h * (1.0 - w)));
    }
    for (row, y) in unknowns.y.iter().enumerate() {
        end.q[row] = start.q[row] + y * h;
        end.u[row] = start.u[row] + (y - start.u[row]) / w;
    }
    force_u.clone_from(&end.u);
    let load = LoadCase::at(start.time + h);
    system.prescribe(load, &mut end.q);
    let motion = Motion { q: &end.q, u: &end.u, ..Motion::of(start, h) };
    equations.eval_forces(system, load, motion, VelocityTerms::Included)?;
    let forces = equations.work.f.iter();
    momenta.iter_mut().zip(forces).for_each(|(r, f)| *r -= f * (w * h * w));
    clear_fixed(momenta, system.fixed());
    Ok(())
}
