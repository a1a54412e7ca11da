//! Springs and muscles of every axial law in a system: their matrices, their memory, activation.

use sinew::Vec3;
use sinew::axial::active::{PeckMuscle, TendonModel, Thelen2003};
use sinew::axial::{ActivationDynamics, ActivationModel, AxialLaw, KINDS};
use sinew::component::{ComponentType, Handle};
use sinew::force::{JacobianScale, VelocityTerms};
use sinew::linalg::BlockMatrix;
use sinew::model::{AxialSpring, Edit, Model, Particle};
use sinew::property::Value;
use sinew::schedule::Simulation;
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion, State};

use crate::fixture::{STEP, advance, motion, settings};

/// Two particles `length` apart along an oblique line, the first one held, pulled by `law`.
fn pair(law: AxialLaw, length: f64) -> (Model, [Handle<Particle>; 2], Handle<AxialSpring>) {
    let mut model = Model::new("pair");
    model.set_gravity(Vec3::zeros());
    let end = Vec3::new(2.0, -1.0, 2.0) * (length / 3.0);
    let ends = [Particle::new(1.0, Vec3::zeros()).fixed(), Particle::new(1.0, end)];
    let ends = ends.map(|particle| model.add(particle));
    let mut spring = AxialSpring::with_law(ends, law).named("line");
    (spring.rest_length, spring.excitation) = (0.25, 0.4);
    let spring = model.add(spring);
    (model, ends, spring)
}

fn forces(system: &CompiledModel, state: &State, terms: VelocityTerms) -> Vec<Vec3> {
    let mut forces = vec![Vec3::zeros(); state.q.len()];
    system.forces(LoadCase::at(0.0), Motion::of(state, STEP), terms, &mut forces).unwrap();
    forces
}

/// Block (row, row) of the matrix that a scale asks for.
fn block(system: &CompiledModel, state: &State, scale: JacobianScale, row: usize) -> sinew::Mat3 {
    let mut matrix = BlockMatrix::zeros(system.pattern().clone());
    system.add_jacobian(LoadCase::at(0.0), Motion::of(state, STEP), scale, &mut matrix).unwrap();
    matrix.block(system.pattern().diagonal(row))
}

/// Change of a position [m] or velocity [m/s] for differences.
const CHANGE: f64 = 1e-7;

/// Difference of a column of the matrix from that of the force on these sides; from the nearer one where the force bends.
/// Forces are near 1,000 N: what is left is their rounding over the change.
fn error_of(found: Vec3, sides: [Vec3; 3], bends: bool) -> f64 {
    let intervals = if bends { &[(0, 1), (1, 2)][..] } else { &[(0, 2)] };
    let errors = intervals.iter().map(|&(a, b)| {
        let expected = -(sides[b] - sides[a]) / ((b - a) as f64 * CHANGE);
        (expected - found).amax()
    });
    errors.fold(f64::INFINITY, f64::min)
}

#[test]
fn the_matrix_of_every_law_is_the_derivative_of_its_force_over_a_step() {
    for kind in KINDS {
        for length in [0.22, 0.31] {
            let law = AxialLaw::from_name(kind.name).unwrap();
            let (model, ends, _) = pair(law, length);
            let system = model.compile().unwrap();
            let row = system.block_of_particle(ends[1]);
            let mut state = system.initial_state();
            for (by_velocity, scale) in [
                (false, JacobianScale { position: 1.0, velocity: 0.0 }),
                (true, JacobianScale { position: 0.0, velocity: 1.0 }),
            ] {
                // Rates begin at rest where the position moves: the derivative of the rate by position is
                // left out. Some laws have a kink there.
                state.u[row] = state.q[row] * if by_velocity { 0.2 } else { 0.0 };
                let matrix = block(&system, &state, scale, row);
                for axis in 0..3 {
                    let moved = |sign: f64| {
                        let mut state = state.clone();
                        let field = if by_velocity { &mut state.u } else { &mut state.q };
                        field[row][axis] += sign * CHANGE;
                        forces(&system, &state, VelocityTerms::Included)[row]
                    };
                    let found = matrix.column(axis).into();
                    // The fibre of a muscle at rest gets longer or shorter, and this one is stiffer then.
                    let bends = kind.name == "schutte1993" && !by_velocity;
                    let sides = [moved(-1.0), moved(0.0), moved(1.0)];
                    let error = error_of(found, sides, bends);
                    let scale = matrix.amax().max(1.0);
                    assert!(
                        error < if bends { 2e-4 } else { 2e-5 } * scale,
                        "{} at {length} m, by velocity {by_velocity}: {error} of {found}",
                        kind.name
                    );
                }
            }
        }
    }
}

