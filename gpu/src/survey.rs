//! Figures of a device on which predictions of a step rest: a call that waits for the one before, copies, arithmetic.

use std::time::Instant;

use bytemuck::bytes_of;
use sinew_shaders::kernel::{Access, Binding, Cost, Family, Kernel, Scalar};
use sinew_shaders::layout::WORKGROUP_SIZE;
use sinew_shaders::params::RowParams;
use sinew_shaders::program::{BufferId, Command, Dispatch, ListId, Program};
use sinew_shaders::source::{Precision, Variant};

use crate::{DeviceExecutor, Executor, Gpu, GpuError, bandwidth, latency};

/// Long against the time that a submission and a look take [s].
const LONG: f64 = 0.02;

/// Calls that are encoded at a time.
const ENCODED: u32 = 512;

/// Most calls of one measurement.
const MOST_CALLS: u32 = 1 << 14;

/// Workgroups that compute: several for each unit of the largest devices, and of a processor few.
const GROUPS: u64 = 4_096;
const SOFTWARE_GROUPS: u64 = 8;

/// Multiplications with an addition that an invocation makes: repeats of four that do not wait for each other.
const REPEATS: u32 = 256;

/// Measured figures of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Survey {
    /// Time of a call of one workgroup that reads what the call before wrote [s].
    pub dispatch: f64,
    /// Time that the host takes to encode and submit a call [s].
    pub encoding: f64,
    /// Time of a load whose place the one before gives [s].
    pub load: f64,
    /// Time of a sum of three reals over a workgroup [s].
    pub sum: f64,
    /// Bytes that a kernel that copies reads and writes [bytes/s].
    pub copy: f64,
    /// Operations in 32 bits [1/s].
    pub single: f64,
    /// Operations in 64 bits [1/s]; `None` where the device has none.
    pub double: Option<f64>,
}

impl Gpu {
    /// Measures the device, which takes about two seconds.
    ///
    /// # Errors
    /// As those of the executor: [`GpuError::Lost`], [`GpuError::Shader`], [`GpuError::TooLarge`].
    pub fn survey(&self) -> Result<Survey, GpuError> {
        let dispatch = seconds_of(self, &TICK, (Precision::Single, 1), REPEATS)?;
        let encoding = seconds_to_encode(self)?;
        let (load, sum) = (latency::load(self)?, latency::sum(self)?);
        let groups = if self.adapter().software { SOFTWARE_GROUPS } else { GROUPS };
        let rate = |precision| {
            let operations = 8.0 * f64::from(REPEATS) * f64::from(WORKGROUP_SIZE) * groups as f64;
            Ok(operations / seconds_of(self, &CHURN, (precision, groups), REPEATS)?)
        };
        let double = self.has(Precision::Double).then(|| rate(Precision::Double)).transpose()?;
        let (copy, single) = (self.copy_bandwidth()?, rate(Precision::Single)?);
        Ok(Survey { dispatch, encoding, load, sum, copy, single, double })
    }

    /// Bytes that a kernel that copies a large buffer reads and writes in a second [bytes/s]; measured at
    /// the first call, which takes about half a second.
    ///
    /// # Errors
    /// [`GpuError::Lost`], [`GpuError::TooLarge`] when the device has no room for the buffers.
    pub fn copy_bandwidth(&self) -> Result<f64, GpuError> {
        if let Some(&known) = self.known_bandwidth().get() {
            return Ok(known);
        }
        let measured = bandwidth::measure(self)?;
        Ok(*self.known_bandwidth().get_or_init(|| measured))
    }
}

/// Time of a call of a kernel of one buffer among many, one after another [s], each with so many repeats.
pub(crate) fn seconds_of(
    gpu: &Gpu,
    kernel: &'static Kernel,
    shape: (Precision, u64),
    repeats: u32,
) -> Result<f64, GpuError> {
    let (program, list) = program_of(kernel, shape, repeats);
    seconds_a_call(gpu, program, list)
}

/// Time that the host takes to encode and submit one of many calls [s].
fn seconds_to_encode(gpu: &Gpu) -> Result<f64, GpuError> {
    let (mut program, list) = program_of(&TICK, (Precision::Single, 1), REPEATS);
    let look = program.add_zeros("the look", Scalar::Word, 1);
    let mut executor = DeviceExecutor::new(gpu, program)?;
    seconds(&mut executor, (list, ENCODED), look)?;
    let begun = Instant::now();
    executor.submit(&[(list, ENCODED)])?;
    let taken = begun.elapsed().as_secs_f64();
    executor.read(look)?;
    Ok(taken / f64::from(ENCODED))
}

