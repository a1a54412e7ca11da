//! The laws at one deformation, beside the values of ArtiSynth 3.9 and of automatic
//! differentiation. The tangents and more deformations are compared where the laws are.

use sinew::Mat3;
use sinew::material::{Deformation, Material, MaterialSpec, MooneyRivlinConstants, Value};

use super::problem::isotropic;
use super::table::{Group, Row};

/// Energy per rest volume [J/m³] and Cauchy stress [Pa].
pub(crate) fn evaluate(spec: &MaterialSpec, d: &Deformation<f64>) -> (f64, Mat3) {
    let law = spec.law::<f64>();
    (law.energy(d), law.stress(d))
}

pub(crate) fn mooney_rivlin(c: [f64; 6]) -> MaterialSpec {
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

fn symmetric([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> Mat3 {
    Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

/// The deformation of ArtiSynth's values.
const F1: [f64; 9] = [1.1, 0.2, 0.05, -0.1, 0.95, 0.1, 0.03, -0.15, 1.05];
/// The deformation "general" of the values by automatic differentiation.
pub(crate) const GENERAL: [f64; 9] = [1.1, 0.2, -0.05, 0.1, 0.9, 0.15, -0.08, 0.05, 1.05];
/// Cauchy stress xx, yy, zz, xy, xz, yz of the neo-Hookean law there (E = 5e5 Pa, nu = 0.33),
/// FEM-MAT-NeoHookean_coupled.
pub(crate) const NEO_HOOKEAN_STRESS: [f64; 6] = [
    48724.12937694969,
    -28036.49728931757,
    22307.240541314786,
    52889.943983464655,
    -24432.345804750923,
    36414.49240631458,
];

/// Case, law, energy if there is one, stress xx, yy, zz, xy, xz, yz.
type Values = (&'static str, MaterialSpec, Option<f64>, [f64; 6]);

#[rustfmt::skip]
fn artisynth() -> [Values; 6] {
    let c = isotropic(5e5, 0.33);
    [
        ("linear", MaterialSpec::Linear(c), Some(6420.27863777),
         [74082.2644847, 17691.2870411, 55285.2720035, 18796.9924812, 15037.5939850, -9398.49624060]),
        ("corotated", MaterialSpec::Corotated(c), Some(8145.27501147),
         [94761.1180993, 35088.3118752, 73135.0631894, 15478.0170031, 9723.00208899, -7735.83183057]),
        ("St. Venant-Kirchhoff", MaterialSpec::StVenantKirchhoff(c), Some(9275.47720865),
         [114695.179518, 34256.3767804, 78736.4678800, 20285.2792633, 14788.0234992, -8211.87163825]),
        ("neo-Hookean", MaterialSpec::NeoHookean(c), Some(7443.15818570),
         [82458.8404916, 27791.1381204, 61486.3219456, 14081.0748532, 9194.11358060, -6709.21801828]),
        ("Mooney-Rivlin, five constants", mooney_rivlin([1.5e5, 5e4, 1e4, 2e4, 3e4, 1e6]), Some(16048.2362847),
         [184626.388472, 74583.3865770, 144815.224951, 28549.0289802, 17913.0617641, -14288.3496196]),
        ("neo-Hookean of isochoric strain (Mooney-Rivlin with C10 = G/2)",
         mooney_rivlin([75000.0, 0.0, 0.0, 0.0, 0.0, 1e5]), Some(3475.62628009),
         [31962.4616179, -8138.30930134, 16578.3476834, 10328.9864489, 6744.22056369, -4921.45824918]),
    ]
}

#[rustfmt::skip]
fn differentiated() -> [Values; 4] {
    let c = isotropic(5e5, 0.33);
    [
        ("FEM-MAT-corotlinear", MaterialSpec::Corotated(c), None,
         [60569.65054891257, -17389.681857137955, 37658.73144984045, 54213.16584586183, -25409.441036045864, 39433.12546823819]),
        ("FEM-MAT-StVK", MaterialSpec::StVenantKirchhoff(c), None,
         [124315.7704211902, 28779.670680392162, 75134.9055348708, 63757.80876934548, -27930.699801413557, 35128.54046000873]),
        ("FEM-MAT-NeoHookean_coupled", MaterialSpec::NeoHookean(c), None, NEO_HOOKEAN_STRESS),
        ("FEM-MAT-MooneyRivlin5", mooney_rivlin([1.5e5, 5e4, 2e4, 3e4, 1e4, 1e7]), None,
         [122183.87935610891, -68763.2428950435, 66579.36353893457, 132850.15570359243, -62313.53143620687, 96904.08940126124]),
    ]
}

/// Stress xx with the error of the worst entry, and the energy.
fn rows((name, spec, energy, stress): Values, f: [f64; 9], allowed: f64) -> Vec<Row> {
    let h = Mat3::from_row_slice(&f) - Mat3::identity();
    let (w, sigma) = evaluate(&spec, &Deformation::new(h));
    let ours = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|at| sigma[at]);
    let error = if energy.is_some() {
        let errors = ours.iter().zip(stress).map(|(ours, s)| (ours / s - 1.0).abs());
        errors.fold(0.0, f64::max)
    } else {
        (sigma - symmetric(stress)).norm() / symmetric(stress).norm()
    };
    let metric = "Cauchy stress xx [Pa]; error: of all components";
    let stress = Row::new(name, metric, (stress[0], ours[0]), allowed).with_error(error);
    let energy = energy.map(|e| Row::new(name, "energy W [J/m³]", (e, w), allowed));
    std::iter::once(stress).chain(energy).collect()
}

pub(crate) fn groups() -> Vec<Group> {
    let of_artisynth = Group {
        title: "Material laws at one deformation: ArtiSynth",
        text: "F = (1.1, 0.2, 0.05; -0.1, 0.95, 0.1; 0.03, -0.15, 1.05); E = 500 kPa, nu = 0.33 or \
               the constants of ArtiSynth's run. It prints twelve digits.",
        rows: artisynth().into_iter().flat_map(|v| rows(v, F1, 1e-9)).collect(),
    };
    let by_differentiation = Group {
        title: "Material laws at one deformation: automatic differentiation",
        text: "F = (1.1, 0.2, -0.05; 0.1, 0.9, 0.15; -0.08, 0.05, 1.05); the stress relative to its \
               norm.",
        rows: differentiated().into_iter().flat_map(|v| rows(v, GENERAL, 1e-10)).collect(),
    };
    vec![of_artisynth, by_differentiation]
}

#[test]
fn laws_have_the_published_stress_and_energy() {
    groups().iter().for_each(Group::check);
}

#[test]
fn straight_fibres_of_the_generic_muscle_go_on_along_the_line_that_they_are_given() {
    let [c3, c4, most] = [300.0, 6.0, 1.2];
    let tension = |c5: f64, stretch: f64| {
        let mut spec = MaterialSpec::from_name("generic_muscle").unwrap();
        let constants = [
            ("max_stress", 0.0),
            ("exp_stress_coefficient", c3),
            ("uncrimping_factor", c4),
            ("max_stretch", most),
            ("straight_modulus", c5),
        ];
        for (name, x) in constants {
            assert!(spec.put(name, Value::Number(x)), "{name}");
        }
        let at = |stretch: f64| {
            let thin = 1.0 / stretch.sqrt();
            let h = sinew::Vec3::new(stretch, thin, thin) - sinew::Vec3::repeat(1.0);
            evaluate(&spec, &Deformation::new(Mat3::from_diagonal(&h)))
        };
        // The stress along the fibre less that across, and λ dW/dλ by differences.
        let by_energy = (at(stretch + 1e-5).0 - at(stretch - 1e-5).0) / 2e-5 * stretch;
        let sigma = at(stretch).1;
        [sigma[(0, 0)] - sigma[(1, 1)], by_energy]
    };
    let toe = |stretch: f64| c3 * (c4 * (stretch - 1.0)).exp_m1();
    let tangent = c3 * c4 * (c4 * (most - 1.0)).exp();
    for c5 in [0.0, 1500.0, 9000.0] {
        let slope = if c5 == 0.0 { tangent } else { c5 };
        for stretch in [1.1_f64, 1.19, 1.25, 1.6] {
            // FEBio: c5 λ + c6, c6 from continuity.
            let c6 = toe(most) - slope * most;
            let expected = if stretch < most { toe(stretch) } else { slope * stretch + c6 };
            let [stress, by_energy] = tension(c5, stretch);
            assert!((stress / expected - 1.0).abs() < 1e-10, "{c5} {stretch}: {stress} {expected}");
            assert!((by_energy / expected - 1.0).abs() < 1e-6, "{c5} {stretch}: {by_energy}");
        }
    }
}
