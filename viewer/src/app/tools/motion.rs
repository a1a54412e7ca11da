//! Motions of gizmos, their axes, and the frame that their handles are drawn in.

use nalgebra::UnitQuaternion;
use sinew::Vec3;

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
        let mut axis = Vec3::zeros();
        axis[k] = 1.0;
        self.axes * axis
    }

    /// Points of a handle: an arrow from the centre, or a ring about it.
    pub(super) fn handle(&self, motion: Motion, k: usize) -> Vec<Vec3> {
        match motion {
            Motion::Move | Motion::Scale | Motion::Mirror => {
                [0.15, 1.0].map(|part| self.center + self.axis(k) * (part * self.length)).to_vec()
            }
            Motion::Turn => {
                let [u, v] = [1, 2].map(|next| self.axis((k + next) % 3));
                let point = |j: i32| {
                    let (sin, cos) = (f64::from(j) * std::f64::consts::TAU / 48.0).sin_cos();
                    self.center + (u * cos + v * sin) * self.length
                };
                (0..=48).map(point).collect()
            }
        }
    }
}
