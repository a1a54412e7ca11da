//! Quantities that sensors measure, in a state of the simulation. Accelerations are means over a step: differences of
//! velocities over its length.

use super::receptors::Receptor;
use super::totals::gravity_at;
use super::view::{Simulated, readers};
use crate::Vec3;
use crate::component::Handle;
use crate::kinds::{Measurand, Measured, Reading, Sensor, fibre_lengths};
use crate::model::{CollisionBehavior, PointRef, RigidBody};
use crate::property::Value;

/// Velocity [m/s] and angular velocity [rad/s] of what is measured, at a time [s].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Motion {
    pub(crate) time: f64,
    pub(crate) velocity: Vec3,
    pub(crate) angular_velocity: Vec3,
}

/// Position [m] of a point, or of the origin of a body.
fn position(s: &Simulated<'_>, of: Measured) -> Option<Vec3> {
    match of {
        Measured::Point(point) => Some(s.motion(point)?.0),
        Measured::Component(id) => {
            Some(s.compiled.body_motion(id.typed::<RigidBody>()?, s.state)?.0.translation.vector)
        }
    }
}

/// The body that something measured is on.
fn body_of(s: &Simulated<'_>, of: Measured) -> Option<Handle<RigidBody>> {
    match of {
        Measured::Point(PointRef::Marker(marker)) => Some(s.model.get(marker)?.body),
        Measured::Point(PointRef::Particle(_) | PointRef::FemNode(..)) => None,
        Measured::Component(id) => id.typed(),
    }
}

/// Motion of what is measured now; `None` for what has none.
pub(crate) fn motion_now(s: &Simulated<'_>, of: Measured) -> Option<Motion> {
    let time = s.state.time;
    let turn = body_of(s, of).and_then(|body| s.compiled.body_motion(body, s.state));
    let angular_velocity =
        turn.map_or_else(Vec3::zeros, |(_, _, angular_velocity)| angular_velocity);
    let velocity = match of {
        Measured::Point(point) => s.motion(point)?.1,
        Measured::Component(_) => turn?.1,
    };
    Some(Motion { time, velocity, angular_velocity })
}

/// True if a quantity needs the motion at the begin of a step.
pub(crate) fn is_rate(quantity: Measurand) -> bool {
    match quantity {
        Measurand::Acceleration
        | Measurand::AngularAcceleration
        | Measurand::SpecificForce
        | Measurand::Otolith => true,
        Measurand::Property
        | Measurand::SemicircularCanal
        | Measurand::MuscleSpindle
        | Measurand::TendonOrgan
        | Measurand::Distance
        | Measurand::Angle
        | Measurand::CenterOfPressure => false,
    }
}

/// Reading of a sensor now without noise, delay and the dynamics of receptors, of which it is what they measure; `None`
/// for what has no value in this state. `before` is the motion at the begin of the step; without one, accelerations are zero.
pub(crate) fn measure(
    s: &Simulated<'_>,
    sensor: &Sensor,
    before: Option<&Motion>,
) -> Option<Reading> {
    let first = *sensor.of.first()?;
    let rates = || {
        let now = motion_now(s, first)?;
        let past = before.filter(|past| now.time > past.time);
        Some(past.map_or([Vec3::zeros(); 2], |past| {
            let over = 1.0 / (now.time - past.time);
            [now.velocity - past.velocity, now.angular_velocity - past.angular_velocity]
                .map(|u| u * over)
        }))
    };
    match (sensor.quantity, sensor.of.as_slice()) {
        (Measurand::Property, _) => property(s, sensor, first),
        (Measurand::Acceleration, _) => Some(Reading::Vector(rates()?[0])),
        (Measurand::AngularAcceleration, _) => Some(Reading::Vector(rates()?[1])),
        (Measurand::SpecificForce | Measurand::Otolith, _) => {
            let felt = rates()?[0] - gravity_at(s.model, first.address().component());
            let turn = body_of(s, first).and_then(|body| s.compiled.body_motion(body, s.state));
            Some(Reading::Vector(turn.map_or(felt, |(pose, ..)| pose.rotation.inverse() * felt)))
        }
        (Measurand::Distance, &[a, b]) => {
            Some(Reading::Scalar((position(s, a)? - position(s, b)?).norm()))
        }
        (Measurand::Angle, &[a, b, c]) => {
            let (at, to) = (position(s, b)?, [position(s, a)?, position(s, c)?]);
            let [u, v] = to.map(|x| x - at);
            Some(Reading::Scalar(u.cross(&v).norm().atan2(u.dot(&v))))
        }
        (Measurand::CenterOfPressure, _) => center_of_pressure(s, first).map(Reading::Vector),
        (Measurand::SemicircularCanal, _) => about_axis(s, sensor, first),
        (Measurand::MuscleSpindle, _) => stretch_of_fibre(s, first),
        (Measurand::TendonOrgan, _) => Some(Reading::Scalar(stretch(s, first)?[2])),
        (Measurand::Distance | Measurand::Angle, _) => None,
    }
}

