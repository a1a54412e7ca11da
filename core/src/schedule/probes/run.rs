//! Edits of a run: of its model, whose probes follow.

use std::path::Path;
use std::sync::Arc;

use super::{ProbeCurve, ProbeEdit, ProbeLists, ProbeRun, ProbeSource, ProbeTrack};
use crate::component::{ComponentId, ROOT};
use crate::editing::{EditCommand, EditReport};
use crate::schedule::{
    InputProbe, OutputProbe, ScheduleError, Scheduler, Simulation, SimulationError,
};

impl Scheduler {
    /// Does commands between two steps, as one edit. One alone is done as by [`Simulation::apply`](crate::schedule::Simulation::apply).
    ///
    /// # Errors
    /// As [`Simulation::apply_all`](crate::schedule::Simulation::apply_all); [`ScheduleError::Probe`] of a probe that
    /// cannot be made. Nothing is changed then.
    pub fn apply(&mut self, commands: &[EditCommand]) -> Result<EditReport, ScheduleError> {
        self.edited(|simulation| simulation.apply_all(commands))
    }

    /// Does an edit of the model between two steps, which the probes follow.
    ///
    /// # Errors
    /// That of `edit`; [`ScheduleError::Probe`] of a probe that cannot be made. Nothing is changed then.
    pub fn edited<T>(
        &mut self,
        edit: impl FnOnce(&mut Simulation) -> Result<T, SimulationError>,
    ) -> Result<T, ScheduleError> {
        let (depth, kept) = self.simulation.history.marks();
        let done = edit(&mut self.simulation)?;
        self.follow_waypoints();
        let Err(error) = self.follow_probes() else { return Ok(done) };
        let (now, taken_in) = self.simulation.history.marks();
        if now < depth {
            self.simulation.redo()?;
        } else if now > depth {
            self.simulation.undo()?;
            if taken_in > kept {
                self.simulation.history.forget_undone();
            }
        }
        self.follow_waypoints();
        self.follow_probes()?;
        Err(error)
    }

    /// Does a gesture on probes, and tells in words what came of it. One that `goes_on` from the one before, as that of a
    /// point under the hand, takes its place.
    ///
    /// # Errors
    /// [`ScheduleError::Probe`], and as [`Self::apply`]; nothing is changed then.
    pub fn edit_probe(
        &mut self,
        edit: &ProbeEdit,
        goes_on: bool,
    ) -> Result<Option<String>, ScheduleError> {
        self.follow_probes()?;
        let (source, mut run) = self.probe_run()?;
        let planned = source.plan(edit, &mut run).map_err(ScheduleError::Probe)?;
        let goes_on = goes_on && self.probe_gesture == Some(self.simulation.history.marks());
        if goes_on {
            self.simulation.undo()?;
        }
        let done = self.apply(&planned.commands);
        if done.is_err() && goes_on {
            self.simulation.redo()?;
            self.follow_probes()?;
        }
        self.probe_gesture = Some(self.simulation.history.marks());
        done.map(|_| planned.told)
    }

    /// Takes the last edit of the model back; `false` when there is none.
    ///
    /// # Errors
    /// As [`Simulation::undo`](crate::schedule::Simulation::undo), and [`ScheduleError::Probe`].
    pub fn undo(&mut self) -> Result<bool, ScheduleError> {
        self.edited(Simulation::undo)
    }

    /// Does again what was taken back last; `false` when there is nothing.
    ///
    /// # Errors
    /// As [`Self::undo`].
    pub fn redo(&mut self) -> Result<bool, ScheduleError> {
        self.edited(Simulation::redo)
    }

    /// True if there are edits of the model to take back.
    pub fn has_edits(&self) -> bool {
        self.simulation.has_edits()
    }

    /// Writes the table of a probe into a file.
    ///
    /// # Errors
    /// [`ScheduleError::Probe`].
    pub fn export_probe(&mut self, probe: ComponentId, file: &Path) -> Result<(), ScheduleError> {
        let (source, mut run) = self.probe_run()?;
        source.export(probe, file, &mut run).map_err(ScheduleError::Probe)
    }

    /// Tracks of the probes for a timeline, those that feed first.
    pub fn probe_tracks(&mut self) -> Vec<ProbeTrack> {
        match self.probe_run() {
            Ok((source, run)) => source.tracks(&run),
            Err(_) => {
                let inputs = self.inputs.iter().map(plain_input);
                inputs.chain(self.outputs.iter().map(plain_output)).collect()
            }
        }
    }

    fn probe_run(&mut self) -> Result<(&mut dyn ProbeSource, ProbeRun<'_>), ScheduleError> {
        let Self { simulation, inputs, outputs, marks, start, followed, .. } = self;
        let none = || ScheduleError::Probe("the probes of this run are not edited here".into());
        let source = followed.source.as_mut().ok_or_else(none)?;
        Ok((
            source.as_mut(),
            ProbeRun { simulation, lists: ProbeLists { inputs, outputs, marks, start } },
        ))
    }
}

fn plain_input(probe: &InputProbe) -> ProbeTrack {
    let (name, span, enabled) = (probe.name.clone(), probe.span(), probe.enabled);
    let curve = Arc::new(ProbeCurve::default());
    ProbeTrack { name, feeds: true, span, enabled, curve, ..ProbeTrack::of(ROOT) }
}

fn plain_output(probe: &OutputProbe) -> ProbeTrack {
    let times = probe.times();
    let (name, span, enabled) = (probe.name.clone(), [times.start, times.stop], probe.enabled);
    ProbeTrack { name, span, enabled, ..ProbeTrack::of(ROOT) }
}
