//! Curves through nodes.

use super::super::curve::{bezier, bezier_integral, hermite, hermite_integral};
use super::slope;

const NODES: [[f64; 3]; 4] = [[-1.0, 0.0, 0.0], [-0.4, 0.2, 0.9], [0.5, 1.5, 2.5], [1.5, 2.6, 0.2]];

type Curve = fn(f64) -> [f64; 2];
type Integral = fn(f64) -> f64;
const CURVES: [(Curve, Integral); 2] = [
    (|x| hermite(&NODES, x), |x| hermite_integral(&NODES, x)),
    (|x| bezier(&NODES, 0.6, x), |x| bezier_integral(&NODES, 0.6, x)),
];

#[test]
fn curves_go_through_their_nodes_with_their_slopes() {
    for (curve, _) in CURVES {
        for [x, y, d] in NODES {
            for beside in [x - 1e-13, x, x + 1e-13] {
                let [value, by_x] = curve(beside);
                assert!(
                    (value - y).abs() < 1e-11 && (by_x - d).abs() < 1e-9,
                    "{x}: {value} {by_x}"
                );
            }
        }
    }
}

#[test]
fn slopes_and_integrals_are_those_of_the_curve() {
    for (curve, integral) in CURVES {
        for k in 0..60 {
            let x = -1.2 + 0.0513 * f64::from(k);
            let [value, by_x] = curve(x);
            assert!((slope(|x| curve(x)[0], x, 1e-4) - by_x).abs() < 1e-9, "slope at {x}");
            if x > -1.0 {
                assert!((slope(integral, x, 1e-4) - value).abs() < 1e-9, "integral at {x}");
            }
        }
    }
}

#[test]
fn curves_go_on_straight() {
    for (curve, integral) in CURVES {
        assert_eq!(curve(-3.0), [0.0, 0.0]);
        let [value, slope] = curve(2.5);
        assert!((value - 2.8).abs() < 1e-14 && slope == 0.2);
        assert!((integral(2.5) - integral(1.5) - 2.7).abs() < 1e-14);
        assert_eq!(integral(-1.0), 0.0);
    }
}
