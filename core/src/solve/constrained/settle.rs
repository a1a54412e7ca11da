//! Equilibrium with contacts and ranges: steps of backward Euler under the loads of the end, longer from step to step and with
//! half of the velocity taken off each, until nothing moves (pseudo-transient continuation, KelleyKeyes1998). Long steps
//! are Newton's with the active rows of the step, so that contact laws, friction and joints are those of steps in time.

use crate::Vec3;
use crate::dynamics::world_inertia;
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::equilibrium::constrained_equilibrium;
use crate::solve::constrained::reduction::Reduction;
use crate::solve::constrained::step::take_substep;
use crate::solve::constrained::substep::{Matrix, Substep};
use crate::solve::constrained::unilateral::resting::check_static;
use crate::solve::constrained::unilateral::stabilize::stabilize;
use crate::solve::equations::{BACKWARD_EULER, Equations};
use crate::solve::failure::Failure;
use crate::solve::settings::StaticSettings;
use crate::system::State;

/// Length of the first step, and of the longest [s]. At the first, gravity moves what is free by 5 um; at the last the
/// masses resist a motion of period 1 s by a fortieth of what its stiffness does.
const LENGTHS: [f64; 2] = [1e-3, 1.0];
/// Iterations of the search without contact, at most: it goes on for long where contacts are what holds the model.
const FREE_ITERATIONS: usize = 30;
/// Growth of steps, and share of a step that is refused [-].
const GROWTH: f64 = 1.5;
const SHRINKING: f64 = 0.2;
/// Steps in a row that move no less than those before, after which the longest is halved, down to a least length [s]: over
/// facets and edges long steps go to and fro.
const STALLED: usize = 10;
const LEAST_LENGTH: f64 = 5e-3;
/// Share of the least motion so far that comes nearer to rest [-].
const NEARER: f64 = 0.7;
/// Share of the velocity that goes on to the next step [-]: with longer steps what moves freely comes to rest.
const KEPT: f64 = 0.5;
/// Most steps, and the shortest [s].
const MOST_STEPS: usize = 500;
const SHORTEST: f64 = 1e-7;
/// Imbalance over the largest force [-], and motion in one step [m], [rad], that are taken for rest.
const BALANCED: f64 = 1e-8;
const AT_REST: f64 = 1e-9;
/// Overlap of a rigid contact, over its tolerance, that ends a step which went too far [-].
const TOO_DEEP: f64 = 100.0;

/// Equilibrium under the loads at `state.time + h`; velocities become zero. Without contact where that changes nothing.
pub(in crate::solve) fn equilibrium(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    (h, mut settings): (f64, StaticSettings),
) -> Result<(), Failure> {
    let end = state.time + h;
    own.parts.drive_at_rest(context.multibody, end, &mut state.coordinates);
    if own.contacts.is_some() {
        let most = &mut settings.newton.max_iterations;
        *most = FREE_ITERATIONS.min(*most);
    }
    // What adheres at the start is known to the steps alone.
    if pulls(own, context, state) {
        return settle(equations, context, own, state, h);
    }
    let free = constrained_equilibrium(equations, context, &mut own.parts, state, (h, settings));
    let free = free.and_then(|()| check_static(own, context.multibody, state, h));
    if free.is_ok() && !pulls(own, context, state) || own.contacts.is_none() {
        return free;
    }
    own.parts.start.go_back(state);
    let settled = settle(equations, context, own, state, h);
    let Err(failure) = free else { return settled };
    let is_of_contact =
        matches!(failure, Failure::StaticContact { .. }) || state.contacts.is_empty();
    // What no contact has to do with is told as it was, and so is what overlaps without contact.
    settled.map_err(|other| if is_of_contact { failure } else { other })
}

/// True if a contact pulls at a state at rest.
fn pulls(own: &mut Constrained, context: StepContext, state: &State) -> bool {
    let multibody = context.multibody;
    let Constrained { parts, contacts } = own;
    let Some(rows) = contacts.as_mut().filter(|_| multibody.contacts.adheres()) else {
        return false;
    };
    multibody.update_turns(&state.q, &mut parts.trial.bodies.turns);
    rows.near.detect(multibody, parts.placement(&state.q), (&state.u, 0.0));
    rows.near.pulls(multibody)
}

/// Lengths of the steps [s], and how they come nearer to rest.
struct Pace {
    length: f64,
    longest: f64,
    /// Least motion of a step so far [m], [rad], and steps since then.
    least: f64,
    stalled: usize,
}

impl Pace {
    fn new() -> Self {
        let [length, longest] = LENGTHS;
        Self { length, longest, least: f64::INFINITY, stalled: 0 }
    }

