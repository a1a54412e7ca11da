//! A step as a whole, or in parts where its equations are not solved at once.

use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::project::project;
use crate::solve::constrained::runge_kutta::runge_kutta_in_parts;
use crate::solve::constrained::settle::equilibrium;
use crate::solve::constrained::step::take_substep;
use crate::solve::constrained::substep::{Matrix, Substep};
use crate::solve::constrained::tuning::{ALIKE, HALVINGS, LENIENT_HALVINGS};
use crate::solve::constrained::unilateral::outside::enter_ranges;
use crate::solve::constrained::unmet::ensure_met;
use crate::solve::equations::{Equations, ImplicitRule};
use crate::solve::failure::Failure;
use crate::solve::settings::Integrator;
use crate::system::State;

impl Failure {
    /// True if a shorter step may succeed.
    pub(super) fn may_pass(&self) -> bool {
        let unsolved = matches!(self, Self::NotConverged { .. } | Self::Linear(_));
        let inexact = matches!(self, Self::Complementarity(_) | Self::Inexact { .. });
        unsolved || inexact || self.is_of_gaps()
    }

    /// True if surfaces would pass through each other, or overlap too much.
    fn is_of_gaps(&self) -> bool {
        matches!(self, Self::Penetration { .. } | Self::Crossing { .. })
    }
}

/// The step by its rule: in parts where its equations are not solved, of backward Euler where need be.
pub(in crate::solve) fn step_in_parts(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let integrator = equations.integrator;
    start_on_rows(equations, context, own, state)?;
    match integrator {
        Integrator::Static(settings) => {
            let settings = (h, settings);
            return equilibrium(equations, context, own, state, settings);
        }
        Integrator::RungeKutta4 => {
            return runge_kutta_in_parts(equations, context, own, state, h);
        }
        Integrator::BackwardEuler(_)
        | Integrator::Trapezoidal(_)
        | Integrator::Midpoint(_)
        | Integrator::SymplecticEuler
        | Integrator::Variable(_) => {}
    }
    let whole = Substep::whole(integrator, h, equations.settings.friction);
    let nearest = Substep { matrix: Matrix::Nearest, ..whole };
    if own.parts.conflicting && take_substep(equations, context, own, state, nearest).is_ok() {
        equations.stats.substeps = 1;
        return ensure_met(own, context.multibody);
    }
    own.parts.conflicting = false;
    let done = try_parts(equations, context, own, state, whole);
    if done.as_ref().is_err_and(Failure::may_pass)
        && take_substep(equations, context, own, state, nearest).is_ok()
    {
        (own.parts.conflicting, equations.stats.substeps) = (true, 1);
        return ensure_met(own, context.multibody);
    }
    done
}

/// Keeps the start of the step, and brings a state without multipliers onto the rows.
pub(in crate::solve) fn start_on_rows(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    let count = multibody.joints.rows.count();
    own.parts.start.keep(state, count);
    own.parts.driven.keep(state);
    if !own.parts.start.had_multipliers {
        own.parts.drive_start(multibody, state);
        project(equations, context, &mut own.parts, state)?;
        enter_ranges(equations, context, own, state)?;
        ensure_met(own, multibody)?;
        state.multipliers.resize(count, 0.0);
        state.multipliers.fill(0.0);
    }
    own.parts.start.whole_q.copy_from_slice(&state.q);
    own.parts.start.whole_u.copy_from_slice(&state.u);
    equations.stats.substeps = 1;
    Ok(())
}

/// The whole step, else the parts that a [`Division`] has of it.
pub(in crate::solve) fn try_parts(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    whole: Substep,
) -> Result<(), Failure> {
    let mut division = Division::new();
    while !division.is_done() {
        let [offset, h] =
            [division.at, division.length].map(|units| division.share(units) * whole.h);
        let part = Substep { offset, h, lenient: division.is_lenient(), ..whole };
        if let Err(error) =
            take_part(equations, context, own, state, (part, division.length < UNITS))
        {
            let resume = division.fall_back(&error);
            if resume != Some(Resume::Here) {
                own.parts.start.go_back(state);
            }
            if resume.is_none() {
                return Err(error);
            }
        } else {
            division.go_on();
        }
    }
    equations.stats.substeps = division.parts;
    Ok(())
}

/// The shortest part of a step is the unit of lengths and places of parts, so that they are exact.
const UNITS: u32 = 1 << HALVINGS;

/// The state that the next part begins at after one that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Resume {
    /// The end of the last part that was taken.
    Here,
    /// The start of the step.
    Start,
}

/// A step in parts: each begins where the one before ended, is half as long as one that failed, and twice as long again after
/// two of a length, where it then begins at a multiple of its length. The step is begun anew with shorter parts if even the
/// shortest fails, as a part before it may have ended where nothing goes on, and where surfaces would pass or overlap too much:
/// each part may bring them nearer, so that they are to be few and even.
struct Division {
    length: u32,
    at: u32,
    parts: usize,
    /// Parts of this length in a row.
    alike: usize,
    /// The longest that a part may be, and the longest that was taken since the start.
    longest: u32,
    taken: u32,
}

