//! Errors vanish exactly on the assembled poses, and a Newton projection reaches them.

use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use super::*;
use crate::constraint::calc_relative_pose;

proptest! {
    #[test]
    fn errors_vanish_at_poses_of_coordinates(random in six()) {
        for kind in kinds() {
            let g = errors_of(&kind, &kind.pose(&regular_coordinates(&kind, &random)));
            // A few roundings of lengths and angles of order one.
            prop_assert!(g.iter().all(|g| g.abs() < 2e-15 * 4.0), "{kind:?}: {g:?}");
        }
    }

    #[test]
    fn errors_do_not_vanish_away_from_assembly(random in six(), away in six()) {
        // A pose without error is that of its coordinates: no false zero is near 180 degrees.
        for kind in kinds().into_iter().filter(|kind| kind.coordinate_count() == kind.freedom()) {
            let assembled = kind.pose(&regular_coordinates(&kind, &random));
            let pose = assembled * displacement(&away, 0.1, std::f64::consts::PI);
            let g = errors_of(&kind, &pose).iter().fold(0.0_f64, |a, g| a.max(g.abs()));
            let q = coordinates_of(&kind, &pose, &vec![0.0; kind.coordinate_count()]);
            let off = distance(&pose, &kind.pose(&q));
            // Errors are lengths and angles: off by 1 is seen as at least 0.02. The centre of an
            // ellipsoid is as far from the surface as it gets.
            prop_assert!(g >= 0.02 * off || off < 1e-9, "{kind:?}: off by {off}, error {g}");
        }
    }

    #[test]
    fn newton_projection_converges(random in six(), away in six(), scene in scene()) {
        for kind in kinds() {
            let t_cd = kind.pose(&regular_coordinates(&kind, &random));
            // Centres of mass within 0.35 m of the joint, against a radius of gyration of 0.1 m.
            let scene = Scene { centres: scene.centres.map(|x| 0.2 * x), ..scene.clone() };
            let mut frames = scene.frames(&t_cd);
            let offset = displacement(&away, 0.05 / 3.0_f64.sqrt(), 0.349 / 3.0_f64.sqrt());
            frames[0].pose *= offset;
            for _ in 0..6 {
                project(&kind, &mut frames);
            }
            let g = errors_of(&kind, &calc_relative_pose(&frames[0], &frames[1]));
            prop_assert!(g.iter().all(|g| g.abs() < 1e-12), "{kind:?}: {g:?}");
        }
    }
}

/// One iteration of M δ = Gᵀ λ, G δ = -g with two bodies of 1 kg and 0.01 kg m².
fn project(kind: &JointKind, frames: &mut [FrameMotion; 2]) {
    let rows = rows_of(kind, frames);
    let g = DMatrix::from_fn(rows.len(), 12, |i, j| {
        let wrench = if j < 6 { &rows[i].on_a } else { &rows[i].on_b };
        if j % 6 < 3 { wrench.force[j % 3] } else { wrench.moment[j % 3] }
    });
    let inverse_mass = DVector::from_fn(12, |j, _| if j % 6 < 3 { 1.0 } else { 100.0 });
    let weighted = DMatrix::from_fn(12, rows.len(), |j, i| inverse_mass[j] * g[(i, j)]);
    let error = DVector::from_fn(rows.len(), |i, _| -rows[i].value);
    let Some(factor) = (&g * &weighted).cholesky() else {
        assert!(rows.is_empty(), "{kind:?}: rows depend on each other");
        return;
    };
    let step = weighted * factor.solve(&error);
    for (frame, j) in frames.iter_mut().zip([0, 6]) {
        let part = |k: usize| Vec3::new(step[k], step[k + 1], step[k + 2]);
        *frame = displaced(frame, &part(j), &part(j + 3));
    }
}

#[test]
fn rows_and_degrees_of_freedom_are_six() {
    for kind in kinds() {
        let coordinates = kind.coordinate_count();
        let expected = if kind == JointKind::Spherical { 0 } else { kind.freedom() };
        assert_eq!(coordinates, expected, "{kind:?}");
    }
}

#[test]
fn frames_coincide_at_zero_coordinates() {
    for kind in kinds() {
        let pose = kind.pose(&vec![0.0; kind.coordinate_count()]);
        let expected = match kind {
            JointKind::Ellipsoid(s) | JointKind::Ellipsoid3d(s) => {
                Pose::translation(0.0, 0.0, s.semi_axes[2])
            }
            _ => Pose::identity(),
        };
        assert!(distance(&pose, &expected) < 1e-15, "{kind:?}: {pose}");
    }
}