    /// Length after a step that moved something by so much.
    fn go_on(&mut self, moved: f64) {
        let nears = moved < NEARER * self.least;
        (self.least, self.stalled) =
            if nears { (moved, 0) } else { (self.least, self.stalled + 1) };
        if self.stalled == STALLED {
            self.longest = (0.5 * self.longest).max(LEAST_LENGTH);
            (self.least, self.stalled) = (moved, 0);
        }
        self.length = (GROWTH * self.length).min(self.longest);
    }
}

/// Steps until nothing moves.
fn settle(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    state.u.fill(Vec3::zeros());
    let (mut pace, mut residual) = (Pace::new(), f64::INFINITY);
    for _ in 0..MOST_STEPS {
        state.u.iter_mut().for_each(|u| *u *= KEPT);
        own.parts.start.begin_at(state);
        let substep = substep_of(pace.length, equations, h);
        match take_step(equations, context, own, state, substep) {
            Ok(()) => {}
            Err(failure) if !failure.may_pass() || pace.length < SHORTEST => return Err(failure),
            Err(_) => {
                own.parts.start.go_back(state);
                state.u.fill(Vec3::zeros());
                pace.length *= SHRINKING;
                continue;
            }
        }
        residual = imbalance(equations, context, own, state, pace.length);
        let moved = state.q.iter().zip(&equations.work.q0);
        let moved = moved.fold(0.0f64, |most, (q, q0)| most.max((q - q0).norm()));
        if residual < BALANCED && moved < AT_REST && pace.length >= LEAST_LENGTH {
            state.u.fill(Vec3::zeros());
            return Ok(());
        }
        pace.go_on(moved);
    }
    let method = "the search for an equilibrium with contact";
    Err(Failure::NotConverged { method, iterations: MOST_STEPS, residual, tolerance: BALANCED })
}

/// A step of this length [s] of backward Euler, at whose end loads and what is prescribed are those of the end of the static step of
/// `h`.
fn substep_of(length: f64, equations: &Equations, h: f64) -> Substep {
    Substep {
        offset: h - length,
        h: length,
        rule: BACKWARD_EULER,
        explicit: false,
        newton: None,
        midpoint: false,
        matrix: Matrix::Symmetric,
        friction: equations.settings.friction,
        lenient: false,
    }
}

/// One of these steps, with overlaps taken back; refused where something went far into what it did not see.
fn take_step(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    substep: Substep,
) -> Result<(), Failure> {
    let before = deepest(own, context, state);
    take_substep(equations, context, own, state, substep)?;
    if let Some((depth, pair)) = deepest(own, context, state)
        && before.is_none_or(|(before, _)| depth > before)
    {
        return Err(Failure::Penetration { depth, pair });
    }
    stabilize(equations, context, own, state, substep.h)
}

/// The deepest overlap of rigid contacts that is far beyond its tolerance [m], and its pair.
fn deepest(own: &mut Constrained, context: StepContext, state: &State) -> Option<(f64, u32)> {
    let behaviors = &context.multibody.contacts.behaviors;
    let Constrained { parts, contacts } = own;
    let rows = contacts.as_mut()?;
    context.multibody.update_turns(&state.q, &mut parts.trial.bodies.turns);
    rows.near.detect(context.multibody, parts.placement(&state.q), (&state.u, 0.0));
    let deep = rows.near.found.iter().filter(|contact| {
        let behavior = &behaviors[contact.pair as usize];
        behavior.law.is_rigid() && -contact.gap > TOO_DEEP * behavior.tolerance
    });
    deep.map(|it| (-it.gap, it.pair)).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Momenta that the last step of `h` changed, over it and over the largest force [-]: what is not balanced.
fn imbalance(
    equations: &Equations,
    context: StepContext,
    own: &Constrained,
    state: &State,
    h: f64,
) -> f64 {
    let Reduction { fixed, lengths, masses, .. } = &own.parts.reduction;
    let change = |row: usize| (state.u[row] - equations.work.u0[row]) / h;
    let (mut largest, mut scale) = (0.0f64, f64::MIN_POSITIVE);
    for (row, mass) in context.system.masses().iter().enumerate() {
        let mut left = change(row) * *mass;
        (0..3).filter(|&axis| fixed[row][axis]).for_each(|axis| left[axis] = 0.0);
        let rest = masses[row].x / lengths[row] * 1e-9;
        scale = scale.max(equations.work.f[row].norm() / lengths[row]).max(rest);
        largest = largest.max(left.norm() / lengths[row]);
    }
    for body in &context.multibody.bodies {
        let rotation = body.row as usize + 1;
        let inertia = world_inertia(&body.inertia, &body.orientation(&state.q));
        let mut left = inertia * change(rotation);
        (0..3).filter(|&axis| fixed[rotation][axis]).for_each(|axis| left[axis] = 0.0);
        largest = largest.max(left.norm() / lengths[rotation]);
    }
    largest / scale
}
