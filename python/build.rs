//! Linker arguments of an extension module, which differ by system.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
