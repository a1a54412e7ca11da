//! The mixed problem of an implicit step: block rows of the objects, the matrix S, bilateral and unilateral rows.

use std::sync::Arc;

use super::layout::{Layout, Row};
use super::parts::ConstraintKind;
use super::{Statistics, WorldError};
use crate::Vec3;
use crate::lcp::{ActiveSetStatus, Bound, FrictionModel};
use crate::linalg::kkt::ConstraintPattern;
use crate::linalg::{BlockMatrix, BlockPattern};
use crate::mixed::{
    Accuracy, BilateralRows, LinearMethod, MixedError, MixedOutcome, MixedProblem, MixedSettings,
    MixedSolution, MixedSolver, UnilateralRows,
};

/// Compliance of a bilateral row as a share of its response: rows that follow from others then have multipliers, and
/// rows that contradict each other are met by least squares. It lets 1e-8 of a velocity through, which the next
/// step takes back.
const COMPLIANCE: f64 = 1e-8;

/// Rows of one kind, in the form of the mixed problem.
#[derive(Default)]
pub(super) struct MixedRows {
    /// Rows of the layout.
    pub(super) rows: Vec<usize>,
    pub(super) pattern: ConstraintPattern,
    pub(super) values: Vec<Vec3>,
    pub(super) target: Vec<f64>,
    compliance: Vec<f64>,
}

/// Matrices of one behaviour, and memory of a step.
#[derive(Default)]
pub(super) struct Local {
    pub(super) stiffness: Vec<f64>,
    pub(super) damping: Vec<f64>,
    /// Derivatives of ports by the velocities that they depend on, ports x velocities.
    pub(super) slopes: Vec<f64>,
    /// A matrix times the slopes.
    product: Vec<f64>,
    pub(super) by_state: Vec<f64>,
    pub(super) rates: Vec<[f64; 2]>,
}

impl Local {
    /// Zero matrices of this many ports.
    pub(super) fn clear(&mut self, ports: usize) {
        for matrix in [&mut self.stiffness, &mut self.damping] {
            matrix.clear();
            matrix.resize(ports * ports, 0.0);
        }
    }

    /// Multiplies stiffness or damping by a factor and the slopes.
    pub(super) fn update_product(&mut self, width: usize, factor: f64, is_damping: bool) {
        let matrix = if is_damping { &self.damping } else { &self.stiffness };
        let ports = self.slopes.len() / width.max(1);
        self.product.clear();
        self.product.resize(ports * width, 0.0);
        for i in 0..ports {
            for j in (0..ports).filter(|j| matrix[i * ports + j] != 0.0) {
                let entry = factor * matrix[i * ports + j];
                let slopes = &self.slopes[j * width..(j + 1) * width];
                let row = &mut self.product[i * width..(i + 1) * width];
                row.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += entry * slope);
            }
        }
    }

    /// Entry of the transposed slopes times the product.
    pub(super) fn entry(&self, width: usize, a: usize, b: usize) -> f64 {
        let rows = self.slopes.chunks_exact(width).zip(self.product.chunks_exact(width));
        rows.map(|(slopes, product)| slopes[a] * product[b]).sum()
    }
}

/// A mixed problem, its solver and its solution.
pub(super) struct MixedStep {
    /// First block row of each object.
    first_block: Vec<usize>,
    fixed: Vec<[bool; 3]>,
    pub(super) s: BlockMatrix,
    pub(super) b: Vec<Vec3>,
    pub(super) inertia: Vec<Vec3>,
    positions: Vec<Vec3>,
    pub(super) bilateral: MixedRows,
    pub(super) unilateral: MixedRows,
    bounds: Vec<Bound>,
    start: Vec<f64>,
    statuses: Vec<ActiveSetStatus>,
    pub(super) u: Vec<Vec3>,
    /// Impulses of both kinds of rows [N s].
    pub(super) lambda: Vec<f64>,
    pub(super) z: Vec<f64>,
    solver: MixedSolver,
    pub(super) local: Local,
}

