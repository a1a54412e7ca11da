//! How the text of a kernel is put together: injected constants, imported pieces, its own file.

use crate::layout;

/// The scalar type that `real` stands for in a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// `real` is f32: every device.
    Single,
    /// `real` is f64: devices with 64-bit arithmetic in shaders.
    Double,
}

impl Precision {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Single, Self::Double];

    /// Size of a `real` [bytes].
    pub const fn real_bytes(self) -> u64 {
        match self {
            Self::Single => 4,
            Self::Double => 8,
        }
    }

    /// The WGSL type.
    pub const fn wgsl(self) -> &'static str {
        match self {
            Self::Single => "f32",
            Self::Double => "f64",
        }
    }

    /// Distance from 1 to the next number, as WGSL.
    const fn epsilon(self) -> &'static str {
        match self {
            Self::Single => "1.1920928955078125e-7",
            Self::Double => "2.220446049250313e-16",
        }
    }
}

/// A constitutive law that has a file in `wgsl/law/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Law {
    /// Small-strain linear elasticity in the frame of the rest shape.
    Linear,
    /// Linear elasticity in the frame that turns with the element.
    Corotated,
    /// St. Venant-Kirchhoff.
    StVenantKirchhoff,
    /// Compressible neo-Hookean.
    NeoHookean,
    /// Five-constant Mooney-Rivlin.
    MooneyRivlin,
}

impl Law {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Linear,
        Self::Corotated,
        Self::StVenantKirchhoff,
        Self::NeoHookean,
        Self::MooneyRivlin,
    ];

    /// Name of its file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Corotated => "corotated",
            Self::StVenantKirchhoff => "st_venant_kirchhoff",
            Self::NeoHookean => "neo_hookean",
            Self::MooneyRivlin => "mooney_rivlin",
        }
    }

    /// Whether its spatial tangent is isotropic in every state: two numbers describe it.
    pub const fn is_isotropic(self) -> bool {
        matches!(self, Self::Linear | Self::Corotated | Self::NeoHookean)
    }

    /// Words that `element_points` writes for each point.
    pub const fn point_words(self) -> u32 {
        if self.is_isotropic() { layout::POINT_WORDS_ISOTROPIC } else { layout::POINT_WORDS_FULL }
    }
}

/// What a kernel over elements is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementVariant {
    /// Nodes of an element.
    pub node_count: u32,
    /// Quadrature points of an element.
    pub point_count: u32,
    /// Its law.
    pub law: Law,
}

/// Which text of a kernel is meant: one file serves several precisions, elements and laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variant {
    /// What `real` is.
    pub precision: Precision,
    /// For kernels over elements.
    pub element: Option<ElementVariant>,
}

/// The complete text: constants, aliases, `imports` in order, `body`. It computes in `arithmetic`;
/// buffers are in the precision of the variant.
pub(crate) fn compose(
    variant: Variant,
    arithmetic: Precision,
    imports: &[&str],
    body: &str,
) -> String {
    let mut text = format!("alias real = {};\n", arithmetic.wgsl());
    text += &format!("alias stored = {};\n", variant.precision.wgsl());
    text += &format!("const EPSILON: real = {};\n", arithmetic.epsilon());
    for (name, value) in layout::CONSTANTS {
        text += &format!("const {name}: u32 = {value}u;\n");
    }
    if let Some(element) = variant.element {
        text += &format!("const NODE_COUNT: u32 = {}u;\n", element.node_count);
        text += &format!("const POINT_COUNT: u32 = {}u;\n", element.point_count);
        text += &format!("const POINT_WORDS: u32 = {}u;\n", element.law.point_words());
    }
    for part in imports.iter().chain([&body]) {
        text.push('\n');
        text += part;
    }
    text
}
