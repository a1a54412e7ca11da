//! One iterate of a step: from mean velocities of the step and impulses of the rows to the end state
//! and to what is left of the equations (docs/theory/rigid.md, "The step").

use nalgebra::UnitQuaternion;

use super::rows::{Mat3, Placement, Vec3};
use super::system::{Pose, State, System};
use sinew::dynamics::{SpatialInertia, TwistOfCenter, advanced_by_cayley, angular_momentum};

/// First unknown of each body (3 of its centre, 3 angular) and of each row, and the band that couples
/// them.
pub(crate) struct Numbering {
    pub(crate) of_body: Vec<usize>,
    pub(crate) of_row: Vec<usize>,
    pub(crate) band: usize,
}

impl Numbering {
    /// Bodies in order, each followed by the rows whose last body it is.
    pub(crate) fn new(system: &System) -> Self {
        let last = |k: usize| system.rows[k].bodies().max().unwrap_or(0);
        let (mut of_body, mut of_row) = (Vec::new(), vec![0; system.rows.len()]);
        let mut next = 0;
        for b in 0..system.inertias.len() {
            of_body.push(next);
            next += 6;
            for k in (0..system.rows.len()).filter(|&k| last(k) == b) {
                of_row[k] = next;
                next += 1;
            }
        }
        let spread = |k: usize| {
            let ends = system.rows[k].bodies().flat_map(|b| [of_body[b], of_body[b] + 5]);
            let all: Vec<usize> = ends.chain([of_row[k]]).collect();
            all.iter().max().unwrap() - all.iter().min().unwrap()
        };
        let band = (0..system.rows.len()).map(spread).fold(5, usize::max);
        Self { of_body, of_row, band }
    }

    pub(crate) fn size(&self) -> usize {
        6 * self.of_body.len() + self.of_row.len()
    }
}

/// Start and settings of a step.
pub(crate) struct Beginning<'a> {
    pub(crate) system: &'a System,
    pub(crate) numbering: &'a Numbering,
    pub(crate) state: &'a State,
    /// Weight of the end of the step in the rotation of each body.
    pub(crate) rotation_weights: &'a [f64],
    /// Weight of the end of the step.
    pub(crate) weight: f64,
    pub(crate) h: f64,
}

/// An iterate, and what follows from it.
pub(crate) struct Trial {
    /// Mean velocities of the step y, which positions advance by.
    pub(crate) velocities: Vec<TwistOfCenter>,
    pub(crate) end: State,
    pub(crate) last: Vec<Placement>,
    pub(crate) mean: Vec<Placement>,
    /// Rotation half way, a body.
    pub(crate) half: Vec<Mat3>,
    /// Momentum errors (the angular ones in the frame half way) and g / h, by unknowns.
    pub(crate) residual: Vec<f64>,
    /// Largest momentum error over the largest momentum or impulse.
    pub(crate) momentum_error: f64,
    /// Largest position error [m], [rad].
    pub(crate) position_error: f64,
}

pub(crate) fn put(x: &mut [f64], at: usize, v: &Vec3) {
    x[at..at + 3].copy_from_slice(v.as_slice());
}

pub(crate) fn get(x: &[f64], at: usize) -> Vec3 {
    Vec3::new(x[at], x[at + 1], x[at + 2])
}

fn add(x: &mut [f64], at: usize, v: &Vec3) {
    (0..3).for_each(|i| x[at + i] += v[i]);
}

/// The length that makes a moment of a force comparable with one on this body [m].
fn length(inertia: &SpatialInertia) -> f64 {
    (inertia.rotational().trace() / inertia.mass()).sqrt()
}

fn half_way(a: &UnitQuaternion<f64>, b: &UnitQuaternion<f64>) -> Mat3 {
    let b = if a.coords.dot(&b.coords) < 0.0 { -b.into_inner() } else { b.into_inner() };
    UnitQuaternion::new_normalize(a.into_inner() + b).to_rotation_matrix().into_inner()
}

