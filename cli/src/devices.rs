//! `sinew devices`: the processor and the graphics adapters, with their limits.

use crate::compute::device;
use crate::compute::machine::Machine;

/// The listing.
pub(crate) fn list() -> String {
    let machine = Machine::this();
    format!(
        "cpu  {}, {} cores, {} {}\n     64-bit floating point; every model runs here\n{}",
        machine.cpu,
        machine.cores,
        machine.os,
        machine.arch,
        device::listing()
    )
}
