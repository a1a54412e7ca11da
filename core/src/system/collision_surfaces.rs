//! Surfaces of tissues that touch surfaces, without the parts that are attached to the other
//! tissue.

use std::collections::BTreeMap;

use super::ContactSetup;
use super::collision_things::Source;
use crate::contact::Surface;
use crate::geometry::boundary;

/// The surfaces of a model as they are compiled.
#[derive(Default)]
pub(super) struct Surfaces {
    /// Triangles of each tissue by nodes.
    triangles: BTreeMap<usize, Vec<[u32; 3]>>,
    /// Number of the surface of a tissue without the nodes that follow rows of another, by the nodes left out; `None`
    /// where nothing is left.
    numbers: BTreeMap<(usize, Vec<u32>), Option<u32>>,
}

impl Surfaces {
    /// Number of the surface of a tissue against another, or against itself; `None` where all of it is attached to
    /// the other.
    pub(super) fn of(
        &mut self,
        source: Source<'_>,
        [fem, other]: [usize; 2],
        setup: &mut ContactSetup,
    ) -> Option<u32> {
        let triangles = self.triangles.entry(fem).or_insert_with(|| triangles_of(source, fem));
        let without = attached(source, [fem, other]);
        let number = self.numbers.entry((fem, without.clone())).or_insert_with(|| {
            let is_left = |node: &u32| without.binary_search(node).is_err();
            let left = triangles.iter().filter(|nodes| nodes.iter().all(is_left));
            let surface = surface_of(source, fem, left.copied().collect());
            (!surface.triangles.is_empty()).then(|| {
                setup.surfaces.push(surface);
                setup.surfaces.len() as u32 - 1
            })
        });
        *number
    }
}

/// Triangles of the surface of a tissue, by nodes.
fn triangles_of(source: Source<'_>, fem: usize) -> Vec<[u32; 3]> {
    let boundary = boundary(&source.flat.fems[fem].mesh);
    let of_node = |v: u32| boundary.node_of_vertex[v as usize];
    boundary.mesh.triangles().iter().map(|triangle| triangle.map(of_node)).collect()
}

/// Nodes of a tissue that follow nodes of another, rising.
fn attached(source: Source<'_>, [fem, other]: [usize; 2]) -> Vec<u32> {
    if fem == other {
        return Vec::new();
    }
    let (rows, others) = (&source.points.fem_rows[fem], &source.points.fem_rows[other]);
    let follows = |row: &u32| {
        let masters = source.fixation.masters(*row);
        masters.iter().any(|master| others.contains(master))
    };
    let numbered = (0..).zip(rows.iter());
    numbered.filter(|(_, row)| follows(row)).map(|(node, _)| node).collect()
}

/// The surface of some triangles, with the vertices that they use.
fn surface_of(source: Source<'_>, fem: usize, mut triangles: Vec<[u32; 3]>) -> Surface {
    let mut nodes: Vec<u32> = triangles.as_flattened().to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    for node in triangles.as_flattened_mut() {
        *node = nodes.binary_search(node).expect("every corner is among them") as u32;
    }
    let rows: Vec<u32> =
        nodes.iter().map(|&node| source.points.fem_rows[fem][node as usize]).collect();
    let holders = rows.iter().map(|&row| source.fixation.holder(row)).collect();
    Surface { rows, triangles, holders }
}
