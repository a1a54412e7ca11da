//! Contracts of the laws: energy -> stress -> tangent by finite differences, objectivity, symmetry,
//! precision in f32; the polar decomposition; the checks of constants.

use nalgebra::{Matrix3, Matrix6, Rotation3};
use proptest::prelude::*;

use super::{Deformation, Isotropic, Material, MaterialSpec, MooneyRivlinConstants};
use super::{from_voigt, polar_rotation, to_voigt, with_law};
use crate::{Mat3, Real, Vec3};

/// Every law with constants that use all of its terms.
fn laws() -> [MaterialSpec; 5] {
    let soft = Isotropic { youngs_modulus: 5e5, poissons_ratio: 0.45 };
    let mooney_rivlin = MooneyRivlinConstants {
        c10: 1.5e5,
        c01: 5e4,
        c11: 1e4,
        c20: 2e4,
        c02: 3e4,
        bulk_modulus: 1e6,
    };
    [
        MaterialSpec::Linear(soft),
        MaterialSpec::Corotated(soft),
        MaterialSpec::StVenantKirchhoff(soft),
        MaterialSpec::NeoHookean(soft),
        MaterialSpec::MooneyRivlin(mooney_rivlin),
    ]
}

fn energy<T: Real>(spec: &MaterialSpec, h: &Matrix3<T>) -> T {
    with_law!(spec, T, law => law.energy(&Deformation::new(*h)))
}

fn stress<T: Real>(spec: &MaterialSpec, h: &Matrix3<T>) -> Matrix3<T> {
    with_law!(spec, T, law => law.stress(&Deformation::new(*h)))
}

fn stress_and_tangent<T: Real>(spec: &MaterialSpec, h: &Matrix3<T>) -> (Matrix3<T>, Matrix6<T>) {
    with_law!(spec, T, law => law.stress_and_tangent(&Deformation::new(*h)))
}

fn is_linear(spec: &MaterialSpec) -> bool {
    matches!(spec, MaterialSpec::Linear(_))
}

fn is_corotated(spec: &MaterialSpec) -> bool {
    matches!(spec, MaterialSpec::Corotated(_))
}

/// The four laws whose Cauchy stress follows from W, and whose tangent is the exact derivative.
fn hyperelastic() -> impl Iterator<Item = MaterialSpec> {
    laws().into_iter().filter(|spec| !is_linear(spec) && !is_corotated(spec))
}

/// A displacement gradient of moderate strain: J stays within 0.25 to 2.3.
fn gradient() -> impl Strategy<Value = Mat3> {
    prop::array::uniform9(-0.2..0.2_f64).prop_map(|h| Mat3::from_row_slice(&h))
}

fn rotation() -> impl Strategy<Value = Mat3> {
    prop::array::uniform3(-3.0..3.0_f64)
        .prop_map(|v| Rotation3::from_scaled_axis(Vec3::from(v)).into_inner())
}

/// The nine basis tensors e_k⊗e_l.
fn basis() -> impl Iterator<Item = Mat3> {
    (0..9).map(|i| {
        let mut l = Mat3::zeros();
        l[i] = 1.0;
        l
    })
}

/// The slope of `f` along `step`, by central differences; 6e-6 balances h² against eps / h.
fn slope<V>(f: impl Fn(&Mat3) -> V, h: &Mat3, step: &Mat3) -> V
where
    V: std::ops::Sub<Output = V> + std::ops::Div<f64, Output = V>,
{
    let size = 6e-6;
    (f(&(h + step * size)) - f(&(h - step * size))) / (2.0 * size)
}

/// Scale of the stresses and moduli of a law, to which differences are compared.
fn scale(spec: &MaterialSpec) -> f64 {
    spec.wave_modulus()
}

