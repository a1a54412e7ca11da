//! Published values of the laws: ArtiSynth 3.9 at one deformation, and materials.json of the
//! shared reference data (automatic differentiation, closed forms).

use std::path::PathBuf;

use nalgebra::{Matrix3, Matrix6};
use serde_json::Value;

use super::{
    Deformation, Isotropic, Material, MaterialSpec, MooneyRivlinConstants, Value as Constant,
    polar_rotation, to_voigt, voigt,
};
use crate::{Mat3, Real};

/// One row: law, energy [J/m³], Cauchy stress xx, yy, zz, xy, xz, yz [Pa], diagonal of the tangent
/// in the order xx, yy, zz, xy, yz, xz, entries (0, 1), (0, 3), (3, 4) of it and its norm [Pa].
type Row = (MaterialSpec, f64, [f64; 6], [f64; 6], [f64; 3], f64);

const F: [f64; 9] = [1.1, 0.2, 0.05, -0.1, 0.95, 0.1, 0.03, -0.15, 1.05];

fn mooney_rivlin(c: [f64; 6]) -> MaterialSpec {
    let [c10, c01, c11, c20, c02, bulk_modulus] = c;
    let zero = MooneyRivlinConstants::default();
    MaterialSpec::MooneyRivlin(MooneyRivlinConstants {
        c10,
        c01,
        c11,
        c20,
        c02,
        bulk_modulus,
        ..zero
    })
}

/// A law with its defaults but for these numbers.
fn with(law: &str, constants: &[(&str, f64)]) -> MaterialSpec {
    let mut spec = MaterialSpec::from_name(law).unwrap();
    for &(name, value) in constants {
        assert!(spec.put(name, Constant::Number(value)), "{law} has no {name}");
    }
    spec
}

fn logarithmic(mut spec: MaterialSpec) -> MaterialSpec {
    assert!(spec.put("bulk_potential", Constant::Choice("logarithmic")));
    spec
}

