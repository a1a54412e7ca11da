//! Memory bandwidth of a device by copies: the scale for the times of kernels.

use std::time::Instant;

use crate::{Gpu, GpuError};

/// Larger than the caches of any device: 256 MiB on hardware. Software adapters have the CPU's caches,
/// and little speed.
const BYTES: u64 = 256 << 20;
const SOFTWARE_BYTES: u64 = 64 << 20;

/// Long against the microseconds that a submission takes [s].
const LONG: f64 = 0.05;

/// Bytes read and written in a second by the copy of a buffer [bytes/s], the best of three.
pub(crate) fn measure(gpu: &Gpu) -> Result<f64, GpuError> {
    let wanted = if gpu.adapter().software { SOFTWARE_BYTES } else { BYTES };
    let bytes = wanted.min(gpu.adapter().max_buffer_size);
    let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let a = gpu.buffer("the measurement of bandwidth", bytes, usage)?;
    let b = gpu.buffer("the measurement of bandwidth", bytes, usage)?;
    // The first copy also fills the buffers with zeros.
    seconds(gpu, [&a, &b], 2)?;
    let once = seconds(gpu, [&a, &b], 2)? / 2.0;
    let count = (LONG / once.max(1e-6)).ceil().clamp(2.0, 4096.0) as u32;
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        best = best.min(seconds(gpu, [&a, &b], count)? / f64::from(count));
    }
    Ok(2.0 * bytes as f64 / best)
}

/// Time of `count` copies to and fro [s].
fn seconds(gpu: &Gpu, [a, b]: [&wgpu::Buffer; 2], count: u32) -> Result<f64, GpuError> {
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    for k in 0..count {
        let (from, to) = if k % 2 == 0 { (a, b) } else { (b, a) };
        encoder.copy_buffer_to_buffer(from, 0, to, 0, a.size());
    }
    let commands = encoder.finish();
    let start = Instant::now();
    let submission = gpu.queue().submit([commands]);
    gpu.wait(&submission)?;
    Ok(start.elapsed().as_secs_f64())
}
