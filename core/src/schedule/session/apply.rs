//! Commands, one after the other, between two steps.

use super::building::{Build, Moving};
use super::drag::{self, DragSpring};
use super::worker::{LastSetting, Worker};
use super::{Assignment, Command, CommandError, DragPoint, NoteKind};
use crate::Vec3;
use crate::editing::EditReport;
use crate::model::{Edit, Model};
use crate::property::{PropertyError, Setting, Value};
use crate::schedule::{Scheduler, SchedulerSettings, Simulation, TrackingEdit};

/// Result of a command: a note for the user, if any.
type Outcome = Result<Option<String>, CommandError>;

impl Worker {
    pub(super) fn apply(&mut self, command: Command, scheduler: &mut Scheduler) {
        self.stale = true;
        match self.attempt(command, scheduler) {
            Ok(None) => {}
            Ok(Some(said)) => self.note(scheduler.time(), NoteKind::Done, said),
            Err(why) => self.note(scheduler.time(), NoteKind::Refused, why.to_string()),
        }
        self.sample(scheduler);
    }

    fn attempt(&mut self, command: Command, scheduler: &mut Scheduler) -> Outcome {
        match command {
            Command::Play => self.play(f64::INFINITY),
            Command::RunUntil(end) if end > scheduler.time() => self.play(end),
            Command::RunUntil(end) => return Err(CommandError::Passed(end)),
            Command::Pause => self.halt(),
            Command::Step => {
                self.halt();
                self.end = f64::INFINITY;
                self.step(scheduler);
            }
            Command::Reset => {
                self.leave(scheduler)?;
                scheduler.reset()?;
            }
            Command::Rewind(time) => {
                self.leave(scheduler)?;
                scheduler.rewind(time)?;
            }
            Command::Keep => {
                let structure = scheduler.simulation().structure();
                self.kept = Some((scheduler.save()?, structure));
            }
            Command::Return => self.go_back(scheduler)?,
            Command::SetStep(step) => {
                let smallest_step =
                    step * scheduler.settings().smallest_step / scheduler.settings().step;
                let settings = SchedulerSettings { step, smallest_step, pace: None };
                scheduler.set_settings(settings)?;
            }
            other => return self.mark(other, scheduler),
        }
        Ok(None)
    }

    /// Commands about the pace and the marks of a run.
    fn mark(&mut self, command: Command, scheduler: &mut Scheduler) -> Outcome {
        match command {
            Command::SetPace(Some(pace)) if !(pace > 0.0 && pace.is_finite()) => {
                return Err(CommandError::Pace(pace));
            }
            Command::SetPace(pace) => (self.status.pace, self.begun) = (pace, None),
            Command::AddWaypoint { time, halts } => {
                let time = time.unwrap_or_else(|| scheduler.time());
                scheduler.add_waypoint(time, halts)?;
                let what = if halts { "breakpoint" } else { "waypoint" };
                return Ok(Some(format!("{what} at t = {time:.4} s")));
            }
            Command::AddWaypoints { interval, end } => {
                let before = scheduler.waypoints().count();
                scheduler.add_waypoints(interval, end)?;
                let added = scheduler.waypoints().count() - before;
                return Ok(Some(format!("{added} waypoints until t = {end} s")));
            }
            Command::RemoveWaypoint(time) => {
                if !scheduler.remove_waypoint(time)? {
                    return Err(CommandError::NoWaypoint(time));
                }
            }
            Command::MoveWaypoint { from, to } => {
                if !scheduler.move_waypoint(from, to)? {
                    return Err(CommandError::NoWaypoint(from));
                }
            }
            other => return self.show_or_save(other, scheduler),
        }
        Ok(None)
    }

