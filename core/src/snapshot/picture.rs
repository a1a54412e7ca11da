//! Positions of all items at one moment.

use std::sync::Arc;

use super::{Field, Scene, Sheet};

/// Picture of a model in motion. All arrays keep their allocations from one capture to the next.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The scene: all that does not move.
    pub scene: Arc<Scene>,
    /// Number of the model in its session: another one when another was opened.
    pub model: u64,
    /// Rises with every capture.
    pub serial: u64,
    /// Simulated time [s].
    pub time: f64,
    /// Steps that led here.
    pub steps: u64,
    /// Every row of the state as a point, relative to the origin of the scene [m], then the points of lines over
    /// surfaces. Rows of orientations hold nothing of use; no shape refers to them.
    pub points: Vec<[f32; 3]>,
    /// Frames of bodies, joints and surfaces that are only drawn.
    pub frames: Vec<Frame>,
    /// Excitation [-] and tension [N] of each line; of fibres the excitation alone.
    pub lines: Vec<[f32; 2]>,
    /// Values that colour the tissues.
    pub field: Field,
    /// Contacts.
    pub contacts: Vec<Contact>,
    /// Numbers that were asked for.
    pub readings: Readings,
    /// Properties of the selected components.
    pub sheets: Vec<Sheet>,
}

/// Position and orientation, to world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Place of its origin, relative to that of the scene [m].
    pub position: [f32; 3],
    /// Quaternion i j k w.
    pub rotation: [f32; 4],
}

/// A contact that was active in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Position relative to the origin of the scene [m].
    pub point: [f32; 3],
    /// Unit normal, into the first of the two.
    pub normal: [f32; 3],
    /// Mean force on the first over the step [N].
    pub force: [f32; 3],
    /// Room between them [m]; negative for an overlap.
    pub gap: f32,
}

/// Properties that are followed, for plots.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    /// Path of each property.
    pub paths: Arc<Vec<String>>,
    /// Index of the first of the numbers of each in `numbers`, and the end of the last ones: one more than `paths`.
    pub offsets: Vec<u32>,
    /// The numbers. Of what has no number now, NaN.
    pub numbers: Vec<f64>,
}

impl Default for Frame {
    fn default() -> Self {
        Self { position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] }
    }
}
