//! Mouth opening by geometry alone: the mandible turns about an axis through both condyles, which
//! advance along the fossa.

use super::joint::{CONDYLE, fossa_path};

/// Edge of the lower central incisors in the midline [m].
pub const LOWER_INCISOR: [f64; 3] = [45e-3, 0.0, 36e-3];
/// Edge of the upper central incisors in the midline [m].
pub const UPPER_INCISOR: [f64; 3] = [45e-3, 0.0, 37e-3];

/// A symmetric opening.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    /// Rotation about the axis through the condyles, positive opens [rad].
    pub rotation: f64,
    /// Distance of the condyles forward of their place at rest [m].
    pub forward: f64,
}

impl Opening {
    /// Image of a point of the mandible [m].
    pub fn moved(&self, point: [f64; 3]) -> [f64; 3] {
        let (sin, cos) = self.rotation.sin_cos();
        let [dx, dz] = [point[0] - CONDYLE[0], point[2] - CONDYLE[2]];
        let [down, _] = fossa_path(self.forward);
        let x = CONDYLE[0] + self.forward + cos * dx + sin * dz;
        let z = CONDYLE[2] + down - sin * dx + cos * dz;
        [x, point[1], z]
    }

    /// Distance of the incisal edges less that at rest [m].
    pub fn gape(&self) -> f64 {
        distance(self.moved(LOWER_INCISOR), UPPER_INCISOR) - distance(LOWER_INCISOR, UPPER_INCISOR)
    }

    /// Length of the straight line from a condyle's place at rest to its place now [m].
    pub fn condylar_translation(&self) -> f64 {
        distance(self.moved(CONDYLE), CONDYLE)
    }

    /// The opening with this gape [m], with the condyles `forward` [m]; `None` when no rotation up to
    /// 60 degrees gives it.
    pub fn with_gape(gape: f64, forward: f64) -> Option<Self> {
        let at = |rotation: f64| Self { rotation, forward };
        let [mut low, mut high] = [0.0, std::f64::consts::FRAC_PI_3];
        if at(low).gape() > gape || at(high).gape() < gape {
            return None;
        }
        // Halved to the last bits of a double.
        for _ in 0..52 {
            let middle = 0.5 * (low + high);
            if at(middle).gape() < gape { low = middle } else { high = middle }
        }
        Some(at(0.5 * (low + high)))
    }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let square = |axis: usize| (a[axis] - b[axis]) * (a[axis] - b[axis]);
    (square(0) + square(1) + square(2)).sqrt()
}
