//! Muscle in tissue: forces and their derivatives, published values of contraction, excitation and
//! activation, what is refused.

use nalgebra::{DMatrix, DVector};
use sinew::axial::{ActivationDynamics, ActivationModel};
use sinew::component::Handle;
use sinew::fem::{ElementKind, Field, VolumeMesh};
use sinew::force::Fault;
use sinew::force::VelocityTerms::{Excluded, Included};
use sinew::material::{
    ActiveStrainMuscleConstants, BlemkerMuscleConstants, MaterialSpec, MooneyRivlinConstants,
    SimpleMuscleConstants,
};
use sinew::model::{Dirichlet, FemModel, Model, MuscleBundle, MuscleExciter};
use sinew::property::Value;
use sinew::simulated::Simulated;
use sinew::solve::{Integrator, MechSystemSolver, StaticSettings};
use sinew::system::{CompiledModel, MechSystem, Refresh, State, StepError};
use sinew::{Mat3, Vec3};
use sinew_datasets::beam::{BeamElement, beam_mesh};

use crate::fixture::{
    Numbers, dense, distorted_mesh, flat, floating, forces, jacobian, laws, random_state, run,
    with_integrator,
};

fn tissue_of(model: &Model) -> Handle<FemModel> {
    model.find_handle("/models/floating/fem_models/tissue").unwrap()
}

fn muscle_laws() -> impl Iterator<Item = MaterialSpec> {
    MaterialSpec::examples().into_iter().filter(|law| law.kind().muscle)
}

/// A soft tissue of two cells with two bundles of a law that share elements, partly active.
fn contracting(kind: ElementKind, law: MaterialSpec) -> Model {
    let mut model = floating(distorted_mesh(kind), laws()[4]);
    let tissue = tissue_of(&model);
    let count = model.fem(0).mesh.element_count();
    let directions = Numbers(5).vectors(count, 1.0);
    let elements = (0..count as u32).rev().collect();
    let all = MuscleBundle { excitation: 0.6, ..MuscleBundle::new(tissue, law) };
    model.add(all.clone().in_elements(elements, directions));
    model.add(all.in_elements(vec![0], vec![Vec3::new(1.0, 2.0, -0.5)]));
    model
}

#[test]
fn stiffness_of_muscles_is_minus_the_derivative_of_their_forces() {
    // Error of the differences, relative: h² over the square of the element size, and eps L / h.
    const H: f64 = 1e-7;
    for kind in [ElementKind::Tet4, ElementKind::Hex8, ElementKind::Wedge15] {
        for law in muscle_laws() {
            let model = contracting(kind, law).compile().unwrap();
            let state = random_state(&model, 2);
            let moved = |i: usize, by: f64| {
                let mut state: State = state.clone();
                state.q[i / 3][i % 3] += by;
                flat(&forces(&model, &state, Excluded))
            };
            let columns: Vec<DVector<f64>> =
                (0..3 * state.q.len()).map(|i| (moved(i, -H) - moved(i, H)) / (2.0 * H)).collect();
            let exact = dense(&jacobian(&model, &state, 1.0, 0.0));
            let error = (DMatrix::from_columns(&columns) - &exact).amax() / exact.amax();
            assert!(error < 1e-6, "{} {}: {error:.1e}", kind.name(), law.name());
        }
    }
}

#[test]
fn muscles_have_neither_resultant_nor_moment_and_pull_only_when_excited() {
    for law in muscle_laws() {
        let mut model = contracting(ElementKind::Hex8, law);
        let compiled = model.compile().unwrap();
        let state = random_state(&compiled, 3);
        let force = forces(&compiled, &state, Excluded);
        let size: f64 = force.iter().map(|f| f.norm()).sum();
        let resultant = force.iter().sum::<Vec3>().norm();
        assert!(resultant < 1e-12 * size, "{}: {resultant:.1e}", law.name());
        let moment: Vec3 = state.q.iter().zip(&force).map(|(x, f)| x.cross(f)).sum();
        assert!(moment.norm() < 1e-12 * size, "{}: {moment}", law.name());

        let rest = compiled.initial_state();
        let active = forces(&compiled, &rest, Excluded);
        assert!(active.iter().any(|f| f.norm() > 1.0), "{}: no force at rest", law.name());
        for bundle in ["0", "1"] {
            let path = format!("/models/floating/muscle_bundles/{bundle}:excitation");
            let property = model.property(&path).unwrap();
            model.set_property(&property, Value::Real(0.0)).unwrap();
        }
        let compiled = model.compile().unwrap();
        let rest = compiled.initial_state();
        let passive = forces(&compiled, &rest, Excluded);
        assert!(passive.iter().all(|f| f.norm() < 1e-9), "{}: {passive:?}", law.name());
    }
}

