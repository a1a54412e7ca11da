//! Forces are the derivative of the energy, matrices that of the forces, for every element kind and
//! law; Rayleigh damping is alpha M + beta K.

use nalgebra::{DMatrix, DVector};
use sinew::Vec3;
use sinew::fem::ElementKind;
use sinew::force::JacobianScale;
use sinew::force::VelocityTerms::{self, Excluded, Included};
use sinew::material::MaterialSpec;
use sinew::system::{CompiledModel, LoadCase, MechSystem, State};

use crate::fixture::{
    all_laws, dense, distorted_mesh, flat, floating, forces, has_energy, is_corotated,
    is_exponential, jacobian, largest, laws, motion, random_state,
};

/// Runs `check` on a free tissue of every kind and law.
fn for_all(check: impl Fn(ElementKind, &MaterialSpec, &CompiledModel, &str)) {
    for kind in ElementKind::ALL {
        for law in all_laws() {
            let model = floating(distorted_mesh(kind), law).compile().unwrap();
            check(kind, &law, &model, &format!("{} {}", kind.name(), law.name()));
        }
    }
}

/// The state with scalar `i` of its positions moved by `by` [m].
pub(crate) fn moved(state: &State, i: usize, by: f64) -> State {
    let mut state = state.clone();
    state.q[i / 3][i % 3] += by;
    state
}

/// -df/dq by central differences.
pub(crate) fn differences(
    model: &CompiledModel,
    state: &State,
    velocity: VelocityTerms,
) -> DMatrix<f64> {
    // Error of the differences, relative: h² over the square of the element size, and eps L / h.
    const H: f64 = 1e-7;
    let columns: Vec<DVector<f64>> = (0..3 * state.q.len())
        .map(|i| {
            let at = |by| flat(&forces(model, &moved(state, i, by), velocity));
            (at(-H) - at(H)) / (2.0 * H)
        })
        .collect();
    DMatrix::from_columns(&columns)
}

#[test]
fn forces_are_minus_the_derivative_of_the_strain_energy() {
    const H: f64 = 1e-5;
    for_all(|kind, law, model, name| {
        if !has_energy(kind, law) {
            return;
        }
        let state = random_state(model, 1);
        let force = forces(model, &state, Excluded);
        let energy = |i, by| model.energies(&moved(&state, i, by)).strain;
        let size = largest(&force);
        for i in 0..3 * state.q.len() {
            let difference = (energy(i, -H) - energy(i, H)) / (2.0 * H);
            let error = (difference - force[i / 3][i % 3]).abs() / size;
            // Third derivatives: (1e-5 / 2e-2)² with a factor of order 1 to 10, of exponential laws by exponents of
            // 16 to 20 more.
            assert!(
                error < if is_exponential(law) { 3e-5 } else { 3e-6 },
                "{name}: scalar {i}, error {error:.1e}"
            );
        }
    });
}

#[test]
fn stiffness_is_minus_the_derivative_of_the_forces() {
    for_all(|_, law, model, name| {
        // The corotated tangent leaves out the derivative of the rotation; at rest nothing is left out.
        let state = if is_corotated(law) { model.initial_state() } else { random_state(model, 2) };
        let exact = dense(&jacobian(model, &state, 1.0, 0.0));
        let error = (differences(model, &state, Excluded) - &exact).amax() / exact.amax();
        assert!(error < 1e-6, "{name}: error {error:.1e}");
    });
}

#[test]
fn corotated_stiffness_lacks_a_part_that_shrinks_with_the_strain() {
    for kind in ElementKind::ALL {
        let model = floating(distorted_mesh(kind), laws()[1]).compile().unwrap();
        let lacking = |strain: f64| {
            let mut state = random_state(&model, 3);
            for (q, rest) in state.q.iter_mut().zip(model.rest_positions()) {
                *q = rest + (*q - rest) * strain;
            }
            let taken = dense(&jacobian(&model, &state, 1.0, 0.0));
            (differences(&model, &state, Excluded) - &taken).amax() / taken.amax()
        };
        let (large, small) = (lacking(0.2), lacking(0.02));
        let ratio = large / small;
        assert!((5.0..20.0).contains(&ratio), "{}: {large:.1e}, {small:.1e}", kind.name());
        assert!(small < 0.02, "{}: {small:.1e} at strains of 0.1 %", kind.name());
    }
}

