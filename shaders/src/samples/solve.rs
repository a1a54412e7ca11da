//! Samples of the kernels of conjugate gradients.

use bytemuck::Pod;

use super::matrix::{Maker, ROWS, TOTAL};
use super::{Make, Sample, noise};
use crate::layout::{RowParams, flag, scalar};
use crate::program::{BufferId, Data, Program};
use crate::source::Precision;
use crate::table::{ProductParams, SolveParams, ToleranceParams};

/// Partial sums: more than lanes.
const PARTIALS: usize = 300;

pub(super) fn samples() -> Vec<Sample> {
    // Sums of some hundred terms.
    let of = |kernel, program| Sample { kernel, program: Make::Plain(program), tolerance: 3e-6 };
    vec![
        of("solve_scale", |p| Deciding::new(p, 1.0).scale()),
        // The tolerance is a share of what is asked, then of the residual.
        of("solve_begin", |p| Deciding::new(p, 1.0).tolerance(0.5).begin()),
        of("solve_begin", |p| Deciding::new(p, 1.0).tolerance(1e-3).begin()),
        // The recursion was right.
        of("solve_begin", |p| Deciding::new(p, 1.0).tolerance(1e-3).recursion(400.0).begin()),
        of("solve_begin", |p| Deciding::new(p, 1e-6).tolerance(2.0).begin()),
        // Nothing was gained, or no iterations are left.
        of("solve_begin", |p| Deciding::new(p, 1.0).tolerance(1e-3).before(19.5).begin()),
        of("solve_begin", |p| {
            Deciding::new(p, 1.0).tolerance(1e-3).flag(flag::ITERATIONS, 50).begin()
        }),
        of("solve_begin", |p| {
            Deciding::new(p, 1.0).tolerance(1e-3).before(1.0).flag(flag::CORRECTIONS, 0).begin()
        }),
        of("solve_begin", |p| {
            Deciding::new(p, 1.0).tolerance(1e-3).before(19.5).flag(flag::CORRECTIONS, 1).begin()
        }),
        of("solve_begin", |p| {
            let goes_on = Deciding::new(p, 1.0).tolerance(1e-3).recursion(1e4);
            goes_on.flag(flag::CORRECTIONS, 1).begin()
        }),
        of("solve_begin", |p| Deciding::new(p, f64::NAN).begin()),
        of("solve_begin", |p| Deciding::new(p, 1.0).flag(flag::INDEFINITE, 1).begin()),
        of("cg_start", |p| start(p, 0)),
        of("cg_start", |p| start(p, 1)),
        of("cg_rz", rz),
        of("cg_beta", |p| Deciding::new(p, 1.0).flag(flag::DONE, 0).call("cg_beta")),
        of("cg_beta", |p| Deciding::new(p, 1.0).running().flag(flag::FIRST, 1).call("cg_beta")),
        of("cg_beta", |p| Deciding::new(p, 1.0).running().flag(flag::FIRST, 2).call("cg_beta")),
        of("cg_beta", |p| Deciding::new(p, -1.0).running().call("cg_beta")),
        of("cg_direction", |p| direction(p, 0.6)),
        of("cg_direction", |p| direction(p, 0.0)),
        of("cg_product", |p| product(p, 1)),
        of("cg_product", |p| product(p, 4)),
        of("cg_product", |p| product(p, 8)),
        of("cg_alpha", |p| Deciding::new(p, 1.0).running().call("cg_alpha")),
        of("cg_alpha", |p| Deciding::new(p, -1.0).running().call("cg_alpha")),
        of("cg_alpha", |p| Deciding::new(p, f64::INFINITY).running().call("cg_alpha")),
        of("cg_update", update),
        of("cg_check", |p| Deciding::new(p, 1.0).running().call("cg_check")),
        of("cg_check", |p| Deciding::new(p, 1e-9).running().call("cg_check")),
        of("cg_check", |p| {
            Deciding::new(p, 1.0).running().flag(flag::MAX_ITERATIONS, 6).call("cg_check")
        }),
        of("cg_check", |p| Deciding::new(p, f64::NAN).running().call("cg_check")),
        of("add_correction", add_correction),
    ]
}

/// A call of a kernel of one workgroup.
struct Deciding {
    maker: Maker,
    /// Factor of the partial sums.
    size: f64,
    flags: Vec<u32>,
    scalars: Vec<f64>,
}

impl Deciding {
    fn new(precision: Precision, size: f64) -> Self {
        let mut flags = vec![0; flag::COUNT as usize];
        flags[flag::DONE as usize] = 1;
        flags[flag::ITERATIONS as usize] = 5;
        flags[flag::MAX_ITERATIONS as usize] = 50;
        flags[flag::CORRECTIONS as usize] = 2;
        let mut scalars: Vec<f64> = (0..scalar::COUNT).map(|k| 0.7 + 0.2 * f64::from(k)).collect();
        // Larger than the norm that the partial sums below have, some 19.
        scalars[scalar::RESIDUAL as usize] = 40.0;
        Self { maker: Maker::new(precision), size, flags, scalars }
    }

    fn flag(mut self, place: u32, value: u32) -> Self {
        self.flags[place as usize] = value;
        self
    }

