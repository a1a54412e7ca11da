//! P S P^T on a matrix of 3 x 3 blocks, in place: index maps once, then sums over lists gathered by
//! their targets, so that any number of threads gives the same bits.

use std::sync::Arc;

use rayon::prelude::*;

use super::chain::{Chains, NONE};
use super::{AttachmentError, AttachmentList};
use crate::linalg::{BLOCK, BlockMatrix, BlockPattern, add_block};
use crate::{Mat3, Vec3};

/// Sums that a task of the thread pool makes at least: some 200 us of work.
const SUMS_A_TASK: usize = 1024;

/// The reduction of a system to the block rows that are no attached points.
///
/// Block rows keep their numbers, since the rest of a solver counts in them. The matrix is assembled
/// with its attached points on [`Self::pattern`], which has room for what their masters will share, and reduced
/// in place; then an attached point has a unit diagonal and no coupling. A solver that is told that attached points are
/// fixed ([`Self::fix_attached`]) leaves them out, so they cost nothing.
#[derive(Clone)]
pub struct Attachments {
    pattern: Arc<BlockPattern>,
    attached_rows: Vec<u32>,
    chains: Chains,
    weights: Vec<Mat3>,
    /// T = S_sf + S_ss P / 2, by attached points: the sums, then their lists.
    products: Vec<Mat3>,
    product_terms: Lists<ProductTerm>,
    /// P^T T + (P^T T)^T, by pairs of masters or a master and a free row.
    sums: Vec<Mat3>,
    sum_terms: Lists<SumTerm>,
    /// The slots of a sum and of its transpose.
    targets: Vec<[u32; 2]>,
    /// All slots in rows and columns of attached points.
    cleared: Vec<u32>,
    /// Resolved weights by master: master, then (attached row, weight).
    masters: Vec<u32>,
    by_master: Lists<(u32, u32)>,
}

/// Compressed lists.
#[derive(Clone)]
struct Lists<T> {
    offsets: Vec<u32>,
    terms: Vec<T>,
}

impl<T> Lists<T> {
    fn of(&self, k: usize) -> &[T] {
        &self.terms[self.offsets[k] as usize..self.offsets[k + 1] as usize]
    }

    /// From terms with the number of their list, in the order of the terms within each.
    fn gather(count: usize, mut terms: Vec<(u32, T)>) -> Self {
        terms.sort_by_key(|t| t.0);
        let mut offsets = vec![0u32; count + 1];
        terms.iter().for_each(|t| offsets[t.0 as usize + 1] += 1);
        (0..count).for_each(|k| offsets[k + 1] += offsets[k]);
        Self { offsets, terms: terms.into_iter().map(|t| t.1).collect() }
    }
}

/// A block of S, times half a weight where its column is an attached point.
#[derive(Clone, Copy)]
struct ProductTerm {
    slot: u32,
    weight: u32,
}

/// A transposed weight times a product, itself transposed if so said.
#[derive(Clone, Copy)]
struct SumTerm {
    weight: u32,
    product: u32,
    transposed: bool,
}

impl Attachments {
    /// Resolves `list` in a system whose assembly fills `pattern`, with some scalars fixed.
    ///
    /// # Errors
    /// [`AttachmentError`].
    pub fn new(
        pattern: &BlockPattern,
        list: &AttachmentList,
        fixed: &[[bool; 3]],
    ) -> Result<Self, AttachmentError> {
        let chains = Chains::new(list, pattern.size(), fixed)?;
        let columns = ProductColumns::new(pattern, list.attached_rows(), &chains);
        let extended = columns.extended_pattern(pattern, &chains);
        let product_terms =
            product_terms(&extended, (list.attached_rows(), pattern), &chains, &columns);
        let (targets, sum_terms) = sum_terms(&extended, &chains, &columns);
        let (masters, by_master) = by_master(list.attached_rows(), &chains);
        Ok(Self {
            weights: vec![Mat3::zeros(); chains.masters.len()],
            products: vec![Mat3::zeros(); columns.columns.len()],
            sums: vec![Mat3::zeros(); targets.len()],
            cleared: slots_of_attached(&extended, list.attached_rows()),
            pattern: Arc::new(extended),
            attached_rows: list.attached_rows().to_vec(),
            chains,
            product_terms,
            sum_terms,
            targets,
            masters,
            by_master,
        })
    }

