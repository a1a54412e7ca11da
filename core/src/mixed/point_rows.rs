//! Active rows that act on a single block row each, as those of points of tissue on something fixed: they take motions of
//! that block row away, like an attachment does, and ask for nothing else of a solver.

use crate::lcp::ActiveSetStatus;
use crate::linalg::{BLOCK, BlockMatrix};
use crate::mixed::{MixedProblem, UnilateralRows};
use crate::{Mat3, Vec3};

/// A vector that keeps less than this share of its length across those before it adds no direction [-].
const DEPENDENT: f64 = 1e-6;

/// The active rows of all block rows that such rows act on.
#[derive(Default)]
pub(super) struct PointRows {
    /// Block row, unilateral row and its entry, sorted; the same of the problem before; where the rows of each block row
    /// begin.
    members: Vec<[u32; 3]>,
    before: Vec<[u32; 3]>,
    groups: Vec<u32>,
    /// Motions taken away, one a group.
    bases: Vec<PointBasis>,
    /// Projection of each block row of the system onto its remaining motions.
    projections: Vec<Mat3>,
    /// Block rows whose motions were other ones before the last update.
    changed: Vec<u32>,
    /// True for unilateral rows that are eliminated.
    eliminated: Vec<bool>,
    /// True if the rows are others than at the last update.
    is_new: bool,
}

/// The directions of the active rows of a block row, orthonormal, and how its rows are made of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PointBasis {
    rank: usize,
    rows: [u32; 3],
    directions: [Vec3; 3],
    /// Row k is the sum of `lower[k][j]` times direction j, up to k.
    lower: [[f64; 3]; 3],
}

impl PointRows {
    /// Takes the rows of a problem without the scalars that are `fixed`; all of them are inactive where they are others
    /// than before.
    pub(super) fn adapt(&mut self, rows: &UnilateralRows, fixed: &[[bool; 3]]) {
        self.eliminated.clear();
        self.eliminated.resize(rows.count(), false);
        std::mem::swap(&mut self.members, &mut self.before);
        self.members.clear();
        for row in 0..rows.count() {
            if let Some(entry) = free_entry(rows, row, fixed) {
                self.members.push([rows.pattern.blocks()[entry], row as u32, entry as u32]);
            }
        }
        self.members.sort_unstable();
        if self.members == self.before && self.projections.len() == fixed.len() {
            return;
        }
        self.groups.clear();
        for (k, member) in self.members.iter().enumerate() {
            if k == 0 || self.members[k - 1][0] != member[0] {
                self.groups.push(k as u32);
            }
        }
        self.groups.push(self.members.len() as u32);
        self.bases.clear();
        self.bases.resize(self.groups.len() - 1, PointBasis::default());
        self.projections.clear();
        self.projections.resize(fixed.len(), Mat3::identity());
        self.is_new = true;
    }

    /// Takes the motions of the rows that are active in `statuses` away from the scalars that are not `fixed`.
    pub(super) fn update(
        &mut self,
        rows: &UnilateralRows,
        statuses: &[ActiveSetStatus],
        fixed: &[[bool; 3]],
    ) {
        self.changed.clear();
        self.eliminated.fill(false);
        for (group, basis) in self.bases.iter_mut().enumerate() {
            let members =
                &self.members[self.groups[group] as usize..self.groups[group + 1] as usize];
            let block = members[0][0] as usize;
            let mut next = PointBasis::default();
            for &[_, row, entry] in members {
                if statuses[row as usize] == ActiveSetStatus::Basic
                    && next.add(row, rows.values[entry as usize], fixed[block])
                {
                    self.eliminated[row as usize] = true;
                }
            }
            if next != *basis {
                *basis = next;
                self.projections[block] = next.projection();
                self.changed.push(block as u32);
            }
        }
    }

    /// Number of block rows that rows act on.
    pub(super) fn count(&self) -> usize {
        self.bases.len()
    }

    /// Block rows whose motions the last update changed.
    pub(super) fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// Block rows whose motions are restricted.
    pub(super) fn restricted(&self) -> impl Iterator<Item = u32> {
        let bases = self.blocks().zip(&self.bases);
        bases.filter(|(_, basis)| basis.rank > 0).map(|(block, _)| block as u32)
    }

    /// True if the rows are others than at the last call.
    pub(super) fn take_news(&mut self) -> bool {
        std::mem::replace(&mut self.is_new, false)
    }

    /// Projections onto the remaining motions, one a block row of the system.
    pub(super) fn projections(&self) -> &[Mat3] {
        &self.projections
    }

    /// True if a row is active and its motion is eliminated.
    pub(super) fn is_eliminated(&self, row: usize) -> bool {
        self.eliminated[row]
    }

    /// Takes the motions away from `v`.
    pub(super) fn project(&self, v: &mut [Vec3]) {
        for block in self.blocks() {
            v[block] = self.projections[block] * v[block];
        }
    }

    /// Sets the motions taken away so that the active rows meet their targets.
    pub(super) fn set_velocities(&self, rows: &UnilateralRows, u: &mut [Vec3]) {
        for (block, basis) in self.blocks().zip(&self.bases) {
            u[block] = self.projections[block] * u[block] + basis.velocity(rows.target);
        }
    }

    /// Impulses of the active rows that push by what is `left` of the balance of their block rows, into `z`.
    pub(super) fn set_impulses(&self, rows: &UnilateralRows, left: &[Vec3], z: &mut [f64]) {
        for (block, basis) in self.blocks().zip(&self.bases) {
            let changes = basis.impulses(&-left[block]);
            for k in 0..basis.rank {
                let row = basis.rows[k] as usize;
                z[row] = rows.start[row] + changes[k];
            }
        }
    }

