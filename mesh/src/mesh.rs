//! A volume mesh: nodes, elements of mixed kinds in flat arrays, named sets. No physics.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ElementKind;
use crate::Vec3;
use crate::mesh_document::MeshDocument;

/// Errors of an element or a mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// The node list of an element has the wrong length for its kind.
    #[error("element {element}: {kind:?} takes {expected} nodes, {given} given")]
    NodeCount {
        /// Index of the element, from 0.
        element: usize,
        /// Its kind.
        kind: ElementKind,
        /// Nodes of the kind.
        expected: usize,
        /// Nodes given.
        given: usize,
    },
    /// An element refers to a node that does not exist.
    #[error("element {element} refers to node {node}, but the mesh has {node_count} nodes (0 to {})", .node_count.saturating_sub(1))]
    MissingNode {
        /// Index of the element, from 0.
        element: usize,
        /// The index it names.
        node: u32,
        /// Nodes in the mesh.
        node_count: usize,
    },
}

/// One face of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ElementFace {
    /// Index of the element, from 0.
    pub element: u32,
    /// Its index in [`ElementKind::faces`].
    pub face: u8,
}

/// Numbers at every node or in every element, as a file gave them; their unit is that of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Numbers a node or element: 1 for a scalar, 3 for a vector.
    pub components: usize,
    /// `components` numbers a node or element, one after the other.
    pub values: Vec<f64>,
}

/// Nodes and elements of a solid, with named subsets of both, of faces, and named fields.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "MeshDocument", into = "MeshDocument")]
pub struct VolumeMesh {
    /// Node positions [m].
    pub nodes: Vec<Vec3>,
    /// Named sets of node indices.
    pub node_sets: BTreeMap<String, Vec<u32>>,
    /// Named sets of element indices (regions, physical groups).
    pub element_sets: BTreeMap<String, Vec<u32>>,
    /// Named sets of element faces (surfaces that loads act on).
    pub face_sets: BTreeMap<String, Vec<ElementFace>>,
    /// Named sets of triangles between nodes, faces of elements or not (sheets); counterclockwise seen from where their
    /// normal points to.
    pub triangle_sets: BTreeMap<String, Vec<[u32; 3]>>,
    /// Named fields with a value a node.
    pub node_fields: BTreeMap<String, Field>,
    /// Named fields with a value an element.
    pub element_fields: BTreeMap<String, Field>,
    kinds: Vec<ElementKind>,
    offsets: Vec<u32>,
    connectivity: Vec<u32>,
}

impl VolumeMesh {
    /// A mesh of these nodes [m] and no element yet.
    pub fn new(nodes: Vec<Vec3>) -> Self {
        Self { nodes, ..Self::default() }
    }

    /// Appends an element; its nodes are in the order of docs/reference/conventions.md.
    ///
    /// # Errors
    /// A wrong number of nodes, or a node that is not in the mesh; nothing is appended then.
    pub fn push_element(&mut self, kind: ElementKind, nodes: &[u32]) -> Result<(), MeshError> {
        let element = self.kinds.len();
        if nodes.len() != kind.node_count() {
            let expected = kind.node_count();
            return Err(MeshError::NodeCount { element, kind, expected, given: nodes.len() });
        }
        let node_count = self.nodes.len();
        if let Some(&node) = nodes.iter().find(|&&n| n as usize >= node_count) {
            return Err(MeshError::MissingNode { element, node, node_count });
        }
        self.kinds.push(kind);
        self.connectivity.extend_from_slice(nodes);
        self.offsets.push(self.connectivity.len() as u32);
        Ok(())
    }

    /// Number of elements.
    pub fn element_count(&self) -> usize {
        self.kinds.len()
    }

    /// Kind and nodes of element `e`.
    ///
    /// # Panics
    /// When `e` is not below [`Self::element_count`].
    pub fn element(&self, e: usize) -> (ElementKind, &[u32]) {
        let start = if e == 0 { 0 } else { self.offsets[e - 1] as usize };
        (self.kinds[e], &self.connectivity[start..self.offsets[e] as usize])
    }

    /// All elements, in order: kind and nodes.
    pub fn elements(&self) -> impl Iterator<Item = (ElementKind, &[u32])> {
        (0..self.element_count()).map(|e| self.element(e))
    }

    /// Smallest and largest coordinates [m]; `None` without nodes.
    pub fn bounding_box(&self) -> Option<[Vec3; 2]> {
        let first = *self.nodes.first()?;
        Some(self.nodes.iter().fold([first, first], |[lo, hi], p| [lo.inf(p), hi.sup(p)]))
    }
}
