//! Reads of buffers that go on beside the work of the device. Staging buffers are kept: a caller that
//! starts a read before it finishes the one before has two, in turns.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::executor::ReadTicket;
use crate::{Gpu, GpuError};

/// Staging buffers that are kept between reads.
const KEPT: usize = 3;

const PENDING: u8 = 0;
const MAPPED: u8 = 1;
const FAILED: u8 = 2;

/// Reads under way, and staging buffers at rest.
#[derive(Debug, Default)]
pub(crate) struct Readback {
    flights: Vec<Flight>,
    free: Vec<wgpu::Buffer>,
    next: u64,
}

#[derive(Debug)]
struct Flight {
    ticket: u64,
    staging: wgpu::Buffer,
    /// Bytes of each part.
    parts: Vec<u64>,
    state: Arc<AtomicU8>,
    submission: wgpu::SubmissionIndex,
}

impl Readback {
    /// Starts to copy the bytes of buffers that stand beside each.
    ///
    /// # Errors
    /// As [`Gpu::buffer`].
    pub(crate) fn start(
        &mut self,
        gpu: &Gpu,
        sources: &[(&wgpu::Buffer, Range<u64>)],
    ) -> Result<ReadTicket, GpuError> {
        let parts: Vec<u64> = sources.iter().map(|(_, bytes)| bytes.end - bytes.start).collect();
        let total: u64 = parts.iter().sum();
        let staging = self.staging(gpu, total.max(4))?;
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        let mut offset = 0;
        for ((buffer, range), bytes) in sources.iter().zip(&parts) {
            if *bytes > 0 {
                encoder.copy_buffer_to_buffer(buffer, range.start, &staging, offset, *bytes);
            }
            offset += bytes;
        }
        let submission = gpu.queue().submit([encoder.finish()]);
        let state = Arc::new(AtomicU8::new(PENDING));
        let seen = state.clone();
        staging.map_async(wgpu::MapMode::Read, 0..total.max(4), move |result| {
            seen.store(if result.is_ok() { MAPPED } else { FAILED }, Ordering::Release);
        });
        gpu.check()?;
        let ticket = self.next;
        self.next += 1;
        self.flights.push(Flight { ticket, staging, parts, state, submission });
        Ok(ReadTicket(ticket))
    }

    /// The smallest buffer at rest that is large enough, or a new one.
    fn staging(&mut self, gpu: &Gpu, bytes: u64) -> Result<wgpu::Buffer, GpuError> {
        let fits = |(place, buffer): (usize, &wgpu::Buffer)| {
            (buffer.size() >= bytes).then_some((buffer.size(), place))
        };
        if let Some((_, place)) = self.free.iter().enumerate().filter_map(fits).min() {
            return Ok(self.free.swap_remove(place));
        }
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        gpu.buffer("the copy for reading", bytes, usage)
    }

    /// The parts of a read, each given to `take` with its number, once it has arrived; false while it
    /// has not.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    ///
    /// # Panics
    /// When the ticket has been used.
    pub(crate) fn try_finish(
        &mut self,
        gpu: &Gpu,
        ticket: &ReadTicket,
        take: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<bool, GpuError> {
        // The answer of a poll stands in the state.
        let _ = gpu.device().poll(wgpu::PollType::Poll);
        gpu.check()?;
        let place = self.place(ticket);
        match self.flights[place].state.load(Ordering::Acquire) {
            PENDING => return Ok(false),
            MAPPED => {}
            _ => return Err(GpuError::Lost { detail: "a buffer could not be read".to_owned() }),
        }
        let flight = self.flights.swap_remove(place);
        let total = flight.parts.iter().sum::<u64>().max(4);
        let view = flight.staging.get_mapped_range(0..total);
        let view = view.map_err(|error| GpuError::Lost { detail: error.to_string() })?;
        let mut start = 0;
        for (k, &bytes) in flight.parts.iter().enumerate() {
            let end = start + bytes as usize;
            take(k, &view[start..end]);
            start = end;
        }
        drop(view);
        flight.staging.unmap();
        self.keep(flight.staging);
        Ok(true)
    }

    /// Waits until the read has arrived.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    ///
    /// # Panics
    /// When the ticket has been used.
    pub(crate) fn finish(
        &mut self,
        gpu: &Gpu,
        ticket: &ReadTicket,
        take: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<(), GpuError> {
        let submission = self.flights[self.place(ticket)].submission.clone();
        gpu.wait(&submission)?;
        while !self.try_finish(gpu, ticket, take)? {
            std::thread::yield_now();
        }
        Ok(())
    }

    fn place(&self, ticket: &ReadTicket) -> usize {
        let place = self.flights.iter().position(|flight| flight.ticket == ticket.0);
        place.unwrap_or_else(|| panic!("read {} was finished before", ticket.0))
    }

    /// Keeps a staging buffer; the smallest goes when there are too many.
    fn keep(&mut self, staging: wgpu::Buffer) {
        self.free.push(staging);
        if self.free.len() > KEPT {
            self.free.sort_by_key(|buffer| std::cmp::Reverse(buffer.size()));
            self.free.truncate(KEPT);
        }
    }
}
