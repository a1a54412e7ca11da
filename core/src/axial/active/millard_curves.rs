//! The curves of Millard's muscle: the published quintic Bezier ones, with OpenSim's default
//! shapes, and ArtiSynth's cubic Hermite ones through nearly the same nodes.

use super::super::constants::choice;
use super::super::curve::{Node, bezier, bezier_integral, bezier_node, hermite, hermite_integral};

choice! {
    /// Interpolation of the curves between nodes.
    CurveShape {
        /// Quintic Bezier elbows (Millard2013).
        QuinticBezier = "quintic_bezier",
        /// Cubic Hermite pieces, as in ArtiSynth.
        CubicHermite = "cubic_hermite",
    }
}

/// The curves with the constants of their shapes. Curves give [value, slope].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MillardCurves {
    /// Form of the curves.
    pub shape: CurveShape,
    /// Active force of a fibre too short or too long for any [-].
    pub least_active_force: f64,
    /// Strain of the fibre at a passive force of 1 [-].
    pub muscle_strain: f64,
    /// Strain of the tendon at a force of 1 [-].
    pub tendon_strain: f64,
}

impl Default for MillardCurves {
    fn default() -> Self {
        let (least_active_force, muscle_strain, tendon_strain) = (0.0, 0.7, 0.049);
        Self { shape: CurveShape::QuinticBezier, least_active_force, muscle_strain, tendon_strain }
    }
}

/// Fibre over optimal length at which active force begins, at which its slope falls, and at which
/// it ends [-].
const SHORTEST: f64 = 0.4441;
const TRANSITION: f64 = 0.73;
const LONGEST: f64 = 1.8123;
/// Slope of the shallow ascending limb.
const SHALLOW: f64 = 0.8616;
/// Half the width of the plateau.
const PLATEAU: f64 = 0.05;
const ACTIVE_CURVINESS: f64 = 1.0;
const PASSIVE_CURVINESS: f64 = 0.75;
const TENDON_CURVINESS: f64 = 0.5;
const CONCENTRIC_CURVINESS: f64 = 0.6;
const ECCENTRIC_CURVINESS: f64 = 0.9;
/// Force of the tendon where its toe ends.
const TOE_FORCE: f64 = 2.0 / 3.0;

/// Slopes 0 at the fastest rates, 0.25 and 0.15 near them, 5 at rest; 1.4 when stretched fast.
const CONCENTRIC: [Node; 3] = [[-1.0, 0.0, 0.0], [-0.9, 0.0125, 0.25], [0.0, 1.0, 5.0]];
const ECCENTRIC: [Node; 3] = [[0.0, 1.0, 5.0], [0.9, 1.3925, 0.15], [1.0, 1.4, 0.0]];

/// ArtiSynth's: slopes of 0.01 at the fastest rates, and two nodes that take out inflections.
const VELOCITY_HERMITE: [Node; 7] = [
    [-1.0, 0.0, 0.01],
    [-0.9, 0.013, 0.25],
    [-0.320_842_105_263_157_9, 0.262_971_772_730_070_9, 0.794_837_426_900_585_1],
    [0.0, 1.0, 5.0],
    [0.105_979_381_443_298_94, 1.206_217_702_742_361_7, 0.401_929_998_727_250_2],
    [0.9, 1.392, 0.15],
    [1.0, 1.4, 0.01],
];

/// Parameter of ArtiSynth's additional node on each elbow of the passive curve: of 20 parameters,
/// that at which the cubic would be furthest from the elbow of the default shape.
const PASSIVE_HERMITE: f64 = 11.0 / 21.0;

impl MillardCurves {
    /// Active force by the length of the fibre over the optimal one.
    pub fn active(&self, length: f64) -> [f64; 2] {
        let least = self.least_active_force;
        match self.shape {
            CurveShape::QuinticBezier => bezier(&active_bezier(least), ACTIVE_CURVINESS, length),
            CurveShape::CubicHermite => {
                let y = 1.0 - SHALLOW * (1.0 - TRANSITION);
                let transition = [TRANSITION, y, SHALLOW];
                let (first, last) = ([SHORTEST, least, 0.0], [LONGEST, least, 0.0]);
                hermite(&[first, transition, [1.0, 1.0, 0.0], last], length)
            }
        }
    }