#[test]
fn what_a_linearized_step_leaves_out_is_the_derivative_times_the_velocity() {
    for kind in KINDS {
        let (model, ends, _) = pair(AxialLaw::from_name(kind.name).unwrap(), 0.31);
        let system = model.compile().unwrap();
        let row = system.block_of_particle(ends[1]);
        let mut state = system.initial_state();
        state.u[row] = Vec3::new(0.1, 0.2, -0.3);
        let scale = JacobianScale { position: 0.0, velocity: 1.0 };
        let expected = forces(&system, &state, VelocityTerms::Included)[row]
            + block(&system, &state, scale, row) * state.u[row];
        let found = forces(&system, &state, VelocityTerms::Excluded)[row];
        // Roundings of forces near 1,000 N.
        assert!((expected - found).norm() < 1e-11 * expected.norm().max(1.0), "{}", kind.name);
    }
}

fn thelen() -> AxialLaw {
    AxialLaw::Thelen2003(Thelen2003 {
        max_isometric_force: 100.0,
        optimal_fibre_length: 0.1,
        tendon_slack_length: 0.2,
        ..Thelen2003::default()
    })
}

fn real(simulation: &mut Simulation, spring: Handle<AxialSpring>, name: &str) -> f64 {
    let property = simulation.model().property_of(spring, name).unwrap();
    match simulation.get(&property).unwrap() {
        Value::Real(x) => x,
        other => panic!("{other}"),
    }
}

#[test]
fn a_weight_on_a_muscle_with_a_tendon_comes_to_rest_where_the_muscle_carries_it() {
    let (mut model, ends, muscle) = pair(thelen(), 0.3);
    model[ends[1]].position = Vec3::new(0.0, 0.0, -0.3);
    model[ends[1]].mass = 4.0;
    model[ends[1]].point_damping = Some(60.0);
    model.set_gravity(Vec3::new(0.0, 0.0, -9.8));
    let mut simulation = Simulation::new(model, settings()).unwrap();
    advance(&mut simulation, 2000);
    let tension = real(&mut simulation, muscle, "tension");
    let velocity = motion(&mut simulation, ends[1])[1];
    assert!(velocity.norm() < 1e-4, "{velocity} m/s");
    // What creeps on does so against the drag; it slows down by a part of that in a second.
    assert!((tension - 60.0 * velocity.z - 4.0 * 9.8).abs() < 1e-3, "{tension} N");
}

#[test]
fn a_fixed_length_muscle_follows_its_excitation_as_activation_does() {
    let law = PeckMuscle { max_force: 50.0, optimal_length: 0.3, ..PeckMuscle::default() };
    let (mut model, ends, muscle) = pair(AxialLaw::Peck(law), 0.3);
    model[ends[1]].fixed = true;
    model[muscle].excitation = 0.0;
    model[muscle].activation = ActivationDynamics {
        model: ActivationModel::FirstOrder,
        activation_time: 0.02,
        deactivation_time: 0.06,
        least: 0.0,
    };
    let mut simulation = Simulation::new(model, settings()).unwrap();
    let excitation = simulation.model().property_of(muscle, "excitation").unwrap();
    let full = 50.0;
    assert_eq!(real(&mut simulation, muscle, "tension"), 0.0);
    simulation.set(&excitation, 1.0).unwrap();
    advance(&mut simulation, 10);
    let raised = 1.0 - (-10.0 * STEP / 0.02_f64).exp();
    let tension = real(&mut simulation, muscle, "tension");
    // Exact over each step; read a nanosecond later.
    assert!((tension - full * raised).abs() < 1e-6 * full, "{tension} {}", full * raised);
    simulation.set(&excitation, 0.0).unwrap();
    advance(&mut simulation, 10);
    let fallen = raised * (-10.0 * STEP / 0.06_f64).exp();
    let tension = real(&mut simulation, muscle, "tension");
    assert!((tension - full * fallen).abs() < 1e-6 * full, "{tension} {}", full * fallen);
}

/// A muscle that swings a weight, after some steps.
fn swinging() -> (Simulation, [Handle<Particle>; 2]) {
    let (mut model, ends, muscle) = pair(thelen(), 0.3);
    model[muscle].activation.model = ActivationModel::FirstOrder;
    model[muscle].excitation = 0.8;
    model.set_gravity(Vec3::new(0.0, 0.0, -9.8));
    let mut simulation = Simulation::new(model, settings()).unwrap();
    advance(&mut simulation, 12);
    (simulation, ends)
}

#[test]
fn what_muscles_remember_is_part_of_the_state_and_outlives_an_edit_elsewhere() {
    let (mut simulation, ends) = swinging();
    let state = simulation.state().unwrap().clone();
    assert_eq!(state.memory.len(), 4, "activation, fibre length, activation of the law, length");
    advance(&mut simulation, 8);
    let first = motion(&mut simulation, ends[1]);
    simulation.set_state(&state).unwrap();
    advance(&mut simulation, 8);
    assert_eq!(motion(&mut simulation, ends[1]), first, "the same bits from the same state");

    simulation.set_state(&state).unwrap();
    let main = simulation.model().parent(ends[0]).unwrap();
    simulation.edit(Edit::add(main, Particle::new(1.0, Vec3::new(9.0, 9.0, 9.0)))).unwrap();
    assert_eq!(simulation.state().unwrap().memory, state.memory);
    advance(&mut simulation, 8);
    let [q, u] = motion(&mut simulation, ends[1]);
    assert!((q - first[0]).norm() < 1e-14 && (u - first[1]).norm() < 1e-12, "{q} {u}");
}

