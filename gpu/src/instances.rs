//! The instances of a program that its commands work for.

use std::ops::Range;

use sinew_shaders::instances::{SET_BYTES, instance_set};
use sinew_shaders::program::{BufferId, Program};

use crate::{Gpu, GpuError};

/// The instances that the next commands work for: all of them until others are chosen.
#[derive(Debug)]
pub(crate) struct Chosen {
    numbers: Vec<u32>,
    /// Their numbers as kernels read them; none where there is one instance alone.
    set: Option<Set>,
    /// Of each buffer the bytes from an instance to the next, 0 where all share it, those of one, and those of all.
    parts: Vec<[u64; 3]>,
    count: u32,
}

#[derive(Debug)]
struct Set {
    buffer: wgpu::Buffer,
    group: wgpu::BindGroup,
}

impl Chosen {
    /// All instances of a program.
    ///
    /// # Errors
    /// As [`Gpu::buffer`].
    pub(crate) fn new(gpu: &Gpu, program: &Program) -> Result<Self, GpuError> {
        let count = program.instances;
        let set = if count > 1 { Some(Set::new(gpu)?) } else { None };
        let part = |id| [program.stride(id), program.bytes_of_one(id), program.bytes(id)];
        let parts = (0..program.buffers.len() as u32).map(BufferId).map(part).collect();
        let mut chosen = Self { numbers: Vec::new(), set, parts, count };
        let all: Vec<u32> = (0..count).collect();
        chosen.choose(gpu, &all);
        Ok(chosen)
    }

    /// Other instances, from the next submission on.
    ///
    /// # Panics
    /// Where one has no such number.
    pub(crate) fn choose(&mut self, gpu: &Gpu, numbers: &[u32]) {
        assert!(numbers.iter().all(|&k| k < self.count), "{numbers:?} of {} instances", self.count);
        if self.numbers == numbers {
            return;
        }
        self.numbers.clear();
        self.numbers.extend_from_slice(numbers);
        if let (Some(set), Ok(())) = (&self.set, gpu.check()) {
            let words = instance_set(self.count, numbers);
            gpu.queue().write_buffer(&set.buffer, 0, bytemuck::cast_slice(&words));
        }
    }

    /// Their count.
    pub(crate) fn count(&self) -> u32 {
        self.numbers.len() as u32
    }

    /// The bind group of their numbers, where there are several.
    pub(crate) fn group(&self) -> Option<&wgpu::BindGroup> {
        self.set.as_ref().map(|set| &set.group)
    }

    /// The bytes of a buffer that are theirs: one range where nothing else is in it.
    pub(crate) fn ranges(&self, id: BufferId) -> impl Iterator<Item = Range<u64>> + use<'_> {
        let [stride, of_one, of_all] = self.parts[id.0 as usize];
        let is_whole = stride == 0 || self.numbers.len() == self.count as usize;
        let count = if is_whole { 1 } else { self.numbers.len() };
        self.numbers.iter().take(count).map(move |&k| match is_whole {
            true => 0..of_all,
            false => u64::from(k) * stride..u64::from(k) * stride + of_one,
        })
    }
}

impl Set {
    fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = gpu.buffer("numbers of instances", SET_BYTES as u64, usage)?;
        let group = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("instances"),
            layout: &set_layout(gpu.device()),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        });
        Ok(Self { buffer, group })
    }
}

/// The layout of the bind group of instances.
pub(crate) fn set_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("instances"),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: std::num::NonZeroU64::new(SET_BYTES as u64),
            },
            count: None,
        }],
    })
}
