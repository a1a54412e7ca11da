//! Systems of units that FEBio Studio names; inside everything is SI.

use crate::xml_tree::Element;

/// Length [m], mass [kg] and time [s] of 1 in a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Units {
    pub(super) length: f64,
    mass: f64,
    pub(super) time: f64,
}

/// Dimension of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dimension {
    One,
    Degree,
    Stress,
    Density,
    Length,
    Force,
    Moment,
    Acceleration,
}

/// Names of the systems.
pub(super) const NAMES: [&str; 7] =
    ["SI", "mm-N-s", "mm-kg-s", "um-nN-s", "CGS", "mm-g-s", "mm-mg-s"];

impl Units {
    pub(super) const SI: Self = Self { length: 1.0, mass: 1.0, time: 1.0 };

    /// The system of that name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let of = |length, mass| Some(Self { length, mass, time: 1.0 });
        match name.trim() {
            "SI" => Some(Self::SI),
            // A newton moves a tonne at 1 mm/s², a nanonewton a gram at 1 um/s².
            "mm-N-s" => of(1e-3, 1e3),
            "mm-kg-s" => of(1e-3, 1.0),
            "um-nN-s" => of(1e-6, 1e-3),
            "CGS" => of(1e-2, 1e-3),
            "mm-g-s" => of(1e-3, 1e-3),
            "mm-mg-s" => of(1e-3, 1e-6),
            _ => None,
        }
    }

    /// SI units in one of a dimension.
    pub(super) fn factor(&self, dimension: Dimension) -> f64 {
        let Self { length, mass, time } = *self;
        match dimension {
            Dimension::One => 1.0,
            Dimension::Degree => 1_f64.to_radians(),
            Dimension::Stress => mass / (length * time * time),
            Dimension::Density => mass / (length * length * length),
            Dimension::Length => length,
            Dimension::Force => mass * length / (time * time),
            Dimension::Moment => mass * length * length / (time * time),
            Dimension::Acceleration => length / (time * time),
        }
    }
}

/// The element that names the units of a document.
pub(super) fn named(root: &Element) -> Option<&Element> {
    root.child("Module")?.child("units").filter(|it| !it.text.is_empty())
}
