//! Natural frequencies of a cantilever: the lowest modes of the assembled stiffness and the lumped
//! masses, by subspace iteration.

use std::f64::consts::TAU;
use std::sync::LazyLock;

use nalgebra::{DMatrix, SymmetricEigen};
use sinew::Vec3;
use sinew::force::JacobianScale;
use sinew::linalg::{BlockMatrix, SparseCholesky, dot};
use sinew::material::MaterialSpec;
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion};
use sinew_datasets::beam::BeamElement;

use super::meshes::{grid, kind_name};
use super::problem::{close, fix, isotropic, nodes_where, tissue};
use super::table::{Group, Row};

/// FEM-free-vibration: 1 x 0.05 x 0.05 m, E = 1e7 Pa, nu = 0, 1000 kg/m³. Frequencies [Hz].
const SIZE: [f64; 3] = [1.0, 0.05, 0.05];
const BENDING: [f64; 4] =
    [0.8077003392782496, 5.061771623136887, 14.173107113843121, 27.773633263123315];
const AXIAL: [f64; 2] = [25.0, 75.0];
const TORSION: [f64; 2] = [16.235204803143077, 48.70561440942933];

/// Shape of a mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Bending,
    Axial,
    Torsion,
}

/// A natural frequency [Hz] and the kind of its mode.
struct Mode {
    frequency: f64,
    shape: Shape,
}

/// Vectors of the subspace: half as many again as the modes that are wanted.
const SUBSPACE: usize = 26;
/// Modes are sought up to the second axial one.
const WANTED: usize = 16;

/// The free block vectors that the iteration starts from: smooth, and different from one another.
fn start(compiled: &CompiledModel) -> Vec<Vec<Vec3>> {
    let wave = |k: usize, x: &Vec3| {
        let (a, order) = (0.25 * TAU * x.x, (k / 4) as f64);
        let along = ((2.0 * order + 1.0) * a).sin();
        let (y, z) = (x.y / SIZE[1] - 0.5, x.z / SIZE[2] - 0.5);
        match k % 4 {
            0 => Vec3::new(along, 0.0, 0.0),
            1 => Vec3::new(0.0, along, 0.01 * along * y),
            2 => Vec3::new(0.01 * along * z, 0.0, along),
            _ => Vec3::new(0.0, -z, y) * along,
        }
    };
    let vector = |k| compiled.rest_positions().iter().map(|x| wave(k, x)).collect();
    (0..SUBSPACE).map(vector).collect()
}

fn modes(element: BeamElement, counts: [usize; 3]) -> Vec<Mode> {
    let material = MaterialSpec::Linear(isotropic(1e7, 0.0));
    let mut model = tissue(grid(element, counts, SIZE), material);
    let clamped = nodes_where(&model.fem(0).mesh, |x| close(x.x, 0.0));
    fix(&mut model, clamped, [true; 3]);
    let compiled = model.compile().expect("the beam compiles");
    let rest = compiled.initial_state();
    let mut stiffness = BlockMatrix::zeros(compiled.pattern().clone());
    let motion = Motion::at(&rest.q, &rest.u);
    let scale = JacobianScale { position: 1.0, velocity: 0.0 };
    compiled.add_jacobian(LoadCase::at(0.0), motion, scale, &mut stiffness).expect("a stiffness");
    let mut factor = SparseCholesky::new(compiled.pattern(), compiled.fixed()).expect("an order");
    factor.factor(&stiffness).expect("a factor");
    let (vectors, values) = subspace_iteration(&compiled, &mut factor);
    let frequency = |value: f64| value.sqrt() / TAU;
    let mode = |(v, value): (&Vec<Vec3>, &f64)| Mode {
        frequency: frequency(*value),
        shape: shape_of(&compiled, v),
    };
    vectors.iter().zip(&values).map(mode).collect()
}

/// Lowest eigenvalues [1/s²], rising, with their vectors: K^-1 M is applied until the wanted ones
/// stand still. (Bathe 2014, ch. 11.6.)
fn subspace_iteration(
    compiled: &CompiledModel,
    factor: &mut SparseCholesky,
) -> (Vec<Vec<Vec3>>, Vec<f64>) {
    let masses = compiled.masses();
    let mass_times =
        |v: &[Vec3]| -> Vec<Vec3> { v.iter().zip(masses).map(|(v, m)| v * *m).collect() };
    let mut vectors = start(compiled);
    let mut values = vec![f64::INFINITY; SUBSPACE];
    for _ in 0..60 {
        let loads: Vec<Vec<Vec3>> = vectors.iter().map(|v| mass_times(v)).collect();
        for (v, load) in vectors.iter_mut().zip(&loads) {
            v.fill(Vec3::zeros());
            factor.solve(load, v);
        }
        let mass_vectors: Vec<Vec<Vec3>> = vectors.iter().map(|v| mass_times(v)).collect();
        let project = |with: &[Vec<Vec3>]| {
            DMatrix::from_fn(SUBSPACE, SUBSPACE, |i, j| dot(&vectors[i], &with[j]))
        };
        let (turn, new) = small_eigenproblem(project(&loads), project(&mass_vectors));
        let combine = |k: usize| {
            let mut sum = vec![Vec3::zeros(); masses.len()];
            for (i, v) in vectors.iter().enumerate() {
                sum.iter_mut().zip(v).for_each(|(s, v)| *s += v * turn[(i, k)]);
            }
            sum
        };
        vectors = (0..SUBSPACE).map(combine).collect();
        let change = |k: usize| (new[k] / values[k] - 1.0).abs();
        let settled = (0..WANTED).all(|k| change(k) < 1e-10);
        values = new;
        if settled {
            return (vectors, values);
        }
    }
    panic!("the modes did not settle");
}

