//! Points that are pulled, hit and pinned by hand.

use crate::Vec3;
use crate::component::{ChangeSet, ComponentId, EditError, Handle};
use crate::model::{
    Attachment, AxialSpring, FrameMarker, LinearAxial, Master, Model, Particle, PointRef, RigidBody,
};
use crate::schedule::{Simulation, SimulationError};
use crate::system::{CompiledModel, MechSystem, State};

use super::Grip;

/// Weight that the spring carries when it is this part of the extent of everything long.
const REACH: f64 = 0.05;
/// Damping of the spring, in parts of the critical one for the whole mass.
const DAMPING: f64 = 0.3;
/// What pulls, where nothing has a weight [m/s²].
const PULL: f64 = 9.81;

/// A point that is pulled by a spring, the other end of which is a particle that is led by hand. Both are
/// added to the model for as long as it lasts, and taken back.
pub(super) struct Hold {
    pub(super) grip: Grip,
    anchor: Handle<Particle>,
    change: ChangeSet,
    /// Number of the system before.
    structure: u64,
}

/// The point of a row of the state.
pub(super) fn point_at(model: &Model, compiled: &CompiledModel, row: u32) -> Option<PointRef> {
    let row = row as usize;
    let particles = compiled.particles().iter();
    let mut particles = particles.filter(|&&it| compiled.block_of_particle(it) == row);
    if let Some(&particle) = particles.next() {
        return Some(PointRef::Particle(particle));
    }
    let of_marker = |it: &&_| compiled.find_row(PointRef::Marker(**it)) == Some(row);
    if let Some(&marker) = compiled.markers().iter().find(of_marker) {
        return Some(PointRef::Marker(marker));
    }
    compiled.fems().iter().find_map(|&fem| {
        let mut nodes = 0..model[fem].mesh.nodes.len();
        let node = nodes.find(|&node| compiled.block_of_node(fem, node) == row)?;
        Some(PointRef::FemNode(fem, node as u32))
    })
}

/// Mass of everything that moves [kg], and extent of all points [m].
fn mass_and_extent(compiled: &CompiledModel, state: &State) -> [f64; 2] {
    let mass: f64 = compiled.masses().iter().sum();
    let first = state.q.first().copied().unwrap_or_default();
    let spread = |(low, high): (Vec3, Vec3), q: &Vec3| (low.inf(q), high.sup(q));
    let (low, high) = state.q.iter().fold((first, first), spread);
    let extent = (high - low).norm();
    [if mass > 0.0 { mass } else { 1.0 }, if extent > 0.0 { extent } else { 1.0 }]
}

impl Hold {
    /// Takes hold, with the other end at `target` [m].
    ///
    /// # Errors
    /// What cannot be gripped, and what cannot be compiled.
    pub(super) fn take(
        simulation: &mut Simulation,
        grip: Grip,
        target: Vec3,
    ) -> Result<Self, String> {
        let structure = simulation.structure();
        simulation.state().map_err(text)?;
        let simulated = simulation.simulated();
        let [mass, extent] = mass_and_extent(simulated.compiled, simulated.state);
        let stiffness = mass * PULL / (REACH * extent);
        let damping = 2.0 * DAMPING * (stiffness * mass).sqrt();
        let spring = LinearAxial { stiffness, damping, rest_length: 0.0 };
        let point = match grip {
            Grip::Point(row) => Some(
                point_at(simulated.model, simulated.compiled, row)
                    .ok_or("there is no such point any more")?,
            ),
            Grip::Body(..) => None,
        };
        let mut anchor = None;
        let model = simulation.model_mut();
        let main = model.main();
        let changed = model.batch(|batch| {
            let end = match (point, grip) {
                (Some(point), _) => point,
                (None, Grip::Body(id, at)) => {
                    let body: Handle<RigidBody> = id.typed().ok_or(EditError::Stale)?;
                    PointRef::Marker(batch.add_to(main, FrameMarker::new(body, at))?)
                }
                (None, Grip::Point(_)) => return Err(EditError::Stale),
            };
            let held = Particle { fixed: true, ..Particle::new(mass, target) };
            let held = batch.add_to(main, held)?;
            batch.add_to(main, AxialSpring::new([PointRef::Particle(held), end], spring))?;
            anchor = Some(held);
            Ok::<(), EditError>(())
        });
        let mut change = changed.map_err(text)?;
        match (anchor, simulation.synchronize()) {
            (Some(anchor), Ok(())) => Ok(Self { grip, anchor, change, structure }),
            (_, outcome) => {
                // Nothing came in between: it can be taken back.
                let _ = simulation.model_mut().undo(&mut change);
                Err(outcome.err().map_or_else(String::new, text))
            }
        }
    }

