//! Forces of constraints and of what is prescribed at the start of a run, for what is read before its first step.

use super::Simulation;
use crate::component::ComponentId;
use crate::kinds::{Measurand, Sensor};
use crate::property::{PropertyInfo, PropertyRef};
use crate::simulated::Simulated;
use crate::solve::row_forces_at_start;
use crate::system::{State, moves_by_itself, prescribed_at};

/// Names of properties that are forces of constraints, or of what holds or leads something.
const FORCES: [&str; 6] =
    ["force", "moment", "multiplier", "multipliers", "reaction", "reaction_moment"];

/// True for a sensor of such a force.
fn senses_force(it: &Sensor) -> bool {
    it.quantity == Measurand::Property && FORCES.contains(&it.property.as_str())
}

/// True for a property that is such a force.
fn is_force(info: &PropertyInfo) -> bool {
    info.simulated && FORCES.contains(&info.name)
}

impl Simulation {
    /// The model where it is now, once [`Self::state`] was read, to read these properties.
    pub(crate) fn simulated_for<'p>(
        &self,
        properties: impl IntoIterator<Item = &'p PropertyRef>,
    ) -> Simulated<'_> {
        let reads_forces = properties.into_iter().any(|it| self.reads_force(it));
        let state = if reads_forces { self.state_with_forces() } else { &self.state };
        Simulated { state, ..self.simulated() }
    }

    /// The same to read all properties of components.
    pub(crate) fn simulated_for_all(&self, of: &[ComponentId]) -> Simulated<'_> {
        let properties: Vec<_> = of.iter().flat_map(|&id| self.model.properties(id)).collect();
        self.simulated_for(&properties)
    }

    /// Finds the forces before the first step where sensors read some.
    pub(super) fn find_forces_of_sensors(&self) {
        if self.model.iter::<Sensor>().any(|(_, it)| senses_force(it)) {
            self.state_with_forces();
        }
    }

    /// True for such a force, and for the reading of a sensor of one.
    fn reads_force(&self, property: &PropertyRef) -> bool {
        let sensor = property.host().component().typed::<Sensor>();
        let sensor = sensor.and_then(|sensor| self.model.get(sensor));
        is_force(property.info()) || sensor.is_some_and(senses_force)
    }

    /// The state that was read last; before the first step with the forces that its accelerations need.
    pub(super) fn state_with_forces(&self) -> &State {
        let compiled = self.compiled();
        let (rows, state) = (compiled.row_count() > 0, &self.state);
        let leads = !rows && moves_by_itself(compiled) && state.prescribed.is_empty();
        if !(leads || rows && state.multipliers.is_empty()) {
            return state;
        }
        self.start.get_or_init(|| {
            let prescribed = prescribed_at(compiled, self.state.time);
            let rows = prescribed.iter().map(|(it, by)| (it.row as usize, *by));
            // A start that no step can be taken from is told by the step.
            let forces = row_forces_at_start(compiled, &self.state, rows).unwrap_or_default();
            let prescribed = prescribed.into_iter().map(|(it, _)| it).collect();
            State { multipliers: forces, prescribed, ..self.state.clone() }
        })
    }
}
