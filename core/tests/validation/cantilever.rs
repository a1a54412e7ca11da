//! A slender cantilever under small loads at its end: bending, tension, torsion.

use sinew::Vec3;
use sinew::material::MaterialSpec;
use sinew::model::Model;
use sinew_datasets::beam::BeamElement;

use super::meshes::{grid, kind_name};
use super::problem::{Solved, close, fix, isotropic, load, nodes_where, solve, tissue, traction};
use super::table::{Group, Row};

/// FEM-cantilever-small: L = 10 m, b = h = 1 m, E = 1e6 Pa, nu = 0, loads of 1 N and 1 N m.
const LENGTH: f64 = 10.0;
/// Deflection by Euler and by Timoshenko [m].
const EULER: f64 = 0.004;
const TIMOSHENKO: f64 = 0.004024;
/// Lengthening under tension [m].
const AXIAL: f64 = 1e-5;
/// Torsion constant [m⁴] and angle of twist [rad].
const TORSION_CONSTANT: f64 = 0.140577;
const TWIST: f64 = 1.4227078398315515e-4;

fn beam(element: BeamElement, counts: [usize; 3]) -> Model {
    let mesh = grid(element, counts, [LENGTH, 1.0, 1.0]);
    tissue(mesh, MaterialSpec::Linear(isotropic(1e6, 0.0)))
}

/// The beam in equilibrium under a traction on its end face; clamped at the other.
fn loaded(mut model: Model, end: impl Fn(&Vec3) -> Vec3) -> Solved {
    let clamped = nodes_where(&model.fem(0).mesh, |x| close(x.x, 0.0));
    fix(&mut model, clamped, [true; 3]);
    let forces = traction(&model.fem(0).mesh, |x| close(x.x, LENGTH), |x, _| end(x));
    load(&mut model, forces);
    solve(model, 1)
}

fn end_displacement(solved: &Solved) -> Vec3 {
    solved.mean_displacement(&nodes_where(solved.mesh(), |x| close(x.x, LENGTH)))
}

fn case(element: BeamElement, [nx, ny, nz]: [usize; 3]) -> String {
    format!("{}, {nx} x {ny} x {nz} cells", kind_name(element))
}

fn bending(element: BeamElement, counts: [usize; 3], allowed: f64) -> [Row; 2] {
    let solved = loaded(beam(element, counts), |_| Vec3::z());
    let ours = end_displacement(&solved).z;
    [("Timoshenko", TIMOSHENKO), ("Euler", EULER)].map(|(theory, reference)| {
        let metric = format!("deflection [m], {theory}");
        Row::new(case(element, counts), metric, (reference, ours), allowed)
    })
}

fn tension(element: BeamElement, counts: [usize; 3]) -> Row {
    let solved = loaded(beam(element, counts), |_| Vec3::x());
    let ours = end_displacement(&solved).x;
    Row::new(case(element, counts), "lengthening [m]", (AXIAL, ours), 1e-6)
}

/// Twist of the middle half, carried to the whole length, since the ends warp otherwise than in
/// St. Venant's theory; the section at x = 0 warps freely.
fn torsion(element: BeamElement, counts: [usize; 3], allowed: f64) -> Row {
    let mut model = beam(element, counts);
    let at = |x: f64| nodes_where(&model.fem(0).mesh, |p| close(p.x, x));
    let (root, sections) = (at(0.0), [at(0.25 * LENGTH), at(0.75 * LENGTH)]);
    let on_axes = nodes_where(&model.fem(0).mesh, |p| {
        close(p.x, 0.0) && (close(p.y, 0.5) || close(p.z, 0.5))
    });
    fix(&mut model, root, [false, true, true]);
    fix(&mut model, on_axes, [true; 3]);
    // Shear that grows linearly from the axis has the moment 1 N m for a factor of 1 / (b⁴ / 6).
    let shear = |x: &Vec3| Vec3::new(0.0, 0.5 - x.z, x.y - 0.5) * 6.0;
    let forces = traction(&model.fem(0).mesh, |x| close(x.x, LENGTH), |x, _| shear(x));
    load(&mut model, forces);
    let solved = solve(model, 1);
    let rotation = |nodes: &[u32]| {
        let (mut turn, mut lever) = (0.0, 0.0);
        for &n in nodes {
            let arm = solved.mesh().nodes[n as usize] - Vec3::new(0.0, 0.5, 0.5);
            let u = solved.displacement(n);
            turn += arm.y * u.z - arm.z * u.y;
            lever += arm.y * arm.y + arm.z * arm.z;
        }
        turn / lever
    };
    let ours = 2.0 * (rotation(&sections[1]) - rotation(&sections[0]));
    let metric = format!("twist [rad], J = {TORSION_CONSTANT} m⁴");
    Row::new(case(element, counts), metric, (TWIST, ours), allowed)
}

pub(crate) fn groups() -> Vec<Group> {
    use BeamElement::{Hex, QuadHex, QuadTet};
    let mut rows = Vec::new();
    rows.extend(bending(QuadHex, [20, 2, 2], 0.01));
    rows.extend(bending(QuadTet, [20, 2, 2], 0.01));
    for (counts, allowed) in [([10, 1, 1], 0.35), ([20, 2, 2], 0.12), ([40, 4, 4], 0.05)] {
        // Too coarse to tell Euler from Timoshenko.
        let [timoshenko, _] = bending(Hex, counts, allowed);
        rows.push(timoshenko);
    }
    rows.push(tension(QuadHex, [20, 2, 2]));
    rows.push(tension(Hex, [20, 2, 2]));
    rows.push(torsion(QuadHex, [20, 4, 4], 0.01));
    vec![Group {
        title: "Cantilever, small deflections",
        text: "FEM-cantilever-small: 10 x 1 x 1 m, E = 1 MPa, nu = 0; 1 N across or along the end face \
               (evenly over it), or 1 N m about the axis. Fully integrated hex8 is too stiff in bending \
               (shear locking: about a quarter of it is left with every halving of the cells); it is listed with three meshes.",
        rows,
    }]
}

#[test]
fn a_cantilever_bends_stretches_and_twists_as_in_beam_theory() {
    groups().iter().for_each(Group::check);
}
