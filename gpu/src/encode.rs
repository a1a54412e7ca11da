//! Encodes ready commands: calls side by side in one compute pass, which ends where a buffer is
//! cleared or copied.

use crate::commands::{Call, Commands, Ready};
use crate::instances::Chosen;
use crate::pipelines::Pipelines;
use crate::profile::{Clock, Recorder};
use crate::{Gpu, GpuError};

/// Encoding under way.
pub(crate) struct Encoding<'a> {
    gpu: &'a Gpu,
    buffers: &'a [wgpu::Buffer],
    pipelines: &'a Pipelines,
    commands: &'a Commands,
    chosen: &'a Chosen,
    // Before the encoder, that has to outlive it.
    pass: Option<wgpu::ComputePass<'static>>,
    encoder: wgpu::CommandEncoder,
    /// Pipeline that the pass is set to.
    current: Option<usize>,
    recorder: Option<Recorder>,
}

/// An encoded buffer, with the queries in it and the buffer that they are copied to.
pub(crate) type Encoded = (wgpu::CommandBuffer, Option<(Recorder, wgpu::Buffer)>);

impl<'a> Encoding<'a> {
    pub(crate) fn new(
        gpu: &'a Gpu,
        buffers: &'a [wgpu::Buffer],
        (pipelines, commands): (&'a Pipelines, &'a Commands),
        chosen: &'a Chosen,
        clock: Option<Clock>,
    ) -> Self {
        Self {
            gpu,
            buffers,
            pipelines,
            commands,
            chosen,
            pass: None,
            encoder: gpu.device().create_command_encoder(&Default::default()),
            current: None,
            recorder: clock.map(Recorder::new),
        }
    }

    /// Appends one command.
    pub(crate) fn add(&mut self, ready: &Ready) {
        match ready {
            Ready::Call(call) => match self.recorder.as_ref().map(|recorder| recorder.clock) {
                None => self.call(call),
                Some(clock) => self.timed(call, clock),
            },
            Ready::Clear(id) => {
                self.end_pass();
                let buffer = &self.buffers[id.0 as usize];
                for part in self.chosen.ranges(*id) {
                    self.encoder.clear_buffer(buffer, part.start, Some(part.end - part.start));
                }
            }
            Ready::Copy(from, to) => {
                self.end_pass();
                let parts = self.chosen.ranges(*to);
                let (from, to) = (&self.buffers[from.0 as usize], &self.buffers[to.0 as usize]);
                for part in parts {
                    let bytes = part.end - part.start;
                    self.encoder.copy_buffer_to_buffer(from, part.start, to, part.start, bytes);
                }
            }
        }
    }

    /// Ends and returns what was encoded.
    ///
    /// # Errors
    /// As [`Gpu::buffer`], when kernels are timed.
    pub(crate) fn finish(mut self) -> Result<Encoded, GpuError> {
        self.end_pass();
        let timed = match self.recorder.take() {
            None => None,
            Some(recorder) => {
                let buffer = recorder.resolve(self.gpu, &mut self.encoder)?;
                Some((recorder, buffer))
            }
        };
        Ok((self.encoder.finish(), timed))
    }

    fn end_pass(&mut self) {
        self.pass = None;
        self.current = None;
    }

    fn begin_pass(&mut self) {
        if self.pass.is_none() {
            let pass = self.encoder.begin_compute_pass(&Default::default());
            self.pass = Some(pass.forget_lifetime());
        }
    }

    /// Adds a call to the pass, begun when there is none.
    fn call(&mut self, call: &Call) {
        self.begin_pass();
        let Some(pass) = &mut self.pass else { return };
        if self.current != Some(call.pipeline) {
            pass.set_pipeline(self.pipelines.pipeline(call.pipeline));
            self.current = Some(call.pipeline);
        }
        pass.set_bind_group(0, &self.commands.groups[call.group], &[call.offset]);
        if let Some(group) = self.chosen.group() {
            pass.set_bind_group(1, group, &[]);
        }
        let [x, y, _] = call.grid;
        pass.dispatch_workgroups(x, y, self.chosen.count());
    }

    fn timed(&mut self, call: &Call, clock: Clock) {
        let full = self.recorder.as_ref().is_some_and(Recorder::is_full);
        if full {
            self.end_pass();
        }
        if let (true, Some(recorder)) = (full, &mut self.recorder) {
            recorder.grow(self.gpu);
        }
        match clock {
            Clock::Calls => {
                self.begin_pass();
                self.stamp();
                self.call(call);
                self.stamp();
            }
            Clock::Passes => {
                self.end_pass();
                self.begin_timed_pass();
                self.call(call);
                self.end_pass();
            }
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.mark(call);
        }
    }

    /// The time between two calls of a pass.
    fn stamp(&mut self) {
        if let (Some(pass), Some(recorder)) = (&mut self.pass, &mut self.recorder) {
            let (set, query) = recorder.next();
            pass.write_timestamp(set, query);
        }
    }

    /// A pass that takes the time at its ends.
    fn begin_timed_pass(&mut self) {
        let Some(recorder) = &mut self.recorder else { return };
        let begin = recorder.next().1;
        let (query_set, end) = recorder.next();
        let descriptor = wgpu::ComputePassDescriptor {
            label: None,
            timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                query_set,
                beginning_of_pass_write_index: Some(begin),
                end_of_pass_write_index: Some(end),
            }),
        };
        self.pass = Some(self.encoder.begin_compute_pass(&descriptor).forget_lifetime());
    }
}
