//! Schutte's muscle against the rule of its velocities and the splines of its curves as OpenSim 4.6 has them.

use sinew::axial::active::{Schutte1993, SchuttePassive, TendonModel};
use sinew::axial::{AxialInput, Past, TensionLaw};
use sinew::constraint::spatial::Spline;

/// Points of OpenSim's default curves.
const ACTIVE: [[f64; 2]; 21] = [
    [-5.307_692, 0.012_188],
    [-4.307_692, 0.021_899],
    [-1.923_077, 0.036_466],
    [-0.884_615, 0.052_493],
    [-0.269_231, 0.075_312],
    [0.230_769, 0.114_158],
    [0.461_538, 0.157_859],
    [0.527_25, 0.226_667],
    [0.628_75, 0.636_667],
    [0.718_75, 0.856_667],
    [0.861_25, 0.95],
    [1.045, 0.993_333],
    [1.217_5, 0.77],
    [1.438_75, 0.246_667],
    [1.5, 0.193_821],
    [1.615_385, 0.133_252],
    [2.0, 0.072_683],
    [2.961_538, 0.044_417],
    [3.692_308, 0.036_341],
    [5.461_538, 0.021_899],
    [9.901_902, 0.007_332],
];
const PASSIVE: [[f64; 2]; 13] = [
    [-5.0, 0.0],
    [0.998, 0.0],
    [0.999, 0.0],
    [1.0, 0.0],
    [1.1, 0.035],
    [1.2, 0.12],
    [1.3, 0.26],
    [1.4, 0.55],
    [1.5, 1.17],
    [1.6, 2.0],
    [1.601, 2.0],
    [1.602, 2.0],
    [5.0, 2.0],
];
const TENDON: [[f64; 2]; 17] = [
    [-10.0, 0.0],
    [-0.002, 0.0],
    [-0.001, 0.0],
    [0.0, 0.0],
    [0.001_31, 0.010_8],
    [0.002_81, 0.025_7],
    [0.004_31, 0.043_5],
    [0.005_81, 0.065_2],
    [0.007_31, 0.091_5],
    [0.008_81, 0.123],
    [0.010_3, 0.161],
    [0.011_8, 0.208],
    [0.012_3, 0.227],
    [9.2, 345.0],
    [9.201, 345.0],
    [9.202, 345.0],
    [20.0, 345.0],
];

fn spline(points: &[[f64; 2]]) -> Spline {
    let [x, y] = [0, 1].map(|k| points.iter().map(|it| it[k]).collect());
    Spline::new(x, y).unwrap()
}

fn force(law: &Schutte1993, length: f64, rate: f64, excitation: f64) -> f64 {
    let input = AxialInput { length, rate, rest_length: 0.0, excitation };
    law.tension(&input, &Past::unchanged(&input, 0.0, &[0.1, excitation])).force
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} N, not {expected} N");
}

#[test]
fn its_curves_are_the_splines_of_opensim() {
    let rigid = Schutte1993 { tendon: TendonModel::Rigid, ..Schutte1993::default() };
    let curved = Schutte1993 { passive: SchuttePassive::Spline, ..rigid };
    let (active, passive) = (spline(&ACTIVE), spline(&PASSIVE));
    for k in 0..60 {
        let n = 0.4 + 0.02 * f64::from(k);
        let length = 0.2 + 0.1 * n;
        let bare = force(&rigid, length, 0.0, 0.0);
        near(bare, 1000.0 * (8.0 * (n - 1.0)).exp() / 4f64.exp());
        near(force(&rigid, length, 0.0, 1.0) - bare, 1000.0 * active.at(n)[0]);
        near(force(&curved, length, 0.0, 0.0), 1000.0 * passive.at(n)[0].max(0.0));
    }
    // A fibre of the length at which both carry the force of a strain.
    let tendon = spline(&TENDON);
    for strain in [0.0007, 0.005, 0.011, 0.0125, 0.03] {
        let expected = tendon.at(strain)[0];
        let n = 1.5 + expected.ln() / 8.0;
        let elastic = Schutte1993::default();
        let found = elastic.balance(0.2 * (1.0 + strain) + 0.1 * n, 0.0, None);
        assert!((found.fibre_along - 0.1 * n).abs() < 1e-12, "{strain}: {found:?}");
    }
}

/// OpenSim's rate of a fibre under the force P beyond the passive one: a root of a quadratic, with kv = 0.15, s = 0.13,
/// fmax = 1.4 and the damping d.
#[test]
fn its_rates_are_those_of_opensim() {
    let law = Schutte1993 { tendon: TendonModel::Rigid, ..Schutte1993::default() };
    let (kv, s, most, d) = (0.15, 0.13, 1.4, law.fibre_damping);
    let passive = (-4f64).exp();
    for a in [0.2, 1.0] {
        let active = a * spline(&ACTIVE).at(1.0)[0];
        for share in [0.0, 0.3, 0.9, 1.1, 1.3, 2.0] {
            let p = share * active;
            let rate = if p < active {
                let (b, c) = (-(p + kv * active + kv * d) / d, kv * (p - active) / d);
                (-b - (b * b - 4.0 * c).sqrt()) / 2.0
            } else {
                let slope = s * kv / (kv + 1.0);
                let (b, c) = (-(p / d - most * active / d - slope), -slope / d * (p - active));
                (-b + (b * b - 4.0 * c).sqrt()) / 2.0
            };
            near(force(&law, 0.3, rate, a), 1000.0 * (p + passive));
        }
    }
}
