//! A film of the waypoints: the run goes back to each that was saved, and a picture is drawn there.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use sinew::snapshot::Snapshot;

/// Longest wait for a waypoint to be shown.
const PATIENCE: Duration = Duration::from_secs(60);
/// Snapshots that wait to be drawn.
const QUEUE: usize = 2;

/// The way through the waypoints.
pub(super) struct WaypointFilm {
    /// Times of the waypoints [s], and how many of them were pictured.
    times: Vec<f64>,
    pictured: usize,
    /// Part of a step by which times may be off [s].
    slack: f64,
    pictures: SyncSender<Snapshot>,
    /// Time at which it was asked to go to the next one.
    asked: Option<Instant>,
}

/// Request of a film of waypoints in a frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NextWaypoint {
    /// Nothing: the waypoint is on its way.
    Awaited,
    /// Nothing: the waypoint was shown, or waits for the pictures before it.
    Shown,
    /// To go back to this time [s].
    Rewind(f64),
    /// To end; the reason, where there is something to be said.
    End(Option<String>),
}

impl WaypointFilm {
    /// A film of the waypoints at these times [s], and the snapshots to be drawn. Times may be off by `slack` [s].
    pub(super) fn new(times: Vec<f64>, slack: f64) -> (Self, Receiver<Snapshot>) {
        let (pictures, snapshots) = sync_channel(QUEUE);
        (Self { times, pictured: 0, slack, pictures, asked: None }, snapshots)
    }

    /// Takes it on: asks for the next waypoint, and hands it on when it is in front.
    pub(super) fn go_on(&mut self, front: &Snapshot, playing: bool) -> NextWaypoint {
        let Some(&time) = self.times.get(self.pictured) else { return NextWaypoint::End(None) };
        if playing {
            let why = "the film of waypoints ended: the run goes on".to_owned();
            return NextWaypoint::End(Some(why));
        }
        let Some(asked) = self.asked else {
            self.asked = Some(Instant::now());
            return NextWaypoint::Rewind(time);
        };
        if (front.time - time).abs() > self.slack {
            let why = || format!("there is no way back to the waypoint at t = {time:.4} s");
            return match asked.elapsed() > PATIENCE {
                true => NextWaypoint::End(Some(why())),
                false => NextWaypoint::Awaited,
            };
        }
        match self.pictures.try_send(front.clone()) {
            Ok(()) => (self.pictured, self.asked) = (self.pictured + 1, None),
            // The pictures before it are drawn first.
            Err(TrySendError::Full(_)) => {}
            Err(TrySendError::Disconnected(_)) => return NextWaypoint::End(None),
        }
        NextWaypoint::Shown
    }
}