    /// Commands about what is shown, sampled and saved.
    fn show_or_save(&mut self, command: Command, scheduler: &mut Scheduler) -> Outcome {
        match command {
            Command::Select(selected) => self.wanted.selected = selected,
            Command::Follow(paths) => self.wanted.followed = paths,
            Command::Record(paths) => self.recorder.paths = paths,
            Command::ColorBy(quantity) => self.wanted.quantity = quantity,
            Command::SaveCheckpoint(path) => {
                self.files.save(scheduler, &path)?;
                return Ok(Some(format!("saved {}", path.display())));
            }
            Command::EditProbe { edit, goes_on } => {
                return Ok(scheduler.edit_probe(&edit, goes_on)?);
            }
            Command::EditTracking(edit) => {
                if edit == TrackingEdit::Replay {
                    self.leave(scheduler)?;
                }
                return Ok(scheduler.edit_tracking(&edit)?);
            }
            Command::EditPanel(edit) => return Ok(Some(scheduler.edit_panel(&edit)?)),
            Command::ExportProbe { probe, file } => {
                scheduler.export_probe(probe, &file)?;
                return Ok(Some(format!("saved {}", file.display())));
            }
            Command::SaveModel(path) => {
                self.release(scheduler)?;
                self.files.save_model(scheduler, &path)?;
                return Ok(Some(format!("saved the model as {}", path.display())));
            }
            // What the worker does itself is done before.
            other => return self.change(other, scheduler),
        }
        Ok(None)
    }

    /// Commands that change the model, in the order of undo and redo.
    fn change(&mut self, command: Command, scheduler: &mut Scheduler) -> Outcome {
        match command {
            Command::Set { assignments, gesture } => self.set(&assignments, gesture, scheduler)?,
            Command::Edit(commands) => {
                self.release(scheduler)?;
                let report = scheduler.apply(&commands)?;
                return Ok(told_of(&report));
            }
            Command::Build(build) => {
                self.release(scheduler)?;
                let report = run(build, scheduler.simulation_mut())?;
                scheduler.follow_probes()?;
                return Ok(told_of(&report));
            }
            Command::Undo => {
                self.release(scheduler)?;
                if !scheduler.undo()? {
                    return Err(CommandError::NothingToUndo);
                }
            }
            Command::Redo => {
                self.release(scheduler)?;
                if !scheduler.redo()? {
                    return Err(CommandError::NothingToRedo);
                }
            }
            other => self.move_by_hand(other, scheduler)?,
        }
        Ok(None)
    }

    /// Commands that drag, push and pin points of a running model.
    fn move_by_hand(
        &mut self,
        command: Command,
        scheduler: &mut Scheduler,
    ) -> Result<(), CommandError> {
        match command {
            Command::Drag { point, target } => self.pull(point, target, scheduler),
            Command::Release => self.release(scheduler),
            Command::Push { point, velocity } => {
                Ok(drag::push(scheduler.simulation_mut(), point, velocity)?)
            }
            Command::Pin { point, fixed: true } => self.pin(point, scheduler),
            Command::Pin { point, fixed: false } => self.unpin(point, scheduler),
            // Done before, or by the worker itself.
            Command::Play
            | Command::RunUntil(_)
            | Command::Pause
            | Command::Step
            | Command::Reset
            | Command::Rewind(_)
            | Command::Keep
            | Command::Return
            | Command::SetStep(_)
            | Command::SetPace(_)
            | Command::AddWaypoint { .. }
            | Command::AddWaypoints { .. }
            | Command::MoveWaypoint { .. }
            | Command::RemoveWaypoint(_)
            | Command::Select(_)
            | Command::Follow(_)
            | Command::Record(_)
            | Command::ColorBy(_)
            | Command::EditProbe { .. }
            | Command::EditPanel(_)
            | Command::EditTracking(_)
            | Command::ExportProbe { .. }
            | Command::SaveCheckpoint(_)
            | Command::SaveModel(_)
            | Command::Set { .. }
            | Command::Edit(_)
            | Command::Build(_)
            | Command::Undo
            | Command::Redo
            | Command::Open { .. }
            | Command::New
            | Command::Reload
            | Command::Quit => Ok(()),
        }
    }

