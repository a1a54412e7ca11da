//! Samples of the kernels of a step.

use super::sample::{Sample, noise};
use crate::kernel::{Scalar, Sizes};
use crate::layout::SLICE;
use crate::params::{BorderParams, LeftParams, StepParams, SupportParams};
use crate::program::{BufferId, Data, Program};
use crate::source::Precision;

/// Rows: one workgroup and a part of another.
const ROWS: usize = 261;

pub(super) fn samples() -> Vec<Sample> {
    let of = |kernel, program| Sample::plain(kernel, program, 1e-6);
    vec![
        of("external_loads", external_loads),
        of("prescribe_velocities", prescribe_velocities),
        of("prescribe_positions", prescribe_positions),
        of("fixed_part", fixed_part),
        of("shift_velocity", shift_velocity),
        of("gather_rows", gather_rows),
        of("gather_rows", gather_more_rows),
        of("residual_rows", residual_rows),
        of("left_stress", left_stress),
        of("row_sums", row_sums),
        of("gather_border", gather_border),
        of("border_residual", border_residual),
        of("border_sums", border_sums),
        of("border_matrix", border_matrix),
        of("explicit_velocity", explicit_velocity),
        of("advance", advance),
    ]
}

/// A program in the making, whose buffers are filled from a counter of seeds.
struct Maker {
    program: Program,
    seed: u64,
}

impl Maker {
    fn new(precision: Precision) -> Self {
        Self { program: Program::new(precision), seed: 0 }
    }

    fn reals(&mut self, name: &str, count: usize) -> BufferId {
        self.seed += 1;
        self.program.add_data(name, Data::Reals(noise(count, self.seed)))
    }

    /// h, w, factors and schedules: all of them positive and different.
    fn step(&mut self) -> BufferId {
        let values = (0..16).map(|k| 0.3 + 0.07 * f64::from(k)).collect();
        self.program.add_data("step", Data::Reals(values))
    }

    /// Positive masses, but for every seventh row, which has none.
    fn loads(&mut self) -> BufferId {
        self.seed += 1;
        let mut loads = noise(5 * ROWS, self.seed);
        for (i, row) in loads.chunks_mut(5).enumerate() {
            row[0] = if i % 7 == 3 { 0.0 } else { 1.5 + row[0] };
        }
        self.program.add_data("loads", Data::Reals(loads))
    }

    /// Offsets, and up to four places a row among `places`.
    fn corners(&mut self, places: usize) -> BufferId {
        let (mut offsets, mut list) = (vec![0u32], Vec::new());
        for i in 0..ROWS {
            list.extend((0..i % 5).map(|k| ((i * 31 + k * 17) % places) as u32));
            offsets.push(list.len() as u32);
        }
        self.program.add_data("corners", Data::Words([offsets, list].concat()))
    }

    /// Every combination of fixed scalars.
    fn fixed(&mut self) -> BufferId {
        let bits = (0..ROWS as u32).map(|i| i % 8).collect();
        self.program.add_data("fixed", Data::Words(bits))
    }

    /// Scalars that are fixed, each with one of two schedules.
    fn supports(&mut self) -> BufferId {
        let words = (0..ROWS).flat_map(|i| [3 * i as u32 + i as u32 % 3, i as u32 % 2]).collect();
        self.program.add_data("supports", Data::Words(words))
    }

    /// Rows of a border among twice as many, each once; up to four blocks a row, and the column of each.
    fn border(&mut self) -> (BufferId, usize) {
        let rows = (0..ROWS as u32).map(|i| (2 * i + i % 2) * 35 % (2 * ROWS as u32));
        let (mut offsets, mut columns) = (vec![0u32], Vec::new());
        for i in 0..ROWS {
            columns.extend((0..i % 5).map(|k| ((i * 31 + k * 17) % (2 * ROWS)) as u32));
            offsets.push(columns.len() as u32);
        }
        let count = columns.len();
        let words = rows.chain(offsets).chain(columns).collect();
        (self.program.add_data("structure", Data::Words(words)), count)
    }

    fn zeros(&mut self, name: &str, count: usize) -> BufferId {
        self.program.add_zeros(name, Scalar::Real, count)
    }

    fn finish(
        mut self,
        kernel: &str,
        params: &impl bytemuck::Pod,
        bindings: &[BufferId],
    ) -> Program {
        let sizes = Sizes { rows: ROWS as u64, items: ROWS as u64, ..Sizes::default() };
        let call = self.program.call(kernel, params, bindings, (ROWS, sizes));
        self.program.add_list(vec![call]);
        self.program
    }
}

fn rows() -> StepParams {
    StepParams { row_count: ROWS as u32, ..StepParams::default() }
}

fn border_rows() -> BorderParams {
    BorderParams { row_count: ROWS as u32, ..BorderParams::default() }
}

fn fixed_scalars() -> SupportParams {
    SupportParams { support_count: ROWS as u32, first_factor: 9, ..SupportParams::default() }
}

fn external_loads(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let buffers = [m.step(), m.reals("fields", 9 * ROWS), m.reals("loads", 5 * ROWS)];
    let params = StepParams { field_count: 3, first_factor: 8, ..rows() };
    m.finish("external_loads", &params, &buffers)
}

