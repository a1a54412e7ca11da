//! Six numbers of a pose: angles of turns, ways along axes, and angles that vanish. Which of them are coordinates, and
//! what the others are bound to, stands in `motion_law.rs`.

use nalgebra::UnitQuaternion;

use super::angles::TurnAxes;
use super::error::MotionError;
use super::rotations::{after, before, onto_z};
use super::transform::{SpatialAxis, SpatialTransform, turn};
use crate::Mat3;
use crate::constraint::{RelativePose, Scalar};

/// A number of a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// Way along the axis of that number.
    Way(usize),
    /// Angle of the variable turn of that number.
    Turn(usize),
    /// Angle that must vanish, of that number.
    Rest(usize),
}

/// Formula that reads the variable turns from a rotation.
#[derive(Clone, Copy, Debug)]
enum Turns {
    /// None: the rotation vector vanishes.
    None,
    /// One, about z of a frame: the rotation of that, and the one after which turns are seen from it.
    One(UnitQuaternion<f64>, UnitQuaternion<f64>),
    /// Two, with one that vanishes between them, about the normal of both.
    Two(TurnAxes),
    /// Three.
    Three(TurnAxes),
}

/// Numbers of poses for a motion.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    /// Numbers of the turns that are not constant, with their axes in D.
    variable: Vec<usize>,
    turns: Turns,
    /// Constant rotation after all turns, undone; none where there is none.
    undone: Option<UnitQuaternion<f64>>,
    /// Ways along the axes of a position.
    ways: Mat3,
}

/// Ways [m] and angles [rad] of a pose.
pub(super) struct Numbers<S> {
    ways: [S; 3],
    turns: [S; 3],
    rest: [S; 3],
}

impl<S: Scalar> Numbers<S> {
    pub(super) fn at(&self, measure: Measure) -> S {
        match measure {
            Measure::Way(k) => self.ways[k],
            Measure::Turn(k) => self.turns[k],
            Measure::Rest(k) => self.rest[k],
        }
    }
}

impl Chart {
    /// The chart around a pose of coordinates.
    pub(super) fn new(transform: &SpatialTransform, q: &[f64]) -> Result<Self, MotionError> {
        let (mut variable, mut axes) = (Vec::new(), Vec::new());
        let mut constant = UnitQuaternion::identity();
        for (k, axis) in transform.turns.iter().enumerate() {
            if axis.is_constant() {
                constant *= turn(&axis.direction, axis.value(q));
            } else {
                variable.push(k);
                axes.push(constant * axis.direction);
            }
        }
        let parallel = || MotionError::Parallel;
        let turns = match axes[..] {
            [] => Turns::None,
            [a] => {
                let onto_z = onto_z(&a);
                Turns::One(onto_z, (onto_z * constant).inverse())
            }
            [a, b] => {
                let normal = a.cross(&b).try_normalize(1e-6).ok_or_else(parallel)?;
                Turns::Two(TurnAxes::new([a, normal, b], 0.0).ok_or_else(parallel)?)
            }
            [a, b, c] => {
                let second = transform.turns[variable[1]].value(q);
                Turns::Three(TurnAxes::new([a, b, c], second).ok_or_else(parallel)?)
            }
            // There are three at most.
            _ => return Err(MotionError::Parallel),
        };
        let ways = transform.way_axes().try_inverse().filter(|it| it.amax() < 1e6);
        let ways = ways.ok_or(MotionError::Flat)?;
        let undone = (constant != UnitQuaternion::identity()).then(|| constant.inverse());
        Ok(Self { variable, turns, undone, ways })
    }

    pub(super) fn numbers<S: Scalar>(&self, pose: &RelativePose<S>) -> Numbers<S> {
        let p = &pose.position;
        let ways = [0, 1, 2].map(|i| {
            let row = self.ways.row(i);
            p[0] * row[0] + p[1] * row[1] + p[2] * row[2]
        });
        let zero = S::constant(0.0);
        let (mut turns, mut rest) = ([zero; 3], [zero; 3]);
        let free = || self.undone.as_ref().map_or(*pose, |undone| after(pose, undone));
        match &self.turns {
            Turns::None => rest = free().rotation_vector(),
            Turns::One(onto_z, undone) => {
                let seen = after(&before(onto_z, pose), undone);
                turns[0] = seen.twist();
                rest[..2].copy_from_slice(&seen.tilt());
            }
            Turns::Two(axes) => {
                let [first, between, second] = axes.angles(&free().matrix());
                turns[..2].copy_from_slice(&[first, second]);
                rest[0] = between;
            }
            Turns::Three(axes) => turns = axes.angles(&free().matrix()),
        }
        Numbers { ways, turns, rest }
    }

    /// The measures of all six numbers, ways first.
    pub(super) fn measures(&self) -> Vec<Measure> {
        let count = self.variable.len();
        let ways = (0..3).map(Measure::Way);
        ways.chain((0..count).map(Measure::Turn)).chain((0..3 - count).map(Measure::Rest)).collect()
    }

    /// The axis whose function a number is; none for those that vanish.
    pub(super) fn axis<'t>(
        &self,
        transform: &'t SpatialTransform,
        measure: Measure,
    ) -> Option<&'t SpatialAxis> {
        match measure {
            Measure::Way(k) => Some(&transform.ways[k]),
            Measure::Turn(k) => Some(&transform.turns[self.variable[k]]),
            Measure::Rest(_) => None,
        }
    }
}
