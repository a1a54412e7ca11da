//! Report on a volume mesh: all findings at once. What is to be told of it stands in the notes of
//! the file that it was read from.

use std::collections::BTreeMap;

use super::DisjointSets;
use super::{SolidIntegrals, SurfaceReport, boundary, coincident_points, mesh_integrals};
use crate::Vec3;
use crate::{ElementQuality, Histogram, VolumeMesh};

/// Result of [`volume_report`].
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeReport {
    /// Number of nodes.
    pub nodes: usize,
    /// Number of elements.
    pub elements: usize,
    /// Number of elements of each kind, by name.
    pub element_counts: BTreeMap<&'static str, usize>,
    /// Smallest and largest coordinates [m].
    pub bounding_box: Option<[Vec3; 2]>,
    /// Volume, centroid and second moment; `None` when the volume is not positive.
    pub solid: Option<SolidIntegrals>,
    /// Parts that share no node.
    pub components: usize,
    /// Nodes that no element uses.
    pub unused_nodes: usize,
    /// Nodes at the place of an earlier one.
    pub duplicate_nodes: usize,
    /// Elements with the corners of an earlier one.
    pub duplicate_elements: usize,
    /// Elements with a corner whose Jacobian is not positive, rising.
    pub non_positive: Vec<u32>,
    /// Mean ratios, from 0 to 1.
    pub mean_ratio: Option<Histogram>,
    /// Scaled Jacobians, from -1 to 1.
    pub scaled_jacobian: Option<Histogram>,
    /// Smallest angle between faces of each element \[degrees\], from 0 to 180.
    pub min_dihedral: Option<Histogram>,
    /// Largest angle between faces of each element \[degrees\], from 0 to 360.
    pub max_dihedral: Option<Histogram>,
    /// Faces that more than two elements share.
    pub crowded_faces: usize,
    /// The surface.
    pub surface: SurfaceReport,
}

/// Looks at everything that can be wrong with a volume mesh. n log n in the number of elements.
pub fn volume_report(mesh: &VolumeMesh) -> VolumeReport {
    let (qualities, outside) = rayon::join(|| mesh.element_qualities(), || boundary(mesh));
    let mut element_counts = BTreeMap::new();
    mesh.elements().for_each(|(kind, _)| *element_counts.entry(kind.name()).or_default() += 1);
    let (components, unused_nodes) = parts(mesh);
    let stand_in = coincident_points(&mesh.nodes, 0.0);
    let of = |range, value: fn(&ElementQuality) -> f64| {
        Histogram::new(range, qualities.iter().map(value))
    };
    let is_bad = |(_, q): &(usize, &ElementQuality)| q.mean_ratio <= 0.0;
    VolumeReport {
        nodes: mesh.nodes.len(),
        elements: mesh.element_count(),
        element_counts,
        bounding_box: mesh.bounding_box(),
        solid: mesh_integrals(mesh),
        components,
        unused_nodes,
        duplicate_nodes: stand_in.iter().enumerate().filter(|&(i, &s)| i != s as usize).count(),
        duplicate_elements: duplicate_elements(mesh),
        non_positive: qualities.iter().enumerate().filter(is_bad).map(|(e, _)| e as u32).collect(),
        mean_ratio: of([0.0, 1.0], |q| q.mean_ratio),
        scaled_jacobian: of([-1.0, 1.0], |q| q.scaled_jacobian),
        min_dihedral: of([0.0, 180.0], |q| q.dihedral[0].to_degrees()),
        max_dihedral: of([0.0, 360.0], |q| q.dihedral[1].to_degrees()),
        crowded_faces: outside.crowded_face_count,
        surface: outside.mesh.report(),
    }
}

/// Number of parts that share no node, and of nodes that no element uses.
fn parts(mesh: &VolumeMesh) -> (usize, usize) {
    let mut sets = DisjointSets::new(mesh.nodes.len());
    let mut used = vec![false; mesh.nodes.len()];
    for (_, nodes) in mesh.elements() {
        for &n in nodes {
            sets.join(nodes[0], n);
            used[n as usize] = true;
        }
    }
    let is_root = |&n: &u32| used[n as usize] && sets.find(n) == n;
    let roots = (0..mesh.nodes.len() as u32).filter(is_root).count();
    (roots, used.iter().filter(|&&u| !u).count())
}

fn duplicate_elements(mesh: &VolumeMesh) -> usize {
    let key = |(kind, nodes): (crate::ElementKind, &[u32])| {
        let corners = kind.corner_count();
        let mut key = [u32::MAX; 8];
        key[..corners].copy_from_slice(&nodes[..corners]);
        key.sort_unstable();
        key
    };
    let mut keys: Vec<[u32; 8]> = mesh.elements().map(key).collect();
    keys.sort_unstable();
    keys.windows(2).filter(|pair| pair[0] == pair[1]).count()
}
