//! Tied surfaces: what begins together stays together, between tissues whose meshes do not match and on bodies.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::fem::VolumeMesh;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{CollisionBehavior, Dirichlet, FemModel, Model};
use sinew::solve::{ImplicitMode, Integrator, NewtonSettings, SolverSettings, StaticSettings};
use sinew::system::MechSystem;
use sinew_datasets::beam::{BeamElement, beam_mesh};

use crate::scene::{momentum, nodes_at, places};
use crate::scenes::{EULER, Scene, add_box, model_under};

const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.3;

/// A block of these cells and size about a place [m].
fn mesh(element: BeamElement, cells: [usize; 3], size: [f64; 3], at: Vec3) -> VolumeMesh {
    let mut mesh = beam_mesh(element, cells, size).unwrap();
    mesh.nodes.iter_mut().for_each(|node| *node += at);
    mesh
}

fn linear(name: &str, mesh: VolumeMesh) -> FemModel {
    let law = MaterialSpec::Linear(Isotropic { youngs_modulus: YOUNG, poissons_ratio: POISSON });
    FemModel::new(name, mesh, 1000.0, law)
}

/// Two blocks of 0.2 x 0.2 x 0.1 m on each other from z = 0 to 0.2, the upper one tied to the lower.
fn tied_blocks(
    elements: [BeamElement; 2],
    cells: [[usize; 3]; 2],
) -> (Model, [Handle<FemModel>; 2]) {
    let mut model = model_under(0.0);
    let size = [0.2, 0.2, 0.1];
    let at = |k: usize| Vec3::z() * (0.05 + 0.1 * k as f64);
    let [lower, upper] = [0, 1].map(|k| mesh(elements[k], cells[k], size, at(k)));
    let lower = model.add(linear("lower", lower));
    let upper = model.add(linear("upper", upper));
    let tied = CollisionBehavior { tied: true, ..CollisionBehavior::new(upper, lower, 0.0) };
    model.add(tied.named("glue"));
    (model, [lower, upper])
}

/// Supports along some axes at a displacement [m].
fn support(nodes: Vec<u32>, axes: [bool; 3], by: Vec3) -> Dirichlet {
    Dirichlet { axes, displacement: vec![by], ..Dirichlet::fix(nodes) }
}

#[test]
fn a_uniform_stress_passes_between_meshes_that_do_not_match_in_tension_and_compression() {
    use BeamElement::{Hex, Tet};
    for elements in [[Hex, Hex], [Hex, Tet], [Tet, Hex], [Tet, Tet]] {
        for strain in [1e-3, -1e-3] {
            let (mut model, [lower, upper]) = tied_blocks(elements, [[2, 3, 1], [5, 4, 2]]);
            let base = nodes_at(&model[lower].mesh, 0.0);
            let place = |node: u32| model[lower].mesh.nodes[node as usize];
            let corner = |x: f64, y: f64| {
                let at =
                    |node: &u32| (place(*node).xy() - nalgebra::Vector2::new(x, y)).norm() < 1e-9;
                base.iter().copied().filter(at).collect::<Vec<_>>()
            };
            let [first, second] = [corner(-0.1, -0.1), corner(0.1, -0.1)];
            let zero = Vec3::zeros();
            let top = nodes_at(&model[upper].mesh, 0.2);
            model[lower].dirichlet = vec![
                support(base, [false, false, true], zero),
                support(first, [true, true, false], zero),
                support(second, [false, true, false], zero),
            ];
            let up = Vec3::z() * (0.2 * strain);
            model[upper].dirichlet = vec![support(top, [false, false, true], up)];
            let integrator = Integrator::Static(StaticSettings::default());
            let mut scene =
                Scene::with(&model, SolverSettings { integrator, ..SolverSettings::default() });
            scene.step(1.0);
            for fem in [lower, upper] {
                let now = places(&model, &scene, fem);
                for (rest, now) in model[fem].mesh.nodes.iter().zip(now) {
                    let across = -POISSON * strain;
                    let corner = Vec3::new(-0.1, -0.1, 0.0);
                    let by = Vec3::new(across, across, strain);
                    let expected = (rest - corner).component_mul(&by);
                    let error = (now - rest - expected).norm() / (0.2 * strain.abs());
                    assert!(error < 1e-8, "{elements:?} {strain}: {error} at {rest}");
                }
            }
        }
    }
}

