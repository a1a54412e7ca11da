//! Materials that hardly change their volume, or not at all: Cook's membrane, a thick cylinder and a thick sphere
//! inflated by a pressure that follows them, a twisted cylinder, a bent beam of myocardium, a cantilever.

use std::f64::consts::FRAC_PI_2;

use sinew::Vec3;
use sinew::fem::{ElementFace, Incompressible, VolumeMesh};
use sinew::material::{GuccioneConstants, MaterialSpec};
use sinew::model::{FemModel, Model, SurfaceLoad};
use sinew_datasets::beam::BeamElement;

use super::laws::mooney_rivlin;
use super::meshes::{grid, kind_name};
use super::problem::{
    Solved, close, fix, isotropic, load, nodes_where, prescribe, solve, tissue, traction,
};
use super::table::{Group, Row};

const MM: f64 = 1e-3;

/// Names the faces whose nodes all fulfil a predicate.
fn name_faces(mesh: &mut VolumeMesh, name: &str, on_face: impl Fn(&Vec3) -> bool) {
    let mut faces = Vec::new();
    for (element, (kind, nodes)) in (0..).zip(mesh.elements()) {
        for (face, corners) in (0..).zip(kind.faces()) {
            if corners.iter().all(|&k| on_face(&mesh.nodes[nodes[usize::from(k)] as usize])) {
                faces.push(ElementFace { element, face });
            }
        }
    }
    assert!(!faces.is_empty(), "{name} has faces");
    mesh.face_sets.insert(name.into(), faces);
}

/// The word of a way.
pub(crate) fn way_name(way: Incompressible) -> &'static str {
    match way {
        Incompressible::Auto => "auto",
        Incompressible::Off => "off",
        Incompressible::Element => "element",
        Incompressible::Nodal => "nodal",
        Incompressible::Fbar => "fbar",
    }
}

/// FEL-COOK-A: corners [mm], mu and kappa [Pa], traction on the right edge [Pa].
const COOK: [[f64; 2]; 4] = [[0.0, 0.0], [48.0, 44.0], [48.0, 60.0], [0.0, 44.0]];
const COOK_MODULI: [f64; 2] = [1e4, 1e7];
const COOK_TRACTION: f64 = 1200.0;

/// Displacement of the upper right corner [mm], in plane strain, or one cell thick and free.
fn cook(element: BeamElement, n: usize, way: Incompressible) -> Vec3 {
    let mut mesh = grid(element, [n, n, 1], [1.0, 1.0, 1.0]);
    for x in &mut mesh.nodes {
        let at = |c: usize| {
            COOK[0][c] * (1.0 - x.x) * (1.0 - x.y)
                + COOK[1][c] * x.x * (1.0 - x.y)
                + COOK[2][c] * x.x * x.y
                + COOK[3][c] * (1.0 - x.x) * x.y
        };
        *x = Vec3::new(at(0), at(1), x.z) * MM;
    }
    let [mu, kappa] = COOK_MODULI;
    let mut model = tissue(mesh, mooney_rivlin([mu / 2.0, 0.0, 0.0, 0.0, 0.0, kappa]));
    model.fem_mut(0).incompressible = way;
    let mesh = &model.fem(0).mesh;
    let (left, all) = (nodes_where(mesh, |x| close(x.x, 0.0)), nodes_where(mesh, |_| true));
    let right = |x: &Vec3| close(x.x, 48.0 * MM);
    let forces = traction(mesh, right, |_, _| Vec3::y() * COOK_TRACTION);
    let corner = nodes_where(mesh, |x| close(x.x, 48.0 * MM) && close(x.y, 60.0 * MM));
    fix(&mut model, left, [true; 3]);
    fix(&mut model, all, [false, false, true]);
    load(&mut model, forces);
    solve(model, 4).mean_displacement(&corner) / MM
}

fn cook_row(
    element: BeamElement,
    n: usize,
    way: Incompressible,
    (reference, allowed): (f64, f64),
) -> Row {
    let case = format!("{}, {n} x {n} cells, {}", kind_name(element), way_name(way));
    Row::new(case, "uy of the corner [mm]", (reference, cook(element, n, way).y), allowed)
}

