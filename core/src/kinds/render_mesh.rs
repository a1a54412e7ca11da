//! Surfaces that are drawn and take no part in the simulation: a skull around a jaw, a table.

use serde::{Deserialize, Serialize};

use crate::component::{Handle, Invalidates, TransformRefusal};
use crate::geometry::SurfaceMesh;
use crate::property::{Components, ModelComponent, Pose, Transformation, properties};

/// A surface with a place of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RenderMesh {
    /// Name in paths; may be empty.
    pub name: String,
    /// The surface, in its own frame [m].
    pub mesh: SurfaceMesh,
    /// The frame, to world [m].
    #[serde(default)]
    pub pose: Pose,
}

impl RenderMesh {
    /// A surface whose frame is that of the world.
    pub fn new(name: impl Into<String>, mesh: SurfaceMesh) -> Self {
        Self { name: name.into(), mesh, pose: Pose::identity() }
    }
}

fn mesh(model: &dyn Components, handle: Handle<RenderMesh>) -> Option<&SurfaceMesh> {
    model.get(handle).map(|it| &it.mesh)
}

impl ModelComponent for RenderMesh {
    const HOME: Option<&'static str> = Some("renderables");
    const MOVED: Invalidates = Invalidates::RENDER;

    /// A rigid map moves the frame; another one the vertices, and leaves the frame that of the world.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        if let Some(map) = transformation.map.rigid() {
            self.pose = map.pose(&self.pose).ok_or(TransformRefusal::Flattens)?;
            return Ok(());
        }
        let world = |p: &crate::Vec3| self.pose.transform_point(&(*p).into()).coords;
        self.mesh =
            transformation.surface(&self.mesh, world, |p| transformation.map.point(&world(p)))?;
        self.pose = Pose::identity();
        Ok(())
    }

    properties! { RenderMesh {
        "pose": Pose = Pose::identity(), "m, -", FINITE, RENDER, "Its frame: position, then the quaternion i j k w", own (pose);
        "vertex_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of vertices", derived (|model: &dyn Components, h| Some(mesh(model, h)?.vertices().len() as i64));
        "triangle_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of triangles", derived (|model: &dyn Components, h| Some(mesh(model, h)?.triangles().len() as i64));
        "closed": bool = true, "", FINITE, NOTHING, "True if it has no open edge", derived (|model: &dyn Components, h| Some(mesh(model, h)?.topology().is_closed()));
        "volume": f64 = 0.0, "m³", FINITE, NOTHING, "Volume inside; negative when it is turned inside out", derived (|model: &dyn Components, h| Some(mesh(model, h)?.signed_volume()));
    } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::Affine;
    use crate::geometry::cuboid_mesh;
    use crate::model::{Edit, EditError, Model};
    use crate::{Mat3, Vec3};

    fn transformed(it: &RenderMesh, map: Affine) -> Result<RenderMesh, EditError> {
        let mut model = Model::new("m");
        let handle = model.add(it.clone());
        model.edit(Edit::transform(handle, map))?;
        Ok(model[handle].clone())
    }

    /// Vertices in the world [m].
    fn world(it: &RenderMesh) -> Vec<Vec3> {
        let point = |p: &Vec3| (it.pose * nalgebra::Point3::from(*p)).coords;
        it.mesh.vertices().iter().map(point).collect()
    }

    #[test]
    fn every_map_takes_the_vertices_along_and_only_a_rigid_one_leaves_the_surface() {
        let mesh = cuboid_mesh(&Vec3::new(0.2, 0.3, 0.1)).unwrap();
        let place = Pose::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, -0.2, 0.5));
        let start = RenderMesh { pose: place, ..RenderMesh::new("box", mesh) };
        let turn = Affine::rotation(Vec3::x(), Vec3::new(0.4, 1.0, -0.3));
        let stretch = Affine::about(Vec3::y(), Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 0.5)));
        for (map, rigid) in [(turn, true), (stretch, false)] {
            let moved = transformed(&start, map).unwrap();
            assert_eq!(moved.mesh == start.mesh, rigid);
            assert_eq!(moved.pose == Pose::identity(), !rigid);
            for (p, q) in world(&start).iter().zip(world(&moved)) {
                // A dozen roundings of coordinates of 5 m.
                assert!((map.point(p) - q).norm() < 1e-14, "{p} {q}");
            }
        }
        let flatten = Affine::about(Vec3::zeros(), Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0)));
        let refused = transformed(&start, flatten).unwrap_err();
        let flattens = |refusal: &TransformRefusal| *refusal == TransformRefusal::Flattens;
        assert!(matches!(refused, EditError::Transform { refusal, .. } if flattens(&refusal)));
    }
}
