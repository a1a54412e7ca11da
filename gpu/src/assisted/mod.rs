//! The backend for models beyond the device: forces, matrix and rows are computed on the CPU in f64,
//! linear systems are solved on the device and corrected by residuals in f64. The matrix crosses
//! the bus in each solve. For bodies, joints and contact, Newton iterations and statics, and on
//! devices without 64-bit arithmetic.

mod corrector;

use std::sync::Arc;

use sinew::Vec3;
use sinew::backend::{Backend, Description, KernelTime, Precision};
use sinew::solve::{MechSystemSolver, Preconditioning, SolverSettings, StopFlag};
use sinew::system::{CompiledModel, MechSystem, State, StepError, StepStats};

use crate::contact::{DeviceFinder, Touching};
use crate::executor::Shared;
use crate::step::{Options, takes_multigrid};
use crate::{Gpu, GpuError};
use corrector::DeviceCorrector;

/// A model that the CPU steps with the help of a device.
pub struct AssistedBackend {
    name: String,
    gpu: Option<Gpu>,
    system: Arc<CompiledModel>,
    solver: MechSystemSolver,
    preconditioning: Preconditioning,
    shared: Shared,
    /// Finds candidates for contact between large surfaces.
    finder: Option<DeviceFinder>,
    state: State,
    /// The state that a read found, until it is fetched.
    read: Option<State>,
}

impl AssistedBackend {
    /// A model whose linear systems a device solves.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] for an integrator without linear systems, [`GpuError::TooLarge`].
    pub fn new(
        gpu: &Gpu,
        system: Arc<CompiledModel>,
        settings: SolverSettings,
    ) -> Result<Self, GpuError> {
        Self::with_options(gpu, &Options::of_device(gpu), system, settings)
    }

    /// The same with these options.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_options(
        gpu: &Gpu,
        options: &Options,
        system: Arc<CompiledModel>,
        settings: SolverSettings,
    ) -> Result<Self, GpuError> {
        let (corrector, shared) = DeviceCorrector::on_device(gpu, options, &system, &settings)?;
        let adapter = gpu.adapter();
        let name = format!("{} ({}), forces on the CPU", adapter.name, adapter.backend);
        let finder = finder_of(&system, |of, q| DeviceFinder::on_device(gpu, options, of, q))?;
        let backend = Self::with_corrector(system, settings, (Box::new(corrector), shared))?;
        Ok(Self { name, gpu: Some(gpu.clone()), ..backend.with_finder(finder) })
    }

    /// The same on the twins of the kernels: slow, and on every machine.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn on_twins(
        options: &Options,
        system: Arc<CompiledModel>,
        settings: SolverSettings,
    ) -> Result<Self, GpuError> {
        let (corrector, shared) = DeviceCorrector::on_twins(options, &system, &settings)?;
        let finder = finder_of(&system, |of, q| DeviceFinder::on_twins(options, of, q))?;
        let backend = Self::with_corrector(system, settings, (Box::new(corrector), shared))?;
        Ok(backend.with_finder(finder))
    }

    fn with_finder(mut self, finder: Option<DeviceFinder>) -> Self {
        if let Some(finder) = &finder {
            self.solver.set_finder(Box::new(finder.clone()));
        }
        self.finder = finder;
        self
    }

    /// Bytes written to and read from the device since the start.
    fn traffic(&self) -> (u64, u64) {
        let (up, down) = self.shared.traffic();
        let found = self.finder.as_ref().map_or((0, 0), DeviceFinder::traffic);
        (up + found.0, down + found.1)
    }

    fn with_corrector(
        system: Arc<CompiledModel>,
        settings: SolverSettings,
        (corrector, shared): (Box<DeviceCorrector>, Shared),
    ) -> Result<Self, GpuError> {
        if settings.integrator.is_explicit() {
            let parts = vec!["explicit steps of bodies and the like, which solve nothing".into()];
            return Err(GpuError::Unsupported { parts });
        }
        let preconditioning = match takes_multigrid(settings.preconditioner, &system) {
            true => Preconditioning::Multigrid,
            false => Preconditioning::BlockJacobi,
        };
        let solver =
            MechSystemSolver::with_corrector(&*system, settings, (corrector, preconditioning));
        let solver =
            solver.map_err(|error| GpuError::Unsupported { parts: vec![error.to_string()] })?;
        Ok(Self {
            name: "twins of the kernels, forces on the CPU".to_owned(),
            gpu: None,
            preconditioning,
            solver,
            state: system.initial_state(),
            read: None,
            shared,
            finder: None,
            system,
        })
    }
}

