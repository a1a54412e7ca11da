//! Joint moments from motions, and activations from moments, against closed forms.

use nalgebra::DMatrix;
use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::inverse::InverseError;
use sinew::inverse::rigid::{
    ExternalForce, InverseDynamics, InverseKinematics, JointMotion, Marker, MuscleMoments,
    StaticOptimization,
};
use sinew::model::{JointCoordinate, Model, RigidBody};
use sinew::system::MechSystem;

use crate::hinge::HINGE;
use crate::models::{constant, lever, muscle, pendulum};
use crate::scenes::{hinge, in_plane, shift, solid_box};

fn moments(arms: &[f64], forces: &[f64]) -> DMatrix<f64> {
    DMatrix::from_fn(1, arms.len(), |_, k| arms[k] * forces[k])
}

/// Activations a_i = clamp((c_i x)^(1 / (p - 1))) of a power p, with x by bisection: the optimality conditions of one load.
fn closed_form(c: &[f64], load: f64, p: f64) -> Vec<f64> {
    let at = |x: f64| -> Vec<f64> {
        c.iter().map(|c| (c * x).max(0.0).powf(1.0 / (p - 1.0)).min(1.0)).collect()
    };
    let given = |x: f64| at(x).iter().zip(c).map(|(a, c)| a * c).sum::<f64>();
    let (mut low, mut high) = (-1e3, 1e3);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if given(middle) < load { low = middle } else { high = middle }
    }
    at(0.5 * (low + high))
}

#[test]
fn static_optimization_finds_the_activations_of_the_references() {
    for (arms, forces, load, expected) in HINGE {
        let found = StaticOptimization::default().solve(&moments(arms, forces), &[load]).unwrap();
        for (a, b) in found.activations.iter().zip(expected) {
            assert!((a - b).abs() < 1e-6, "{found:?} for {expected:?}");
        }
        assert_eq!(found.missing, [0.0]);
    }
}

#[test]
fn static_optimization_by_the_third_power_meets_its_optimality_conditions() {
    for (arms, forces, load, _) in HINGE {
        let moments = moments(arms, forces);
        let found = StaticOptimization { power: 3.0 }.solve(&moments, &[load]).unwrap();
        let expected = closed_form(moments.as_slice(), load, 3.0);
        for (a, b) in found.activations.iter().zip(&expected) {
            // An antagonist at no activation has no curvature there: it is left at the square root of nothing.
            assert!((a - b).abs() < 1e-5, "{found:?} for {expected:?}");
        }
    }
}

#[test]
fn moments_out_of_reach_are_come_near_to_and_what_is_missing_is_told() {
    let found = StaticOptimization::default().solve(&moments(&[0.04], &[1000.0]), &[50.0]).unwrap();
    assert!((found.activations[0] - 1.0).abs() < 1e-9, "{found:?}");
    assert!((found.missing[0] - 10.0).abs() < 1e-6, "{found:?}");
    let error = StaticOptimization { power: 1.0 }.solve(&moments(&[0.04], &[1.0]), &[0.0]);
    assert!(matches!(error, Err(InverseError::Number { name: "power", .. })), "{error:?}");
    let error = StaticOptimization::default().solve(&moments(&[0.04], &[1.0]), &[0.0, 1.0]);
    assert!(matches!(error, Err(InverseError::Coefficients { .. })), "{error:?}");
}

/// INV-inverse-dynamics: m l² θ'' + m g l sin θ, plus the rotational inertia of the body, which is all but none.
#[test]
fn the_moment_of_a_pendulum_is_that_of_its_motion() {
    let (scene, of) = pendulum([60.0, 45.0]);
    let dynamics = InverseDynamics::new(&scene.model, &[of]).unwrap();
    let mut state = dynamics.start();
    for k in 0..=10 {
        let time = 0.1 * f64::from(k);
        let w = std::f64::consts::TAU;
        let (theta, rate) = (0.5 * (w * time).sin(), 0.5 * w * (w * time).cos());
        let acceleration = -w * w * theta;
        let motion = JointMotion {
            time,
            values: vec![theta],
            rates: vec![rate],
            accelerations: vec![acceleration],
        };
        dynamics.place(&mut state, &motion).unwrap();
        let found = dynamics.moments(&state, &motion, &[]).unwrap();
        let expected =
            2.0 * 0.25 * acceleration + 2.0 * 9.81 * 0.5 * theta.sin() + 1e-6 * acceleration;
        assert!((found[0] - expected).abs() < 1e-7, "{found:?} for {expected}");
    }
}

