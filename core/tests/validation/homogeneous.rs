//! A cube stretched along one or two axes with its other faces free: force and lateral stretch.

use std::sync::LazyLock;

use sinew::Vec3;
use sinew::material::MaterialSpec;
use sinew::model::Dirichlet;
use sinew_datasets::beam::BeamElement;

use super::laws::mooney_rivlin;
use super::meshes::{grid, kind_name};
use super::problem::{Solved, close, fix, isotropic, nodes_where, solve, tissue};
use super::table::{Group, Row};

/// FEM-HOM-uniaxial-biaxial.
const ALLOWED: f64 = 1e-6;

/// Stretch, stretch of a free axis, first Piola-Kirchhoff stress along x [Pa].
type Point = [f64; 3];

/// One law: its name, its constants, the values under uniaxial and equibiaxial stretch.
struct Law {
    name: &'static str,
    spec: MaterialSpec,
    uniaxial: &'static [Point],
    equibiaxial: &'static [Point],
}

#[rustfmt::skip]
fn laws() -> [Law; 4] {
    [
        Law {
            name: "St. Venant-Kirchhoff",
            spec: MaterialSpec::StVenantKirchhoff(isotropic(5e5, 0.33)),
            uniaxial: &[
                [0.8, 1.0577334257741882, -71999.99999999997],
                [0.9, 1.0308734160894828, -42749.999999999985],
                [1.1, 0.9647279409242794, 57750.00000000002],
                [1.5, 0.7664854858377944, 468749.9999999998],
            ],
            equibiaxial: &[
                [0.9, 1.089570639795547, -63805.97014925375],
                [1.1, 0.890580893775635, 86194.02985074636],
                [1.2, 0.7527065591444677, 197014.9253731342],
            ],
        },
        Law {
            name: "neo-Hookean",
            spec: MaterialSpec::NeoHookean(isotropic(5e5, 0.33)),
            uniaxial: &[
                [0.6, 1.1723259782062865, -317778.2578876335],
                [0.9, 1.034955313224966, -54538.95162334737],
                [1.1, 0.968711180226336, 46411.25244437781],
                [1.5, 0.8694656352648175, 187221.74299417913],
                [2.0, 0.7816366732285609, 318519.18337069434],
            ],
            equibiaxial: &[
                [0.9, 1.1035388072871277, -85170.82272111457],
                [1.2, 0.82124581664929, 119917.8115031392],
                [1.5, 0.6130148802454525, 234863.75395960573],
            ],
        },
        Law {
            name: "neo-Hookean of isochoric strain (Mooney-Rivlin with C10 = G/2)",
            spec: mooney_rivlin([7.5e4, 0.0, 0.0, 0.0, 0.0, 1e7]),
            uniaxial: &[
                [0.6, 1.2867594314994009, -325359.7733988666],
                [0.9, 1.0533011757717543, -49957.229856575956],
                [1.1, 0.9541745753768439, 40807.21248346366],
                [1.5, 0.8196703880211983, 156999.81930641786],
                [2.0, 0.713082962097862, 258941.39173967158],
            ],
            equibiaxial: &[
                [0.9, 1.2259131515052775, -116020.03852881619],
                [1.2, 0.7009313018278651, 117854.12884260708],
                [1.5, 0.45323945966255613, 201803.80222477985],
            ],
        },
        Law {
            name: "Mooney-Rivlin, two constants",
            spec: mooney_rivlin([1.5e5, 5e4, 0.0, 0.0, 0.0, 1e7]),
            uniaxial: &[
                [0.6, 1.2777330008147083, -1001063.6672733006],
                [0.9, 1.0519345123558104, -135789.0714040728],
                [1.1, 0.9552970542930441, 105451.19428969035],
                [1.5, 0.8240707609318102, 379726.7638199625],
                [2.0, 0.7204922353407653, 595181.208755403],
            ],
            equibiaxial: &[
                [0.9, 1.2131498027941217, -284128.0623683244],
                [1.2, 0.7126911333733027, 337070.2484654286],
                [1.5, 0.4724343092909026, 669433.2310852716],
            ],
        },
    ]
}

