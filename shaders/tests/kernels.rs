//! Contracts over the kernel table, checked by naga without an adapter: every text of every kernel
//! validates under the capabilities it may use, and its WGSL says what the table says.

mod common;

use std::path::Path;

use common::{parsed, variants};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use sinew_shaders::instances::Apart;
use sinew_shaders::kernel::{Access, Family, Kernel, Scalar};
use sinew_shaders::params::layouts;
use sinew_shaders::source::{Constants, Law, Precision, Variant};
use sinew_shaders::table::{grid, kernel, kernels};

/// Capabilities of devices: those of every one, packed numbers of 16 bits among them, and 64-bit arithmetic.
fn capabilities(variant: Variant) -> Capabilities {
    let every = Capabilities::SHADER_FLOAT16_IN_FLOAT32;
    match variant.precision {
        Precision::Single => every,
        Precision::Double => every | Capabilities::FLOAT64,
    }
}

/// The first text of a kernel.
fn first(kernel: &Kernel) -> naga::Module {
    parsed(kernel, variants(kernel)[0])
}

/// File stems below a folder of this package that end on `extension`, sorted.
fn stems(folder: &Path, extension: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder of the package");
    let mut stems: Vec<String> = entries
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .map(|path| path.file_stem().expect("a stem").to_string_lossy().into_owned())
        .filter(|stem| stem != "mod")
        .collect();
    stems.sort();
    stems
}

#[test]
fn every_text_validates_with_the_capabilities_that_it_may_use() {
    for kernel in kernels() {
        for variant in variants(kernel) {
            let mut validator = Validator::new(ValidationFlags::all(), capabilities(variant));
            let result = validator.validate(&parsed(kernel, variant));
            assert!(result.is_ok(), "{} {variant:?}: {:?}", kernel.name, result.err());
        }
    }
}

/// A kernel as other languages have it: Metal's and that of OpenGL for single precision, that of DirectX for both.
fn translated(kernel: &Kernel, variant: Variant) -> Result<[usize; 3], String> {
    use naga::back::{glsl, hlsl, msl};
    let module = parsed(kernel, variant);
    let mut validator = Validator::new(ValidationFlags::all(), capabilities(variant));
    let info = validator.validate(&module).map_err(|error| error.to_string())?;
    let mut direct = String::new();
    let (options, pipeline) = (hlsl::Options::default(), hlsl::PipelineOptions::default());
    let mut writer = hlsl::Writer::new(&mut direct, &options, &pipeline);
    writer.write(&module, &info, None).map_err(|error| format!("HLSL: {error}"))?;
    if variant.precision == Precision::Double {
        // Neither Metal nor OpenGL ES has it.
        return Ok([direct.len(), 1, 1]);
    }
    let options = msl::Options { lang_version: (2, 0), ..msl::Options::default() };
    let metal = msl::write_string(&module, &info, &options, &msl::PipelineOptions::default());
    let (metal, _) = metal.map_err(|error| format!("MSL: {error}"))?;
    let pipeline = glsl::PipelineOptions {
        shader_stage: naga::ShaderStage::Compute,
        entry_point: kernel.name.to_owned(),
        multiview: None,
    };
    let (mut open, options) = (String::new(), glsl::Options::default());
    let policies = naga::proc::BoundsCheckPolicies::default();
    glsl::Writer::new(&mut open, &module, &info, &options, &pipeline, policies)
        .and_then(|mut writer| writer.write())
        .map_err(|error| format!("GLSL: {error}"))?;
    Ok([direct.len(), metal.len(), open.len()])
}

#[test]
fn every_kernel_translates_to_the_languages_of_metal_directx_and_opengl() {
    for kernel in kernels() {
        let plain = |variant: &Variant| {
            variant.element.is_none_or(|e| e.node_count == 20 && e.constants == Constants::OfBatch)
        };
        for variant in variants(kernel).into_iter().filter(plain) {
            match translated(kernel, variant) {
                Ok(lengths) => assert!(!lengths.contains(&0), "{} {variant:?}", kernel.name),
                Err(error) => panic!("{} {variant:?}: {error}", kernel.name),
            }
        }
    }
}