    /// Sets properties. What a gesture sets takes the place of what it set on the same ones before.
    fn set(
        &mut self,
        assignments: &[Assignment],
        gesture: Option<u64>,
        scheduler: &mut Scheduler,
    ) -> Result<(), CommandError> {
        let simulation = scheduler.simulation_mut();
        let edits = assignments.iter().map(|one| edit(simulation.model(), one));
        let edits = edits.collect::<Result<Vec<_>, _>>()?;
        let paths: Vec<String> = assignments.iter().map(|one| one.path.clone()).collect();
        let marks = simulation.history.marks();
        let last = self.last_set.take();
        let goes_on = last.is_some_and(|last| last.goes_on(gesture, &paths, marks));
        if goes_on {
            simulation.undo()?;
        }
        let set = scheduler.edited(|simulation| simulation.edit(Edit::Batch(edits)));
        let simulation = scheduler.simulation_mut();
        if set.is_err() && goes_on {
            simulation.redo()?;
        }
        if set.is_ok() || goes_on {
            let marks = simulation.history.marks();
            self.last_set = gesture.map(|gesture| LastSetting { gesture, paths, marks });
        }
        set?;
        Ok(())
    }

    /// Moves the other end of the spring at a point to `target` [m]; a point without one gets it, and the one before is
    /// released.
    fn pull(
        &mut self,
        point: DragPoint,
        target: Vec3,
        scheduler: &mut Scheduler,
    ) -> Result<(), CommandError> {
        match &self.drag {
            Some(spring) if spring.point == point => {
                spring.move_to(scheduler.simulation_mut(), target)?;
            }
            _ => {
                self.release(scheduler)?;
                self.drag = Some(DragSpring::take(scheduler.simulation_mut(), point, target)?);
            }
        }
        Ok(())
    }

    fn pin(&mut self, point: DragPoint, scheduler: &mut Scheduler) -> Result<(), CommandError> {
        let added = drag::pin(scheduler.simulation_mut(), point)?;
        if let DragPoint::Point(row) = point {
            self.pins.insert(row, added);
        }
        Ok(())
    }

    fn unpin(&mut self, point: DragPoint, scheduler: &mut Scheduler) -> Result<(), CommandError> {
        let DragPoint::Point(row) = point else { return Err(CommandError::NotPinned) };
        let pinned = self.pins.remove(&row).ok_or(CommandError::NotPinned)?;
        let simulation = scheduler.simulation_mut();
        let there = pinned.into_iter().filter(|&id| simulation.model().contains(id)).collect();
        simulation.edit(Edit::Delete(there))?;
        Ok(())
    }

    fn play(&mut self, end: f64) {
        self.end = end;
        self.status.playing = true;
        (self.begun, self.measured) = (None, None);
    }

    /// Goes back to what was kept.
    fn go_back(&mut self, scheduler: &mut Scheduler) -> Result<(), CommandError> {
        self.leave(scheduler)?;
        let structure = scheduler.simulation().structure();
        let kept = self.kept.as_ref().filter(|(_, of)| *of == structure);
        let (place, _) = kept.ok_or(CommandError::NothingKept)?;
        Ok(scheduler.restore(place)?)
    }

    /// Before time jumps.
    fn leave(&mut self, scheduler: &mut Scheduler) -> Result<(), CommandError> {
        self.halt();
        self.release(scheduler)
    }

    fn release(&mut self, scheduler: &mut Scheduler) -> Result<(), CommandError> {
        match self.drag.take() {
            Some(spring) => Ok(spring.release(scheduler.simulation_mut())?),
            None => Ok(()),
        }
    }
}

/// Builds something; bodies go on moving as they did.
fn run(build: Build, simulation: &mut Simulation) -> Result<EditReport, CommandError> {
    simulation.model_mut().main();
    simulation.synchronize()?;
    let commands = build.commands(simulation)?;
    let moving = Moving::of(simulation)?;
    let report = simulation.apply_all(&commands)?;
    moving.restore(simulation)?;
    Ok(report)
}

/// A warning about an edit, or the components that it added or deleted, in words; nothing where it did neither.
fn told_of(report: &EditReport) -> Option<String> {
    let list = |what: &str, paths: &[String]| match paths {
        [] => None,
        [one] => Some(format!("{what} {one}")),
        [first, rest @ ..] => Some(format!("{what} {first} and {} more", rest.len())),
    };
    let warning = report.warnings.first().map(|warning| format!("warning: {warning}"));
    let added = || list("added", &report.added);
    warning.or_else(added).or_else(|| list("deleted", &report.deleted))
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
