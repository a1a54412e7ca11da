//! Aggregates of a graph, one coarse node each: a node with all its neighbours, where none of them
//! is taken yet; then each node left joins the aggregate it is connected to most often. (Vanek1996,
//! algorithm 5.1, on the pattern alone, so that it is made once.)

use crate::BlockPattern;

/// In [`Aggregation::of_node`]: no aggregate.
pub const NONE: u32 = u32::MAX;

/// A partition of some of the nodes of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aggregation {
    /// For every node of the graph the number of its aggregate, below [`Self::count`], or [`NONE`].
    pub of_node: Vec<u32>,
    /// Number of aggregates; each has two nodes at least, but for those that a caller appends.
    pub count: usize,
}

impl Aggregation {
    /// Makes one more aggregate of `nodes`, which belong to none so far.
    pub fn append(&mut self, nodes: impl Iterator<Item = usize>) {
        for node in nodes {
            debug_assert_eq!(self.of_node[node], NONE, "node {node} is in an aggregate");
            self.of_node[node] = self.count as u32;
        }
        self.count += 1;
    }
}

/// Aggregates the `active` nodes of `graph` (one flag a node) that have an active neighbour. The
/// others belong to no aggregate: a node alone is the business of the smoother. Aggregates are
/// numbered by their roots, which are taken in rising order, so that the result is a function of
/// pattern and flags alone. (Vanek1996, algorithm 5.1.)
///
/// # Panics
/// When `active` is shorter than the graph.
pub fn aggregate(graph: &BlockPattern, active: &[bool]) -> Aggregation {
    let neighbours = |node: usize| {
        let columns = graph.columns()[graph.row(node)].iter().map(|&c| c as usize);
        columns.filter(move |&c| c != node && active[c])
    };
    let mut of_node = vec![NONE; graph.size()];
    let mut sizes: Vec<u32> = Vec::new();
    for root in (0..graph.size()).filter(|&i| active[i]) {
        let is_free = of_node[root] == NONE && neighbours(root).all(|n| of_node[n] == NONE);
        if !is_free || neighbours(root).next().is_none() {
            continue;
        }
        let aggregate = sizes.len() as u32;
        of_node[root] = aggregate;
        let mut size = 1;
        for n in neighbours(root) {
            of_node[n] = aggregate;
            size += 1;
        }
        sizes.push(size);
    }
    join_leftovers(&neighbours, active, &mut of_node, &mut sizes);
    Aggregation { of_node, count: sizes.len() }
}

/// Gives each active node without an aggregate to the one that most of its neighbours are in; of
/// several to the smallest, of these to the first. Only the aggregates of the first pass count, so
/// that none grows by more than one ring.
fn join_leftovers<I: Iterator<Item = usize>>(
    neighbours: &impl Fn(usize) -> I,
    active: &[bool],
    of_node: &mut [u32],
    sizes: &mut [u32],
) {
    let first_pass = of_node.to_vec();
    let mut around: Vec<u32> = Vec::new();
    for node in (0..of_node.len()).filter(|&i| active[i] && first_pass[i] == NONE) {
        around.clear();
        around.extend(neighbours(node).map(|n| first_pass[n]).filter(|&a| a != NONE));
        around.sort_unstable();
        let best = around
            .chunk_by(|a, b| a == b)
            .min_by_key(|run| (std::cmp::Reverse(run.len()), sizes[run[0] as usize], run[0]));
        if let Some(run) = best {
            of_node[node] = run[0];
            sizes[run[0] as usize] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(size: usize) -> BlockPattern {
        BlockPattern::from_cliques(size, |visit| {
            (1..size as u32).for_each(|i| visit(&[i - 1, i]));
        })
    }

    #[test]
    fn a_chain_falls_into_neighbours_and_the_rest_joins_them() {
        let aggregation = aggregate(&chain(8), &[true; 8]);
        // Roots 0 (with 1), 3 (with 2, 4) and 6 (with 5, 7).
        assert_eq!(aggregation.of_node, [0, 0, 1, 1, 1, 2, 2, 2]);
        let aggregation = aggregate(&chain(6), &[true; 6]);
        assert_eq!(aggregation.of_node, [0, 0, 1, 1, 1, 1], "node 5 joins its only neighbour");
    }

    #[test]
    fn nodes_that_are_fixed_or_alone_are_in_no_aggregate() {
        let active = [true, false, true, true, false, true];
        let aggregation = aggregate(&chain(6), &active);
        assert_eq!(aggregation.of_node, [NONE, NONE, 0, 0, NONE, NONE]);
        assert_eq!(aggregation.count, 1);
    }
}