/// Two links in a plane, by the textbook: M q'' + c + g, and a force at the tip by J^T.
#[test]
fn moments_of_two_links_are_those_of_the_textbook() {
    let mut model = in_plane(9.81);
    let [upper, lower] = [("upper", 0.0), ("lower", 0.3)].map(|(name, x)| {
        model.add(solid_box(name, 2.0, [0.3, 0.04, 0.04]).at(shift(x + 0.15, 0.0, 0.0)))
    });
    let first = hinge(&mut model, [Some(upper), None], Vec3::zeros(), Vec3::z());
    let second = hinge(&mut model, [Some(lower), Some(upper)], Vec3::x() * 0.3, Vec3::z());
    let coordinates = [first, second].map(|joint| JointCoordinate::new(joint, "theta"));
    let dynamics = InverseDynamics::new(&model, &coordinates).unwrap();
    let (a, b, rates, accelerations) = (0.4, 0.9, [1.5, -2.0], [3.0, -1.0]);
    let motion = JointMotion {
        time: 0.0,
        values: vec![a, b],
        rates: rates.to_vec(),
        accelerations: accelerations.to_vec(),
    };
    let mut state = dynamics.start();
    dynamics.place(&mut state, &motion).unwrap();
    let tip =
        Vec3::new(0.3 * a.cos() + 0.3 * (a + b).cos(), 0.3 * a.sin() + 0.3 * (a + b).sin(), 0.0);
    let push = Vec3::new(4.0, -7.0, 0.0);
    let moment = Vec3::z() * 0.3;
    let external = ExternalForce { body: lower, force: push, point: tip, moment };
    let found = dynamics.moments(&state, &motion, &[external]).unwrap();
    let (m, l, c, g) = (2.0, 0.3, 0.15, 9.81);
    let i = m * (0.3f64.powi(2) + 0.04f64.powi(2)) / 12.0;
    let (m11, m12, m22) = (
        2.0 * i + m * c * c + m * (l * l + c * c + 2.0 * l * c * b.cos()),
        i + m * (c * c + l * c * b.cos()),
        i + m * c * c,
    );
    let h = m * l * c * b.sin();
    let weight = [
        m * g * c * a.cos() + m * g * (l * a.cos() + c * (a + b).cos()),
        m * g * c * (a + b).cos(),
    ];
    let elbow = Vec3::new(l * a.cos(), l * a.sin(), 0.0);
    let by_push = [tip.cross(&push).z + moment.z, (tip - elbow).cross(&push).z + moment.z];
    let expected = [
        m11 * accelerations[0] + m12 * accelerations[1]
            - h * (2.0 * rates[0] * rates[1] + rates[1].powi(2))
            + weight[0]
            - by_push[0],
        m12 * accelerations[0] + m22 * accelerations[1] + h * rates[0].powi(2) + weight[1]
            - by_push[1],
    ];
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-6, "{found:?} for {expected:?}");
    }
}

#[test]
fn moments_of_lines_are_their_arms_and_share_a_load_by_them() {
    let mut model = in_plane(0.0);
    let body = model.add(solid_box("lever", 1.0, [0.2, 0.1, 0.1]));
    let joint = hinge(&mut model, [Some(body), None], Vec3::zeros(), Vec3::z());
    let lines: Vec<ComponentId> = [(0.04, 1000.0), (0.03, 800.0)]
        .map(|(arm, force)| {
            let ends = (Vec3::new(-0.5, arm, 0.0), body, Vec3::y() * arm);
            muscle(&mut model, ends, constant(force)).into()
        })
        .to_vec();
    let coordinates = [JointCoordinate::new(joint, "theta")];
    let motion = JointMotion {
        values: vec![0.0],
        rates: vec![0.0],
        accelerations: vec![0.0],
        ..Default::default()
    };
    let dynamics = InverseDynamics::new(&model, &coordinates).unwrap();
    let mut state = dynamics.start();
    dynamics.place(&mut state, &motion).unwrap();
    let arms = MuscleMoments::new(&model, &lines, &coordinates).unwrap();
    let mut matrix = arms.matrix(&state, &motion).unwrap();
    for (found, expected) in matrix.iter().zip([0.04, 0.03]) {
        assert!((found - expected).abs() < 1e-9, "{matrix}");
    }
    matrix.column_mut(0).scale_mut(1000.0);
    matrix.column_mut(1).scale_mut(800.0);
    let found = StaticOptimization::default().solve(&matrix, &[20.0]).unwrap();
    for (a, b) in found.activations.iter().zip(HINGE[0].3) {
        assert!((a - b).abs() < 1e-6, "{found:?}");
    }
    let body: ComponentId = body.into();
    let error = MuscleMoments::new(&model, &[body], &coordinates).err().unwrap();
    assert!(matches!(error, InverseError::Excitation(_)), "{error}");
}

