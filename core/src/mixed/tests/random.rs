//! Random mixed problems: a chain of block rows with couplings, joints, and contacts with friction.

use std::sync::Arc;

use crate::lcp::{ActiveSetStatus, Bound, FrictionModel};
use crate::linalg::kkt::ConstraintPattern;
use crate::linalg::{BlockMatrix, BlockPattern, add_block};
use crate::mixed::{
    Accuracy, BilateralRows, MixedError, MixedOutcome, MixedProblem, MixedSettings, MixedSolution,
    MixedSolver, UnilateralRows,
};
use crate::{Mat3, Vec3};

/// Recipe of a random problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe {
    pub(super) seed: u64,
    pub(super) size: usize,
    pub(super) joints: usize,
    pub(super) contacts: usize,
    pub(super) friction: f64,
    /// True if the last joint and the last contact stand twice.
    pub(super) redundant: bool,
    /// Largest compliance of a contact [1/kg].
    pub(super) compliance: f64,
    /// True if each contact acts on one block row alone.
    pub(super) of_points: bool,
}

/// All arrays of a problem.
pub(super) struct Arrays {
    pub(super) s: BlockMatrix,
    pub(super) fixed: Vec<[bool; 3]>,
    pub(super) b: Vec<Vec3>,
    pub(super) inertia: Vec<Vec3>,
    pub(super) positions: Vec<Vec3>,
    pub(super) rows: ConstraintPattern,
    pub(super) g: Vec<Vec3>,
    pub(super) r: Vec<f64>,
    pub(super) b_g: Vec<f64>,
    pub(super) pattern: ConstraintPattern,
    pub(super) n: Vec<Vec3>,
    pub(super) c: Vec<f64>,
    pub(super) d: Vec<f64>,
    pub(super) bounds: Vec<Bound>,
    pub(super) start: Vec<f64>,
}

/// Numbers in [-1, 1] (xorshift*, Vigna2016).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        bits as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.next())
    }

    /// A velocity that a row with fixed scalars allows.
    fn free_vector(&mut self, fixed: [bool; 3]) -> Vec3 {
        Vec3::from_fn(|axis, _| match fixed[axis] {
            true => 0.0,
            false => self.next(),
        })
    }

    fn below(&mut self, count: usize) -> u32 {
        ((self.next() + 1.0) * 0.5 * count as f64) as u32 % count as u32
    }
}

impl Arrays {
    pub(super) fn new(recipe: Recipe) -> Self {
        let mut numbers = Numbers(recipe.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            numbers.next();
        }
        let size = recipe.size;
        let joints: Vec<[u32; 2]> =
            (0..recipe.joints).map(|k| ends(&mut numbers, size, k)).collect();
        let pattern = BlockPattern::from_cliques(size, |visit| {
            (1..size as u32).for_each(|i| visit(&[i - 1, i]));
            joints.iter().for_each(|ends| visit(ends));
        });
        let fixed: Vec<[bool; 3]> =
            (0..size).map(|row| [row == 0, false, row == size - 1]).collect();
        let allowed: Vec<Vec3> = fixed.iter().map(|it| numbers.free_vector(*it)).collect();
        let mut own = Self::without_rows(Arc::new(pattern), fixed, &mut numbers);
        joints.iter().for_each(|&ends| own.add_joint(ends, &allowed, &mut numbers));
        if recipe.redundant && recipe.joints > 0 {
            own.repeat_joint(joints[recipe.joints - 1]);
        }
        for _ in 0..recipe.contacts {
            own.add_contact(recipe, &allowed, &mut numbers);
        }
        own.start = vec![0.0; own.bounds.len()];
        own
    }

    /// Blocks and right sides, without rows.
    fn without_rows(
        pattern: Arc<BlockPattern>,
        fixed: Vec<[bool; 3]>,
        numbers: &mut Numbers,
    ) -> Self {
        let size = pattern.size();
        Self {
            s: matrix(pattern, numbers),
            fixed,
            b: (0..size).map(|_| numbers.vector()).collect(),
            inertia: vec![Vec3::repeat(0.1); size],
            positions: (0..size).map(|i| Vec3::new(i as f64, 0.0, 0.0)).collect(),
            rows: ConstraintPattern::default(),
            g: Vec::new(),
            r: Vec::new(),
            b_g: Vec::new(),
            pattern: ConstraintPattern::default(),
            n: Vec::new(),
            c: Vec::new(),
            d: Vec::new(),
            bounds: Vec::new(),
            start: Vec::new(),
        }
    }

    fn add_joint(&mut self, ends: [u32; 2], allowed: &[Vec3], numbers: &mut Numbers) {
        for end in ends {
            self.rows.push_entry(end);
            self.g.push(numbers.vector());
        }
        self.rows.end_row();
        self.r.push(if numbers.next() > 0.5 { 0.3 } else { 0.0 });
        self.b_g.push(self.rows.velocity(self.r.len() - 1, &self.g, allowed));
    }

