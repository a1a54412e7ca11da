//! Cardiac mechanics: the second and third problems of Land2015 on the built-in ventricle.

use sinew::Vec3;
use sinew::fem::face_points;
use sinew_datasets::ventricle::{Task, VentricleParams, ventricle};

use super::problem::{Solved, solve};
use super::table::{Group, Row};

const MM: f64 = 1e-3;
/// Height of the base [m].
const BASE: Vec3 = Vec3::new(0.0, 0.0, 5e-3);

/// The ventricle in equilibrium: heights of the apex inside and outside [mm], volume of the cavity [mm³].
fn settle(task: Task, [along, around, across]: [usize; 3], increments: usize) -> [f64; 3] {
    let mut params = VentricleParams { along, around, across, ..VentricleParams::of(task) };
    params.law.bulk_modulus = kappa();
    let solved = solve(ventricle(&params).expect("a ventricle"), increments);
    let apex = &solved.mesh().node_sets["apex"];
    let [inside, outside] = [0, 1].map(|k| solved.position(apex[k]).z / MM);
    [inside, outside, cavity(&solved) / MM.powi(3)]
}

fn kappa() -> f64 {
    std::env::var("KAPPA").map_or(1e6, |k| k.parse().unwrap())
}

/// Volume between the endocardium and the plane of the base [m³], which stays.
fn cavity(solved: &Solved) -> f64 {
    let mesh = solved.mesh();
    let mut sum = 0.0;
    for face in &mesh.face_sets["endocardium"] {
        let (kind, nodes) = mesh.element(face.element as usize);
        let own = kind.faces()[face.face as usize];
        let at: Vec<Vec3> =
            own.iter().map(|&k| solved.position(nodes[k as usize]) - BASE).collect();
        for point in face_points(own.len()) {
            let [mut x, mut along, mut across] = [Vec3::zeros(); 3];
            for (k, at) in at.iter().enumerate() {
                x += at * point.n[k];
                along += at * point.slopes[k][0];
                across += at * point.slopes[k][1];
            }
            // Faces of the wall look into the cavity.
            sum -= x.dot(&along.cross(&across)) * point.weight / 3.0;
        }
    }
    sum
}

#[test]
fn study() {
    let Ok(counts) = std::env::var("LAND") else { return };
    let n: Vec<usize> = counts.split(' ').map(|n| n.parse().unwrap()).collect();
    for (task, increments) in [(Task::Inflate, n[3]), (Task::Contract, n[4])] {
        let start = std::time::Instant::now();
        let at = settle(task, [n[0], n[1], n[2]], increments);
        println!("{task:?} {n:?} {at:?} {:?}", start.elapsed());
    }
}

pub(crate) fn groups() -> Vec<Group> {
    Vec::new()
}
