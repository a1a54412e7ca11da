//! Friction at its limit against the slip itself: the two directions of a contact that slides turn, from iteration to
//! iteration of Newton's method, until the second has no force. The box of limits is Coulomb's law then, and the equations of
//! the step are closed, as derivatives of steps need (docs/theory/adjoint.md).

use crate::Vec3;
use crate::lcp::Bound;
use crate::solve::constrained::tuning::SLIPPING;
use crate::solve::constrained::unilateral::Unilateral;
use crate::solve::constrained::unilateral::row::Origin;
use crate::solve::constrained::unilateral::row_set::RowSet;

impl Unilateral {
    /// Turns the rows of friction at its limit into the direction in which they would slip without it, at mean velocities `y`;
    /// `own` are the responses of rows to their own impulses. The largest sine of an angle that one turned by.
    pub(in crate::solve::constrained) fn turn_friction(&mut self, own: &[f64], y: &[Vec3]) -> f64 {
        let Self { set, .. } = self;
        let mut largest = 0f64;
        for row in 0..set.rows.len() {
            let Bound::Friction { normal, coefficient, partner: Some(partner) } = set.bounds[row]
            else {
                continue;
            };
            let limit = coefficient * set.impulses[normal];
            let [z, across] = [row, partner].map(|it| set.impulses[it]);
            let slides = limit > 0.0 && z.hypot(across) >= (1.0 - SLIPPING) * limit;
            let first = partner == row + 1 && matches!(set.rows[row].origin, Origin::Tangent(_));
            if !(slides && first) {
                continue;
            }
            // Nothing turns where responses are not known.
            let response = [row, partner].map(|it| own.get(it).copied().unwrap_or(0.0));
            let response = 0.5 * (response[0] + response[1]);
            let slip = [row, partner].map(|it| {
                set.pattern.velocity(it, &set.values, y)
                    - set.rows[it].target
                    - response * set.impulses[it]
            });
            let size = slip[0].hypot(slip[1]);
            if size > 0.0 {
                set.turn_pair(row, [slip[0] / size, slip[1] / size]);
                largest = largest.max((slip[1] / size).abs());
            }
        }
        largest
    }
}

impl RowSet {
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