fn cook_rows() -> Vec<Row> {
    use BeamElement::{Hex, Pyramid, QuadHex, QuadTet, QuadWedge, Tet, Wedge};
    use Incompressible::{Element, Fbar, Nodal, Off};
    const CONVERGED: f64 = 9.835;
    vec![
        cook_row(Hex, 16, Element, (9.6913723, 1e-6)),
        cook_row(Hex, 16, Fbar, (CONVERGED, 0.03)),
        cook_row(Hex, 16, Nodal, (CONVERGED, 0.05)),
        cook_row(Wedge, 16, Element, (CONVERGED, 0.3)),
        cook_row(Wedge, 16, Nodal, (CONVERGED, 0.1)),
        cook_row(Pyramid, 8, Element, (CONVERGED, 0.2)),
        cook_row(Pyramid, 8, Nodal, (CONVERGED, 0.15)),
        cook_row(Tet, 16, Nodal, (CONVERGED, 0.1)),
        cook_row(QuadTet, 8, Element, (CONVERGED, 0.03)),
        cook_row(QuadWedge, 8, Element, (CONVERGED, 0.03)),
        cook_row(QuadHex, 8, Element, (CONVERGED, 0.03)),
        cook_row(Hex, 16, Off, (CONVERGED, 0.6)),
        cook_row(Tet, 16, Off, (CONVERGED, 0.8)),
    ]
}

/// FEL-INFLATE-MR: C10, C01 [Pa] of the cylinder, its radii [mm].
const CYLINDER: ([f64; 2], [f64; 2]) = ([80e3, 20e3], [7.0, 10.0]);
/// The same of the sphere.
const SPHERE: ([f64; 2], [f64; 2]) = ([30e3, 5e3], [10.0, 14.0]);

fn radius(x: &Vec3) -> f64 {
    x.x.hypot(x.y)
}

/// A quarter of a ring between radii [mm], its inner surface named.
fn quarter(element: BeamElement, [radial, around]: [usize; 2], [a, b]: [f64; 2]) -> VolumeMesh {
    let mut mesh = grid(element, [radial, around, 1], [b - a, FRAC_PI_2, 1.0]);
    for x in &mut mesh.nodes {
        let (sin, cos) = x.y.sin_cos();
        *x = Vec3::new((a + x.x) * cos, (a + x.x) * sin, x.z) * MM;
    }
    name_faces(&mut mesh, "inside", |x| close(radius(x), a * MM));
    mesh
}

/// Mean radius of the inner nodes under a pressure inside [mm].
fn inflated(mut model: Model, pressure: f64, size: impl Fn(&Vec3) -> f64, inner: f64) -> f64 {
    for axis in 0..3 {
        let on_plane = nodes_where(&model.fem(0).mesh, |x| close(x[axis], 0.0));
        let mut axes = [false; 3];
        axes[axis] = true;
        fix(&mut model, on_plane, axes);
    }
    let fem = model.nth::<FemModel>(0);
    model.add(SurfaceLoad::pressure(fem, "inside", pressure));
    let solved = solve(model, 4);
    let inside = nodes_where(solved.mesh(), |x| close(size(x), inner * MM));
    inside.iter().map(|&n| size(&solved.position(n))).sum::<f64>() / inside.len() as f64 / MM
}

fn cylinder(element: BeamElement, cells: [usize; 2], law: MaterialSpec, pressure: f64) -> f64 {
    let radii = CYLINDER.1;
    let mut model = tissue(quarter(element, cells, radii), law);
    let all = nodes_where(&model.fem(0).mesh, |_| true);
    fix(&mut model, all, [false, false, true]);
    inflated(model, pressure, radius, radii[0])
}

/// An eighth of a shell: three blocks of directions (1, a, b), (b, 1, a), (a, b, 1) up to the diagonals.
fn octant(element: BeamElement, [radial, around]: [usize; 2], [a, b]: [f64; 2]) -> VolumeMesh {
    let block = grid(element, [radial, around, around], [b - a, 1.0, 1.0]);
    let mut nodes: Vec<Vec3> = Vec::new();
    let mut elements = Vec::new();
    for turn in 0..3 {
        let place = |x: &Vec3| {
            let [s, t] = [x.y, x.z].map(|u| (u * std::f64::consts::FRAC_PI_4).tan());
            let direction = [1.0, s, t];
            let direction = Vec3::from_fn(|axis, _| direction[(axis + 3 - turn) % 3]).normalize();
            direction * ((a + x.x) * MM)
        };
        let mut numbers = Vec::new();
        for x in block.nodes.iter().map(place) {
            let known = nodes.iter().position(|y| (y - x).norm() < 1e-9);
            numbers.push(known.unwrap_or_else(|| {
                nodes.push(x);
                nodes.len() - 1
            }) as u32);
        }
        for (kind, own) in block.elements() {
            let own: Vec<u32> = own.iter().map(|&n| numbers[n as usize]).collect();
            elements.push((kind, own));
        }
    }
    let mut mesh = VolumeMesh::new(nodes);
    for (kind, own) in elements {
        mesh.push_element(kind, &own).expect("nodes of the shell");
    }
    name_faces(&mut mesh, "inside", |x| close(x.norm(), a * MM));
    mesh
}

