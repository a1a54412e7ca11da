//! Pure bending: quadratic elements with straight edges hold the quadratic field exactly.

use sinew::Vec3;
use sinew::material::MaterialSpec;
use sinew_datasets::beam::BeamElement;

use super::meshes::{grid, kind_name};
use super::problem::{close, isotropic, nodes_where, prescribe, solve, tissue};
use super::table::{Group, Row};

/// FEM-pure-bending-quadratic: curvature [1/m], E [Pa], nu, stress xx at y = 0.5 m [Pa].
const CURVATURE: f64 = 1e-3;
const YOUNGS_MODULUS: f64 = 1e6;
const POISSONS_RATIO: f64 = 0.25;
const STRESS: f64 = 500.0;

/// The field of pure bending about z [m].
fn field(x: &Vec3) -> Vec3 {
    let [x, y, z] = [x.x, x.y, x.z];
    let (k, nu) = (CURVATURE, POISSONS_RATIO);
    Vec3::new(k * x * y, -0.5 * k * (x * x + nu * (y * y - z * z)), -nu * k * y * z)
}

fn rows(element: BeamElement) -> Vec<Row> {
    let size = [10.0, 1.0, 1.0];
    let mesh = grid(element, [5, 3, 3], size);
    let mut model = tissue(mesh, MaterialSpec::Linear(isotropic(YOUNGS_MODULUS, POISSONS_RATIO)));
    let on_surface =
        |x: &Vec3| (0..3).any(|axis| close(x[axis], 0.0) || close(x[axis], size[axis]));
    let surface = nodes_where(&model.fem(0).mesh, on_surface);
    prescribe(&mut model, surface, field);
    let solved = solve(model, 1);
    let nodes = solved.mesh().nodes.iter().enumerate();
    let error =
        nodes.map(|(n, x)| (solved.displacement(n as u32) - field(x)).norm()).fold(0.0, f64::max);
    let largest = solved.mesh().nodes.iter().map(|x| field(x).norm()).fold(0.0, f64::max);
    // Stress is linear in y, so that every point gives a value for y = 0.5.
    let points = (0..solved.mesh().element_count())
        .flat_map(|e| solved.mesh().element(e).0.points().iter().map(move |p| (e, p.at)));
    let stress = points
        .map(|(e, at)| solved.stress(e, at))
        .map(|(x, sigma)| sigma[(0, 0)] + YOUNGS_MODULUS * CURVATURE * (0.5 - x.y))
        .max_by(|a, b| (a - STRESS).abs().total_cmp(&(b - STRESS).abs()))
        .expect("points");
    let name = kind_name(element);
    vec![
        Row::of_error(name, "displacement of all nodes, relative", error / largest, 1e-9),
        Row::new(name, "stress xx at y = 0.5 m [Pa], the worst point", (STRESS, stress), 1e-9),
    ]
}

pub(crate) fn groups() -> Vec<Group> {
    let elements = [BeamElement::QuadHex, BeamElement::QuadTet];
    vec![Group {
        title: "Pure bending",
        text: "FEM-pure-bending-quadratic: a bar of 10 x 1 x 1 m (5 x 3 x 3 cells) prescribed along the \
               quadratic field of pure bending on its whole surface. Stress at other heights is \
               carried to y = 0.5 m with its exact slope.",
        rows: elements.into_iter().flat_map(rows).collect(),
    }]
}

#[test]
fn quadratic_elements_hold_pure_bending() {
    groups().iter().for_each(Group::check);
}
