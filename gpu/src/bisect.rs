//! An executor for finding the kernel that goes wrong on a device: it runs the calls before the
//! first one of a given kernel on the twins, and the rest on the device.

use std::collections::BTreeSet;

use sinew::backend::KernelTime;
use sinew_shaders::cpu::Real;
use sinew_shaders::kernel::Access;
use sinew_shaders::machine::ElementTwins;
use sinew_shaders::program::{BufferId, Command, ListId, Program};
use sinew_shaders::table::kernel;

use crate::device::DeviceExecutor;
use crate::executor::{Executor, ReadPart, ReadTicket};
use crate::twin::TwinExecutor;
use crate::{Gpu, GpuError};

/// The variable of the environment that names the kernel.
const VARIABLE: &str = "FORCE_GPU_FROM";

/// The executor of `program` on a device, or, when `FORCE_GPU_FROM` names a kernel, one that leaves the
/// device only what comes from its first call on in each submission.
///
/// # Errors
/// As [`DeviceExecutor::new`]; [`GpuError::Setting`] when there is no such kernel.
pub fn open_executor<T: Real + 'static>(
    gpu: &Gpu,
    program: Program,
    elements: impl FnOnce() -> Box<dyn ElementTwins<T>>,
) -> Result<Box<dyn Executor>, GpuError> {
    match std::env::var(VARIABLE).ok().filter(|name| !name.is_empty()) {
        None => Ok(Box::new(DeviceExecutor::new(gpu, program)?)),
        Some(from) => Ok(Box::new(BisectExecutor::new(gpu, program, elements(), &from)?)),
    }
}

/// Runs a program partly on the twins.
pub struct BisectExecutor<T> {
    device: DeviceExecutor,
    twin: TwinExecutor<T>,
    from: &'static str,
}

impl<T: Real> BisectExecutor<T> {
    /// Takes a program, and the kernel `from` whose first call in each submission is the first that the
    /// device runs. A submission without it runs wholly on the twins.
    ///
    /// # Errors
    /// As [`DeviceExecutor::new`]; [`GpuError::Setting`] when there is no such kernel.
    pub fn new(
        gpu: &Gpu,
        program: Program,
        elements: Box<dyn ElementTwins<T>>,
        from: &str,
    ) -> Result<Self, GpuError> {
        let called = |command: &Command| match command {
            Command::Dispatch(dispatch) => {
                (dispatch.kernel.name == from).then_some(dispatch.kernel)
            }
            _ => None,
        };
        let listed = program.lists.iter().flatten().find_map(called).or_else(|| kernel(from));
        let Some(kernel) = listed else {
            let (value, wanted) = (from.to_owned(), "the name of a kernel (cargo xtask dump-wgsl)");
            return Err(GpuError::Setting { name: VARIABLE, value, wanted });
        };
        let mut own = program.clone();
        own.buffers.iter_mut().for_each(|spec| spec.contents = None);
        let device = DeviceExecutor::new(gpu, program)?;
        Ok(Self { device, twin: TwinExecutor::new(own, elements), from: kernel.name })
    }

    /// The commands that the twins run.
    fn before(&self, runs: &[(ListId, u32)]) -> Vec<Command> {
        let lists = &self.twin.program().lists;
        let repeated = runs.iter().flat_map(|&(list, count)| (0..count).map(move |_| list));
        let starts = |command: &&Command| match command {
            Command::Dispatch(dispatch) => dispatch.kernel.name == self.from,
            _ => false,
        };
        let all = repeated.flat_map(|list| &lists[list.0 as usize]);
        all.take_while(|command| !starts(command)).cloned().collect()
    }
}

/// The buffers that commands touch, and those among them that they change.
fn touched(commands: &[Command]) -> (BTreeSet<BufferId>, BTreeSet<BufferId>) {
    let (mut all, mut changed) = (BTreeSet::new(), BTreeSet::new());
    for command in commands {
        match command {
            Command::Clear(id) => changed.extend([*id]),
            Command::Copy { from, to } => {
                all.insert(*from);
                changed.insert(*to);
            }
            Command::Dispatch(dispatch) => {
                for (binding, &id) in dispatch.kernel.bindings[1..].iter().zip(&dispatch.bindings) {
                    all.insert(id);
                    if binding.access != Access::Read {
                        changed.insert(id);
                    }
                }
            }
        }
    }
    all.extend(&changed);
    (all, changed)
}

impl<T: Real> Executor for BisectExecutor<T> {
    fn program(&self) -> &Program {
        self.device.program()
    }

    fn submit(&mut self, runs: &[(ListId, u32)]) -> Result<(), GpuError> {
        let before = self.before(runs);
        let (all, changed) = touched(&before);
        for &id in &all {
            let bytes = self.device.read(id)?;
            self.twin.machine_mut().bytes_mut(id).copy_from_slice(&bytes);
        }
        before.iter().for_each(|command| self.twin.execute(command));
        for &id in &changed {
            let bytes = self.twin.read(id)?;
            self.device.write(id, 0, &bytes);
        }
        self.device.submit_after(runs, before.len())
    }

    fn choose(&mut self, instances: &[u32]) {
        self.device.choose(instances);
    }

    fn write(&mut self, id: BufferId, offset: u64, bytes: &[u8]) {
        self.device.write(id, offset, bytes);
    }

    fn read_into(&mut self, id: BufferId, into: &mut Vec<u8>) -> Result<(), GpuError> {
        self.device.read_into(id, into)
    }

    fn start_read_parts(&mut self, parts: &[ReadPart]) -> Result<ReadTicket, GpuError> {
        self.device.start_read_parts(parts)
    }

    fn try_finish_read(&mut self, ticket: ReadTicket) -> Result<Option<Vec<Vec<u8>>>, GpuError> {
        self.device.try_finish_read(ticket)
    }

    fn finish_read(&mut self, ticket: ReadTicket) -> Result<Vec<Vec<u8>>, GpuError> {
        self.device.finish_read(ticket)
    }

    fn set_profiling(&mut self, on: bool) -> bool {
        self.device.set_profiling(on)
    }

    fn kernel_times(&self) -> Vec<KernelTime> {
        self.device.kernel_times()
    }

    fn traffic(&self) -> (u64, u64) {
        self.device.traffic()
    }
}
