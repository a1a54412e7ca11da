//! Muscles in the balance of joints: their moments about coordinates, those of a tension of 1 N along each line, and the
//! tensions that they have at rest and at full activation.

use nalgebra::DMatrix;

use super::dynamics::{InverseDynamics, JointMotion, without_muscles};
use crate::axial::AxialLaw;
use crate::axial::active::ConstantMuscle;
use crate::component::{ComponentId, Kind};
use crate::inverse::InverseError;
use crate::model::{AxialSpring, JointCoordinate, Model, MultiPointSpring};
use crate::system::{CompiledModel, State};

/// Moments of lines about coordinates. Each is that of the model with a tension of 1 N along the line, less that without.
pub struct MuscleMoments {
    without: InverseDynamics,
    with: Vec<InverseDynamics>,
}

impl MuscleMoments {
    /// Of springs and muscles, point to point or through several points, about coordinates.
    ///
    /// # Errors
    /// As [`InverseDynamics::new`]; [`InverseError::Excitation`] for what is no line.
    pub fn new(
        model: &Model,
        lines: &[ComponentId],
        coordinates: &[JointCoordinate],
    ) -> Result<Self, InverseError> {
        let without = InverseDynamics::new(model, coordinates)?;
        let passive = without_muscles(model);
        let mut with = Vec::new();
        for &line in lines {
            let mut tense = passive.clone();
            // An excitation of 1 N that is no muscle's: a law with a constant tension.
            let law =
                AxialLaw::ConstantMuscle(ConstantMuscle { max_force: 1.0, ..Default::default() });
            pull(&mut tense, line, law)
                .ok_or_else(|| InverseError::Excitation(model.path(line)))?;
            with.push(InverseDynamics::with_muscles(&tense, coordinates)?);
        }
        Ok(Self { without, with })
    }

    /// The matrix of moments, one row a coordinate and one column a line [m], [N m / N], in a state that was
    /// [placed](InverseDynamics::place) for the motion.
    ///
    /// # Errors
    /// As [`InverseDynamics::moments`].
    pub fn matrix(
        &self,
        state: &State,
        motion: &JointMotion,
    ) -> Result<DMatrix<f64>, InverseError> {
        let without = self.without.moments(state, motion, &[])?;
        let mut matrix = DMatrix::zeros(without.len(), self.with.len());
        for (k, with) in self.with.iter().enumerate() {
            for (row, moment) in with.moments(state, motion, &[])?.iter().enumerate() {
                matrix[(row, k)] = without[row] - moment;
            }
        }
        Ok(matrix)
    }
}

/// Tensions of muscles without activation and at a full one, elastic tendons in balance with the fibres at rest.
pub struct MuscleTensions {
    lines: Vec<ComponentId>,
    passive: CompiledModel,
    active: CompiledModel,
}

impl MuscleTensions {
    /// True for what has a tension along a line: springs and muscles, point to point or through several points.
    pub fn is_line(component: ComponentId) -> bool {
        matches!(component.kind(), Kind::AxialSpring | Kind::MultiPointSpring)
    }

    /// Of muscles of a model.
    ///
    /// # Errors
    /// [`InverseError::Model`] where it does not compile; [`InverseError::Excitation`] for what is no line.
    pub fn new(model: &Model, lines: &[ComponentId]) -> Result<Self, InverseError> {
        let excited = |excitation: f64| -> Result<CompiledModel, InverseError> {
            let mut excited = model.clone();
            for &line in lines {
                excite(&mut excited, line, excitation)
                    .ok_or_else(|| InverseError::Excitation(model.path(line)))?;
            }
            excited.compile().map_err(|error| InverseError::Model(error.to_string()))
        };
        Ok(Self { lines: lines.to_vec(), passive: excited(0.0)?, active: excited(1.0)? })
    }

    /// Tension of each muscle without activation and at a full one [N], where a state is and moves that was
    /// [placed](InverseDynamics::place).
    pub fn at(&self, state: &State) -> Vec<[f64; 2]> {
        let [low, high] = [&self.passive, &self.active].map(|compiled| {
            let mut state = state.clone();
            compiled.rest_memory(&mut state);
            let tension = |line: &ComponentId| tension(compiled, *line, &state);
            self.lines.iter().map(tension).collect::<Vec<f64>>()
        });
        low.into_iter().zip(high).map(|(low, high)| [low, high]).collect()
    }
}

/// Tension of a line [N]; none where it takes no part.
fn tension(compiled: &CompiledModel, line: ComponentId, state: &State) -> f64 {
    compiled.stretch_along(line, state).map_or(0.0, |[_, _, tension, _]| tension)
}

/// Has one line pull by a law; `None` for what is none.
fn pull(model: &mut Model, line: ComponentId, law: AxialLaw) -> Option<()> {
    excite(model, line, 1.0)?;
    match line.kind() {
        Kind::AxialSpring => model[line.typed::<AxialSpring>()?].material = law,
        Kind::MultiPointSpring => model[line.typed::<MultiPointSpring>()?].material = law,
        _ => return None,
    }
    Some(())
}

/// Gives one line an excitation that acts without delay; `None` for what is none.
fn excite(model: &mut Model, line: ComponentId, excitation: f64) -> Option<()> {
    match line.kind() {
        Kind::AxialSpring => {
            let line = &mut model[line.typed::<AxialSpring>()?];
            (line.enabled, line.excitation) = (true, excitation);
            line.activation = Default::default();
            line.material.forget_start();
        }
        Kind::MultiPointSpring => {
            let line = &mut model[line.typed::<MultiPointSpring>()?];
            (line.enabled, line.excitation) = (true, excitation);
            line.activation = Default::default();
            line.material.forget_start();
        }
        _ => return None,
    }
    Some(())
}
