//! Bodies and the ground with what stands on them, markers, colliders.

use std::collections::BTreeSet;

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::component::{ComponentId, Handle};
use sinew::constraint::Pose;
use sinew::geometry::SurfaceMesh;
use sinew::io::{SurfaceData, write_obj};
use sinew::model::{
    AxialSpring, Collider, ColliderShape, FrameMarker, MultiPointSpring, PointRef, RenderMesh,
    RigidBody,
};

use super::element::Element;
use super::{Writer, euler};

impl Writer<'_> {
    /// The ground, and the bodies.
    pub(super) fn bodies(&mut self, stem: &str) -> (Element, Vec<Element>) {
        let model = self.model;
        let ground = self.ground_element(stem);
        let others = model.iter::<RigidBody>().filter(|it| self.ground != Some(it.0));
        let others: Vec<_> = others.collect();
        let made = others.into_iter().filter_map(|(handle, body)| self.body(handle, body, stem));
        (ground, made.collect())
    }

    fn ground_element(&mut self, stem: &str) -> Element {
        let own = self.ground.and_then(|ground| self.model.get(ground)?.mesh.as_ref());
        let geometry = self.geometry(own, None, &format!("{stem}_ground"));
        let wraps = self.wrap_objects(None);
        Element::named("Ground", "ground").with(geometry).with(Element::set(
            "WrapObjectSet",
            "wrapobjectset",
            wraps,
        ))
    }

    fn body(&mut self, handle: Handle<RigidBody>, body: &RigidBody, stem: &str) -> Option<Element> {
        let name = self.names.get(handle).to_owned();
        let Ok(inertia) = body.spatial_inertia() else {
            self.told.left_out("body whose surface has no inside, and so no inertia");
            return None;
        };
        let damped = [body.frame_damping, body.rotary_damping, body.inertial_damping];
        if damped.into_iter().flatten().any(|damping| damping != 0.0) {
            self.told.changed("bodies have no damping there".to_owned());
        }
        let (mass, center, i) = (inertia.mass(), inertia.center_of_mass(), inertia.rotational());
        let moments = [i[(0, 0)], i[(1, 1)], i[(2, 2)], i[(0, 1)], i[(0, 2)], i[(1, 2)]];
        let geometry = self.geometry(body.mesh.as_ref(), Some(handle), &format!("{stem}_{name}"));
        let wraps = self.wrap_objects(Some(handle));
        Some(
            Element::named("Body", name)
                .with(geometry)
                .with(Element::set("WrapObjectSet", "wrapobjectset", wraps))
                .with([
                    Element::text("mass", mass),
                    Element::vector("mass_center", &center),
                    Element::numbers("inertia", &moments),
                ]),
        )
    }

    /// The surfaces on a body or on the ground, as one file.
    fn geometry(
        &mut self,
        own: Option<&SurfaceMesh>,
        on: Option<Handle<RigidBody>>,
        name: &str,
    ) -> Option<Element> {
        let drawn = self.model.iter::<RenderMesh>().filter(|it| self.is_on(it.1.site.body, on));
        let drawn = drawn.map(|it| (&it.1.mesh, it.1.site.pose));
        let all = own.into_iter().map(|mesh| (mesh, Pose::identity())).chain(drawn);
        let text = obj(all)?;
        let file = format!("{name}.obj");
        self.surfaces.push((file.clone(), text));
        let mesh = Element::named("Mesh", format!("{name}_surface")).with([
            Element::text("socket_frame", ".."),
            Element::vector("scale_factors", &Vec3::repeat(1.0)),
            Element::text("mesh_file", file),
        ]);
        Some(Element::new("attached_geometry").with([mesh]))
    }

    /// Markers that no path goes through.
    pub(super) fn markers(&mut self) -> Vec<Element> {
        let model = self.model;
        let lines = model.iter::<MultiPointSpring>().flat_map(|it| &it.1.points);
        let springs = model.iter::<AxialSpring>().flat_map(|it| &it.1.ends);
        let used: BTreeSet<ComponentId> =
            lines.chain(springs).copied().map(PointRef::component).collect();
        let free = model.iter::<FrameMarker>().filter(|it| !used.contains(&it.0.id()));
        let made = free.map(|(handle, marker)| {
            Element::named("Marker", self.names.get(handle)).with([
                Element::text("socket_parent_frame", self.body_path(Some(marker.body))),
                Element::vector("location", &marker.location),
                Element::text("fixed", true),
            ])
        });
        made.collect()
    }

    /// A ball or a half-space, whose outside is along -x there and along z here.
    pub(super) fn collider(
        &mut self,
        handle: Handle<Collider>,
        collider: &Collider,
    ) -> Option<Element> {
        let (tag, pose, radius) = match collider.shape {
            ColliderShape::Sphere { radius } => ("ContactSphere", collider.site.pose, Some(radius)),
            ColliderShape::HalfSpace => {
                let turn = UnitQuaternion::new(Vec3::y() * std::f64::consts::FRAC_PI_2);
                let turn = Pose::from_parts(Vec3::zeros().into(), turn);
                ("ContactHalfSpace", collider.site.pose * turn, None)
            }
            _ => {
                self.told.left_out("collider that is neither a ball nor a half-space");
                return None;
            }
        };
        let name = self.names.add(handle.id(), "contact geometry", &collider.name);
        Some(
            Element::named(tag, name)
                .with([
                    Element::text("socket_frame", self.frame_path(&collider.site)),
                    Element::vector("location", &pose.translation.vector),
                    Element::vector("orientation", &euler(&pose.rotation)),
                ])
                .with(radius.map(|radius| Element::text("radius", radius))),
        )
    }
}

/// Surfaces at their poses as one Wavefront OBJ; `None` without triangles.
fn obj<'s>(surfaces: impl Iterator<Item = (&'s SurfaceMesh, Pose)>) -> Option<String> {
    let mut all = SurfaceData::default();
    for (mesh, pose) in surfaces {
        let first = all.points.len() as u32;
        let placed = mesh.vertices().iter().map(|p| pose.transform_point(&(*p).into()).coords);
        all.points.extend(placed);
        all.triangles.extend(mesh.triangles().iter().map(|t| t.map(|corner| corner + first)));
    }
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = write_obj(&mut text, &all);
    (!all.triangles.is_empty()).then(|| String::from_utf8_lossy(&text).into_owned())
}