    /// The pattern to assemble on: that given, and the couplings of masters.
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// Block rows that are attached points, in the order of the list.
    pub fn attached_rows(&self) -> &[u32] {
        &self.attached_rows
    }

    /// Numbers of the attached points in the list, each after those of its masters that are attached points.
    pub fn order(&self) -> &[u32] {
        &self.chains.order
    }

    /// True if block row `row` is an attached point.
    pub fn is_attached(&self, row: u32) -> bool {
        self.chains.number[row as usize] != NONE
    }

    /// Masters of block row `row` that are no attached points, and their weights of now; none if it is no attached point.
    pub fn masters_of(&self, row: u32) -> Option<(&[u32], &[Mat3])> {
        match self.chains.number[row as usize] {
            NONE => None,
            k => Some(self.resolved(k as usize)),
        }
    }

    /// Marks all attached points as fixed, for the solver of the reduced system.
    pub fn fix_attached(&self, fixed: &mut [[bool; 3]]) {
        self.attached_rows.iter().for_each(|&row| fixed[row as usize] = [true; 3]);
    }

    /// Masters of attached point number `k` that are no attached points, and their weights of now.
    pub fn resolved(&self, k: usize) -> (&[u32], &[Mat3]) {
        let places = self.chains.resolved(k);
        (&self.chains.masters[places.clone()], &self.weights[places])
    }

    /// Takes new weights, in the order of the list, and resolves chains.
    ///
    /// # Panics
    /// When a weight is missing.
    pub fn update_weights(&mut self, weights: &[Mat3]) {
        self.chains.resolve(weights, &mut self.weights);
    }

    /// Replaces a symmetric `matrix` on [`Self::pattern`] by P S P^T, exactly symmetric.
    ///
    /// With f for free rows and s for attached points, u_s = P u_f, that is
    /// S_ff + P^T T + (P^T T)^T with T = S_sf + S_ss P / 2.
    ///
    /// # Panics
    /// When the matrix is on another pattern.
    pub fn reduce(&mut self, matrix: &mut BlockMatrix) {
        assert_eq!(matrix.pattern().block_count(), self.pattern.block_count());
        self.update_products(matrix);
        self.update_sums();
        self.add_sums(matrix);
    }

    /// T = S_sf + S_ss P / 2.
    fn update_products(&mut self, matrix: &BlockMatrix) {
        let (weights, terms) = (&self.weights, &self.product_terms);
        let product = |(k, product): (usize, &mut Mat3)| {
            *product = Mat3::zeros();
            for term in terms.of(k) {
                let block = matrix.block(term.slot as usize);
                *product += match term.weight {
                    NONE => block,
                    weight => block * (weights[weight as usize] * 0.5),
                };
            }
        };
        let products = self.products.par_iter_mut().enumerate();
        products.with_min_len(SUMS_A_TASK).for_each(product);
    }

    /// P^T T + (P^T T)^T.
    fn update_sums(&mut self) {
        let (weights, products, terms) = (&self.weights, &self.products, &self.sum_terms);
        let sum = |(k, sum): (usize, &mut Mat3)| {
            let (mut plain, mut transposed) = (Mat3::zeros(), Mat3::zeros());
            for term in terms.of(k) {
                let target = if term.transposed { &mut transposed } else { &mut plain };
                *target += weights[term.weight as usize].tr_mul(&products[term.product as usize]);
            }
            *sum = plain + transposed.transpose();
        };
        let sums = self.sums.par_iter_mut().enumerate();
        sums.with_min_len(SUMS_A_TASK).for_each(sum);
    }

