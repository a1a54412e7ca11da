//! Samples of the kernels over elements: elements of no known kind, with five nodes and three points,
//! that are strained by up to a half, and some of them turned inside out.

use super::element_shape::{ACTIVATION, ELEMENTS, Shape};
use super::sample::{Make, Sample, noise};
use crate::kernel::{Scalar, Sizes};
use crate::layout::STRESS_SIZE;
use crate::matrix::block_place;
use crate::params::{
    AssembleParams, MemoryParams, NodalParams, PointParams, StressParams, VolumeParams,
};
use crate::program::{BufferId, Command, Data, Program};
use crate::source::{Axes, Constants, ElementVariant, Law, Precision, Pressures, Relaxing, Rest};
use crate::table::{LAW_CONSTANTS, TRANSPOSED};

/// A law is some hundred operations, some of which divide by a volume of 0.3 and again by that: 5e-5 was seen on a software
/// adapter.
const TOLERANCE: f64 = 1.5e-4;
/// Exponentials and powers of strains above 1 magnify rounding: 3.4e-4 was seen.
const MAGNIFIED: f64 = 1e-3;

/// Makes the samples of a kernel under a law.
type OfLaw = fn(Precision, Law) -> Program;

/// Kernel, law and program of the samples of single laws.
const OF_LAWS: [(&str, Law, OfLaw); 42] = [
    ("element_points", Law::Linear, points),
    ("element_points", Law::Corotated, points),
    ("element_points", Law::StVenantKirchhoff, points),
    ("element_points", Law::NeoHookean, points),
    ("element_points", Law::MooneyRivlin, points),
    ("element_points", Law::AnisotropicLinear, points),
    ("assemble", Law::Corotated, assemble),
    ("assemble", Law::NeoHookean, assemble),
    ("assemble", Law::MooneyRivlin, assemble),
    ("element_stress", Law::Corotated, tetrahedra_stress),
    ("element_stress", Law::AnisotropicLinear, tetrahedra_stress),
    ("element_stress", Law::Corotated, varied_stress),
    ("element_stress", Law::MooneyRivlin, varied_tetrahedra),
    ("element_stress", Law::AnisotropicLinear, varied_tetrahedra),
    ("element_stress", Law::BlemkerMuscle, turned_stress),
    ("element_points", Law::GenericMuscle, points),
    ("element_points", Law::Corotated, grown_points),
    ("element_stress", Law::AnisotropicLinear, grown_stress),
    ("element_stress", Law::NeoHookean, grown_tetrahedra),
    ("element_stress", Law::NeoHookean, pulled_back_stress),
    ("element_stress", Law::NeoHookean, rotated_stress),
    ("element_points", Law::NeoHookean, pulled_back_points),
    ("element_points", Law::NeoHookean, rotated_points),
    ("remember_stress", Law::StVenantKirchhoff, pulled_back_memory),
    ("remember_stress", Law::Corotated, pulled_back_memory),
    ("remember_stress", Law::MooneyRivlin, rotated_memory),
    ("element_volume", Law::NeoHookean, one_volume),
    ("element_volume", Law::Corotated, four_volumes),
    ("element_volume", Law::MooneyRivlin, grown_volumes),
    ("element_volume", Law::Linear, one_volume),
    ("element_volume", Law::Corotated, single_volumes),
    ("element_points", Law::NeoHookean, pressed_points),
    ("element_points", Law::MooneyRivlin, pressed_points),
    ("element_stress", Law::NeoHookean, pressed_stress),
    ("element_stress", Law::Corotated, single_stress),
    ("corner_volumes", Law::NeoHookean, corner_volumes),
    ("corner_volumes", Law::Corotated, corner_volumes),
    ("element_points", Law::NeoHookean, nodal_points),
    ("element_points", Law::MooneyRivlin, nodal_points),
    ("element_stress", Law::NeoHookean, nodal_stress),
    ("assemble", Law::NeoHookean, pressed_assembly),
    ("assemble", Law::MooneyRivlin, pressed_assembly),
];

pub(super) fn samples() -> Vec<Sample> {
    let of = |(kernel, law, program), tolerance| {
        let program = Make::OfLaw(law, program);
        Sample { kernel, program, tolerance, mixed: false }
    };
    let mut samples = OF_LAWS.map(|sample| of(sample, TOLERANCE)).to_vec();
    samples.push(Sample::plain("element_forces", forces, TOLERANCE));
    samples.extend(Law::ALL.map(|law| {
        let tolerance = if law > Law::MooneyRivlin { MAGNIFIED } else { TOLERANCE };
        of(("element_stress", law, points_stress), tolerance)
    }));
    samples
}

/// Nodes and points of the elements of samples, and of those of one point.
const SEVERAL: (u32, u32) = (5, 3);
const ONE: (u32, u32) = (4, 1);

fn tetrahedra_stress(precision: Precision, law: Law) -> Program {
    stress(precision, ElementVariant::new(ONE, law))
}