proptest! {
    #[test]
    fn stress_is_the_derivative_of_the_energy(h in gradient()) {
        let j = Deformation::new(h).j;
        let f = h + Mat3::identity();
        for spec in laws() {
            let sigma = stress(&spec, &h);
            // First Piola-Kirchhoff stress. For the linear law P = sigma: its W is a function of
            // sym H. For the corotated one P = R (2 mu eps + lambda tr eps I) = sigma R.
            let p = match spec {
                MaterialSpec::Linear(_) => sigma,
                MaterialSpec::Corotated(_) => sigma * polar_rotation(&f),
                _ => sigma * f.try_inverse().unwrap().transpose() * j,
            };
            for step in basis() {
                let by_energy = slope(|h| energy(&spec, h), &h, &step);
                let error = (by_energy - p.dot(&step)).abs() / scale(&spec);
                prop_assert!(error < 1e-9, "{}: off by {error:.1e}", spec.name());
            }
        }
    }

    #[test]
    fn tangent_is_the_derivative_of_the_stress(h in gradient()) {
        // tau = J sigma changes with dF = L F by L tau + tau Lᵀ + J c:sym L.
        let f = h + Mat3::identity();
        let j = f.determinant();
        for spec in hyperelastic() {
            let (sigma, c) = stress_and_tangent(&spec, &h);
            prop_assert!((sigma - stress(&spec, &h)).norm() <= 1e-15 * scale(&spec));
            let tau = |h: &Mat3| stress(&spec, h) * Deformation::new(*h).j;
            for l in basis() {
                let rate = slope(tau, &h, &(l * f));
                let convected = (l * sigma + sigma * l.transpose()) * j;
                let strain = doubled_shear(&((l + l.transpose()) * 0.5));
                let expected = convected + from_voigt(&(c * strain)) * j;
                let error = (rate - expected).norm() / scale(&spec);
                prop_assert!(error < 2e-9, "{}: off by {error:.1e}", spec.name());
            }
        }
    }

    #[test]
    fn tangent_of_the_linear_law_is_the_derivative_of_its_stress(h in gradient()) {
        // The corotated one, which leaves out dR, is exact without rotation: next test.
        let spec = laws()[0];
        let (_, c) = stress_and_tangent(&spec, &h);
        for l in basis() {
            let rate = slope(|h| stress(&spec, h), &h, &l);
            let expected = from_voigt(&(c * doubled_shear(&((l + l.transpose()) * 0.5))));
            prop_assert!((rate - expected).norm() < 1e-9 * scale(&spec));
        }
    }

    #[test]
    fn stresses_turn_with_the_frame(h in gradient(), q in rotation()) {
        for spec in laws().into_iter().filter(|spec| !is_linear(spec)) {
            let turned = q * (h + Mat3::identity()) - Mat3::identity();
            let expected = q * stress(&spec, &h) * q.transpose();
            let error = (stress(&spec, &turned) - expected).norm() / scale(&spec);
            prop_assert!(error < 1e-13, "{}: off by {error:.1e}", spec.name());
            let w = (energy(&spec, &turned) - energy(&spec, &h)).abs() / scale(&spec);
            prop_assert!(w < 1e-13, "{}: energy off by {w:.1e}", spec.name());
        }
    }

    #[test]
    fn stress_and_tangent_are_symmetric(h in gradient()) {
        for spec in laws() {
            let (sigma, c) = stress_and_tangent(&spec, &h);
            let error = (sigma - sigma.transpose()).norm() + (c - c.transpose()).norm();
            prop_assert!(error < 1e-13 * scale(&spec), "{}: {error}", spec.name());
        }
    }

    #[test]
    fn single_precision_agrees_with_double(h in gradient()) {
        let h32 = h.cast::<f32>();
        let h = h32.cast::<f64>();
        for spec in laws() {
            let (sigma, c) = stress_and_tangent(&spec, &h);
            let (sigma32, c32) = stress_and_tangent(&spec, &h32);
            let error = (sigma32.cast::<f64>() - sigma).norm() + (c32.cast::<f64>() - c).norm();
            prop_assert!(error < 1e-5 * c.norm(), "{}: {error}", spec.name());
            let w = (f64::from(energy(&spec, &h32)) - energy(&spec, &h)).abs();
            prop_assert!(w < 2e-6 * scale(&spec), "{}: energy {w}", spec.name());
        }
    }

    #[test]
    fn single_precision_keeps_digits_of_small_strains(h in gradient()) {
        // Strain of about 1e-5: from F alone f32 would keep two digits.
        let h32 = (h * 5e-5).cast::<f32>();
        let h = h32.cast::<f64>();
        prop_assume!(h.symmetric_part().norm() > 1e-6);
        for spec in laws() {
            let sigma = stress(&spec, &h);
            let error = (stress(&spec, &h32).cast::<f64>() - sigma).norm();
            prop_assert!(error < 5e-6 * scale(&spec) * h.norm(), "{}: {error}", spec.name());
            let w = energy(&spec, &h);
            let error = (f64::from(energy(&spec, &h32)) - w).abs();
            prop_assert!(error < 5e-6 * scale(&spec) * h.norm_squared(), "{}: {error}", spec.name());
        }
    }

    #[test]
    fn rest_is_free_of_stress_in_every_frame(q in rotation()) {
        for spec in laws() {
            let h = if is_linear(&spec) { Mat3::zeros() } else { q - Mat3::identity() };
            let error = stress(&spec, &h).norm() / scale(&spec);
            prop_assert!(error < 1e-14, "{}: {error:.1e}", spec.name());
            prop_assert!(energy(&spec, &h).abs() < 1e-14 * scale(&spec), "{}", spec.name());
        }
    }

    #[test]
    fn polar_factors_are_a_rotation_and_a_symmetric_stretch(
        q in rotation(), v in rotation(), s in prop::array::uniform3(0.0..2.0_f64), power in -280..280_i32,
        sign in prop::bool::ANY,
    ) {
        let mut stretch = Vec3::from(s);
        stretch[0] *= if sign { 1.0 } else { -1.0 };
        let f = q * v * Mat3::from_diagonal(&stretch) * v.transpose() * 10_f64.powi(power);
        assert_is_polar(&f, 1e-14);
    }

    #[test]
    fn polar_rotation_recovers_the_rotation(
        q in rotation(), v in rotation(), s in prop::array::uniform3(0.1..4.0_f64),
    ) {
        let f = q * v * Mat3::from_diagonal(&Vec3::from(s)) * v.transpose();
        let error = (polar_rotation(&f) - q).norm();
        // The rotation is as well conditioned as the two smallest stretches together.
        let mut sorted = s;
        sorted.sort_by(f64::total_cmp);
        let bound = 2e-15 + 4e-15 * sorted[2] / (sorted[0] + sorted[1]);
        prop_assert!(error < bound, "off by {error:.1e}, stretches {s:?}");
        let single = polar_rotation(&f.cast::<f32>()).cast::<f64>();
        prop_assert!((single - q).norm() < 6e8 * bound, "f32");
    }
}

