//! Properties that a state of the simulation has, against what is known otherwise.

use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{AxialSpring, FemModel, LinearAxial, Model, Particle};
use sinew::property::Value;
use sinew::simulated::Simulated;
use sinew::system::{CompiledModel, State};
use sinew::{Mat3, Vec3};
use sinew_datasets::beam::{BeamElement, beam_mesh};

use crate::fixture::{everything, tissues_and_points};

fn number(s: &Simulated<'_>, path: &str) -> f64 {
    let mut number = [0.0];
    s.get_numbers(&s.model.property(path).unwrap(), &mut number).unwrap();
    number[0]
}

fn vector(s: &Simulated<'_>, path: &str) -> Vec3 {
    let mut numbers = [0.0; 3];
    s.get_numbers(&s.model.property(path).unwrap(), &mut numbers).unwrap();
    Vec3::from(numbers)
}

/// The model of these tests, moved and set in motion.
fn moved(model: &Model) -> (CompiledModel, State) {
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    for (k, (q, u)) in state.q.iter_mut().zip(&mut state.u).enumerate() {
        *q += Vec3::new(q.y, q.z, q.x) * 0.02;
        *u = Vec3::new(0.1, 0.2 * q.x, 0.05 * k as f64);
    }
    (compiled, state)
}

#[test]
fn the_sums_of_the_root_are_those_of_the_system_and_of_its_parts() {
    let model = tissues_and_points();
    let (compiled, state) = moved(&model);
    let s = Simulated { model: &model, compiled: &compiled, state: &state };
    let measured = compiled.at(&state).measure();
    // A few hundred roundings.
    let near = |a: f64, b: f64, what: &str| {
        assert!((a - b).abs() <= 1e-12 * a.abs().max(b.abs()), "{what}: {a} {b}");
    };
    near(number(&s, "/:kinetic_energy"), measured.energies.kinetic, "kinetic");
    near(number(&s, "/:gravitational_energy"), measured.energies.gravitational, "gravitational");
    near(number(&s, "/:strain_energy"), measured.energies.strain, "strain");
    near(number(&s, "/:energy"), measured.energies.total(), "total");
    near(number(&s, "/:volume"), measured.volume, "volume");
    let centre = vector(&s, "/:center_of_mass") - measured.center_of_mass;
    let momentum = vector(&s, "/:momentum") - compiled.at(&state).momentum();
    let angular = vector(&s, "/:angular_momentum") - compiled.at(&state).angular_momentum();
    assert!(centre.norm() < 1e-12 && momentum.norm() < 1e-12 && angular.norm() < 1e-12);
    for name in ["mass", "kinetic_energy", "gravitational_energy", "strain_energy", "volume"] {
        let of = |path: &str| number(&s, &format!("{path}:{name}"));
        let lists =
            ["particles", "fem_models", "axial_springs", "models", "muscle_bundles", "shells"];
        let parts = lists.map(|list| of(&format!("/models/outer/{list}")));
        near(of("/models/outer"), parts.iter().sum(), name);
        near(of("/models/outer/fem_models"), of("/models/outer/fem_models/soft"), name);
    }
    let [low, high] = state.q.iter().fold([state.q[0]; 2], |[l, h], q| [l.inf(q), h.sup(q)]);
    assert_eq!((vector(&s, "/:bounds.low"), vector(&s, "/:bounds.high")), (low, high));
}

#[test]
fn forces_and_reactions_of_points_balance_their_weight() {
    let mut model = Model::new("weights");
    model.set_gravity(Vec3::new(0.0, 0.0, -10.0));
    let fixed =
        model.add(Particle { name: "nail".into(), ..Particle::new(2.0, Vec3::z()).fixed() });
    let free = model.add(Particle { name: "bob".into(), ..Particle::new(3.0, Vec3::zeros()) });
    let material = LinearAxial { stiffness: 40.0, damping: 0.0, rest_length: 0.5 };
    model.add(AxialSpring { name: "cord".into(), ..AxialSpring::new([fixed, free], material) });
    let compiled = model.compile().unwrap();
    let state = compiled.initial_state();
    let s = Simulated { model: &model, compiled: &compiled, state: &state };
    let at = "/models/weights/particles";
    // Tension 40 N/m x 0.5 m.
    assert_eq!(number(&s, "/models/weights/axial_springs/cord:tension"), 20.0);
    assert_eq!(number(&s, "/models/weights/axial_springs/cord:strain_energy"), 5.0);
    assert_eq!(vector(&s, &format!("{at}/bob:force")), Vec3::z() * (20.0 - 30.0));
    assert_eq!(vector(&s, &format!("{at}/bob:reaction")), Vec3::zeros());
    assert_eq!(vector(&s, &format!("{at}/nail:force")), Vec3::z() * (-20.0 - 20.0));
    assert_eq!(vector(&s, &format!("{at}/nail:reaction")), Vec3::z() * 40.0);
}

