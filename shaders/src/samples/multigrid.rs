//! Samples of the preconditioners.

use super::matrix::{FIRST, Maker, Matrix, ROWS, TOTAL};
use super::sample::Sample;
use crate::layout::{BLOCK, HALVES, ROTATION, TEAM, flag};
use crate::params::{
    ChebyshevParams, DenseParams, GalerkinParams, PackParams, ProductParams, RowParams,
    SmoothParams, TransferParams,
};
use crate::program::{BufferId, Data, Program};
use crate::source::Precision;

/// Aggregates of the sample: more than one workgroup has teams for.
const AGGREGATES: usize = 21;

/// Coupled pairs of aggregates: more than one workgroup has teams for.
const PAIRS: usize = 37;

/// Rows of scalars of a dense matrix: two tiles and a half, five pivots.
const SIZE: usize = 160;

pub(super) fn samples() -> Vec<Sample> {
    // Products and sums of some ten terms; more where inverses and norms stand behind them.
    let of = |kernel, program| Sample::plain(kernel, program, 2e-6);
    let rough = |kernel, program| Sample::plain(kernel, program, 3e-5);
    let mixed = |kernel, program| Sample { mixed: true, ..of(kernel, program) };
    vec![
        rough("invert_diagonal", invert_diagonal),
        of("pack", |p| pack(p, 1.0, HALVES)),
        of("pack", |p| pack(p, 1e-37, HALVES)),
        of("pack", |p| pack(p, 1.0, BLOCK)),
        of("smooth_sweep", |p| sweep(p, 1, HALVES)),
        of("smooth_sweep", |p| sweep(p, 4, BLOCK)),
        mixed("smooth_last", |p| smooth_last(p, 1)),
        mixed("smooth_last", |p| smooth_last(p, 4)),
        of("smooth_residual", smooth_residual),
        of("restrict_residual", |p| restrict(p, true)),
        of("restrict_residual", |p| restrict(p, false)),
        of("prolong", prolong),
        of("prolong_dense", prolong_dense),
        rough("modes_fine", modes_fine),
        rough("modes_coarse", modes_coarse),
        of("galerkin_diagonal", |p| galerkin_diagonal(p, 0)),
        of("galerkin_diagonal", |p| galerkin_diagonal(p, 1)),
        of("galerkin_coupling", |p| galerkin_coupling(p, 0)),
        of("galerkin_coupling", |p| galerkin_coupling(p, 1)),
        of("noise", noise),
        of("power_step", power_step),
        rough("power_quotient", power_quotient),
        of("chebyshev", |p| chebyshev(p, 1.0)),
        of("chebyshev", |p| chebyshev(p, 0.0)),
        of("dense_fill", dense_fill),
        rough("dense_panel", |p| dense_panel(p, 9.0)),
        rough("dense_panel", |p| dense_panel(p, -9.0)),
        of("dense_update", dense_update),
        of("dense_product", dense_product),
    ]
}

fn invert_diagonal(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let matrix = m.matrix();
    let params = ProductParams {
        first_row: matrix.first_row,
        row_count: ROWS as u32,
        slice_count: matrix.slice_count,
        parts: 1,
        shift: 0.7,
        matrix_rows: TOTAL as u32,
        ..ProductParams::default()
    };
    let bindings = [matrix.structure, matrix.blocks, matrix.diagonal];
    m.finish("invert_diagonal", &params, &bindings, ROWS)
}

/// Blocks of all sizes, that of the matrix being `size`, some of them zero.
fn pack(precision: Precision, size: f64, words: u32) -> Program {
    let mut m = Maker::new(precision);
    let mut values = m.noise(9 * ROWS.next_multiple_of(32));
    for (k, value) in values.iter_mut().enumerate() {
        *value *= size * [1.0, 1e-3, 1e-9, 3e4, 0.0][k * 7 % 5];
    }
    let values = values.iter().map(|&x| x as f32).collect();
    let blocks = m.program.add_data("blocks", Data::Floats(values));
    let packed = m.words("packed", vec![3; words as usize * ROWS.next_multiple_of(32)]);
    let params = PackParams { entry_count: ROWS as u32, words, ..PackParams::default() };
    m.finish("pack", &params, &[blocks, packed], ROWS)
}

/// Regions one behind the other, from place 4 on.
fn level(matrix: &Matrix, parts: u32) -> SmoothParams {
    let region = |k: u32| 4 + 3 * TOTAL as u32 * k;
    SmoothParams {
        first_row: matrix.first_row,
        row_count: ROWS as u32,
        slice_count: matrix.slice_count,
        parts,
        shift: 0.7,
        matrix_rows: TOTAL as u32,
        r_in: region(0),
        r_out: region(1),
        v: region(2),
        next: region(3),
        x: region(4),
        c_old: 2,
        c_new: 5,
        rz: 3,
        words: HALVES,
        ..SmoothParams::default()
    }
}

