//! Tissues that hardly change their volume: with pressures of elements, of nodes, and with the volume at centres,
//! forces are the derivative of the energy, matrices that of the forces, and nothing else changes.

use sinew::Vec3;
use sinew::fem::{ElementKind, Incompressible, VolumeRule};
use sinew::force::VelocityTerms::{Excluded, Included};
use sinew::material::{Isotropic, MaterialSpec, Value};
use sinew::model::FemModel;
use sinew::system::{CompiledModel, MechSystem};

use crate::derivatives::{differences, moved};
use crate::fixture::{
    all_laws, dense, distorted_mesh, floating, forces, has_energy, in_pool, is_corotated,
    is_exponential, jacobian, largest, random_state,
};

const WAYS: [Incompressible; 3] =
    [Incompressible::Element, Incompressible::Nodal, Incompressible::Fbar];

/// Runs `check` on a free tissue of every kind and law that a way fits.
fn for_all(check: impl Fn(ElementKind, &MaterialSpec, &CompiledModel, &str)) {
    for kind in ElementKind::ALL {
        for law in all_laws() {
            for way in WAYS {
                if way.rule(kind, &law).is_err() {
                    continue;
                }
                let mut model = floating(distorted_mesh(kind), law);
                model.fem_mut(0).incompressible = way;
                let compiled = model.compile().unwrap();
                check(kind, &law, &compiled, &format!("{} {} {way:?}", kind.name(), law.name()));
            }
        }
    }
}

#[test]
fn forces_are_minus_the_derivative_of_the_energy() {
    const H: f64 = 1e-5;
    for_all(|kind, law, model, name| {
        if !has_energy(kind, law) {
            return;
        }
        let state = random_state(model, 1);
        let force = forces(model, &state, Excluded);
        let energy = |i, by| model.energies(&moved(&state, i, by)).strain;
        let size = largest(&force);
        for i in (0..3 * state.q.len()).step_by(5) {
            let difference = (energy(i, -H) - energy(i, H)) / (2.0 * H);
            let error = (difference - force[i / 3][i % 3]).abs() / size;
            // As without pressures.
            let allowed = if is_exponential(law) { 3e-5 } else { 3e-6 };
            assert!(error < allowed, "{name}: scalar {i}, error {error:.1e}");
        }
    });
}

#[test]
fn stiffness_is_minus_the_derivative_of_the_forces() {
    for_all(|kind, law, model, name| {
        // One law of each shape is enough for the larger elements.
        if kind.is_quadratic() && law.name() != "mr" && law.name() != "corot" {
            return;
        }
        let state = if is_corotated(law) { model.initial_state() } else { random_state(model, 2) };
        let exact = dense(&jacobian(model, &state, 1.0, 0.0));
        let error = (differences(model, &state, Excluded) - &exact).amax() / exact.amax();
        assert!(error < 1e-6, "{name}: error {error:.1e}");
        let error = (&exact - exact.transpose()).amax() / exact.amax();
        assert!(error < 1e-14, "{name}: not symmetric by {error:.1e}");
    });
}

#[test]
fn damping_is_beta_times_the_stiffness() {
    const BETA: f64 = 0.02;
    for kind in ElementKind::ALL {
        for law in ["mr", "corot"].map(|name| MaterialSpec::from_name(name).unwrap()) {
            for way in WAYS.into_iter().filter(|way| way.rule(kind, &law).is_ok()) {
                let mut model = floating(distorted_mesh(kind), law);
                model.fem_mut(0).incompressible = way;
                model.fem_mut(0).stiffness_damping = BETA;
                let model = model.compile().unwrap();
                let name = format!("{} {} {way:?}", kind.name(), law.name());
                let state = random_state(&model, 4);
                let (with, without) =
                    (forces(&model, &state, Included), forces(&model, &state, Excluded));
                let mut product = vec![Vec3::zeros(); state.u.len()];
                jacobian(&model, &state, 0.0, 1.0).mul(&state.u, &mut product);
                let scale = largest(&product) + largest(&without);
                for (i, product) in product.iter().enumerate() {
                    let error = (without[i] - with[i] - product).norm() / scale;
                    assert!(error < 1e-12, "{name}: row {i}, error {error:.1e}");
                }
            }
        }
    }
}

