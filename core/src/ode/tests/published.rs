//! Variable steps: INT-kepler, and published end values of Arenstorf, van der Pol and Robertson.

use super::*;

#[test]
fn orbits_are_met_to_the_tolerance_by_every_rule() {
    let states = [
        (
            0.0,
            5.0,
            [0.28366218546322625, -0.9589242746631385, 0.9589242746631385, 0.28366218546322625],
        ),
        (
            0.5,
            63.8318530718,
            [-0.42796724556110366, 0.863775701045103, -1.034667232373461, 0.06471292019330462],
        ),
        (
            0.9,
            5.0,
            [-1.3807812608502241, -0.3822059419356285, 0.6120183206915482, -0.14627433130713738],
        ),
        (
            0.9,
            63.8318530718,
            [-1.1871884663458625, 0.4175276387397643, -0.761142010521492, -0.09947204787027324],
        ),
    ];
    for method in METHODS {
        for (e, end, expected) in states {
            let mut system = Function { size: 4, rates: kepler };
            let settings = OdeSettings::new(method, 1e-11, 1e-11);
            let (y, work) = solve(&mut system, settings, &orbit(e), [0.0, end]);
            let off = largest_difference(&y, &expected);
            // Errors of steps sum up over ten revolutions; speeds near the centre are 4.4.
            assert!(off < 1e-6, "{method:?}, e = {e}, t = {end}: {off:e}, {work:?}");
        }
    }
}

#[test]
fn a_tighter_tolerance_gives_a_smaller_error_in_proportion() {
    for method in METHODS {
        let error = |tolerance: f64| {
            let mut system = Function { size: 4, rates: kepler };
            let settings = OdeSettings::new(method, tolerance, tolerance);
            let (y, _) = solve(&mut system, settings, &orbit(0.5), [0.0, 5.0]);
            let exact = [
                -0.7008272624781268,
                -0.8483815815917718,
                0.8902349454831837,
                -0.15805103293995726,
            ];
            largest_difference(&y, &exact)
        };
        let errors = [1e-5, 1e-7, 1e-9].map(error);
        assert!(errors[0] / errors[2] > 100.0, "{method:?}: {errors:?}");
        assert!(errors[2] < 3e-7, "{method:?}: {errors:?}");
    }
}

/// The error of dense output within steps falls with the tolerance, and is near that of their ends.
#[test]
fn dense_output_is_as_exact_as_the_steps() {
    for method in METHODS {
        let mut system = Function {
            size: 2,
            rates: |t: f64, y: &[f64], f: &mut [f64]| {
                f.copy_from_slice(&[y[1] + 0.1 * t.cos(), -y[0]]);
            },
        };
        let exact = |t: f64| t.cos() * (1.0 + 0.05 * t) + 0.05 * t.sin() - 0.0 * t;
        let mut solver = OdeSolver::new::<Infallible>(OdeSettings::new(method, 1e-9, 1e-9), 2)
            .expect("settings");
        solver.start(&mut system, 0.0, &[1.0, 0.0]).expect("starts");
        let (mut within, mut at_ends, mut y) = (0.0f64, 0.0f64, [0.0; 2]);
        while solver.time() < 20.0 {
            solver.step(&mut system, f64::INFINITY).expect("goes on");
            let [a, b] = solver.interval();
            at_ends = at_ends.max((solver.y()[0] - exact(b)).abs());
            for share in [0.1, 0.37, 0.5, 0.83] {
                let t = a + share * (b - a);
                solver.interpolate(&mut system, t, &mut y).expect("interpolates");
                within = within.max((y[0] - exact(t)).abs());
            }
        }
        assert!(
            at_ends < 1e-6 && within < 10.0 * at_ends + 1e-8,
            "{method:?}: {within:e}, {at_ends:e}"
        );
    }
}

/// The orbit of Arenstorf, which closes after its period (HairerNorsettWanner1993, section II.0).
#[test]
fn the_orbit_of_arenstorf_closes() {
    const MOON: f64 = 0.012277471;
    const PERIOD: f64 = 17.0652165601579625588917206249;
    let rates = |_: f64, y: &[f64], f: &mut [f64]| {
        let earth = 1.0 - MOON;
        let d1 = ((y[0] + MOON).powi(2) + y[1] * y[1]).powf(1.5);
        let d2 = ((y[0] - earth).powi(2) + y[1] * y[1]).powf(1.5);
        (f[0], f[1]) = (y[2], y[3]);
        f[2] = y[0] + 2.0 * y[3] - earth * (y[0] + MOON) / d1 - MOON * (y[0] - earth) / d2;
        f[3] = y[1] - 2.0 * y[2] - earth * y[1] / d1 - MOON * y[1] / d2;
    };
    let start = [0.994, 0.0, 0.0, -2.001_585_106_379_082_4];
    for method in METHODS {
        let mut system = Function { size: 4, rates };
        let settings = OdeSettings::new(method, 1e-12, 1e-12);
        let (y, work) = solve(&mut system, settings, &start, [0.0, PERIOD]);
        let off = largest_difference(&y[..2], &start[..2]);
        // The orbit multiplies errors near the start by some 1e5.
        assert!(off < 1e-4, "{method:?}: {off:e}, {work:?}");
    }
}

