//! A contact in the narrow phase: in the frame of the second shape, before radii are taken off.

use crate::Vec3;

/// A piece of a solid that is not a face, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CornerOrEdge {
    Corner(u32),
    Edge(u32),
}

/// Features that touch. A face has no part in it: a corner that slides from face to face stays the
/// same contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    /// A corner of A, a point of a cloud, an end of a capsule.
    CornerOfA(u32),
    /// A corner of B.
    CornerOfB(u32),
    /// An edge or corner of each.
    Across(CornerOrEdge, CornerOrEdge),
    /// The deepest point of round shapes.
    Deepest,
}

impl Feature {
    /// As one number: the kind in two bits, then 31 bits for A and for B.
    pub(super) fn key(self) -> u64 {
        let pack = |kind: u64, a: u32, b: u32| kind << 62 | u64::from(a) << 31 | u64::from(b);
        let number = |piece| match piece {
            CornerOrEdge::Corner(corner) => 2 * corner + 1,
            CornerOrEdge::Edge(edge) => 2 * edge,
        };
        match self {
            Feature::CornerOfA(corner) => pack(0, 0, corner),
            Feature::CornerOfB(corner) => pack(1, 0, corner),
            Feature::Across(a, b) => pack(2, number(a), number(b)),
            Feature::Deepest => pack(3, 0, 0),
        }
    }
}

/// A contact of the first shape (A) with the second (B).
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    pub(super) key: u64,
    pub(super) a: Vec3,
    pub(super) b: Vec3,
    /// From B into A.
    pub(super) normal: Vec3,
    /// (a - b) . normal [m].
    pub(super) gap: f64,
}

/// Contacts as they are gathered.
pub(super) type Buffer = Vec<Touch>;

impl Touch {
    /// Two given points.
    pub(super) fn between(feature: Feature, a: Vec3, b: Vec3, normal: Vec3) -> Self {
        Touch { key: feature.key(), a, b, normal, gap: (a - b).dot(&normal) }
    }

    /// A point of A, and the point across from it at the height of `other`.
    pub(super) fn on_a(feature: Feature, a: Vec3, other: &Vec3, normal: Vec3) -> Self {
        let gap = (a - other).dot(&normal);
        Touch { key: feature.key(), a, b: a - normal * gap, normal, gap }
    }

    /// A point of B, and the point across from it at the height of `other`.
    pub(super) fn on_b(feature: Feature, b: Vec3, other: &Vec3, normal: Vec3) -> Self {
        let gap = (other - b).dot(&normal);
        Touch { key: feature.key(), a: b + normal * gap, b, normal, gap }
    }

    /// With the radii of rounded shapes taken off.
    pub(super) fn inflated(mut self, radius_a: f64, radius_b: f64) -> Self {
        self.a -= self.normal * radius_a;
        self.b += self.normal * radius_b;
        self.gap -= radius_a + radius_b;
        self
    }
}
