//! A slender cantilever rolled into an arc by a moment at its end. The loads of a model keep their
//! direction, so that the couple is turned with the end face from one equilibrium to the next.

use std::f64::consts::{FRAC_2_PI, TAU};
use std::sync::LazyLock;

use sinew::Vec3;
use sinew::material::MaterialSpec;
use sinew_datasets::beam::BeamElement;

use super::meshes::grid;
use super::problem::{
    NodeForce, Solved, close, fix, isotropic, nodes_where, solve, tissue, traction,
};
use super::table::{Group, Row};

/// FEM-elastica-moment: part of a full turn, place of the end x, y over the length.
const ENDS: [[f64; 3]; 5] = [
    [0.125, 0.9003163161571061, 0.37292322857805654],
    [0.25, FRAC_2_PI, FRAC_2_PI],
    [0.5, 0.0, FRAC_2_PI],
    [0.75, -0.2122065907891938, 0.21220659078919385],
    [1.0, 0.0, 0.0],
];
const ALLOWED: f64 = 0.01;

/// Length and height of the beam [m], E [Pa]; nu = 0.
const LENGTH: f64 = 1.0;
const HEIGHT: f64 = 0.01;
const YOUNGS_MODULUS: f64 = 1e7;
/// Equal parts of the full moment.
const STEPS: usize = 16;
/// The couple is turned until the end face turns by less than this [rad].
const TURN_TOLERANCE: f64 = 1e-6;

/// The end face: its nodes, and the direction from its lower to its upper edge.
struct EndFace {
    lower: Vec<u32>,
    upper: Vec<u32>,
}

impl EndFace {
    fn middle(&self, solved: &Solved) -> Vec3 {
        let mean = |nodes: &[u32]| {
            nodes.iter().map(|&n| solved.position(n)).sum::<Vec3>() / nodes.len() as f64
        };
        (mean(&self.lower) + mean(&self.upper)) / 2.0
    }

    /// Angle by which the face has turned, between -pi and pi [rad].
    fn turn(&self, solved: &Solved) -> f64 {
        let along: Vec3 = self
            .upper
            .iter()
            .zip(&self.lower)
            .map(|(&u, &l)| solved.position(u) - solved.position(l))
            .sum();
        (-along.x).atan2(along.y)
    }
}

fn straight() -> (Solved, EndFace, Vec<NodeForce>) {
    let mesh = grid(BeamElement::QuadHex, [40, 1, 1], [LENGTH, HEIGHT, HEIGHT]);
    let material = MaterialSpec::StVenantKirchhoff(isotropic(YOUNGS_MODULUS, 0.0));
    let mut model = tissue(mesh, material);
    let mesh = &model.fem(0).mesh;
    let edge = |y: f64| nodes_where(mesh, |x| close(x.x, LENGTH) && close(x.y, y));
    let face = EndFace { lower: edge(0.0), upper: edge(HEIGHT) };
    // The moment of a full turn, 2 pi E I / L, as a traction that is linear over the height.
    let slope = TAU * YOUNGS_MODULUS / LENGTH;
    let couple = traction(mesh, |x| close(x.x, LENGTH), |x, n| n * (slope * (0.5 * HEIGHT - x.y)));
    let (clamped, all) = (nodes_where(mesh, |x| close(x.x, 0.0)), nodes_where(mesh, |_| true));
    fix(&mut model, clamped, [true; 3]);
    // With nu = 0 nothing moves along z; holding it halves the work.
    fix(&mut model, all, [false, false, true]);
    (solve(model, 1), face, couple)
}

/// Equilibrium under a part of the couple that has turned with the face.
fn bend(solved: &mut Solved, face: &EndFace, couple: &[NodeForce], part: f64) {
    for _ in 0..20 {
        let angle = face.turn(solved);
        let direction = Vec3::new(angle.cos(), angle.sin(), 0.0) * part;
        let turned = |(node, force): &NodeForce| (*node, direction * force.x);
        solved.reload(couple.iter().map(turned).collect());
        let change = (face.turn(solved) - angle).rem_euclid(TAU);
        if change.min(TAU - change) < TURN_TOLERANCE {
            return;
        }
    }
    panic!("the end face does not come to rest at {part} of the moment");
}

fn rows() -> Vec<Row> {
    let (mut solved, face, couple) = straight();
    let mut rows = Vec::new();
    for step in 1..=STEPS {
        let part = step as f64 / STEPS as f64;
        bend(&mut solved, &face, &couple, part);
        let Some([_, x, y]) = ENDS.into_iter().find(|end| close(end[0], part)) else { continue };
        // From the middle of the clamped face, in lengths.
        let end = (face.middle(&solved) - Vec3::new(0.0, 0.5 * HEIGHT, 0.5 * HEIGHT)) / LENGTH;
        let off = (end - Vec3::new(x, y, 0.0)).norm();
        for (axis, reference, ours) in [("x", x, end.x), ("y", y, end.y)] {
            let case = format!("{part} of a turn");
            let metric = format!("place of the end, {axis} / L; error: distance / L");
            let row = Row::new(case, metric, (reference, ours), ALLOWED).with_error(off);
            rows.push(Row { scale: 1.0, ..row });
        }
    }
    rows
}

pub(crate) fn groups() -> Vec<Group> {
    // Wanted by the test below and by the table, and not cheap.
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(rows);
    vec![Group {
        title: "Cantilever rolled up by a moment",
        text: "FEM-elastica-moment: 40 hex20 along a beam of 1 x 0.01 x 0.01 m, St. Venant-Kirchhoff, \
               nu = 0. Loads keep their direction, so that the couple on the end face is made anew from the \
               face's angle until that stands still, in 16 equal parts of the moment of a full turn. \
               Strain in the outer fibres reaches 3 %, where the law is no longer linear.",
        rows: ROWS.clone(),
    }]
}

#[test]
fn a_moment_rolls_a_cantilever_into_a_circle() {
    groups().iter().for_each(Group::check);
}
