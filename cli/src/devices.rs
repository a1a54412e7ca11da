//! `sinew devices`: the processor and the graphics adapters, with what limits them.

use std::fmt::Write;

use sinew_gpu::AdapterSummary;

use crate::run::machine::Machine;

/// The listing.
pub(crate) fn list() -> String {
    let machine = Machine::this();
    let mut text = format!(
        "cpu  {}, {} cores, {} {}\n     in use: runs compute here, in 64-bit floating point\n",
        machine.cpu, machine.cores, machine.os, machine.arch
    );
    let adapters = sinew_gpu::list_adapters();
    for (index, adapter) in adapters.iter().enumerate() {
        add_adapter(&mut text, index, adapter);
    }
    text += match adapters.len() {
        0 => "gpu  none found\n",
        _ => "The GPU path is not there yet: the adapters are listed, not used.\n",
    };
    text
}

/// Appends the lines of one adapter.
fn add_adapter(text: &mut String, index: usize, adapter: &AdapterSummary) {
    const MIB: u64 = 1 << 20;
    let AdapterSummary { name, backend, kind, driver, features, .. } = adapter;
    let binding = adapter.max_storage_buffer_binding_size / MIB;
    let buffer = adapter.max_buffer_size / MIB;
    // Writing to a String cannot fail.
    let _ = writeln!(text, "gpu{index} {name}, {kind}, {backend}, driver {driver}");
    let _ = writeln!(text, "     storage binding up to {binding} MiB, buffer up to {buffer} MiB");
    let _ = writeln!(text, "     features: {}", or_none(&features.join(", ")));
}

/// `text`, or "none" when it is empty.
fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}
