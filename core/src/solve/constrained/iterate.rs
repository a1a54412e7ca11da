//! An iterate of a substep: mean velocities and impulses, the end that follows from them, and their
//! residual.

use nalgebra::UnitQuaternion;

use crate::attachment::{TurnRates, Turning};
use crate::system::Multibody;
use crate::{Mat3, Vec3};

/// Mean velocities and impulses, and what follows from them.
pub(in crate::solve) struct Trial {
    /// Mean velocities, and impulses of the rows times the weight of the end.
    pub(super) y: Vec<Vec3>,
    pub(super) impulses: Vec<f64>,
    /// Positions at the end, and means of start and end.
    pub(super) q: Vec<Vec3>,
    pub(super) mean_q: Vec<Vec3>,
    pub(super) bodies: TrialBodies,
    /// Weights of the attached points.
    pub(super) weights: Vec<Mat3>,
    /// Errors of the rows at the end.
    pub(super) values: Vec<f64>,
    /// Forces of springs and dampers of compliant rows, for rules that sum accelerations [N or N m].
    pub(super) soft_forces: Vec<f64>,
    /// Vectors of the rows, and the same without attached points.
    pub(super) coefficients: Vec<Vec3>,
    pub(super) reduced: Vec<Vec3>,
    pub(super) balance: Balance,
}

/// Rotations of the bodies of an iterate.
pub(super) struct TrialBodies {
    /// At the end, and the means of both rotation matrices.
    pub(super) turns: Vec<Mat3>,
    pub(super) mean_turns: Vec<Mat3>,
    /// Rotations half way.
    pub(super) half: Vec<Mat3>,
    pub(super) orientations: Vec<UnitQuaternion<f64>>,
    /// Polar factors of what fitted bodies follow, and their mean rates.
    pub(super) turnings: Vec<Turning>,
    pub(super) rates: Vec<TurnRates>,
}

/// Residual of the equations at an iterate, with the forces there and the sizes of its errors.
pub(super) struct Balance {
    /// Of momenta [N s], [N m s], and of the rows [m], [-].
    pub(super) residual: Vec<Vec3>,
    pub(super) row_residual: Vec<f64>,
    /// Momenta and impulses handed to masters.
    pub(super) force: Vec<Vec3>,
    /// The largest of each, the first over the largest momentum or impulse, which is the scale [N s].
    pub(super) momentum_error: f64,
    pub(super) momentum_scale: f64,
    pub(super) position_error: f64,
}

impl Trial {
    /// For rows of `entries` coefficients, `reduced` of them without attached points.
    pub(super) fn new(size: usize, entries: usize, multibody: &Multibody, reduced: usize) -> Self {
        let count = multibody.joints.rows.count();
        let (vectors, scalars) = (|| vec![Vec3::zeros(); size], || vec![0.0; count]);
        Self {
            y: vectors(),
            impulses: scalars(),
            q: vectors(),
            mean_q: vectors(),
            bodies: TrialBodies::new(multibody),
            weights: vec![Mat3::zeros(); multibody.attachments.weights.len()],
            values: scalars(),
            soft_forces: scalars(),
            coefficients: vec![Vec3::zeros(); entries],
            reduced: vec![Vec3::zeros(); reduced],
            balance: Balance {
                residual: vectors(),
                row_residual: scalars(),
                force: vectors(),
                momentum_error: 0.0,
                momentum_scale: f64::MIN_POSITIVE,
                position_error: 0.0,
            },
        }
    }
}

impl TrialBodies {
    fn new(multibody: &Multibody) -> Self {
        let (bodies, fitted_count) = (multibody.bodies.len(), multibody.attachments.fitted.len());
        let matrices = || vec![Mat3::zeros(); bodies];
        Self {
            turns: matrices(),
            mean_turns: matrices(),
            half: matrices(),
            orientations: vec![UnitQuaternion::identity(); bodies],
            turnings: vec![Turning::of(&Mat3::identity()); fitted_count],
            rates: vec![TurnRates::zero(); fitted_count],
        }
    }
}