/// Angular velocity of a body about the axis of a canal [rad/s].
fn about_axis(s: &Simulated<'_>, sensor: &Sensor, of: Measured) -> Option<Reading> {
    let (pose, _, angular_velocity) = s.compiled.body_motion(body_of(s, of)?, s.state)?;
    let axis = pose.rotation * sensor.axis.normalize();
    Some(Reading::Scalar(angular_velocity.dot(&axis)))
}

/// Length [m], its rate [m/s], tension [N] and energy [J] of a line.
fn stretch(s: &Simulated<'_>, of: Measured) -> Option<[f64; 4]> {
    s.compiled.stretch_along(of.address().component(), s.state)
}

/// Displacement from the optimal length, and its rate [1/s], along x and y, in lengths of the fibre.
fn stretch_of_fibre(s: &Simulated<'_>, of: Measured) -> Option<Reading> {
    let [length, rate, ..] = stretch(s, of)?;
    let [rest, fibre] = fibre_lengths(s.model, of.address().component())?;
    Some(Reading::Vector(Vec3::new((length - rest) / fibre, rate / fibre, 0.0)))
}

/// A property of a component: one number, a vector, or a number of a list.
fn property(s: &Simulated<'_>, sensor: &Sensor, of: Measured) -> Option<Reading> {
    let property = s.model.property_of(of.address(), &sensor.property).ok()?;
    match s.get_property(&property).ok()? {
        Value::Real(value) => Some(Reading::Scalar(value)),
        Value::Vector(vector) => Some(Reading::Vector(vector)),
        other => other.numbers().nth(sensor.part as usize).map(Reading::Scalar),
    }
}

/// Mean place of the contacts of a behaviour, weighted by their normal forces [m]; `None` where nothing touches.
fn center_of_pressure(s: &Simulated<'_>, of: Measured) -> Option<Vec3> {
    let behavior: Handle<CollisionBehavior> = of.address().component().typed()?;
    let contacts = s.compiled.contacts_of(behavior, s.state)?;
    let (sum, moment) = contacts.fold((0.0, Vec3::zeros()), |(sum, moment), contact| {
        let pressure = contact.force.dot(&contact.normal).max(0.0);
        (sum + pressure, moment + contact.point * pressure)
    });
    (sum > 0.0).then(|| moment / sum)
}

/// The last reading; before the first one, what would be read now.
fn reading(s: &Simulated<'_>, handle: Handle<Sensor>) -> Option<Reading> {
    let sensor = s.model.get(handle)?;
    let at_rest = |raw| match Receptor::of(sensor) {
        Some(receptor) => receptor.reading(&receptor.start(raw)),
        None => raw,
    };
    let reading = sensor.reading.or_else(|| measure(s, sensor, None).map(at_rest));
    // Nothing touches: the origin, so that a recording goes on.
    let nothing = sensor.quantity == Measurand::CenterOfPressure;
    reading.or_else(|| nothing.then(|| Reading::Vector(Vec3::zeros())))
}

readers! { pub(super) SENSOR: Sensor {
    "value": f64 = |s, h| Some(reading(s, h)?.value());
    "vector": Vec3 = |s, h| reading(s, h)?.vector();
} }
