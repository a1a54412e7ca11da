//! Pictures without a window, on a graphics card or a software adapter.

mod framing;
mod letters;
mod margins;
mod parts;

use sinew::snapshot::Snapshot;

use crate::geometry::exaggerated;
use crate::render::{SAMPLES, ink, picture_texture, samples_of_window};
use crate::{Image, PictureStyle, Renderer, View, ViewerError};
use letters::{Letters, Texts};
use margins::{HEIGHT, Placed, placed_titles};

pub use framing::fit_view;

pub(crate) use letters::{bar_rect, paint};

/// Format of the pictures.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// A device that draws pictures, one after the other.
pub struct Studio {
    device: wgpu::Device,
    queue: wgpu::Queue,
    adapter: String,
    renderer: Renderer,
    letters: Letters,
}

/// Draws one picture. For more than one, a [`Studio`] is kept.
///
/// # Errors
/// Those of [`Studio::open`] and [`Studio::picture`].
pub fn picture(snapshot: &Snapshot, view: &View, size: [u32; 2]) -> Result<Image, ViewerError> {
    Studio::open()?.picture(snapshot, view, size)
}

/// Graphics cards first, those that compute on the processor last.
fn rank(adapter: &wgpu::Adapter) -> u32 {
    match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu | wgpu::DeviceType::Other => 2,
        wgpu::DeviceType::Cpu => 3,
    }
}

fn best_adapter() -> Result<wgpu::Adapter, ViewerError> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    // No validation layers: they are not needed, and warn when they are not installed.
    descriptor.flags = wgpu::InstanceFlags::empty();
    let instance = wgpu::Instance::new(descriptor);
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    adapters.into_iter().min_by_key(rank).ok_or(ViewerError::NoAdapter)
}

impl Studio {
    /// Opens the best adapter there is; one that computes on the processor where there is no other.
    ///
    /// # Errors
    /// [`ViewerError::NoAdapter`], [`ViewerError::Device`].
    pub fn open() -> Result<Self, ViewerError> {
        Self::with_samples(|_| SAMPLES)
    }

    /// Draws as a window on the best adapter does: with one sample of a pixel where that computes on the processor.
    ///
    /// # Errors
    /// [`ViewerError::NoAdapter`], [`ViewerError::Device`].
    pub fn as_in_window() -> Result<Self, ViewerError> {
        Self::with_samples(samples_of_window)
    }

    fn with_samples(samples: fn(&wgpu::AdapterInfo) -> u32) -> Result<Self, ViewerError> {
        let adapter = best_adapter()?;
        let info = adapter.get_info();
        let (samples, name) = (samples(&info), info.name);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("pictures"),
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let opened = pollster::block_on(adapter.request_device(&descriptor));
        let (device, queue) = opened.map_err(|error| ViewerError::Device {
            adapter: name.clone(),
            detail: error.to_string(),
        })?;
        let renderer = Renderer::new(&device, FORMAT, samples);
        let letters = Letters::new(&device, FORMAT);
        Ok(Self { device, queue, adapter: name, renderer, letters })
    }

    /// Name of the adapter.
    pub fn adapter(&self) -> &str {
        &self.adapter
    }

    /// Draws a picture; one for publication with four pixels for each of it, where the device has such large ones.
    ///
    /// # Errors
    /// [`ViewerError::Size`], [`ViewerError::Lost`].
    pub fn picture(
        &mut self,
        snapshot: &Snapshot,
        view: &View,
        size: [u32; 2],
    ) -> Result<Image, ViewerError> {
        let most = self.device.limits().max_texture_dimension_2d;
        let fine = size.map(|n| n.saturating_mul(2));
        let published = view.options.style == PictureStyle::Publication;
        if published && size.iter().all(|n| *n > 0) && fine.iter().all(|n| *n <= most) {
            let mut view = view.clone();
            view.options.pixel_scale *= 2.0;
            return Ok(self.drawn(snapshot, &view, fine)?.halved());
        }
        self.drawn(snapshot, view, size)
    }

