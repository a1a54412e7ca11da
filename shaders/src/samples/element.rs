//! Samples of the kernels over elements: elements of no known kind, with five nodes and three points,
//! that are strained by up to a half, and some of them turned inside out.

use super::element_shape::{ACTIVATION, ELEMENTS, Shape};
use super::sample::{Make, Sample, noise};
use crate::kernel::{Scalar, Sizes};
use crate::matrix::block_place;
use crate::params::{AssembleParams, NodalParams, PointParams, StressParams};
use crate::program::{BufferId, Command, Data, Program};
use crate::source::{Axes, Constants, ElementVariant, Law, Precision};
use crate::table::{LAW_CONSTANTS, TRANSPOSED};

pub(super) fn samples() -> Vec<Sample> {
    // A law is some hundred operations, some of which divide by a volume of 0.3 and again by that: 5e-5
    // was seen on a software adapter.
    const TOLERANCE: f64 = 1.5e-4;
    // Exponentials and powers of strains above 1 magnify rounding: 3.4e-4 was seen.
    const MAGNIFIED: f64 = 1e-3;
    let of = |kernel, law, program| Sample {
        kernel,
        program: Make::OfLaw(law, program),
        tolerance: TOLERANCE,
        mixed: false,
    };
    let plain = |kernel, program| Sample::plain(kernel, program, TOLERANCE);
    let mut samples = vec![
        of("element_points", Law::Linear, points),
        of("element_points", Law::Corotated, points),
        of("element_points", Law::StVenantKirchhoff, points),
        of("element_points", Law::NeoHookean, points),
        of("element_points", Law::MooneyRivlin, points),
        of("element_points", Law::AnisotropicLinear, points),
        of("assemble", Law::Corotated, assemble),
        of("assemble", Law::NeoHookean, assemble),
        of("assemble", Law::MooneyRivlin, assemble),
        of("element_stress", Law::Corotated, tetrahedra_stress),
        of("element_stress", Law::AnisotropicLinear, tetrahedra_stress),
        of("element_stress", Law::Corotated, varied_stress),
        of("element_stress", Law::MooneyRivlin, varied_tetrahedra),
        of("element_stress", Law::AnisotropicLinear, varied_tetrahedra),
        of("element_stress", Law::BlemkerMuscle, turned_stress),
        of("element_points", Law::GenericMuscle, points),
        plain("element_forces", forces),
    ];
    samples.extend(Law::ALL.map(|law| Sample {
        tolerance: if law > Law::MooneyRivlin { MAGNIFIED } else { TOLERANCE },
        mixed: false,
        ..of("element_stress", law, points_stress)
    }));
    samples
}

fn tetrahedra_stress(precision: Precision, law: Law) -> Program {
    stress(precision, (law, Constants::OfBatch, Axes::OfElements), (4, 1))
}

fn turned_stress(precision: Precision, law: Law) -> Program {
    stress(precision, (law, Constants::OfElements, Axes::OfPoints), (5, 3))
}

fn points_stress(precision: Precision, law: Law) -> Program {
    stress(precision, (law, Constants::OfBatch, Axes::OfElements), (5, 3))
}

fn varied_stress(precision: Precision, law: Law) -> Program {
    stress(precision, (law, Constants::OfElements, Axes::OfElements), (5, 3))
}

fn varied_tetrahedra(precision: Precision, law: Law) -> Program {
    stress(precision, (law, Constants::OfElements, Axes::OfElements), (4, 1))
}

/// A program with one call.
fn program_of(mut program: Program, call: Command) -> Program {
    program.add_list(vec![call]);
    program
}

/// Displacements, rows, geometry and table as buffers.
fn buffers(program: &mut Program, shape: &Shape) -> [BufferId; 4] {
    [
        program.add_data("displacement", Data::Reals(shape.displacement.clone())),
        program.add_data("rows", Data::Words(shape.rows.clone())),
        program.add_data("geometry", Data::Reals(shape.geometry.clone())),
        program.add_data("table", Data::Reals(shape.table.clone())),
    ]
}

fn points(precision: Precision, law: Law) -> Program {
    let shape = Shape::new(law, (Constants::OfBatch, Axes::OfElements), (5, 3));
    let mut program = Program::new(precision);
    let [displacement, rows, geometry, table] = buffers(&mut program, &shape);
    let words = 3 * ELEMENTS * law.point_words() as usize;
    let points = program.add_zeros("points", Scalar::Float, words);
    let factors = program.add_data("factors", Data::Reals(vec![0.0, 0.0, ACTIVATION]));
    let params =
        PointParams { element_count: ELEMENTS as u32, activation_place: 2, ..Default::default() };
    let bindings = [displacement, rows, geometry, table, factors, points];
    let work = (3 * ELEMENTS, Sizes::default());
    let kernel = ("element_points", Some(shape.variant));
    let call = program.call_variant(kernel, &params, &bindings, work);
    program_of(program, call)
}

