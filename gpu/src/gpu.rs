//! An open device: its queue, its limits, its features, and its health. `Gpu::open` stands in `probe.rs`, because
//! the precision is found out by a program that the device runs; measurements stand in `survey.rs`.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use sinew_shaders::source::Precision;
use sinew_shaders::table::MAX_GROUPS_PER_DIMENSION;

use crate::adapter::adapters;
use crate::health::Health;
use crate::pipeline_cache::PipelineCache;
use crate::{AdapterSummary, DeviceSelection, GpuError, GpuOptions};

/// Features that a device is asked for, where its adapter has them.
const WANTED: wgpu::Features = wgpu::Features::SHADER_F64
    .union(wgpu::Features::TIMESTAMP_QUERY)
    .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES)
    .union(wgpu::Features::PIPELINE_CACHE);

/// Longest wait for the driver, before it is asked for the loss of the device.
const SLICE_OF_WAIT: Duration = Duration::from_secs(2);

/// After this time without an answer a device counts as lost. Software adapters take minutes for a
/// step of a large model; drivers that watch their devices reset them within seconds.
const PATIENCE: Duration = Duration::from_secs(600);

/// An open device. Clones are handles of the same one.
#[derive(Clone, Debug)]
pub struct Gpu(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    device: wgpu::Device,
    queue: wgpu::Queue,
    adapter: AdapterSummary,
    precision: OnceLock<Precision>,
    max_binding: u64,
    grid_width: u32,
    health: Health,
    cache: Option<PipelineCache>,
    bandwidth: OnceLock<f64>,
}

impl Gpu {
    /// Connects to a device with all features and limits of its adapter that matter here. Its precision
    /// is that of 32 bits until [`Self::set_precision`] is called.
    ///
    /// # Errors
    /// Those of [`DeviceSelection::pick`]; [`GpuError::Unsupported`] when f64 is asked for and not there;
    /// [`GpuError::Lost`] when the driver does not open it.
    pub(crate) fn connect(
        choice: &DeviceSelection,
        options: &GpuOptions,
    ) -> Result<Self, GpuError> {
        let mut found = adapters();
        let summaries: Vec<_> = found.iter().map(|(_, summary)| summary.clone()).collect();
        let (adapter, summary) = found.swap_remove(choice.pick(&summaries)?);
        let features = adapter.features() & WANTED;
        let double = features.contains(wgpu::Features::SHADER_F64);
        if options.precision == Some(Precision::Double) && !double {
            let parts = vec![format!("64-bit arithmetic ({})", summary.name)];
            return Err(GpuError::Unsupported { parts });
        }
        let limits = match options.default_limits {
            true => wgpu::Limits::default(),
            false => adapter.limits(),
        };
        let (device, queue) = request_device(&adapter, features, &limits)?;
        let health = Health::watch(&device);
        let granted = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let keeps = features.contains(wgpu::Features::PIPELINE_CACHE);
        let folder = options.cache.as_deref().filter(|_| keeps);
        Ok(Self(Arc::new(Inner {
            cache: folder.map(|folder| PipelineCache::open(&device, folder)),
            precision: OnceLock::new(),
            max_binding: options.max_binding.map_or(granted, |wanted| wanted.min(granted)),
            grid_width: options.grid_width.unwrap_or(MAX_GROUPS_PER_DIMENSION),
            bandwidth: OnceLock::new(),
            adapter: summary,
            health,
            device,
            queue,
        })))
    }

    /// Sets the precision of `real` that suits it, once.
    pub(crate) fn set_precision(&self, precision: Precision) {
        self.0.precision.get_or_init(|| precision);
    }

    /// Summary of the adapter.
    pub fn adapter(&self) -> &AdapterSummary {
        &self.0.adapter
    }

    /// Precision of `real` that suits it.
    pub fn precision(&self) -> Precision {
        self.0.precision.get().copied().unwrap_or(Precision::Single)
    }

    /// True if its kernels can compute in `precision`.
    pub fn has(&self, precision: Precision) -> bool {
        let double = self.0.device.features().contains(wgpu::Features::SHADER_F64);
        precision == Precision::Single || double
    }

    /// Most that one binding of a kernel can see [bytes].
    pub fn max_binding(&self) -> u64 {
        self.0.max_binding
    }

    /// Destroys the device, as the reset of a driver would: all calls from here on, of all its
    /// handles, are [`GpuError::Lost`]. For tests of what follows.
    pub fn destroy(&self) {
        self.0.device.destroy();
        self.0.health.record("it was destroyed".to_owned());
    }

    /// Memory that buffers of this process have on the device [bytes], where the driver's allocator
    /// tells.
    pub fn allocated(&self) -> Option<u64> {
        self.0.device.generate_allocator_report().map(|report| report.total_allocated_bytes)
    }

    /// Bandwidth of copies [bytes/s], once it is measured.
    pub(crate) fn known_bandwidth(&self) -> &OnceLock<f64> {
        &self.0.bandwidth
    }

    /// Most workgroups in a row of a grid.
    pub(crate) fn grid_width(&self) -> u32 {
        self.0.grid_width
    }

    pub(crate) fn device(&self) -> &wgpu::Device {
        &self.0.device
    }

    pub(crate) fn queue(&self) -> &wgpu::Queue {
        &self.0.queue
    }

    pub(crate) fn cache(&self) -> Option<&PipelineCache> {
        self.0.cache.as_ref()
    }

    /// # Errors
    /// [`GpuError::Lost`] when the device is.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        self.0.health.check()
    }

    /// Waits until `submission` is done.
    ///
    /// # Errors
    /// [`GpuError::Lost`] when the device is, or does not answer.
    pub(crate) fn wait(&self, submission: &wgpu::SubmissionIndex) -> Result<(), GpuError> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let waited = self.0.device.poll(wgpu::PollType::Wait {
                submission_index: Some(submission.clone()),
                timeout: Some(SLICE_OF_WAIT),
            });
            self.check()?;
            match waited {
                Ok(_) => return Ok(()),
                Err(wgpu::PollError::Timeout) => {}
                Err(error) => {
                    self.0.health.record(error.to_string());
                    return self.check();
                }
            }
        }
        self.0.health.record(format!("no answer for {} s", PATIENCE.as_secs()));
        self.check()
    }

    /// A buffer, filled with zeros; `what` names it in errors.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] when the device has no room for it, [`GpuError::Lost`].
    pub(crate) fn buffer(
        &self,
        what: &str,
        bytes: u64,
        usage: wgpu::BufferUsages,
    ) -> Result<wgpu::Buffer, GpuError> {
        self.check()?;
        let scope = self.0.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let buffer = self.0.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(what),
            size: bytes,
            usage,
            mapped_at_creation: false,
        });
        match pollster::block_on(scope.pop()) {
            None => self.check().map(|()| buffer),
            Some(_) => {
                let taken = self.allocated().unwrap_or(0);
                let what = format!("{what}, with what was made before it,");
                Err(GpuError::TooLarge { what, bytes: taken + bytes, limit: taken })
            }
        }
    }
}

fn request_device(
    adapter: &wgpu::Adapter,
    features: wgpu::Features,
    limits: &wgpu::Limits,
) -> Result<(wgpu::Device, wgpu::Queue), GpuError> {
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("sinew"),
        required_features: features,
        required_limits: limits.clone(),
        // Buffers are few, large, and made once: what they take is what counts.
        memory_hints: wgpu::MemoryHints::MemoryUsage,
        ..Default::default()
    };
    let opened = pollster::block_on(adapter.request_device(&descriptor));
    opened.map_err(|error| GpuError::Lost { detail: error.to_string() })
}
