//! Variants of the text of a kernel: precision, and for kernels over elements their kind, law and data.

use crate::instances::Apart;
use crate::law::Law;
use crate::layout::{
    BULK_SIZE, LAW_CONSTANTS, POINT_WORDS_FULL, POINT_WORDS_ISOTROPIC, STRESS_SIZE,
};
use crate::source::Precision;

/// Element and law that a kernel is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementVariant {
    /// Nodes of an element.
    pub node_count: u32,
    /// Quadrature points of an element.
    pub point_count: u32,
    /// Its law.
    pub law: Law,
    /// Place of the constants of the law.
    pub constants: Constants,
    /// Places where axes of the material are given, of laws that look at them; else [`Axes::OfElements`].
    pub axes: Axes,
    /// Deformation at rest.
    pub rest: Rest,
    /// Stress that relaxes.
    pub relaxing: Relaxing,
    /// Pressures.
    pub pressures: Pressures,
}

/// Pressures beside the stress of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pressures {
    /// None: the volume counts at the points of an element.
    Nothing,
    /// Of the element, so many modes of its volume: 1 or 4.
    Modes(u32),
    /// Of its nodes.
    Nodes,
}

impl Pressures {
    /// Modes of the volume of an element.
    pub const fn modes(self) -> u32 {
        match self {
            Self::Modes(count) => count,
            Self::Nothing | Self::Nodes => 0,
        }
    }

    /// True if there are none.
    pub const fn is_nothing(self) -> bool {
        matches!(self, Self::Nothing)
    }
}

/// Places where axes of the material are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Axes {
    /// One set an element.
    OfElements,
    /// One set a quadrature point.
    OfPoints,
}

/// Place of the constants of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Constants {
    /// In the table: all elements have the same.
    OfBatch,
    /// In the geometry: every element has its own.
    OfElements,
}

impl Constants {
    /// Both.
    pub const ALL: [Self; 2] = [Self::OfBatch, Self::OfElements];
}

/// Deformation of elements at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rest {
    /// None: they are free of stress.
    Free,
    /// Growth or prestrain: the shape without stress is another one.
    Strained,
}

/// Stress that relaxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relaxing {
    /// None: the tissue is elastic.
    Nothing,
    /// The second Piola-Kirchhoff stress; of laws that are linear in a frame, the stress in that frame.
    PulledBack,
    /// Cauchy's stress in axes that turn with the point.
    Rotated,
}

impl Relaxing {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Nothing, Self::PulledBack, Self::Rotated];
}

/// Variant of a kernel's text: one file serves several precisions, elements and laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variant {
    /// Precision of `real`.
    pub precision: Precision,
    /// For kernels over elements.
    pub element: Option<ElementVariant>,
    /// For several instances at once.
    pub instances: Option<Apart>,
}

impl Variant {
    /// For one instance.
    pub const fn new(precision: Precision, element: Option<ElementVariant>) -> Self {
        Self { precision, element, instances: None }
    }
}

/// Places in the buffer `geometry`, in scalars an element: with `count` elements, scalar k of what has one value an
/// element stands at `(place + k) * count + e`, of what has one a point at `place * count + k * n + i`, i being a point of
/// all n. Volumes and inverse Jacobians of points stand before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeometryPlaces {
    /// Inverse Jacobian at the centre of an element; nothing where that is its one point.
    pub centre: u32,
    /// Axes of elements or points.
    pub axes: u32,
    /// Constants of the law.
    pub constants: u32,
    /// Displacement gradients of points from the shape without stress, at rest.
    pub offsets: u32,
    /// The same at the centre.
    pub centre_offset: u32,
    /// Stress that earlier steps left at each point, [`STRESS_SIZE`] scalars.
    pub left: u32,
    /// Energies of the volume of each element, [`BULK_SIZE`] scalars (`wgsl/lib/volume_energy.wgsl`).
    pub bulk: u32,
    /// Modes of its volume at each point, one scalar a mode.
    pub modes: u32,
    /// Pressures at each point, three scalars and one a mode (`wgsl/lib/pressures.wgsl`).
    pub pressures: u32,
    /// Volumes, then pressures at the corners of each element, two scalars a corner (`wgsl/lib/pressures_of_nodes.wgsl`).
    pub nodal: u32,
    /// Scalars of an element.
    pub end: u32,
}

/// Scalars of a matrix.
const MATRIX: u32 = 9;

impl ElementVariant {
    /// Elements of a law with these numbers of nodes and points, without anything of their own.
    pub const fn new((node_count, point_count): (u32, u32), law: Law) -> Self {
        let (constants, axes, rest) = (Constants::OfBatch, Axes::OfElements, Rest::Free);
        let (relaxing, pressures) = (Relaxing::Nothing, Pressures::Nothing);
        Self { node_count, point_count, law, constants, axes, rest, relaxing, pressures }
    }

    /// Scalars of volume and inverse Jacobian of the points of an element.
    const fn of_points(&self) -> u32 {
        (MATRIX + 1) * self.point_count
    }

    /// Scalars of a matrix at the centre, where that is no point.
    const fn of_centre(&self) -> u32 {
        if self.point_count > 1 { MATRIX } else { 0 }
    }

    /// Scalars of the axes of the material.
    const fn of_axes(&self) -> u32 {
        match self.axes {
            _ if !self.law.has_axes() => 0,
            Axes::OfElements => MATRIX,
            Axes::OfPoints => MATRIX * self.point_count,
        }
    }

    /// Scalars of what earlier steps left at the points of an element.
    const fn of_left(&self) -> u32 {
        match self.relaxing {
            Relaxing::Nothing => 0,
            Relaxing::PulledBack | Relaxing::Rotated => STRESS_SIZE * self.point_count,
        }
    }