/// ArtiSynth 3.9 at `F` of laws with its defaults: name, changed constants, energy, Cauchy stress xx,
/// yy, zz, xy, xz, yz. Muscles are passive, their fibres along x.
type Printed = (&'static str, &'static [(&'static str, f64)], f64, [f64; 6]);

#[rustfmt::skip]
const PRINTED: [Printed; 8] = [
    ("ogden", &[], 3475.62628009, [31962.4616179, -8138.30930134, 16578.3476834, 10328.9864489, 6744.22056369, -4921.45824918]),
    ("fung_orthotropic", &[], 924.212814099, [13606.2075946, 13322.4122831, 13473.8801223, 71.1036452673, 53.5226860015, -27.1940584549]),
    ("yeoh", &[("c1", 1.5e5), ("c2", 1e4), ("c3", 2e3)], 6056.19583713, [50628.0801153, -29943.4799244, 19717.8998091, 20753.2806163, 13550.6714612, -9888.32782306]),
    ("arruda_boyce", &[], 927.348276701, [13615.1341380, 13295.0338387, 13492.3320232, 82.4500770937, 53.8350503376, -39.2850367329]),
    ("veronda_westmann", &[], 1138.44230356, [15746.0368807, 10971.3869273, 13685.0761920, 1210.33359019, 859.634501181, -511.352000384]),
    ("transverse_linear", &[], 8145.27501147, [94761.1180993, 35088.3118752, 73135.0631894, 15478.0170031, 9723.00208899, -7735.83183057]),
    ("generic_muscle", &[], 0.000640088180306, [0.0139048343719, -0.00687363216701, -0.00703120220493, -0.00190469276607, 0.000571407829821, -5.19461663474e-05]),
    ("blemker_muscle", &[], 199.719158582, [4419.12845989, -2184.52537582, -2234.60308407, -605.334934940, 181.600480482, -16.5091345893]),
];

#[test]
fn values_with_defaults_are_those_of_artisynth() {
    for (law, constants, w, stress) in PRINTED {
        let (energy, sigma, _) = evaluate::<f64>(&with(law, constants), &Mat3::from_row_slice(&F));
        // The energy of the generic muscle is an integral that ArtiSynth takes by a rule of some digits.
        let digits = if law == "generic_muscle" { 1e-6 } else { 1e-9 };
        assert!((energy / w - 1.0).abs() < digits, "{law}: W = {energy}, not {w}");
        let s = to_voigt(&sigma);
        for (s, expected) in [s[0], s[1], s[2], s[3], s[5], s[4]].into_iter().zip(stress) {
            // Twelve digits are printed of stresses whose pressure is larger.
            let error = (s - expected).abs() / stress[0].abs();
            assert!(error < 1e-10, "{law}: {s}, not {expected}");
        }
    }
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
    let law = spec.law::<T>();
    let (sigma, c) = law.stress_and_tangent(&d);
    (law.energy(&d), sigma, c)
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
    read_reference("materials.json")
}

fn read_reference(file: &str) -> Option<Value> {
    let fallback = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared");
    let root = std::env::var_os("SINEW_SHARED").map_or_else(|| fallback.into(), PathBuf::from);
    let path = root.join("reference/validation").join(file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("not compared: {} is absent", path.display());
        return None;
    };
    Some(serde_json::from_str(&text).expect("the file is JSON"))
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
        ("FEM-MAT-IncompNeoHookean", with("neohook_isochoric", &[("bulk_modulus", 1e7)])),
        (
            "FEM-MAT-IncompNeoHookean_log",
            logarithmic(with("neohook_isochoric", &[("bulk_modulus", 1e7)])),
        ),
        (
            "FEM-MAT-Yeoh",
            with("yeoh", &[("c1", 1.2e5), ("c2", 4e4), ("c3", 1e4), ("bulk_modulus", 1e7)]),
        ),
        (
            "FEM-MAT-VerondaWestmann",
            with("veronda_westmann", &[("c1", 2e3), ("c2", 5.0), ("bulk_modulus", 1e5)]),
        ),
        (
            "FEM-MAT-Ogden3",
            with(
                "ogden",
                &[
                    ("mu_1", 6.3e5),
                    ("alpha_1", 1.3),
                    ("mu_2", 1.2e3),
                    ("alpha_2", 5.0),
                    ("mu_3", -1e4),
                    ("alpha_3", -2.0),
                    ("bulk_modulus", 1e7),
                ],
            ),
        ),
        (
            "FEM-MAT-FungOrthotropic",
            with(
                "fung_orthotropic",
                &[
                    ("mu_2", 1200.0),
                    ("mu_3", 900.0),
                    ("lambda_22", 2100.0),
                    ("lambda_33", 1900.0),
                    ("lambda_12", 1500.0),
                    ("lambda_23", 1600.0),
                    ("lambda_13", 1300.0),
                    ("bulk_modulus", 1e5),
                ],
            ),
        ),
        ("FEM-MAT-Guccione", with("guccione", &[("bulk_modulus", 1e6)])),
    ];
    for (id, spec) in laws {
        for (case, values) in cases(&reference, id) {
            let f = matrix(&values["F"]);
            let stress = matrix(&values["cauchy"]);
            let (_, sigma, d) = evaluate::<f64>(&spec, &f);
            let error = (sigma - stress).norm() / stress.norm();
            assert!(error < 1e-10, "{id} {case}: stress off by {error:.1e}");
            // Ogden's has no tangent there.
            let Some(tangent) = values.get("D_voigt_xx_yy_zz_xy_yz_xz") else { continue };
            let tangent = Matrix6::from_row_slice(&numbers(tangent));
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

/// A law, its activation, one state: F = diag or simple shear; Cauchy stresses to compare [Pa].
fn check_row(
    name: &str,
    parts: &[(MaterialSpec, f64)],
    f: Mat3,
    expected: &[((usize, usize), f64)],
) {
    let sum = |sigma: Mat3, (spec, activation): &(MaterialSpec, f64)| {
        let d = Deformation::new(f - Mat3::identity()).with_activation(*activation);
        sigma + spec.law::<f64>().stress(&d)
    };
    let sigma = parts.iter().fold(Mat3::zeros(), sum);
    let size = expected.iter().fold(1e3, |most: f64, (_, x)| most.max(x.abs()));
    for &(place, value) in expected {
        // Lateral stretches are given to twelve digits, of which the bulk modulus takes three.
        let error = (sigma[place] - value).abs() / size;
        assert!(error < 1e-6, "{name}: {} instead of {value} at {place:?}", sigma[place]);
    }
}

/// All rows of one law.
fn check_rows(name: &str, parts: &[(MaterialSpec, f64)], rows: &Value) {
    for (state, rows) in rows.as_object().expect("states") {
        for row in rows.as_array().expect("rows") {
            let number = |key: &str| row[key].as_f64().expect("a number");
            let diagonal = |x, y, z| Mat3::from_diagonal(&[x, y, z].into());
            let name = format!("{name} {state}");
            if state.starts_with("uniaxial") {
                let [a, b] = [0, 1].map(|k| row["lateral_stretches"][k].as_f64().unwrap());
                let (f, along) = match state.strip_prefix("uniaxial_") {
                    Some("y") => (diagonal(a, number("stretch"), b), 1),
                    _ => (diagonal(number("stretch"), a, b), 0),
                };
                let free = if along == 0 { 1 } else { 0 };
                let stresses =
                    [((along, along), number("cauchy")), ((free, free), 0.0), ((2, 2), 0.0)];
                check_row(&name, parts, f, &stresses);
            } else if state.starts_with("equibiaxial") {
                let s = number("stretch");
                let f = diagonal(s, s, number("thickness_stretch"));
                let [x, y] = ["cauchy_xx", "cauchy_yy"].map(number);
                check_row(&name, parts, f, &[((0, 0), x), ((1, 1), y), ((2, 2), 0.0)]);
            } else if state.starts_with("simple_shear") {
                let mut f = Mat3::identity();
                f.m12 = number("gamma");
                let at = |key: &str| row["cauchy"][key].as_f64().unwrap();
                let stresses = [
                    ((0, 0), at("xx")),
                    ((1, 1), at("yy")),
                    ((2, 2), at("zz")),
                    ((0, 1), at("xy")),
                ];
                check_row(&name, parts, f, &stresses);
            } else {
                let s = number("stretch");
                check_row(&name, parts, diagonal(s, s, s), &[((0, 0), number("cauchy_xx"))]);
            }
        }
    }
}

#[test]
fn homogeneous_states_are_those_of_two_independent_routes() {
    let Some(reference) = read_reference("tissue.json") else { return };
    let entry = |id: &str| {
        let entries = reference.as_array().expect("a list of entries");
        &entries.iter().find(|e| e["id"] == id).expect("the entry is there")["reference"]
    };
    let isotropic = entry("FEL-HOM-ISO");
    let chains = [("modulus", 3e4), ("locking_stretch", 1.8), ("bulk_modulus", 3e6)];
    let mut five = with("arruda_boyce", &chains);
    assert!(five.put("series", Constant::Choice("five")));
    let laws = [
        (
            "ogden3",
            with(
                "ogden",
                &[
                    ("mu_1", 2e5),
                    ("alpha_1", 1.5),
                    ("mu_2", 3e3),
                    ("alpha_2", 5.0),
                    ("mu_3", 1e4),
                    ("alpha_3", -2.0),
                    ("bulk_modulus", 5e6),
                ],
            ),
        ),
        ("yeoh", with("yeoh", &[("c1", 4e4), ("c2", -5e3), ("c3", 1.5e3), ("bulk_modulus", 2e6)])),
        ("arruda_boyce_4terms", with("arruda_boyce", &chains)),
        ("arruda_boyce_5terms", five),
    ];
    for (name, spec) in laws {
        check_rows(name, &[(spec, 0.0)], &isotropic[name]);
    }
    let hgo = with("hgo", &[("angle", 40f64.to_radians())]);
    check_rows("hgo", &[(hgo, 0.0)], entry("FEL-HOM-HGO"));
    let matrix = with("mr", &[("c10", 1.2e4), ("c01", 3e3), ("bulk_modulus", 2e6)]);
    let fibres = with("blemker_muscle", &[("optimal_stretch", 1.1)]);
    for (key, activation) in [("act=0", 0.0), ("act=0.5", 0.5), ("act=1", 1.0)] {
        let rows = &entry("FEL-HOM-BLEMKER")[format!("{key},passive zero below lofl")];
        check_rows(key, &[(matrix, 0.0), (fibres, activation)], rows);
    }
}