#[test]
fn coordinates_that_are_missing_and_places_that_are_none_are_told() {
    // A body in space that no coordinate moves.
    let mut model = in_plane(9.81);
    let free = model.add(solid_box("free", 1.0, [0.1; 3]).at(shift(1.0, 0.0, 0.0)));
    let bar = model.add(solid_box("bar", 1.0, [0.1; 3]));
    let joint = hinge(&mut model, [Some(bar), None], Vec3::zeros(), Vec3::z());
    let of = [JointCoordinate::new(joint, "theta")];
    let motion = JointMotion {
        values: vec![0.1],
        rates: vec![0.0],
        accelerations: vec![0.0],
        ..Default::default()
    };
    let dynamics = InverseDynamics::new(&model, &of).unwrap();
    let mut state = dynamics.start();
    dynamics.place(&mut state, &motion).unwrap();
    let error = dynamics.moments(&state, &motion, &[]).unwrap_err();
    assert!(error.to_string().contains("external forces"), "{error}");
    let weight = ExternalForce {
        body: free,
        force: Vec3::y() * 9.81,
        point: Vec3::x(),
        moment: Vec3::zeros(),
    };
    assert!(dynamics.moments(&state, &motion, &[weight]).is_ok());
    let short = JointMotion { rates: Vec::new(), ..motion };
    let error = dynamics.place(&mut state, &short).unwrap_err();
    assert!(matches!(error, InverseError::Coefficients { found: 0, expected: 1 }), "{error}");
    let nothing = JointCoordinate::new(joint, "phi");
    let error = InverseDynamics::new(&model, &[nothing]).err().unwrap();
    assert!(error.to_string().contains("phi"), "{error}");
}

/// Muscles are what moments are asked of: they take no part themselves.
#[test]
fn muscles_take_no_part_in_moments() {
    let mut scene = lever();
    let (joint, _) = scene.model.iter::<sinew::model::Joint>().next().unwrap();
    let of = [JointCoordinate::new(joint, "theta")];
    let motion = JointMotion {
        values: vec![0.2],
        rates: vec![0.5],
        accelerations: vec![1.0],
        ..Default::default()
    };
    let found = |model: &Model| {
        let dynamics = InverseDynamics::new(model, &of).unwrap();
        let mut state = dynamics.start();
        dynamics.place(&mut state, &motion).unwrap();
        assert_eq!(state.q.len(), model.compile().unwrap().pattern().size());
        dynamics.moments(&state, &motion, &[]).unwrap()[0]
    };
    let at_rest = found(&scene.model);
    for &id in &scene.excited {
        let property = scene.model.property_of(id, "excitation").unwrap();
        scene.model.set_property(&property, sinew::property::Value::Real(0.8)).unwrap();
    }
    assert_eq!(at_rest, found(&scene.model));
    let (_, body) = scene.model.iter::<RigidBody>().next().unwrap();
    assert_eq!(body.name, "forearm");
    let inertia = 2.0 * (0.6f64.powi(2) + 0.05f64.powi(2)) / 12.0 + 2.0 * 0.09;
    let expected = inertia + 2.0 * 9.81 * 0.3 * 0.2f64.cos();
    assert!((at_rest - expected).abs() < 1e-6, "{at_rest} for {expected}");
}