fn vectors(m: &mut Maker) -> BufferId {
    m.floats("vectors", 15 * TOTAL + 10)
}

fn lanes(parts: u32) -> usize {
    ROWS.next_multiple_of(256) * parts as usize
}

fn sweep(precision: Precision, parts: u32, words: u32) -> Program {
    let mut m = Maker::new(precision);
    let (flags, matrix) = (m.flags(&[]), m.matrix());
    let (coefficients, vectors) = (m.floats("coefficients", 8), vectors(&mut m));
    let packed = if words == BLOCK { matrix.words } else { matrix.halves };
    let Matrix { structure, diagonal, .. } = matrix;
    let bindings = [flags, structure, packed, diagonal, coefficients, vectors];
    let params = SmoothParams { words, ..level(&matrix, parts) };
    m.finish("smooth_sweep", &params, &bindings, lanes(parts))
}

fn smooth_last(precision: Precision, parts: u32) -> Program {
    let mut m = Maker::new(precision);
    let (flags, matrix) = (m.flags(&[]), m.matrix());
    let (coefficients, vectors) = (m.floats("coefficients", 8), vectors(&mut m));
    let (both, partials) = (m.reals("both", 6 * TOTAL), m.reals("partials", 20));
    let Matrix { structure, halves, diagonal, .. } = matrix;
    let bindings = [flags, structure, halves, diagonal, coefficients, both, vectors, partials];
    m.finish("smooth_last", &level(&matrix, parts), &bindings, lanes(parts))
}

fn smooth_residual(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (flags, matrix, vectors) = (m.flags(&[]), m.matrix(), vectors(&mut m));
    let bindings = [flags, matrix.structure, matrix.halves, matrix.diagonal, vectors];
    m.finish("smooth_residual", &level(&matrix, 2), &bindings, lanes(2))
}

fn power_step(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (matrix, vectors) = (m.matrix(), vectors(&mut m));
    let bindings = [matrix.structure, matrix.halves, matrix.diagonal, vectors];
    m.finish("power_step", &level(&matrix, 2), &bindings, lanes(2))
}

fn power_quotient(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (matrix, vectors, partials) = (m.matrix(), vectors(&mut m), m.floats("partials", 20));
    let bindings = [matrix.structure, matrix.halves, matrix.diagonal, vectors, partials];
    m.finish("power_quotient", &level(&matrix, 2), &bindings, lanes(2))
}

/// Aggregate of a row, or none.
fn of_row(i: usize) -> Option<usize> {
    (i % 9 != 4).then_some(i / 3 * 5 % AGGREGATES)
}

/// Starts of the aggregates, their rows, the aggregate of every row, entries of the coarse matrix.
fn maps(m: &mut Maker) -> BufferId {
    let (mut words, mut members) = (vec![0u32], Vec::new());
    for aggregate in 0..AGGREGATES {
        members.extend((0..TOTAL as u32).filter(|&i| of_row(i as usize) == Some(aggregate)));
        words.push(members.len() as u32);
    }
    words.extend(&members);
    words.extend((0..TOTAL).map(|i| of_row(i).map_or(u32::MAX, |a| a as u32)));
    words.extend((0..AGGREGATES as u32).map(|a| 64 * (a / 16) + 2 * (a % 16)));
    m.words("maps", words)
}

/// Index of the first aggregate of the rows in `maps`.
fn of_row_place() -> u32 {
    (AGGREGATES + 1 + (0..TOTAL).filter(|&i| of_row(i).is_some()).count()) as u32
}

fn transfer() -> TransferParams {
    let region = |k: u32| 4 + 6 * AGGREGATES as u32 * k;
    TransferParams {
        aggregate_count: AGGREGATES as u32,
        row_count: TOTAL as u32,
        of_row: of_row_place(),
        r: 5,
        d: 7,
        x: 11 + 3 * TOTAL as u32,
        coarse_r: region(0),
        coarse_d: region(1),
        coarse_x: region(2),
        coefficient: 3,
        factor: 1.6,
        ..TransferParams::default()
    }
}

fn modes(m: &mut Maker) -> BufferId {
    m.floats("modes", 18 * TOTAL.next_multiple_of(32))
}