fn sphere(element: BeamElement, cells: [usize; 2], law: MaterialSpec, pressure: f64) -> f64 {
    let radii = SPHERE.1;
    inflated(tissue(octant(element, cells, radii), law), pressure, |x| x.norm(), radii[0])
}

/// Inner radius [mm] of a cylinder (power 2) or sphere (power 3) of an incompressible neo-Hookean material of shear
/// modulus mu under a pressure [Pa], from equilibrium along the radius: p is the integral of
/// (sigma_around - sigma_radial) (power - 1) dr/r, with r^power = R^power + c.
fn neo_hookean_radius(power: i32, [a, b]: [f64; 2], mu: f64, pressure: f64) -> f64 {
    let n = f64::from(power);
    let pressure_at = |c: f64| {
        const POINTS: usize = 2000;
        let h = (b - a) / POINTS as f64;
        let slope = |rest: f64| {
            let r = (rest.powi(power) + c).powf(1.0 / n);
            let around = r / rest;
            let along = around.powi(1 - power);
            (n - 1.0) * mu * (around * around - along * along) * along / r
        };
        // Simpson's rule; dr = along dR.
        let inner: f64 =
            (1..POINTS).map(|k| slope(a + h * k as f64) * if k % 2 == 1 { 4.0 } else { 2.0 }).sum();
        (slope(a) + inner + slope(b)) * h / 3.0
    };
    let (mut low, mut high) = (0.0, 2.0 * a.powi(power));
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if pressure_at(middle) < pressure { low = middle } else { high = middle }
    }
    (a.powi(power) + low).powf(1.0 / n)
}

/// A row for a radius, its error relative to its change.
fn radius_row(case: String, rest: f64, (reference, ours): (f64, f64), allowed: f64) -> Row {
    let error = (ours - reference).abs() / (reference - rest);
    Row::new(case, "inner radius [mm], error of its change", (reference, ours), allowed)
        .with_error(error)
}

/// Name of a case of a cylinder.
fn cylinder_case(element: BeamElement, [radial, around]: [usize; 2], rest: &str) -> String {
    format!("cylinder, {}, {radial} x {around} cells, {rest}", kind_name(element))
}

/// Cylinders of Mooney and Rivlin's law.
fn cylinder_rows() -> Vec<Row> {
    use BeamElement::{Hex, QuadHex, Tet};
    let mut rows = Vec::new();
    let ([c10, c01], [inner, _]) = CYLINDER;
    let law = mooney_rivlin([c10, c01, 0.0, 0.0, 0.0, 2e8]);
    for (element, cells, allowed) in
        [(QuadHex, [3, 6], 1e-3), (Hex, [8, 12], 5e-3), (Tet, [8, 12], 2e-2)]
    {
        for (p, reference) in [(10e3, 7.375918787), (30e3, 8.417060534)] {
            let ours = cylinder(element, cells, law, p);
            let case = cylinder_case(element, cells, &format!("{} kPa", p / 1e3));
            rows.push(radius_row(case, inner, (reference, ours), allowed));
        }
    }
    rows
}

/// Spheres of Mooney and Rivlin's law.
fn sphere_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let ([c10, c01], [inner, _]) = SPHERE;
    let law = mooney_rivlin([c10, c01, 0.0, 0.0, 0.0, 7e7]);
    for (p, reference) in [(6e3, 10.37016649), (16e3, 11.20178072)] {
        let ours = sphere(BeamElement::QuadHex, [2, 2], law, p);
        let case = format!("sphere, hex20, three blocks of 2 x 2 x 2 cells, {} kPa", p / 1e3);
        rows.push(radius_row(case, inner, (reference, ours), 5e-3));
    }
    rows
}

