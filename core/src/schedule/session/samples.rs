//! Numbers of properties after every step, for plots: none is left out between two looks of a
//! window.

use crate::component::Seen;
use crate::schedule::{Simulation, SimulationError};
use crate::snapshot::{Followed, Readings};

/// Numbers that are kept for a window that takes none: 32 MiB. Beyond, every second sample goes.
const MOST: usize = 1 << 22;

/// Numbers of the same properties at several times.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Time of each sample [s]: it falls where a run was taken back.
    pub times: Vec<f64>,
    /// Paths of the properties, and where the numbers of each are in a sample; `numbers` holds all samples,
    /// one after the other.
    pub readings: Readings,
}

impl Samples {
    /// Numbers of a sample.
    pub fn width(&self) -> usize {
        self.readings.offsets.last().map_or(0, |&end| end as usize)
    }

    fn thin(&mut self) {
        let width = self.width();
        let kept = (0..self.times.len()).step_by(2);
        let (mut times, mut numbers) = (Vec::new(), Vec::new());
        for k in kept {
            times.push(self.times[k]);
            numbers.extend_from_slice(&self.readings.numbers[k * width..(k + 1) * width]);
        }
        (self.times, self.readings.numbers) = (times, numbers);
    }
}

/// Takes samples of the properties that a window plots.
#[derive(Default)]
pub(super) struct Recorder {
    pub(super) paths: Vec<String>,
    followed: Followed,
    /// Structure and changes of the model that the paths were resolved in.
    seen: Option<(u64, Seen)>,
}

impl Recorder {
    /// Adds where `simulation` is to `samples`.
    ///
    /// # Errors
    /// A model that was edited and cannot be compiled; a device that is lost.
    pub(super) fn record(
        &mut self,
        simulation: &mut Simulation,
        samples: &mut Vec<Samples>,
    ) -> Result<(), SimulationError> {
        if self.paths.is_empty() {
            return Ok(());
        }
        simulation.synchronize()?;
        simulation.state()?;
        let now = (simulation.structure(), simulation.model().changes().now());
        if self.seen.replace(now) != Some(now) {
            self.followed.forget();
        }
        self.followed.resolve(simulation.model(), &self.paths);
        let simulated = simulation.simulated_for(self.followed.properties());
        if samples.last().is_none_or(|last| *last.readings.paths != self.paths) {
            let mut fresh = Samples::default();
            self.followed.describe(&mut fresh.readings);
            samples.push(fresh);
        }
        let Some(last) = samples.last_mut() else { return Ok(()) };
        if last.readings.numbers.len() >= MOST {
            last.thin();
        }
        last.times.push(simulated.state.time);
        let numbers = &mut last.readings.numbers;
        let begin = numbers.len();
        numbers.resize(begin + self.followed.number_count(), f64::NAN);
        self.followed.read(simulated, &mut numbers[begin..]);
        Ok(())
    }
}
