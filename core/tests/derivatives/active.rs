//! Gradients of tissue whose muscles are active, where the matrix of a step is far from a symmetric one.

use sinew::Vec3;
use sinew::axial::active::{Millard2012, Thelen2003};
use sinew::axial::{ActivationModel, AxialLaw};
use sinew::material::MaterialSpec;
use sinew::model::{AxialSpring, Dirichlet, FemModel, Model, MuscleExciter, Particle, PointRef};
use sinew::property::Value;
use sinew::solve::{Integrator, MechSystemSolver};
use sinew_datasets::beam::BeamElement;
use sinew_datasets::tongue::{Manoeuvre, TongueParams, tongue};

use crate::gradients::{H, check, check_parameters, settings};
use crate::models::slow;
use crate::scenes::{grid, in_plane, nodes_where};

/// Excites the muscles of a tongue, each with another share of a level; their paths.
fn excite(model: &mut Model, level: f64) -> Vec<String> {
    let exciters: Vec<_> = model.iter::<MuscleExciter>().map(|(handle, _)| handle).collect();
    let mut paths = Vec::new();
    for (k, handle) in exciters.into_iter().enumerate() {
        let property = model.property_of(handle, "excitation").unwrap();
        let share = 0.3 + 0.1 * ((3 * k) % 7) as f64;
        model.set_property(&property, Value::Real(level * share)).unwrap();
        paths.push(model.property_path(&property));
    }
    paths
}

/// The tongue of 228 elements, whose eleven muscles pull with some tenth of their strength: by two of them. Some of its fibres are as long
/// as at rest, where they have no derivative by positions.
#[test]
fn gradients_of_the_tongue_with_active_muscles_are_those_of_its_steps() {
    let task = Some(Manoeuvre::Rest);
    let mut model =
        tongue(&TongueParams { resolution: 0, task, ..TongueParams::default() }).unwrap();
    let settings = settings(Integrator::BackwardEuler);
    // Activations rise from those of smaller excitations.
    excite(&mut model, 0.1);
    let compiled = model.compile().unwrap();
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let mut start = compiled.initial_state();
    for _ in 0..4 {
        solver.step(&compiled, &mut start, H).unwrap();
    }
    let paths = excite(&mut model, 0.4);
    assert_eq!(paths.len(), 11);
    let found = check_parameters(&model, &paths[2..4], &start, (settings, 2), "tongue");
    assert_eq!(found.evaluations, 2, "one a step: activations and excitations have closed forms");
}

/// Tissue that muscles on elastic tendons pull at, with activations of their own: their fibres follow its nodes.
#[test]
fn gradients_of_tissue_on_elastic_tendons_are_those_of_the_steps() {
    let mut model = in_plane(9.81);
    let mesh = grid(BeamElement::Hex, [2, 1, 1], [0.1, 0.05, 0.05], Vec3::zeros());
    let nodes = mesh.nodes.len();
    let law = MaterialSpec::from_name("neo_hookean").unwrap();
    let mut fem = FemModel::new("tissue", mesh, 1050.0, law);
    fem.stiffness_damping = 0.01;
    fem.dirichlet.push(Dirichlet::fix(nodes_where(&fem.mesh, |x| x.x < 1e-9)));
    let fem = model.add(fem);
    let constants = (0.5, 0.1, 0.15);
    let thelen = AxialLaw::Thelen2003(Thelen2003 {
        max_isometric_force: constants.0,
        optimal_fibre_length: constants.1,
        tendon_slack_length: constants.2,
        activation: ActivationModel::FirstOrder,
        ..Default::default()
    });
    let millard = AxialLaw::Millard2012(Millard2012 {
        max_isometric_force: constants.0,
        optimal_fibre_length: constants.1,
        tendon_slack_length: constants.2,
        ..Default::default()
    });
    let mut paths = vec![format!("{}:material.youngs_modulus", model.path(fem))];
    for (k, law) in [thelen, millard].into_iter().enumerate() {
        let post = Vec3::new(0.3, 0.02 + 0.1 * k as f64, 0.03);
        let post = model.add(Particle::new(1.0, post).fixed());
        let node = PointRef::FemNode(fem, (nodes - 1 - k) as u32);
        let mut muscle = AxialSpring::with_law([PointRef::from(post), node], law);
        (muscle.excitation, muscle.activation) = (0.4, slow());
        let muscle = model.add(muscle);
        paths.push(format!("{}:excitation", model.path(muscle)));
        paths.push(format!("{}:material.max_isometric_force", model.path(muscle)));
    }
    for rule in [Integrator::BackwardEuler, Integrator::Trapezoidal] {
        check(&model, &paths, (settings(rule), 4), "tissue on tendons");
    }
}
