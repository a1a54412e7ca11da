//! Springs, loads, drag, schedules and supports, against closed forms.

use sinew::Vec3;
use sinew::fem::ElementKind;
use sinew::force::VelocityTerms::{Excluded, Included};
use sinew::linalg::norm;
use sinew::material::MaterialSpec;
use sinew::model::{
    AxialSpring, BodyLoad, Dirichlet, LinearAxial, Model, Particle, PointLoad, Schedule,
};
use sinew::solve::{
    ImplicitMode, Integrator, MechSystemSolver, NewtonSettings, SolverSettings, StaticSettings,
};
use sinew::system::{LoadCase, MechSystem, Motion};

use crate::fixture::{
    ISOTROPIC, dense, distorted_mesh, flat, floating, forces, jacobian, run, with_integrator,
};

fn particle(position: Vec3, mass: f64, fixed: bool) -> Particle {
    Particle { fixed, ..Particle::new(mass, position) }
}

fn weightless() -> Model {
    let mut model = Model::new("parts");
    model.set_gravity(Vec3::zeros());
    model
}

/// A mass on a damped spring along x, pulled out by 0.1 m.
#[test]
fn a_mass_on_a_damped_spring_moves_as_in_closed_form() {
    let (m, k, c, l0) = (2.0, 50.0, 1.5, 1.0);
    let mut model = weightless();
    let wall = model.add(particle(Vec3::zeros(), 1.0, true));
    let mass = model.add(particle(Vec3::new(1.1, 0.0, 0.0), m, false));
    let material = LinearAxial { stiffness: k, damping: c, rest_length: l0 };
    model.add(AxialSpring::new([wall, mass], material));
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let settings = with_integrator(Integrator::Trapezoidal(ImplicitMode::Linearized));
    run(&compiled, &mut state, settings, (2000, 1e-3));
    let (decay, t): (f64, f64) = (c / (2.0 * m), 2.0);
    let omega = (k / m - decay * decay).sqrt();
    let expected =
        l0 + 0.1 * (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin());
    let x = state.q[compiled.block_of_particle(mass)].x;
    // Phase error of the rule: omega³ h² t / 12 = 2e-5 of the amplitude.
    assert!((x - expected).abs() < 5e-6, "{x}, {expected}");
    assert_eq!(state.q[compiled.block_of_particle(wall)], Vec3::zeros());
}

#[test]
fn spring_matrices_are_the_derivatives_of_spring_forces() {
    let mut model = weightless();
    let points = [[0.1, 0.2, -0.3], [0.5, -0.4, 0.2], [-0.6, 0.3, 0.7]];
    let ids = points.map(|p| model.add(particle(Vec3::from(p), 1.0, false)));
    let material = LinearAxial { stiffness: 80.0, damping: 0.0, rest_length: 0.5 };
    model.add(AxialSpring::new([ids[0], ids[1]], material));
    model.add(AxialSpring::new([ids[1], ids[2]], LinearAxial { rest_length: 2.0, ..material }));
    let compiled = model.compile().unwrap();
    let state = compiled.initial_state();
    let k = dense(&jacobian(&compiled, &state, 1.0, 0.0));
    assert_eq!(k, k.transpose());
    for i in 0..9 {
        let at = |by: f64| {
            let mut moved = state.clone();
            moved.q[i / 3][i % 3] += by;
            (flat(&forces(&compiled, &moved, Included)), compiled.energies(&moved).strain)
        };
        let ((minus, e_minus), (plus, e_plus)) = (at(-1e-6), at(1e-6));
        let error = ((minus - plus) / 2e-6 - k.column(i)).amax() / k.amax();
        assert!(error < 1e-8, "column {i}: {error:.1e}");
        let force = forces(&compiled, &state, Included)[i / 3][i % 3];
        let error = ((e_minus - e_plus) / 2e-6 - force).abs() / 80.0;
        assert!(error < 1e-8, "force {i}: {error:.1e}");
    }
}

#[test]
fn spring_damping_and_drag_are_linear_in_velocity_with_the_matrix_of_a_step() {
    let mut model = weightless();
    model.main_mut().point_damping = Some(0.7);
    let a = model.add(particle(Vec3::zeros(), 1.0, false));
    let b = model.add(particle(Vec3::new(0.3, -0.4, 1.2), 1.0, false));
    model.add(AxialSpring::new(
        [a, b],
        LinearAxial { stiffness: 5.0, damping: 2.0, rest_length: 1.0 },
    ));
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    state.u = vec![Vec3::new(1.0, 2.0, -1.0), Vec3::new(-0.5, 0.1, 3.0)];
    let difference =
        flat(&forces(&compiled, &state, Excluded)) - flat(&forces(&compiled, &state, Included));
    let by_matrix = dense(&jacobian(&compiled, &state, 0.0, 1.0)) * flat(&state.u);
    let error = (difference - &by_matrix).amax() / by_matrix.amax();
    assert!(error < 1e-14, "{error:.1e}");
}

