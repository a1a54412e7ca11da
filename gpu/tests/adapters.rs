//! Claims that hold on any machine: with a GPU, with a software driver only, or with neither.

use sinew_gpu::{AdapterKind, list_adapters};

#[test]
fn listing_adapters_returns_on_any_machine() {
    let adapters = list_adapters();
    println!("{} adapters on this machine", adapters.len());
    for adapter in &adapters {
        println!("{adapter:?}");
        assert!(!adapter.name.is_empty(), "{adapter:?}");
        assert!(["vulkan", "metal", "dx12"].contains(&adapter.backend.as_str()), "{adapter:?}");
        // WebGPU guarantees 128 MiB; an adapter that reports less was read wrongly.
        assert!(adapter.max_storage_buffer_binding_size >= 1 << 27, "{adapter:?}");
        assert!(adapter.max_buffer_size >= adapter.max_storage_buffer_binding_size, "{adapter:?}");
    }
}

#[test]
fn software_adapters_are_marked() {
    for adapter in list_adapters() {
        // The names of the software drivers of Mesa, Google and Microsoft.
        let name = format!("{} {}", adapter.name, adapter.driver).to_lowercase();
        let known = ["llvmpipe", "lavapipe", "swiftshader", "basic render driver"];
        if known.iter().any(|software| name.contains(software)) {
            assert!(adapter.software, "{adapter:?}");
        }
        assert_eq!(adapter.software, adapter.kind == AdapterKind::Software, "{adapter:?}");
    }
}
