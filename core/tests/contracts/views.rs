//! The data that a compiled model shows are those from which its forces are computed.

use sinew::fem::{ElementKind, Incompressible, QuadraturePoint};
use sinew::force::{TissuePressures, VelocityTerms};
use sinew::material::{BulkPotential, IsochoricNeoHookeanConstants, MaterialSpec, PronySeries};
use sinew::model::{
    AxialSpring, BodyLoad, Dirichlet, FemModel, LinearAxial, Model, PointLoad, Region, Schedule,
};
use sinew::system::State;
use sinew::{Mat3, Vec3};

use crate::fixture::{Numbers, distorted_mesh, floating, forces, laws, random_state};

/// A tissue under every load, damped, prescribed at one node, made of two materials.
fn loaded() -> Model {
    let mut model = floating(distorted_mesh(ElementKind::Hex8), laws()[1]);
    model.set_gravity(Vec3::new(1.0, 2.0, -9.0));
    model.main_mut().point_damping = Some(0.3);
    let ramp = Schedule::Table(vec![[0.0, 0.0], [2.0, 1.0]]);
    let tissue = model.nth::<FemModel>(0);
    let fem = &mut model[tissue];
    fem.mass_damping = 4.0;
    fem.stiffness_damping = 0.01;
    fem.regions.push(Region { elements: vec![1], material: laws()[3] });
    let prescribed = Dirichlet {
        nodes: vec![2],
        axes: [true, false, true],
        displacement: vec![Vec3::new(0.1, 0.2, 0.3)],
        keyframes: Vec::new(),
        keyframe_interpolation: Default::default(),
        schedule: ramp.clone(),
    };
    fem.dirichlet.push(prescribed);
    let acceleration = Vec3::new(0.5, 0.0, 0.25);
    let weights = (0..12).map(f64::from).collect();
    let load = BodyLoad::new(tissue, acceleration);
    model.add(BodyLoad { weights, schedule: ramp.clone(), ..load });
    for node in [3, 3, 5] {
        let load = PointLoad::new((tissue, node), Vec3::new(1.0, -2.0, f64::from(node)));
        model.add(PointLoad { schedule: ramp.clone(), ..load });
    }
    model
}

#[test]
fn loads_and_drag_as_data_are_the_forces_on_a_tissue_without_stress() {
    let model = loaded().compile().unwrap();
    let u = Numbers(7).vector(1.0);
    let rest = model.initial_state();
    let state = State { time: 0.7, u: vec![u; rest.q.len()], ..rest };
    let expected = forces(&model, &state, VelocityTerms::Included);
    let mut found: Vec<Vec3> =
        model.device_view().drag_coefficients().iter().map(|&c| -u * c).collect();
    let loads = model.device_view().row_loads();
    assert_eq!(loads.len(), 2, "weight, and what follows the ramp");
    for load in &loads {
        assert!(load.forces.is_sorted_by(|a, b| a.0 < b.0), "rows rise");
        for &(row, force) in &load.forces {
            found[row as usize] += force * load.schedule.at(state.time);
        }
    }
    let scale = expected.iter().map(|f| f.norm()).fold(0.0, f64::max);
    for (f, e) in found.iter().zip(&expected) {
        // A few roundings of sums; a uniform velocity strains to rounding times stiffness only.
        assert!((f - e).norm() < 1e-12 * scale, "{f} {e}");
    }
}

#[test]
fn every_element_is_in_one_batch_with_its_law_and_every_support_is_listed() {
    let model = loaded().compile().unwrap();
    let tissue = model.fems()[0];
    let batches: Vec<_> = model.device_view().tissue_batches().collect();
    assert_eq!(batches.len(), 2);
    for batch in &batches {
        let wanted = laws()[if batch.elements == [1] { 3 } else { 1 }];
        assert_eq!((batch.fem, batch.kind, *batch.material), ("tissue", ElementKind::Hex8, wanted));
        assert_eq!(batch.rows.len(), 8 * batch.elements.len());
        assert_eq!(batch.stiffness_damping, 0.01);
        let mesh = distorted_mesh(ElementKind::Hex8);
        for (&e, rows) in batch.elements.iter().zip(batch.rows.chunks(8)) {
            let nodes = mesh.element(e as usize).1;
            let wanted: Vec<_> =
                nodes.iter().map(|&n| model.block_of_node(tissue, n as usize) as u32).collect();
            assert_eq!(rows, wanted);
        }
    }
    let row = model.block_of_node(tissue, 2) as u32;
    let listed: Vec<_> = model.supports().iter().map(|s| (s.row, s.axis, s.displacement)).collect();
    assert_eq!(listed, [(row, 0, 0.1), (row, 2, 0.3)]);
}

#[test]
fn what_is_neither_tissue_nor_load_nor_drag_is_named_or_acts_on_the_border() {
    let mut model = loaded();
    assert_eq!(model.compile().unwrap().device_view().other_effectors(), [""; 0]);
    let tissue = model.nth::<FemModel>(0);
    let material = LinearAxial { stiffness: 1.0, damping: 0.0, rest_length: 0.1 };
    model[tissue].prony = PronySeries::new([[0.1, 0.5]]);
    assert_eq!(model.compile().unwrap().device_view().other_effectors(), [""; 0]);
    model[tissue].prony = PronySeries::default();
    assert!(model.compile().unwrap().device_view().border().is_none());
    model.add(AxialSpring::new([(tissue, 0), (tissue, 1)], material));
    let compiled = model.compile().unwrap();
    assert_eq!(compiled.device_view().other_effectors(), [""; 0]);
    let mut rows = [0, 1].map(|node| compiled.block_of_node(tissue, node) as u32);
    rows.sort_unstable();
    let [i, j] = rows;
    let border = compiled.device_view().border().unwrap();
    assert_eq!((border.rows(), border.pairs()), (&rows[..], &[[i, i], [i, j], [j, i], [j, j]][..]));
    model.fem_mut(0).incompressible = Incompressible::Nodal;
    let compiled = model.compile().unwrap();
    assert_eq!(compiled.device_view().other_effectors(), [""; 0]);
}