/// Vectors (columns) and rising values of K x = value M x.
fn small_eigenproblem(k: DMatrix<f64>, m: DMatrix<f64>) -> (DMatrix<f64>, Vec<f64>) {
    let lower = m.cholesky().expect("independent vectors").l();
    let half = lower.solve_lower_triangular(&k).expect("a triangle");
    let whole = lower.solve_lower_triangular(&half.transpose()).expect("a triangle");
    let eigen = SymmetricEigen::new((&whole + whole.transpose()) * 0.5);
    let vectors = lower.tr_solve_lower_triangular(&eigen.eigenvectors).expect("a triangle");
    let mut order: Vec<usize> = (0..eigen.eigenvalues.len()).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
    let values = order.iter().map(|&i| eigen.eigenvalues[i]).collect();
    (vectors.select_columns(&order), values)
}

/// By the largest part of the kinetic energy: along the axis and the same over a section, across,
/// or about the axis.
fn shape_of(compiled: &CompiledModel, mode: &[Vec3]) -> Shape {
    let mut energy = [0.0; 3];
    for ((x, v), m) in compiled.rest_positions().iter().zip(mode).zip(compiled.masses()) {
        let arm = x - Vec3::new(x.x, 0.5 * SIZE[1], 0.5 * SIZE[2]);
        let turning = if arm.norm() > 0.0 { Vec3::x().cross(&arm).normalize().dot(v) } else { 0.0 };
        energy[1] += m * v.x * v.x;
        energy[2] += m * turning * turning;
        energy[0] += m * (v.y * v.y + v.z * v.z);
    }
    if energy[1] > energy[0] {
        Shape::Axial
    } else if energy[2] > 0.9 * energy[0] {
        Shape::Torsion
    } else {
        Shape::Bending
    }
}

fn rows(element: BeamElement, counts: [usize; 3], table: &[(Shape, usize, f64, f64)]) -> Vec<Row> {
    let modes = modes(element, counts);
    let [nx, ny, nz] = counts;
    let case = format!("{}, {nx} x {ny} x {nz} cells", kind_name(element));
    let row = |&(shape, k, reference, allowed): &(Shape, usize, f64, f64)| {
        let mut of_shape = modes.iter().filter(|m| m.shape == shape);
        // Bending comes in pairs, across y and across z.
        let skip = if shape == Shape::Bending { 2 * k } else { k };
        let mode = of_shape.nth(skip).expect("enough modes");
        let metric = format!("{shape:?} mode {} [Hz]", k + 1);
        Row::new(case.clone(), metric, (reference, mode.frequency), allowed)
    };
    table.iter().map(row).collect()
}

fn rows_of_all() -> Vec<Row> {
    use Shape::{Axial, Bending, Torsion};
    let quadratic = [
        (Bending, 0, BENDING[0], 0.01),
        (Bending, 1, BENDING[1], 0.03),
        (Bending, 2, BENDING[2], 0.06),
        (Bending, 3, BENDING[3], 0.1),
        (Axial, 0, AXIAL[0], 5e-3),
        (Axial, 1, AXIAL[1], 5e-3),
    ];
    let linear = [(Torsion, 0, TORSION[0], 0.02), (Torsion, 1, TORSION[1], 0.02)];
    let mut all = rows(BeamElement::QuadHex, [20, 2, 2], &quadratic);
    all.extend(rows(BeamElement::Hex, [20, 8, 8], &linear));
    all
}

pub(crate) fn groups() -> Vec<Group> {
    // Wanted by the test below and by the table, and not cheap.
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(rows_of_all);
    vec![Group {
        title: "Natural frequencies of a cantilever",
        text: "FEM-free-vibration: 1 x 0.05 x 0.05 m, E = 10 MPa, nu = 0, 1000 kg/m³; eigenvalues of the \
               assembled stiffness over the lumped masses. The references of bending are Euler's; shear and \
               the inertia of rotation, which he leaves out, lower the four modes by up to 0.4, 2, 5 and 9 %. \
               Lumping puts mass outward in every cell: torsion is low by an amount that falls with the square \
               of the cell size.",
        rows: ROWS.clone(),
    }]
}

#[test]
fn a_cantilever_rings_at_its_natural_frequencies() {
    groups().iter().for_each(Group::check);
}
