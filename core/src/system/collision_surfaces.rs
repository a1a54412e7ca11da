//! Surfaces of tissues that touch surfaces, without the parts that are attached to the other
//! tissue: those of solid elements, and both sides of free sheets.

use std::collections::{BTreeMap, BTreeSet};

use super::ContactSetup;
use super::collision_things::Source;
use super::flat::Flat;
use crate::contact::Surface;
use crate::fem::surface_nodes;
use crate::geometry::boundary;

/// The surfaces of a model as they are compiled.
#[derive(Default)]
pub(super) struct Surfaces {
    /// Triangles of the solid elements of each tissue and of its free sheets, by nodes.
    triangles: BTreeMap<usize, [Vec<[u32; 3]>; 2]>,
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
        let without = attached(source, [fem, other]);
        if let Some(known) = self.numbers.get(&(fem, without.clone())) {
            return *known;
        }
        let is_left = |node: &u32| without.binary_search(node).is_err();
        let surface = self.part(source, fem, &|nodes| nodes.iter().all(is_left));
        let number = self.numbers.entry((fem, without)).or_insert_with(|| {
            (!surface.triangles.is_empty()).then(|| {
                setup.surfaces.push(surface);
                setup.surfaces.len() as u32 - 1
            })
        });
        *number
    }

    /// The triangles of the surface of a tissue that fit, by their nodes.
    pub(super) fn part(
        &mut self,
        source: Source<'_>,
        fem: usize,
        fits: &dyn Fn(&[u32; 3]) -> bool,
    ) -> Surface {
        let triangles = self.triangles.entry(fem).or_insert_with(|| triangles_of(source, fem));
        let left = |all: &Vec<[u32; 3]>| all.iter().filter(|it| fits(it)).copied().collect();
        surface_of(source, fem, triangles.each_ref().map(left))
    }
}

/// Triangles of the surface of a tissue and of its free sheets, by nodes.
fn triangles_of(source: Source<'_>, fem: usize) -> [Vec<[u32; 3]>; 2] {
    let boundary = boundary(&source.flat.fems[fem].mesh);
    let of_node = |v: u32| boundary.node_of_vertex[v as usize];
    let solid = boundary.mesh.triangles().iter().map(|triangle| triangle.map(of_node)).collect();
    [solid, sheets_of(source.flat, fem)]
}

/// Triangles of the shells and membranes of a tissue that are no faces of its elements, by nodes.
fn sheets_of(flat: &Flat<'_>, fem: usize) -> Vec<[u32; 3]> {
    let handle = flat.places.fems.handles()[fem];
    let own = flat.shells.iter().filter(|(_, shell)| shell.fem == handle);
    // Layers of one sheet touch as one.
    let mut known = BTreeSet::new();
    let mut is_new = |triangle: &[u32; 3]| {
        let mut corners = *triangle;
        corners.sort_unstable();
        known.insert(corners)
    };
    own.flat_map(|(_, shell)| shell.sheets_in(flat.fems[fem])).filter(|t| is_new(t)).collect()
}

/// Nodes of the surface of a tissue and of its free sheets, rising.
pub(super) fn surface_nodes_of(flat: &Flat<'_>, fem: usize) -> Vec<u32> {
    let mut nodes = surface_nodes(&flat.fems[fem].mesh);
    nodes.extend(sheets_of(flat, fem).as_flattened());
    nodes.sort_unstable();
    nodes.dedup();
    nodes
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

/// The surface of some triangles of solids and sheets, with the vertices that they use; sheets have two sides.
fn surface_of(source: Source<'_>, fem: usize, [solid, sheets]: [Vec<[u32; 3]>; 2]) -> Surface {
    let turned = sheets.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let (mut nodes, mut triangles, mut of_solid) = (Vec::new(), Vec::new(), 0);
    for (k, side) in [solid, sheets, turned].iter().enumerate() {
        append(side, &mut nodes, &mut triangles);
        if k == 0 {
            of_solid = nodes.len();
        }
    }
    let rows: Vec<u32> =
        nodes.iter().map(|&node| source.points.fem_rows[fem][node as usize]).collect();
    let holders = rows.iter().map(|&row| source.fixation.holder(row)).collect();
    let sheet_vertices = (rows.len() - of_solid) as u32;
    Surface { rows, triangles, holders, sheet_vertices }
}

/// Appends triangles with vertices of their own, one a node that they use.
fn append(side: &[[u32; 3]], nodes: &mut Vec<u32>, triangles: &mut Vec<[u32; 3]>) {
    let mut own: Vec<u32> = side.as_flattened().to_vec();
    own.sort_unstable();
    own.dedup();
    let first = nodes.len();
    let vertex =
        |node: u32| (first + own.binary_search(&node).expect("every corner is among them")) as u32;
    triangles.extend(side.iter().map(|corners| corners.map(vertex)));
    nodes.extend(&own);
}
