//! The lists of a program, ready to be encoded: buffers, bind groups and parameters in place.

use std::collections::HashMap;

use sinew_shaders::kernel::Cost;
use sinew_shaders::program::{BufferId, Command, Dispatch, Program};
use sinew_shaders::table::grid_within;

use crate::pipelines::Pipelines;
use crate::{Gpu, GpuError};

/// One command, ready.
#[derive(Debug)]
pub(crate) enum Ready {
    /// Run a kernel.
    Call(Call),
    /// Set a buffer to zero.
    Clear(BufferId),
    /// Copy a buffer.
    Copy(BufferId, BufferId),
}

/// A call of a kernel, ready.
#[derive(Debug)]
pub(crate) struct Call {
    /// Name of the kernel.
    pub(crate) kernel: &'static str,
    /// Place in [`Pipelines`].
    pub(crate) pipeline: usize,
    /// Place in [`Commands::groups`].
    pub(crate) group: usize,
    /// Offset of its parameters [bytes].
    pub(crate) offset: u32,
    /// Workgroups of an instance.
    pub(crate) grid: [u32; 3],
    /// Its least traffic and arithmetic.
    pub(crate) cost: Cost,
}

/// All lists of a program.
#[derive(Debug)]
pub(crate) struct Commands {
    /// By `ListId`.
    pub(crate) lists: Vec<Vec<Ready>>,
    /// Bind groups; calls of the same kernel with the same buffers share one.
    pub(crate) groups: Vec<wgpu::BindGroup>,
}

impl Commands {
    /// Prepares all lists.
    ///
    /// # Errors
    /// As [`Gpu::buffer`].
    pub(crate) fn new(
        gpu: &Gpu,
        program: &Program,
        buffers: &[wgpu::Buffer],
        pipelines: &Pipelines,
    ) -> Result<Self, GpuError> {
        let alignment = gpu.device().limits().min_uniform_buffer_offset_alignment as usize;
        let (params, offsets) = parameters(program, alignment);
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniform = gpu.buffer("parameters", params.len() as u64, usage)?;
        gpu.queue().write_buffer(&uniform, 0, &params);
        let mut maker =
            Maker { gpu, buffers, pipelines, uniform, places: HashMap::new(), groups: Vec::new() };
        let mut offsets = offsets.into_iter();
        let mut ready = |command: &Command| match command {
            Command::Clear(id) => Ready::Clear(*id),
            Command::Copy { from, to } => Ready::Copy(*from, *to),
            Command::Dispatch(dispatch) => {
                Ready::Call(maker.call(dispatch, offsets.next().unwrap_or(0)))
            }
        };
        let lists =
            program.lists.iter().map(|list| list.iter().map(&mut ready).collect()).collect();
        Ok(Self { lists, groups: maker.groups })
    }
}

/// The parameters of all calls in one buffer, equal ones once, and the offset of each call's.
fn parameters(program: &Program, alignment: usize) -> (Vec<u8>, Vec<u32>) {
    let (mut bytes, mut offsets) = (Vec::new(), Vec::new());
    let mut known: HashMap<&[u8], u32> = HashMap::new();
    for command in program.lists.iter().flatten() {
        if let Command::Dispatch(dispatch) = command {
            offsets.push(*known.entry(&dispatch.params).or_insert_with(|| {
                let offset = bytes.len() as u32;
                bytes.extend(&dispatch.params);
                bytes.resize(bytes.len().next_multiple_of(alignment), 0);
                offset
            }));
        }
    }
    bytes.resize(bytes.len().max(alignment), 0);
    (bytes, offsets)
}

struct Maker<'a> {
    gpu: &'a Gpu,
    buffers: &'a [wgpu::Buffer],
    pipelines: &'a Pipelines,
    uniform: wgpu::Buffer,
    places: HashMap<(usize, Vec<BufferId>), usize>,
    groups: Vec<wgpu::BindGroup>,
}

impl Maker<'_> {
    fn call(&mut self, dispatch: &Dispatch, offset: u32) -> Call {
        let pipeline = self.pipelines.place(dispatch);
        let key = (pipeline, dispatch.bindings.clone());
        let group = match self.places.get(&key) {
            Some(&place) => place,
            None => {
                self.groups.push(self.bind_group(pipeline, dispatch));
                self.places.insert(key, self.groups.len() - 1);
                self.groups.len() - 1
            }
        };
        let grid =
            grid_within(dispatch.groups, self.gpu.grid_width()).expect("limits were checked");
        Call { kernel: dispatch.kernel.name, pipeline, group, offset, grid, cost: dispatch.cost }
    }

    fn bind_group(&self, pipeline: usize, dispatch: &Dispatch) -> wgpu::BindGroup {
        let params = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &self.uniform,
            offset: 0,
            size: std::num::NonZeroU64::new(dispatch.params.len() as u64),
        });
        let storage =
            dispatch.bindings.iter().map(|id| self.buffers[id.0 as usize].as_entire_binding());
        let entries: Vec<_> = std::iter::once(params)
            .chain(storage)
            .enumerate()
            .map(|(number, resource)| wgpu::BindGroupEntry { binding: number as u32, resource })
            .collect();
        self.gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(dispatch.kernel.name),
            layout: self.pipelines.layout(pipeline),
            entries: &entries,
        })
    }
}
