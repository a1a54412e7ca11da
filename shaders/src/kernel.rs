//! One kernel: its text, bindings, traffic, arithmetic and twin. The list of all is
//! [`crate::table`].

use crate::cpu::Twin;
use crate::instances::{Apart, for_instances};
use crate::layout::WORKGROUP_SIZE;
use crate::source::{Precision, Variant, compose};
use crate::unused::without_unused;

/// Type of the entries of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// u32.
    Word,
    /// f32.
    Float,
    /// f32 or f64, by the precision of the program.
    Real,
}

impl Scalar {
    /// Size of an entry [bytes].
    pub const fn bytes(self, precision: Precision) -> u64 {
        match self {
            Self::Word | Self::Float => 4,
            Self::Real => precision.real_bytes(),
        }
    }
}

/// Access of a kernel to a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A few parameters, the same for all invocations.
    Uniform,
    /// Read only.
    Read,
    /// Written, never read (`read_write` in WGSL, which has no write-only buffers).
    Write,
    /// Read and written.
    Update,
    /// Read and written by atomic operations on integers.
    Atomic,
}

/// One binding of a kernel; its place in the list is its number in WGSL. The first is the uniform
/// `params`.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Name of the variable in WGSL.
    pub name: &'static str,
    /// Access of the kernel.
    pub access: Access,
    /// Type of its entries.
    pub scalar: Scalar,
}

/// Numbers that the cost of a call is reckoned from; which of them count stands with the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Rows of 3-vectors.
    pub rows: u64,
    /// Stored blocks of a matrix, padding included.
    pub entries: u64,
    /// Elements.
    pub elements: u64,
    /// Nodes of an element.
    pub nodes: u64,
    /// Quadrature points of an element.
    pub points: u64,
    /// Contributions that are gathered.
    pub contributions: u64,
    /// Anything else that a kernel counts.
    pub items: u64,
}

/// Least traffic and arithmetic of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Bytes between memory and processor, each operand once.
    pub bytes: u64,
    /// Floating-point operations.
    pub flops: u64,
}

/// Texts of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The same for both precisions: it names no `real`.
    Float,
    /// One a precision.
    Real,
    /// One for each number of nodes and points.
    Element,
    /// One for each number of nodes and points, and law, which computes in f32 on buffers of each
    /// precision.
    LawFloat,
    /// The same, but computes in each precision.
    LawReal,
}

/// One kernel.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// Name: that of its files and of its entry point.
    pub name: &'static str,
    /// Invocations in a workgroup.
    pub workgroup_size: u32,
    /// Its texts.
    pub family: Family,
    /// Bindings of group 0, in order.
    pub bindings: &'static [Binding],
    /// Least cost of a call.
    pub cost: fn(&Sizes, Precision) -> Cost,
    /// The same algorithm on the CPU; `None` for those over elements, whose twins are the elements
    /// and laws of the physics library in the same precision.
    pub twin: Option<Twin>,
    /// Pieces of text that its file needs, in order; the law of a variant comes after them.
    pub imports: &'static [&'static str],
    /// Text of its file.
    pub body: &'static str,
}

impl Kernel {
    /// The complete WGSL text of a variant.
    pub fn source(&self, variant: Variant) -> String {
        let text = self.text(variant);
        match variant.instances {
            None => text,
            Some(apart) => {
                let own = self.bindings.iter().enumerate().filter(|(k, _)| apart.has(*k));
                let own: Vec<&str> = own.map(|(_, binding)| binding.name).collect();
                for_instances(&text, self.name, &own)
            }
        }
    }

    /// All of its buffers, for instances that share none.
    pub fn all_apart(&self) -> Apart {
        let buffers = self.bindings.iter().enumerate();
        Apart::of(
            buffers.filter(|(_, it)| it.access != Access::Uniform).map(|(binding, _)| binding),
        )
    }

    /// The text for one instance.
    fn text(&self, variant: Variant) -> String {
        let (Family::LawFloat | Family::LawReal, Some(element)) = (self.family, variant.element)
        else {
            return compose(variant, variant.precision, self.imports, self.body);
        };
        let arithmetic = match self.family {
            Family::LawFloat => Precision::Single,
            _ => variant.precision,
        };
        let imports = [self.imports, &crate::law::law_text(element)].concat();
        without_unused(&compose(variant, arithmetic, &imports, self.body))
    }
}

/// A binding in the table.
pub(crate) const fn bind(name: &'static str, access: Access, scalar: Scalar) -> Binding {
    Binding { name, access, scalar }
}

/// The binding that every kernel has first.
pub(crate) const PARAMS: Binding = bind("params", Access::Uniform, Scalar::Word);

/// Workgroup size of the kernels, for the table.
pub(crate) const GROUP: u32 = WORKGROUP_SIZE;
