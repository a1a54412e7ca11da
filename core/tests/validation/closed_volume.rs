//! Contents of closed surfaces: a thick sphere of an incompressible neo-Hookean material around a gas, and around a fluid
//! with a compliance, beside the equilibrium of wall and contents along the radius; the energy of a
//! sphere that oscillates about its gas.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::fem::{ElementFace, VolumeMesh};
use sinew::material::MaterialSpec;
use sinew::model::{ClosedVolume, FemModel, Model};
use sinew::solve::{Integrator, MechSystemSolver, NewtonSettings, SolverSettings};
use sinew_datasets::beam::BeamElement;

use super::meshes::grid;
use super::problem::{Solved, close, fix, isotropic, nodes_where, solve, tissue};
use super::table::{Group, Row};

/// Radii at rest [m], shear modulus [Pa].
const RADII: [f64; 2] = [0.01, 0.015];
const MU: f64 = 2e4;
/// Pressure around the gas [Pa]: low, so that the wall counts.
const AMBIENT: f64 = 2e4;

/// A shell of six blocks, each with `around` cells along its sides and `radial` across the wall.
fn shell(element: BeamElement, [radial, around]: [usize; 2]) -> VolumeMesh {
    let [a, b] = RADII;
    let block = grid(element, [radial, around, around], [b - a, 2.0, 2.0]);
    let (mut nodes, mut elements) = (Vec::<Vec3>::new(), Vec::new());
    for (turn, side) in (0..3).flat_map(|turn| [(turn, 1.0), (turn, -1.0)]) {
        let place = |x: &Vec3| {
            let [s, t] = [x.y, x.z].map(|u| ((u - 1.0) * std::f64::consts::FRAC_PI_4).tan());
            // Half a turn about the last axis of the block leads to the other side.
            let direction = [side, side * s, t];
            let direction = Vec3::from_fn(|axis, _| direction[(axis + 3 - turn) % 3]).normalize();
            direction * (a + x.x)
        };
        let mut numbers = Vec::new();
        for x in block.nodes.iter().map(place) {
            let known = nodes.iter().position(|y| (y - x).norm() < 1e-9);
            numbers.push(known.unwrap_or_else(|| {
                nodes.push(x);
                nodes.len() - 1
            }) as u32);
        }
        elements.extend(block.elements().map(|(kind, own)| {
            (kind, own.iter().map(|&n| numbers[n as usize]).collect::<Vec<u32>>())
        }));
    }
    let mut mesh = VolumeMesh::new(nodes);
    elements.iter().for_each(|(kind, own)| mesh.push_element(*kind, own).expect("nodes"));
    let inside: Vec<ElementFace> = faces_where(&mesh, |x| close(x.norm(), a));
    mesh.face_sets.insert("inside".to_owned(), inside);
    mesh
}

fn faces_where(mesh: &VolumeMesh, on: impl Fn(&Vec3) -> bool) -> Vec<ElementFace> {
    let mut faces = Vec::new();
    for (element, (kind, nodes)) in (0..).zip(mesh.elements()) {
        for (face, own) in (0..).zip(kind.faces()) {
            if own.iter().all(|&k| on(&mesh.nodes[nodes[usize::from(k)] as usize])) {
                faces.push(ElementFace { element, face });
            }
        }
    }
    faces
}

/// The sphere around contents that `fill` makes for it, held on three planes of symmetry.
fn filled(
    mesh: VolumeMesh,
    nu: f64,
    fill: impl Fn(sinew::component::Handle<FemModel>) -> ClosedVolume,
) -> Model {
    let mut model = tissue(mesh, MaterialSpec::NeoHookean(isotropic(2.0 * MU * (1.0 + nu), nu)));
    for axis in 0..3 {
        let on_plane = nodes_where(&model.fem(0).mesh, |x| close(x[axis], 0.0));
        let mut axes = [false; 3];
        axes[axis] = true;
        fix(&mut model, on_plane, axes);
    }
    let fem = model.nth::<FemModel>(0);
    model.add(fill(fem).named("contents"));
    model
}

/// Volume [m³] and pressure [Pa] of the contents.
fn contents(solved: &Solved) -> [f64; 2] {
    let handle = solved.model.nth::<ClosedVolume>(0);
    solved.compiled.volume_and_pressure(handle, &solved.state).expect("they are in force")
}

/// Pressure [Pa] in a sphere whose inside is `times` as large as at rest: mu (2/l + 1/(2 l⁴)) at the outer stretch l less that at the inner one.
fn wall_pressure(times: f64) -> f64 {
    let [a, b] = RADII.map(|r| r.powi(3));
    let at = |stretch: f64| MU * (2.0 / stretch + 0.5 / stretch.powi(4));
    at(((b + a * (times - 1.0)) / b).cbrt()) - at(times.cbrt())
}

/// Volume over that at rest at which the wall is in equilibrium with contents of `pressure`.
fn equilibrium(pressure: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.2, 20.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if wall_pressure(middle) < pressure(middle) { low = middle } else { high = middle }
    }
    low
}

fn rest_volume() -> f64 {
    4.0 / 3.0 * std::f64::consts::PI * RADII[0].powi(3)
}

