//! The times at which a run saves itself: those of the waypoints of its model, which they follow as these are edited, and
//! those that events set.

use std::collections::BTreeMap;

use super::scheduler::ROUNDING;
use super::waypoint::Mark;
use super::{ScheduleError, Scheduler};
use crate::component::{ComponentId, Kind};
use crate::kinds;
use crate::model::Edit;

/// More waypoints than this at once are a slip of the keyboard.
const MOST_WAYPOINTS: usize = 100_000;

impl Scheduler {
    /// Follows the waypoints of the model as they were edited since the last look. One whose time is another has no state.
    pub(super) fn follow_waypoints(&mut self) {
        let Self { simulation, marks, marked, .. } = self;
        let (model, now) = (&simulation.model, simulation.model.log.now());
        let seen = marked.replace(now);
        if seen == Some(now) {
            return;
        }
        let mut changes = seen.and_then(|seen| model.log.since(seen));
        let is_one = |id: ComponentId| id.kind() == Kind::Waypoint;
        if changes.as_mut().is_some_and(|all| !all.any(|change| is_one(change.id))) {
            return;
        }
        let (known, others): (Vec<_>, Vec<_>) =
            marks.drain(..).partition(|mark| mark.component.is_some());
        let mut known: BTreeMap<_, _> = known.into_iter().map(|it| (it.component, it)).collect();
        *marks = others;
        for (handle, &kinds::Waypoint { time, breakpoint: halts, .. }) in model.iter() {
            let component = Some(handle.id());
            let before = known.remove(&component).filter(|mark| mark.time == time);
            let saved = before.and_then(|mark| mark.saved);
            marks.push(Mark { time, halts, component, saved });
        }
        marks.sort_by(|a, b| a.time.total_cmp(&b.time));
    }

    /// Adds a waypoint to the model, an edit that can be undone: the run is saved when its `time` [s] is reached, which is
    /// now or later; a breakpoint halts the run too. One that is there at this time becomes a breakpoint.
    ///
    /// # Errors
    /// [`ScheduleError::Passed`]; as [`Self::save`] where the time is now.
    pub fn add_waypoint(&mut self, time: f64, halts: bool) -> Result<(), ScheduleError> {
        self.put_waypoints(&[time], halts)
    }

    /// Waypoints every `interval` [s] until `end` [s], as one edit.
    ///
    /// # Errors
    /// As [`Self::add_waypoint`]; [`ScheduleError::Waypoints`] where they are too many.
    pub fn add_waypoints(&mut self, interval: f64, end: f64) -> Result<(), ScheduleError> {
        let first = (self.time() / interval - ROUNDING).ceil().max(1.0);
        let count = (end / interval + ROUNDING).floor() - first + 1.0;
        if !(interval > 0.0 && count <= MOST_WAYPOINTS as f64) {
            return Err(ScheduleError::Waypoints { interval, end });
        }
        let count = count.max(0.0) as usize;
        let times: Vec<f64> = (0..count).map(|k| (first + k as f64) * interval).collect();
        self.put_waypoints(&times, false)
    }

    /// Sets the time [s] of the waypoint at `from` [s], an edit that can be undone; `false` when there is none.
    ///
    /// # Errors
    /// [`ScheduleError::Passed`].
    pub fn move_waypoint(&mut self, from: f64, to: f64) -> Result<bool, ScheduleError> {
        self.follow_waypoints();
        self.check_ahead(to)?;
        let Some(component) = self.marks_at(from).find_map(|mark| mark.component) else {
            return Ok(false);
        };
        let property = self.simulation.model.property_of(component, "time")?;
        self.edited(|simulation| simulation.edit(Edit::set(property, to)))?;
        self.save_marks()?;
        Ok(true)
    }

