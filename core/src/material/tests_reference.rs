//! Published values of the laws: ArtiSynth 3.9 at one deformation, and materials.json of the
//! shared reference data (automatic differentiation, closed forms).

use std::path::PathBuf;

use nalgebra::{Matrix3, Matrix6};
use serde_json::Value;

use super::{Deformation, Isotropic, Material, MaterialSpec, MooneyRivlinConstants};
use super::{polar_rotation, to_voigt, voigt, with_law};
use crate::{Mat3, Real};

/// One row: law, energy [J/m³], Cauchy stress xx, yy, zz, xy, xz, yz [Pa], diagonal of the tangent
/// in the order xx, yy, zz, xy, yz, xz, entries (0, 1), (0, 3), (3, 4) of it and its norm [Pa].
type Row = (MaterialSpec, f64, [f64; 6], [f64; 6], [f64; 3], f64);

const F: [f64; 9] = [1.1, 0.2, 0.05, -0.1, 0.95, 0.1, 0.03, -0.15, 1.05];

fn mooney_rivlin(c: [f64; 6]) -> MaterialSpec {
    let [c10, c01, c11, c20, c02, bulk_modulus] = c;
    MaterialSpec::MooneyRivlin(MooneyRivlinConstants { c10, c01, c11, c20, c02, bulk_modulus })
}

/// ArtiSynth 3.9 at `F`, E = 5e5 Pa, nu = 0.33; numbers as it prints them.
#[rustfmt::skip]
fn artisynth() -> [Row; 6] {
    let c = Isotropic::default();
    let hooke = [740822.644847, 740822.644847, 740822.644847, 187969.924812, 187969.924812, 187969.924812];
    let rest = [364882.795223, 0.0, 0.0];
    [
        (MaterialSpec::Corotated(c), 8145.27501147,
         [94761.1180993, 35088.3118752, 73135.0631894, 15478.0170031, 9723.00208899, -7735.83183057],
         hooke, rest, 1597275.61077),
        (MaterialSpec::Linear(c), 6420.27863777,
         [74082.2644847, 17691.2870411, 55285.2720035, 18796.9924812, 15037.5939850, -9398.49624060],
         hooke, rest, 1597275.61077),
        (MaterialSpec::StVenantKirchhoff(c), 9275.47720865,
         [114695.179518, 34256.3767804, 78736.4678800, 20285.2792633, 14788.0234992, -8211.87163825],
         [1024231.74411, 555616.983636, 827641.770381, 194928.667760, 172860.436952, 235112.420622],
         [373951.263227, 69508.7411171, 6804.26527353], 1763858.86897),
        (MaterialSpec::NeoHookean(c), 7443.15818570,
         [82458.8404916, 27791.1381204, 61486.3219456, 14081.0748532, 9194.11358060, -6709.21801828],
         [571634.597755, 571634.597755, 571634.597755, 125029.938963, 125029.938963, 125029.938963],
         [321574.719830, 0.0, 0.0], 1283611.15591),
        (mooney_rivlin([150000.0, 50000.0, 1e4, 2e4, 3e4, 1e6]), 16048.2362847,
         [184626.388472, 74583.3865770, 144815.224951, 28549.0289802, 17913.0617641, -14288.3496196],
         [1984437.03098, 1042075.22523, 1440219.71256, 268650.087575, 249362.630887, 228988.576528],
         [776960.334427, 188239.272340, -20515.3339073], 3557856.81352),
        // Its incompressible neo-Hookean law, G = 1.5e5 Pa: C10 = G/2.
        (mooney_rivlin([75000.0, 0.0, 0.0, 0.0, 0.0, 1e5]), 3475.62628009,
         [31962.4616179, -8138.30930134, 16578.3476834, 10328.9864489, 6744.22056369, -4921.45824918],
         [140146.806701, 193614.501260, 160658.958614, 120238.191644, 120238.191644, 120238.191644],
         [-73595.7293069, -6885.99096593, 0.0], 402323.266512),
    ]
}

fn evaluate<T: Real>(spec: &MaterialSpec, f: &Mat3) -> (T, Matrix3<T>, Matrix6<T>) {
    let d = Deformation::new((f - Mat3::identity()).map(|x| crate::lit::<T>(x)));
    with_law!(spec, T, law => {
        let (sigma, c) = law.stress_and_tangent(&d);
        (law.energy(&d), sigma, c)
    })
}

