//! Samples of the kernels over volumes around nodes.

use super::element_shape::ELEMENTS;
use super::sample::{Make, Sample, noise};
use crate::kernel::{Scalar, Sizes};
use crate::matrix::block_place;
use crate::params::{AssembleParams, NodeParams, SlopeParams};
use crate::program::{Command, Data, Program};
use crate::source::{ElementVariant, Law, Precision, Pressures};

/// Quotients and logarithms of numbers near 1.
const TOLERANCE: f64 = 1.5e-4;
/// Nodes: a workgroup and a part of another.
const NODES: usize = 261;
/// Nodes and points of an element.
const SHAPE: (u32, u32) = (5, 3);

pub(super) fn samples() -> Vec<Sample> {
    let of_law = |program, law| {
        let (kernel, program) = ("node_slopes", Make::OfLaw(law, program));
        Sample { kernel, program, tolerance: TOLERANCE, mixed: false }
    };
    vec![
        Sample::plain("node_pressures", pressures, TOLERANCE),
        Sample::plain("assemble_nodes", assemble, TOLERANCE),
        of_law(slopes, Law::NeoHookean),
        of_law(slopes, Law::MooneyRivlin),
    ]
}

fn variant(law: Law) -> ElementVariant {
    ElementVariant { pressures: Pressures::Nodes, ..ElementVariant::new(SHAPE, law) }
}

/// Offsets of lists of up to four entries.
fn offsets(count: usize) -> Vec<u32> {
    let sums = (0..count).scan(0, |sum, k| {
        *sum += k as u32 % 5;
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}

fn program_of(mut program: Program, call: Command) -> Program {
    program.add_list(vec![call]);
    program
}

fn pressures(precision: Precision) -> Program {
    let mut program = Program::new(precision);
    let offsets = offsets(NODES);
    let corners = offsets[NODES];
    // Each once, in another order than that of nodes; 523 is prime.
    let places = (0..corners).map(|k| k * 7 % 523).collect::<Vec<u32>>();
    assert!(corners <= 523);
    let corners = program.add_data("corners", Data::Words([offsets, places].concat()));
    let nodes = noise(3 * NODES, 2).into_iter().enumerate();
    let nodes = nodes.map(|(k, x)| match k % 3 {
        2 => f64::from(u8::from(k % 2 == 0)),
        _ => 1.5 + 0.5 * x,
    });
    let nodes = program.add_data("nodes", Data::Reals(nodes.collect()));
    let geometry = noise(11 + 2 * 523, 3).into_iter().map(|x| 0.15 * x).collect();
    let geometry = program.add_data("geometry", Data::Reals(geometry));
    let weights = program.add_zeros("weights", Scalar::Float, NODES);
    let params =
        NodeParams { node_count: NODES as u32, first_corner: 11, rate_stride: 523, extra_0: 0 };
    let bindings = [corners, nodes, geometry, weights];
    let kernel = ("node_pressures", Some(variant(Law::Linear)));
    let call = program.call_variant(kernel, &params, &bindings, (NODES, Sizes::default()));
    program_of(program, call)
}

fn floats(count: usize, seed: u64) -> Data {
    Data::Floats(noise(count, seed).iter().map(|&x| x as f32).collect())
}

fn slopes(precision: Precision, law: Law) -> Program {
    let (mut program, variant) = (Program::new(precision), variant(law));
    let (n, p) = (SHAPE.0 as usize, SHAPE.1 as usize);
    let points = floats(p * ELEMENTS * variant.point_words() as usize, 4);
    let points = program.add_data("points", points);
    let table = floats(variant.shape_place() as usize + p * n, 5);
    let table = program.add_data("table", table);
    let offsets = offsets(NODES);
    let pairs = (ELEMENTS * n * n) as u32;
    let sources = (0..offsets[NODES]).map(|s| s * 911 % pairs).collect();
    let nodes = (0..NODES as u32).map(|k| k * 5 % 31).collect();
    let lists = [("nodes", nodes), ("offsets", offsets), ("sources", sources)];
    let [nodes, offsets, sources] =
        lists.map(|(name, words)| program.add_data(name, Data::Words(words)));
    let weights = program.add_data("weights", floats(31, 6));
    let slopes = program.add_zeros("slopes", Scalar::Float, 4 * NODES);
    let params = SlopeParams { slope_count: NODES as u32, ..Default::default() };
    let bindings = [points, table, nodes, offsets, sources, weights, slopes];
    let kernel = ("node_slopes", Some(variant));
    let call = program.call_variant(kernel, &params, &bindings, (NODES, Sizes::default()));
    program_of(program, call)
}

fn assemble(precision: Precision) -> Program {
    let mut program = Program::new(precision);
    let slopes = program.add_data("slopes", floats(4 * 97, 7));
    let offsets = offsets(NODES);
    let sources = (0..2 * offsets[NODES]).map(|s| s * 61 % 97).collect();
    let entries = (0..NODES as u32).map(|k| 5 * k % 288).collect();
    let lists = [("entries", entries), ("offsets", offsets), ("sources", sources)];
    let [entries, offsets, sources] =
        lists.map(|(name, words)| program.add_data(name, Data::Words(words)));
    let factors = program.add_data("factors", Data::Reals(vec![0.0, 0.6]));
    let blocks = program.add_data("blocks", floats(block_place(288, 0), 8));
    let params =
        AssembleParams { entry_count: NODES as u32, factor_place: 1, ..Default::default() };
    let bindings = [slopes, entries, offsets, sources, factors, blocks];
    let kernel = ("assemble_nodes", Some(variant(Law::Linear)));
    let call = program.call_variant(kernel, &params, &bindings, (NODES, Sizes::default()));
    program_of(program, call)
}
