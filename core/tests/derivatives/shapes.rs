//! Gradients by rest shapes, against central differences of the trajectories; a rest shape from the motion that it made.

use sinew::Vec3;
use sinew::adjoint::{Fit, FitParameter, Parameter, Trajectory};
use sinew::component::{FemPart, Handle};
use sinew::inverse::MotionTarget;
use sinew::material::MaterialSpec;
use sinew::model::{
    Attachment, AxialSpring, Dirichlet, FemModel, Master, Model, Particle, PointRef,
};
use sinew::schedule::Signal;
use sinew::solve::{Integrator, SolverSettings};
use sinew::system::State;
use sinew_datasets::beam::BeamElement;

use crate::gradients::{H, assert_near, derivative, settings};
use crate::models::constant;
use crate::scenes::{grid, hinge, in_plane, nodes_where, shift, solid_box};

/// A bar of seven cells, one end fixed.
fn bar(law: &str) -> (Model, Handle<FemModel>) {
    let mut model = in_plane(9.81);
    let mesh = grid(BeamElement::Hex, [7, 1, 1], [0.35, 0.06, 0.05], Vec3::zeros());
    let law = MaterialSpec::from_name(law).unwrap();
    let mut fem = FemModel::new("bar", mesh, 1050.0, law);
    fem.mass_damping = 2.0;
    fem.dirichlet.push(Dirichlet::fix(nodes_where(&fem.mesh, |x| x.x < 1e-9)));
    let fem = model.add(fem);
    (model, fem)
}

fn nodes(model: &Model, fem: Handle<FemModel>) -> Vec<MotionTarget> {
    let node = |k: usize| {
        let host = model.path(FemPart::Nodes.address(fem, k as u32));
        MotionTarget::at(model, &format!("{host}:position")).unwrap()
    };
    (0..model[fem].mesh.nodes.len()).map(node).collect()
}

/// Compares the derivatives of a sum over all nodes and steps by every `stride`-th of the parameters.
fn check(
    (model, observed): (&Model, &[MotionTarget]),
    (start, parameters): (Option<&State>, &[Parameter]),
    (settings, stride): (SolverSettings, usize),
    name: &str,
) {
    let steps = 3;
    let trajectory = Trajectory { model, settings, step: H, steps };
    let width: usize = observed.iter().map(MotionTarget::size).sum();
    let factors: Vec<f64> = (0..width * (steps + 1)).map(|k| (1.7 * k as f64).sin()).collect();
    let found = trajectory.pull_back(start, parameters, (observed, &factors)).unwrap();
    let sum = |k: usize, by: f64| -> f64 {
        let mut moved = parameters.to_vec();
        moved[k].values[0] += by;
        let table = trajectory.observe(start, &moved, observed).unwrap();
        table.iter().zip(&factors).map(|(number, factor)| number * factor).sum()
    };
    let largest = found.parameters.iter().fold(0f64, |most, by| most.max(by[0].abs()));
    for k in (0..parameters.len()).step_by(stride) {
        let expected = derivative(|by| sum(k, by), 2e-4);
        let of = format!("{name}, {}", parameters[k].path);
        assert_near(found.parameters[k][0], expected, largest, &of);
    }
}

#[test]
fn gradients_by_all_rest_positions_of_a_tissue_are_those_of_its_steps() {
    for (law, rule) in [
        ("neo_hookean", Integrator::BackwardEuler as fn(_) -> _),
        ("corotated", Integrator::Trapezoidal),
    ] {
        let (model, fem) = bar(law);
        let parameters = Parameter::rest_shape(&model, fem);
        assert_eq!(parameters.len(), 96);
        let observed = nodes(&model, fem);
        check((&model, &observed), (None, &parameters), (settings(rule), 1), law);
        // From a start of its own, which the shape does not change but where points are fixed.
        let free = |it: &&Parameter| {
            let fixed = &model[fem].dirichlet[0].nodes;
            !fixed.iter().any(|node| it.path.contains(&format!("/{node}:")))
        };
        let parameters: Vec<Parameter> = parameters.iter().filter(free).cloned().collect();
        let mut start = model.compile().unwrap().initial_state();
        start.q.iter_mut().for_each(|q| q.x *= 1.04);
        start.u.iter_mut().enumerate().for_each(|(k, u)| u.y = 0.1 * (k as f64).sin());
        let start = (Some(&start), &parameters[..]);
        check((&model, &observed), start, (settings(rule), 5), &format!("{law}, from a start"));
    }
}

