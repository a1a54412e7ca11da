//! Settings of a scheduler.

use super::ScheduleError;

/// Settings of a scheduler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SchedulerSettings {
    /// Length of a step [s]; steps end at its multiples, and at events in between.
    pub step: f64,
    /// A step that fails is halved until its parts would be shorter than this [s].
    pub smallest_step: f64,
    /// Simulated over wall time that a run is held to [-]; `None` for as fast as it goes.
    pub pace: Option<f64>,
}

impl SchedulerSettings {
    /// Steps of `step` [s], halved eight times at most: a step that fails at a 256th is not mended
    /// by shorter ones in any of the test models.
    pub fn with_step(step: f64) -> Self {
        Self { step, smallest_step: step / 256.0, pace: None }
    }

    pub(super) fn check(&self) -> Result<(), ScheduleError> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let paced = self.pace.is_none_or(positive);
        if positive(self.step) && positive(self.smallest_step) && paced {
            Ok(())
        } else {
            Err(ScheduleError::Settings(*self))
        }
    }
}
