//! Lamé's thick cylinder under inner pressure in plane strain: displacement, stress, locking near
//! incompressibility, and the order of convergence.

use std::f64::consts::FRAC_PI_2;

use sinew::Vec3;
use sinew::fem::VolumeMesh;
use sinew::material::MaterialSpec;
use sinew_datasets::beam::BeamElement;

use super::meshes::{grid, kind_name};
use super::problem::{
    Solved, close, fix, isotropic, load, nodes_where, shape, solve, tissue, traction,
};
use super::table::{Group, Row};

/// FEM-lame-cylinder: radii [m], pressure [Pa], E [Pa].
const RADII: [f64; 2] = [1.0, 2.0];
const PRESSURE: f64 = 1000.0;
const YOUNGS_MODULUS: f64 = 1e6;
/// Height of the slice [m].
const HEIGHT: f64 = 0.25;
/// nu, radial displacement at the inner and the outer face [m].
const DISPLACEMENTS: [[f64; 3]; 3] = [
    [0.3, 0.0019066666666666668, 0.0012133333333333332],
    [0.49, 0.0019966, 0.0010132],
    [0.4999, 0.0019999666599999997, 0.0010001333199999999],
];
/// Stress around at the inner face, radial stress at the middle [Pa].
const HOOP_INNER: f64 = 1666.6666666666667;
const RADIAL_MID: f64 = -259.25925925925924;

/// A quarter of a ring, cells along the radius and around.
fn quarter(element: BeamElement, [radial, around]: [usize; 2]) -> VolumeMesh {
    let [a, b] = RADII;
    let mut mesh = grid(element, [radial, around, 1], [b - a, FRAC_PI_2, HEIGHT]);
    for x in &mut mesh.nodes {
        let (sin, cos) = x.y.sin_cos();
        *x = Vec3::new((a + x.x) * cos, (a + x.x) * sin, x.z);
    }
    mesh
}

fn radius(x: &Vec3) -> f64 {
    x.x.hypot(x.y)
}

fn cylinder(element: BeamElement, cells: [usize; 2], nu: f64) -> Solved {
    let material = MaterialSpec::Linear(isotropic(YOUNGS_MODULUS, nu));
    let mut model = tissue(quarter(element, cells), material);
    let mesh = &model.fem(0).mesh;
    let planes = [nodes_where(mesh, |x| close(x.x, 0.0)), nodes_where(mesh, |x| close(x.y, 0.0))];
    let everywhere = nodes_where(mesh, |_| true);
    let pressure = traction(mesh, |x| close(radius(x), RADII[0]), |_, normal| -normal * PRESSURE);
    load(&mut model, pressure);
    let [left, right] = planes;
    fix(&mut model, left, [true, false, false]);
    fix(&mut model, right, [false, true, false]);
    fix(&mut model, everywhere, [false, false, true]);
    solve(model, 1)
}

/// Mean radial displacement at a radius [m].
fn outward(solved: &Solved, at: f64) -> f64 {
    let nodes = nodes_where(solved.mesh(), |x| close(radius(x), at));
    let along = |&n: &u32| {
        let x = solved.mesh().nodes[n as usize];
        solved.displacement(n).dot(&Vec3::new(x.x, x.y, 0.0)) / radius(&x)
    };
    nodes.iter().map(along).sum::<f64>() / nodes.len() as f64
}

fn displacement_rows(element: BeamElement, cells: [usize; 2], k: usize, allowed: f64) -> [Row; 2] {
    let [nu, inner, outer] = DISPLACEMENTS[k];
    let solved = cylinder(element, cells, nu);
    let case = format!("{}, {} x {} cells, nu = {nu}", kind_name(element), cells[0], cells[1]);
    [("inner", inner, RADII[0]), ("outer", outer, RADII[1])].map(|(face, reference, r)| {
        let metric = format!("displacement of the {face} face [m]");
        Row::new(case.clone(), metric, (reference, outward(&solved, r)), allowed)
    })
}

/// Mean over the elements of a radial component (0) or one around (1) at a point given by the
/// first reference coordinate, which runs along the radius.
fn stress_at(solved: &Solved, at: f64, (r, component): (f64, usize)) -> f64 {
    let mut values = Vec::new();
    for e in 0..solved.mesh().element_count() {
        let (x, sigma) = solved.stress(e, [at, 0.0, 0.0]);
        if (radius(&x) - r).abs() < 1e-6 {
            let out = Vec3::new(x.x, x.y, 0.0) / r;
            let axis = [out, Vec3::z().cross(&out)][component];
            values.push(axis.dot(&(sigma * axis)));
        }
    }
    assert!(!values.is_empty(), "elements at the radius {r}");
    values.iter().sum::<f64>() / values.len() as f64
}

