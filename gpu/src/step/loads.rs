//! Loads and supports of rows as buffers: masses, drag, load fields, supports, and the factors that
//! change from step to step.

use sinew::Vec3;
use sinew::model::Schedule;
use sinew::system::{BorderForces, CompiledModel, MechSystem, TimeCourse};
use sinew_shaders::program::{BufferId, Data, Program};
use sinew_shaders::table::LOAD_SCALARS;

use super::numbering::Numbering;

/// Buffers and schedules of loads and supports.
pub(crate) struct Loads {
    /// Five scalars a row: mass, drag, force.
    pub(crate) rows: BufferId,
    /// One 3-vector a row for each schedule in `load_schedules`.
    pub(crate) fields: BufferId,
    /// Time courses of the fields.
    pub(crate) load_schedules: Vec<Schedule>,
    /// Place of the scalar and number of the schedule of each support.
    pub(crate) supports: BufferId,
    /// Displacement of each support at a schedule value of 1 [m].
    pub(crate) displacements: BufferId,
    /// Number of fixed scalars.
    pub(crate) support_count: usize,
    /// Time courses of the supports.
    pub(crate) support_schedules: Vec<TimeCourse>,
}

impl Loads {
    pub(crate) fn new(
        program: &mut Program,
        (system, border): (&CompiledModel, Option<&BorderForces>),
        numbering: &Numbering,
    ) -> Self {
        let (masses, drag) = (system.masses(), system.device_view().drag_coefficients());
        let mut rows = vec![0.0; LOAD_SCALARS * masses.len()];
        for (row, values) in numbering.model.iter().zip(rows.chunks_exact_mut(LOAD_SCALARS)) {
            values[0] = masses[*row as usize];
            let scale = border.map_or(1.0, |border| border.scale(*row));
            values[1] = drag[*row as usize] * scale * scale;
        }
        let (fields, load_schedules) = fields_of((system, border), numbering);
        let (mut words, mut displacements) = (Vec::new(), Vec::new());
        let mut support_schedules: Vec<TimeCourse> = Vec::new();
        for support in system.supports() {
            let schedule = support_schedules.iter().position(|s| *s == support.schedule);
            let schedule = schedule.unwrap_or_else(|| {
                support_schedules.push(support.schedule.clone());
                support_schedules.len() - 1
            });
            let place = 3 * numbering.device[support.row as usize] + support.axis as u32;
            words.extend([place, schedule as u32]);
            displacements.push(support.displacement);
        }
        Self {
            rows: program.add_data("loads", Data::Reals(rows)),
            fields: program.add_data("load fields", Data::Reals(fields)),
            load_schedules,
            support_count: displacements.len(),
            supports: program.add_data("supports", Data::Words(words)),
            displacements: program
                .add_data("displacements of supports", Data::Reals(displacements)),
            support_schedules,
        }
    }

    /// Values of all schedules, loads at `load_time` [s], then supports at `end` [s].
    pub(crate) fn factors(&self, load_time: f64, end: f64) -> impl Iterator<Item = f64> {
        let loads = self.load_schedules.iter().map(move |s| s.at(load_time));
        loads.chain(self.support_schedules.iter().map(move |s| s.at(end)))
    }

    /// Rates of the schedules of supports at the end of a step of this span [s].
    pub(crate) fn rates(&self, span: [f64; 2]) -> impl Iterator<Item = f64> {
        self.support_schedules.iter().map(move |s| s.rates(span[1], span)[0])
    }
}

/// The load fields one after another in the order of device rows, and their time courses; moments count by the unknowns of
/// rotations.
fn fields_of(
    (system, border): (&CompiledModel, Option<&BorderForces>),
    numbering: &Numbering,
) -> (Vec<f64>, Vec<Schedule>) {
    let (mut fields, mut schedules) = (Vec::new(), Vec::new());
    for load in system.device_view().row_loads() {
        let mut forces = vec![Vec3::zeros(); numbering.device.len()];
        for (row, force) in &load.forces {
            forces[*row as usize] = *force;
        }
        for &(row, scale) in border.iter().flat_map(|border| border.scales()) {
            forces[row as usize] *= scale;
        }
        fields.extend(numbering.model.iter().flat_map(|&row| forces[row as usize].data.0[0]));
        schedules.push(load.schedule.clone());
    }
    (fields, schedules)
}
