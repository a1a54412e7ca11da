//! Start of bodies: a mechanism that is built while it moves starts from where it was built.

use std::collections::BTreeSet;

use super::Builder;
use crate::Vec3;
use crate::component::Handle;
use crate::editing::EditCommand;
use crate::model::{Model, RigidBody};
use crate::property::{Pose, Value};
use crate::schedule::motion::links;
use crate::schedule::{Simulation, SimulationError};

/// Difference of a place from that at the start, over 1 m, from which on it counts as moved [-].
const MOVED: f64 = 1e-12;

impl Builder<'_> {
    /// The bodies that are joined to some, by way of others too, and these.
    pub(super) fn joined(&self, first: &[Handle<RigidBody>]) -> Vec<Handle<RigidBody>> {
        let links = links(self.model(), None);
        let mut known: BTreeSet<_> = first.iter().map(|body| body.id()).collect();
        let mut bodies = first.to_vec();
        let mut next = 0;
        while let Some(&body) = bodies.get(next) {
            next += 1;
            for link in links.iter().filter(|link| link.contains(&Some(body))) {
                for other in link.iter().flatten() {
                    if known.insert(other.id()) {
                        bodies.push(*other);
                    }
                }
            }
        }
        bodies
    }

    /// Commands by which bodies, and all that are joined to them, start from where they are now, but for one that is put
    /// elsewhere.
    pub(super) fn starts(
        &self,
        bodies: &[Handle<RigidBody>],
        put: Option<(Handle<RigidBody>, Pose)>,
    ) -> Vec<EditCommand> {
        let (model, mut commands) = (self.model(), Vec::new());
        for body in self.joined(bodies) {
            let here = put.filter(|(it, _)| *it == body).map(|(_, pose)| pose);
            let (Some(data), Some(now)) = (model.get(body), here.or(self.pose(body).ok())) else {
                continue;
            };
            let turn = data.pose.rotation.angle_to(&now.rotation);
            let moved = (data.pose.translation.vector - now.translation.vector).norm();
            if data.dynamic && moved.max(turn) > MOVED {
                let property = format!("{}:pose", model.path(body));
                commands.push(EditCommand::Set { property, value: Value::Pose(now).to_string() });
            }
        }
        commands
    }
}

/// Velocities of bodies, kept over an edit that puts them where they are.
pub(in super::super) struct Moving(Vec<(Handle<RigidBody>, [Vec3; 2])>);

impl Moving {
    /// Those of all bodies that forces move.
    pub(in super::super) fn of(simulation: &mut Simulation) -> Result<Self, SimulationError> {
        simulation.state()?;
        let simulated = simulation.simulated();
        let moving = simulated.model.iter::<RigidBody>().filter(|(_, it)| it.dynamic);
        let known = moving.filter_map(|(body, _)| {
            let row = simulated.compiled.body_rows(body)?.row as usize;
            Some((body, [*simulated.state.u.get(row)?, *simulated.state.u.get(row + 1)?]))
        });
        Ok(Self(known.collect()))
    }

    /// Gives them back.
    pub(in super::super) fn restore(
        self,
        simulation: &mut Simulation,
    ) -> Result<(), SimulationError> {
        let mut state = simulation.state()?.clone();
        for (body, velocities) in self.0 {
            let Some(rows) = simulation.compiled().body_rows(body) else { continue };
            let row = rows.row as usize;
            state.u[row..row + 2].copy_from_slice(&velocities);
        }
        simulation.set_state(&state)
    }
}

/// True if no joint and no constraint leads from a body to anything else.
pub(super) fn is_alone(model: &Model, body: Handle<RigidBody>) -> bool {
    links(model, None).iter().all(|link| !link.contains(&Some(body)))
}
