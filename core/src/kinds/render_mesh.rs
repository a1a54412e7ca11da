//! Surfaces that are drawn and take no part in the simulation: a skull around a jaw, a table, the teeth on a mandible.

use serde::{Deserialize, Serialize};

use crate::component::{ComponentId, Handle, Invalidates, Reference, TransformRefusal};
use crate::geometry::SurfaceMesh;
use crate::kinds::{FrameSite, RigidBody};
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Pose, Transformation, properties,
};

/// A surface in a frame of the world, or of a body that it goes with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RenderMesh {
    /// Name in paths; may be empty.
    pub name: String,
    /// The surface, in its own frame [m].
    pub mesh: SurfaceMesh,
    /// The frame.
    pub site: FrameSite,
}

impl RenderMesh {
    /// A surface whose frame is that of the world.
    pub fn new(name: impl Into<String>, mesh: SurfaceMesh) -> Self {
        Self { name: name.into(), mesh, site: FrameSite::ground(Pose::identity()) }
    }

    /// The same in the frame of a body, with which it goes.
    pub fn on(self, body: Handle<RigidBody>) -> Self {
        Self { site: FrameSite::on(body, Pose::identity()), ..self }
    }

    /// The same in another frame of its body, or of the world [m].
    pub fn at(self, pose: Pose) -> Self {
        Self { site: FrameSite { pose, ..self.site }, ..self }
    }

    /// Takes the vertices through a map that bends or stretches; the frame becomes that of the world or of the body.
    fn deform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let model = transformation.model;
        let Some(start) = self.site.world_pose(model) else { return Ok(()) };
        let image = match self.site.body.and_then(|body| model.get(body)) {
            Some(body) => Some(transformation.body(body)?),
            None => None,
        };
        let own = self.site.pose;
        let world = |p: &crate::Vec3| start.transform_point(&(*p).into()).coords;
        self.mesh = transformation.surface(&self.mesh, world, |p| match &image {
            Some(body) => body.place(transformation, &own.transform_point(&(*p).into()).coords),
            None => transformation.map.point(&world(p)),
        })?;
        self.site.pose = Pose::identity();
        Ok(())
    }
}

fn mesh(model: &dyn Components, handle: Handle<RenderMesh>) -> Option<&SurfaceMesh> {
    model.get(handle).map(|it| &it.mesh)
}

impl ModelComponent for RenderMesh {
    const HOME: Option<&'static str> = Some("renderables");
    const MOVED: Invalidates = Invalidates::RENDER;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.site.visit(visit);
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.site.redirect(map);
    }

    /// A rigid map moves the frame, unless a body takes it along; another one the vertices.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        match transformation.map.rigid() {
            _ if !transformation.moves_site(&self.site) => {}
            None => self.deform(transformation)?,
            Some(_) if self.site.body.is_some() => {}
            Some(map) => {
                self.site.pose = map.pose(&self.site.pose).ok_or(TransformRefusal::Flattens)?;
            }
        }
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_body("body", self.site.body)
    }

    properties! { RenderMesh {
        "body": OnePath = OnePath::default(), "", FINITE, RENDER, "The rigid body that it goes with; empty for the world",
            reference (|it| it.site.addresses(), |it, to| it.site.put(to));
        "pose": Pose = Pose::identity(), "m, -", FINITE, RENDER, "Its frame, in that of its body or of the world: position, then the quaternion i j k w", own (site.pose);
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
        let point = |p: &Vec3| (it.site.pose * nalgebra::Point3::from(*p)).coords;
        it.mesh.vertices().iter().map(point).collect()
    }

    #[test]
    fn every_map_takes_the_vertices_along_and_only_a_rigid_one_leaves_the_surface() {
        let mesh = cuboid_mesh(&Vec3::new(0.2, 0.3, 0.1)).unwrap();
        let place = Pose::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, -0.2, 0.5));
        let start = RenderMesh::new("box", mesh).at(place);
        let turn = Affine::rotation(Vec3::x(), Vec3::new(0.4, 1.0, -0.3));
        let stretch = Affine::about(Vec3::y(), Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 0.5)));
        for (map, rigid) in [(turn, true), (stretch, false)] {
            let moved = transformed(&start, map).unwrap();
            assert_eq!(moved.mesh == start.mesh, rigid);
            assert_eq!(moved.site.pose == Pose::identity(), !rigid);
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