#[test]
fn every_file_is_in_the_table_and_has_a_twin_of_its_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for group in ["step", "solve", "multigrid", "contact", "element"] {
        let texts = stems(&root.join("wgsl").join(group), "wgsl");
        if group != "element" {
            assert_eq!(texts, stems(&root.join("src/cpu").join(group), "rs"), "{group}");
        }
        files.extend(texts);
    }
    let mut names: Vec<_> = kernels().map(|kernel| kernel.name.to_owned()).collect();
    files.sort();
    names.sort();
    assert_eq!(files, names);
    for kernel in kernels() {
        let element = !matches!(kernel.family, Family::Float | Family::Real);
        assert!(element || kernel.twin.is_some(), "{} has no twin", kernel.name);
    }
    assert!(kernel("no_such_kernel").is_none());
}

#[test]
fn every_kernel_has_the_one_entry_point_and_workgroup_of_the_table() {
    for kernel in kernels() {
        let module = first(kernel);
        let [entry] = module.entry_points.as_slice() else {
            panic!("{}: {} entry points", kernel.name, module.entry_points.len());
        };
        assert_eq!(entry.name, kernel.name);
        assert_eq!(entry.workgroup_size, [kernel.workgroup_size, 1, 1], "{}", kernel.name);
    }
}

#[test]
fn every_kernel_binds_what_the_table_lists_in_that_order() {
    for kernel in kernels() {
        // No law binds anything.
        let of_one_law = |v: &Variant| v.element.is_none_or(|e| e.law == Law::ALL[0]);
        for variant in variants(kernel).into_iter().filter(of_one_law) {
            let module = parsed(kernel, variant);
            let mut found: Vec<_> = module
                .global_variables
                .iter()
                .filter_map(|(_, variable)| Some((variable.binding.as_ref()?, variable)))
                .collect();
            found.sort_by_key(|(binding, _)| (binding.group, binding.binding));
            assert_eq!(found.len(), kernel.bindings.len(), "{}", kernel.name);
            for (number, ((place, variable), listed)) in
                found.iter().zip(kernel.bindings).enumerate()
            {
                let what = format!("{}: {}", kernel.name, listed.name);
                assert_eq!((place.group, place.binding as usize), (0, number), "{what}");
                assert_eq!(variable.name.as_deref(), Some(listed.name), "{what}");
                assert_eq!(variable.space, space(listed.access), "{what}");
                if listed.access != Access::Uniform {
                    let scalar = entry_type(&module, variable.ty);
                    assert_eq!(scalar, wanted(listed.scalar, variant.precision), "{what}");
                }
            }
        }
    }
}

fn space(access: Access) -> naga::AddressSpace {
    let read = naga::StorageAccess::LOAD;
    match access {
        Access::Uniform => naga::AddressSpace::Uniform,
        Access::Read => naga::AddressSpace::Storage { access: read },
        Access::Write | Access::Update | Access::Atomic => {
            naga::AddressSpace::Storage { access: read | naga::StorageAccess::STORE }
        }
    }
}

/// Kind and width of the entries of an array.
fn entry_type(module: &naga::Module, ty: naga::Handle<naga::Type>) -> naga::Scalar {
    let naga::TypeInner::Array { base, .. } = module.types[ty].inner else {
        panic!("a storage binding is no array");
    };
    match module.types[base].inner {
        naga::TypeInner::Scalar(scalar) | naga::TypeInner::Atomic(scalar) => scalar,
        ref other => panic!("an array of {other:?}"),
    }
}

fn wanted(scalar: Scalar, precision: Precision) -> naga::Scalar {
    match scalar {
        Scalar::Word => naga::Scalar::U32,
        Scalar::Float => naga::Scalar::F32,
        Scalar::Real => {
            naga::Scalar { kind: naga::ScalarKind::Float, width: precision.real_bytes() as u8 }
        }
    }
}

