//! From a running model to a snapshot.

use std::collections::HashMap;
use std::sync::Arc;

use super::build::{Built, Line, single};
use super::followed::Followed;
use super::{Contact, Frame, Quantity, Scene, Sheet, SheetRow, Snapshot, excitations};
use crate::Vec3;
use crate::component::{Change, ComponentId, Invalidates, Kind, Seen};
use crate::model::Model;
use crate::property::PropertyRef;
use crate::schedule::{Simulation, SimulationError};
use crate::simulated::Simulated;
use crate::system::State;

/// Optional content of a snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Quantity that colours tissues.
    pub quantity: Quantity,
    /// Components whose properties are captured.
    pub selected: Vec<ComponentId>,
    /// Paths of properties whose numbers are followed.
    pub followed: Vec<String>,
}

/// Fills snapshots of one simulation, and keeps all that stays the same between them.
#[derive(Default)]
pub struct Capture {
    scene: Arc<Scene>,
    built: Built,
    /// Changes of the model that the scene knows.
    seen: Option<(Seen, u64)>,
    followed: Followed,
    weights: Vec<f32>,
    /// Excitations by exciters [-].
    given: HashMap<ComponentId, f64>,
    serial: u64,
}

/// True if a change makes a scene stale: what moves is copied each time, frames of joints, sizes of
/// colliders and the tree are not.
fn is_shown(change: &Change) -> bool {
    let drawn = Invalidates::STRUCTURE | Invalidates::RENDER;
    let shaped = matches!(
        change.id.kind(),
        Kind::Collider | Kind::Joint | Kind::RenderMesh | Kind::WrapSurface
    );
    // Nothing that is computed depends on the coming and going of containers.
    let container =
        matches!(change.id.kind(), Kind::MechModel | Kind::ComponentList | Kind::ReferenceList);
    (container && change.invalidates == Invalidates::NOTHING)
        || change.invalidates.touches(drawn)
        || (shaped && change.invalidates.touches(Invalidates::GEOMETRY))
}

/// True for kinds whose appearance is their name and look: a tissue has named faces, a surface is somewhere.
fn is_repainted(id: ComponentId) -> bool {
    !matches!(id.kind(), Kind::FemModel | Kind::RenderMesh)
}

impl Capture {
    /// Nothing captured yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Fills `into` with where `simulation` is, after so many steps.
    ///
    /// # Errors
    /// [`SimulationError::Compile`] where the model was edited and cannot be compiled as it is;
    /// [`SimulationError::Step`] when the device is lost.
    pub fn capture(
        &mut self,
        simulation: &mut Simulation,
        steps: u64,
        wanted: &Wanted,
        into: &mut Snapshot,
    ) -> Result<(), SimulationError> {
        simulation.synchronize()?;
        simulation.state()?;
        let simulated = simulation.simulated_for(self.followed.properties());
        self.update_scene(simulated, simulation.structure());
        self.followed.resolve(simulated.model, &wanted.followed);
        self.serial += 1;
        (into.serial, into.steps, into.time) = (self.serial, steps, simulated.state.time);
        into.scene = self.scene.clone();
        self.copy_points(simulated, into);
        self.copy_frames(simulated, into);
        self.copy_lines(simulated, into);
        let Simulated { model, compiled, state } = simulated;
        into.field.update(wanted.quantity, model, compiled, state, &mut self.weights);
        self.copy_contacts(state, into);
        self.copy_readings(simulated, into);
        into.sheets.clear();
        let simulated = simulation.simulated_for_all(&wanted.selected);
        into.sheets.extend(wanted.selected.iter().filter_map(|&id| sheet(simulated, id)));
        Ok(())
    }

    fn update_scene(&mut self, simulated: Simulated<'_>, structure: u64) {
        let Simulated { model, compiled, state } = simulated;
        let stale = self.seen.is_none_or(|(seen, of)| {
            let changes = model.changes().since(seen);
            of != structure || changes.is_none_or(|mut changes| changes.any(is_shown))
        });
        if !stale {
            return;
        }
        if let Some(scene) = self.repainted(model, structure) {
            self.scene = Arc::new(scene);
            self.seen = Some((model.changes().now(), structure));
            self.followed.forget();
            return;
        }
        self.built = Built::new(model, compiled, state);
        let mut scene = std::mem::take(&mut self.built.scene);
        scene.serial = self.scene.serial + 1;
        self.scene = Arc::new(scene);
        self.seen = Some((model.changes().now(), structure));
        // Properties of what was deleted, and of what came in its place.
        self.followed.forget();
    }