#[test]
fn values_at_one_deformation_are_those_of_artisynth() {
    for (spec, w, stress, diagonal, entries, norm) in artisynth() {
        let (energy, sigma, c) = evaluate::<f64>(&spec, &Mat3::from_row_slice(&F));
        let name = spec.name();
        // Twelve digits are printed.
        assert!((energy / w - 1.0).abs() < 1e-9, "{name}: W = {energy}, not {w}");
        let s = to_voigt(&sigma);
        let s = [s[0], s[1], s[2], s[3], s[5], s[4]];
        for (k, (s, expected)) in s.iter().zip(stress).enumerate() {
            assert!((s / expected - 1.0).abs() < 1e-9, "{name}: stress {k} = {s}, not {expected}");
        }
        let c = match spec {
            // With C11, C20, C02 the tangent it prints is not the derivative of its stress; ours is
            // compared with that, here and by finite differences.
            MaterialSpec::MooneyRivlin(constants) if constants.c11 != 0.0 => continue,
            // The part kappa J I⊗I it adds elsewhere, with the pressure.
            MaterialSpec::MooneyRivlin(constants) => {
                c - voigt::isotropic(
                    constants.bulk_modulus * Mat3::from_row_slice(&F).determinant(),
                    0.0,
                )
            }
            _ => c,
        };
        let near = |what: &str, value: f64, expected: f64| {
            let error = (value - expected).abs() / expected.abs().max(1e-3 * norm);
            assert!(error < 1e-9, "{name}: {what} = {value}, not {expected}");
        };
        for k in 0..6 {
            near("diagonal of D", c[(k, k)], diagonal[k]);
        }
        near("D01", c[(0, 1)], entries[0]);
        near("D03", c[(0, 3)], entries[1]);
        near("D34", c[(3, 4)], entries[2]);
        near("|D|", c.norm(), norm);
    }
}

fn reference() -> Option<Value> {
    let fallback = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared");
    let root = std::env::var_os("SINEW_SHARED").map_or_else(|| fallback.into(), PathBuf::from);
    let path = root.join("reference/validation/materials.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("not compared: {} is absent", path.display());
        return None;
    };
    Some(serde_json::from_str(&text).expect("materials.json is JSON"))
}

fn numbers(value: &Value) -> Vec<f64> {
    let rows = value.as_array().expect("a matrix").iter();
    rows.flat_map(|row| row.as_array().expect("a row")).map(|x| x.as_f64().unwrap()).collect()
}

fn matrix(value: &Value) -> Mat3 {
    Mat3::from_row_slice(&numbers(value))
}

/// The deformations of one entry, by name.
fn cases<'a>(reference: &'a Value, id: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let entries = reference.as_array().expect("a list of entries");
    let entry = entries.iter().find(|e| e["id"] == id).expect("the entry is there");
    entry["reference"].as_object().expect("deformations").iter()
}

#[test]
fn values_at_four_deformations_are_those_of_automatic_differentiation() {
    let Some(reference) = reference() else { return };
    let c = Isotropic::default();
    let laws = [
        ("FEM-MAT-StVK", MaterialSpec::StVenantKirchhoff(c)),
        ("FEM-MAT-NeoHookean_coupled", MaterialSpec::NeoHookean(c)),
        ("FEM-MAT-MooneyRivlin5", mooney_rivlin([1.5e5, 5e4, 2e4, 3e4, 1e4, 1e7])),
    ];
    for (id, spec) in laws {
        for (case, values) in cases(&reference, id) {
            let f = matrix(&values["F"]);
            let stress = matrix(&values["cauchy"]);
            let tangent = Matrix6::from_row_slice(&numbers(&values["D_voigt_xx_yy_zz_xy_yz_xz"]));
            let (_, sigma, d) = evaluate::<f64>(&spec, &f);
            let error = (sigma - stress).norm() / stress.norm();
            assert!(error < 1e-10, "{id} {case}: stress off by {error:.1e}");
            let error = (d - tangent).norm() / tangent.norm();
            assert!(error < 1e-8, "{id} {case}: tangent off by {error:.1e}");

            let (_, sigma, d) = evaluate::<f32>(&spec, &f);
            // Stress against the modulus: at J = 1 the bulk term takes the rounding of F times kappa.
            let error = (sigma.cast::<f64>() - stress).norm() / spec.wave_modulus();
            assert!(error < 1e-5, "{id} {case} in f32: stress off by {error:.1e}");
            let error = (d.cast::<f64>() - tangent).norm() / tangent.norm();
            assert!(error < 1e-5, "{id} {case} in f32: tangent off by {error:.1e}");
        }
    }
}

#[test]
fn corotated_stress_at_four_deformations_is_that_of_the_polar_factor() {
    let Some(reference) = reference() else { return };
    let spec = MaterialSpec::Corotated(Isotropic::default());
    for (case, values) in cases(&reference, "FEM-MAT-corotlinear") {
        let f = matrix(&values["F"]);
        let stress = matrix(&values["cauchy_artisynth_corot"]);
        let error = (polar_rotation(&f) - matrix(&values["R"])).norm();
        assert!(error < 1e-14, "{case}: R off by {error:.1e}");
        let (_, sigma, _) = evaluate::<f64>(&spec, &f);
        let error = (sigma - stress).norm() / stress.norm();
        assert!(error < 1e-10, "{case}: stress off by {error:.1e}");
        let piola = (sigma * polar_rotation(&f) - matrix(&values["PK1_corot"])).norm();
        assert!(piola < 1e-10 * stress.norm(), "{case}: P = sigma R off by {piola:.1e}");
        let (_, sigma, _) = evaluate::<f32>(&spec, &f);
        let error = (sigma.cast::<f64>() - stress).norm() / stress.norm();
        assert!(error < 1e-5, "{case} in f32: stress off by {error:.1e}");
    }
}
