//! Claims about the CPU twins, each against a plain f64 computation.

use sinew_shaders::cpu::Buffer;
use sinew_shaders::cpu::axpby::axpby;
use sinew_shaders::cpu::block_spmv::{DifferenceMatrix, block_spmv};
use sinew_shaders::cpu::dot_partial::dot_partial;
use sinew_shaders::layout::{AxpbyParams, DotParams, SpmvParams, dot_partial_count};
use sinew_shaders::table::kernel;

/// Largest relative error of one rounding in f32.
const ROUNDING: f64 = 1.0 / (1 << 24) as f64;

/// Reproducible values in (-1, 1), by the linear congruential generator of Knuth's MMIX.
fn noise(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn axpby_rounds_each_operation_once() {
    let (x, y) = (noise(1000, 1), noise(1000, 2));
    let params = AxpbyParams { a: 1.7, b: -0.3, count: 1000, padding: 0 };
    let mut ours = y.clone();
    axpby(&params, &x, &mut ours);
    for i in 0..1000 {
        let [a, b] = [params.a, params.b].map(f64::from);
        let terms = [a * f64::from(x[i]), b * f64::from(y[i])];
        // Each product is rounded, then their sum.
        let bound = 2.01 * ROUNDING * (terms[0].abs() + terms[1].abs());
        let error = (f64::from(ours[i]) - terms[0] - terms[1]).abs();
        assert!(error <= bound, "entry {i}: error {error:e}, bound {bound:e}");
    }
}

#[test]
fn axpby_leaves_what_lies_past_its_count() {
    let params = AxpbyParams { a: 1.0, b: 1.0, count: 2, padding: 0 };
    let mut y = [10.0, 20.0, 30.0];
    axpby(&params, &[1.0; 3], &mut y);
    assert_eq!(y, [11.0, 21.0, 30.0]);
}

#[test]
fn partial_sums_add_up_to_the_dot_product() {
    // Sizes below, at and above the 2048 products of a workgroup.
    for count in [0, 1, 255, 2047, 2048, 2049, 10_000] {
        let (x, y) = (noise(count, 3), noise(count, 4));
        let partial_count = dot_partial_count(count as u64) as u32;
        let params = DotParams { count: count as u32, partial_count, padding_0: 0, padding_1: 0 };
        let mut partial = vec![f32::NAN; partial_count as usize];
        dot_partial(&params, &x, &y, &mut partial);
        let ours: f64 = partial.iter().copied().map(f64::from).sum();
        let products = || x.iter().zip(&y).map(|(&a, &b)| f64::from(a) * f64::from(b));
        let (exact, size) = (products().sum::<f64>(), products().map(f64::abs).sum::<f64>());
        // A product passes through 1 + 8 + 8 roundings: itself, its lane, the tree.
        let bound = 17.1 * ROUNDING * size;
        let error = (ours - exact).abs();
        assert!(error <= bound, "{count} scalars: error {error:e}, bound {bound:e}");
    }
}

/// A random block matrix with a ring pattern: columns, f64 blocks, diagonal blocks.
struct Ring {
    offsets: Vec<u32>,
    columns: Vec<u32>,
    blocks: Vec<f64>,
    row_sums: Vec<f64>,
}

fn ring(rows: usize) -> Ring {
    let values: Vec<f64> = noise(9 * 4 * rows, 5).into_iter().map(f64::from).collect();
    let columns = (0..rows).flat_map(|i| [1, 2, rows - 1].map(|d| ((i + d) % rows) as u32));
    Ring {
        offsets: (0..=rows as u32).map(|i| 3 * i).collect(),
        columns: columns.collect(),
        blocks: values[..27 * rows].to_vec(),
        row_sums: values[27 * rows..].to_vec(),
    }
}

fn rounded(values: &[f64]) -> Vec<f32> {
    values.iter().map(|&v| v as f32).collect()
}

fn product(matrix: &Ring, x: &[f32]) -> Vec<f32> {
    let (blocks, row_sums) = (rounded(&matrix.blocks), rounded(&matrix.row_sums));
    let params = SpmvParams {
        row_count: matrix.offsets.len() as u32 - 1,
        padding_0: 0,
        padding_1: 0,
        padding_2: 0,
    };
    let (offsets, columns) = (&matrix.offsets[..], &matrix.columns[..]);
    let form = DifferenceMatrix { offsets, columns, blocks: &blocks, row_sums: &row_sums };
    let mut y = vec![f32::NAN; x.len()];
    block_spmv(&params, &form, x, &mut y);
    y
}

fn entry(blocks: &[f64], b: usize, row: usize, column: usize) -> f64 {
    blocks[9 * b + 3 * row + column]
}

#[test]
fn the_difference_form_is_the_product_with_the_assembled_matrix() {
    let rows = 50;
    let matrix = ring(rows);
    let x = noise(3 * rows, 6);
    let ours = product(&matrix, &x);
    for i in 0..rows {
        let range = matrix.offsets[i] as usize..matrix.offsets[i + 1] as usize;
        for row in 0..3 {
            let (mut exact, mut size) = (0.0, 0.0);
            for column in 0..3 {
                // The diagonal block that is not stored: the row sum without the other blocks.
                let others: f64 =
                    range.clone().map(|b| entry(&matrix.blocks, b, row, column)).sum();
                let diagonal = entry(&matrix.row_sums, i, row, column) - others;
                let xi = f64::from(x[3 * i + column]);
                exact += diagonal * xi;
                size += (entry(&matrix.row_sums, i, row, column) * xi).abs();
                for b in range.clone() {
                    let k = entry(&matrix.blocks, b, row, column);
                    let xj = f64::from(x[3 * matrix.columns[b] as usize + column]);
                    exact += k * xj;
                    size += (k * (xj - xi)).abs();
                }
            }
            // A term passes through at most 8 roundings: matrix entry, difference, product, two
            // sums in its block and three over the blocks.
            let bound = 8.1 * ROUNDING * size;
            let error = (f64::from(ours[3 * i + row]) - exact).abs();
            assert!(error <= bound, "row {i}.{row}: error {error:e}, bound {bound:e}");
        }
    }
}

#[test]
fn a_translation_gives_the_row_sums_times_it_exactly() {
    let rows = 50;
    let matrix = ring(rows);
    let t = [0.1_f32, -2.3, 1e-3];
    let x: Vec<f32> = t.iter().copied().cycle().take(3 * rows).collect();
    let ours = product(&matrix, &x);
    for i in 0..rows {
        for row in 0..3 {
            let d = [0, 1, 2].map(|c| entry(&matrix.row_sums, i, row, c) as f32);
            let expected = d[0] * t[0] + d[1] * t[1] + d[2] * t[2];
            assert_eq!(ours[3 * i + row], expected, "row {i}.{row}");
        }
    }
}

#[test]
fn a_free_body_feels_nothing_from_a_translation() {
    let rows = 50;
    let mut matrix = ring(rows);
    matrix.row_sums.fill(0.0);
    let x: Vec<f32> = [1e3_f32, 7.0, -0.3].iter().copied().cycle().take(3 * rows).collect();
    assert!(product(&matrix, &x).iter().all(|&y| y == 0.0));
}

#[test]
fn twins_run_from_the_table_on_buffers_in_binding_order() {
    let params = AxpbyParams { a: 2.0, b: 3.0, count: 2, padding: 0 };
    let mut y = [10.0, 20.0];
    let mut buffers = [
        Buffer::Uniform(bytemuck::bytes_of(&params)),
        Buffer::Floats(&[1.0, 2.0]),
        Buffer::Results(&mut y),
    ];
    (kernel("axpby").expect("in the table").twin)(&mut buffers);
    assert_eq!(y, [32.0, 64.0]);
}
