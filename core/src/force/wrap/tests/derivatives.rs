//! Derivatives of lengths against central differences, and balance of forces.

use nalgebra::{Isometry3, Translation3, UnitQuaternion};

use super::{ALL, Dice, SPHERE, pierced};
use crate::force::wrap::{Derivatives, Obstacle, Strand, Surface, Vec3};

/// A strand over obstacles on bodies with centres.
struct Setting {
    points: [Vec3; 2],
    obstacles: Vec<Obstacle>,
    centers: Vec<Vec3>,
}

impl Setting {
    fn strand(&self) -> Strand {
        Strand::between(self.points, &self.obstacles)
    }

    /// The same after unit `axis` of a motion of the strand, times `step`; `touched` are the obstacles by bend.
    fn moved(&self, touched: &[usize], (motion, axis): (usize, usize), step: f64) -> Self {
        let by = Vec3::from_fn(|k, _| if k == axis { step } else { 0.0 });
        let mut after = Self {
            points: self.points,
            obstacles: self.obstacles.clone(),
            centers: self.centers.clone(),
        };
        if motion < 2 {
            after.points[motion] += by;
            return after;
        }
        let k = touched[(motion - 2) / 2];
        let (pose, center) = (&mut after.obstacles[k].pose, &mut after.centers[k]);
        if motion.is_multiple_of(2) {
            pose.translation.vector += by;
            *center += by;
        } else {
            let turn = UnitQuaternion::new(by);
            let from_center = pose.translation.vector - *center;
            *pose = Isometry3::from_parts(
                Translation3::from(*center + turn * from_center),
                turn * pose.rotation,
            );
        }
        after
    }
}

fn single(dice: &mut Dice, surface: Surface) -> Setting {
    let (points, _) = pierced(dice, surface);
    let pose = dice.pose(1.0);
    let world = |p: Vec3| pose.rotation * p + pose.translation.vector;
    Setting {
        points: points.map(world),
        obstacles: vec![Obstacle { surface, pose, side: None }],
        centers: vec![pose.translation.vector + dice.vector()],
    }
}

fn several(dice: &mut Dice) -> Setting {
    let surfaces = [SPHERE, ALL[2], ALL[1], Surface::Torus { ring: 0.5, tube: 0.2 }];
    let obstacles: Vec<Obstacle> = surfaces
        .iter()
        .enumerate()
        .map(|(k, &surface)| {
            let mut pose = dice.pose(0.4);
            pose.translation.vector.x += 2.6 * k as f64;
            Obstacle { surface, pose, side: None }
        })
        .collect();
    let points = [Vec3::x() * -2.5, Vec3::x() * 10.5].map(|p| p + dice.vector() * 0.5);
    let centers = obstacles.iter().map(|it| it.pose.translation.vector + dice.vector()).collect();
    Setting { points, obstacles, centers }
}

/// Derivatives of the length and of its gradient along a motion, by central differences; those of the gradient only where
/// the obstacles that are touched are the same on both sides.
fn differences(
    setting: &Setting,
    touched: &[usize],
    along: (usize, usize),
) -> (f64, Option<Vec<Vec3>>) {
    const STEP: f64 = 1e-5;
    let [after, before] = [STEP, -STEP].map(|step| {
        let moved = setting.moved(touched, along, step);
        let strand = moved.strand();
        let same = strand.touched().eq(touched.iter().copied());
        let gradient = Derivatives::new(&strand, |k| moved.centers[k]).gradient();
        (same, strand.length(), gradient)
    });
    let slope = (after.1 - before.1) / (2.0 * STEP);
    let pairs = after.2.iter().zip(&before.2);
    let changes = || pairs.map(|(a, b)| (a - b) / (2.0 * STEP)).collect();
    (slope, (after.0 && before.0).then(changes))
}

/// Largest differences of the gradient and of the second derivatives from central differences.
fn errors(setting: &Setting) -> [f64; 2] {
    let strand = setting.strand();
    let touched: Vec<usize> = strand.touched().collect();
    let derivatives = Derivatives::new(&strand, |k| setting.centers[k]);
    let (gradient, hessian) = (derivatives.gradient(), derivatives.hessian());
    let mut worst = [0.0f64; 2];
    // Two bends on one obstacle move together; motions of bends are told apart by obstacles alone.
    let mut once = touched.clone();
    once.dedup();
    if once != touched {
        return worst;
    }
    for motion in 0..derivatives.count() {
        for axis in 0..3 {
            let (slope, changes) = differences(setting, &touched, (motion, axis));
            worst[0] = worst[0].max((slope - gradient[motion][axis]).abs());
            let Some(changes) = changes else { continue };
            for (row, change) in changes.iter().enumerate().take(derivatives.count()) {
                let mut found = hessian.block(row, motion).column(axis).into_owned();
                // The skew part of a body's own turns, half the matrix of the moment, is not in it.
                if row == motion && row >= 2 && row % 2 == 1 {
                    let unit = Vec3::from_fn(|k, _| if k == axis { 1.0 } else { 0.0 });
                    found += unit.cross(&gradient[row]) * 0.5;
                }
                worst[1] = worst[1].max((change - found).norm() / (1.0 + found.norm()));
            }
        }
    }
    worst
}

#[test]
fn lengths_change_as_their_derivatives_say_over_a_thousand_configurations() {
    let mut dice = Dice(21);
    for surface in ALL {
        for _ in 0..250 {
            let setting = single(&mut dice, surface);
            let [first, second] = errors(&setting);
            assert!(first < 1e-7, "{surface:?}: dl is {first:e} off at {:?}", setting.points);
            // Directions turn fast beside an end that is almost on the surface.
            assert!(second < 2e-5, "{surface:?}: d²l is {second:e} off at {:?}", setting.points);
        }
    }
}

#[test]
fn lengths_over_several_obstacles_change_as_their_derivatives_say() {
    let mut dice = Dice(22);
    let mut counts = [0; 6];
    for _ in 0..60 {
        let setting = several(&mut dice);
        counts[setting.strand().touched().count()] += 1;
        let [first, second] = errors(&setting);
        assert!(first < 1e-7, "dl is {first:e} off");
        assert!(second < 1e-4, "d²l is {second:e} off");
    }
    assert!(counts[2..].iter().sum::<usize>() > 20, "{counts:?}");
}

#[test]
fn forces_and_moments_on_ends_and_bodies_sum_to_zero() {
    let mut dice = Dice(23);
    for _ in 0..100 {
        let setting = several(&mut dice);
        let strand = setting.strand();
        let derivatives = Derivatives::new(&strand, |k| setting.centers[k]);
        let gradient = derivatives.gradient();
        let mut force = gradient[0] + gradient[1];
        let mut moment =
            setting.points[0].cross(&gradient[0]) + setting.points[1].cross(&gradient[1]);
        for (k, obstacle) in strand.touched().enumerate() {
            force += gradient[2 + 2 * k];
            moment += gradient[3 + 2 * k] + setting.centers[obstacle].cross(&gradient[2 + 2 * k]);
        }
        assert!(force.norm() < 1e-14, "{force}");
        assert!(moment.norm() < 1e-13, "{moment}");
    }
}
