//! Moments of muscles about coordinates: those of a tension of 1 N along each line, by the forces of the model.

use nalgebra::DMatrix;

use super::dynamics::{InverseDynamics, JointMotion, without_muscles};
use crate::axial::AxialLaw;
use crate::axial::active::ConstantMuscle;
use crate::component::{ComponentId, Kind};
use crate::inverse::InverseError;
use crate::model::{AxialSpring, JointCoordinate, Model, MultiPointSpring};
use crate::system::State;

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

/// Has one line pull by a law; `None` for what is none.
fn pull(model: &mut Model, line: ComponentId, law: AxialLaw) -> Option<()> {
    match line.kind() {
        Kind::AxialSpring => {
            let line = &mut model[line.typed::<AxialSpring>()?];
            (line.material, line.enabled, line.excitation) = (law, true, 1.0);
            line.activation = Default::default();
        }
        Kind::MultiPointSpring => {
            let line = &mut model[line.typed::<MultiPointSpring>()?];
            (line.material, line.enabled, line.excitation) = (law, true, 1.0);
            line.activation = Default::default();
        }
        _ => return None,
    }
    Some(())
}
