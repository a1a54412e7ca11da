//! The suite of backends on the device, and on the twins of its kernels.

use std::sync::Arc;

use sinew::backend::Backend;
use sinew::solve::SolverSettings;
use sinew::system::CompiledModel;
use sinew_gpu::testing::test_device;
use sinew_gpu::{GpuBackend, Options};

fn resident(system: Arc<CompiledModel>, settings: SolverSettings) -> Box<dyn Backend> {
    Box::new(GpuBackend::new(test_device(), system, settings).expect("the device takes the model"))
}

fn twins(system: Arc<CompiledModel>, settings: SolverSettings) -> Box<dyn Backend> {
    let options = Options::of_twins();
    Box::new(GpuBackend::on_twins(&options, system, settings).expect("the twins take the model"))
}

mod on_twins {
    sinew::conformance_suite!(super::twins);
}

mod on_the_device {
    sinew::conformance_suite!(super::resident);
}
