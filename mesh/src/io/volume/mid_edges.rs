//! The places of mid-edge nodes in formats whose order differs from program to program.

use crate::ElementKind;
use crate::Vec3;
use crate::io::error::Problem;
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;

/// The order of a 10-node element by where its nodes lie. TetGen 1.6 itself writes the edges 23, 03, 01, 12, 13, 02 (of the
/// corners 0 to 3), but its manual shows them in a figure only and other programs that write the
/// format differ, so each node is put on the edge whose midpoint is nearest; TetGen's own edges are
/// straight.
pub(in crate::io) fn mid_edge_order(
    builder: &Builder,
    numbers: &Numbers,
    element: u64,
    nodes: &[i64],
) -> Result<[u8; 10], Problem> {
    let mut x = [Vec3::zeros(); 10];
    for (x, &node) in x.iter_mut().zip(nodes) {
        let node_count = builder.mesh.nodes.len();
        let missing = Problem::MissingNode { element, node, node_count, hint: "" };
        *x = builder.mesh.nodes[numbers.index(node).ok_or(missing)?];
    }
    let mut order = [0, 1, 2, 3, 0, 0, 0, 0, 0, 0];
    for (place, p) in x.iter().enumerate().skip(ElementKind::Tet10.corner_count()) {
        let distance = |k: usize| {
            let [a, b] = ElementKind::Tet10.edges()[k].map(|corner| x[corner as usize]);
            ((a + b) / 2.0 - p).norm_squared()
        };
        let nearest = (0..6).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        let slot = &mut order[4 + nearest.unwrap_or(0)];
        if *slot != 0 {
            return Err(Problem::MidNode { element, node: nodes[place] as u64 });
        }
        *slot = place as u8;
    }
    Ok(order)
}