    /// The scene with other names and looks of components, where nothing else changed since.
    fn repainted(&self, model: &Model, structure: u64) -> Option<Scene> {
        let (seen, _) = self.seen.filter(|(_, of)| *of == structure)?;
        let changes = model.changes().since(seen)?.filter(|change| is_shown(change));
        let only = |it: &Change| it.invalidates == Invalidates::RENDER && is_repainted(it.id);
        let changed = changes.map(|it| only(it).then_some(it.id)).collect::<Option<_>>()?;
        self.scene.repainted(model, &changed)
    }

    fn place(&self, p: &Vec3) -> [f32; 3] {
        single(&(p - self.scene.origin))
    }

    fn copy_points(&self, simulated: Simulated<'_>, into: &mut Snapshot) {
        let Simulated { compiled, state, .. } = simulated;
        into.points.clear();
        into.points.extend(state.q.iter().map(|p| self.place(p)));
        for &line in &self.built.wrapped {
            let known = compiled.visit_polyline(line, state, |p| into.points.push(self.place(&p)));
            debug_assert!(known.is_some(), "the scene is that of the compiled model");
        }
    }

    fn copy_frames(&self, simulated: Simulated<'_>, into: &mut Snapshot) {
        let frame = |site| {
            let Some(motion) = simulated.frame(site) else { return Frame::default() };
            let rotation = motion.pose.rotation.coords;
            Frame {
                position: self.place(&motion.pose.translation.vector),
                rotation: [rotation.x, rotation.y, rotation.z, rotation.w].map(|x| x as f32),
            }
        };
        into.frames.clear();
        into.frames.extend(self.built.frames.iter().map(frame));
    }

    fn copy_lines(&mut self, simulated: Simulated<'_>, into: &mut Snapshot) {
        let Simulated { model, compiled, state } = simulated;
        excitations::update(&mut self.given, model, state.time);
        let value = |line: &Line| {
            let (id, own, stretch) = match *line {
                Line::Straight(it) => {
                    (it.id(), model[it].excitation, compiled.stretch_of(it, state))
                }
                Line::Bent(it) => {
                    (it.id(), model[it].excitation, compiled.stretch_of_line(it, state))
                }
                Line::Bundle(it) => (it.id(), model[it].excitation, None),
            };
            let given = self.given.get(&id).copied().unwrap_or(0.0);
            let tension = stretch.map_or(0.0, |[_, _, tension, _]| tension);
            [(own + given).clamp(0.0, 1.0) as f32, tension as f32]
        };
        into.lines.clear();
        into.lines.extend(self.built.lines.iter().map(value));
    }

    fn copy_contacts(&self, state: &State, into: &mut Snapshot) {
        let contact = |it: &crate::system::ContactForce| Contact {
            point: self.place(&it.point),
            normal: single(&it.normal),
            force: single(&it.force),
            gap: it.gap as f32,
        };
        into.contacts.clear();
        into.contacts.extend(state.contacts.iter().map(contact));
    }

    fn copy_readings(&self, simulated: Simulated<'_>, into: &mut Snapshot) {
        let readings = &mut into.readings;
        self.followed.describe(readings);
        readings.numbers.resize(self.followed.number_count(), f64::NAN);
        self.followed.read(simulated, &mut readings.numbers);
    }
}

/// The properties of a component that have values now.
fn sheet(simulated: Simulated<'_>, owner: ComponentId) -> Option<Sheet> {
    let model = simulated.model;
    if !model.contains(owner) {
        return None;
    }
    let row = |property: PropertyRef| {
        let value = simulated.get_property(&property).ok()?;
        let source = model.property_source(&property).ok()?;
        Some(SheetRow { info: property.info(), value, source })
    };
    let rows = model.properties(owner).into_iter().filter_map(row).collect();
    Some(Sheet { owner, path: model.path(owner), rows })
}
