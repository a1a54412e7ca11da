//! Contacts and ranges at one instant, for rules that take impacts as events: rooms that become zero, what strikes
//! and springs back, what rests.

use crate::Vec3;
use crate::constraint::Placement;
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::driven::Order;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::project::place_on_rows;
use crate::solve::constrained::unilateral::Unilateral;
use crate::solve::constrained::unilateral::rebound::rebound;
use crate::solve::constrained::unilateral::row::Origin;
use crate::solve::constrained::unilateral::rows::Begin;
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::system::{Multibody, State};

/// Room below which things touch [m], [rad]: far above what localization leaves.
pub(in crate::solve) const TOUCHING: f64 = 1e-8;
/// Approach below which what touches rests [m/s], [rad/s].
const RESTING: f64 = 1e-6;
/// Time ahead of an instant [s].
const AHEAD: f64 = 1e-7;
/// Time ahead in which contacts are looked for [s], and the room where there are none [m].
const LOOK_AHEAD: f64 = 0.05;
const FAR: f64 = 1.0;
/// Errors of rows that are rounding [m], [rad], [m/s], [rad/s].
const ROUNDING: f64 = 1e-13;

/// State of contact at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::solve) enum Touch {
    /// Nothing touches, or what touches parts.
    Free,
    /// Something touches and is struck within a time ahead [s].
    Strikes(f64),
    /// Something touches and does not part.
    Rests,
}

/// Number of rooms whose zeros are impacts: one a range, and one for all contacts.
pub(in crate::solve) fn switch_count(own: &Constrained, multibody: &Multibody) -> usize {
    let ranges = multibody.joints.unilateral.count();
    own.contacts.as_ref().map_or(0, |rows| ranges + usize::from(rows.near.detects()))
}

/// Rooms of ranges, and of the nearest contact [m], [rad]; contacts further off than the motion of now leads are at 1 m.
pub(in crate::solve) fn gaps(
    own: &mut Constrained,
    multibody: &Multibody,
    state: &mut State,
    values: &mut [f64],
) {
    let Constrained { parts, contacts } = own;
    let Some(rows) = contacts else { return };
    place_on_rows(parts, multibody, state);
    let turns = &parts.trial.bodies.turns[..];
    let at = Placement { q: &state.q, turns, coordinates: &state.coordinates };
    let ranges = &multibody.joints.unilateral;
    let mut reader = ranges.at(at);
    for (number, value) in values.iter_mut().enumerate() {
        *value = if number < ranges.count() { reader.value(number) } else { FAR };
    }
    if let Some(nearest) = values.get_mut(ranges.count()) {
        rows.near.detect(multibody, at, (&state.u, LOOK_AHEAD));
        *nearest = rows.near.found.iter().fold(FAR, |least, contact| least.min(contact.gap));
    }
}

/// Lets spring back what is struck at `state`, and says what is left. Impulses become forces over a step of `h` [s].
pub(in crate::solve) fn settle(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<Touch, Failure> {
    let mut touch = touch(own, context.multibody, state);
    if let Touch::Strikes(ahead) = touch {
        own.parts.begin(context.multibody, (&state.q, &state.u));
        rebound(equations, context, own, state, ahead)?;
        if let Some(rows) = &own.contacts {
            rows.impacts.add_to(state, h);
        }
        touch = self::touch(own, context.multibody, state);
    }
    Ok(if touch == Touch::Free { Touch::Free } else { Touch::Rests })
}

/// State of contact at a state.
fn touch(own: &mut Constrained, multibody: &Multibody, state: &mut State) -> Touch {
    let Constrained { parts, contacts } = own;
    let Some(rows) = contacts else { return Touch::Free };
    place_on_rows(parts, multibody, state);
    let turns = &parts.trial.bodies.turns[..];
    let at = Placement { q: &state.q, turns, coordinates: &state.coordinates };
    let attachments = &parts.reduction.attachments;
    let begin = Begin { multibody, attachments, at, u: &state.u, h: AHEAD, w: 1.0 };
    rows.begin(&begin, state);
    let Unilateral { set, near, .. } = &**rows;
    let mut ranges = multibody.joints.unilateral.at(at);
    let (mut least, mut ahead) = (f64::INFINITY, AHEAD);
    for row in &set.rows {
        let gap = match row.origin {
            Origin::Range(number) => ranges.value(number as usize),
            Origin::Normal(number) => near.found[number as usize].gap,
            Origin::Tangent(_) | Origin::Rolling => continue,
        };
        if gap <= TOUCHING {
            least = least.min(row.before);
            if row.before < -RESTING {
                // A little more, against rounding.
                ahead = ahead.max(1.001 * gap / -row.before);
            }
        }
    }
    match least {
        rate if rate < -RESTING => Touch::Strikes(ahead),
        rate if rate <= RESTING => Touch::Rests,
        _ => Touch::Free,
    }
}

/// True if rows and their rates are met to rounding.
pub(in crate::solve) fn are_met(
    parts: &mut Parts,
    context: StepContext,
    state: &mut State,
) -> bool {
    let multibody = context.multibody;
    place_on_rows(parts, multibody, state);
    let soft = &multibody.joints.compliance;
    let rates: &[Vec3] = &state.u;
    parts.reduction.rows.pattern().mul(&parts.trial.reduced, rates, &mut parts.linear.row_right);
    let rates = parts.linear.row_right.iter().zip(&parts.driven.rates);
    let mut rows = parts.trial.values.iter().zip(rates).zip(soft);
    rows.all(|((value, (rate, demand)), soft)| {
        let rate = rate - demand[Order::Rate as usize];
        soft.compliance != 0.0 || (value.abs() < ROUNDING && rate.abs() < ROUNDING)
    })
}
