//! A joint in a system: its two frames on their carriers, and its errors and coordinates at a
//! placement of the system.

use nalgebra::UnitQuaternion;

use super::half_way::HalfWay;
use super::{FrameMotion, JointLaw, Placement, Pose, Site, SiteBase};
use crate::{Mat3, Vec3};

/// A joint between two sites of a system.
#[derive(Clone)]
pub struct PlacedJoint {
    /// Kinematics of the joint.
    pub law: JointLaw,
    /// Frame C.
    pub c: Site,
    /// Frame D.
    pub d: Site,
    /// Index of its first coordinate in [`Placement::coordinates`].
    pub first: u32,
    /// Coordinates at the start [m and rad], taken for the former ones where none are known.
    pub start: Vec<f64>,
}

/// A frame in the world, half way between two placements or at one.
pub(super) struct PlacedFrame {
    /// Its origin [m].
    pub(super) origin: Vec3,
    /// Its axes, a rotation.
    pub(super) pose: Pose,
    /// Its axes as the mean matrix has them.
    pub(super) axes: Mat3,
    /// Its origin from what carries it [m].
    pub(super) arm: Vec3,
    /// [`HalfWay::shortening`] of its body.
    pub(super) shortening: f64,
}

impl Site {
    /// `half_of` gives the rotation of a body half way.
    pub(super) fn placed(
        &self,
        at: Placement,
        half_of: &mut impl FnMut(u32) -> HalfWay,
    ) -> PlacedFrame {
        match self.base {
            SiteBase::Body(body, row) => {
                let turn = &at.turns[body as usize];
                self.on_body(at.q[row as usize], turn, half_of(body))
            }
            _ => self.placed_at(at.q),
        }
    }

    /// At positions of block rows.
    pub(super) fn placed_at(&self, q: &[Vec3]) -> PlacedFrame {
        let arm = self.pose.translation.vector;
        let (origin, arm) = match self.base {
            SiteBase::Ground => (arm, Vec3::zeros()),
            SiteBase::Point(row) => (q[row as usize] + arm, arm),
            SiteBase::Body(_, row) => {
                let rotation = UnitQuaternion::new(q[row as usize + 1]);
                let turn = rotation.to_rotation_matrix().into_inner();
                return self.on_body(q[row as usize], &turn, HalfWay { rotation, shortening: 1.0 });
            }
        };
        let rotation = self.pose.rotation;
        let pose = Pose::from_parts(origin.into(), rotation);
        let axes = rotation.to_rotation_matrix().into_inner();
        PlacedFrame { origin, pose, axes, arm, shortening: 1.0 }
    }

    fn on_body(&self, center: Vec3, turn: &Mat3, half: HalfWay) -> PlacedFrame {
        let arm = turn * self.pose.translation.vector;
        let origin = center + arm;
        let axes = turn * self.pose.rotation.to_rotation_matrix().into_inner();
        let pose = Pose::from_parts(origin.into(), half.rotation * self.pose.rotation);
        PlacedFrame { origin, pose, axes, arm, shortening: half.shortening }
    }

    /// The block row of its carrier that moves it, and of the one that turns it.
    pub(super) fn rows(&self) -> [Option<u32>; 2] {
        match self.base {
            SiteBase::Ground => [None; 2],
            SiteBase::Point(row) => [Some(row), None],
            SiteBase::Body(_, row) => [Some(row), Some(row + 1)],
        }
    }
}

impl PlacedFrame {
    /// As the frame of a body at rest whose centre of mass is what the arm begins at.
    pub(super) fn motion(&self) -> FrameMotion {
        let centre = self.origin - self.arm;
        FrameMotion { centre, ..FrameMotion::ground(self.pose) }
    }
}

impl PlacedJoint {
    /// Those of its coordinates among all of a system [m and rad]; those at the start where none are
    /// known.
    pub fn previous<'a>(&'a self, coordinates: &'a [f64]) -> &'a [f64] {
        let first = self.first as usize;
        coordinates.get(first..first + self.start.len()).unwrap_or(&self.start)
    }

    /// Frames C and D; half way, where the placement is the mean of two.
    pub(super) fn frames(&self, at: Placement) -> [PlacedFrame; 2] {
        let mut half_of = |body: u32| HalfWay::of(&at.turns[body as usize]);
        [self.c.placed(at, &mut half_of), self.d.placed(at, &mut half_of)]
    }

    /// Coordinates at positions of block rows nearest to `previous` [m and rad], into `q`.
    ///
    /// # Panics
    /// When `previous` or `values` does not have one value a coordinate.
    pub fn calc_coordinates(&self, q: &[Vec3], previous: &[f64], values: &mut [f64]) {
        let [c, d] = [&self.c, &self.d].map(|site| site.placed_at(q).pose);
        self.law.calc_coordinates(&d.inv_mul(&c), previous, values);
    }
}