    /// Moves the other end.
    pub(super) fn lead(
        &self,
        simulation: &mut Simulation,
        target: Vec3,
    ) -> Result<(), SimulationError> {
        put(simulation, self.anchor, target)
    }

    /// Lets go.
    pub(super) fn release(mut self, simulation: &mut Simulation) -> Result<(), SimulationError> {
        if simulation.model_mut().undo(&mut self.change).is_ok() {
            simulation.synchronize()?;
            simulation.return_to_structure(self.structure);
            return Ok(());
        }
        // The model was edited meanwhile: what was added goes by an edit of its own.
        let added: Vec<ComponentId> = self.change.added();
        let there = added.into_iter().filter(|&id| simulation.model().contains(id)).collect();
        simulation.model_mut().edit(crate::component::Edit::Delete(there))?;
        simulation.synchronize()
    }
}

/// Puts a particle that forces do not move somewhere else, at rest.
fn put(
    simulation: &mut Simulation,
    particle: Handle<Particle>,
    target: Vec3,
) -> Result<(), SimulationError> {
    let mut state = simulation.state()?.clone();
    if let Some(row) = simulation.compiled().find_row(PointRef::Particle(particle)) {
        (state.q[row], state.u[row]) = (target, Vec3::zeros());
    }
    simulation.set_state(&state)
}

/// Changes the velocity of what is hit.
pub(super) fn push(simulation: &mut Simulation, grip: Grip, impulse: Vec3) -> Result<(), String> {
    let mut state = simulation.state().map_err(text)?.clone();
    let compiled = simulation.compiled();
    match grip {
        Grip::Point(row) => {
            let row = row as usize;
            if row >= state.u.len() || compiled.is_follower(row) {
                return Err("it follows something else: push that".to_owned());
            }
            if compiled.held()[row] == [true; 3] {
                return Err("it is held".to_owned());
            }
            state.u[row] += impulse / compiled.masses()[row];
        }
        Grip::Body(id, at) => {
            let body = id.typed().ok_or("it is no body")?;
            let rows = compiled.body_rows(body).ok_or("there is no such body any more")?;
            let row = rows.row as usize;
            if compiled.held()[row] == [true; 3] {
                return Err("it is held".to_owned());
            }
            let turn = rows.orientation(&state.q).to_rotation_matrix().into_inner();
            let arm = turn * (at - rows.inertia.center_of_mass());
            let inertia = turn * rows.inertia.rotational() * turn.transpose();
            let spin = inertia.try_inverse().map(|inverse| inverse * arm.cross(&impulse));
            state.u[row] += impulse / rows.inertia.mass();
            state.u[row + 1] += spin.unwrap_or_default();
        }
    }
    simulation.set_state(&state).map_err(text)
}

/// Holds a point where it is, as an edit that can be undone.
pub(super) fn pin(simulation: &mut Simulation, grip: Grip) -> Result<Vec<ComponentId>, String> {
    simulation.state().map_err(text)?;
    let simulated = simulation.simulated();
    let (point, rest, now) = match grip {
        Grip::Point(row) => {
            let point = point_at(simulated.model, simulated.compiled, row)
                .ok_or("there is no such point any more")?;
            let row = row as usize;
            (point, simulated.compiled.rest_positions()[row], simulated.state.q[row])
        }
        Grip::Body(..) => {
            return Err(
                "only nodes and particles are pinned; of a body, set 'dynamic' to false".to_owned()
            );
        }
    };
    let particle = Particle { fixed: true, ..Particle::new(1.0, rest) };
    let model = simulation.model_mut();
    let main = model.main();
    let mut anchor = None;
    let mut change = model
        .batch(|batch| {
            let held = batch.add_to(main, particle)?;
            batch.add_to(main, Attachment::new(vec![point], Master::Particle(held)))?;
            anchor = Some(held);
            Ok::<(), EditError>(())
        })
        .map_err(text)?;
    if let Err(error) = simulation.synchronize() {
        let _ = simulation.model_mut().undo(&mut change);
        return Err(text(error));
    }
    let added = change.added();
    simulation.history.keep(change);
    if let Some(anchor) = anchor {
        put(simulation, anchor, now).map_err(text)?;
    }
    Ok(added)
}

/// An error for the user to read.
pub(super) fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
