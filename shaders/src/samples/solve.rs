//! Samples of the kernels of conjugate gradients.

use super::matrix::{Maker, ROWS, TOTAL};
use super::sample::{Sample, noise};
use crate::layout::{flag, scalar};
use crate::params::{ProductParams, RowParams, SolveParams, ToleranceParams};
use crate::program::{BufferId, Data, Program};
use crate::source::Precision;

/// Partial sums: more than lanes.
const PARTIALS: usize = 300;

/// A sample with sums of some hundred terms.
fn of(kernel: &'static str, program: fn(Precision) -> Program) -> Sample {
    Sample::plain(kernel, program, 3e-6)
}

/// The same with a preconditioner in f32, which devices round each in its way.
fn mixed(kernel: &'static str, program: fn(Precision) -> Program) -> Sample {
    Sample { mixed: true, ..of(kernel, program) }
}

pub(super) fn samples() -> Vec<Sample> {
    vec![
        of("solve_scale", |p| Deciding::new(p, 1.0).scale()),
        // The tolerance is a share of what is asked, then of the residual.
        of("solve_begin", |p| Deciding::new(p, 1.0).tolerance(0.5).begin()),
        of("solve_begin", |p| Deciding::new(p, 1.0).tolerance(1e-3).begin()),
        // One round goes so far.
        of("solve_begin", |p| Deciding::new(p, 1.0).tolerance(0.3).begin()),
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
            Deciding::new(p, 1.0).tolerance(1e-3).recursion(1e4).flag(flag::CORRECTIONS, 1).begin()
        }),
        of("solve_begin", |p| Deciding::new(p, f64::NAN).begin()),
        of("solve_begin", |p| Deciding::new(p, 1.0).flag(flag::INDEFINITE, 1).begin()),
        mixed("cg_start", |p| Rows::new(p).flag(flag::FIRST, 1).start()),
        mixed("cg_start", |p| Rows::new(p).flag(flag::FIRST, 1).smoothed().start()),
        of("cg_start", |p| Rows::new(p).flag(flag::DONE, 1).start()),
        of("cg_rz", |p| Rows::new(p).rz()),
        of("cg_direction", |p| Rows::new(p).direction()),
        of("cg_direction", |p| Rows::new(p).flag(flag::FIRST, 1).direction()),
        of("cg_direction", |p| Rows::new(p).flag(flag::FIRST, 2).sums(-1.0).direction()),
        of("cg_direction", |p| Rows::new(p).flag(flag::DONE, 1).direction()),
        of("cg_product", |p| product(p, 1)),
        of("cg_product", |p| product(p, 4)),
        of("cg_product", |p| product(p, 8)),
        of("cg_product", |p| product(p, 32)),
        mixed("cg_update", |p| Rows::new(p).recursion(40.0).update()),
        mixed("cg_update", |p| Rows::new(p).smoothed().tolerance(1e5).update()),
        mixed("cg_update", |p| {
            Rows::new(p).bare().recursion(40.0).flag(flag::MAX_ITERATIONS, 6).update()
        }),
        of("cg_update", |p| Rows::new(p).sums(-1.0).update()),
        mixed("cg_update", |p| Rows::new(p).recursion(f64::NAN).update()),
        of("cg_update", |p| Rows::new(p).flag(flag::SKIP, 2).update()),
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
        let params = ToleranceParams { partial_count, reduction: 0.03, furthest: 0.01, padding: 0 };
        self.maker.finish("solve_begin", &params, &buffers, 1)
    }
}

/// A call of a kernel over rows, two workgroups of which share those of three.
struct Rows {
    maker: Maker,
    flags: Vec<u32>,
    scalars: Vec<f64>,
    /// Factor of the partial sums.
    size: f64,
    params: SolveParams,
}

/// Rows: those of two workgroups, and of a part of a third.
const SHARED: usize = 600;

impl Rows {
    fn new(precision: Precision) -> Self {
        let mut flags = vec![0; flag::COUNT as usize];
        flags[flag::ITERATIONS as usize] = 5;
        flags[flag::MAX_ITERATIONS as usize] = 50;
        let scalars = (0..scalar::COUNT).map(|k| 0.7 + 0.2 * f64::from(k)).collect();
        // Regions that begin at odd places.
        let params = SolveParams {
            row_count: SHARED as u32,
            group_count: 2,
            partial_count: PARTIALS as u32,
            rr: 3 * PARTIALS as u32 + 1,
            rz: 3 * PARTIALS as u32 + 5,
            r: 7,
            z: 5 + 3 * SHARED as u32,
            d: u32::MAX,
            coefficient: 3,
            ..SolveParams::default()
        };
        Self { maker: Maker::new(precision), flags, scalars, size: 1.0, params }
    }

