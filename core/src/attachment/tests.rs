//! The reduction against dense P S P^T.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use super::{AttachmentError, AttachmentList, Attachments, RowReduction};
use crate::linalg::kkt::ConstraintPattern;
use crate::linalg::{BlockMatrix, BlockPattern, add_block};
use crate::{Mat3, Vec3};

/// Numbers in -1..1 by a linear congruential generator (Knuth's MMIX constants).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn below(&mut self, end: usize) -> u32 {
        (((self.next() + 1.0) * 0.5 * end as f64) as usize % end) as u32
    }

    fn matrix(&mut self) -> Mat3 {
        Mat3::from_fn(|_, _| self.next())
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.next())
    }
}

struct Case {
    pairs: Vec<[u32; 2]>,
    pattern: BlockPattern,
    list: AttachmentList,
    weights: Vec<Mat3>,
    size: usize,
}

fn case(size: usize, pairs: Vec<[u32; 2]>, list: AttachmentList, numbers: &mut Numbers) -> Case {
    let weights = (0..list.weight_count()).map(|_| numbers.matrix()).collect();
    let pattern = BlockPattern::from_cliques(size, |visit| pairs.iter().for_each(|p| visit(p)));
    Case { pairs, pattern, list, weights, size }
}

/// Points attached to rows of smaller rank in a random order of all rows: chains of any depth.
fn random_case(seed: u64, size: usize, attached_count: usize) -> Case {
    let mut numbers = Numbers(seed);
    let pairs = (0..3 * size).map(|_| [numbers.below(size), numbers.below(size)]).collect();
    let mut rank: Vec<u32> = (0..size as u32).collect();
    (1..size).for_each(|i| rank.swap(i, numbers.below(i + 1) as usize));
    let mut list = AttachmentList::default();
    for k in (size - attached_count..size).rev() {
        let masters: Vec<u32> =
            (0..1 + numbers.below(3)).map(|_| rank[numbers.below(k) as usize]).collect();
        list.push(rank[k], &masters);
    }
    case(size, pairs, list, &mut numbers)
}

impl Case {
    fn attachments(&self) -> Attachments {
        let mut attachments =
            Attachments::new(&self.pattern, &self.list, &vec![[false; 3]; self.size]).unwrap();
        attachments.update_weights(&self.weights);
        attachments
    }

    /// A symmetric matrix with the couplings of the case, on `pattern`.
    fn matrix(&self, pattern: &Arc<BlockPattern>, numbers: &mut Numbers) -> BlockMatrix {
        let mut s = BlockMatrix::zeros(pattern.clone());
        let own: Vec<[u32; 2]> = (0..self.size as u32).map(|i| [i, i]).collect();
        for &[i, j] in own.iter().chain(&self.pairs) {
            let block = numbers.matrix();
            let slot = |i, j| pattern.slot(i, j).unwrap() as usize;
            if i == j {
                add_block(s.values_mut(), slot(i, i), &(block + block.transpose()));
                continue;
            }
            add_block(s.values_mut(), slot(i, j), &block);
            add_block(s.values_mut(), slot(j, i), &block.transpose());
        }
        s
    }

    /// All velocities from those of free rows, column block by column block; attached points have none. From
    /// the definition, by substituting until no attached point is left.
    fn projection(&self) -> DMatrix<f64> {
        let n = 3 * self.size;
        let mut once = DMatrix::identity(n, n);
        for (k, &attached) in self.list.attached_rows().iter().enumerate() {
            let attached = 3 * attached as usize;
            once.rows_mut(attached, 3).fill(0.0);
            for (place, &master) in self.list.weights(k).zip(self.list.masters(k)) {
                let mut view = once.fixed_view_mut::<3, 3>(attached, 3 * master as usize);
                view += self.weights[place];
            }
        }
        (0..self.size).fold(once.clone(), |p, _| &once * p)
    }

    fn dense_reduced(&self, s: &DMatrix<f64>) -> DMatrix<f64> {
        let p = self.projection();
        let mut reduced = p.transpose() * s * p;
        for &attached in self.list.attached_rows() {
            reduced
                .fixed_view_mut::<3, 3>(3 * attached as usize, 3 * attached as usize)
                .copy_from(&Mat3::identity());
        }
        reduced
    }
}

fn dense(matrix: &BlockMatrix) -> DMatrix<f64> {
    let pattern = matrix.pattern();
    let mut dense = DMatrix::zeros(3 * pattern.size(), 3 * pattern.size());
    for row in 0..pattern.size() {
        for slot in pattern.row(row) {
            let column = pattern.columns()[slot] as usize;
            dense.fixed_view_mut::<3, 3>(3 * row, 3 * column).copy_from(&matrix.block(slot));
        }
    }
    dense
}

