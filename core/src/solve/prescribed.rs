//! Velocities and accelerations of prescribed scalars within a step: derivatives of the polynomial through the
//! places that they are prescribed at five times of the step (Fornberg1988). Nothing outside the step is looked
//! at, so that a kink of a schedule between two steps is met.

use nalgebra::UnitQuaternion;

use crate::Vec3;
use crate::dynamics::turn_between;
use crate::system::{LoadCase, MechSystem};

/// Parts of the step between two places.
const PARTS: f64 = 4.0;
/// Weights of the five places in h times the first derivative at the start, in the middle and at the end.
const FIRST: [[f64; 5]; 3] = [
    [-25.0, 48.0, -36.0, 16.0, -3.0],
    [1.0, -8.0, 0.0, 8.0, -1.0],
    [3.0, -16.0, 36.0, -48.0, 25.0],
];
/// The same of h² times the second derivative.
const SECOND: [[f64; 5]; 3] = [
    [35.0, -104.0, 114.0, -56.0, 11.0],
    [-1.0, 16.0, -30.0, 16.0, -1.0],
    [11.0, -56.0, 114.0, -104.0, 35.0],
];

/// A time within a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within {
    /// Start of the step [s].
    pub(super) time: f64,
    /// Length of the step [s].
    pub(super) h: f64,
    /// Share of the step that has gone by: 0, 1/2 or 1.
    pub(super) share: f64,
}

impl Within {
    /// Writes velocities of the prescribed scalars into `velocities` and their accelerations into
    /// `accelerations`; angular ones in world axes for the rows of rotations.
    pub(super) fn derivatives(
        self,
        system: &dyn MechSystem,
        [here, there]: [&mut [Vec3]; 2],
        (velocities, accelerations): (&mut [Vec3], &mut [Vec3]),
    ) {
        let Self { time, h, share } = self;
        clear(system, velocities);
        clear(system, accelerations);
        if !system.fixed().iter().flatten().any(|&fixed| fixed) {
            return;
        }
        system.prescribe(LoadCase::at(time + share * h), here);
        let which = (2.0 * share) as usize;
        for (k, (first, second)) in FIRST[which].into_iter().zip(SECOND[which]).enumerate() {
            system.prescribe(LoadCase::at(time + k as f64 / PARTS * h), there);
            let first = first * (PARTS / 12.0) / h;
            let second = second * (PARTS * PARTS / 12.0) / (h * h);
            for (row, fixed) in
                system.fixed().iter().enumerate().filter(|(_, fixed)| fixed.contains(&true))
            {
                let change = change(system, row, [&here[row], &there[row]]);
                for axis in (0..3).filter(|&axis| fixed[axis]) {
                    velocities[row][axis] += change[axis] * first;
                    accelerations[row][axis] += change[axis] * second;
                }
            }
        }
    }
}

/// From one place of a row to another: the turn, for the rotation of a body.
fn change(system: &dyn MechSystem, row: usize, [from, to]: [&Vec3; 2]) -> Vec3 {
    match system.multibody().and_then(|multibody| multibody.body_of_rotation(row as u32)) {
        None => to - from,
        Some(_) => turn_between(&UnitQuaternion::new(*from), &UnitQuaternion::new(*to)),
    }
}

fn clear(system: &dyn MechSystem, values: &mut [Vec3]) {
    for (value, fixed) in values.iter_mut().zip(system.fixed()) {
        (0..3).filter(|&axis| fixed[axis]).for_each(|axis| value[axis] = 0.0);
    }
}
