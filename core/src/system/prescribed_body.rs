//! Bodies that forces do not move: where they are at a time.

use nalgebra::{Quaternion, UnitQuaternion};

use crate::Vec3;
use crate::constraint::{PathCurve, Pose};
use crate::dynamics::turn_between;
use crate::model::{Keyframe, RigidBody};

/// A body that forces do not move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PrescribedBody {
    pub(super) row: u32,
    /// Centre of mass in the frame of the body [m].
    pub(super) center: Vec3,
    /// That of the body without what is attached to it, from there [m].
    pub(super) own: Vec3,
    /// Pose and velocities at time 0.
    pub(super) pose: Pose,
    pub(super) velocity: Vec3,
    pub(super) angular_velocity: Vec3,
    pub(super) keyframes: Vec<Keyframe>,
    /// Positions and quaternions i j k w through the keyframes; none where it moves evenly between them.
    curves: Option<[PathCurve; 7]>,
}

impl PrescribedBody {
    /// Positions of its two rows at a time [s].
    pub(super) fn positions(&self, time: f64) -> [Vec3; 2] {
        let pose = self.pose_at(time);
        let turn = turn_between(&UnitQuaternion::identity(), &pose.rotation);
        [pose.transform_point(&self.center.into()).coords, turn]
    }

    /// True if curves lead it through its keyframes.
    pub(super) fn is_curved(&self) -> bool {
        self.curves.is_some()
    }

    /// True if its place changes over time.
    pub(super) fn is_moving(&self) -> bool {
        let still = [self.velocity, self.angular_velocity] == [Vec3::zeros(); 2];
        !(self.keyframes.is_empty() && still)
    }

    pub(super) fn row(&self) -> usize {
        self.row as usize
    }

    /// Centre of mass without what is attached, at positions `q` [m].
    pub(super) fn own_center(&self, q: &[Vec3]) -> Vec3 {
        q[self.row()] + UnitQuaternion::new(q[self.row() + 1]) * self.own
    }

    /// Velocities and accelerations of its two rows at a time within a step of this span [s]: those of its curves; without
    /// them the mean velocities of the step, and no acceleration.
    pub(super) fn rates(&self, time: f64, span: [f64; 2]) -> [[Vec3; 2]; 2] {
        let arm = self.pose_at(time).rotation * self.center;
        let Some(curves) = &self.curves else {
            let [from, to] = span.map(|time| self.positions(time));
            let turns = [from[1], to[1]].map(UnitQuaternion::new);
            let turn = turn_between(&turns[0], &turns[1]);
            let velocities = [to[0] - from[0], turn].map(|it| it / (span[1] - span[0]));
            return [velocities, [Vec3::zeros(); 2]];
        };
        let numbers = curves.each_ref().map(|curve| {
            let [rate, second] = curve.rates(time, span);
            [curve.at(time), rate, second]
        });
        let origin = [1, 2].map(|k| Vec3::from_fn(|axis, _| numbers[axis][k]));
        let quaternion =
            |k: usize| Quaternion::new(numbers[6][k], numbers[3][k], numbers[4][k], numbers[5][k]);
        // Of p = |p| q: the vector of dp/dt p^-1 is half of the angular velocity, whatever the norm does.
        let inverse = quaternion(0).try_inverse().unwrap_or_else(Quaternion::identity);
        let [rate, second] = [1, 2].map(|k| quaternion(k) * inverse);
        let turning = rate.imag() * 2.0;
        let turned_up = (second - rate * rate).imag() * 2.0;
        let whirl = turned_up.cross(&arm) + turning.cross(&turning.cross(&arm));
        [[origin[0] + turning.cross(&arm), turning], [origin[1] + whirl, turned_up]]
    }

    fn pose_at(&self, time: f64) -> Pose {
        let [.., last] = &self.keyframes[..] else {
            let turn = UnitQuaternion::new(self.angular_velocity * time);
            let origin = self.pose.translation.vector + self.velocity * time;
            return Pose::from_parts(origin.into(), turn * self.pose.rotation);
        };
        if let Some(curves) = &self.curves {
            let [x, y, z, i, j, k, w] = curves.each_ref().map(|curve| curve.at(time));
            let turn = UnitQuaternion::new_normalize(Quaternion::new(w, i, j, k));
            return Pose::from_parts(Vec3::new(x, y, z).into(), turn);
        }
        let next = self.keyframes.partition_point(|frame| frame.time <= time);
        match (next.checked_sub(1), self.keyframes.get(next)) {
            (None, Some(first)) => first.pose,
            (Some(before), Some(after)) => {
                let before = &self.keyframes[before];
                let share = (time - before.time) / (after.time - before.time);
                let turn = turn_between(&before.pose.rotation, &after.pose.rotation) * share;
                let origins = [before, after].map(|frame| frame.pose.translation.vector);
                let origin = origins[0].lerp(&origins[1], share);
                Pose::from_parts(origin.into(), UnitQuaternion::new(turn) * before.pose.rotation)
            }
            (_, None) => last.pose,
        }
    }

    /// From its two centres of mass: with what is attached, and its own.
    pub(super) fn new(row: u32, body: &RigidBody, [center, own]: [Vec3; 2]) -> Self {
        let RigidBody { pose, velocity, angular_velocity, keyframes, .. } = body;
        let keyframes = keyframes.clone();
        let (pose, velocity, angular_velocity) = (*pose, *velocity, *angular_velocity);
        let (own, curves) = (own - center, curves_of(body));
        Self { row, center, own, pose, velocity, angular_velocity, keyframes, curves }
    }

    /// Takes the path of a body in the place of that so far.
    pub(super) fn put_path(&mut self, body: &RigidBody) {
        self.keyframes.clone_from(&body.keyframes);
        self.curves = curves_of(body);
    }
}

/// Curves through the keyframes of a body; of the two quaternions of a turn that which is nearer to the one before.
fn curves_of(body: &RigidBody) -> Option<[PathCurve; 7]> {
    let interpolation = body.keyframe_interpolation;
    if interpolation.is_usual() || body.keyframes.len() < 3 {
        return None;
    }
    let rows = body.keyframes.iter().scan(Quaternion::identity(), |before, frame| {
        let turn = frame.pose.rotation.into_inner();
        *before = if turn.dot(before) < 0.0 { -turn } else { turn };
        let (place, turn) = (frame.pose.translation.vector, before.coords);
        Some((frame.time, [place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w]))
    });
    let curve = |k: usize| interpolation.curve(rows.clone().map(move |(t, row)| [t, row[k]]));
    match std::array::from_fn(curve) {
        [Some(x), Some(y), Some(z), Some(i), Some(j), Some(k), Some(w)] => {
            Some([x, y, z, i, j, k, w])
        }
        _ => None,
    }
}