    /// Deletes the waypoint at `time` [s], an edit that can be undone; `false` when there is none.
    ///
    /// # Errors
    /// As [`Self::edited`].
    pub fn remove_waypoint(&mut self, time: f64) -> Result<bool, ScheduleError> {
        self.follow_waypoints();
        let ids: Vec<ComponentId> = self.marks_at(time).filter_map(|mark| mark.component).collect();
        let (slack, before) = (self.slack(), self.marks.len());
        self.marks.retain(|mark| mark.component.is_some() || (mark.time - time).abs() > slack);
        if ids.is_empty() {
            return Ok(self.marks.len() < before);
        }
        self.edited(|simulation| simulation.edit(Edit::Delete(ids)))?;
        Ok(true)
    }

    /// Times [s] of the waypoints, whether they halt, and whether they were saved and still fit the model.
    pub fn waypoints(&self) -> impl Iterator<Item = (f64, bool, bool)> {
        let now = self.simulation().structure();
        let saved = move |mark: &Mark| mark.saved.as_ref().is_some_and(|(_, of)| *of == now);
        self.marks.iter().map(move |mark| (mark.time, mark.halts, saved(mark)))
    }

    fn put_waypoints(&mut self, times: &[f64], halts: bool) -> Result<(), ScheduleError> {
        self.follow_waypoints();
        let parent = self.simulation.main_model();
        let mut edits = Vec::new();
        for &time in times {
            self.check_ahead(time)?;
            match self.marks_at(time).find_map(|mark| Some((mark.component?, mark.halts))) {
                Some((component, false)) if halts => {
                    let property = self.simulation.model.property_of(component, "breakpoint")?;
                    edits.push(Edit::set(property, true));
                }
                Some(_) => {}
                None => edits.push(Edit::add(parent, kinds::Waypoint::new(time, halts))),
            }
        }
        if !edits.is_empty() {
            self.edited(|simulation| simulation.edit(Edit::Batch(edits)))?;
        }
        self.save_marks()
    }

    /// Marks the time of now for the run itself, which is not part of the model.
    pub(super) fn mark_now(&mut self, halts: bool) {
        let (time, slack) = (self.time(), self.slack());
        let own = |mark: &&mut Mark| mark.component.is_none() && (mark.time - time).abs() <= slack;
        match self.marks.iter_mut().find(own) {
            Some(mark) => mark.halts |= halts,
            None => {
                let at = self.marks.partition_point(|mark| mark.time < time);
                self.marks.insert(at, Mark { time, halts, component: None, saved: None });
            }
        }
    }

    /// Saves the waypoints of now, anew where a run passes them again.
    pub(super) fn save_marks(&mut self) -> Result<(), ScheduleError> {
        let (time, slack) = (self.time(), self.slack());
        let is_now = |mark: &Mark| (mark.time - time).abs() <= slack;
        if !self.marks.iter().any(is_now) {
            return Ok(());
        }
        let waypoint = self.save()?;
        let structure = self.simulation().structure();
        for mark in self.marks.iter_mut().filter(|mark| is_now(mark)) {
            mark.saved = Some((waypoint.clone(), structure));
        }
        Ok(())
    }

    /// Saves the waypoints of now that were not saved yet.
    pub(super) fn save_new_marks(&mut self) -> Result<(), ScheduleError> {
        let is_new = self.marks_at(self.time()).any(|mark| mark.saved.is_none());
        if is_new { self.save_marks() } else { Ok(()) }
    }

    /// True if there is a breakpoint here.
    pub(super) fn halts_here(&self) -> bool {
        self.marks_at(self.time()).any(|mark| mark.halts)
    }

    fn marks_at(&self, time: f64) -> impl Iterator<Item = &Mark> {
        let slack = self.slack();
        self.marks.iter().filter(move |mark| (mark.time - time).abs() <= slack)
    }

    /// Difference below which two times are one [s].
    fn slack(&self) -> f64 {
        ROUNDING * self.settings().step
    }

    fn check_ahead(&self, time: f64) -> Result<(), ScheduleError> {
        match time.is_finite() && time >= self.time() - self.slack() {
            true => Ok(()),
            false => Err(ScheduleError::Passed { time, now: self.time() }),
        }
    }
}
