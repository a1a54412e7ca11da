//! Values of the laws that no table has, worked out by hand from their equations.

use super::super::ActivationModel;
use super::super::active::{
    DeGrooteFregly2016, HillRigidTendon, MasoudMillardLam, MujocoMuscle, PaiMuscle, Side,
    SimpleMuscle, TendonModel, Thelen2003,
};
use super::super::passive::{
    Blankevoort1991, CurveLigament, Millard2012Tendon, Thelen2003Tendon, TwoSidedLigament,
    UnidirectionalSpring, UwLigament,
};
use super::*;

fn force(law: &dyn TensionLaw, length: f64, rate: f64, excitation: f64) -> f64 {
    let input = AxialInput { length, rate, rest_length: 1.0, excitation };
    law.tension(&input, &Past::unchanged(&input, 0.0, &[0.0; 2])).force
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12 * (1.0 + expected.abs()), "{found}, not {expected}");
}

#[test]
fn springs_and_ligaments_have_their_stiffness_on_each_side() {
    let one = UnidirectionalSpring { stiffness: 50.0, damping: 2.0 };
    near(force(&one, 1.2, 0.5, 0.0), 11.0);
    near(force(&one, 0.8, 0.5, 0.0), 1.0);
    let (elongation_stiffness, compression_stiffness) = (90.0, 20.0);
    let two =
        TwoSidedLigament { elongation_stiffness, compression_stiffness, damping: 2.0, blend: 0.1 };
    near(force(&two, 1.2, 0.5, 0.0), 19.0);
    near(force(&two, 0.8, 0.5, 0.0), -3.0);
    // The middle of the blend: the mean of its ends, less an eighth of its width by the slopes' rise.
    near(force(&two, 1.0, 0.0, 0.0), 0.5 * (4.5 - 1.0) - 0.125 * 0.1 * 70.0);
    near(two.energy(0.95, 1.0).unwrap(), 0.5 * 20.0 * 0.05 * 0.05);
    near(two.energy(0.95 + 1e-13, 1.0).unwrap(), 0.5 * 20.0 * 0.05 * 0.05);
    // Slack below 1 / 1.25, k (e - et / 2) + k b de/dt beyond the toe, and no push.
    let uw = UwLigament { reference_strain: 0.25, ..UwLigament::default() };
    near(force(&uw, 0.79, 9.0, 0.0), 0.0);
    near(force(&uw, 0.96, 0.4, 0.0), 100.0 * (0.2 - 0.015) + 0.3 * 0.5);
    near(force(&uw, 0.801, -9.0, 0.0), 0.0);
    let own = CurveLigament { max_force: 3.0, damping: 0.0, slack_length: 0.5 };
    near(force(&own, 1.0, 0.0, 0.0), 6.0);
    near(force(&own, 0.5, 0.0, 0.0), 0.0);
}

#[test]
fn muscles_without_a_table_have_their_values() {
    let spring =
        SimpleMuscle { stiffness: 50.0, damping: 2.0, max_force: 10.0, ..Default::default() };
    near(force(&spring, 0.8, 0.5, 0.3), -10.0 + 1.0 + 3.0);
    near(force(&SimpleMuscle { side: Side::Tension, ..spring }, 0.8, 0.5, 0.3), 4.0);
    near(force(&SimpleMuscle { blend_interval: 0.1, ..spring }, 1.2, 0.0, 0.0), 50.0 * 0.15);
    let pai = PaiMuscle { optimal_length: 0.8, tendon_ratio: 0.5, ..Default::default() };
    near(force(&pai, 0.7, 0.0, 1.0), 0.5);
    near(force(&pai, 0.81, 0.0, 1.0), 1.0);
    // A fibre of half the rest length at 60 degrees: 1.05 - 0.75 over 0.5 is 0.6.
    let lam = MasoudMillardLam {
        fibre_ratio: 0.5,
        sarcomere_length: 2.8,
        pennation: std::f64::consts::FRAC_PI_3,
        ..Default::default()
    };
    let slope = (0.7802 - 0.405_224) / (0.7083 - 0.587_05);
    near(force(&lam, 1.05, 0.0, 1.0), 0.405_224 + slope * (0.6 - 0.587_05));
    let hill = HillRigidTendon { optimal_fibre_length: 1.0, damping: 30.0, ..Default::default() };
    near(force(&hill, 1.0, 0.1, 0.5), 503.0);
    near(force(&hill, 1.0, -1.0, 0.0), 0.0);
}

