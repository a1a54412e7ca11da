//! Two small kernels with twins, outside the table, for tests of executors; and what compares a
//! device with the twins.
#![allow(dead_code, unreachable_pub, missing_docs)]

pub mod mutants;
pub mod samples;
pub mod texts;

use bytemuck::bytes_of;
use sinew_gpu::elements::Twins;
use sinew_gpu::{DeviceExecutor, Executor, Gpu, NoElements, TwinExecutor, numbers};
use sinew_shaders::cpu::{Buffer, Call, Real, Twin};
use sinew_shaders::kernel::{Access, Binding, Cost, Family, Kernel, Scalar};
use sinew_shaders::layout::WORKGROUP_SIZE;
use sinew_shaders::machine::ElementTwins;
use sinew_shaders::params::RowParams;
use sinew_shaders::program::{BufferId, Command, Data, Dispatch, ListId, Program};
use sinew_shaders::source::{Precision, Variant};

const fn bind(name: &'static str, access: Access, scalar: Scalar) -> Binding {
    Binding { name, access, scalar }
}

const HEAD: &str = "
struct RowParams { row_count: u32, extra_0: u32, extra_1: u32, extra_2: u32 }
@group(0) @binding(0) var<uniform> params: RowParams;
";

/// y_i <- 1.5 y_i + i - x_i.
pub static BLEND: Kernel = Kernel {
    name: "blend",
    workgroup_size: WORKGROUP_SIZE,
    family: Family::Real,
    bindings: &[
        bind("params", Access::Uniform, Scalar::Word),
        bind("x", Access::Read, Scalar::Real),
        bind("y", Access::Update, Scalar::Real),
    ],
    cost: |sizes, precision| Cost {
        bytes: 3 * precision.real_bytes() * sizes.rows,
        flops: 3 * sizes.rows,
    },
    twin: Some(Twin { single: blend, double: blend }),
    imports: &[HEAD],
    body: "
@group(0) @binding(1) var<storage, read> x: array<real>;
@group(0) @binding(2) var<storage, read_write> y: array<real>;
@compute @workgroup_size(WORKGROUP_SIZE)
fn blend(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) lane: u32) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.row_count { return; }
    y[i] = 1.5 * y[i] + real(i) - x[i];
}
",
};

fn blend<T: Real>(call: Call<'_, '_, T>) {
    let params: RowParams = call.params();
    let [Buffer::Reals(x), Buffer::RealsMut(y)] = call.buffers else { panic!("bindings") };
    for i in 0..params.row_count as usize {
        y[i] = T::of(1.5) * y[i] + T::of(i as f64) - x[i];
    }
}

/// Counts workgroups, and marks the place of each one in a grid of any shape; one word for each 4,096
/// groups.
pub static VISIT: Kernel = Kernel {
    name: "visit",
    workgroup_size: WORKGROUP_SIZE,
    family: Family::Float,
    bindings: &[
        bind("params", Access::Uniform, Scalar::Word),
        bind("visits", Access::Atomic, Scalar::Word),
    ],
    cost: |_, _| Cost { bytes: 4, flops: 0 },
    twin: Some(Twin { single: visit, double: visit }),
    imports: &[HEAD],
    body: "
@group(0) @binding(1) var<storage, read_write> visits: array<atomic<u32>>;
@compute @workgroup_size(WORKGROUP_SIZE)
fn visit(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) lane: u32) {
    let number = group.y * groups.x + group.x;
    if lane != 7u || number >= params.row_count { return; }
    atomicAdd(&visits[number / 4096u], 1u);
}
",
};

fn visit<T: Real>(call: Call<'_, '_, T>) {
    let params: RowParams = call.params();
    let [Buffer::WordsMut(visits)] = call.buffers else { panic!("bindings") };
    for number in 0..u64::from(params.row_count).min(call.groups) {
        visits[(number / 4096) as usize] += 1;
    }
}

