//! A film of the waypoints: the run goes back to each that was saved, and a picture is drawn there.

use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use sinew::schedule::{Command, NoteKind};
use sinew::snapshot::Snapshot;

use super::App;

/// Longest wait for a waypoint to be shown.
const PATIENCE: Duration = Duration::from_secs(60);
/// Snapshots that wait to be drawn.
const QUEUE: usize = 2;

/// The way through the waypoints.
pub(super) struct WaypointFilm {
    /// Times of the waypoints [s], and how many of them were pictured.
    times: Vec<f64>,
    pictured: usize,
    /// Time to go back to at the end [s], and true if a waypoint was set there for that.
    back: (f64, bool),
    /// Part of a step by which times may be off [s].
    slack: f64,
    pictures: SyncSender<Snapshot>,
    /// Time at which it was asked to go to the next one.
    asked: Option<Instant>,
}

impl App {
    /// Begins a film of all waypoints that were saved, or ends the one that is recorded.
    pub(super) fn film_waypoints(&mut self) {
        if self.film.is_some() {
            return self.begin_or_end_film();
        }
        let saved = self.status.waypoints.iter().filter(|mark| mark.saved);
        let times: Vec<f64> = saved.map(|mark| mark.time).collect();
        if times.is_empty() {
            let why =
                "no waypoint was passed yet: set some with W or at even times, and run over them";
            return self.say(NoteKind::Refused, why);
        }
        if self.status.playing {
            return self
                .say(NoteKind::Refused, "pause the run first: a film of waypoints goes back");
        }
        let now = self.session.reader().front().time;
        let slack = 1e-6 * self.status.step;
        let is_new = times.iter().all(|time| (time - now).abs() > slack);
        if is_new {
            self.send(Command::AddWaypoint { time: None, halts: false });
        }
        let (pictures, snapshots) = sync_channel(QUEUE);
        self.begin_film_of(snapshots, "one a waypoint");
        let back = (now, is_new);
        let film = WaypointFilm { times, pictured: 0, back, slack, pictures, asked: None };
        self.waypoint_film = Some(film);
    }

    /// Takes the film of waypoints on: asks for the next one, and hands it on when it is shown.
    pub(super) fn go_on_with_waypoints(&mut self, context: &egui::Context) {
        let Some(film) = &mut self.waypoint_film else { return };
        let Some(&time) = film.times.get(film.pictured) else {
            return self.end_waypoints(None);
        };
        if self.status.playing {
            return self
                .end_waypoints(Some("the film of waypoints ended: the run goes on".to_owned()));
        }
        let Some(asked) = film.asked else {
            film.asked = Some(Instant::now());
            return self.outbox.push(Command::Rewind(time));
        };
        let front = self.session.reader().front();
        if (front.time - time).abs() > film.slack {
            if asked.elapsed() > PATIENCE {
                let why = format!("there is no way back to the waypoint at t = {time:.4} s");
                self.end_waypoints(Some(why));
            }
            return;
        }
        match film.pictures.try_send(front.clone()) {
            Ok(()) => (film.pictured, film.asked) = (film.pictured + 1, None),
            // The pictures before it are drawn first.
            Err(TrySendError::Full(_)) => {}
            Err(TrySendError::Disconnected(_)) => self.end_waypoints(None),
        }
        context.request_repaint_after(Duration::from_millis(20));
    }

    /// Back to where the run was.
    fn end_waypoints(&mut self, why: Option<String>) {
        let Some(film) = self.waypoint_film.take() else { return };
        let (time, is_new) = film.back;
        if !self.status.playing {
            self.send(Command::Rewind(time));
        }
        if is_new {
            self.send(Command::RemoveWaypoint(time));
        }
        if let Some(why) = why {
            self.say(NoteKind::Refused, why);
        }
    }
}

#[cfg(test)]
mod tests;