impl MixedStep {
    /// For the objects, constraints and behaviours of a layout.
    pub(super) fn new(layout: &Layout) -> Result<Self, WorldError> {
        let (first_block, fixed) = blocks_of(layout);
        let size = fixed.len();
        let pattern = Arc::new(pattern_of(layout, &first_block, size));
        let of = |kind: ConstraintKind| MixedRows::new(layout, kind, &first_block, size);
        let bilateral = of(ConstraintKind::Equal)?;
        let unilateral = of(ConstraintKind::NotNegative)?;
        let settings = MixedSettings {
            linear: LinearMethod::Factor,
            measures: false,
            ..MixedSettings::default()
        };
        let solver = MixedSolver::new(&pattern, &fixed, &bilateral.pattern, &[], &settings)?;
        let (bilateral_count, count) = (bilateral.rows.len(), unilateral.rows.len());
        Ok(Self {
            first_block,
            fixed,
            s: BlockMatrix::zeros(pattern),
            b: vec![Vec3::zeros(); size],
            inertia: vec![Vec3::zeros(); size],
            positions: vec![Vec3::zeros(); size],
            bilateral,
            unilateral,
            bounds: vec![Bound::Unilateral; count],
            start: vec![0.0; count],
            statuses: vec![ActiveSetStatus::default(); count],
            u: vec![Vec3::zeros(); size],
            lambda: vec![0.0; bilateral_count],
            z: vec![0.0; count],
            solver,
            local: Local::default(),
        })
    }

    /// Block row and lane of a velocity, by its object and its number there.
    fn place(&self, (object, velocity): (usize, usize)) -> (usize, usize) {
        (self.first_block[object] + velocity / 3, velocity % 3)
    }

    /// Begins a step: zero matrix and right side.
    pub(super) fn clear(&mut self) {
        self.s.values_mut().fill(0.0);
        self.b.fill(Vec3::zeros());
        for (inertia, fixed) in self.inertia.iter_mut().zip(&self.fixed) {
            *inertia = Vec3::from_fn(|axis, _| f64::from(fixed[axis]));
        }
        for (block, fixed) in self.fixed.iter().enumerate() {
            let slot = self.s.pattern().diagonal(block);
            for axis in (0..3).filter(|&axis| fixed[axis]) {
                self.s.values_mut()[9 * slot + 4 * axis] = 1.0;
            }
        }
    }

    /// Adds to the matrix an entry between velocities of two objects.
    pub(super) fn add_entry(&mut self, row: (usize, usize), column: (usize, usize), value: f64) {
        let ((i, a), (j, b)) = (self.place(row), self.place(column));
        if let Some(slot) = self.s.pattern().slot(i as u32, j as u32) {
            self.s.values_mut()[9 * slot as usize + 3 * a + b] += value;
        }
    }

    /// Adds to the right side of a velocity.
    pub(super) fn add_right(&mut self, velocity: (usize, usize), value: f64) {
        let (block, axis) = self.place(velocity);
        self.b[block][axis] += value;
    }

    /// Sets the inertia of a velocity.
    pub(super) fn set_inertia(&mut self, velocity: (usize, usize), value: f64) {
        let (block, axis) = self.place(velocity);
        self.inertia[block][axis] = value;
    }

    /// Velocity in the solution.
    pub(super) fn velocity(&self, velocity: (usize, usize)) -> f64 {
        let (block, axis) = self.place(velocity);
        self.u[block][axis]
    }

    /// Solves for velocities and multipliers.
    pub(super) fn solve(&mut self, statistics: &mut Statistics) -> Result<(), WorldError> {
        self.bilateral.update_compliance(&self.s, COMPLIANCE);
        self.unilateral.update_compliance(&self.s, 0.0);
        let problem = MixedProblem {
            s: &self.s,
            b: &self.b,
            inertia: &self.inertia,
            positions: &self.positions,
            bilateral: self.bilateral.as_bilateral(),
            unilateral: self.unilateral.as_unilateral(&self.bounds, &self.start),
            friction: FrictionModel::default(),
            accuracy: Accuracy::Refined,
        };
        self.solver.begin_sequence();
        self.solver.matrix_changed();
        self.z.fill(0.0);
        let mut outcome = MixedOutcome::default();
        let mut solution = MixedSolution {
            u: &mut self.u,
            lambda: &mut self.lambda,
            z: &mut self.z,
            statuses: &mut self.statuses,
        };
        let solved = self.solver.solve(&problem, &mut solution, &mut outcome);
        statistics.solves += 1;
        statistics.factorizations += outcome.factorizations;
        Ok(solved?)
    }
}

