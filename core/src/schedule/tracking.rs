//! Inverse control that a window shows and steers: targets and what was reached, excitations, and the recording of these,
//! which replays the run without the controller. The search itself: `inverse/`.

use super::callback::CallbackError;
use super::{ScheduleError, Scheduler, Simulation};
use crate::Vec3;
use crate::kinds;
use crate::model::{Edit, Model};

/// Name of the probe that replays what was found.
const REPLAY: &str = "found excitations";

/// Inverse control of a run, as [`Scheduler::track`] takes it.
pub trait Tracking: Send {
    /// Records the step that was taken; one at or after the time of now, of which the run was taken back, is dropped.
    ///
    /// # Errors
    /// A target that cannot be read.
    fn follow(&mut self, simulation: &mut Simulation) -> Result<(), CallbackError>;

    /// Targets and excitations of now.
    ///
    /// # Errors
    /// As [`Self::follow`].
    fn status(&mut self, simulation: &mut Simulation) -> Result<TrackingStatus, CallbackError>;

    /// Switches the search for excitations on or off.
    fn switch(&mut self, on: bool);

    /// Sets the weight of a target, by its place.
    ///
    /// # Errors
    /// A place or a weight out of range.
    fn set_weight(&mut self, target: usize, weight: f64) -> Result<(), CallbackError>;

    /// Excitations that were found so far as a probe that feeds them, and the time [s] at which the first of their steps began; `None`
    /// where none were found.
    fn recording(&self, model: &Model) -> Option<(kinds::InputProbe, f64)>;
}

/// Targets and excitations of inverse control at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackingStatus {
    /// True if excitations are looked for.
    pub on: bool,
    /// True if bounds or conditions kept the last step from what is desired.
    pub out_of_reach: bool,
    /// True if the last step left most of what was asked for.
    pub missed: bool,
    /// The targets.
    pub targets: Vec<TrackedTarget>,
    /// The excitations.
    pub excitations: Vec<FoundExcitation>,
    /// Begin and end of what was recorded [s]; `None` where nothing was found yet.
    pub recorded: Option<[f64; 2]>,
    /// Reason for which there is no inverse control though the model asks for it.
    pub fault: Option<String>,
}

/// A target at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackedTarget {
    /// Path of its property.
    pub path: String,
    /// Unit of its numbers.
    pub unit: &'static str,
    /// Weight of its squared error.
    pub weight: f64,
    /// Desired and reached place of a point in the world [m].
    pub places: Option<[Vec3; 2]>,
    /// Distance from what is desired, in `unit`; `None` where nothing is desired.
    pub distance: Option<f64>,
    /// Root mean square of the distances after the steps so far; `None` before the first.
    pub rms: Option<f64>,
}

/// An excitation at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundExcitation {
    /// Path of its property.
    pub path: String,
    /// Value of now [-].
    pub value: f64,
    /// Bounds [-].
    pub bounds: [f64; 2],
}

/// Command to inverse control.
#[derive(Clone, Debug, PartialEq)]
pub enum TrackingEdit {
    /// Looks for excitations from the next step on, or leaves them as they are.
    Switch(bool),
    /// Sets the weight of a target.
    SetWeight {
        /// Its place.
        target: usize,
        /// Its weight, >= 0.
        weight: f64,
    },
    /// Makes what was found the table of an input probe, switches the search off and goes back to where the recording begins.
    Replay,
}

impl Scheduler {
    /// Shows and steers `tracking` from now on, in place of what was there. Its controller was added to the simulation.
    pub fn track(&mut self, tracking: Box<dyn Tracking>) {
        self.tracking = Some(tracking);
    }

    /// Targets and excitations of now, or the reason why they cannot be read; `None` where nothing is tracked.
    pub fn tracking(&mut self) -> Option<TrackingStatus> {
        let Self { tracking, simulation, .. } = self;
        let status = tracking.as_mut()?.status(simulation);
        let fault = |why: CallbackError| Some(why.to_string());
        Some(
            status.unwrap_or_else(|why| TrackingStatus { fault: fault(why), ..Default::default() }),
        )
    }

    /// Records the step that was taken.
    pub(super) fn follow_tracking(&mut self) -> Result<(), ScheduleError> {
        let Self { tracking, simulation, .. } = self;
        let Some(tracking) = tracking else { return Ok(()) };
        tracking.follow(simulation).map_err(ScheduleError::Tracking)
    }

    /// Does something to inverse control, and tells in words what came of it.
    ///
    /// # Errors
    /// [`ScheduleError::Tracking`] where there is none, or nothing was found yet; and as [`Self::edited`] and
    /// [`Self::rewind`].
    pub fn edit_tracking(&mut self, edit: &TrackingEdit) -> Result<Option<String>, ScheduleError> {
        let none = || ScheduleError::Tracking("this model has no inverse control".into());
        let tracking = self.tracking.as_mut().ok_or_else(none)?;
        match *edit {
            TrackingEdit::Switch(on) => tracking.switch(on),
            TrackingEdit::SetWeight { target, weight } => {
                tracking.set_weight(target, weight).map_err(ScheduleError::Tracking)?;
            }
            TrackingEdit::Replay => return self.replay().map(Some),
        }
        Ok(None)
    }

    fn replay(&mut self) -> Result<String, ScheduleError> {
        let parent = self.simulation.main_model();
        let (model, empty) = (self.simulation.model(), "no excitations were found yet: run first");
        let found = self.tracking.as_ref().and_then(|it| it.recording(model));
        let (probe, start) = found.ok_or_else(|| ScheduleError::Tracking(empty.into()))?;
        let old = model.iter::<kinds::InputProbe>().filter(|(_, it)| it.name == REPLAY);
        let old: Vec<_> = old.map(|(handle, _)| handle.id()).collect();
        let mut edits = Vec::new();
        if !old.is_empty() {
            edits.push(Edit::Delete(old));
        }
        edits.push(Edit::add(parent, kinds::InputProbe { name: REPLAY.to_owned(), ..probe }));
        self.edited(|simulation| simulation.edit(Edit::Batch(edits)))?;
        self.tracking.iter_mut().for_each(|it| it.switch(false));
        let back = self.rewind(start)?;
        Ok(format!("the probe '{REPLAY}' feeds what was found; back at t = {back:.4} s"))
    }
}
