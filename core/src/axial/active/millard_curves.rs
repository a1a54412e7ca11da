//! The curves of Millard's muscle: the published quintic Bezier ones, with OpenSim's default
//! shapes, and ArtiSynth's cubic Hermite ones through nearly the same nodes.

use super::super::constants::choice;
use super::super::curve::{Node, bezier, bezier_integral, bezier_node, hermite, hermite_integral};
use super::millard::Millard2012;

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
    /// Active force by the length of the fibre.
    pub active: ActiveShape,
    /// Passive force by the length of the fibre.
    pub passive: PassiveShape,
    /// Strain of the tendon at a force of 1 [-].
    pub tendon_strain: f64,
}

/// Constants of the active force by the length of the fibre over the optimal one, as
/// OpenSim's `ActiveForceLengthCurve` has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActiveShape {
    /// Force of a fibre too short or too long for any [-].
    pub least: f64,
    /// Length at which force begins [-].
    pub shortest: f64,
    /// Length at which the slope falls [-].
    pub transition: f64,
    /// Length at which force ends [-].
    pub longest: f64,
    /// Slope of the shallow ascending limb [-].
    pub shallow_slope: f64,
}

/// Constants of the passive force by the strain of the fibre, as OpenSim's `FiberForceLengthCurve` has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassiveShape {
    /// Strain at which force begins [-].
    pub slack_strain: f64,
    /// Strain at a force of 1 [-].
    pub strain: f64,
    /// Slope at low force [-].
    pub low_stiffness: f64,
    /// Slope at a force of 1 [-]; 0: twice that of the secant.
    pub stiffness: f64,
    /// Curviness of the elbows, 0 to 1.
    pub curviness: f64,
}

impl Default for MillardCurves {
    fn default() -> Self {
        Millard2012::default().shape()
    }
}

/// Half the width of the plateau.
const PLATEAU: f64 = 0.05;
const ACTIVE_CURVINESS: f64 = 1.0;
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
        let ActiveShape { least, shortest, transition, longest, shallow_slope } = self.active;
        match self.shape {
            CurveShape::QuinticBezier => {
                bezier(&self.active.bezier_nodes(), ACTIVE_CURVINESS, length)
            }
            CurveShape::CubicHermite => {
                let y = 1.0 - shallow_slope * (1.0 - transition);
                let transition = [transition, y, shallow_slope];
                let (first, last) = ([shortest, least, 0.0], [longest, least, 0.0]);
                hermite(&[first, transition, [1.0, 1.0, 0.0], last], length)
            }
        }
    }

    /// Passive force by the length of the fibre over the optimal one.
    pub fn passive(&self, length: f64) -> [f64; 2] {
        let (nodes, curviness) = (self.passive.nodes(), self.passive.curviness);
        match self.shape {
            CurveShape::QuinticBezier => bezier(&nodes, curviness, length),
            CurveShape::CubicHermite => {
                let [a, b, c] = nodes;
                let ab = bezier_node(&a, &b, curviness, PASSIVE_HERMITE);
                let bc = bezier_node(&b, &c, curviness, PASSIVE_HERMITE);
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

impl ActiveShape {
    fn bezier_nodes(&self) -> [Node; 6] {
        let Self { least, shortest, transition, longest, shallow_slope } = *self;
        // The limbs are steeper than their secants, so that there is room for the elbows.
        let shoulder = 1.0 - PLATEAU;
        let y = 1.0 - shallow_slope * (shoulder - transition);
        let rise = 1.25 * y / (transition - shortest);
        let fall = -1.0 / (longest - 1.0 - 2.0 * PLATEAU);
        [
            [shortest, least, 0.0],
            [0.5 * (shortest + transition), 0.5 * y, rise],
            [0.5 * (transition + shoulder), 0.5 * (1.0 + y), shallow_slope],
            [1.0, 1.0, 0.0],
            [0.5 * (1.0 + PLATEAU + longest), 0.5, fall],
            [longest, least, 0.0],
        ]
    }
}

impl PassiveShape {
    /// Begin of the force, end of the limb of low stiffness, force of 1.
    fn nodes(&self) -> [Node; 3] {
        let Self { slack_strain, strain, low_stiffness, stiffness, .. } = *self;
        let width = strain - slack_strain;
        let slope = if stiffness > 0.0 { stiffness } else { 2.0 / width };
        let low = (0.1 / slope).min(0.1 * width);
        let slack = 1.0 + slack_strain;
        [
            [slack, 0.0, 0.0],
            [slack + low, 0.5 * low * low_stiffness, low_stiffness],
            [1.0 + strain, 1.0, slope],
        ]
    }
}