#[test]
fn every_struct_has_the_same_layout_in_wgsl_and_in_rust() {
    let mut seen = Vec::new();
    for kernel in kernels() {
        let module = first(kernel);
        let uniform = module
            .global_variables
            .iter()
            .find(|(_, v)| v.space == naga::AddressSpace::Uniform)
            .expect("every kernel has parameters");
        let ty = &module.types[uniform.1.ty];
        let naga::TypeInner::Struct { members, span } = &ty.inner else {
            panic!("{}: parameters are no struct", kernel.name);
        };
        let name = ty.name.clone().unwrap_or_default();
        let layout = layouts().find(|layout| layout.name == name);
        let layout = layout.unwrap_or_else(|| panic!("{name} is not in the layouts"));
        let wgsl: Vec<_> = members
            .iter()
            .map(|m| (m.name.clone().unwrap_or_default(), m.offset as usize))
            .collect();
        let rust: Vec<_> = layout.members.iter().map(|(n, o)| ((*n).to_owned(), *o)).collect();
        assert_eq!(wgsl, rust, "{name}");
        assert_eq!(*span as usize, layout.size, "{name}");
        assert_eq!(layout.size % 16, 0, "{name} does not fill 16 bytes");
        seen.push(layout.name);
    }
    for layout in layouts() {
        assert!(seen.contains(&layout.name), "no kernel takes {}", layout.name);
    }
}

#[test]
fn no_kernel_binds_more_storage_buffers_than_every_device_has() {
    for kernel in kernels() {
        let storage = kernel.bindings.iter().filter(|b| b.access != Access::Uniform).count();
        // WebGPU's default for storage buffers a stage.
        assert!(storage <= 8, "{} binds {storage}", kernel.name);
    }
}

#[test]
fn grids_cover_the_work_within_the_limit_of_a_dimension() {
    for groups in [0, 1, 65_535, 65_536, 117_188, 15_625_000, 65_535 * 65_535] {
        let grid = grid(groups).expect("a grid").map(u64::from);
        assert!(grid.iter().product::<u64>() >= groups, "{groups}");
        // Less than a row of groups stays idle.
        assert!(grid[0] * grid[1].saturating_sub(1) <= groups, "{groups}");
        assert!(grid.iter().all(|&g| g <= 65_535), "{groups}");
    }
    assert_eq!(grid(65_535 * 65_535 + 1), None);
}

/// A text for instances differs by the places in its buffers alone: it must be as good as that for one.
#[test]
fn every_text_for_instances_validates_and_binds_their_numbers() {
    for kernel in kernels() {
        let shared = Apart::of([1]);
        for apart in [kernel.all_apart(), shared] {
            for variant in variants(kernel) {
                let variant = Variant { instances: Some(apart), ..variant };
                let mut validator = Validator::new(ValidationFlags::all(), capabilities(variant));
                let module = parsed(kernel, variant);
                let result = validator.validate(&module);
                assert!(result.is_ok(), "{} {variant:?}: {:?}", kernel.name, result.err());
                let bound = |it: &naga::GlobalVariable| it.binding.as_ref().map(|at| at.group);
                let groups = module.global_variables.iter().filter_map(|(_, it)| bound(it));
                let of_instances = groups.filter(|&group| group == 1).count();
                assert_eq!(of_instances, 1, "{}", kernel.name);
            }
        }
    }
}

/// Every place in a buffer of an instance begins where its part does.
#[test]
fn no_place_in_a_buffer_of_instances_is_left_as_it_was() {
    for kernel in kernels() {
        let variant = variants(kernel)[0];
        let all = Variant { instances: Some(kernel.all_apart()), ..variant };
        let (plain, own) = (kernel.source(variant), kernel.source(all));
        for binding in kernel.bindings.iter().filter(|it| it.access != Access::Uniform) {
            let name = binding.name;
            let uses = |text: &str, what: &str| text.matches(what).count();
            let code: String = plain
                .lines()
                .flat_map(|line| [line.split("//").next().unwrap_or(""), "\n"])
                .collect();
            let place = format!("{name}[");
            let places = code.match_indices(&place).filter(|(at, _)| {
                !code[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.')
            });
            let expected = places.count();
            assert_eq!(uses(&own, &format!("own_{name} + (")), expected, "{} {name}", kernel.name);
            // Nothing takes a buffer as a whole.
            let whole = uses(&code, &format!("&{name},")) + uses(&code, &format!("&{name})"));
            assert_eq!(whole, 0, "{} {name}", kernel.name);
        }
    }
}
