//! The measurement: set-up, some steps, medians.

use std::time::{Duration, Instant};

use serde::Serialize;
use sinew::backend::{Backend, Description, KernelTime};
use sinew::linalg::BlockPattern;
use sinew::system::{MechSystem, PhaseTimes, StepError, StepStats};

use crate::compute::{Chosen, Kind};
use crate::exit::CliError;
use crate::numbers::milliseconds;

/// Length of every step [s].
const STEP: f64 = 0.01;
/// Share of a step below which it is not halved again, where it fails as a whole.
const LEAST_SHARE: f64 = 1.0 / 256.0;
/// Steps after which a model falls anew: 0.2 s, as long as other programs are run.
const STEPS_OF_A_FALL: u32 = 20;
/// Wall time that a device is kept busy before it is timed: its clock rises only then.
const WARM_UP: Duration = Duration::from_millis(500);
/// Steps whose kernels are timed one by one, which makes them slower.
const PROFILED_STEPS: u32 = 3;

/// Subject of a measurement.
pub(super) struct Subject {
    /// Name of the scene.
    pub(super) name: String,
    /// Nodes of all tissues.
    pub(super) nodes: usize,
    /// Elements of all tissues.
    pub(super) elements: usize,
    /// Instances that step at once.
    pub(super) instances: u16,
}

/// Figures of a measurement. The fields are the keys of a line of `--json`, in this order.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Figures {
    /// Name of the scene with its size.
    pub(super) scene: String,
    /// Nodes.
    pub(super) nodes: usize,
    /// Elements.
    pub(super) elements: usize,
    /// Free velocity components.
    pub(super) dofs: usize,
    /// Instances of the model that step at once.
    pub(super) instances: u16,
    /// `cpu` or `gpu`.
    pub(super) backend: Kind,
    /// Name of the processor or of the device.
    pub(super) device: String,
    /// Threads of the CPU.
    pub(super) threads: usize,
    /// `direct`, `hybrid` or `cg`.
    pub(super) solver: &'static str,
    /// `jacobi` or `multigrid`; null without conjugate gradients.
    pub(super) preconditioner: Option<&'static str>,
    /// Steps timed.
    pub(super) steps: usize,
    /// Wall time of making the backend [ms].
    pub(super) setup_ms: f64,
    /// Wall time of the first step [ms].
    pub(super) first_step_ms: f64,
    /// Median wall time of the steps after it, of all instances together [ms].
    pub(super) step_ms: f64,
    /// Median of each phase [ms].
    pub(super) phases_ms: Phases,
    /// Parts in which steps are made, mean a step: more than 1 where the whole fails.
    pub(super) parts: f64,
    /// Iterations of conjugate gradients, mean a step.
    pub(super) iterations: f64,
    /// Corrections by a residual in 64 bits, mean a step.
    pub(super) corrections: f64,
    /// Largest true relative residual of a step [-].
    pub(super) residual: f64,
    /// Bytes sent to the device, mean a step.
    pub(super) bytes_up: f64,
    /// Bytes read back, mean a step.
    pub(super) bytes_down: f64,
    /// Measured copy bandwidth of the device or of the processor [GB/s].
    pub(super) copy_gb_s: Option<f64>,
    /// Part of it that the kernels of a step reach together, or the products with the matrix that a
    /// solve on the processor under block-Jacobi makes; null where it is not known.
    pub(super) of_copy: Option<f64>,
    /// The kernels of a device.
    pub(super) kernels: Vec<Kernel>,
}

/// Medians of the phases of a step [ms].
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Phases {
    pub(super) forces: f64,
    pub(super) assembly: f64,
    pub(super) factor: f64,
    pub(super) solve: f64,
}

/// One kernel, mean over the profiled steps.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Kernel {
    name: String,
    /// Calls a step.
    calls: f64,
    /// Time a step [ms].
    ms: f64,
    gb_s: f64,
    gflop_s: f64,
}

/// One timed step.
struct Sample {
    time: Duration,
    stats: StepStats,
    /// Parts that it was made in.
    parts: usize,
}

