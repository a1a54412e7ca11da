//! Friction at its limit against the slip itself: the two directions of a contact that slides turn, from iteration to
//! iteration of Newton's method, until the second has no force. The box of limits is Coulomb's law then, and the equations of
//! the step are closed, as derivatives of steps need (docs/theory/adjoint.md).

use crate::Vec3;
use crate::lcp::Bound;
use crate::mixed::AndersonMixing;
use crate::solve::constrained::tuning::SLIPPING;
use crate::solve::constrained::unilateral::Unilateral;
use crate::solve::constrained::unilateral::row::Origin;
use crate::solve::constrained::unilateral::row_set::RowSet;

/// Largest angle that a row turns by in one iteration [rad].
const LARGEST_TURN: f64 = 0.5;

impl Unilateral {
    /// Turns the rows of friction at its limit into the direction in which they would slip without it, at mean velocities `y`,
    /// `own` the responses of rows to their own impulses; contacts that act on each other turn by what `mixing` makes of
    /// their angles. The largest angle that was asked for [rad].
    pub(in crate::solve::constrained) fn turn_friction(
        &mut self,
        own: &[f64],
        y: &[Vec3],
        mixing: &mut AndersonMixing,
    ) -> f64 {
        let Self { set, .. } = self;
        let found = (0..set.rows.len()).filter_map(|row| Some((row, set.angle(row, own, y)?)));
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
            set.turn_pair(*row, [angle.cos(), angle.sin()]);
        }
        largest
    }
}

impl RowSet {
    /// Angle from a row of friction at its limit, the first of its contact, to the slip without it [rad].
    fn angle(&self, row: usize, own: &[f64], y: &[Vec3]) -> Option<f64> {
        let Bound::Friction { normal, coefficient, partner: Some(partner) } = self.bounds[row]
        else {
            return None;
        };
        let limit = coefficient * self.impulses[normal];
        let [z, across] = [row, partner].map(|it| self.impulses[it]);
        let slides = limit > 0.0 && z.hypot(across) >= (1.0 - SLIPPING) * limit;
        let first = partner == row + 1 && matches!(self.rows[row].origin, Origin::Tangent(_));
        let response = 0.5 * (own.get(row)? + own.get(partner)?);
        let slip = [row, partner].map(|it| {
            self.pattern.velocity(it, &self.values, y)
                - self.rows[it].target
                - response * self.impulses[it]
        });
        // A row that acts the other way round has no angle to turn by.
        (slides && first && slip[0] > 0.0).then(|| slip[1].atan2(slip[0]))
    }

    /// Turns row `row` and the next in their plane, by the angle of a cosine and a sine; their force stays.
    fn turn_pair(&mut self, row: usize, [c, s]: [f64; 2]) {
        let (first, second) = (self.pattern.entries(row), self.pattern.entries(row + 1));
        for (a, b) in first.zip(second) {
            let [va, vb] = [self.values[a], self.values[b]];
            (self.values[a], self.values[b]) = (va * c + vb * s, vb * c - va * s);
        }
        let [a, b] = [self.rows[row], self.rows[row + 1]];
        let turned = |of: fn(&crate::solve::constrained::unilateral::row::Row) -> f64| {
            (of(&a) * c + of(&b) * s, of(&b) * c - of(&a) * s)
        };
        (self.rows[row].target, self.rows[row + 1].target) = turned(|it| it.target);
        (self.rows[row].before, self.rows[row + 1].before) = turned(|it| it.before);
        self.rows[row].direction = a.direction * c + b.direction * s;
        self.rows[row + 1].direction = b.direction * c - a.direction * s;
        let [z, across] = [row, row + 1].map(|it| self.impulses[it]);
        (self.impulses[row], self.impulses[row + 1]) = (z * c + across * s, across * c - z * s);
    }
}
