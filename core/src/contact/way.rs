//! Ways of solids in a step, and conservative advancement along them: a distance shrinks no faster than two things
//! move, so that nothing meets before the way is as long as the distance (docs/theory/contact.md, "Never through").

use super::narrow::{Part, Placement, Scratch};
use super::point::Foot;
use crate::Vec3;
use crate::constraint::Pose;

/// Distance below which things count as met, as a share of their way: each advance is at least as long.
const GRAZE: f64 = 1.0 / 64.0;
/// The same of ways that a step took: shorter, as it needs not go as was foreseen.
const GRAZE_TAKEN: f64 = 1.0 / 128.0;
/// Least advance of a point on its way, and the overlap in which it passes no solid, as shares of the way.
const ADVANCE: f64 = 1.0 / 32.0;
const SHALLOW: f64 = 0.25;

/// Motion of a solid from one pose to another: along a line, about a fixed axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct SolidWay {
    start: Pose,
    /// Motion of its origin [m], and its rotation vector [rad].
    shift: Vec3,
    turn: Vec3,
}

impl SolidWay {
    /// The way from one pose in the world to another.
    pub(super) fn new(start: Pose, end: &Pose) -> Self {
        let shift = end.translation.vector - start.translation.vector;
        let turn = (end.rotation * start.rotation.inverse()).scaled_axis();
        Self { start, shift, turn }
    }

    /// Its placement at a share of the time.
    pub(super) fn at(&self, time: f64) -> Placement {
        let turned = nalgebra::UnitQuaternion::new(self.turn * time) * self.start.rotation;
        let turn = turned.to_rotation_matrix().into_inner();
        Placement { turn, shift: self.start.translation.vector + self.shift * time }
    }

    /// Motion of its origin [m].
    pub(super) fn shift(&self) -> Vec3 {
        self.shift
    }

    /// Greatest motion, by its rotation, of a point at this distance from its origin [m].
    pub(super) fn sweep(&self, arm: f64) -> f64 {
        self.turn.norm() * arm
    }
}

/// Two solids in motion, the one that the narrow phase has first and the other.
pub(super) struct PairWay<'a> {
    pub(super) parts: [&'a Part; 2],
    pub(super) ways: [SolidWay; 2],
}

impl PairWay<'_> {
    /// True if the two come as near as `limit` [m] on the way that is foreseen, or nearly so.
    pub(super) fn meets(&self, limit: f64, scratch: &mut Scratch) -> bool {
        self.comes_within(limit.max(GRAZE * self.length()), scratch)
    }

    /// True if the two touch on the way that was taken, or nearly so.
    pub(super) fn touches(&self, scratch: &mut Scratch) -> bool {
        self.comes_within(GRAZE_TAKEN * self.length(), scratch)
    }

    /// Greatest distance that a point of one may go against one of the other [m].
    fn length(&self) -> f64 {
        let [a, b] = &self.ways;
        let turns = self.parts.iter().zip(&self.ways).map(|(part, way)| way.sweep(part.reach()));
        (a.shift - b.shift).norm() + turns.sum::<f64>()
    }

    fn comes_within(&self, limit: f64, scratch: &mut Scratch) -> bool {
        let (length, mut time) = (self.length(), 0.0);
        while time < 1.0 {
            let [a, b] = [0, 1].map(|k| self.ways[k].at(time));
            let within = limit + length * (1.0 - time);
            scratch.collide(self.parts[0], self.parts[1], &a.seen_from(&b), within, &[]);
            let gap = scratch.touches.iter().fold(f64::INFINITY, |gap, touch| gap.min(touch.gap));
            if gap <= limit {
                return true;
            }
            time += (gap - limit).max(GRAZE * length) / length;
        }
        false
    }
}

/// A ball in motion beside a solid that moves.
pub(super) struct PointWay<'a> {
    pub(super) part: &'a Part,
    pub(super) way: &'a SolidWay,
    /// Its place at the start and its motion [m].
    pub(super) point: Vec3,
    pub(super) step: Vec3,
    pub(super) radius: f64,
}

/// Place on a solid and outward normal, in its frame, where a point came upon it.
pub(super) type Entry = (Vec3, Vec3);

impl PointWay<'_> {
    /// Greatest motion against the solid [m].
    pub(super) fn length(&self) -> f64 {
        let along = (self.step - self.way.shift).norm();
        along + self.way.sweep((self.point - self.way.start.translation.vector).norm() + along)
    }

    /// True if it comes as near as `limit` [m] on the way that is foreseen, or nearly so.
    pub(super) fn meets(&self, limit: f64) -> bool {
        let (length, mut time) = (self.length(), 0.0);
        let limit = limit.max(GRAZE * length);
        while time < 1.0 {
            let gap = self.at(time).0.gap - self.radius;
            if gap <= limit {
                return true;
            }
            time += (gap - limit).max(GRAZE * length) / length;
        }
        false
    }

    /// The place at which it came upon the solid, if it goes through it, or deep into it: below the plane of the surface that it was over, and
    /// from there to where another side is nearest, or deeper than a quarter of its way and than `allowed` [m]. What begins
    /// deeper has no way back to be kept from.
    pub(super) fn passes(&self, allowed: f64) -> Option<Entry> {
        let (length, mut time) = (self.length(), 0.0);
        let deepest = allowed.max(SHALLOW * length);
        let (mut over, mut at) = self.at(0.0);
        if over.gap - self.radius < -allowed || over.gap - self.radius > length {
            return None;
        }
        let mut gap = over.gap - self.radius;
        while time < 1.0 {
            time = (time + (gap / length).max(ADVANCE)).min(1.0);
            let (foot, local) = self.at(time);
            gap = foot.gap - self.radius;
            let height = over.gap - self.radius + (local - at).dot(&over.normal);
            let is_behind = foot.normal.dot(&over.normal) < 0.0;
            if height < -deepest && gap < -deepest || height < -allowed && is_behind {
                return Some((at - over.normal * over.gap, over.normal));
            }
            if gap >= 0.0 {
                (over, at) = (foot, local);
            }
        }
        None
    }

    /// Its signed distance and where it is, in the frame of the solid.
    fn at(&self, time: f64) -> (Foot, Vec3) {
        let local = self.way.at(time).inverse(&(self.point + self.step * time));
        (self.part.shape.foot(&local, self.part.size()), local)
    }
}
