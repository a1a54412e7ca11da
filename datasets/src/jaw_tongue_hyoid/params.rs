//! Parameters of the jaw with tongue and hyoid bone.

use super::{Bolus, Contacts, Mandible};
use crate::bones::CELL_SCALES;
use crate::jaw::excitation::{Chewing, Task};
use crate::jaw::joint::Fossa;
use crate::jaw::muscles::Side;
use crate::law::{Law, read_law};
use crate::params::refused;
use crate::tongue::{MOST_RESOLUTION, Manoeuvre};
use crate::{ParamError, Params, Range};

/// Jaw, tongue and hyoid bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JawParams {
    /// Task of the muscles between bones in the first second.
    pub task: Task,
    /// Task of those of the tongue; `None` for a tongue without muscles, of the tissue that this has alone.
    pub tongue: Option<Manoeuvre>,
    /// Side of the food and scales of the excitations.
    pub chewing: Chewing,
    /// Food on that side, of effect in chewing.
    pub bolus: Bolus,
    /// Surface of the skull along which the condyles slide.
    pub fossa: Fossa,
    /// Parts that touch; the teeth are those of the generated head.
    pub contacts: Contacts,
    /// State of the generated mandible; published ones are whole.
    pub mandible: Mandible,
    /// r of the 740 r³ hexahedra of the tongue, 1 to 8; 0 for 228.
    pub resolution: usize,
    /// Law of the tongue.
    pub law: Law,
    /// Edges of the bones' surfaces over the default ones [-], [`CELL_SCALES`].
    pub cell: f64,
    /// Gravity along -z [m/s²].
    pub gravity: f64,
}

impl Default for JawParams {
    fn default() -> Self {
        Self {
            task: Task::Open,
            tongue: Some(Manoeuvre::Rest),
            chewing: Chewing::default(),
            bolus: Bolus::None,
            fossa: Fossa::default(),
            contacts: Contacts::default(),
            mandible: Mandible::Whole,
            resolution: 0,
            law: Law::MooneyRivlin,
            cell: 1.0,
            gravity: 9.8,
        }
    }
}

/// The names of `task=` that are none of the tongue's.
const TASKS: [(&str, Task); 6] = [
    ("open", Task::Open),
    ("chew", Task::Chew),
    ("protrude", Task::Protrude),
    ("laterotrude", Task::Laterotrude),
    ("clench", Task::Clench),
    ("rest", Task::Rest),
];
/// The names of `fossa=`.
const FOSSAE: &[(&str, Fossa)] = &[("planes", Fossa::Planes), ("curved", Fossa::Curved)];
/// The names of `tongue=`: whether it has muscles.
const TONGUES: &[(&str, bool)] = &[("muscles", true), ("passive", false)];
/// The names of `side=`.
const SIDES: &[(&str, Side)] = &[("left", Side::Left), ("right", Side::Right)];

/// The names of `task=`: what the muscles between bones do, and those of the tongue.
fn tasks() -> Vec<(&'static str, (Task, Manoeuvre))> {
    let of_jaw = TASKS.map(|(name, task)| (name, (task, Manoeuvre::Rest)));
    let both = [("press", (Task::Press, Manoeuvre::Press))];
    let of_tongue = Manoeuvre::NAMED.into_iter().filter(|(_, task)| *task != Manoeuvre::Rest);
    let of_tongue = of_tongue.map(|(name, task)| (name, (Task::Rest, task)));
    of_jaw.into_iter().chain(both).chain(of_tongue).collect()
}

/// Scales of the excitations of opening and closing that a task has unless told otherwise [-]: in chewing those at which the incisor
/// goes as far down as in the published cycle.
fn levels(task: Task, fossa: Fossa) -> [f64; 2] {
    match (task, fossa) {
        (Task::Chew, Fossa::Planes) => [4.0, 1.2],
        (Task::Chew, Fossa::Curved) => [3.5, 1.2],
        _ => [1.0; 2],
    }
}

impl JawParams {
    /// Reads the parameters of [`BUILTIN`](super::BUILTIN).
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let (task, manoeuvre) = params.choice("task", (default.task, Manoeuvre::Rest), &tasks())?;
        let fossa = params.choice("fossa", default.fossa, FOSSAE)?;
        let [opening, closing] = levels(task, fossa);
        let chewing = Chewing {
            working: params.choice("side", default.chewing.working, SIDES)?,
            opening: params.f64("opening", opening, Range::NOT_NEGATIVE)?,
            closing: params.f64("closing", closing, Range::NOT_NEGATIVE)?,
        };
        let muscular = params.choice("tongue", true, TONGUES)?;
        if !muscular && manoeuvre != Manoeuvre::Rest {
            return Err(refused("tongue", "passive", "muscles, which the task excites"));
        }
        let jaw = Self {
            task,
            tongue: muscular.then_some(manoeuvre),
            chewing,
            bolus: params.choice("bolus", default.bolus, &Bolus::NAMED)?,
            fossa,
            contacts: params.choice("contact", default.contacts, &Contacts::NAMED)?,
            mandible: params.choice("mandible", default.mandible, &Mandible::NAMED)?,
            resolution: params.usize("resolution", default.resolution, [0, MOST_RESOLUTION])?,
            law: read_law(params, "mat", default.law)?,
            cell: params.f64(
                "cell",
                default.cell,
                Range::Closed(CELL_SCALES[0], CELL_SCALES[1]),
            )?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        jaw.check_bolus()?;
        Ok(jaw)
    }

    /// Food is chewed, between teeth that are there.
    fn check_bolus(&self) -> Result<(), ParamError> {
        if self.bolus == Bolus::None {
            return Ok(());
        }
        if self.task != Task::Chew {
            return Err(refused("bolus", "soft or firm", "none, unless task=chew"));
        }
        if self.mandible != Mandible::Whole && self.chewing.working == Side::Left {
            return Err(refused(
                "bolus",
                "soft or firm",
                "none on the left, where the mandible was removed",
            ));
        }
        Ok(())
    }
}