/// Volume over that at rest, that of the mesh, and pressure.
fn rows_of(case: &str, solved: &Solved, times: f64) -> [Row; 2] {
    let [volume, pressure] = contents(solved);
    let handle = solved.model.nth::<ClosedVolume>(0);
    let at_rest = solved.compiled.volume_and_pressure(handle, &solved.compiled.initial_state());
    let ratio = volume / at_rest.expect("they are in force")[0];
    let of_change = (ratio - times).abs() / (times - 1.0).abs();
    let metric = "volume over that at rest, error of its change";
    [
        Row::new(case, metric, (times, ratio), 2e-2).with_error(of_change),
        Row::new(case, "pressure [Pa]", (wall_pressure(times), pressure), 2e-2),
    ]
}

fn rows() -> Vec<Row> {
    let mesh = shell(BeamElement::QuadHex, [1, 2]);
    let gas = |filling: f64, exponent: f64| {
        let fill = |fem| ClosedVolume {
            filling,
            exponent,
            ambient_pressure: AMBIENT,
            ..ClosedVolume::gas(fem, "inside")
        };
        let times = equilibrium(|v| AMBIENT * ((filling / v).powf(exponent) - 1.0));
        let solved = solve(filled(mesh.clone(), 0.5, fill), 1);
        rows_of(&format!("gas, n = {exponent}, filling {filling}"), &solved, times)
    };
    let compliance = rest_volume() / 5e4;
    let fill =
        |fem| ClosedVolume { filling: 1.3, ..ClosedVolume::linear(fem, "inside", compliance) };
    let times = equilibrium(|v| (1.3 - v) * rest_volume() / compliance);
    let of_linear =
        rows_of("linear, filling 1.3", &solve(filled(mesh.clone(), 0.5, fill), 1), times);
    [gas(1.4, 1.0), gas(0.7, 1.4), of_linear].into_iter().flatten().collect()
}

pub(super) fn groups() -> Vec<Group> {
    vec![Group {
        title: "Contents of closed surfaces",
        text: "A sphere of radii 10 and 15 mm, neo-Hookean, nu = 0.5, mu = 20 kPa, hex20, six blocks of 1 x 2 x 2 cells, around a gas \
               (20 kPa around it) and around a fluid with a compliance of V/50 kPa. Reference: \
               equilibrium with the wall, p = mu (2/l + 1/(2 l⁴)) at the outer stretch less that at the inner one.",
        rows: rows(),
    }]
}

#[test]
fn a_thick_sphere_and_its_contents_come_to_the_equilibrium_of_their_laws() {
    groups().iter().for_each(Group::check);
}

#[test]
fn a_fluid_keeps_its_volume_to_rounding_whatever_presses_on_the_sphere() {
    let mut model =
        filled(shell(BeamElement::Hex, [1, 2]), 0.3, |fem| ClosedVolume::new(fem, "inside"));
    let fem = model.nth::<FemModel>(0);
    let outside = faces_where(&model.fem(0).mesh, |x| close(x.norm(), RADII[1]));
    model.fem_mut(0).mesh.face_sets.insert("outside".to_owned(), outside);
    model.add(sinew::model::SurfaceLoad::pressure(fem, "outside", 4e3));
    let solved = solve(model, 2);
    let rest = solved.compiled.initial_state();
    let handle = solved.model.nth::<ClosedVolume>(0);
    let before = solved.compiled.volume_and_pressure(handle, &rest).unwrap();
    let after = contents(&solved);
    assert!((after[0] / before[0] - 1.0).abs() < 1e-7, "{before:?} {after:?}");
    assert!(before[1] == 0.0 && after[1] > 1e3, "{before:?} {after:?}");
}

#[test]
fn a_sphere_that_oscillates_about_its_gas_keeps_its_energy_under_the_midpoint_rule() {
    let fill = |fem| ClosedVolume {
        filling: 1.6,
        ambient_pressure: AMBIENT,
        ..ClosedVolume::gas(fem, "inside")
    };
    let model = filled(shell(BeamElement::Hex, [1, 2]), 0.3, fill);
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let handle = model.nth::<ClosedVolume>(0);
    let newton = NewtonSettings { tolerance: 1e-12, ..NewtonSettings::default() };
    let integrator = Integrator::Midpoint(newton);
    let settings = SolverSettings { integrator, ..SolverSettings::default() };
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let rest = compiled.volume_and_pressure(handle, &state).unwrap()[0];
    let whole = 1.6 * rest;
    let mut energies = Vec::new();
    let mut volumes = Vec::new();
    for _ in 0..60 {
        let volume = compiled.volume_and_pressure(handle, &state).unwrap()[0];
        let of_gas = AMBIENT * (volume - whole - whole * (volume / whole).ln());
        energies.push(compiled.at(&state).measure().energies.total() + of_gas);
        volumes.push(volume / rest);
        solver.step(&compiled, &mut state, 2e-4).unwrap();
    }
    let most = volumes.iter().fold(0.0_f64, |m, v| m.max(*v));
    assert!(most > 1.2, "it opens: {volumes:?}");
    let worst = energies.iter().fold(0.0_f64, |w, e| w.max((e - energies[0]).abs()));
    // A wall whose law is not quadratic keeps its energy on the mean alone: it goes to and fro by 4e-4.
    assert!(worst < 1e-3 * energies[0], "{worst:e} of {:e}: {energies:?}", energies[0]);
}
