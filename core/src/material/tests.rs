//! Contracts of the laws: energy -> stress -> tangent by finite differences, objectivity, symmetry,
//! precision in f32; the polar decomposition; the checks of constants.

use nalgebra::{Matrix3, Matrix6, Rotation3};
use proptest::prelude::*;

use super::{
    AnyLaw, Axes, Deformation, Isotropic, KINDS, Law, LawFrame, Material, MaterialSpec,
    MooneyRivlinConstants, Value, from_voigt, polar_rotation, to_voigt,
};
use crate::{Mat3, Real, Vec3};

/// Every law with constants that use all of its terms.
fn laws() -> [MaterialSpec; MaterialSpec::COUNT] {
    MaterialSpec::examples()
}

/// Axes of the material, none of them along those of space.
fn axes() -> Mat3 {
    Rotation3::from_euler_angles(0.7, -0.4, 1.9).into_inner()
}

/// A point of a tissue with turned axes and half-active fibres.
fn point<T: Real>(h: &Matrix3<T>) -> Deformation<T> {
    let axes = axes().map(crate::lit::<T>);
    Deformation::new(*h).with_axes(axes).with_activation(crate::lit(0.6))
}

fn energy<T: Real>(spec: &MaterialSpec, h: &Matrix3<T>) -> T {
    spec.law().energy(&point(h))
}

fn stress<T: Real>(spec: &MaterialSpec, h: &Matrix3<T>) -> Matrix3<T> {
    spec.law().stress(&point(h))
}

fn stress_and_tangent<T: Real>(spec: &MaterialSpec, h: &Matrix3<T>) -> (Matrix3<T>, Matrix6<T>) {
    spec.law().stress_and_tangent(&point(h))
}

fn is_linear(spec: &MaterialSpec) -> bool {
    spec.law::<f64>().frame() == LawFrame::Rest
}

fn is_corotated(spec: &MaterialSpec) -> bool {
    spec.law::<f64>().frame() == LawFrame::Element
}

/// The laws whose Cauchy stress follows from W, and whose tangent is the exact derivative.
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

/// True if a law changes its stiffness between the points of a difference along `step`, as fibres do
/// that begin to pull: its derivative is then no slope.
fn has_kink(spec: &MaterialSpec, h: &Mat3, step: &Mat3) -> bool {
    let tangent = |size: f64| stress_and_tangent(spec, &(h + step * size)).1;
    (tangent(6e-6) - tangent(-6e-6)).norm() > 1e-3 * scale_at(spec, h)
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
    let (sigma, c) = stress_and_tangent(spec, &Mat3::zeros());
    if spec.kind().muscle { sigma.norm() + c.norm() } else { spec.wave_modulus() }
}

