//! Readings of sensors as targets: their values in a state, and their responses by central differences along the response
//! of the step.

use nalgebra::UnitQuaternion;

use crate::Vec3;
use crate::component::Handle;
use crate::dynamics::turn_between;
use crate::inverse::{InverseError, TrackedExcitation};
use crate::kinds::{Measurand, Sensor};
use crate::model::Model;
use crate::simulated::Simulated;
use crate::simulated::sensors::{is_rate, measure, motion_now};
use crate::system::{CompiledModel, MechSystem, State};

/// Change of an excitation for differences [-]: readings are smooth, and as exact as a state is.
const CHANGE: f64 = 1e-4;

/// Refuses a sensor of a muscle itself: its activation, its tension. The response of a step is that of places, velocities
/// and forces.
pub(super) fn check_sensor(model: &Model, handle: Handle<Sensor>) -> Result<(), InverseError> {
    let Some(sensor) = model.get(handle) else { return Ok(()) };
    let of_force = match sensor.quantity {
        Measurand::Property | Measurand::TendonOrgan => true,
        Measurand::Acceleration
        | Measurand::AngularAcceleration
        | Measurand::SpecificForce
        | Measurand::Otolith
        | Measurand::SemicircularCanal
        | Measurand::MuscleSpindle
        | Measurand::Distance
        | Measurand::Angle
        | Measurand::CenterOfPressure => false,
    };
    let is_muscle = |id| TrackedExcitation::muscles(model).iter().any(|it| it.component == id);
    match of_force && sensor.of.iter().any(|it| is_muscle(it.address().component())) {
        true => Err(InverseError::SensorOfMuscle(model.path(handle))),
        false => Ok(()),
    }
}

/// The number that a sensor measures at the end of a step, without noise, delay and dynamics; zero where it has none, as
/// the centre of pressure of what does not touch.
pub(super) fn reading(
    (model, compiled): (&Model, &CompiledModel),
    handle: Handle<Sensor>,
    [start, end]: [&State; 2],
) -> f64 {
    let Some(sensor) = model.get(handle) else { return 0.0 };
    let first = sensor.of.first().filter(|_| is_rate(sensor.quantity));
    let at = Simulated { model, compiled, state: start };
    let before = first.and_then(|of| motion_now(&at, *of));
    let now = Simulated { model, compiled, state: end };
    measure(&now, sensor, before.as_ref()).map_or(0.0, |reading| reading.value())
}

/// Response of a step to one excitation.
pub(super) struct SensorResponse<'a> {
    /// End of the step.
    pub(super) end: &'a State,
    /// Changes of the positions of the rows over the step, and of their velocities at its end.
    pub(super) columns: [&'a [Vec3]; 2],
    /// Changes of multipliers and contacts, in their places.
    pub(super) forces: Option<&'a State>,
}

impl SensorResponse<'_> {
    /// Derivative of a reading by the excitation, in a step from `start`.
    pub(super) fn of(
        &self,
        known: (&Model, &CompiledModel),
        sensor: Handle<Sensor>,
        start: &State,
    ) -> f64 {
        let [low, high] = [-CHANGE, CHANGE].map(|by| {
            let moved = self.moved(known.1, by, self.end.time - start.time);
            reading(known, sensor, [start, &moved])
        });
        (high - low) / (2.0 * CHANGE)
    }

    /// The end of the step of `h` [s] with the excitation changed by `by`.
    fn moved(&self, compiled: &CompiledModel, by: f64, h: f64) -> State {
        let mut state = self.end.clone();
        let [positions, velocities] = self.columns;
        state.q.iter_mut().zip(positions).for_each(|(q, change)| *q += change * (by * h));
        state.u.iter_mut().zip(velocities).for_each(|(u, change)| *u += change * by);
        if let Some(multibody) = compiled.multibody() {
            for body in &multibody.bodies {
                let row = body.row as usize + 1;
                let turn = UnitQuaternion::new(positions[row] * (by * h));
                let turned = turn * UnitQuaternion::new(self.end.q[row]);
                state.q[row] = turn_between(&UnitQuaternion::identity(), &turned);
            }
            compiled.place_attached(&mut state);
            multibody.update_coordinates(&state.q, &mut state.coordinates);
        }
        let Some(forces) = self.forces else { return state };
        let multipliers = state.multipliers.iter_mut().zip(&forces.multipliers);
        multipliers.for_each(|(force, change)| *force += change * by);
        let contacts = state.contacts.iter_mut().zip(&forces.contacts);
        contacts.for_each(|(contact, change)| contact.force += change.force * by);
        state
    }
}