impl MixedRows {
    fn new(
        layout: &Layout,
        kind: ConstraintKind,
        first_block: &[usize],
        size: usize,
    ) -> Result<Self, WorldError> {
        let takes_part = |(_, row): &(usize, &Row)| row.kind == kind && !row.segments.is_empty();
        let rows: Vec<usize> =
            layout.rows.iter().enumerate().filter(takes_part).map(|(k, _)| k).collect();
        let blocks = |row: &usize| -> Vec<u32> {
            let segments = &layout.segments[layout.rows[*row].segments.clone()];
            let of = |object: usize| {
                let count = layout.objects[object].velocities.div_ceil(3);
                (first_block[object]..first_block[object] + count).map(|block| block as u32)
            };
            segments.iter().flat_map(|segment| of(segment.object)).collect()
        };
        let lists: Vec<Vec<u32>> = rows.iter().map(blocks).collect();
        let pattern = ConstraintPattern::from_lists(&lists, size).map_err(MixedError::from)?;
        let (count, entries) = (rows.len(), pattern.entry_count());
        Ok(Self {
            rows,
            pattern,
            values: vec![Vec3::zeros(); entries],
            target: vec![0.0; count],
            compliance: vec![0.0; count],
        })
    }

    fn as_bilateral(&self) -> BilateralRows<'_> {
        let Self { values, compliance, target, .. } = self;
        BilateralRows { values, end_values: None, compliance, target }
    }

    fn as_unilateral<'a>(&'a self, bounds: &'a [Bound], start: &'a [f64]) -> UnilateralRows<'a> {
        let Self { pattern, values, compliance, target, .. } = self;
        UnilateralRows { pattern, values, compliance, target, bounds, start, tolerance: 0.0 }
    }

    /// Writes the vectors of all entries from J.
    pub(super) fn update_values(&mut self, layout: &Layout, j: &[f64]) {
        let mut entry = 0;
        for &row in &self.rows {
            for segment in &layout.segments[layout.rows[row].segments.clone()] {
                for chunk in j[segment.values.clone()].chunks(3) {
                    let mut vector = Vec3::zeros();
                    chunk.iter().enumerate().for_each(|(k, value)| vector[k] = *value);
                    self.values[entry] = vector;
                    entry += 1;
                }
            }
        }
    }

    /// A share of the response that each row has to itself on the diagonal of S.
    fn update_compliance(&mut self, s: &BlockMatrix, share: f64) {
        for (row, compliance) in self.compliance.iter_mut().enumerate() {
            let response = |entry: usize| {
                let block = self.pattern.blocks()[entry] as usize;
                let diagonal = s.block(s.pattern().diagonal(block)).diagonal();
                let push = self.values[entry];
                (0..3).map(|axis| push[axis] * push[axis] / diagonal[axis].abs()).sum::<f64>()
            };
            *compliance = share * self.pattern.entries(row).map(response).sum::<f64>();
        }
    }
}

/// First block row of each object; and the scalars of block rows, three each, that are no velocities and stay fixed.
fn blocks_of(layout: &Layout) -> (Vec<usize>, Vec<[bool; 3]>) {
    let (mut first_block, mut fixed) = (Vec::new(), Vec::new());
    for places in &layout.objects {
        first_block.push(fixed.len());
        let count = places.velocities;
        let lane = |k: usize| std::array::from_fn(|axis| 3 * k + axis >= count);
        fixed.extend((0..count.div_ceil(3)).map(lane));
    }
    (first_block, fixed)
}

/// Pattern of S.
fn pattern_of(layout: &Layout, first_block: &[usize], size: usize) -> BlockPattern {
    let cliques = cliques(layout, first_block, size);
    BlockPattern::from_cliques(size, |visit| cliques.iter().for_each(|clique| visit(clique)))
}

/// Block rows that are coupled: those of each object, and of the objects that a behaviour acts on.
fn cliques(layout: &Layout, first_block: &[usize], size: usize) -> Vec<Vec<u32>> {
    let end = |object: usize| first_block.get(object + 1).copied().unwrap_or(size);
    let blocks = |object: usize| (first_block[object]..end(object)).map(|block| block as u32);
    let of_objects = (0..first_block.len()).map(|object| blocks(object).collect());
    let of_behaviours = layout.behaviours.iter().map(|places| {
        let mut objects: Vec<usize> = places.velocities.iter().map(|(object, _)| *object).collect();
        objects.dedup();
        objects.into_iter().flat_map(blocks).collect()
    });
    of_objects.chain(of_behaviours).collect()
}
