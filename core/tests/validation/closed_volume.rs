//! Contents of closed surfaces: a thick sphere around a fluid keeps its volume; the energy of a sphere that oscillates about its gas.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::fem::{ElementFace, VolumeMesh};
use sinew::material::MaterialSpec;
use sinew::model::{ClosedVolume, FemModel, Model};
use sinew::solve::{Integrator, MechSystemSolver, NewtonSettings, SolverSettings};
use sinew_datasets::beam::BeamElement;

use super::meshes::grid;
use super::problem::{Solved, close, fix, isotropic, nodes_where, solve, tissue};

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