    fn flag(mut self, place: u32, value: u32) -> Self {
        self.flags[place as usize] = value;
        self
    }

    /// The direction of a smoother is kept.
    fn smoothed(mut self) -> Self {
        self.params.d = 11 + 6 * SHARED as u32;
        self
    }

    /// The preconditioner begins later.
    fn bare(mut self) -> Self {
        self.params.z = u32::MAX;
        self
    }

    fn sums(mut self, size: f64) -> Self {
        self.size = size;
        self
    }

    fn tolerance(mut self, squared: f64) -> Self {
        self.scalars[scalar::TOLERANCE_SQUARED as usize] = squared;
        self
    }

    fn recursion(mut self, rr: f64) -> Self {
        self.scalars[scalar::RR as usize] = rr;
        self
    }

    /// Flags, scalars, partial sums, vectors of two halves, and of the preconditioner.
    fn buffers(&mut self) -> [BufferId; 5] {
        let sums = self.maker.noise(4 * PARTIALS + 8);
        let sums = sums.iter().map(|x| self.size * (1.2 + x)).collect();
        let m = &mut self.maker;
        [
            m.words("flags", self.flags.clone()),
            m.program.add_data("scalars", Data::Reals(self.scalars.clone())),
            m.program.add_data("partials", Data::Reals(sums)),
            m.reals("both", 6 * SHARED),
            m.floats("vectors", 9 * SHARED + 20),
        ]
    }

    fn preconditioner(&mut self) -> [BufferId; 2] {
        [("diagonal", 18 * SHARED), ("coefficients", 8)].map(|(name, n)| self.maker.floats(name, n))
    }

    fn finish(self, kernel: &str, bindings: &[BufferId]) -> Program {
        self.maker.finish(kernel, &self.params, bindings, 2 * 256)
    }

    fn start(mut self) -> Program {
        let [flags, _, partials, both, vectors] = self.buffers();
        let [diagonal, coefficients] = self.preconditioner();
        let residual = self.maker.reals("residual", 3 * SHARED);
        let bindings = [flags, residual, diagonal, coefficients, both, vectors, partials];
        self.finish("cg_start", &bindings)
    }

    fn rz(mut self) -> Program {
        let [flags, _, partials, both, vectors] = self.buffers();
        self.finish("cg_rz", &[flags, both, vectors, partials])
    }

    fn direction(mut self) -> Program {
        let [flags, scalars, partials, both, vectors] = self.buffers();
        self.finish("cg_direction", &[partials, vectors, flags, scalars, both])
    }

    fn update(mut self) -> Program {
        let [flags, scalars, partials, both, vectors] = self.buffers();
        let [diagonal, coefficients] = self.preconditioner();
        let steps = self.maker.reals("steps", 6 * SHARED);
        let bindings = [steps, diagonal, coefficients, flags, scalars, both, vectors, partials];
        self.finish("cg_update", &bindings)
    }
}

fn product(precision: Precision, parts: u32) -> Program {
    let mut m = Maker::new(precision);
    let (flags, matrix) = (m.flags(&[]), m.matrix());
    let [rest, both] = ["rest", "both"].map(|name| m.reals(name, 6 * TOTAL));
    let partials = m.reals("partials", 210);
    let params = ProductParams {
        first_row: matrix.first_row,
        row_count: ROWS as u32,
        slice_count: matrix.slice_count,
        parts,
        shift: 0.7,
        matrix_rows: TOTAL as u32,
        ..ProductParams::default()
    };
    let bindings = [flags, matrix.structure, matrix.blocks, matrix.diagonal, rest, both, partials];
    m.finish("cg_product", &params, &bindings, ROWS.next_multiple_of(256) * parts as usize)
}

fn add_correction(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let flags = m.flags(&[(flag::DONE, 1)]);
    let [e, x] = ["e", "x"].map(|name| m.reals(name, 3 * ROWS));
    let params = RowParams { row_count: ROWS as u32, ..RowParams::default() };
    m.finish("add_correction", &params, &[flags, e, x], ROWS)
}
