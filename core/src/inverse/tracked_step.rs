//! Results of a controlled step: what was found for it, and where it ended.

use super::{InverseError, MotionTarget, TrackingLog, TrackingRecord};
use crate::schedule::Simulation;

/// Desired, found and reached numbers of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackedStep {
    /// Desired numbers and excitations; its time is that of the end of the step.
    pub record: TrackingRecord,
    /// Numbers of all targets in a row at the end of the step [m], [rad], [N].
    pub reached: Vec<f64>,
    /// Distance of each target from the desired one [m], [rad], [N].
    pub distances: Vec<f64>,
}

impl TrackedStep {
    /// The step that a simulation took last, by the log of its controller; `None` where nothing was found for the step as a
    /// whole, as it was taken in parts.
    ///
    /// # Errors
    /// As [`MotionTarget::now`].
    pub fn latest(
        simulation: &mut Simulation,
        targets: &[MotionTarget],
        log: &TrackingLog,
    ) -> Result<Option<Self>, InverseError> {
        let mut record = match log.lock() {
            Ok(record) => record.clone(),
            Err(poisoned) => poisoned.into_inner().clone(),
        };
        if record.desired.len() != targets.iter().map(MotionTarget::size).sum::<usize>() {
            return Ok(None);
        }
        record.time = simulation.time();
        simulation.state().map_err(|error| InverseError::State(error.to_string()))?;
        let (mut reached, mut distances, mut first) = (Vec::new(), Vec::new(), 0);
        for target in targets {
            let wanted = &record.desired[first..first + target.size()];
            first += target.size();
            let now = target.now(simulation)?;
            distances.push(target.distance(&now, wanted));
            reached.extend_from_slice(&now);
        }
        Ok(Some(Self { record, reached, distances }))
    }
}
