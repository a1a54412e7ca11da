//! The kernels as files, complete with the constants that Rust injects.

use std::path::Path;

use sinew_shaders::kernel::{Family, Kernel};
use sinew_shaders::source::{ElementVariant, Law, Precision, Pressures, Variant};
use sinew_shaders::table::kernels;

/// Writes every kernel to `folder`, made when it is missing: `NAME.wgsl`, with the 64-bit text in
/// `NAME.f64.wgsl`; those over elements as an 8-node hexahedron has them, one a law.
///
/// # Errors
/// When the folder or a file cannot be written.
pub(crate) fn dump_wgsl(folder: &Path) -> Result<(), String> {
    let named = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
    for (kernel, variant, name) in kernels().flat_map(texts) {
        let path = folder.join(name);
        std::fs::write(&path, kernel.source(variant)).map_err(|error| named(&path, error))?;
        println!("{}", path.display());
    }
    Ok(())
}

/// The texts of a kernel, and the names of their files.
fn texts(kernel: &'static Kernel) -> Vec<(&'static Kernel, Variant, String)> {
    let has_law = matches!(kernel.family, Family::LawFloat | Family::LawReal);
    // Elements whose volume counts at their points have no use for kernels of volumes.
    let pressures = match kernel.name {
        "element_volume" => Pressures::Modes(1),
        "corner_volumes" | "node_slopes" => Pressures::Nodes,
        _ => Pressures::Nothing,
    };
    let of_element = |law| Some(ElementVariant { pressures, ..ElementVariant::new((8, 8), law) });
    let elements: Vec<(Option<ElementVariant>, String)> = match kernel.family {
        Family::Float | Family::Real => vec![(None, String::new())],
        _ if has_law => {
            Law::ALL.iter().map(|&l| (of_element(l), format!(".{}", l.name()))).collect()
        }
        _ => vec![(of_element(Law::Linear), String::new())],
    };
    let precisions: &[Precision] = match kernel.family {
        Family::Float | Family::LawFloat => &[Precision::Single],
        Family::Real | Family::Element | Family::LawReal => &Precision::ALL,
    };
    let mut texts = Vec::new();
    for &precision in precisions {
        for (element, law) in &elements {
            let width = if precision == Precision::Double { ".f64" } else { "" };
            let name = format!("{}{law}{width}.wgsl", kernel.name);
            texts.push((kernel, Variant::new(precision, *element), name));
        }
    }
    texts
}
