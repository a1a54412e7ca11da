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

/// A forest, and the same as a dense matrix.
struct Twin {
    forest: BorderedTree,
    dense: DMatrix<f64>,
}

impl Twin {
    /// Some nodes with random parents, and rows across them.
    fn random(random: &mut Random, count: usize, across: usize) -> Self {
        let nodes: Vec<TreeNode> = (0..count)
            .map(|k| match k % 4 {
                0 => node(None, 6, 1, 0),
                _ => node(Some(random.below(k) as u32), 6, 4, 3),
            })
            .collect();
        let sizes = TreeSaddle::new(&nodes).expect("a forest");
        let mut row = || {
            let unknowns = (0..12).map(|k| sizes.unknowns(random.below(count)).start + k % 6);
            unknowns.map(|unknown| unknown as u32).collect()
        };
        let rows: Vec<Vec<u32>> = (0..across).map(|_| row()).collect();
        let forest = BorderedTree::new(&nodes, &rows).expect("a forest");
        let size = forest.tree.size() + across;
        let mut twin = Self { forest, dense: DMatrix::zeros(size, size) };
        nodes.iter().enumerate().for_each(|(k, it)| twin.fill_node(random, k, *it));
        rows.iter().enumerate().for_each(|(k, row)| twin.fill_row(random, k, row));
        twin
    }

    /// Adds to an entry of the dense matrix and its mirror image.
    fn add(&mut self, row: usize, column: usize, value: f64) {
        self.dense[(row, column)] += value;
        self.dense[(column, row)] += value;
    }

    fn fill_node(&mut self, random: &mut Random, k: usize, it: TreeNode) {
        let (at, coordinates) = (self.forest.tree.unknowns(k).start, it.coordinates as usize);
        for i in 0..coordinates {
            // The last coordinate has no mass; the rows hold it.
            let mass = if i + 1 == coordinates { 0.0 } else { 1.5 + random.next() };
            self.forest.tree.add(k, [i, i], mass);
            self.add(at + i, at + i, 0.5 * mass);
            for row in coordinates..coordinates + it.rows as usize {
                let value = random.next();
                self.forest.tree.add(k, [row, i], value);
                self.add(at + row, at + i, value);
            }
        }
        let Some(parent) = it.parent else { return };
        let above = self.forest.tree.unknowns(parent as usize).start;
        for (link, i) in (0..3).flat_map(|link| (0..6).map(move |i| (link, i))) {
            let value = random.next();
            self.forest.tree.add_to_link(k, [link, i], value);
            self.add(at + coordinates + 1 + link, above + i, value);
        }
    }

    fn fill_row(&mut self, random: &mut Random, k: usize, unknowns: &[u32]) {
        let at = self.forest.tree.size() + k;
        for (entry, &unknown) in unknowns.iter().enumerate() {
            let value = random.next();
            self.forest.row_mut(k)[entry] = value;
            self.add(at, unknown as usize, value);
        }
        self.forest.compliance[k] = if k.is_multiple_of(2) { 0.0 } else { 0.3 };
        self.dense[(at, at)] = -self.forest.compliance[k];
    }
}

#[test]
fn random_forests_with_rows_across_are_solved_as_dense_ones() {
    let mut numbers = Random(7);
    for (count, across) in [(1, 0), (2, 0), (9, 0), (9, 2), (30, 5), (60, 9)] {
        let Twin { forest: mut bordered, dense } = Twin::random(&mut numbers, count, across);
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
