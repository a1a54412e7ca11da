//! The upper triangle of the scalar saddle-point matrix in elimination order, and for each of its
//! entries the place that its value comes from.

use faer::sparse::SymbolicSparseColMat;

use super::order::Node;
use super::{ConstraintPattern, Unknown};
use crate::BlockPattern;
use crate::block_matrix::BLOCK;

/// The scalar unknowns of the nodes: 3 * block row + axis, or 3 * block rows + constraint row.
pub(super) fn scalar_unknowns(nodes: &[Node], fixed: &[[bool; 3]]) -> Vec<u32> {
    let mut unknowns = Vec::new();
    for &node in nodes {
        match node {
            Node::Constraint(row) => unknowns.push(3 * fixed.len() as u32 + row),
            Node::Block(row) => unknowns.extend(
                (0..3u32).filter(|&a| !fixed[row as usize][a as usize]).map(|a| 3 * row + a),
            ),
        }
    }
    unknowns
}

/// Name of a scalar unknown of a system of `size` block rows.
pub(super) fn name(unknown: u32, size: usize) -> Unknown {
    match (unknown as usize).checked_sub(3 * size) {
        Some(row) => Unknown::Multiplier { row },
        None => Unknown::Velocity { row: unknown as usize / 3, axis: unknown as usize % 3 },
    }
}

/// Sparsity and sources. Sources count first the scalars of the block matrix, then three for every
/// entry of the constraints, then one for every constraint row, its diagonal.
pub(super) struct UpperTriangle {
    pub(super) symbolic: SymbolicSparseColMat<usize>,
    pub(super) source: Vec<u32>,
}

pub(super) fn upper_triangle(
    pattern: &BlockPattern,
    rows: &ConstraintPattern,
    unknowns: &[u32],
) -> UpperTriangle {
    let size = pattern.size();
    let mut position = vec![u32::MAX; 3 * size + rows.count()];
    unknowns.iter().enumerate().for_each(|(k, &u)| position[u as usize] = k as u32);
    let maps = Maps {
        pattern,
        rows,
        position,
        constraints: ConstraintMaps::new(rows, size),
        matrix_len: BLOCK * pattern.block_count(),
    };
    let mut column_starts = vec![0usize];
    let (mut row_indices, mut source) = (Vec::new(), Vec::new());
    let mut column: Vec<(u32, u32)> = Vec::new();
    for (k, &unknown) in unknowns.iter().enumerate() {
        column.clear();
        match name(unknown, size) {
            Unknown::Velocity { row, axis } => maps.velocity_column(row, axis, &mut column),
            Unknown::Multiplier { row } => maps.multiplier_column(row, &mut column),
        }
        column.retain(|entry| entry.0 as usize <= k);
        column.sort_unstable();
        row_indices.extend(column.iter().map(|entry| entry.0 as usize));
        source.extend(column.iter().map(|entry| entry.1));
        column_starts.push(row_indices.len());
    }
    let n = unknowns.len();
    let symbolic = SymbolicSparseColMat::new_checked(n, n, column_starts, None, row_indices);
    UpperTriangle { symbolic, source }
}

struct ConstraintMaps {
    first: Vec<u32>,
    offsets: Vec<u32>,
    of_block: Vec<u32>,
}

impl ConstraintMaps {
    fn new(rows: &ConstraintPattern, size: usize) -> Self {
        let (offsets, of_block) = rows.transposed(size);
        Self { first: rows.first_entries(), offsets, of_block }
    }
}

struct Maps<'a> {
    pattern: &'a BlockPattern,
    rows: &'a ConstraintPattern,
    /// Of every scalar; `u32::MAX` for a fixed one.
    position: Vec<u32>,
    constraints: ConstraintMaps,
    matrix_len: usize,
}

impl Maps<'_> {
    /// All entries (position of the row, source) of the column of a velocity.
    fn velocity_column(&self, row: usize, axis: usize, column: &mut Vec<(u32, u32)>) {
        // Symmetric: column `axis` of block column `row` is read off as row `axis` of its row.
        for slot in self.pattern.row(row) {
            for other in 0..3 {
                let position = self.position[3 * self.pattern.columns()[slot] as usize + other];
                column.push((position, (BLOCK * slot + 3 * other + axis) as u32));
            }
        }
        let ConstraintMaps { offsets, of_block, .. } = &self.constraints;
        for &constraint in &of_block[offsets[row] as usize..offsets[row + 1] as usize] {
            let position = self.position[3 * self.pattern.size() + constraint as usize];
            let mut entries = self.rows.entries(constraint as usize);
            let entry = entries.find(|&e| self.rows.blocks()[e] as usize == row);
            let entry = entry.expect("the transposed lists hold what the rows hold");
            column.push((position, (self.matrix_len + 3 * entry + axis) as u32));
        }
    }

    /// All entries of the column of a multiplier.
    fn multiplier_column(&self, row: usize, column: &mut Vec<(u32, u32)>) {
        let entries = self.rows.entries(row);
        for entry in entries.filter(|&e| self.constraints.first[e] as usize == e) {
            for axis in 0..3 {
                let position = self.position[3 * self.rows.blocks()[entry] as usize + axis];
                column.push((position, (self.matrix_len + 3 * entry + axis) as u32));
            }
        }
        let own = self.position[3 * self.pattern.size() + row];
        column.push((own, (self.matrix_len + 3 * self.rows.entry_count() + row) as u32));
    }
}
