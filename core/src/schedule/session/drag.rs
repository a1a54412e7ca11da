//! Points that are pulled, hit and fixed by hand.

use crate::Vec3;
use crate::component::{ComponentId, Handle};
use crate::model::{
    Attachment, AxialSpring, ChangeSet, EditError, FrameMarker, LinearAxial, Master, Model,
    Particle, PointRef, RigidBody,
};
use crate::schedule::{Simulation, SimulationError};
use crate::simulated::Simulated;
use crate::system::{BodyRows, CompiledModel, MechSystem, State};

use super::building::{point_at, site_of};
use super::{CommandError, DragPoint};

/// Weight that the spring carries when it is this part of the extent of everything long.
const REACH: f64 = 0.05;
/// Damping of the spring, in parts of the critical one for the whole mass.
const DAMPING: f64 = 0.3;
/// Acceleration of the pull where nothing has a weight [m/s²].
const PULL: f64 = 9.81;

/// A spring that pulls a point. Its other end is a particle that follows the pointer. Both are added to the
/// model for as long as the drag lasts, and taken back.
pub(super) struct DragSpring {
    pub(super) point: DragPoint,
    pub(super) spring: ComponentId,
    anchor: Handle<Particle>,
    change: ChangeSet,
    /// Number of the system before.
    structure: u64,
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

/// Mass of the particle that follows the pointer [kg], and the spring between it and what is pulled.
fn spring_for(compiled: &CompiledModel, state: &State) -> (f64, LinearAxial) {
    let [mass, extent] = mass_and_extent(compiled, state);
    let stiffness = mass * PULL / (REACH * extent);
    let damping = 2.0 * DAMPING * (stiffness * mass).sqrt();
    (mass, LinearAxial { stiffness, damping, rest_length: 0.0 })
}

/// A place of the model that is pulled: a point, or a place of a body in its frame [m].
enum Pulled {
    Point(PointRef),
    Body(Handle<RigidBody>, Vec3),
}

impl Pulled {
    fn of(simulated: &Simulated<'_>, point: DragPoint) -> Result<Self, CommandError> {
        let model = simulated.model;
        match point {
            DragPoint::Point(row) => {
                let point = point_at(model, simulated.compiled, row);
                Ok(Self::Point(point.ok_or(CommandError::NoPoint)?))
            }
            DragPoint::Body(id, at) => {
                let (body, at) = body_at(model, id, at).ok_or(EditError::Stale)?;
                Ok(Self::Body(body, at))
            }
        }
    }
}

impl DragSpring {
    /// Begins to pull, with the other end at `target` [m].
    ///
    /// # Errors
    /// What cannot be grabbed, and what cannot be compiled.
    pub(super) fn take(
        simulation: &mut Simulation,
        point: DragPoint,
        target: Vec3,
    ) -> Result<Self, CommandError> {
        let structure = simulation.structure();
        simulation.state()?;
        let simulated = simulation.simulated();
        let (mass, law) = spring_for(simulated.compiled, simulated.state);
        let pulled = Pulled::of(&simulated, point)?;
        let model = simulation.model_mut();
        let main = model.main();
        let mut ends = None;
        let mut change = model.batch(|batch| {
            let end = match pulled {
                Pulled::Point(point) => point,
                Pulled::Body(body, at) => batch.add_to(main, FrameMarker::new(body, at))?.into(),
            };
            let anchor = Particle { fixed: true, ..Particle::new(mass, target) };
            let anchor = batch.add_to(main, anchor)?;
            let spring = AxialSpring::new([PointRef::Particle(anchor), end], law);
            ends = Some((anchor, batch.add_to(main, spring)?.id()));
            Ok::<(), EditError>(())
        })?;
        match (ends, simulation.synchronize()) {
            (Some((anchor, spring)), Ok(())) => {
                Ok(Self { point, spring, anchor, change, structure })
            }
            (_, outcome) => {
                // Nothing came in between: it can be taken back.
                let _ = simulation.model_mut().undo(&mut change);
                Err(outcome.err().map_or(CommandError::NoPoint, CommandError::from))
            }
        }
    }

    /// Moves the other end.
    pub(super) fn move_to(
        &self,
        simulation: &mut Simulation,
        target: Vec3,
    ) -> Result<(), SimulationError> {
        put(simulation, self.anchor, target)
    }

