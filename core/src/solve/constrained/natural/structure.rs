//! The tree of a system: points and bodies that move are its nodes, groups of rows between two of them its links. Of all
//! groups a forest with as many rows as can be is taken; rows of the others, and those of more than two nodes, close loops.

use std::cmp::Reverse;
use std::ops::Range;

use crate::linalg::tree::TreeNode;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::reduction::Reduction;

use super::base::{BODY, FIRST_BASE, PAIRS};

pub(super) const NONE: u32 = u32::MAX;

/// A point or a body that moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mobile {
    /// Its block row, the first of a body.
    pub(super) row: u32,
    /// Number of the body; [`NONE`] for a point.
    pub(super) body: u32,
}

/// Place of a constraint row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowPlace {
    /// A link of a node: the node, and the number of the link.
    Link(u32, u32),
    /// A row across the tree.
    Across(u32),
    /// A row of nothing that moves.
    Still,
}

/// Nodes, and places of rows.
pub(super) struct Structure {
    pub(super) mobiles: Vec<Mobile>,
    /// The node of each block row; [`NONE`] for what is prescribed, or follows.
    pub(super) node_of_row: Vec<u32>,
    pub(super) nodes: Vec<TreeNode>,
    pub(super) rows: Vec<RowPlace>,
    /// Constraint rows across the tree.
    pub(super) across: Vec<u32>,
}

/// Constraint rows of one owner between the same nodes.
struct Group {
    rows: Range<usize>,
    nodes: Vec<u32>,
}

impl Structure {
    pub(super) fn new(context: StepContext, reduction: &Reduction) -> Self {
        let (mobiles, node_of_row) = mobiles(context, reduction);
        let groups = groups(context, reduction, &node_of_row);
        let linked = spanning_forest(&groups, mobiles.len());
        let parents = orient(&groups, &linked, mobiles.len());
        let mut nodes: Vec<TreeNode> = mobiles.iter().map(node_of).collect();
        let mut rows = vec![RowPlace::Still; reduction.rows.pattern().count()];
        for (node, parent) in parents.iter().enumerate() {
            let Some((group, parent)) = parent else { continue };
            let links = groups[*group].rows.clone();
            nodes[node].parent = *parent;
            nodes[node].links = links.len() as u32;
            nodes[node].rows += links.len() as u32;
            for (link, row) in links.enumerate() {
                rows[row] = RowPlace::Link(node as u32, link as u32);
            }
        }
        let mut across = Vec::new();
        for (group, linked) in groups.iter().zip(&linked) {
            if *linked || group.nodes.is_empty() {
                continue;
            }
            for row in group.rows.clone() {
                rows[row] = RowPlace::Across(across.len() as u32);
                across.push(row as u32);
            }
        }
        Self { mobiles, node_of_row, nodes, rows, across }
    }

    /// The node of a block row, and its coordinates there; none for what is prescribed, or follows.
    pub(super) fn coordinates(&self, block: u32) -> Option<(u32, Range<usize>)> {
        let node = self.node_of_row[block as usize];
        let mobile = self.mobiles.get(node as usize)?;
        Some((node, if mobile.row == block { 0..FIRST_BASE } else { FIRST_BASE..BODY }))
    }
}

fn node_of(mobile: &Mobile) -> TreeNode {
    match mobile.body {
        NONE => TreeNode { coordinates: 3, ..TreeNode::default() },
        _ => TreeNode { coordinates: BODY as u32, rows: PAIRS.len() as u32, ..TreeNode::default() },
    }
}

/// Points and bodies that move, and the node of each block row.
fn mobiles(context: StepContext, reduction: &Reduction) -> (Vec<Mobile>, Vec<u32>) {
    let StepContext { system, multibody } = context;
    let mut node_of_row = vec![NONE; system.pattern().size()];
    let mut mobiles = Vec::new();
    let mut bodies = multibody.bodies.iter().enumerate().peekable();
    for row in 0..node_of_row.len() as u32 {
        let body = bodies.next_if(|(_, body)| body.row == row).map_or(NONE, |(k, _)| k as u32);
        let is_rotation = multibody.body_of_rotation(row).is_some();
        if is_rotation || reduction.fixed[row as usize] == [true; 3] {
            continue;
        }
        node_of_row[row as usize] = mobiles.len() as u32;
        if body != NONE {
            node_of_row[row as usize + 1] = mobiles.len() as u32;
        }
        mobiles.push(Mobile { row, body });
    }
    (mobiles, node_of_row)
}

/// Rows in a row of the same owner and the same nodes.
fn groups(context: StepContext, reduction: &Reduction, node_of_row: &[u32]) -> Vec<Group> {
    let names = &context.multibody.joints.names;
    let pattern = reduction.rows.pattern();
    let mut groups: Vec<Group> = Vec::new();
    for row in 0..pattern.count() {
        let blocks = pattern.blocks()[pattern.entries(row)].iter();
        let mut nodes: Vec<u32> = blocks.map(|&block| node_of_row[block as usize]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.retain(|&node| node != NONE);
        match groups.last_mut() {
            Some(last) if last.nodes == nodes && names.get(row) == names.get(last.rows.start) => {
                last.rows.end = row + 1;
            }
            _ => groups.push(Group { rows: row..row + 1, nodes }),
        }
    }
    groups
}

/// True for the groups of a forest on nodes and the ground with the most rows (Kruskal1956).
fn spanning_forest(groups: &[Group], count: usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|&group| Reverse(groups[group].rows.len()));
    let mut above: Vec<u32> = (0..=count as u32).collect();
    let mut linked = vec![false; groups.len()];
    for group in order {
        let [a, b] = match groups[group].nodes[..] {
            [a] => [a, count as u32],
            [a, b] => [a, b],
            _ => continue,
        };
        let [a, b] = [a, b].map(|node| top(&mut above, node));
        if a != b {
            above[a as usize] = b;
            linked[group] = true;
        }
    }
    linked
}

/// The representative of a tree, to which the way is shortened.
fn top(above: &mut [u32], mut node: u32) -> u32 {
    while above[node as usize] != node {
        above[node as usize] = above[above[node as usize] as usize];
        node = above[node as usize];
    }
    node
}

/// For each node the group that links it, and its parent; the ground is none.
fn orient(groups: &[Group], linked: &[bool], count: usize) -> Vec<Option<(usize, Option<u32>)>> {
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut parents = vec![None; count];
    let (mut reached, mut queue) = (vec![false; count], Vec::new());
    for (k, group) in groups.iter().enumerate().filter(|(k, _)| linked[*k]) {
        group.nodes.iter().for_each(|&node| beside[node as usize].push(k));
        if let [node] = group.nodes[..] {
            parents[node as usize] = Some((k, None));
            reached[node as usize] = true;
            queue.push(node);
        }
    }
    let (mut next, mut roots) = (0, 0..count);
    loop {
        while let Some(&node) = queue.get(next) {
            next += 1;
            for &group in &beside[node as usize] {
                for &other in groups[group].nodes.iter().filter(|&&it| it != node) {
                    if !std::mem::replace(&mut reached[other as usize], true) {
                        parents[other as usize] = Some((group, Some(node)));
                        queue.push(other);
                    }
                }
            }
        }
        // A tree that hangs on nothing.
        let Some(root) = roots.find(|&node| !reached[node]) else { return parents };
        reached[root] = true;
        queue.push(root as u32);
    }
}
