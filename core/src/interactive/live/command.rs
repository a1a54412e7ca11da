//! Commands to a world that runs.

use std::path::PathBuf;

use crate::interactive::{PartId, Pick};

/// A point of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldPoint {
    /// Name of the object.
    pub object: String,
    /// Coordinates of the point in the object; s of a curve. Those beyond the dimensions of the object are left out.
    pub coordinates: Vec<f64>,
}

/// A command to a world that runs. Outputs are named as in formulas: `bead.x`, `area`.
#[derive(Clone, Debug, PartialEq)]
pub enum WorldCommand {
    /// Begins an empty world.
    New,
    /// Opens a file.
    Open(PathBuf),
    /// Writes the world as it is now.
    Save(PathBuf),
    /// Runs.
    Play,
    /// Halts.
    Pause,
    /// Takes one step.
    Step,
    /// Goes back to the time, states and velocities of the start; formulas and parameters stay.
    Reset,
    /// Sets the length of a step \[s\].
    SetStep(f64),
    /// Sets the simulated time over that of the wall.
    SetSpeed(f64),
    /// Begins to pull a point towards a place \[m\].
    Drag(WorldPoint, [f64; 3]),
    /// Pulls towards another place \[m\].
    MoveDrag([f64; 3]),
    /// Ends the pull on a point.
    Release,
    /// Pulls an output towards a value, until it is released.
    Pull {
        /// The output.
        output: String,
        /// The value.
        target: f64,
    },
    /// Ends the pull on an output, or the edit of a value.
    ReleaseOutput(String),
    /// Sets a parameter or a variable. Values that follow each other up to a release are one edit.
    SetValue {
        /// Its name as an output.
        output: String,
        /// The value.
        value: f64,
    },
    /// Changes the formula of a block or a curve.
    SetFormula {
        /// Name of the block or curve.
        block: String,
        /// The formula.
        text: String,
    },
    /// Adds a part of a kind of the table of parts, by what was clicked for it.
    Add {
        /// Word of the kind.
        kind: String,
        /// The clicks.
        picks: Vec<Pick>,
    },
    /// Takes parts away, with all that use them.
    Remove(Vec<PartId>),
    /// Writes the text of a part into snapshots, or that of none.
    Show(Option<PartId>),
    /// Puts a part in the place of another one, by its text as in files.
    Replace {
        /// The part.
        part: PartId,
        /// The text.
        text: String,
    },
    /// Takes the last edit or pull back.
    Undo,
    /// Does it again.
    Redo,
}
