//! Lengths of tendons away from the start: at rest in the pose of the file, over the ranges of joints, and how much a
//! pull accelerates all joints. By the model's own paths.

use nalgebra::{DMatrix, DVector, UnitQuaternion};
use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::passive::ConstantTension;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::constraint::spatial::FrameVelocity;
use sinew::model::{Model, MultiPointSpring, RigidBody};

use super::equality::follow;
use super::import::{AT_REST, Import};
use super::lines::spring_of;
use super::pose::place;
use super::records::{Actuator, Body, JointType};
use crate::diagnostic::Diagnostic;

/// Values of a coordinate that are looked at, its ends included.
const SAMPLES: usize = 7;
/// Rounds over all coordinates.
const SWEEPS: usize = 3;
/// Displacement for central differences [m or rad].
const DIFFERENCE: f64 = 1e-5;

/// A model of bodies that stand still, and a line along each spatial tendon.
pub(super) struct Lengths {
    model: Model,
    lines: Vec<Handle<MultiPointSpring>>,
}

impl Lengths {
    /// Of the bodies and paths so far; empty where no length will be asked for.
    pub(super) fn of(import: &Import<'_>) -> Self {
        let unknown = |it: &Actuator<'_>| {
            it.law.gain == "muscle" && (it.lengths.is_none() || it.law.gain_numbers[2] < 0.0)
        };
        let springs = import.tendons.spatial.iter().any(|tendon| {
            spring_of(&tendon.view).is_ok_and(|it| it.rest.is_none() && it.stiffness > 0.0)
        });
        let mut made = Self { model: Model::new(""), lines: Vec::new() };
        if !springs && !import.actuators.iter().any(unknown) {
            return made;
        }
        made.model = import.model.clone();
        let handles: Vec<Handle<RigidBody>> =
            made.model.iter::<RigidBody>().map(|it| it.0).collect();
        for handle in handles {
            if let Some(body) = made.model.get_mut(handle) {
                (body.dynamic, body.mesh) = (false, None);
            }
        }
        for tendon in &import.tendons.spatial {
            let law = AxialLaw::Constant(ConstantTension { force: 0.0 });
            let points = tendon.points.iter().map(|&it| it.into()).collect();
            let line = MultiPointSpring {
                wraps: tendon.wraps.clone(),
                ..MultiPointSpring::new(points, law)
            };
            made.lines.push(made.model.add(line));
        }
        made
    }

    /// Length of a tendon with bodies at poses [m].
    fn at(
        &mut self,
        handles: &[Option<Handle<RigidBody>>],
        poses: &[Pose],
        tendon: usize,
    ) -> Result<f64, Diagnostic> {
        for (handle, pose) in handles.iter().zip(poses) {
            if let Some(body) = handle.and_then(|it| self.model.get_mut(it)) {
                body.pose = *pose;
            }
        }
        let compiled = self.model.compile();
        let compiled = compiled.map_err(|error| Diagnostic::error(None, error.to_string()))?;
        let line = self.lines.get(tendon).copied();
        let stretch = line.and_then(|it| compiled.stretch_of_line(it, &compiled.initial_state()));
        let missing = || Diagnostic::error(None, "the length of a tendon is not known");
        stretch.map(|it| it[0]).ok_or_else(missing)
    }

    /// Length of a tendon in the pose of the file [m].
    pub(super) fn at_reference(
        &mut self,
        import: &Import<'_>,
        tendon: usize,
    ) -> Result<f64, Diagnostic> {
        let bodies = reference(import);
        self.at(&import.handles, &poses(&bodies), tendon)
    }

    /// Least and greatest length of the tendon of a muscle over the ranges of joints, others in the pose of the file
    /// [m]; of a tendon that no joint's range bounds its own range.
    pub(super) fn range(
        &mut self,
        import: &mut Import<'_>,
        tendon: usize,
        actuator: &Actuator<'_>,
    ) -> Result<[f64; 2], Diagnostic> {
        let mut found = [self.farthest(import, tendon, -1.0)?, self.farthest(import, tendon, 1.0)?];
        let label = actuator.view.at.label();
        if found[1] - found[0] < 1e-9
            && let Some(own) = import.tendons.spatial[tendon].view.array::<2>("range")?
        {
            found = own;
        }
        let [low, high] = found;
        if high - low < 1e-9 {
            let message = format!(
                "{label} has no lengthrange, and its tendon keeps its length over the ranges of all joints"
            );
            return Err(actuator.view.at.refused(message).help("give it a lengthrange"));
        }
        let message = format!(
            "{label} has no lengthrange: {low:.6} to {high:.6} m over the ranges of joints, or that of its tendon, stand for it"
        );
        import.findings.warn(actuator.view.at.span, message);
        Ok(found)
    }

    /// Greatest length of a tendon times a sign over the ranges of joints, without the sign [m]: searched along each
    /// coordinate in turn. MuJoCo pulls the tendon until it stops, against limits that yield.
    fn farthest(
        &mut self,
        import: &Import<'_>,
        tendon: usize,
        sign: f64,
    ) -> Result<f64, Diagnostic> {
        let mut best = reference(import);
        let mut found = self.at(&import.handles, &poses(&best), tendon)?;
        for _ in 0..SWEEPS {
            for (body, k, [low, high]) in limited(import) {
                for sample in 0..SAMPLES {
                    let mut trial = best.clone();
                    let share = sample as f64 / (SAMPLES - 1) as f64;
                    trial[body].joints[k].value = low + share * (high - low);
                    let (places, dependents) = (&import.joint_places, &import.dependents);
                    follow(&mut trial, places, dependents, &Default::default());
                    place(&mut trial);
                    let length = self.at(&import.handles, &poses(&trial), tendon)?;
                    if sign * (length - found) > 1e-12 {
                        (found, best) = (length, trial);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Size of the accelerations of all joints to a unit of pull along a tendon in the pose of the file [1/kg].
    pub(super) fn acceleration(
        &mut self,
        import: &Import<'_>,
        tendon: usize,
        actuator: &Actuator<'_>,
    ) -> Result<f64, Diagnostic> {
        let bodies = reference(import);
        let motions = unit_motions(&bodies);
        let mut pull = DVector::zeros(motions.len());
        for (d, (motion, _)) in motions.iter().enumerate() {
            let mut length = |step: f64| {
                let moved: Vec<Pose> = bodies
                    .iter()
                    .zip(motion)
                    .map(|(body, motion)| moved(&body.placed, motion, step))
                    .collect();
                self.at(&import.handles, &moved, tendon)
            };
            pull[d] = (length(DIFFERENCE)? - length(-DIFFERENCE)?) / (2.0 * DIFFERENCE);
        }
        let masses = mass_matrix(&bodies, &motions);
        let solved = masses.cholesky().map(|it| it.solve(&pull).norm());
        solved.ok_or_else(|| {
            let message =
                format!("the force of {} cannot be scaled: no masses", actuator.view.at.label());
            actuator.view.at.refused(message).help("give its force")
        })
    }
}

/// Bodies in the pose of the file, at rest.
fn reference<'d>(import: &Import<'d>) -> Vec<Body<'d>> {
    let mut bodies = import.bodies.clone();
    for body in &mut bodies {
        for joint in &mut body.joints {
            (joint.value, joint.rate) = (joint.reference, 0.0);
            (joint.turn, joint.angular_velocity) = (UnitQuaternion::identity(), Vec3::zeros());
            if joint.kind == JointType::Free {
                (body.placed, body.motion) = (body.pose, AT_REST);
            }
        }
    }
    place(&mut bodies);
    bodies
}

fn poses(bodies: &[Body<'_>]) -> Vec<Pose> {
    bodies.iter().map(|body| body.placed).collect()
}

/// Hinges and slides with a range that follow no others.
fn limited(import: &Import<'_>) -> Vec<(usize, usize, [f64; 2])> {
    let mut list = Vec::new();
    for (number, body) in import.bodies.iter().enumerate() {
        for (k, joint) in body.joints.iter().enumerate() {
            if let Some(range) =
                joint.range.filter(|_| joint.kind.is_scalar() && !import.follows(&joint.name))
            {
                list.push((number, k, range));
            }
        }
    }
    list
}

/// Velocities of all bodies under a unit of each rate, with its armature.
fn unit_motions(bodies: &[Body<'_>]) -> Vec<(Vec<FrameVelocity>, f64)> {
    let mut all = Vec::new();
    for number in 1..bodies.len() {
        for (k, joint) in bodies[number].joints.iter().enumerate() {
            for component in 0..joint.kind.counts()[1] {
                let mut trial = bodies.to_vec();
                let unit = Vec3::from_fn(|i, _| f64::from(u8::from(i == component % 3)));
                let rotation = trial[number].placed.rotation;
                let moving = &mut trial[number].joints[k];
                match joint.kind {
                    JointType::Hinge | JointType::Slide => moving.rate = 1.0,
                    JointType::Ball => moving.angular_velocity = unit,
                    JointType::Free if component < 3 => trial[number].motion.velocity = unit,
                    JointType::Free => trial[number].motion.angular_velocity = rotation * unit,
                }
                place(&mut trial);
                all.push((trial.iter().map(|body| body.motion).collect(), joint.spring.armature));
            }
        }
    }
    all
}

fn moved(pose: &Pose, motion: &FrameVelocity, step: f64) -> Pose {
    let turn = UnitQuaternion::new(motion.angular_velocity * step);
    Pose::from_parts(
        (pose.translation.vector + motion.velocity * step).into(),
        turn * pose.rotation,
    )
}

/// The matrix of masses of all rates.
fn mass_matrix(bodies: &[Body<'_>], motions: &[(Vec<FrameVelocity>, f64)]) -> DMatrix<f64> {
    let count = motions.len();
    let mut matrix = DMatrix::zeros(count, count);
    for (number, body) in bodies.iter().enumerate() {
        let Some(inertia) = body.inertia else { continue };
        let turn = body.placed.rotation.to_rotation_matrix().into_inner();
        let moments = turn * inertia.rotational() * turn.transpose();
        let arm = turn * inertia.center_of_mass();
        let seen = |d: usize| {
            let motion = &motions[d].0[number];
            (motion.velocity + motion.angular_velocity.cross(&arm), motion.angular_velocity)
        };
        for i in 0..count {
            let (v, w) = seen(i);
            for j in 0..=i {
                let (other_v, other_w) = seen(j);
                let value = inertia.mass() * v.dot(&other_v) + w.dot(&(moments * other_w));
                matrix[(i, j)] += value;
                if i != j {
                    matrix[(j, i)] += value;
                }
            }
        }
    }
    (0..count).for_each(|d| matrix[(d, d)] += motions[d].1);
    matrix
}
