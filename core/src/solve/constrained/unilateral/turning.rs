//! Friction at its limit against the slip itself: the first of the two directions of a contact that slides turns, from iteration to
//! iteration of Newton's method, and the second has no force. The box of limits is Coulomb's law then, and the equations of
//! the step are closed, as derivatives of steps need (docs/theory/adjoint.md).

use crate::Vec3;
use crate::lcp::Bound;
use crate::mixed::AndersonMixing;
use crate::solve::constrained::tuning::SLIPPING;
use crate::solve::constrained::unilateral::row::Row;
use crate::solve::constrained::unilateral::row_set::RowSet;

/// Largest angle that a row turns by in one iteration [rad].
const LARGEST_TURN: f64 = 0.5;

/// Turns the rows of friction at its limit into the direction in which they would slip without it, at mean velocities `y`,
/// `own` the responses of rows to their own impulses; contacts that act on each other turn by what `mixing` makes of
/// their angles. The largest angle that was asked for [rad].
pub(in crate::solve::constrained) fn turn_friction(
    set: &mut RowSet,
    own: &[f64],
    y: &[Vec3],
    mixing: &mut AndersonMixing,
) -> f64 {
    (0..set.rows.len()).for_each(|row| release_across(set, row));
    let found = (0..set.rows.len()).filter_map(|row| Some((row, angle(set, row, own, y)?)));
    let (rows, mut angles): (Vec<usize>, Vec<f64>) = found.unzip();
    let largest = angles.iter().fold(0f64, |most, angle| most.max(angle.abs()));
    if !mixing.is_of(angles.len()) {
        mixing.begin();
    }
    mixing.mix(&mut angles, &vec![1.0; rows.len()]);
    if angles.iter().any(|angle| angle.abs() > LARGEST_TURN) {
        angles.iter_mut().for_each(|it| *it = it.clamp(-LARGEST_TURN, LARGEST_TURN));
        mixing.begin();
    }
    for (row, angle) in rows.iter().zip(&angles) {
        turn_pair(set, *row, [angle.cos(), angle.sin()]);
    }
    largest
}

/// Angle from a row of friction at its limit, the first of its contact, to the slip without it [rad].
fn angle(set: &RowSet, row: usize, own: &[f64], y: &[Vec3]) -> Option<f64> {
    let partner = set.partner(row).filter(|&partner| partner > row && slides(set, row))?;
    let response = 0.5 * (own.get(row)? + own.get(partner)?);
    let slip = [row, partner].map(|it| {
        set.pattern.velocity(it, &set.values, y) - set.rows[it].target - response * set.impulses[it]
    });
    // A row that acts the other way round has no angle to turn by.
    (slip[0] > 0.0).then(|| slip[1].atan2(slip[0]))
}

/// True if friction of the contact of a row, the first of its two, is at its limit.
fn slides(set: &RowSet, row: usize) -> bool {
    let (Bound::Friction { normal, coefficient, .. }, Some(partner)) =
        (set.bounds[row], set.partner(row))
    else {
        return false;
    };
    let limit = coefficient * set.impulses[normal];
    let [z, across] = [row, partner].map(|it| set.impulses[it]);
    limit > 0.0 && z.hypot(across) >= (1.0 - SLIPPING) * limit
}

/// Takes the limit of the second row of a contact that slides, whose first row is `row`, and gives it back to one that sticks: the
/// second rows of several contacts would keep a body from turning as it slides.
fn release_across(set: &mut RowSet, row: usize) {
    let Some(second) = set.partner(row).filter(|&second| second > row) else { return };
    let Bound::Friction { normal, coefficient, .. } = set.bounds[row] else { return };
    let released = slides(set, row);
    let bound = |coefficient: f64, partner: usize| Bound::Friction {
        normal,
        coefficient,
        partner: (!released).then_some(partner),
    };
    set.bounds[row] = bound(coefficient, second);
    set.bounds[second] = bound(if released { 0.0 } else { coefficient }, row);
}

/// Turns row `row` and the next in their plane, by the angle of a cosine and a sine; their force stays.
fn turn_pair(set: &mut RowSet, row: usize, [c, s]: [f64; 2]) {
    let (first, second) = (set.pattern.entries(row), set.pattern.entries(row + 1));
    for (a, b) in first.zip(second) {
        let [va, vb] = [set.values[a], set.values[b]];
        (set.values[a], set.values[b]) = (va * c + vb * s, vb * c - va * s);
    }
    let [a, b] = [set.rows[row], set.rows[row + 1]];
    let turned = |of: fn(&Row) -> f64| (of(&a) * c + of(&b) * s, of(&b) * c - of(&a) * s);
    (set.rows[row].target, set.rows[row + 1].target) = turned(|it| it.target);
    (set.rows[row].before, set.rows[row + 1].before) = turned(|it| it.before);
    set.rows[row].direction = a.direction * c + b.direction * s;
    set.rows[row + 1].direction = b.direction * c - a.direction * s;
    let [z, across] = [row, row + 1].map(|it| set.impulses[it]);
    (set.impulses[row], set.impulses[row + 1]) = (z * c + across * s, across * c - z * s);
}