/// The cube with the faces x = 1 and, if `biaxial`, y = 1 led to `stretch`.
fn stretched(element: BeamElement, spec: MaterialSpec, stretch: f64, biaxial: bool) -> Solved {
    let mut model = tissue(grid(element, [2; 3], [1.0; 3]), spec);
    for axis in 0..3 {
        let axes = std::array::from_fn(|a| a == axis);
        let near = nodes_where(&model.fem(0).mesh, |x| close(x[axis], 0.0));
        fix(&mut model, near, axes);
        if axis == 0 || axis == 1 && biaxial {
            let nodes = nodes_where(&model.fem(0).mesh, |x| close(x[axis], 1.0));
            let displacement = vec![Vec3::repeat(stretch - 1.0)];
            model.fem_mut(0).dirichlet.push(Dirichlet {
                axes,
                displacement,
                ..Dirichlet::fix(nodes)
            });
        }
    }
    solve(model, 10)
}

/// Force on x = 1 over its area at rest [Pa], and the stretch along z.
fn response(solved: &Solved) -> [f64; 2] {
    let mesh = solved.mesh();
    let reactions = solved.reactions();
    let face = nodes_where(mesh, |x| close(x.x, 1.0));
    let force: f64 = face.iter().map(|&n| reactions[n as usize].x).sum();
    let top = nodes_where(mesh, |x| close(x.z, 1.0));
    [force, 1.0 + solved.mean_displacement(&top).z]
}

/// Force and lateral stretch at the end of a curve, with the largest errors along it.
fn rows(element: BeamElement, law: &Law, biaxial: bool) -> [Row; 2] {
    let (curve, mode) =
        if biaxial { (law.equibiaxial, "equibiaxial") } else { (law.uniaxial, "uniaxial") };
    let case = format!("{}, {mode}, {}", law.name, kind_name(element));
    let row = |metric: String, reference: f64, ours: f64| {
        Row::new(case.clone(), metric, (reference, ours), ALLOWED)
    };
    let at = |&[stretch, lateral, force]: &Point| {
        let ours = response(&stretched(element, law.spec, stretch, biaxial));
        let metric = |what| format!("{what} at stretch {stretch}; error: worst of {}", curve.len());
        [
            row(metric("force over area at rest [Pa]"), force, ours[0]),
            row(metric("stretch along z"), lateral, ours[1]),
        ]
    };
    let with_worst = |[a, b]: [Row; 2], [c, d]: [Row; 2]| {
        let (first, second) = (a.error.max(c.error), b.error.max(d.error));
        [c.with_error(first), d.with_error(second)]
    };
    curve.iter().map(at).reduce(with_worst).expect("a curve has points")
}

fn rows_of_all() -> Vec<Row> {
    let mut all = Vec::new();
    for law in laws() {
        for biaxial in [false, true] {
            all.extend(rows(BeamElement::Hex, &law, biaxial));
        }
    }
    // The field is homogeneous, so that every kind must give the same.
    for (_, element) in BeamElement::NAMES.iter().filter(|(_, e)| *e != BeamElement::Hex) {
        all.extend(rows(*element, &laws()[1], false));
    }
    all
}

pub(crate) fn groups() -> Vec<Group> {
    // Wanted by the test below and by the table, and not cheap.
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(rows_of_all);
    vec![Group {
        title: "Stretch of a cube",
        text: "FEM-HOM-uniaxial-biaxial: 2 x 2 x 2 cells on three planes of symmetry, the stretch \
               prescribed on one or two faces in 10 increments, the other faces free. E = 500 kPa, nu = 0.33; \
               G = 150 kPa, kappa = 10 MPa; C10 = 150 kPa, C01 = 50 kPa, kappa = 10 MPa.",
        rows: ROWS.clone(),
    }]
}

#[test]
fn a_stretched_cube_answers_with_the_published_force_and_lateral_stretch() {
    groups().iter().for_each(Group::check);
}
