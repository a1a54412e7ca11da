//! The probes of a scheduler with their places in its waypoints, and the trait of who makes probes of components.

use std::path::Path;

use super::{KeptRows, PlannedProbeEdit, ProbeEdit, ProbeTrack};
use crate::component::{ComponentId, Handle};
use crate::kinds;
use crate::model::Model;
use crate::schedule::callback::CallbackError;
use crate::schedule::waypoint::{Mark, Waypoint};
use crate::schedule::{InputProbe, OutputProbe, SampleTimes, Simulation};

/// Makes the probes that components of a model describe: tables and files that this crate does not know.
pub trait ProbeSource: Send {
    /// The probe that feeds as a component says.
    ///
    /// # Errors
    /// What is wrong with its table.
    fn input(
        &mut self,
        model: &Model,
        of: Handle<kinds::InputProbe>,
    ) -> Result<InputProbe, CallbackError>;

    /// The probe that records as a component says; `None` where nothing is recorded.
    ///
    /// # Errors
    /// A file that cannot be written, a formula that cannot be read.
    fn output(
        &mut self,
        model: &Model,
        of: Handle<kinds::OutputProbe>,
    ) -> Result<Option<OutputProbe>, CallbackError>;

    /// Commands that a gesture comes to.
    ///
    /// # Errors
    /// What does not fit, in words.
    fn plan(
        &mut self,
        edit: &ProbeEdit,
        run: &mut ProbeRun<'_>,
    ) -> Result<PlannedProbeEdit, CallbackError>;

    /// Writes the table of a probe into a file.
    ///
    /// # Errors
    /// What cannot be written.
    fn export(
        &mut self,
        probe: ComponentId,
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
pub(super) struct TakenOutput {
    pub(super) probe: OutputProbe,
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

    /// The probe that records for a component, to be finished.
    pub fn output_of(&mut self, id: ComponentId) -> Option<&mut OutputProbe> {
        self.outputs.iter_mut().find(|probe| probe.component() == Some(id))
    }

    fn waypoints(&mut self) -> impl Iterator<Item = &mut Waypoint> {
        let saved = self.marks.iter_mut().filter_map(|mark| mark.saved.as_mut());
        saved.map(|(waypoint, _)| waypoint).chain(self.start.as_mut())
    }

    /// Adds a probe that feeds before those at `at` and behind it.
    pub(super) fn insert_input(&mut self, at: usize, probe: InputProbe) {
        self.inputs.insert(at, probe);
        let known = self.waypoints().filter(|waypoint| at <= waypoint.inputs.len());
        known.for_each(|waypoint| waypoint.inputs.insert(at, Vec::new()));
    }

    /// Puts a probe in the place of one that feeds.
    pub(super) fn replace_input(&mut self, at: usize, probe: InputProbe) {
        self.inputs[at] = probe;
        let known = self.waypoints().filter_map(|waypoint| waypoint.inputs.get_mut(at));
        known.for_each(Vec::clear);
    }

    /// Takes a probe that feeds out.
    pub(super) fn take_input(&mut self, at: usize) {
        let known = self.waypoints().filter(|waypoint| at < waypoint.inputs.len());
        known.for_each(|waypoint| drop(waypoint.inputs.remove(at)));
        self.inputs.remove(at);
    }

    /// Adds a probe that records behind the others.
    pub(super) fn add_output(&mut self, probe: OutputProbe) {
        self.outputs.push(probe);
    }

    /// Takes a probe that records out; its rows are complete.
    ///
    /// # Errors
    /// What cannot be written.
    pub(super) fn take_output(&mut self, at: usize) -> Result<TakenOutput, CallbackError> {
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

    /// Puts a probe back before those at `at`; it goes on recording into its file.
    pub(super) fn put_output_back(&mut self, at: usize, taken: TakenOutput) {
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
    pub(super) fn retime_output(&mut self, at: usize, times: SampleTimes) {
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
