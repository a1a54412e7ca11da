//! Coordinates and poses undo each other; turns are counted; signs and axes are those of the
//! documents.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn a_pose_is_that_of_its_coordinates(random in six()) {
        for kind in kinds() {
            let q = regular_coordinates(&kind, &random);
            let pose = kind.pose(&q);
            let back = coordinates_of(&kind, &pose, &vec![0.0; q.len()]);
            let off = distance(&pose, &kind.pose(&back));
            prop_assert!(off < 1e-14, "{kind:?}: {q:?} gives {back:?}, off by {off:e}");
        }
    }

    #[test]
    fn coordinates_come_back_with_their_turns(
        random in six(), turns in prop::array::uniform6(-9..9),
    ) {
        for kind in kinds() {
            let mut q = regular_coordinates(&kind, &random);
            for (k, spec) in kind.coordinate_specs().iter().enumerate() {
                if spec.quantity == Quantity::Angle {
                    q[k] += TAU * f64::from(turns[k]);
                }
            }
            // What the coordinates were a little while ago.
            let previous: Vec<f64> = q.iter().map(|q| q + 0.1).collect();
            let back = coordinates_of(&kind, &kind.pose(&q), &previous);
            // Ten turns cost a digit; pitch and latitude of 60 degrees double the rest.
            let near = q.iter().zip(&back).all(|(a, b)| (a - b).abs() < 1e-13);
            prop_assert!(near, "{kind:?}: {q:?} gives {back:?}");
        }
    }

    #[test]
    fn a_gimbal_is_followed_through_any_pitch(start in six(), step in six()) {
        // Steps of at most 0.03 rad; the pitch passes 90 degrees, and the angles do not jump.
        for kind in [JointKind::Gimbal, JointKind::SphericalRpy] {
            let at = |k: f64| -> Vec<f64> {
                let angle = |i: usize| start[i] + k * 0.03 * step[i];
                vec![angle(0), 1.2 + k * 0.017, angle(2)]
            };
            let mut followed = at(0.0);
            for k in 0..60 {
                let q = at(f64::from(k));
                followed = coordinates_of(&kind, &kind.pose(&q), &followed);
                let off = followed.iter().zip(&q).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
                prop_assert!(off < 1e-11, "{kind:?}, step {k}: {q:?} is read as {followed:?}");
            }
        }
    }
}

#[test]
fn a_hinge_counts_its_turns() {
    let mut theta = [0.0];
    for step in 0..1000 {
        let expected = 0.1 * f64::from(step);
        let pose = JointKind::Hinge.pose(&[expected]);
        let previous = theta;
        JointKind::Hinge.calc_coordinates(&pose, &previous, &mut theta);
        assert!((theta[0] - expected).abs() < 1e-12, "{} for {expected}", theta[0]);
    }
    assert!(theta[0] > 15.0 * TAU);
}

/// Position in D of a point of C, with the joint at its coordinates.
fn moved(kind: JointKind, q: &[f64], point: [f64; 3]) -> Vec3 {
    (kind.pose(q) * nalgebra::Point3::from(point)).coords
}

fn assert_at(found: Vec3, expected: [f64; 3]) {
    assert!((found - Vec3::from(expected)).norm() < 1e-15, "{found} is not {expected:?}");
}

#[test]
fn axes_and_signs_are_artisynths() {
    use JointKind::*;
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let quarter = FRAC_PI_2;
    // Counterclockwise about z of D.
    assert_at(moved(Hinge, &[quarter], x), y);
    assert_at(moved(Slider, &[2.0], x), [1.0, 0.0, 2.0]);
    assert_at(moved(Cylindrical, &[2.0, quarter], x), [0.0, 1.0, 2.0]);
    // The slot is in D: turning does not move it.
    assert_at(moved(SlottedHinge, &[2.0, quarter], x), [2.0, 1.0, 0.0]);
    assert_at(moved(Planar, &[2.0, 3.0, quarter], x), [2.0, 4.0, 0.0]);
    assert_at(moved(PlanarTranslation, &[2.0, 3.0], x), [3.0, 3.0, 0.0]);
    // Roll about z, then pitch about the turned y: z goes to x, which roll takes to y.
    assert_at(moved(Universal, &[quarter, quarter], z), y);
    // The same for D seen from C: y of C is seen from D where roll and pitch are undone.
    assert_at(moved(RollPitch, &[quarter, quarter], y), z);
    assert_at(moved(FixedAxis, &[1.0, 2.0, 3.0, quarter, quarter], z), [1.0, 3.0, 3.0]);
    // Yaw about the turned x comes last.
    assert_at(moved(Gimbal, &[quarter, 0.0, quarter], y), z);
    assert_at(moved(Gimbal, &[0.0, quarter, 0.0], z), x);
    // Undone in the other order, and backwards.
    assert_at(moved(SphericalRpy, &[quarter, 0.0, quarter], z), y);
    assert_at(moved(Free, &[1.0, 2.0, 3.0, quarter, 0.0, 0.0], x), [1.0, 3.0, 3.0]);
}

