//! The muscles of the jaw and the hyoid bone as point-to-point actuators: attachments, Peck's maximum
//! forces, lengths, tendon ratios (keys Hannam2008, Peck2000, vanEijden1997, Buchaillard2009).

use super::Body;

/// Millimetres, in which the table of this file is written, to metres.
const MM: f64 = 1e-3;

/// Passive force at the maximal length over the maximum force, for all muscles (key Hannam2008).
pub const PASSIVE_FRACTION: f64 = 0.015;

/// Side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Positive y.
    Left,
    /// Negative y.
    Right,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The prefix of names: `l` or `r`.
    pub const fn prefix(self) -> char {
        match self {
            Self::Left => 'l',
            Self::Right => 'r',
        }
    }

    /// `left` or `right`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// The point of the left on this side.
    pub const fn of(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Left => [x, y, z],
            Self::Right => [x, -y, z],
        }
    }
}

/// Actions of muscles, as the excitations and panels group them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MuscleGroup {
    /// Temporalis.
    Temporalis,
    /// Masseter.
    Masseter,
    /// Medial pterygoid.
    MedialPterygoid,
    /// Inferior head of the lateral pterygoid: pulls the condyle forward.
    LateralPterygoid,
    /// Superior head of the lateral pterygoid: works with the closers.
    SuperiorPterygoid,
    /// Anterior digastric, mylohyoid, geniohyoid: from the mandible to the hyoid bone.
    FloorOfMouth,
    /// Posterior digastric, stylohyoid: from the skull to the hyoid bone.
    HyoidRetractor,
    /// Thyrohyoid, sternohyoid, omohyoid: below the hyoid bone.
    Infrahyoid,
}

impl MuscleGroup {
    /// Every group.
    pub const ALL: [Self; 8] = [
        Self::Temporalis,
        Self::Masseter,
        Self::MedialPterygoid,
        Self::LateralPterygoid,
        Self::SuperiorPterygoid,
        Self::FloorOfMouth,
        Self::HyoidRetractor,
        Self::Infrahyoid,
    ];

    /// Name in models, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Temporalis => "temporalis",
            Self::Masseter => "masseter",
            Self::MedialPterygoid => "medial_pterygoid",
            Self::LateralPterygoid => "lateral_pterygoid",
            Self::SuperiorPterygoid => "superior_pterygoid",
            Self::FloorOfMouth => "floor_of_mouth",
            Self::HyoidRetractor => "hyoid_retractors",
            Self::Infrahyoid => "infrahyoid",
        }
    }

    /// True if the group closes the jaw.
    pub const fn closes(self) -> bool {
        matches!(self, Self::Temporalis | Self::Masseter | Self::MedialPterygoid)
    }
}

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// The body.
    pub body: Body,
    /// Position in the frame of docs/theory/anatomy.md at rest [m].
    pub point: [f64; 3],
}

/// Source of the lengths of a muscle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LengthRule {
    /// Lengths of the publication [m].
    Published {
        /// Optimal length [m].
        optimal: f64,
        /// Length at which the passive force is full [m].
        maximal: f64,
    },
    /// The length at rest is optimal; the maximal one is longer by a factor.
    FromRest {
        /// Maximal over optimal length [-].
        maximal_ratio: f64,
    },
}

/// One muscle.
#[derive(Clone, Debug, PartialEq)]
pub struct MuscleRecord {
    /// Side and short name, as in the published model: `lat`, `rat`, ...
    pub name: String,
    /// Anatomical name, without the side.
    pub title: &'static str,
    /// Side.
    pub side: Side,
    /// Short name without the side.
    pub code: &'static str,
    /// Group.
    pub group: MuscleGroup,
    /// End on the more fixed body.
    pub origin: Attachment,
    /// End on the body that it moves.
    pub insertion: Attachment,
    /// Largest active force [N].
    pub max_force: f64,
    /// Rule of the lengths.
    pub lengths: LengthRule,
    /// Tendon length over muscle length at the optimal length [-].
    pub tendon_ratio: f64,
    /// Passive force at the maximal length over `max_force` [-].
    pub passive_fraction: f64,
    /// Damping [N s/m].
    pub damping: f64,
    /// Source of the numbers.
    pub source: &'static str,
}

