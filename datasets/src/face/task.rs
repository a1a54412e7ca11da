//! Tasks of the face in the first second: excitation of each muscle over time. The combinations are those that anatomy names for
//! each expression; levels were chosen on this mesh.

use sinew::model::Schedule;

use crate::course::{Burst, SUSTAINED, course};

/// Tasks of the face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Nothing.
    Rest,
    /// The corners of the mouth go up and out.
    Smile,
    /// The lips close, narrow and go forward.
    Pucker,
    /// The brows go down and together, the corners of the mouth down.
    Frown,
    /// The lids close and open.
    Blink,
}

/// A blink of a third of a second: closes within 0.1 s, opens within 0.17 s.
const BLINK: Burst = [0.1, 0.2, 0.24, 0.42];

impl Task {
    /// Names of `task=`.
    pub(super) const NAMED: [(&str, Self); 5] = [
        ("rest", Self::Rest),
        ("smile", Self::Smile),
        ("pucker", Self::Pucker),
        ("frown", Self::Frown),
        ("blink", Self::Blink),
    ];

    /// Time of its muscles.
    fn burst(self) -> Burst {
        match self {
            Self::Blink => BLINK,
            Self::Rest | Self::Smile | Self::Pucker | Self::Frown => SUSTAINED,
        }
    }

    /// Muscles with their greatest excitations [-].
    fn levels(self) -> &'static [(&'static str, f64)] {
        match self {
            Self::Rest => &[],
            Self::Smile => &[
                ("zygomaticus_major", 1.0),
                ("zygomaticus_minor", 0.3),
                ("levator_labii", 0.1),
                ("risorius", 0.5),
                ("orbicularis_oculi", 0.1),
            ],
            Self::Pucker => {
                &[("orbicularis_oris", 0.8), ("orbicularis_oris_inferior", 0.8), ("mentalis", 0.3)]
            }
            Self::Frown => &[
                ("corrugator", 0.8),
                ("depressor_anguli_oris", 0.6),
                ("mentalis", 0.3),
                ("platysma", 0.2),
            ],
            Self::Blink => &[("orbicularis_oculi", 1.0)],
        }
    }

    /// Excitation of a muscle [-] and its course.
    pub(super) fn drive(self, muscle: &str) -> (f64, Schedule) {
        let own = self.levels().iter().find(|(name, _)| *name == muscle);
        own.map_or((0.0, Schedule::default()), |(_, level)| (*level, course(self.burst())))
    }
}
