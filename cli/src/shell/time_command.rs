//! Commands about where the model is in time, as they are written.

/// A command about time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TimeCommand {
    /// Until a time from now [s].
    Run(Option<f64>),
    Step(u64),
    Pause,
    /// So long by the clock [s].
    Wait(Option<f64>),
    Reset,
    Rewind(f64),
    AddWaypoint {
        time: f64,
        every: Option<f64>,
    },
    AddBreakpoint(f64),
    RemoveWaypoint(f64),
    Waypoints,
    Time,
}

impl TimeCommand {
    /// The command of this name with these words after it.
    pub(super) fn of(name: &str, words: &[String]) -> Option<Self> {
        let number = |at: usize| words.get(at)?.parse::<f64>().ok().filter(|x| x.is_finite());
        let time = |at: usize| number(at).filter(|x| *x >= 0.0);
        let positive = |at: usize| number(at).filter(|x| *x > 0.0);
        match (name, words.len()) {
            ("run", 0) => Some(Self::Run(None)),
            ("run", 1) => positive(0).map(|time| Self::Run(Some(time))),
            ("step", 0) => Some(Self::Step(1)),
            ("step", 1) => words[0].parse().ok().filter(|n| *n > 0).map(Self::Step),
            ("pause", 0) => Some(Self::Pause),
            ("wait", 0) => Some(Self::Wait(None)),
            ("wait", 1) => time(0).map(|time| Self::Wait(Some(time))),
            ("reset", 0) => Some(Self::Reset),
            ("rewind", 0) => Some(Self::Rewind(0.0)),
            ("rewind", 1) => time(0).map(Self::Rewind),
            ("add_waypoint", 1) => time(0).map(|time| Self::AddWaypoint { time, every: None }),
            ("add_waypoint", 2) => {
                Some(Self::AddWaypoint { time: time(0)?, every: Some(positive(1)?) })
            }
            ("add_breakpoint", 1) => time(0).map(Self::AddBreakpoint),
            ("remove_waypoint", 1) => time(0).map(Self::RemoveWaypoint),
            ("waypoints", 0) => Some(Self::Waypoints),
            ("time", 0) => Some(Self::Time),
            _ => None,
        }
    }
}