/// One hexahedron of the linear law under x = F X.
fn stretched(f: Mat3) -> (Model, CompiledModel, State) {
    let law = Isotropic { youngs_modulus: 1e4, poissons_ratio: 0.25 };
    let mesh = beam_mesh(BeamElement::Hex, [1, 1, 1], [0.1, 0.1, 0.1]).unwrap();
    let mut model = Model::new("cube");
    model.add(FemModel::new("cube", mesh, 1000.0, MaterialSpec::Linear(law)));
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    state.q.iter_mut().for_each(|q| *q = f * *q);
    (model, compiled, state)
}

#[test]
fn an_element_has_the_stress_and_strain_of_its_law() {
    let f = Mat3::new(1.2, 0.1, 0.0, 0.0, 0.9, 0.05, 0.0, 0.0, 1.1);
    let (model, compiled, state) = stretched(f);
    let s = Simulated { model: &model, compiled: &compiled, state: &state };
    let element = "/models/cube/fem_models/cube/elements/0";
    let matrix = |name: &str| {
        let property = model.property(&format!("{element}:{name}")).unwrap();
        match s.get_property(&property).unwrap() {
            Value::Matrix(m) => m,
            other => panic!("{other:?}"),
        }
    };
    // Hooke's law with lambda = mu = E / 2.5 at nu = 1/4.
    let (lambda, mu) = (4e3, 4e3);
    let small = (f + f.transpose()) * 0.5 - Mat3::identity();
    let stress = Mat3::identity() * (lambda * small.trace()) + small * (2.0 * mu);
    // Eight points, some ten roundings each, of a stress of about 3 kPa.
    assert!((matrix("stress") - stress).norm() < 1e-9, "{}", matrix("stress"));
    let green = (f.transpose() * f - Mat3::identity()) * 0.5;
    assert!((matrix("strain") - green).norm() < 1e-13, "{}", matrix("strain"));
    let of = |name: &str| number(&s, &format!("{element}:{name}"));
    let (j, volume) = (f.determinant(), 1e-3);
    assert!((of("volume_ratio") - j).abs() < 1e-13 && (of("volume") - j * volume).abs() < 1e-15);
    let principal = stress.symmetric_eigenvalues().amax();
    assert!((of("max_principal_stress") - principal).abs() < 1e-9);
    let fields = compiled.at(&state).element_fields(model.nth(0));
    assert_eq!(of("von_mises"), fields.von_mises[0]);
    assert_eq!(of("strain_energy_density"), fields.strain_energy_density[0]);
    let fem = "/models/cube/fem_models/cube";
    assert_eq!(number(&s, &format!("{fem}:volume_ratio")), of("volume_ratio"));
    assert_eq!(number(&s, &format!("{fem}:inverted_count")), 0.0);
}

#[test]
fn an_inverted_element_is_counted() {
    let (model, compiled, state) = stretched(Mat3::from_diagonal(&Vec3::new(1.0, 1.0, -0.5)));
    let s = Simulated { model: &model, compiled: &compiled, state: &state };
    let fem = "/models/cube/fem_models/cube";
    assert_eq!(number(&s, &format!("{fem}:inverted_count")), 1.0);
    assert!((number(&s, &format!("{fem}:volume_ratio")) + 0.5).abs() < 1e-14);
}

#[test]
fn positions_and_velocities_are_those_of_the_state() {
    let model = everything();
    let (compiled, state) = moved(&model);
    let s = Simulated { model: &model, compiled: &compiled, state: &state };
    let row = compiled.block_of_node(model.nth(0), 6);
    let node = "/models/outer/fem_models/soft/nodes/6";
    assert_eq!(vector(&s, &format!("{node}:position")), state.q[row]);
    assert_eq!(vector(&s, &format!("{node}:velocity")), state.u[row]);
    let rest = vector(&s, &format!("{node}:rest_position"));
    assert_eq!(vector(&s, &format!("{node}:displacement")), state.q[row] - rest);
    let bob = compiled.block_of_particle(model.nth(0));
    assert_eq!(vector(&s, "/models/outer/particles/bob:position"), state.q[bob]);
    assert_eq!(number(&s, "/:time"), 0.0);
}
