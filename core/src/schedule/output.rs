//! Probes that record properties over time.

use super::callback::CallbackError;
use super::probes::KeptRows;
use super::{Simulation, SimulationError};
use crate::component::ComponentId;
use crate::kinds::{self, ProbeSampling};
use crate::property::{PropertyError, PropertyRef};
use crate::simulated::Simulated;

/// Target of recorded rows: a file, memory.
pub trait Sink: Send {
    /// Takes one row of values at `time` [s].
    ///
    /// # Errors
    /// What cannot be written; it ends the run.
    fn write(&mut self, time: f64, values: &[f64]) -> Result<(), CallbackError>;

    /// Everything so far is kept whatever happens later; where that ends, for [`Self::go_back`].
    ///
    /// # Errors
    /// What cannot be written.
    fn place(&mut self) -> Result<u64, CallbackError>;

    /// Drops all rows after `place`.
    ///
    /// # Errors
    /// What cannot be dropped.
    fn go_back(&mut self, place: u64) -> Result<(), CallbackError>;

    /// Completes the rows written so far; more may follow.
    ///
    /// # Errors
    /// What cannot be written.
    fn finish(&mut self) -> Result<(), CallbackError> {
        self.place().map(|_| ())
    }
}

/// Treatment of samples that do not fall on the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sampling {
    /// Linearly between the ends of two steps.
    #[default]
    Interpolate,
    /// The step is cut, to end at the sample.
    Cut,
}

/// Times of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleTimes {
    /// Between two samples [s]; 0 for every step.
    pub every: f64,
    /// First sample [s].
    pub start: f64,
    /// Last time at which one is taken [s].
    pub stop: f64,
    /// Treatment of samples between steps.
    pub sampling: Sampling,
}

impl SampleTimes {
    /// From the start on, for ever.
    pub fn every(every: f64) -> Self {
        Self { every, start: 0.0, stop: f64::INFINITY, sampling: Sampling::default() }
    }

    /// Those that a component says.
    pub fn of(probe: &kinds::OutputProbe) -> Self {
        let sampling = match probe.sampling {
            ProbeSampling::Interpolate => Sampling::Interpolate,
            ProbeSampling::Cut => Sampling::Cut,
        };
        let stop = probe.stop.unwrap_or(f64::INFINITY);
        Self { every: probe.every, start: probe.start, stop, sampling }
    }

    /// True if the samples in `step` [s] are so few that they can be taken.
    pub fn fit(&self, step: f64) -> bool {
        self.every <= 0.0 || step / self.every <= MOST_SAMPLES
    }

    /// Time of sample `index` [s].
    fn at(&self, index: u64) -> f64 {
        self.start + index as f64 * self.every
    }

    /// Number of the first sample after `time` [s].
    pub(super) fn next_after(&self, time: f64) -> u64 {
        if self.every <= 0.0 {
            return 0;
        }
        (((time - self.start) / self.every + ROUNDING).floor() + 1.0).max(0.0) as u64
    }

    /// The first sample after `time` [s] that a step is to end at.
    pub(super) fn next_cut(&self, time: f64) -> Option<f64> {
        if self.sampling != Sampling::Cut || self.every <= 0.0 {
            return None;
        }
        let next = self.at(self.next_after(time));
        (next <= self.stop).then_some(next)
    }
}

/// Most samples between two looks: more are a slip of the keyboard, and would not end.
const MOST_SAMPLES: f64 = 1e6;

/// Part of an interval by which a sample may come early: times are sums of rounded steps.
const ROUNDING: f64 = 1e-6;

/// Computes the recorded numbers from the values of properties at a time [s].
pub type Derive = Box<dyn FnMut(f64, &[f64], &mut [f64]) + Send>;

/// Records properties, or numbers computed from them, after steps.
pub struct OutputProbe {
    /// Stands in errors.
    pub name: String,
    /// True if it records.
    pub enabled: bool,
    /// The component that describes it.
    component: Option<ComponentId>,
    times: SampleTimes,
    properties: Vec<PropertyRef>,
    derive: Option<Derive>,
    sink: Box<dyn Sink>,
    /// Number of the next sample.
    next: u64,
    /// Time of the values `now`; none before the first look.
    seen: Option<f64>,
    raw: Vec<f64>,
    before: Vec<f64>,
    now: Vec<f64>,
    row: Vec<f64>,
    /// Rows for a curve; none where nobody looks.
    kept: Option<KeptRows>,
}