fn flat(v: &[Vec3]) -> DVector<f64> {
    DVector::from_iterator(3 * v.len(), v.iter().flat_map(|v| [v.x, v.y, v.z]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn matrix_force_velocity_and_rows_are_those_of_the_dense_projection(
        seed in any::<u64>(), size in 3usize..25, share in 0.0f64..0.9,
    ) {
        let case = random_case(seed, size, (share * size as f64) as usize);
        let mut numbers = Numbers(seed ^ 1);
        let mut attachments = case.attachments();
        let mut s = case.matrix(attachments.pattern(), &mut numbers);
        let full = dense(&s);
        let expected = case.dense_reduced(&full);
        attachments.reduce(&mut s);
        let reduced = dense(&s);
        // Weights along deep chains grow, and with them rounding.
        prop_assert!((&reduced - &expected).amax() <= 1e-13 * expected.amax());
        prop_assert_eq!(&reduced, &reduced.transpose());

        let p = case.projection();
        let f: Vec<Vec3> = (0..size).map(|_| numbers.vector()).collect();
        let mut force = f.clone();
        attachments.reduce_force(&mut force);
        let dense_force = p.tr_mul(&flat(&f));
        prop_assert!((flat(&force) - &dense_force).amax() <= 1e-13 * dense_force.amax().max(1.0));
        let mut u: Vec<Vec3> = (0..size).map(|_| numbers.vector()).collect();
        let dense_u = &p * flat(&u);
        attachments.expand_velocity(&mut u);
        prop_assert!((flat(&u) - &dense_u).amax() <= 1e-13 * dense_u.amax());

        let lists: Vec<Vec<u32>> =
            (0..4).map(|_| (0..3).map(|_| numbers.below(size)).collect()).collect();
        let rows = ConstraintPattern::from_lists(&lists, size).unwrap();
        let values: Vec<Vec3> = (0..rows.entry_count()).map(|_| numbers.vector()).collect();
        let reduction = RowReduction::new(&rows, &attachments);
        let mut reduced = vec![Vec3::zeros(); reduction.pattern().entry_count()];
        reduction.reduce(&attachments, &values, &mut reduced);
        prop_assert!(reduction.pattern().blocks().iter().all(|&b| !attachments.is_attached(b)));
        // G u is the same, whether by the rows of attached points or by those of masters.
        let (mut of_attached, mut of_masters) = ([0.0; 4], [0.0; 4]);
        rows.mul(&values, &u, &mut of_attached);
        reduction.pattern().mul(&reduced, &u, &mut of_masters);
        for (a, b) in of_attached.iter().zip(&of_masters) {
            prop_assert!((a - b).abs() <= 1e-12 * dense_u.amax());
        }
    }
}

#[test]
fn a_chain_of_five_is_the_product_of_its_weights() {
    let mut list = AttachmentList::default();
    // Given last link first.
    (1..=5).rev().for_each(|k| {
        list.push(k, &[k - 1]);
    });
    let case = case(6, vec![], list, &mut Numbers(3));
    let attachments = case.attachments();
    let (masters, weights) = attachments.resolved(0);
    let product = case.weights.iter().fold(Mat3::identity(), |p, w| p * w);
    assert_eq!(masters, [0]);
    assert!((weights[0] - product).amax() < 1e-15);
}

fn cross(r: Vec3) -> Mat3 {
    r.cross_matrix()
}

/// A block of nodes, all on a body of block rows 0 and 1, and coupled in a row.
fn star(count: usize) -> Case {
    let mut list = AttachmentList::default();
    let mut weights = Vec::new();
    let mut numbers = Numbers(8);
    for k in 0..count as u32 {
        list.push(2 + k, &[0, 1]);
        weights.extend([Mat3::identity(), -cross(numbers.vector())]);
    }
    let pairs = (2..count as u32 + 1).map(|k| [k, k + 1]).collect();
    Case { weights, ..case(count + 2, pairs, list, &mut numbers) }
}

#[test]
fn ten_thousand_nodes_on_a_body_add_one_coupling_and_its_mass() {
    let case = star(10_000);
    let mut attachments = case.attachments();
    // Rows 0 and 1 were not coupled before; nothing else is new.
    assert_eq!(attachments.pattern().block_count(), case.pattern.block_count() + 2);
    let mut s = BlockMatrix::zeros(attachments.pattern().clone());
    let slots: Vec<usize> = (0..case.size).map(|i| attachments.pattern().diagonal(i)).collect();
    slots.iter().for_each(|&slot| add_block(s.values_mut(), slot, &Mat3::identity()));
    attachments.reduce(&mut s);
    let (mass, inertia) = (s.block(slots[0]), s.block(slots[1]));
    assert!((mass - Mat3::identity() * 10_001.0).amax() < 1e-9);
    let expected = case.weights.iter().skip(1).step_by(2).map(|w| w.tr_mul(w)).sum::<Mat3>();
    assert!((inertia - expected - Mat3::identity()).amax() < 1e-8);
}

#[test]
fn reduction_gives_the_same_bits_on_any_number_of_threads() {
    let bits = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let case = star(2_000);
            let mut attachments = case.attachments();
            let mut s = case.matrix(attachments.pattern(), &mut Numbers(5));
            attachments.reduce(&mut s);
            s.values().iter().map(|v| v.to_bits()).collect::<Vec<_>>()
        })
    };
    assert_eq!(bits(1), bits(3));
}