impl MuscleRecord {
    /// Distance of the ends at rest [m].
    pub fn rest_length(&self) -> f64 {
        let square = |axis: usize| {
            let d = self.insertion.point[axis] - self.origin.point[axis];
            d * d
        };
        (square(0) + square(1) + square(2)).sqrt()
    }

    /// Optimal length [m].
    pub fn optimal_length(&self) -> f64 {
        match self.lengths {
            LengthRule::Published { optimal, .. } => optimal,
            LengthRule::FromRest { .. } => self.rest_length(),
        }
    }

    /// Length at which the passive force is full [m].
    pub fn maximal_length(&self) -> f64 {
        match self.lengths {
            LengthRule::Published { maximal, .. } => maximal,
            LengthRule::FromRest { maximal_ratio } => maximal_ratio * self.rest_length(),
        }
    }
}

const HANNAM_PECK: &str = "points and lengths: Hannam2008 as published with ArtiSynth Models; \
    force: cross-section and 40 N/cm2 of Peck2000";
const HANNAM_VAN_EIJDEN: &str = "points: Hannam2008 as published with ArtiSynth Models; \
    force: cross-section of vanEijden1997 at 40 N/cm2; length at rest";
const HANNAM_BUCHAILLARD: &str = "points: Hannam2008 as published with ArtiSynth Models; \
    force: cross-section of Buchaillard2009 at 40 N/cm2; length at rest";
const HANNAM: &str = "Hannam2008 as published with ArtiSynth Models; length at rest";

/// A row of the left side [mm, N].
struct Row(
    &'static str,
    &'static str,
    MuscleGroup,
    (Body, [f64; 3]),
    (Body, [f64; 3]),
    f64,
    LengthRule,
    f64,
    &'static str,
);

/// Optimal and maximal length of the publication [mm].
const fn published(optimal: f64, maximal: f64) -> LengthRule {
    LengthRule::Published { optimal: optimal * MM, maximal: maximal * MM }
}

/// The published model starts the other muscles with 35.1 mm and 45.1 mm and scales both to the
/// length at rest.
const FROM_REST: LengthRule = LengthRule::FromRest { maximal_ratio: 45.1 / 35.1 };

use Body::{Cranium, Hyoid, Mandible, Maxilla, Sternum, Thyroid};
use MuscleGroup::{
    FloorOfMouth, HyoidRetractor, Infrahyoid, LateralPterygoid, Masseter, MedialPterygoid,
    SuperiorPterygoid, Temporalis,
};

