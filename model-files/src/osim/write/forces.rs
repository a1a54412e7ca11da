//! Forces: along paths, between frames, on coordinates, of contacts.

use std::f64::consts::PI;

use sinew::axial::{ActivationDynamics, AxialLaw, Constants};
use sinew::component::{ComponentId, Handle};
use sinew::constraint::Quantity;
use sinew::contact::NormalLaw;
use sinew::force::CoordinateStops;
use sinew::model::{
    AxialSpring, Collider, CollisionBehavior, CoordinateActuator, CustomJoint, FrameSpring, Joint,
    MultiPointSpring, PointRef, Wrapped,
};

use super::super::springs::is_turn;
use super::Writer;
use super::element::Element;
use super::joints::offset_frame;
use super::muscles::{class, loses_activation};

/// A spring or muscle along a line.
struct Line<'l> {
    id: ComponentId,
    name: &'l str,
    law: &'l AxialLaw,
    rest_length: f64,
    excitation: f64,
    activation: &'l ActivationDynamics,
    enabled: bool,
    points: &'l [PointRef],
    wraps: &'l [Wrapped],
}

impl<'l> Line<'l> {
    fn straight(id: ComponentId, it: &'l AxialSpring) -> Self {
        Self {
            id,
            name: &it.name,
            law: &it.material,
            rest_length: it.rest_length,
            excitation: it.excitation,
            activation: &it.activation,
            enabled: it.enabled,
            points: &it.ends,
            wraps: &[],
        }
    }

    fn over_points(id: ComponentId, it: &'l MultiPointSpring) -> Self {
        Self {
            id,
            name: &it.name,
            law: &it.material,
            rest_length: it.rest_length,
            excitation: it.excitation,
            activation: &it.activation,
            enabled: it.enabled,
            points: &it.points,
            wraps: &it.wraps,
        }
    }
}

