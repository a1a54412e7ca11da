//! Commands, one after the other, between two steps.

use std::time::{Duration, Instant};

use super::grip::{self, Hold, text};
use super::worker::Worker;
use super::{Assignment, Command, Grip, NoteKind};
use crate::component::Edit;
use crate::model::Model;
use crate::property::{PropertyError, Setting, Value};
use crate::schedule::{Scheduler, SchedulerSettings};

/// Longest pause between two settings that are one edit.
const PAUSE: Duration = Duration::from_secs(1);

/// What a command led to: a note for the user, if any.
type Outcome = Result<Option<String>, String>;

impl Worker {
    pub(super) fn obey(&mut self, command: Command, scheduler: &mut Scheduler) {
        self.stale = true;
        let looks = matches!(
            command,
            Command::Set(_) | Command::Select(_) | Command::Follow(_) | Command::ColorBy(_)
        );
        if !looks {
            self.last_set = None;
        }
        match self.attempt(command, scheduler) {
            Ok(None) => {}
            Ok(Some(said)) => self.note(scheduler.time(), NoteKind::Done, said),
            Err(why) => self.note(scheduler.time(), NoteKind::Refused, why),
        }
    }

    fn attempt(&mut self, command: Command, scheduler: &mut Scheduler) -> Outcome {
        match command {
            Command::Play => self.play(f64::INFINITY),
            Command::RunUntil(end) if end > scheduler.time() => self.play(end),
            Command::RunUntil(end) => {
                return Err(format!("t = {end} s has passed: go back first"));
            }
            Command::Pause => self.halt(),
            Command::Step => {
                self.halt();
                self.end = f64::INFINITY;
                self.step(scheduler);
            }
            Command::Reset => {
                self.leave(scheduler)?;
                scheduler.reset().map_err(text)?;
            }
            Command::Rewind(time) => {
                self.leave(scheduler)?;
                scheduler.rewind(time).map_err(text)?;
            }
            Command::SetStep(step) => {
                let smallest_step =
                    step * scheduler.settings().smallest_step / scheduler.settings().step;
                let settings = SchedulerSettings { step, smallest_step, pace: None };
                scheduler.set_settings(settings).map_err(text)?;
            }
            Command::SetPace(Some(pace)) if !(pace > 0.0 && pace.is_finite()) => {
                return Err(format!("a pace of {pace} is none: it is to be positive"));
            }
            Command::SetPace(pace) => (self.status.pace, self.begun) = (pace, None),
            Command::AddWaypoint { time, halts } => {
                let time = time.unwrap_or_else(|| scheduler.time());
                scheduler.add_waypoint(time, halts).map_err(text)?;
            }
            Command::RemoveWaypoint(time) => {
                if !scheduler.remove_waypoint(time) {
                    return Err(format!("there is no waypoint at t = {time} s"));
                }
            }
            Command::Select(selected) => self.wanted.selected = selected,
            Command::Follow(paths) => self.wanted.followed = paths,
            Command::ColorBy(quantity) => self.wanted.quantity = quantity,
            Command::SaveCheckpoint(path) => {
                self.files.save(scheduler, &path)?;
                return Ok(Some(format!("saved {}", path.display())));
            }
            other => return self.change(other, scheduler),
        }
        Ok(None)
    }

    /// Commands that change the model or its state by hand.
    fn change(&mut self, command: Command, scheduler: &mut Scheduler) -> Outcome {
        let simulation = scheduler.simulation_mut();
        match command {
            Command::Set(assignments) => self.set(&assignments, scheduler)?,
            Command::Undo | Command::Redo => {
                self.release(scheduler)?;
                let simulation = scheduler.simulation_mut();
                let (done, none) = match command {
                    Command::Undo => (simulation.undo(), "there is nothing to undo"),
                    _ => (simulation.redo(), "there is nothing to do again"),
                };
                if !done.map_err(text)? {
                    return Err(none.to_owned());
                }
            }
            Command::Grab { grip, target } => match &self.hold {
                Some(hold) if hold.grip == grip => {
                    hold.lead(simulation, target).map_err(text)?;
                }
                _ => {
                    self.release(scheduler)?;
                    let simulation = scheduler.simulation_mut();
                    self.hold = Some(Hold::take(simulation, grip, target)?);
                }
            },
            Command::Release => self.release(scheduler)?,
            Command::Push { grip, velocity } => {
                grip::push(simulation, grip, velocity)?;
            }
            Command::Pin { grip, held: true } => {
                let added = grip::pin(simulation, grip)?;
                if let Grip::Point(row) = grip {
                    self.pins.insert(row, added);
                }
            }
            Command::Pin { grip, held: false } => self.unpin(grip, scheduler)?,
            _ => {}
        }
        Ok(None)
    }

    /// Sets properties. What follows on the same ones without a pause takes the place of the edit before.
    fn set(&mut self, assignments: &[Assignment], scheduler: &mut Scheduler) -> Result<(), String> {
        let simulation = scheduler.simulation_mut();
        let edits = assignments.iter().map(|one| edit(simulation.model(), one));
        let edits = edits.collect::<Result<Vec<_>, _>>().map_err(text)?;
        let paths: Vec<String> = assignments.iter().map(|one| one.path.clone()).collect();
        let goes_on = self
            .last_set
            .as_ref()
            .is_some_and(|(last, when)| *last == paths && when.elapsed() < PAUSE);
        if goes_on {
            simulation.undo().map_err(text)?;
        }
        let set = simulation.edit(Edit::Batch(edits)).map_err(text);
        if set.is_err() && goes_on {
            simulation.redo().map_err(text)?;
        }
        self.last_set = Some((paths, Instant::now()));
        set.map(|_| ())
    }

    fn unpin(&mut self, grip: Grip, scheduler: &mut Scheduler) -> Result<(), String> {
        let Grip::Point(row) = grip else { return Err("it is not pinned".to_owned()) };
        let pinned = self.pins.remove(&row).ok_or("it is not pinned")?;
        let simulation = scheduler.simulation_mut();
        let there = pinned.into_iter().filter(|&id| simulation.model().contains(id)).collect();
        simulation.edit(Edit::Delete(there)).map(|_| ()).map_err(text)
    }

    fn play(&mut self, end: f64) {
        self.end = end;
        self.status.playing = true;
        (self.begun, self.measured) = (None, None);
    }

    /// Before time jumps.
    fn leave(&mut self, scheduler: &mut Scheduler) -> Result<(), String> {
        self.halt();
        self.release(scheduler)
    }

    fn release(&mut self, scheduler: &mut Scheduler) -> Result<(), String> {
        match self.hold.take() {
            Some(hold) => hold.release(scheduler.simulation_mut()).map_err(text),
            None => Ok(()),
        }
    }
}

fn edit(model: &Model, one: &Assignment) -> Result<Edit, PropertyError> {
    let property = model.property(&one.path)?;
    let setting = match &one.value {
        None => Setting::Inherited,
        Some(given) => {
            let value = Value::parse(property.info().value_type, given);
            let wrong = || model.type_error(&property, &Value::Text(given.clone()));
            Setting::Explicit(value.ok_or_else(wrong)?)
        }
    };
    Ok(Edit::Set { property, setting })
}
