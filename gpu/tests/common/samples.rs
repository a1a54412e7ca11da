//! Samples of kernels on the device and on the twins.

use sinew_gpu::{DeviceExecutor, Executor, Gpu, Source};
use sinew_shaders::kernel::{Access, Scalar};
use sinew_shaders::program::{BufferId, Command, Dispatch, ListId, Program};
use sinew_shaders::samples::Sample;
use sinew_shaders::source::Precision;

use super::{difference, twin};

/// Roundings of f64 over those of f32.
const DOUBLE: f64 = 1.0 / (1u64 << 29) as f64;

/// A sample, and what the twin makes of it.
pub struct Trial {
    program: Program,
    tolerance: f64,
    mixed: bool,
    /// Written buffers, before and after.
    written: Vec<(BufferId, Vec<u8>, Vec<u8>)>,
}

impl Trial {
    /// Runs a sample on the twin.
    pub fn new(sample: &Sample, precision: Precision) -> Self {
        let program = sample.program(precision);
        let [list] = program.lists.as_slice() else { panic!("{}: one list", sample.kernel) };
        let [Command::Dispatch(dispatch)] = list.as_slice() else {
            panic!("{}: one call", sample.kernel)
        };
        assert_eq!(dispatch.kernel.name, sample.kernel);
        let ids = written(dispatch);
        let mut executor = twin(program.clone());
        let read = |executor: &mut dyn Executor| -> Vec<Vec<u8>> {
            ids.iter().map(|&id| executor.read(id).expect("twins do not fail")).collect()
        };
        let before = read(&mut *executor);
        executor.submit(&[(ListId(0), 1)]).expect("twins do not fail");
        let after = read(&mut *executor);
        let both = before.into_iter().zip(after);
        let written = ids.iter().zip(both).map(|(&id, (a, b))| (id, a, b)).collect();
        Self { program, tolerance: sample.tolerance, mixed: sample.mixed, written }
    }

    /// The call of the sample.
    pub fn dispatch(&self) -> &Dispatch {
        match &self.program.lists[0][0] {
            Command::Dispatch(dispatch) => dispatch,
            other => panic!("{other:?}"),
        }
    }

    /// True if the twin changes a buffer.
    pub fn changes(&self) -> bool {
        self.written.iter().any(|(_, before, after)| before != after)
    }

    /// Runs the sample on a device, with texts of kernels as `source` gives them.
    ///
    /// # Errors
    /// Where the device and the twin differ, or what the device refuses.
    pub fn on_device(&self, gpu: &Gpu, source: Source<'_>) -> Result<(), String> {
        let executor = DeviceExecutor::with_source(gpu, self.program.clone(), source);
        let mut executor = executor.map_err(|error| error.to_string())?;
        executor.submit(&[(ListId(0), 1)]).map_err(|error| error.to_string())?;
        let ids: Vec<_> = self.written.iter().map(|(id, ..)| *id).collect();
        let ticket = executor.start_read(&ids).map_err(|error| error.to_string())?;
        let found = executor.finish_read(ticket).map_err(|error| error.to_string())?;
        for ((id, _, expected), found) in self.written.iter().zip(&found) {
            let (spec, precision) = (self.program.buffer(*id), self.program.precision);
            let worst = difference(found, expected, spec.scalar, precision);
            let tolerance = self.tolerance(spec.scalar);
            // Written so that a difference that is no number is one.
            if worst.is_nan() || worst > tolerance {
                return Err(format!("{} differs by {worst:e} > {tolerance:e}", spec.name));
            }
        }
        Ok(())
    }

    /// Whole numbers are equal; reals of 64 bits are compared as such.
    fn tolerance(&self, scalar: Scalar) -> f64 {
        match (scalar, self.program.precision) {
            (Scalar::Word, _) => 0.0,
            (Scalar::Real, Precision::Double) if !self.mixed => self.tolerance * DOUBLE,
            _ => self.tolerance,
        }
    }
}

/// The buffers that a call writes.
fn written(dispatch: &Dispatch) -> Vec<BufferId> {
    let listed = dispatch.kernel.bindings[1..].iter().zip(&dispatch.bindings);
    listed.filter(|(binding, _)| binding.access != Access::Read).map(|(_, &id)| id).collect()
}