/// Stresses of fibres may hold a pressure that the tissue alone would not: its damping must not drive what that leaves free.
#[test]
fn damping_takes_energy_at_every_pressure() {
    for kind in ElementKind::ALL {
        let law = MaterialSpec::from_name("mr").unwrap();
        for way in WAYS.into_iter().filter(|way| way.rule(kind, &law).is_ok()) {
            let mut model = floating(distorted_mesh(kind), law);
            model.fem_mut(0).incompressible = way;
            model.fem_mut(0).stiffness_damping = 0.02;
            let model = model.compile().unwrap();
            for (stretch, seed) in [(1.4, 1), (0.9, 2), (1.4, 3)] {
                let mut state = random_state(&model, seed);
                for (q, rest) in state.q.iter_mut().zip(model.rest_positions()) {
                    *q = rest * stretch;
                }
                let (with, without) =
                    (forces(&model, &state, Included), forces(&model, &state, Excluded));
                let each = state.u.iter().zip(with.iter().zip(&without));
                let power: f64 = each.map(|(u, (a, b))| u.dot(&(a - b))).sum();
                assert!(power < 0.0, "{} {way:?} stretched by {stretch}: {power} W", kind.name());
            }
        }
    }
}

/// A mean over an element says nothing of a point that loses its volume while others gain it.
#[test]
fn points_that_lose_half_of_their_volume_resist_by_themselves() {
    for kind in ElementKind::ALL {
        let law = MaterialSpec::from_name("mr").unwrap();
        for way in WAYS.into_iter().filter(|way| way.rule(kind, &law).is_ok()) {
            // The only point of an element is looked at by all but nodes.
            if kind.points().len() == 1 && way != Incompressible::Nodal {
                continue;
            }
            let mut model = floating(distorted_mesh(kind), law);
            model.fem_mut(0).incompressible = way;
            let (fem, model) = (model.nth::<FemModel>(0), model.compile().unwrap());
            let name = format!("{} {way:?}", kind.name());
            let squeezed = |share: f64| {
                let mut state = random_state(&model, 3);
                for (q, rest) in state.q.iter_mut().zip(model.rest_positions()) {
                    *q = rest * share + (*q - rest) * 0.2;
                }
                state
            };
            let state = squeezed(0.72);
            let (worst, _) = model.at(&state).worst_volume_ratio(fem).unwrap();
            assert!((0.2..0.4).contains(&worst), "{name}: {worst}");
            let exact = dense(&jacobian(&model, &state, 1.0, 0.0));
            let error = (differences(&model, &state, Excluded) - &exact).amax() / exact.amax();
            assert!(error < 1e-6, "{name}: error {error:.1e}");
            // Energy of the volume alone: kappa/2 (J - 1)², and a share of the guard's beyond one half.
            let energy = |share: f64| model.energies(&squeezed(share)).strain;
            let slope = |share: f64| (energy(share - 1e-3) - energy(share + 1e-3)) / 2e-3;
            let stiffer = slope(0.2) / slope(0.85);
            assert!(stiffer > 5.0, "{name}: {stiffer} times as hard all but flat");
        }
    }
}

