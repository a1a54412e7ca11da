//! Documents of OpenSim 4 from models: bodies, joints, couplings, muscles, springs, wrap objects, markers, contacts and
//! surfaces. What such a document cannot say is told. docs/reference/opensim.md has the table.

mod bodies;
mod constraints;
mod element;
mod forces;
mod function;
mod islands;
mod joints;
mod muscles;
mod names;
mod paths;
mod told;
mod transform;

use std::collections::BTreeMap;

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::component::{ComponentId, Handle, Kind, ROOT};
use sinew::constraint::Pose;
use sinew::model::{
    Collider, DEFAULT_GRAVITY, FrameMarker, FrameSite, MechModel, Model, RigidBody, WrapSurface,
};

use element::Element;
use islands::Islands;
use names::Names;
use told::Told;

/// A document with the files that it names.
pub(crate) struct Document {
    /// Its text.
    pub(crate) text: String,
    /// Surfaces as Wavefront OBJ, each with the name of its file.
    pub(crate) surfaces: Vec<(String, String)>,
    /// Parts of the model that the document does not have, a sentence each.
    pub(crate) notes: Vec<String>,
}

/// Kinds of components that are written, or that only hold others.
const KINDS: [Kind; 20] = [
    Kind::RootModel,
    Kind::ComponentList,
    Kind::ReferenceList,
    Kind::MechModel,
    Kind::RigidBody,
    Kind::FrameMarker,
    Kind::AxialSpring,
    Kind::MultiPointSpring,
    Kind::FrameSpring,
    Kind::Joint,
    Kind::CustomJoint,
    Kind::JointCoordinateCoupling,
    Kind::CoordinateActuator,
    Kind::WrapSurface,
    Kind::RenderMesh,
    Kind::Collider,
    Kind::CollisionBehavior,
    // Told by what they change, not by their number.
    Kind::MuscleExciter,
    Kind::Sensor,
    Kind::Event,
];

/// The document of a model whose surfaces are files that begin with `stem`.
pub(crate) fn document(model: &Model, stem: &str) -> Document {
    let mut writer = Writer::new(model);
    writer.learn_ranges();
    // Names of surfaces and colliders come before what names them.
    for (handle, surface) in model.iter::<WrapSurface>() {
        writer.names.add(handle.id(), "wrap object", &surface.name);
    }
    let geometry = writer.contact_geometry();
    let (ground, bodies) = writer.bodies(stem);
    let joints = writer.joints();
    let constraints = writer.constraints();
    let forces = writer.forces();
    let markers = writer.markers();
    writer.tell_others();
    let sets = [
        Element::set("BodySet", "bodyset", bodies),
        Element::set("JointSet", "jointset", joints),
        Element::set("ConstraintSet", "constraintset", constraints),
        Element::set("ForceSet", "forceset", forces),
        Element::set("MarkerSet", "markerset", markers),
        Element::set("ContactGeometrySet", "contactgeometryset", geometry),
    ];
    let gravity = writer.gravity();
    let top = Element::named("Model", names::word(model.name(), "model"))
        .with([
            Element::text("length_units", "meters"),
            Element::text("force_units", "N"),
            Element::vector("gravity", &gravity),
            ground,
        ])
        .with(sets.into_iter().flatten());
    let Writer { surfaces, told, .. } = writer;
    Document { text: top.document(), surfaces, notes: told.notes() }
}

/// A model on its way into a document.
struct Writer<'m> {
    model: &'m Model,
    names: Names,
    islands: Islands,
    told: Told,
    /// The body that stands for the ground, if there is one.
    ground: Option<Handle<RigidBody>>,
    /// Ranges outside which coordinates move no points, by name.
    ranges: BTreeMap<String, [f64; 2]>,
    surfaces: Vec<(String, String)>,
}