#[test]
fn a_rigid_tendon_lets_no_damped_fibre_push() {
    let damped =
        Thelen2003 { tendon: TendonModel::Rigid, fibre_damping: 0.5, ..Default::default() };
    near(force(&damped, 0.29, -0.1, 0.0), 0.0);
    near(force(&damped, 0.29, 0.1, 0.0), 50.0);
}

/// The rate of OpenSim's Thelen2003Muscle (4.6) at a factor v of the active force above 1:
/// (1/4 + 3/4 a)(v - 1)(Flen - 1)/((2 + 2/Af)(Flen - v)).
#[test]
fn thelens_fibre_lengthens_as_in_opensim_with_a_factor_of_two() {
    let (tendon, lengthening_factor) = (TendonModel::Rigid, 2.0);
    let muscle = Thelen2003 { tendon, lengthening_factor, ..Default::default() };
    for activation in [0.2, 1.0] {
        for v in [1.01, 1.1, 1.2, 1.3, 1.38] {
            let rate = (0.25 + 0.75 * activation) * (v - 1.0) * 0.4 / (10.0 * (1.4 - v));
            near(force(&muscle, 0.3, rate, activation), 1000.0 * activation * v);
        }
    }
}

#[test]
fn a_linear_part_that_begins_below_the_isometric_force_is_refused() {
    let law = Thelen2003 { linear_threshold: 0.95, lengthening_force: 1.05, ..Default::default() };
    let text = AxialLaw::Thelen2003(law).check().unwrap_err().to_string();
    assert!(
        text.contains("lengthening_force is 1.05, it must exceed 1 / linear_threshold"),
        "{text}"
    );
}

/// Curves of De Groote and Fregly by their definitions: the peak and its slope, the two ends of the force-velocity
/// curve, and the strains at the maximum isometric force.
#[test]
fn the_curves_of_de_groote_and_fregly_meet_their_definitions() {
    let bare = DeGrooteFregly2016 { muscle_strain: 0.0, ..Default::default() };
    let rigid = DeGrooteFregly2016 { tendon: TendonModel::Rigid, ..bare };
    let close = |found: f64, expected: f64| {
        assert!(
            (found - expected).abs() < 1e-9 * (1.0 + expected.abs()),
            "{found}, not {expected}"
        );
    };
    close(force(&rigid, 0.3, 0.0, 1.0), 1000.0);
    close(force(&rigid, 0.3, 0.0, 0.3), 300.0);
    close(force(&rigid, 0.3, -1.0 + 1e-13, 1.0), 0.0);
    let stretched = DeGrooteFregly2016 { muscle_strain: 0.6, ..rigid };
    close(force(&stretched, 0.36, 0.0, 0.0), 1000.0);
    let elastic = DeGrooteFregly2016 { muscle_strain: 0.6, ..bare };
    let found = elastic.balance(0.2 * 1.049 + 0.1 * 1.6, 0.0, None);
    assert!((found.fibre_along - 0.16).abs() < 1e-9, "{found:?}");
}

/// By `calcActiveForceLengthMultiplier`, `calcPassiveForceMultiplier` and `calcForceVelocityMultiplier` of OpenSim 4.6.
#[test]
fn the_curves_of_de_groote_and_fregly_are_those_of_opensim() {
    let rigid = DeGrooteFregly2016 { tendon: TendonModel::Rigid, ..Default::default() };
    for &[n, active, passive] in BELLS {
        near(force(&rigid, 0.2 + 0.1 * n, 0.0, 0.0), 1000.0 * passive);
        near(force(&rigid, 0.2 + 0.1 * n, 0.0, 0.4), 1000.0 * (0.4 * active + passive));
    }
    let bare = DeGrooteFregly2016 { muscle_strain: 0.0, ..rigid };
    for &[rate, factor] in RATES {
        near(force(&bare, 0.3, rate, 1.0), 1000.0 * factor);
    }
}