fn turned_stress(precision: Precision, law: Law) -> Program {
    let (constants, axes) = (Constants::OfElements, Axes::OfPoints);
    stress(precision, ElementVariant { constants, axes, ..ElementVariant::new(SEVERAL, law) })
}

fn points_stress(precision: Precision, law: Law) -> Program {
    stress(precision, ElementVariant::new(SEVERAL, law))
}

fn varied_stress(precision: Precision, law: Law) -> Program {
    let constants = Constants::OfElements;
    stress(precision, ElementVariant { constants, ..ElementVariant::new(SEVERAL, law) })
}

fn varied_tetrahedra(precision: Precision, law: Law) -> Program {
    let constants = Constants::OfElements;
    stress(precision, ElementVariant { constants, ..ElementVariant::new(ONE, law) })
}

fn grown_stress(precision: Precision, law: Law) -> Program {
    let (constants, rest) = (Constants::OfElements, Rest::Strained);
    stress(precision, ElementVariant { constants, rest, ..ElementVariant::new(SEVERAL, law) })
}

fn grown_tetrahedra(precision: Precision, law: Law) -> Program {
    stress(precision, ElementVariant { rest: Rest::Strained, ..ElementVariant::new(ONE, law) })
}

fn one_volume(precision: Precision, law: Law) -> Program {
    volume(
        precision,
        ElementVariant { pressures: Pressures::Modes(1), ..ElementVariant::new(SEVERAL, law) },
    )
}

fn four_volumes(precision: Precision, law: Law) -> Program {
    volume(
        precision,
        ElementVariant { pressures: Pressures::Modes(4), ..ElementVariant::new(SEVERAL, law) },
    )
}

fn grown_volumes(precision: Precision, law: Law) -> Program {
    let (rest, pressures) = (Rest::Strained, Pressures::Modes(4));
    volume(precision, ElementVariant { rest, pressures, ..ElementVariant::new(SEVERAL, law) })
}

/// Elements of one point with a pressure, whose shape without stress is another one.
fn single(law: Law) -> ElementVariant {
    let (rest, pressures) = (Rest::Strained, Pressures::Modes(1));
    ElementVariant { rest, pressures, ..ElementVariant::new(ONE, law) }
}

fn single_volumes(precision: Precision, law: Law) -> Program {
    volume(precision, single(law))
}

fn single_stress(precision: Precision, law: Law) -> Program {
    stress(precision, single(law))
}

/// Elements with pressures of their nodes.
fn nodal(law: Law) -> ElementVariant {
    ElementVariant { pressures: Pressures::Nodes, ..ElementVariant::new(SEVERAL, law) }
}

fn corner_volumes(precision: Precision, law: Law) -> Program {
    volume_by("corner_volumes", precision, nodal(law))
}

fn nodal_points(precision: Precision, law: Law) -> Program {
    points_of(precision, nodal(law))
}

fn nodal_stress(precision: Precision, law: Law) -> Program {
    stress(precision, nodal(law))
}

fn pressed_points(precision: Precision, law: Law) -> Program {
    points_of(
        precision,
        ElementVariant { pressures: Pressures::Modes(4), ..ElementVariant::new(SEVERAL, law) },
    )
}

fn pressed_stress(precision: Precision, law: Law) -> Program {
    stress(
        precision,
        ElementVariant { pressures: Pressures::Modes(1), ..ElementVariant::new(SEVERAL, law) },
    )
}

fn pressed_assembly(precision: Precision, law: Law) -> Program {
    assemble_of(
        precision,
        ElementVariant { pressures: Pressures::Modes(4), ..ElementVariant::new(SEVERAL, law) },
    )
}

/// Elements whose stress relaxes, as it is pulled back and as it is turned back.
const PULLED_BACK: Relaxing = Relaxing::PulledBack;
const ROTATED: Relaxing = Relaxing::Rotated;

fn pulled_back_stress(precision: Precision, law: Law) -> Program {
    let relaxing = PULLED_BACK;
    stress(precision, ElementVariant { relaxing, ..ElementVariant::new(SEVERAL, law) })
}

fn rotated_stress(precision: Precision, law: Law) -> Program {
    let relaxing = ROTATED;
    stress(precision, ElementVariant { relaxing, ..ElementVariant::new(ONE, law) })
}

fn pulled_back_points(precision: Precision, law: Law) -> Program {
    let relaxing = PULLED_BACK;
    points_of(precision, ElementVariant { relaxing, ..ElementVariant::new(SEVERAL, law) })
}

fn rotated_points(precision: Precision, law: Law) -> Program {
    let relaxing = ROTATED;
    points_of(precision, ElementVariant { relaxing, ..ElementVariant::new(SEVERAL, law) })
}

fn pulled_back_memory(precision: Precision, law: Law) -> Program {
    let relaxing = PULLED_BACK;
    remember(precision, ElementVariant { relaxing, ..ElementVariant::new(SEVERAL, law) })
}

fn rotated_memory(precision: Precision, law: Law) -> Program {
    let relaxing = ROTATED;
    remember(precision, ElementVariant { relaxing, ..ElementVariant::new(SEVERAL, law) })
}

