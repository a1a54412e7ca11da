//! Inverse dynamics: the forces along coordinates of joints that a motion asks for beside weight, loads and springs.

use nalgebra::DVector;

use super::rows::{DenseRows, least_squares};
use crate::Vec3;
use crate::component::Handle;
use crate::dynamics::{gyroscopic_torque, world_inertia};
use crate::force::VelocityTerms;
use crate::inverse::InverseError;
use crate::model::{
    AxialSpring, CoordinateActuator, JointCoordinate, Model, MultiPointSpring, RigidBody,
};
use crate::system::{CompiledModel, LoadCase, MechSystem, Motion, Multibody, State};

/// Coordinates of joints at an instant, with their rates and accelerations [m], [rad].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointMotion {
    /// Time of schedules of loads [s].
    pub time: f64,
    /// Values.
    pub values: Vec<f64>,
    /// Rates \[1/s\].
    pub rates: Vec<f64>,
    /// Accelerations \[1/s²\].
    pub accelerations: Vec<f64>,
}

/// A force on a body that no component of the model exerts, such as that of the ground on a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExternalForce {
    /// The body.
    pub body: Handle<RigidBody>,
    /// Force [N].
    pub force: Vec3,
    /// Point that it acts at, in the world [m].
    pub point: Vec3,
    /// Moment beside it [N m].
    pub moment: Vec3,
}

/// Forces along coordinates of joints from motions of a model without its muscles and actuators.
///
/// With the rates of constraint rows G u = 0 and of coordinates C u, the equations of motion
/// M a + gyroscopic torques - f = G^T λ + C^T τ are solved for λ and τ. In a tree of joints whose coordinates are all given
/// there is one solution, J^T (M a - f) as in OpenSim; in loops, and with coordinates that couplings lead, the least.
pub struct InverseDynamics {
    compiled: CompiledModel,
    rows: DenseRows,
}

/// Error of joints and coordinates at which bodies are where these have them [m], [rad].
const PLACED: f64 = 1e-12;
/// The same where rounding leaves more.
const NEARLY_PLACED: f64 = 1e-9;
/// Most iterations of the search for a placement.
const PLACEMENTS: usize = 60;
/// Largest way of a scalar in one of them [m], [rad].
const FARTHEST: f64 = 0.5;
/// Time that the change of rows along a motion is taken over [s].
const LOOK: f64 = 1e-6;
/// Share of a motion that forces of joints may leave [-].
const BALANCED: f64 = 1e-6;

impl InverseDynamics {
    /// For coordinates of a model.
    ///
    /// # Errors
    /// [`InverseError::Model`] where it does not compile; [`InverseError::NotSimulated`] names a coordinate that is not there.
    pub fn new(model: &Model, coordinates: &[JointCoordinate]) -> Result<Self, InverseError> {
        Self::with_muscles(&without_muscles(model), coordinates)
    }

    /// The same with the muscles of the model as they are.
    pub(super) fn with_muscles(
        passive: &Model,
        coordinates: &[JointCoordinate],
    ) -> Result<Self, InverseError> {
        let compiled = passive.compile().map_err(|error| InverseError::Model(error.to_string()))?;
        let mut found = (Vec::new(), Vec::new());
        for of in coordinates {
            let named = || InverseError::NotSimulated(of.property_path(passive, "value"));
            let index = of.index(passive).ok_or_else(named)?;
            found.0.push(compiled.coordinate_term(of.joint, index).ok_or_else(named)?);
            found.1.push(compiled.coordinates_of(of.joint).ok_or_else(named)?.start + index);
        }
        let Some(multibody) = compiled.multibody() else {
            return Err(InverseError::Nothing("joints"));
        };
        let rows = DenseRows::new(&compiled, multibody, found);
        Ok(Self { compiled, rows })
    }

    fn multibody(&self) -> &Multibody {
        self.compiled.multibody().expect("checked when it was made")
    }

    /// The start of the model, to be placed.
    pub fn start(&self) -> State {
        let mut state = self.compiled.initial_state();
        self.multibody().update_coordinates(&state.q, &mut state.coordinates);
        state
    }

    /// Moves the bodies of a state to where the coordinates have their values and joints hold, and gives them the velocities
    /// of their rates.
    ///
    /// # Errors
    /// [`InverseError::Placement`] where no such place is found from the state as it is.
    pub fn place(&self, state: &mut State, motion: &JointMotion) -> Result<(), InverseError> {
        let (multibody, count) = (self.multibody(), self.rows.places.len());
        for numbers in [&motion.values, &motion.rates, &motion.accelerations] {
            if numbers.len() != count {
                return Err(InverseError::Coefficients { found: numbers.len(), expected: count });
            }
        }
        state.time = motion.time;
        let error = self.settle(state, &motion.values);
        if error.is_nan() || error >= NEARLY_PLACED {
            return Err(InverseError::Placement { time: motion.time, error });
        }
        let rates = self.row_rates(&motion.rates);
        let velocities = least_squares(self.rows.matrix(multibody, state), &rates);
        let none = InverseError::Placement { time: motion.time, error };
        state.u = self.rows.scatter(&velocities.ok_or(none)?, state.q.len());
        DenseRows::attachments(multibody, state).expand_velocity(&mut state.u);
        Ok(())
    }

