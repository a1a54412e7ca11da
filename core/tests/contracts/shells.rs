//! Membranes and shells: forces are the derivative of the energy and the matrix that of the forces, for every law; rigid
//! motions and flat stretches do what they must; what is wrong is told.

use sinew::fem::VolumeMesh;
use sinew::force::VelocityTerms::{Excluded, Included};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{Bending, FemModel, Model, RestState, Shell};
use sinew::system::{CompiledModel, MechSystem, State};
use sinew::{Mat3, Vec3};

use crate::derivatives::{differences, moved};
use crate::fixture::{
    Numbers, all_laws, dense, forces, is_exponential, jacobian, largest, random_state,
};

/// Edge of a cell [m].
const EDGE: f64 = 0.05;

/// Triangles of a sheet of 3 x 3 nodes, by rows.
fn triangles() -> Vec<[u32; 3]> {
    let cell = |(i, j): (u32, u32)| {
        let [a, b, c, d] = [3 * j + i, 3 * j + i + 1, 3 * j + i + 4, 3 * j + i + 3];
        if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
    };
    [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().flat_map(cell).collect()
}

/// Nodes of the sheet, moved in its plane and raised to a height.
fn nodes(height: impl Fn(f64, f64) -> f64) -> Vec<Vec3> {
    let mut numbers = Numbers(3);
    let node = |k: usize| {
        let (x, y) = ((k % 3) as f64, (k / 3) as f64);
        let shift = numbers.vector(0.15);
        let (x, y) = ((x + shift.x) * EDGE, (y + shift.y) * EDGE);
        Vec3::new(x, y, height(x, y))
    };
    (0..9).map(node).collect()
}

fn sheet(nodes: Vec<Vec3>, law: MaterialSpec, bending: Bending) -> Model {
    let mut model = Model::new("sheet");
    model.set_gravity(Vec3::zeros());
    let mut fem = FemModel::new("nodes", VolumeMesh::new(nodes), 1000.0, law);
    fem.stiffness_damping = 0.01;
    fem.mesh.node_sets.insert("left".into(), vec![0, 3, 6]);
    let fem = model.add(fem);
    let shell = Shell {
        thickness: "0.01 * (1 + 2 * x)".into(),
        bending,
        fibres: vec![Vec3::new(0.6, 0.8, 0.3)],
        clamped: "left".into(),
        ..Shell::of_triangles(fem, triangles(), law)
    };
    model.add(shell);
    model
}

/// Laws of sheets, with that of no change of volume.
fn laws() -> Vec<MaterialSpec> {
    let mut laws = all_laws();
    // Its shears across are coupled to stretches: it is refused.
    laws.retain(|law| law.name() != "anisotropic_linear");
    let rigid = Isotropic { youngs_modulus: 3e4, poissons_ratio: 0.5 };
    laws.extend([MaterialSpec::NeoHookean(rigid), MaterialSpec::Corotated(rigid)]);
    laws
}

fn bent(x: f64, y: f64) -> f64 {
    2.0 * x * x - 3.0 * x * y
}

/// Runs `check` on a bent sheet of every law, membrane and shell.
fn for_all(check: impl Fn(&MaterialSpec, &CompiledModel, &str)) {
    for bending in [Bending::Free, Bending::Stiff] {
        for law in laws() {
            let name = format!("{} {bending:?}", law.name());
            let model = sheet(nodes(bent), law, bending).compile();
            check(&law, &model.unwrap_or_else(|error| panic!("{name}: {error}")), &name);
        }
    }
}

/// A shape without stress that neither a motion nor a change of size is.
fn strained() -> RestState {
    let prestrain = Mat3::new(1.0, 0.03, 0.0, 0.01, 0.98, 0.0, 0.0, 0.0, 1.05);
    let growth_along = [1.03, 0.98, 1.1];
    RestState { growth: 1.05, growth_along, prestretch: 1.02, prestrain, ramp: 0.8 }
}

#[test]
fn forces_and_stiffness_of_grown_sheets_are_the_derivatives_of_their_energy() {
    for (bending, law) in [Bending::Free, Bending::Stiff]
        .into_iter()
        .flat_map(|bending| laws().into_iter().map(move |law| (bending, law)))
    {
        let name = format!("{} {bending:?}", law.name());
        let mut model = sheet(nodes(bent), law, bending);
        let shell = model.nth::<Shell>(0);
        model[shell].rest = strained();
        let model = model.compile().unwrap();
        let state = random_state(&model, 2);
        let force = forces(&model, &state, Excluded);
        let energy = |i, by| model.energies(&moved(&state, i, by)).strain;
        let size = largest(&force);
        let tolerance = if is_exponential(&law) { 1e-5 } else { 1e-6 };
        for i in (0..3 * state.q.len()).step_by(5) {
            let difference = (energy(i, -1e-6) - energy(i, 1e-6)) / 2e-6;
            let error = (difference - force[i / 3][i % 3]).abs() / size;
            assert!(error < tolerance, "{name}: scalar {i}, {error:.1e}");
        }
        let exact = dense(&jacobian(&model, &state, 1.0, 0.0));
        let error = (differences(&model, &state, Excluded) - &exact).amax() / exact.amax();
        assert!(error < tolerance, "{name}: {error:.1e}");
    }
}

#[test]
fn a_bent_sheet_that_grows_alike_is_in_balance_as_its_image() {
    let scale: f64 = 1.25;
    for (bending, law) in [Bending::Free, Bending::Stiff]
        .into_iter()
        .flat_map(|bending| laws().into_iter().map(move |law| (bending, law)))
    {
        let name = format!("{} {bending:?}", law.name());
        let mut model = sheet(nodes(bent), law, bending);
        let shell = model.nth::<Shell>(0);
        model[shell].clamped = String::new();
        model[shell].rest.growth = scale.powi(3);
        let model = model.compile().unwrap();
        let mut state = model.initial_state();
        let at_rest = largest(&forces(&model, &state, Excluded));
        state.q.iter_mut().for_each(|q| *q *= scale);
        let left = largest(&forces(&model, &state, Excluded));
        assert!(left < 1e-9 * at_rest, "{name}: {left:e} of {at_rest:e} N");
        assert!(model.energies(&state).strain.abs() < 1e-12 * at_rest, "{name}");
    }
}

#[test]
fn a_flat_sheet_that_grows_between_its_edges_is_pressed_by_the_stress_of_the_plane() {
    let isotropic = Isotropic { youngs_modulus: 2e5, poissons_ratio: 0.3 };
    let (along, thickness) = (1.02, 0.002);
    for bending in [Bending::Free, Bending::Stiff] {
        let mut model = sheet(nodes(|_, _| 0.0), MaterialSpec::Corotated(isotropic), bending);
        let shell = model.nth::<Shell>(0);
        model[shell].thickness = thickness.to_string();
        model[shell].rest.growth_along = [along, along, 1.5];
        let model = model.compile().unwrap();
        let state = model.initial_state();
        let area: f64 = model.masses().iter().sum::<f64>() / (1000.0 * thickness);
        // Energy E / (1 - nu) e² of the grown area and thickness, e the strain of Green and Lagrange.
        let strain = 0.5 * (1.0 / (along * along) - 1.0);
        let volume = area * thickness * along * along * 1.5;
        let energy = 2e5 / 0.7 * strain * strain * volume;
        let found = model.energies(&state).strain;
        assert!((found / energy - 1.0).abs() < 1e-10, "{bending:?}: {found} for {energy} J");
        // Virial: the sum of -f x is that of S F^T over the volume, with E / (1 - nu) e on each axis and F = I / along.
        let force = forces(&model, &state, Excluded);
        let virial: f64 = force.iter().zip(&state.q).map(|(f, q)| -f.dot(q)).sum();
        let expected = 2.0 * 2e5 / 0.7 * strain * volume / (along * along);
        assert!((virial / expected - 1.0).abs() < 1e-10, "{bending:?}: {virial} for {expected} J");
    }
}

#[test]
fn forces_of_sheets_are_minus_the_derivative_of_their_energy() {
    const H: f64 = 1e-6;
    for_all(|law, model, name| {
        let state = random_state(model, 1);
        let force = forces(model, &state, Excluded);
        let energy = |i, by| model.energies(&moved(&state, i, by)).strain;
        let size = largest(&force);
        for i in 0..3 * state.q.len() {
            let difference = (energy(i, -H) - energy(i, H)) / (2.0 * H);
            let error = (difference - force[i / 3][i % 3]).abs() / size;
            assert!(
                error < if is_exponential(law) { 1e-5 } else { 1e-6 },
                "{name}: scalar {i}, {error:.1e}"
            );
        }
    });
}

#[test]
fn stiffness_of_sheets_is_minus_the_derivative_of_their_forces() {
    for_all(|law, model, name| {
        let state = random_state(model, 2);
        let exact = dense(&jacobian(model, &state, 1.0, 0.0));
        let error = (differences(model, &state, Excluded) - &exact).amax() / exact.amax();
        assert!(error < if is_exponential(law) { 1e-5 } else { 1e-6 }, "{name}: {error:.1e}");
        assert!((&exact - exact.transpose()).amax() < 1e-12 * exact.amax(), "{name}");
        // Damping is that of the stiffness without what stresses turn.
        let fast = forces(model, &state, Included);
        let rest = State { q: model.rest_positions().to_vec(), ..state };
        let damped = dense(&jacobian(model, &rest, 0.0, 1.0));
        let stiff = dense(&jacobian(model, &rest, 1.0, 0.0));
        assert!((damped - stiff * 0.01).amax() < 1e-12 * exact.amax(), "{name}");
        assert!(fast.iter().all(|f| f.iter().all(|x| x.is_finite())), "{name}");
    });
}

#[test]
fn a_sheet_that_turns_as_a_whole_feels_nothing() {
    let turn = nalgebra::Rotation3::new(Vec3::new(1.0, -2.0, 0.5));
    for_all(|_, model, name| {
        let mut state = model.initial_state();
        let size = largest(&forces(model, &random_state(model, 1), Excluded));
        state.q.iter_mut().for_each(|q| *q = turn * *q + Vec3::new(3.0, 1.0, -2.0));
        let left = largest(&forces(model, &state, Excluded));
        // A clamped edge keeps its direction in space: there the nodes around feel it.
        let clamped = name.ends_with("Stiff");
        assert!(clamped || left < 1e-9 * size, "{name}: {left:e} of {size:e}");
    });
}

#[test]
fn a_flat_stretch_leaves_inner_nodes_in_balance_and_has_the_stress_of_the_plane() {
    let isotropic = Isotropic { youngs_modulus: 2e5, poissons_ratio: 0.3 };
    for bending in [Bending::Free, Bending::Stiff] {
        let mut model = sheet(nodes(|_, _| 0.0), MaterialSpec::NeoHookean(isotropic), bending);
        let shell = model.nth::<Shell>(0);
        model[shell].thickness = "0.002".into();
        let compiled = model.compile().unwrap();
        let mut state = compiled.initial_state();
        state.q.iter_mut().for_each(|q| *q = Vec3::new(1.001 * q.x + 0.0004 * q.y, q.y, q.z));
        let force = forces(&compiled, &state, Excluded);
        let size = largest(&force);
        let inner = force[compiled.block_of_node(compiled.fems()[0], 4)];
        assert!(inner.norm() < 1e-9 * size, "{bending:?}: {} of {size}", inner.norm());
        // Virial: the sum of -f x over the volume is the stress, with E / (1 - nu²) of the plane.
        let virial: f64 = force.iter().zip(&state.q).map(|(f, q)| -f.x * q.x).sum();
        let volume: f64 = compiled.masses().iter().sum::<f64>() / 1000.0;
        let expected = 2e5 / (1.0 - 0.09) * 0.001;
        assert!((virial / volume / expected - 1.0).abs() < 5e-3, "{}", virial / volume);
    }
}

#[test]
fn the_pressure_of_a_sheet_pushes_along_its_normal_with_its_area() {
    let isotropic = Isotropic { youngs_modulus: 2e5, poissons_ratio: 0.3 };
    let mut model = sheet(nodes(|_, _| 0.0), MaterialSpec::NeoHookean(isotropic), Bending::Free);
    let shell = model.nth::<Shell>(0);
    model[shell].pressure = 300.0;
    let compiled = model.compile().unwrap();
    let state = compiled.initial_state();
    let push: Vec3 = forces(&compiled, &state, Excluded).iter().sum();
    let q = compiled.rest_positions();
    let area: f64 = triangles()
        .iter()
        .map(|t| {
            let at = |k: usize| q[compiled.block_of_node(compiled.fems()[0], t[k] as usize)];
            0.5 * (at(1) - at(0)).cross(&(at(2) - at(0))).z
        })
        .sum();
    assert!((push - Vec3::z() * (300.0 * area)).norm() < 1e-9 * push.norm(), "{push}");
}

#[test]
fn what_is_wrong_with_a_shell_is_told() {
    let law = MaterialSpec::from_name("neohook").unwrap();
    let error = |change: fn(&mut Shell)| {
        let mut model = sheet(nodes(|_, _| 0.0), law, Bending::Stiff);
        let shell = model.nth::<Shell>(0);
        change(&mut model[shell]);
        model.compile().err().unwrap().to_string()
    };
    assert!(error(|it| it.surface = "skin".into()).contains("no such face set"));
    assert!(error(|it| it.clamped = "edge".into()).contains("no such node set; it has: left"));
    assert!(error(|it| it.triangles = vec![[0, 1, 9]]).contains("triangles"));
    assert!(error(|it| it.triangles = vec![[0, 1, 1]]).contains("three different ones"));
    assert!(error(|it| it.triangles.clear()).contains("at least"));
    assert!(error(|it| it.thickness = "0.01 - x".into()).contains("thickness"));
    assert!(error(|it| it.thickness = "skin".into()).contains("'skin'"));
    assert!(error(|it| it.rest.growth = 0.0).contains("rest.growth"));
    assert!(error(|it| it.rest.prestrain[(0, 2)] = 0.1).contains("a sheet has none"));
    let muscle = error(|it| it.material = MaterialSpec::from_name("simple_muscle").unwrap());
    assert!(muscle.contains("muscle_bundles"), "{muscle}");
    let coupled = error(|it| {
        let laws = MaterialSpec::examples();
        it.material = *laws.iter().find(|law| law.name() == "anisotropic_linear").unwrap();
    });
    assert!(coupled.contains("shears across"), "{coupled}");
    let mut flat = sheet(nodes(|_, _| 0.0), law, Bending::Stiff);
    flat.fem_mut(0).mesh.nodes.iter_mut().for_each(|x| x.y = 0.0);
    assert!(flat.compile().err().unwrap().to_string().contains("has no area"), "flat triangles");
}