/// Cylinders and a sphere of one volume: Poisson's ratio 0.5.
fn incompressible_rows() -> Vec<Row> {
    use BeamElement::{Hex, QuadHex};
    let mut rows = Vec::new();
    let law = MaterialSpec::NeoHookean(isotropic(3e5, 0.5));
    let (radii, mu) = (CYLINDER.1, 1e5);
    for (element, cells, allowed) in [(QuadHex, [3, 6], 1e-3), (Hex, [8, 12], 5e-3)] {
        let ours = cylinder(element, cells, law, 15e3);
        let case = cylinder_case(element, cells, "nu = 0.5, 15 kPa");
        let reference = neo_hookean_radius(2, radii, mu, 15e3);
        rows.push(radius_row(case, radii[0], (reference, ours), allowed));
    }
    let radii = SPHERE.1;
    let ours = sphere(QuadHex, [2, 2], law, 30e3);
    let reference = neo_hookean_radius(3, radii, mu, 30e3);
    let case = "sphere, hex20, three blocks of 2 x 2 x 2 cells, nu = 0.5, 30 kPa".to_owned();
    rows.push(radius_row(case, radii[0], (reference, ours), 5e-3));
    rows
}

fn inflation_rows() -> Vec<Row> {
    [cylinder_rows(), sphere_rows(), incompressible_rows()].into_iter().flatten().collect()
}

/// FEL-TORSION-MR: radius and height [mm], C10 and C01 [Pa], twist [rad/mm].
const TORSION: ([f64; 2], [f64; 2], f64) = ([6.0, 3.0], [20e3, 5e3], 0.06);

/// Moment [N mm] and axial force [N] of a cylinder that is twisted at a fixed length.
fn torsion_rows() -> [Row; 2] {
    let ([size, height], [c10, c01], twist) = TORSION;
    let mut mesh = grid(BeamElement::QuadHex, [4, 4, 2], [2.0, 2.0, height]);
    for x in &mut mesh.nodes {
        let (u, v) = (x.x - 1.0, x.y - 1.0);
        // A square to a disc.
        let disc = Vec3::new(u * (1.0 - v * v / 2.0).sqrt(), v * (1.0 - u * u / 2.0).sqrt(), 0.0);
        *x = (disc * size + Vec3::z() * x.z) * MM;
    }
    let mut model = tissue(mesh, mooney_rivlin([c10, c01, 0.0, 0.0, 0.0, 2.5e8]));
    let end = |z: f64| nodes_where(&model.fem(0).mesh, |x| close(x.z, z * MM));
    let (bottom, top) = (end(0.0), end(height));
    fix(&mut model, bottom, [true; 3]);
    let (sin, cos) = (twist * height).sin_cos();
    prescribe(&mut model, top.clone(), |x| {
        Vec3::new(cos * x.x - sin * x.y - x.x, sin * x.x + cos * x.y - x.y, 0.0)
    });
    let solved = solve(model, 2);
    let reactions = solved.reactions();
    let (mut moment, mut force) = (0.0, 0.0);
    for &n in &top {
        let (at, reaction) = (solved.position(n), reactions[n as usize]);
        moment += at.x * reaction.y - at.y * reaction.x;
        force += reaction.z;
    }
    let case = format!("hex20, 4 x 4 x 2 cells, {twist} rad/mm");
    // In mN mm and mN.
    [
        Row::new(case.clone(), "moment [mN mm]", (6107.2561, moment * 1e6), 2e-3),
        Row::new(case, "axial force [mN]", (-219.86122, force * 1e3), 1e-2),
    ]
}

/// FEM-LAND-P1: a beam of 10 x 1 x 1 mm of Guccione's law, fibres along it, 4 Pa on its underside.
fn land() -> Vec3 {
    let mut mesh = grid(BeamElement::QuadHex, [20, 2, 2], [10.0 * MM, MM, MM]);
    name_faces(&mut mesh, "underside", |x| close(x.z, 0.0));
    let law = GuccioneConstants {
        c: 2e3,
        bf: 8.0,
        bt: 2.0,
        bfs: 4.0,
        bulk_modulus: 1e7,
        ..Default::default()
    };
    let mut model = tissue(mesh, MaterialSpec::Guccione(law));
    let root = nodes_where(&model.fem(0).mesh, |x| close(x.x, 0.0));
    fix(&mut model, root, [true; 3]);
    let fem = model.nth::<FemModel>(0);
    model.add(SurfaceLoad::pressure(fem, "underside", 4.0));
    let solved = solve(model, 10);
    let tip =
        nodes_where(solved.mesh(), |x| close(x.x, 0.01) && close(x.y, 5e-4) && close(x.z, MM));
    solved.position(tip[0]) / MM
}

fn land_rows() -> [Row; 2] {
    let [x, _, z] = land().into();
    let case = "hex20, 20 x 2 x 2 cells";
    [
        Row::new(case, "z of the end's upper edge [mm]", (4.159894440807914, z), 1e-2),
        Row::new(case, "x of the end's upper edge [mm]", (9.180296588807058, x), 1e-2),
    ]
}

