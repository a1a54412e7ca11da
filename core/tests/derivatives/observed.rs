//! Trajectories as functions: tables of what is observed, and derivatives by these handed back to parameters.

use sinew::adjoint::{AdjointError, Parameter, Trajectory};
use sinew::inverse::{MotionTarget, TargetKind};
use sinew::model::RigidBody;
use sinew::solve::Integrator;

use crate::gradients::{H, assert_near, derivative, excitations, settings};
use crate::models::pendulum;

#[test]
fn derivatives_by_what_is_observed_become_those_by_values_of_every_step() {
    let (mut scene, coordinate) = pendulum([2.0, 1.0]);
    let paths = excitations(&mut scene);
    let model = &scene.model;
    let body = model.iter::<RigidBody>().next().unwrap().0;
    let kinds = [
        TargetKind::Origin(body),
        TargetKind::Orientation(body),
        TargetKind::Coordinate(coordinate),
    ];
    let observed = kinds.map(MotionTarget::new);
    let steps = 4;
    let settings = settings(Integrator::BackwardEuler);
    let trajectory = Trajectory { model, settings, step: H, steps };
    let values = [vec![0.4], vec![0.6, 0.3, 0.5, 0.2]];
    let parameters = |values: &[Vec<f64>; 2]| -> Vec<Parameter> {
        let pair = |(path, values): (&String, &Vec<f64>)| Parameter {
            path: path.clone(),
            values: values.clone(),
        };
        paths.iter().zip(values).map(pair).collect()
    };
    let factors: Vec<f64> = (0..7 * (steps + 1)).map(|k| (1.7 * k as f64).sin()).collect();
    let sum = |values: &[Vec<f64>; 2]| -> f64 {
        let table = trajectory.observe(None, &parameters(values), &observed).unwrap();
        assert_eq!(table.len(), factors.len());
        table.iter().zip(&factors).map(|(number, factor)| number * factor).sum()
    };
    let given = (&observed[..], &factors[..]);
    let found = trajectory.pull_back(None, &parameters(&values), given).unwrap();
    assert_near(found.value, sum(&values), found.value.abs(), "the sum");
    for (k, of) in values.iter().enumerate() {
        for step in 0..of.len() {
            let moved = |by: f64| {
                let mut moved = values.clone();
                moved[k][step] += by;
                sum(&moved)
            };
            let expected = derivative(moved, 1e-2);
            let name = format!("{}, step {step}", paths[k]);
            assert_near(found.parameters[k][step], expected, expected.abs(), &name);
        }
    }
    let error = trajectory.pull_back(None, &parameters(&values), (&observed, &factors[1..]));
    assert!(matches!(error, Err(AdjointError::Length { .. })), "{error:?}");
}