fn stress(
    precision: Precision,
    (law, own, turned): (Law, Constants, Axes),
    (n, p): (usize, usize),
) -> Program {
    let (mut program, shape) = (Program::new(precision), Shape::new(law, (own, turned), (n, p)));
    let [displacement, rows, geometry, table] = buffers(&mut program, &shape);
    let field = program.add_data("field", Data::Reals(noise(3 * ELEMENTS * n, 4)));
    let factors = program.add_data("factors", Data::Reals(vec![0.0, 0.7, ACTIVATION, 0.4]));
    let stress = program.add_zeros("stress", Scalar::Real, 9 * p * ELEMENTS);
    let status = program.add_data("status", Data::Words(vec![u32::MAX; 4]));
    let params = StressParams {
        element_count: ELEMENTS as u32,
        first_element: 1000,
        force_place: 1,
        product_place: 3,
        activation_place: 2,
        ..Default::default()
    };
    let bindings = [displacement, field, rows, geometry, table, factors, stress, status];
    let work = (p * ELEMENTS, Sizes::default());
    let kernel = ("element_stress", Some(shape.variant));
    let call = program.call_variant(kernel, &params, &bindings, work);
    program_of(program, call)
}

fn forces(precision: Precision) -> Program {
    let (n, p) = (5, 3);
    let mut program = Program::new(precision);
    let variant = ElementVariant {
        node_count: 5,
        point_count: 3,
        law: Law::Linear,
        constants: Constants::OfBatch,
        axes: Axes::OfElements,
    };
    let stress = program.add_data("stress", Data::Reals(noise(9 * p * ELEMENTS, 5)));
    let table = noise(LAW_CONSTANTS + 3 * n * (p + 1), 6);
    let table = program.add_data("table", Data::Reals(table));
    let nodal = program.add_zeros("nodal", Scalar::Real, 3 * (11 + n * ELEMENTS));
    let params =
        NodalParams { element_count: ELEMENTS as u32, first_nodal: 11, ..Default::default() };
    let work = (n * ELEMENTS, Sizes::default());
    let kernel = ("element_forces", Some(variant));
    let call = program.call_variant(kernel, &params, &[stress, table, nodal], work);
    program_of(program, call)
}

fn assemble(precision: Precision, law: Law) -> Program {
    let (n, p, entry_count) = (5, 3, 270);
    let mut program = Program::new(precision);
    let (constants, axes) = (Constants::OfBatch, Axes::OfElements);
    let variant = ElementVariant { node_count: 5, point_count: 3, law, constants, axes };
    let floats = |count, seed| Data::Floats(noise(count, seed).iter().map(|&x| x as f32).collect());
    let words = p * ELEMENTS * law.point_words() as usize;
    let points = program.add_data("points", floats(words, 7));
    let table = program.add_data("table", floats(LAW_CONSTANTS + 3 * n * (p + 1), 8));
    // Every third entry is transposed, every seventh has no source.
    let transposed = |k: u32| if k % 3 == 1 { TRANSPOSED } else { 0 };
    let entries = (0..entry_count).map(|k| (5 * k % 288) | transposed(k)).collect();
    let mut offsets = vec![0];
    (0..entry_count).for_each(|k| offsets.push(offsets[k as usize] + k % 7));
    let pairs = (ELEMENTS * n * n) as u32;
    let sources = (0..offsets[entry_count as usize]).map(|s| s * 911 % pairs).collect();
    let lists = [("entries", entries), ("offsets", offsets), ("sources", sources)];
    let [entries, offsets, sources] =
        lists.map(|(name, words)| program.add_data(name, Data::Words(words)));
    let factors = program.add_data("factors", Data::Reals(vec![0.0, 0.6]));
    let blocks = program.add_data("blocks", floats(block_place(288, 0), 9));
    let params = AssembleParams { entry_count, factor_place: 1, ..Default::default() };
    let bindings = [points, table, entries, offsets, sources, factors, blocks];
    let work = (entry_count as usize, Sizes::default());
    let call = program.call_variant(("assemble", Some(variant)), &params, &bindings, work);
    program_of(program, call)
}