fn restrict(precision: Precision, smoothed: bool) -> Program {
    let mut m = Maker::new(precision);
    let (flags, maps, modes) = (m.flags(&[]), maps(&mut m), modes(&mut m));
    let fine = m.floats("fine", 3 * TOTAL + 9);
    let diagonal = m.floats("diagonal", 36 * AGGREGATES);
    let coefficients = m.floats("coefficients", 8);
    let vectors = m.floats("vectors", 30 * AGGREGATES + 9);
    let mut params = transfer();
    if !smoothed {
        params.coarse_d = u32::MAX;
    }
    let bindings = [flags, maps, modes, fine, diagonal, coefficients, vectors];
    m.finish("restrict_residual", &params, &bindings, TEAM as usize * AGGREGATES)
}

fn prolong(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (flags, maps, modes) = (m.flags(&[]), maps(&mut m), modes(&mut m));
    let coarse = m.floats("coarse", 30 * AGGREGATES + 9);
    let vectors = m.floats("vectors", 6 * TOTAL + 20);
    m.finish("prolong", &transfer(), &[flags, maps, modes, coarse, vectors], TOTAL)
}

fn prolong_dense(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (flags, maps, modes) = (m.flags(&[]), maps(&mut m), modes(&mut m));
    let (dense, coarse) = (symmetric(&mut m, 1.0), m.floats("coarse", 30 * AGGREGATES + 9));
    let vectors = m.floats("vectors", 6 * TOTAL + 20);
    let params = TransferParams { size: SIZE as u32, ..transfer() };
    m.finish("prolong_dense", &params, &[flags, maps, modes, dense, coarse, vectors], TOTAL)
}

fn modes_fine(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let maps = maps(&mut m);
    let fixed = m.words("fixed", (0..TOTAL as u32).map(|i| i / 2 % (2 * ROTATION)).collect());
    let mut rest = m.noise(3 * TOTAL);
    let mut displacement: Vec<f64> = m.noise(3 * TOTAL).iter().map(|x| 0.1 * x).collect();
    // One aggregate lies on a line: it has no rotation about it.
    for i in (0..TOTAL).filter(|&i| of_row(i) == Some(2)) {
        let along = i as f64 / TOTAL as f64;
        rest[3 * i..3 * i + 3].copy_from_slice(&[along, 0.0, 0.0]);
        displacement[3 * i..3 * i + 3].fill(0.0);
    }
    let rest = Data::Floats(rest.iter().map(|&x| x as f32).collect());
    let bindings = [
        maps,
        fixed,
        m.program.add_data("rest", rest),
        m.program.add_data("displacement", Data::Reals(displacement)),
        modes(&mut m),
        m.floats("rigid", 40 * AGGREGATES),
    ];
    m.finish("modes_fine", &transfer(), &bindings, TEAM as usize * AGGREGATES)
}

fn modes_coarse(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (maps, above) = (maps(&mut m), m.floats("above", 40 * TOTAL.div_ceil(2)));
    let (modes, rigid) = (modes(&mut m), m.floats("rigid", 40 * AGGREGATES));
    m.finish("modes_coarse", &transfer(), &[maps, above, modes, rigid], TEAM as usize * AGGREGATES)
}

fn galerkin(matrix: &Matrix, add: u32) -> GalerkinParams {
    GalerkinParams {
        first_row: matrix.first_row,
        row_count: ROWS as u32,
        slice_count: matrix.slice_count,
        shift: 0.7,
        aggregate_count: AGGREGATES as u32,
        of_row: of_row_place(),
        bases: of_row_place() + TOTAL as u32,
        pair_count: PAIRS as u32,
        add,
        ..GalerkinParams::default()
    }
}

fn galerkin_diagonal(precision: Precision, add: u32) -> Program {
    let mut m = Maker::new(precision);
    let (matrix, maps, modes) = (m.matrix(), maps(&mut m), modes(&mut m));
    // Some modes were dropped.
    let mut rigid = m.noise(40 * AGGREGATES);
    rigid.iter_mut().step_by(7 * 5).for_each(|r| *r = 0.0);
    let rigid = Data::Floats(rigid.iter().map(|&x| x as f32).collect());
    let rigid = m.program.add_data("rigid", rigid);
    let coarse_diagonal = m.floats("coarse diagonal", 18 * AGGREGATES);
    let coarse_blocks = m.floats("coarse blocks", 9 * 128);
    let Matrix { structure, blocks, diagonal, .. } = matrix;
    let bindings =
        [structure, blocks, diagonal, maps, modes, rigid, coarse_diagonal, coarse_blocks];
    m.finish("galerkin_diagonal", &galerkin(&matrix, add), &bindings, TEAM as usize * AGGREGATES)
}