/// Markers on two links, one of them not seen, are met again; a range stops what they ask for; noise leaves its distance.
#[test]
fn bodies_are_found_again_from_markers_on_them() {
    let mut model = in_plane(9.81);
    let [upper, lower] = [("upper", 0.0), ("lower", 0.3)].map(|(name, x)| {
        model.add(solid_box(name, 2.0, [0.3, 0.04, 0.04]).at(shift(x + 0.15, 0.0, 0.0)))
    });
    let first = hinge(&mut model, [Some(upper), None], Vec3::zeros(), Vec3::z());
    let second = hinge(&mut model, [Some(lower), Some(upper)], Vec3::x() * 0.3, Vec3::z());
    let coordinates = [first, second].map(|joint| JointCoordinate::new(joint, "theta"));
    let sites = [
        (upper, [-0.05, 0.02, 0.02]),
        (upper, [0.1, -0.02, 0.01]),
        (lower, [-0.1, 0.02, 0.0]),
        (lower, [0.12, 0.02, -0.02]),
        (lower, [0.0, -0.02, 0.02]),
    ];
    let markers = sites.map(|(body, place)| {
        let marker = model.add(sinew::model::FrameMarker::new(body, Vec3::from(place)));
        Marker { point: marker.into(), weight: 1.0 }
    });
    let dynamics = InverseDynamics::new(&model, &coordinates).unwrap();
    let compiled = model.compile().unwrap();
    let places = |values: [f64; 2]| {
        let (values, zeros) = (values.to_vec(), vec![0.0; 2]);
        let motion = JointMotion { values, rates: zeros.clone(), accelerations: zeros, time: 0.0 };
        let mut state = dynamics.start();
        dynamics.place(&mut state, &motion).unwrap();
        markers.map(|it| Some(state.q[compiled.find_row(it.point).unwrap()]))
    };
    let kinematics = InverseKinematics::new(&model, &markers).unwrap();
    let mut state = kinematics.start();
    for values in [[0.3, 0.5], [0.9, 1.4], [-0.4, 2.2]] {
        let mut recorded = places(values);
        recorded[3] = None;
        let distance = kinematics.place(&mut state, &recorded).unwrap();
        assert!(distance < 1e-9, "{distance}");
        for (of, value) in coordinates.iter().zip(values) {
            let found = kinematics.coordinate(&model, of, &state).unwrap();
            assert!((found - value).abs() < 1e-8, "{found} for {value}");
        }
    }
    // All markers of the lower link off to the side, along which no joint moves: they stay at that distance.
    let mut recorded = places([0.3, 0.5]);
    recorded[2..].iter_mut().flatten().for_each(|place| place.z += 0.01);
    let distance = kinematics.place(&mut state, &recorded).unwrap();
    assert!((distance - 0.01 * (3f64 / 5.0).sqrt()).abs() < 1e-9, "{distance}");
    let error = kinematics.place(&mut state, &recorded[1..]).unwrap_err();
    assert!(matches!(error, InverseError::Coefficients { found: 4, expected: 5 }), "{error}");
}

#[test]
fn ranges_of_joints_stop_bodies_short_of_their_markers() {
    let mut model = in_plane(0.0);
    let bar = model.add(solid_box("bar", 1.0, [0.3, 0.04, 0.04]).at(shift(0.15, 0.0, 0.0)));
    let joint = hinge(&mut model, [Some(bar), None], Vec3::zeros(), Vec3::z());
    model[joint].settings.coordinates[0].range.upper = Some(0.5);
    let marker = model.add(sinew::model::FrameMarker::new(bar, Vec3::x() * 0.15));
    let markers = [Marker { point: marker.into(), weight: 2.0 }];
    let kinematics = InverseKinematics::new(&model, &markers).unwrap();
    let mut state = kinematics.start();
    let beyond = Vec3::new(0.3 * 0.8f64.cos(), 0.3 * 0.8f64.sin(), 0.0);
    let distance = kinematics.place(&mut state, &[Some(beyond)]).unwrap();
    let of = JointCoordinate::new(joint, "theta");
    let found = kinematics.coordinate(&model, &of, &state).unwrap();
    assert!((found - 0.5).abs() < 1e-8, "{found}");
    assert!((distance - 0.6 * 0.15f64.sin()).abs() < 1e-8, "{distance}");
}
