//! Equilibrium: Newton's method with a line search on the work of the residual, loads and
//! prescribed displacements applied in equal increments. (Crisfield 1991, ch. 9.)

use crate::Vec3;
use crate::force::{JacobianScale, VelocityTerms};
use crate::linalg::{BLOCK, Definiteness, clear_fixed, dot, norm};
use crate::solve::equations::{Equations, Work};
use crate::solve::failure::Failure;
use crate::solve::linear::LinearError;
use crate::solve::settings::StaticSettings;
use crate::solve::support::loose_piece;
use crate::system::{LoadCase, MechSystem, Motion, State};

/// K alone.
const STIFFNESS: JacobianScale = JacobianScale { position: 1.0, velocity: 0.0 };
/// Evaluations of a line search.
const MAX_SEARCH: usize = 10;
/// A step is taken when the work of its residual is down to this part of that at the start.
const SEARCH_TOLERANCE: f64 = 0.5;
/// An update below this part of the largest coordinate is rounding: positions of 53 bits, added up
/// into the update by the conditioning of slender bodies.
const UPDATE_FLOOR: f64 = 1e-13;
/// Roundings of |K| |q| that a sum of forces may have lost [-]: a residual below that cannot be told from none.
const ROUNDINGS: f64 = 4.0;
/// An update that leaves more than this share of the residual converges slowly [-].
const SLOW: f64 = 0.3;
/// Residual from which on updates are but corrections, over the forces [-].
const NEAR: f64 = 1e-4;
/// Shifts of an indefinite stiffness before it is given up.
const MAX_SHIFTS: usize = 12;

/// Equilibrium under the loads at `state.time + h`; velocities become zero.
pub(in crate::solve) fn solve_equilibrium(
    equations: &mut Equations,
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
        solve_increment(equations, system, state, load, settings)?;
    }
    Ok(())
}

fn solve_increment(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &mut State,
    load: LoadCase,
    settings: StaticSettings,
) -> Result<(), Failure> {
    let newton = settings.newton;
    let mut residual = out_of_balance(equations, system, state, load)?;
    let (mut scale, mut rounding, mut before) = (norm(&equations.work.f), 0.0, f64::INFINITY);
    equations.begin_mixing();
    for iteration in 0..newton.max_iterations {
        // Where supports move, the first update carries their displacement into the tissue.
        let moved_supports = iteration == 0 && prescribe_positions(equations, system, state, load);
        if iteration > 0 {
            equations.work.x.fill(Vec3::zeros());
        }
        if !moved_supports && residual <= newton.tolerance * scale {
            return Ok(());
        }
        newton_direction(equations, system, state, load)?;
        let is_slow = residual > SLOW * before && residual < before;
        mix_updates(equations, is_slow && residual <= NEAR * scale && !moved_supports);
        // Forces of this stiffness at these positions lose so much by rounding.
        let absolute = equations.matrix.absolute_product_norm(&state.q, system.fixed());
        rounding = ROUNDINGS * f64::EPSILON * absolute;
        let is_rounding = largest(&equations.work.x) <= UPDATE_FLOOR * largest(&state.q);
        if !moved_supports && (residual <= rounding || is_rounding) {
            return Ok(());
        }
        before = residual;
        residual = search(equations, system, state, load, moved_supports)?;
        scale = scale.max(norm(&equations.work.f));
    }
    if residual <= (newton.tolerance * scale).max(rounding) {
        return Ok(());
    }
    Err(reason(equations, system, (state, load), Failure::of_newton(newton, residual / scale)))
}

/// The failure to tell of a search that found no equilibrium: a part that nothing supports, or else `missed`.
fn reason(
    equations: &mut Equations,
    system: &dyn MechSystem,
    (state, load): (&State, LoadCase),
    missed: Failure,
) -> Failure {
    let motion = Motion::at(&state.q, &state.u);
    let assembled = equations.assemble(system, load, motion, (0.0, STIFFNESS));
    assembled.and_then(|()| check_support(equations, system)).err().unwrap_or(missed)
}

/// Mixes the update with those before where these are slow, and otherwise begins anew. Forces without an energy have a
/// stiffness that is not symmetric: its skew part is left out of the matrix, and learned from updates where it slows them
/// down.
fn mix_updates(equations: &mut Equations, are_slow: bool) {
    if are_slow {
        equations.mix_update();
    } else {
        equations.begin_mixing();
    }
}

/// `work.b` = forces on the free scalars; returns its norm.
fn out_of_balance(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &State,
    load: LoadCase,
) -> Result<f64, Failure> {
    let motion = Motion::at(&state.q, &state.u);
    equations.eval_forces(system, load, motion, VelocityTerms::Excluded)?;
    equations.work.b.copy_from_slice(&equations.work.f);
    clear_fixed(&mut equations.work.b, system.fixed());
    Ok(norm(&equations.work.b))
}

