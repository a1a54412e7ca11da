//! Excitations of one unilateral chewing cycle: a burst of the openers, then of the closers, earlier on
//! the working side. Own smooth pulses with the order, timing and levels of the published cycle (key
//! Hannam2008), not its curves.

use super::muscles::{MuscleRecord, Side, muscles};

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

/// A smooth burst: 0 until `start`, `peak` from `start + rise` until `end - fall`, 0 from `end` [s].
#[derive(Clone, Copy, Debug)]
struct Burst {
    start: f64,
    rise: f64,
    fall: f64,
    end: f64,
    peak: f64,
}

impl Burst {
    fn at(&self, time: f64) -> f64 {
        let up = smooth_step((time - self.start) / self.rise);
        let down = smooth_step((self.end - time) / self.fall);
        self.peak * up.min(down)
    }
}

fn smooth_step(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

impl Chewing {
    /// The table of each muscle, in the order of [`muscles`]: zero at both ends, in [0, 1].
    pub fn tables(&self) -> Vec<ExcitationTable> {
        muscles().iter().map(|muscle| self.table(muscle)).collect()
    }

    fn table(&self, muscle: &MuscleRecord) -> ExcitationTable {
        let scale = if muscle.group.closes() { self.closing } else { self.opening };
        let burst = burst_of(muscle.code, muscle.side == self.working);
        let rows = (0..ROWS).map(|row| {
            let time = CYCLE * row as f64 / (ROWS - 1) as f64;
            [time, (scale * burst.at(time)).clamp(0.0, 1.0)]
        });
        ExcitationTable { muscle: muscle.name.clone(), rows: rows.collect() }
    }
}

/// The burst of a muscle. On the working side the closers start and peak earlier, so that the jaw
/// swings back to the middle; the opposite (balancing) lateral pterygoid lasts longer and swings the
/// jaw to the working side.
fn burst_of(code: &str, working: bool) -> Burst {
    let (start, end, peak) = match (code, working) {
        ("ad" | "gh", _) => (0.02, 0.42, 0.09),
        ("am" | "pm", _) => (0.02, 0.40, 0.08),
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