#[test]
fn a_particle_on_a_stiff_spring_swings_as_a_pendulum() {
    // A rod of 1 m let go at 0.1 rad: at a quarter period T/4 = pi/2 sqrt(l/g) (1 + 0.1²/16) it hangs.
    let (stiffness, g) = (1e6, 9.81);
    let mut model = Model::new("pendulum");
    model.set_gravity(Vec3::new(0.0, 0.0, -g));
    let pivot = model.add(particle(Vec3::zeros(), 1.0, true));
    let (s, c) = 0.1f64.sin_cos();
    let bob = model.add(particle(Vec3::new(s, 0.0, -c), 1.0, false));
    let material = LinearAxial { stiffness, damping: 0.0, rest_length: 1.0 - g / stiffness };
    model.add(AxialSpring::new([pivot, bob], material));
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let quarter = std::f64::consts::FRAC_PI_2 * (1.0 / g).sqrt() * (1.0 + 0.01 / 16.0);
    let newton = ImplicitMode::Newton(NewtonSettings { max_iterations: 50, tolerance: 1e-9 });
    let steps = 400;
    let settings = with_integrator(Integrator::Trapezoidal(newton));
    run(&compiled, &mut state, settings, (steps, quarter / steps as f64));
    let q = state.q[compiled.block_of_particle(bob)];
    // Next term of the period series: 11/3072 theta^4 T/4 = 4e-7 of the period; stretch g/k = 1e-5.
    assert!(q.x.abs() < 1e-5, "bob at {q:?}");
    assert!((q.norm() - 1.0).abs() < 1e-5, "length {}", q.norm());
    let speed = state.u[compiled.block_of_particle(bob)].norm();
    let expected = (2.0 * g * (1.0 - c)).sqrt();
    assert!((speed / expected - 1.0).abs() < 1e-4, "{speed}, {expected}");
}

#[test]
fn drag_slows_a_particle_exponentially() {
    let mut model = weightless();
    model.main_mut().point_damping = Some(0.5);
    let mut moving = particle(Vec3::zeros(), 2.0, false);
    moving.velocity = Vec3::new(3.0, 0.0, -1.0);
    model.add(moving);
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let settings = with_integrator(Integrator::Trapezoidal(ImplicitMode::Linearized));
    run(&compiled, &mut state, settings, (1000, 2e-3));
    let expected = Vec3::new(3.0, 0.0, -1.0) * (-0.5f64 / 2.0 * 2.0).exp();
    // (c h / m)² / 12 a step and unit of time: 1e-8.
    assert!((state.u[0] - expected).norm() < 1e-7, "{:?}, {expected:?}", state.u[0]);
}

#[test]
fn loads_follow_mass_weights_schedule_and_load_factor() {
    let mesh = distorted_mesh(ElementKind::Tet4);
    let nodes = mesh.nodes.len();
    let mut model = floating(mesh, MaterialSpec::Linear(ISOTROPIC));
    let weights: Vec<f64> = (0..nodes).map(|i| i as f64 / 3.0).collect();
    let fem = model.nth(0);
    model.add(BodyLoad {
        weights: weights.clone(),
        schedule: Schedule::Table(vec![[0.0, 0.0], [2.0, 1.0]]),
        ..BodyLoad::new(fem, Vec3::new(0.0, 2.0, 0.0))
    });
    let force = Vec3::new(7.0, 0.0, 1.0);
    model.add(PointLoad::new((fem, 4), force));
    let compiled = model.compile().unwrap();
    let state = compiled.initial_state();
    let mut f = vec![Vec3::zeros(); nodes];
    let load = LoadCase { time: 0.5, factor: 0.5 };
    let motion = Motion::at(&state.q, &state.u);
    compiled.forces(load, motion, Included, &mut f).unwrap();
    for node in 0..nodes {
        let row = compiled.block_of_node(compiled.fems()[0], node);
        let mut expected =
            Vec3::new(0.0, 2.0, 0.0) * (compiled.masses()[row] * weights[node] / 8.0);
        if node == 4 {
            expected += force * 0.5;
        }
        assert!((f[row] - expected).norm() < 1e-14, "node {node}: {:?}, {expected:?}", f[row]);
    }
}

#[test]
fn schedules_are_linear_between_their_rows_and_constant_outside() {
    let table = Schedule::Table(vec![[1.0, 2.0], [3.0, 6.0], [4.0, 0.0]]);
    for (t, value) in [(0.0, 2.0), (1.0, 2.0), (2.0, 4.0), (3.0, 6.0), (3.5, 3.0), (9.0, 0.0)] {
        assert_eq!(table.at(t), value, "t = {t}");
    }
    assert_eq!(Schedule::Constant(3.0).at(5.0), 3.0);
    // A step: two rows at one time. From that time on the later one holds.
    let step = Schedule::Table(vec![[0.0, 0.0], [1.0, 0.0], [1.0, 5.0]]);
    assert_eq!([step.at(0.999), step.at(1.0), step.at(2.0)], [0.0, 5.0, 5.0]);
}