impl Beginning<'_> {
    /// Pose and velocities of body `b` at the end, by its mean velocities.
    fn end_of_body(&self, b: usize, y: &TwistOfCenter) -> (Pose, TwistOfCenter) {
        let (pose, twist) = (&self.state.poses[b], &self.state.twists[b]);
        let center = pose.center + y.linear * self.h;
        let orientation = advanced_by_cayley(&pose.orientation, &(y.angular * self.h));
        let linear = twist.linear + (y.linear - twist.linear) / self.weight;
        let angular = twist.angular + (y.angular - twist.angular) / self.rotation_weights[b];
        // Its components in body axes are what the rule extrapolates: they turn with the body.
        let angular = orientation * (pose.orientation.inverse() * angular);
        (Pose { center, orientation }, TwistOfCenter { linear, angular })
    }

    /// Momentum of body `b` gained without constraint forces: written to `residual`; and the
    /// size of what the sum is made of.
    fn add_momentum(&self, b: usize, end: &State, residual: &mut [f64]) -> f64 {
        let (inertia, at) = (&self.system.inertias[b], self.numbering.of_body[b]);
        let [before, after] = [self.state, end]
            .map(|s| angular_momentum(inertia, &s.poses[b].orientation, &s.twists[b]));
        let (v0, v1) = (self.state.twists[b].linear, end.twists[b].linear);
        let weight = self.system.gravity * (inertia.mass() * self.h);
        put(residual, at, &((v1 - v0) * inertia.mass() - weight));
        put(residual, at + 3, &(after - before));
        let linear = inertia.mass() * v0.norm().max(v1.norm());
        linear.max(before.norm() / length(inertia)).max(weight.norm())
    }

    /// The iterate with mean velocities `velocities` and row impulses `impulses`.
    pub(crate) fn trial(&self, velocities: Vec<TwistOfCenter>, impulses: &[f64]) -> Trial {
        let mut end = self.state.clone();
        let mut residual = vec![0.0; self.numbering.size()];
        let mut scale = f64::MIN_POSITIVE;
        for (b, y) in velocities.iter().enumerate() {
            (end.poses[b], end.twists[b]) = self.end_of_body(b, y);
            scale = scale.max(self.add_momentum(b, &end, &mut residual));
        }
        let (first, last) = (self.state.placements(), end.placements());
        let mean: Vec<Placement> = first.iter().zip(&last).map(|(a, b)| a.mean(b)).collect();
        let (mut position_error, mut coefficients) = (0f64, Vec::new());
        for (k, row) in self.system.rows.iter().enumerate() {
            row.coefficients(&mean, &mut coefficients);
            for &(b, l, a) in &coefficients {
                add(&mut residual, self.numbering.of_body[b], &(l * -impulses[k]));
                add(&mut residual, self.numbering.of_body[b] + 3, &(a * -impulses[k]));
                scale = scale.max(l.norm() * impulses[k].abs());
            }
            let g = row.value(&last);
            residual[self.numbering.of_row[k]] = g / self.h;
            position_error = position_error.max(g.abs());
        }
        let poses = self.state.poses.iter().zip(&end.poses);
        let half: Vec<Mat3> =
            poses.map(|(a, b)| half_way(&a.orientation, &b.orientation)).collect();
        let momentum_error = self.to_half_way(&half, &mean, &mut residual) / scale;
        Trial { velocities, end, last, mean, half, residual, momentum_error, position_error }
    }

    /// Brings the angular errors to the frame half way, where the matrix is symmetric up to second
    /// order in the turn: half * mean^-1, a stretch across the axis. Returns the largest error.
    fn to_half_way(&self, half: &[Mat3], mean: &[Placement], residual: &mut [f64]) -> f64 {
        let mut largest = 0f64;
        for (b, &at) in self.numbering.of_body.iter().enumerate() {
            let angular = get(residual, at + 3);
            let moment = angular.norm() / length(&self.system.inertias[b]);
            largest = largest.max(get(residual, at).norm()).max(moment);
            // The mean of two rotations is singular for half a turn only.
            let stretch = half[b] * mean[b].matrix.try_inverse().unwrap_or_else(Mat3::identity);
            put(residual, at + 3, &(stretch * angular));
        }
        largest
    }
}
