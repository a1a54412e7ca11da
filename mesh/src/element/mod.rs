//! The reference elements: node order, quadrature, shape functions and their derivatives.
//! One file an element, one line of the list below; [`ElementKind::ALL`] is that list. Node order
//! and points are ArtiSynth's (docs/reference/elements.md shows each with a sketch).

use serde::{Deserialize, Serialize};

use crate::Real;

mod hex20;
mod hex8;
mod pyramid13;
mod pyramid5;
#[cfg(test)]
mod tests;
mod tet10;
mod tet4;
mod wedge15;
mod wedge6;

pub use hex8::Hex8;
pub use hex20::Hex20;
pub use pyramid5::Pyramid5;
pub use pyramid13::Pyramid13;
pub use tet4::Tet4;
pub use tet10::Tet10;
pub use wedge6::Wedge6;
pub use wedge15::Wedge15;

/// One quadrature point: reference coordinates and weight (the weight includes the measure of the
/// reference element, so that the weights of a tetrahedron sum to 1/6).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuadraturePoint {
    /// Reference coordinates.
    pub at: [f64; 3],
    /// Weight.
    pub weight: f64,
}

impl QuadraturePoint {
    const fn new(x: f64, y: f64, z: f64, weight: f64) -> Self {
        Self { at: [x, y, z], weight }
    }
}

/// Origin of the quadrature points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuadratureRule {
    /// Those of the published rules.
    #[default]
    Standard,
    /// Those of ArtiSynth 3.9, to compare with its runs: the diagonal points of hex20 have a wrong
    /// digit there (x² integrates 1.5e-4 low), those of tet10 end after seven digits, and pyramid13 has the five points of
    /// pyramid5, which do not pass the patch test.
    ArtiSynth,
}

/// A reference element, written over [`Real`] so that f64 and f32 share one source.
pub trait Element: 'static + Send + Sync {
    /// Its row in the element list.
    const KIND: ElementKind;
    /// Name in files, settings and reports, e.g. "tet4".
    const NAME: &'static str;
    /// The kind with the same corners and no mid-edge nodes.
    const LINEAR: ElementKind;
    /// The kind with the same corners and a node in the middle of each edge.
    const QUADRATIC: ElementKind;
    /// Reference coordinates of the nodes; its length is the node count.
    const NODES: &'static [[f64; 3]];
    /// Quadrature rule.
    const POINTS: &'static [QuadraturePoint];
    /// Faces as node lists that wind counterclockwise seen from outside: first the corners, then
    /// (quadratic elements) the node in the middle of each edge corner k, corner k + 1.
    const FACES: &'static [&'static [u8]];
    /// Corner pairs of the edges, in the order of the mid-edge nodes; listed for linear elements too.
    const EDGES: &'static [[u8; 2]];

    /// Shape functions at `r`, into `n` (node count).
    fn shape<T: Real>(r: [T; 3], n: &mut [T]);

    /// Derivatives of the shape functions by the reference coordinates at `r`, into `dn` (node count).
    fn gradient<T: Real>(r: [T; 3], dn: &mut [[T; 3]]);
}

