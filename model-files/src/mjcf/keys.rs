//! Coordinates at the start: those of the file, of a keyframe that is asked for, and single ones that are given.

use nalgebra::{Quaternion, UnitQuaternion};
use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::constraint::spatial::FrameVelocity;

use super::import::{AT_REST, Import};
use super::records::JointType;
use super::view::View;
use super::xml::Element;
use crate::diagnostic::Diagnostic;
use crate::imported::coordinate_value;
use crate::tree::Span;

impl<'d> Import<'d> {
    /// Numbers the coordinates of all joints, and puts free bodies where the file has them.
    pub(super) fn number_coordinates(&mut self) {
        let mut next = [0, 0];
        for number in 1..self.bodies.len() {
            let pose = self.bodies[number].pose;
            let body = &mut self.bodies[number];
            for joint in &mut body.joints {
                joint.places = next;
                let [q, v] = joint.kind.counts();
                next = [next[0] + q, next[1] + v];
                if joint.kind == JointType::Free {
                    (body.placed, body.motion) = (pose, AT_REST);
                }
            }
        }
        self.counts = next;
    }

    /// Takes the parameters: `key`, a keyframe by name or number, and coordinates by the names of joints.
    pub(super) fn take_parameters(&mut self, root: &'d Element, given: &[(String, String)]) {
        let keys: Vec<&Element> =
            root.all("keyframe").flat_map(|list| list.mark().all("key")).collect();
        keys.iter().for_each(|key| key.mark_all());
        for (name, value) in given {
            let taken = match name.as_str() {
                "key" => self.take_key(&keys, value),
                _ => self.take_coordinate(name, value),
            };
            self.findings.take(taken);
        }
    }

    fn take_key(&mut self, keys: &[&'d Element], wanted: &str) -> Result<(), Diagnostic> {
        let named = keys.iter().find(|it| it.name() == wanted);
        let numbered = || wanted.parse::<usize>().ok().and_then(|k| keys.get(k));
        let Some(key) = named.or_else(numbered) else {
            let count = keys.len();
            let message = format!("there is no keyframe '{wanted}' among {count}, counted from 0");
            return Err(Diagnostic::error(None, message));
        };
        let view = View::plain(key);
        let [q_count, v_count] = self.counts;
        let list = |name: &str, count: usize| match view.numbers(name)? {
            Some(list) if list.len() != count => {
                let message = format!("{name} must have {count} numbers, got {}", list.len());
                Err(view.blamed(name, message))
            }
            list => Ok(list),
        };
        if let Some(qpos) = list("qpos", q_count)? {
            self.put_positions(&qpos);
        }
        if let Some(qvel) = list("qvel", v_count)? {
            self.put_velocities(&qvel);
        }
        Ok(())
    }

    fn put_positions(&mut self, qpos: &[f64]) {
        let quaternion = |q: &[f64]| {
            let q = Quaternion::new(q[0], q[1], q[2], q[3]);
            UnitQuaternion::try_new(q, 1e-15).unwrap_or_default()
        };
        for body in self.bodies.iter_mut().skip(1) {
            for joint in &mut body.joints {
                let q = &qpos[joint.places[0]..];
                match joint.kind {
                    JointType::Hinge | JointType::Slide => joint.value = q[0],
                    JointType::Ball => joint.turn = quaternion(q),
                    JointType::Free => {
                        let place = Vec3::new(q[0], q[1], q[2]);
                        body.placed = Pose::from_parts(place.into(), quaternion(&q[3..]));
                    }
                }
            }
        }
    }

    /// Angular velocities of balls and free bodies are in axes of the body.
    fn put_velocities(&mut self, qvel: &[f64]) {
        for body in self.bodies.iter_mut().skip(1) {
            for joint in &mut body.joints {
                let v = &qvel[joint.places[1]..];
                match joint.kind {
                    JointType::Hinge | JointType::Slide => joint.rate = v[0],
                    JointType::Ball => joint.angular_velocity = Vec3::new(v[0], v[1], v[2]),
                    JointType::Free => {
                        let velocity = Vec3::new(v[0], v[1], v[2]);
                        let turning = body.placed.rotation * Vec3::new(v[3], v[4], v[5]);
                        body.motion = FrameVelocity { velocity, angular_velocity: turning };
                    }
                }
            }
        }
    }

    fn take_coordinate(&mut self, name: &str, value: &str) -> Result<(), Diagnostic> {
        let number = coordinate_value(name, value)?;
        let known: Vec<String> = self.joint_places.keys().cloned().collect();
        match self.joint_mut(name).filter(|it| it.kind.is_scalar()) {
            Some(joint) => {
                joint.value = number;
                self.given.insert(name.to_owned());
                Ok(())
            }
            None => {
                let message = format!(
                    "there is no parameter '{name}': a document of MuJoCo has 'key', a keyframe by name or \
                     number, and a coordinate for each hinge and slide, by its name"
                );
                let known = known.iter().map(String::as_str).chain(["key"]);
                let error = Diagnostic::unknown(Span::default(), message, name, known);
                Err(Diagnostic { span: None, ..error })
            }
        }
    }
}
