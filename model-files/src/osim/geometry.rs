//! Surfaces of bodies: mesh files beside the model, or in the folder `Geometry` there.

use std::path::PathBuf;
use std::sync::Arc;

use nalgebra::Isometry3;
use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::geometry::SurfaceMesh;
use sinew::io::{ReadError, ReadOptions, read_surface};
use sinew::model::RenderMesh;

use super::frames::body_fixed_xyz;
use super::import::{Import, name};
use super::xml::Element;
use crate::tree::Span;

/// Vertices and triangles.
type Parts = (Vec<Vec3>, Vec<[u32; 3]>);

/// Files that were not found or not understood.
#[derive(Clone, Debug, Default)]
pub(super) struct Lacking {
    count: usize,
    first: Option<(GeometryError, Span)>,
}

/// Errors of a file of geometry.
#[derive(Clone, Debug, thiserror::Error)]
enum GeometryError {
    /// A file that is nowhere.
    #[error("{0} is neither beside the model nor in Geometry there")]
    Missing(String),
    /// A file that cannot be read.
    #[error(transparent)]
    Read(Arc<ReadError>),
    /// A file whose surface is none.
    #[error("{}: {fault}", .path.display())]
    Surface {
        /// The file.
        path: PathBuf,
        /// The reason.
        fault: sinew::geometry::GeometryError,
    },
}

impl<'d> Import<'d> {
    /// Gives bodies their surfaces, and adds those of the ground.
    pub(super) fn add_geometry(&mut self) {
        let mut lacking = Lacking::default();
        for number in 0..self.bodies.len() {
            let parts = self.surface(self.bodies[number].at, &mut lacking);
            let handle = self.handles[number];
            if let (Some(mesh), Some(handle)) = (mesh_of(parts), handle)
                && let Some(body) = self.model.get_mut(handle)
            {
                body.mesh = Some(mesh);
            }
        }
        for at in self.grounds.clone() {
            let parts = self.surface(at, &mut lacking);
            if let Some(mesh) = mesh_of(parts) {
                let handle = self.model.add(RenderMesh::new(name("ground"), mesh));
                self.put(handle.id(), at.span);
            }
        }
        if let Some((why, span)) = lacking.first {
            let message = match lacking.count {
                1 => format!("a geometry file is not drawn: {why}"),
                count => format!("{count} geometry files are not drawn, the first one: {why}"),
            };
            self.findings.note(span, message);
        }
    }

    fn surface(&mut self, at: &'d Element, lacking: &mut Lacking) -> Parts {
        let mut parts = (Vec::new(), Vec::new());
        let attached = at.child("attached_geometry").into_iter().flat_map(|list| &list.children);
        for mesh in attached.filter(|it| it.tag == "Mesh") {
            mesh.mark().child("Appearance").into_iter().for_each(Element::mark_all);
            let file = self.text(mesh, "mesh_file").unwrap_or("").to_owned();
            mesh.child("socket_frame");
            let scale = self.vector(mesh, "scale_factors").ok().flatten();
            let place = (scale.unwrap_or(Vec3::repeat(1.0)), Pose::identity());
            self.add_file(&file, place, mesh.span, (&mut parts, lacking));
        }
        let Some(visible) = at.child("VisibleObject") else { return parts };
        let whole =
            self.vector(visible, "scale_factors").ok().flatten().unwrap_or(Vec3::repeat(1.0));
        for display in visible.members("GeometrySet") {
            display.mark_all();
            let file = self.text(display, "geometry_file").unwrap_or("").to_owned();
            let own = self.vector(display, "scale_factors").ok().flatten();
            let scale = own.unwrap_or(Vec3::repeat(1.0)).component_mul(&whole);
            let moved = self.numbers(display, "transform").ok().flatten().unwrap_or_default();
            let pose = match moved[..] {
                [a, b, c, x, y, z] => Isometry3::from_parts(
                    Vec3::new(x, y, z).into(),
                    body_fixed_xyz(&Vec3::new(a, b, c)),
                ),
                _ => Pose::identity(),
            };
            self.add_file(&file, (scale, pose), display.span, (&mut parts, lacking));
        }
        let listed = visible.child("geometry_files").map(|it| it.text.clone()).unwrap_or_default();
        for file in listed.split_whitespace() {
            self.add_file(file, (whole, Pose::identity()), visible.span, (&mut parts, lacking));
        }
        visible.mark_all();
        parts
    }

    fn add_file(
        &mut self,
        file: &str,
        (scale, pose): (Vec3, Pose),
        span: Span,
        (parts, lacking): (&mut Parts, &mut Lacking),
    ) {
        if file.is_empty() {
            return;
        }
        let mesh = match self.mesh_file(file, span) {
            Ok(mesh) => mesh,
            Err(why) => {
                lacking.count += 1;
                lacking.first.get_or_insert((why, span));
                return;
            }
        };
        let base = parts.0.len() as u32;
        let moved = |v: &Vec3| pose.transform_point(&v.component_mul(&scale).into()).coords;
        parts.0.extend(mesh.vertices().iter().map(moved));
        parts.1.extend(mesh.triangles().iter().map(|t| t.map(|corner| corner + base)));
    }

    fn mesh_file(&mut self, file: &str, span: Span) -> Result<SurfaceMesh, GeometryError> {
        let candidates = [file.to_owned(), format!("Geometry/{file}")];
        let found: Option<PathBuf> =
            candidates.iter().find_map(|it| self.folders.resolve(&self.folder, it, span).ok());
        let path = found.ok_or_else(|| GeometryError::Missing(file.to_owned()))?;
        let file = read_surface(&path, &ReadOptions::default());
        let file = file.map_err(|error| GeometryError::Read(Arc::new(error)))?;
        match file.surface.mesh() {
            Ok(mesh) => {
                self.files.insert(path);
                Ok(mesh)
            }
            Err(fault) => Err(GeometryError::Surface { path, fault }),
        }
    }
}

fn mesh_of((vertices, triangles): Parts) -> Option<SurfaceMesh> {
    if triangles.is_empty() {
        return None;
    }
    SurfaceMesh::new(vertices, triangles).ok()
}