/// Problem of HairerWanner1996, section IV.10, with its end values at t = 2 (their driver of van der Pol, scaled).
#[test]
fn radau_follows_van_der_pol_at_a_millionth() {
    let mut system = Function {
        size: 2,
        rates: |_: f64, y: &[f64], f: &mut [f64]| {
            f.copy_from_slice(&[y[1], ((1.0 - y[0] * y[0]) * y[1] - y[0]) / 1e-6]);
        },
    };
    let settings = OdeSettings::new(Method::Radau, 1e-9, 1e-9);
    let (y, work) = solve(&mut system, settings, &[2.0, -0.66], [0.0, 2.0]);
    let expected = [0.1706167732170483e1, -0.8928097010247975e0];
    assert!(largest_difference(&y, &expected) < 1e-6, "{y:?}, {work:?}");
    assert!(work.accepted < 2000, "{work:?}");
}

/// Problem of Robertson (HairerWanner1996, section IV.10), to t = 1e11.
#[test]
fn radau_follows_robertson_to_a_hundred_thousand_million_seconds() {
    let mut system = Function {
        size: 3,
        rates: |_: f64, y: &[f64], f: &mut [f64]| {
            f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
            f[2] = 3e7 * y[1] * y[1];
            f[1] = -f[0] - f[2];
        },
    };
    let mut settings = OdeSettings::new(Method::Radau, 1e-10, 1e-10);
    settings.tolerance.absolute = vec![1e-14, 1e-20, 1e-14];
    let (y, work) = solve(&mut system, settings, &[1.0, 0.0, 0.0], [0.0, 1e11]);
    let expected = [2.083_340_149_701_255e-08, 8.333_360_770_334_713e-14, 0.999_999_979_166_505];
    for (y, expected) in y.iter().zip(expected) {
        assert!((y / expected - 1.0).abs() < 1e-5, "{y:e}, {expected:e}, {work:?}");
    }
    assert!(work.accepted < 2000, "{work:?}");
}

/// A Jacobian that is given leads where differences lead.
#[test]
fn stiff_steps_are_long_where_the_solution_is_smooth() {
    struct Prothero;
    impl OdeSystem for Prothero {
        type Error = Infallible;
        fn size(&self) -> usize {
            1
        }
        fn rates(&mut self, t: f64, y: &[f64], f: &mut [f64]) -> Result<(), Infallible> {
            f[0] = -1e6 * (y[0] - t.cos()) - t.sin();
            Ok(())
        }
        fn jacobian(
            &mut self,
            _: f64,
            _: &[f64],
            j: &mut DMatrix<f64>,
        ) -> Result<bool, Infallible> {
            j[(0, 0)] = -1e6;
            Ok(true)
        }
    }
    let settings = OdeSettings::new(Method::Radau, 1e-8, 1e-8);
    let (y, work) = solve(&mut Prothero, settings, &[2.0], [0.0, 10.0]);
    assert!((y[0] - 10f64.cos()).abs() < 1e-8, "{y:?}");
    assert!(work.accepted < 150 && work.jacobians <= work.accepted, "{work:?}");
    let (_, explicit) = solve(
        &mut Prothero,
        OdeSettings::new(Method::DormandPrince, 1e-3, 1e-3),
        &[1.0],
        [0.0, 1e-3],
    );
    assert!(explicit.accepted > 150, "{explicit:?}");
}

#[test]
fn settings_without_meaning_are_refused() {
    let refused = |change: &dyn Fn(&mut OdeSettings)| {
        let mut settings = OdeSettings::new(Method::Adams, 1e-6, 1e-6);
        change(&mut settings);
        OdeSolver::new::<Infallible>(settings, 2).err().map(|error| error.to_string())
    };
    assert_eq!(refused(&|_| {}), None);
    let text = refused(&|it| it.tolerance.relative = -1.0).expect("is refused");
    assert_eq!(text, "`relative tolerance` must be >= 0 and < 1, got -1");
    assert!(refused(&|it| it.tolerance.absolute = vec![0.0, -1.0]).is_some());
    assert!(refused(&|it| it.tolerance.absolute = vec![1e-6; 3]).is_some());
    assert!(refused(&|it| it.max_step = 0.0).is_some());
    assert!(refused(&|it| it.first_step = Some(f64::NAN)).is_some());
}

/// y' = y² from 1 ends at t = 1; what cannot be evaluated there is an error, not a hang.
#[test]
fn a_singularity_ends_with_an_error_near_it() {
    for method in METHODS {
        let mut system =
            Function { size: 1, rates: |_: f64, y: &[f64], f: &mut [f64]| f[0] = y[0] * y[0] };
        let mut settings = OdeSettings::new(method, 1e-6, 1e-6);
        settings.max_steps = 5000;
        let mut solver = OdeSolver::new::<Infallible>(settings, 1).expect("settings");
        solver.start(&mut system, 0.0, &[1.0]).expect("starts");
        let error = solver.integrate(&mut system, 2.0).expect_err("is singular at 1");
        assert!((solver.time() - 1.0).abs() < 1e-3, "{method:?}: {} {error}", solver.time());
    }
}