#[test]
fn a_change_of_volume_that_is_the_same_everywhere_counts_as_without_pressures() {
    for kind in ElementKind::ALL {
        for law in ["mr", "neohook", "linear"].map(|name| MaterialSpec::from_name(name).unwrap()) {
            let stretched = |way: Incompressible| {
                let mut model = floating(distorted_mesh(kind), law);
                model.fem_mut(0).incompressible = way;
                let model = model.compile().unwrap();
                let mut state = model.initial_state();
                for (q, rest) in state.q.iter_mut().zip(model.rest_positions()) {
                    *q = Vec3::new(1.04 * rest.x + 0.02 * rest.y, 1.03 * rest.y, 1.02 * rest.z);
                }
                (forces(&model, &state, Excluded), model.energies(&state).strain)
            };
            let (plain, energy) = stretched(Incompressible::Off);
            for way in WAYS.into_iter().filter(|way| way.rule(kind, &law).is_ok()) {
                let (same, same_energy) = stretched(way);
                let name = format!("{} {} {way:?}", kind.name(), law.name());
                let error = (same_energy / energy - 1.0).abs();
                assert!(error < 1e-10, "{name}: energy differs by {error:.1e}");
                // Points and the volume at the centre integrate gradients of bent hexahedra alike only where these are
                // flat.
                if way == Incompressible::Fbar {
                    continue;
                }
                let size = largest(&plain);
                let error =
                    plain.iter().zip(&same).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max) / size;
                assert!(error < 1e-10, "{name}: forces differ by {error:.1e}");
            }
        }
    }
}

#[test]
fn elements_are_told_apart_by_what_their_law_and_kind_ask_for() {
    let law =
        |nu: f64| MaterialSpec::NeoHookean(Isotropic { youngs_modulus: 1e4, poissons_ratio: nu });
    let rule = |way: Incompressible, kind, nu| way.rule(kind, &law(nu));
    use ElementKind::{Hex8, Hex20, Tet4, Wedge6};
    assert_eq!(rule(Incompressible::Auto, Hex8, 0.49), Ok(VolumeRule::Points));
    assert_eq!(rule(Incompressible::Auto, Hex8, 0.4999), Ok(VolumeRule::Element { pressures: 1 }));
    assert_eq!(rule(Incompressible::Auto, Tet4, 0.5), Ok(VolumeRule::Nodal));
    assert_eq!(rule(Incompressible::Auto, Wedge6, 0.5), Ok(VolumeRule::Nodal));
    assert_eq!(rule(Incompressible::Auto, Hex20, 0.5), Ok(VolumeRule::Element { pressures: 4 }));
    assert_eq!(rule(Incompressible::Off, Hex8, 0.4999), Ok(VolumeRule::Points));
    assert!(rule(Incompressible::Nodal, Hex20, 0.4999).is_err());
    let stvk = MaterialSpec::from_name("stvk").unwrap();
    assert!(Incompressible::Element.rule(Hex8, &stvk).is_err());
}

#[test]
fn a_poissons_ratio_of_one_half_needs_a_law_and_elements_that_can_keep_their_volume() {
    let model = |name: &str, way: Incompressible| {
        let mut law = MaterialSpec::from_name(name).unwrap();
        assert!(law.put("poissons_ratio", Value::Number(0.5)));
        let mut model = floating(distorted_mesh(ElementKind::Hex8), law);
        model.fem_mut(0).incompressible = way;
        model.compile().map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(model("neohook", Incompressible::Auto), Ok(()));
    for (name, way) in [("neohook", Incompressible::Off), ("stvk", Incompressible::Auto)] {
        let message = model(name, way).unwrap_err();
        assert!(message.contains("incompressible"), "{message}");
        assert!(message.contains("below 0.5"), "{message}");
    }
}

#[test]
fn nodal_pressures_are_the_same_bits_on_any_number_of_threads() {
    let law = MaterialSpec::from_name("mr").unwrap();
    let on = |threads| {
        in_pool(threads, || {
            let mut model = floating(distorted_mesh(ElementKind::Tet4), law);
            model.fem_mut(0).incompressible = Incompressible::Nodal;
            let model = model.compile().unwrap();
            let state = random_state(&model, 9);
            let matrix = dense(&jacobian(&model, &state, 1.0, 0.0));
            (forces(&model, &state, Excluded), matrix)
        })
    };
    assert_eq!(on(1), on(3));
}
