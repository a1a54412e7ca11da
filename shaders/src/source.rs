//! Text of a kernel, put together: injected constants, imported pieces, its own file.

pub use crate::law::Law;
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

/// Variant of a kernel's text: one file serves several precisions, elements and laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variant {
    /// Precision of `real`.
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