/// A bar of tissue on a body that hangs on a hinge, pulled by a line to its far end.
#[test]
fn gradients_by_rest_positions_of_tissue_on_a_body_are_those_of_its_steps() {
    let mut model = in_plane(9.81);
    let arm = model.add(solid_box("arm", 1.0, [0.3, 0.05, 0.05]).at(shift(0.15, 0.0, 0.0)));
    hinge(&mut model, [Some(arm), None], Vec3::zeros(), Vec3::z());
    let corner = Vec3::new(0.3, -0.025, -0.025);
    let mesh = grid(BeamElement::Hex, [2, 1, 1], [0.1, 0.05, 0.05], corner);
    let law = MaterialSpec::from_name("neo_hookean").unwrap();
    let fem = FemModel::new("tissue", mesh, 1050.0, law);
    let base = nodes_where(&fem.mesh, |x| x.x < 0.3 + 1e-9);
    let far = nodes_where(&fem.mesh, |x| x.x > 0.4 - 1e-9)[0];
    let fem = model.add(fem);
    let points = base.into_iter().map(|node| PointRef::FemNode(fem, node)).collect();
    model.add(Attachment::new(points, Master::Body(arm)));
    let above = model.add(Particle::new(1.0, Vec3::new(0.1, 0.4, 0.1)).fixed());
    let ends = [PointRef::from(above), PointRef::FemNode(fem, far)];
    let mut line = AxialSpring::with_law(ends, constant(6.0));
    line.excitation = 0.4;
    model.add(line);
    let observed = nodes(&model, fem);
    let parameters = Parameter::rest_shape(&model, fem);
    let by = settings(Integrator::BackwardEuler);
    check((&model, &observed), (None, &parameters), (by, 1), "tissue on a body");
}

/// Velocities at the start of the model are parameters too.
#[test]
fn gradients_by_the_velocity_of_the_model_at_its_start_are_those_of_its_steps() {
    let mut model = in_plane(9.81);
    let ends = [Vec3::zeros(), Vec3::new(0.3, 0.1, 0.0)].map(|x| Particle::new(0.5, x));
    let [a, b] = ends.map(|it| model.add(it));
    model[a].velocity = Vec3::new(0.4, 0.2, -0.3);
    model.add(AxialSpring::with_law([PointRef::from(a), b.into()], constant(3.0)));
    let observed = [a, b].map(|it| MotionTarget::new(PointRef::from(it).into()));
    let path = format!("{}:velocity.y", model.path(a));
    let parameters = [Parameter::constant(&model, &path).unwrap()];
    let by = settings(Integrator::BackwardEuler);
    check((&model, &observed), (None, &parameters), (by, 1), "particles");
}

/// The place of two nodes at rest from the motion of the end of a bar.
#[test]
fn a_rest_shape_is_found_from_the_motion_that_it_made() {
    let (model, fem) = bar("neo_hookean");
    let observed = nodes(&model, fem);
    let far = nodes_where(&model[fem].mesh, |x| x.x > 0.35 - 1e-9);
    let host = |node: u32| model.path(FemPart::Nodes.address(fem, node));
    let paths =
        [format!("{}:rest_position.x", host(far[0])), format!("{}:rest_position.y", host(far[1]))];
    let parameters: Vec<Parameter> =
        paths.iter().map(|path| Parameter::constant(&model, path).unwrap()).collect();
    let mut made = parameters.clone();
    made[0].values[0] += 0.006;
    made[1].values[0] -= 0.004;
    let settings = settings(Integrator::BackwardEuler);
    let trajectory = Trajectory { model: &model, settings, step: H, steps: 6 };
    // What the others do, not the nodes themselves.
    let seen: Vec<MotionTarget> = (0..observed.len() as u32)
        .filter(|k| !far.contains(k))
        .map(|k| observed[k as usize].clone())
        .collect();
    let table = trajectory.observe(None, &made, &seen).unwrap();
    let width = 3 * seen.len();
    let mut record = move |time: f64, values: &mut [f64]| {
        let row = (time / H).round() as usize;
        values.copy_from_slice(&table[row * width..(row + 1) * width]);
    };
    let sought = |(path, at): (&String, &Parameter)| FitParameter {
        path: path.clone(),
        start: at.values[0],
        lower: at.values[0] - 0.02,
        upper: at.values[0] + 0.02,
    };
    let fit = Fit {
        trajectory,
        parameters: paths.iter().zip(&parameters).map(sought).collect(),
        targets: seen,
        iterations: 20,
    };
    let found = fit.run(&mut record as &mut dyn Signal, &mut |_| {}).unwrap();
    for (value, made) in found.values.iter().zip(&made) {
        let expected = made.values[0];
        assert!((value - expected).abs() < 1e-6, "{value} for {expected}, {found:?}");
    }
}
