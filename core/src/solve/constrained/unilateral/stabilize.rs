//! After a step: overlaps beyond their tolerance are taken back by the least motion in the metric of the masses,
//! under all rows (seed equation 7 with unilateral rows). Contacts at rest keep what they have.

use crate::Vec3;
use crate::lcp::FrictionModel;
use crate::linalg::BlockMatrix;
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::linear_problem::{Request, solve_problem};
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::project::{
    displace_by, forget_soft_rows, place_on_rows, project_positions,
};
use crate::solve::constrained::tuning::{
    MAX_CORRECTIONS, OVERLAP_SLACK, RANGE_NEAR, RANGE_TOLERANCE,
};
use crate::solve::constrained::unilateral::Unilateral;
use crate::solve::constrained::unilateral::resting::set_metric;
use crate::solve::constrained::unilateral::row::Origin;
use crate::solve::constrained::unilateral::rows::Begin;
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::solve::settings::Stabilization;
use crate::system::{Multibody, State};

/// A body turns by no more than this in one correction [rad].
const LARGEST_TURN: f64 = 0.3;

/// Takes back what overlaps too much in `state`.
pub(in crate::solve) fn stabilize(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    if equations.settings.stabilization == Stabilization::None {
        return Ok(());
    }
    let Constrained { parts, contacts } = own;
    let Some(rows) = contacts else { return Ok(()) };
    rows.near.keep_positions(&state.q);
    let mut corrections = 0;
    while corrections < MAX_CORRECTIONS {
        equations.go_on()?;
        place_on_rows(parts, multibody, state);
        if !begin_stabilization(rows, multibody, parts, state, h) {
            break;
        }
        correct_once(equations, context, parts, state, (h, rows))?;
        corrections += 1;
    }
    if corrections > 0 {
        // Turns leave rows off by what is of second order in them.
        place_on_rows(parts, multibody, state);
        project_positions(equations, context, parts, state)?;
        if rows.near.take_back_crossing(multibody, &mut state.q) {
            place_on_rows(parts, multibody, state);
        }
        rows.near.detect(multibody, parts.placement(&state.q), (&state.u, h));
    }
    Ok(())
}

/// One correction by the rows there are, in which no body turns too far.
pub(in crate::solve) fn correct_once(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
    (h, rows): (f64, &mut Unilateral),
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    parts.set_row_errors();
    forget_soft_rows(parts, multibody);
    set_metric(equations, context, parts, state, h)?;
    least_motion_with(parts, &equations.matrix, rows)?;
    let step = &parts.linear.step;
    let turns = multibody.bodies.iter().map(|body| step[body.row as usize + 1].norm());
    let largest = turns.fold(0.0, f64::max);
    let share = if largest > LARGEST_TURN { LARGEST_TURN / largest } else { 1.0 };
    displace_by(parts, multibody, state, share);
    place_on_rows(parts, multibody, state);
    Ok(())
}

/// The least motion that gives all rows what is asked of them.
fn least_motion_with(
    parts: &mut Parts,
    matrix: &BlockMatrix,
    rows: &mut Unilateral,
) -> Result<(), Failure> {
    parts.linear.right.fill(Vec3::zeros());
    parts.trial.y.fill(Vec3::zeros());
    rows.set.half.clone_from(&rows.set.values);
    parts.mixed.begin_sequence();
    parts.mixed.matrix_changed();
    let request = Request::by_masses(FrictionModel::default(), 1.0);
    solve_problem(parts, matrix, Some(rows), request).map(|_| ())
}

/// Rows that ask for displacements, and whether any is needed.
pub(super) fn begin_stabilization(
    rows: &mut Unilateral,
    multibody: &Multibody,
    parts: &Parts,
    state: &State,
    h: f64,
) -> bool {
    rows.clear();
    let at = parts.placement(&state.q);
    rows.near.detect(multibody, at, (&state.u, h));
    let attachments = &parts.reduction.attachments;
    let begin = Begin { multibody, attachments, at, u: &state.u, h: 1.0, w: 1.0 };
    let ranges_are_deep = add_ranges(rows, &begin);
    let contacts_are_deep = add_contacts(rows, &begin);
    rows.resize();
    ranges_are_deep || contacts_are_deep
}

/// Rows of the rigid ranges that are near; true if one is passed by more than its tolerance.
fn add_ranges(rows: &mut Unilateral, begin: &Begin) -> bool {
    let list = &begin.multibody.joints.unilateral;
    let mut ranges = list.at(begin.at);
    let mut deep = false;
    for number in 0..list.count() {
        let room = ranges.value(number) + RANGE_TOLERANCE;
        if room > RANGE_TOLERANCE + RANGE_NEAR || list.compliance(number).compliance > 0.0 {
            continue;
        }
        deep |= room < -OVERLAP_SLACK * RANGE_TOLERANCE;
        rows.set.add_range_vectors(begin, (&mut ranges, number as u32));
        rows.set.add_displacement(Origin::Range(number as u32), room);
    }
    deep
}

/// Rows of the rigid contacts; true if one overlaps by more than its tolerance.
fn add_contacts(rows: &mut Unilateral, begin: &Begin) -> bool {
    let mut deep = false;
    for number in 0..rows.near.found.len() {
        let contact = rows.near.found[number];
        let behavior = begin.multibody.contacts.behaviors[contact.pair as usize];
        if !behavior.law.is_rigid() {
            continue;
        }
        let room = contact.gap + behavior.tolerance;
        deep |= room < -OVERLAP_SLACK * behavior.tolerance;
        rows.set.add_row(begin, &contact, contact.normal);
        rows.set.add_displacement(Origin::Normal(number as u32), room);
    }
    deep
}
