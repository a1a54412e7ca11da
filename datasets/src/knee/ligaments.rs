//! Ligaments of the knee and the tendon of the patella: bundles as lines with slack lengths from their strain when the leg is
//! straight (key Blankevoort1991). Places in the frame of shape.rs; ends go to the nearest point of the bone.

use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::passive::Blankevoort1991;
use sinew::component::{ComponentType, Handle};
use sinew::model::{FrameMarker, Model, MultiPointSpring, PointRef, RigidBody};

use super::shape;
use crate::bones::MM;
use crate::bones::sdf::Point;

/// Strain where the quadratic toe ends [-]: twice the 0.03 of the source, whose toe is F = k e² / (4 · 0.03).
const TOE: f64 = 0.06;
/// Damping of a bundle [N s].
const DAMPING: f64 = 20.0;
/// Stiffness of each of the strands of the patellar tendon [N]: 3500 N/mm in all at 53 mm.
const TENDON_STIFFNESS: f64 = 6.2e4;
/// Length of the patellar tendon without force [mm].
pub(super) const TENDON_LENGTH: f64 = 53.0;
/// Strands of the patellar tendon: on the patella, in its frame, and on the tuberosity [mm].
const STRANDS: [(&str, Point, Point); 3] = [
    ("patellar_tendon_lateral", [1.0, 8.0, -22.0], [32.0, 8.0, -49.0]),
    ("patellar_tendon", [1.0, 0.0, -23.0], [32.5, 2.0, -50.0]),
    ("patellar_tendon_medial", [1.0, -8.0, -22.0], [32.0, -4.0, -49.0]),
];
/// The strand in the middle.
pub(super) const MIDDLE_STRAND: [Point; 2] = [STRANDS[1].1, STRANDS[1].2];

/// A bundle of fibres.
struct Bundle {
    name: &'static str,
    /// On the femur, and on the tibia, the last one last [mm].
    femur: Point,
    tibia: &'static [Point],
    /// Force by strain [N].
    stiffness: f64,
    /// Strain of the straight leg [-].
    strain: f64,
}

const fn bundle(
    name: &'static str,
    femur: Point,
    tibia: &'static [Point],
    [stiffness, strain]: [f64; 2],
) -> Bundle {
    Bundle { name, femur, tibia, stiffness, strain }
}

/// Cruciate and collateral ligaments, the deep part of the medial one, and the rear of the capsule.
const BUNDLES: [Bundle; 14] = [
    bundle("acl_anterior", [-7.0, 9.0, 5.0], &[[10.0, 0.0, -20.0]], [5000.0, 0.06]),
    bundle("acl_posterior", [-5.0, 9.5, -2.0], &[[4.0, 2.0, -20.0]], [5000.0, 0.10]),
    bundle("pcl_anterior", [8.0, -8.0, -6.0], &[[-25.0, 1.0, -29.0]], [9000.0, -0.16]),
    bundle("pcl_posterior", [-3.0, -9.0, 2.0], &[[-25.0, -3.0, -30.0]], [9000.0, -0.03]),
    bundle("lcl_anterior", [2.0, 43.0, 4.0], &[[-13.0, 37.0, -41.0]], [2000.0, -0.25]),
    bundle("lcl_superior", [-1.0, 43.0, 3.0], &[[-16.0, 37.0, -42.0]], [2000.0, -0.05]),
    bundle("lcl_posterior", [-4.0, 43.0, 2.0], &[[-19.0, 37.0, -43.0]], [2000.0, 0.08]),
    bundle(
        "mcl_anterior",
        [4.0, -43.0, 5.0],
        &[[7.0, -40.0, -29.0], [13.0, -17.0, -84.0]],
        [2750.0, 0.04],
    ),
    bundle(
        "mcl_inferior",
        [0.0, -43.0, 2.0],
        &[[1.0, -40.5, -29.0], [9.0, -17.0, -90.0]],
        [2750.0, 0.04],
    ),
    bundle(
        "mcl_posterior",
        [-4.0, -43.0, 5.0],
        &[[-6.0, -40.0, -29.0], [5.0, -18.0, -88.0]],
        [2750.0, 0.03],
    ),
    bundle("deep_mcl_anterior", [1.0, -42.5, -1.0], &[[8.0, -38.0, -31.0]], [1000.0, -0.18]),
    bundle("deep_mcl_posterior", [-2.0, -42.5, -1.0], &[[-9.0, -38.0, -31.0]], [1000.0, -0.04]),
    bundle("capsule_medial", [-16.0, -26.0, 18.0], &[[-26.0, -22.0, -31.0]], [1000.0, 0.08]),
    bundle("capsule_lateral", [-16.0, 26.0, 18.0], &[[-24.0, 20.0, -31.0]], [1000.0, 0.06]),
];

/// Femur, tibia and patella.
#[derive(Clone, Copy)]
pub(super) struct Bodies {
    pub(super) femur: Handle<RigidBody>,
    pub(super) tibia: Handle<RigidBody>,
    pub(super) patella: Handle<RigidBody>,
}

/// A point of a body, in the frame of the body [mm].
pub(super) fn mark(
    model: &mut Model,
    body: Handle<RigidBody>,
    at: Point,
    name: String,
) -> PointRef {
    PointRef::from(model.add(FrameMarker::new(body, Vec3::from(at) * MM).named(name)))
}

/// Adds all bundles and the patellar tendon.
pub(super) fn add(model: &mut Model, bodies: Bodies) {
    let [femur, tibia, patella] = [shape::femur(), shape::tibia(), shape::patella(0.0)];
    for bundle in &BUNDLES {
        let origin = femur.nearest(bundle.femur);
        let mut places = vec![origin];
        let mut points = vec![mark(model, bodies.femur, origin, format!("{}_femur", bundle.name))];
        for (k, &at) in bundle.tibia.iter().enumerate() {
            let at = tibia.nearest(at);
            places.push(at);
            points.push(mark(model, bodies.tibia, at, format!("{}_tibia_{}", bundle.name, k + 1)));
        }
        let slack = length(&places) / (1.0 + bundle.strain);
        model.add(line(points, bundle.stiffness, slack).named(bundle.name));
    }
    for (name, apex, tuberosity) in STRANDS {
        let points = vec![
            mark(model, bodies.patella, patella.nearest(apex), format!("{name}_patella")),
            mark(model, bodies.tibia, tibia.nearest(tuberosity), format!("{name}_tibia")),
        ];
        model.add(line(points, TENDON_STIFFNESS, TENDON_LENGTH).named(name));
    }
}

/// A line that pulls where it is longer than its slack length [mm].
fn line(points: Vec<PointRef>, linear_stiffness: f64, slack: f64) -> MultiPointSpring {
    let law = Blankevoort1991 {
        linear_stiffness,
        transition_strain: TOE,
        damping: DAMPING,
        slack_length: slack * MM,
    };
    MultiPointSpring::new(points, AxialLaw::Blankevoort1991(law))
}

/// Length of a line through points [mm].
fn length(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| (Vec3::from(pair[1]) - Vec3::from(pair[0])).norm()).sum()
}
