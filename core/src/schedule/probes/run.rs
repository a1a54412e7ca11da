//! Edits of the probes of a scheduler, taken back in one order with those of its model.

use std::path::Path;
use std::sync::Arc;

use super::{ProbeAt, ProbeCurve, ProbeEdit, ProbeLists, ProbeRun, ProbeSource, ProbeTrack};
use crate::schedule::{InputProbe, OutputProbe, ScheduleError, Scheduler};

/// Source of the probes; `None` where they were added one by one.
pub(in crate::schedule) type ProbeDescriptions = Option<Box<dyn ProbeSource>>;

/// Something beside the model that was edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edited {
    Probe,
    Panel,
}

/// Places of edits of probes and panels among those of the model: the number of edits of the model before each.
#[derive(Default)]
pub(in crate::schedule) struct EditOrder {
    done: Vec<(usize, Edited)>,
    undone: Vec<(usize, Edited)>,
    /// Edits of the model that were made so far, when the last of these edits was done or taken back.
    seen: u64,
}

impl Scheduler {
    /// Has `source` describe the probes, which were added in its order.
    pub fn describe_probes(&mut self, source: Box<dyn ProbeSource>) {
        self.descriptions = Some(source);
    }

    /// Edits a probe, and tells in words what came of it. An edit that `goes_on` from the one before, as that of a
    /// point under the hand, is taken back together with it.
    ///
    /// # Errors
    /// [`ScheduleError::Probe`]; nothing is changed then.
    pub fn edit_probe(
        &mut self,
        edit: &ProbeEdit,
        goes_on: bool,
    ) -> Result<Option<String>, ScheduleError> {
        let (depth, kept) = self.simulation.history.marks();
        let order = &self.order;
        let goes_on = goes_on
            && order.undone.is_empty()
            && order.done.last() == Some(&(depth, Edited::Probe))
            && order.seen == kept;
        let (source, mut run) = self.probe_run()?;
        let told = source.edit(edit, goes_on, &mut run).map_err(ScheduleError::Probe)?;
        self.forget_undone(kept);
        if !goes_on {
            self.order.done.push((depth, Edited::Probe));
        }
        Ok(told)
    }

    /// Notes the place of an edit of a panel.
    pub(in crate::schedule) fn keep_panel_edit(&mut self) {
        let (depth, kept) = self.simulation.history.marks();
        self.forget_undone(kept);
        self.order.done.push((depth, Edited::Panel));
    }

    /// After another edit nothing that was taken back is done again.
    fn forget_undone(&mut self, kept: u64) {
        self.descriptions.iter_mut().for_each(|source| source.forget_undone());
        self.panels.forget_undone();
        self.simulation.history.forget_undone();
        self.order.undone.clear();
        self.order.seen = kept;
    }

    /// Takes the last edit of the model, a probe or a panel back; `false` when there is none.
    ///
    /// # Errors
    /// As [`Simulation::undo`](crate::schedule::Simulation::undo), and [`ScheduleError::Probe`].
    pub fn undo(&mut self) -> Result<bool, ScheduleError> {
        let (depth, kept) = self.simulation.history.marks();
        self.forget_stale(kept);
        match self.order.done.last() {
            Some(&(at, Edited::Probe)) if at == depth => {
                let (source, mut run) = self.probe_run()?;
                source.undo(&mut run).map_err(ScheduleError::Probe)?;
            }
            Some(&(at, Edited::Panel)) if at == depth => self.panels.undo(),
            Some(_) | None => return Ok(self.simulation.undo()?),
        }
        self.order.undone.extend(self.order.done.pop());
        self.order.seen = kept;
        Ok(true)
    }

    /// Does again what was taken back last; `false` when there is nothing.
    ///
    /// # Errors
    /// As [`Self::undo`].
    pub fn redo(&mut self) -> Result<bool, ScheduleError> {
        let (depth, kept) = self.simulation.history.marks();
        self.forget_stale(kept);
        match self.order.undone.last() {
            Some(&(at, Edited::Probe)) if at == depth => {
                let (source, mut run) = self.probe_run()?;
                source.redo(&mut run).map_err(ScheduleError::Probe)?;
            }
            Some(&(at, Edited::Panel)) if at == depth => self.panels.redo(),
            Some(_) | None => return Ok(self.simulation.redo()?),
        }
        self.order.done.extend(self.order.undone.pop());
        self.order.seen = kept;
        Ok(true)
    }

    /// True if there are edits of the model, of probes or of panels to take back.
    pub fn has_edits(&self) -> bool {
        self.simulation.has_edits() || !self.order.done.is_empty()
    }

    /// Writes the table of a probe into a file.
    ///
    /// # Errors
    /// [`ScheduleError::Probe`].
    pub fn export_probe(&mut self, probe: ProbeAt, file: &Path) -> Result<(), ScheduleError> {
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

    /// Edits of probes and panels that were taken back are not done again once the model was edited since.
    fn forget_stale(&mut self, kept: u64) {
        if self.order.seen != kept {
            self.order.undone.clear();
            self.panels.forget_undone();
            self.descriptions.iter_mut().for_each(|source| source.forget_undone());
        }
    }

    fn probe_run(&mut self) -> Result<(&mut dyn ProbeSource, ProbeRun<'_>), ScheduleError> {
        let Self { simulation, inputs, outputs, marks, start, descriptions, .. } = self;
        let none = || ScheduleError::Probe("the probes of this run are not edited here".into());
        let source = descriptions.as_mut().ok_or_else(none)?;
        Ok((
            source.as_mut(),
            ProbeRun { simulation, lists: ProbeLists { inputs, outputs, marks, start } },
        ))
    }
}

fn plain_input(probe: &InputProbe) -> ProbeTrack {
    let (name, span, enabled) = (probe.name.clone(), probe.span(), probe.enabled);
    let curve = Arc::new(ProbeCurve::default());
    ProbeTrack { name, feeds: true, span, enabled, curve, ..ProbeTrack::default() }
}

fn plain_output(probe: &OutputProbe) -> ProbeTrack {
    let times = probe.times();
    let (name, span, enabled) = (probe.name.clone(), [times.start, times.stop], probe.enabled);
    ProbeTrack { name, span, enabled, ..ProbeTrack::default() }
}
