//! Checks of a mesh after reading: units, unused nodes, handedness, and notes on all that would
//! surprise in a simulation. Nothing here refuses a mesh that has a volume element.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::io::error::Problem;
use crate::io::volume::builder::{Builder, NamedFace};
use crate::io::volume::duplicates::{crowded_faces, repeated_elements};
use crate::io::volume::{faces, shapes};
use crate::io::{MeshFile, ReadOptions};
use crate::{ElementKind, VolumeMesh};

/// Larger than a person by so much that the file is hardly in metres [m].
pub const LARGEST_BODY: f64 = 10.0;

/// Larger than a person, so that a part of one is hardly in metres [m].
pub const LARGEST_PART: f64 = 3.0;

/// Makes the mesh of what was read, with a note where it is too large to be in metres.
///
/// # Errors
/// No volume element.
pub(in crate::io) fn finish(
    builder: Builder,
    format: &'static str,
    options: &ReadOptions,
) -> Result<MeshFile, Problem> {
    let mut file = finish_of_any_size(builder, format, options)?;
    note_size(&file.mesh, &mut file.notes);
    Ok(file)
}

/// The same of a mesh whose unit the caller knows.
pub(in crate::io) fn finish_of_any_size(
    builder: Builder,
    format: &'static str,
    options: &ReadOptions,
) -> Result<MeshFile, Problem> {
    let Builder { mut mesh, skipped, mut notes, mut faces, .. } = builder;
    let singular = |name: &str| name.strip_suffix('s').unwrap_or(name).to_owned();
    let skipped: Vec<String> = skipped.iter().map(|(name, &n)| count(n, &singular(name))).collect();
    if mesh.element_count() == 0 && mesh.triangle_sets.is_empty() {
        let found =
            if skipped.is_empty() { String::new() } else { format!(" ({})", skipped.join(", ")) };
        return Err(Problem::NoVolume { found });
    }
    if !skipped.is_empty() {
        notes.push(format!("passed over: {}", skipped.join(", ")));
    }
    let factor = options.unit.factor();
    if factor != 1.0 {
        mesh.nodes.iter_mut().for_each(|p| *p *= factor);
    }
    settle_sets(&mut mesh, &mut notes);
    let mesh = without_unused_nodes(mesh, &mut faces, &mut notes);
    let mut mesh = shapes::right_handed(mesh, &mut notes);
    faces::store(&mut mesh, &faces, &mut notes);
    note_duplicates(&mesh, &mut notes);
    note_components(&mesh, &mut notes);
    Ok(MeshFile { mesh, format, notes })
}

/// A count with its noun.
pub(in crate::io) fn count(n: usize, singular: &str) -> String {
    if n == 1 { format!("1 {singular}") } else { format!("{n} {singular}s") }
}

/// Sets without repetitions, and fields with a finite value for each node or element.
fn settle_sets(mesh: &mut VolumeMesh, notes: &mut Vec<String>) {
    for set in mesh.node_sets.values_mut().chain(mesh.element_sets.values_mut()) {
        set.sort_unstable();
        set.dedup();
    }
    let [nodes, elements] = [mesh.nodes.len(), mesh.element_count()];
    for (fields, count) in [(&mut mesh.node_fields, nodes), (&mut mesh.element_fields, elements)] {
        fields.retain(|name, field| {
            // Arrays that only some pieces of a file have.
            field.values.resize(count * field.components, 0.0);
            let bad = field.values.iter().filter(|x| !x.is_finite()).count();
            if bad > 0 {
                let all = field.values.len();
                notes.push(format!("field `{name}` passed over: {bad} of {all} values not finite"));
            }
            bad == 0
        });
    }
}

/// The same mesh with its elements passed through `edit`; the number of elements stays.
pub(in crate::io) fn rebuilt(
    mesh: &mut VolumeMesh,
    nodes: Vec<crate::Vec3>,
    mut edit: impl FnMut(usize, &[u32], &mut [u32]),
) -> VolumeMesh {
    let mut new = VolumeMesh::new(nodes);
    new.element_sets = std::mem::take(&mut mesh.element_sets);
    new.node_sets = std::mem::take(&mut mesh.node_sets);
    new.triangle_sets = std::mem::take(&mut mesh.triangle_sets);
    new.node_fields = std::mem::take(&mut mesh.node_fields);
    new.element_fields = std::mem::take(&mut mesh.element_fields);
    let mut own = [0; ElementKind::MAX_NODE_COUNT];
    for (e, (kind, old)) in mesh.elements().enumerate() {
        edit(e, old, &mut own[..old.len()]);
        new.push_element(kind, &own[..old.len()]).expect("edits keep nodes within the mesh");
    }
    new
}

