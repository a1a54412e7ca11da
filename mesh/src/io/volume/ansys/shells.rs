//! Shells and tetrahedra are both written as four nodes and four zeros, and which of them a type is
//! stands in another file. Their shape tells: four corners of a shell lie nearly in a plane.

use std::collections::{BTreeMap, BTreeSet};

use super::elements::Element;
use crate::Vec3;
use crate::io::volume::numbers::Numbers;

/// Half of the elements of a shell type are flatter than this and those of a solid type are not:
/// the triple product of three edges over that of their lengths is 0.7 in a regular tetrahedron,
/// and below 0.05 in half of the facets of a curved bone; a mesh of slivers alone is no use.
const FLAT: f64 = 0.1;

/// The types of the file that are shells.
pub(super) fn types(elements: &[Element], nodes: &[Vec3], numbers: &Numbers) -> BTreeSet<i64> {
    let mut shapes: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
    for element in elements {
        if element.node_count != 8 || element.nodes[4] != 0 || element.nodes[3] == 0 {
            continue;
        }
        let flatness = if element.nodes[2] == element.nodes[3] {
            // A triangle, which only shells have.
            Some(0.0)
        } else {
            let corner = |i: usize| numbers.index(element.nodes[i]).map(|n| nodes[n]);
            (|| Some(flatness([corner(0)?, corner(1)?, corner(2)?, corner(3)?])))()
        };
        shapes.entry(element.kind).or_default().extend(flatness);
    }
    let is_flat = |shapes: &mut Vec<f64>| {
        shapes.sort_unstable_by(f64::total_cmp);
        shapes.get(shapes.len() / 2).is_some_and(|&median| median < FLAT)
    };
    shapes.into_iter().filter_map(|(kind, mut s)| is_flat(&mut s).then_some(kind)).collect()
}

fn flatness([a, b, c, d]: [Vec3; 4]) -> f64 {
    let [u, v, w] = [b - a, c - a, d - a];
    let lengths = u.norm() * v.norm() * w.norm();
    if lengths > 0.0 { (u.cross(&v).dot(&w) / lengths).abs() } else { 0.0 }
}
