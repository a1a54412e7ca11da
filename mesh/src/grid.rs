//! Grids of elements: a cube cut into cells and mapped to a solid.

use crate::Vec3;
use crate::element::ElementKind;
use crate::geometry::quadratic;
use crate::mesh::{ElementFace, VolumeMesh};

/// A hexahedron has the corners of its upper face before those of the lower one.
const UPPER_FIRST: [usize; 8] = [4, 5, 6, 7, 0, 1, 2, 3];
/// The corners of a cell: around its lower face, then around the upper one.
const CORNERS: [[u32; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
/// A hexahedron as six tetrahedra around its diagonal; neighbours cut their common face alike (Kuhn).
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]];
/// Names of the faces of a grid: its least and greatest side along each axis.
const SIDES: [[&str; 2]; 3] = [["x_min", "x_max"], ["y_min", "y_max"], ["z_min", "z_max"]];

/// A cube of edges 2 about the origin, cut into so many cells along x, y and z and mapped; its sides are the sets of nodes
/// and of faces `x_min` to `z_max`. `None` where there is no cell, and for kinds that no grid is made of: it takes linear and quadratic
/// hexahedra and tetrahedra.
pub fn grid_mesh(
    counts: [u32; 3],
    kind: ElementKind,
    map: impl Fn(&Vec3) -> Vec3,
) -> Option<VolumeMesh> {
    let known = [ElementKind::Hex8, ElementKind::Hex20, ElementKind::Tet4, ElementKind::Tet10];
    if counts.contains(&0) || !known.contains(&kind) {
        return None;
    }
    let [nx, ny, _] = counts;
    let at = |[i, j, k]: [u32; 3]| i + (nx + 1) * (j + (ny + 1) * k);
    let mut mesh = VolumeMesh::default();
    add_nodes(&mut mesh, counts, map);
    let is_tetrahedral = matches!(kind, ElementKind::Tet4 | ElementKind::Tet10);
    for cell in each(counts) {
        let corners = CORNERS.map(|corner| at([0, 1, 2].map(|axis| cell[axis] + corner[axis])));
        if is_tetrahedral {
            for four in TETRAHEDRA {
                mesh.push_element(ElementKind::Tet4, &four.map(|k| corners[k])).ok()?;
            }
        } else {
            mesh.push_element(ElementKind::Hex8, &UPPER_FIRST.map(|k| corners[k])).ok()?;
        }
    }
    add_sides(&mut mesh, counts);
    let is_quadratic = matches!(kind, ElementKind::Hex20 | ElementKind::Tet10);
    Some(if is_quadratic { quadratic(&mesh) } else { mesh })
}

/// All places of a grid of so many.
fn each([nx, ny, nz]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    let rows = (0..nz).flat_map(move |k| (0..ny).map(move |j| (j, k)));
    rows.flat_map(move |(j, k)| (0..nx).map(move |i| [i, j, k]))
}

/// Adds the mapped nodes of a grid, with the sets of its sides.
fn add_nodes(mesh: &mut VolumeMesh, counts: [u32; 3], map: impl Fn(&Vec3) -> Vec3) {
    for place in each(counts.map(|n| n + 1)) {
        let along = |axis: usize| 2.0 * f64::from(place[axis]) / f64::from(counts[axis]) - 1.0;
        let node = mesh.nodes.len() as u32;
        mesh.nodes.push(map(&Vec3::new(along(0), along(1), along(2))));
        for axis in 0..3 {
            for (end, side) in [0, counts[axis]].into_iter().zip(SIDES[axis]) {
                if place[axis] == end {
                    mesh.node_sets.entry(side.to_owned()).or_default().push(node);
                }
            }
        }
    }
}

/// The faces of each side as sets of faces.
fn add_sides(mesh: &mut VolumeMesh, counts: [u32; 3]) {
    let [nx, ny, _] = counts.map(|count| count + 1);
    let place = |node: u32| [node % nx, node / nx % ny, node / (nx * ny)];
    let mut sides = Vec::new();
    for (element, (kind, nodes)) in (0..).zip(mesh.elements()) {
        for (face, corners) in (0..).zip(kind.faces()) {
            for axis in 0..3 {
                let mut along = corners.iter().map(|&k| place(nodes[usize::from(k)])[axis]);
                let Some(first) = along.next() else { continue };
                let is_flat = along.all(|other| other == first);
                for (end, side) in [0, counts[axis]].into_iter().zip(SIDES[axis]) {
                    if is_flat && first == end {
                        sides.push((side, ElementFace { element, face }));
                    }
                }
            }
        }
    }
    for (side, face) in sides {
        mesh.face_sets.entry(side.to_owned()).or_default().push(face);
    }
}