fn grown_points(precision: Precision, law: Law) -> Program {
    let rest = Rest::Strained;
    points_of(precision, ElementVariant { rest, ..ElementVariant::new(SEVERAL, law) })
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
    points_of(precision, ElementVariant::new(SEVERAL, law))
}

fn points_of(precision: Precision, variant: ElementVariant) -> Program {
    let shape = Shape::new(variant);
    let mut program = Program::new(precision);
    let [displacement, rows, geometry, table] = buffers(&mut program, &shape);
    let words = 3 * ELEMENTS * variant.point_words() as usize;
    let points = program.add_zeros("points", Scalar::Float, words);
    let factors = program.add_data("factors", Data::Reals(vec![0.8, 0.5, ACTIVATION, 0.6]));
    let params = PointParams {
        element_count: ELEMENTS as u32,
        activation_place: 2,
        product_place: 0,
        left_product_place: 1,
        volume_product_place: 3,
        ..Default::default()
    };
    let bindings = [displacement, rows, geometry, table, factors, points];
    let work = (3 * ELEMENTS, Sizes::default());
    let kernel = ("element_points", Some(shape.variant));
    let call = program.call_variant(kernel, &params, &bindings, work);
    program_of(program, call)
}

fn volume(precision: Precision, variant: ElementVariant) -> Program {
    volume_by("element_volume", precision, variant)
}

fn volume_by(name: &str, precision: Precision, variant: ElementVariant) -> Program {
    let (mut program, shape) = (Program::new(precision), Shape::new(variant));
    let [displacement, rows, geometry, table] = buffers(&mut program, &shape);
    let field = noise(3 * ELEMENTS * variant.node_count as usize, 4);
    let field = program.add_data("field", Data::Reals(field));
    let params = VolumeParams { element_count: ELEMENTS as u32, ..Default::default() };
    let bindings = [displacement, field, rows, table, geometry];
    let kernel = (name, Some(shape.variant));
    let call = program.call_variant(kernel, &params, &bindings, (ELEMENTS, Sizes::default()));
    program_of(program, call)
}

fn stress(precision: Precision, variant: ElementVariant) -> Program {
    let (mut program, shape) = (Program::new(precision), Shape::new(variant));
    let (n, p) = (variant.node_count as usize, variant.point_count as usize);
    let [displacement, rows, geometry, table] = buffers(&mut program, &shape);
    let field = program.add_data("field", Data::Reals(noise(3 * ELEMENTS * n, 4)));
    let factors = vec![0.9, 0.7, ACTIVATION, 0.4, 0.6, 0.3];
    let factors = program.add_data("factors", Data::Reals(factors));
    let stress = program.add_zeros("stress", Scalar::Real, 9 * p * ELEMENTS);
    let status = program.add_data("status", Data::Words(vec![u32::MAX; 4]));
    let params = StressParams {
        element_count: ELEMENTS as u32,
        first_element: 1000,
        force_place: 1,
        product_place: 3,
        activation_place: 2,
        left_force_place: 0,
        left_product_place: 4,
        volume_product_place: 5,
    };
    let bindings = [displacement, field, rows, geometry, table, factors, stress, status];
    let work = (p * ELEMENTS, Sizes::default());
    let kernel = ("element_stress", Some(shape.variant));
    let call = program.call_variant(kernel, &params, &bindings, work);
    program_of(program, call)
}

/// Points that remember stresses of two terms.
fn remember(precision: Precision, variant: ElementVariant) -> Program {
    let (mut program, shape) = (Program::new(precision), Shape::new(variant));
    let (points, stresses) = (variant.point_count as usize * ELEMENTS, 3);
    let [displacement, rows, geometry, table] = buffers(&mut program, &shape);
    let factors = vec![ACTIVATION, 0.3, 0.5, 0.2, 0.4, 0.25, 0.35];
    let factors = program.add_data("factors", Data::Reals(factors));
    let memory = noise(points * stresses * STRESS_SIZE as usize, 10);
    let memory = program.add_data("memory", Data::Reals(memory));
    let params = MemoryParams {
        element_count: ELEMENTS as u32,
        activation_place: 0,
        stress_count: stresses as u32,
        weight_place: 1,
    };
    let bindings = [displacement, rows, geometry, table, factors, memory];
    let kernel = ("remember_stress", Some(variant));
    let call = program.call_variant(kernel, &params, &bindings, (points, Sizes::default()));
    program_of(program, call)
}

fn forces(precision: Precision) -> Program {
    let (n, p) = (5, 3);
    let mut program = Program::new(precision);
    let variant = ElementVariant::new(SEVERAL, Law::Linear);
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
    assemble_of(precision, ElementVariant::new(SEVERAL, law))
}

fn assemble_of(precision: Precision, variant: ElementVariant) -> Program {
    let (n, p, entry_count) = (5, 3, 270);
    let mut program = Program::new(precision);
    let floats = |count, seed| Data::Floats(noise(count, seed).iter().map(|&x| x as f32).collect());
    let words = p * ELEMENTS * variant.point_words() as usize;
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
