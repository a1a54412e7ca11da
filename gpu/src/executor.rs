//! Executors of programs: a device, or the twins. The host sees buffers by id, and bytes.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use sinew::backend::KernelTime;
use sinew_shaders::kernel::Scalar;
use sinew_shaders::program::{BufferId, ListId, Program};
use sinew_shaders::source::Precision;

use crate::GpuError;

/// Some bytes of a buffer: their ends are multiples of 4.
pub type ReadPart = (BufferId, Range<u64>);

/// Runs the lists of one program, whose buffers it owns.
///
/// Everything happens in the order of the calls. What a write or a list cannot report at once, a
/// later call does.
pub trait Executor: Send {
    /// The program. What its buffers held at the start has been dropped.
    fn program(&self) -> &Program;

    /// Starts lists, one after another, each as often as it says, and does not wait for them.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    fn submit(&mut self, runs: &[(ListId, u32)]) -> Result<(), GpuError>;

    /// Has lists that are submitted from here on work for these instances of the program alone, in place of all of them.
    ///
    /// # Panics
    /// When the program has no such instance.
    fn choose(&mut self, instances: &[u32]);

    /// Overwrites a part of a buffer from byte `offset` on, before the next submission.
    ///
    /// # Panics
    /// When `offset` or the number of bytes is no multiple of 4, or the buffer is shorter.
    fn write(&mut self, id: BufferId, offset: u64, bytes: &[u8]);

    /// Waits for all that was submitted and copies a buffer into `into`, whose old content goes.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    fn read_into(&mut self, id: BufferId, into: &mut Vec<u8>) -> Result<(), GpuError>;

    /// Starts to copy buffers as the work submitted so far leaves them; work submitted later goes
    /// on meanwhile. Several small buffers cost one wait together instead of one each.
    ///
    /// # Errors
    /// [`GpuError::Lost`], [`GpuError::TooLarge`] when there is no room for the copy.
    fn start_read(&mut self, ids: &[BufferId]) -> Result<ReadTicket, GpuError> {
        let whole: Vec<_> = ids.iter().map(|&id| (id, 0..self.program().bytes(id))).collect();
        self.start_read_parts(&whole)
    }

    /// The same for parts of buffers.
    ///
    /// # Errors
    /// As [`Self::start_read`].
    fn start_read_parts(&mut self, parts: &[ReadPart]) -> Result<ReadTicket, GpuError>;

    /// Result of a started read, a vector for each buffer; `None` while it is under way. After that
    /// the ticket is worth nothing.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    ///
    /// # Panics
    /// When the ticket has been used.
    fn try_finish_read(&mut self, ticket: ReadTicket) -> Result<Option<Vec<Vec<u8>>>, GpuError>;

    /// The same, and waits.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    ///
    /// # Panics
    /// When the ticket has been used.
    fn finish_read(&mut self, ticket: ReadTicket) -> Result<Vec<Vec<u8>>, GpuError>;

    /// From here on, kernels are timed or not. Timed submissions are waited for. False when the device
    /// cannot tell times.
    fn set_profiling(&mut self, on: bool) -> bool;

    /// Sums over all timed calls, by name of the kernel; bytes and operations are those of the table of
    /// kernels, times run from the end of the work before.
    fn kernel_times(&self) -> Vec<KernelTime>;

    /// Bytes written to and read from buffers since the start, the first filling and the times of
    /// kernels not counted.
    fn traffic(&self) -> (u64, u64);

    /// Waits for all that was submitted and returns a buffer.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    fn read(&mut self, id: BufferId) -> Result<Vec<u8>, GpuError> {
        let mut bytes = Vec::new();
        self.read_into(id, &mut bytes)?;
        Ok(bytes)
    }

    /// The same, its entries widened.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    fn read_numbers(&mut self, id: BufferId) -> Result<Vec<f64>, GpuError> {
        let bytes = self.read(id)?;
        Ok(numbers(&bytes, self.program().buffer(id).scalar, self.program().precision))
    }
}

/// An executor with several owners: who computes with it, and the backend that asks it for its counts.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<Box<dyn Executor>>>);

impl Shared {
    pub(crate) fn new(executor: Box<dyn Executor>) -> Self {
        Self(Arc::new(Mutex::new(executor)))
    }

    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut dyn Executor) -> R) -> R {
        // A panic elsewhere has not left an executor half-made: its calls are whole.
        work(&mut **self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn traffic(&self) -> (u64, u64) {
        self.with(|executor| executor.traffic())
    }

    pub(crate) fn set_profiling(&self, on: bool) {
        self.with(|executor| executor.set_profiling(on));
    }

    pub(crate) fn kernel_times(&self) -> Vec<KernelTime> {
        self.with(|executor| executor.kernel_times())
    }
}

/// A read that has been started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReadTicket(pub(crate) u64);

/// The entries of a buffer as f64, which holds all of them exactly.
pub fn numbers(bytes: &[u8], scalar: Scalar, precision: Precision) -> Vec<f64> {
    let four = || bytes.as_chunks::<4>().0.iter().copied();
    match (scalar, scalar.bytes(precision)) {
        (Scalar::Word, _) => four().map(|b| f64::from(u32::from_le_bytes(b))).collect(),
        (_, 4) => four().map(|b| f64::from(f32::from_le_bytes(b))).collect(),
        _ => bytes.as_chunks::<8>().0.iter().map(|&b| f64::from_le_bytes(b)).collect(),
    }
}

/// Entries of type `real` as the bytes of a buffer.
pub fn real_bytes(values: &[f64], precision: Precision) -> Vec<u8> {
    match precision {
        Precision::Single => values.iter().flat_map(|&x| (x as f32).to_le_bytes()).collect(),
        Precision::Double => values.iter().flat_map(|&x| x.to_le_bytes()).collect(),
    }
}