#[test]
fn a_weld_couples_masters_and_neighbours_and_nothing_more() {
    // A chain 0-1-2-3 whose end 3 sits between 4 and 5 of another chain 4-5-6.
    let mut list = AttachmentList::default();
    list.push(3, &[4, 5]);
    let pairs = vec![[0, 1], [1, 2], [2, 3], [4, 5], [5, 6]];
    let case = case(7, pairs, list, &mut Numbers(1));
    let attachments = case.attachments();
    let pattern = attachments.pattern();
    let added: Vec<(u32, u32)> = (0..7u32)
        .flat_map(|i| pattern.columns()[pattern.row(i as usize)].iter().map(move |&j| (i, j)))
        .filter(|&(i, j)| i < j && case.pattern.slot(i, j).is_none())
        .collect();
    assert_eq!(added, [(2, 4), (2, 5)]);
    let mut fixed = [[false; 3]; 7];
    attachments.fix_attached(&mut fixed);
    assert_eq!(fixed.iter().filter(|h| **h == [true; 3]).count(), 1);
    assert_eq!(fixed[3], [true; 3]);
}

#[test]
fn weights_that_sum_to_one_keep_the_total_force() {
    let mut numbers = Numbers(6);
    let mut list = AttachmentList::default();
    list.push(4, &[0, 1, 2]);
    list.push(5, &[4, 3]);
    list.push(6, &[5, 4, 0]);
    let mut case = case(7, vec![], list, &mut numbers);
    for k in 0..3 {
        let places = case.list.weights(k);
        let others: Mat3 = case.weights[places.start + 1..places.end].iter().sum();
        case.weights[places.start] = Mat3::identity() - others;
    }
    let mut f: Vec<Vec3> = (0..7).map(|_| numbers.vector()).collect();
    let before: Vec3 = f.iter().sum();
    case.attachments().reduce_force(&mut f);
    assert!((f.iter().sum::<Vec3>() - before).norm() < 1e-14 * 10.0);
    assert!(f[4..].iter().all(|f| *f == Vec3::zeros()));
}

#[test]
fn errors_name_the_rows() {
    let errors = |attachments: &[(u32, &[u32])], fixed: usize| {
        let mut list = AttachmentList::default();
        attachments.iter().for_each(|(attached, masters)| {
            list.push(*attached, masters);
        });
        let pattern = BlockPattern::from_cliques(6, |_| ());
        let mut all = vec![[false; 3]; 6];
        all[fixed] = [false, true, false];
        Attachments::new(&pattern, &list, &all).err()
    };
    assert_eq!(errors(&[(2, &[1]), (1, &[0])], 0), None);
    let circle = errors(&[(5, &[4]), (4, &[0, 2]), (2, &[1, 3]), (3, &[4])], 0);
    assert_eq!(circle, Some(AttachmentError::Cycle { members: vec![4, 2, 3] }));
    assert_eq!(errors(&[(1, &[1])], 0), Some(AttachmentError::Cycle { members: vec![1] }));
    assert_eq!(errors(&[(1, &[0])], 1), Some(AttachmentError::AttachedFixed { row: 1 }));
    assert_eq!(errors(&[(1, &[0]), (1, &[2])], 0), Some(AttachmentError::AttachedTwice { row: 1 }));
    assert_eq!(errors(&[(1, &[])], 0), Some(AttachmentError::NoMaster { row: 1 }));
    let unknown = Some(AttachmentError::BlockRow { row: 6, size: 6 });
    assert_eq!(errors(&[(1, &[6])], 0), unknown);
    assert_eq!(errors(&[(6, &[1])], 0), unknown);
}
