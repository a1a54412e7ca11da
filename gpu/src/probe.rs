//! The opening of a device, with a probe of its 64-bit arithmetic. Vulkan leaves the precision of 64-bit quotients and roots to
//! drivers, and some compute them in 32 bits. The speed does not count here: a clock would choose another precision in
//! another run, and so other results ([`Gpu::survey`] measures it).

use sinew_shaders::kernel::{Access, Family, Kernel, Scalar};
use sinew_shaders::program::{Data, Program};
use sinew_shaders::source::Precision;

use crate::survey::{MEASURED, PARAMS, add_measured, bind};
use crate::{DeviceExecutor, DeviceSelection, Executor, Gpu, GpuError, GpuOptions, numbers};

/// Pairs of operands, at most as many as a workgroup has invocations.
const COUNT: usize = 64;

/// Most error of a quotient or a root, in units of the last place: what refining an estimate leaves. The residual of a
/// step, 1e-9 at its smallest, has six digits to spare.
const UNITS: f64 = 4.0;

/// Sum, product, quotient and root of each pair of operands.
static ARITHMETIC: Kernel = Kernel {
    name: "arithmetic",
    family: Family::Real,
    bindings: &[
        PARAMS,
        bind("operands", Access::Read, Scalar::Real),
        bind("results", Access::Write, Scalar::Real),
    ],
    body: "
@group(0) @binding(1) var<storage, read> operands: array<real>;
@group(0) @binding(2) var<storage, read_write> results: array<real>;
@compute @workgroup_size(WORKGROUP_SIZE)
fn arithmetic(@builtin(local_invocation_index) lane: u32) {
    if lane >= params.row_count {
        return;
    }
    let a = operands[2u * lane];
    let b = operands[2u * lane + 1u];
    results[4u * lane] = a + b;
    results[4u * lane + 1u] = a * b;
    results[4u * lane + 2u] = a / b;
    results[4u * lane + 3u] = sqrt(a);
}
",
    ..MEASURED
};

impl Gpu {
    /// Opens a device, used as the environment says ([`GpuOptions::from_env`]).
    ///
    /// # Errors
    /// As [`Self::open_with`], and [`GpuError::Setting`] when the environment makes no sense.
    pub fn open(choice: &DeviceSelection) -> Result<Self, GpuError> {
        Self::open_with(choice, &GpuOptions::from_env()?)
    }

    /// Opens a device with all features and limits of its adapter that matter here. Where no precision is asked for, it
    /// is that of 64 bits if the device computes in them as exactly as residuals need.
    ///
    /// # Errors
    /// Those of [`DeviceSelection::pick`]; [`GpuError::Unsupported`] when f64 is asked for and not there;
    /// [`GpuError::Lost`] when the driver does not open it.
    pub fn open_with(choice: &DeviceSelection, options: &GpuOptions) -> Result<Self, GpuError> {
        let gpu = Self::connect(choice, options)?;
        let precision = match options.precision {
            Some(wanted) => wanted,
            None if gpu.has(Precision::Double) && computes_double(&gpu)? => Precision::Double,
            None => Precision::Single,
        };
        gpu.set_precision(precision);
        Ok(gpu)
    }
}

/// True if the device computes in 64 bits as exactly as residuals need.
///
/// # Errors
/// Those of the executor, but for a driver that does not compile the kernel: it does not compute in 64 bits.
fn computes_double(gpu: &Gpu) -> Result<bool, GpuError> {
    let operands = operands();
    match results(gpu, &operands) {
        Ok(results) => Ok(are_exact(&operands, &results)),
        Err(GpuError::Shader { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

fn results(gpu: &Gpu, operands: &[f64]) -> Result<Vec<f64>, GpuError> {
    let mut program = Program::new(Precision::Double);
    let given = program.add_data("operands", Data::Reals(operands.to_vec()));
    let found = program.add_zeros("results", Scalar::Real, 4 * COUNT);
    let work = (vec![given, found], 1);
    let list = add_measured(&mut program, &ARITHMETIC, COUNT as u32, work);
    let mut executor = DeviceExecutor::new(gpu, program)?;
    executor.submit(&[(list, 1)])?;
    Ok(numbers(&executor.read(found)?, Scalar::Real, Precision::Double))
}

/// Pairs of numbers with all bits in use, of sizes from 1e-3 to 1e3; the first positive.
fn operands() -> Vec<f64> {
    let golden = 0.618_033_988_749_894_9;
    let size = |k: i32| (1.0 + (f64::from(k + 1) * golden).fract()) * 2f64.powi(k % 21 - 10);
    let sign = |k: i32| if k % 4 == 3 { -1.0 } else { 1.0 };
    (0..2 * COUNT as i32).map(|k| sign(k) * size(k)).collect()
}

/// True if sums and products are right to the last bit, quotients and roots all but.
fn are_exact(operands: &[f64], results: &[f64]) -> bool {
    let (pairs, found) = (operands.as_chunks::<2>().0, results.as_chunks::<4>().0);
    let near = |found: f64, exact: f64| (found - exact).abs() <= UNITS * f64::EPSILON * exact.abs();
    let is_right = |(&[a, b], found): (&[f64; 2], &[f64; 4])| {
        let exact = found[0] == a + b && found[1] == a * b;
        exact && near(found[2], a / b) && near(found[3], a.sqrt())
    };
    pairs.len() == found.len() && pairs.iter().zip(found).all(is_right)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of a device that computes one of the operations by `change`.
    fn changed(operation: usize, change: impl Fn(f64) -> f64) -> Vec<f64> {
        let operands = operands();
        let of = |&[a, b]: &[f64; 2]| {
            let mut results = [a + b, a * b, a / b, a.sqrt()];
            results[operation] = change(results[operation]);
            results
        };
        operands.as_chunks::<2>().0.iter().flat_map(of).collect()
    }

    #[test]
    fn an_operation_in_32_bits_is_noticed_and_the_last_place_of_quotients_and_roots_is_not() {
        let operands = operands();
        for operation in 0..4 {
            assert!(are_exact(&operands, &changed(operation, |x| x)));
            assert!(!are_exact(&operands, &changed(operation, |x| f64::from(x as f32))));
            assert!(!are_exact(&operands, &changed(operation, |_| f64::NAN)));
            let last_place = changed(operation, |x| x * (1.0 + 2.0 * f64::EPSILON));
            assert_eq!(are_exact(&operands, &last_place), operation >= 2, "{operation}");
        }
    }
}