impl Writer<'_> {
    /// All forces of the document.
    pub(super) fn forces(&mut self) -> Vec<Element> {
        let model = self.model;
        let mut made = Vec::new();
        for (handle, it) in model.iter::<AxialSpring>() {
            made.extend(self.line(&Line::straight(handle.id(), it)));
        }
        for (handle, it) in model.iter::<MultiPointSpring>() {
            made.extend(self.line(&Line::over_points(handle.id(), it)));
        }
        made.extend(model.iter::<FrameSpring>().map(|it| self.bushing(it)).collect::<Vec<_>>());
        for (handle, actuator) in model.iter::<CoordinateActuator>() {
            made.extend(self.actuator(handle, actuator));
        }
        for (handle, behaviour) in model.iter::<CollisionBehavior>() {
            made.extend(self.contact(handle, behaviour));
        }
        made
    }

    /// A linear spring between two points that stay on their bodies; `None` for any other line.
    fn point_to_point(&mut self, line: &Line<'_>) -> Option<Element> {
        let (AxialLaw::Linear(law), &[PointRef::Marker(a), PointRef::Marker(b)], []) =
            (line.law, line.points, line.wraps)
        else {
            return None;
        };
        let ends = [self.model.get(a)?, self.model.get(b)?];
        if ends.iter().any(|end| !end.moves.is_empty() || end.active.is_some()) {
            return None;
        }
        if law.damping != 0.0 {
            let path = self.model.path(line.id);
            self.told.changed(format!("{path}: its damping is not there"));
        }
        let name = self.names.add(line.id, "force", line.name);
        let bodies = ends.map(|end| self.body_path(Some(end.body)));
        Some(Element::named("PointToPointSpring", name).with([
            Element::text("appliesForce", line.enabled),
            Element::text("socket_body1", &bodies[0]),
            Element::text("socket_body2", &bodies[1]),
            Element::vector("point1", &ends[0].location),
            Element::vector("point2", &ends[1].location),
            Element::text("stiffness", law.stiffness),
            Element::text("rest_length", line.rest_length),
        ]))
    }

    fn line(&mut self, line: &Line<'_>) -> Option<Element> {
        if let Some(made) = self.point_to_point(line) {
            return Some(made);
        }
        let Some(class) = class(line.law, line.rest_length) else {
            self.told.left_out(format!("line of the law {}", line.law.kind().name));
            return None;
        };
        let Some(path) = self.path(line.points, line.wraps) else {
            self.told.left_out("line to a particle, to tissue, or by a joint that is left out");
            return None;
        };
        let lost = loses_activation(line.law, line.activation).then_some("activation dynamics");
        if let Some(lacks) = class.lacks.or(lost) {
            let tag = class.tag;
            self.told.changed(format!("{tag} has no {lacks}"));
        }
        if line.excitation != 0.0 {
            self.told.changed("excitations are not there: controls of OpenSim say them".to_owned());
        }
        let name = self.names.add(line.id, "force", line.name);
        let made = Element::named(class.tag, name);
        Some(made.with([Element::text("appliesForce", line.enabled), path]).with(class.properties))
    }

    fn bushing(&mut self, (handle, spring): (Handle<FrameSpring>, &FrameSpring)) -> Element {
        let name = self.names.add(handle.id(), "force", &spring.name);
        let [d, c] = [&spring.d, &spring.c];
        let frames = ["frame1_offset", "frame2_offset"];
        let paths = [self.frame_path(d), self.frame_path(c)];
        Element::named("BushingForce", name).with([
            Element::text("appliesForce", spring.enabled),
            Element::text("socket_frame1", frames[0]),
            Element::text("socket_frame2", frames[1]),
            Element::new("frames").with([
                offset_frame(frames[0], &paths[0], &d.pose),
                offset_frame(frames[1], &paths[1], &c.pose),
            ]),
            Element::vector("rotational_stiffness", &spring.rotary_stiffness),
            Element::vector("translational_stiffness", &spring.stiffness),
            Element::vector("rotational_damping", &spring.rotary_damping),
            Element::vector("translational_damping", &spring.damping),
        ])
    }

    /// An actuator, its spring and its stops, which are three forces there.
    fn actuator(
        &mut self,
        handle: Handle<CoordinateActuator>,
        it: &CoordinateActuator,
    ) -> Vec<Element> {
        let Some(coordinate) = self.names.coordinate(&it.of).map(str::to_owned) else {
            self.told.left_out("actuator of a coordinate of a joint that is left out");
            return Vec::new();
        };
        let id = handle.id();
        let mut made = Vec::new();
        let mut force = |writer: &mut Self, tag: &'static str, properties: Vec<Element>| {
            let name = writer.names.add(id, "force", &it.name);
            let head = [
                Element::text("appliesForce", it.enabled),
                Element::text("coordinate", &coordinate),
            ];
            made.push(Element::named(tag, name).with(head).with(properties));
        };
        let spring = &it.spring;
        if spring.stiffness != 0.0 || spring.damping != 0.0 {
            let properties = vec![
                Element::text("stiffness", spring.stiffness),
                Element::text("rest_length", spring.rest),
                Element::text("viscosity", spring.damping),
            ];
            force(self, "SpringGeneralizedForce", properties);
        }
        if let Some(stops) = &spring.stops {
            let unit = if self.is_angle(it) { PI / 180.0 } else { 1.0 };
            force(self, "CoordinateLimitForce", limits(stops, unit));
        }
        if it.max_force != 0.0 {
            let properties = vec![Element::text("optimal_force", it.max_force)];
            force(self, "CoordinateActuator", properties);
        }
        made
    }

    fn is_angle(&self, it: &CoordinateActuator) -> bool {
        let (joint, model) = (it.of.joint, self.model);
        let Some(k) = it.of.index(model) else { return false };
        let of_kind = joint.typed::<Joint>().and_then(|joint| model.get(joint));
        let custom = joint.typed::<CustomJoint>().and_then(|joint| model.get(joint));
        match (of_kind, custom) {
            (Some(joint), _) => {
                let specs = joint.settings.kind.coordinate_specs();
                specs.get(k).is_some_and(|spec| spec.quantity == Quantity::Angle)
            }
            (None, Some(joint)) => {
                joint.motion().is_some_and(|motion| is_turn(&motion.transform, k))
            }
            (None, None) => false,
        }
    }

    fn tell_adhesion(&mut self, behavior: Handle<CollisionBehavior>, adheres: bool) {
        if adheres {
            let path = self.model.path(behavior);
            self.told.changed(format!("{path}: its adhesion is not there"));
        }
    }

    /// A contact by the law of Hunt and Crossley between a ball and a ball or half-space.
    fn contact(
        &mut self,
        handle: Handle<CollisionBehavior>,
        it: &CollisionBehavior,
    ) -> Option<Element> {
        let collider = |side: Option<ComponentId>| side?.typed::<Collider>();
        let law = &it.law;
        let (Some(a), Some(b), NormalLaw::HuntCrossley, 1.5) =
            (collider(it.a), collider(it.b), law.normal, law.hunt_crossley.exponent)
        else {
            self.told.left_out("behaviour of contacts but Hertz's of two colliders");
            return None;
        };
        self.tell_adhesion(handle, law.adhesion.pulls());
        let names = [a, b].map(|it| self.names.get(it).to_owned());
        if names.iter().any(String::is_empty) {
            return None;
        }
        let name = self.names.add(handle.id(), "force", &it.name);
        // Two like surfaces, which give the law again when they are combined.
        let stiffness = law.hunt_crossley.effective_modulus * 2.0_f64.powf(1.5);
        let parameters = Element::new("HuntCrossleyForce::ContactParameters").with([
            Element::text("geometry", names.join(" ")),
            Element::text("stiffness", stiffness),
            Element::text("dissipation", law.dissipation / 1.5),
            Element::text("static_friction", law.friction),
            Element::text("dynamic_friction", law.friction),
            Element::text("viscous_friction", 0.0),
        ]);
        let set = Element::set(
            "HuntCrossleyForce::ContactParametersSet",
            "contact_parameters",
            vec![parameters],
        );
        let force = Element::named("HuntCrossleyForce", name);
        Some(force.with([Element::text("appliesForce", it.enabled)]).with(set))
    }
}

/// Properties of stops, in degrees where the coordinate is an angle.
fn limits(stops: &CoordinateStops, unit: f64) -> Vec<Element> {
    vec![
        Element::text("upper_limit", stops.ends[1] / unit),
        Element::text("upper_stiffness", stops.stiffness[1] * unit),
        Element::text("lower_limit", stops.ends[0] / unit),
        Element::text("lower_stiffness", stops.stiffness[0] * unit),
        Element::text("damping", stops.damping * unit),
        Element::text("transition", stops.transition / unit),
    ]
}
