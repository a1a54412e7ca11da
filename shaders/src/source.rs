//! Text of a kernel, put together: injected constants, imported pieces, its own file.

pub use crate::law::Law;
use crate::layout;
pub use crate::variant::{
    Axes, Constants, ElementVariant, GeometryPlaces, Pressures, Relaxing, Rest, Variant,
};

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
        for (name, value) in element.injected() {
            text += &format!("const {name}: u32 = {value}u;\n");
        }
    }
    for part in imports.iter().chain([&body]) {
        text.push('\n');
        text += part;
    }
    text
}
