//! Excitations over one second: a unilateral chewing cycle, wide opening and closing, protrusion, laterotrusion, clenching. A burst of the
//! openers, then of the closers. Own smooth pulses; those of chewing have the order, timing and levels of
//! the published cycle (key Hannam2008), not its curves.

use super::joint::Fossa;
use super::muscles::{MuscleGroup, MuscleRecord, Side, muscles};
use crate::interpolation::smooth_step;

/// Duration of the tables [s].
pub const CYCLE: f64 = 1.0;

/// Rows of a table; they lie 10 ms apart.
const ROWS: usize = 101;

/// One chewing cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chewing {
    /// The side of the food.
    pub working: Side,
    /// Scale of the opening bursts [-].
    pub opening: f64,
    /// Scale of the closing bursts [-].
    pub closing: f64,
}

impl Default for Chewing {
    fn default() -> Self {
        Self { working: Side::Right, opening: 1.0, closing: 1.0 }
    }
}

/// Excitation of one muscle over time.
#[derive(Clone, Debug, PartialEq)]
pub struct ExcitationTable {
    /// The muscle's name, with its side.
    pub muscle: String,
    /// Time [s] and excitation [-], times ascending from 0 to [`CYCLE`].
    pub rows: Vec<[f64; 2]>,
}

/// A smooth burst: 0 until `start`, `peak` from `start + rise` until `end - fall`, 0 from `end`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Burst {
    /// Start [s].
    pub start: f64,
    /// Duration of its rise [s].
    pub rise: f64,
    /// Duration of its fall [s].
    pub fall: f64,
    /// End [s].
    pub end: f64,
    /// Excitation in between [-].
    pub peak: f64,
}

impl Burst {
    /// Excitation at a time [s].
    pub fn at(&self, time: f64) -> f64 {
        self.peak * self.share(time)
    }

    /// Excitation over its peak at a time [s].
    fn share(&self, time: f64) -> f64 {
        let up = smooth_step((time - self.start) / self.rise);
        let down = smooth_step((self.end - time) / self.fall);
        up.min(down)
    }

    /// Rows of time [s] and share of the peak [-] over the [`CYCLE`].
    pub fn rows(&self) -> Vec<[f64; 2]> {
        times().map(|time| [time, self.share(time)]).collect()
    }
}

fn times() -> impl Iterator<Item = f64> {
    (0..ROWS).map(|row| CYCLE * row as f64 / (ROWS - 1) as f64)
}

impl Chewing {
    /// The table of each muscle, in the order of [`muscles`]: zero at both ends, in [0, 1].
    pub fn tables(&self) -> Vec<ExcitationTable> {
        muscles().iter().map(|muscle| self.table(muscle)).collect()
    }

    fn table(&self, muscle: &MuscleRecord) -> ExcitationTable {
        let scale = if muscle.group.closes() { self.closing } else { self.opening };
        let burst = chewing_burst(muscle.code, muscle.side == self.working);
        let rows = times().map(|time| [time, (scale * burst.at(time)).clamp(0.0, 1.0)]);
        ExcitationTable { muscle: muscle.name.clone(), rows: rows.collect() }
    }
}

/// The burst of a muscle. On the working side the closers start and peak earlier, so that the jaw
/// swings back to the middle; the opposite (balancing) lateral pterygoid lasts longer and swings the
/// jaw to the working side.
fn chewing_burst(code: &str, working: bool) -> Burst {
    let (start, end, peak) = match (code, working) {
        ("ad" | "gh", _) => (0.02, 0.42, 0.09),
        ("am" | "pm", _) => (0.02, 0.42, 0.08),
        ("pd", _) => (0.04, 0.44, 0.08),
        ("sh", _) => (0.04, 0.44, 0.04),
        ("th" | "steh" | "oh", _) => (0.00, 0.46, 0.06),
        ("ip", true) => (0.04, 0.36, 0.08),
        ("ip", false) => (0.04, 0.50, 0.12),
        // The upper head works with the closers and steadies the condyle on its way back.
        ("sp", true) => (0.40, 0.84, 0.08),
        ("sp", false) => (0.44, 0.86, 0.06),
        ("at", true) => (0.42, 0.82, 0.16),
        ("mt" | "pt", true) => (0.42, 0.82, 0.14),
        ("sm" | "dm", true) => (0.46, 0.84, 0.16),
        ("mp", true) => (0.46, 0.84, 0.14),
        ("at" | "mt" | "pt", _) => (0.48, 0.84, 0.12),
        ("mp", _) => (0.42, 0.82, 0.14),
        _ => (0.46, 0.84, 0.12),
    };
    Burst { start, rise: 0.14, fall: 0.18, end, peak }
}

/// The burst of a muscle when the mouth opens wide and closes, the same on both sides. The levels are those
/// at which the bones, moved against their damping, open by some 40 mm (docs/theory/anatomy.md).
fn opening_burst(code: &str) -> Burst {
    let (start, end, peak) = match code {
        "ad" | "gh" => (0.00, 0.50, 0.90),
        "am" | "pm" => (0.00, 0.50, 0.70),
        "pd" => (0.00, 0.50, 0.70),
        "sh" => (0.00, 0.50, 0.40),
        "th" | "steh" | "oh" => (0.00, 0.50, 0.80),
        "ip" => (0.00, 0.58, 0.80),
        "sp" => (0.46, 0.90, 0.10),
        _ => (0.46, 0.94, 0.40),
    };
    Burst { start, rise: 0.14, fall: 0.18, end, peak }
}

