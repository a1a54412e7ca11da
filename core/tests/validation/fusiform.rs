//! A fusiform muscle that contracts between two ends that are fixed: force of the ends, and how it bulges.

use std::f64::consts::PI;

use sinew::Vec3;
use sinew::material::{BlemkerMuscleConstants, MaterialSpec};
use sinew::model::{FemModel, MuscleBundle};
use sinew_datasets::beam::BeamElement;

use super::laws::mooney_rivlin;
use super::meshes::grid;
use super::problem::{close, fix, nodes_where, solve, tissue};
use super::table::{Group, Row};

const MM: f64 = 1e-3;
/// FEL-FUSIFORM-ISOMETRIC: mu, kappa and maximum stress [Pa]; half of the length, cells along it and across.
const MODULI: [f64; 3] = [40e3, 4e7, 150e3];
const HALF: f64 = 50.0;
const CELLS: [usize; 3] = [8, 4, 4];
/// Activation, force [mN], radius in the middle [mm].
const REFERENCE: [[f64; 3]; 2] = [[0.2, 11482.496, 12.204345], [0.4, 22828.664, 12.382826]];

/// Force of an end [mN] and radius in the middle [mm] at an activation.
fn contracted(activation: f64) -> [f64; 2] {
    let mut mesh = grid(BeamElement::QuadHex, CELLS, [HALF, 2.0, 2.0]);
    for x in &mut mesh.nodes {
        let (u, v) = (x.y - 1.0, x.z - 1.0);
        // A square to a disc.
        let disc = Vec3::new(0.0, u * (1.0 - v * v / 2.0).sqrt(), v * (1.0 - u * u / 2.0).sqrt());
        let radius = 10.0 + 2.0 * (PI * x.x / 100.0).sin().powi(2);
        *x = (Vec3::x() * x.x + disc * radius) * MM;
    }
    let [mu, kappa, max_stress] = MODULI;
    let mut model = tissue(mesh, mooney_rivlin([0.5 * mu, 0.0, 0.0, 0.0, 0.0, kappa]));
    let at = |x: f64| nodes_where(&model.fem(0).mesh, |p| close(p.x, x * MM));
    let (end, middle) = (at(0.0), at(HALF));
    let rim = nodes_where(&model.fem(0).mesh, |p| {
        close(p.x, HALF * MM) && close(p.y.hypot(p.z), 12.0 * MM)
    });
    fix(&mut model, end.clone(), [true; 3]);
    fix(&mut model, middle, [true, false, false]);
    let law = BlemkerMuscleConstants { max_stress, ..BlemkerMuscleConstants::default() };
    let fem = model.nth::<FemModel>(0);
    let bundle = MuscleBundle::new(fem, MaterialSpec::BlemkerMuscle(law));
    model.add(MuscleBundle { excitation: activation, fibres: vec![Vec3::x()], ..bundle });
    let solved = solve(model, 4);
    let reactions = solved.reactions();
    let force: f64 = end.iter().map(|&n| -reactions[n as usize].x).sum();
    let radius = |&n: &u32| solved.position(n).y.hypot(solved.position(n).z);
    [force * 1e3, rim.iter().map(radius).sum::<f64>() / rim.len() as f64 / MM]
}

pub(crate) fn groups() -> Vec<Group> {
    let mut rows = Vec::new();
    for [activation, force, radius] in REFERENCE {
        let case = format!("hex20, {CELLS:?} cells of a half, activation {activation}");
        let [ours, middle] = contracted(activation);
        rows.push(Row::new(case.clone(), "force of an end [mN]", (force, ours), 5e-3));
        let error = (middle - radius).abs() / (radius - 12.0);
        let row = Row::new(
            case,
            "radius in the middle [mm], error of its change",
            (radius, middle),
            5e-2,
        );
        rows.push(row.with_error(error));
    }
    vec![Group {
        title: "A fusiform muscle fixed at both ends",
        text: "FEL-FUSIFORM-ISOMETRIC: Blemker's fibres along the axis in a nearly incompressible matrix (kappa/mu = 1000), \
               against converged axisymmetric two-field elements.",
        rows,
    }]
}

#[test]
fn a_fusiform_muscle_pulls_and_bulges() {
    groups().iter().for_each(Group::check);
}