/// A tissue with pressures of its elements, of a law whose bulk modulus is this [Pa].
fn with_pressures(kind: ElementKind, bulk_modulus: f64) -> Model {
    let bulk_potential = BulkPotential::Quadratic;
    let law = IsochoricNeoHookeanConstants { shear_modulus: 1e4, bulk_modulus, bulk_potential };
    let mut model = floating(distorted_mesh(kind), MaterialSpec::IsochoricNeoHookean(law));
    model.fem_mut(0).incompressible = Incompressible::Element;
    model
}

/// Sum of the products of the columns of a mapping from reference coordinates by the derivatives of shape functions.
fn mapping(nodes: &[Vec3], slopes: &[[f64; 3]]) -> Mat3 {
    nodes.iter().zip(slopes).map(|(x, slope)| x * Vec3::from(*slope).transpose()).sum()
}

/// A quadrature point of an element: its volume at rest [m³], its deformation gradient, and the gradients of the shape functions
/// by the place at rest [1/m].
struct Point {
    volume: f64,
    f: Mat3,
    gradients: Vec<Vec3>,
}

fn points_of(kind: ElementKind, rest: &[Vec3], now: &[Vec3]) -> Vec<Point> {
    let point = |point: &QuadraturePoint| {
        let mut slopes = vec![[0.0; 3]; kind.node_count()];
        kind.gradient(point.at, &mut slopes);
        let at_rest = mapping(rest, &slopes);
        let back = at_rest.try_inverse().unwrap();
        let gradients = slopes.iter().map(|it| back.transpose() * Vec3::from(*it)).collect();
        let volume = point.weight * at_rest.determinant();
        Point { volume, f: mapping(now, &slopes) * back, gradients }
    };
    kind.points().iter().map(point).collect()
}

/// Checks that modes are orthonormal over points and hold a constant; U' of kappa/2 (J - 1)², projected, at the points [Pa].
fn projected_pressures(points: &[Point], modes: &[[f64; 4]], count: usize, kappa: f64) -> Vec<f64> {
    let amount = |k: usize, x: &dyn Fn(usize) -> f64| -> f64 {
        (0..points.len()).map(|p| points[p].volume * modes[p][k] * x(p)).sum()
    };
    for (k, l) in (0..count).flat_map(|k| (0..count).map(move |l| (k, l))) {
        let product = amount(k, &|p| modes[p][l]);
        assert!((product - f64::from(u8::from(k == l))).abs() < 1e-12, "{k} {l}: {product}");
    }
    let project = |x: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let amounts: Vec<f64> = (0..count).map(|k| amount(k, x)).collect();
        modes.iter().map(|mode| mode.iter().zip(&amounts).map(|(q, a)| q * a).sum()).collect()
    };
    assert!(project(&|_| 1.0).iter().all(|one| (one - 1.0).abs() < 1e-12));
    let change = |p: usize| points[p].f.determinant() - 1.0;
    project(&change).into_iter().map(|it| kappa * it).collect()
}

#[test]
fn pressures_as_data_make_the_forces_that_a_larger_bulk_modulus_adds() {
    for (kind, count) in [(ElementKind::Hex8, 1), (ElementKind::Hex20, 4), (ElementKind::Tet10, 1)]
    {
        let models = [1e5, 3e5].map(|modulus| with_pressures(kind, modulus).compile().unwrap());
        let (rest, state) = (models[0].initial_state(), random_state(&models[0], 5));
        let mut found = vec![Vec3::zeros(); state.q.len()];
        for batch in models[0].device_view().tissue_batches() {
            let Some(TissuePressures::Elements(pressures)) = batch.pressures else {
                panic!("{kind:?}: elements have pressures")
            };
            assert!(batch.without_bulk && pressures.count == count, "{kind:?}: {pressures:?}");
            let modes = pressures.modes.chunks(kind.points().len());
            for (rows, modes) in batch.rows.chunks(kind.node_count()).zip(modes) {
                let of = |q: &[Vec3]| rows.iter().map(|&row| q[row as usize]).collect::<Vec<_>>();
                let points = points_of(kind, &of(&rest.q), &of(&state.q));
                let pressures = projected_pressures(&points, modes, count, 2e5);
                for (point, pressure) in points.iter().zip(pressures) {
                    let cofactor = point.f.try_inverse().unwrap().transpose();
                    let cofactor = cofactor * point.f.determinant();
                    for (&row, gradient) in rows.iter().zip(&point.gradients) {
                        found[row as usize] -= cofactor * gradient * (point.volume * pressure);
                    }
                }
            }
        }
        let [soft, stiff] =
            models.each_ref().map(|model| forces(model, &state, VelocityTerms::Excluded));
        let scale = found.iter().map(|f| f.norm()).fold(0.0, f64::max);
        assert!(scale > 1.0, "{kind:?}: {scale} N");
        for ((a, b), f) in soft.iter().zip(&stiff).zip(&found) {
            // The difference of two forces of some times its size.
            assert!((b - a - f).norm() < 1e-10 * scale, "{kind:?}: {} {f}", b - a);
        }
    }
}
