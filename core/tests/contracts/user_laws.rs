//! Laws of users against those of the library that have the same energy: stress, tangent, and a step.

use sinew::Mat3;
use sinew::formula::Scalar;
use sinew::material::{
    Constant, Deformation, GuccioneConstants, Isotropic, Law, LawKind, Material, MaterialSpec,
    MooneyRivlinConstants, Stretch, UserEnergy, Value,
};
use sinew::model::{Dirichlet, FemModel, Model};
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew_datasets::beam::{BeamElement, beam_mesh};

/// Compressible neo-Hookean.
struct NeoHookean;

impl UserEnergy for NeoHookean {
    const KIND: LawKind = LawKind::of_user(
        "my_neo_hookean",
        &[
            Constant::number("lambda", "Pa", 0.0, "First constant of Lamé"),
            Constant::positive("mu", "Pa", 1e5, "Second constant of Lamé"),
        ],
    );

    fn energy<S: Scalar>(constants: &[f64], at: &Stretch<S>) -> S {
        let [lambda, mu] = [0, 1].map(|k| S::constant(constants[k]));
        let (half, log) = (S::constant(0.5), at.volume_ratio().ln());
        mu * half * (at.first_invariant() - S::constant(3.0)) - mu * log + lambda * half * log * log
    }
}

/// Mooney-Rivlin of five constants.
struct MooneyRivlin;

impl UserEnergy for MooneyRivlin {
    const KIND: LawKind = LawKind::of_user(
        "my_mooney_rivlin",
        &[
            Constant::number("c10", "Pa", 1e5, "Factor of the first invariant"),
            Constant::number("c01", "Pa", 0.0, "Factor of the second invariant"),
            Constant::number("c11", "Pa", 0.0, "Factor of the product of both"),
            Constant::number("c20", "Pa", 0.0, "Factor of the first, squared"),
            Constant::number("c02", "Pa", 0.0, "Factor of the second, squared"),
            Constant::positive("bulk_modulus", "Pa", 1e5, "Bulk modulus kappa"),
        ],
    )
    .with_bulk_modulus(5);

    fn energy<S: Scalar>(constants: &[f64], at: &Stretch<S>) -> S {
        let [c10, c01, c11, c20, c02, kappa] = std::array::from_fn(|k| S::constant(constants[k]));
        let [a, b] = at.isochoric_invariants().map(|invariant| invariant - S::constant(3.0));
        let change = at.volume_ratio() - S::constant(1.0);
        c10 * a
            + c01 * b
            + c11 * a * b
            + c20 * a * a
            + c02 * b * b
            + kappa * S::constant(0.5) * change * change
    }
}

/// Guccione's law, which looks at fibres.
struct Guccione;

impl UserEnergy for Guccione {
    const KIND: LawKind = LawKind::of_user("my_guccione", &[]);

    fn energy<S: Scalar>(_: &[f64], at: &Stretch<S>) -> S {
        let [c, bf, bt, bfs, kappa] = [2e3, 8.0, 2.0, 4.0, 4e4].map(S::constant);
        let (e, two) = (&at.strain, S::constant(2.0));
        let across = e[1][1] * e[1][1] + e[2][2] * e[2][2] + two * e[1][2] * e[1][2];
        let shear = e[0][1] * e[0][1] + e[0][2] * e[0][2];
        let q = bf * e[0][0] * e[0][0] + bt * across + two * bfs * shear;
        let change = at.volume_ratio() - S::constant(1.0);
        (c * (q.exp() - S::constant(1.0)) + kappa * change * change) * S::constant(0.5)
    }
}

/// Laws of users beside those of the library.
fn pairs() -> [[MaterialSpec; 2]; 3] {
    let isotropic = Isotropic { youngs_modulus: 5e5, poissons_ratio: 0.33 };
    let (lambda, mu) = isotropic.lame();
    let mooney = MooneyRivlinConstants::example();
    let guccione = GuccioneConstants { c: 2e3, bf: 8.0, bt: 2.0, bfs: 4.0, ..Default::default() };
    let with = |mut law: MaterialSpec, constants: &[(&str, f64)]| {
        for (name, value) in constants {
            assert!(law.put(name, Value::Number(*value)), "{name}");
        }
        law
    };
    let own = with(MaterialSpec::user::<NeoHookean>(), &[("lambda", lambda), ("mu", mu)]);
    let constants = [
        ("c10", mooney.c10),
        ("c01", mooney.c01),
        ("c11", mooney.c11),
        ("c20", mooney.c20),
        ("c02", mooney.c02),
        ("bulk_modulus", mooney.bulk_modulus),
    ];
    let own_mooney = with(MaterialSpec::user::<MooneyRivlin>(), &constants);
    let guccione = GuccioneConstants { bulk_modulus: 4e4, ..guccione };
    [
        [own, MaterialSpec::NeoHookean(isotropic)],
        [own_mooney, MaterialSpec::MooneyRivlin(mooney)],
        [MaterialSpec::user::<Guccione>(), MaterialSpec::Guccione(guccione)],
    ]
}

