//! INT-order-linear, INT-abm, INT-stiff-prothero: errors of fixed steps.

use super::*;

/// Error of y' = i y at t = 1.
fn error_on_circle(rule: FixedRule, steps: usize) -> f64 {
    let mut system = Function {
        size: 2,
        rates: |_: f64, y: &[f64], f: &mut [f64]| {
            f.copy_from_slice(&[-y[1], y[0]]);
        },
    };
    let (mut y, h) = ([1.0, 0.0], 1.0 / steps as f64);
    for k in 0..steps {
        let Ok(()) = fixed_step(&mut system, rule, (k as f64 * h, h), &mut y);
    }
    (y[0] - 1f64.cos()).hypot(y[1] - 1f64.sin())
}

#[test]
fn fixed_rules_have_the_errors_of_their_stability_functions() {
    let rows = [
        (FixedRule::ExplicitEuler, 0.05112303163080974, 0.00626929837761898),
        (FixedRule::BackwardEuler, 0.048641810443150746, 0.006230240497092441),
        (FixedRule::Trapezoidal, 0.0008320855371403659, 1.3020528166196321e-05),
        (FixedRule::RungeKutta4, 8.332506410870394e-07, 2.034502453442192e-10),
        (FixedRule::Fehlberg4, 1.2915221660518707e-07, 3.1303586520941716e-11),
        (FixedRule::Fehlberg5, 9.080884555590125e-09, 2.7516478434570425e-13),
    ];
    for (rule, coarse, fine) in rows {
        for (steps, expected) in [(10, coarse), (80, fine)] {
            let error = error_on_circle(rule, steps);
            let off = (error - expected).abs();
            assert!(off < 1e-6 * expected + 1e-14, "{rule:?}, {steps}: {error:e}, {expected:e}");
        }
    }
    let order = (error_on_circle(FixedRule::DormandPrince5, 10)
        / error_on_circle(FixedRule::DormandPrince5, 20))
    .log2();
    assert!((order - 5.0).abs() < 0.1, "{order}");
}

#[test]
fn adams_steps_of_orders_one_to_five_have_the_errors_of_their_coefficients() {
    let expected = [
        [0.015265014908956265, 0.006811673542109431, 0.0032223251464583713],
        [0.00046279659599490763, 0.00010414957083321186, 2.4593685567231294e-05],
        [6.0894085786411534e-05, 6.966447400169606e-06, 8.237369870656153e-07],
        [1.273030348958315e-05, 7.691180023416955e-07, 4.645107776202195e-08],
        [3.500132833456071e-06, 1.1629802776358389e-07, 3.670088732921073e-09],
    ];
    let mut system =
        Function { size: 1, rates: |_: f64, y: &[f64], f: &mut [f64]| f[0] = -y[0] * y[0] };
    let exact = |t: f64| 1.0 / (1.0 + t);
    for (order, errors) in (1..).zip(expected) {
        for (steps, expected) in [20usize, 40, 80].into_iter().zip(errors) {
            let h = 2.0 / steps as f64;
            let mut times: Vec<f64> = (0..order).map(|k| k as f64 * h).collect();
            let mut rates: Vec<Vec<f64>> =
                times.iter().map(|&t| vec![-exact(t) * exact(t)]).collect();
            let mut y = [exact(times[order - 1])];
            for step in order..=steps {
                let Ok(()) = adams_step(&mut system, (&times, &rates), h, &mut y);
                times.remove(0);
                rates.remove(0);
                times.push(step as f64 * h);
                rates.push(vec![-y[0] * y[0]]);
            }
            let error = (y[0] - exact(2.0)).abs();
            let off = (error - expected).abs();
            assert!(off < 1e-6 * expected + 1e-15, "order {order}, h {h}: {error:e}, {expected:e}");
        }
    }
}

#[test]
fn implicit_rules_meet_prothero_and_robinson() {
    let mut system = Function {
        size: 1,
        rates: |t: f64, y: &[f64], f: &mut [f64]| {
            f[0] = -1e6 * (y[0] - t.cos()) - t.sin();
        },
    };
    let rows = [
        (FixedRule::BackwardEuler, 10, 1.0, -2.8394400497511185e-08),
        (FixedRule::BackwardEuler, 100, 1.0, -2.715517699591885e-09),
        (FixedRule::Trapezoidal, 10, 1.0, 7.019280712228237e-10),
        (FixedRule::Trapezoidal, 100, 1.0, 7.011946578927564e-12),
        (FixedRule::Trapezoidal, 10, 2.0, 0.9996000806912093),
        (FixedRule::Trapezoidal, 100, 2.0, 0.9607894386469142),
    ];
    for (rule, steps, start, expected) in rows {
        let (mut y, h) = ([start], 1.0 / f64::from(steps));
        for k in 0..steps {
            let Ok(()) = fixed_step(&mut system, rule, (f64::from(k) * h, h), &mut y);
        }
        let error: f64 = y[0] - 1f64.cos();
        // Rounding of values of one, some of which the growth of the trapezoidal rule sums up.
        let off = (error - expected).abs();
        assert!(off < 1e-6 * expected.abs() + 2e-15, "{rule:?}, {steps}: {error:e}, {expected:e}");
    }
}
