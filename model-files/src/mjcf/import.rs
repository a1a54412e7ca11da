//! A document being read, and what has become of it so far.

use std::collections::{BTreeMap, BTreeSet};

use sinew::Vec3;
use sinew::component::{ComponentId, Handle};
use sinew::constraint::spatial::FrameVelocity;
use sinew::model::{FrameMarker, Model, RigidBody};

use super::compiler::Compiler;
use super::defaults::Defaults;
use super::include::Files;
use super::records::{Actuator, Body, Dependent, Geom, Joint, Meshes, Site, Surfaces, Tendons};
use crate::diagnostic::Findings;
use crate::tree::Span;

/// Velocities of what rests.
pub(super) const AT_REST: FrameVelocity = FrameVelocity {
    velocity: Vec3::new(0.0, 0.0, 0.0),
    angular_velocity: Vec3::new(0.0, 0.0, 0.0),
};

/// A document being read.
pub(super) struct Import<'d> {
    pub(super) findings: Findings,
    pub(super) files: Files,
    pub(super) compiler: Compiler,
    pub(super) defaults: Defaults<'d>,
    pub(super) bodies: Vec<Body<'d>>,
    pub(super) geoms: Vec<Geom<'d>>,
    pub(super) sites: Vec<Site<'d>>,
    pub(super) geom_numbers: BTreeMap<String, usize>,
    pub(super) site_numbers: BTreeMap<String, usize>,
    /// Body and number of each joint.
    pub(super) joint_places: BTreeMap<String, [usize; 2]>,
    pub(super) meshes: Meshes<'d>,
    /// Numbers in `qpos` and `qvel`.
    pub(super) counts: [usize; 2],
    /// Joints whose coordinates were given.
    pub(super) given: BTreeSet<String>,
    pub(super) dependents: Vec<Dependent>,
    pub(super) actuators: Vec<Actuator<'d>>,
    pub(super) tendons: Tendons<'d>,
    pub(super) surfaces: Surfaces,
    /// Sites that say on which side of a geom tendons go.
    pub(super) sides: BTreeSet<usize>,
    pub(super) model: Model,
    /// Bodies of the model by their numbers; none for the world.
    pub(super) handles: Vec<Option<Handle<RigidBody>>>,
    /// The body that holds what stands on the world and needs one.
    pub(super) ground: Option<Handle<RigidBody>>,
    /// Markers of the model by the numbers of sites.
    pub(super) markers: BTreeMap<usize, Handle<FrameMarker>>,
    pub(super) places: Vec<(ComponentId, Span)>,
}

impl<'d> Import<'d> {
    pub(super) fn new(files: Files) -> Self {
        Self {
            findings: Findings::default(),
            files,
            compiler: Compiler::default(),
            defaults: Defaults::default(),
            bodies: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            geom_numbers: BTreeMap::new(),
            site_numbers: BTreeMap::new(),
            joint_places: BTreeMap::new(),
            meshes: Meshes::default(),
            counts: [0; 2],
            given: BTreeSet::new(),
            dependents: Vec::new(),
            actuators: Vec::new(),
            tendons: Tendons::default(),
            surfaces: Surfaces::new(),
            sides: BTreeSet::new(),
            model: Model::new(""),
            handles: Vec::new(),
            ground: None,
            markers: BTreeMap::new(),
            places: Vec::new(),
        }
    }

    /// Remembers where a component stands.
    pub(super) fn put(&mut self, id: ComponentId, span: Span) {
        self.places.push((id, span));
    }

    /// A joint by name.
    pub(super) fn joint_named(&self, name: &str) -> Option<&Joint<'d>> {
        let [body, number] = *self.joint_places.get(name)?;
        self.bodies.get(body)?.joints.get(number)
    }

    /// The same, to change.
    pub(super) fn joint_mut(&mut self, name: &str) -> Option<&mut Joint<'d>> {
        let [body, number] = *self.joint_places.get(name)?;
        self.bodies.get_mut(body)?.joints.get_mut(number)
    }
}
