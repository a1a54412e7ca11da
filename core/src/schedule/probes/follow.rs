//! The probes of a scheduler are those of the components of its model, whatever edits come: they are made, changed and taken
//! out as the components are.

use std::collections::{BTreeMap, BTreeSet};

use super::lists::TakenOutput;
use super::{ProbeLists, ProbeSource};
use crate::component::{ComponentId, Handle, Kind, Seen};
use crate::kinds;
use crate::model::Model;
use crate::schedule::callback::CallbackError;
use crate::schedule::{SampleTimes, ScheduleError, Scheduler};

/// The maker of the probes, and what is known of their components.
#[derive(Default)]
pub(in crate::schedule) struct FollowedProbes {
    pub(super) source: Option<Box<dyn ProbeSource>>,
    /// Changes of the model that were followed so far; `None` before the first look.
    seen: Option<Seen>,
    /// Probes that feed, as they were made.
    inputs: BTreeMap<ComponentId, kinds::InputProbe>,
    /// Probes that record, as they were made, those among them that were taken out.
    outputs: BTreeMap<ComponentId, kinds::OutputProbe>,
    /// Probes that record and whose components are gone, which may come back.
    out: BTreeMap<ComponentId, TakenOutput>,
}

impl Scheduler {
    /// Has `source` make the probes of the components of the model, from now on as they are edited.
    ///
    /// # Errors
    /// [`ScheduleError::Probe`] of the first one that cannot be made.
    pub fn make_probes(&mut self, source: Box<dyn ProbeSource>) -> Result<(), ScheduleError> {
        self.followed = FollowedProbes { source: Some(source), ..FollowedProbes::default() };
        self.follow_probes()
    }

    /// Makes, changes and takes out probes as their components were edited since the last look.
    ///
    /// # Errors
    /// [`ScheduleError::Probe`] of the first one that cannot be made; a file that cannot be completed.
    pub fn follow_probes(&mut self) -> Result<(), ScheduleError> {
        let Self { simulation, inputs, outputs, marks, start, followed, .. } = self;
        let (model, now) = (&simulation.model, simulation.model.log.now());
        if followed.source.is_none() || followed.seen == Some(now) {
            return Ok(());
        }
        let mut lists = ProbeLists { inputs, outputs, marks, start };
        for id in followed.changed(model) {
            followed.follow(id, model, &mut lists).map_err(ScheduleError::Probe)?;
        }
        followed.seen = Some(now);
        Ok(())
    }
}

impl FollowedProbes {
    /// Components of probes that may have changed.
    fn changed(&self, model: &Model) -> BTreeSet<ComponentId> {
        let is_probe = |id: &ComponentId| matches!(id.kind(), Kind::InputProbe | Kind::OutputProbe);
        match self.seen.and_then(|seen| model.log.since(seen)) {
            Some(changes) => changes.map(|change| change.id).filter(is_probe).collect(),
            None => {
                let known = self.inputs.keys().chain(self.outputs.keys()).copied();
                let fed = model.iter::<kinds::InputProbe>().map(|(handle, _)| handle.id());
                let recorded = model.iter::<kinds::OutputProbe>().map(|(handle, _)| handle.id());
                known.chain(fed).chain(recorded).collect()
            }
        }
    }

    fn follow(
        &mut self,
        id: ComponentId,
        model: &Model,
        lists: &mut ProbeLists<'_>,
    ) -> Result<(), CallbackError> {
        if let Some(handle) = id.typed::<kinds::InputProbe>() {
            return self.follow_input(handle, model, lists);
        }
        match id.typed::<kinds::OutputProbe>() {
            Some(handle) => self.follow_output(handle, model, lists),
            None => Ok(()),
        }
    }

    fn follow_input(
        &mut self,
        handle: Handle<kinds::InputProbe>,
        model: &Model,
        lists: &mut ProbeLists<'_>,
    ) -> Result<(), CallbackError> {
        let id = handle.id();
        let at = lists.inputs.iter().position(|it| it.component() == Some(id));
        let Some(component) = model.get(handle) else {
            at.into_iter().for_each(|at| lists.take_input(at));
            self.inputs.remove(&id);
            return Ok(());
        };
        if at.is_some() && self.inputs.get(&id) == Some(component) {
            return Ok(());
        }
        let Some(source) = &mut self.source else { return Ok(()) };
        let mut probe = source.input(model, handle)?;
        probe.set_component(id);
        match at {
            Some(at) => lists.replace_input(at, probe),
            None => {
                let at = place_of(model, lists, id);
                lists.insert_input(at, probe);
            }
        }
        self.inputs.insert(id, component.clone());
        Ok(())
    }

    fn follow_output(
        &mut self,
        handle: Handle<kinds::OutputProbe>,
        model: &Model,
        lists: &mut ProbeLists<'_>,
    ) -> Result<(), CallbackError> {
        let id = handle.id();
        let at = lists.outputs.iter().position(|it| it.component() == Some(id));
        let Some(component) = model.get(handle) else {
            if let Some(at) = at {
                self.out.insert(id, lists.take_output(at)?);
            }
            return Ok(());
        };
        let Some(at) = self.recorder(handle, component, (at, model), lists)? else { return Ok(()) };
        let times = SampleTimes::of(component);
        if lists.outputs[at].times() != &times {
            lists.retime_output(at, times);
        }
        lists.outputs[at].enabled = !component.disabled;
        lists.outputs[at].name.clone_from(&component.name);
        self.outputs.insert(id, component.clone());
        Ok(())
    }

    /// Place of the probe that records for a component: the one that is `at` there, one that was taken out, or another one.
    fn recorder(
        &mut self,
        handle: Handle<kinds::OutputProbe>,
        component: &kinds::OutputProbe,
        (at, model): (Option<usize>, &Model),
        lists: &mut ProbeLists<'_>,
    ) -> Result<Option<usize>, CallbackError> {
        let id = handle.id();
        let goes_on = self.outputs.get(&id).is_some_and(|before| records_same(component, before));
        match (at, self.out.remove(&id)) {
            (Some(at), _) if goes_on => return Ok(Some(at)),
            (None, Some(taken)) if goes_on => {
                lists.put_output_back(lists.outputs.len(), taken);
            }
            (at, _) => {
                let Some(source) = &mut self.source else { return Ok(None) };
                let made = source.output(model, handle)?;
                if let Some(at) = at {
                    lists.take_output(at)?;
                }
                let Some(mut probe) = made else { return Ok(None) };
                probe.set_component(id);
                lists.add_output(probe);
            }
        }
        Ok(Some(lists.outputs.len() - 1))
    }
}

/// True if a recording goes on: the same columns into the same file.
fn records_same(now: &kinds::OutputProbe, before: &kinds::OutputProbe) -> bool {
    now.properties == before.properties
        && now.expressions == before.expressions
        && now.file == before.file
}

/// Place of a probe that feeds among those that do, in the order of the tree; those of code come first.
fn place_of(model: &Model, lists: &ProbeLists<'_>, id: ComponentId) -> usize {
    let all = model.iter::<kinds::InputProbe>().map(|(handle, _)| handle.id());
    let before: BTreeSet<ComponentId> = all.take_while(|it| *it != id).collect();
    let comes_first = |it: Option<ComponentId>| it.is_none_or(|it| before.contains(&it));
    lists.inputs.iter().take_while(|it| comes_first(it.component())).count()
}