/// Gives what names nodes their new numbers; `u32::MAX` stands for those that are dropped.
fn renumber_sets(
    mesh: &mut VolumeMesh,
    faces: &mut BTreeMap<String, Vec<NamedFace>>,
    new_index: &[u32],
) {
    for set in mesh.node_sets.values_mut() {
        set.retain_mut(|n| {
            *n = new_index[*n as usize];
            *n != u32::MAX
        });
    }
    for node in mesh.triangle_sets.values_mut().flatten().flatten() {
        *node = new_index[*node as usize];
    }
    for node in faces.values_mut().flatten().flat_map(|face| &mut face.corners) {
        // The mark of a missing fourth corner is no node and stays.
        *node = new_index.get(*node as usize).copied().unwrap_or(*node);
    }
    // A corner without an element makes a face without one.
    faces.values_mut().flatten().for_each(|face| face.corners.sort_unstable());
    for field in mesh.node_fields.values_mut() {
        let rows = field.values.chunks_exact(field.components).zip(new_index);
        field.values =
            rows.filter(|&(_, &n)| n != u32::MAX).flat_map(|(row, _)| row.to_vec()).collect();
    }
}

/// Drops nodes that no element uses: they would have no mass.
fn without_unused_nodes(
    mut mesh: VolumeMesh,
    faces: &mut BTreeMap<String, Vec<NamedFace>>,
    notes: &mut Vec<String>,
) -> VolumeMesh {
    const UNUSED: u32 = u32::MAX;
    let mut new_index = vec![UNUSED; mesh.nodes.len()];
    mesh.elements().for_each(|(_, nodes)| nodes.iter().for_each(|&n| new_index[n as usize] = 0));
    mesh.triangle_sets.values().flatten().flatten().for_each(|&n| new_index[n as usize] = 0);
    let unused = new_index.iter().filter(|&&i| i == UNUSED).count();
    if unused == 0 {
        return mesh;
    }
    let first = new_index.iter().position(|&i| i == UNUSED).unwrap_or(0);
    notes.push(format!(
        "{} that no element uses (the first is number {} from 1) dropped",
        count(unused, "node"),
        first + 1
    ));
    let mut kept = Vec::with_capacity(mesh.nodes.len() - unused);
    for (index, &node) in new_index.iter_mut().zip(&mesh.nodes) {
        if *index != UNUSED {
            *index = kept.len() as u32;
            kept.push(node);
        }
    }
    renumber_sets(&mut mesh, faces, &new_index);
    rebuilt(&mut mesh, kept, |_, old, new| {
        new.iter_mut().zip(old).for_each(|(n, &o)| *n = new_index[o as usize]);
    })
}

fn note_duplicates(mesh: &VolumeMesh, notes: &mut Vec<String>) {
    let repeated = repeated_elements(mesh);
    if repeated > 0 {
        notes.push(format!(
            "{} of an element with the same corners (each doubles its stiffness and mass there)",
            count(repeated, "duplicate")
        ));
        return;
    }
    let crowded = crowded_faces(mesh);
    if crowded > 0 {
        notes.push(format!("{} on more than two elements (non-manifold)", count(crowded, "face")));
    }
}

fn note_components(mesh: &VolumeMesh, notes: &mut Vec<String>) {
    let mut parent: Vec<u32> = (0..mesh.nodes.len() as u32).collect();
    for (_, nodes) in mesh.elements() {
        let root = find(&mut parent, nodes[0]);
        for &n in &nodes[1..] {
            let other = find(&mut parent, n);
            parent[other as usize] = root;
        }
    }
    let components = parent.iter().enumerate().filter(|&(i, &p)| i == p as usize).count();
    if components > 1 {
        notes.push(format!("{components} components that share no node"));
    }
    // Adding zero makes -0 and 0 the same.
    let mut places: Vec<[u64; 3]> =
        mesh.nodes.iter().map(|p| [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits())).collect();
    places.par_sort_unstable();
    let coincident = places.windows(2).filter(|pair| pair[0] == pair[1]).count();
    if coincident > 0 {
        notes.push(format!(
            "{} at the place of another node: elements there are not connected unless welded",
            count(coincident, "node")
        ));
    }
}

/// Root of a node, with path halving.
fn find(parent: &mut [u32], mut node: u32) -> u32 {
    while parent[node as usize] != node {
        let up = parent[parent[node as usize] as usize];
        parent[node as usize] = up;
        node = up;
    }
    node
}

fn note_size(mesh: &VolumeMesh, notes: &mut Vec<String>) {
    let Some([lo, hi]) = mesh.bounding_box() else { return };
    let extent = (hi - lo).amax();
    if extent > LARGEST_BODY {
        notes.push(format!(
            "the mesh is {extent:.4} m long; if the file is in millimetres, say so with unit=mm"
        ));
    }
}