/// Voigt strain for the product with a tangent of tensor components: shear counts twice.
fn doubled_shear(e: &Mat3) -> nalgebra::Vector6<f64> {
    let mut v = to_voigt(e);
    v.fixed_rows_mut::<3>(3).scale_mut(2.0);
    v
}

fn assert_is_polar(f: &Mat3, tolerance: f64) {
    let r = polar_rotation(f);
    let orthogonal = (r.transpose() * r - Mat3::identity()).norm();
    assert!(orthogonal < tolerance, "RᵀR - I = {orthogonal:.1e} for {f}");
    assert!(r.determinant() > 0.5, "det R = {} for {f}", r.determinant());
    let u = r.transpose() * (f / f.amax().max(f64::MIN_POSITIVE));
    let skew = (u - u.transpose()).norm();
    assert!(skew < tolerance, "RᵀF is asymmetric by {skew:.1e} for {f}");
}

#[test]
fn tangent_of_the_corotated_law_is_exact_at_rest() {
    let spec = laws()[1];
    let (_, c) = stress_and_tangent(&spec, &Mat3::zeros());
    for l in basis() {
        let rate = slope(|h| stress(&spec, h), &Mat3::zeros(), &l);
        let expected = from_voigt(&(c * doubled_shear(&l.symmetric_part())));
        let error = (rate - expected).norm() / scale(&spec);
        assert!(error < 1e-9, "off by {error:.1e}");
    }
}

