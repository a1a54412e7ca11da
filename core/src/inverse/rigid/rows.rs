//! Rates of constraint rows and of coordinates of joints as a dense matrix on the scalars of bodies and particles.

use nalgebra::{DMatrix, DVector, UnitQuaternion};

use crate::attachment::Attachments;
use crate::constraint::{JointTerm, Placement};
use crate::dynamics::turn_between;
use crate::system::{CompiledModel, MechSystem, Multibody, State};
use crate::{Mat3, Vec3};

/// Scalars that are free, and rows on them: constraint rows, then coordinates.
pub(super) struct DenseRows {
    /// Block row and axis of each scalar.
    pub(super) scalars: Vec<(usize, usize)>,
    rotation: Vec<bool>,
    terms: Vec<JointTerm>,
    /// Places of the coordinates in a state.
    pub(super) places: Vec<usize>,
}

/// Singular value below which a direction is none, over the largest [-]: redundant rows of loops.
const NO_VALUE: f64 = 1e-10;

impl DenseRows {
    /// For a compiled model with coordinates as terms and their places.
    pub(super) fn new(
        compiled: &CompiledModel,
        multibody: &Multibody,
        (terms, places): (Vec<JointTerm>, Vec<usize>),
    ) -> Self {
        let fixed = &multibody.reduced_fixed(compiled.fixed());
        let free = |row: usize| (0..3).filter(move |&axis| !fixed[row][axis]);
        let size = compiled.block_count();
        let mut rotation = vec![false; size];
        multibody.bodies.iter().for_each(|body| rotation[body.row as usize + 1] = true);
        let mut scalars = Vec::new();
        for row in 0..size {
            scalars.extend(free(row).map(|axis| (row, axis)));
        }
        Self { scalars, rotation, terms, places }
    }

    /// Number of rows.
    pub(super) fn count(&self, multibody: &Multibody) -> usize {
        multibody.joints.rows.count() + self.terms.len()
    }

    /// Weights of attached points in a state.
    pub(super) fn attachments(multibody: &Multibody, state: &State) -> Attachments {
        let mut attachments = multibody.attachments.resolved.clone();
        attachments.update_weights(&multibody.weights_at(&state.q));
        attachments
    }

    /// The matrix of the rows: rates from velocities.
    pub(super) fn matrix(&self, multibody: &Multibody, state: &State) -> DMatrix<f64> {
        let mut turns = vec![Mat3::zeros(); multibody.bodies.len()];
        multibody.update_turns(&state.q, &mut turns);
        let at = Placement { q: &state.q, turns: &turns, coordinates: &state.coordinates };
        let attachments = Self::attachments(multibody, state);
        let mut matrix = DMatrix::zeros(self.count(multibody), self.scalars.len());
        let mut pushes = vec![Vec3::zeros(); state.q.len()];
        let rows = &multibody.joints.rows;
        let mut reader = rows.at(at);
        for (row, list) in rows.lists().iter().enumerate() {
            let mut coefficients = vec![Vec3::zeros(); list.len()];
            reader.coefficients(row, &mut coefficients);
            pushes.fill(Vec3::zeros());
            for (&block, coefficient) in list.iter().zip(&coefficients) {
                pushes[block as usize] += coefficient;
            }
            attachments.reduce_force(&mut pushes);
            self.write(&pushes, &mut matrix, row);
        }
        for (k, term) in self.terms.iter().enumerate() {
            let wrenches = term.wrenches_at(&state.q, &state.coordinates);
            pushes.fill(Vec3::zeros());
            for (row, wrench) in term.rows().iter().zip(&wrenches) {
                row.iter().for_each(|row| pushes[*row as usize] += wrench);
            }
            self.write(&pushes, &mut matrix, rows.count() + k);
        }
        matrix
    }

    fn write(&self, pushes: &[Vec3], matrix: &mut DMatrix<f64>, row: usize) {
        for (k, &(block, axis)) in self.scalars.iter().enumerate() {
            matrix[(row, k)] = pushes[block][axis];
        }
    }

    /// The scalars of a list of vectors, one a block row.
    pub(super) fn gather(&self, v: &[Vec3]) -> DVector<f64> {
        DVector::from_iterator(self.scalars.len(), self.scalars.iter().map(|&(r, a)| v[r][a]))
    }

    /// Vectors of scalars, zero elsewhere.
    pub(super) fn scatter(&self, x: &DVector<f64>, size: usize) -> Vec<Vec3> {
        let mut v = vec![Vec3::zeros(); size];
        self.scalars.iter().zip(x.iter()).for_each(|(&(row, axis), x)| v[row][axis] = *x);
        v
    }

    /// Errors of the constraint rows, and the distances of the coordinates from `values`.
    pub(super) fn errors(
        &self,
        multibody: &Multibody,
        state: &mut State,
        values: &[f64],
    ) -> DVector<f64> {
        let mut turns = vec![Mat3::zeros(); multibody.bodies.len()];
        multibody.update_turns(&state.q, &mut turns);
        multibody.update_coordinates(&state.q, &mut state.coordinates);
        let at = Placement { q: &state.q, turns: &turns, coordinates: &state.coordinates };
        let rows = &multibody.joints.rows;
        let mut reader = rows.at(at);
        let errors = (0..rows.count()).map(|row| reader.value(row));
        let distances = self.places.iter().zip(values).map(|(&k, x)| state.coordinates[k] - x);
        DVector::from_iterator(self.count(multibody), errors.chain(distances))
    }

    /// Moves bodies and particles of a state by `v` [m], [rad], and attached points with them.
    pub(super) fn move_by(&self, multibody: &Multibody, state: &mut State, v: &[Vec3]) {
        for (row, v) in v.iter().enumerate() {
            if self.rotation[row] {
                let turned = UnitQuaternion::new(*v) * UnitQuaternion::new(state.q[row]);
                state.q[row] = turn_between(&UnitQuaternion::identity(), &turned);
            } else {
                state.q[row] += v;
            }
        }
        let mut turns = vec![Mat3::zeros(); multibody.bodies.len()];
        multibody.update_turns(&state.q, &mut turns);
        multibody.place_attached(&mut turns, &mut state.q);
    }
}

/// The least x with A x nearest to b.
pub(super) fn least_squares(matrix: DMatrix<f64>, right: &DVector<f64>) -> Option<DVector<f64>> {
    if matrix.is_empty() {
        return Some(DVector::zeros(matrix.ncols()));
    }
    let svd = matrix.svd(true, true);
    let least = NO_VALUE * svd.singular_values.max();
    svd.solve(right, least).ok()
}
