//! The kernels of a program, compiled: one pipeline for each text, made side by side.

use std::collections::HashMap;

use rayon::prelude::*;
use sinew_shaders::kernel::{Access, Kernel};
use sinew_shaders::program::{Command, Dispatch, Program};
use sinew_shaders::source::Variant;

use crate::instances::set_layout;
use crate::module::shader_module;
use crate::{Gpu, GpuError};

/// Gives the text of a kernel in tests that break it.
pub type Source<'a> = &'a (dyn Fn(&Kernel, Variant) -> String + Sync);

/// A text of a kernel.
type Key = (&'static str, Variant);

/// Pipelines and the layouts of what they bind.
#[derive(Debug)]
pub(crate) struct Pipelines {
    places: HashMap<Key, usize>,
    list: Vec<(wgpu::ComputePipeline, wgpu::BindGroupLayout)>,
}

impl Pipelines {
    /// Compiles every kernel that `program` calls, with texts of `source` where it is given.
    ///
    /// # Errors
    /// [`GpuError::Shader`] with the first one that is refused, [`GpuError::Lost`].
    pub(crate) fn new(
        gpu: &Gpu,
        program: &Program,
        source: Option<Source<'_>>,
    ) -> Result<Self, GpuError> {
        let (mut places, mut wanted) = (HashMap::new(), Vec::new());
        for command in program.lists.iter().flatten() {
            if let Command::Dispatch(dispatch) = command {
                places.entry(key(dispatch)).or_insert_with(|| {
                    wanted.push(dispatch);
                    wanted.len() - 1
                });
            }
        }
        // In order, so that of several errors the same one is told each time.
        let made: Vec<_> =
            wanted.par_iter().map(|dispatch| pipeline(gpu, dispatch, source)).collect();
        let list = made.into_iter().collect::<Result<_, _>>()?;
        gpu.check()?;
        if let Some(cache) = gpu.cache() {
            cache.save();
        }
        Ok(Self { places, list })
    }

    /// Place of the pipeline of a call.
    pub(crate) fn place(&self, dispatch: &Dispatch) -> usize {
        self.places[&key(dispatch)]
    }

    pub(crate) fn pipeline(&self, place: usize) -> &wgpu::ComputePipeline {
        &self.list[place].0
    }

    pub(crate) fn layout(&self, place: usize) -> &wgpu::BindGroupLayout {
        &self.list[place].1
    }
}

/// The pipeline of the entry point `name` of a module; errors go to the scopes of the device.
fn compute_pipeline(
    gpu: &Gpu,
    (name, variant): (&str, Variant),
    module: &wgpu::ShaderModule,
    bindings: &wgpu::BindGroupLayout,
) -> wgpu::ComputePipeline {
    let instances = variant.instances.map(|_| set_layout(gpu.device()));
    let groups: Vec<_> = std::iter::once(bindings).chain(&instances).map(Some).collect();
    let layout = gpu.device().create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(name),
        bind_group_layouts: &groups,
        immediate_size: 0,
    });
    gpu.device().create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(name),
        layout: Some(&layout),
        module,
        entry_point: Some(name),
        compilation_options: wgpu::PipelineCompilationOptions {
            // The kernels write what they read of workgroup memory.
            zero_initialize_workgroup_memory: false,
            ..Default::default()
        },
        cache: gpu.cache().map(|cache| cache.get()),
    })
}

fn key(dispatch: &Dispatch) -> Key {
    (dispatch.kernel.name, dispatch.variant)
}

fn pipeline(
    gpu: &Gpu,
    dispatch: &Dispatch,
    source: Option<Source<'_>>,
) -> Result<(wgpu::ComputePipeline, wgpu::BindGroupLayout), GpuError> {
    let kernel = dispatch.kernel;
    let device = gpu.device();
    let refused =
        |error: wgpu::Error| GpuError::Shader { kernel: kernel.name, detail: error.to_string() };
    // Scopes belong to a thread, and so does everything down to `pop`.
    let internal = device.push_error_scope(wgpu::ErrorFilter::Internal);
    let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let text = match source {
        None => kernel.source(dispatch.variant),
        Some(source) => source(kernel, dispatch.variant),
    };
    let module = shader_module(device, (kernel.name, text), source.is_none());
    let bindings = layout(device, dispatch);
    let pipeline = compute_pipeline(gpu, (kernel.name, dispatch.variant), &module, &bindings);
    let errors = [pollster::block_on(validation.pop()), pollster::block_on(internal.pop())];
    match errors.into_iter().flatten().next() {
        None => Ok((pipeline, bindings)),
        Some(error) => Err(refused(error)),
    }
}

/// The layout of the bindings, from the table: parameters at an offset that the call gives, then
/// storage.
fn layout(device: &wgpu::Device, dispatch: &Dispatch) -> wgpu::BindGroupLayout {
    let kernel = dispatch.kernel;
    let entries: Vec<_> = (kernel.bindings.iter().enumerate())
        .map(|(number, binding)| {
            let uniform = binding.access == Access::Uniform;
            let ty = match binding.access {
                Access::Uniform => wgpu::BufferBindingType::Uniform,
                Access::Read => wgpu::BufferBindingType::Storage { read_only: true },
                Access::Write | Access::Update | Access::Atomic => {
                    wgpu::BufferBindingType::Storage { read_only: false }
                }
            };
            let least = if uniform {
                dispatch.params.len() as u64
            } else {
                binding.scalar.bytes(dispatch.variant.precision)
            };
            wgpu::BindGroupLayoutEntry {
                binding: number as u32,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty,
                    has_dynamic_offset: uniform,
                    min_binding_size: std::num::NonZeroU64::new(least),
                },
                count: None,
            }
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(kernel.name),
        entries: &entries,
    })
}