    /// Places in `geometry`.
    pub const fn geometry_places(&self) -> GeometryPlaces {
        let centre = self.of_points();
        let axes = centre + self.of_centre();
        let constants = axes + self.of_axes();
        let offsets = constants
            + match self.constants {
                Constants::OfBatch => 0,
                Constants::OfElements => LAW_CONSTANTS,
            };
        let (of_points, of_centre) = match self.rest {
            Rest::Free => (0, 0),
            Rest::Strained => (MATRIX * self.point_count, self.of_centre()),
        };
        let centre_offset = offsets + of_points;
        let left = centre_offset + of_centre;
        let bulk = left + self.of_left();
        let modes = bulk + if self.pressures.is_nothing() { 0 } else { BULK_SIZE };
        let pressures = modes + self.pressures.modes() * self.point_count;
        let nodal = pressures + self.pressure_scalars() * self.point_count;
        let end = nodal
            + match self.pressures {
                Pressures::Nothing | Pressures::Modes(_) => 0,
                Pressures::Nodes => 2 * self.node_count,
            };
        GeometryPlaces {
            centre,
            axes,
            constants,
            offsets,
            centre_offset,
            left,
            bulk,
            modes,
            pressures,
            nodal,
            end,
        }
    }

    /// Scalars that `element_volume` or `corner_volumes` writes for each point.
    pub const fn pressure_scalars(&self) -> u32 {
        if self.pressures.is_nothing() { 0 } else { 3 + self.pressures.modes() }
    }

    /// Place in `table` of the shape functions at the points, of elements with pressures of their nodes.
    pub const fn shape_place(&self) -> u32 {
        LAW_CONSTANTS + 3 * (1 + self.point_count) * self.node_count
    }

    /// True if its tangent is isotropic in every state: two numbers describe it.
    pub const fn is_isotropic(&self) -> bool {
        self.law.is_isotropic() && !matches!(self.relaxing, Relaxing::Rotated)
    }

    /// Words that `element_points` writes for each point.
    pub const fn point_words(&self) -> u32 {
        let plain = if self.is_isotropic() { POINT_WORDS_ISOTROPIC } else { POINT_WORDS_FULL };
        // Whole vectors of four.
        let of_volume = match self.pressures {
            Pressures::Nothing => 0,
            Pressures::Modes(count) => 2 * count,
            Pressures::Nodes => 1,
        };
        let with_modes = 4 * (self.mode_words() + of_volume).div_ceil(4);
        if with_modes > plain { with_modes } else { plain }
    }

    /// Words of a point before those of the modes of the volume: frame, stress and tangent.
    pub const fn mode_words(&self) -> u32 {
        15 + if self.is_isotropic() { 2 } else { 21 }
    }

    /// Constants that are injected into the texts of its kernels.
    pub(crate) fn injected(&self) -> [(&'static str, u32); 17] {
        let places = self.geometry_places();
        [
            ("NODE_COUNT", self.node_count),
            ("POINT_COUNT", self.point_count),
            ("POINT_WORDS", self.point_words()),
            ("CENTRE_PLACE", places.centre),
            ("AXES_PLACE", places.axes),
            ("CONSTANTS_PLACE", places.constants),
            ("OFFSET_PLACE", places.offsets),
            ("CENTRE_OFFSET_PLACE", places.centre_offset),
            ("LEFT_PLACE", places.left),
            ("BULK_PLACE", places.bulk),
            ("MODE_PLACE", places.modes),
            ("PRESSURE_PLACE", places.pressures),
            ("NODAL_PLACE", places.nodal),
            ("SHAPE_PLACE", self.shape_place()),
            ("PRESSURES", self.pressures.modes()),
            ("MODE_WORDS", self.mode_words()),
            ("TURNING", u32::from(self.law.has_stress_in_tangent())),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_geometry_holds_stands_side_by_side() {
        let plain = ElementVariant::new((4, 1), Law::NeoHookean).geometry_places();
        assert_eq!([plain.centre, plain.axes, plain.constants, plain.end], [10; 4]);
        let all = ElementVariant {
            constants: Constants::OfElements,
            axes: Axes::OfPoints,
            rest: Rest::Strained,
            relaxing: Relaxing::Rotated,
            pressures: Pressures::Modes(4),
            ..ElementVariant::new((8, 8), Law::Guccione)
        };
        let expected = GeometryPlaces {
            centre: 80,
            axes: 89,
            constants: 161,
            offsets: 161 + LAW_CONSTANTS,
            centre_offset: 233 + LAW_CONSTANTS,
            left: 242 + LAW_CONSTANTS,
            bulk: 290 + LAW_CONSTANTS,
            modes: 294 + LAW_CONSTANTS,
            pressures: 326 + LAW_CONSTANTS,
            nodal: 382 + LAW_CONSTANTS,
            end: 382 + LAW_CONSTANTS,
        };
        assert_eq!(all.geometry_places(), expected);
        let of_nodes = ElementVariant { pressures: Pressures::Nodes, ..all };
        let places = of_nodes.geometry_places();
        assert_eq!(
            [places.modes, places.pressures, places.nodal, places.end].map(|k| k - LAW_CONSTANTS),
            [294, 294, 318, 334]
        );
        assert_eq!((plain_words(Law::NeoHookean, 1), plain_words(Law::NeoHookean, 4)), (20, 28));
        assert_eq!((plain_words(Law::Guccione, 1), plain_words(Law::Guccione, 4)), (40, 44));
    }

    fn plain_words(law: Law, modes: u32) -> u32 {
        let pressures = Pressures::Modes(modes);
        ElementVariant { pressures, ..ElementVariant::new((8, 8), law) }.point_words()
    }
}