/// Nine cells along the radius, so that the middle one has its centre at the middle.
fn stress_rows() -> [Row; 2] {
    let solved = cylinder(BeamElement::QuadHex, [9, 12], DISPLACEMENTS[0][0]);
    let case = "hex20, 9 x 12 cells, nu = 0.3";
    let hoop = stress_at(&solved, -1.0, (RADII[0], 1));
    let radial = stress_at(&solved, 0.0, (1.5, 0));
    [
        Row::new(case, "stress around at the inner face [Pa]", (HOOP_INNER, hoop), 0.02),
        Row::new(case, "radial stress at r = 1.5 m [Pa]", (RADIAL_MID, radial), 0.02),
    ]
}

/// Exact radial displacement for nu = 0.3 [m].
fn exact(r: f64) -> f64 {
    let [a, b] = RADII;
    let nu = DISPLACEMENTS[0][0];
    let factor = (1.0 + nu) / YOUNGS_MODULUS * PRESSURE * a * a / (b * b - a * a);
    factor * ((1.0 - 2.0 * nu) * r + b * b / r)
}

/// Root of the mean square error of the displacement over that of the displacement.
fn field_error(solved: &Solved) -> f64 {
    let (mut error, mut scale) = (0.0, 0.0);
    for (kind, nodes) in solved.mesh().elements() {
        for point in kind.points() {
            let n = shape(kind, point.at).0;
            let sum = |value: &dyn Fn(u32) -> Vec3| -> Vec3 {
                nodes.iter().zip(&n).map(|(&id, n)| value(id) * *n).sum()
            };
            let x = sum(&|id| solved.mesh().nodes[id as usize]);
            let u = sum(&|id| solved.displacement(id));
            let r = radius(&x);
            let reference = Vec3::new(x.x, x.y, 0.0) * (exact(r) / r);
            error += point.weight * (u - reference).norm_squared();
            scale += point.weight * reference.norm_squared();
        }
    }
    (error / scale).sqrt()
}

/// Observed order between a mesh and one of half its size.
fn order_row(element: BeamElement, cells: [usize; 2], expected: f64) -> Row {
    let nu = DISPLACEMENTS[0][0];
    let error = |cells| field_error(&cylinder(element, cells, nu));
    let order = (error(cells) / error(cells.map(|c| 2 * c))).log2();
    let [radial, around] = cells;
    let case = format!(
        "{}, {radial} x {around} to {} x {} cells, nu = 0.3",
        kind_name(element),
        2 * radial,
        2 * around
    );
    Row::new(case, "observed order", (expected, order), 0.1)
}

pub(crate) fn groups() -> Vec<Group> {
    use BeamElement::{Hex, QuadHex, QuadTet, Tet, Wedge};
    let mut rows = Vec::new();
    for k in 0..2 {
        rows.extend(displacement_rows(QuadHex, [4, 6], k, 5e-3));
    }
    for (cells, allowed) in [([4, 6], 1e-3), ([12, 18], 1e-4)] {
        rows.extend(displacement_rows(QuadHex, cells, 2, allowed));
    }
    for k in 0..3 {
        rows.extend(displacement_rows(Hex, [16, 24], k, [5e-3, 2e-2, 5e-3][k]));
    }
    rows.extend(stress_rows());
    let lame = Group {
        title: "Thick cylinder under pressure",
        text: "FEM-lame-cylinder: radii 1 and 2 m, 1 kPa inside, E = 1 MPa, plane strain, a quarter with \
               one cell along the axis. At nu = 0.4999 elements have pressures of their own (`incompressible = \"auto\"`); \
               without them hex8 is left with half of the displacement, hex20 on the coarse mesh lacks 9 %.",
        rows,
    };
    let orders = Group {
        title: "Order of convergence",
        text: "The root mean square error of the displacement of the same cylinder on two meshes, one of \
               half the other's cell size: second order for elements of linear, third for those of quadratic \
               shape.",
        rows: vec![
            order_row(Hex, [4, 6], 2.0),
            order_row(Tet, [8, 12], 2.0),
            order_row(Wedge, [4, 6], 2.0),
            order_row(QuadHex, [2, 3], 3.0),
            order_row(QuadTet, [4, 6], 3.0),
        ],
    };
    vec![lame, orders]
}

#[test]
fn a_thick_cylinder_widens_as_lame_found() {
    groups()[0].check();
}

#[test]
fn elements_converge_with_their_order() {
    groups()[1].check();
}