fn galerkin_coupling(precision: Precision, add: u32) -> Program {
    let mut m = Maker::new(precision);
    let (matrix, modes) = (m.matrix(), modes(&mut m));
    let (mut starts, mut list) = (vec![0u32], Vec::new());
    for pair in 0..PAIRS {
        for k in 0..pair % 12 {
            let row = FIRST + (pair * 31 + k * 17) % ROWS;
            list.extend([row as u32, ((pair * 113 + k * 29) % matrix.entries) as u32]);
        }
        starts.push(list.len() as u32 / 2);
    }
    // Each pair has two columns of two lanes.
    let base = |p: u32| 64 * (p / 16) + 2 * (p % 16);
    let bases = (0..PAIRS as u32).flat_map(|p| [base(2 * p), base(2 * p + 1)]);
    let words = starts.iter().copied().chain(bases).chain(list).collect();
    let lists = m.words("lists", words);
    let coarse_blocks = m.floats("coarse blocks", 9 * 64 * PAIRS.div_ceil(8));
    let bindings = [matrix.structure, matrix.blocks, lists, modes, coarse_blocks];
    m.finish("galerkin_coupling", &galerkin(&matrix, add), &bindings, 8 * PAIRS)
}

fn noise(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let vectors = m.floats("vectors", 3 * ROWS + 9);
    let params = RowParams { row_count: ROWS as u32, extra_0: 5, ..RowParams::default() };
    m.finish("noise", &params, &[vectors], ROWS)
}

fn chebyshev(precision: Precision, size: f32) -> Program {
    let mut m = Maker::new(precision);
    let sums = m.noise(604).iter().map(|&x| size * (1.5 + x as f32)).collect();
    let partials = m.program.add_data("partials", Data::Floats(sums));
    let coefficients = m.floats("coefficients", 12);
    let params = ChebyshevParams { partial_count: 300, place: 3, safety: 1.1, range: 8.0 };
    m.finish("chebyshev", &params, &[partials, coefficients], 1)
}

fn dense(rows: usize) -> DenseParams {
    DenseParams {
        size: SIZE as u32,
        row_count: rows as u32,
        pivot: 64,
        shift: 0.7,
        r: 3,
        x: 5 + 3 * rows as u32,
        matrix_rows: rows as u32,
        ..DenseParams::default()
    }
}

fn dense_fill(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let matrix = m.matrix();
    let fixed = m.words("fixed", (0..TOTAL as u32).map(|i| i / 3 % 8).collect());
    let size = (3 * TOTAL).next_multiple_of(32);
    let dense = m.program.add_zeros("dense", crate::kernel::Scalar::Float, size * size);
    let params = DenseParams {
        size: size as u32,
        row_count: ROWS as u32,
        first_row: matrix.first_row,
        slice_count: matrix.slice_count,
        shift: 0.7,
        matrix_rows: TOTAL as u32,
        ..DenseParams::default()
    };
    let flags = m.flags(&[(flag::INDEFINITE, 1)]);
    let Matrix { structure, blocks, diagonal, .. } = matrix;
    let bindings = [structure, blocks, diagonal, fixed, dense, flags];
    m.finish("dense_fill", &params, &bindings, 3 * ROWS + 32)
}

/// A symmetric matrix with this on the diagonal.
fn symmetric(m: &mut Maker, diagonal: f32) -> BufferId {
    let noise = m.noise(SIZE * SIZE);
    let mut values = vec![0.0; SIZE * SIZE];
    for (i, j) in (0..SIZE).flat_map(|i| (0..=i).map(move |j| (i, j))) {
        let value = noise[i * SIZE + j] as f32 + if i == j { diagonal } else { 0.0 };
        (values[i * SIZE + j], values[j * SIZE + i]) = (value, value);
    }
    m.program.add_data("dense", Data::Floats(values))
}

/// The last of the pivots is about this.
fn dense_panel(precision: Precision, last: f32) -> Program {
    let mut m = Maker::new(precision);
    let dense_matrix = symmetric(&mut m, 9.0);
    if let Some(Data::Floats(values)) = &mut m.program.buffers[dense_matrix.0 as usize].contents {
        values[95 * SIZE + 95] = last;
    }
    let (panel, flags) = (m.floats("panel", 64 * SIZE), m.flags(&[]));
    m.finish("dense_panel", &dense(40), &[dense_matrix, panel, flags], 3 * 256)
}

fn dense_update(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (dense_matrix, panel) = (symmetric(&mut m, 1.0), m.floats("panel", 64 * SIZE));
    m.finish("dense_update", &dense(40), &[panel, dense_matrix], 6 * 256)
}

fn dense_product(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (flags, dense_matrix) = (m.flags(&[]), symmetric(&mut m, 1.0));
    let vectors = m.floats("vectors", 250);
    m.finish("dense_product", &dense(40), &[flags, dense_matrix, vectors], 128 * 32)
}