#[test]
fn a_tie_keeps_momentum_and_does_no_work() {
    let (model, [lower, upper]) = tied_blocks([BeamElement::Hex; 2], [[2, 3, 1], [4, 4, 2]]);
    let settings = NewtonSettings { tolerance: 1e-10, ..NewtonSettings::default() };
    let integrator = Integrator::Trapezoidal(ImplicitMode::Newton(settings));
    let mut scene = Scene::new(&model, integrator);
    // Pulled apart, so that the tie is loaded.
    for (fem, sign) in [(lower, -1.0), (upper, 1.0)] {
        for (node, p) in model[fem].mesh.nodes.iter().enumerate() {
            let row = scene.compiled.block_of_node(fem, node);
            scene.state.u[row] = Vec3::new(0.01 * p.y, 0.0, sign * (p.z - 0.1).abs());
        }
    }
    scene.step(1e-4);
    let energy = |scene: &Scene| {
        let energies = scene.compiled.energies(&scene.state);
        energies.kinetic + energies.strain
    };
    let (start, [linear, angular]) = (energy(&scene), momentum(&scene));
    for _ in 0..100 {
        scene.step(1e-4);
        let [now, turning] = momentum(&scene);
        assert!((now - linear).norm() < 1e-10, "{now} {linear}");
        assert!((energy(&scene) / start - 1.0).abs() < 1e-6, "{} {start}", energy(&scene));
        // A linear law has no rotations; they are small here.
        assert!((turning - angular).norm() < 1e-4, "{turning} {angular}");
    }
    let strained = scene.compiled.energies(&scene.state).strain / start;
    assert!(strained > 0.05, "{strained}");
}

#[test]
fn tissue_tied_to_a_body_moves_with_it_where_they_touch() {
    let mut model = model_under(0.0);
    let half = Vec3::new(0.1, 0.1, 0.02);
    let body = add_box(&mut model, "plate", 1.0, half, Pose::translation(0.0, 0.0, 0.02));
    model[body].dynamic = false;
    model[body].angular_velocity = Vec3::new(0.0, 0.0, 2.0);
    let pad = mesh(BeamElement::Hex, [3, 3, 2], [0.1, 0.1, 0.05], Vec3::z() * 0.0651);
    let fem = model.add(FemModel {
        stiffness_damping: 0.01,
        ..FemModel::new(
            "pad",
            pad,
            1000.0,
            MaterialSpec::Corotated(Isotropic { youngs_modulus: YOUNG, poissons_ratio: POISSON }),
        )
    });
    let tied = CollisionBehavior {
        tied: true,
        margin: Some(2e-4),
        ..CollisionBehavior::new(body, fem, 0.0)
    };
    model.add(tied);
    let mut scene = Scene::new(&model, EULER);
    scene.steps(5e-3, 50);
    let pose = scene.pose(body);
    assert!(pose.rotation.angle() > 0.3, "{}", pose.rotation.angle());
    let now = places(&model, &scene, fem);
    let mut count = 0;
    for (rest, now) in model[fem].mesh.nodes.iter().zip(now).filter(|(rest, _)| rest.z < 0.0402) {
        let start = model[body].pose.inverse_transform_point(&(*rest).into());
        let expected = pose.transform_point(&start).coords;
        assert!((now - expected).norm() < 1e-12, "{now} {expected}");
        count += 1;
    }
    assert_eq!(count, 16);
    assert!(scene.state.contacts.is_empty());
}

#[test]
fn ties_that_cannot_be_are_refused_by_name() {
    let error = |change: &dyn Fn(&mut CollisionBehavior)| {
        let (mut model, _) = tied_blocks([BeamElement::Hex; 2], [[2, 2, 1]; 2]);
        let glue = model.iter::<CollisionBehavior>().next().unwrap().0;
        change(&mut model[glue]);
        model.compile().err().unwrap().to_string()
    };
    let found = error(&|glue| glue.b = None);
    assert!(found.contains("glue") && found.contains("name both as a and b"), "{found}");
    let mut model = model_under(0.0);
    let far = |z: f64| mesh(BeamElement::Hex, [1; 3], [0.1; 3], Vec3::z() * z);
    let [a, b] = [("a", 0.0), ("b", 0.2)].map(|(name, z)| model.add(linear(name, far(z))));
    model.add(CollisionBehavior { tied: true, ..CollisionBehavior::new(a, b, 0.0) });
    let found = model.compile().err().unwrap().to_string();
    assert!(found.contains("larger margin") && found.contains(&model.path(a)), "{found}");
}