/// The same of a state, where exponential laws are much stiffer than at rest.
fn scale_at(spec: &MaterialSpec, h: &Mat3) -> f64 {
    let (sigma, c) = stress_and_tangent(spec, h);
    scale(spec) + sigma.norm() + c.norm()
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
            let p = match spec.law::<f64>().frame() {
                LawFrame::Rest => sigma,
                // Its stress is no function of the stretch alone: it has no energy that it follows from.
                LawFrame::Element if spec.kind().axes != Axes::None => continue,
                LawFrame::Element => sigma * polar_rotation(&f),
                LawFrame::Point => sigma * f.try_inverse().unwrap().transpose() * j,
            };
            for step in basis().filter(|step| !has_kink(&spec, &h, step)) {
                let by_energy = slope(|h| energy(&spec, h), &h, &step);
                let error = (by_energy - p.dot(&step)).abs() / scale_at(&spec, &h);
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
            prop_assert!((sigma - stress(&spec, &h)).norm() <= 1e-15 * scale_at(&spec, &h));
            let tau = |h: &Mat3| stress(&spec, h) * Deformation::new(*h).j;
            for l in basis().filter(|l| !has_kink(&spec, &h, &(l * f))) {
                let rate = slope(tau, &h, &(l * f));
                let convected = (l * sigma + sigma * l.transpose()) * j;
                let strain = doubled_shear(&((l + l.transpose()) * 0.5));
                let expected = convected + from_voigt(&(c * strain)) * j;
                let error = (rate - expected).norm() / scale_at(&spec, &h);
                prop_assert!(error < 2e-9, "{}: off by {error:.1e}", spec.name());
            }
        }
    }

    #[test]
    fn tangent_of_the_linear_law_is_the_derivative_of_its_stress(h in gradient()) {
        // The corotated one, which leaves out dR, is exact without rotation: next test.
        for spec in laws().into_iter().chain([fixed_frame()]).filter(is_linear) {
            let (_, c) = stress_and_tangent(&spec, &h);
            for l in basis() {
                let rate = slope(|h| stress(&spec, h), &h, &l);
                let expected = from_voigt(&(c * doubled_shear(&((l + l.transpose()) * 0.5))));
                prop_assert!((rate - expected).norm() < 1e-9 * scale(&spec));
            }
        }
    }

    #[test]
    fn stresses_turn_with_the_frame(h in gradient(), q in rotation()) {
        for spec in laws().into_iter().filter(|spec| !is_linear(spec)) {
            let turned = q * (h + Mat3::identity()) - Mat3::identity();
            let expected = q * stress(&spec, &h) * q.transpose();
            let error = (stress(&spec, &turned) - expected).norm() / scale_at(&spec, &h);
            prop_assert!(error < 1e-13, "{}: off by {error:.1e}", spec.name());
            let w = (energy(&spec, &turned) - energy(&spec, &h)).abs() / scale_at(&spec, &h);
            prop_assert!(w < 1e-13, "{}: energy off by {w:.1e}", spec.name());
        }
    }

    #[test]
    fn stress_and_tangent_are_symmetric(h in gradient()) {
        for spec in laws() {
            let (sigma, c) = stress_and_tangent(&spec, &h);
            let error = (sigma - sigma.transpose()).norm() + (c - c.transpose()).norm();
            prop_assert!(error < 1e-13 * scale_at(&spec, &h), "{}: {error}", spec.name());
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
            // Fibres of constant stress have next to no tangent in some gradients, and that stress.
            let size = c.norm().max(sigma.norm());
            prop_assert!(error < 1e-5 * size, "{}: {error}", spec.name());
            let w = (f64::from(energy(&spec, &h32)) - energy(&spec, &h)).abs();
            prop_assert!(w < 2e-6 * scale_at(&spec, &h), "{}: energy {w}", spec.name());
        }
    }

    #[test]
    fn single_precision_keeps_digits_of_small_strains(h in gradient()) {
        // Strain of about 1e-5: from F alone f32 would keep two digits.
        let h32 = (h * 5e-5).cast::<f32>();
        let h = h32.cast::<f64>();
        prop_assume!(h.symmetric_part().norm() > 1e-6);
        // An active muscle has stress without strain.
        for spec in laws().into_iter().filter(|spec| !spec.kind().muscle) {
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
        for spec in laws().into_iter().filter(|spec| !spec.kind().muscle) {
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
    for spec in laws().into_iter().filter(is_corotated) {
        let (_, c) = stress_and_tangent(&spec, &Mat3::zeros());
        for l in basis() {
            let rate = slope(|h| stress(&spec, h), &Mat3::zeros(), &l);
            let expected = from_voigt(&(c * doubled_shear(&l.symmetric_part())));
            let error = (rate - expected).norm() / scale(&spec);
            assert!(error < 1e-9, "{}: off by {error:.1e}", spec.name());
        }
    }
}

/// The anisotropic linear law in the frame of the rest shape.
fn fixed_frame() -> MaterialSpec {
    let mut spec = *laws().iter().find(|spec| spec.name() == "anisotropic_linear").unwrap();
    assert!(spec.put("frame", Value::Choice("fixed")));
    spec
}

#[test]
fn stress_of_the_anisotropic_law_in_a_fixed_frame_is_the_derivative_of_its_energy() {
    let spec = fixed_frame();
    let h = Mat3::new(0.1, -0.05, 0.2, 0.03, -0.1, 0.07, 0.02, 0.15, 0.05);
    for step in basis() {
        let by_energy = slope(|h| energy(&spec, h), &h, &step);
        let error = (by_energy - stress(&spec, &h).dot(&step)).abs() / scale(&spec);
        assert!(error < 1e-9, "off by {error:.1e}");
    }
}

#[test]
fn linear_laws_with_equal_constants_are_the_isotropic_one() {
    let h = Mat3::new(0.1, -0.05, 0.2, 0.03, -0.1, 0.07, 0.02, 0.15, 0.05);
    let expected = stress(&MaterialSpec::Corotated(Isotropic::default()), &h);
    for name in ["anisotropic_linear", "transverse_linear", "orthotropic_linear"] {
        let spec = MaterialSpec::from_name(name).unwrap();
        let error = (stress(&spec, &h) - expected).norm() / expected.norm();
        assert!(error < 1e-9, "{name}: {error:.1e}");
    }
}

#[test]
fn engineering_constants_are_those_of_tension_and_shear_along_the_axes() {
    let spec = *laws().iter().find(|spec| spec.name() == "orthotropic_linear").unwrap();
    let MaterialSpec::OrthotropicLinear(c) = spec else { panic!("{spec:?}") };
    let compliance = c.stiffness().try_inverse().unwrap();
    let strain = compliance.column(0) * 1000.0;
    assert!((strain[0] - 1000.0 / c.youngs_modulus_1).abs() < 1e-12);
    assert!((strain[1] + c.poissons_ratio_12 * strain[0]).abs() < 1e-12);
    assert!((strain[2] + c.poissons_ratio_13 * strain[0]).abs() < 1e-12);
    assert!((compliance[(4, 4)] * c.shear_modulus_23 - 1.0).abs() < 1e-12);
}

#[test]
fn the_stable_law_resists_when_it_is_inverted() {
    let spec = MaterialSpec::StableNeoHookean(Isotropic::example());
    let h = |z: f64| Mat3::from_diagonal(&Vec3::new(0.0, 0.0, z - 1.0));
    // Force along z over the area at rest, P = J sigma / z: it pulls open at every z below 1.
    for z in [0.5, 0.1, -0.1, -0.5, -1.0] {
        let force = stress(&spec, &h(z)).m33;
        assert!(force < 0.0, "z = {z}: {force}");
    }
    let (near, beyond) = (stress(&spec, &h(1e-6)).m33, stress(&spec, &h(-1e-6)).m33);
    assert!((near / beyond - 1.0).abs() < 1e-4, "{near} jumps to {beyond}");
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
    let refused = |spec: MaterialSpec| spec.check().unwrap_err();
    for spec in Law::ALL.map(Law::spec) {
        for constant in spec.kind().constants.iter().filter(|c| c.words.is_empty()) {
            let mut values = vec![f64::NAN, f64::INFINITY];
            let (low, included) = constant.range.low();
            values.extend(low.is_finite().then_some(if included { low - 0.1 } else { low }));
            let (high, included) = constant.range.high();
            values.extend(high.is_finite().then_some(if included { high + 0.1 } else { high }));
            for value in values {
                let mut changed = spec;
                assert!(changed.put(constant.name, Value::Number(value)));
                let error = refused(changed);
                assert_eq!((error.law, error.parameter), (spec.name(), constant.name), "{value}");
                assert!(error.to_string().contains(&value.to_string()), "{error}");
            }
        }
    }
    let ratio = Isotropic { youngs_modulus: 1e5, poissons_ratio: 0.7 };
    let message = refused(MaterialSpec::Corotated(ratio)).to_string();
    assert_eq!(message, "material corot: poissons_ratio is 0.7, it must be in (-1, 0.5]");
}

#[test]
fn constants_that_resist_nothing_together_are_refused() {
    let mr = |c01| MooneyRivlinConstants { c10: 2e5, c01, ..Default::default() };
    assert_eq!(MaterialSpec::MooneyRivlin(mr(-1e5)).check(), Ok(()));
    let cases = [
        (MaterialSpec::MooneyRivlin(mr(-2e5)), "c10 + c01"),
        (with("ogden", "mu_1", -1.0), "the sum of mu"),
        (with("ogden", "alpha_1", 0.0), "alpha"),
        (with("anisotropic_linear", "d12", 1e6), "the smallest eigenvalue of the stiffness"),
        (
            with("transverse_linear", "poissons_ratio_along", 2.0),
            "the smallest eigenvalue of the stiffness",
        ),
        (with("generic_muscle", "max_stretch", 0.99), "max_stretch"),
        (with("blemker_muscle", "optimal_stretch", 1.5), "max_stretch"),
    ];
    for (spec, parameter) in cases {
        let error = spec.check().unwrap_err();
        assert_eq!((error.law, error.parameter), (spec.name(), parameter));
    }
}

/// A law with its defaults but for one number.
fn with(law: &str, constant: &str, value: f64) -> MaterialSpec {
    let mut spec = MaterialSpec::from_name(law).unwrap();
    assert!(spec.put(constant, Value::Number(value)), "{law} has no {constant}");
    spec
}

#[test]
fn every_law_is_found_by_its_names_with_defaults_and_examples_that_pass_the_check() {
    for (kind, example) in KINDS.iter().zip(MaterialSpec::examples()) {
        let spec = MaterialSpec::from_name(kind.name).unwrap();
        assert_eq!((spec.name(), spec.kind()), (kind.name, kind));
        assert_eq!((spec.check(), example.check()), (Ok(()), Ok(())), "{}", kind.name);
        for alias in kind.aliases {
            assert_eq!(MaterialSpec::from_name(alias), Some(spec), "{alias}");
            assert_eq!(
                MaterialSpec::from_name(&alias.to_uppercase().replace('_', "-")),
                Some(spec)
            );
        }
        for constant in kind.constants {
            assert_eq!(spec.get(constant.name), Some(constant.default), "{}", constant.name);
            assert_eq!(example.get(constant.name), Some(constant.example), "{}", constant.name);
            assert!(!constant.doc.is_empty(), "{}: {}", kind.name, constant.name);
        }
        assert_eq!(spec.get("sinew"), None);
        let packed = spec.packed();
        assert!(packed.len() <= 22, "{}: {} numbers", kind.name, packed.len());
        assert!(AnyLaw::<f64>::of_kernel(kind.kernel, &packed).is_some());
    }
    let words = MaterialSpec::WORDS;
    assert!(words.iter().enumerate().all(|(k, word)| !words[..k].contains(word)), "{words:?}");
    assert_eq!(MaterialSpec::from_name("rubber"), None);
}

#[test]
fn a_law_survives_a_file_and_names_what_a_file_misspells() {
    for law in laws() {
        let text = serde_json::to_string(&law).unwrap();
        assert_eq!(serde_json::from_str::<MaterialSpec>(&text).unwrap(), law);
    }
    let wrong = r#"{"kind":"yeoh","c9":40}"#;
    let error = serde_json::from_str::<MaterialSpec>(wrong).unwrap_err();
    assert!(error.to_string().contains("c9"), "{error}");
}

#[test]
fn tissue_gives_no_stress_to_muscles_at_rest_and_activation_pulls_along_the_fibres() {
    for spec in laws().into_iter().filter(|spec| spec.kind().muscle) {
        let at = |activation: f64| {
            let d = Deformation::new(Mat3::zeros()).with_axes(axes()).with_activation(activation);
            axes().transpose() * spec.law::<f64>().stress(&d) * axes()
        };
        assert!(at(0.0).norm() < 1e-12 * scale(&spec), "{}: {}", spec.name(), at(0.0));
        let pull = at(1.0);
        assert!(pull.m11 > 0.0 && pull.m11 > 1.9 * pull.m22.abs(), "{}: {pull}", spec.name());
        let is_linear = !matches!(spec, MaterialSpec::ActiveStrainMuscle(_));
        let half = (at(0.5) - pull * 0.5).norm();
        assert_eq!(half < 1e-12 * pull.norm(), is_linear, "{}", spec.name());
    }
}

#[test]
fn laws_made_as_stiff_as_an_isotropic_one_have_its_moduli_at_rest() {
    let isotropic = Isotropic { youngs_modulus: 3e4, poissons_ratio: 0.4 };
    let (lambda, mu) = isotropic.lame();
    for spec in laws().into_iter().filter(|spec| !spec.kind().muscle) {
        let spec = spec.as_stiff_as(isotropic);
        let rest = Deformation::new(Mat3::zeros());
        let (_, c) = spec.law::<f64>().stress_and_tangent(&rest);
        let error = (c[(3, 3)] / mu - 1.0).abs();
        assert!(error < 1e-12, "{}: shear off by {error:.1e}", spec.name());
        if spec.kind().axes == Axes::None {
            let bulk = (c[(0, 0)] + 2.0 * c[(0, 1)]) / 3.0 / (lambda + 2.0 / 3.0 * mu) - 1.0;
            assert!(bulk.abs() < 1e-12, "{}: bulk off by {bulk:.1e}", spec.name());
        }
    }
}
