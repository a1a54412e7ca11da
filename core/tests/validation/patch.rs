//! Patch tests on a distorted mesh of the unit cube (MacNeal and Harder 1985): displaced along a linear
//! field on its surface, the inside must follow, under uniform stress.

use sinew::fem::ElementKind;
use sinew::material::MaterialSpec;
use sinew::{Mat3, Vec3};

use super::laws::{GENERAL, NEO_HOOKEAN_STRESS};
use super::meshes::patch;
use super::problem::{Solved, close, isotropic, nodes_where, prescribe, solve, tissue};
use super::table::{Group, Row};

/// FEM-patch-tests: u = 1e-3 (2x + y + z, x + 2y + z, x + y + 2z) / 2.
const STRAIN: f64 = 1e-3;
/// Stress for E = 1e6 Pa, nu = 0.25 [Pa]: normal, shear.
const STRESS: [f64; 2] = [2000.0, 400.0];

/// Rounding.
const ALLOWED: f64 = 1e-10;

fn prescribed_patch(kind: ElementKind, material: MaterialSpec, gradient: Mat3) -> Solved {
    let mut model = tissue(patch(kind), material);
    let on_surface = |x: &Vec3| x.iter().any(|&c| close(c, 0.0) || close(c, 1.0));
    let surface = nodes_where(&model.fem(0).mesh, on_surface);
    prescribe(&mut model, surface, |x| gradient * x);
    solve(model, 1)
}

/// The inner node that is furthest from the field, over the largest displacement of the field.
fn field_error(solved: &Solved, gradient: &Mat3) -> f64 {
    let nodes = solved.mesh().nodes.iter().enumerate();
    let (mut error, mut scale) = (0.0_f64, 0.0_f64);
    for (n, x) in nodes {
        error = error.max((solved.displacement(n as u32) - gradient * x).norm());
        scale = scale.max((gradient * x).norm());
    }
    error / scale
}

/// The quadrature point whose stress is furthest from `stress`, relative to its norm.
fn stress_error(solved: &Solved, stress: &Mat3) -> f64 {
    let points = |e: usize| solved.mesh().element(e).0.points().iter().map(move |p| (e, p.at));
    (0..solved.mesh().element_count())
        .flat_map(points)
        .map(|(e, at)| (solved.stress(e, at).1 - stress).norm() / stress.norm())
        .fold(0.0, f64::max)
}

fn rows(kind: ElementKind) -> Vec<Row> {
    let name = kind.name();
    let gradient = Mat3::new(2.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 2.0) * (STRAIN / 2.0);
    let small = prescribed_patch(kind, MaterialSpec::Linear(isotropic(1e6, 0.25)), gradient);
    let [normal, shear] = STRESS;
    let hooke = Mat3::from_element(shear) + Mat3::identity() * (normal - shear);

    let large = Mat3::from_row_slice(&GENERAL) - Mat3::identity();
    let finite = prescribed_patch(kind, MaterialSpec::NeoHookean(isotropic(5e5, 0.33)), large);
    let [xx, yy, zz, xy, xz, yz] = NEO_HOOKEAN_STRESS;
    let cauchy = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let displacement = |what: &str, error: f64| {
        Row::of_error(name, format!("{what}: displacement, relative"), error, ALLOWED)
    };
    let stress = |what: &str, solved: &Solved, reference: &Mat3| {
        let mean = solved.mean_stress();
        let of_mean = (mean - reference).norm() / reference.norm();
        let metric = format!("{what}: stress xx [Pa]; error: of all components at all points");
        Row::new(name, metric, (reference[(0, 0)], mean[(0, 0)]), ALLOWED)
            .with_error(of_mean.max(stress_error(solved, reference)))
    };
    vec![
        displacement("small strain", field_error(&small, &gradient)),
        stress("small strain", &small, &hooke),
        displacement("finite strain", field_error(&finite, &large)),
        stress("finite strain", &finite, &cauchy),
    ]
}

pub(crate) fn groups() -> Vec<Group> {
    vec![Group {
        title: "Patch tests",
        text: "FEM-patch-tests: the seven distorted hexahedra of MacNeal and Harder 1985 in the unit cube, \
               the surface prescribed along a linear field (strain of 0.1 %, E = 1 MPa, nu = 0.25, linear; and the finite \
               deformation F = (1.1, 0.2, -0.05; 0.1, 0.9, 0.15; -0.08, 0.05, 1.05), neo-Hookean, \
               E = 500 kPa, nu = 0.33). Wedges are two a hexahedron, pyramids six about its centre, \
               tetrahedra two a pyramid; quadratic kinds have straight edges.",
        rows: ElementKind::ALL.into_iter().flat_map(rows).collect(),
    }]
}

#[test]
fn a_linear_field_on_the_surface_goes_through_a_distorted_patch() {
    groups().iter().for_each(Group::check);
}