/// `work.x` = way of the fixed scalars to their places, 0 elsewhere; `true` when any moves.
fn prescribe_positions(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &State,
    load: LoadCase,
) -> bool {
    let Work { start, x, .. } = &mut equations.work;
    start.copy_from_slice(&state.q);
    let moved = system.prescribe(load, start);
    for ((x, target), q) in x.iter_mut().zip(start.iter()).zip(&state.q) {
        *x = target - q;
    }
    moved
}

/// `work.x` = K^-1 b, K shifted until it is positive definite.
fn newton_direction(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &State,
    load: LoadCase,
) -> Result<(), Failure> {
    let motion = Motion::at(&state.q, &state.u);
    equations.assemble_whole(system, load, motion, (0.0, STIFFNESS))?;
    let mut shift = 1e-6;
    for trial in 0..MAX_SHIFTS {
        let outcome =
            equations.prepare(system, &state.q).and_then(|definiteness| match definiteness {
                Definiteness::Positive => equations.solve(system).map(|()| true),
                Definiteness::Indefinite => Ok(false),
            });
        match outcome {
            Ok(true) => return Ok(()),
            Ok(false) | Err(Failure::Linear(_)) => {
                if trial == 0 {
                    check_support(equations, system)?;
                }
                shift_diagonal(equations, system, shift);
            }
            Err(failure) => return Err(failure),
        }
        shift *= 10.0;
    }
    equations.prepare(system, &state.q)?;
    equations.solve(system)
}

/// Refuses a stiffness that leaves a part free to be shifted: it has no equilibrium to be found.
fn check_support(equations: &Equations, system: &dyn MechSystem) -> Result<(), Failure> {
    let Some((row, axis)) = loose_piece(&equations.matrix, system.fixed()) else { return Ok(()) };
    let axis = ["x", "y", "z"][axis];
    let detail = format!("nothing holds {} along {axis}", system.describe(row));
    Err(Failure::Linear(LinearError::Singular(detail)))
}

/// Adds `shift` times the mean diagonal to the diagonal.
fn shift_diagonal(equations: &mut Equations, system: &dyn MechSystem, shift: f64) {
    let pattern = system.pattern();
    let places = |row| (0..3).map(move |a| BLOCK * pattern.diagonal(row) + 4 * a);
    let values = equations.matrix.values_mut();
    let sum: f64 = (0..pattern.size()).flat_map(places).map(|i| values[i].abs()).sum();
    let amount = shift * sum / (3 * pattern.size()) as f64;
    (0..pattern.size()).flat_map(places).for_each(|i| values[i] += amount);
}

/// Factors of an update between which a line search looks.
struct Bracket {
    low: f64,
    high: f64,
}

impl Bracket {
    /// The factor after `alpha`: half way to one that is too far, or twice as far.
    fn after(&mut self, alpha: f64, overshot: bool) -> f64 {
        if overshot {
            self.high = alpha;
        } else {
            self.low = alpha;
        }
        if self.high.is_finite() { 0.5 * (self.low + self.high) } else { 2.0 * alpha }
    }
}

/// Moves `state` along `work.x` to where the work of the residual is small; returns the norm of
/// the residual there. A step that moves supports is taken whole, since supports must arrive.
fn search(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &mut State,
    load: LoadCase,
    moved_supports: bool,
) -> Result<f64, Failure> {
    equations.work.start.copy_from_slice(&state.q);
    let work_at_start = dot(&equations.work.b, &equations.work.x);
    let mut bracket = Bracket { low: 0.0, high: f64::INFINITY };
    let mut alpha = 1.0;
    for trial in 1.. {
        move_along(&equations.work, state, alpha);
        if moved_supports {
            // Where they are prescribed, without the rounding of a difference.
            system.prescribe(load, &mut state.q);
        }
        let outcome = out_of_balance(equations, system, state, load);
        let last = moved_supports || trial == MAX_SEARCH;
        let overshot = match outcome {
            Err(failure) if last => return Err(failure),
            Err(_) => true,
            Ok(residual) => {
                let work = dot(&equations.work.b, &equations.work.x);
                let small = work.abs() <= SEARCH_TOLERANCE * work_at_start.abs();
                if last || small || (work > 0.0 && alpha >= 1.0) {
                    return Ok(residual);
                }
                work < 0.0
            }
        };
        alpha = bracket.after(alpha, overshot);
    }
    unreachable!("the loop returns at the last trial")
}

/// Positions `alpha` times the update from the start of the search.
fn move_along(work: &Work, state: &mut State, alpha: f64) {
    for (q, (start, x)) in state.q.iter_mut().zip(work.start.iter().zip(&work.x)) {
        *q = start + x * alpha;
    }
}

/// Largest absolute component.
fn largest(v: &[Vec3]) -> f64 {
    v.iter().map(Vec3::amax).fold(0.0, f64::max)
}