    /// Passive force by the length of the fibre over the optimal one.
    pub fn passive(&self, length: f64) -> [f64; 2] {
        // A line of slope 0.2 at low force, of twice the secant's at a force of 1.
        let slope = 2.0 / self.muscle_strain;
        let low = (0.1 / slope).min(0.1 * self.muscle_strain);
        let nodes =
            [[1.0, 0.0, 0.0], [1.0 + low, 0.1 * low, 0.2], [1.0 + self.muscle_strain, 1.0, slope]];
        match self.shape {
            CurveShape::QuinticBezier => bezier(&nodes, PASSIVE_CURVINESS, length),
            CurveShape::CubicHermite => {
                let [a, b, c] = nodes;
                let ab = bezier_node(&a, &b, PASSIVE_CURVINESS, PASSIVE_HERMITE);
                let bc = bezier_node(&b, &c, PASSIVE_CURVINESS, PASSIVE_HERMITE);
                hermite(&[a, ab, b, bc, c], length)
            }
        }
    }

    /// Factor of the active force by the rate of the fibre over the fastest one.
    pub fn force_velocity(&self, rate: f64) -> [f64; 2] {
        match self.shape {
            CurveShape::QuinticBezier if rate < 0.0 => {
                bezier(&CONCENTRIC, CONCENTRIC_CURVINESS, rate)
            }
            CurveShape::QuinticBezier => bezier(&ECCENTRIC, ECCENTRIC_CURVINESS, rate),
            CurveShape::CubicHermite if rate < -1.0 => [0.0, 0.0],
            CurveShape::CubicHermite => hermite(&VELOCITY_HERMITE, rate),
        }
    }

    /// Force of the tendon by its length over its slack length.
    pub fn tendon(&self, length: f64) -> [f64; 2] {
        let [toe, middle, end] = self.tendon_nodes();
        match self.shape {
            CurveShape::QuinticBezier => bezier(&[toe, middle, end], TENDON_CURVINESS, length),
            CurveShape::CubicHermite => hermite(&[toe, middle, end], length),
        }
    }

    /// Integral of [`Self::tendon`] from 1.
    pub fn tendon_energy(&self, length: f64) -> f64 {
        let [toe, middle, end] = self.tendon_nodes();
        match self.shape {
            CurveShape::QuinticBezier => {
                bezier_integral(&[toe, middle, end], TENDON_CURVINESS, length)
            }
            CurveShape::CubicHermite => hermite_integral(&[toe, middle, end], length),
        }
    }

    /// Begin, middle and end of the toe.
    fn tendon_nodes(&self) -> [Node; 3] {
        let slope = 1.375 / self.tendon_strain;
        let line = |force: f64| 1.0 + self.tendon_strain + (force - 1.0) / slope;
        let end = line(TOE_FORCE);
        // The middle lies halfway on a line from the foot, a tenth of the toe, to the corner.
        let foot = 1.0 + 0.1 * (end - 1.0);
        let corner = line(0.5 * TOE_FORCE);
        let middle = 0.5 * (foot + corner);
        let middle_slope = 0.5 * TOE_FORCE / (corner - foot);
        [
            [1.0, 0.0, 0.0],
            [middle, middle_slope * (middle - foot), middle_slope],
            [end, TOE_FORCE, slope],
        ]
    }
}

fn active_bezier(least: f64) -> [Node; 6] {
    // The limbs are steeper than their secants, so that there is room for the elbows.
    let shoulder = 1.0 - PLATEAU;
    let y = 1.0 - SHALLOW * (shoulder - TRANSITION);
    let rise = 1.25 * y / (TRANSITION - SHORTEST);
    let fall = -1.0 / (LONGEST - 1.0 - 2.0 * PLATEAU);
    [
        [SHORTEST, least, 0.0],
        [0.5 * (SHORTEST + TRANSITION), 0.5 * y, rise],
        [0.5 * (TRANSITION + shoulder), 0.5 * (1.0 + y), SHALLOW],
        [1.0, 1.0, 0.0],
        [0.5 * (1.0 + PLATEAU + LONGEST), 0.5, fall],
        [LONGEST, least, 0.0],
    ]
}