    /// Moves bodies by Newton's method until joints hold and coordinates have these values; the error that is left.
    fn settle(&self, state: &mut State, values: &[f64]) -> f64 {
        let multibody = self.multibody();
        let mut error = f64::INFINITY;
        for _ in 0..PLACEMENTS {
            let errors = self.rows.errors(multibody, state, values);
            let before = error;
            error = errors.amax();
            if error < PLACED || (error < NEARLY_PLACED && error > 0.5 * before) {
                break;
            }
            let matrix = self.rows.matrix(multibody, state);
            let way = least_squares(matrix, &-errors).filter(|way| way.amax().is_finite());
            let Some(mut way) = way else { break };
            let farthest = way.amax();
            if farthest > FARTHEST {
                way *= FARTHEST / farthest;
            }
            let way = self.rows.scatter(&way, state.q.len());
            self.rows.move_by(multibody, state, &way);
        }
        error
    }

    /// Zeros for constraint rows, and numbers of the coordinates.
    fn row_rates(&self, of: &[f64]) -> DVector<f64> {
        let rows = self.multibody().joints.rows.count();
        DVector::from_iterator(
            rows + of.len(),
            std::iter::repeat_n(0.0, rows).chain(of.iter().copied()),
        )
    }

    /// Forces [N] and moments [N m] along the coordinates for a motion of a state that was [placed](Self::place).
    ///
    /// # Errors
    /// [`InverseError::Unbalanced`] where joints and coordinates cannot make the motion: a body that is free in a coordinate
    /// that was not given, a load on what no joint holds.
    pub fn moments(
        &self,
        state: &State,
        motion: &JointMotion,
        external: &[ExternalForce],
    ) -> Result<Vec<f64>, InverseError> {
        let multibody = self.multibody();
        let accelerations = self.accelerations(state, motion)?;
        let mut balance = self.forces(state, external)?;
        balance.iter_mut().for_each(|it| *it *= -1.0);
        for (row, a) in accelerations.iter().enumerate() {
            balance[row] += a * self.compiled.masses()[row];
        }
        let mut scale = f64::MIN_POSITIVE;
        for body in &multibody.bodies {
            let row = body.row as usize;
            let inertia = world_inertia(&body.inertia, &body.orientation(&state.q));
            let turning = state.u[row + 1];
            // The torque of the turn itself is on the side of the forces.
            balance[row + 1] +=
                inertia * accelerations[row + 1] - gyroscopic_torque(&inertia, &turning);
        }
        DenseRows::attachments(multibody, state).reduce_force(&mut balance);
        let balance = self.rows.gather(&balance);
        scale = scale.max(balance.amax());
        let matrix = self.rows.matrix(multibody, state).transpose();
        let unbalanced = |left: f64| InverseError::Unbalanced { time: motion.time, left };
        let found = least_squares(matrix.clone(), &balance).ok_or_else(|| unbalanced(scale))?;
        let left = (matrix * &found - balance).amax();
        match left <= BALANCED * scale {
            true => Ok(found.as_slice()[multibody.joints.rows.count()..].to_vec()),
            false => Err(unbalanced(left)),
        }
    }

    /// Accelerations of the block rows: of constraint rows none, of coordinates those given, less what rows that turn with
    /// the motion have of themselves.
    fn accelerations(
        &self,
        state: &State,
        motion: &JointMotion,
    ) -> Result<Vec<Vec3>, InverseError> {
        let multibody = self.multibody();
        let turned = |by: f64| {
            let mut moved = state.clone();
            let way: Vec<Vec3> = state.u.iter().map(|u| u * by).collect();
            self.rows.move_by(multibody, &mut moved, &way);
            self.rows.matrix(multibody, &moved) * self.rows.gather(&state.u)
        };
        let own = (turned(LOOK) - turned(-LOOK)) / (2.0 * LOOK);
        let right = self.row_rates(&motion.accelerations) - own;
        let found = least_squares(self.rows.matrix(multibody, state), &right);
        let error = f64::NAN;
        let found = found.ok_or(InverseError::Placement { time: motion.time, error })?;
        Ok(self.rows.scatter(&found, state.q.len()))
    }

    /// Forces of the model and from without, one a block row.
    fn forces(&self, state: &State, external: &[ExternalForce]) -> Result<Vec<Vec3>, InverseError> {
        let mut forces = vec![Vec3::zeros(); state.q.len()];
        // Muscles are out of action, and what else remembers is at rest.
        let motion = Motion { coordinates: &state.coordinates, ..Motion::at(&state.q, &state.u) };
        let load = LoadCase::at(state.time);
        let done = self.compiled.forces(load, motion, VelocityTerms::Included, &mut forces);
        done.map_err(|fault| InverseError::State(format!("{fault:?}")))?;
        for ExternalForce { body, force, point, moment } in external {
            let absent = || InverseError::NotSimulated("the body of an external force".to_owned());
            let row = self.compiled.body_rows(*body).ok_or_else(absent)?.row as usize;
            forces[row] += force;
            forces[row + 1] += moment + (point - state.q[row]).cross(force);
        }
        Ok(forces)
    }
}

/// The model with muscles and actuators out of action.
pub(super) fn without_muscles(model: &Model) -> Model {
    let mut passive = model.clone();
    let springs: Vec<_> = passive.iter::<AxialSpring>().map(|(handle, _)| handle).collect();
    for handle in springs {
        if passive[handle].material.is_muscle() {
            passive[handle].enabled = false;
        }
    }
    let lines: Vec<_> = passive.iter::<MultiPointSpring>().map(|(handle, _)| handle).collect();
    for handle in lines {
        if passive[handle].material.is_muscle() {
            passive[handle].enabled = false;
        }
    }
    let actuators: Vec<_> =
        passive.iter::<CoordinateActuator>().map(|(handle, _)| handle).collect();
    actuators.into_iter().for_each(|handle| passive[handle].enabled = false);
    passive
}
