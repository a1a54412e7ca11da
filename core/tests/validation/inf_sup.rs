//! Inf-sup numbers of the pairs of displacements and pressures (ChapelleBathe1993): the root of the smallest eigenvalue
//! of K_lambda x = gamma K_mu x that is not zero, with K_lambda the stiffness of the volume at lambda = 1 and K_mu that of
//! the shear at mu = 1, on a cube fixed at one face. A pair that keeps its number as cells get smaller is stable; one whose
//! number falls with them has pressures that nothing holds.

use nalgebra::{Cholesky, DMatrix};
use sinew::fem::Incompressible;
use sinew::force::JacobianScale;
use sinew::linalg::BlockMatrix;
use sinew::material::MaterialSpec;
use sinew::system::{LoadCase, MechSystem, Motion};
use sinew_datasets::beam::BeamElement;

use super::meshes::{grid, kind_name};
use super::problem::{close, fix, isotropic, nodes_where, tissue};
use super::table::{Group, Row};
use super::volume::way_name;

/// Eigenvalues below this are zero [-]: rounding leaves 1e-12 of the largest.
const ZERO: f64 = 1e-8;

/// Stiffness of the free rows of a cube of n³ cells, with Lamé's constants (lambda, mu).
fn stiffness(
    element: BeamElement,
    n: usize,
    way: Incompressible,
    [lambda, mu]: [f64; 2],
) -> DMatrix<f64> {
    let (young, nu) =
        (mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu), 0.5 * lambda / (lambda + mu));
    let mut model =
        tissue(grid(element, [n; 3], [1.0; 3]), MaterialSpec::Linear(isotropic(young, nu)));
    model.fem_mut(0).incompressible = way;
    let root = nodes_where(&model.fem(0).mesh, |x| close(x.x, 0.0));
    fix(&mut model, root, [true; 3]);
    let compiled = model.compile().expect("the model compiles");
    let state = compiled.initial_state();
    let mut matrix = BlockMatrix::zeros(compiled.pattern().clone());
    let scale = JacobianScale { position: 1.0, velocity: 0.0 };
    let at = (LoadCase::at(0.0), Motion::at(&state.q, &state.u));
    compiled.add_jacobian(at.0, at.1, scale, &mut matrix).expect("a matrix");
    let free: Vec<usize> =
        (0..compiled.block_count()).filter(|&row| !compiled.fixed()[row][0]).collect();
    let mut dense = DMatrix::zeros(3 * free.len(), 3 * free.len());
    for (i, &row) in free.iter().enumerate() {
        for slot in matrix.pattern().row(row) {
            let column = matrix.pattern().columns()[slot] as usize;
            if let Ok(j) = free.binary_search(&column) {
                dense.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(&matrix.block(slot));
            }
        }
    }
    dense
}

/// The inf-sup number on n³ cells.
fn number(element: BeamElement, n: usize, way: Incompressible) -> f64 {
    // Linear in both constants: differences have no error but rounding.
    let [soft, stiff] = [1.0, 2.0].map(|lambda| stiffness(element, n, way, [lambda, 1.0]));
    let volume = &stiff - &soft;
    let shear = soft - &volume;
    let factor = Cholesky::new(shear).expect("shear resists").l();
    let half = factor.solve_lower_triangular(&volume).expect("a factor");
    let whole = factor.solve_lower_triangular(&half.transpose()).expect("a factor");
    let gammas = whole.symmetric_eigenvalues();
    let largest = gammas.max();
    gammas
        .iter()
        .copied()
        .filter(|gamma| *gamma > ZERO * largest)
        .fold(f64::INFINITY, f64::min)
        .sqrt()
}

/// A pair, and for two meshes the cells a side and the number.
type Pair = (BeamElement, Incompressible, [(usize, f64); 2]);

/// Numbers that were measured here: no theory has them, and these rows keep watch that they stay.
const PAIRS: [Pair; 11] = [
    (BeamElement::Hex, Incompressible::Element, [(2, 0.543121), (4, 0.204475)]),
    (BeamElement::Hex, Incompressible::Nodal, [(2, 0.0475549), (4, 0.0263534)]),
    (BeamElement::Wedge, Incompressible::Element, [(2, 0.216610), (4, 0.0402441)]),
    (BeamElement::Wedge, Incompressible::Nodal, [(2, 0.0420250), (4, 0.0269615)]),
    (BeamElement::Pyramid, Incompressible::Element, [(2, 0.104520), (3, 0.0176996)]),
    (BeamElement::Pyramid, Incompressible::Nodal, [(2, 0.0692777), (3, 0.0147097)]),
    (BeamElement::Tet, Incompressible::Nodal, [(2, 0.0434888), (4, 0.0299973)]),
    (BeamElement::Tet, Incompressible::Element, [(2, 0.0975924), (4, 0.0361643)]),
    (BeamElement::QuadTet, Incompressible::Element, [(2, 0.471991), (3, 0.375691)]),
    (BeamElement::QuadHex, Incompressible::Element, [(2, 0.359953), (3, 0.220969)]),
    (BeamElement::QuadWedge, Incompressible::Element, [(2, 0.134553), (3, 0.0457388)]),
];

pub(crate) fn groups() -> Vec<Group> {
    let mut rows = Vec::new();
    for (element, way, counts) in PAIRS {
        for (n, beta) in counts {
            let case = format!("{}, {n} x {n} x {n} cells, {}", kind_name(element), way_name(way));
            rows.push(Row::new(case, "inf-sup number", (beta, number(element, n, way)), 1e-4));
        }
    }
    vec![Group {
        title: "Inf-sup numbers",
        text: "The root of the smallest eigenvalue, zeros aside, of the stiffness of the volume (lambda = 1) over that of the shear \
               (mu = 1), on a cube fixed at one face (ChapelleBathe1993). A pair is stable whose number stays as cells get \
               smaller. References were measured here.",
        rows,
    }]
}

#[test]
fn inf_sup_numbers_stay_what_they_are() {
    groups().iter().for_each(Group::check);
}
