//! Millard's curves and isometric muscles, activation dynamics, Hill's hyperbola, Peck's muscle.

use sinew::axial::active::{
    ActiveShape, Millard2012, MillardCurves, PassiveShape, PeckMuscle, TendonModel, Thelen2003,
};
use sinew::axial::curve::hill_hyperbola;
use sinew::axial::{
    ActivationDynamics, ActivationModel, AxialInput, AxialLaw, Past, Settling, Tension, TensionLaw,
};

use crate::reference as values;

/// The published curves are printed with all digits; what remains is the parameter at a given x.
#[test]
fn the_curves_of_millard_are_the_published_ones() {
    let mut curves = MillardCurves::default();
    curves.active.least = 0.1;
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

/// Curves of other shapes, as models of OpenSim have them: values and slopes by OpenSim 4.6.
#[test]
fn curves_of_other_shapes_are_those_of_opensim() {
    let active = ActiveShape {
        least: 0.0,
        shortest: 0.25,
        transition: 0.77,
        longest: 1.9,
        shallow_slope: 0.75,
    };
    let passive = PassiveShape {
        slack_strain: 0.1998,
        strain: 0.8997,
        low_stiffness: 0.3,
        stiffness: 4.1,
        curviness: 0.6,
    };
    let curves = MillardCurves { active, passive, ..MillardCurves::default() };
    let rows = [
        (true, 0.3, 0.013814140735836812, 1.084251885452747),
        (true, 0.7, 0.8006768391853135, 1.2070906873693865),
        (true, 0.93, 0.98429442270198, 0.6951808865157765),
        (true, 1.5, 0.46875008927949235, -1.2499890505768085),
        (true, 1.85, 0.03404121487646691, -1.1599267045914952),
        (false, 1.21, 0.0005546993599203006, 0.13013369487894053),
        (false, 1.5, 0.14457989735281804, 0.9695545545594847),
        (false, 1.85, 0.8017477780024331, 3.7472332510018975),
        (false, 2.0, 1.41123, 4.1),
    ];
    for (is_active, length, value, slope) in rows {
        let found = if is_active { curves.active(length) } else { curves.passive(length) };
        let off = [(found[0] - value).abs(), (found[1] - slope).abs() / (1.0 + slope.abs())];
        assert!(off[0] < 1e-9 && off[1] < 1e-8, "{is_active} at {length}: {found:?}");
    }
    let folded = Millard2012 { muscle_slack_strain: 0.7, ..Millard2012::default() };
    assert!(AxialLaw::Millard2012(folded).check().is_err());
    let slack = Millard2012 { muscle_stiffness: 1.0, ..Millard2012::default() };
    assert!(AxialLaw::Millard2012(slack).check().is_err());
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
