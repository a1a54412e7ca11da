//! Custom joints: one made of a known kind gives its rows; mistakes are found and named.

use super::*;
use crate::constraint::Quantity::{Angle, Length};
use crate::constraint::{CoordinateSpec, CustomJointError, Jet, JointFunctions, Range, Scalar};

/// A screw: C turns by theta about z and advances by `lead` a radian.
fn screw(lead: f64) -> JointFunctions {
    JointFunctions {
        name: "screw".to_owned(),
        coordinates: vec![CoordinateSpec::angle("theta", Range::FREE)],
        rows: vec![Length, Length, Length, Angle, Angle],
        pose: Box::new(move |q| Pose::new(Vec3::new(0.0, 0.0, lead * q[0]), Vec3::z() * q[0])),
        errors: Box::new(move |t, q, g| {
            g[..2].copy_from_slice(&t.position[..2]);
            // By the coordinate, which counts turns.
            g[2] = t.position[2] - q[0] * lead;
            g[3..5].copy_from_slice(&t.tilt());
        }),
        readout: Box::new(|t, q| q[0] = t.twist()),
    }
}

fn scene_of_numbers() -> Scene {
    Scene {
        place: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
        centres: [0.3, -0.2, 0.1, 0.5, 0.4, -0.3],
        motion_a: [0.1, -0.3, 0.2, 0.5, 0.1, 0.7],
        motion_b: [-0.4, 0.6, 0.3, -0.2, 0.8, 0.1],
    }
}

#[test]
fn a_screw_without_lead_is_a_hinge() {
    let joint = screw(0.0);
    joint.check_jacobian(&[0.7]).unwrap();
    let frames = scene_of_numbers().frames(&JointKind::Hinge.pose(&[0.7]));
    let mut rows = vec![JointRow::ZERO; 5];
    joint.calc_rows(&frames[0], &frames[1], &[0.0], &mut rows);
    assert_eq!(rows, rows_of(&JointKind::Hinge, &frames));
    let mut rows = vec![JointRow::ZERO; 1];
    joint.calc_coordinate_rows(&frames[0], &frames[1], &[19.0], &mut rows);
    assert_eq!(rows, coordinate_rows_of(&JointKind::Hinge, &frames, &[19.0]));
    assert!((rows[0].value - 0.7 - 3.0 * std::f64::consts::TAU).abs() < 1e-14);
}

#[test]
fn a_screw_advances_with_its_turn() {
    let joint = screw(0.01);
    for theta in [-2.5, 0.0, 0.3, 3.0] {
        joint.check_jacobian(&[theta]).unwrap();
    }
    // A push of 1 N along the thread is held up by the moment lead · 1 N.
    let ground = FrameMotion::ground(Pose::identity());
    let mut rows = vec![JointRow::ZERO; 5];
    joint.calc_rows(&ground, &ground, &[0.0], &mut rows);
    assert_eq!(rows[2].on_a.force, Vec3::z());
    assert!((rows[2].on_a.moment - Vec3::z() * -0.01).norm() < 1e-17);
}

#[test]
fn a_derivative_that_was_dropped_is_found_in_its_row() {
    let mut joint = screw(0.01);
    joint.errors = Box::new(|t, _, g| {
        g[..2].copy_from_slice(&t.position[..2]);
        g[2] = t.position[2] - Jet::constant(0.01 * t.twist().value());
        g[3..5].copy_from_slice(&t.tilt());
    });
    let error = joint.check_jacobian(&[0.4]).unwrap_err();
    let CustomJointError::Derivative { row, displacement, derivative, difference, .. } = error
    else {
        panic!("{error}");
    };
    assert_eq!((row.as_str(), displacement, derivative), ("row 2", 5, 0.0));
    assert!((difference + 0.01).abs() < 1e-9, "{difference}");
}

#[test]
fn functions_that_contradict_each_other_are_named() {
    let mut joint = screw(0.01);
    joint.pose = screw(0.02).pose;
    let message = joint.check_jacobian(&[0.5]).unwrap_err().to_string();
    assert!(message.starts_with("joint screw: row 2 has the error 5"), "{message}");

    let mut joint = screw(0.01);
    joint.readout = Box::new(|t, q| q[0] = -t.twist());
    let message = joint.check_jacobian(&[0.5]).unwrap_err().to_string();
    assert!(message.contains("coordinate theta is read as -0.5"), "{message}");

    let mut joint = screw(0.01);
    joint.rows.pop();
    let message = joint.check_jacobian(&[0.5]).unwrap_err().to_string();
    assert_eq!(message, "joint screw: 4 rows and 1 coordinates, together they must be 6");

    let mut joint = screw(0.01);
    joint.errors = Box::new(|_, _, g| g.fill(Jet::constant(f64::NAN)));
    assert!(matches!(
        joint.check_jacobian(&[0.5]),
        Err(CustomJointError::NotAssembled { row: 0, .. })
    ));
}
