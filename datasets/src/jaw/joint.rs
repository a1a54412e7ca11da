//! The temporomandibular joint and the bite of the published model: points of the mandible and planes
//! of the skull that guide or stop them, masses and damping (key Hannam2008).

use super::Body;
use super::muscles::Side;

/// Centre of the left condyle, which the fossa guides [m].
pub const CONDYLE: [f64; 3] = [-34e-3, 52e-3, 74e-3];
/// Left point of the lower teeth that meets the bite plane [m].
pub const BITE: [f64; 3] = [17e-3, 25e-3, 41e-3];

/// Cosine and sine of the inclination of the fossa, 40 degrees.
const FOSSA: [f64; 2] = [0.766_044_443_118_978, 0.642_787_609_686_539_4];
/// Cosine and sine of the inclination of the bite planes, 10 degrees.
const OCCLUSAL: [f64; 2] = [0.984_807_753_012_208_1, 0.173_648_177_666_930_33];
/// Cosine and sine of the turn of the side walls, 1 degree.
const WALL: [f64; 2] = [0.999_847_695_156_391_3, 0.017_452_406_437_283_51];
/// Play before the lateral walls [m].
const LATERAL_PLAY: f64 = 0.1e-3;

/// Kind of constraint of a point to a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaneKind {
    /// The point stays in the plane.
    Guide,
    /// The point stays on the side that the normal shows to.
    Stop,
}

/// A plane of the skull for a point of the mandible.
#[derive(Clone, Debug, PartialEq)]
pub struct GuidePlane {
    /// Name in the published model, with the side: `ltmj`, `lbite`, `lpost`, `lltrl`, `lmed`, ...
    pub name: String,
    /// Kind of constraint.
    pub kind: PlaneKind,
    /// The body of the contact point.
    pub body: Body,
    /// The contact point at rest [m].
    pub contact: [f64; 3],
    /// A point of the plane [m].
    pub point: [f64; 3],
    /// Unit normal towards the allowed side.
    pub normal: [f64; 3],
    /// True if the published model uses it unless told otherwise.
    pub enabled: bool,
}

/// The five planes of each side: fossa (descending 40 degrees forward), bite (10 degrees), posterior,
/// lateral and medial wall. The walls stand upright on the fossa plane; the side walls turn 1 degree,
/// so that they lead forward and inward.
pub fn guide_planes() -> Vec<GuidePlane> {
    Side::BOTH.iter().flat_map(|&side| planes_of(side)).collect()
}

fn planes_of(side: Side) -> [GuidePlane; 5] {
    let [c, s] = FOSSA;
    // Forward and down along the fossa, and away from it.
    let (along, away) = ([c, 0.0, -s], [-s, 0.0, -c]);
    let [cw, sw] = WALL;
    let inward = [sw * along[0], -cw, sw * along[2]];
    let outward = inward.map(|x| -x);
    let lateral = [CONDYLE[0], CONDYLE[1] + LATERAL_PLAY, CONDYLE[2]];
    let bite = [-OCCLUSAL[1], 0.0, -OCCLUSAL[0]];
    let plane = |name: &str, kind, contact, point, normal, enabled| GuidePlane {
        name: format!("{}{name}", side.prefix()),
        kind,
        body: Body::Mandible,
        contact: side.of(contact),
        point: side.of(point),
        normal: side.of(normal),
        enabled,
    };
    [
        plane("tmj", PlaneKind::Guide, CONDYLE, CONDYLE, away, true),
        plane("bite", PlaneKind::Stop, BITE, BITE, bite, true),
        plane("post", PlaneKind::Stop, CONDYLE, CONDYLE, along, true),
        plane("ltrl", PlaneKind::Stop, CONDYLE, lateral, inward, true),
        plane("med", PlaneKind::Stop, CONDYLE, CONDYLE, outward, false),
    ]
}

