//! A joint at one placement: its frames, and its numbers, each made when it is first asked for. Rows of
//! a joint stand together, so that a sample serves them all.

use super::half_way::HalfWay;
use super::joint_numbers::{JointNumber, JointNumbers, PoseScalar};
use super::placed_joint::PlacedFrame;
use super::slope::Slope;
use super::{PlacedJoint, Placement, Pose};

/// A joint at a placement.
pub(super) struct JointSample<'a> {
    pub(super) joint: &'a PlacedJoint,
    /// Its former coordinates [m and rad].
    pub(super) previous: &'a [f64],
    /// Frames C and D.
    pub(super) frames: [PlacedFrame; 2],
    /// Pose of C seen from D.
    pub(super) pose: Pose,
    values: JointNumbers<f64>,
    slopes: JointNumbers<Slope>,
}

/// Bodies whose rotation half way is remembered: joints in turn share them.
const REMEMBERED: usize = 16;

/// Memory of one placement: the joint that was sampled last, and rotations of bodies half way.
#[derive(Default)]
pub(super) struct JointMemo<'a> {
    sample: Option<JointSample<'a>>,
    halves: [Option<(u32, HalfWay)>; REMEMBERED],
}

impl<'a> JointMemo<'a> {
    /// A joint at the placement; half way, where that is the mean of two.
    pub(super) fn sample(
        &mut self,
        joint: &'a PlacedJoint,
        at: Placement<'a>,
    ) -> &mut JointSample<'a> {
        if self.sample.as_ref().is_some_and(|sample| !std::ptr::eq(sample.joint, joint)) {
            self.sample = None;
        }
        let halves = &mut self.halves;
        self.sample.get_or_insert_with(|| {
            let mut half_of = |body: u32| {
                let known = &mut halves[body as usize % REMEMBERED];
                match known {
                    Some((of, half)) if *of == body => *half,
                    _ => known.insert((body, HalfWay::of(&at.turns[body as usize]))).1,
                }
            };
            let frames = [joint.c.placed(at, &mut half_of), joint.d.placed(at, &mut half_of)];
            JointSample::of(joint, frames, joint.previous(at.coordinates))
        })
    }
}

impl<'a> JointSample<'a> {
    /// By its frames and its former coordinates.
    pub(super) fn of(
        joint: &'a PlacedJoint,
        frames: [PlacedFrame; 2],
        previous: &'a [f64],
    ) -> Self {
        let pose = frames[1].pose.inv_mul(&frames[0].pose);
        let (values, slopes) = (JointNumbers::default(), JointNumbers::default());
        Self { joint, previous, frames, pose, values, slopes }
    }

    /// A number [m or rad].
    pub(super) fn value(&mut self, number: JointNumber) -> f64 {
        find(self.joint, number, (&self.pose, self.previous), &mut self.values)
    }

    /// A number with its first derivatives.
    pub(super) fn slope(&mut self, number: JointNumber) -> Slope {
        find(self.joint, number, (&self.pose, self.previous), &mut self.slopes)
    }
}

/// A number of a joint, found among those known or evaluated with its like.
pub(super) fn find<S: PoseScalar>(
    joint: &PlacedJoint,
    number: JointNumber,
    (pose, previous): (&Pose, &[f64]),
    known: &mut JointNumbers<S>,
) -> S {
    if let Some(found) = known.get(number) {
        return found;
    }
    joint.law.evaluate(number, pose, previous, known);
    known.get(number).unwrap_or(S::constant(0.0))
}