impl Backend for AssistedBackend {
    fn name(&self) -> String {
        self.name.clone()
    }

    /// Forces, matrix and residuals are the CPU's.
    fn precision(&self) -> Precision {
        Precision::F64
    }

    fn description(&self) -> Description {
        let preconditioner = match self.preconditioning {
            Preconditioning::Multigrid => "multigrid",
            Preconditioning::Auto | Preconditioning::BlockJacobi => "jacobi",
        };
        Description { solver: "cg", preconditioner: Some(preconditioner) }
    }

    fn system(&self) -> &CompiledModel {
        &self.system
    }

    fn time(&self) -> f64 {
        self.state.time
    }

    fn stop_on(&mut self, flag: StopFlag) {
        self.solver.stop_on(flag);
    }

    fn step(&mut self, h: f64) -> Result<StepStats, StepError> {
        let before = self.traffic();
        let mut stats = self.solver.step(&*self.system, &mut self.state, h)?;
        let after = self.traffic();
        (stats.bytes_up, stats.bytes_down) = (after.0 - before.0, after.1 - before.1);
        stats.matrix_blocks = self.system.pattern().block_count();
        Ok(stats)
    }

    fn read_state(&mut self, state: &mut State) -> Result<(), StepError> {
        state.clone_from(&self.state);
        Ok(())
    }

    fn start_read(&mut self) -> Result<(), StepError> {
        self.read = Some(self.state.clone());
        Ok(())
    }

    fn finish_read(&mut self, state: &mut State) -> Result<bool, StepError> {
        let read = self.read.take();
        Ok(read.map(|read| *state = read).is_some())
    }

    fn write_state(&mut self, state: &State) -> Result<(), StepError> {
        let rows = self.system.block_count();
        assert_eq!([state.q.len(), state.u.len()], [rows; 2], "rows of the state");
        self.state.clone_from(state);
        Ok(())
    }

    fn update_system(&mut self, change: &mut dyn FnMut(&mut CompiledModel)) -> bool {
        Arc::get_mut(&mut self.system).map(change).is_some()
    }

    fn forget(&mut self) {
        self.solver.forget();
    }

    fn set_profiling(&mut self, on: bool) {
        self.shared.set_profiling(on);
        self.finder.iter().for_each(|finder| finder.set_profiling(on));
    }

    fn kernel_times(&self) -> Vec<KernelTime> {
        let mut times = self.shared.kernel_times();
        times.extend(self.finder.iter().flat_map(DeviceFinder::kernel_times));
        times
    }

    fn copy_bandwidth(&mut self) -> Option<f64> {
        self.gpu.as_ref()?.copy_bandwidth().ok()
    }
}

/// Finder that `make` makes for a system whose parts may touch, where they are at the start.
fn finder_of(
    system: &CompiledModel,
    make: impl FnOnce(Touching<'_>, &[Vec3]) -> Result<Option<DeviceFinder>, GpuError>,
) -> Result<Option<DeviceFinder>, GpuError> {
    match system.multibody() {
        Some(multibody) => {
            let contacts = &multibody.contacts;
            let of = Touching {
                colliders: &contacts.colliders,
                points: &contacts.points,
                surfaces: &contacts.surfaces,
                pairs: &contacts.pairs,
            };
            make(of, &system.initial_state().q)
        }
        None => Ok(None),
    }
}