/// Surface of the skull along which the condyles slide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fossa {
    /// The `tmj` planes, as the published model has them by default.
    Planes,
    /// The rear slope and the crest of the articular eminence, [`fossa_path`].
    #[default]
    Curved,
}

/// Depth of the place under the crest of the eminence below that at rest [m] (key Hannam2008).
const EMINENCE_DROP: f64 = 5e-3;
/// Radius of the way of the condyle's centre round the crest [m]: half of a condyle's extent along (4.5 mm, key CondyleCBCT2021), a disc
/// of 1 mm and a crest of 4.5 mm, which brings the crest as far forward as published (key Nam2019).
const EMINENCE_RADIUS: f64 = 10e-3;
/// Distance that a condyle can go forward [m], where capsule and ligaments end the way: that of mouths opened widest (key Muto1996).
pub const CAPSULE: f64 = 18e-3;

/// The curved fossa, which takes the place of the `tmj` planes: height over the start [m] and slope (dz/dx) of the path of a
/// condyle `forward` of its place at rest [m].
///
/// Straight down the plane, round the crest of the eminence, level before that.
pub fn fossa_path(forward: f64) -> [f64; 2] {
    let [c, s] = FOSSA;
    let steep = (EMINENCE_DROP - EMINENCE_RADIUS * (1.0 - c)) * c / s;
    if forward <= steep {
        return [-forward * s / c, -s / c];
    }
    let crest = steep + EMINENCE_RADIUS * s;
    let behind = (crest - forward).max(0.0);
    let below = (EMINENCE_RADIUS * EMINENCE_RADIUS - behind * behind).sqrt();
    [EMINENCE_RADIUS - EMINENCE_DROP - below, -behind / below]
}

/// Mass and damping of a moving bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyDynamics {
    /// Body.
    pub body: Body,
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass [m].
    pub center: [f64; 3],
    /// Inertia about the centre of mass, in the order xx, yy, zz, xy, yz, xz [kg m²].
    pub inertia: [f64; 6],
    /// Force against the velocity of the centre of mass [N s/m].
    pub damping: f64,
    /// Torque against the angular velocity [N m s].
    pub rotary_damping: f64,
}

/// kg mm² to kg m².
const KG_MM2: f64 = 1e-6;
/// N s/mm to N s/m.
const PER_MM: f64 = 1e3;
/// N mm s to N m s.
const N_MM_S: f64 = 1e-3;

/// The mandible with its soft tissue: 0.2 kg. The published xy = -1.122 and yz = 1.345 kg mm² are left
/// out, because they are zero for a body that is its own mirror image. The published model multiplies
/// its damping, 0.403 and 1089, by the 1000 mN a newton has: 0.403 N s/mm and 1089 N mm s. Its inertia
/// is less than that of 0.2 kg in the surface (docs/theory/anatomy.md).
pub const MANDIBLE_DYNAMICS: BodyDynamics = BodyDynamics {
    body: Body::Mandible,
    mass: 0.2,
    center: [6.5e-3, 0.0, 30.1e-3],
    inertia: [92.19 * KG_MM2, 182.2 * KG_MM2, 125.2 * KG_MM2, 0.0, 0.0, -10.7 * KG_MM2],
    damping: 0.403 * PER_MM,
    rotary_damping: 1089.0 * N_MM_S,
};

/// The hyoid bone: mass and damping (0.05 N s/mm, 10 N mm s) of the published model. Its inertia there
/// breaks the triangle inequality (7.43 > 2.15 + 1.61 kg mm²), so here stands that of 0.01 kg spread
/// evenly over the surface's solid.
pub const HYOID_DYNAMICS: BodyDynamics = BodyDynamics {
    body: Body::Hyoid,
    mass: 0.01,
    center: [-10.5e-3, 0.0, -0.7e-3],
    inertia: [2.25 * KG_MM2, 0.99 * KG_MM2, 2.84 * KG_MM2, 0.0, 0.0, 0.35 * KG_MM2],
    damping: 0.05 * PER_MM,
    rotary_damping: 10.0 * N_MM_S,
};