    /// Adds the sums to a matrix, and uncouples attached points.
    fn add_sums(&self, matrix: &mut BlockMatrix) {
        let values = matrix.values_mut();
        for (&[slot, mirror], sum) in self.targets.iter().zip(&self.sums) {
            add_block(values, slot as usize, sum);
            if mirror != slot {
                add_block(values, mirror as usize, &sum.transpose());
            }
        }
        for &slot in &self.cleared {
            values[BLOCK * slot as usize..BLOCK * (slot as usize + 1)].fill(0.0);
        }
        for &row in &self.attached_rows {
            add_block(values, self.pattern.diagonal(row as usize), &Mat3::identity());
        }
    }

    /// Hands the forces on attached points to their masters: f_m += W^T f_s, f_s = 0.
    pub fn reduce_force(&self, f: &mut [Vec3]) {
        for (k, &master) in self.masters.iter().enumerate() {
            let terms = self.by_master.of(k).iter();
            let part = |&(attached, weight): &(u32, u32)| {
                self.weights[weight as usize].tr_mul(&f[attached as usize])
            };
            let sum: Vec3 = terms.map(part).sum();
            f[master as usize] += sum;
        }
        self.attached_rows.iter().for_each(|&row| f[row as usize] = Vec3::zeros());
    }

    /// Sets the velocities of attached points from those of their masters.
    pub fn expand_velocity(&self, u: &mut [Vec3]) {
        for (k, &row) in self.attached_rows.iter().enumerate() {
            let (masters, weights) = self.resolved(k);
            let parts = masters.iter().zip(weights).map(|(&m, w)| w * u[m as usize]);
            u[row as usize] = parts.sum();
        }
    }

    pub(super) fn chains(&self) -> &Chains {
        &self.chains
    }

    pub(super) fn weights(&self) -> &[Mat3] {
        &self.weights
    }
}

/// The block columns of T, rising, by attached row.
struct ProductColumns {
    offsets: Vec<u32>,
    columns: Vec<u32>,
}

impl ProductColumns {
    fn new(pattern: &BlockPattern, attached_rows: &[u32], chains: &Chains) -> Self {
        let (mut offsets, mut columns) = (vec![0], Vec::new());
        for &row in attached_rows {
            let start = columns.len();
            for &column in &pattern.columns()[pattern.row(row as usize)] {
                match chains.number[column as usize] {
                    NONE => columns.push(column),
                    k => columns.extend_from_slice(&chains.masters[chains.resolved(k as usize)]),
                }
            }
            columns[start..].sort_unstable();
            let mut end = start;
            for i in start..columns.len() {
                if i == start || columns[i] != columns[end - 1] {
                    columns[end] = columns[i];
                    end += 1;
                }
            }
            columns.truncate(end);
            offsets.push(end as u32);
        }
        Self { offsets, columns }
    }

    fn of(&self, k: usize) -> std::ops::Range<usize> {
        self.offsets[k] as usize..self.offsets[k + 1] as usize
    }

    fn place(&self, k: usize, column: u32) -> u32 {
        let range = self.of(k);
        let found = self.columns[range.clone()].binary_search(&column);
        (range.start + found.expect("the column was collected before")) as u32
    }

    /// `pattern` and, for every attached point, its masters coupled to its columns of T.
    fn extended_pattern(&self, pattern: &BlockPattern, chains: &Chains) -> BlockPattern {
        let mut added: Vec<(u32, u32)> = Vec::new();
        for k in 0..self.offsets.len() - 1 {
            for &master in &chains.masters[chains.resolved(k)] {
                for &column in self.columns[self.of(k)].iter().filter(|&&c| c != master) {
                    if pattern.slot(master, column).is_none() {
                        added.extend([(master, column), (column, master)]);
                    }
                }
            }
        }
        added.sort_unstable();
        added.dedup();
        let mut next = added.iter().peekable();
        let mut rows: Vec<Vec<u32>> = Vec::with_capacity(pattern.size());
        for row in 0..pattern.size() as u32 {
            let own = pattern.columns()[pattern.row(row as usize)].iter().filter(|&&c| c != row);
            let mut columns: Vec<u32> = own.copied().collect();
            while let Some(&(_, column)) = next.next_if(|pair| pair.0 == row) {
                columns.push(column);
            }
            columns.sort_unstable();
            rows.push(columns);
        }
        BlockPattern::from_neighbours(pattern.size(), |row| &rows[row])
    }
}

