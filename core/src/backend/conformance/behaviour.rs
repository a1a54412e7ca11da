//! Promises of a backend beside its results: bits that repeat, states that go in and out, failures
//! that change nothing.

use std::sync::Arc;

use super::case::{Case, beam, law, model_of, tissue};
use super::compare::largest_distance;
use super::meshes::{CELL, block, nodes_where};
use super::relaxing::series;
use super::tolerances::{Quantity, row};
use super::{Make, Mismatch};
use crate::Vec3;
use crate::backend::Backend;
use crate::fem::ElementKind;
use crate::material::PronyStress;
use crate::model::Dirichlet;
use crate::system::{CompiledModel, State, StepError};

/// Length of every step [s].
const STEP: f64 = 0.01;

fn compiled(case: &Case) -> Result<Arc<CompiledModel>, Mismatch> {
    Ok(case.model.compile().map(Arc::new).map_err(|e| e.to_string())?)
}

fn step(backend: &mut dyn Backend, count: usize) -> Result<(), Mismatch> {
    let steps = (0..count).try_for_each(|_| backend.step(STEP).map(drop));
    Ok(steps.map_err(|e| e.to_string())?)
}

fn read(backend: &mut dyn Backend) -> Result<State, Mismatch> {
    let mut state = backend.system().initial_state();
    backend.read_state(&mut state).map_err(|e| e.to_string())?;
    Ok(state)
}

fn write(backend: &mut dyn Backend, state: &State) -> Result<(), Mismatch> {
    Ok(backend.write_state(state).map_err(|e| e.to_string())?)
}

/// Bit by bit, so that the two zeros differ and a number that is none is equal to itself.
fn same_bits(a: &State, b: &State, what: &str) -> Result<(), Mismatch> {
    let bits = |s: &State| -> Vec<u64> {
        let numbers = s.q.iter().chain(&s.u).flat_map(|v| v.iter().copied());
        numbers.chain(s.memory.iter().copied()).chain([s.time]).map(f64::to_bits).collect()
    };
    let (a, b) = (bits(a), bits(b));
    let different = a.iter().zip(&b).filter(|(a, b)| a != b).count();
    if different == 0 && a.len() == b.len() {
        return Ok(());
    }
    Err(format!("{what}: {different} of {} numbers differ", a.len()).into())
}

/// A case whose stresses relax, so that states have a memory of every point.
fn relaxing(mut case: Case) -> Case {
    case.model.fem_mut(0).prony = series(PronyStress::SecondPiolaKirchhoff);
    case
}

/// Two backends made alike and stepped alike are in the same state, and tell the same counts.
pub(super) fn repeats_bit_for_bit(make: Make) -> Result<(), Mismatch> {
    let case = beam(ElementKind::Tet4, "neohook");
    let run = || {
        let mut backend = make(compiled(&case)?, case.settings);
        let mut counts = Vec::new();
        for _ in 0..10 {
            let stats = backend.step(STEP).map_err(|e| e.to_string())?;
            counts.push((stats.linear_solves, stats.cg_iterations, stats.residual.to_bits()));
        }
        Ok::<_, Mismatch>((read(backend.as_mut())?, counts))
    };
    let (first, second) = (run()?, run()?);
    same_bits(&first.0, &second.0, "a second run")?;
    if first.1 == second.1 { Ok(()) } else { Err("a second run iterates otherwise".into()) }
}

/// A read that was started is the state of then, whatever steps were taken and whatever was read at
/// once meanwhile; a second one replaces the first, and each is fetched once.
pub(super) fn reads_go_on_beside_steps(make: Make) -> Result<(), Mismatch> {
    let case = relaxing(beam(ElementKind::Tet4, "corot"));
    let mut backend = make(compiled(&case)?, case.settings);
    let mut found = backend.system().initial_state();
    let start = |b: &mut dyn Backend| b.start_read().map_err(|e| e.to_string());
    step(backend.as_mut(), 1)?;
    start(backend.as_mut())?;
    step(backend.as_mut(), 1)?;
    let then = read_apart(make, &case, 2)?;
    start(backend.as_mut())?;
    step(backend.as_mut(), 2)?;
    same_bits(&read(backend.as_mut())?, &read_apart(make, &case, 4)?, "a state read at once")?;
    if backend.finish_read(&mut found).map_err(|e| e.to_string())? {
        same_bits(&found, &then, "the state that a read was started at")?;
    }
    match backend.finish_read(&mut found).map_err(|e| e.to_string())? {
        false => Ok(()),
        true => Err("one read was fetched twice".into()),
    }
}

