//! The probes of a scheduler as they are edited, with their places in its waypoints; the trait of who describes them.

use std::path::Path;

use super::{KeptRows, ProbeAt, ProbeEdit, ProbeTrack};
use crate::schedule::callback::CallbackError;
use crate::schedule::waypoint::{Mark, Waypoint};
use crate::schedule::{InputProbe, OutputProbe, SampleTimes, Simulation};

/// Descriptions of the probes of a run, of which they are made: tables and files that this crate does not know.
pub trait ProbeSource: Send {
    /// Does an edit, and tells in words what it did; nothing changes where it is refused. One that `goes_on` is taken
    /// back together with the one before.
    ///
    /// # Errors
    /// What does not fit, in words.
    fn edit(
        &mut self,
        edit: &ProbeEdit,
        goes_on: bool,
        run: &mut ProbeRun<'_>,
    ) -> Result<Option<String>, CallbackError>;

    /// Takes the last edit back.
    ///
    /// # Errors
    /// What does not fit any more; nothing changes then.
    fn undo(&mut self, run: &mut ProbeRun<'_>) -> Result<(), CallbackError>;

    /// Does it again.
    ///
    /// # Errors
    /// As [`Self::undo`].
    fn redo(&mut self, run: &mut ProbeRun<'_>) -> Result<(), CallbackError>;

    /// Edits that were taken back are not done again.
    fn forget_undone(&mut self);

    /// Writes the table of a probe into a file.
    ///
    /// # Errors
    /// What cannot be written.
    fn export(
        &mut self,
        probe: ProbeAt,
        file: &Path,
        run: &mut ProbeRun<'_>,
    ) -> Result<(), CallbackError>;

    /// Tracks of the probes for a timeline: those that feed first, each list in its order.
    fn tracks(&mut self, run: &ProbeRun<'_>) -> Vec<ProbeTrack>;
}

/// A run whose probes are edited.
pub struct ProbeRun<'a> {
    /// The simulation.
    pub simulation: &'a mut Simulation,
    /// Its probes.
    pub lists: ProbeLists<'a>,
}

/// The probes of a scheduler, and their places in its waypoints.
pub struct ProbeLists<'a> {
    pub(super) inputs: &'a mut Vec<InputProbe>,
    pub(super) outputs: &'a mut Vec<OutputProbe>,
    pub(super) marks: &'a mut [Mark],
    pub(super) start: &'a mut Option<Waypoint>,
}

/// A probe that recorded and was taken out of a run, with its places in the waypoints.
pub struct TakenOutput {
    probe: OutputProbe,
    /// By the time of the waypoint [s].
    places: Vec<(f64, Vec<f64>)>,
    start: Option<Vec<f64>>,
    now: Vec<f64>,
}

impl ProbeLists<'_> {
    /// The probes that feed.
    pub fn inputs(&self) -> &[InputProbe] {
        self.inputs
    }

    /// The probes that record.
    pub fn outputs(&self) -> &[OutputProbe] {
        self.outputs
    }

    /// The probes that record, to be switched and finished.
    pub fn outputs_mut(&mut self) -> &mut [OutputProbe] {
        self.outputs
    }

    fn waypoints(&mut self) -> impl Iterator<Item = &mut Waypoint> {
        let saved = self.marks.iter_mut().filter_map(|mark| mark.saved.as_mut());
        saved.map(|(waypoint, _)| waypoint).chain(self.start.as_mut())
    }

    /// Adds a probe that feeds before those at `at` and behind it.
    ///
    /// # Panics
    /// When `at` is beyond the end of the list.
    pub fn insert_input(&mut self, at: usize, probe: InputProbe) {
        self.inputs.insert(at, probe);
        let known = self.waypoints().filter(|waypoint| at <= waypoint.inputs.len());
        known.for_each(|waypoint| waypoint.inputs.insert(at, Vec::new()));
    }

    /// Puts a probe in the place of one that feeds.
    ///
    /// # Panics
    /// When there is none at `at`.
    pub fn replace_input(&mut self, at: usize, probe: InputProbe) {
        self.inputs[at] = probe;
        let known = self.waypoints().filter_map(|waypoint| waypoint.inputs.get_mut(at));
        known.for_each(Vec::clear);
    }

    /// Takes a probe that feeds out.
    ///
    /// # Panics
    /// When there is none at `at`.
    pub fn take_input(&mut self, at: usize) -> InputProbe {
        let known = self.waypoints().filter(|waypoint| at < waypoint.inputs.len());
        known.for_each(|waypoint| drop(waypoint.inputs.remove(at)));
        self.inputs.remove(at)
    }

    /// Adds a probe that records behind the others.
    pub fn add_output(&mut self, probe: OutputProbe) {
        self.outputs.push(probe);
    }

    /// Takes a probe that records out; its rows are complete.
    ///
    /// # Errors
    /// What cannot be written.
    ///
    /// # Panics
    /// When there is none at `at`.
    pub fn take_output(&mut self, at: usize) -> Result<TakenOutput, CallbackError> {
        self.outputs[at].finish()?;
        let now = self.outputs[at].save()?;
        let out_of = |waypoint: &mut Waypoint| {
            let known = at < waypoint.outputs.len();
            known.then(|| (waypoint.time(), waypoint.outputs.remove(at)))
        };
        let saved = self.marks.iter_mut().filter_map(|mark| mark.saved.as_mut());
        let places = saved.filter_map(|(waypoint, _)| out_of(waypoint)).collect();
        let start = self.start.as_mut().and_then(out_of).map(|(_, place)| place);
        Ok(TakenOutput { probe: self.outputs.remove(at), places, start, now })
    }

    /// Puts a probe back where it was taken from; it goes on recording into its file.
    ///
    /// # Panics
    /// When `at` is beyond the end of the list.
    pub fn put_output_back(&mut self, at: usize, taken: TakenOutput) {
        let TakenOutput { probe, places, start, now } = taken;
        self.outputs.insert(at, probe);
        let saved = self.marks.iter_mut().filter_map(|mark| mark.saved.as_mut());
        for (waypoint, _) in saved.filter(|(waypoint, _)| at <= waypoint.outputs.len()) {
            let time = waypoint.time();
            let place = places.iter().find(|(of, _)| *of == time).map_or(&now, |(_, it)| it);
            waypoint.outputs.insert(at, place.clone());
        }
        if let Some(begun) = self.start.as_mut().filter(|begun| at <= begun.outputs.len()) {
            begun.outputs.insert(at, start.unwrap_or(now));
        }
    }

    /// Other times of the samples of a probe; rows that it has stay.
    ///
    /// # Panics
    /// When there is none at `at`.
    pub fn retime_output(&mut self, at: usize, times: SampleTimes) {
        self.outputs[at].retime(times);
        for waypoint in self.waypoints() {
            let time = waypoint.time();
            if let Some([next, ..]) = waypoint.outputs.get_mut(at).map(Vec::as_mut_slice) {
                *next = times.next_after(time) as f64;
            }
        }
    }

    /// The rows of a probe that are kept for its curve: a revision, times [s] and values of so many columns.
    pub fn kept_rows(&self, at: usize) -> Option<(u64, &[f64], &[f64], usize)> {
        let KeptRows { width, times, values, revision, .. } = self.outputs.get(at)?.kept_rows()?;
        Some((*revision, times, values, *width))
    }
}