impl OutputProbe {
    /// Records the numbers of `properties` in a row.
    ///
    /// # Errors
    /// The first property that is not of a fixed count of numbers.
    pub fn new(
        name: impl Into<String>,
        times: SampleTimes,
        properties: Vec<PropertyRef>,
        sink: Box<dyn Sink>,
    ) -> Result<Self, PropertyRef> {
        let mut count = 0;
        for property in &properties {
            count += property.info().value_type.numeric_size().ok_or(*property)?;
        }
        let zeros = || vec![0.0; count];
        Ok(Self {
            name: name.into(),
            enabled: true,
            component: None,
            times,
            properties,
            derive: None,
            sink,
            next: 0,
            seen: None,
            raw: zeros(),
            before: zeros(),
            now: zeros(),
            row: zeros(),
            kept: None,
        })
    }

    /// Records `count` values that `derive` makes of time and numbers of the properties.
    pub fn deriving(mut self, count: usize, derive: Derive) -> Self {
        self.derive = Some(derive);
        for values in [&mut self.before, &mut self.now, &mut self.row] {
            values.resize(count, 0.0);
        }
        self
    }

    /// The component that it was made of; `None` where it was added by code.
    pub fn component(&self) -> Option<ComponentId> {
        self.component
    }

    pub(super) fn set_component(&mut self, id: ComponentId) {
        self.component = Some(id);
    }

    /// Properties that it reads.
    pub fn properties(&self) -> &[PropertyRef] {
        &self.properties
    }

    /// Times of its samples.
    pub fn times(&self) -> &SampleTimes {
        &self.times
    }

    /// Number of values of a row, the time not counted.
    pub fn size(&self) -> usize {
        self.now.len()
    }

    /// Keeps some of its rows in memory too, for a curve.
    pub fn keeping_rows(mut self) -> Self {
        self.kept = Some(KeptRows::new(self.size()));
        self
    }

    pub(super) fn kept_rows(&self) -> Option<&KeptRows> {
        self.kept.as_ref()
    }

    /// Other times of samples from now on.
    pub(super) fn retime(&mut self, times: SampleTimes) {
        self.times = times;
        self.next = self.seen.map_or(0, |seen| times.next_after(seen));
    }

