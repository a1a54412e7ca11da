//! The reference elements: node order, quadrature, shape functions and their derivatives.
//! One file an element; the list is [`ElementKind::ALL`]. Node order and points are ArtiSynth's
//! (docs/conventions.md shows each with a sketch).

use crate::Real;

/// One quadrature point: reference coordinates and weight (the weight includes the measure of the
/// reference element, so that the weights of a tetrahedron sum to 1/6).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuadraturePoint {
    /// Reference coordinates.
    pub at: [f64; 3],
    /// Weight.
    pub weight: f64,
}

/// A reference element, written over [`Real`] so that f64 and f32 share one source.
pub trait Element: 'static + Send + Sync {
    /// Which row of the element list this is.
    const KIND: ElementKind;
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

/// The kinds of volume element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementKind {
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
    /// 13-node pyramid, 5 points.
    Pyramid13,
}

impl ElementKind {
    /// Every kind, in the order of the enum.
    pub const ALL: [Self; 8] = [
        Self::Tet4,
        Self::Hex8,
        Self::Wedge6,
        Self::Pyramid5,
        Self::Tet10,
        Self::Hex20,
        Self::Wedge15,
        Self::Pyramid13,
    ];

    /// Number of nodes.
    pub fn node_count(self) -> usize {
        match self {
            Self::Tet4 => 4,
            Self::Hex8 => 8,
            Self::Wedge6 => 6,
            Self::Pyramid5 => 5,
            Self::Tet10 => 10,
            Self::Hex20 => 20,
            Self::Wedge15 => 15,
            Self::Pyramid13 => 13,
        }
    }
}
