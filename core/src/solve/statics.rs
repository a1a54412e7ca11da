//! Equilibrium: Newton's method with a line search on the work of the residual, loads and
//! prescribed displacements applied in equal increments. (Crisfield 1991, ch. 9.)

use super::linear::LinearError;
use super::settings::StaticSettings;
use super::solver::{Failure, MechSystemSolver, Work};
use super::support::loose_piece;
use crate::Vec3;
use crate::force::{JacobianScale, VelocityTerms};
use crate::linalg::{BLOCK, Definiteness, clear_held, dot, norm};
use crate::system::{LoadCase, MechSystem, Motion, State};

/// K alone.
const STIFFNESS: JacobianScale = JacobianScale { position: 1.0, velocity: 0.0 };
/// Evaluations of a line search.
const MAX_SEARCH: usize = 10;
/// A step is taken when the work of its residual is down to this part of that at the start.
const SEARCH_TOLERANCE: f64 = 0.5;
/// An update below this part of the largest coordinate is rounding: positions of 53 bits, carried
/// into the update by the conditioning of slender bodies.
const UPDATE_FLOOR: f64 = 1e-13;
/// Roundings of |K| |q| that a sum of forces may have lost [-]: a residual below that cannot be told from none.
const ROUNDINGS: f64 = 4.0;
/// Shifts of an indefinite stiffness before it is given up.
const MAX_SHIFTS: usize = 12;

impl MechSystemSolver {
    /// Equilibrium under the loads at `state.time + h`; velocities become zero.
    pub(super) fn solve_equilibrium(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        h: f64,
        settings: StaticSettings,
    ) -> Result<(), Failure> {
        state.u.fill(Vec3::zeros());
        let increments = settings.increments.max(1);
        for k in 1..=increments {
            let factor = k as f64 / increments as f64;
            let load = LoadCase { time: state.time + h, factor };
            self.solve_increment(system, state, load, settings)?;
        }
        Ok(())
    }

    fn solve_increment(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        load: LoadCase,
        settings: StaticSettings,
    ) -> Result<(), Failure> {
        let newton = settings.newton;
        let mut residual = self.out_of_balance(system, state, load)?;
        let (mut scale, mut rounding) = (norm(&self.work.f), 0.0);
        for iteration in 0..newton.max_iterations {
            // Where supports move, the first update carries their displacement into the tissue.
            let led = iteration == 0 && self.lead_positions(system, state, load);
            if iteration > 0 {
                self.work.x.fill(Vec3::zeros());
            }
            if !led && residual <= newton.tolerance * scale {
                return Ok(());
            }
            self.newton_direction(system, state, load)?;
            // What forces of this stiffness at these positions lose by rounding.
            let absolute = self.matrix.absolute_product_norm(&state.q, system.held());
            rounding = ROUNDINGS * f64::EPSILON * absolute;
            if !led && residual <= rounding {
                return Ok(());
            }
            if !led && largest(&self.work.x) <= UPDATE_FLOOR * largest(&state.q) {
                return Ok(());
            }
            residual = self.search(system, state, load, led)?;
            scale = scale.max(norm(&self.work.f));
        }
        if residual <= (newton.tolerance * scale).max(rounding) {
            return Ok(());
        }
        let motion = Motion::at(&state.q, &state.u);
        self.assemble(system, load, motion, (0.0, STIFFNESS))?;
        self.check_support(system)?;
        let (iterations, tolerance) = (newton.max_iterations, newton.tolerance);
        let residual = residual / scale;
        Err(Failure::NotConverged { method: "Newton's method", iterations, residual, tolerance })
    }

    /// `work.b` = forces on the free scalars; returns its norm.
    fn out_of_balance(
        &mut self,
        system: &dyn MechSystem,
        state: &State,
        load: LoadCase,
    ) -> Result<f64, Failure> {
        let motion = Motion::at(&state.q, &state.u);
        self.eval_forces(system, load, motion, VelocityTerms::Excluded)?;
        self.work.b.copy_from_slice(&self.work.f);
        clear_held(&mut self.work.b, system.held());
        Ok(norm(&self.work.b))
    }