/// The state of another backend after `count` steps.
fn read_apart(make: Make, case: &Case, count: usize) -> Result<State, Mismatch> {
    let mut backend = make(compiled(case)?, case.settings);
    step(backend.as_mut(), count)?;
    read(backend.as_mut())
}

/// A backend starts where the model does; what is written is read back, and what was read is
/// written without another rounding.
pub(super) fn states_go_in_and_out(make: Make) -> Result<(), Mismatch> {
    let case = beam(ElementKind::Hex8, "corot");
    let system = compiled(&case)?;
    let mut backend = make(system.clone(), case.settings);
    let mut state = system.initial_state();
    let tolerance = row(Quantity::RoundTrip).of(backend.precision());
    let near = |a: &[Vec3], b: &[Vec3], what: &str| {
        let scale = b.iter().map(Vec3::amax).fold(0.0, f64::max);
        let error = largest_distance(a, b);
        if error <= tolerance * scale {
            Ok(())
        } else {
            Err(Mismatch::from(format!("{what} off by {error:.1e}")))
        }
    };
    near(&read(backend.as_mut())?.q, &state.q, "positions at the start")?;
    state.time = 0.375;
    for (row, (q, u)) in state.q.iter_mut().zip(&mut state.u).enumerate() {
        let phase = row as f64;
        *q += 0.01 * Vec3::new(phase.sin(), (2.0 * phase).cos(), (3.0 * phase).sin());
        *u = Vec3::new((5.0 * phase).cos(), phase.cos(), (7.0 * phase).sin());
    }
    write(backend.as_mut(), &state)?;
    let once = read(backend.as_mut())?;
    near(&once.q, &state.q, "positions")?;
    near(&once.u, &state.u, "velocities")?;
    if [once.time, backend.time()] != [0.375; 2] {
        return Err(format!("the time is {} s, and {} s as read", backend.time(), once.time).into());
    }
    write(backend.as_mut(), &once)?;
    same_bits(&read(backend.as_mut())?, &once, "a state written a second time")
}

/// A run that is taken up from its state goes on bit for bit as one that was never left, once what
/// is kept from step to step is dropped.
pub(super) fn goes_on_from_the_state_alone(make: Make) -> Result<(), Mismatch> {
    let elastic = beam(ElementKind::Hex8, "neohook");
    goes_on_alone(make, &elastic)?;
    goes_on_alone(make, &relaxing(elastic))
}

fn goes_on_alone(make: Make, case: &Case) -> Result<(), Mismatch> {
    let system = compiled(case)?;
    let mut first = make(system.clone(), case.settings);
    step(first.as_mut(), 5)?;
    let state = read(first.as_mut())?;
    write(first.as_mut(), &state)?;
    first.forget();
    let mut second = make(system, case.settings);
    write(second.as_mut(), &state)?;
    step(first.as_mut(), 3)?;
    step(second.as_mut(), 3)?;
    same_bits(&read(first.as_mut())?, &read(second.as_mut())?, "a run taken up again")
}

