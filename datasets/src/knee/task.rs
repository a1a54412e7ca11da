//! Tasks of the knee: what it is loaded with, and when.

use sinew::model::Schedule;

use crate::course::course;

/// Tasks of the knee within one second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Seated, the quadriceps extends the knee.
    Extend,
    /// The tibia is drawn forward, as an examiner tests the anterior cruciate ligament.
    Drawer,
    /// The shank is pressed against the femur along its axis.
    Press,
    /// Nothing.
    Rest,
}

impl Task {
    /// The names of `task=`.
    pub(super) const NAMED: [(&'static str, Self); 4] = [
        ("extend", Self::Extend),
        ("drawer", Self::Drawer),
        ("press", Self::Press),
        ("rest", Self::Rest),
    ];

    /// Flexion at the start [degrees].
    pub(super) const fn flexion(self) -> f64 {
        match self {
            Self::Extend => 90.0,
            Self::Drawer => 25.0,
            Self::Press | Self::Rest => 0.0,
        }
    }

    /// Force on the shank [N].
    pub(super) const fn load(self) -> f64 {
        match self {
            Self::Drawer => 89.0,
            Self::Press => 1000.0,
            Self::Extend | Self::Rest => 0.0,
        }
    }

    /// Free fall towards the back of the thigh [m/s²]: when seated, the thigh is level.
    pub(super) const fn gravity(self) -> f64 {
        match self {
            Self::Extend => 9.81,
            Self::Drawer | Self::Press | Self::Rest => 0.0,
        }
    }

    /// Greatest excitation of the quadriceps [-].
    pub(super) const fn excitation(self) -> f64 {
        match self {
            Self::Extend => 0.08,
            Self::Drawer | Self::Press | Self::Rest => 0.0,
        }
    }

    /// Course of the excitation.
    pub(super) fn excited(self) -> Schedule {
        match self {
            Self::Extend => course([0.0, 0.6, 1.0, 1.2]),
            Self::Drawer | Self::Press | Self::Rest => Schedule::default(),
        }
    }

    /// Course of the load: rest until ligaments have settled, then a rise; it stays to the end.
    pub(super) fn loaded() -> Schedule {
        course([0.2, 0.6, 1.0, 1.2])
    }
}