#[test]
fn another_law_begins_at_rest_where_the_line_is_now() {
    let (mut simulation, _) = swinging();
    let muscle = simulation.model().nth::<AxialSpring>(0);
    let law = simulation.model().property_of(muscle, "material").unwrap();
    simulation.set(&law, "maxwell").unwrap();
    advance(&mut simulation, 1);
    assert_eq!(
        simulation.state().unwrap().memory.len(),
        3,
        "activation, length of the dashpot, and length of the line"
    );
    simulation.set(&law, "linear").unwrap();
    advance(&mut simulation, 1);
    assert_eq!(simulation.state().unwrap().memory.len(), 1);
}

#[test]
fn a_step_that_fails_leaves_the_memory_as_it_was() {
    let (mut simulation, ends) = swinging();
    let state = simulation.state().unwrap().clone();
    let velocity = simulation.model().property_of(ends[1], "velocity").unwrap();
    simulation.set(&velocity, Vec3::new(1e308, 1e308, 0.0)).unwrap();
    assert!(simulation.step(STEP).is_err(), "the speed overflows");
    assert_eq!(simulation.state().unwrap().memory, state.memory);
}

/// Values of simulated properties of the only spring.
fn readings<const N: usize>(simulation: &mut Simulation, names: [&str; N]) -> [f64; N] {
    let muscle = simulation.model().nth::<AxialSpring>(0);
    names.map(|name| {
        let property = simulation.model().property_of(muscle, name).unwrap();
        match simulation.get(&property).unwrap() {
            Value::Real(x) => x,
            other => panic!("{name}: {other}"),
        }
    })
}

#[test]
fn the_fibre_of_a_muscle_is_read_with_its_velocity_and_the_force_of_its_tendon() {
    let (mut simulation, _) = swinging();
    let muscle = simulation.model().nth::<AxialSpring>(0);
    let excitation = simulation.model().property_of(muscle, "excitation").unwrap();
    simulation.set(&excitation, 0.3).unwrap();
    let step = 1e-4;
    let names = ["fibre_length", "fibre_velocity", "tendon_force", "tension", "activation_level"];
    let history: Vec<[f64; 5]> = (0..40)
        .map(|_| {
            simulation.step(step).unwrap();
            readings(&mut simulation, names)
        })
        .collect();
    for around in history.windows(3).skip(2) {
        let [length, velocity, tendon, tension, activation] = around[1];
        let rate = (around[2][0] - around[0][0]) / (2.0 * step);
        // Central differences of lengths that steps have to second order.
        assert!((velocity - rate).abs() < 2e-3 * rate.abs().max(0.01), "{velocity} {rate}");
        // The tension of the end of a step is that of the fibre, which balances the tendon.
        assert!((tendon - tension).abs() < 1e-6 * tension, "{tendon} {tension}");
        assert!(length > 0.0 && activation > 0.3 && activation < around[0][4], "{activation}");
    }
}

#[test]
fn the_fibre_behind_a_rigid_tendon_is_the_rest_of_the_line_at_its_angle() {
    let law = Thelen2003 { tendon: TendonModel::Rigid, pennation: 0.3, ..Thelen2003::default() };
    let (model, _, _) = pair(AxialLaw::Thelen2003(law), 0.31);
    let mut simulation = Simulation::new(model, settings()).unwrap();
    advance(&mut simulation, 4);
    let names =
        ["length", "length_rate", "tension", "fibre_length", "fibre_velocity", "tendon_force"];
    let [line, rate, tension, length, velocity, tendon] = readings(&mut simulation, names);
    // Height of the fibre lo sin phi; cos of its angle is what is along the line over its length (Millard2013).
    let along = line - law.tendon_slack_length;
    let expected = along.hypot(law.optimal_fibre_length * 0.3_f64.sin());
    assert!((length - expected).abs() < 1e-14, "{length} {expected}");
    assert!((velocity - rate * along / expected).abs() < 1e-14, "{velocity} {rate}");
    assert!((tendon - tension).abs() < 1e-9 * tension, "{tendon} {tension}");
    let muscle = simulation.model().nth::<AxialSpring>(0);
    let law = simulation.model().property_of(muscle, "material").unwrap();
    simulation.set(&law, "linear").unwrap();
    advance(&mut simulation, 1);
    let fibre = simulation.model().property_of(muscle, "fibre_length").unwrap();
    assert!(simulation.get(&fibre).is_err(), "a spring has no fibre");
}
