//! Programs that hold every text of a kernel, to be compiled and not to be run.

use sinew_shaders::kernel::{Access, Cost, Family, Kernel};
use sinew_shaders::program::{BufferId, Command, Dispatch, Program};
use sinew_shaders::source::{
    Axes, Constants, ElementVariant, Law, Precision, Pressures, Rest, Variant,
};

/// Nodes and points of a tetrahedron and of the largest element.
const ELEMENTS: [(u32, u32); 2] = [(4, 1), (20, 14)];

/// At least as long as the parameters of any kernel [bytes].
const PARAMS: usize = 256;

/// A program that calls texts of `kernel` in one precision: those of all laws, of shapes in turn.
pub fn all_texts(kernel: &'static Kernel, precision: Precision) -> Program {
    let mut program = Program::new(precision);
    let storage = kernel.bindings.iter().filter(|binding| binding.access != Access::Uniform);
    let bindings: Vec<BufferId> =
        storage.map(|binding| program.add_zeros(binding.name, binding.scalar, 16)).collect();
    let call = |element| {
        Command::Dispatch(Dispatch {
            kernel,
            variant: Variant::new(precision, element),
            params: vec![0; PARAMS],
            bindings: bindings.clone(),
            groups: 1,
            cost: Cost::default(),
        })
    };
    let calls = elements(kernel.family).into_iter().map(call).collect();
    program.add_list(calls);
    program
}

fn elements(family: Family) -> Vec<Option<ElementVariant>> {
    let laws = match family {
        Family::Float | Family::Real => return vec![None],
        Family::Element => &Law::ALL[..1],
        Family::LawFloat | Family::LawReal => &Law::ALL[..],
    };
    // Numbers of nodes and pressures and the places of constants, axes and deformations at rest replace the same lines whatever the law: laws take them in
    // turn.
    let [small, large] = ELEMENTS;
    let shapes = [
        (small, Constants::OfBatch, (Axes::OfElements, Rest::Free, Pressures::Nodes)),
        (large, Constants::OfBatch, (Axes::OfPoints, Rest::Strained, Pressures::Nothing)),
        (large, Constants::OfElements, (Axes::OfElements, Rest::Free, Pressures::Modes(4))),
    ];
    let of = |(&law, (shape, constants, (axes, rest, pressures))): (&Law, _)| {
        let axes = if law.has_axes() { axes } else { Axes::OfElements };
        let plain = ElementVariant::new(shape, law);
        Some(ElementVariant { constants, axes, rest, pressures, ..plain })
    };
    match laws {
        [law] => shapes.map(|shape| of((law, shape))).to_vec(),
        laws => laws.iter().zip(shapes.into_iter().cycle()).map(of).collect(),
    }
}
