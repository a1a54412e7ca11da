//! Redundant constraint rows: an analysis for a report or a changed model, not for every step. The
//! solver needs none of it.

use super::scales::Scales;
use super::{ConstraintPattern, KktSystem};

/// A row is redundant when what is left of it beside the rows before it is below this part of it,
/// squared. Ten times less than the regularization, so that the solver treats it as redundant too;
/// rounding reaches 1e-11 (rows before it with a rest just above this one).
const REDUNDANT: f64 = 1e-9;

/// The constraint rows that depend on rows before them, rising: the later of two equal rows, the one
/// that closes a loop, a row that acts on fixed scalars only. A row with compliance depends on none.
///
/// Cholesky factorization of G diag(S)^-1 G^T + R in the order of the rows, which leaves out those
/// whose pivot vanishes. Time and memory of an envelope: little for rows that touch near rows in the
/// list, (rows)^3 / 3 and 4 (rows)^2 bytes at most.
pub fn redundant_rows(
    system: KktSystem,
    rows: &ConstraintPattern,
    fixed: &[[bool; 3]],
) -> Vec<usize> {
    let mut scales = Scales::new(fixed.len(), rows);
    scales.update(system, fixed, rows);
    let incidence = rows.transposed(fixed.len());
    let mut factor = Envelope::default();
    let mut redundant = Vec::new();
    for row in 0..rows.count() {
        let (first, mut products) = products_with_rows_before(row, rows, &incidence, &scales);
        let compliance = system.r[row] / scales.rows[row];
        let own = if scales.acts_on_nothing[row] { 0.0 } else { 1.0 };
        products[row - first] += compliance;
        if !factor.push(first, products, REDUNDANT * (own + compliance)) {
            redundant.push(row);
        }
    }
    redundant
}

/// Row `row` of G diag(S)^-1 G^T, scaled to a unit diagonal, up to the diagonal: its first column and
/// its entries from there on. `incidence` are the rows at each block row.
fn products_with_rows_before(
    row: usize,
    rows: &ConstraintPattern,
    (offsets, of_block): &(Vec<u32>, Vec<u32>),
    scales: &Scales,
) -> (usize, Vec<f64>) {
    let touching = |block: u32| {
        &of_block[offsets[block as usize] as usize..offsets[block as usize + 1] as usize]
    };
    let blocks = &rows.blocks()[rows.entries(row)];
    let first = blocks.iter().filter_map(|&b| touching(b).first()).min();
    let first = first.map_or(row, |&first| first as usize);
    let mut products = vec![0.0; row + 1 - first];
    for entry in rows.entries(row) {
        let block = rows.blocks()[entry];
        let scaled = scales.vectors[entry].component_mul(&scales.inverse[block as usize]);
        for &other in touching(block).iter().take_while(|&&other| other as usize <= row) {
            let same = |e: &usize| rows.blocks()[*e] == block;
            let vectors = rows.entries(other as usize).filter(same);
            let scale = (scales.rows[row] * scales.rows[other as usize]).sqrt();
            let product = vectors.map(|e| scales.vectors[e].dot(&scaled)).sum::<f64>();
            products[other as usize - first] += product / scale;
        }
    }
    (first, products)
}

/// Lower triangular factor, each row stored from its first entry on.
#[derive(Default)]
struct Envelope {
    rows: Vec<(usize, Vec<f64>)>,
}

impl Envelope {
    /// Factors one more row, given from column `first` to the diagonal. False, and a row of zeros
    /// instead, if its pivot is not above `least`.
    fn push(&mut self, first: usize, mut row: Vec<f64>, least: f64) -> bool {
        let last = row.len() - 1;
        for k in 0..last {
            let (start, other) = &self.rows[first + k];
            let pivot = other[other.len() - 1];
            if pivot == 0.0 {
                row[k] = 0.0;
                continue;
            }
            let from = first.max(*start);
            let sum = dot(&row[from - first..k], &other[from - start..other.len() - 1]);
            row[k] = (row[k] - sum) / pivot;
        }
        let pivot = row[last] - dot(&row[..last], &row[..last]);
        let depends = pivot <= least;
        if depends {
            row.fill(0.0);
        } else {
            row[last] = pivot.sqrt();
        }
        self.rows.push((first, row));
        !depends
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