fn prescribe_velocities(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (step, supports) = (m.step(), m.supports());
    let [displacements, d, u, x] =
        ["displacements", "d", "u", "x"].map(|name| m.reals(name, 3 * ROWS));
    m.finish("prescribe_velocities", &fixed_scalars(), &[step, supports, displacements, d, u, x])
}

fn prescribe_positions(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let buffers = [m.step(), m.supports(), m.reals("displacements", ROWS), m.reals("d", 3 * ROWS)];
    m.finish("prescribe_positions", &fixed_scalars(), &buffers)
}

fn fixed_part(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let buffers = [m.fixed(), m.reals("x", 3 * ROWS), m.reals("y", 3 * ROWS)];
    m.finish("fixed_part", &rows(), &buffers)
}

fn shift_velocity(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let buffers =
        [m.step(), m.reals("x", 3 * ROWS), m.reals("u", 3 * ROWS), m.zeros("v", 3 * ROWS)];
    m.finish("shift_velocity", &rows(), &buffers)
}

fn gather_rows(precision: Precision) -> Program {
    gather(precision, 0)
}

fn gather_more_rows(precision: Precision) -> Program {
    gather(precision, 1)
}

fn gather(precision: Precision, add: u32) -> Program {
    let mut m = Maker::new(precision);
    let buffers = [m.corners(500), m.reals("nodal", 1500), m.reals("y", 3 * ROWS)];
    m.finish("gather_rows", &StepParams { field_count: add, ..rows() }, &buffers)
}

fn left_stress(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (points, stresses, first) = (ROWS, 3, 40);
    let step = m.step();
    let memory = m.reals("memory", 6 * points * stresses);
    let geometry = m.reals("geometry", first + 6 * points);
    let params = LeftParams {
        point_count: points as u32,
        stress_count: stresses as u32,
        first_left: first as u32,
        weight_place: 5,
    };
    m.finish("left_stress", &params, &[step, memory, geometry])
}

fn residual_rows(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (step, fixed, loads) = (m.step(), m.fixed(), m.loads());
    let [u, x, residual] = ["u", "x", "residual"].map(|name| m.reals(name, 3 * ROWS));
    let partials = m.zeros("partials", 2);
    m.finish("residual_rows", &rows(), &[step, fixed, loads, u, x, residual, partials])
}

fn row_sums(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (step, loads) = (m.step(), m.loads());
    let diagonal = m.program.add_data("diagonal", Data::Floats(vec![7.0; 18 * ROWS]));
    m.finish("row_sums", &rows(), &[step, loads, diagonal])
}

fn gather_border(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (structure, _) = m.border();
    let [d, u, motion] = ["d", "u", "motion"].map(|name| m.reals(name, 6 * ROWS));
    m.finish("gather_border", &border_rows(), &[structure, d, u, motion])
}

fn border_residual(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (structure, blocks) = m.border();
    let (impulses, blocks) = (m.reals("impulses", 3 * ROWS), m.reals("blocks", 9 * blocks));
    let [v, residual] = ["v", "residual"].map(|name| m.reals(name, 6 * ROWS));
    let buffers = [structure, impulses, blocks, v, residual];
    m.finish("border_residual", &border_rows(), &buffers)
}

fn border_sums(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let (structure, blocks) = m.border();
    let blocks = m.reals("blocks", 9 * blocks);
    let diagonal = m.program.add_data("diagonal", Data::Floats(vec![0.7; 36 * ROWS]));
    m.finish("border_sums", &border_rows(), &[structure, blocks, diagonal])
}

fn border_matrix(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    // Every third entry of so many slices.
    let (entries, slices) = (ROWS, (3 * ROWS).div_ceil(SLICE as usize));
    let words = (0..entries as u32).flat_map(|i| [(7 * i + 3) % ROWS as u32, 3 * i + i % 3]);
    let places = m.program.add_data("places", Data::Words(words.collect()));
    let border = m.reals("border", 9 * ROWS);
    let matrix = Data::Floats(vec![0.7; 9 * SLICE as usize * slices]);
    let blocks = m.program.add_data("blocks", matrix);
    let params = BorderParams { entry_count: entries as u32, ..BorderParams::default() };
    m.finish("border_matrix", &params, &[places, border, blocks])
}

fn explicit_velocity(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let loads = m.loads();
    let [residual, u, x] = ["residual", "u", "x"].map(|name| m.reals(name, 3 * ROWS));
    m.finish("explicit_velocity", &rows(), &[loads, residual, u, x])
}

fn advance(precision: Precision) -> Program {
    let mut m = Maker::new(precision);
    let step = m.step();
    let [d, u] = ["d", "u"].map(|name| m.reals(name, 3 * ROWS));
    let mut x = noise(3 * ROWS, 9);
    // Two rows run away; the first of them is reported.
    (x[3 * 200 + 1], x[3 * 77 + 2]) = (3e35, -2e33);
    let x = m.program.add_data("x", Data::Reals(x));
    let [d_next, u_next] = ["d_next", "u_next"].map(|name| m.reals(name, 3 * ROWS));
    let status = m.program.add_data("status", Data::Words(vec![u32::MAX; 4]));
    m.finish("advance", &rows(), &[step, d, u, x, d_next, u_next, status])
}
