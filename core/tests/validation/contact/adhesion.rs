//! Adhesion: a constant tension within a range (Dugdale's law, Maugis1992) under rigid feet, and around balls on the force of
//! Hertz and on a foundation, which is the limit of Derjaguin, Muller and Toporov (Derjaguin1975).

use std::f64::consts::PI;

use sinew::Vec3;
use sinew::component::Handle;
use sinew::contact::{ContactLaw, HuntCrossley, NormalLaw};
use sinew::model::{FrameLoad, Model, RigidBody, Schedule};

use super::laws::{AREA, LAYER, RADIUS, ball, foot, root};
use crate::table::Row;
use crate::touching::{EULER, Scene, TRAPEZOIDAL};

/// Work of adhesion [J/m²] and range [m].
const WORK: f64 = 0.5;
const RANGE: f64 = 1e-3;
/// Effective modulus of balls [Pa].
const MODULUS: f64 = 1e5;

fn rigid() -> ContactLaw {
    ContactLaw::default().sticking(WORK, RANGE)
}

/// The force of Hertz beside the adhesion.
fn hertz() -> ContactLaw {
    let hunt_crossley = HuntCrossley { effective_modulus: MODULUS, exponent: 1.5, radius: 0.0 };
    ContactLaw { normal: NormalLaw::HuntCrossley, hunt_crossley, dissipation: 50.0, ..rigid() }
}

/// Greatest pull of a contact under a load that grows to `most` [N] in 1 s.
fn pull_off((mut model, body): (Model, Handle<RigidBody>), most: f64) -> f64 {
    let load = FrameLoad::new(body, Vec3::z() * most, Vec3::zeros());
    let schedule = Schedule::Table(vec![[0.0, 0.0], [1.0, 1.0]]);
    model.add(FrameLoad { schedule, ..load });
    let mut scene = Scene::new(&model, EULER);
    let mut greatest = 0.0f64;
    for _ in 0..1000 {
        scene.step(1e-3);
        greatest = greatest.max(-scene.force().z);
    }
    assert!(scene.force().z == 0.0, "it is off at the end");
    greatest
}

/// Energy that parting takes from a foot [J].
fn work_of_parting() -> f64 {
    let (mass, velocity) = (0.5, 0.5);
    let (model, foot) = foot(rigid(), (mass, 0.0), velocity);
    let mut scene = Scene::new(&model, TRAPEZOIDAL);
    while scene.place(foot).z < 0.05 + 1.5 * RANGE {
        scene.step(1e-5);
    }
    0.5 * mass * (velocity * velocity - scene.velocity(foot).norm_squared())
}

/// Overlap of a ball on which nothing but the adhesion presses [m].
fn overlap_without_load(law: ContactLaw) -> f64 {
    let (model, body) = ball(law, (0.2, 0.0), (-1e-6, 0.0));
    let mut scene = Scene::new(&model, EULER);
    scene.steps(1e-3, 1500);
    RADIUS - scene.place(body).z
}

fn pull_offs() -> [Row; 3] {
    let strength = WORK / RANGE * AREA;
    let foot_off = pull_off(foot(rigid(), (0.1, 0.0), 0.0), 1.2 * strength);
    let ball_off = |law| pull_off(ball(law, (0.02, 0.0), (1e-6, 0.0)), 1.2 * derjaguin());
    let row = |what: &str, pair| {
        Row::new(format!("adhesion of {what}, 1 ms"), "pull-off force [N]", pair, 3e-3)
    };
    [
        row("a foot", (strength, foot_off)),
        row("a rigid ball", (derjaguin(), ball_off(rigid()))),
        row("a ball under the force of Hertz", (derjaguin(), ball_off(hertz()))),
    ]
}

/// The pull on a ball that touches [N].
fn derjaguin() -> f64 {
    2.0 * PI * WORK * RADIUS
}

fn overlaps() -> [Row; 2] {
    // 4/3 E sqrt(R) d^(3/2) is the pull; so is K/t times the volume of the cap.
    let pressed = (derjaguin() / (4.0 / 3.0 * MODULUS * RADIUS.sqrt())).powf(2.0 / 3.0);
    let foundation = ContactLaw {
        normal: NormalLaw::ElasticFoundation,
        foundation: LAYER,
        dissipation: 50.0,
        ..rigid()
    };
    let cap = |d: f64| PI * d * d * (RADIUS - d / 3.0) * LAYER.stiffness() - derjaguin();
    let sunk = root(cap, 0.0, RADIUS);
    let row = |what: &str, pair| {
        Row::new(format!("adhesion of a ball {what}, 1 ms"), "overlap without load [m]", pair, 1e-6)
    };
    [
        row("under the force of Hertz", (pressed, overlap_without_load(hertz()))),
        row("on an elastic foundation", (sunk, overlap_without_load(foundation))),
    ]
}

pub(super) fn rows() -> Vec<Row> {
    let taken = (WORK * AREA, work_of_parting());
    let parting = Row::new("adhesion of a foot, 10 µs", "work of parting [J]", taken, 1e-2);
    [&pull_offs()[..], &[parting], &overlaps()].concat()
}
