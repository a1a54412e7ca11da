//! Points that move in their bodies with coordinates of joints. The velocity of such a point is linear in those of its
//! body and of the bodies of the joints, so that forces on it do their work on these too.

use crate::constraint::spatial::Function;
use crate::constraint::{CoordinateReading, Placement};
use crate::dynamics::skew;
use crate::{Mat3, Vec3};

/// A coordinate of a location that moves.
#[derive(Clone)]
pub(super) struct Move {
    pub(super) axis: usize,
    pub(super) function: Function,
    pub(super) coordinate: CoordinateReading,
}

/// An attached point that moves in its body.
#[derive(Clone)]
pub struct MovingPoint {
    /// Its number among the attached points.
    pub(super) attached: u32,
    /// Its body.
    pub(super) body: u32,
    /// Its position where nothing moves, from the centre of mass, in the axes of the body [m].
    pub(super) rest: Vec3,
    /// The centre of mass in the frame of the body [m].
    pub(super) center: Vec3,
    pub(super) moves: Vec<Move>,
}

impl MovingPoint {
    /// Its position from the centre of mass, in the axes of the body [m].
    pub(super) fn arm(&self, at: Placement) -> Vec3 {
        let mut arm = self.rest;
        for it in &self.moves {
            let [value, ..] = it.function.at(it.coordinate.value(at));
            arm[it.axis] = value - self.center[it.axis];
        }
        arm
    }

    /// Weights of its masters, in the order of those: both rows of its body, then those of the bodies of each joint.
    pub(super) fn write_weights(&self, at: Placement, weights: &mut [Mat3]) {
        let turn = &at.turns[self.body as usize];
        weights[0] = Mat3::identity();
        weights[1] = -skew(&(turn * self.arm(at)));
        let mut next = 2;
        for it in &self.moves {
            let [_, slope, _] = it.function.at(it.coordinate.value(at));
            let along = turn.column(it.axis) * slope;
            for (row, by) in it.coordinate.rows().iter().zip(it.coordinate.slopes(at)) {
                if row.is_some() {
                    weights[next] = along * by.transpose();
                    next += 1;
                }
            }
        }
    }
}