/// Largest skew part of the stiffness over the largest entry, where the strain is that of `random_state` times `strain` [-].
fn skewness(model: &CompiledModel, strain: f64) -> f64 {
    let mut state = random_state(model, 3);
    for (q, rest) in state.q.iter_mut().zip(model.rest_positions()) {
        *q = rest + (*q - rest) * strain;
    }
    let derivative = differences(model, &state, Excluded);
    0.5 * (&derivative - derivative.transpose()).amax() / derivative.amax()
}

/// Forces R K0 (Rᵀ x - X) leave out how R changes with x, which is nothing for one point alone: of others no energy has them as
/// its derivative, and work around a closed path is not zero.
#[test]
fn corotated_forces_of_several_points_have_no_potential() {
    for kind in ElementKind::ALL {
        let law = laws()[1];
        let model = floating(distorted_mesh(kind), law).compile().unwrap();
        let [large, small] = [1.0, 0.1].map(|strain| skewness(&model, strain));
        println!("{}: {large:.1e}, {small:.1e}", kind.name());
        if has_energy(kind, &law) {
            assert!(large < 1e-6, "{}: {large:.1e}", kind.name());
        } else {
            let ratio = large / small;
            assert!((5.0..20.0).contains(&ratio), "{}: {large:.1e}, {small:.1e}", kind.name());
        }
    }
}

#[test]
fn with_turns_corotated_stiffness_is_the_symmetric_part_of_the_derivative() {
    for_all(|_, law, model, name| {
        if !is_corotated(law) {
            return;
        }
        let state = random_state(model, 2);
        let mut matrix = jacobian(model, &state, 1.0, 0.0);
        let (load, scale) = (LoadCase::at(0.0), JacobianScale { position: 1.0, velocity: 0.0 });
        model.add_jacobian_of_turns(load, motion(&state), scale, &mut matrix).unwrap();
        let derivative = differences(model, &state, Excluded);
        let symmetric = (&derivative + derivative.transpose()) * 0.5;
        let error = (&symmetric - dense(&matrix)).amax() / symmetric.amax();
        assert!(error < 1e-6, "{name}: error {error:.1e}");
    });
}

#[test]
fn rayleigh_damping_is_alpha_m_plus_beta_k() {
    const ALPHA: f64 = 3.0;
    const BETA: f64 = 0.02;
    for kind in ElementKind::ALL {
        for law in laws() {
            let mut model = floating(distorted_mesh(kind), law);
            model.fem_mut(0).mass_damping = ALPHA;
            model.fem_mut(0).stiffness_damping = BETA;
            let model = model.compile().unwrap();
            let name = format!("{} {}", kind.name(), law.name());
            let state = random_state(&model, 4);
            let (with, without) =
                (forces(&model, &state, Included), forces(&model, &state, Excluded));
            let k = jacobian(&model, &state, 1.0, 0.0);
            let damping = jacobian(&model, &state, 0.0, 1.0);
            let mut product = vec![Vec3::zeros(); state.u.len()];
            k.mul(&state.u, &mut product);
            let mut by_matrix = vec![Vec3::zeros(); state.u.len()];
            damping.mul(&state.u, &mut by_matrix);
            let size = largest(&by_matrix);
            for (i, mass) in model.masses().iter().enumerate() {
                let expected = state.u[i] * (ALPHA * mass) + product[i] * BETA;
                let error = (expected - by_matrix[i]).norm() / size;
                assert!(error < 1e-13, "{name}: matrix, row {i}, error {error:.1e}");
                // The difference of two forces loses the digits of the elastic one.
                let scale = size + largest(&without);
                let error = (without[i] - with[i] - by_matrix[i]).norm() / scale;
                assert!(error < 1e-12, "{name}: force, row {i}, error {error:.1e}");
            }
        }
    }
}

#[test]
fn undamped_forces_do_not_depend_on_velocity() {
    for_all(|_, _, model, name| {
        let state = random_state(model, 5);
        assert_eq!(forces(model, &state, Included), forces(model, &state, Excluded), "{name}");
        assert_eq!(dense(&jacobian(model, &state, 0.0, 1.0)).amax(), 0.0, "{name}");
    });
}

#[test]
fn matrices_are_symmetric_to_rounding() {
    for_all(|_, _, model, name| {
        let matrix = dense(&jacobian(model, &random_state(model, 6), 1.0, 0.3));
        let error = (&matrix - matrix.transpose()).amax() / matrix.amax();
        assert!(error < 1e-14, "{name}: {error:.1e}");
    });
}
