//! Everything that the rest of a run depends on.

use crate::component::ComponentId;
use crate::property::Setting;
use crate::system::State;

/// A place in time that a run can go back to. The model itself is not in it, but for what controllers
/// and probes have set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Waypoint {
    /// State of the model, and the time.
    pub state: State,
    /// Steps that led there.
    pub steps: u64,
    /// Properties that controllers, monitors and probes had set, by their paths.
    pub settings: Vec<(String, Setting)>,
    /// Memories of controllers, then those of monitors.
    pub memories: Vec<Vec<f64>>,
    /// Places of the input probes.
    pub inputs: Vec<Vec<f64>>,
    /// Places of the output probes.
    pub outputs: Vec<Vec<f64>>,
}

impl Waypoint {
    /// Its time [s].
    pub fn time(&self) -> f64 {
        self.state.time
    }
}

/// A time at which a waypoint is saved.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    /// [s].
    pub(super) time: f64,
    /// True if a run halts there.
    pub(super) halts: bool,
    /// The component that describes it; none of one that the run set itself, by an event.
    pub(super) component: Option<ComponentId>,
    /// The saved waypoint, and the structure of the system then.
    pub(super) saved: Option<(Waypoint, u64)>,
}