/// For every column of T its blocks of S, in the order of the slots. Only blocks of the pattern given
/// are read: those added are empty before the reduction.
fn product_terms(
    extended: &BlockPattern,
    (attached_rows, pattern): (&[u32], &BlockPattern),
    chains: &Chains,
    columns: &ProductColumns,
) -> Lists<ProductTerm> {
    let mut terms = Vec::new();
    for (k, &row) in attached_rows.iter().enumerate() {
        for &column in &pattern.columns()[pattern.row(row as usize)] {
            let slot = extended.slot(row, column).expect("it extends the pattern");
            match chains.number[column as usize] {
                NONE => {
                    terms.push((columns.place(k, column), ProductTerm { slot, weight: NONE }));
                }
                other => terms.extend(chains.resolved(other as usize).map(|weight| {
                    let place = columns.place(k, chains.masters[weight]);
                    (place, ProductTerm { slot, weight: weight as u32 })
                })),
            }
        }
    }
    Lists::gather(columns.columns.len(), terms)
}

/// The pairs (I, J), I <= J, that P^T T + (P^T T)^T fills: their slots, and what is summed there.
fn sum_terms(
    extended: &BlockPattern,
    chains: &Chains,
    columns: &ProductColumns,
) -> (Vec<[u32; 2]>, Lists<SumTerm>) {
    let mut terms: Vec<([u32; 2], SumTerm)> = Vec::new();
    for k in 0..columns.offsets.len() - 1 {
        for weight in chains.resolved(k) {
            let master = chains.masters[weight];
            for product in columns.of(k) {
                let column = columns.columns[product];
                let (weight, product) = (weight as u32, product as u32);
                if master <= column {
                    let term = SumTerm { weight, product, transposed: false };
                    terms.push(([master, column], term));
                }
                if column <= master {
                    let term = SumTerm { weight, product, transposed: true };
                    terms.push(([column, master], term));
                }
            }
        }
    }
    terms.sort_by_key(|t| t.0);
    let mut pairs: Vec<[u32; 2]> = terms.iter().map(|t| t.0).collect();
    pairs.dedup();
    let mut number = 0;
    let numbered = terms.into_iter().map(|(pair, term)| {
        number += u32::from(pairs[number as usize] != pair);
        (number, term)
    });
    let lists = Lists::gather(pairs.len(), numbered.collect());
    let slot = |row, column| extended.slot(row, column).expect("the pattern was extended for it");
    (pairs.iter().map(|&[i, j]| [slot(i, j), slot(j, i)]).collect(), lists)
}

fn slots_of_attached(pattern: &BlockPattern, attached_rows: &[u32]) -> Vec<u32> {
    let mut slots = Vec::new();
    for &row in attached_rows {
        for slot in pattern.row(row as usize) {
            slots.push(slot as u32);
            let column = pattern.columns()[slot];
            slots.push(pattern.slot(column, row).expect("patterns are symmetric"));
        }
    }
    slots.sort_unstable();
    slots.dedup();
    slots
}

fn by_master(attached_rows: &[u32], chains: &Chains) -> (Vec<u32>, Lists<(u32, u32)>) {
    let mut masters = chains.masters.clone();
    masters.sort_unstable();
    masters.dedup();
    let number = |master: u32| masters.binary_search(&master).expect("it is in the list") as u32;
    let mut terms = Vec::new();
    for (k, &row) in attached_rows.iter().enumerate() {
        for weight in chains.resolved(k) {
            terms.push((number(chains.masters[weight]), (row, weight as u32)));
        }
    }
    let lists = Lists::gather(masters.len(), terms);
    (masters, lists)
}
