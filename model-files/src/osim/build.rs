//! The model of what was read: bodies, joints and couplings.

use nalgebra::Isometry3;
use sinew::component::Handle;
use sinew::constraint::spatial::{Function, JointMotion, MotionError, MotionVariable};
use sinew::constraint::{Compliance, CoordinateSettings, JointKind, JointSettings, Pose, Range};
use sinew::model::{
    CoupledCoordinate, CustomJoint, FrameSite, Inertia, Joint, JointCoordinate,
    JointCoordinateCoupling, RigidBody,
};

use super::degenerate::{Mended, mended};
use super::fields::refused;
use super::import::{Import, name};
use super::records::{Base, Coordinate, Frame, JointRecord};
use crate::diagnostic::Diagnostic;
use crate::tree::Span;

/// A term of a coupling, by the name of its coordinate.
pub(super) struct Term<'n> {
    pub(super) of: &'n str,
    pub(super) polynomial: Vec<f64>,
    pub(super) curve: Option<Function>,
}

/// A joint of the model.
#[derive(Debug)]
enum Built {
    Kind(Box<Joint>),
    /// With the names of its coordinates, and of those that are fixed.
    Custom(Box<CustomJoint>, Vec<String>, Vec<String>),
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
        match built {
            Built::Kind(made) => {
                let specs = made.settings.kind.coordinate_specs();
                let names: Vec<String> = specs.iter().map(|spec| spec.name.to_string()).collect();
                let id = self.model.add(*made).id();
                self.put(id, joint.at.span);
                for (coordinate, known_as) in joint.coordinates.iter().zip(names) {
                    let of = JointCoordinate::new(id, known_as);
                    self.coordinates.entry(coordinate.name.clone()).or_insert(of);
                }
            }
            Built::Custom(made, names, fixed) => {
                let id = self.model.add(*made).id();
                self.put(id, joint.at.span);
                for name in names {
                    let of = JointCoordinate::new(id, name.clone());
                    self.coordinates.entry(name).or_insert(of);
                }
                for name in fixed {
                    let message = format!(
                        "coordinate '{name}' of {} cannot be read from poses, as none of its axes rises or falls with it alone: it stays at its default value",
                        joint.at.label()
                    );
                    self.findings.warn(joint.at.span, message);
                }
            }
        }
    }

    /// A joint of a built-in kind where it is one, and else one of functions.
    fn built(&self, joint: &JointRecord<'_>) -> Result<Built, Diagnostic> {
        let settings: Vec<CoordinateSettings> = joint.coordinates.iter().map(settings).collect();
        let site = |frame: &Frame, pose: &Pose| self.site(&frame.with(pose));
        let here = Isometry3::identity();
        if let Some(found) = joint.built_in() {
            let (c, d) = (site(&joint.c, &found.in_c), site(&joint.d, &found.in_d));
            let mut made = Joint::new(found.kind, c, d);
            made.name = name(&joint.name);
            made.coordinate_names = joint
                .coordinates
                .iter()
                .map(|it| name(&it.name).replace(['.', ' ', ';'], "_"))
                .collect();
            made.settings =
                JointSettings { coordinates: settings, ..JointSettings::new(found.kind) };
            return Ok(Built::Kind(Box::new(made)));
        }
        let variable = |it: &Coordinate| MotionVariable {
            name: it.name.clone(),
            value: it.value,
            range: it.range,
        };
        let motion = JointMotion {
            variables: joint.coordinates.iter().map(variable).collect(),
            transform: joint.transform.clone(),
        };
        let sites = [site(&joint.c, &here), site(&joint.d, &here)];
        let refuse = |why: MotionError| refused(joint.at, format!("{}: {why}", joint.at.label()));
        let Mended { motion, fixed } = mended(motion).map_err(refuse)?;
        let made = CustomJoint::moving(name(&joint.name), motion, sites[0], sites[1]);
        let mut made = made.map_err(refuse)?;
        let left = joint.coordinates.iter().filter(|it| !fixed.contains(&it.name));
        made.coordinates = left.clone().map(self::settings).collect();
        let names = left.map(|it| it.name.clone()).collect();
        Ok(Built::Custom(Box::new(made), names, fixed))
    }

    /// Adds a coupling that holds a sum of functions of coordinates at zero.
    pub(super) fn add_coupling(&mut self, called: &str, span: Span, terms: Vec<Term<'_>>) {
        let mut made = JointCoordinateCoupling {
            name: name(called),
            terms: Vec::new(),
            compliance: Compliance::default(),
            inertia: 0.0,
            enabled: true,
        };
        for Term { of, polynomial, curve } in terms {
            let Some(of) = self.coordinates.get(of).cloned() else { return };
            made.terms.push(CoupledCoordinate { of, polynomial, curve });
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

/// Lock; ranges are for what sets values, and nothing keeps to them in a simulation of the source.
fn settings(coordinate: &Coordinate) -> CoordinateSettings {
    let (range, locked) = (Range::FREE, coordinate.locked);
    CoordinateSettings { range, locked, ..CoordinateSettings::default() }
}