    fn drawn(
        &mut self,
        snapshot: &Snapshot,
        view: &View,
        size: [u32; 2],
    ) -> Result<Image, ViewerError> {
        let target = self.target(size)?;
        self.draw(&target, snapshot, view, size);
        self.read(&target, size)
    }

    /// Draws a picture and waits until it is drawn, without reading it: for measurements.
    ///
    /// # Errors
    /// Those of [`Self::picture`].
    pub fn draw_only(
        &mut self,
        snapshot: &Snapshot,
        view: &View,
        size: [u32; 2],
    ) -> Result<(), ViewerError> {
        let target = self.target(size)?;
        self.draw(&target, snapshot, view, size);
        self.wait()
    }

    fn target(&self, size: [u32; 2]) -> Result<wgpu::Texture, ViewerError> {
        let most = self.device.limits().max_texture_dimension_2d;
        if size.iter().any(|n| *n == 0 || *n > most) {
            return Err(ViewerError::Size { size, most });
        }
        let usage = wgpu::TextureUsages::COPY_SRC;
        Ok(picture_texture(&self.device, size, FORMAT, usage))
    }

    fn draw(&mut self, target: &wgpu::Texture, snapshot: &Snapshot, view: &View, size: [u32; 2]) {
        let target = target.create_view(&Default::default());
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let Self { device, queue, renderer, letters, .. } = self;
        renderer.draw(device, queue, &mut encoder, &target, size, snapshot, view);
        let labels = renderer.labels(snapshot, view, size);
        let whole =
            egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(size[0] as f32, size[1] as f32));
        let kept = bar_rect(whole, view, snapshot, 1.0);
        let (titles, height) = (titles(snapshot, view, size), HEIGHT * view.options.pixel_scale);
        let texts = Texts {
            labels: &labels,
            kept,
            titles: &titles,
            height,
            ink: ink(view.options.background),
        };
        letters.write((device, queue), &mut encoder, &target, size, &texts);
        self.queue.submit([encoder.finish()]);
    }

    fn wait(&self) -> Result<(), ViewerError> {
        let waited = self.device.poll(wgpu::PollType::wait_indefinitely());
        waited.map(|_| ()).map_err(|error| ViewerError::Lost { detail: error.to_string() })
    }

    fn read(&self, target: &wgpu::Texture, size: [u32; 2]) -> Result<Image, ViewerError> {
        let row = (4 * size[0]).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let staging = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("copy of the picture"),
            size: u64::from(row) * u64::from(size[1]),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(row),
            rows_per_image: Some(size[1]),
        };
        let destination = wgpu::TexelCopyBufferInfo { buffer: &staging, layout };
        encoder.copy_texture_to_buffer(target.as_image_copy(), destination, target.size());
        self.queue.submit([encoder.finish()]);
        let lost = |detail: String| ViewerError::Lost { detail };
        let (sender, receiver) = std::sync::mpsc::channel();
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // Who waits for it has gone only where the device is lost.
            let _ = sender.send(result);
        });
        self.wait()?;
        let mapped = receiver.recv().map_err(|error| lost(error.to_string()))?;
        mapped.map_err(|error| lost(error.to_string()))?;
        let bytes = staging.get_mapped_range(..).map_err(|error| lost(error.to_string()))?;
        let mut pixels = Vec::with_capacity((size[0] * size[1]) as usize);
        for line in bytes.chunks(row as usize) {
            let (texels, _) = line[..4 * size[0] as usize].as_chunks::<4>();
            pixels.extend_from_slice(texels);
        }
        Ok(Image { size, pixels })
    }
}

/// Titles of parts, where a view shows some.
fn titles(snapshot: &Snapshot, view: &View, size: [u32; 2]) -> Vec<Placed> {
    if !view.options.labels {
        return Vec::new();
    }
    let parts = parts::parts_of(&exaggerated(snapshot, &view.options), view, size);
    placed_titles(parts, size.map(|n| n as f32), HEIGHT * view.options.pixel_scale)
}