/// Samples of the clock and reports of the backend.
struct Samples {
    setup: Duration,
    first: Duration,
    taken: Vec<Sample>,
    kernels: Vec<KernelTime>,
    /// Copy bandwidth [bytes/s].
    copy: Option<f64>,
}

/// Times `steps` steps of what `make` makes, beside the copy bandwidth of the CPU [bytes/s].
///
/// # Errors
/// A backend that cannot be made, a step that fails.
pub(super) fn measure(
    subject: &Subject,
    make: impl FnOnce() -> Result<Chosen, CliError>,
    steps: u32,
    cpu_copy: f64,
) -> Result<Figures, CliError> {
    let begun = Instant::now();
    let mut chosen = make()?;
    let setup = begun.elapsed();
    let mut stepper = Stepper { backend: chosen.backend.as_mut(), halves: subject.instances == 1 };
    let first = stepper.timed_step()?.time;
    if chosen.kind == Kind::Gpu {
        let begun = Instant::now();
        stepper.falling(|_| begun.elapsed() < WARM_UP)?;
    }
    let taken = stepper.falling(|k| k < steps)?;
    let (kernels, copy) = match chosen.kind {
        Kind::Cpu => (Vec::new(), Some(cpu_copy)),
        Kind::Gpu => (stepper.profile()?, stepper.backend.copy_bandwidth()),
    };
    Ok(figures(subject, &chosen, &Samples { setup, first, taken, kernels, copy }))
}

/// Rate at which the products of a solve under block-Jacobi read the matrix [bytes/s]: so many iterations a step
/// in the time of its solve [ms]. `None` under others, which read more than that.
fn product_rate(chosen: &Chosen, iterations: f64, solve_ms: f64) -> Option<f64> {
    let is_bare = chosen.backend.description().preconditioner == Some("jacobi");
    let bytes = || product_bytes(chosen.backend.system().pattern()) as f64;
    is_bare.then(|| iterations * bytes() / (1e-3 * solve_ms))
}

fn figures(subject: &Subject, chosen: &Chosen, samples: &Samples) -> Figures {
    let Description { solver, preconditioner } = chosen.backend.description();
    let taken = &samples.taken;
    let of_steps = |value: fn(&StepStats) -> f64| taken.iter().map(move |it| value(&it.stats));
    let mean = |value| of_steps(value).sum::<f64>() / taken.len() as f64;
    let phases_ms = phases(taken);
    let iterations = mean(|s| s.cg_iterations as f64);
    let rate = match chosen.kind {
        Kind::Cpu => product_rate(chosen, iterations, phases_ms.solve),
        Kind::Gpu => kernel_rate(&samples.kernels),
    };
    Figures {
        scene: subject.name.clone(),
        nodes: subject.nodes,
        elements: subject.elements,
        dofs: chosen.backend.system().dof_count(),
        instances: subject.instances,
        backend: chosen.kind,
        device: chosen.device(),
        threads: rayon::current_num_threads(),
        solver,
        preconditioner,
        steps: taken.len(),
        setup_ms: milliseconds(samples.setup),
        first_step_ms: milliseconds(samples.first),
        step_ms: median(taken.iter().map(|it| milliseconds(it.time)).collect()),
        phases_ms,
        parts: taken.iter().map(|it| it.parts as f64).sum::<f64>() / taken.len() as f64,
        iterations,
        corrections: mean(|s| s.corrections as f64),
        residual: of_steps(|s| s.residual).fold(0.0, f64::max),
        bytes_up: mean(|s| s.bytes_up as f64),
        bytes_down: mean(|s| s.bytes_down as f64),
        copy_gb_s: samples.copy.map(|bytes| 1e-9 * bytes),
        of_copy: rate.zip(samples.copy).map(|(rate, copy)| rate / copy),
        kernels: samples.kernels.iter().map(Kernel::of).collect(),
    }
}

