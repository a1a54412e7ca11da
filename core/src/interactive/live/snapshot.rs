//! Snapshots of a world that runs: all that a window draws and lists.

use std::sync::Arc;

use crate::interactive::{GrayImage, PartId, PartList};

/// State of the run of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldStatus {
    /// Simulated time \[s\].
    pub time: f64,
    /// Length of a step \[s\].
    pub step: f64,
    /// Simulated time over that of the wall that is asked for.
    pub speed: f64,
    /// The same as it was of late; 0 while the run halts.
    pub real_time_factor: f64,
    /// True while it runs.
    pub is_playing: bool,
    /// Kinetic energy \[J\].
    pub kinetic_energy: f64,
    /// True if there is an edit to be undone, and one to be done again.
    pub can_undo: [bool; 2],
}

impl Default for WorldStatus {
    fn default() -> Self {
        let (time, real_time_factor, kinetic_energy) = (0.0, 0.0, 0.0);
        let (is_playing, can_undo) = (false, [false; 2]);
        // A third of a frame: most worlds are stable and quick enough.
        let (step, speed) = (0.005, 1.0);
        Self { time, step, speed, real_time_factor, is_playing, kinetic_energy, can_undo }
    }
}

/// A point of an object where it is now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ObjectPoint {
    /// Its place \[m\].
    pub place: [f64; 3],
    /// Its coordinates in the object; s of a curve.
    pub coordinates: [f64; 3],
}

/// Outline of an object, by whose points it can be pulled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectOutline {
    /// Name of the object.
    pub object: String,
    /// True if it lies in the plane x, y.
    pub is_planar: bool,
    /// True if the points of the area within its first line move with it.
    pub is_filled: bool,
    /// Lines; a particle has one of a single point.
    pub lines: Vec<Vec<ObjectPoint>>,
}

/// Kind of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A point of an object.
    Point,
    /// A direction of an object: from a point to another.
    Direction,
    /// A distance, area or volume by its corners.
    Measure,
    /// A path of keyframes.
    Path,
    /// A nail: its place, and the point that it holds.
    Nail,
    /// A joint of two points.
    Joint,
    /// A point that follows a path: the point.
    Guide,
    /// A spring between two points.
    Spring,
    /// A spring from a point to a place.
    Pull,
    /// A motor, at the object that it turns.
    Motor,
    /// A force: from its point along it.
    Force,
    /// Three points that bending keeps in a row.
    Bending,
}

/// Mark of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Its kind.
    pub kind: MarkKind,
    /// The part.
    pub part: PartId,
    /// Its points \[m\].
    pub points: Vec<[f64; 3]>,
}

/// An image below a world.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownImage {
    /// Its name.
    pub name: String,
    /// The images of the sequence.
    pub frames: Arc<Vec<GrayImage>>,
    /// Time from one to the next \[s\].
    pub period: f64,
}

/// An output of a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutputRow {
    /// Its name in formulas.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// True if a slider sets it; it pulls on others.
    pub is_set: bool,
    /// The value that it is pulled to.
    pub target: Option<f64>,
}

/// A formula that was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The formula.
    pub text: String,
    /// The reason, with its place.
    pub reason: String,
}

/// An object or block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockRow {
    /// Its name.
    pub name: String,
    /// List that it stands in.
    pub list: PartList,
    /// Its kind, as in files.
    pub kind: &'static str,
    /// Its formula, where it has one that can be edited.
    pub formula: Option<String>,
    /// The formula that was refused last.
    pub refusal: Option<Refusal>,
    /// Its outputs.
    pub outputs: Vec<OutputRow>,
}

/// A constraint, behaviour or image, or the settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConstraintRow {
    /// Its name.
    pub name: String,
    /// List that it stands in.
    pub list: PartList,
    /// Its kind, as in files.
    pub kind: &'static str,
    /// Largest multiplier of its rows; `None` of others.
    pub multiplier: Option<f64>,
}

/// A part as it stands in files, but for the state of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartText {
    /// The part.
    pub part: PartId,
    /// Its text.
    pub text: String,
}

/// All that is shown of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldSnapshot {
    /// Number of the world that was opened; 0 where there is none.
    pub world: u64,
    /// State of the run.
    pub status: WorldStatus,
    /// Gravity \[m/s²\].
    pub gravity: [f64; 3],
    /// Outlines of objects.
    pub outlines: Vec<ObjectOutline>,
    /// Marks of the other parts.
    pub marks: Vec<Mark>,
    /// Images.
    pub images: Arc<Vec<ShownImage>>,
    /// Objects and blocks.
    pub blocks: Vec<BlockRow>,
    /// Constraints, behaviours and images, then the settings.
    pub constraints: Vec<ConstraintRow>,
    /// The part whose text was asked for.
    pub shown: Option<PartText>,
    /// The pull of the mouse: from the point to the place \[m\].
    pub drag: Option<[[f64; 3]; 2]>,
}
