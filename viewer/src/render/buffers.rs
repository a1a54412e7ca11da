//! Buffers that grow.

use bytemuck::Pod;

/// A buffer of some use that grows with what is put into it.
pub(super) struct Growing {
    buffer: wgpu::Buffer,
    usage: wgpu::BufferUsages,
}

/// Bytes that a new buffer has at least: no binding may be empty.
const LEAST: u64 = 256;

impl Growing {
    pub(super) fn new(device: &wgpu::Device, usage: wgpu::BufferUsages) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        Self { buffer: made(device, LEAST, usage), usage }
    }

    pub(super) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Makes room for as many bytes; what was in a smaller buffer is lost.
    pub(super) fn reserve(&mut self, device: &wgpu::Device, bytes: u64) {
        if bytes > self.buffer.size() {
            self.buffer = made(device, bytes.next_multiple_of(LEAST), self.usage);
        }
    }

    /// Puts data at the beginning, in a larger buffer where they do not fit.
    pub(super) fn write<T: Pod>(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, data: &[T]) {
        let bytes: &[u8] = bytemuck::cast_slice(data);
        if !bytes.is_empty() {
            // Half as much again, not to make a new one for every few lines more.
            let wanted = bytes.len() as u64;
            if wanted > self.buffer.size() {
                self.reserve(device, wanted + wanted / 2);
            }
            queue.write_buffer(&self.buffer, 0, bytes);
        }
    }
}

fn made(device: &wgpu::Device, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// Group of bindings of whole buffers, in their order, then of a texture.
pub(super) fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    buffers: &[&wgpu::Buffer],
    texture: Option<&wgpu::TextureView>,
) -> wgpu::BindGroup {
    let buffers = buffers.iter().map(|buffer| buffer.as_entire_binding());
    let resources = buffers.chain(texture.map(wgpu::BindingResource::TextureView));
    let entries: Vec<_> = (0u32..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}
