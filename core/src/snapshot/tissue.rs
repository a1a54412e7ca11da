//! Drawing of a tissue: its surface, its inside, its fibres, and elements that are broken at rest.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Faulty, Fibres, Shape, Tetrahedra};
use crate::Vec3;
use crate::component::Handle;
use crate::fem::{QuadratureRule, VolumeMesh};
use crate::geometry::boundary;
use crate::kinds::TissueFields;
use crate::model::{FemModel, Model, MuscleBundle, Shell};

/// Broken elements that are marked: of more the first ones say enough.
const MOST_FAULTY: usize = 100;

/// Parts of a tissue beside its elements.
pub(super) struct Extra {
    /// True if muscle bundles run in it.
    pub(super) bundled: bool,
    /// Triangles of shells that are on no face of an element, by nodes.
    pub(super) sheets: Vec<[u32; 3]>,
}

impl Extra {
    /// Of a tissue of a model.
    pub(super) fn of(model: &Model, tissue: Handle<FemModel>) -> Self {
        let bundled = model.iter::<MuscleBundle>().any(|(_, bundle)| bundle.fem == tissue);
        let sheets = model.iter::<Shell>().filter(|(_, shell)| shell.fem == tissue);
        let fem = model.get(tissue);
        let of = |shell: &Shell| fem.map_or_else(Vec::new, |fem| shell.sheets_in(fem));
        let sheets = sheets.flat_map(|(_, shell)| of(shell)).collect();
        Self { bundled, sheets }
    }
}

/// The shape of a tissue whose nodes are the points `nodes`.
pub(super) fn shape_of(fem: &FemModel, nodes: Vec<u32>, extra: Extra) -> Shape {
    let mesh = &fem.mesh;
    let outside = boundary(mesh);
    let point = |vertex: u32| nodes[outside.node_of_vertex[vertex as usize] as usize];
    let triangles = outside.mesh.triangles().iter().map(|t| t.map(point));
    let mut triangles: Vec<[u32; 3]> = triangles.collect();
    let mut edges = surface_edges(mesh, &nodes, &triangles);
    for sheet in extra.sheets {
        let [a, b, c] = sheet.map(|node| nodes[node as usize]);
        // Both sides of a sheet are seen.
        triangles.extend([[a, b, c], [a, c, b]]);
        edges.extend([[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]));
    }
    edges.sort_unstable();
    edges.dedup();
    let edges = Arc::new(edges);
    let inside = Arc::new(Tetrahedra::of(mesh, &nodes));
    let fibres = Arc::new(own_fibres(fem, &nodes));
    let faulty = Arc::new(faulty_elements(mesh, &nodes));
    let threaded = extra.bundled || !fibres.is_empty();
    let (nodes, triangles) = (Arc::new(nodes), Arc::new(triangles));
    let faces = Arc::new(outside.face_of_triangle);
    let face_sets = Arc::new(mesh.face_sets.clone());
    Shape::Tissue { nodes, triangles, faces, face_sets, edges, inside, fibres, threaded, faulty }
}

/// Fibres of the material, else those of a field of the mesh.
fn own_fibres(fem: &FemModel, nodes: &[u32]) -> Fibres {
    let (fields, count) = (TissueFields::of(fem), fem.mesh.element_count());
    if fields.turn_fibres() {
        let fibre = |e: u32| (e, fields.axes(e as usize).column(0).into_owned());
        return Fibres::along(&fem.mesh, nodes, (0..count as u32).map(fibre));
    }
    let directions = match fem.fibres.as_slice() {
        [] => return Fibres::of(&fem.mesh, nodes),
        [one] => vec![*one; count],
        all => all.to_vec(),
    };
    Fibres::along(&fem.mesh, nodes, (0u32..).zip(directions))
}

/// Fibres of a muscle bundle in a tissue whose nodes are the points `nodes`.
pub(super) fn fibres_of(bundle: &MuscleBundle, fem: &FemModel, nodes: &[u32]) -> Fibres {
    let fields = TissueFields::of(fem);
    let direction = |(place, &element): (usize, &u32)| -> (u32, Vec3) {
        (element, bundle.axes_in((fem, &fields), (place, element)).column(0).into_owned())
    };
    let elements = bundle.elements_in(fem);
    Fibres::along(&fem.mesh, nodes, elements.iter().enumerate().map(direction))
}

/// Elements that are flat or inside out at a quadrature point, at rest.
fn faulty_elements(mesh: &VolumeMesh, nodes: &[u32]) -> Vec<Faulty> {
    let is_faulty = |e: &usize| {
        let ratio = mesh.jacobian_ratio(*e, QuadratureRule::default());
        // What is no number is no shape.
        ratio.is_nan() || ratio <= 0.0
    };
    let faulty = |e: usize| {
        let (kind, of) = mesh.element(e);
        let at = |k: u8| nodes[of[k as usize] as usize];
        let edges = kind.edges().iter().map(|&[a, b]| [at(a), at(b)]).collect();
        Faulty { element: e as u32, edges }
    };
    (0..mesh.element_count()).filter(is_faulty).map(faulty).take(MOST_FAULTY).collect()
}

/// Edges of elements that are sides of triangles of the surface; quadratic ones in halves.
fn surface_edges(mesh: &VolumeMesh, nodes: &[u32], triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let ordered = |a: u32, b: u32| [a.min(b), a.max(b)];
    let sides = |&[a, b, c]: &[u32; 3]| [ordered(a, b), ordered(b, c), ordered(c, a)];
    let sides: HashSet<[u32; 2]> = triangles.iter().flat_map(sides).collect();
    let mut edges = Vec::new();
    for (kind, of) in mesh.elements() {
        let (corners, at) = (kind.linear().nodes().len(), |k: usize| nodes[of[k] as usize]);
        for (k, &[a, b]) in kind.edges().iter().enumerate() {
            let (a, b) = (at(a as usize), at(b as usize));
            if of.len() == corners {
                edges.push(ordered(a, b));
            } else {
                let middle = at(corners + k);
                edges.extend([ordered(a, middle), ordered(middle, b)]);
            }
        }
    }
    edges.retain(|edge| sides.contains(edge));
    edges.sort_unstable();
    edges.dedup();
    edges
}