#[test]
fn wave_modulus_is_that_of_the_tangent_at_rest() {
    for spec in laws() {
        let (_, c) = stress_and_tangent(&spec, &Mat3::zeros());
        let error = (c[(0, 0)] / spec.wave_modulus() - 1.0).abs();
        assert!(error < 1e-14, "{}: {error:.1e}", spec.name());
    }
}

#[test]
fn singular_and_inverted_matrices_have_a_proper_rotation() {
    let cases = [
        Mat3::zeros(),
        Mat3::identity() * 1e-310,
        Mat3::identity() * 1e300,
        -Mat3::identity(),
        Mat3::from_diagonal(&Vec3::new(1.0, 1.0, -1.0)),
        Mat3::from_diagonal(&Vec3::new(0.0, 3.0, 0.0)),
        Mat3::from_diagonal(&Vec3::new(1.0, 1e-9, -1e-18)),
        Mat3::from_element(1.0),
        Mat3::new(0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        Mat3::new(1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 1.0, 1.0, 1.0),
        Mat3::new(1.0, 1e8, 0.0, 0.0, 1.0, 1e8, 0.0, 0.0, 1.0),
        Mat3::new(1.0, 1e-200, 0.0, 1e-200, 1e-200, 0.0, 0.0, 0.0, 1e-200),
    ];
    for f in cases {
        assert_is_polar(&f, 1e-14);
        let single = polar_rotation(&f.map(|x| x.clamp(-1e38, 1e38)).cast::<f32>());
        let orthogonal = (single.transpose() * single - Matrix3::identity()).norm();
        assert!(orthogonal < 5e-6 && single.determinant() > 0.5, "f32: {f}");
    }
    assert_eq!(polar_rotation(&Mat3::zeros()), Mat3::identity());
}

#[test]
fn inverted_points_pull_back_in_the_linear_laws() {
    // A point turned inside out along z: the stress along z is compressive strain times modulus.
    let h = Mat3::from_diagonal(&Vec3::new(0.0, 0.0, -1.5));
    for spec in &laws()[..2] {
        let sigma = stress(spec, &h);
        assert!((sigma.m33 / spec.wave_modulus() + 1.5).abs() < 1e-14, "{}", spec.name());
    }
}

#[test]
fn constants_out_of_range_are_named() {
    let with = |e, nu| MaterialSpec::Corotated(Isotropic { youngs_modulus: e, poissons_ratio: nu });
    let cases = [(0.0, 0.3), (-1.0, 0.3), (f64::INFINITY, 0.3), (f64::NAN, 0.3)];
    for (e, nu) in cases {
        assert_eq!(with(e, nu).check().unwrap_err().parameter, "Young's modulus", "{e}");
    }
    for nu in [0.5, -1.0, f64::NAN] {
        assert_eq!(with(1e5, nu).check().unwrap_err().parameter, "Poisson's ratio", "{nu}");
    }
    let message = with(1e5, 0.7).check().unwrap_err().to_string();
    for part in ["corot", "Poisson's ratio", "0.7", "between -1 and 0.5"] {
        assert!(message.contains(part), "{message}");
    }
    let ok = MooneyRivlinConstants { c10: 2e5, c01: -1e5, ..Default::default() };
    assert_eq!(MaterialSpec::MooneyRivlin(ok).check(), Ok(()));
    let bad = [
        ("C10", MooneyRivlinConstants { c10: f64::NAN, ..ok }),
        ("C02", MooneyRivlinConstants { c02: f64::INFINITY, ..ok }),
        ("C10 + C01", MooneyRivlinConstants { c01: -2e5, ..ok }),
        ("bulk modulus", MooneyRivlinConstants { bulk_modulus: 0.0, ..ok }),
    ];
    for (name, constants) in bad {
        let error = MaterialSpec::MooneyRivlin(constants).check().unwrap_err();
        assert_eq!((error.law, error.parameter), ("mr", name));
    }
}

#[test]
fn every_named_law_is_found_with_defaults_that_pass_the_check() {
    for name in MaterialSpec::NAMES {
        let spec = MaterialSpec::from_name(name).unwrap();
        assert_eq!(spec.name(), name);
        assert_eq!(spec.check(), Ok(()));
    }
    assert_eq!(MaterialSpec::from_name("rubber"), None);
}
