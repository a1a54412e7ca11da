//! The comparison: a backend and the reference take the same steps from the same state.

use std::sync::Arc;

use super::case::Case;
use super::tolerances::{Quantity, Row, row};
use super::{Make, Mismatch};
use crate::Vec3;
use crate::backend::{Backend, CpuBackend, Precision};
use crate::solve::{LinearSolver, SolverSettings};
use crate::system::{CompiledModel, MechSystem, State, StepStats};

/// Steps `case` by the backend that `make` makes and by the reference, the CPU with a direct solver,
/// and compares positions, velocities and energies after the first step and at the end; on the way
/// time, the residual of every solve, and momentum where the reference keeps it.
///
/// # Errors
/// The first quantity that is further off than [`TABLE`](super::TABLE) allows, with the numbers.
pub fn agree(case: &Case, make: Make) -> Result<(), Mismatch> {
    let system = Arc::new(case.model.compile().map_err(|e| e.to_string())?);
    let mut start = system.initial_state();
    (case.start)(&mut start);
    let direct = SolverSettings { linear_solver: LinearSolver::Direct, ..case.settings };
    let mut reference = CpuBackend::new(system.clone(), direct).map_err(|e| e.to_string())?;
    let mut backend = make(system.clone(), case.settings);
    let expected = snapshots(&mut reference, &start, case)?;
    let found = snapshots(backend.as_mut(), &start, case)?;
    let limits = Limits { precision: backend.precision(), f32_factor: case.f32_factor };
    let scales = Scales::of(&system, &start, &expected);
    for (step, (found, expected)) in [1, case.steps.len()].iter().zip(found.iter().zip(&expected)) {
        let compared = compare(&system, &scales, found, expected, limits);
        compared.map_err(|e| format!("after step {step}: {e}"))?;
    }
    keeps_momentum(&system, &start, [&found[1], &expected[1]], limits)
}

/// The states after the first step and at the end.
fn snapshots(
    backend: &mut dyn Backend,
    start: &State,
    case: &Case,
) -> Result<[State; 2], Mismatch> {
    backend.write_state(start).map_err(|e| e.to_string())?;
    let mut states = [start.clone(), start.clone()];
    let mut time = start.time;
    for (k, &h) in case.steps.iter().enumerate() {
        let stats = backend.step(h).map_err(|e| format!("step {}: {e}", k + 1))?;
        time += h;
        check_step(&case.settings, &stats, backend.time(), time)
            .map_err(|e| format!("step {}: {e}", k + 1))?;
        if k == 0 {
            backend.read_state(&mut states[0]).map_err(|e| e.to_string())?;
        }
    }
    backend.read_state(&mut states[1]).map_err(|e| e.to_string())?;
    Ok(states)
}

/// Checks the report of a step: its time and residual.
fn check_step(
    settings: &SolverSettings,
    stats: &StepStats,
    time: f64,
    expected: f64,
) -> Result<(), Mismatch> {
    // A device may count in steps: one rounding an addition.
    let late = (time - expected).abs();
    if late.is_nan() || late > 1e-14 * expected.abs() {
        return Err(format!("the time is {time} s, not {expected} s").into());
    }
    if settings.integrator.is_explicit() {
        return Ok(());
    }
    let (residual, tolerance) = (stats.residual, settings.cg_tolerance);
    if stats.linear_solves == 0 || residual.is_nan() || residual > tolerance {
        let solves = stats.linear_solves;
        return Err(
            format!("residual {residual:.1e} of {solves} solves, {tolerance:.1e} asked").into()
        );
    }
    Ok(())
}

/// The precision, and the factor of the case.
#[derive(Clone, Copy)]
struct Limits {
    precision: Precision,
    f32_factor: f64,
}