impl<'m> Writer<'m> {
    fn new(model: &'m Model) -> Self {
        let is_ground = |body: &RigidBody| {
            body.name == "ground" && !body.dynamic && body.pose == Pose::identity()
        };
        let ground = model.iter::<RigidBody>().find(|it| is_ground(it.1)).map(|it| it.0);
        let (names, islands, told) = (Names::of(model), Islands::of(model), Told::default());
        let (ranges, surfaces) = (BTreeMap::new(), Vec::new());
        Self { model, names, islands, told, ground, ranges, surfaces }
    }

    /// Path of a body in the document, or of the ground.
    fn body_path(&self, body: Option<Handle<RigidBody>>) -> String {
        match body.filter(|body| self.ground != Some(*body)) {
            Some(body) => format!("/bodyset/{}", self.names.get(body)),
            None => "/ground".to_owned(),
        }
    }

    fn frame_path(&self, site: &FrameSite) -> String {
        self.body_path(site.body)
    }

    /// True if something on a body, or on the ground, belongs there.
    fn is_on(&self, site: Option<Handle<RigidBody>>, on: Option<Handle<RigidBody>>) -> bool {
        let place = |it: Option<Handle<RigidBody>>| it.filter(|it| self.ground != Some(*it));
        place(site) == place(on)
    }

    /// Gravity of the first mechanical model [m/s²]; one that another has is told.
    fn gravity(&mut self) -> Vec3 {
        let given: Vec<Vec3> =
            self.model.iter::<MechModel>().filter_map(|it| it.1.gravity).collect();
        let first = given.first().copied().unwrap_or(DEFAULT_GRAVITY);
        if given.iter().any(|it| *it != first) {
            self.told.changed("there is one gravity for all: that of the first".to_owned());
        }
        first
    }

    /// Learns the ranges in which functions of coordinates move points.
    fn learn_ranges(&mut self) {
        for (_, marker) in self.model.iter::<FrameMarker>() {
            for moving in &marker.moves {
                let range = function::range(&moving.function);
                let name = self.names.coordinate(&moving.of).map(str::to_owned);
                if let (Some(range), Some(name)) = (range, name) {
                    self.ranges.entry(name).or_insert(range);
                }
            }
        }
    }

    /// Counts the components of kinds that no document has.
    fn tell_others(&mut self) {
        let mut open: Vec<ComponentId> = vec![ROOT];
        while let Some(id) = open.pop() {
            open.extend(self.model.children(id));
            if !KINDS.contains(&id.kind()) {
                self.told.left_out(id.kind().name());
            }
        }
    }

    /// Balls and half-spaces that contacts are of.
    fn contact_geometry(&mut self) -> Vec<Element> {
        let model = self.model;
        model.iter::<Collider>().filter_map(|(handle, it)| self.collider(handle, it)).collect()
    }
}

/// Turns about x, the turned y and the turned z that make a rotation [rad].
fn euler(rotation: &UnitQuaternion<f64>) -> Vec3 {
    let r = rotation.to_rotation_matrix();
    let across = r[(0, 0)].hypot(r[(0, 1)]);
    let y = r[(0, 2)].atan2(across);
    if across < 1e-12 {
        return Vec3::new(r[(2, 1)].atan2(r[(1, 1)]), y, 0.0);
    }
    Vec3::new((-r[(1, 2)]).atan2(r[(2, 2)]), y, (-r[(0, 1)]).atan2(r[(0, 0)]))
}

#[cfg(test)]
mod tests {
    use super::super::frames::body_fixed_xyz;
    use super::*;

    #[test]
    fn three_turns_make_the_rotation_again_where_the_second_is_a_quarter_too() {
        for angles in [
            [0.3, -0.7, 2.9],
            [-3.0, 1.2, 0.4],
            [0.5, std::f64::consts::FRAC_PI_2, 0.9],
            [0.5, -std::f64::consts::FRAC_PI_2, 0.9],
        ] {
            let rotation = body_fixed_xyz(&Vec3::from(angles));
            let again = body_fixed_xyz(&euler(&rotation));
            assert!(rotation.angle_to(&again) < 1e-14, "{angles:?}");
        }
    }
}
