//! Types of curves that are drawn by hand, each an equation over s.

use serde::{Deserialize, Serialize};

const TURN: f64 = std::f64::consts::TAU;

/// A type of curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CurveKind {
    /// A straight line between two points.
    Line,
    /// A circle by centre and radius.
    Circle,
    /// An ellipse by centre, semi-axes and the angle of the first one [rad].
    Ellipse,
    /// A cubic Bézier curve by four points.
    Bezier,
    /// An Archimedean spiral of three turns by centre, radius at its begin and growth of the radius a radian.
    Spiral,
    /// A superellipse (|x/a|ⁿ + |y/b|ⁿ = 1) by centre and semi-axes; its exponent n is a constant: the shape depends so little
    /// on a large one that a hand would pull it out of all bounds.
    Superellipse,
    /// A curve by an equation of its own.
    Equation,
}

impl CurveKind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Line,
        Self::Circle,
        Self::Ellipse,
        Self::Bezier,
        Self::Spiral,
        Self::Superellipse,
        Self::Equation,
    ];

    /// Its word, as in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Circle => "circle",
            Self::Ellipse => "ellipse",
            Self::Bezier => "bezier",
            Self::Spiral => "spiral",
            Self::Superellipse => "superellipse",
            Self::Equation => "equation",
        }
    }

    /// Its equation; that of a curve of its own is an example. `N` stands for the exponent of a superellipse.
    pub fn equation(self) -> &'static str {
        match self {
            Self::Line => "x1 + s*(x2 - x1); y1 + s*(y2 - y1)",
            Self::Circle => "x + r*cos(s); y + r*sin(s)",
            Self::Ellipse => {
                "x + a*cos(s)*cos(t) - b*sin(s)*sin(t); y + a*cos(s)*sin(t) + b*sin(s)*cos(t)"
            }
            Self::Bezier => {
                "(1 - s)^3*ax + 3*(1 - s)^2*s*bx + 3*(1 - s)*s^2*cx + s^3*dx; \
                 (1 - s)^3*ay + 3*(1 - s)^2*s*by + 3*(1 - s)*s^2*cy + s^3*dy"
            }
            Self::Spiral => "x + (r + g*s)*cos(s); y + (r + g*s)*sin(s)",
            // Polar, so that it is smooth at the axes; the small number keeps the logarithm of the power finite.
            Self::Superellipse => {
                "x + cos(s)/(((cos(s)/a)^2 + 1e-9)^(N/2) + ((sin(s)/b)^2 + 1e-9)^(N/2))^(1/N); \
                 y + sin(s)/(((cos(s)/a)^2 + 1e-9)^(N/2) + ((sin(s)/b)^2 + 1e-9)^(N/2))^(1/N)"
            }
            Self::Equation => "x + a*s; y + b*sin(s)",
        }
    }

    /// Names of its parameters.
    pub fn parameters(self) -> &'static [&'static str] {
        match self {
            Self::Line => &["x1", "y1", "x2", "y2"],
            Self::Circle => &["x", "y", "r"],
            Self::Ellipse => &["x", "y", "a", "b", "t"],
            Self::Bezier => &["ax", "ay", "bx", "by", "cx", "cy", "dx", "dy"],
            Self::Spiral => &["x", "y", "r", "g"],
            Self::Superellipse => &["x", "y", "a", "b"],
            Self::Equation => &["x", "y", "a", "b"],
        }
    }

    /// The range of s.
    pub fn range(self) -> [f64; 2] {
        match self {
            Self::Line | Self::Bezier => [0.0, 1.0],
            Self::Circle | Self::Ellipse | Self::Superellipse | Self::Equation => [0.0, TURN],
            Self::Spiral => [0.0, 3.0 * TURN],
        }
    }

    /// Parameters of the curve that a hand draws from one place to another: from end to end, or from the centre to a
    /// point of it.
    pub fn drawn(self, [x, y]: [f64; 2], to: [f64; 2]) -> Vec<f64> {
        let [dx, dy] = [to[0] - x, to[1] - y];
        let reach = dx.hypot(dy);
        let axes = [dx.abs().max(0.1 * reach), dy.abs().max(0.1 * reach)];
        match self {
            Self::Line => vec![x, y, to[0], to[1]],
            Self::Circle => vec![x, y, reach],
            Self::Ellipse => vec![x, y, axes[0], axes[1], 0.0],
            Self::Bezier => {
                // Handles to the left and to the right of the way.
                let at = |share: f64, aside: f64| {
                    [x + share * dx - aside * dy, y + share * dy + aside * dx]
                };
                let ([bx, by], [cx, cy]) = (at(1.0 / 3.0, 0.3), at(2.0 / 3.0, -0.3));
                vec![x, y, bx, by, cx, cy, to[0], to[1]]
            }
            Self::Spiral => vec![x, y, 0.05 * reach, 0.95 * reach / self.range()[1]],
            Self::Superellipse => vec![x, y, axes[0], axes[1]],
            Self::Equation => vec![x, y, dx / self.range()[1], dy],
        }
    }
}
