//! Force effectors on a few rows: helpers, and claims about forces of one kind. What holds for
//! whole models is tested in `tests/contracts`.

mod bodies;
mod lines;
mod wrapped;

use std::ops::Range;

use nalgebra::DMatrix;

use super::{ForceEffector, JacobianScale, Kinematics, RowPartition, VelocityTerms};
use crate::linalg::{BLOCK, BlockPattern};
use crate::state::{LoadCase, Motion, State};
use crate::{Mat3, Vec3};

/// Factors for Jacobians by position and by velocity alone.
const BY_POSITION: JacobianScale = JacobianScale { position: 1.0, velocity: 0.0 };
const BY_VELOCITY: JacobianScale = JacobianScale { position: 0.0, velocity: 1.0 };

/// An effector bound to as many rows as it needs, cut into parts.
struct Bench<E> {
    effector: E,
    pattern: BlockPattern,
    partition: RowPartition,
}

impl<E: ForceEffector> Bench<E> {
    fn new(mut effector: E, rows: usize, parts: usize) -> Self {
        let pattern = BlockPattern::from_cliques(rows, |visit| effector.visit_cliques(visit));
        let partition = RowPartition::new(&pattern, parts);
        effector.bind(&pattern, &partition);
        Self { effector, pattern, partition }
    }

    fn forces(&self, kin: &Kinematics<'_>, velocity: VelocityTerms) -> Vec<Vec3> {
        let mut forces = vec![Vec3::zeros(); self.pattern.size()];
        for part in self.partition.parts() {
            let own = &mut forces[part.rows.start as usize..part.rows.end as usize];
            self.effector.add_forces(part, kin, velocity, own).unwrap();
        }
        forces
    }

    /// scale.position (-df/dq) + scale.velocity (-df/du), all of it.
    fn jacobian(&self, kin: &Kinematics<'_>, scale: JacobianScale) -> DMatrix<f64> {
        let mut values = vec![0.0; BLOCK * self.pattern.block_count()];
        for part in self.partition.parts() {
            let end = self.pattern.offsets()[part.rows.end as usize] as usize;
            let own = &mut values[BLOCK * part.first_slot..BLOCK * end];
            self.effector.add_jacobian(part, kin, scale, own).unwrap();
        }
        let mut dense = DMatrix::zeros(3 * self.pattern.size(), 3 * self.pattern.size());
        for row in 0..self.pattern.size() {
            for slot in self.pattern.row(row) {
                let block = Mat3::from_column_slice(&values[BLOCK * slot..BLOCK * (slot + 1)]);
                let column = self.pattern.columns()[slot] as usize;
                dense.fixed_view_mut::<3, 3>(3 * row, 3 * column).copy_from(&block);
            }
        }
        dense
    }
}

fn kinematics<'a>(q: &'a [Vec3], u: &'a [Vec3]) -> Kinematics<'a> {
    Kinematics { load: LoadCase::at(0.0), motion: Motion::at(q, u) }
}

/// Numbers between -1 and 1 that look random, the same every time.
fn scattered(range: Range<usize>) -> Vec<Vec3> {
    let at = |k: f64| Vec3::new((7.1 * k + 0.3).sin(), (5.3 * k + 1.1).sin(), (3.7 * k).cos());
    range.map(|k| at(k as f64)).collect()
}

/// -df/dx by central differences, where `forces` are those with scalar `k` moved by an amount.
fn differences(
    scalars: usize,
    step: f64,
    forces: impl Fn(usize, f64) -> Vec<Vec3>,
) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(scalars, scalars);
    for k in 0..scalars {
        let [low, high] = [-step, step].map(|d| forces(k, d));
        for (row, (low, high)) in low.iter().zip(&high).enumerate() {
            let slope = (low - high) / (2.0 * step);
            matrix.fixed_view_mut::<3, 1>(3 * row, k).copy_from(&slope);
        }
    }
    matrix
}

/// `x` with scalar `k` moved by `d`.
fn moved(x: &[Vec3], k: usize, d: f64) -> Vec<Vec3> {
    let mut x = x.to_vec();
    x[k / 3][k % 3] += d;
    x
}
