//! Times at which a run keeps its state, as components. The states themselves are not here: `schedule/`.

use serde::{Deserialize, Serialize};

use crate::property::{ModelComponent, properties};

/// A time at which a run keeps its state, to be gone back to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Waypoint {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Its time [s].
    pub time: f64,
    /// True if a run halts there.
    pub breakpoint: bool,
}

impl Waypoint {
    /// A waypoint at a time [s]; a breakpoint halts the run too.
    pub fn new(time: f64, breakpoint: bool) -> Self {
        Self { time, breakpoint, ..Self::default() }
    }
}

impl ModelComponent for Waypoint {
    const HOME: Option<&'static str> = Some("waypoints");

    properties! { Waypoint {
        "time": f64 = 0.0, "s", FINITE, NOTHING, "Time at which the state is kept", own (time);
        "breakpoint": bool = false, "", FINITE, NOTHING, "True if a run halts there", own (breakpoint);
    } }
}
