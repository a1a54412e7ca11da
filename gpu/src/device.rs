//! The executor on a device: buffers, bind groups and pipelines are made once; a submission encodes
//! lists that stand ready.

use bytemuck::cast_slice;
use sinew::backend::KernelTime;
use sinew_shaders::program::{BufferId, Data, ListId, Program};

use crate::commands::{Commands, Ready};
use crate::encode::Encoding;
use crate::executor::{Executor, ReadPart, ReadTicket, real_bytes};
use crate::instances::Chosen;
use crate::limits::{self, LEAST};
use crate::pipelines::{Pipelines, Source};
use crate::profile::{Clock, Recorder, Times};
use crate::readback::Readback;
use crate::{Gpu, GpuError};

/// First contents go up in pieces of this many entries, so that the memory they pass through stays
/// small.
const CHUNK: usize = 1 << 22;

/// The device starts after so many commands, while the rest is encoded. Encoding takes 3 µs a command, so that a device
/// waits 0.2 ms at most. On an H200 a step of 11 ms took 0.2 ms less with 64 than with 256, and 0.8 ms more with all.
const AT_ONCE: usize = 64;

/// The same for the bytes that they move at least. Drivers stop a device that does not answer for two seconds, within
/// which a slow one (50 GB/s, and half of it reached) moves ten times as much.
const BYTES_AT_ONCE: u64 = 5_000_000_000;

/// Size of a submission so far.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    commands: usize,
    bytes: u64,
}

impl Load {
    /// Takes one more command; true when the submission is to end with it.
    fn add(&mut self, ready: &Ready) -> bool {
        self.take(match ready {
            Ready::Call(call) => call.cost.bytes,
            // Smaller than a call's.
            Ready::Clear(_) | Ready::Copy(..) => 0,
        })
    }

    fn take(&mut self, bytes: u64) -> bool {
        self.commands += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        let full = self.commands >= AT_ONCE || self.bytes >= BYTES_AT_ONCE;
        if full {
            *self = Self::default();
        }
        full
    }
}

/// Runs a program on a device.
#[derive(Debug)]
pub struct DeviceExecutor {
    gpu: Gpu,
    program: Program,
    buffers: Vec<wgpu::Buffer>,
    pipelines: Pipelines,
    commands: Commands,
    chosen: Chosen,
    readback: Readback,
    /// Clock of the kernels; `None` while they are not timed.
    clock: Option<Clock>,
    times: Times,
    up: u64,
    down: u64,
}

impl DeviceExecutor {
    /// Makes the buffers of `program` and fills them, and compiles its kernels.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`], [`GpuError::Unsupported`], [`GpuError::Shader`], [`GpuError::Lost`].
    pub fn new(gpu: &Gpu, program: Program) -> Result<Self, GpuError> {
        Self::with(gpu, program, None)
    }

    /// The same with other texts of kernels: for tests that break them.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_source(gpu: &Gpu, program: Program, source: Source<'_>) -> Result<Self, GpuError> {
        Self::with(gpu, program, Some(source))
    }

    fn with(gpu: &Gpu, mut program: Program, source: Option<Source<'_>>) -> Result<Self, GpuError> {
        gpu.check()?;
        limits::check(&program, gpu)?;
        let pipelines = Pipelines::new(gpu, &program, source)?;
        let buffers = make_buffers(gpu, &mut program)?;
        let commands = Commands::new(gpu, &program, &buffers, &pipelines)?;
        let chosen = Chosen::new(gpu, &program)?;
        gpu.queue().submit([]);
        gpu.check()?;
        Ok(Self {
            gpu: gpu.clone(),
            program,
            buffers,
            pipelines,
            commands,
            chosen,
            readback: Readback::default(),
            clock: None,
            times: Times::default(),
            up: 0,
            down: 0,
        })
    }

    /// As [`Executor::submit`], without the first `skip` commands.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub(crate) fn submit_after(
        &mut self,
        runs: &[(ListId, u32)],
        skip: usize,
    ) -> Result<(), GpuError> {
        self.gpu.check()?;
        let gpu = &self.gpu;
        let made = (&self.pipelines, &self.commands);
        let new = || Encoding::new(gpu, &self.buffers, made, &self.chosen, self.clock);
        let (mut encoding, mut load) = (new(), Load::default());
        for ready in flat(&self.commands, runs).skip(skip) {
            encoding.add(ready);
            if load.add(ready) && self.clock.is_none() {
                gpu.queue().submit([encoding.finish()?.0]);
                encoding = new();
            }
        }
        let (commands, timed) = encoding.finish()?;
        gpu.queue().submit([commands]);
        if let Some((recorder, buffer)) = timed {
            self.take_times(&recorder, &buffer)?;
        }
        self.gpu.check()
    }

    fn take_times(&mut self, recorder: &Recorder, buffer: &wgpu::Buffer) -> Result<(), GpuError> {
        let ticket = self.readback.start(&self.gpu, &[(buffer, 0..buffer.size())])?;
        let period = f64::from(self.gpu.queue().get_timestamp_period()) * 1e-9;
        let times = &mut self.times;
        self.readback.finish(&self.gpu, &ticket, &mut |_, bytes| {
            let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(bytes);
            recorder.finish(&ticks, period, times);
        })
    }
}

/// The commands of lists, one after another.
fn flat<'a>(
    commands: &'a Commands,
    runs: &'a [(ListId, u32)],
) -> impl Iterator<Item = &'a Ready> + use<'a> {
    let repeated = runs.iter().flat_map(|&(list, count)| (0..count).map(move |_| list));
    repeated.flat_map(|list| &commands.lists[list.0 as usize])
}