/// Half active, with nine times its stiffness to add, a bundle without fibres of its own makes the tissue one of 5.5 times
/// the constants of its shape; its volume and what damps it by mass stay.
#[test]
fn stiffening_multiplies_what_resists_changes_of_shape() {
    let no_force = MaterialSpec::SimpleMuscle(SimpleMuscleConstants { max_stress: 0.0 });
    for kind in [ElementKind::Tet4, ElementKind::Hex8, ElementKind::Hex20] {
        let tissue = |factor: f64| MooneyRivlinConstants {
            c10: factor * 6e3,
            c01: factor * 3e3,
            c20: factor * 2e3,
            bulk_modulus: 4e4,
            ..MooneyRivlinConstants::default()
        };
        let of = |factor: f64, excitation: f64| {
            let law = MaterialSpec::MooneyRivlin(tissue(factor));
            let mut model = floating(distorted_mesh(kind), law);
            model.fem_mut(0).stiffness_damping = 0.02;
            let bundle = MuscleBundle::new(tissue_of(&model), no_force);
            model.add(MuscleBundle { excitation, stiffening: 9.0, ..bundle });
            model.compile().unwrap()
        };
        let (stiffened, stiff) = (of(1.0, 0.5), of(5.5, 0.0));
        let state = random_state(&stiff, 6);
        for velocity in [Excluded, Included] {
            let (a, b) = (forces(&stiffened, &state, velocity), forces(&stiff, &state, velocity));
            let size = b.iter().map(|f| f.norm()).fold(0.0, f64::max);
            let error = a.iter().zip(&b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            // Damping takes the pressure of the volume along in both, which hardly differs.
            assert!(error < 1e-10 * size, "{} {velocity:?}: {:.1e}", kind.name(), error / size);
        }
        for (position, velocity) in [(1.0, 0.0), (0.0, 1.0)] {
            let [a, b] = [&stiffened, &stiff]
                .map(|model| dense(&jacobian(model, &state, position, velocity)));
            let error = (&a - &b).amax() / b.amax();
            assert!(error < 1e-10, "{}: {error:.1e}", kind.name());
        }
    }
}

#[test]
fn tissue_whose_forces_turn_with_whole_elements_does_not_stiffen() {
    let corotated = MaterialSpec::from_name("corot").unwrap();
    let mut model = floating(distorted_mesh(ElementKind::Hex8), corotated);
    let bundle = MuscleBundle::new(tissue_of(&model), muscle_laws().next().unwrap());
    let bundle = model.add(MuscleBundle { stiffening: 1.0, ..bundle });
    let error = model.compile().err().unwrap().to_string();
    assert!(error.contains("stiffening") && error.contains("corot"), "{error}");
    model[bundle].stiffening = 0.0;
    assert!(model.compile().is_ok());
}

/// Supports of a unit cube: its low sides stay in their planes, and that opposite to the first is stretched along x.
fn stretching(mesh: &VolumeMesh, stretch: f64) -> Vec<Dirichlet> {
    let nodes = |axis: usize, at: f64| -> Vec<u32> {
        let on = |x: &Vec3| (x[axis] - at).abs() < 1e-9;
        (0..).zip(&mesh.nodes).filter(|(_, x)| on(x)).map(|(k, _)| k).collect()
    };
    let low = |axis: usize| mesh.nodes.iter().map(|x| x[axis]).fold(f64::INFINITY, f64::min);
    let stay = |axis: usize| {
        let axes = [0, 1, 2].map(|k| k == axis);
        Dirichlet { axes, ..Dirichlet::fix(nodes(axis, low(axis))) }
    };
    let mut supports: Vec<Dirichlet> = (0..3).map(stay).collect();
    supports.push(Dirichlet {
        axes: [true, false, false],
        displacement: vec![Vec3::x() * (stretch - 1.0)],
        ..Dirichlet::fix(nodes(0, low(0) + 1.0))
    });
    supports
}

/// A unit cube of Mooney-Rivlin tissue with Blemker's fibres along x, stretched along x with free sides:
/// its state, activation held.
fn stretched_cube(element: BeamElement, stretch: f64, activation: f64) -> (CompiledModel, State) {
    let mesh = beam_mesh(element, [1; 3], [1.0; 3]).unwrap();
    let matrix = MooneyRivlinConstants {
        c10: 1.2e4,
        c01: 3e3,
        bulk_modulus: 2e6,
        ..MooneyRivlinConstants::default()
    };
    let mut model = Model::new("cube");
    model.set_gravity(Vec3::zeros());
    let mut fem = FemModel::new("tissue", mesh, 1000.0, MaterialSpec::MooneyRivlin(matrix));
    fem.dirichlet = stretching(&fem.mesh, stretch);
    let tissue = model.add(fem);
    let law = BlemkerMuscleConstants { optimal_stretch: 1.1, ..Default::default() };
    let bundle = MuscleBundle::new(tissue, MaterialSpec::BlemkerMuscle(law));
    let bundle = MuscleBundle { excitation: activation, ..bundle };
    model.add(bundle.in_elements(Vec::new(), vec![Vec3::x()]));
    settled(&model)
}

/// A model in equilibrium.
fn settled(model: &Model) -> (CompiledModel, State) {
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let settings = StaticSettings { increments: 10, ..StaticSettings::default() };
    run(&compiled, &mut state, with_integrator(Integrator::Static(settings)), (1, 0.01));
    (compiled, state)
}

#[test]
fn a_contracting_cube_pulls_and_bulges_as_two_independent_codes_say() {
    // Activation, stretch, lateral stretch and force over the area at rest [Pa]: FEL-HOM-BLEMKER of the
    // validation data (own formulas; a finite-element code agrees to rounding).
    let rows = [
        (0.5, 0.95, 1.03544819791, 119300.532593),
        (0.5, 1.1, 0.965532387199, 142512.010057),
        (0.5, 1.3, 0.892194953035, 166280.748395),
        (0.0, 1.1, 0.954161786338, 8014.57414437),
    ];
    for element in [BeamElement::Hex, BeamElement::Tet] {
        for (activation, stretch, lateral, force) in rows {
            let (compiled, state) = stretched_cube(element, stretch, activation);
            let name = format!("{element:?} at {activation}, {stretch}");
            let wide = state.q.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max)
                - state.q.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
            assert!((wide - lateral).abs() < 1e-6, "{name}: {wide}, not {lateral}");
            let middle = state.q.iter().map(|x| x.x).sum::<f64>() / state.q.len() as f64;
            let force_on = forces(&compiled, &state, Excluded);
            let ends = state.q.iter().zip(&force_on).filter(|(x, _)| x.x > middle);
            let pull: f64 = -ends.map(|(_, f)| f.x).sum::<f64>();
            assert!((pull / force - 1.0).abs() < 1e-6, "{name}: {pull}, not {force}");
        }
    }
}

