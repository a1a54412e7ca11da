//! The rows of a step with their impulses: limits, velocities above targets, forces.

use crate::Vec3;
use crate::contact::ContactPoint;
use crate::lcp::{ActiveSetStatus, Bound};
use crate::linalg::kkt::ConstraintPattern;
use crate::mixed::{UnilateralRows, limits};
use crate::solve::constrained::tuning::IMPACT;
use crate::solve::constrained::unilateral::row::{Origin, Row};
use crate::system::ContactForce;

/// Rows, the vectors along which they act, and their impulses.
pub(in crate::solve) struct RowSet {
    pub(super) rows: Vec<Row>,
    pub(super) bounds: Vec<Bound>,
    pub(super) pattern: ConstraintPattern,
    /// Vectors of the rows, and the same with those of rotations in the frame half way.
    pub(super) values: Vec<Vec3>,
    pub(super) half: Vec<Vec3>,
    /// Work space of one row.
    pub(super) vectors: Vec<Vec3>,
    /// Impulses times the weight of the end of the step, and those before an iteration.
    pub(super) impulses: Vec<f64>,
    pub(super) before: Vec<f64>,
    pub(super) statuses: Vec<ActiveSetStatus>,
    /// Work space of an iteration: what is asked of corrections, and compliances.
    targets: Vec<f64>,
    compliances: Vec<f64>,
    /// Bodies that a row of this step acts on.
    pub(super) touched: Vec<bool>,
}

impl RowSet {
    /// No rows, of so many bodies.
    pub(in crate::solve) fn new(bodies: usize) -> Self {
        Self {
            rows: Vec::new(),
            bounds: Vec::new(),
            pattern: ConstraintPattern::default(),
            values: Vec::new(),
            half: Vec::new(),
            vectors: Vec::new(),
            impulses: Vec::new(),
            before: Vec::new(),
            statuses: Vec::new(),
            targets: Vec::new(),
            compliances: Vec::new(),
            touched: vec![false; bodies],
        }
    }

    /// The rows about mean velocities `y` [m/s], with impulses as they are now as the start, and where impulses and
    /// sets are written. Vectors are those in the frame half way.
    pub(in crate::solve) fn state_about(
        &mut self,
        y: &[Vec3],
        tolerance: f64,
    ) -> (UnilateralRows<'_>, &mut [f64], &mut [ActiveSetStatus]) {
        self.targets.clear();
        self.compliances.clear();
        for (number, row) in self.rows.iter().enumerate() {
            self.targets.push(row.target - self.pattern.velocity(number, &self.values, y));
            self.compliances.push(row.compliance);
        }
        self.before.clear();
        self.before.extend_from_slice(&self.impulses);
        let rows = UnilateralRows {
            pattern: &self.pattern,
            values: &self.half,
            compliance: &self.compliances,
            target: &self.targets,
            bounds: &self.bounds,
            start: &self.before,
            tolerance,
        };
        (rows, &mut self.impulses, &mut self.statuses)
    }

    /// The other of the two rows across the normal of a contact, after or before a row of friction that slips.
    pub(in crate::solve) fn partner(&self, row: usize) -> Option<usize> {
        let of = |row: usize| self.rows.get(row).map(|it| it.origin);
        let same =
            |other: &usize| matches!(of(row), Some(Origin::Tangent(_))) && of(*other) == of(row);
        Some(row + 1).filter(same).or_else(|| row.checked_sub(1).filter(same))
    }

    /// Least and largest impulse of a row.
    pub(in crate::solve) fn limits(&self, row: usize) -> [f64; 2] {
        limits(&self.bounds[row], &self.impulses)
    }

    /// Takes the impulses, less those of adhesion, off what is left of the momentum balance.
    pub(in crate::solve) fn push(&self, residual: &mut [Vec3], lengths: &[f64], scale: &mut f64) {
        let impulses = self.impulses.iter().zip(&self.rows).map(|(z, row)| z - row.pull);
        for (row, impulse) in impulses.enumerate().filter(|(_, z)| *z != 0.0) {
            for entry in self.pattern.entries(row) {
                let block = self.pattern.blocks()[entry] as usize;
                let push = self.values[entry] * impulse;
                residual[block] -= push;
                *scale = scale.max(push.norm() / lengths[block]);
            }
        }
    }

    /// Adds the impulses of all rows, less those of adhesion, to `right` [N s].
    pub(super) fn add_to(&self, right: &mut [Vec3]) {
        self.pattern.add_transposed(&self.values, &self.impulses, right);
        for (row, pull) in self.rows.iter().map(|row| row.pull).enumerate() {
            for entry in self.pattern.entries(row).filter(|_| pull > 0.0) {
                right[self.pattern.blocks()[entry] as usize] -= self.values[entry] * pull;
            }
        }
    }

    /// Impulses times the weight of the end of the step [N s].
    pub(in crate::solve) fn impulses(&self) -> &[f64] {
        &self.impulses
    }