/// Length, active and passive force.
const BELLS: &[[f64; 3]] = &[
    [0.5, 0.05411215301427433, 0.0005650149537784078],
    [0.8, 0.8364395661146519, 0.004739942143981772],
    [1.3, 0.5811888983785027, 0.13525881677781024],
    [1.6, 0.12425503853974887, 1.0],
];

/// Rate and factor of the active force.
const RATES: &[[f64; 2]] = &[
    [-0.9, 0.03523122654262589],
    [-0.3, 0.40891905885750673],
    [0.4, 1.5253767828310882],
    [0.9, 1.7623132543830602],
];

#[test]
fn a_law_begins_with_its_activation_where_the_excitation_is_less() {
    let delayed = Thelen2003 {
        activation: ActivationModel::Bilinear,
        start_activation: 0.3,
        ..Default::default()
    };
    let at = |law: Thelen2003| [0.1, 0.6].map(|e| AxialLaw::Thelen2003(law).start_excitation(e));
    assert_eq!(at(delayed), [0.3, 0.6]);
    assert_eq!(at(Thelen2003 { activation: ActivationModel::Instant, ..delayed }), [0.1, 0.6]);
}

/// By differences across the toes, which are short.
#[test]
fn energies_of_the_toes_are_zero_at_slack_and_have_the_force_for_their_slope() {
    let laws: [&dyn TensionLaw; 4] = [
        &Thelen2003Tendon::default(),
        &Millard2012Tendon::default(),
        &Blankevoort1991 { slack_length: 0.2, ..Blankevoort1991::default() },
        &UwLigament { reference_strain: 4.0, ..UwLigament::default() },
    ];
    for law in laws {
        let energy = |l| law.energy(l, 1.0).unwrap();
        assert_eq!(energy(0.2 * (1.0 - 1e-9)), 0.0, "{}", law.kind().name);
        for strain in [0.003, 0.011, 0.019, 0.028, 0.05] {
            let length = 0.2 * (1.0 + strain);
            let (found, pull) = (slope(energy, length, 1e-5), force(law, length, 0.0, 0.0));
            assert!((found / pull - 1.0).abs() < 1e-6, "{}: {found}, {pull}", law.kind().name);
        }
    }
}

/// By `mujoco.mju_muscleGain` and `mju_muscleBias` of MuJoCo 4.0 for a range of 0.2 to 0.35 m and the constants
/// (0.6, 1.1, 500, 200, 0.4, 1.7, 4, 1.5, 1.4).
#[test]
fn the_muscle_of_mujoco_pulls_as_there() {
    let law = MujocoMuscle {
        max_force: 500.0,
        short_fibre: 0.6,
        long_fibre: 1.1,
        least_fibre: 0.4,
        greatest_fibre: 1.7,
        max_velocity: 4.0,
        passive_factor: 1.5,
        lengthening_factor: 1.4,
        ..Default::default()
    };
    for &[length, rate, gain, bias] in MUJOCO {
        near(force(&law, length, rate, 1.0), -gain - bias);
        near(force(&law, length, rate, 0.3), -0.3 * gain - bias);
    }
}

/// Length [m], its rate [m/s], gain and bias [N].
const MUJOCO: &[[f64; 4]] = &[
    [0.13, 0.0, 0.0, 0.0],
    [0.16, -0.5, -4.200960219478721, 0.0],
    [0.2, 0.1, -127.7006172839506, 0.0],
    [0.25, -1.3, 0.0, 0.0],
    [0.29, 0.0, -472.2222222222223, 0.0],
    [0.33, 0.2, -629.0784832451499, -3.4013605442177064],
    [0.37, 0.6, -620.6349206349204, -85.03401360544244],
    [0.4, -0.2, -246.44116906021637, -217.6870748299325],
    [0.45, 0.1, -166.79264298311895, -553.5714285714289],
    [0.55, 0.0, 0.0, -1267.8571428571431],
    [0.62, 1.0, 0.0, -1767.8571428571433],
];