/// Fixed at its rest shape, a block of passive tissue has the stress of its fibres alone, σ = smax a along them: the force of the
/// supports of an end over its area.
#[test]
fn a_block_fixed_at_its_length_has_the_stress_of_its_supports() {
    let (size, most, activation) = ([0.04, 0.02, 0.03], 3e4, 0.4);
    for element in [BeamElement::Hex, BeamElement::Tet] {
        let mut model = Model::new("block");
        model.set_gravity(Vec3::zeros());
        let mesh = beam_mesh(element, [2, 1, 1], size).unwrap();
        let (nodes, count) = (mesh.nodes.len() as u32, mesh.element_count());
        let law = MaterialSpec::from_name("neohook").unwrap();
        let mut fem = FemModel::new("tissue", mesh, 1000.0, law);
        fem.dirichlet.push(Dirichlet::fix((0..nodes).collect()));
        let tissue = model.add(fem);
        let law = MaterialSpec::SimpleMuscle(SimpleMuscleConstants { max_stress: most });
        let bundle = MuscleBundle { excitation: activation, ..MuscleBundle::new(tissue, law) };
        model.add(bundle.in_elements(Vec::new(), vec![Vec3::x()]));
        let (compiled, state) = settled(&model);
        let end = state.q.iter().map(|x| x.x).fold(f64::NEG_INFINITY, f64::max);
        let pulled = forces(&compiled, &state, Excluded);
        let at_end = state.q.iter().zip(&pulled).filter(|(x, _)| (x.x - end).abs() < 1e-9);
        let stress = -at_end.map(|(_, f)| f.x).sum::<f64>() / (size[1] * size[2]);
        assert!((stress / (most * activation) - 1.0).abs() < 1e-12, "{stress}");
        let fields = compiled.at(&state).element_fields(tissue);
        for e in 0..count {
            let its = compiled.at(&state).element_state(tissue, e).unwrap();
            let error = (its.stress - stress * Vec3::x() * Vec3::x().transpose()).amax();
            assert!(error < 1e-12 * stress, "{element:?}, element {e}: {}", its.stress);
            for von_mises in [its.von_mises, fields.von_mises[e]] {
                assert!((von_mises / stress - 1.0).abs() < 1e-12, "{element:?}: {von_mises}");
            }
        }
    }
}