/// The burst of a muscle when the jaw slides forward with the teeth just apart, and back; none where the task does not need it.
fn protrusion_burst(code: &str) -> Option<Burst> {
    let (start, end, peak) = match code {
        "ip" => (0.00, 0.62, 0.90),
        "sp" => (0.00, 0.62, 0.20),
        "ad" | "am" | "pm" | "gh" => (0.00, 0.56, 0.10),
        "at" | "mt" | "pt" => (0.52, 0.96, 0.40),
        _ => return None,
    };
    Some(Burst { start, rise: 0.20, fall: 0.18, end, peak })
}

/// The burst of a muscle when the jaw swings to the working side, and back: the lateral pterygoid of the balancing side
/// draws its condyle forward, and the temporal of that side draws it back.
fn laterotrusion_burst(code: &str, working: bool) -> Option<Burst> {
    let (start, end, peak) = match (code, working) {
        ("ip", false) => (0.00, 0.62, 0.70),
        ("ad" | "am" | "pm" | "gh", _) => (0.00, 0.56, 0.10),
        ("at" | "mt" | "pt", true) => (0.00, 0.62, 0.05),
        ("at" | "mt" | "pt", false) => (0.52, 0.96, 0.40),
        _ => return None,
    };
    Some(Burst { start, rise: 0.20, fall: 0.18, end, peak })
}

/// The burst of a closer at its full force; none of other muscles.
fn clenching_burst(code: &str) -> Option<Burst> {
    let closes = matches!(code, "at" | "mt" | "pt" | "sm" | "dm" | "mp");
    closes.then_some(Burst { start: 0.05, rise: 0.20, fall: 0.20, end: 0.95, peak: 1.0 })
}

/// The burst of a muscle that raises the hyoid bone and the floor of the mouth while the closers keep the teeth together; none of other
/// muscles.
fn pressing_burst(code: &str) -> Option<Burst> {
    let peak = match code {
        "am" | "pm" | "pd" | "sh" => 1.00,
        "at" | "mt" | "pt" | "sm" | "dm" | "mp" => 0.50,
        "ad" | "gh" => 0.20,
        _ => return None,
    };
    Some(Burst { start: 0.05, rise: 0.25, fall: 0.20, end: 0.95, peak })
}

/// Tasks of the jaw within one [`CYCLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Nothing: every muscle has its passive force only.
    Rest,
    /// Opens wide and closes.
    Open,
    /// Chews once on one side.
    Chew,
    /// Slides forward and back.
    Protrude,
    /// Swings to one side and back.
    Laterotrude,
    /// Bites with all closers.
    Clench,
    /// Raises the floor of the mouth between closed teeth, so that the tongue presses against the palate.
    Press,
}

impl Task {
    /// The burst of a muscle on the working side or the other; none where the task does not excite it.
    fn burst(self, code: &str, working: bool) -> Option<Burst> {
        match self {
            Self::Rest => None,
            Self::Open => Some(opening_burst(code)),
            Self::Chew => Some(chewing_burst(code, working)),
            Self::Protrude => protrusion_burst(code),
            Self::Laterotrude => laterotrusion_burst(code, working),
            Self::Clench => clenching_burst(code),
            Self::Press => pressing_burst(code),
        }
    }

    /// Excitation of a group over that on planes [-]: the slope of an eminence ends, and the same pull would take the condyles
    /// to the end of their capsules.
    fn on(self, fossa: Fossa, group: MuscleGroup) -> f64 {
        if fossa == Fossa::Planes || group != MuscleGroup::LateralPterygoid {
            return 1.0;
        }
        match self {
            Self::Open => 0.25,
            Self::Protrude => 0.37,
            Self::Laterotrude => 0.64,
            Self::Rest | Self::Chew | Self::Clench | Self::Press => 1.0,
        }
    }
}

/// Muscles that are excited together: those of one group on one side.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// `left_masseter`, `right_floor_of_mouth`, ...
    pub name: String,
    /// The course of the excitation, whose peak is that of the muscle which is excited most; none where the task leaves the group
    /// at rest.
    pub burst: Option<Burst>,
    /// The muscles by name, with their excitation over that of the one excited most [-].
    pub muscles: Vec<(String, f64)>,
}

/// The drives of a task along a fossa, two for each group of muscles; `chewing` has the side and the levels.
pub fn drives(task: Task, fossa: Fossa, chewing: &Chewing) -> Vec<Drive> {
    let of_group = |side, group| drive((task, fossa), chewing, side, group);
    Side::BOTH
        .iter()
        .flat_map(|&side| MuscleGroup::ALL.map(|group| of_group(side, group)))
        .collect()
}

fn drive((task, fossa): (Task, Fossa), chewing: &Chewing, side: Side, group: MuscleGroup) -> Drive {
    let scale = if group.closes() { chewing.closing } else { chewing.opening };
    let scale = scale * task.on(fossa, group);
    let asked = |code: &str| task.burst(code, side == chewing.working);
    let mut members = muscles();
    members.retain(|muscle| muscle.side == side && muscle.group == group);
    let excited = asked(members[0].code);
    // At rest the gains are those of opening, for whoever raises the excitation.
    let peak = |code: &str| asked(code).unwrap_or_else(|| opening_burst(code)).peak;
    let most = members.iter().map(|muscle| peak(muscle.code)).fold(0.0, f64::max);
    let gain = |muscle: &MuscleRecord| (muscle.name.clone(), peak(muscle.code) / most);
    Drive {
        name: format!("{}_{}", side.name(), group.name()),
        burst: excited.map(|burst| Burst { peak: (scale * most).min(1.0), ..burst }),
        muscles: members.iter().map(gain).collect(),
    }
}
