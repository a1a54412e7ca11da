//! Strings over obstacles against closed forms, differences, invariants and an independent minimizer.

mod derivatives;
mod geodesics;
mod paths;
mod sections;
mod sided;
mod sweeps;

use nalgebra::{Isometry3, Translation3, UnitQuaternion};

use super::{Obstacle, Strand, Surface, Turn, Vec3};

/// Pseudo-random numbers: the 64-bit generator of Knuth's MMIX.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// In [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// In a cube from -1 to 1.
    pub(super) fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.between(-1.0, 1.0))
    }

    pub(super) fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector();
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }

    pub(super) fn pose(&mut self, reach: f64) -> Isometry3<f64> {
        let turn = self.direction() * self.between(0.0, 3.0);
        Isometry3::from_parts(Translation3::from(self.vector() * reach), UnitQuaternion::new(turn))
    }
}

pub(super) const SPHERE: Surface = Surface::Sphere { radius: 0.7 };
pub(super) const CYLINDER: Surface =
    Surface::Cylinder { radius: 0.6, half_length: f64::INFINITY, turn: Turn::Shortest };
pub(super) const ELLIPSOID: Surface = Surface::Ellipsoid { radii: Vec3::new(0.5, 1.1, 0.8) };
pub(super) const TORUS: Surface = Surface::Torus { ring: 1.0, tube: 0.3 };
pub(super) const ALL: [Surface; 4] = [SPHERE, CYLINDER, ELLIPSOID, TORUS];

pub(super) fn at_origin(surface: Surface) -> Obstacle {
    Obstacle { surface, pose: Isometry3::identity(), side: None }
}

/// Two points on both sides of the tube of a torus.
fn across_ring(dice: &mut Dice, ring: f64) -> [Vec3; 2] {
    let turn = UnitQuaternion::new(Vec3::z() * dice.between(0.0, 6.3));
    let angle = dice.between(0.0, 6.3);
    let along = Vec3::new(angle.cos(), dice.between(-0.5, 0.5), angle.sin());
    let middle = Vec3::x() * ring + dice.vector() * 0.2;
    [-1.0, 1.0].map(|sign| turn * (middle + along * (sign * dice.between(0.6, 0.9))))
}

/// Two points outside a surface whose straight line passes through it.
pub(super) fn pierced(dice: &mut Dice, surface: Surface) -> ([Vec3; 2], Strand) {
    loop {
        let [p, q] = match surface {
            Surface::Torus { ring, .. } => across_ring(dice, ring),
            _ => [0; 2].map(|_| dice.direction() * dice.between(1.6, 2.5)),
        };
        let strand = Strand::between([p, q], &[at_origin(surface)]);
        if strand.touched().count() > 0 {
            return ([p, q], strand);
        }
    }
}