/// Makes and fills the buffers; their contents leave the program.
fn make_buffers(gpu: &Gpu, program: &mut Program) -> Result<Vec<wgpu::Buffer>, GpuError> {
    let usage =
        wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let mut buffers = Vec::with_capacity(program.buffers.len());
    for k in 0..program.buffers.len() {
        let bytes = program.bytes(BufferId(k as u32)).max(LEAST);
        let buffer = gpu.buffer(&program.buffers[k].name, bytes, usage)?;
        if let Some(data) = program.buffers[k].contents.take() {
            fill(gpu, program, &buffer, &data)?;
        }
        buffers.push(buffer);
    }
    Ok(buffers)
}

fn fill(gpu: &Gpu, program: &Program, buffer: &wgpu::Buffer, data: &Data) -> Result<(), GpuError> {
    let size = data.scalar().bytes(program.precision);
    for start in (0..data.len()).step_by(CHUNK) {
        let range = start..data.len().min(start + CHUNK);
        let offset = start as u64 * size;
        let write = |bytes: &[u8]| gpu.queue().write_buffer(buffer, offset, bytes);
        match data {
            Data::Words(v) => write(cast_slice(&v[range.clone()])),
            Data::Floats(v) => write(cast_slice(&v[range.clone()])),
            Data::Reals(v) => write(&real_bytes(&v[range.clone()], program.precision)),
        }
        if range.end < data.len() {
            // The memory of this piece is free before the next takes its own.
            let submission = gpu.queue().submit([]);
            gpu.wait(&submission)?;
        }
    }
    gpu.check()
}

impl Executor for DeviceExecutor {
    fn program(&self) -> &Program {
        &self.program
    }

    fn submit(&mut self, runs: &[(ListId, u32)]) -> Result<(), GpuError> {
        self.submit_after(runs, 0)
    }

    fn choose(&mut self, instances: &[u32]) {
        self.chosen.choose(&self.gpu, instances);
    }

    fn write(&mut self, id: BufferId, offset: u64, bytes: &[u8]) {
        let length = self.program.bytes(id);
        let (name, end) = (&self.program.buffer(id).name, offset + bytes.len() as u64);
        assert!(end <= length, "a write to {name} ends at byte {end} of {length}");
        assert!(
            offset.is_multiple_of(4) && bytes.len().is_multiple_of(4),
            "a write to {name} cuts a word"
        );
        self.up += bytes.len() as u64;
        // Of a lost device nothing can be written; the next submission says so.
        if self.gpu.check().is_ok() {
            self.gpu.queue().write_buffer(&self.buffers[id.0 as usize], offset, bytes);
        }
    }

    fn read_into(&mut self, id: BufferId, into: &mut Vec<u8>) -> Result<(), GpuError> {
        let ticket = self.start_read(&[id])?;
        self.readback.finish(&self.gpu, &ticket, &mut |_, bytes| {
            into.clear();
            into.extend_from_slice(bytes);
        })
    }

    fn start_read_parts(&mut self, parts: &[ReadPart]) -> Result<ReadTicket, GpuError> {
        self.gpu.check()?;
        let of = |(id, bytes): &ReadPart| (&self.buffers[id.0 as usize], bytes.clone());
        let sources: Vec<_> = parts.iter().map(of).collect();
        let started = self.readback.start(&self.gpu, &sources);
        self.down += parts.iter().map(|(_, bytes)| bytes.end - bytes.start).sum::<u64>();
        started
    }

    fn try_finish_read(&mut self, ticket: ReadTicket) -> Result<Option<Vec<Vec<u8>>>, GpuError> {
        let mut parts = Vec::new();
        let take = &mut |_, bytes: &[u8]| parts.push(bytes.to_vec());
        let arrived = self.readback.try_finish(&self.gpu, &ticket, take)?;
        Ok(arrived.then_some(parts))
    }

    fn finish_read(&mut self, ticket: ReadTicket) -> Result<Vec<Vec<u8>>, GpuError> {
        let mut parts = Vec::new();
        let take = &mut |_, bytes: &[u8]| parts.push(bytes.to_vec());
        self.readback.finish(&self.gpu, &ticket, take)?;
        Ok(parts)
    }

    fn set_profiling(&mut self, on: bool) -> bool {
        self.clock = if on { Clock::of(&self.gpu) } else { None };
        !on || self.clock.is_some()
    }

    fn kernel_times(&self) -> Vec<KernelTime> {
        self.times.sums()
    }

    fn traffic(&self) -> (u64, u64) {
        (self.up, self.down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Commands of each submission whose commands move so many bytes.
    fn submissions(bytes: impl Iterator<Item = u64>) -> Vec<usize> {
        let (mut load, mut counts) = (Load::default(), vec![0]);
        for bytes in bytes {
            counts.iter_mut().next_back().into_iter().for_each(|count| *count += 1);
            if load.take(bytes) {
                counts.push(0);
            }
        }
        counts
    }

    #[test]
    fn a_submission_ends_before_a_slow_device_is_taken_for_a_dead_one() {
        // 10 M rows of 14 blocks: a product moves 6.5 GB.
        assert_eq!(submissions([6_500_000_000; 3].into_iter()), [1, 1, 1, 0]);
        assert_eq!(submissions([1_000_000_000; 12].into_iter()), [5, 5, 2]);
        assert_eq!(submissions([1_000; 150].into_iter()), [64, 64, 22]);
    }
}
