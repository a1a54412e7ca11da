//! The lines of `sinew devices` on graphics adapters: names and limits.

use std::fmt::Write;

use sinew_gpu::AdapterSummary;

use crate::numbers::grouped;

/// Bytes a node of the widest array that a kernel sees whole: six vectors of multigrid, 3 f32 each.
/// The matrix is wider, and is cut.
const WIDEST_BYTES_A_NODE: u64 = 6 * 3 * 4;

/// The lines of all adapters.
pub(crate) fn listing() -> String {
    let mut text = String::new();
    let adapters = sinew_gpu::list_adapters();
    for (index, adapter) in adapters.iter().enumerate() {
        add_adapter(&mut text, index, adapter);
    }
    text += match adapters.len() {
        0 => "gpu  none found\n",
        _ => {
            "Choose one with --device N, --device NAME or SINEW_DEVICE; software only when asked for.\n"
        }
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
    let has = |name: &str| features.iter().any(|feature| feature == name);
    let precision = if has("SHADER_F64") { "64 and 32 bits" } else { "32 bits alone" };
    let times = if has("TIMESTAMP_QUERY") { "yes" } else { "no" };
    let nodes = adapter.max_storage_buffer_binding_size / WIDEST_BYTES_A_NODE;
    let _ = writeln!(text, "     {precision}, kernel times (--profile): {times}");
    let _ = writeln!(
        text,
        "     largest model by its bindings: {} nodes; its memory may end before",
        grouped(nodes as usize)
    );
    let _ = writeln!(text, "     features: {}", or_none(&features.join(", ")));
}

/// `text`, or "none" when it is empty.
fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}