/// A tissue whose face of largest x is prescribed along x, and whose other end is fixed in x only, but for one
/// node that is fixed altogether and the one above it, which keeps the bar from turning about x.
fn prescribed_tissue(law: MaterialSpec) -> (Model, Vec<u32>) {
    let mesh = sinew_datasets::beam::beam_mesh(
        sinew_datasets::beam::BeamElement::Hex,
        [4, 1, 1],
        [0.4, 0.1, 0.1],
    )
    .unwrap();
    let side = |x: f64| -> Vec<u32> {
        (0..mesh.nodes.len() as u32)
            .filter(|&i| (mesh.nodes[i as usize].x - x).abs() < 1e-9)
            .collect()
    };
    let (left, right) = (side(-0.2), side(0.2));
    let mut model = floating(mesh, law);
    let supports = &mut model.fem_mut(0).dirichlet;
    supports.push(Dirichlet { axes: [true, false, false], ..Dirichlet::fix(left.clone()) });
    supports.push(Dirichlet::fix(vec![left[0]]));
    supports.push(Dirichlet { axes: [false, true, false], ..Dirichlet::fix(vec![left[1]]) });
    supports.push(Dirichlet {
        axes: [true, false, false],
        displacement: vec![Vec3::new(0.02, 9.0, 9.0)],
        keyframes: Vec::new(),
        keyframe_interpolation: Default::default(),
        schedule: Schedule::Table(vec![[0.0, 0.0], [0.1, 1.0]]),
        nodes: right.clone(),
    });
    (model, right)
}

#[test]
fn prescribed_nodes_are_exactly_where_they_should_be_under_every_integrator() {
    let newton = ImplicitMode::Newton(NewtonSettings::default());
    let integrators = [
        (Integrator::BackwardEuler(ImplicitMode::Linearized), 10),
        (Integrator::BackwardEuler(newton), 10),
        (Integrator::Trapezoidal(ImplicitMode::Linearized), 10),
        (Integrator::Trapezoidal(newton), 10),
        (Integrator::SymplecticEuler, 400),
        (Integrator::Static(StaticSettings::default()), 1),
    ];
    for (integrator, steps) in integrators {
        let (model, right) = prescribed_tissue(MaterialSpec::NeoHookean(ISOTROPIC));
        let compiled = model.compile().unwrap();
        let mut state = compiled.initial_state();
        let mut solver = MechSystemSolver::new(&compiled, with_integrator(integrator)).unwrap();
        for _ in 0..steps {
            solver.step(&compiled, &mut state, 0.1 / steps as f64).unwrap();
            for &node in &right {
                let row = compiled.block_of_node(compiled.fems()[0], node as usize);
                let rest = compiled.rest_positions()[row].x;
                let part = (Schedule::Table(vec![[0.0, 0.0], [0.1, 1.0]])).at(state.time);
                assert_eq!(state.q[row].x, rest + 0.02 * part, "{integrator:?}");
            }
        }
        let lateral: f64 = right
            .iter()
            .map(|&n| compiled.block_of_node(compiled.fems()[0], n as usize))
            .map(|row| (state.q[row] - compiled.rest_positions()[row]).yz().norm())
            .sum();
        assert!(lateral > 0.0, "{integrator:?}: free axes of the prescribed nodes do not move");
    }
}

#[test]
fn a_bar_fixed_in_some_axes_stretches_as_in_closed_form() {
    let (model, _) = prescribed_tissue(MaterialSpec::Linear(ISOTROPIC));
    let compiled = model.compile().unwrap();
    for linear_solver in
        [sinew::solve::LinearSolver::Direct, sinew::solve::LinearSolver::ConjugateGradients]
    {
        let mut state = compiled.initial_state();
        let settings = SolverSettings {
            linear_solver,
            integrator: Integrator::Static(StaticSettings::default()),
            ..SolverSettings::default()
        };
        run(&compiled, &mut state, settings, (1, 0.1));
        // Strain 0.05 along x and -nu 0.05 across: energy E/2 strain² V, 2.5e4 * 0.0025 * 0.004.
        let energy = compiled.energies(&state).strain;
        assert!((energy / 0.25 - 1.0).abs() < 1e-9, "{linear_solver:?}: {energy}");
        let width = |axis: usize| {
            let along = state.q.iter().map(|q| q[axis]);
            along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
        };
        for axis in [1, 2] {
            let expected = 0.1 * (1.0 - 0.3 * 0.05);
            assert!(
                (width(axis) / expected - 1.0).abs() < 1e-9,
                "{linear_solver:?}: {}",
                width(axis)
            );
        }
        assert_eq!(norm(&state.u), 0.0);
    }
}
