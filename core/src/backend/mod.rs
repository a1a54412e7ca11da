//! Backends, which advance a compiled model: the trait [`Backend`], the CPU behind it, and the
//! suite of checks that every backend passes ([`conformance`]). Backends on devices live in crates
//! of their own.

pub mod conformance;
mod cpu;

pub(crate) use cpu::CopySystem;
pub use cpu::CpuBackend;

use crate::solve::{MechSystemSolver, StopFlag};
use crate::system::{CompiledModel, State, StepError, StepStats};

/// Solver of one compiled model: the CPU, or a device that keeps the state.
///
/// A new backend stands at [`CompiledModel::initial_state`]. What it computes depends on the model,
/// the settings, the states written to it and the steps taken, bit by bit, and on nothing else. A run may
/// go on in another thread than the one that began it.
pub trait Backend: Send {
    /// Name of the device that computes, for reports: "cpu, 2 threads", "NVIDIA H100 PCIe
    /// (vulkan)".
    fn name(&self) -> String;

    /// Precision of forces and residuals.
    fn precision(&self) -> Precision;

    /// Method for the linear systems.
    fn description(&self) -> Description;

    /// The compiled model that it steps.
    fn system(&self) -> &CompiledModel;

    /// Simulated time [s].
    fn time(&self) -> f64;

    /// Advances the state by `h` [s].
    ///
    /// # Errors
    /// [`StepError`]; the state is then the one before the step.
    fn step(&mut self, h: f64) -> Result<StepStats, StepError>;

    /// The same step by `solver`, which has linearized it; `None`, and nothing done, by a backend that steps elsewhere or by
    /// other settings.
    fn step_by(
        &mut self,
        solver: &mut MechSystemSolver,
        h: f64,
    ) -> Option<Result<StepStats, StepError>> {
        let _ = (solver, h);
        None
    }

    /// Copies the state into `state`, from the device where it is kept on one.
    ///
    /// # Errors
    /// [`StepError::Device`] when the device is lost; `state` is then of no use.
    ///
    /// # Panics
    /// When `state` is not of the size of the model.
    fn read_state(&mut self, state: &mut State) -> Result<(), StepError>;

    /// Starts to copy the state of now, for a frame or a probe; steps may be taken meanwhile. A second
    /// call before [`Self::finish_read`] replaces the first.
    ///
    /// # Errors
    /// [`StepError::Device`] when the device is lost.
    fn start_read(&mut self) -> Result<(), StepError> {
        Ok(())
    }

    /// Copies the state that [`Self::start_read`] found into `state`; waits where it is still under
    /// way. False, and nothing copied, when no read was started, or by a backend that cannot read
    /// beside its steps.
    ///
    /// # Errors
    /// As [`Self::read_state`].
    fn finish_read(&mut self, state: &mut State) -> Result<bool, StepError> {
        let _ = state;
        Ok(false)
    }

    /// Goes on from `state`, at its time.
    ///
    /// # Errors
    /// [`StepError::Device`] when the device is lost.
    ///
    /// # Panics
    /// When `state` is not of the size of the model.
    fn write_state(&mut self, state: &State) -> Result<(), StepError>;

    /// Lets `change` put other numbers (stiffness, loads, masses) into the stepped model, whose
    /// rows and pattern stay. False by a backend that shares the model, or whose copies elsewhere do not fit the new numbers,
    /// called or not: a new one is to be made then.
    fn update_system(&mut self, change: &mut dyn FnMut(&mut CompiledModel)) -> bool {
        let _ = change;
        false
    }

    /// True if states within a step are exact enough for events to be localized in it.
    fn localizes_events(&self) -> bool {
        false
    }

    /// Drops all memory from step to step, so that the next step depends on the state alone.
    fn forget(&mut self);

    /// Ends steps that go on for long after `flag` was set ([`StepError::Stopped`]). A device ends its step first.
    fn stop_on(&mut self, flag: StopFlag) {
        let _ = flag;
    }

    /// True if time is taken kernel by kernel from here on, for [`Self::kernel_times`].
    fn set_profiling(&mut self, on: bool) {
        let _ = on;
    }

    /// Sums over all calls of each kernel since the start; empty where none are timed.
    fn kernel_times(&self) -> Vec<KernelTime> {
        Vec::new()
    }

    /// Bytes read and written in a second by a copy of a large buffer, measured now [bytes/s];
    /// `None` where a backend has no measurement of its own.
    fn copy_bandwidth(&mut self) -> Option<f64> {
        None
    }
}

/// Backends that wait for each other in every step, so that a device takes the steps of all of them at once.
pub trait Company: Send + Sync {
    /// These instances run from here on: none of them steps before all of them ask for a step, or have left.
    fn enter(&self, instances: &[usize]);

    /// An instance waits for nobody any more, and nobody for it.
    fn leave(&self, instance: usize);
}

/// Bits of forces and of the residuals of solves; they decide the tolerances that a backend is held
/// to. A matrix may have fewer bits, as the residual corrects what they leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 64.
    F64,
    /// 32.
    F32,
}

/// Description of the linear solver of a backend, in the words of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// `direct`, `hybrid`, `cg`, or `none` where no system is solved.
    pub solver: &'static str,
    /// `jacobi` or `multigrid`; `None` without conjugate gradients.
    pub preconditioner: Option<&'static str>,
}

/// Sums over all calls of one kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelTime {
    /// Its name.
    pub name: String,
    /// Number of its calls.
    pub calls: u64,
    /// Time on the device [s].
    pub seconds: f64,
    /// Bytes read and written, by its table.
    pub bytes: u64,
    /// Floating-point operations, by its table.
    pub flops: u64,
}
