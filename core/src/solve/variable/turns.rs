//! Places of rows among the values of a rule. A rotation is a quaternion and an angular velocity, or three base vectors and
//! their rates.

use nalgebra::Quaternion;

use crate::solve::constrained::{BASE_VALUES, Natural};
use crate::system::{MechSystem, State};

/// Deviation of the norm of a quaternion at which it is brought back [-]; rotations are read of its direction.
const NORM: f64 = 1e-6;

/// Rows that are rotations, and bodies in natural coordinates where these are chosen.
pub(super) struct Turns {
    /// True for rows that are rotations of bodies.
    pub(super) rotations: Vec<bool>,
    pub(super) natural: Option<Natural>,
}

/// First values of a row, among those of positions and among those of velocities.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowValues {
    pub(super) row: usize,
    /// Number of the body whose rotation the row is.
    pub(super) body: Option<usize>,
    pub(super) position: usize,
    pub(super) velocity: usize,
}

impl Turns {
    pub(super) fn new(system: &dyn MechSystem, natural: Option<Natural>) -> Self {
        let is_rotation = |row: usize| {
            system.multibody().is_some_and(|it| it.body_of_rotation(row as u32).is_some())
        };
        Self { rotations: (0..system.pattern().size()).map(is_rotation).collect(), natural }
    }

    /// Numbers of values of the position and of the velocity of a rotation.
    pub(super) fn sizes(&self) -> [usize; 2] {
        if self.natural.is_some() { [BASE_VALUES; 2] } else { [4, 3] }
    }

    /// Number of values of all positions, and of all velocities.
    pub(super) fn counts(&self) -> [usize; 2] {
        let turning = self.rotations.iter().filter(|&&rotation| rotation).count();
        self.sizes().map(|size| 3 * (self.rotations.len() - turning) + size * turning)
    }

    /// Number of values of a state.
    pub(super) fn packed_size(&self, state: &State) -> usize {
        self.counts().iter().sum::<usize>() + state.memory.len()
    }

    /// Values of positions, of velocities, and of the memory.
    pub(super) fn split<'y>(&self, y: &'y mut [f64]) -> [&'y mut [f64]; 3] {
        let [positions, velocities] = self.counts();
        let (positions, rest) = y.split_at_mut(positions);
        let (velocities, memory) = rest.split_at_mut(velocities);
        [positions, velocities, memory]
    }

    /// True if a quaternion has lost its norm.
    pub(super) fn have_lost_norm(&self, y: &[f64]) -> bool {
        let mut turns = places(&self.rotations, self.sizes()).filter(|place| place.body.is_some());
        let lost =
            |place: RowValues| (read_quaternion(&y[place.position..]).norm() - 1.0).abs() > NORM;
        self.natural.is_none() && turns.any(lost)
    }
}

/// Places of all rows, in order, by the sizes of rotations.
pub(super) fn places(
    rotations: &[bool],
    [position_size, velocity_size]: [usize; 2],
) -> impl Iterator<Item = RowValues> {
    let (mut position, mut velocity, mut bodies) = (0, 0, 0);
    rotations.iter().enumerate().map(move |(row, &rotation)| {
        let body = rotation.then_some(bodies);
        let place = RowValues { row, body, position, velocity };
        let sizes = if rotation { [position_size, velocity_size] } else { [3, 3] };
        (position, velocity) = (position + sizes[0], velocity + sizes[1]);
        bodies += usize::from(rotation);
        place
    })
}

/// The quaternion of four values i, j, k, w.
pub(super) fn read_quaternion(y: &[f64]) -> Quaternion<f64> {
    Quaternion::new(y[3], y[0], y[1], y[2])
}
