//! Meshes to and from arrays: volumes of tissues, surfaces of bodies.

use std::path::PathBuf;

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use sinew::component::{Address, ComponentId};
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::geometry::SurfaceMesh;
use sinew::io::{LengthUnit, ReadOptions, read_volume};
use sinew::model::{FemModel, RenderMesh, RigidBody};

use crate::errors::{FileError, PathError, raise};
use crate::numbers::{points, points_of};

/// Elements of one kind: its name, and the nodes of each, shape (m, k).
type Block<'py> = (&'static str, Bound<'py, PyArray2<u32>>);

/// Content of a mesh.
enum Content {
    Volume(VolumeMesh),
    Surface(SurfaceMesh),
}

/// A mesh as arrays.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct Mesh(Content);

impl Mesh {
    /// That of a component.
    pub(crate) fn of_component(model: &sinew::model::Model, path: &str) -> PyResult<Self> {
        let at = raise(model.find(path))?;
        let content = match at {
            Address::Component(id) => content_of(model, id),
            _ => None,
        };
        content.map(Self).ok_or_else(|| PathError::new_err(format!("'{path}' has no mesh")))
    }

    pub(crate) fn volume(&self) -> PyResult<VolumeMesh> {
        match &self.0 {
            Content::Volume(mesh) => Ok(mesh.clone()),
            Content::Surface(_) => {
                Err(FileError::new_err("a mesh of elements is needed, not a surface"))
            }
        }
    }

    pub(crate) fn surface(&self) -> PyResult<SurfaceMesh> {
        match &self.0 {
            Content::Surface(mesh) => Ok(mesh.clone()),
            Content::Volume(_) => {
                Err(FileError::new_err("a surface is needed, not a mesh of elements"))
            }
        }
    }
}

fn content_of(model: &sinew::model::Model, id: ComponentId) -> Option<Content> {
    if let Some(tissue) = id.typed::<FemModel>().and_then(|it| model.get(it)) {
        return Some(Content::Volume(tissue.mesh.clone()));
    }
    if let Some(body) = id.typed::<RigidBody>().and_then(|it| model.get(it)) {
        return body.mesh.clone().map(Content::Surface);
    }
    let drawn = id.typed::<RenderMesh>().and_then(|it| model.get(it))?;
    Some(Content::Surface(drawn.mesh.clone()))
}

#[pymethods]
impl Mesh {
    /// A mesh of nodes and blocks of elements, or of triangles alone.
    #[new]
    fn new(
        nodes: &Bound<'_, PyAny>,
        blocks: Vec<(String, PyReadonlyArray2<'_, i64>)>,
    ) -> PyResult<Self> {
        let nodes = points_of(nodes, "nodes")?;
        if let Some(k) = nodes.iter().position(|node| !node.iter().all(|x| x.is_finite())) {
            return Err(FileError::new_err(format!("node {k} has a coordinate that is no number")));
        }
        let index = |n: i64| {
            u32::try_from(n).map_err(|_| FileError::new_err(format!("there is no node {n}")))
        };
        if let [(name, triangles)] = &blocks[..]
            && name == "triangle"
        {
            let rows = triangles.as_array();
            let triangle = |row: numpy::ndarray::ArrayView1<'_, i64>| match row.to_vec()[..] {
                [a, b, c] => Ok([index(a)?, index(b)?, index(c)?]),
                _ => Err(FileError::new_err("triangles: an array of shape (m, 3) is expected")),
            };
            let triangles = rows.rows().into_iter().map(triangle).collect::<PyResult<_>>()?;
            let surface = SurfaceMesh::new(nodes, triangles);
            let surface = surface.map_err(|error| FileError::new_err(error.to_string()))?;
            return Ok(Self(Content::Surface(surface)));
        }
        let mut mesh = VolumeMesh::new(nodes);
        for (name, elements) in &blocks {
            let Some(kind) = ElementKind::from_name(name) else {
                let names: Vec<_> = ElementKind::ALL.iter().map(|kind| kind.name()).collect();
                let why = format!("there is no element '{name}'; there are {}", names.join(", "));
                return Err(FileError::new_err(why));
            };
            for element in elements.as_array().rows() {
                let nodes: Vec<u32> = element.iter().map(|&n| index(n)).collect::<PyResult<_>>()?;
                let pushed = mesh.push_element(kind, &nodes);
                pushed.map_err(|error| FileError::new_err(error.to_string()))?;
            }
        }
        Ok(Self(Content::Volume(mesh)))
    }

    /// Reads a file of any format that the library knows.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf, unit: &str) -> PyResult<Self> {
        let unit = LengthUnit::from_name(unit).ok_or_else(|| {
            FileError::new_err(format!("'{unit}' is no unit of length: take m, cm, mm or um"))
        })?;
        let read = py.detach(|| read_volume(&path, &ReadOptions { unit }));
        Ok(Self(Content::Volume(raise(read)?.mesh)))
    }

    /// Nodes, or corners of a surface [m]: shape (n, 3).
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        match &self.0 {
            Content::Volume(mesh) => points(py, mesh.nodes.iter().copied()),
            Content::Surface(mesh) => points(py, mesh.vertices().iter().copied()),
        }
    }

    /// Elements by kind, or triangles: (name, nodes of shape (m, k)).
    #[getter]
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Vec<Block<'py>>> {
        let block = |name, width, nodes: Vec<u32>| -> PyResult<Block<'py>> {
            let shaped = Array2::from_shape_vec((nodes.len() / width, width), nodes);
            let shaped = shaped.map_err(|error| FileError::new_err(error.to_string()))?;
            Ok((name, shaped.into_pyarray(py)))
        };
        match &self.0 {
            Content::Surface(mesh) => {
                Ok(vec![block("triangle", 3, mesh.triangles().as_flattened().to_vec())?])
            }
            Content::Volume(mesh) => {
                let mut blocks = Vec::new();
                for kind in ElementKind::ALL {
                    let of_kind = mesh.elements().filter(|(its, _)| *its == kind);
                    let nodes: Vec<u32> = of_kind.flat_map(|(_, nodes)| nodes).copied().collect();
                    if !nodes.is_empty() {
                        blocks.push(block(kind.name(), kind.node_count(), nodes)?);
                    }
                }
                Ok(blocks)
            }
        }
    }
}