    /// Number of rows.
    pub(in crate::solve) fn count(&self) -> usize {
        self.rows.len()
    }

    /// True if a row of this step acts on the rotation of a body.
    pub(in crate::solve) fn touches(&self, body: usize) -> bool {
        self.touched[body]
    }

    /// True if an active row was approached by more than [`IMPACT`] in a step of `h`.
    pub(in crate::solve) fn impact(&self, h: f64) -> bool {
        let is_active = |(row, z): (&Row, &f64)| {
            let struck = *z > 0.0 && row.before * h < -IMPACT;
            // A soft row gives back what it takes.
            struck
                && row.compliance == 0.0
                && !matches!(row.origin, Origin::Tangent(_) | Origin::Rolling)
        };
        self.rows.iter().zip(&self.impulses).any(is_active)
    }

    /// Mean forces of the contacts that push or pull among those found, sorted, and of ends of ranges, whose impulses act for
    /// `h` [s].
    pub(super) fn write_forces(
        &self,
        found: &[ContactPoint],
        (contacts, ranges): (&mut Vec<ContactForce>, &mut [f64]),
        h: f64,
    ) {
        contacts.clear();
        for (row, z) in self.rows.iter().zip(&self.impulses) {
            match row.origin {
                Origin::Range(number) => ranges[number as usize] = z / h,
                Origin::Normal(number) if row.acts(*z) => {
                    let ContactPoint { pair, a, key, point_a, point_b, normal, gap, .. } =
                        found[number as usize];
                    let point = (point_a + point_b) * 0.5;
                    let force = normal * ((z - row.pull) / h);
                    contacts.push(ContactForce { pair, a, key, point, normal, gap, force });
                }
                Origin::Normal(_) | Origin::Tangent(_) | Origin::Rolling => {}
            }
        }
        for (row, z) in self.rows.iter().zip(&self.impulses) {
            if let Origin::Tangent(number) = row.origin {
                let contact = &found[number as usize];
                let identity = (contact.pair, contact.a, contact.key);
                let by = |force: &ContactForce| (force.pair, force.a, force.key).cmp(&identity);
                if let Ok(place) = contacts.binary_search_by(by) {
                    contacts[place].force += row.direction * (z / h);
                }
            }
        }
    }

    /// Appends the changes of the forces that [`Self::write_forces`] writes, by changes of the impulses of the rows, which act
    /// for `h` [s]: one a contact that is written, among those found [N].
    pub(in crate::solve) fn add_force_changes(
        &self,
        found: &[ContactPoint],
        changes: &[f64],
        h: f64,
        forces: &mut Vec<Vec3>,
    ) {
        let first = forces.len();
        let mut numbers = Vec::new();
        let rows = || self.rows.iter().zip(&self.impulses).zip(changes);
        for ((row, impulse), change) in rows() {
            if let Origin::Normal(number) = row.origin
                && row.acts(*impulse)
            {
                numbers.push(number);
                forces.push(found[number as usize].normal * (change / h));
            }
        }
        for ((row, _), change) in rows() {
            if let Origin::Tangent(number) = row.origin
                && let Some(place) = numbers.iter().position(|it| *it == number)
            {
                forces[first + place] += row.direction * (change / h);
            }
        }
    }

    /// All contacts, those that push first and in the order of [`Self::write_forces`], with the changes of their forces by
    /// changes of the impulses of the rows, which act for `h` [s].
    pub(in crate::solve) fn force_changes(
        &self,
        found: &[ContactPoint],
        changes: &[f64],
        h: f64,
    ) -> Vec<ContactForce> {
        let normals = |acts: bool| {
            let rows = self.rows.iter().zip(&self.impulses).zip(changes);
            rows.filter_map(move |((row, impulse), change)| match row.origin {
                Origin::Normal(number) if row.acts(*impulse) == acts => Some((number, *change)),
                _ => None,
            })
        };
        let mut numbers = Vec::new();
        let mut forces = Vec::new();
        for (number, change) in normals(true).chain(normals(false)) {
            let ContactPoint { pair, a, key, point_a, point_b, normal, gap, .. } =
                found[number as usize];
            let (point, force) = ((point_a + point_b) * 0.5, normal * (change / h));
            numbers.push(number);
            forces.push(ContactForce { pair, a, key, point, normal, gap, force });
        }
        for (row, change) in self.rows.iter().zip(changes).filter(|(_, change)| **change != 0.0) {
            if let Origin::Tangent(number) = row.origin
                && let Some(place) = numbers.iter().position(|it| *it == number)
            {
                forces[place].force += row.direction * (change / h);
            }
        }
        forces
    }

    /// Appends the velocities of all rows at velocities `u` [m/s], in the frames of the start.
    pub(in crate::solve) fn add_rates(&self, u: &[Vec3], rates: &mut Vec<f64>) {
        let rate = |row: usize| self.pattern.velocity(row, &self.values, u);
        rates.extend((0..self.rows.len()).map(rate));
    }
}
