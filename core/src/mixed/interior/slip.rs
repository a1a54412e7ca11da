//! The change of an iteration of the interior point method while velocities along normals follow the slip: the
//! derivative of these is not symmetric, so that generalized conjugate residuals (Eisenstat1983) solve for it on the
//! symmetric factor.

use crate::Vec3;
use crate::mixed::interior::InteriorPoint;
use crate::mixed::interior::barrier::Barrier;
use crate::mixed::interior::row_solver::RowSolver;
use crate::mixed::stage::Stage;
use crate::mixed::tuning::{DIRECTIONS, LEFT, LEFT_OF_BALANCE};

/// Directions and what they change, `length` numbers each.
#[derive(Default)]
pub(super) struct Slip {
    /// Impulses without what slip changes.
    solution: Vec<f64>,
    residual: Vec<f64>,
    directions: Vec<f64>,
    speeds: Vec<f64>,
    /// Velocities of the rows by the whole change.
    speed: Vec<f64>,
    /// The same without what slip changes.
    first: Vec<f64>,
    images: Vec<f64>,
    /// Squares of the images.
    squares: Vec<f64>,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], factor: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
}

impl Slip {
    fn begin(&mut self, length: usize) {
        for list in [&mut self.directions, &mut self.speeds, &mut self.images] {
            list.resize(length * DIRECTIONS, 0.0);
        }
        self.squares.clear();
        self.solution.resize(length, 0.0);
        self.speed.resize(length, 0.0);
        self.residual.clear();
        self.residual.resize(length, 0.0);
    }

    /// Makes direction `k` and its image stand across those before; its share of the residual goes to `change`.
    fn take(&mut self, k: usize, change: &mut [f64]) {
        let n = change.len();
        let at = |k: usize| k * n..(k + 1) * n;
        let (images, image) = self.images.split_at_mut(k * n);
        let image = &mut image[..n];
        for (j, square) in self.squares.iter().enumerate() {
            let share = dot(image, &images[at(j)]) / square;
            add(image, -share, &images[at(j)]);
            for list in [&mut self.directions, &mut self.speeds] {
                let (before, this) = list.split_at_mut(k * n);
                add(&mut this[..n], -share, &before[at(j)]);
            }
        }
        let square = dot(image, image);
        let share = if square > 0.0 { dot(&self.residual, image) / square } else { 0.0 };
        self.squares.push(square.max(f64::MIN_POSITIVE));
        add(change, share, &self.directions[at(k)]);
        add(&mut self.speed, share, &self.speeds[at(k)]);
        add(&mut self.residual, -share, image);
    }
}

impl InteriorPoint {
    /// The change of an iteration towards products of `centre` by the factor at hand. Where velocities along the
    /// normals `follow` the slip, what they change is taken in. `u` is work space.
    pub(super) fn solve_change(
        &mut self,
        stage: Stage,
        by: &mut RowSolver,
        u: &mut [Vec3],
        (centre, follows): (f64, bool),
    ) {
        let Self { barrier: inner, slip, .. } = self;
        slip.begin(inner.z.len());
        slip.solution.copy_from_slice(&inner.right);
        by.solve_rows(stage, u, inner, (&mut slip.solution, &mut slip.speed));
        inner.changes.z.copy_from_slice(&slip.solution);
        if follows {
            slip.follow(stage, (by, u), inner);
        }
        inner.set_changes(centre, &slip.speed, follows);
    }
}

impl Slip {
    /// Takes what the change of slip changes into the change of the iterate.
    fn follow(
        &mut self,
        stage: Stage,
        (by, u): (&mut RowSolver, &mut [Vec3]),
        inner: &mut Barrier,
    ) {
        let n = inner.z.len();
        self.first.clone_from(&self.speed);
        inner.take_slip(&self.speed, &mut self.residual);
        let largest =
            |values: &[f64]| values.iter().fold(0f64, |most, value| most.max(value.abs()));
        let tolerance = (LEFT_OF_BALANCE * inner.unbalanced()).max(LEFT * largest(&self.residual));
        for k in 0..DIRECTIONS {
            if largest(&self.residual) <= tolerance {
                break;
            }
            let range = k * n..(k + 1) * n;
            let Self { first, directions, speeds, images, residual, .. } = self;
            let [direction, speed, image] =
                [directions, speeds, images].map(|list| &mut list[range.clone()]);
            direction.copy_from_slice(residual);
            by.solve_rows(stage, u, inner, (direction, speed));
            image.copy_from_slice(residual);
            inner.add_slip(first, speed, image);
            self.take(k, &mut inner.changes.z);
        }
    }
}
