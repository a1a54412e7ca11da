//! Commands of a window to a running model, as plain data: they go through a queue, and are applied
//! between two steps.

use std::path::PathBuf;

use super::building::Build;
use crate::Vec3;
use crate::component::ComponentId;
use crate::editing::EditCommand;
use crate::schedule::{PanelEdit, ProbeEdit, TrackingEdit};
use crate::snapshot::Quantity;

/// Commands to a running model.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Go on, until a breakpoint or [`Command::Pause`].
    Play,
    /// Go on until this time [s], or a breakpoint before it.
    RunUntil(f64),
    /// Halt after the step under way.
    Pause,
    /// Take one step, paused.
    Step,
    /// Go back to the start, paused.
    Reset,
    /// Go back to the last waypoint that was saved at or before this time [s], paused.
    Rewind(f64),
    /// Keep where the run is, to go back to by [`Command::Return`]: no waypoint of the model, and no edit.
    Keep,
    /// Go back to what was kept last, paused.
    Return,
    /// Length of a step [s].
    SetStep(f64),
    /// Simulated over wall time that is not exceeded [-]; `None` for as fast as it goes.
    SetPace(Option<f64>),
    /// Save a waypoint at this time [s], now where there is none; a breakpoint halts there too.
    AddWaypoint {
        /// Its time [s].
        time: Option<f64>,
        /// True if it is a breakpoint.
        halts: bool,
    },
    /// Save waypoints at all multiples of an interval from now on.
    AddWaypoints {
        /// Between two [s].
        interval: f64,
        /// Time of the last one at most [s].
        end: f64,
    },
    /// Set the time of a waypoint that was not passed.
    MoveWaypoint {
        /// Its time [s].
        from: f64,
        /// Its new time [s].
        to: f64,
    },
    /// Delete the waypoint at this time [s].
    RemoveWaypoint(f64),
    /// Set properties, as one edit that can be undone.
    Set {
        /// The properties and their values.
        assignments: Vec<Assignment>,
        /// Number of the gesture that sets them, as a drag of a slider: what one gesture sets on the same properties
        /// is one edit, however long it lasts. None for an edit of its own.
        gesture: Option<u64>,
    },
    /// Do edits, as one that can be undone.
    Edit(Vec<EditCommand>),
    /// Build something by hand, as one edit.
    Build(Build),
    /// Do a gesture on probes, which edits their components.
    EditProbe {
        /// The edit.
        edit: ProbeEdit,
        /// True if it goes on from the one before, and is taken back with it.
        goes_on: bool,
    },
    /// Edit a control panel; panels are saved with the model.
    EditPanel(PanelEdit),
    /// Steer inverse control.
    EditTracking(TrackingEdit),
    /// Write the table of a probe into a file.
    ExportProbe {
        /// The probe.
        probe: ComponentId,
        /// The file.
        file: PathBuf,
    },
    /// Take the last edit back.
    Undo,
    /// Make it again.
    Redo,
    /// Show the properties of these.
    Select(Vec<ComponentId>),
    /// Show the numbers of these properties in snapshots, by their paths, in place of those before.
    Follow(Vec<String>),
    /// Sample these properties after every step, by their paths, in place of those before.
    Record(Vec<String>),
    /// Colour tissues by this.
    ColorBy(Quantity),
    /// Pull a point by a spring that ends at a place of the window; again to move that place. What was
    /// pulled before is released.
    Drag {
        /// The point that is pulled.
        point: DragPoint,
        /// Position that it is pulled to, world [m].
        target: Vec3,
    },
    /// Pull no more.
    Release,
    /// Hit a point, so that its velocity changes by this; a body turns as well where it is hit aside.
    Push {
        /// The point that is hit.
        point: DragPoint,
        /// Change of its velocity [m/s].
        velocity: Vec3,
    },
    /// Fix a point where it is, or free it: nodes of tissues and particles.
    Pin {
        /// The point that is fixed.
        point: DragPoint,
        /// True if it is fixed from now on.
        fixed: bool,
    },
    /// Write a waypoint of now into a file, to be run on from.
    SaveCheckpoint(PathBuf),
    /// Write the model as it is now into a model file.
    SaveModel(PathBuf),
    /// Open another model.
    Open {
        /// Path of the file; a name that [`SessionFiles::open`](super::SessionFiles::open) knows
        /// does as well.
        path: PathBuf,
        /// Its parameters, `KEY=VALUE`.
        params: Vec<String>,
    },
    /// Put an empty model in the place of this one.
    New,
    /// Load the model again from its files, at its start; edits that were not saved are lost.
    Reload,
    /// End.
    Quit,
}

impl Command {
    /// Sets properties, as an edit of its own.
    pub fn set(assignments: Vec<Assignment>) -> Self {
        Self::Set { assignments, gesture: None }
    }

    /// The same command as part of a gesture of this number; only [`Self::Set`] has one.
    #[must_use]
    pub fn in_gesture(mut self, number: u64) -> Self {
        if let Self::Set { gesture, .. } = &mut self {
            *gesture = Some(number);
        }
        self
    }
}

/// A property and its new value.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// Its path, `/models/jaw:gravity`.
    pub path: String,
    /// Its value as text, as the command line takes it; `None` to inherit it.
    pub value: Option<String>,
}

/// A point that can be pulled, by the item that was drawn of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DragPoint {
    /// A point of the snapshot: node, particle, marker.
    Point(u32),
    /// A place on a body, in its frame [m].
    Body(ComponentId, Vec3),
}
