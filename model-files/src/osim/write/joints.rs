//! Joints with their frames and coordinates, and what holds bodies that have none.

use std::sync::Arc;

use sinew::component::{ComponentId, Handle};
use sinew::constraint::spatial::{JointMotion, MotionVariable, SpatialAxis, SpatialTransform};
use sinew::constraint::{
    Compliance, CoordinateSettings, JointKind, JointLaw, Pose, Quantity, Range,
};
use sinew::model::{CustomJoint, FrameSite, Joint, JointCoordinate, RigidBody};

use super::element::Element;
use super::{Writer, euler, function, transform};

/// Time over which coordinates are compared for their rates [s]: coordinates of a metre or a radian have eleven digits
/// left in a rate.
const INSTANT: f64 = 1e-5;

/// A joint as it is written.
struct Written<'j> {
    id: ComponentId,
    sites: [&'j FrameSite; 2],
    law: JointLaw,
    transform: SpatialTransform,
    names: Vec<String>,
    settings: &'j [CoordinateSettings],
    /// Values near those at the start, and ranges in which functions act.
    known: Vec<(f64, Option<[f64; 2]>)>,
}

impl Writer<'_> {
    /// All joints of the document.
    pub(super) fn joints(&mut self) -> Vec<Element> {
        let model = self.model;
        let mut made = Vec::new();
        for (handle, joint) in model.iter::<Joint>() {
            let it = (handle.id(), joint.enabled);
            if self.is_written(it, [&joint.c, &joint.d], &joint.settings.rows) {
                made.extend(self.joint_of_kind(handle, joint));
            }
        }
        for (handle, joint) in model.iter::<CustomJoint>() {
            let it = (handle.id(), joint.enabled);
            if self.is_written(it, [&joint.c, &joint.d], &joint.rows) {
                made.extend(self.joint_of_motion(handle, joint));
            }
        }
        let loose = self.islands.loose();
        made.extend(loose.into_iter().map(|body| self.free_joint(body)));
        for (handle, body) in model.iter::<RigidBody>() {
            if !body.dynamic && self.ground != Some(handle) {
                made.push(self.weld_to_ground(handle, body));
            }
        }
        made
    }

    /// True for a joint in force between bodies of which one moves.
    fn is_written(
        &mut self,
        (id, on): (ComponentId, bool),
        [c, d]: [&FrameSite; 2],
        rows: &[Compliance],
    ) -> bool {
        if !on {
            self.told.left_out("joint that is switched off");
            return false;
        }
        let rests = |site: &FrameSite| {
            let body = site.body.and_then(|body| self.model.get(body));
            body.is_none_or(|body| !body.dynamic)
        };
        if rests(c) && rests(d) {
            return false;
        }
        if rows.iter().any(|row| row.compliance != 0.0) {
            let path = self.model.path(id);
            self.told.changed(format!("{path}: joints have no compliance there"));
        }
        self.islands.join(c.body, d.body);
        true
    }

    fn joint_of_kind(&mut self, handle: Handle<Joint>, joint: &Joint) -> Option<Element> {
        let kind = joint.settings.kind;
        let Some(transform) = transform::of_kind(&kind) else {
            self.told.left_out("joint on an ellipsoid");
            return None;
        };
        if joint.settings.coordinates.iter().any(|it| !it.keyframes.is_empty()) {
            let path = self.model.path(handle);
            self.told.changed(format!("{path}: paths of locked coordinates are not there"));
        }
        let specs = kind.coordinate_specs();
        let names = specs.iter().map(|spec| spec.name.to_string()).collect();
        let known = vec![(0.0, None); specs.len()];
        let (id, sites) = (handle.id(), [&joint.c, &joint.d]);
        let (law, settings) = (kind.into(), &joint.settings.coordinates[..]);
        let tag = match kind {
            JointKind::Solid => "WeldJoint",
            JointKind::Hinge => "PinJoint",
            JointKind::Spherical => "BallJoint",
            JointKind::Ellipsoid3d(_) => "EllipsoidJoint",
            _ => "CustomJoint",
        };
        let made = self.joint(tag, &Written { id, sites, law, transform, names, settings, known });
        Some(made.with(radii(&kind)))
    }

    fn joint_of_motion(
        &mut self,
        handle: Handle<CustomJoint>,
        joint: &CustomJoint,
    ) -> Option<Element> {
        let law = joint.motion().and_then(|motion| Some((motion, motion.law().ok()?)));
        let Some((motion, law)) = law else {
            self.told.left_out("joint of code");
            return None;
        };
        let names = motion.variables.iter().map(|it| it.name.clone()).collect();
        let known = motion.variables.iter().map(|it| (it.value, it.range)).collect();
        let (id, sites) = (handle.id(), [&joint.c, &joint.d]);
        let (law, settings) = (JointLaw::Motion(Arc::new(law)), &joint.coordinates[..]);
        let transform = motion.transform.clone();
        let written = Written { id, sites, law, transform, names, settings, known };
        Some(self.joint("CustomJoint", &written))
    }

    fn joint(&self, tag: &'static str, it: &Written<'_>) -> Element {
        let [c, d] = it.sites;
        let named = Element::named(tag, self.names.get(it.id));
        let coordinates = self.coordinates(it);
        let joint = framed(named, [self.frame_path(d), self.frame_path(c)], [&d.pose, &c.pose]);
        let list = (!coordinates.is_empty()).then(|| Element::new("coordinates").with(coordinates));
        let joint = joint.with(list);
        if tag != "CustomJoint" {
            return joint;
        }
        let name = |k: &usize| self.coordinate_of(it, *k);
        let axis = |number: usize, axis: &SpatialAxis| {
            let kind = if number < 3 { "rotation" } else { "translation" };
            let of: Vec<String> = axis.of.iter().map(name).collect();
            Element::named("TransformAxis", format!("{kind}{}", number % 3 + 1)).with([
                Element::text("coordinates", of.join(" ")),
                Element::vector("axis", &axis.direction),
                function::property("function", &axis.function),
            ])
        };
        let axes = it.transform.turns.iter().chain(&it.transform.ways);
        let axes = axes.enumerate().map(|(number, it)| axis(number, it));
        joint.with([Element::new("SpatialTransform").with(axes)])
    }

    fn coordinate_of(&self, it: &Written<'_>, k: usize) -> String {
        let of = JointCoordinate::new(it.id, it.names[k].clone());
        self.names.coordinate(&of).unwrap_or_default().to_owned()
    }

    fn coordinates(&self, it: &Written<'_>) -> Vec<Element> {
        let [values, rates] = self.values_and_rates(it);
        let one = |k: usize| {
            let settings = it.settings.get(k).cloned().unwrap_or_default();
            let acts =
                it.known[k].1.or_else(|| self.ranges.get(&self.coordinate_of(it, k)).copied());
            let is_angle = it.law.coordinate_specs()[k].quantity == Quantity::Angle;
            let wide = if is_angle { std::f64::consts::TAU } else { 1.0 };
            let Range { lower, upper } = settings.range;
            let around = |end: f64| (values[k] + end * wide).floor();
            let ends = acts.unwrap_or([
                lower.unwrap_or_else(|| around(-1.0)),
                upper.unwrap_or_else(|| around(2.0)),
            ]);
            started(&self.coordinate_of(it, k), [values[k], rates[k]]).with([
                Element::numbers("range", &ends),
                Element::text("clamped", lower.is_some() || upper.is_some()),
                Element::text("locked", settings.locked),
            ])
        };
        (0..values.len()).map(one).collect()
    }

    /// Coordinates at the start, and their rates by the velocities of the bodies.
    fn values_and_rates(&self, it: &Written<'_>) -> [Vec<f64>; 2] {
        let near: Vec<f64> = it.known.iter().map(|known| known.0).collect();
        let at = |time: f64, near: &[f64]| {
            let [c, d] = it.sites.map(|site| self.place(site, time));
            let mut values = near.to_vec();
            it.law.calc_coordinates(&d.inv_mul(&c), near, &mut values);
            values
        };
        let values = at(0.0, &near);
        let [before, after] = [-INSTANT, INSTANT].map(|time| at(time, &values));
        let rates = after.iter().zip(&before).map(|(b, a)| (b - a) / (2.0 * INSTANT)).collect();
        [values, rates]
    }

    /// The place of a frame shortly after the start.
    fn place(&self, site: &FrameSite, time: f64) -> Pose {
        let Some(body) = site.body.and_then(|body| self.model.get(body)) else { return site.pose };
        let mut pose = body.pose;
        pose.translation.vector += body.velocity * time;
        let turn = nalgebra::UnitQuaternion::from_scaled_axis(body.angular_velocity * time);
        pose.rotation = turn * pose.rotation;
        pose * site.pose
    }

    /// The joint of a body that nothing holds.
    fn free_joint(&mut self, body: Handle<RigidBody>) -> Element {
        let name = format!("ground_{}", self.names.get(body));
        let id = body.id();
        let called = self.names.free("joint", &name);
        let parts = ["rx", "ry", "rz", "tx", "ty", "tz"];
        let own: Vec<String> = parts.iter().map(|it| format!("{name}_{it}")).collect();
        let variable =
            |name: &String| MotionVariable { name: name.clone(), value: 0.0, range: None };
        let transform = transform::free();
        let motion = JointMotion {
            variables: own.iter().map(variable).collect(),
            transform: transform.clone(),
        };
        let sites = [FrameSite::on(body, Pose::identity()), FrameSite::ground(Pose::identity())];
        let joint = framed(
            Element::named("FreeJoint", called),
            [self.frame_path(&sites[1]), self.frame_path(&sites[0])],
            [&sites[1].pose, &sites[0].pose],
        );
        let Ok(law) = motion.law() else { return joint };
        let (law, known) = (JointLaw::Motion(Arc::new(law)), vec![(0.0, None); 6]);
        let sites = [&sites[0], &sites[1]];
        let it = Written { id, sites, law, transform, names: own, settings: &[], known };
        let [values, rates] = self.values_and_rates(&it);
        let coordinate = |k: usize| {
            let name = self.names.free("coordinate", &it.names[k]);
            started(&name, [values[k], rates[k]])
        };
        let coordinates: Vec<Element> = (0..6).map(coordinate).collect();
        joint.with([Element::new("coordinates").with(coordinates)])
    }

    fn weld_to_ground(&mut self, handle: Handle<RigidBody>, body: &RigidBody) -> Element {
        if !body.keyframes.is_empty() || body.velocity.norm() + body.angular_velocity.norm() > 0.0 {
            let path = self.model.path(handle);
            self.told.changed(format!("{path}: a motion that is given is not there: it rests"));
        }
        let name = format!("ground_{}", self.names.get(handle));
        let name = self.names.free("joint", &name);
        let sites = [FrameSite::ground(body.pose), FrameSite::on(handle, Pose::identity())];
        let paths = sites.each_ref().map(|site| self.frame_path(site));
        framed(Element::named("WeldJoint", name), paths, [&sites[0].pose, &sites[1].pose])
    }
}

