//! Commands to a world that runs.

use std::path::PathBuf;

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
    /// Changes the formula of a block.
    SetFormula {
        /// Name of the block.
        block: String,
        /// The formula.
        text: String,
    },
    /// Takes the last edit or pull back.
    Undo,
    /// Does it again.
    Redo,
}
