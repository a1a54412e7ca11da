//! Point constraints: rows are derivatives, forces are equal and opposite.

use proptest::prelude::*;

use super::*;
use crate::constraint::{PointConstraint, PointMotion, PointRow};

const CONSTRAINTS: [PointConstraint; 4] = [
    PointConstraint::OnPlane,
    PointConstraint::OnLine,
    PointConstraint::AtPoint,
    PointConstraint::AtDistance { length: 0.7 },
];

fn point_rows(constraint: &PointConstraint, point: &PointMotion, d: &FrameMotion) -> Vec<PointRow> {
    let mut rows = vec![PointRow::ZERO; constraint.row_count()];
    constraint.calc_rows(point, d, &mut rows);
    rows
}

proptest! {
    #[test]
    fn point_rows_are_derivatives(away in six(), scene in scene()) {
        let step = 1e-5;
        let frames = scene.frames(&displacement(&away, 1.0, 1.0));
        prop_assume!(away[..3].iter().map(|x| x * x).sum::<f64>() > 0.01);
        // The point is on body A, then a particle; the other side is on body B, then a particle.
        let (yes, no) = (true, false);
        for (point_on_body, frame_on_body) in [(yes, yes), (yes, no), (no, yes), (no, no)] {
            let at = |time: f64| {
                let [c, d] = frames.map(|frame| advanced(&frame, time));
                let origin = frames[1].pose.translation.vector;
                let start = frames[0].pose.translation.vector;
                let d = if frame_on_body { d } else {
                    FrameMotion::particle(origin + d.velocity * time, d.velocity)
                };
                let point = if point_on_body { PointMotion::on_body(&c) } else {
                    PointMotion::particle(start + c.velocity * time, c.velocity)
                };
                (point, d)
            };
            for constraint in CONSTRAINTS {
                let [before, now, after] = [-step, 0.0, step].map(|time| {
                    let (point, d) = at(time);
                    let rows = point_rows(&constraint, &point, &d);
                    let of = |r: &PointRow| (r.value, r.rate(&point, &d), r.velocity_term);
                    rows.iter().map(of).collect::<Vec<_>>()
                });
                for k in 0..now.len() {
                    let slope = (after[k].0 - before[k].0) / (2.0 * step);
                    let bend = (after[k].1 - before[k].1) / (2.0 * step);
                    let (rate, term) = (now[k].1, now[k].2);
                    prop_assert!((slope - rate).abs() < 1e-6, "{constraint:?}: {rate} not {slope}");
                    let off = (bend - term).abs();
                    prop_assert!(off < 1e-5 * (1.0 + term.abs()), "{constraint:?}: {term}, {bend}");
                }
            }
        }
    }

    #[test]
    fn point_forces_have_one_line_of_action(away in six(), scene in scene()) {
        let frames = scene.frames(&displacement(&away, 1.0, 1.0));
        let point = PointMotion::on_body(&frames[0]);
        for constraint in CONSTRAINTS {
            for row in point_rows(&constraint, &point, &frames[1]) {
                let couple = (point.position - row.support).cross(&row.coefficient);
                prop_assert!(couple.norm() < 1e-15 * 10.0, "{constraint:?}: {couple}");
                prop_assert!((row.coefficient.norm() - 1.0).abs() < 1e-15 * 4.0);
            }
        }
    }
}

#[test]
fn a_point_at_point_row_is_that_of_a_spherical_joint() {
    let scene = Scene {
        place: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
        centres: [0.3, -0.2, 0.1, 0.5, 0.4, -0.3],
        motion_a: [0.1, -0.3, 0.2, 0.5, 0.1, 0.7],
        motion_b: [-0.4, 0.6, 0.3, -0.2, 0.8, 0.1],
    };
    let frames = scene.frames(&displacement(&[0.1, -0.2, 0.3, 0.4, 0.1, 0.2], 1.0, 1.0));
    let joint = rows_of(&JointKind::Spherical, &frames);
    let point = PointMotion::on_body(&frames[0]);
    let rows = point_rows(&PointConstraint::AtPoint, &point, &frames[1]);
    for (joint, row) in joint.iter().zip(rows) {
        let arm = row.support - frames[1].centre;
        assert!((joint.on_b.moment + arm.cross(&row.coefficient)).norm() < 1e-15);
        assert!((joint.value - row.value).abs() < 1e-15);
        assert!((joint.velocity_term - row.velocity_term).abs() < 1e-14);
    }
}

#[test]
fn a_rod_of_no_length_has_a_finite_row() {
    let ground = FrameMotion::ground(Pose::identity());
    let point = PointMotion::particle(Vec3::zeros(), Vec3::new(1.0, 2.0, 3.0));
    let rows = point_rows(&PointConstraint::AtDistance { length: 0.5 }, &point, &ground);
    assert_eq!(rows[0].coefficient, Vec3::z());
    assert_eq!((rows[0].value, rows[0].velocity_term), (-0.5, 0.0));
}

#[test]
fn a_stone_on_a_string_is_pulled_by_its_speed_squared() {
    // 2 m/s across a rod of 0.5 m: 8 m/s² away from the centre at constant velocity.
    let ground = FrameMotion::ground(Pose::identity());
    let point = PointMotion::particle(Vec3::x() * 0.5, Vec3::y() * 2.0);
    let rows = point_rows(&PointConstraint::AtDistance { length: 0.5 }, &point, &ground);
    assert_eq!((rows[0].value, rows[0].velocity_term), (0.0, 8.0));
    assert_eq!(rows[0].rate(&point, &ground), 0.0);
}