    /// Completes its recording.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn finish(&mut self) -> Result<(), CallbackError> {
        self.sink.finish()
    }

    /// Before the first step: the start may be a sample.
    pub(super) fn begin(&mut self, simulation: &mut Simulation) -> Result<(), SimulationError> {
        if self.seen.is_some() || !self.enabled {
            return Ok(());
        }
        let time = simulation.time();
        if time > self.times.start && self.times.every > 0.0 {
            let passed = (time - self.times.start) / self.times.every - ROUNDING;
            // Beyond what is counted none is due, as `write` finds.
            self.next = passed.ceil().max(0.0) as u64;
        }
        self.observe(simulation, f64::INFINITY)
    }

    /// After a step: all samples that it passed. Where neither it nor the next one, which is no longer than
    /// `longest` [s], comes to a sample, there is nothing to look at.
    pub(super) fn observe(
        &mut self,
        simulation: &mut Simulation,
        longest: f64,
    ) -> Result<(), SimulationError> {
        let time = simulation.time();
        let model = simulation.model();
        if !self.enabled || !self.properties.iter().all(|it| model.has_property(it)) {
            // Switched on again, or with what was deleted back, it begins anew.
            self.seen = None;
            return Ok(());
        }
        if time > self.times.stop && self.is_over() {
            return Ok(());
        }
        let SampleTimes { every, .. } = self.times;
        if every > 0.0 && self.times.at(self.next) > time + longest + ROUNDING * every {
            return Ok(());
        }
        std::mem::swap(&mut self.before, &mut self.now);
        let named = |name: &String, source| {
            let name = name.clone();
            SimulationError::Callback { name, time, source }
        };
        let read = self.read(simulation)?;
        read.map_err(|source| named(&self.name, Box::new(source)))?;
        let written = self.write(time);
        self.seen = Some(time);
        written.map_err(|source| named(&self.name, source))
    }

    /// True if all samples were taken.
    fn is_over(&self) -> bool {
        let SampleTimes { every, stop, .. } = self.times;
        every <= 0.0 || self.times.at(self.next) > stop + ROUNDING * every
    }

    fn read(
        &mut self,
        simulation: &mut Simulation,
    ) -> Result<Result<(), PropertyError>, SimulationError> {
        simulation.state()?;
        let view = simulation.simulated_for(&self.properties);
        let target = if self.derive.is_some() { &mut self.raw } else { &mut self.now };
        let read = read_numbers(&view, &self.properties, target);
        if let Some(derive) = &mut self.derive {
            derive(view.state.time, &self.raw, &mut self.now);
        }
        Ok(read)
    }

    /// Writes the samples between the last look and `time` [s].
    fn write(&mut self, time: f64) -> Result<(), CallbackError> {
        let SampleTimes { every, start, stop, .. } = self.times;
        if every <= 0.0 {
            return if time >= start && time <= stop { self.put(time, false) } else { Ok(()) };
        }
        let slack = ROUNDING * every;
        let due = (time.min(stop) - self.times.at(self.next)) / every;
        if due > MOST_SAMPLES {
            return Err(format!(
                "{due:.1e} samples are due at once, one every {every} s from {start} s on, and at most \
                 {MOST_SAMPLES:.0e} are taken: sample less often, 0 for after every step"
            )
            .into());
        }
        while self.times.at(self.next) <= time + slack && self.times.at(self.next) <= stop + slack {
            let at = self.times.at(self.next);
            match self.seen {
                Some(seen) if at < time - slack => {
                    let share = ((at - seen) / (time - seen)).clamp(0.0, 1.0);
                    let pairs = self.before.iter().zip(&self.now);
                    let between = pairs.map(|(a, b)| a + share * (b - a));
                    self.row.iter_mut().zip(between).for_each(|(row, x)| *row = x);
                    self.put(at, true)?;
                }
                _ => self.put(at, false)?,
            }
            self.next += 1;
        }
        Ok(())
    }

    /// Writes a row: that between two looks, or that of now.
    fn put(&mut self, time: f64, between: bool) -> Result<(), CallbackError> {
        let row = if between { &self.row } else { &self.now };
        if let Some(kept) = &mut self.kept {
            kept.push(time, row);
        }
        self.sink.write(time, row)
    }

    /// Number of the next sample, place of the sink, time and values of the last look.
    pub(super) fn save(&mut self) -> Result<Vec<f64>, CallbackError> {
        let place = self.sink.place()?;
        let seen = self.seen.unwrap_or(f64::NEG_INFINITY);
        let mut numbers = vec![self.next as f64, place as f64, seen];
        numbers.extend(&self.now);
        Ok(numbers)
    }

    pub(super) fn restore(&mut self, numbers: &[f64]) -> Result<(), CallbackError> {
        let &[next, place, seen, ref now @ ..] = numbers else {
            return Err("its place is not that of an output probe".into());
        };
        if now.len() != self.now.len() {
            return Err(format!("it records {} values, not {}", self.now.len(), now.len()).into());
        }
        self.now.copy_from_slice(now);
        self.next = next as u64;
        self.seen = seen.is_finite().then_some(seen);
        if let Some(kept) = &mut self.kept {
            // The row of that time, which may come as early as it is looked for, is before the place.
            kept.cut(seen.next_up() + 2.0 * ROUNDING * self.times.every);
        }
        self.sink.go_back(place as u64)
    }
}

/// The numbers of `properties` in a row.
fn read_numbers(
    view: &Simulated<'_>,
    properties: &[PropertyRef],
    numbers: &mut [f64],
) -> Result<(), PropertyError> {
    let mut from = 0;
    for property in properties {
        let size = property.info().value_type.numeric_size().unwrap_or(0);
        view.get_numbers(property, &mut numbers[from..from + size])?;
        from += size;
    }
    Ok(())
}
