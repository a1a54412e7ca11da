//! Times of kernels, by the device's own clock.

use std::collections::BTreeMap;

use sinew::backend::KernelTime;
use sinew_shaders::kernel::Cost;

use crate::commands::Call;
use crate::{Gpu, GpuError};

/// Most queries of a set, by WebGPU.
const QUERIES: u32 = wgpu::QUERY_SET_MAX_QUERIES;

/// Points at which a device can take the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Between the calls of a pass.
    Calls,
    /// At the ends of a pass: each call has one of its own.
    Passes,
}

impl Clock {
    /// That of a device; `None` when it tells no times.
    pub(crate) fn of(gpu: &Gpu) -> Option<Self> {
        let features = gpu.device().features();
        if features.contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES) {
            Some(Self::Calls)
        } else {
            features.contains(wgpu::Features::TIMESTAMP_QUERY).then_some(Self::Passes)
        }
    }
}

/// Sums by kernel.
#[derive(Debug, Default)]
pub(crate) struct Times(BTreeMap<&'static str, KernelTime>);

impl Times {
    /// Adds one call.
    pub(crate) fn add(&mut self, name: &'static str, seconds: f64, cost: Cost) {
        let sum = self
            .0
            .entry(name)
            .or_insert_with(|| KernelTime { name: name.to_owned(), ..KernelTime::default() });
        sum.calls += 1;
        sum.seconds += seconds;
        sum.bytes += cost.bytes;
        sum.flops += cost.flops;
    }

    /// The sums, by name.
    pub(crate) fn sums(&self) -> Vec<KernelTime> {
        self.0.values().cloned().collect()
    }
}

/// The queries of one submission.
#[derive(Debug)]
pub(crate) struct Recorder {
    /// Points at which the device takes the time.
    pub(crate) clock: Clock,
    sets: Vec<wgpu::QuerySet>,
    used: u32,
    marks: Vec<Mark>,
}

/// A timed call: its beginning and end among all queries.
#[derive(Debug)]
struct Mark {
    kernel: &'static str,
    cost: Cost,
    begin: u32,
    end: u32,
}

impl Recorder {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, sets: Vec::new(), used: 0, marks: Vec::new() }
    }

    /// True if the set in use has no room for the begin and end of another call.
    pub(crate) fn is_full(&self) -> bool {
        self.used + 2 > self.sets.len() as u32 * QUERIES
    }

    /// Takes another set; passes in progress have to end before.
    pub(crate) fn grow(&mut self, gpu: &Gpu) {
        self.used = self.sets.len() as u32 * QUERIES;
        self.sets.push(gpu.device().create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("times"),
            ty: wgpu::QueryType::Timestamp,
            count: QUERIES,
        }));
    }

    /// The next query: its set and its number in it.
    pub(crate) fn next(&mut self) -> (&wgpu::QuerySet, u32) {
        let query = self.used;
        self.used += 1;
        (&self.sets[(query / QUERIES) as usize], query % QUERIES)
    }

    /// Says that `call` lies between the last two queries.
    pub(crate) fn mark(&mut self, call: &Call) {
        let mark =
            Mark { kernel: call.kernel, cost: call.cost, begin: self.used - 2, end: self.used - 1 };
        self.marks.push(mark);
    }

    /// Adds the copy of the queries to what is being encoded; the buffer to be read.
    ///
    /// # Errors
    /// As [`Gpu::buffer`].
    pub(crate) fn resolve(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<wgpu::Buffer, GpuError> {
        let set_bytes = u64::from(QUERIES) * 8;
        let bytes = (self.sets.len() as u64).max(1) * set_bytes;
        let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        let buffer = gpu.buffer("times of kernels", bytes, usage)?;
        for (k, set) in self.sets.iter().enumerate() {
            let count = QUERIES.min(self.used - k as u32 * QUERIES);
            encoder.resolve_query_set(set, 0..count, &buffer, k as u64 * set_bytes);
        }
        Ok(buffer)
    }

    /// Adds the calls, from the ticks of all queries, each `period` long [s].
    pub(crate) fn finish(&self, ticks: &[u64], period: f64, times: &mut Times) {
        for mark in &self.marks {
            let (begin, end) = (ticks[mark.begin as usize], ticks[mark.end as usize]);
            times.add(mark.kernel, end.saturating_sub(begin) as f64 * period, mark.cost);
        }
    }
}
