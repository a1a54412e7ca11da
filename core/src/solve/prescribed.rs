//! Velocities and accelerations of prescribed scalars within a step: derivatives of the polynomial through the
//! places that they are prescribed at five times of the step (Fornberg1988). Nothing outside the step is looked
//! at, so that a kink of a schedule between two steps is met.

use nalgebra::UnitQuaternion;

use crate::Vec3;
use crate::constraint::PathPolynomial;
use crate::dynamics::turn_between;
use crate::system::{LoadCase, MechSystem};

/// Places that are looked at in a step.
const PLACES: usize = 5;

/// A time within a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within {
    /// Start of the step [s].
    pub(super) time: f64,
    /// Length of the step [s].
    pub(super) h: f64,
    /// Share of the step that has gone by, 0 to 1.
    pub(super) share: f64,
}

impl Within {
    /// Writes velocities of the prescribed scalars into `velocities` and their accelerations into
    /// `accelerations`; angular ones in world axes for the rows of rotations.
    pub(super) fn derivatives(
        self,
        system: &dyn MechSystem,
        places: [&mut [Vec3]; 2],
        (velocities, accelerations): (&mut [Vec3], &mut [Vec3]),
    ) {
        clear(system, velocities);
        clear(system, accelerations);
        let weights = self.weights();
        self.visit(system, places, &mut |place, row, axis, change| {
            let [first, second] = weights[place];
            velocities[row][axis] += change * first;
            accelerations[row][axis] += change * second;
        });
    }

    /// Writes velocities of the prescribed scalars alone; `places` are work space.
    pub(super) fn velocities(
        self,
        system: &dyn MechSystem,
        places: [&mut [Vec3]; 2],
        velocities: &mut [Vec3],
    ) {
        clear(system, velocities);
        let weights = self.weights();
        self.visit(system, places, &mut |place, row, axis, change| {
            velocities[row][axis] += change * weights[place][0];
        });
    }

    /// Weights of the places in the first and second derivative [1/s, 1/s²].
    fn weights(self) -> [[f64; 2]; PLACES] {
        let share = |k: usize| k as f64 / (PLACES - 1) as f64;
        std::array::from_fn(|place| {
            let points = (0..PLACES).map(|k| [share(k), f64::from(u8::from(k == place))]);
            let [_, slope, curvature] =
                PathPolynomial::new(points).map_or([0.0; 3], |it| it.at(self.share));
            [slope / self.h, curvature / (self.h * self.h)]
        })
    }

    /// Hands the changes of all prescribed scalars from here to each of the five places to `visit`: the number of the place,
    /// row, axis, change.
    fn visit(
        self,
        system: &dyn MechSystem,
        [here, there]: [&mut [Vec3]; 2],
        visit: &mut dyn FnMut(usize, usize, usize, f64),
    ) {
        let Self { time, h, share } = self;
        if !system.fixed().iter().flatten().any(|&fixed| fixed) {
            return;
        }
        system.prescribe(LoadCase::at(time + share * h), here);
        for place in 0..PLACES {
            let share = place as f64 / (PLACES - 1) as f64;
            system.prescribe(LoadCase::at(time + share * h), there);
            for (row, fixed) in
                system.fixed().iter().enumerate().filter(|(_, fixed)| fixed.contains(&true))
            {
                let change = change(system, row, [&here[row], &there[row]]);
                for axis in (0..3).filter(|&axis| fixed[axis]) {
                    visit(place, row, axis, change[axis]);
                }
            }
        }
    }
}

/// Sets the velocities `u` of what is prescribed at the end of a step of `h` [s] that began at `time` [s] to those of its
/// paths, whatever the rule, where they, or those of `before`, are not all zero; `places` are work space.
pub(super) fn end_on_paths(
    system: &dyn MechSystem,
    (time, h): (f64, f64),
    places: [&mut [Vec3]; 2],
    (before, u): (&[Vec3], &mut [Vec3]),
) {
    if is_driven(system, [u, before]) {
        Within { time, h, share: 1.0 }.velocities(system, places, u);
    }
}

/// True if a prescribed scalar has a velocity in one of these lists.
fn is_driven(system: &dyn MechSystem, velocities: [&[Vec3]; 2]) -> bool {
    let mut rows = system.fixed().iter().enumerate();
    rows.any(|(row, fixed)| {
        (0..3).any(|axis| fixed[axis] && velocities.iter().any(|of| of[row][axis] != 0.0))
    })
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