/// In a deformation that is the same everywhere the stresses of the elements times their volumes add up to the moments of their
/// forces, -Σ f ⊗ x, and their energies to that of the model.
#[test]
fn stresses_and_energies_of_elements_are_those_of_the_forces_of_all_muscles() {
    let f = Mat3::new(1.2, 0.1, 0.05, -0.08, 0.9, 0.12, 0.03, -0.06, 1.1);
    for kind in [ElementKind::Tet4, ElementKind::Hex8, ElementKind::Wedge15] {
        for law in muscle_laws() {
            let mut model = contracting(kind, law);
            let tissue = tissue_of(&model);
            let second = model.nth::<MuscleBundle>(1);
            model[second].stiffening = 3.0;
            let compiled = model.compile().unwrap();
            let mut state = compiled.initial_state();
            state.q.iter_mut().for_each(|x| *x = f * *x);
            let pulled = forces(&compiled, &state, Excluded);
            let moments: Mat3 = state.q.iter().zip(&pulled).map(|(x, f)| -f * x.transpose()).sum();
            let (mut sum, mut energy) = (Mat3::zeros(), 0.0);
            compiled.at(&state).for_each_element(tissue, &mut |_, its| {
                sum += its.stress * its.volume;
                energy += its.strain_energy_density * its.rest_volume;
            });
            let error = (sum - moments).amax() / moments.amax();
            assert!(error < 1e-10, "{} {}: {error:.1e}", kind.name(), law.name());
            let strain = compiled.energies(&state).strain;
            let error = (energy / strain - 1.0).abs();
            assert!(error < 1e-10, "{} {}: {energy}, not {strain}", kind.name(), law.name());
        }
    }
}

#[test]
fn an_inverted_element_names_the_muscle_that_pulls_most() {
    let neo_hookean = MaterialSpec::from_name("neohook").unwrap();
    let mut model = floating(distorted_mesh(ElementKind::Hex8), neo_hookean);
    let tissue = tissue_of(&model);
    for (name, max_stress, excitation) in
        [("weak", 1e4, 1.0), ("strong", 1e6, 0.8), ("idle", 1e9, 0.0)]
    {
        let law = MaterialSpec::SimpleMuscle(SimpleMuscleConstants { max_stress });
        let bundle = MuscleBundle::new(tissue, law).in_elements(Vec::new(), vec![Vec3::y()]);
        model.add(MuscleBundle { name: name.into(), excitation, ..bundle });
    }
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let settings = with_integrator(Integrator::SymplecticEuler);
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let error = solver.step(&compiled, &mut state, 0.01).expect_err("both ends pass each other");
    match &error {
        StepError::Inverted { muscle, .. } => assert_eq!(muscle.as_deref(), Some("strong")),
        other => panic!("{other}"),
    }
    assert!(error.to_string().contains("'strong' has the largest active stress"), "{error}");
    let fault = Fault::Inverted { fem: "t".into(), element: 0, volume_ratio: -1.0, place: 0 };
    let alone = StepError::of_fault(fault, 0.0).to_string();
    assert!(alone.contains(" corot, ") && alone.contains("neohook_stable"), "{alone}");
}