impl Limits {
    /// Checks that `error` [-] is within the table.
    fn check(self, quantity: Quantity, what: &str, error: f64) -> Result<(), Mismatch> {
        let row: &Row = row(quantity);
        let factor = if self.precision == Precision::F32 { self.f32_factor } else { 1.0 };
        let tolerance = factor * row.of(self.precision);
        if error <= tolerance {
            return Ok(());
        }
        Err(format!("{what} off by {error:.2e}, {tolerance:.1e} allowed ({})", row.reason).into())
    }
}

/// Scales of errors: the largest values of the reference.
struct Scales {
    displacement: f64,
    speed: f64,
    energy: f64,
    memory: f64,
}

impl Scales {
    fn of(system: &CompiledModel, start: &State, reference: &[State; 2]) -> Self {
        let gravitational = system.energies(start).gravitational;
        let mut scales = Self { displacement: 0.0, speed: 0.0, energy: 0.0, memory: 0.0 };
        for state in [start, &reference[0], &reference[1]] {
            let e = system.energies(state);
            let energies = [e.kinetic, e.strain, (e.gravitational - gravitational).abs()];
            let moved = largest_distance(&state.q, system.rest_positions());
            scales.displacement = scales.displacement.max(moved);
            scales.speed = state.u.iter().map(|u| u.norm()).fold(scales.speed, f64::max);
            scales.energy = energies.into_iter().fold(scales.energy, f64::max);
            scales.memory = state.memory.iter().fold(scales.memory, |most, it| most.max(it.abs()));
        }
        scales
    }
}

fn compare(
    system: &CompiledModel,
    scales: &Scales,
    found: &State,
    expected: &State,
    limits: Limits,
) -> Result<(), Mismatch> {
    let position = largest_distance(&found.q, &expected.q) / scales.displacement;
    limits.check(Quantity::Position, "positions", position)?;
    let velocity = largest_distance(&found.u, &expected.u) / scales.speed;
    limits.check(Quantity::Velocity, "velocities", velocity)?;
    let (a, b) = (system.energies(found), system.energies(expected));
    for (name, a, b) in [
        ("kinetic energy", a.kinetic, b.kinetic),
        ("strain energy", a.strain, b.strain),
        ("gravitational energy", a.gravitational, b.gravitational),
    ] {
        limits.check(Quantity::Energy, name, (a - b).abs() / scales.energy)?;
    }
    let memory =
        largest_apart(&found.memory, &expected.memory) / scales.memory.max(f64::MIN_POSITIVE);
    limits.check(Quantity::Memory, "what states remember", memory)
}

/// Largest difference of two numbers at one place; infinite where it is no number, or one has more of them.
fn largest_apart(a: &[f64], b: &[f64]) -> f64 {
    if a.len() != b.len() {
        return f64::INFINITY;
    }
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.map(|d| if d.is_nan() { f64::INFINITY } else { d }).fold(0.0, f64::max)
}

/// Checks that the backend keeps momentum to rounding if the reference does.
fn keeps_momentum(
    system: &CompiledModel,
    start: &State,
    [found, expected]: [&State; 2],
    limits: Limits,
) -> Result<(), Mismatch> {
    /// Twenty steps of a direct solver with a residual of 1e-12.
    const KEPT: f64 = 1e-10;
    let before = system.at(start).momentum();
    // Of a body that turns in place the parts have momentum and the whole has none.
    let parts = system.masses().iter().zip(&start.u).map(|(m, u)| m * u.norm());
    let scale: f64 = parts.sum();
    let change = |state: &State| (system.at(state).momentum() - before).norm() / scale;
    if scale == 0.0 || change(expected) > KEPT {
        return Ok(());
    }
    limits.check(Quantity::Momentum, "momentum", change(found))
}

/// Largest distance of two points of one row; infinite where it is no number.
pub(super) fn largest_distance(a: &[Vec3], b: &[Vec3]) -> f64 {
    let distances = a.iter().zip(b).map(|(a, b)| (a - b).norm());
    distances.map(|d| if d.is_nan() { f64::INFINITY } else { d }).fold(0.0, f64::max)
}
