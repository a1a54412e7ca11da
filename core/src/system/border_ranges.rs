//! Ends of ranges and other unilateral rows at the border of tissue in a step of backward Euler: linear about the start of the step, as in a step of
//! the CPU (docs/theory/unilateral.md).

use super::border_vectors::RowVectors;
use super::{CompiledModel, Multibody};
use crate::Vec3;
use crate::attachment::Attachments;
use crate::constraint::{OVERLAP_SLACK, Placement, RANGE_TOLERANCE, UnilateralRows};
use crate::contact::ContactLaw;

/// Impulses of the impacts at the start of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowImpacts {
    /// On ranges and other unilateral rows of joints [N s], [N m s]; none without impacts.
    pub ranges: Vec<f64>,
    /// On bilateral rows [N s], [N m s]; none without impacts.
    pub multipliers: Vec<f64>,
}

/// The rows, and their state in the step under way.
pub(super) struct BorderRanges {
    pub(super) vectors: RowVectors,
    /// True for those that may be reached.
    near: Vec<bool>,
    /// Velocities that are not to be fallen short of [m/s], [rad/s].
    targets: Vec<f64>,
    /// Velocities per impulse that compliance adds [1/kg].
    pub(super) compliance: Vec<f64>,
    /// Impulses on the rows [N s].
    pub(super) impulses: Vec<f64>,
    /// Velocities of the rows beyond their targets, compliance and impulses included.
    pub(super) excess: Vec<f64>,
    /// Largest overlap of a rigid row at the end of the iterate [m], [rad].
    depth: f64,
    /// True if one is struck in the step that springs back.
    pub(super) springs_back: bool,
}

impl BorderRanges {
    pub(super) fn new(system: &CompiledModel, multibody: &Multibody) -> Self {
        let rows = &multibody.joints.unilateral;
        let zeros = || vec![0.0; rows.count()];
        Self {
            vectors: RowVectors::new(rows.lists(), system.block_count(), multibody),
            near: vec![false; rows.count()],
            targets: zeros(),
            compliance: zeros(),
            impulses: zeros(),
            excess: zeros(),
            depth: 0.0,
            springs_back: false,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.near.len()
    }

    /// True if a row may be reached in the step under way.
    pub(super) fn is_near(&self, row: usize) -> bool {
        self.near[row]
    }

    /// Begins a step of `h` [s] at a placement with velocities `u`; `forces` are those of the last step.
    pub(super) fn begin(
        &mut self,
        rows: &UnilateralRows,
        (at, attachments): (Placement<'_>, &Attachments),
        (u, h): (&[Vec3], f64),
        forces: &[f64],
    ) {
        let mut reader = rows.at(at);
        let gaps: Vec<f64> = (0..self.count())
            .map(|row| {
                reader.coefficients(row, self.vectors.of_carriers_mut(row));
                reader.value(row)
            })
            .collect();
        self.vectors.reduce(attachments);
        self.springs_back = false;
        for (row, gap) in gaps.into_iter().enumerate() {
            let before = self.vectors.velocity(row, u);
            self.springs_back |= springs_back(rows, row, [gap, before, h]);
            self.near[row] = UnilateralRows::is_near(gap, before, h);
            (self.targets[row], self.compliance[row]) =
                rows.compliance(row).target(gap, before, (h, 1.0));
            let force = forces.get(row).copied().unwrap_or(0.0);
            self.impulses[row] = if self.near[row] { force * h } else { 0.0 };
        }
    }

    /// Mean velocities of rows beyond their targets, and their overlaps at the end of the iterate.
    pub(super) fn update(
        &mut self,
        rows: &UnilateralRows,
        end: Placement<'_>,
        velocities: &[Vec3],
    ) {
        let mut reader = rows.at(end);
        self.depth = 0.0;
        for row in 0..self.count() {
            let pushed = self.compliance[row] * self.impulses[row];
            self.excess[row] = self.vectors.velocity(row, velocities) - self.targets[row] + pushed;
            if rows.compliance(row).compliance == 0.0 {
                self.depth = self.depth.max(-reader.value(row));
            }
        }
    }

    /// Largest error in a step of `h` [s]: how far impulses are from those that rows ask for, as displacements by the responses of rows
    /// to themselves [1/kg].
    pub(super) fn error(&self, h: f64, own: impl Fn(usize) -> f64) -> f64 {
        let of = |row: usize| {
            let (own, z) = (own(row), self.impulses[row]);
            ((z - self.excess[row] / own).max(0.0) - z).abs() * own * h
        };
        let errors = (0..self.count()).filter(|&row| self.near[row]).map(of);
        // A maximum that keeps what is not a number.
        errors.fold(0.0, |most, error| if error <= most { most } else { error })
    }

    /// True if a rigid row is passed by more than is left as it is.
    pub(super) fn is_passed(&self) -> bool {
        self.depth > RANGE_TOLERANCE * (1.0 + OVERLAP_SLACK)
    }
}

/// True if a rigid row is struck in a step of `h` [s], from this gap [m], [rad] and at this rate, so fast that it springs back.
fn springs_back(rows: &UnilateralRows, row: usize, [gap, before, h]: [f64; 3]) -> bool {
    let threshold = ContactLaw::default().restitution_threshold;
    let is_rigid = rows.compliance(row).compliance == 0.0;
    is_rigid && rows.restitution(row) > 0.0 && gap + h * before <= 0.0 && before < -threshold
}