    /// Takes the spring out of the model.
    pub(super) fn release(mut self, simulation: &mut Simulation) -> Result<(), SimulationError> {
        if simulation.model_mut().undo(&mut self.change).is_ok() {
            simulation.synchronize()?;
            simulation.return_to_structure(self.structure);
            return Ok(());
        }
        // The model was edited meanwhile: what was added goes by an edit of its own.
        let added: Vec<ComponentId> = self.change.added();
        let there = added.into_iter().filter(|&id| simulation.model().contains(id)).collect();
        simulation.model_mut().edit(crate::model::Edit::Delete(there))?;
        simulation.synchronize()
    }
}

/// The body that what is drawn is on, and a place in its frame [m].
fn body_at(model: &Model, id: ComponentId, at: Vec3) -> Option<(Handle<RigidBody>, Vec3)> {
    let (body, at) = site_of(model, id, at)?;
    Some((body?, at))
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

/// Changes the velocity of what is hit, by an impulse at that place.
pub(super) fn push(
    simulation: &mut Simulation,
    point: DragPoint,
    velocity: Vec3,
) -> Result<(), CommandError> {
    let mut state = simulation.state()?.clone();
    let compiled = simulation.compiled();
    match point {
        DragPoint::Point(row) => {
            let row = row as usize;
            if row >= state.u.len() || compiled.is_attached(row) {
                return Err(CommandError::Attached);
            }
            if compiled.fixed()[row] == [true; 3] {
                return Err(CommandError::Fixed);
            }
            state.u[row] += velocity;
        }
        DragPoint::Body(id, at) => {
            let (body, at) = body_at(&simulation.model, id, at).ok_or(CommandError::NoBody)?;
            let rows = compiled.body_rows(body).ok_or(CommandError::NoBody)?;
            let row = rows.row as usize;
            if compiled.fixed()[row] == [true; 3] {
                return Err(CommandError::Fixed);
            }
            let Some([linear, turning]) = changes_of_body(rows, &state.q, at, velocity) else {
                return Ok(());
            };
            state.u[row] += linear;
            state.u[row + 1] += turning;
        }
    }
    Ok(simulation.set_state(&state)?)
}

/// Changes of the velocity [m/s] and the angular velocity [rad/s] of a body by an impulse at a place in its frame [m]
/// along `velocity`, which the place then has more of; `None` for none.
fn changes_of_body(rows: &BodyRows, q: &[Vec3], at: Vec3, velocity: Vec3) -> Option<[Vec3; 2]> {
    let turn = rows.orientation(q).to_rotation_matrix().into_inner();
    let arm = turn * (at - rows.inertia.center_of_mass());
    let inertia = turn * rows.inertia.rotational() * turn.transpose();
    let inverse = inertia.try_inverse().unwrap_or_default();
    // Velocity of the place along the direction, for an impulse of 1 N s.
    let direction = velocity.try_normalize(f64::MIN_POSITIVE)?;
    let turning = inverse * arm.cross(&direction);
    let yields = 1.0 / rows.inertia.mass() + turning.cross(&arm).dot(&direction);
    let impulse = velocity.norm() / yields;
    Some([direction * (impulse / rows.inertia.mass()), turning * impulse])
}

/// Fixes a point where it is, as an edit that can be undone.
pub(super) fn pin(
    simulation: &mut Simulation,
    pinned: DragPoint,
) -> Result<Vec<ComponentId>, CommandError> {
    simulation.state()?;
    let simulated = simulation.simulated();
    let (point, rest, now) = match pinned {
        DragPoint::Point(row) => {
            let point =
                point_at(simulated.model, simulated.compiled, row).ok_or(CommandError::NoPoint)?;
            let row = row as usize;
            (point, simulated.compiled.rest_positions()[row], simulated.state.q[row])
        }
        DragPoint::Body(..) => return Err(CommandError::PinnedBody),
    };
    let particle = Particle { fixed: true, ..Particle::new(1.0, rest) };
    let model = simulation.model_mut();
    let main = model.main();
    let mut anchor = None;
    let mut change = model.batch(|batch| {
        let fixed = batch.add_to(main, particle)?;
        batch.add_to(main, Attachment::new(vec![point], Master::Particle(fixed)))?;
        anchor = Some(fixed);
        Ok::<(), EditError>(())
    })?;
    if let Err(error) = simulation.synchronize() {
        let _ = simulation.model_mut().undo(&mut change);
        return Err(error.into());
    }
    let added = change.added();
    simulation.history.keep(change);
    if let Some(anchor) = anchor {
        put(simulation, anchor, now)?;
    }
    Ok(added)
}