/// Makes [`ElementKind`] and `for_element!` from the list of elements; `$d` is a dollar sign for
/// the inner macro.
macro_rules! elements {
    ($d:tt $($(#[$doc:meta])* $kind:ident,)+) => {
        /// The kinds of volume element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ElementKind {
            $($(#[$doc])* $kind,)+
        }

        impl ElementKind {
            /// Every kind, in the order of the enum.
            pub const ALL: [Self; [$(stringify!($kind)),+].len()] = [$(Self::$kind),+];
        }

        /// `for_element!(kind, E => expression)` evaluates the expression with the type alias `E`
        /// standing for the element of that kind.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! for_element {
            ($d kind:expr, $d E:ident => $d body:expr) => {
                match $d kind {
                    $($crate::element::ElementKind::$kind => {
                        type $d E = $crate::element::$kind;
                        $d body
                    })+
                }
            };
        }
    };
}

elements! { $
    /// 4-node tetrahedron, 1 point.
    Tet4,
    /// 8-node hexahedron, 8 points.
    Hex8,
    /// 6-node wedge, 6 points.
    Wedge6,
    /// 5-node pyramid, 5 points.
    Pyramid5,
    /// 10-node tetrahedron, 4 points.
    Tet10,
    /// 20-node hexahedron, 14 points.
    Hex20,
    /// 15-node wedge, 9 points.
    Wedge15,
    /// 13-node pyramid, 13 points.
    Pyramid13,
}

impl ElementKind {
    /// Most nodes of any kind, the length of scratch arrays that fit all.
    pub const MAX_NODE_COUNT: usize = 20;

    /// Name in files, settings and reports, e.g. "tet4".
    pub const fn name(self) -> &'static str {
        for_element!(self, E => E::NAME)
    }

    /// The kind of that [name](Self::name), if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Number of nodes.
    pub const fn node_count(self) -> usize {
        self.nodes().len()
    }

    /// Number of corner nodes; they come first in the node order.
    pub const fn corner_count(self) -> usize {
        self.linear().node_count()
    }

    /// True if the element has mid-edge nodes.
    pub const fn is_quadratic(self) -> bool {
        self.node_count() > self.corner_count()
    }

    /// The kind with the same corners and no mid-edge nodes.
    pub const fn linear(self) -> Self {
        for_element!(self, E => E::LINEAR)
    }

    /// The kind with the same corners and a node in the middle of each edge.
    pub const fn quadratic(self) -> Self {
        for_element!(self, E => E::QUADRATIC)
    }

    /// Reference coordinates of the nodes.
    pub const fn nodes(self) -> &'static [[f64; 3]] {
        for_element!(self, E => E::NODES)
    }

    /// Quadrature rule.
    pub const fn points(self) -> &'static [QuadraturePoint] {
        for_element!(self, E => E::POINTS)
    }

    /// Quadrature rule of that origin, of as many points as [`Self::points`]: where the rule has fewer, its last point is
    /// repeated without weight.
    pub fn points_by(self, rule: QuadratureRule) -> Vec<QuadraturePoint> {
        let digits = |x: f64| match (rule, self, x.abs()) {
            (QuadratureRule::ArtiSynth, Self::Hex20, 0.758..0.759) => {
                0.758686910639328_f64.copysign(x)
            }
            (QuadratureRule::ArtiSynth, Self::Tet10, _) => (x * 1e7).round() / 1e7,
            _ => x,
        };
        let with_digits = |p: &QuadraturePoint| QuadraturePoint { at: p.at.map(digits), ..*p };
        let mut points: Vec<QuadraturePoint> = match (rule, self) {
            (QuadratureRule::ArtiSynth, Self::Pyramid13) => Pyramid5::POINTS.to_vec(),
            _ => self.points().iter().map(with_digits).collect(),
        };
        let idle = points.last().map(|&last| QuadraturePoint { weight: 0.0, ..last });
        points.extend(idle.into_iter().cycle().take(self.points().len() - points.len()));
        points
    }

    /// Faces, outward wound: corners first, then the mid-edge nodes (see [`Element::FACES`]).
    pub const fn faces(self) -> &'static [&'static [u8]] {
        for_element!(self, E => E::FACES)
    }

    /// Corner pairs of the edges, in the order of the mid-edge nodes.
    pub const fn edges(self) -> &'static [[u8; 2]] {
        for_element!(self, E => E::EDGES)
    }

    /// Shape functions at `r`, into the first `node_count` entries of `n`.
    ///
    /// # Panics
    /// If `n` is shorter than the node count.
    #[inline]
    pub fn shape<T: Real>(self, r: [T; 3], n: &mut [T]) {
        for_element!(self, E => E::shape(r, n));
    }

    /// Derivatives of the shape functions by the reference coordinates at `r`, into the first
    /// `node_count` entries of `dn`.
    ///
    /// # Panics
    /// If `dn` is shorter than the node count.
    #[inline]
    pub fn gradient<T: Real>(self, r: [T; 3], dn: &mut [[T; 3]]) {
        for_element!(self, E => E::gradient(r, dn));
    }

    /// Reference coordinates of the centroid of the reference element.
    pub fn centre(self) -> [f64; 3] {
        match self.linear() {
            // A quarter of the height above the base; the mean of the corners lies lower.
            Self::Pyramid5 => [0.0, 0.0, -0.5],
            linear => {
                let corners = linear.nodes();
                std::array::from_fn(|i| {
                    corners.iter().map(|r| r[i]).sum::<f64>() / corners.len() as f64
                })
            }
        }
    }

    /// The part of an element's mass that each of its nodes carries [-]. All nodes carry the same,
    /// mid-edge nodes too: integrated or row-summed shares of quadratic elements are negative at
    /// the corners, and equal ones are what ArtiSynth uses.
    pub const fn mass_share(self) -> f64 {
        1.0 / self.node_count() as f64
    }
}