    /// `work.x` = way of the held scalars to their places, 0 elsewhere; `true` when any moves.
    fn lead_positions(&mut self, system: &dyn MechSystem, state: &State, load: LoadCase) -> bool {
        let Work { start, x, .. } = &mut self.work;
        start.copy_from_slice(&state.q);
        let moved = system.prescribe(load, start);
        for ((x, target), q) in x.iter_mut().zip(start.iter()).zip(&state.q) {
            *x = target - q;
        }
        moved
    }

    /// `work.x` = K^-1 b, K shifted until it is positive definite.
    fn newton_direction(
        &mut self,
        system: &dyn MechSystem,
        state: &State,
        load: LoadCase,
    ) -> Result<(), Failure> {
        let motion = Motion::at(&state.q, &state.u);
        self.assemble(system, load, motion, (0.0, STIFFNESS))?;
        let mut shift = 1e-6;
        for trial in 0..MAX_SHIFTS {
            let outcome =
                self.prepare(system, &state.q).and_then(|definiteness| match definiteness {
                    Definiteness::Positive => self.solve(system).map(|()| true),
                    Definiteness::Indefinite => Ok(false),
                });
            match outcome {
                Ok(true) => return Ok(()),
                Ok(false) | Err(Failure::Linear(_)) => {
                    if trial == 0 {
                        self.check_support(system)?;
                    }
                    self.shift_diagonal(system, shift);
                }
                Err(failure) => return Err(failure),
            }
            shift *= 10.0;
        }
        self.prepare(system, &state.q)?;
        self.solve(system)
    }

    /// Refuses a stiffness that leaves a piece free to be shifted: it has no equilibrium to be found.
    fn check_support(&self, system: &dyn MechSystem) -> Result<(), Failure> {
        let Some((row, axis)) = loose_piece(&self.matrix, system.held()) else { return Ok(()) };
        let axis = ["x", "y", "z"][axis];
        let detail = format!("nothing holds {} along {axis}", system.describe(row));
        Err(Failure::Linear(LinearError::Singular(detail)))
    }

    /// Adds `shift` times the mean diagonal to the diagonal.
    fn shift_diagonal(&mut self, system: &dyn MechSystem, shift: f64) {
        let pattern = system.pattern();
        let places = |row| (0..3).map(move |a| BLOCK * pattern.diagonal(row) + 4 * a);
        let values = self.matrix.values_mut();
        let sum: f64 = (0..pattern.size()).flat_map(places).map(|i| values[i].abs()).sum();
        let amount = shift * sum / (3 * pattern.size()) as f64;
        (0..pattern.size()).flat_map(places).for_each(|i| values[i] += amount);
    }

    /// Moves `state` along `work.x` to where the work of the residual is small; returns the norm of
    /// the residual there. A `led` step is taken whole, since supports must arrive.
    fn search(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        load: LoadCase,
        led: bool,
    ) -> Result<f64, Failure> {
        self.work.start.copy_from_slice(&state.q);
        let work_at_start = dot(&self.work.b, &self.work.x);
        let (mut alpha, mut low, mut high) = (1.0, 0.0, f64::INFINITY);
        for trial in 1.. {
            for (q, (start, x)) in state.q.iter_mut().zip(self.work.start.iter().zip(&self.work.x))
            {
                *q = start + x * alpha;
            }
            if led {
                // Where they are led to, without the rounding of a difference.
                system.prescribe(load, &mut state.q);
            }
            let outcome = self.out_of_balance(system, state, load);
            let last = led || trial == MAX_SEARCH;
            let overshot = match outcome {
                Err(failure) if last => return Err(failure),
                Err(_) => true,
                Ok(residual) => {
                    let work = dot(&self.work.b, &self.work.x);
                    let small = work.abs() <= SEARCH_TOLERANCE * work_at_start.abs();
                    if last || small || (work > 0.0 && alpha >= 1.0) {
                        return Ok(residual);
                    }
                    work < 0.0
                }
            };
            if overshot {
                high = alpha;
            } else {
                low = alpha;
            }
            alpha = if high.is_finite() { 0.5 * (low + high) } else { 2.0 * alpha };
        }
        unreachable!("the loop returns at the last trial")
    }
}

/// Largest absolute component.
fn largest(v: &[Vec3]) -> f64 {
    v.iter().map(Vec3::amax).fold(0.0, f64::max)
}
