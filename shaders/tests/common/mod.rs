//! The texts of the kernels, parsed by naga.
#![allow(unreachable_pub, missing_docs)]

use sinew_shaders::kernel::{Family, Kernel};
use sinew_shaders::source::{
    Axes, Constants, ElementVariant, Law, Precision, Pressures, Rest, Variant,
};

/// Nodes and points of the smallest and the largest element.
const ELEMENTS: [(u32, u32); 2] = [(4, 1), (20, 14)];

/// Every text that a kernel has (of elements, those for the smallest and the largest).
pub fn variants(kernel: &Kernel) -> Vec<Variant> {
    let precisions: &[Precision] = match kernel.family {
        Family::Float => &[Precision::Single],
        Family::Real | Family::Element | Family::LawFloat | Family::LawReal => &Precision::ALL,
    };
    let laws: &[Law] = match kernel.family {
        Family::LawFloat | Family::LawReal => &Law::ALL,
        _ => &Law::ALL[..1],
    };
    let elements: Vec<Option<ElementVariant>> = match kernel.family {
        Family::Float | Family::Real => vec![None],
        _ => laws
            .iter()
            .flat_map(|&law| {
                let turned = if law.has_axes() { Axes::OfPoints } else { Axes::OfElements };
                let of = move |shape| {
                    Constants::ALL.map(|constants| {
                        let own = constants == Constants::OfElements;
                        let axes = if own { turned } else { Axes::OfElements };
                        let rest = if own { Rest::Strained } else { Rest::Free };
                        let plain = ElementVariant::new(shape, law);
                        let pressures = pressures_of(kernel.name, (own, shape));
                        Some(ElementVariant { constants, axes, rest, pressures, ..plain })
                    })
                };
                ELEMENTS.map(of).into_iter().flatten()
            })
            .collect(),
    };
    let of = |&precision: &Precision| {
        elements.iter().map(move |&element| Variant::new(precision, element))
    };
    precisions.iter().flat_map(of).collect()
}

/// Pressures of elements with constants of their own, or without: those of the kernel, and of others all that there are.
fn pressures_of(kernel: &str, (own, shape): (bool, (u32, u32))) -> Pressures {
    match (kernel, own) {
        ("corner_volumes" | "node_slopes", _) => Pressures::Nodes,
        ("element_volume", false) => Pressures::Modes(1),
        ("element_volume", true) => Pressures::Modes(4),
        (_, true) if shape == ELEMENTS[0] => Pressures::Nodes,
        (_, true) => Pressures::Modes(4),
        (_, false) => Pressures::Nothing,
    }
}

pub fn parsed(kernel: &Kernel, variant: Variant) -> naga::Module {
    let source = kernel.source(variant);
    naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{}: {}", kernel.name, error.emit_to_string(&source)))
}