    fn running(self) -> Self {
        self.flag(flag::DONE, 0)
    }

    fn tolerance(mut self, value: f64) -> Self {
        self.scalars[scalar::TOLERANCE as usize] = value;
        self
    }

    fn recursion(mut self, rr: f64) -> Self {
        self.scalars[scalar::RR as usize] = rr;
        self
    }

    fn before(mut self, residual: f64) -> Self {
        self.scalars[scalar::RESIDUAL as usize] = residual;
        self
    }

    /// Partial sums, flags and scalars; the last of the sums is not counted.
    fn buffers(&mut self) -> [BufferId; 3] {
        let sums = noise(PARTIALS, 3).iter().map(|x| self.size * (1.2 + x)).collect();
        let program = &mut self.maker.program;
        [
            program.add_data("partials", Data::Reals(sums)),
            program.add_data("flags", Data::Words(self.flags.clone())),
            program.add_data("scalars", Data::Reals(self.scalars.clone())),
        ]
    }

    fn scale(mut self) -> Program {
        let [partials, _, scalars] = self.buffers();
        let params = SolveParams { partial_count: PARTIALS as u32 - 1, ..SolveParams::default() };
        self.maker.finish("solve_scale", &params, &[partials, scalars], 1)
    }

    fn begin(mut self) -> Program {
        let buffers = self.buffers();
        let partial_count = PARTIALS as u32 - 1;
        let params =
            ToleranceParams { partial_count, reduction: 0.03, ..ToleranceParams::default() };
        self.maker.finish("solve_begin", &params, &buffers, 1)
    }

    fn call(mut self, kernel: &str) -> Program {
        let buffers = self.buffers();
        let params = SolveParams { partial_count: PARTIALS as u32 - 1, ..SolveParams::default() };
        self.maker.finish(kernel, &params, &buffers, 1)
    }
}

/// Regions of the preconditioner that begin at odd places.
fn regions() -> SolveParams {
    SolveParams { row_count: ROWS as u32, partial_count: 0, r: 7, z: 5 + 3 * ROWS as u32 }
}

/// A buffer for both regions.
fn vectors(maker: &mut Maker) -> BufferId {
    maker.floats("vectors", 6 * ROWS + 20)
}

fn over_rows(maker: Maker, kernel: &str, params: &impl Pod, bindings: &[BufferId]) -> Program {
    maker.finish(kernel, params, bindings, ROWS)
}

fn start(precision: Precision, done: u32) -> Program {
    let mut m = Maker::new(precision);
    let flags = m.flags(&[(flag::DONE, done), (flag::FIRST, 1)]);
    let [residual, r, e] = ["residual", "r", "e"].map(|name| m.reals(name, 3 * ROWS));
    let vectors = vectors(&mut m);
    over_rows(m, "cg_start", &regions(), &[flags, residual, r, e, vectors])
}

fn rz(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (flags, r, vectors) = (m.flags(&[]), m.reals("r", 3 * ROWS), vectors(&mut m));
    let partials = m.reals("partials", 3);
    over_rows(m, "cg_rz", &regions(), &[flags, r, vectors, partials])
}

fn direction(precision: Precision, beta: f64) -> Program {
    let mut m = Maker::new(precision);
    let mut scalars = vec![0.4; scalar::COUNT as usize];
    scalars[scalar::BETA as usize] = beta;
    let scalars = m.program.add_data("scalars", Data::Reals(scalars));
    let (flags, vectors, p) = (m.flags(&[]), vectors(&mut m), m.reals("p", 3 * ROWS));
    over_rows(m, "cg_direction", &regions(), &[flags, scalars, vectors, p])
}

fn product(precision: Precision, parts: u32) -> Program {
    let mut m = Maker::new(precision);
    let (flags, matrix) = (m.flags(&[]), m.matrix());
    let [p, ap] = ["p", "ap"].map(|name| m.reals(name, 3 * TOTAL));
    let partials = m.reals("partials", 20);
    let params = ProductParams {
        first_row: matrix.first_row,
        row_count: ROWS as u32,
        slice_count: matrix.slice_count,
        parts,
        shift: 0.7,
        ..ProductParams::default()
    };
    let bindings = [flags, matrix.structure, matrix.blocks, matrix.diagonal, p, ap, partials];
    m.finish("cg_product", &params, &bindings, ROWS.next_multiple_of(256) * parts as usize)
}

fn update(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (flags, scalars) = (m.flags(&[]), m.reals("scalars", scalar::COUNT as usize));
    let [p, ap, e, r] = ["p", "ap", "e", "r"].map(|name| m.reals(name, 3 * ROWS));
    let (vectors, partials) = (vectors(&mut m), m.reals("partials", 3));
    over_rows(m, "cg_update", &regions(), &[flags, scalars, p, ap, e, r, vectors, partials])
}

fn add_correction(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let flags = m.flags(&[(flag::DONE, 1)]);
    let [e, x] = ["e", "x"].map(|name| m.reals(name, 3 * ROWS));
    let params = RowParams { row_count: ROWS as u32, ..RowParams::default() };
    over_rows(m, "add_correction", &params, &[flags, e, x])
}