/// With G of the tissue, G' of what shortens to l = 1 - shortening a, and the volume kept, a free bar has the stretch
/// s³ = (G + G' l) / (G + G' / l²), where the stress along it is that across.
#[test]
fn what_shortens_by_active_strain_has_the_length_of_its_balance_with_the_tissue() {
    let [modulus, shortening] = [2e4, 0.4];
    for (matrix, activation) in [(1.0, 1.0), (1.0, 0.5), (6e3, 1.0), (5e4, 0.8)] {
        let mesh = beam_mesh(BeamElement::Hex, [1; 3], [1.0; 3]).unwrap();
        let tissue =
            MooneyRivlinConstants { c10: 0.5 * matrix, bulk_modulus: 1e9, ..Default::default() };
        let mut model = Model::new("cube");
        model.set_gravity(Vec3::zeros());
        let mut fem = FemModel::new("tissue", mesh, 1000.0, MaterialSpec::MooneyRivlin(tissue));
        fem.dirichlet = stretching(&fem.mesh, 1.0);
        fem.dirichlet.truncate(3);
        let tissue = model.add(fem);
        let law =
            ActiveStrainMuscleConstants { shear_modulus: modulus, k1: 0.0, k2: 1.0, shortening };
        let bundle = MuscleBundle::new(tissue, MaterialSpec::ActiveStrainMuscle(law));
        let bundle = MuscleBundle { excitation: activation, ..bundle };
        model.add(bundle.in_elements(Vec::new(), vec![Vec3::x()]));
        let (_, state) = settled(&model);
        let free = 1.0 - shortening * activation;
        let stretch = ((matrix + modulus * free) / (matrix + modulus / (free * free))).cbrt();
        let long = state.q.iter().map(|x| x.x).fold(f64::NEG_INFINITY, f64::max)
            - state.q.iter().map(|x| x.x).fold(f64::INFINITY, f64::min);
        // The bulk modulus leaves some 1e-5 of a change of volume.
        assert!((long - stretch).abs() < 1e-4, "{matrix} at {activation}: {long}, not {stretch}");
    }
}

/// A free cube with one bundle, and an exciter that drives it.
fn driven(dynamics: ActivationDynamics) -> (Model, Handle<MuscleBundle>) {
    let mut model = floating(distorted_mesh(ElementKind::Hex8), laws()[3]);
    let tissue = tissue_of(&model);
    let law = MaterialSpec::SimpleMuscle(SimpleMuscleConstants { max_stress: 1e3 });
    let bundle = MuscleBundle { activation: dynamics, ..MuscleBundle::new(tissue, law) };
    let bundle = model.add(bundle);
    let mut exciter = MuscleExciter::new("all", [bundle]);
    exciter.excitation = 0.8;
    exciter.targets[0].gain = 0.5;
    model.add(exciter);
    (model, bundle)
}

#[test]
fn activation_follows_exciters_by_the_dynamics_of_the_bundle() {
    let first_order = ActivationDynamics {
        model: ActivationModel::FirstOrder,
        activation_time: 0.02,
        least: 0.0,
        ..ActivationDynamics::default()
    };
    for (dynamics, expected) in [
        (ActivationDynamics::default(), 0.4),
        // A model begins with the activation that lasts.
        (first_order, 0.4),
    ] {
        let (mut model, bundle) = driven(dynamics);
        let compiled = model.compile().unwrap();
        let mut state = compiled.initial_state();
        assert_eq!(compiled.contraction_of(bundle, &state).unwrap()[0], expected);
        // Excitation falls to its own 0.1.
        let exciter = model.property("/models/floating/exciters/all:excitation").unwrap();
        model.set_property(&exciter, Value::Real(0.0)).unwrap();
        let own = model.property("/models/floating/muscle_bundles/0:excitation").unwrap();
        model.set_property(&own, Value::Real(0.1)).unwrap();
        let mut compiled = compiled;
        assert_eq!(model.refresh(&mut compiled, &mut state).unwrap(), Refresh::Parameters);
        run(&compiled, &mut state, with_integrator(Integrator::default()), (5, 0.002));
        let late = compiled.contraction_of(bundle, &state).unwrap()[0];
        let decay = match dynamics.model {
            ActivationModel::Instant => 0.0,
            _ => (-0.01f64 / dynamics.deactivation_time).exp(),
        };
        let wanted = 0.1 + (expected - 0.1) * decay;
        assert!((late - wanted).abs() < 1e-12, "{late}, not {wanted}");
    }
}

