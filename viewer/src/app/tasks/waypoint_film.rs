//! The film of the waypoints: begun, taken on frame by frame, ended.

use std::time::Duration;

use sinew::schedule::{Command, NoteKind};

use crate::app::App;
use crate::app::waypoint_film::{NextWaypoint, WaypointFilm};

impl App {
    /// Begins a film of all waypoints that were saved, or ends the one that is recorded.
    pub(crate) fn film_waypoints(&mut self) {
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
            let why = "pause the run first: a film of waypoints goes back";
            return self.say(NoteKind::Refused, why);
        }
        self.send(Command::Keep);
        let (film, snapshots) = WaypointFilm::new(times, 1e-6 * self.status.step);
        self.begin_film_of(snapshots, "one a waypoint");
        self.waypoint_film = Some(film);
    }

    /// Takes the film of waypoints on.
    pub(crate) fn go_on_with_waypoints(&mut self, context: &egui::Context) {
        let Some(film) = &mut self.waypoint_film else { return };
        match film.go_on(self.session.reader().front(), self.status.playing) {
            NextWaypoint::Awaited => {}
            NextWaypoint::Shown => context.request_repaint_after(Duration::from_millis(20)),
            NextWaypoint::Rewind(time) => self.send(Command::Rewind(time)),
            NextWaypoint::End(why) => self.end_waypoints(why),
        }
    }

    /// Back to where the run was, unless it goes on.
    fn end_waypoints(&mut self, why: Option<String>) {
        if self.waypoint_film.take().is_none() {
            return;
        }
        if !self.status.playing {
            self.send(Command::Return);
        }
        if let Some(why) = why {
            self.say(NoteKind::Refused, why);
        }
    }
}

#[cfg(test)]
mod tests;
