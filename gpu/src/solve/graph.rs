//! Coupling graph of rows, or of aggregates of rows.

use sinew::linalg::BlockPattern;

/// For every node its neighbours, rising, without itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Graph {
    offsets: Vec<usize>,
    columns: Vec<u32>,
}

impl Graph {
    /// From the lists of `size` nodes.
    pub(super) fn new<'a>(size: usize, neighbours: &dyn Fn(usize) -> &'a [u32]) -> Self {
        let (mut offsets, mut columns) = (vec![0], Vec::new());
        for node in 0..size {
            columns.extend_from_slice(neighbours(node));
            offsets.push(columns.len());
        }
        Self { offsets, columns }
    }

    /// From pairs a < b in rising order.
    pub(super) fn of_pairs(size: usize, pairs: &[[u32; 2]]) -> Self {
        let mut offsets = vec![0; size + 1];
        pairs.iter().flatten().for_each(|&node| offsets[node as usize + 1] += 1);
        (0..size).for_each(|node| offsets[node + 1] += offsets[node]);
        let (mut next, mut columns) = (offsets.clone(), vec![0; 2 * pairs.len()]);
        // First the neighbours below each node, then those above: both rise.
        for (own, other) in [(1, 0), (0, 1)] {
            for pair in pairs {
                let place = &mut next[pair[own] as usize];
                columns[*place] = pair[other];
                *place += 1;
            }
        }
        Self { offsets, columns }
    }

    /// The graph of the rows, two for each node of this one.
    pub(super) fn doubled(&self) -> Self {
        let (mut offsets, mut columns) = (vec![0], Vec::new());
        for node in 0..self.size() {
            let others = self.of(node);
            let below = others.partition_point(|&other| (other as usize) < node);
            let nodes = others[..below].iter().copied().chain([node as u32]);
            let nodes = nodes.chain(others[below..].iter().copied());
            let rows: Vec<u32> = nodes.flat_map(|n| [2 * n, 2 * n + 1]).collect();
            for own in [2 * node as u32, 2 * node as u32 + 1] {
                columns.extend(rows.iter().filter(|&&row| row != own));
                offsets.push(columns.len());
            }
        }
        Self { offsets, columns }
    }

    /// Number of nodes.
    pub(super) fn size(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Neighbours of a node.
    pub(super) fn of(&self, node: usize) -> &[u32] {
        &self.columns[self.offsets[node]..self.offsets[node + 1]]
    }

    /// The same as the pattern of a matrix.
    pub(super) fn pattern(&self) -> BlockPattern {
        BlockPattern::from_neighbours(self.size(), |node| self.of(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_list_each_node_with_all_its_neighbours_in_rising_order() {
        let graph = Graph::of_pairs(5, &[[0, 2], [0, 3], [1, 2], [2, 3]]);
        let lists: Vec<&[u32]> = (0..5).map(|node| graph.of(node)).collect();
        assert_eq!(lists, [&[2u32, 3][..], &[2], &[0, 1, 3], &[0, 2], &[]]);
    }

    #[test]
    fn both_rows_of_a_node_see_each_other_and_both_rows_of_its_neighbours() {
        let rows = Graph::of_pairs(3, &[[0, 2]]).doubled();
        let lists: Vec<&[u32]> = (0..6).map(|row| rows.of(row)).collect();
        assert_eq!(lists, [&[1u32, 4, 5][..], &[0, 4, 5], &[3], &[2], &[0, 1, 5], &[0, 1, 4]]);
    }
}