fn phases(taken: &[Sample]) -> Phases {
    let phase = |of: fn(&PhaseTimes) -> Duration| {
        median(taken.iter().map(|it| milliseconds(of(&it.stats.phases))).collect())
    };
    Phases {
        forces: phase(|p| p.forces),
        assembly: phase(|p| p.assembly),
        factor: phase(|p| p.factor),
        solve: phase(|p| p.solve),
    }
}

impl Kernel {
    fn of(time: &KernelTime) -> Self {
        let KernelTime { name, calls, seconds, bytes, flops } = time;
        let steps = f64::from(PROFILED_STEPS);
        Self {
            name: name.clone(),
            calls: *calls as f64 / steps,
            ms: 1e3 * seconds / steps,
            gb_s: 1e-9 * *bytes as f64 / seconds,
            gflop_s: 1e-9 * *flops as f64 / seconds,
        }
    }
}

/// A backend that is stepped as a run steps it.
struct Stepper<'a> {
    backend: &'a mut dyn Backend,
    /// True if a step that fails as a whole is made in halves: several instances step together or not at all.
    halves: bool,
}

impl Stepper<'_> {
    /// A step of `h` [s] and the parts that it was made in.
    fn step(&mut self, h: f64) -> Result<(StepStats, usize), StepError> {
        let error = match self.backend.step(h) {
            Ok(stats) => return Ok((stats, 1)),
            Err(error) => error,
        };
        if !(self.halves && error.may_pass() && h > STEP * LEAST_SHARE) {
            return Err(error);
        }
        let (first, before) = self.step(0.5 * h)?;
        let (mut stats, after) = self.step(0.5 * h)?;
        stats.add_part(&first);
        Ok((stats, before + after))
    }

    fn timed_step(&mut self) -> Result<Sample, StepError> {
        let begun = Instant::now();
        let (stats, parts) = self.step(STEP)?;
        Ok(Sample { time: begun.elapsed(), stats, parts })
    }

    /// Steps of a model that falls again and again, from the start on, for as long as `goes_on` says of their number.
    fn falling(&mut self, goes_on: impl Fn(u32) -> bool) -> Result<Vec<Sample>, StepError> {
        let start = self.backend.system().initial_state();
        let mut taken = Vec::new();
        for k in (0..).take_while(|&k| goes_on(k)) {
            if k % STEPS_OF_A_FALL == 0 {
                self.backend.write_state(&start)?;
            }
            taken.push(self.timed_step()?);
        }
        Ok(taken)
    }

    /// The kernels of some more steps; sums since the start, in which nothing was timed before.
    fn profile(&mut self) -> Result<Vec<KernelTime>, StepError> {
        self.backend.set_profiling(true);
        for _ in 0..PROFILED_STEPS {
            self.step(STEP)?;
        }
        self.backend.set_profiling(false);
        Ok(self.backend.kernel_times())
    }
}

/// Bytes that all kernels move in a second of their own time; `None` without kernels.
fn kernel_rate(kernels: &[KernelTime]) -> Option<f64> {
    let seconds: f64 = kernels.iter().map(|k| k.seconds).sum();
    let bytes: u64 = kernels.iter().map(|k| k.bytes).sum();
    (seconds > 0.0).then(|| bytes as f64 / seconds)
}

/// Bytes that a product with a matrix on `pattern` moves at least: 9 scalars and a column index a
/// block, a row start, and the two vectors once.
fn product_bytes(pattern: &BlockPattern) -> usize {
    76 * pattern.block_count() + 52 * pattern.size()
}

/// Middle value; the mean of the middle two for an even count.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let count = values.len();
    0.5 * (values[(count - 1) / 2] + values[count / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_of_the_sorted_values() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![8.0, 1.0, 2.0, 4.0]), 3.0);
    }

    #[test]
    fn kernels_reach_their_bytes_over_their_time_together() {
        let kernel = |seconds, bytes| KernelTime { seconds, bytes, ..KernelTime::default() };
        assert_eq!(kernel_rate(&[kernel(1.0, 10), kernel(3.0, 30)]), Some(10.0));
        assert_eq!(kernel_rate(&[]), None);
    }
}
