//! A document being read, and what has become of it so far.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use sinew::component::{ComponentId, Handle};
use sinew::model::{Model, RigidBody};

use super::records::{Body, Colliders, Coordinates, Coupler, Frames, JointRecord, Surfaces};
use super::xml::Element;
use crate::diagnostic::Findings;
pub(super) use crate::imported::plain_name as name;
use crate::source::Folders;
use crate::tree::Span;

/// A document being read.
pub(super) struct Import<'d> {
    pub(super) findings: Findings,
    pub(super) folder: PathBuf,
    pub(super) folders: Folders,
    pub(super) files: BTreeSet<PathBuf>,
    /// Defaults of elements of a class.
    pub(super) defaults: BTreeMap<&'d str, &'d Element>,
    pub(super) bodies: Vec<Body<'d>>,
    pub(super) grounds: Vec<&'d Element>,
    pub(super) frames: Frames<'d>,
    pub(super) joints: Vec<JointRecord<'d>>,
    /// Joint and number of each coordinate.
    pub(super) coordinate_places: BTreeMap<String, [usize; 2]>,
    pub(super) couplers: Vec<Coupler>,
    pub(super) surfaces: Surfaces,
    pub(super) colliders: Colliders,
    /// Classes of muscles that another law stands for.
    pub(super) stood_for: BTreeSet<String>,
    pub(super) model: Model,
    /// Bodies of the model by their numbers.
    pub(super) handles: Vec<Option<Handle<RigidBody>>>,
    pub(super) ground: Option<Handle<RigidBody>>,
    pub(super) coordinates: Coordinates,
    pub(super) places: Vec<(ComponentId, Span)>,
}

impl<'d> Import<'d> {
    pub(super) fn new(folder: PathBuf, folders: Folders) -> Self {
        Self {
            findings: Findings::default(),
            folder,
            folders,
            files: BTreeSet::new(),
            defaults: BTreeMap::new(),
            bodies: Vec::new(),
            grounds: Vec::new(),
            frames: Frames::default(),
            joints: Vec::new(),
            coordinate_places: BTreeMap::new(),
            couplers: Vec::new(),
            surfaces: Surfaces::new(),
            colliders: Colliders::new(),
            stood_for: BTreeSet::new(),
            model: Model::new(""),
            handles: Vec::new(),
            ground: None,
            coordinates: Coordinates::new(),
            places: Vec::new(),
        }
    }

    /// Remembers where a component stands.
    pub(super) fn put(&mut self, id: ComponentId, span: Span) {
        self.places.push((id, span));
    }
}