/// A step that meets an inverted element changes nothing and names the element, of the second
/// tissue; from a good state the backend steps on.
pub(super) fn a_failed_step_changes_nothing(make: Make) -> Result<(), Mismatch> {
    let (case, corner_node) = two_blocks();
    let system = compiled(&case)?;
    let second = system.fems()[1];
    let mut backend = make(system.clone(), case.settings);
    step(backend.as_mut(), 3)?;
    let good = read(backend.as_mut())?;
    let mut bad = good.clone();
    // The corner belongs to one element, and is pushed through it.
    let corner = system.block_of_node(second, corner_node);
    bad.q[corner] -= 2.0 * CELL * Vec3::new(1.0, 1.0, 1.0);
    write(backend.as_mut(), &bad)?;
    let before = read(backend.as_mut())?;
    match backend.step(STEP) {
        Err(StepError::Inverted { fem, element, volume_ratio, time, .. }) => {
            let (_, last) = case.model.fem(1).mesh.element(ELEMENT);
            if !last.contains(&(corner_node as u32))
                || (fem.as_str(), element) != ("second", ELEMENT)
            {
                return Err(format!("element {element} of '{fem}' is named as inverted").into());
            }
            if time.to_bits() != before.time.to_bits()
                || volume_ratio.is_nan()
                || volume_ratio >= 0.0
            {
                return Err(format!("inverted at {time} s with J = {volume_ratio}").into());
            }
            same_ratio(&system, &case, &bad, (volume_ratio, backend.as_ref()))?;
        }
        Err(other) => return Err(format!("an inverted element is told as: {other}").into()),
        Ok(_) => return Err("a step through an inverted element succeeds".into()),
    }
    same_bits(&read(backend.as_mut())?, &before, "the state after a failed step")?;
    write(backend.as_mut(), &good)?;
    step(backend.as_mut(), 3)
}

/// The element of the second block that has its last corner.
const ELEMENT: usize = 7;

/// Two blocks of hexahedra that need a positive volume, the second fixed; and its last corner.
fn two_blocks() -> (Case, usize) {
    let mesh = || block(ElementKind::Hex8, [2, 2, 2]);
    let first = tissue("first", mesh(), law("mr"));
    let mut second = tissue("second", mesh(), law("neohook"));
    second.prony = series(PronyStress::Cauchy);
    second.mesh.nodes.iter_mut().for_each(|p| p.z += 5.0 * CELL);
    second.dirichlet.push(Dirichlet::fix(nodes_where(&second.mesh, |p| p.x < 1e-9)));
    let corner = second.mesh.nodes.len() - 1;
    (Case::new(model_of([first, second])), corner)
}

/// Compares the volume ratio that a failed step told with that of the reference.
fn same_ratio(
    system: &Arc<CompiledModel>,
    case: &Case,
    bad: &State,
    (found, backend): (f64, &dyn Backend),
) -> Result<(), Mismatch> {
    let reference = crate::backend::CpuBackend::new(system.clone(), case.settings);
    let mut reference = reference.map_err(|e| e.to_string())?;
    write(&mut reference, bad)?;
    let Err(StepError::Inverted { volume_ratio: expected, .. }) = reference.step(STEP) else {
        return Err("the reference steps through an inverted element".into());
    };
    let tolerance = row(Quantity::VolumeRatio).of(backend.precision());
    let error = (found / expected - 1.0).abs();
    if error <= tolerance {
        Ok(())
    } else {
        Err(format!("J = {found}, expected {expected}").into())
    }
}

/// A residual is asked for and reached; asking for less costs no more iterations.
pub(super) fn meets_the_residual_asked_for(make: Make) -> Result<(), Mismatch> {
    let mut iterations = Vec::new();
    for tolerance in [1e-3, 1e-6, 1e-9] {
        let mut case = beam(ElementKind::Hex8, "corot");
        case.settings.cg_tolerance = tolerance;
        let mut backend = make(compiled(&case)?, case.settings);
        let mut sum = 0;
        for _ in 0..5 {
            let stats = backend.step(STEP).map_err(|e| e.to_string())?;
            if stats.residual.is_nan() || stats.residual > tolerance {
                return Err(
                    format!("residual {:.1e}, {tolerance:.1e} asked", stats.residual).into()
                );
            }
            sum += stats.cg_iterations;
        }
        iterations.push(sum);
    }
    if iterations.is_sorted() {
        return Ok(());
    }
    Err(format!("iterations for 1e-3, 1e-6, 1e-9: {iterations:?}").into())
}
