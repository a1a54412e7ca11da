//! Manoeuvres of the tongue in the first second: excitation of each muscle over time. The
//! combinations are those that the anatomy names for each motion; levels were chosen on this mesh.

use sinew::model::Schedule;

use crate::course::{Burst, SUSTAINED, course};

/// Tasks of the tongue in the first second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manoeuvre {
    /// Nothing.
    Rest,
    /// The tip goes forward.
    Protrusion,
    /// The body goes back.
    Retraction,
    /// The body goes forward and up, as for the vowel of "see".
    I,
    /// The body goes down, as for the vowel of "father".
    A,
    /// The tip bends up.
    TipUp,
    /// The body is drawn up, as where the palate is pressed.
    Press,
    /// The tip rises, then the dorsum, then the body goes back: the order of the oral part of a swallow.
    Swallow,
}

/// The tip in a swallow.
const FIRST: Burst = [0.05, 0.2, 0.5, 0.7];
/// The dorsum in a swallow.
const SECOND: Burst = [0.2, 0.4, 0.5, 0.65];
/// The whole body in a swallow.
const THIRD: Burst = [0.5, 0.65, 0.8, 0.95];

impl Manoeuvre {
    /// Names of `task=`.
    pub(crate) const NAMED: [(&str, Self); 8] = [
        ("rest", Self::Rest),
        ("protrusion", Self::Protrusion),
        ("retraction", Self::Retraction),
        ("i", Self::I),
        ("a", Self::A),
        ("tip_up", Self::TipUp),
        ("press", Self::Press),
        ("swallow", Self::Swallow),
    ];

    /// Muscles with their greatest excitations [-] and when they have them.
    fn bursts(self) -> &'static [(&'static str, f64, Burst)] {
        match self {
            Self::Rest => &[],
            Self::Protrusion => {
                &[("GGP", 0.4, SUSTAINED), ("T", 0.2, SUSTAINED), ("V", 0.1, SUSTAINED)]
            }
            Self::Retraction => {
                &[("STY", 0.4, SUSTAINED), ("HG", 0.1, SUSTAINED), ("IL", 0.2, SUSTAINED)]
            }
            Self::I => &[("GGP", 0.4, SUSTAINED), ("STY", 0.1, SUSTAINED), ("MH", 0.2, SUSTAINED)],
            Self::A => &[("HG", 0.2, SUSTAINED), ("GGA", 0.3, SUSTAINED)],
            Self::TipUp => {
                &[("SL", 0.2, SUSTAINED), ("T", 0.1, SUSTAINED), ("GGP", 0.1, SUSTAINED)]
            }
            Self::Press => &[
                ("GGP", 0.6, SUSTAINED),
                ("STY", 0.6, SUSTAINED),
                ("T", 0.35, SUSTAINED),
                ("IL", 0.1, SUSTAINED),
            ],
            Self::Swallow => &[
                ("SL", 0.1, FIRST),
                ("T", 0.1, FIRST),
                ("GGP", 0.3, SECOND),
                ("MH", 0.4, SECOND),
                ("GH", 0.3, SECOND),
                ("STY", 0.4, THIRD),
                ("IL", 0.2, THIRD),
                ("HG", 0.1, THIRD),
            ],
        }
    }

    /// Excitation of a muscle [-] and its course.
    pub(super) fn drive(self, muscle: &str) -> (f64, Schedule) {
        let own = self.bursts().iter().find(|(name, ..)| *name == muscle);
        own.map_or((0.0, Schedule::default()), |(_, level, burst)| (*level, course(*burst)))
    }
}
