//! Meshes of the problems: boxes with a corner at the origin, and the patch of MacNeal and Harder
//! in every kind of element.

use std::collections::HashMap;

use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew_datasets::beam::{BeamElement, beam_mesh};

/// A box [0, x] x [0, y] x [0, z] m in cells of one kind.
pub(crate) fn grid(element: BeamElement, counts: [usize; 3], size: [f64; 3]) -> VolumeMesh {
    let mut mesh = beam_mesh(element, counts, size).expect("a box");
    let corner = mesh.bounding_box().expect("nodes")[0];
    mesh.nodes.iter_mut().for_each(|x| *x -= corner);
    mesh
}

/// Name of a kind of cell in a row: the kind of its elements.
pub(crate) fn kind_name(element: BeamElement) -> &'static str {
    match element {
        BeamElement::Tet => "tet4",
        BeamElement::Hex => "hex8",
        BeamElement::Wedge => "wedge6",
        BeamElement::Pyramid => "pyramid5",
        BeamElement::QuadTet => "tet10",
        BeamElement::QuadHex => "hex20",
        BeamElement::QuadWedge => "wedge15",
        BeamElement::QuadPyramid => "pyramid13",
    }
}

/// Inner corners of the patch (FEM-patch-tests); the outer ones are those of the unit cube in the
/// same order.
const INNER: [[f64; 3]; 8] = [
    [0.249, 0.342, 0.192],
    [0.826, 0.288, 0.288],
    [0.850, 0.649, 0.263],
    [0.273, 0.750, 0.230],
    [0.320, 0.186, 0.643],
    [0.677, 0.305, 0.683],
    [0.788, 0.693, 0.644],
    [0.165, 0.745, 0.702],
];

/// Corners of the unit cube.
const OUTER: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 1.0],
];

/// The seven hexahedra of the patch, corners as in [`OUTER`] (0..4 below, 4..8 above); 0..8 are
/// outer nodes, 8..16 inner ones. The four at the sides come last and have the first and the third
/// of their pairs of faces in common with one another, around the patch.
const CELLS: [[u32; 8]; 7] = [
    [8, 9, 10, 11, 12, 13, 14, 15],
    [0, 1, 2, 3, 8, 9, 10, 11],
    [12, 13, 14, 15, 4, 5, 6, 7],
    [0, 1, 9, 8, 4, 5, 13, 12],
    [1, 2, 10, 9, 5, 6, 14, 13],
    [2, 3, 11, 10, 6, 7, 15, 14],
    [3, 0, 8, 11, 7, 4, 12, 15],
];

/// The patch in elements of one kind; quadratic kinds have straight edges.
///
/// Wedges: two a hexahedron. Pyramids: six about its centre. Tetrahedra: two a pyramid, cut at the
/// diagonal with the lowest node, so that neighbours agree.
pub(crate) fn patch(kind: ElementKind) -> VolumeMesh {
    let mut nodes: Vec<Vec3> = OUTER.iter().chain(&INNER).map(|&x| Vec3::from(x)).collect();
    let mut elements: Vec<Vec<u32>> = Vec::new();
    for (c, cell) in CELLS.iter().enumerate() {
        match kind.linear() {
            ElementKind::Hex8 => elements.push(hexahedron(cell)),
            ElementKind::Wedge6 => elements.extend(wedges(cell, c >= 3)),
            linear => {
                let centre = nodes.len() as u32;
                nodes.push(cell.iter().map(|&n| nodes[n as usize]).sum::<Vec3>() / 8.0);
                elements.extend(about_centre(cell, centre, linear));
            }
        }
    }
    with_midside_nodes(kind, nodes, &elements)
}

/// Sinew's order: the face of largest third reference coordinate first.
fn hexahedron(c: &[u32; 8]) -> Vec<u32> {
    vec![c[4], c[5], c[6], c[7], c[0], c[1], c[2], c[3]]
}

/// Triangles below and above; or, at the sides, in the faces that the sides share.
fn wedges([a, b, c, d, e, f, g, h]: &[u32; 8], at_the_side: bool) -> [Vec<u32>; 2] {
    if at_the_side {
        [vec![*a, *d, *e, *b, *c, *f], vec![*e, *d, *h, *f, *c, *g]]
    } else {
        [vec![*a, *b, *c, *e, *f, *g], vec![*a, *c, *d, *e, *g, *h]]
    }
}

fn about_centre(cell: &[u32; 8], centre: u32, linear: ElementKind) -> Vec<Vec<u32>> {
    let hexahedron = hexahedron(cell);
    let mut elements = Vec::new();
    for face in ElementKind::Hex8.faces() {
        // Faces wind outward; a base winds toward the apex.
        let mut base: Vec<u32> = face.iter().rev().map(|&k| hexahedron[k as usize]).collect();
        if linear == ElementKind::Pyramid5 {
            base.push(centre);
            elements.push(base);
            continue;
        }
        let lowest = (0..4).min_by_key(|&k| base[k]).expect("four corners");
        base.rotate_left(lowest);
        elements.push(vec![base[0], base[1], base[2], centre]);
        elements.push(vec![base[0], base[2], base[3], centre]);
    }
    elements
}

fn with_midside_nodes(
    kind: ElementKind,
    mut nodes: Vec<Vec3>,
    elements: &[Vec<u32>],
) -> VolumeMesh {
    let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
    let mut complete = elements.to_vec();
    if kind.is_quadratic() {
        for element in &mut complete {
            for edge in kind.edges() {
                let mut ends = edge.map(|k| element[k as usize]);
                ends.sort_unstable();
                let middle = *middles.entry(ends).or_insert_with(|| {
                    nodes.push((nodes[ends[0] as usize] + nodes[ends[1] as usize]) / 2.0);
                    nodes.len() as u32 - 1
                });
                element.push(middle);
            }
        }
    }
    let mut mesh = VolumeMesh::new(nodes);
    for element in &complete {
        mesh.push_element(kind, element).expect("nodes of the patch");
    }
    mesh
}
