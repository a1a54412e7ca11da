//! The tables of `datasets/body` as rows. Columns, units and sources stand at the head of each file.

use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::BodyError;

/// A segment of `segments.csv`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SegmentRow {
    /// Name without a side.
    pub segment: String,
    /// `mid` for one in the middle, `pair` for a left and a right one.
    pub sides: String,
    /// Direction from the proximal to the distal end: `z`, `-z` or `x`.
    pub along: String,
    /// Length over stature of men [-].
    pub length_male: f64,
    /// Length over stature of women [-].
    pub length_female: f64,
    /// Scale of attachments and bones over stature of men [-].
    pub scale_male: f64,
    /// The same of women [-].
    pub scale_female: f64,
    /// Constant of the regression of the mass [kg].
    pub b0: f64,
    /// Its factor of the mass of the body [-].
    pub b1: f64,
    /// Its factor of the stature [kg/cm].
    pub b2: f64,
    /// Key of its source.
    pub source: String,
}

/// Inertia of a segment of `inertia.csv`, in percent.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct InertiaRow {
    /// Name of the segment.
    pub segment: String,
    /// `male` or `female`.
    pub sex: String,
    /// Mass over that of the body [%].
    pub mass: f64,
    /// Centre of mass from the proximal end along the segment, over its length [%].
    pub com: f64,
    /// Centre of mass forward of the axis (of a foot: above it), over the length [%].
    pub com_across: f64,
    /// Radius of gyration about the sagittal axis over the length [%].
    pub sagittal: f64,
    /// About the transverse axis [%].
    pub transverse: f64,
    /// About the longitudinal axis [%].
    pub longitudinal: f64,
    /// Key of its source.
    pub source: String,
}

/// A joint of `joints.csv`, on the left or in the middle.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct JointRow {
    /// Name without a side.
    pub joint: String,
    /// Segment that it is placed on.
    pub parent: String,
    /// Segment whose origin it is.
    pub child: String,
    /// `at` its place, or at the far `end` of the parent, moved by the place.
    pub place: String,
    /// Place over the scale of the parent [-].
    pub x: f64,
    /// See `x`.
    pub y: f64,
    /// See `x`.
    pub z: f64,
    /// Kind of joint.
    pub kind: String,
    /// Axes and signs: `limb`, `knee` or `trunk`.
    pub sense: String,
    /// Ranges `low:high` of its coordinates \[degrees\], separated by blanks.
    pub ranges: String,
    /// Key of the source of the ranges.
    pub source: String,
}

/// Architecture of a muscle of `muscles.csv`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct MuscleRow {
    /// Name without a side.
    pub name: String,
    /// Region.
    pub group: String,
    /// Physiological cross-sectional area \[cm²\].
    pub pcsa: Option<f64>,
    /// Force a cross-section [N/cm²].
    pub specific_tension: Option<f64>,
    /// Maximum isometric force [N], where there is no area.
    pub force: Option<f64>,
    /// Optimal length of the fibre [m].
    pub fibre_length: Option<f64>,
    /// The same over the length of the path [-], where there is no length.
    pub fibre_ratio: Option<f64>,
    /// Pennation at the optimal length \[degrees\].
    pub pennation: f64,
    /// Length of the fibre over the optimal one in the neutral pose [-].
    pub neutral: f64,
    /// Key of its source.
    pub source: String,
}

/// A point of a path of `paths.csv`, on the left.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PathRow {
    /// Name of the muscle.
    pub muscle: String,
    /// Name of the segment.
    pub segment: String,
    /// Place over the scale of the segment [-].
    pub x: f64,
    /// See `x`.
    pub y: f64,
    /// See `x`.
    pub z: f64,
    /// Surface that the path may touch.
    pub over: Option<String>,
}

/// A cylinder across the body of `wraps.csv`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct WrapRow {
    /// Name.
    pub surface: String,
    /// Segment that it is on.
    pub segment: String,
    /// Centre over the scale of the segment [-].
    pub x: f64,
    /// See `x`.
    pub y: f64,
    /// See `x`.
    pub z: f64,
    /// Radius over the scale [-].
    pub radius: f64,
    /// Key of its source.
    pub source: String,
}

/// A section of a bone of `bones.csv`, on the left or in the middle.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct BoneSection {
    /// Name of the bone.
    pub bone: String,
    /// Name of the segment.
    pub segment: String,
    /// Number of its part of the bone.
    pub part: u32,
    /// Centre over the scale of the segment [-].
    pub x: f64,
    /// See `x`.
    pub y: f64,
    /// See `x`.
    pub z: f64,
    /// Half width towards the side over the scale [-].
    pub across: f64,
    /// Half width across that and the tube over the scale [-].
    pub deep: f64,
}

/// All tables.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Segments.
    pub segments: Vec<SegmentRow>,
    /// Inertias.
    pub inertias: Vec<InertiaRow>,
    /// Joints.
    pub joints: Vec<JointRow>,
    /// Muscles.
    pub muscles: Vec<MuscleRow>,
    /// Points of paths, those of a muscle in order.
    pub paths: Vec<PathRow>,
    /// Surfaces that paths wrap over.
    pub wraps: Vec<WrapRow>,
    /// Sections of bones, those of a part in order.
    pub bones: Vec<BoneSection>,
}

/// The tables, read once.
///
/// # Errors
/// [`BodyError::Table`] with the line that cannot be read.
pub fn tables() -> Result<&'static Tables, BodyError> {
    static TABLES: LazyLock<Result<Tables, BodyError>> = LazyLock::new(read_all);
    TABLES.as_ref().map_err(Clone::clone)
}

fn read_all() -> Result<Tables, BodyError> {
    Ok(Tables {
        segments: rows("segments", include_str!("../../body/segments.csv"))?,
        inertias: rows("inertia", include_str!("../../body/inertia.csv"))?,
        joints: rows("joints", include_str!("../../body/joints.csv"))?,
        muscles: rows("muscles", include_str!("../../body/muscles.csv"))?,
        paths: rows("paths", include_str!("../../body/paths.csv"))?,
        wraps: rows("wraps", include_str!("../../body/wraps.csv"))?,
        bones: rows("bones", include_str!("../../body/bones.csv"))?,
    })
}

/// Rows of a table; lines that begin with `#` are remarks.
fn rows<T: DeserializeOwned>(table: &'static str, text: &str) -> Result<Vec<T>, BodyError> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let read: Result<Vec<T>, csv::Error> = reader.deserialize().collect();
    read.map_err(|error| BodyError::Table { table, why: error.to_string() })
}
