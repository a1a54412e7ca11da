//! The cricothyroid joint, which turns and glides, and both cricoarytenoid joints, which rock about their facets and slide along
//! them; springs stand for capsules and ligaments.

use nalgebra::{Rotation3, UnitQuaternion};
use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::{CoordinateSettings, JointKind, Pose, Range};
use sinew::model::{FrameSite, FrameSpring, Joint, Model, RigidBody};

use super::cartilages::Bodies;
use crate::bones::MM;
use crate::jaw::muscles::Side;

/// Middle of the axis through the facets of the lower horns [mm].
const CRICOTHYROID: [f64; 3] = [-28.0, 0.0, -39.0];
/// Ranges of its glide [m] and of its turn, positive where the arch of the cricoid rises [rad].
const GLIDE: Range = Range::new(-1.5e-3, 1.5e-3);
const TURN: Range = Range::new(-0.1, 0.25);
/// Middle of the left cricoarytenoid joint [mm], and the axis of its facet.
const CRICOARYTENOID: [f64; 3] = [-27.0, 5.5, -25.5];
const FACET: [f64; 3] = [0.3, 0.4, -0.86];
/// Ranges of its slide [m] and of its rocking, positive where the vocal process goes to the middle [rad].
const SLIDE: Range = Range::new(-1e-3, 1e-3);
const ROCK: Range = Range::new(-0.45, 0.25);
/// Stiffness of the cricothyroid joint [N m/rad, N/m] and of a cricoarytenoid one: our choice.
const CRICOTHYROID_STIFFNESS: [f64; 2] = [0.4, 1500.0];
const CRICOARYTENOID_STIFFNESS: [f64; 2] = [4e-3, 1500.0];
/// Damping by stiffness [s].
const DAMPING: f64 = 0.05;

/// Adds the joints between the cartilages.
pub(super) fn add(model: &mut Model, bodies: Bodies) {
    let across = frame(CRICOTHYROID, [0.0, -1.0, 0.0]);
    let pair = [bodies.cricoid, bodies.thyroid];
    join(model, "cricothyroid", (JointKind::SlottedHinge, [GLIDE, TURN]), (pair, across));
    hold(model, "cricothyroid", CRICOTHYROID_STIFFNESS, (pair, across));
    for (side, body) in Side::BOTH.into_iter().zip(bodies.arytenoids) {
        let mut facet = side.of(FACET);
        if side == Side::Right {
            // The mirror image of a turn is the opposite turn about the mirror image of its axis.
            facet = facet.map(|x| -x);
        }
        let frame = frame(side.of(CRICOARYTENOID), facet);
        let slide = if side == Side::Left { SLIDE } else { opposite(SLIDE) };
        let name = format!("{}_cricoarytenoid", side.name());
        let pair = [body, bodies.cricoid];
        join(model, &name, (JointKind::Cylindrical, [slide, ROCK]), (pair, frame));
        hold(model, &name, CRICOARYTENOID_STIFFNESS, (pair, frame));
    }
}

fn opposite(range: Range) -> Range {
    Range { lower: range.upper.map(|x| -x), upper: range.lower.map(|x| -x) }
}

/// A frame at a point [mm] whose z axis is a direction.
fn frame(at: [f64; 3], axis: [f64; 3]) -> Pose {
    let turn = Rotation3::rotation_between(&Vec3::z(), &Vec3::from(axis));
    // Opposite directions have no shortest turn.
    let turn =
        turn.unwrap_or_else(|| Rotation3::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI));
    Pose::from_parts((Vec3::from(at) * MM).into(), UnitQuaternion::from_rotation_matrix(&turn))
}

fn join(
    model: &mut Model,
    name: &str,
    (kind, ranges): (JointKind, [Range; 2]),
    ([c, d], frame): ([Handle<RigidBody>; 2], Pose),
) {
    let mut joint = Joint::new(kind, FrameSite::on(c, frame), FrameSite::on(d, frame));
    let limited = |range| CoordinateSettings { range, ..CoordinateSettings::default() };
    joint.settings.coordinates = ranges.map(limited).to_vec();
    joint.name = name.into();
    model.add(joint);
}

/// Adds the spring of a joint about z and along all axes of its frame.
fn hold(
    model: &mut Model,
    name: &str,
    [rotary, linear]: [f64; 2],
    ([c, d], frame): ([Handle<RigidBody>; 2], Pose),
) {
    let mut spring = FrameSpring::new(FrameSite::on(c, frame), FrameSite::on(d, frame));
    spring.rotary_stiffness = Vec3::z() * rotary;
    spring.rotary_damping = spring.rotary_stiffness * DAMPING;
    spring.stiffness = Vec3::repeat(linear);
    spring.damping = spring.stiffness * DAMPING;
    spring.name = format!("{name}_capsule");
    model.add(spring);
}
