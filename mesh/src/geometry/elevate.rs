//! Linear elements with a node added in the middle of each edge, and the surface of a mesh with its
//! sets and fields: changes of form that a conversion asks for.

use std::collections::{BTreeMap, HashMap};

use super::boundary;
use crate::io::SurfaceData;
use crate::{ElementKind, Field, VolumeMesh};

/// The mesh with linear elements made quadratic; edges that elements share get one node. A node set
/// takes the middle of an edge whose ends it has; node fields have the mean of the ends there.
pub fn quadratic(mesh: &VolumeMesh) -> VolumeMesh {
    let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
    let mut ends: Vec<[u32; 2]> = Vec::new();
    let mut elements: Vec<(ElementKind, Vec<u32>)> = Vec::with_capacity(mesh.element_count());
    let corner_count = mesh.nodes.len();
    for (kind, nodes) in mesh.elements() {
        let mut all = nodes.to_vec();
        for &[a, b] in kind.edges().iter().filter(|_| !kind.is_quadratic()) {
            let [a, b] = [nodes[a as usize], nodes[b as usize]];
            let edge = [a.min(b), a.max(b)];
            all.push(*middles.entry(edge).or_insert_with(|| {
                ends.push(edge);
                (corner_count + ends.len() - 1) as u32
            }));
        }
        elements.push((kind.quadratic(), all));
    }
    let mut new = VolumeMesh::new(mesh.nodes.clone());
    let at = |n: u32| mesh.nodes[n as usize];
    new.nodes.extend(ends.iter().map(|&[a, b]| (at(a) + at(b)) / 2.0));
    for (kind, nodes) in elements {
        new.push_element(kind, &nodes).expect("its nodes were appended");
    }
    new.element_sets = mesh.element_sets.clone();
    new.face_sets = mesh.face_sets.clone();
    new.triangle_sets = mesh.triangle_sets.clone();
    new.element_fields = mesh.element_fields.clone();
    new.node_sets = with_middles(&mesh.node_sets, &ends, corner_count);
    new.node_fields = mesh.node_fields.clone();
    new.node_fields.values_mut().for_each(|field| append_means(field, &ends));
    new
}

fn with_middles(
    sets: &BTreeMap<String, Vec<u32>>,
    ends: &[[u32; 2]],
    corner_count: usize,
) -> BTreeMap<String, Vec<u32>> {
    let extended = |set: &Vec<u32>| {
        let mut is_in = vec![false; corner_count];
        set.iter().for_each(|&n| is_in[n as usize] = true);
        let middles = ends.iter().enumerate().filter(|(_, e)| e.iter().all(|&n| is_in[n as usize]));
        let mut set = set.clone();
        set.extend(middles.map(|(i, _)| (corner_count + i) as u32));
        set
    };
    sets.iter().map(|(name, set)| (name.clone(), extended(set))).collect()
}

fn append_means(field: &mut Field, ends: &[[u32; 2]]) {
    let n = field.components;
    for &[a, b] in ends {
        for i in 0..n {
            let mean = (field.values[a as usize * n + i] + field.values[b as usize * n + i]) / 2.0;
            field.values.push(mean);
        }
    }
}

/// The surface of a volume mesh with its data: the fields of both kinds, and sets of elements and
/// of faces as sets of triangles. A set of faces gives way to one of elements of the same name.
pub fn surface_of(mesh: &VolumeMesh) -> SurfaceData {
    let outside = boundary(mesh);
    let mut surface = SurfaceData::from_mesh(&outside.mesh);
    for (name, elements) in &mesh.element_sets {
        let mut is_in = vec![false; mesh.element_count()];
        elements.iter().for_each(|&e| is_in[e as usize] = true);
        let triangles = outside.element_of_triangle.iter().enumerate();
        let members: Vec<u32> =
            triangles.filter(|&(_, &e)| is_in[e as usize]).map(|(t, _)| t as u32).collect();
        if !members.is_empty() {
            surface.triangle_sets.insert(name.clone(), members);
        }
    }
    for (name, faces) in &mesh.face_sets {
        let is_in = |at| faces.binary_search(at).is_ok();
        let triangles = outside.face_of_triangle.iter().enumerate();
        let members: Vec<u32> =
            triangles.filter(|(_, at)| is_in(at)).map(|(t, _)| t as u32).collect();
        if !members.is_empty() {
            surface.triangle_sets.entry(name.clone()).or_insert(members);
        }
    }
    surface.point_fields = rows(&mesh.node_fields, &outside.node_of_vertex);
    surface.triangle_fields = rows(&mesh.element_fields, &outside.element_of_triangle);
    surface
}

/// The rows `of` each field.
fn rows(fields: &BTreeMap<String, Field>, of: &[u32]) -> BTreeMap<String, Field> {
    let pick = |field: &Field| {
        let row = |&i: &u32| &field.values[i as usize * field.components..][..field.components];
        Field { components: field.components, values: of.iter().flat_map(row).copied().collect() }
    };
    fields.iter().map(|(name, field)| (name.clone(), pick(field))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use crate::geometry::mesh_integrals;

    fn two_tetrahedra() -> VolumeMesh {
        let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z(), Vec3::repeat(1.0)];
        let mut mesh = VolumeMesh::new(corners.to_vec());
        mesh.push_element(ElementKind::Tet4, &[0, 1, 2, 3]).unwrap();
        mesh.push_element(ElementKind::Tet4, &[1, 2, 3, 4]).unwrap();
        mesh.node_sets.insert("low".to_owned(), vec![0, 1, 2]);
        mesh.element_sets.insert("outer".to_owned(), vec![1]);
        let x = corners.iter().map(|p| p.x).collect();
        mesh.node_fields.insert("x".to_owned(), Field { components: 1, values: x });
        mesh
    }

    #[test]
    fn elements_with_middles_share_them_and_keep_volume_sets_and_linear_fields() {
        let (linear, high) = (two_tetrahedra(), quadratic(&two_tetrahedra()));
        // Nine edges, three of them shared.
        assert_eq!(high.nodes.len(), 5 + 9);
        let volume = |mesh| mesh_integrals(mesh).unwrap().volume;
        assert!((volume(&linear) - volume(&high)).abs() < 1e-14);
        assert_eq!(high.node_sets["low"].len(), 6);
        for (p, x) in high.nodes.iter().zip(&high.node_fields["x"].values) {
            assert_eq!(p.x, *x);
        }
    }

    #[test]
    fn the_surface_carries_sets_and_fields() {
        let surface = surface_of(&two_tetrahedra());
        assert_eq!((surface.triangles.len(), surface.points.len()), (6, 5));
        assert_eq!(surface.triangle_sets["outer"], [3, 4, 5]);
        assert_eq!(surface.point_fields["x"].values, [0.0, 1.0, 0.0, 0.0, 1.0]);
        let quadratic_surface = surface_of(&quadratic(&two_tetrahedra()));
        assert_eq!(quadratic_surface.triangles.len(), 24);
    }
}
