//! Tissue whose shape without stress is not its rest shape: a strip whose layers grow, a bar that its fibres hold tight.

use sinew::Vec3;
use sinew::material::MaterialSpec;
use sinew::model::RestState;
use sinew_datasets::beam::BeamElement;

use super::meshes::grid;
use super::problem::{close, fix, isotropic, nodes_where, solve, tissue};
use super::table::{Group, Row};

/// Growth along the strip over its height [1/m].
const GRADIENT: f64 = 1e-3;
/// Length, breadth and height of the strip [m].
const STRIP: [f64; 3] = [1.0, 0.05, 0.1];

/// Curvature [1/m] of the half of a strip that is far from its free end. Each of its layers grows by its middle.
fn curvature(material: MaterialSpec, layers: usize) -> f64 {
    let mesh = grid(BeamElement::QuadHex, [20, 1, layers], STRIP);
    let mut model = tissue(mesh, material);
    let fem = model.fem_mut(0);
    fem.fibres = vec![Vec3::x()];
    let growth = format!("1 + {GRADIENT} * (z - {})", 0.5 * STRIP[2]);
    fem.fields.insert("growth_fibre".into(), growth.as_str().into());
    let mesh = &model.fem(0).mesh;
    let middle = nodes_where(mesh, |x| close(x.x, 0.0));
    let foot = nodes_where(mesh, |x| close(x.x, 0.0) && close(x.z, 0.0));
    let side = nodes_where(mesh, |x| close(x.y, 0.0));
    let measured = nodes_where(mesh, |x| close(x.x, 0.5 * STRIP[0]) && close(x.z, 0.0));
    fix(&mut model, middle, [true, false, false]);
    fix(&mut model, side, [false, true, false]);
    fix(&mut model, foot, [false, false, true]);
    let solved = solve(model, 1);
    -2.0 * solved.mean_displacement(&measured).z / (0.5 * STRIP[0]).powi(2)
}

fn strip_rows() -> Vec<Row> {
    let linear = MaterialSpec::Linear(isotropic(1e6, 0.0));
    let corotated = MaterialSpec::Corotated(isotropic(1e6, 0.0));
    let hyperelastic = MaterialSpec::NeoHookean(isotropic(1e6, 0.0));
    let row = |(name, material), layers: usize, allowed| {
        let reference = GRADIENT * (1.0 - 1.0 / (layers * layers) as f64);
        let case = format!("hex20, {layers} layers, {name}");
        Row::new(case, "curvature [1/m]", (reference, curvature(material, layers)), allowed)
    };
    vec![
        row(("linear", linear), 2, 1e-4),
        row(("linear", linear), 4, 1e-4),
        row(("corotated", corotated), 2, 1e-3),
        row(("neo-Hookean", hyperelastic), 2, 1e-3),
    ]
}

/// E [Pa] and nu of the bar.
const BAR: [f64; 2] = [1e5, 0.3];

/// Force of an end [N] and breadth [m] of a bar of 2 x 1 x 1 m that is as long as at rest, whose fibres are stretched there.
fn tight(prestretch: f64) -> [f64; 2] {
    let mesh = grid(BeamElement::Hex, [2, 1, 1], [2.0, 1.0, 1.0]);
    let mut model = tissue(mesh, MaterialSpec::NeoHookean(isotropic(BAR[0], BAR[1])));
    let fem = model.fem_mut(0);
    fem.fibres = vec![Vec3::x()];
    fem.rest = RestState { prestretch, ..RestState::default() };
    let mesh = &model.fem(0).mesh;
    let at = |axis: usize, value: f64| nodes_where(mesh, |x| close(x[axis], value));
    let (ends, low, aside) = ([at(0, 0.0), at(0, 2.0)], at(2, 0.0), at(1, 0.0));
    let corner = nodes_where(mesh, |x| close(x.y, 1.0));
    let first = ends[0].clone();
    ends.into_iter().for_each(|end| fix(&mut model, end, [true, false, false]));
    fix(&mut model, aside, [false, true, false]);
    fix(&mut model, low, [false, false, true]);
    let solved = solve(model, 4);
    let reactions = solved.reactions();
    let force = first.iter().map(|&n| -reactions[n as usize].x).sum();
    [force, 1.0 + solved.mean_displacement(&corner).y]
}

/// The same in closed form: of mu (b² - 1) + lambda ln(s b²) = 0, b the elastic stretch across the fibres.
fn tight_exactly(s: f64) -> [f64; 2] {
    let [e, nu] = BAR;
    let (mu, lambda) = (e / (2.0 * (1.0 + nu)), e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)));
    let (mut low, mut high) = (0.1, 10.0);
    for _ in 0..200 {
        let b: f64 = 0.5 * (low + high);
        let stress = mu * (b * b - 1.0) + lambda * (s * b * b).ln();
        if stress > 0.0 { high = b } else { low = b }
    }
    let breadth = low * s.sqrt();
    let stress = mu * (s * s - low * low) / (s * low * low);
    [stress * breadth * breadth, breadth]
}

fn bar_rows() -> Vec<Row> {
    let rows = |s: f64| {
        let ([force, breadth], ours) = (tight_exactly(s), tight(s));
        let case = format!("hex8, prestretch {s}");
        [
            Row::new(case.clone(), "force of an end [N]", (force, ours[0]), 1e-8),
            Row::new(case, "breadth [m]", (breadth, ours[1]), 1e-8),
        ]
    };
    [0.9, 1.05, 1.3].into_iter().flat_map(rows).collect()
}

pub(crate) fn groups() -> Vec<Group> {
    vec![
        Group {
            title: "A strip whose layers grow",
            text: "1 x 0.05 x 0.1 m, nu = 0, growth along the strip of 0.001 a metre of height, that of its middle in each of n layers: \
                   the curvature of layers that are bonded (Timoshenko1925; for any number of alike ones 1 - 1/n² of the gradient).",
            rows: strip_rows(),
        },
        Group {
            title: "A bar whose fibres are stretched at rest",
            text: "2 x 1 x 1 m, neo-Hookean, nu = 0.3, held at its rest length and free across: the law at a uniaxial stretch that is the \
                   prestretch, in closed form.",
            rows: bar_rows(),
        },
    ]
}

#[test]
fn growing_layers_bend_a_strip_and_prestretched_fibres_pull() {
    groups().iter().for_each(Group::check);
}
