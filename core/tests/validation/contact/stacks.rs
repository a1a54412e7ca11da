//! MB-stack-static: cubes of rising mass, and a heavy one on a light one.

use crate::table::Row;
use crate::touching::{EULER, Scene, stack, stray};

/// Normal forces from below [N], of 1, 2, .. 10 kg.
const TEN: [f64; 10] =
    [539.55, 529.74, 510.12, 480.69, 441.45, 392.4, 333.54, 264.87, 186.39, 98.1];
/// Of 1000 kg on 1 kg.
const RATIO: [f64; 2] = [9819.81, 9810.0];

fn stands(case: &str, masses: &[f64], expected: &[f64]) -> [Row; 3] {
    let (model, bodies, faces) = stack(0.1, masses, 0.0);
    let mut scene = Scene::new(&model, EULER);
    let (mut error, mut side, mut tilt) = (0f64, 0f64, 0f64);
    for k in 0..1000 {
        scene.step(0.01);
        // Of the first step all is known; later ones begin with what is left of the one before.
        if k % 100 == 0 {
            for (&face, expected) in faces.iter().zip(expected) {
                error = error.max((scene.force_of(face).z / expected - 1.0).abs());
            }
        }
        for &body in &bodies {
            let (aside, turned) = stray(&scene.pose(body));
            (side, tilt) = (side.max(aside), tilt.max(turned.to_degrees()));
        }
    }
    let lowest = scene.force_of(faces[0]).z;
    [
        Row::new(case, "lowest normal force [N]; error: of all", (expected[0], lowest), 1e-9)
            .with_error(error),
        Row::of_error(case, "drift in 10 s [m]", side, 1e-6),
        Row::of_error(case, "tilt in 10 s [degrees]", tilt, 1e-4),
    ]
}

pub(super) fn rows() -> Vec<Row> {
    let masses: Vec<f64> = (1..=10).map(f64::from).collect();
    let mut rows = stands("MB-stack-static, 10 ms", &masses, &TEN).to_vec();
    rows.extend(stands("MB-stack-static, 1000 kg on 1 kg, 10 ms", &[1.0, 1000.0], &RATIO));
    rows
}
