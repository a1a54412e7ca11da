//! Forests against dense solutions: random trees with links and rows across, redundant ones among them.

use nalgebra::{DMatrix, DVector};

use super::{BorderedTree, TreeError, TreeNode, TreeSaddle};

/// Numbers in [-1, 1) of a linear congruence.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn below(&mut self, count: usize) -> usize {
        ((self.next() * 0.5 + 0.5) * count as f64) as usize % count
    }
}

fn node(parent: Option<u32>, coordinates: u32, rows: u32, links: u32) -> TreeNode {
    TreeNode { parent, coordinates, rows, links }
}

/// A random forest of masses, some of them zero, with rows across, and the same as a dense matrix.
fn random(random: &mut Random, count: usize, across: usize) -> (BorderedTree, DMatrix<f64>) {
    let nodes: Vec<TreeNode> = (0..count)
        .map(|k| match k % 4 {
            0 => node(None, 6, 1, 0),
            _ => node(Some(random.below(k) as u32), 6, 4, 3),
        })
        .collect();
    let touched = |random: &mut Random| {
        (0..12).map(|k| (10 * random.below(count) + k % 6) as u32).collect::<Vec<_>>()
    };
    let starts: Vec<usize> = nodes
        .iter()
        .scan(0, |at, it| {
            let start = *at;
            *at += (it.coordinates + it.rows) as usize;
            Some(start)
        })
        .collect();
    let to_unknown = |flat: u32| (starts[flat as usize / 10] + flat as usize % 10) as u32;
    let rows: Vec<Vec<u32>> =
        (0..across).map(|_| touched(random).into_iter().map(to_unknown).collect()).collect();
    let mut bordered = BorderedTree::new(&nodes, &rows).expect("a forest");
    let size = bordered.tree.size();
    let mut dense = DMatrix::zeros(size + across, size + across);
    for (k, it) in nodes.iter().enumerate() {
        let (at, coordinates) = (starts[k], it.coordinates as usize);
        for i in 0..coordinates {
            // The last coordinate has no mass; the first row holds it.
            let mass = if i + 1 == coordinates { 0.0 } else { 1.5 + random.next() };
            bordered.tree.add(k, [i, i], mass);
            dense[(at + i, at + i)] += mass;
        }
        for row in coordinates..coordinates + it.rows as usize {
            for i in 0..coordinates {
                let value = random.next();
                bordered.tree.add(k, [row, i], value);
                dense[(at + row, at + i)] += value;
                dense[(at + i, at + row)] += value;
            }
        }
        let Some(parent) = it.parent else { continue };
        for link in 0..3 {
            for i in 0..6 {
                let (value, row) = (random.next(), at + coordinates + 1 + link);
                bordered.tree.add_to_link(k, [link, i], value);
                dense[(row, starts[parent as usize] + i)] += value;
                dense[(starts[parent as usize] + i, row)] += value;
            }
        }
    }
    for (row, touched) in rows.iter().enumerate() {
        for (entry, &unknown) in touched.iter().enumerate() {
            let value = random.next();
            bordered.row_mut(row)[entry] = value;
            dense[(size + row, unknown as usize)] += value;
            dense[(unknown as usize, size + row)] += value;
        }
        bordered.compliance[row] = if row % 2 == 0 { 0.0 } else { 0.3 };
        dense[(size + row, size + row)] = -bordered.compliance[row];
    }
    (bordered, dense)
}

#[test]
fn random_forests_with_rows_across_are_solved_as_dense_ones() {
    let mut numbers = Random(7);
    for (count, across) in [(1, 0), (2, 0), (9, 0), (9, 2), (30, 5), (60, 9)] {
        let (mut bordered, dense) = random(&mut numbers, count, across);
        bordered.factor().expect("is regular");
        assert_eq!(bordered.rank(), across);
        let (size, total) = (bordered.tree.size(), dense.nrows());
        let right: Vec<f64> = (0..total).map(|_| numbers.next()).collect();
        let expected = dense.lu().solve(&DVector::from_vec(right.clone())).expect("is regular");
        let (mut x, mut y) = (right[..size].to_vec(), right[size..].to_vec());
        bordered.solve(&mut x, &mut y);
        let largest = expected.amax();
        let apart = x.iter().chain(&y).zip(expected.iter()).map(|(a, b)| (a - b).abs());
        let worst = apart.fold(0.0, f64::max);
        assert!(worst < 1e-9 * largest, "{count} nodes, {across} across: {worst:e} of {largest}");
    }
}

#[test]
fn rows_across_that_repeat_others_change_nothing() {
    let nodes = [node(None, 3, 0, 0), node(Some(0), 3, 1, 1), node(Some(1), 3, 1, 1)];
    let solved = |rows: &[Vec<u32>]| {
        let mut bordered = BorderedTree::new(&nodes, rows).expect("a forest");
        for (k, at) in [0, 3, 7].into_iter().enumerate() {
            assert_eq!(bordered.tree.unknowns(k).start, at);
            (0..3).for_each(|i| bordered.tree.add(k, [i, i], 1.0 + k as f64));
            if k > 0 {
                bordered.tree.add(k, [3, 0], 1.0);
                bordered.tree.add_to_link(k, [0, 0], -1.0);
            }
        }
        (0..rows.len()).for_each(|row| bordered.row_mut(row).copy_from_slice(&[1.0, -1.0]));
        bordered.factor().expect("is regular");
        let mut x: Vec<f64> = (0..11).map(|k| f64::from(k) - 4.0).collect();
        let mut across = vec![0.25; rows.len()];
        bordered.solve(&mut x, &mut across);
        (x, bordered.rank())
    };
    let (once, twice) = (solved(&[vec![1, 8]]), solved(&[vec![1, 8], vec![1, 8]]));
    assert_eq!((once.1, twice.1), (1, 1));
    for (a, b) in once.0.iter().zip(&twice.0) {
        assert!((a - b).abs() < 1e-14, "{a} {b}");
    }
    assert!((once.0[1] - once.0[8] - 0.25).abs() < 1e-14, "{} {}", once.0[1], once.0[8]);
}

#[test]
fn factors_of_chains_grow_with_their_length_alone() {
    let entries = |count: u32| {
        let chain: Vec<TreeNode> = (0..count).map(|k| node(k.checked_sub(1), 12, 11, 5)).collect();
        TreeSaddle::new(&chain).expect("a chain").entry_count()
    };
    let link = entries(2) - entries(1);
    assert_eq!(link, 23 * 23 + 5 * 12 + 23 * 5);
    assert_eq!(entries(10_000) - entries(1), 9_999 * link);
}

#[test]
fn forests_that_are_none_and_rows_that_depend_on_each_other_are_errors_that_name_the_node() {
    let error = |nodes: &[TreeNode]| TreeSaddle::new(nodes).map(|_| ()).unwrap_err();
    let text = error(&[node(Some(3), 3, 1, 1)]).to_string();
    assert!(text.contains("node 0 names the parent 3"), "{text}");
    let circle = [node(Some(1), 3, 1, 1), node(Some(0), 3, 1, 1)];
    assert_eq!(error(&circle), TreeError::Circle { node: 0 });
    assert_eq!(error(&[node(None, 3, 1, 2)]), TreeError::Links { node: 0, links: 2, rows: 1 });
    let mut twice = TreeSaddle::new(&[node(None, 3, 2, 0)]).expect("a node");
    (0..3).for_each(|i| twice.add(0, [i, i], 1.0));
    (3..5).for_each(|row| twice.add(0, [row, 1], 2.0));
    assert_eq!(twice.factor(), Err(TreeError::Singular { node: 0 }));
}