/// Short name, name, group, origin, insertion, force, lengths, tendon ratio, source.
#[rustfmt::skip]
const ROWS: [Row; 17] = [
    Row("at", "Anterior Temporal", Temporalis, (Cranium, [6.0, 58.0, 138.0]), (Mandible, [-11.0, 38.0, 52.0]), 158.0, published(75.54, 95.92), 0.50, HANNAM_PECK),
    Row("mt", "Middle Temporal", Temporalis, (Cranium, [-36.0, 74.0, 143.0]), (Mandible, [-3.0, 47.0, 74.0]), 95.6, published(65.81, 93.36), 0.48, HANNAM_PECK),
    Row("pt", "Posterior Temporal", Temporalis, (Cranium, [-53.0, 73.0, 103.0]), (Mandible, [-3.0, 47.0, 74.0]), 75.6, published(77.11, 101.08), 0.51, HANNAM_PECK),
    Row("sm", "Superficial Masseter", Masseter, (Maxilla, [1.0, 57.0, 68.0]), (Mandible, [-21.0, 47.0, 25.0]), 190.4, published(51.46, 66.88), 0.46, HANNAM_PECK),
    Row("dm", "Deep Masseter", Masseter, (Maxilla, [-13.0, 62.0, 76.0]), (Mandible, [-20.0, 47.0, 49.0]), 81.6, published(29.07, 44.85), 0.29, HANNAM_PECK),
    Row("mp", "Medial Pterygoid", MedialPterygoid, (Maxilla, [-14.0, 22.0, 70.0]), (Mandible, [-25.0, 43.0, 25.0]), 174.8, published(40.51, 50.63), 0.64, HANNAM_PECK),
    Row("ip", "Inferior Lateral Pterygoid", LateralPterygoid, (Maxilla, [-14.0, 23.0, 74.0]), (Mandible, [-34.0, 49.0, 72.0]), 66.9, published(31.5, 41.5), 0.0, HANNAM_PECK),
    Row("sp", "Superior Lateral Pterygoid", SuperiorPterygoid, (Cranium, [-16.0, 44.0, 84.0]), (Mandible, [-34.0, 48.0, 74.0]), 28.7, published(27.7, 37.7), 0.0, HANNAM_PECK),
    Row("ad", "Anterior Digastric", FloorOfMouth, (Mandible, [32.0, 8.0, 6.0]), (Hyoid, [-7.0, 15.0, 2.0]), 40.0, FROM_REST, 0.0, HANNAM_VAN_EIJDEN),
    Row("pd", "Posterior Digastric", HyoidRetractor, (Cranium, [-54.0, 51.0, 66.0]), (Hyoid, [-7.0, 15.0, 2.0]), 40.0, FROM_REST, 0.0, HANNAM_VAN_EIJDEN),
    Row("am", "Anterior Mylohyoid", FloorOfMouth, (Mandible, [15.0, 22.0, 11.0]), (Hyoid, [-2.0, 1.0, 0.0]), 35.4, FROM_REST, 0.0, HANNAM_BUCHAILLARD),
    Row("pm", "Posterior Mylohyoid", FloorOfMouth, (Mandible, [-4.0, 28.0, 26.0]), (Hyoid, [-3.0, 8.0, 0.0]), 35.4, FROM_REST, 0.0, HANNAM_BUCHAILLARD),
    Row("gh", "Geniohyoid", FloorOfMouth, (Mandible, [30.0, 2.0, 9.0]), (Hyoid, [-5.0, 1.0, 1.0]), 32.0, FROM_REST, 0.0, HANNAM_BUCHAILLARD),
    Row("sh", "Stylohyoid", HyoidRetractor, (Cranium, [-46.0, 40.0, 59.0]), (Hyoid, [-7.0, 15.0, 3.0]), 15.6, FROM_REST, 0.0, HANNAM_VAN_EIJDEN),
    Row("th", "Thyrohyoid", Infrahyoid, (Thyroid, [-20.0, 17.0, -18.0]), (Hyoid, [-8.0, 18.0, -3.0]), 20.0, FROM_REST, 0.5, HANNAM),
    Row("steh", "Sternohyoid", Infrahyoid, (Sternum, [-7.0, 9.0, -93.0]), (Hyoid, [0.0, 3.0, -8.0]), 50.0, FROM_REST, 0.5, HANNAM),
    Row("oh", "Omohyoid", Infrahyoid, (Sternum, [-14.0, 13.0, -54.0]), (Hyoid, [-2.0, 9.0, -8.0]), 50.0, FROM_REST, 0.5, HANNAM),
];

impl Row {
    fn on(&self, side: Side) -> MuscleRecord {
        let Row(code, title, group, origin, insertion, max_force, lengths, tendon_ratio, source) =
            *self;
        let end = |(body, point): (Body, [f64; 3])| Attachment {
            body,
            point: side.of(point.map(|x| x * MM)),
        };
        MuscleRecord {
            name: format!("{}{code}", side.prefix()),
            title,
            side,
            code,
            group,
            origin: end(origin),
            insertion: end(insertion),
            max_force,
            lengths,
            tendon_ratio,
            passive_fraction: PASSIVE_FRACTION,
            damping: 0.0,
            source,
        }
    }
}

/// All 34 muscles, the left side first.
pub fn muscles() -> Vec<MuscleRecord> {
    Side::BOTH.iter().flat_map(|&side| ROWS.iter().map(move |row| row.on(side))).collect()
}