    /// The last joint once more, at twice the length.
    fn repeat_joint(&mut self, ends: [u32; 2]) {
        let row = self.rows.count() - 1;
        for (entry, end) in self.rows.entries(row).zip(ends) {
            self.rows.push_entry(end);
            self.g.push(self.g[entry] * 2.0);
        }
        self.rows.end_row();
        let both = [self.r[row], self.b_g[row]];
        // Compliant rows are never redundant.
        self.r[row] = 0.0;
        self.r.push(0.0);
        self.b_g.push(2.0 * both[1]);
    }

    /// A contact of one block row, or of two, with two rows of friction; the same again where contacts are redundant.
    fn add_contact(&mut self, recipe: Recipe, allowed: &[Vec3], numbers: &mut Numbers) {
        let normal = numbers.vector().normalize();
        let first = normal.cross(&numbers.vector()).normalize();
        let (a, b) = (numbers.below(recipe.size), numbers.below(recipe.size));
        let blocks: &[u32] = if a == b || recipe.of_points { &[a] } else { &[a, b] };
        let compliance = recipe.compliance * (0.5 + 0.5 * numbers.next());
        let room = 0.5 + 0.5 * numbers.next();
        for _ in 0..1 + usize::from(recipe.redundant) {
            let row = self.bounds.len();
            for (k, direction) in [normal, first, normal.cross(&first)].into_iter().enumerate() {
                if k > 0 && recipe.friction == 0.0 {
                    continue;
                }
                for (&block, sign) in blocks.iter().zip([1.0, -1.0]) {
                    self.pattern.push_entry(block);
                    self.n.push(direction * sign);
                }
                self.pattern.end_row();
                self.c.push(if k == 0 { compliance } else { 0.0 });
                let velocity = self.pattern.velocity(self.d.len(), &self.n, allowed);
                self.d.push(if k == 0 { velocity - room } else { 0.0 });
                self.bounds.push(match k {
                    0 => Bound::Unilateral,
                    _ => Bound::Friction {
                        normal: row,
                        coefficient: recipe.friction,
                        partner: Some(row + 3 - k),
                    },
                });
            }
        }
    }

    pub(super) fn problem(&self) -> MixedProblem<'_> {
        MixedProblem {
            s: &self.s,
            b: &self.b,
            inertia: &self.inertia,
            positions: &self.positions,
            bilateral: BilateralRows {
                values: &self.g,
                end_values: None,
                compliance: &self.r,
                target: &self.b_g,
            },
            unilateral: UnilateralRows {
                pattern: &self.pattern,
                values: &self.n,
                compliance: &self.c,
                target: &self.d,
                bounds: &self.bounds,
                start: &self.start,
                tolerance: 0.0,
            },
            friction: FrictionModel::Box,
            accuracy: Accuracy::Refined,
        }
    }

    pub(super) fn solver(&self, settings: &MixedSettings) -> MixedSolver {
        MixedSolver::new(self.s.pattern(), &self.fixed, &self.rows, &[], settings).unwrap()
    }
}

/// A solution with its arrays.
#[derive(Debug)]
pub(super) struct Solution {
    pub(super) u: Vec<Vec3>,
    pub(super) lambda: Vec<f64>,
    pub(super) z: Vec<f64>,
    pub(super) statuses: Vec<ActiveSetStatus>,
    pub(super) outcome: MixedOutcome,
}

impl Solution {
    /// Nothing is known.
    pub(super) fn guess(arrays: &Arrays) -> Self {
        Self {
            u: vec![Vec3::zeros(); arrays.b.len()],
            lambda: vec![0.0; arrays.r.len()],
            z: vec![0.0; arrays.bounds.len()],
            statuses: vec![ActiveSetStatus::Lower; arrays.bounds.len()],
            outcome: MixedOutcome::default(),
        }
    }

    pub(super) fn improve(
        &mut self,
        solver: &mut MixedSolver,
        problem: &MixedProblem,
    ) -> Result<(), MixedError> {
        let Self { u, lambda, z, statuses, outcome } = self;
        solver.solve(problem, &mut MixedSolution { u, lambda, z, statuses }, outcome)
    }
}

fn ends(numbers: &mut Numbers, size: usize, k: usize) -> [u32; 2] {
    let first = numbers.below(size);
    [first, (first + 1 + (k as u32 % (size as u32 - 1))) % size as u32]
}

/// Symmetric and positive definite by its diagonal.
fn matrix(pattern: Arc<BlockPattern>, numbers: &mut Numbers) -> BlockMatrix {
    let mut matrix = BlockMatrix::zeros(pattern.clone());
    for row in 0..pattern.size() {
        for slot in pattern.row(row).filter(|&slot| pattern.columns()[slot] > row as u32) {
            let column = pattern.columns()[slot];
            let block = Mat3::from_fn(|_, _| 0.4 * numbers.next());
            let other = pattern.slot(column, row as u32).unwrap() as usize;
            add_block(matrix.values_mut(), slot, &block);
            add_block(matrix.values_mut(), other, &block.transpose());
        }
        let part = Mat3::from_fn(|_, _| numbers.next());
        let block = part * part.transpose() + Mat3::identity() * (4.0 + numbers.next());
        add_block(matrix.values_mut(), pattern.diagonal(row), &block);
    }
    matrix
}
