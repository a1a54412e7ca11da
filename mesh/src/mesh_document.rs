//! A mesh as a document of serde writes it; a mesh that is read is checked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Vec3;
use crate::element::ElementKind;
use crate::mesh::{ElementFace, Field, MeshError, VolumeMesh};

/// Errors of a mesh in a document.
#[derive(Debug, thiserror::Error)]
pub(super) enum DocumentError {
    #[error("there is no kind of element '{0}'")]
    Kind(String),
    #[error(transparent)]
    Element(#[from] MeshError),
    #[error("face set '{set}': element {element} has no face {face}")]
    Face { set: String, element: u32, face: u8 },
    #[error("triangle set '{set}' refers to node {node}, but the mesh has {count} nodes")]
    Triangle { set: String, node: u32, count: usize },
    #[error("field '{field}': {components} x {count} values, not {found}")]
    Field { field: String, components: usize, count: usize, found: usize },
}

/// A mesh as it is written; what is read is checked.
#[derive(Serialize, Deserialize)]
pub(super) struct MeshDocument {
    nodes: Vec<Vec3>,
    /// Kind by name, and nodes.
    elements: Vec<(String, Vec<u32>)>,
    node_sets: BTreeMap<String, Vec<u32>>,
    element_sets: BTreeMap<String, Vec<u32>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    face_sets: BTreeMap<String, Vec<ElementFace>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    triangle_sets: BTreeMap<String, Vec<[u32; 3]>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    node_fields: BTreeMap<String, Field>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    element_fields: BTreeMap<String, Field>,
}

impl MeshDocument {
    /// Refuses faces and fields that do not fit the mesh.
    fn check(&self, mesh: &VolumeMesh) -> Result<(), DocumentError> {
        for (name, faces) in &self.face_sets {
            for &ElementFace { element, face } in faces {
                let there = (element as usize) < mesh.element_count()
                    && usize::from(face) < mesh.element(element as usize).0.faces().len();
                if !there {
                    let set = name.clone();
                    return Err(DocumentError::Face { set, element, face });
                }
            }
        }
        for (name, triangles) in &self.triangle_sets {
            let count = mesh.nodes.len();
            let missing = triangles.as_flattened().iter().find(|&&node| node as usize >= count);
            if let Some(&node) = missing {
                return Err(DocumentError::Triangle { set: name.clone(), node, count });
            }
        }
        let of_nodes = self.node_fields.iter().map(|field| (field, mesh.nodes.len()));
        let of_elements = self.element_fields.iter().map(|field| (field, mesh.element_count()));
        for ((name, Field { components, values }), count) in of_nodes.chain(of_elements) {
            if components.checked_mul(count) != Some(values.len()) {
                let (field, found) = (name.clone(), values.len());
                let components = *components;
                return Err(DocumentError::Field { field, components, count, found });
            }
        }
        Ok(())
    }
}

impl From<VolumeMesh> for MeshDocument {
    fn from(mesh: VolumeMesh) -> Self {
        let elements = mesh.elements().map(|(kind, nodes)| (kind.name().into(), nodes.to_vec()));
        let elements = elements.collect();
        let VolumeMesh {
            nodes,
            node_sets,
            element_sets,
            face_sets,
            triangle_sets,
            node_fields,
            element_fields,
            ..
        } = mesh;
        Self {
            nodes,
            elements,
            node_sets,
            element_sets,
            face_sets,
            triangle_sets,
            node_fields,
            element_fields,
        }
    }
}

impl TryFrom<MeshDocument> for VolumeMesh {
    type Error = DocumentError;

    fn try_from(mut document: MeshDocument) -> Result<Self, DocumentError> {
        let mut mesh = Self::new(std::mem::take(&mut document.nodes));
        for (name, nodes) in std::mem::take(&mut document.elements) {
            let kind = ElementKind::from_name(&name).ok_or(DocumentError::Kind(name))?;
            mesh.push_element(kind, &nodes)?;
        }
        document.check(&mesh)?;
        mesh.node_sets = document.node_sets;
        mesh.element_sets = document.element_sets;
        mesh.face_sets = document.face_sets;
        mesh.triangle_sets = document.triangle_sets;
        mesh.node_fields = document.node_fields;
        mesh.element_fields = document.element_fields;
        Ok(mesh)
    }
}