    fn blocks(&self) -> impl Iterator<Item = usize> {
        let firsts = self.groups[..self.bases.len()].iter();
        firsts.map(|&first| self.members[first as usize][0] as usize)
    }

    /// Brings `matrix` = T S T, with the mean diagonal of S along what T takes away, up to the motions of `block`.
    pub(super) fn update_matrix(
        &self,
        problem: &MixedProblem,
        block: u32,
        matrix: &mut BlockMatrix,
    ) {
        let (s, row) = (problem.s, block as usize);
        let pattern = s.pattern();
        let own = &self.projections[row];
        for slot in pattern.row(row) {
            let column = pattern.columns()[slot];
            let mut value = own * s.block(slot) * self.projections[column as usize];
            if column == block {
                let mean = s.block(slot).trace() / 3.0;
                value += (Mat3::identity() - own) * mean;
            }
            set_block(matrix, slot, &value);
            let mirror = pattern.slot(column, block).expect("patterns are symmetric");
            set_block(matrix, mirror as usize, &value.transpose());
        }
    }
}

impl PointBasis {
    /// Takes the direction of a row; whether it has one of its own.
    fn add(&mut self, row: u32, mut vector: Vec3, fixed: [bool; 3]) -> bool {
        (0..3).filter(|&axis| fixed[axis]).for_each(|axis| vector[axis] = 0.0);
        if self.rank == 3 {
            return false;
        }
        let (k, length) = (self.rank, vector.norm());
        let mut parts = [0.0; 3];
        // Twice, so that what is left is across the others to rounding.
        for _ in 0..2 {
            for j in 0..k {
                let part = vector.dot(&self.directions[j]);
                parts[j] += part;
                vector -= self.directions[j] * part;
            }
        }
        let rest = vector.norm();
        if rest <= DEPENDENT * length {
            return false;
        }
        parts[k] = rest;
        (self.rows[k], self.directions[k], self.lower[k]) = (row, vector / rest, parts);
        self.rank += 1;
        true
    }

    fn projection(&self) -> Mat3 {
        let along = |d: &Vec3| d * d.transpose();
        let taken: Mat3 = self.directions[..self.rank].iter().map(along).sum();
        Mat3::identity() - taken
    }

    /// The motion within the directions at which rows move by their `targets`.
    fn velocity(&self, targets: &[f64]) -> Vec3 {
        let (mut shares, mut velocity) = ([0.0; 3], Vec3::zeros());
        for k in 0..self.rank {
            let known: f64 = (0..k).map(|j| self.lower[k][j] * shares[j]).sum();
            shares[k] = (targets[self.rows[k] as usize] - known) / self.lower[k][k];
            velocity += self.directions[k] * shares[k];
        }
        velocity
    }

    /// The impulses of the rows that push together by `push`.
    fn impulses(&self, push: &Vec3) -> [f64; 3] {
        let mut impulses = [0.0; 3];
        for k in (0..self.rank).rev() {
            let known: f64 = (k + 1..self.rank).map(|i| self.lower[i][k] * impulses[i]).sum();
            impulses[k] = (push.dot(&self.directions[k]) - known) / self.lower[k][k];
        }
        impulses
    }
}

/// The entry of a row on the only block row that it acts on, of those with scalars that are not `fixed`; none for several,
/// or a row with compliance.
pub(crate) fn free_entry(rows: &UnilateralRows, row: usize, fixed: &[[bool; 3]]) -> Option<usize> {
    let is_free = |&entry: &usize| fixed[rows.pattern.blocks()[entry] as usize] != [true; 3];
    let mut entries = rows.pattern.entries(row).filter(is_free);
    let first = entries.next().filter(|_| rows.compliance[row] == 0.0)?;
    entries.next().is_none().then_some(first)
}

fn set_block(matrix: &mut BlockMatrix, slot: usize, value: &Mat3) {
    matrix.values_mut()[BLOCK * slot..BLOCK * slot + BLOCK].copy_from_slice(value.as_slice());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_basis_gives_its_rows_their_velocities_and_finds_their_impulses() {
        let rows = [Vec3::new(1.0, 2.0, 0.5), Vec3::new(0.0, 1.0, -1.0), Vec3::new(1.0, 3.0, -0.5)];
        let mut basis = PointBasis::default();
        assert_eq!(
            [0, 1, 2].map(|k| basis.add(k as u32, rows[k], [false; 3])),
            [true, true, false]
        );
        let targets = [0.3, -0.7, 9.0];
        let velocity = basis.velocity(&targets);
        for k in 0..2 {
            assert!((rows[k].dot(&velocity) - targets[k]).abs() < 1e-14, "row {k}");
        }
        assert!((basis.projection() * velocity).norm() < 1e-14);
        let push = rows[0] * 2.0 - rows[1] * 3.0;
        let impulses = basis.impulses(&push);
        assert!(
            (impulses[0] - 2.0).abs() < 1e-13 && (impulses[1] + 3.0).abs() < 1e-13,
            "{impulses:?}"
        );
    }

    #[test]
    fn fixed_scalars_take_no_part() {
        let mut basis = PointBasis::default();
        assert!(!basis.add(0, Vec3::x(), [true, false, false]));
        assert!(basis.add(1, Vec3::new(1.0, 1.0, 0.0), [true, false, false]));
        assert_eq!(basis.directions[0], Vec3::y());
    }
}
