//! Elimination order of block rows and constraint rows together: nested dissection of their graph,
//! in which a constraint follows at least one of the block rows that it touches.

use super::ConstraintPattern;
use crate::BlockPattern;
use crate::ordering::{Subgraph, elimination_tree, postorder};

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Block(u32),
    Constraint(u32),
}

/// All nodes in elimination order, and whether nested dissection chose it; if not, their own order.
///
/// `kept` are the block rows with a free scalar, but for those that are to stand `last`. Constraints that touch none
/// of `kept` stand behind these.
pub(super) fn order(
    pattern: &BlockPattern,
    (kept, last): (&[u32], &[u32]),
    rows: &ConstraintPattern,
) -> (Vec<Node>, bool) {
    let (graph, touching) = combined_graph(pattern, kept, rows);
    let block_count = kept.len() as u32;
    let node = |k: u32| match k.checked_sub(block_count) {
        None => Node::Block(kept[k as usize]),
        Some(t) => Node::Constraint(touching[t as usize]),
    };
    let mut alone = vec![true; rows.count()];
    touching.iter().for_each(|&t| alone[t as usize] = false);
    let alone = (0..rows.count() as u32).filter(|&i| alone[i as usize]).map(Node::Constraint);
    let alone = last.iter().map(|&row| Node::Block(row)).chain(alone);
    let dissection = sinew_ordering::nested_dissection(&graph.offsets, &graph.neighbours);
    match dissection.ok().flatten() {
        None => {
            let all = 0..block_count + touching.len() as u32;
            (all.map(node).chain(alone).collect(), false)
        }
        Some(dissection) => {
            let perm = constraints_after_a_block(&graph, block_count, &dissection.perm);
            let mut inverse = vec![0; perm.len()];
            perm.iter().enumerate().for_each(|(k, &old)| inverse[old as usize] = k as u32);
            let parents = elimination_tree(&graph, &perm, &inverse);
            let order = postorder(&parents).into_iter().map(|k| node(perm[k as usize]));
            (order.chain(alone).collect(), true)
        }
    }
}

/// Moves every constraint that stands before all of its block rows to just behind the first of them.
///
/// A constraint that is eliminated first has nothing but the regularization for a pivot, and what it
/// adds to its block rows drowns half of their digits. Behind a block row its pivot is the inverse
/// mass that it acts on.
fn constraints_after_a_block(graph: &Subgraph, block_count: u32, perm: &[u32]) -> Vec<u32> {
    let mut order = Vec::with_capacity(perm.len());
    let mut placed = vec![false; perm.len()];
    let mut waiting = vec![false; perm.len()];
    for &k in perm {
        let is_block = k < block_count;
        if !is_block && !graph.neighbours(k).iter().any(|&n| placed[n as usize]) {
            waiting[k as usize] = true;
            continue;
        }
        order.push(k);
        placed[k as usize] = true;
        if is_block {
            for &n in graph.neighbours(k) {
                if std::mem::take(&mut waiting[n as usize]) {
                    order.push(n);
                }
            }
        }
    }
    order
}

/// The graph of kept block rows and, after them, the constraints that touch any; and these.
fn combined_graph(
    pattern: &BlockPattern,
    kept: &[u32],
    rows: &ConstraintPattern,
) -> (Subgraph, Vec<u32>) {
    let blocks = Subgraph::new(pattern, kept);
    let mut local = vec![u32::MAX; pattern.size()];
    kept.iter().enumerate().for_each(|(k, &row)| local[row as usize] = k as u32);
    let lists: Vec<Vec<u32>> = (0..rows.count())
        .map(|i| {
            let touched = rows.blocks()[rows.entries(i)].iter().map(|&b| local[b as usize]);
            let mut list: Vec<u32> = touched.filter(|&l| l != u32::MAX).collect();
            list.sort_unstable();
            list.dedup();
            list
        })
        .collect();
    let touching: Vec<u32> =
        (0..rows.count() as u32).filter(|&i| !lists[i as usize].is_empty()).collect();
    let mut of_block: Vec<Vec<u32>> = vec![Vec::new(); kept.len()];
    for (t, &i) in touching.iter().enumerate() {
        lists[i as usize].iter().for_each(|&b| of_block[b as usize].push((kept.len() + t) as u32));
    }
    let (mut offsets, mut neighbours) = (vec![0], Vec::new());
    for k in 0..kept.len() as u32 {
        neighbours.extend_from_slice(blocks.neighbours(k));
        neighbours.extend_from_slice(&of_block[k as usize]);
        offsets.push(neighbours.len() as u32);
    }
    for &i in &touching {
        neighbours.extend_from_slice(&lists[i as usize]);
        offsets.push(neighbours.len() as u32);
    }
    (Subgraph { offsets, neighbours }, touching)
}
