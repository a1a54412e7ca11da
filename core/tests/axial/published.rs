//! Millard's curves and isometric muscles, activation dynamics, Hill's hyperbola, Peck's muscle.

use sinew::axial::active::{Millard2012, MillardCurves, PeckMuscle, TendonModel, Thelen2003};
use sinew::axial::curve::hill_hyperbola;
use sinew::axial::{
    ActivationDynamics, ActivationModel, AxialInput, Past, Settling, Tension, TensionLaw,
};

use crate::reference as values;

/// The published curves are printed with all digits; what remains is the parameter at a given x.
#[test]
fn the_curves_of_millard_are_the_published_ones() {
    let curves = MillardCurves { least_active_force: 0.1, ..MillardCurves::default() };
    type Curve<'a> = &'a dyn Fn(f64) -> [f64; 2];
    let all: [(&str, Curve, &[[f64; 3]]); 4] = [
        ("active", &|x| curves.active(x), values::MILLARD_ACTIVE),
        ("passive", &|x| curves.passive(x), values::MILLARD_PASSIVE),
        ("velocity", &|x| curves.force_velocity(x), values::MILLARD_VELOCITY),
        ("tendon", &|x| curves.tendon(x), values::MILLARD_TENDON),
    ];
    for (name, curve, rows) in all {
        for &[x, y, slope] in rows {
            let [value, by_x] = curve(x);
            assert!((value - y).abs() < 1e-12, "{name}({x}) is {value}, not {y}");
            let error = (by_x - slope).abs() / (1.0 + slope.abs());
            assert!(error < 1e-10, "slope of {name} at {x} is {by_x}, not {slope}");
        }
    }
}

/// The source stops its search for the equilibrium at a residual of about 1e-8, and lets a damped
/// fibre move meanwhile.
#[test]
fn isometric_muscles_of_millard_settle_where_opensim_has_them() {
    for &[length, pennation, activation, fibre, force, active, passive] in values::MILLARD_ISOMETRIC
    {
        let muscle = Millard2012 { pennation, fibre_damping: 0.1, ..Millard2012::default() };
        let input = AxialInput { length, excitation: activation, ..AxialInput::default() };
        let mut state = [0.0; 2];
        assert_eq!(muscle.start(&input, &mut state), Settling::Balanced);
        let past = Past::unchanged(&input, 0.0, &state);
        let pulled = muscle.tension(&input, &past).force;
        let at = format!("at {length} m, {pennation} rad, {activation}");
        assert!((pulled / force - 1.0).abs() < 1e-6, "{at}: {pulled} N, not {force} N");
        let found = muscle.fibre_length(&state);
        assert!((found / fibre - 1.0).abs() < 1e-8, "{at}: fibre of {found} m, not {fibre} m");
        let curves = MillardCurves::default();
        let n = found / muscle.optimal_fibre_length;
        let along_fibre = [activation * curves.active(n)[0], curves.passive(n)[0]];
        for (part, expected) in along_fibre.into_iter().zip([active, passive]) {
            assert!((1000.0 * part - expected).abs() < 1e-5 * force, "{at}: {part}, {expected}");
        }
    }
}

fn bilinear() -> ActivationDynamics {
    ActivationDynamics {
        model: ActivationModel::Bilinear,
        activation_time: 0.015,
        deactivation_time: 0.050,
        least: 0.01,
    }
}

/// One step to every time of the table: the step is exact.
#[test]
fn activation_rises_and_falls_as_integrated_elsewhere() {
    for (from, to, rows) in
        [(0.01, 1.0, values::ACTIVATION_RISE), (1.0, 0.01, values::ACTIVATION_FALL)]
    {
        for &[time, activation] in rows {
            let [a, _] = bilinear().advance(from, to, time);
            assert!((a - activation).abs() < 1e-10, "a({time}) is {a}, not {activation}");
        }
    }
}

#[test]
fn linear_activation_rises_exponentially() {
    let dynamics = ActivationDynamics {
        model: ActivationModel::FirstOrder,
        activation_time: 0.020,
        deactivation_time: 0.060,
        least: 0.0,
    };
    for time in [0.0, 0.005, 0.02, 0.1] {
        let [rise, _] = dynamics.advance(0.0, 1.0, time);
        assert!((rise - (1.0 - (-time / 0.020f64).exp())).abs() < 1e-15);
        let [fall, _] = dynamics.advance(1.0, 0.0, time);
        assert!((fall - (-time / 0.060f64).exp()).abs() < 1e-15);
    }
}

#[test]
fn hills_hyperbola_has_its_table_and_its_greatest_power() {
    for &[speed, force] in values::HILL {
        assert!((hill_hyperbola(speed, 0.25)[0] - force).abs() < 1e-15);
    }
    // Power v F is stationary at v = 0.25 (sqrt 5 - 1), where it is 0.0955 of F0 vmax.
    let speed = 0.25 * (5.0f64.sqrt() - 1.0);
    let [force, slope] = hill_hyperbola(speed, 0.25);
    assert!((speed - 0.309_016_994_374_947_45).abs() < 1e-15);
    assert!((force + speed * slope).abs() < 1e-15);
    assert!((speed * force - 0.095_491_502_812_526_29).abs() < 1e-15);
}

/// Thelen's muscle with full activation shortens on Hill's hyperbola of curvature 0.25.
#[test]
fn thelens_muscle_shortens_on_hills_hyperbola() {
    let muscle = Thelen2003 { tendon: TendonModel::Rigid, ..Thelen2003::default() };
    for &[speed, force] in values::HILL {
        // At the optimal length, where active force is the maximum one and passive force is none.
        let input = AxialInput { length: 0.3, rate: -speed, excitation: 1.0, rest_length: 0.0 };
        let found = muscle.tension(&input, &Past::unchanged(&input, 0.0, &[0.1, 1.0])).force;
        assert!((found / 1000.0 - force).abs() < 1e-13, "{speed}: {found}");
    }
}

#[test]
fn pecks_muscle_has_its_table() {
    let muscle = PeckMuscle {
        max_force: 100.0,
        optimal_length: 0.1,
        max_length: 0.15,
        tendon_ratio: 0.3,
        passive_fraction: 0.02,
        damping: 0.5,
    };
    for &[length, rate, excitation, force] in values::PECK {
        let input = AxialInput { length, rate, excitation, rest_length: 0.0 };
        let Tension { force: found, .. } = muscle.tension(&input, &Past::NONE);
        assert!((found - force).abs() < 1e-12 * 100.0, "{input:?}: {found}, not {force}");
    }
}
