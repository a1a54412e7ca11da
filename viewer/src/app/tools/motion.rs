//! Motions of gizmos, their axes, and the frame that their handles are drawn in.

use nalgebra::UnitQuaternion;
use sinew::{Mat3, Vec3};

/// Motion of a gizmo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    /// It moves along an axis.
    Move,
    /// It turns about an axis.
    Turn,
    /// It scales along an axis.
    Scale,
    /// It mirrors across the plane that an axis is normal to.
    Mirror,
}

impl Motion {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Turn => "turn",
            Self::Scale => "scale",
            Self::Mirror => "mirror",
        }
    }

    /// Unit of its numbers, and the number that changes nothing.
    pub(super) fn unit(self) -> (&'static str, f64) {
        match self {
            Self::Move => ("m", 0.0),
            Self::Turn => ("°", 0.0),
            Self::Scale => ("times", 1.0),
            Self::Mirror => ("", 1.0),
        }
    }

    /// Its handles, those that are taken first where several are as near first.
    pub(super) fn handles(self) -> &'static [Handle] {
        use Handle::{Axis, Plane, Whole};
        match self {
            Self::Move => &[Whole, Axis(0), Axis(1), Axis(2), Plane(0), Plane(1), Plane(2)],
            Self::Scale => &[Whole, Axis(0), Axis(1), Axis(2)],
            Self::Turn | Self::Mirror => &[Axis(0), Axis(1), Axis(2)],
        }
    }

    /// The number of a drag in whole steps; `step` is that of lengths [m].
    pub(super) fn snapped(self, amount: f64, step: f64) -> f64 {
        let step = match self {
            Self::Move => step,
            Self::Turn => 15.0,
            Self::Scale => 0.1,
            Self::Mirror => return amount,
        };
        // Written as a product of whole numbers where that can be, 0.3 is 0.3.
        let count = (amount / step).round();
        if step < 1.0 { count / (1.0 / step).round() } else { count * step }
    }
}

/// A handle of a gizmo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handle {
    /// Along an axis, or about it.
    Axis(usize),
    /// Along the two axes beside this one.
    Plane(usize),
    /// The middle: it moves across the line of sight, and scales along all axes alike.
    Whole,
}

/// Axes of a gizmo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Axes {
    /// Those of the world.
    #[default]
    World,
    /// Those of the body that it is on.
    Parent,
    /// Its own.
    Own,
}

impl Axes {
    pub(super) const ALL: [Self; 3] = [Self::World, Self::Parent, Self::Own];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::World => "world",
            Self::Parent => "parent",
            Self::Own => "own",
        }
    }
}

/// GizmoFrame and axes of the gizmo, to the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GizmoFrame {
    pub(super) center: Vec3,
    pub(super) axes: UnitQuaternion<f64>,
    /// Length of an arrow [m].
    pub(super) length: f64,
}

impl GizmoFrame {
    pub(super) fn axis(&self, k: usize) -> Vec3 {
        self.axes * axis(k)
    }

    /// Numbers along its axes of a vector.
    pub(super) fn numbers(&self, vector: Vec3) -> Vec3 {
        self.axes.inverse() * vector
    }

    /// Linear part and translation [m] of a motion by these numbers about a point.
    pub(super) fn map(&self, motion: Motion, numbers: Vec3, about: Vec3) -> (Mat3, Vec3) {
        let linear = match motion {
            Motion::Move => return (Mat3::identity(), self.axes * numbers),
            Motion::Turn => {
                let turn = self.axes * numbers.map(f64::to_radians);
                UnitQuaternion::new(turn).to_rotation_matrix().into_inner()
            }
            Motion::Scale | Motion::Mirror => {
                let turn = self.axes.to_rotation_matrix().into_inner();
                turn * Mat3::from_diagonal(&numbers) * turn.transpose()
            }
        };
        (linear, about - linear * about)
    }

    /// Points of a handle: an arrow from the centre, a ring about it, a square beside two axes, or the centre.
    pub(super) fn handle(&self, motion: Motion, handle: Handle) -> Vec<Vec3> {
        let at = |numbers: Vec3| self.center + self.axes * (self.length * numbers);
        match (handle, motion) {
            (Handle::Whole, _) => vec![self.center; 2],
            (Handle::Plane(k), _) => {
                let [u, v] = [1, 2].map(|next| axis((k + next) % 3));
                let corners = [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]];
                let place = |on: usize| [0.28, 0.48][on];
                corners.map(|[i, j]| at(u * place(i) + v * place(j))).to_vec()
            }
            (Handle::Axis(k), Motion::Move | Motion::Scale | Motion::Mirror) => {
                [0.15, 1.0].map(|part| at(axis(k) * part)).to_vec()
            }
            (Handle::Axis(k), Motion::Turn) => {
                let [u, v] = [1, 2].map(|next| axis((k + next) % 3));
                let point = |j: i32| {
                    let (sin, cos) = (f64::from(j) * std::f64::consts::TAU / 48.0).sin_cos();
                    at(u * cos + v * sin)
                };
                (0..=48).map(point).collect()
            }
        }
    }
}

/// Unit vector along an axis.
fn axis(k: usize) -> Vec3 {
    let mut axis = Vec3::zeros();
    axis[k] = 1.0;
    axis
}
