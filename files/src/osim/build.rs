//! The model of what was read: bodies, joints and couplings.

use nalgebra::Isometry3;
use sinew::component::{ComponentId, Handle};
use sinew::constraint::{Compliance, CoordinateSettings, JointKind, JointSettings, Pose, Range};
use sinew::model::{
    CoupledCoordinate, CustomJoint, FrameSite, Inertia, Joint, JointCoordinate,
    JointCoordinateCoupling, RigidBody,
};

use super::fields::refused;
use super::import::{Import, name};
use super::records::{Base, Coordinate, Frame, JointRecord};
use crate::diagnostic::Diagnostic;
use crate::motion::chart::{ChartCoordinate, functions};
use crate::motion::kinds::built_in;
use crate::tree::Span;

/// A joint of the model.
#[derive(Debug)]
enum Built {
    Kind(Joint),
    Custom(CustomJoint, Vec<String>),
}

impl<'d> Import<'d> {
    /// The frame on a body that is there, or on the ground.
    pub(super) fn solid_frame(&self, frame: &Frame) -> Frame {
        let mut frame = *frame;
        while let Base::Body(number) = frame.base {
            let Some(part) = self.bodies[number].part_of else { break };
            frame = part.with(&frame.pose);
        }
        frame
    }

    /// The same for a joint or a spring.
    pub(super) fn site(&self, frame: &Frame) -> FrameSite {
        let frame = self.solid_frame(frame);
        let body = match frame.base {
            Base::Ground => None,
            Base::Body(number) => self.handles[number],
        };
        FrameSite { body, pose: frame.pose }
    }

    /// Adds the bodies that are no parts of others.
    pub(super) fn add_bodies(&mut self) {
        for number in 0..self.bodies.len() {
            let body = &self.bodies[number];
            let (Some(placed), None) = (body.placed, body.part_of) else {
                self.handles.push(None);
                continue;
            };
            let (called, span) = (name(&body.name), body.at.span);
            let inertia = self.inertia(number);
            let Some(inertia) = self.findings.take(inertia) else {
                self.handles.push(None);
                continue;
            };
            let mut made = RigidBody::new(called, Inertia::Explicit(inertia)).at(placed.pose);
            made.velocity = placed.motion.velocity;
            made.angular_velocity = placed.motion.angular_velocity;
            made.dynamic = !placed.fixed;
            let handle = self.model.add(made);
            self.put(handle.id(), span);
            self.handles.push(Some(handle));
        }
    }

    /// Adds the joints between bodies that are not one, and learns their coordinates.
    pub(super) fn add_joints(&mut self) {
        for joint in std::mem::take(&mut self.joints) {
            let [a, b] = [&joint.c, &joint.d].map(|frame| self.solid_frame(frame).base);
            let fixed = |base: Base| match base {
                Base::Ground => true,
                Base::Body(number) => self.bodies[number].placed.is_some_and(|it| it.fixed),
            };
            let one = joint.is_weld() && (a == b || fixed(a) && fixed(b));
            if !one {
                let built = self.built(&joint);
                if let Some(built) = self.findings.take(built) {
                    self.add_joint(&joint, built);
                }
            }
            self.joints.push(joint);
        }
    }

    fn add_joint(&mut self, joint: &JointRecord<'_>, built: Built) {
        let (id, names): (ComponentId, Vec<String>) = match built {
            Built::Kind(joint) => {
                let specs = joint.settings.kind.coordinate_specs();
                let names = specs.iter().map(|spec| spec.name.to_string()).collect();
                (self.model.add(joint).id(), names)
            }
            Built::Custom(joint, names) => (self.model.add(joint).id(), names),
        };
        self.put(id, joint.at.span);
        for (coordinate, known_as) in joint.coordinates.iter().zip(names) {
            self.coordinates.insert(coordinate.name.clone(), JointCoordinate::new(id, known_as));
        }
    }

    /// A joint of a built-in kind where it is one, and else one of functions.
    fn built(&self, joint: &JointRecord<'_>) -> Result<Built, Diagnostic> {
        let settings: Vec<CoordinateSettings> = joint.coordinates.iter().map(settings).collect();
        let site = |frame: &Frame, pose: &Pose| self.site(&frame.with(pose));
        if let Some(found) = built_in(&joint.transform, joint.coordinates.len()) {
            let (c, d) = (site(&joint.c, &found.in_c), site(&joint.d, &found.in_d));
            let mut made = Joint::new(found.kind, c, d);
            made.name = name(&joint.name);
            made.settings =
                JointSettings { coordinates: settings, ..JointSettings::new(found.kind) };
            return Ok(Built::Kind(made));
        }
        let chart = |it: &Coordinate| ChartCoordinate {
            name: it.name.clone(),
            value: it.value,
            range: it.range,
        };
        let coordinates: Vec<ChartCoordinate> = joint.coordinates.iter().map(chart).collect();
        let made = functions(&name(&joint.name), &joint.transform, &coordinates);
        let made = made.map_err(|why| refused(joint.at, format!("{}: {why}", joint.at.label())))?;
        let here = Isometry3::identity();
        let mut made = CustomJoint::new(made, site(&joint.c, &here), site(&joint.d, &here));
        made.coordinates = settings;
        let names = joint.coordinates.iter().map(|it| it.name.clone()).collect();
        Ok(Built::Custom(made, names))
    }

    /// Adds a coupling that holds a sum of polynomials of coordinates at zero.
    pub(super) fn add_coupling(&mut self, called: &str, span: Span, terms: Vec<(&str, Vec<f64>)>) {
        let mut made = JointCoordinateCoupling {
            name: name(called),
            terms: Vec::new(),
            compliance: Compliance::default(),
            inertia: 0.0,
            enabled: true,
        };
        for (coordinate, polynomial) in terms {
            let Some(of) = self.coordinates.get(coordinate).cloned() else { return };
            made.terms.push(CoupledCoordinate { of, polynomial });
        }
        let handle = self.model.add(made);
        self.put(handle.id(), span);
    }

    /// Adds a joint of a built-in kind between two frames, where they are on two bodies.
    pub(super) fn add_between(
        &mut self,
        kind: JointKind,
        called: &str,
        span: Span,
        ends: [Frame; 2],
    ) {
        let [c, d] = ends.map(|frame| self.site(&frame));
        let mut made = Joint::new(kind, c, d);
        made.name = name(called);
        let handle = self.model.add(made);
        self.put(handle.id(), span);
    }

    /// The body that holds what stands on the ground and needs one.
    pub(super) fn ground_body(&mut self) -> Option<Handle<RigidBody>> {
        if self.ground.is_none() {
            let unit = sinew::dynamics::SpatialInertia::new(
                1.0,
                sinew::Vec3::zeros(),
                sinew::Mat3::identity(),
            );
            let inertia = self
                .findings
                .take(unit.map_err(|error| Diagnostic::error(None, error.to_string())))?;
            let handle =
                self.model.add(RigidBody::new("ground", Inertia::Explicit(inertia)).fixed());
            self.ground = Some(handle);
        }
        self.ground
    }
}

/// Range, where it is kept, and lock.
fn settings(coordinate: &Coordinate) -> CoordinateSettings {
    let range = match coordinate.range {
        Some([low, high]) if coordinate.clamped => Range::new(low, high),
        _ => Range::FREE,
    };
    CoordinateSettings { range, locked: coordinate.locked, ..CoordinateSettings::default() }
}
