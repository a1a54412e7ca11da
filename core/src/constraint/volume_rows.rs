//! Rows of closed surfaces, in a system: one each, the volume of what is inside.

use super::{ClosedSurface, Contents, Placement};
use crate::{Mat3, Vec3};

/// Rows of closed surfaces with their contents.
#[derive(Clone, Default)]
pub struct VolumeRows {
    surfaces: Vec<ClosedSurface>,
    contents: Vec<Contents>,
}

impl VolumeRows {
    /// Number of rows.
    pub fn count(&self) -> usize {
        self.surfaces.len()
    }

    /// The surface of a row.
    pub fn surface(&self, row: usize) -> &ClosedSurface {
        &self.surfaces[row]
    }

    /// The contents of a row.
    pub fn contents(&self, row: usize) -> &Contents {
        &self.contents[row]
    }

    /// The row of a surface and its contents.
    pub fn push(&mut self, surface: ClosedSurface, contents: Contents) {
        self.surfaces.push(surface);
        self.contents.push(contents);
    }

    /// Puts other contents into a surface.
    pub fn set_contents(&mut self, row: usize, contents: Contents) {
        self.contents[row] = contents;
    }

    /// Value of a row [m].
    pub fn value(&self, row: usize, at: Placement) -> f64 {
        self.contents[row].row(self.surfaces[row].volume(at.q))[0]
    }

    /// Vectors of the entries of a row, in the order of its list, into `values`.
    pub fn coefficients(&self, row: usize, at: Placement, values: &mut [Vec3]) {
        let surface = &self.surfaces[row];
        let [_, slope] = self.contents[row].row(surface.volume(at.q));
        surface.gradient(at.q, values);
        values.iter_mut().for_each(|value| *value *= slope);
    }

    /// Hands `factor` times the second derivative of the volume in a row to `visit`. That of the value by the volume, which is none but of
    /// gases, couples all nodes and is left out, as are lids: iterations of a step converge without.
    pub fn curvature(
        &self,
        (row, factor): (usize, f64),
        at: Placement,
        visit: &mut dyn FnMut(u32, u32, Mat3),
    ) {
        let surface = &self.surfaces[row];
        let [_, slope] = self.contents[row].row(surface.volume(at.q));
        surface.curvature(at.q, factor * slope, visit);
    }

    /// Corrects the vectors of a row half way so that with the mean velocities `y` [m/s] they make the mean rate `rate` of its value: along
    /// the motion, as a cubic is not that of its slope half way.
    pub fn meet(&self, row: usize, (y, rate): (&[Vec3], f64), values: &mut [Vec3]) {
        let rows = self.surfaces[row].rows();
        let (mut made, mut power) = (0.0, 0.0);
        for (&block, value) in rows.iter().zip(&*values) {
            let velocity = y[block as usize];
            made += value.dot(&velocity);
            power += velocity.norm_squared();
        }
        if power < STILL {
            return;
        }
        let share = (rate - made) / power;
        rows.iter().zip(values).for_each(|(&block, value)| *value += y[block as usize] * share);
    }
}

/// Sum of squared velocities of a surface that is at rest, but for rounding [m²/s²].
const STILL: f64 = 1e-16;
