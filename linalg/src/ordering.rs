//! Elimination order of the block graph: nested dissection, then a postorder of the elimination
//! tree, which leaves the fill as it is and makes supernodes contiguous.

use super::BlockPattern;

const NONE: u32 = u32::MAX;

/// The order in which the `kept` rows of a pattern are eliminated (new -> old), or `None` when no
/// nested dissection is built in.
pub(super) fn elimination_order(pattern: &BlockPattern, kept: &[u32]) -> Option<Vec<u32>> {
    let graph = Subgraph::new(pattern, kept);
    let dissection =
        sinew_ordering::nested_dissection(&graph.offsets, &graph.neighbours).ok().flatten()?;
    let (perm, inverse) = (dissection.perm, dissection.inverse);
    let parents = elimination_tree(&graph, &perm, &inverse);
    let order = postorder(&parents);
    Some(order.into_iter().map(|k| kept[perm[k as usize] as usize]).collect())
}

/// A graph without self loops. For a pattern, that of the kept rows in their own numbering.
pub(super) struct Subgraph {
    pub(super) offsets: Vec<u32>,
    pub(super) neighbours: Vec<u32>,
}

impl Subgraph {
    pub(super) fn new(pattern: &BlockPattern, kept: &[u32]) -> Self {
        let mut local = vec![NONE; pattern.size()];
        for (k, &row) in kept.iter().enumerate() {
            local[row as usize] = k as u32;
        }
        let mut offsets = vec![0u32];
        let mut neighbours = Vec::new();
        for &row in kept {
            let columns = &pattern.columns()[pattern.row(row as usize)];
            neighbours.extend(
                columns
                    .iter()
                    .filter(|&&c| c != row && local[c as usize] != NONE)
                    .map(|&c| local[c as usize]),
            );
            offsets.push(neighbours.len() as u32);
        }
        Self { offsets, neighbours }
    }

    pub(super) fn neighbours(&self, i: u32) -> &[u32] {
        &self.neighbours[self.offsets[i as usize] as usize..self.offsets[i as usize + 1] as usize]
    }
}

/// Parent of every column in the elimination tree (Liu 1990, with path compression).
pub(super) fn elimination_tree(graph: &Subgraph, perm: &[u32], inverse: &[u32]) -> Vec<u32> {
    let n = perm.len();
    let mut parent = vec![NONE; n];
    let mut ancestor = vec![NONE; n];
    for k in 0..n as u32 {
        for &old in graph.neighbours(perm[k as usize]) {
            let mut i = inverse[old as usize];
            while i != NONE && i < k {
                let next = ancestor[i as usize];
                ancestor[i as usize] = k;
                if next == NONE {
                    parent[i as usize] = k;
                }
                i = next;
            }
        }
    }
    parent
}

/// Nodes of a forest so that every subtree is contiguous and ends with its root.
pub(super) fn postorder(parent: &[u32]) -> Vec<u32> {
    let n = parent.len();
    let mut first_child = vec![NONE; n];
    let mut next_sibling = vec![NONE; n];
    let mut roots = Vec::new();
    for v in (0..n as u32).rev() {
        match parent[v as usize] {
            NONE => roots.push(v),
            p => {
                next_sibling[v as usize] = first_child[p as usize];
                first_child[p as usize] = v;
            }
        }
    }
    let mut order = Vec::with_capacity(n);
    let mut stack = Vec::new();
    for root in roots.into_iter().rev() {
        stack.push(root);
        while let Some(&v) = stack.last() {
            match first_child[v as usize] {
                NONE => {
                    order.push(v);
                    stack.pop();
                }
                child => {
                    first_child[v as usize] = next_sibling[child as usize];
                    stack.push(child);
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postorder_puts_children_before_parents_and_keeps_subtrees_together() {
        // 0 -> 3 <- 1, 2 -> 4 <- 3, 5 alone
        assert_eq!(postorder(&[3, 3, 4, 4, NONE, NONE]), [2, 0, 1, 3, 4, 5]);
    }
}
