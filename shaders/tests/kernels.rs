//! Contracts over the kernel table, checked by naga without an adapter: every kernel validates
//! under the portable capabilities, and its WGSL says what the table says.

use std::path::Path;

use naga::valid::{Capabilities, ValidationFlags, Validator};
use sinew_shaders::layout::LAYOUTS;
use sinew_shaders::table::{Access, KERNELS, Kernel, Sizes, kernel};

fn parsed(kernel: &Kernel) -> naga::Module {
    let source = kernel.source();
    naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)))
}

/// File stems of a folder of this package that end on `extension`, sorted.
fn stems(folder: &str, extension: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder of the package");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let mut stems: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .map(|path| path.file_stem().expect("a stem").to_string_lossy().into_owned())
        .filter(|stem| stem != "mod")
        .collect();
    stems.sort();
    stems
}

#[test]
fn every_kernel_validates_with_portable_capabilities() {
    for kernel in &KERNELS {
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        let result = validator.validate(&parsed(kernel));
        assert!(result.is_ok(), "{}: {:?}", kernel.name, result.err());
    }
}

#[test]
fn every_file_is_in_the_table_and_has_a_twin_of_its_name() {
    let mut names: Vec<_> = KERNELS.iter().map(|kernel| kernel.name.to_owned()).collect();
    names.sort();
    assert_eq!(stems("wgsl", "wgsl"), names);
    assert_eq!(stems("src/cpu", "rs"), names);
    for name in &names {
        assert_eq!(kernel(name).map(|kernel| kernel.name), Some(name.as_str()));
    }
    assert!(kernel("no_such_kernel").is_none());
}

#[test]
fn every_kernel_has_the_one_entry_point_and_workgroup_of_the_table() {
    for kernel in &KERNELS {
        let module = parsed(kernel);
        let [entry] = module.entry_points.as_slice() else {
            panic!("{}: {} entry points", kernel.name, module.entry_points.len());
        };
        assert_eq!(entry.name, kernel.name);
        assert_eq!(entry.workgroup_size, [kernel.workgroup_size, 1, 1], "{}", kernel.name);
    }
}

#[test]
fn every_kernel_binds_what_the_table_lists_in_that_order() {
    for kernel in &KERNELS {
        let module = parsed(kernel);
        let mut found: Vec<_> = module
            .global_variables
            .iter()
            .filter_map(|(_, variable)| Some((variable.binding.as_ref()?, variable)))
            .collect();
        found.sort_by_key(|(binding, _)| (binding.group, binding.binding));
        assert_eq!(found.len(), kernel.bindings.len(), "{}", kernel.name);
        for (number, ((place, variable), listed)) in found.iter().zip(kernel.bindings).enumerate() {
            assert_eq!((place.group, place.binding as usize), (0, number), "{}", kernel.name);
            assert_eq!(variable.name.as_deref(), Some(listed.name), "{}", kernel.name);
            assert_eq!(variable.space, space(listed.access), "{}: {}", kernel.name, listed.name);
        }
    }
}

fn space(access: Access) -> naga::AddressSpace {
    let read = naga::StorageAccess::LOAD;
    match access {
        Access::Uniform => naga::AddressSpace::Uniform,
        Access::Read => naga::AddressSpace::Storage { access: read },
        Access::Write | Access::Update => {
            naga::AddressSpace::Storage { access: read | naga::StorageAccess::STORE }
        }
    }
}

#[test]
fn every_struct_has_the_same_layout_in_wgsl_and_in_rust() {
    let mut seen = Vec::new();
    for kernel in &KERNELS {
        for (_, ty) in parsed(kernel).types.iter() {
            let naga::TypeInner::Struct { members, span } = &ty.inner else { continue };
            let name = ty.name.clone().unwrap_or_default();
            let layout = LAYOUTS.iter().find(|layout| layout.name == name);
            let layout = layout.unwrap_or_else(|| panic!("{name} is not in LAYOUTS"));
            let wgsl: Vec<_> = members
                .iter()
                .map(|m| (m.name.clone().unwrap_or_default(), m.offset as usize))
                .collect();
            let rust: Vec<_> = layout.members.iter().map(|(n, o)| ((*n).to_owned(), *o)).collect();
            assert_eq!(wgsl, rust, "{name}");
            assert_eq!(*span as usize, layout.size, "{name}");
            seen.push(layout.name);
        }
    }
    assert_eq!(seen, LAYOUTS.map(|layout| layout.name), "structs that no kernel uses");
}

#[test]
fn no_kernel_binds_more_storage_buffers_than_every_device_has() {
    for kernel in &KERNELS {
        let storage = kernel.bindings.iter().filter(|b| b.access != Access::Uniform).count();
        // WebGPU's default for storage buffers a stage.
        assert!(storage <= 8, "{} binds {storage}", kernel.name);
    }
}

#[test]
fn grids_cover_the_work_within_the_limit_of_a_dimension() {
    for kernel in &KERNELS {
        for size in [0, 1, 255, 256, 257, 30_000_000, 4_000_000_000] {
            let sizes = Sizes { scalars: size, block_rows: size, blocks: 14 * size };
            let grid = kernel.grid(&sizes).expect("a grid").map(u64::from);
            let groups = (kernel.workgroups)(&sizes);
            assert!(grid.iter().product::<u64>() >= groups, "{}: {size}", kernel.name);
            // Less than a row of groups stays idle.
            assert!(grid[0] * grid[1].saturating_sub(1) <= groups, "{}: {size}", kernel.name);
            assert!(grid.iter().all(|&g| g <= 65_535), "{}: {size}", kernel.name);
        }
        let sizes = Sizes { scalars: 1 << 50, block_rows: 1 << 50, blocks: 1 << 50 };
        assert_eq!(kernel.grid(&sizes), None, "{}", kernel.name);
    }
}

#[test]
fn bytes_and_flops_are_those_counted_by_hand() {
    let sizes = Sizes { scalars: 3000, block_rows: 1000, blocks: 13_000 };
    let counts = |name| {
        let kernel = kernel(name).expect("in the table");
        (kernel.bytes(&sizes), (kernel.flops)(&sizes))
    };
    assert_eq!(counts("axpby"), (16 + 36_000, 9000));
    assert_eq!(counts("dot_partial"), (16 + 24_000 + 8, 6000));
    assert_eq!(counts("block_spmv"), (16 + 13_000 * 40 + 4 + 1000 * (4 + 36 + 24), 288_000));
}
