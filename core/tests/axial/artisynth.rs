//! Force and derivatives of every row that ArtiSynth printed for an axial law.

use sinew::axial::active::{
    BlemkerMuscle, CurveShape, LinearMuscle, Millard2012, PeckMuscle, TendonModel, Thelen2003,
};
use sinew::axial::passive::{Blankevoort1991, Millard2012Tendon, Thelen2003Tendon};
use sinew::axial::{AxialInput, AxialLaw, Past, TensionLaw};

use crate::reference as values;

/// Greatest difference of force, by_length and by_rate, each over its greatest value in the rows.
fn differences(law: &AxialLaw, rows: &[[f64; 7]]) -> [f64; 3] {
    let mut greatest = [1e-300f64; 3];
    let mut difference = [0.0f64; 3];
    for &[length, rate, rest_length, excitation, force, by_length, by_rate] in rows {
        let input = AxialInput { length, rate, rest_length, excitation };
        let found = law.tension(&input, &Past::unchanged(&input, 0.0, &[0.0; 2]));
        let pairs = [(found.force, force), (found.by_length, by_length), (found.by_rate, by_rate)];
        for (k, (found, expected)) in pairs.into_iter().enumerate() {
            greatest[k] = greatest[k].max(expected.abs());
            difference[k] = difference[k].max((found - expected).abs());
        }
    }
    [0, 1, 2].map(|k| difference[k] / greatest[k])
}

/// The rows are printed with twelve digits.
const PRINTED: f64 = 5e-12;

fn agrees(law: AxialLaw, rows: &[[f64; 7]]) {
    let found = differences(&law, rows);
    assert!(found.iter().all(|d| *d < PRINTED), "{law:?}: differences {found:?}");
}

#[test]
fn peck_agrees() {
    let (max_force, optimal_length, max_length) = (40.0, 1.0, 1.4);
    let (tendon_ratio, passive_fraction, damping) = (0.1, 0.015, 0.5);
    let law = PeckMuscle {
        max_force,
        optimal_length,
        max_length,
        tendon_ratio,
        passive_fraction,
        damping,
    };
    agrees(AxialLaw::Peck(law), values::ARTISYNTH_PECK);
}

#[test]
fn linear_muscle_agrees() {
    let law = LinearMuscle {
        max_force: 40.0,
        optimal_length: 1.0,
        max_length: 1.4,
        passive_fraction: 0.1,
        damping: 0.0,
    };
    agrees(AxialLaw::LinearMuscle(law), values::ARTISYNTH_LINEAR_MUSCLE);
}

#[test]
fn blemker_agrees() {
    agrees(AxialLaw::Blemker(BlemkerMuscle::default()), values::ARTISYNTH_BLEMKER);
}

#[test]
fn blankevoort_agrees() {
    let law = Blankevoort1991 { slack_length: 0.1, ..Blankevoort1991::default() };
    agrees(AxialLaw::Blankevoort1991(law), values::ARTISYNTH_BLANKEVOORT);
}

#[test]
fn thelens_tendon_agrees() {
    let law = Thelen2003Tendon::default();
    agrees(AxialLaw::Thelen2003Tendon(law), values::ARTISYNTH_THELEN_TENDON);
}

#[test]
fn thelens_muscle_with_a_rigid_tendon_agrees() {
    let law = Thelen2003 { pennation: 0.2, tendon: TendonModel::Rigid, ..Thelen2003::default() };
    agrees(AxialLaw::Thelen2003(law), values::ARTISYNTH_THELEN);
}

fn millard(curves: CurveShape) -> AxialLaw {
    let tendon = TendonModel::Rigid;
    AxialLaw::Millard2012(Millard2012 { pennation: 0.2, tendon, curves, ..Millard2012::default() })
}

fn millard_tendon(curves: CurveShape) -> AxialLaw {
    AxialLaw::Millard2012Tendon(Millard2012Tendon { curves, ..Millard2012Tendon::default() })
}

#[test]
fn millards_laws_with_cubic_curves_agree() {
    agrees(millard(CurveShape::CubicHermite), values::ARTISYNTH_MILLARD);
    agrees(millard_tendon(CurveShape::CubicHermite), values::ARTISYNTH_MILLARD_TENDON);
}

/// Distance of ArtiSynth's cubic curves from the published quintic ones.
#[test]
fn millards_laws_with_the_published_curves_differ_by_the_fit() {
    let muscle = differences(&millard(CurveShape::QuinticBezier), values::ARTISYNTH_MILLARD);
    let tendon =
        differences(&millard_tendon(CurveShape::QuinticBezier), values::ARTISYNTH_MILLARD_TENDON);
    println!("muscle {muscle:?}, tendon {tendon:?}");
    assert!(muscle[0] < 0.06 && tendon[0] < 0.005, "{muscle:?}, {tendon:?}");
    assert!(muscle[0] > 1e-4 && tendon[0] > 1e-4, "the two curves are the same");
}
