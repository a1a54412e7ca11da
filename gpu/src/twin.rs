//! The executor that runs the twins of the kernels on the CPU: for tests, and to find a kernel that a
//! driver gets wrong.

use std::collections::BTreeMap;
use std::time::Instant;

use sinew::backend::KernelTime;
use sinew_shaders::cpu::{Call, Real};
use sinew_shaders::machine::{ElementTwins, Machine};
use sinew_shaders::program::{BufferId, Command, Dispatch, ListId, Program};

use crate::GpuError;
use crate::executor::{Executor, ReadPart, ReadTicket};
use crate::profile::Times;

/// For programs without kernels over elements.
#[derive(Clone, Copy, Debug)]
pub struct NoElements;

impl<T: Real> ElementTwins<T> for NoElements {
    fn run(&self, dispatch: &Dispatch, _call: Call<'_, '_, T>) {
        panic!("the program has no elements, but calls '{}'", dispatch.kernel.name);
    }
}

/// Runs a program on the twins, with `real` = T.
pub struct TwinExecutor<T> {
    machine: Machine<T>,
    elements: Box<dyn ElementTwins<T>>,
    reads: BTreeMap<u64, Vec<Vec<u8>>>,
    next: u64,
    profiling: bool,
    times: Times,
    up: u64,
    down: u64,
}

impl<T: Real> TwinExecutor<T> {
    /// Takes a program, and what runs its kernels over elements.
    ///
    /// # Panics
    /// When the precision of the program is not that of `T`, or it has several instances.
    pub fn new(program: Program, elements: Box<dyn ElementTwins<T>>) -> Self {
        assert_eq!(program.instances, 1, "twins run one instance");
        Self {
            machine: Machine::new(program),
            elements,
            reads: BTreeMap::new(),
            next: 0,
            profiling: false,
            times: Times::default(),
            up: 0,
            down: 0,
        }
    }

    /// Runs one command.
    pub(crate) fn execute(&mut self, command: &Command) {
        let start = Instant::now();
        self.machine.execute(command, &*self.elements);
        if let (true, Command::Dispatch(dispatch)) = (self.profiling, command) {
            self.times.add(dispatch.kernel.name, start.elapsed().as_secs_f64(), dispatch.cost);
        }
    }

    /// The memory.
    pub(crate) fn machine_mut(&mut self) -> &mut Machine<T> {
        &mut self.machine
    }
}

impl<T: Real> Executor for TwinExecutor<T> {
    fn program(&self) -> &Program {
        self.machine.program()
    }

    fn submit(&mut self, runs: &[(ListId, u32)]) -> Result<(), GpuError> {
        for &(list, count) in runs {
            let commands = self.program().lists[list.0 as usize].clone();
            for _ in 0..count {
                commands.iter().for_each(|command| self.execute(command));
            }
        }
        Ok(())
    }

    fn choose(&mut self, instances: &[u32]) {
        assert_eq!(instances, [0], "twins run one instance");
    }

    fn write(&mut self, id: BufferId, offset: u64, bytes: &[u8]) {
        self.up += bytes.len() as u64;
        let start = offset as usize;
        self.machine.bytes_mut(id)[start..start + bytes.len()].copy_from_slice(bytes);
    }

    fn read_into(&mut self, id: BufferId, into: &mut Vec<u8>) -> Result<(), GpuError> {
        into.clear();
        into.extend_from_slice(self.machine.bytes(id));
        self.down += into.len() as u64;
        Ok(())
    }

    fn start_read_parts(&mut self, parts: &[ReadPart]) -> Result<ReadTicket, GpuError> {
        let part = |(id, bytes): &ReadPart| {
            self.machine.bytes(*id)[bytes.start as usize..bytes.end as usize].to_vec()
        };
        let parts: Vec<_> = parts.iter().map(part).collect();
        self.down += parts.iter().map(|part| part.len() as u64).sum::<u64>();
        self.reads.insert(self.next, parts);
        self.next += 1;
        Ok(ReadTicket(self.next - 1))
    }

    fn try_finish_read(&mut self, ticket: ReadTicket) -> Result<Option<Vec<Vec<u8>>>, GpuError> {
        self.finish_read(ticket).map(Some)
    }

    fn finish_read(&mut self, ticket: ReadTicket) -> Result<Vec<Vec<u8>>, GpuError> {
        let parts = self.reads.remove(&ticket.0);
        Ok(parts.unwrap_or_else(|| panic!("read {} was finished before", ticket.0)))
    }

    fn set_profiling(&mut self, on: bool) -> bool {
        self.profiling = on;
        true
    }

    fn kernel_times(&self) -> Vec<KernelTime> {
        self.times.sums()
    }

    fn traffic(&self) -> (u64, u64) {
        (self.up, self.down)
    }
}