#[test]
fn what_is_set_while_running_acts_as_what_is_compiled_anew() {
    let (mut model, bundle) = driven(ActivationDynamics::default());
    let mut compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let path = "/models/floating/muscle_bundles/0:material.max_stress";
    let stress = model.property(path).unwrap();
    for value in [5e3, 2e3] {
        model.set_property(&stress, Value::Real(value)).unwrap();
        assert_eq!(model.refresh(&mut compiled, &mut state).unwrap(), Refresh::Parameters);
        let anew = model.compile().unwrap();
        let (a, b) = (forces(&compiled, &state, Excluded), forces(&anew, &state, Excluded));
        assert_eq!(a, b, "{value}");
        let [activation, stretch, pull] = compiled.contraction_of(bundle, &state).unwrap();
        assert!(activation == 0.4 && (stretch - 1.0).abs() < 1e-14, "{activation}, {stretch}");
        assert!((pull / (0.4 * value) - 1.0).abs() < 1e-12, "{pull}");
    }
    let view = Simulated { model: &model, compiled: &compiled, state: &state };
    let property = model.property("/models/floating/muscle_bundles/0:fibre_stress").unwrap();
    let Ok(Value::Real(shown)) = view.get_property(&property) else { panic!("no stress") };
    assert!((shown / 800.0 - 1.0).abs() < 1e-12, "{shown}");
}

#[test]
fn laws_out_of_place_and_elements_that_are_not_there_are_refused() {
    let mut model = floating(distorted_mesh(ElementKind::Hex8), laws()[3]);
    let tissue = tissue_of(&model);
    model.add(MuscleBundle::new(tissue, laws()[3]));
    let error = model.compile().err().unwrap().to_string();
    assert!(error.contains("muscle_bundles/0") && error.contains("law of a muscle"), "{error}");

    let muscle = muscle_laws().next().unwrap();
    let model = floating(distorted_mesh(ElementKind::Hex8), muscle);
    let error = model.compile().err().unwrap().to_string();
    assert!(error.contains("tissue:material") && error.contains("law of a tissue"), "{error}");

    let cases: [(Vec<u32>, Vec<Vec3>, &str); 4] = [
        (vec![0, 9], Vec::new(), "9"),
        (vec![1, 1], Vec::new(), "named once"),
        (vec![0, 1], vec![Vec3::zeros()], "above 0"),
        (vec![0, 1], vec![Vec3::x(); 3], "3 entries"),
    ];
    for (elements, fibres, part) in cases {
        let mut model = floating(distorted_mesh(ElementKind::Hex8), laws()[3]);
        let tissue = tissue_of(&model);
        model.add(MuscleBundle::new(tissue, muscle).in_elements(elements, fibres));
        let error = model.compile().err().unwrap().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_bundle_along_a_field_is_one_with_its_elements_and_directions() {
    let law = MaterialSpec::from_name("blemker_muscle").unwrap();
    let forces_of = |along_field: bool| {
        let mut model = floating(distorted_mesh(ElementKind::Tet4), laws()[4]);
        let tissue = tissue_of(&model);
        let count = model.fem(0).mesh.element_count();
        let directions = Numbers(5).vectors(count, 1.0);
        let mut values: Vec<f64> = directions.iter().flatten().copied().collect();
        // The first element is left out.
        values[..3].fill(0.0);
        let field = Field { components: 3, values };
        model.fem_mut(0).mesh.element_fields.insert("lines".into(), field);
        let bundle = MuscleBundle { excitation: 0.7, ..MuscleBundle::new(tissue, law) };
        model.add(if along_field {
            MuscleBundle { field: "lines".into(), ..bundle }
        } else {
            bundle.in_elements((1..count as u32).collect(), directions[1..].to_vec())
        });
        let compiled = model.compile().unwrap();
        forces(&compiled, &random_state(&compiled, 8), Excluded)
    };
    assert_eq!(forces_of(true), forces_of(false));
    let mut model = floating(distorted_mesh(ElementKind::Tet4), laws()[4]);
    let bundle = MuscleBundle::new(tissue_of(&model), law);
    model.add(MuscleBundle { field: "nowhere".into(), ..bundle });
    let message = model.compile().err().unwrap().to_string();
    assert!(message.contains("nowhere") && message.contains("field"), "{message}");
}