/// A coordinate with its value and rate at the start.
fn started(name: &str, [value, rate]: [f64; 2]) -> Element {
    Element::named("Coordinate", name)
        .with([Element::text("default_value", value), Element::text("default_speed_value", rate)])
}

/// Sockets of a parent and a child, and the frames there.
pub(super) fn framed(element: Element, paths: [String; 2], poses: [&Pose; 2]) -> Element {
    let names = ["parent_offset", "child_offset"];
    let frame = |k: usize| offset_frame(names[k], &paths[k], poses[k]);
    element.with([
        Element::text("socket_parent_frame", names[0]),
        Element::text("socket_child_frame", names[1]),
        Element::new("frames").with([frame(0), frame(1)]),
    ])
}

/// A frame at a pose in another one.
pub(super) fn offset_frame(name: &str, parent: &str, pose: &Pose) -> Element {
    Element::named("PhysicalOffsetFrame", name).with([
        Element::text("socket_parent", parent),
        Element::vector("translation", &pose.translation.vector),
        Element::vector("orientation", &euler(&pose.rotation)),
    ])
}

/// The half axes of a joint on an ellipsoid.
fn radii(kind: &JointKind) -> Option<Element> {
    let JointKind::Ellipsoid3d(shape) = kind else { return None };
    Some(Element::numbers("radii_x_y_z", &shape.semi_axes))
}
