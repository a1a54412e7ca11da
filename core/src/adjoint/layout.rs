//! Scalars of a step: those of tissue and particles, whose derivatives are those of forces, and those of a border: of
//! bodies, and of points in constraint rows.

use nalgebra::UnitQuaternion;

use super::cotangent::StateVector;
use super::error::AdjointError;
use crate::Vec3;
use crate::dynamics::turn_between;
use crate::system::{MechSystem, Multibody, State};

/// A scalar of a block row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scalar {
    pub(super) row: usize,
    pub(super) axis: usize,
}

/// A number of a state that a step starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateScalar {
    Position(Scalar),
    Velocity(Scalar),
    Memory(usize),
}

/// Most scalars of a border: its matrix is dense.
const BORDER: usize = 400;

/// The scalars of a system.
#[derive(Clone, PartialEq)]
pub(super) struct Layout {
    /// Scalars whose derivatives are those of forces.
    pub(super) inner: Vec<[bool; 3]>,
    /// The others that a step solves for.
    pub(super) border: Vec<Scalar>,
    /// Rows of rotations.
    pub(super) rotation: Vec<bool>,
    /// Constraint rows of joints and points; and all, with those of contacts and ranges that act.
    pub(super) joints: usize,
    pub(super) rows: usize,
}

impl Layout {
    /// For a system.
    pub(super) fn new(system: &dyn MechSystem) -> Result<Self, AdjointError> {
        ensure_elastic(system)?;
        let size = system.pattern().size();
        let (mut rotation, mut bordered) = (vec![false; size], vec![false; size]);
        let (mut fixed, mut rows) = (system.fixed().to_vec(), 0);
        if let Some(multibody) = system.multibody() {
            if !multibody.attachments.fitted.is_empty() {
                return Err(AdjointError::Unsupported("bodies that are fitted to points".into()));
            }
            fixed = multibody.reduced_fixed(system.fixed());
            rows = multibody.joints.rows.count();
            rotation = rotations(multibody, size);
            bordered = rows_of_border(multibody, size);
        }
        let (fixed, bordered) = (&fixed, &bordered);
        let free = |row: usize| (0..3).filter(move |&axis| !fixed[row][axis]);
        let inner = (0..size).map(|row| [0, 1, 2].map(|a| !bordered[row] && !fixed[row][a]));
        let scalars = |row: usize| free(row).map(move |axis| Scalar { row, axis });
        let own = Self {
            inner: inner.collect(),
            border: (0..size).filter(|&row| bordered[row]).flat_map(scalars).collect(),
            rotation,
            joints: rows,
            rows,
        };
        own.check_border()?;
        Ok(own)
    }

    /// Refuses a border that is too large for a dense matrix.
    fn check_border(&self) -> Result<(), AdjointError> {
        match self.border.len() > BORDER {
            true => Err(AdjointError::Unsupported(format!(
                "{} scalars of bodies and constrained points: {BORDER} at most",
                self.border.len()
            ))),
            false => Ok(()),
        }
    }

    /// Number of scalars that forces have the derivatives of.
    pub(super) fn inner_count(&self) -> usize {
        self.inner.iter().flatten().filter(|it| **it).count()
    }

    /// Scalars that have no part in the factor of the inner ones.
    pub(super) fn outside(&self) -> Vec<[bool; 3]> {
        self.inner.iter().map(|inner| inner.map(|it| !it)).collect()
    }

    /// Sets what is no inner scalar to zero.
    pub(super) fn keep_inner(&self, v: &mut [Vec3]) {
        for (v, inner) in v.iter_mut().zip(&self.inner) {
            (0..3).filter(|&axis| !inner[axis]).for_each(|axis| v[axis] = 0.0);
        }
    }

    /// Positions and velocities of the border at a start.
    pub(super) fn start_scalars(&self) -> Vec<StateScalar> {
        let positions = self.border.iter().map(|&it| StateScalar::Position(it));
        let velocities = self.border.iter().map(|&it| StateScalar::Velocity(it));
        positions.chain(velocities).collect()
    }

    /// Moves a number of a state; a rotation about an axis of the world.
    pub(super) fn move_scalar(&self, state: &mut State, scalar: StateScalar, by: f64) {
        match scalar {
            StateScalar::Position(Scalar { row, axis }) if self.rotation[row] => {
                let mut turn = Vec3::zeros();
                turn[axis] = by;
                let turned = UnitQuaternion::new(turn) * UnitQuaternion::new(state.q[row]);
                state.q[row] = turn_between(&UnitQuaternion::identity(), &turned);
            }
            StateScalar::Position(Scalar { row, axis }) => state.q[row][axis] += by,
            StateScalar::Velocity(Scalar { row, axis }) => state.u[row][axis] += by,
            StateScalar::Memory(k) => state.memory[k] += by,
        }
    }

    /// Change from one state to another, times `factor`.
    pub(super) fn difference(&self, from: &State, to: &State, factor: f64) -> StateVector {
        let turn = |row: usize| {
            let [a, b] = [from, to].map(|state| UnitQuaternion::new(state.q[row]));
            turn_between(&a, &b) * factor
        };
        let moved = |row: usize| match self.rotation[row] {
            true => turn(row),
            false => (to.q[row] - from.q[row]) * factor,
        };
        let memory = to.memory.iter().zip(&from.memory).map(|(b, a)| (b - a) * factor);
        StateVector {
            q: (0..from.q.len()).map(moved).collect(),
            u: to.u.iter().zip(&from.u).map(|(b, a)| (b - a) * factor).collect(),
            memory: memory.collect(),
        }
    }
}

/// Marks the rows of rotations of bodies.
fn rotations(multibody: &Multibody, size: usize) -> Vec<bool> {
    let mut rotation = vec![false; size];
    multibody.bodies.iter().for_each(|body| rotation[body.row as usize + 1] = true);
    rotation
}

/// Marks the rows of bodies, and of points in constraint rows or of the masters of these.
fn rows_of_border(multibody: &Multibody, size: usize) -> Vec<bool> {
    let mut bordered = vec![false; size];
    for body in &multibody.bodies {
        let row = body.row as usize;
        bordered[row..row + 2].fill(true);
    }
    for &row in multibody.joints.rows.lists().iter().flatten() {
        match multibody.attachments.resolved.masters_of(row) {
            Some((masters, _)) => masters.iter().for_each(|&m| bordered[m as usize] = true),
            None => bordered[row as usize] = true,
        }
    }
    bordered
}

/// Refuses tissue whose stress relaxes.
fn ensure_elastic(system: &dyn MechSystem) -> Result<(), AdjointError> {
    let part = |name| format!("the stress that relaxes in the viscoelastic tissue '{name}'");
    system.viscoelastic_tissue().map_or(Ok(()), |name| Err(AdjointError::Unsupported(part(name))))
}