/// Deflection of a cantilever of 1 x 0.1 x 0.1 m, E = 1e5 Pa, nu = 0.4999, under 1 N at its end [m].
fn cantilever(element: BeamElement, cells: [usize; 3], way: Incompressible) -> f64 {
    let mut model =
        tissue(grid(element, cells, [1.0, 0.1, 0.1]), MaterialSpec::Linear(isotropic(1e5, 0.4999)));
    model.fem_mut(0).incompressible = way;
    let root = nodes_where(&model.fem(0).mesh, |x| close(x.x, 0.0));
    fix(&mut model, root, [true; 3]);
    let forces = traction(&model.fem(0).mesh, |x| close(x.x, 1.0), |_, _| Vec3::z() * 100.0);
    load(&mut model, forces);
    let solved: Solved = solve(model, 1);
    solved.mean_displacement(&nodes_where(solved.mesh(), |x| close(x.x, 1.0))).z
}

fn cantilever_rows() -> Vec<Row> {
    use BeamElement::{Hex, QuadHex, QuadTet, Tet};
    use Incompressible::{Auto, Off};
    let reference = cantilever(QuadHex, [20, 3, 3], Auto);
    let row = |element, cells: [usize; 3], way, allowed| {
        let [nx, ny, nz] = cells;
        let case = format!("{}, {nx} x {ny} x {nz} cells, {}", kind_name(element), way_name(way));
        Row::new(case, "deflection [m]", (reference, cantilever(element, cells, way)), allowed)
    };
    vec![
        row(QuadHex, [10, 1, 1], Auto, 0.05),
        row(QuadTet, [20, 2, 2], Auto, 0.1),
        row(Hex, [40, 4, 4], Auto, 0.1),
        row(Hex, [40, 4, 4], Off, 0.9),
        row(Tet, [40, 4, 4], Auto, 0.25),
    ]
}

pub(crate) fn groups() -> Vec<Group> {
    vec![
        Group {
            title: "Cook's membrane, nearly incompressible",
            text: "FEL-COOK-A: plane strain, neo-Hookean, kappa/mu = 1000, 1.2 kPa across the right edge. The first row is \
                   compared with Q1/P0 on the same mesh, the others with the converged value; `off` shows how far elements \
                   lock without pressures.",
            rows: cook_rows(),
        },
        Group {
            title: "Inflation under a pressure that follows",
            text: "FEL-INFLATE-MR: Mooney-Rivlin at kappa = 2e5 kPa (cylinder, plane strain, a quarter) and 7e4 kPa (sphere, \
                   an eighth), against converged two-field elements at these moduli; and a neo-Hookean material of \
                   nu = 0.5, against the integral of equilibrium along the radius.",
            rows: inflation_rows(),
        },
        Group {
            title: "Torsion at large angles",
            text: "FEL-TORSION-MR: a Mooney-Rivlin cylinder between ends that turn and keep their distance (Rivlin's \
                   solution): moment, and the force by which it pushes the ends apart.",
            rows: torsion_rows().into(),
        },
        Group {
            title: "A beam of myocardium under pressure",
            text: "FEM-LAND-P1, the first problem of Land et al. 2015: 10 x 1 x 1 mm, Guccione's law, 4 Pa on the underside, \
                   against hex27 elements with four pressures (20 x 2 x 2 cells).",
            rows: land_rows().into(),
        },
        Group {
            title: "Cantilever at nu = 0.4999",
            text: "1 x 0.1 x 0.1 m, E = 0.1 MPa, 1 N at the end, linear, against hex20 with four pressures on 20 x 3 x 3 cells.",
            rows: cantilever_rows(),
        },
    ]
}

#[test]
fn cooks_membrane_does_not_lock() {
    cook_rows().iter().for_each(Row::check);
}

#[test]
fn thick_walls_widen_under_pressure_as_integrals_say() {
    inflation_rows().iter().for_each(Row::check);
}

#[test]
fn a_twisted_cylinder_pushes_its_ends_apart() {
    torsion_rows().iter().for_each(Row::check);
}

#[test]
fn a_beam_of_myocardium_bends_under_pressure() {
    land_rows().iter().for_each(Row::check);
}

#[test]
fn hexahedra_bend_at_a_poissons_ratio_near_one_half() {
    cantilever_rows().iter().for_each(Row::check);
}
