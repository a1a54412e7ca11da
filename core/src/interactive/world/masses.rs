//! Mass matrices of the objects, their factors, and W = M⁻¹, object by object (Witkin1990, section 3.1).

use super::WorldError;
use super::dense::{cholesky, solve_lower, solve_upper};
use super::layout::{Layout, ObjectPlaces};
use super::parts::ObjectPart;

#[derive(Clone, Debug, Default)]
pub(super) struct Masses {
    /// Start of each object's matrix.
    firsts: Vec<usize>,
    matrices: Vec<f64>,
    factors: Vec<f64>,
    is_known: bool,
}

impl Masses {
    /// Forgets all: the layout has changed.
    pub(super) fn reset(&mut self, layout: &Layout) {
        self.firsts.clear();
        let mut size = 0;
        for places in &layout.objects {
            self.firsts.push(size);
            size += places.velocities * places.velocities;
        }
        self.matrices.clear();
        self.matrices.resize(size, 0.0);
        self.factors.clear();
        self.factors.resize(size, 0.0);
        self.is_known = false;
    }

    /// Brings the matrices up to date with a state; true if any has changed.
    pub(super) fn update(
        &mut self,
        parts: &[ObjectPart],
        layout: &Layout,
        q: &[f64],
    ) -> Result<bool, WorldError> {
        let mut changed = false;
        for (k, (part, places)) in parts.iter().zip(&layout.objects).enumerate() {
            if self.is_known && part.object.has_constant_mass() {
                continue;
            }
            changed = true;
            let n = places.velocities;
            let range = self.firsts[k]..self.firsts[k] + n * n;
            let (matrix, factor) = (&mut self.matrices[range.clone()], &mut self.factors[range]);
            matrix.fill(0.0);
            part.object.add_mass(&q[places.state()], matrix);
            factor.copy_from_slice(matrix);
            if !cholesky(factor, n) {
                self.is_known = false;
                return Err(WorldError::Mass(part.name.clone()));
            }
        }
        self.is_known = true;
        Ok(changed)
    }

    /// The mass matrix of an object, row by row.
    pub(super) fn matrix(&self, object: usize, places: &ObjectPlaces) -> &[f64] {
        let n = places.velocities;
        &self.matrices[self.firsts[object]..self.firsts[object] + n * n]
    }

    /// W times a vector of one object, in place.
    pub(super) fn solve(&self, object: usize, places: &ObjectPlaces, b: &mut [f64]) {
        let n = places.velocities;
        let factor = &self.factors[self.firsts[object]..self.firsts[object] + n * n];
        solve_lower(factor, n, n, b);
        solve_upper(factor, n, n, b);
    }
}