impl Division {
    fn new() -> Self {
        Self { length: UNITS, at: 0, parts: 0, alike: 0, longest: UNITS, taken: 0 }
    }

    fn is_done(&self) -> bool {
        self.at == UNITS
    }

    fn is_lenient(&self) -> bool {
        self.length <= UNITS >> LENIENT_HALVINGS
    }

    /// A length as a share of the step.
    fn share(&self, units: u32) -> f64 {
        f64::from(units) / f64::from(UNITS)
    }

    /// After a part that succeeded.
    fn go_on(&mut self) {
        self.at += self.length;
        self.taken = self.taken.max(self.length);
        self.parts += 1;
        self.alike += 1;
        let fits = self.length < self.longest && self.at.is_multiple_of(2 * self.length);
        if self.alike >= ALIKE && fits {
            (self.length, self.alike) = (2 * self.length, 0);
        }
    }

    /// After a part that failed; `None` if nothing is left to try.
    fn fall_back(&mut self, why: &Failure) -> Option<Resume> {
        if !why.may_pass() {
            return None;
        }
        if self.length > 1 && !why.is_of_gaps() {
            (self.length, self.alike) = (self.length / 2, 0);
            return Some(Resume::Here);
        }
        let longest = if why.is_of_gaps() { self.length / 2 } else { self.taken / 2 };
        *self = Self { length: longest, longest, ..Self::new() };
        (longest > 0).then_some(Resume::Start)
    }
}

/// A part of a step, with the unsymmetric matrix if need be; if it `is_shorter` than the step, also by backward Euler.
fn take_part(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    (part, is_shorter): (Substep, bool),
) -> Result<(), Failure> {
    let mut done = take_substep(equations, context, own, state, part);
    if done.as_ref().is_err_and(Failure::may_pass) {
        let other = Substep { matrix: Matrix::Unsymmetric, ..part };
        done = take_substep(equations, context, own, state, other);
    }
    if done.as_ref().is_err_and(Failure::may_pass) && is_shorter && part.weight() < 1.0 {
        let rule = ImplicitRule::of_weight(1.0);
        done = take_substep(equations, context, own, state, Substep { rule, ..part });
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn not_converged() -> Failure {
        Failure::NotConverged { method: "a test", iterations: 1, residual: 1.0, tolerance: 0.1 }
    }

    /// Places and lengths of the parts that are taken of a step, where `fails` says which are not, and why.
    fn parts(fails: impl Fn(u32, u32) -> Option<Failure>) -> Option<Vec<[u32; 2]>> {
        let (mut division, mut taken) = (Division::new(), Vec::new());
        while !division.is_done() {
            let part = [division.at, division.length];
            match fails(part[0], part[1]) {
                None => {
                    taken.push(part);
                    division.go_on();
                }
                Some(why) => match division.fall_back(&why)? {
                    Resume::Start => taken.clear(),
                    Resume::Here => {}
                },
            }
        }
        assert_eq!(taken.len(), division.parts);
        Some(taken)
    }

    #[test]
    fn parts_fill_the_step_without_gaps_and_grow_again_after_what_was_hard() {
        assert_eq!(parts(|_, _| None).unwrap(), [[0, UNITS]]);
        // Only the first 64th is hard.
        let short = UNITS / 64;
        let hard = |at, length| (at == 0 && length > short).then(not_converged);
        let taken = parts(hard).unwrap();
        let mut at = 0;
        for [from, length] in &taken {
            assert_eq!((*from, from % length), (at, 0), "{taken:?}");
            at += length;
        }
        assert_eq!(at, UNITS);
        assert!(taken.len() < 16, "{taken:?}");
    }

    #[test]
    fn a_step_is_begun_anew_with_shorter_parts_where_nothing_follows_a_long_one() {
        // After a part of a half nothing goes on.
        let stuck = std::cell::Cell::new(false);
        let taken = parts(|at, length| {
            if at == 0 {
                stuck.set(length == UNITS / 2);
            }
            (length == UNITS || (at > 0 && stuck.get())).then(not_converged)
        });
        let taken = taken.expect("quarters go on");
        assert!(taken.iter().all(|[_, length]| *length <= UNITS / 4), "{taken:?}");
        assert!(parts(|_, _| Some(not_converged())).is_none());
        assert!(parts(|_, _| Some(Failure::Stopped)).is_none());
    }

    #[test]
    fn what_would_pass_is_kept_apart_by_even_parts() {
        let crossing = |at, length| {
            let passes = at >= UNITS / 2 && length > UNITS / 8;
            passes.then_some(Failure::Crossing { pair: 0 })
        };
        let even: Vec<[u32; 2]> = (0..8).map(|k| [k * (UNITS / 8), UNITS / 8]).collect();
        let taken = parts(|at, length| match length == UNITS {
            true => Some(Failure::Crossing { pair: 0 }),
            false => crossing(at, length),
        });
        assert_eq!(taken.unwrap(), even);
    }
}