/// A call of a kernel that is not in the table.
pub fn call(
    program: &Program,
    kernel: &'static Kernel,
    rows: u32,
    bindings: &[BufferId],
) -> Command {
    let params = RowParams { row_count: rows, ..Default::default() };
    let sizes = sinew_shaders::kernel::Sizes { rows: u64::from(rows), ..Default::default() };
    Command::Dispatch(Dispatch {
        kernel,
        variant: Variant::new(program.precision, None),
        params: bytes_of(&params).to_vec(),
        bindings: bindings.to_vec(),
        groups: u64::from(rows).div_ceil(u64::from(WORKGROUP_SIZE)),
        cost: (kernel.cost)(&sizes, program.precision),
    })
}

/// A program over three buffers of 1,000 reals: list 0 is x -> y, list 1 y -> z, list 2 sets x to z and
/// y to zero.
pub struct Small {
    pub program: Program,
    pub x: BufferId,
    pub y: BufferId,
    pub z: BufferId,
}

pub const ROWS: usize = 1000;

pub fn small(precision: Precision) -> Small {
    let mut program = Program::new(precision);
    let wave = |k: usize| (0.7 * k as f64).sin();
    let x = program.add_data("x", Data::Reals((0..ROWS).map(wave).collect()));
    let y = program.add_zeros("y", Scalar::Real, ROWS);
    let z = program.add_data("z", Data::Reals((0..ROWS).map(|k| wave(k + 5)).collect()));
    let first = call(&program, &BLEND, ROWS as u32, &[x, y]);
    let second = call(&program, &BLEND, ROWS as u32 - 3, &[y, z]);
    program.add_list(vec![first]);
    program.add_list(vec![second]);
    program.add_list(vec![Command::Copy { from: z, to: x }, Command::Clear(y)]);
    Small { program, x, y, z }
}

/// The three lists in an order that tells them apart.
pub const RUNS: [(ListId, u32); 4] =
    [(ListId(0), 2), (ListId(1), 1), (ListId(2), 1), (ListId(0), 3)];

/// The precisions that a device has.
pub fn precisions(gpu: &Gpu) -> Vec<Precision> {
    Precision::ALL.into_iter().filter(|&precision| gpu.has(precision)).collect()
}

/// An executor on the twins.
pub fn twin(program: Program) -> Box<dyn Executor> {
    match program.precision {
        Precision::Single => Box::new(TwinExecutor::<f32>::new(program, Box::new(Twins))),
        Precision::Double => Box::new(TwinExecutor::<f64>::new(program, Box::new(Twins))),
    }
}

/// No elements, in the precision of a test.
pub fn no_elements<T: Real>() -> Box<dyn ElementTwins<T>> {
    Box::new(NoElements)
}

/// An executor on a device.
pub fn device(gpu: &Gpu, program: Program) -> DeviceExecutor {
    DeviceExecutor::new(gpu, program).expect("a program that fits")
}

/// A number that stands for one that has run away; it must not hide differences of the others.
const RUNAWAY: f64 = 1e25;

/// Largest difference of two buffers, relative to the largest entry of the second; of numbers that have
/// run away, relative to themselves.
pub fn difference(bytes: &[u8], expected: &[u8], scalar: Scalar, precision: Precision) -> f64 {
    assert_eq!(bytes.len(), expected.len(), "sizes");
    let (a, b) = (numbers(bytes, scalar, precision), numbers(expected, scalar, precision));
    let near = b.iter().map(|x| x.abs()).filter(|&x| x < RUNAWAY);
    let largest = near.fold(f64::MIN_POSITIVE, f64::max);
    let mut worst = 0.0f64;
    for (&a, &b) in a.iter().zip(&b) {
        let scale = if b.abs() < RUNAWAY { largest } else { b.abs() };
        let d = (a - b).abs() / scale;
        let same = a == b || (a.is_nan() && b.is_nan());
        // What is not a number on one side alone is as wrong as can be.
        worst = worst.max(match (same, d.is_nan()) {
            (true, _) => 0.0,
            (false, true) => f64::INFINITY,
            (false, false) => d,
        });
    }
    worst
}
