//! Membranes and shells: cantilever and clamped plate against plate theory, the Scordelis-Lo roof and the pinched cylinder
//! against their converged values (MacNealHarder1985, TimoshenkoWoinowsky1959), a membrane sphere under pressure against its
//! closed form. Loads on shells are so small that displacements are linear.

use sinew::Vec3;
use sinew::fem::VolumeMesh;
use sinew::material::MaterialSpec;
use sinew::model::{Bending, FemModel, Model, Shell};

use super::problem::{Solved, close, fix, isotropic, load, nodes_where, solve, tissue};
use super::table::Row;

/// Diagonals of the cells of a grid.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    /// All in one direction: neighbours mirror each other.
    Alike,
    /// Crossing from cell to cell.
    Alternating,
}

/// A sheet of n x m cells over the unit square, two triangles each, its nodes put in place.
fn grid([n, m]: [usize; 2], place: impl Fn(f64, f64) -> Vec3) -> (VolumeMesh, Vec<[u32; 3]>) {
    cut([n, m], Cut::Alike, place)
}

fn cut(
    [n, m]: [usize; 2],
    way: Cut,
    place: impl Fn(f64, f64) -> Vec3,
) -> (VolumeMesh, Vec<[u32; 3]>) {
    let node = |i: usize, j: usize| (j * (n + 1) + i) as u32;
    let at = |k: usize| {
        let (i, j) = (k % (n + 1), k / (n + 1));
        place(i as f64 / n as f64, j as f64 / m as f64)
    };
    let mesh = VolumeMesh::new((0..(n + 1) * (m + 1)).map(at).collect());
    let mut triangles = Vec::new();
    for (i, j) in (0..m).flat_map(|j| (0..n).map(move |i| (i, j))) {
        let [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
        let pair = if way == Cut::Alike || (i + j) % 2 == 0 {
            [[a, b, c], [a, c, d]]
        } else {
            [[a, b, d], [b, c, d]]
        };
        triangles.extend(pair);
    }
    (mesh, triangles)
}

/// A shell of a thickness [m] whose edges at the nodes where `clamped` holds keep their direction.
fn shell(
    (mut mesh, triangles): (VolumeMesh, Vec<[u32; 3]>),
    law: MaterialSpec,
    thickness: f64,
    clamped: impl Fn(&Vec3) -> bool,
) -> Model {
    mesh.node_sets.insert("clamped".into(), nodes_where(&mesh, clamped));
    let mut model = tissue(mesh, law);
    let fem = model.nth::<FemModel>(0);
    let (thickness, clamped) = (thickness.to_string(), "clamped".into());
    model.add(Shell { thickness, clamped, ..Shell::of_triangles(fem, triangles, law) });
    model
}

/// Forces that a load per area [Pa] at rest makes at the nodes.
fn by_area(model: &Model, pressure: Vec3) -> Vec<(u32, Vec3)> {
    let mesh = &model.fem(0).mesh;
    let mut forces = vec![Vec3::zeros(); mesh.nodes.len()];
    for triangle in &model[model.nth::<Shell>(0)].triangles {
        let [a, b, c] = triangle.map(|n| mesh.nodes[n as usize]);
        let area = 0.5 * (b - a).cross(&(c - a)).norm();
        triangle.iter().for_each(|&n| forces[n as usize] += pressure * (area / 3.0));
    }
    (0..).zip(forces).collect()
}

fn hold(model: &mut Model, place: impl Fn(&Vec3) -> bool, axes: [bool; 3]) {
    let nodes = nodes_where(&model.fem(0).mesh, place);
    fix(model, nodes, axes);
}

/// Mean displacement of the nodes at a place.
fn moved(solved: &Solved, place: impl Fn(&Vec3) -> bool) -> Vec3 {
    solved.mean_displacement(&nodes_where(solved.mesh(), place))
}

/// Deflection of a strip of 1 x 0.2 m, 0.01 m thick, E = 1 GPa, nu = 0, clamped at one end under 1 N at the other; beam
/// theory has F L³ / (3 E I) = 0.02 m. The load is taken small.
fn cantilever(n: usize) -> Row {
    const SMALL: f64 = 1e-3;
    let strip = grid([n, n.div_ceil(5)], |s, t| Vec3::new(s, 0.2 * t, 0.0));
    let law = MaterialSpec::Linear(isotropic(1e9, 0.0));
    let mut model = shell(strip, law, 0.01, |x| close(x.x, 0.0));
    hold(&mut model, |x| close(x.x, 0.0), [true; 3]);
    let end = nodes_where(&model.fem(0).mesh, |x| close(x.x, 1.0));
    let push = Vec3::z() * SMALL / end.len() as f64;
    load(&mut model, end.into_iter().map(|n| (n, push)).collect());
    let end = moved(&solve(model, 1), |x| close(x.x, 1.0)).z / SMALL;
    let case = format!("cantilever, {n} cells along it");
    Row::new(case, "deflection [m]", (0.02, end), [0.06, 0.03][usize::from(n > 10)])
}

/// Deflection of the middle of a clamped square plate of 1 m, 0.01 m thick, under a uniform load, a quarter of it:
/// 0.00126532 q L⁴ / D.
fn clamped_plate(n: usize, way: Cut, moved_by: f64, allowed: f64) -> Row {
    let (young, nu, thickness, q) = (1e9, 0.3, 0.01, 1e-2);
    // Nodes inside are moved by up to a share of a cell, this way and that.
    let quarter = cut([n, n], way, |s, t| {
        let inside = s * t * (1.0 - s) * (1.0 - t) > 1e-9;
        let [i, j] = [s, t].map(|x| x * n as f64);
        let offset = if inside { moved_by / n as f64 } else { 0.0 };
        let [x, y] =
            [s + offset * (7.0 * i + 3.0 * j).sin(), t + offset * (5.0 * j - 2.0 * i).cos()];
        Vec3::new(0.5 * x, 0.5 * y, 0.0)
    });
    let law = MaterialSpec::Linear(isotropic(young, nu));
    // Two edges are clamped, two are planes of symmetry: all keep their direction.
    let edge = |x: &Vec3| x.x < 1e-9 || x.y < 1e-9 || x.x > 0.5 - 1e-9 || x.y > 0.5 - 1e-9;
    let mut model = shell(quarter, law, thickness, edge);
    hold(&mut model, |x| x.x > 0.5 - 1e-9 || x.y > 0.5 - 1e-9, [true; 3]);
    hold(&mut model, |x| close(x.x, 0.0), [true, false, false]);
    hold(&mut model, |x| close(x.y, 0.0), [false, true, false]);
    let forces = by_area(&model, Vec3::z() * q);
    load(&mut model, forces);
    let middle = moved(&solve(model, 1), |x| close(x.x, 0.0) && close(x.y, 0.0)).z;
    let stiffness = young * f64::powi(thickness, 3) / (12.0 * (1.0 - nu * nu));
    let scaled = middle * stiffness / q;
    let diagonals = if way == Cut::Alike { "" } else { ", diagonals that cross" };
    let nodes =
        if moved_by > 0.0 { format!(", nodes moved by {moved_by} cells") } else { String::new() };
    let case = format!("clamped square plate, {n} x {n} cells of a quarter{diagonals}{nodes}");
    Row::new(case, "w D / (q L⁴) of the middle", (0.001_265_32, scaled), allowed)
}

/// The Scordelis-Lo roof, a quarter: radius 25, length 50, 80 degrees, thickness 0.25, E = 4.32e8, nu = 0, 90 a unit of area;
/// vertical displacement in the middle of the free edge, 0.3024 with shear, by a small share of the load.
fn roof(n: usize, allowed: f64) -> Row {
    const SMALL: f64 = 1e-4;
    let angle = 40f64.to_radians();
    let quarter = grid([n, n], |s, t| {
        let (sin, cos) = (s * angle).sin_cos();
        Vec3::new(25.0 * sin, 25.0 * t, 25.0 * cos)
    });
    let symmetric = |x: &Vec3| close(x.x, 0.0) || close(x.y, 25.0);
    let law = MaterialSpec::Linear(isotropic(4.32e8, 0.0));
    let mut model = shell(quarter, law, 0.25, symmetric);
    hold(&mut model, |x| close(x.y, 0.0), [true, false, true]);
    hold(&mut model, |x| close(x.x, 0.0), [true, false, false]);
    hold(&mut model, |x| close(x.y, 25.0), [false, true, false]);
    let forces = by_area(&model, -Vec3::z() * (90.0 * SMALL));
    load(&mut model, forces);
    let edge = 25.0 * angle.sin();
    let at = moved(&solve(model, 1), |x| close(x.y, 25.0) && x.x > edge - 1e-9).z / SMALL;
    let case = format!("Scordelis-Lo roof, {n} x {n} cells of a quarter");
    Row::new(case, "z of the free edge", (-0.3024, at), allowed)
}

/// The pinched cylinder between rigid diaphragms, an eighth: radius 300, length 600, thickness 3, E = 3e6, nu = 0.3, forces of
/// 1; displacement under them, 1.8248e-5.
fn pinched(n: usize, allowed: f64) -> Row {
    let quarter = std::f64::consts::FRAC_PI_2;
    let eighth = grid([n, n], |s, t| {
        let (sin, cos) = (s * quarter).sin_cos();
        Vec3::new(300.0 * sin, 300.0 * t, 300.0 * cos)
    });
    let on = |at: f64| move |x: f64| (x - at).abs() < 1e-6;
    let zero = on(0.0);
    let middle = on(300.0);
    let symmetric = move |x: &Vec3| zero(x.x) || zero(x.z) || middle(x.y);
    let law = MaterialSpec::Linear(isotropic(3e6, 0.3));
    let mut model = shell(eighth, law, 3.0, symmetric);
    hold(&mut model, |x| zero(x.y), [true, false, true]);
    hold(&mut model, |x| zero(x.x), [true, false, false]);
    hold(&mut model, |x| zero(x.z), [false, false, true]);
    hold(&mut model, |x| middle(x.y), [false, true, false]);
    let loaded = move |x: &Vec3| zero(x.x) && middle(x.y);
    let node = nodes_where(&model.fem(0).mesh, loaded);
    load(&mut model, vec![(node[0], -Vec3::z() * 0.25)]);
    let under = moved(&solve(model, 1), loaded).z;
    let case = format!("pinched cylinder, {n} x {n} cells of an eighth");
    Row::new(case, "z under the force", (-1.8248e-5, under), allowed)
}

/// Stretch of an eighth of a membrane sphere of 10 cm and 1 mm, neo-Hookean of nu = 0.5, under the pressure
/// 2 mu t / R (1/lambda - 1/lambda⁷) of the stretch 1.2.
fn balloon(n: usize) -> Row {
    const STRETCH: f64 = 1.2;
    let (mu, radius, thickness) = (1e5, 0.1, 1e-3);
    let law = MaterialSpec::NeoHookean(isotropic(3.0 * mu, 0.5));
    let node = |i: usize, j: usize| (j * (n + 1) - j * j.saturating_sub(1) / 2 + i) as u32;
    let mut nodes = Vec::new();
    let mut triangles = Vec::new();
    for j in 0..=n {
        for i in 0..=n - j {
            let [x, y] = [i, j].map(|k| k as f64 / n as f64);
            nodes.push(Vec3::new(x, y, 1.0 - x - y).normalize() * radius);
            if i + j < n {
                triangles.push([node(i, j), node(i + 1, j), node(i, j + 1)]);
            }
            if i + j + 1 < n {
                triangles.push([node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)]);
            }
        }
    }
    let mut model = shell((VolumeMesh::new(nodes), triangles), law, thickness, |_| false);
    let sheet = model.nth::<Shell>(0);
    model[sheet].bending = Bending::Free;
    let load = STRETCH.powi(-1) - STRETCH.powi(-7);
    model[sheet].pressure = 2.0 * mu * thickness / radius * load;
    for axis in 0..3 {
        let mut axes = [false; 3];
        axes[axis] = true;
        hold(&mut model, |x| close(x[axis], 0.0), axes);
    }
    let solved = solve(model, 6);
    let count = solved.mesh().nodes.len() as u32;
    let mean = (0..count).map(|k| solved.position(k).norm()).sum::<f64>() / f64::from(count);
    let case = format!("membrane sphere under pressure, {n} triangles along an edge of an eighth");
    Row::new(case, "stretch", (STRETCH, mean / radius), 0.02)
}

fn rows() -> Vec<Row> {
    vec![
        cantilever(10),
        cantilever(40),
        clamped_plate(8, Cut::Alike, 0.0, 0.07),
        clamped_plate(16, Cut::Alike, 0.0, 0.02),
        clamped_plate(16, Cut::Alike, 0.2, 0.02),
        clamped_plate(16, Cut::Alternating, 0.0, 0.02),
        roof(8, 0.05),
        roof(24, 0.03),
        pinched(16, 0.2),
        pinched(32, 0.08),
        balloon(12),
    ]
}

#[test]
fn plates_roofs_cylinders_and_balloons_are_as_stiff_as_theory_says() {
    rows().iter().for_each(Row::check);
}