#[test]
fn an_energy_of_the_user_has_the_stress_and_tangent_of_the_same_law_of_the_library() {
    let gradients = [
        Mat3::new(0.1, 0.2, -0.05, 0.1, -0.1, 0.15, -0.08, 0.05, 0.05),
        Mat3::new(0.5, -0.3, 0.0, 0.2, -0.2, 0.4, 0.1, 0.0, -0.1),
        Mat3::zeros(),
    ];
    let axes = *nalgebra::Rotation3::from_euler_angles(0.3, -0.8, 1.1).matrix();
    for [own, library] in pairs() {
        for h in gradients {
            let at = Deformation::new(h).with_axes(axes);
            let [ours, theirs] = [own, library].map(|law| law.law::<f64>());
            let [(stress, tangent), (stress_there, tangent_there)] =
                [ours, theirs].map(|law| law.stress_and_tangent(&at));
            let scale = tangent_there.amax();
            let name = own.name();
            assert!(
                (stress - stress_there).amax() <= 1e-12 * scale,
                "{name} {stress} {stress_there}"
            );
            assert!(
                (tangent - tangent_there).amax() <= 1e-12 * scale,
                "{name} {tangent} {tangent_there}"
            );
            assert!((ours.stress(&at) - stress).amax() <= 1e-15 * scale, "{name}");
            let [a, b] = [ours, theirs].map(|law| law.energy(&at));
            assert!((a - b).abs() <= 1e-12 * scale, "{name} {a} {b}");
        }
    }
}

/// Positions of a beam after steps of 10 ms under its weight.
fn stepped(law: MaterialSpec) -> Vec<sinew::Vec3> {
    let mesh = beam_mesh(BeamElement::Hex, [4, 1, 1], [1.0, 0.25, 0.25]).unwrap();
    let fixed = (0..mesh.nodes.len() as u32).filter(|&n| mesh.nodes[n as usize].x < -0.49);
    let mut fem = FemModel::new("beam", mesh.clone(), 1000.0, law);
    fem.dirichlet.push(Dirichlet::fix(fixed.collect()));
    let mut model = Model::new("user");
    model.add(fem);
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
    for _ in 0..3 {
        solver.step(&compiled, &mut state, 0.01).unwrap();
    }
    state.q
}

#[test]
fn tissue_of_a_law_of_the_user_moves_as_that_of_the_same_law_of_the_library() {
    for [own, library] in pairs() {
        let [ours, theirs] = [own, library].map(stepped);
        let far = ours.iter().zip(&theirs).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
        assert!(far <= 1e-12, "{}: {far} m", own.name());
    }
}

#[test]
fn a_law_of_the_user_has_a_place_in_the_registry() {
    let mut law = MaterialSpec::user::<MooneyRivlin>();
    assert_eq!((law.name(), law.law_of()), ("my_mooney_rivlin", None));
    assert_ne!(law, MaterialSpec::user::<NeoHookean>());
    assert!(!law.put("c30", Value::Number(1.0)));
    assert!(law.bulk_over_shear().is_some_and(|ratio| ratio > 0.0));
    assert!(law.put("bulk_modulus", Value::Number(-1.0)));
    assert_eq!(law.check().unwrap_err().parameter, "bulk_modulus");
    assert!(Law::from_name("my_mooney_rivlin").is_none());
    // No file holds code.
    assert!(serde_json::to_string(&law).is_err());
}

#[test]
fn a_device_is_told_that_a_law_is_the_users_own() {
    let mesh = beam_mesh(BeamElement::Hex, [1, 1, 1], [1.0; 3]).unwrap();
    let mut model = Model::new("user");
    model.add(FemModel::new("block", mesh, 1000.0, MaterialSpec::user::<NeoHookean>()));
    let others = model.compile().unwrap().device_view().other_effectors();
    assert_eq!(others, ["tissue of a law by the user's own code"]);
}