#[test]
fn the_skewed_pitch_axis_stands_at_the_skew_angle() {
    let kind = JointKind::SkewedUniversal(Skew { skew_angle: 0.3 });
    // The pitch axis stays where roll takes it, whatever the pitch.
    let axis = [0.0, 0.3_f64.cos(), 0.3_f64.sin()];
    assert_at(moved(kind, &[0.0, 1.3], axis), axis);
    assert_at(moved(kind, &[FRAC_PI_2, 1.3], axis), [-axis[1], 0.0, axis[2]]);
}

#[test]
fn an_ellipsoid_joint_follows_longitude_and_latitude() {
    let shape = EllipsoidShape { semi_axes: [1.0, 2.0, 3.0], ..sphere() };
    let kind = JointKind::Ellipsoid3d(shape);
    let origin = [0.0; 3];
    // Longitude turns about x: the top of the z axis goes towards -y. Latitude goes towards +x.
    assert!(
        (moved(kind, &[FRAC_PI_2, 0.0, 0.0], origin) - Vec3::new(0.0, -2.0, 0.0)).norm() < 1e-15
    );
    assert!(
        (moved(kind, &[0.0, FRAC_PI_2, 0.0], origin) - Vec3::new(1.0, 0.0, 0.0)).norm() < 1e-15
    );
    // z of C is the normal, (x/a², y/b², z/c²) over its length.
    let q = [0.4, 0.5, 0.6];
    let p = moved(kind, &q, origin);
    let normal = Vec3::new(p.x, p.y / 4.0, p.z / 9.0).normalize();
    let along = moved(kind, &q, [0.0, 0.0, 1.0]) - p;
    assert!((along - normal).norm() < 1e-14, "{along} is not {normal}");
}

#[test]
fn the_scaled_normal_gives_turns_about_x_y_z() {
    // Seth2016: the rotation is Rx(longitude) Ry(latitude) Rz(theta), with phi about x after it.
    let shape =
        EllipsoidShape { semi_axes: [0.1, 0.2, 0.3], normal: EllipsoidNormal::Scaled, ..sphere() };
    let q = [0.4, -0.5, 0.6, 0.7];
    let turn = |axis: Vec3, angle: f64| nalgebra::UnitQuaternion::new(axis * angle);
    let expected = turn(Vec3::x(), q[0])
        * turn(Vec3::y(), q[1])
        * turn(Vec3::z(), q[2])
        * turn(Vec3::x(), q[3]);
    let off = JointKind::Ellipsoid(shape).pose(&q).rotation.angle_to(&expected);
    assert!(off < 1e-14, "{off:e}");
}

#[test]
fn default_ranges_are_artisynths() {
    let range = |kind: JointKind, k: usize| kind.coordinate_specs()[k].range;
    for kind in [JointKind::Gimbal, JointKind::SphericalRpy] {
        assert_eq!(range(kind, 0), super::super::Range::new(-PI, PI));
        assert_eq!(range(kind, 1), super::super::Range::new(-FRAC_PI_2, FRAC_PI_2));
        assert_eq!(range(kind, 2), super::super::Range::new(-PI, PI));
    }
    for kind in kinds() {
        let ranged = matches!(kind, JointKind::Gimbal | JointKind::SphericalRpy);
        let free = kind.coordinate_specs().iter().all(|c| c.range == super::super::Range::FREE);
        assert!(ranged || free, "{kind:?}");
    }
}
