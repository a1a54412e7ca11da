//! Springs, line muscles, bundles of tissue, shells and frame springs in a state of the simulation.

use super::view::{Simulated, readers};
use crate::Vec3;
use crate::axial::Contraction;
use crate::component::{ComponentId, Handle};
use crate::constraint::{FrameMotion, calc_relative_pose};
use crate::dynamics::tangent_map_inverse;
use crate::model::{AxialSpring, FrameSpring, MultiPointSpring, MuscleBundle, Shell};
use crate::system::{moment_arms_of, moment_arms_of_line};

/// Length [m], its rate [m/s], tension [N], and energy [J].
fn spring_now(s: &Simulated<'_>, spring: Handle<AxialSpring>) -> Option<[f64; 4]> {
    s.compiled.stretch_of(spring, s.state)
}

/// The same of a spring through several points.
fn line_now(s: &Simulated<'_>, line: Handle<MultiPointSpring>) -> Option<[f64; 4]> {
    s.compiled.stretch_of_line(line, s.state)
}

/// Fibre and tendon of a muscle along a line, where its law has a fibre.
fn fibre_now(s: &Simulated<'_>, line: ComponentId) -> Option<Contraction> {
    s.compiled.fibre_of(line, s.state)?.1
}

/// Its activation [-].
fn activation_now(s: &Simulated<'_>, line: ComponentId) -> Option<f64> {
    Some(s.compiled.fibre_of(line, s.state)?.0)
}

/// Activation, and means over the volume of stretch and stress [Pa] along the fibres.
fn bundle_now(s: &Simulated<'_>, bundle: Handle<MuscleBundle>) -> Option<[f64; 3]> {
    s.compiled.contraction_of(bundle, s.state)
}

/// Energy stored in a spring [J]; `None` when it was not compiled.
pub(super) fn spring_energy(s: &Simulated<'_>, spring: Handle<AxialSpring>) -> Option<f64> {
    spring_now(s, spring).map(|x| x[3])
}

/// The same of a spring through several points.
pub(super) fn line_energy(s: &Simulated<'_>, line: Handle<MultiPointSpring>) -> Option<f64> {
    line_now(s, line).map(|x| x[3])
}

readers! { pub(super) AXIAL_SPRING: AxialSpring {
    "length": f64 = |s, h| spring_now(s, h).map(|x| x[0]);
    "length_rate": f64 = |s, h| spring_now(s, h).map(|x| x[1]);
    "tension": f64 = |s, h| spring_now(s, h).map(|x| x[2]);
    "strain_energy": f64 = spring_energy;
    "moment_arms": Vec<f64> = |s, h| moment_arms_of(s.compiled, h, s.state);
    "activation_level": f64 = |s, h| activation_now(s, h.id());
    "fibre_length": f64 = |s, h| Some(fibre_now(s, h.id())?.fibre_length);
    "fibre_velocity": f64 = |s, h| Some(fibre_now(s, h.id())?.fibre_velocity);
    "tendon_force": f64 = |s, h| Some(fibre_now(s, h.id())?.tendon_force);
} }

readers! { pub(super) MULTI_POINT_SPRING: MultiPointSpring {
    "length": f64 = |s, h| line_now(s, h).map(|x| x[0]);
    "length_rate": f64 = |s, h| line_now(s, h).map(|x| x[1]);
    "tension": f64 = |s, h| line_now(s, h).map(|x| x[2]);
    "strain_energy": f64 = line_energy;
    "moment_arms": Vec<f64> = |s, h| moment_arms_of_line(s.compiled, h, s.state);
    "activation_level": f64 = |s, h| activation_now(s, h.id());
    "fibre_length": f64 = |s, h| Some(fibre_now(s, h.id())?.fibre_length);
    "fibre_velocity": f64 = |s, h| Some(fibre_now(s, h.id())?.fibre_velocity);
    "tendon_force": f64 = |s, h| Some(fibre_now(s, h.id())?.tendon_force);
} }

readers! { pub(super) MUSCLE_BUNDLE: MuscleBundle {
    "activation_level": f64 = |s, h| bundle_now(s, h).map(|x| x[0]);
    "fibre_stretch": f64 = |s, h| bundle_now(s, h).map(|x| x[1]);
    "fibre_stress": f64 = |s, h| bundle_now(s, h).map(|x| x[2]);
} }

readers! { pub(super) SHELL: Shell {
    "strain_energy": f64 = |s, h| s.compiled.energy_of_shell(h, s.state);
} }

/// Forces and energy of a frame spring in a state.
struct Bushed {
    force: Vec3,
    moment: Vec3,
    energy: f64,
}

/// Velocity of the point at `at` [m] that moves with a frame [m/s].
fn velocity(frame: &FrameMotion, at: &Vec3) -> Vec3 {
    frame.velocity + frame.angular_velocity.cross(&(at - frame.centre))
}

/// By the equations of `force/frame_springs.rs`; `None` when a body was not compiled.
fn bushed(s: &Simulated<'_>, spring: Handle<FrameSpring>) -> Option<Bushed> {
    let spring = s.model.get(spring)?;
    let [c, d] = [s.frame(&spring.c)?, s.frame(&spring.d)?];
    let zero = Vec3::zeros();
    if !spring.enabled {
        return Some(Bushed { force: zero, moment: zero, energy: 0.0 });
    }
    let pose = calc_relative_pose(&c, &d);
    let (place, turn) = (pose.translation.vector, pose.rotation.scaled_axis());
    let (along, about) =
        (spring.stiffness.component_mul(&place), spring.rotary_stiffness.component_mul(&turn));
    let axes = d.pose.rotation;
    let origin = c.pose.translation.vector;
    let rate = axes.inverse() * (velocity(&c, &origin) - velocity(&d, &origin));
    let rotary_rate = axes.inverse() * (c.angular_velocity - d.angular_velocity);
    let dampers =
        [spring.damping.component_mul(&rate), spring.rotary_damping.component_mul(&rotary_rate)];
    Some(Bushed {
        force: -(axes * (along + dampers[0])),
        moment: -(axes * (tangent_map_inverse(&-turn) * about + dampers[1])),
        energy: 0.5 * (along.dot(&place) + about.dot(&turn)),
    })
}

/// Energy stored in it [J]; `None` when a body was not compiled.
pub(super) fn frame_spring_energy(s: &Simulated<'_>, spring: Handle<FrameSpring>) -> Option<f64> {
    bushed(s, spring).map(|it| it.energy)
}

readers! { pub(super) FRAME_SPRING: FrameSpring {
    "force": Vec3 = |s, h| Some(bushed(s, h)?.force);
    "moment": Vec3 = |s, h| Some(bushed(s, h)?.moment);
    "strain_energy": f64 = frame_spring_energy;
} }
