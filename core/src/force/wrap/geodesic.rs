//! Geodesics of surfaces, and their Jacobi fields: a'' + K a = 0 along the arc, K the Gaussian curvature.

use super::Vec3;
use super::surface::{Darboux, Surface};

/// Start of a geodesic, in the frame of its surface, and its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arc {
    /// First point [m].
    pub(super) start: Vec3,
    /// Unit tangent there.
    pub(super) direction: Vec3,
    /// Length [m]; below zero it goes backwards, as an arc does that is about to lift off.
    pub(super) length: f64,
    /// Last point [m] of an arc that is no geodesic, but lies in the plane of its direction and this point.
    pub(super) end: Option<Vec3>,
}

/// Displacement across a geodesic at its end, and its derivative along the arc, of geodesics beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Jacobi {
    /// Of one that starts parallel, a unit beside it: a and a'.
    pub(super) shifted: [f64; 2],
    /// Of one that starts at the same point, a unit angle beside it: r and r'.
    pub(super) turned: [f64; 2],
}

/// The end of an arc.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArcEnd {
    pub(super) frame: Darboux,
    pub(super) jacobi: Jacobi,
}

impl Arc {
    /// The end of the arc on a surface.
    pub(super) fn end(&self, surface: &Surface) -> ArcEnd {
        match *surface {
            Surface::Sided(it) => self.end(&it.plain()),
            Surface::Sections(it) => {
                // Those of a surface that is not curved twice: of second derivatives alone.
                let jacobi = Jacobi { shifted: [1.0, 0.0], turned: [self.length, 1.0] };
                ArcEnd { frame: it.end(self), jacobi }
            }
            Surface::Sphere { radius } => self.end_on_sphere(surface, radius),
            Surface::Cylinder { radius, .. } => self.end_on_cylinder(surface, radius),
            Surface::Ellipsoid { .. } | Surface::Torus { .. } => self.integrate(surface),
        }
    }

    fn end_on_sphere(&self, surface: &Surface, radius: f64) -> ArcEnd {
        let (sin, cos) = (self.length / radius).sin_cos();
        let point = self.start * cos + self.direction * (radius * sin);
        let tangent = self.direction * cos - self.start * (sin / radius);
        let jacobi = Jacobi { shifted: [cos, -sin / radius], turned: [radius * sin, cos] };
        ArcEnd { frame: surface.darboux(point, &tangent), jacobi }
    }

    fn end_on_cylinder(&self, surface: &Surface, radius: f64) -> ArcEnd {
        let (p, d) = (self.start, self.direction);
        let around = (p.x * d.y - p.y * d.x) / radius;
        let (sin, cos) = (self.length * around / radius).sin_cos();
        let turned = |v: &Vec3| Vec3::new(v.x * cos - v.y * sin, v.x * sin + v.y * cos, v.z);
        let point = turned(&p) + Vec3::z() * (self.length * d.z);
        let jacobi = Jacobi { shifted: [1.0, 0.0], turned: [self.length, 1.0] };
        ArcEnd { frame: surface.darboux(point, &turned(&d)), jacobi }
    }

    fn integrate(&self, surface: &Surface) -> ArcEnd {
        let mut at = Moving {
            point: self.start,
            tangent: self.direction,
            shifted: [1.0, 0.0],
            turned: [0.0, 1.0],
        };
        let mut left = self.length.abs();
        for _ in 0..MOST_STEPS {
            let step = left.min(STEP_ANGLE / surface.shape(&at.point).turning.norm());
            at = at.extrapolated(surface, step.copysign(self.length));
            left -= step;
            if left <= 0.0 {
                break;
            }
        }
        let jacobi = Jacobi { shifted: at.shifted, turned: at.turned };
        ArcEnd { frame: surface.darboux(at.point, &at.tangent), jacobi }
    }

    /// The point half way along it.
    pub(super) fn middle(&self, surface: &Surface) -> Vec3 {
        self.at(surface, 0.5)
    }

    /// Points along the arc, `count` intervals of equal length, its ends included.
    pub(super) fn points(
        &self,
        surface: &Surface,
        count: usize,
    ) -> impl Iterator<Item = Vec3> + use<> {
        let (arc, surface) = (*self, *surface);
        (0..=count).map(move |k| arc.at(&surface, k as f64 / count.max(1) as f64))
    }

    /// The point at a share of it.
    fn at(&self, surface: &Surface, share: f64) -> Vec3 {
        match surface {
            Surface::Sections(it) => it.point(self, share),
            _ => Self { length: share * self.length, ..*self }.end(surface).frame.point,
        }
    }
}

/// Angle that the normal turns by in one step of the integration, about [rad]. Orders 2 to 10 are extrapolated; the
/// error of an arc is then below 1e-12 of the size of the surface (`tests/geodesics.rs`).
const STEP_ANGLE: f64 = 0.2;

/// Most steps of one arc: some turns.
const MOST_STEPS: usize = 200;

/// A point that moves along a geodesic with unit speed, with both Jacobi fields.
#[derive(Clone, Copy)]
struct Moving {
    point: Vec3,
    tangent: Vec3,
    shifted: [f64; 2],
    turned: [f64; 2],
}

impl Moving {
    /// Derivative along the arc: p'' = -k n with the normal curvature k, a'' = -K a.
    fn derivative(&self, surface: &Surface) -> Self {
        let shape = surface.shape(&self.point);
        let turned = shape.turning * self.tangent;
        let binormal = shape.normal.cross(&self.tangent);
        let (along, torsion) = (turned.dot(&self.tangent), turned.dot(&binormal));
        let gauss = along * (shape.turning * binormal).dot(&binormal) - torsion * torsion;
        let of = |[value, rate]: [f64; 2]| [rate, -gauss * value];
        Self {
            point: self.tangent,
            tangent: shape.normal * -along,
            shifted: of(self.shifted),
            turned: of(self.turned),
        }
    }

    fn plus(&self, other: &Self, factor: f64) -> Self {
        let add = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0] * factor, a[1] + b[1] * factor];
        Self {
            point: self.point + other.point * factor,
            tangent: self.tangent + other.tangent * factor,
            shifted: add(self.shifted, other.shifted),
            turned: add(self.turned, other.turned),
        }
    }

    /// After a step by the modified midpoint rule in `count` substeps.
    fn midpoint(&self, surface: &Surface, step: f64, count: usize) -> Self {
        let h = step / count as f64;
        let (mut before, mut now) = (*self, self.plus(&self.derivative(surface), h));
        for _ in 1..count {
            (before, now) = (now, before.plus(&now.derivative(surface), 2.0 * h));
        }
        // The mean of the last two, smoothed (Hairer, Norsett and Wanner 1993, II.9).
        let smoothed = now.plus(&before, 1.0).plus(&now.derivative(surface), h);
        smoothed.plus(&smoothed, -0.5)
    }

    /// After a step, extrapolated from 2, 4, 6, 8 and 10 substeps (Gragg; Bulirsch and Stoer).
    fn extrapolated(&self, surface: &Surface, step: f64) -> Self {
        const COUNTS: [usize; 5] = [2, 4, 6, 8, 10];
        let mut table = COUNTS.map(|count| self.midpoint(surface, step, count));
        for order in 1..COUNTS.len() {
            for k in (order..COUNTS.len()).rev() {
                let ratio = (COUNTS[k] as f64 / COUNTS[k - order] as f64).powi(2);
                let difference = table[k].plus(&table[k - 1], -1.0);
                table[k] = table[k].plus(&difference, 1.0 / (ratio - 1.0));
            }
        }
        table[COUNTS.len() - 1]
    }
}