/// Adds a list of one call of a kernel that is measured, or probes the device, with its buffers and workgroups.
pub(crate) fn add_measured(
    program: &mut Program,
    kernel: &'static Kernel,
    row_count: u32,
    (bindings, groups): (Vec<BufferId>, u64),
) -> ListId {
    let params = RowParams { row_count, ..RowParams::default() };
    let precision = program.precision;
    program.add_list(vec![Command::Dispatch(Dispatch {
        kernel,
        variant: Variant::new(precision, None),
        params: bytes_of(&params).to_vec(),
        bindings,
        groups,
        cost: Cost::default(),
    })])
}

/// A program of one call of a kernel of one buffer.
fn program_of(
    kernel: &'static Kernel,
    (precision, groups): (Precision, u64),
    repeats: u32,
) -> (Program, ListId) {
    let mut program = Program::new(precision);
    let length = (groups * u64::from(WORKGROUP_SIZE)) as usize;
    let scalar = kernel.bindings[1].scalar;
    let buffer = program.add_zeros("the measurement", scalar, length);
    let list = add_measured(&mut program, kernel, repeats, (vec![buffer], groups));
    (program, list)
}

/// Time of a list of `program` among many, one after another [s].
pub(crate) fn seconds_a_call(
    gpu: &Gpu,
    mut program: Program,
    list: ListId,
) -> Result<f64, GpuError> {
    let look = program.add_zeros("the look", Scalar::Word, 1);
    let mut executor = DeviceExecutor::new(gpu, program)?;
    let mut time = |count| seconds(&mut executor, (list, count), look);
    let mut count = 8;
    // The first call meets memory that is not there yet.
    time(count)?;
    let mut once = time(count)?;
    while once < LONG && count < MOST_CALLS {
        count *= 2;
        once = time(count)?;
    }
    // The difference leaves out what a submission takes.
    let twice = time(2 * count)?;
    Ok((twice - once).max(0.1 * once) / f64::from(count))
}

/// Time of a submission and a look [s].
fn seconds(
    executor: &mut DeviceExecutor,
    run: (ListId, u32),
    look: BufferId,
) -> Result<f64, GpuError> {
    let begun = Instant::now();
    executor.submit(&[run])?;
    executor.read(look)?;
    Ok(begun.elapsed().as_secs_f64())
}

pub(crate) const fn bind(name: &'static str, access: Access, scalar: Scalar) -> Binding {
    Binding { name, access, scalar }
}

pub(crate) const PARAMS: Binding = bind("params", Access::Uniform, Scalar::Word);

pub(crate) const HEAD: &str = "
struct RowParams { row_count: u32, extra_0: u32, extra_1: u32, extra_2: u32 }
@group(0) @binding(0) var<uniform> params: RowParams;
";

/// A kernel that is measured, or probes the device: it moves no data that count, and has no twin.
pub(crate) const MEASURED: Kernel = Kernel {
    name: "",
    workgroup_size: WORKGROUP_SIZE,
    family: Family::Float,
    bindings: &[],
    cost: |_, _| Cost { bytes: 0, flops: 0 },
    twin: None,
    imports: &[HEAD],
    body: "",
};

/// Counts its calls: nothing else, and each waits for the one before.
static TICK: Kernel = Kernel {
    name: "tick",
    bindings: &[PARAMS, bind("count", Access::Update, Scalar::Word)],
    body: "
@group(0) @binding(1) var<storage, read_write> count: array<u32>;
@compute @workgroup_size(WORKGROUP_SIZE)
fn tick(@builtin(local_invocation_index) lane: u32) {
    count[lane] += params.row_count;
}
",
    ..MEASURED
};

/// Multiplies and adds in registers.
static CHURN: Kernel = Kernel {
    name: "churn",
    family: Family::Real,
    bindings: &[PARAMS, bind("sums", Access::Update, Scalar::Real)],
    body: "
@group(0) @binding(1) var<storage, read_write> sums: array<real>;
@compute @workgroup_size(WORKGROUP_SIZE)
fn churn(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) lane: u32) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    let x = 0.5 + 0.25 * sums[i];
    var a = vec4<real>(0.1, 0.2, 0.3, 0.4);
    for (var k = 0u; k < params.row_count; k++) {
        a = a * x + x;
    }
    sums[i] = a.x + a.y + a.z + a.w;
}
",
    ..MEASURED
};
