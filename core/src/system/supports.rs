//! Compilation of supports and of particles that forces do not move, and where points are at the start.

use std::collections::BTreeMap;

use super::State;
use super::flat::Flat;
use super::numbering::Numbering;
use super::time_course::TimeCourse;
use crate::Vec3;
use crate::kinds::Dirichlet;
use crate::model::{Particle, Schedule};

/// Time over which the velocities of what is prescribed are taken at the start [s]: their schedules are straight
/// over it. A power of two, so that dividing by it rounds nothing.
pub(super) const FIRST_MOMENT: f64 = 1.0 / (1 << 20) as f64;

/// A fixed or prescribed scalar.
#[derive(Clone, Debug, PartialEq)]
pub struct Support {
    /// Its row.
    pub row: u32,
    /// Axis: 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// Displacement from rest at a schedule value of 1 [m].
    pub displacement: f64,
    /// Time course of the displacement.
    pub schedule: TimeCourse,
}

/// Displacement and schedule of each fixed scalar, by row and axis; later ones replace those before.
type Scalars = BTreeMap<(u32, usize), (f64, TimeCourse)>;

/// Adds a support of nodes with these rows.
fn add_support(support: &Dirichlet, rows: &[u32], supports: &mut Scalars) {
    for (k, &node) in support.nodes.iter().enumerate() {
        let row = rows[node as usize];
        if !support.keyframes.is_empty() {
            for axis in (0..3).filter(|&a| support.axes[a]) {
                let (keyframes, interpolation) =
                    (&support.keyframes, support.keyframe_interpolation);
                let path = TimeCourse::of_path(keyframes, interpolation, (axis, 0.0));
                supports.insert((row, axis), (1.0, path));
            }
            continue;
        }
        let displacement = match support.displacement.len() {
            0 => Vec3::zeros(),
            1 => support.displacement[0],
            _ => support.displacement[k],
        };
        for axis in (0..3).filter(|&a| support.axes[a]) {
            let schedule = TimeCourse::Schedule(support.schedule.clone());
            supports.insert((row, axis), (displacement[axis], schedule));
        }
    }
}

/// All supports, by row and axis.
pub(super) fn compile(model: &Flat<'_>, points: &Numbering) -> Vec<Support> {
    let mut supports = Scalars::new();
    for (particle, &row) in model.particles.iter().zip(&points.particle_rows) {
        if particle.fixed {
            (0..3).for_each(|axis| {
                supports.insert((row, axis), prescribed_scalar(particle, axis));
            });
        }
    }
    for (fem, rows) in model.fems.iter().zip(&points.fem_rows) {
        fem.dirichlet.iter().for_each(|support| add_support(support, rows, &mut supports));
    }
    supports
        .into_iter()
        .map(|((row, axis), (displacement, schedule))| Support {
            row,
            axis,
            displacement,
            schedule,
        })
        .collect()
}

/// Longest time for which a particle keeps its velocity [s].
const FOREVER: f64 = 1e9;

/// Displacement and time course of a coordinate of a particle that forces do not move.
fn prescribed_scalar(particle: &Particle, axis: usize) -> (f64, TimeCourse) {
    let (start, velocity) = (particle.position[axis], particle.velocity[axis]);
    if !particle.keyframes.is_empty() {
        let (keyframes, interpolation) = (&particle.keyframes, particle.keyframe_interpolation);
        return (1.0, TimeCourse::of_path(keyframes, interpolation, (axis, start)));
    }
    match velocity == 0.0 {
        true => (0.0, TimeCourse::default()),
        false => {
            let evenly = Schedule::Table(vec![[0.0, 0.0], [FOREVER, FOREVER]]);
            (velocity, TimeCourse::Schedule(evenly))
        }
    }
}

/// True for scalars that supports fix or prescribe, three a row.
pub(super) fn fixed_by(supports: &[Support], size: usize) -> Vec<[bool; 3]> {
    let mut fixed = vec![[false; 3]; size];
    supports.iter().for_each(|support| fixed[support.row as usize][support.axis] = true);
    fixed
}

/// Positions and velocities of points at the start.
pub(super) fn initial_state(model: &Flat<'_>, points: &Numbering, supports: &[Support]) -> State {
    let mut u = vec![Vec3::zeros(); points.rest.len()];
    for (particle, &row) in model.particles.iter().zip(&points.particle_rows) {
        if !particle.fixed || particle.keyframes.is_empty() {
            u[row as usize] = particle.velocity;
        }
    }
    let mut q = points.rest.to_vec();
    for (particle, &row) in model.particles.iter().zip(&points.particle_rows) {
        if particle.fixed && !particle.keyframes.is_empty() {
            for axis in 0..3 {
                let (displacement, schedule) = prescribed_scalar(particle, axis);
                q[row as usize][axis] += displacement * schedule.at(0.0);
            }
        }
    }
    for (fem, rows) in model.fems.iter().zip(&points.fem_rows) {
        for support in fem.dirichlet.iter().filter(|support| !support.keyframes.is_empty()) {
            let offset = support.offset_at(0.0).unwrap_or_else(Vec3::zeros);
            for row in support.nodes.iter().map(|&node| rows[node as usize] as usize) {
                let axes = (0..3).filter(|&axis| support.axes[axis]);
                axes.for_each(|axis| q[row][axis] = points.rest[row][axis] + offset[axis]);
            }
        }
    }
    for Support { row, axis, displacement, schedule } in supports {
        let change = schedule.at(FIRST_MOMENT) - schedule.at(0.0);
        u[*row as usize][*axis] = displacement * change / FIRST_MOMENT;
    }
    State { time: 0.0, q, u, ..State::default() }
}
