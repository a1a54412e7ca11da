//! A program for a device, as data: buffers, and lists of commands over them. Names no graphics
//! interface, so that a device and the CPU twins run the same program (`gpu/`, [`crate::cpu`]).

use bytemuck::Pod;

use crate::kernel::{Access, Cost, Kernel, Scalar, Sizes};
use crate::source::{ElementVariant, Precision, Variant};
use crate::table::kernel;

/// Number of a buffer of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BufferId(pub u32);

/// Number of a list of commands of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ListId(pub u32);

/// Content of a buffer at the start. Reals are given in f64, whatever the device has.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Entries of type u32.
    Words(Vec<u32>),
    /// Entries of type f32.
    Floats(Vec<f32>),
    /// Entries of type `real`.
    Reals(Vec<f64>),
}

impl Data {
    /// Number of entries.
    pub fn len(&self) -> usize {
        match self {
            Self::Words(v) => v.len(),
            Self::Floats(v) => v.len(),
            Self::Reals(v) => v.len(),
        }
    }

    /// True if there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries as they lie in memory; reals in f64.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Words(v) => bytemuck::cast_slice(v),
            Self::Floats(v) => bytemuck::cast_slice(v),
            Self::Reals(v) => bytemuck::cast_slice(v),
        }
    }

    /// Type of the entries.
    pub fn scalar(&self) -> Scalar {
        match self {
            Self::Words(_) => Scalar::Word,
            Self::Floats(_) => Scalar::Float,
            Self::Reals(_) => Scalar::Real,
        }
    }
}

/// A buffer of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferSpec {
    /// Name in messages, e.g. "displacement".
    pub name: String,
    /// Type of its entries.
    pub scalar: Scalar,
    /// Number of entries.
    pub length: usize,
    /// Content at the start; zeros without. Of a buffer of instances that of all, one after another.
    pub contents: Option<Data>,
    /// True if each instance of the program has one for itself.
    pub is_apart: bool,
}

/// Fewest entries that an instance has of a buffer, so that no buffer is smaller than a device binds.
pub(crate) const LEAST_ENTRIES: usize = 4;

/// One call of a kernel.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// The kernel.
    pub kernel: &'static Kernel,
    /// Variant of its text.
    pub variant: Variant,
    /// The uniform of binding 0, as bytes.
    pub params: Vec<u8>,
    /// Buffers of the bindings 1, 2, ...
    pub bindings: Vec<BufferId>,
    /// Workgroups, before they are folded into a grid.
    pub groups: u64,
    /// Least traffic and arithmetic.
    pub cost: Cost,
}

/// One command.
#[derive(Clone, Debug)]
pub enum Command {
    /// Run a kernel.
    Dispatch(Dispatch),
    /// Set a buffer to zero.
    Clear(BufferId),
    /// Copy one whole buffer to another of the same type and length.
    Copy {
        /// Source buffer.
        from: BufferId,
        /// Destination buffer.
        to: BufferId,
    },
}

impl Command {
    /// True if another command does the same with buffers of the same numbers.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Dispatch(a), Self::Dispatch(b)) => {
                let text = |it: &Dispatch| Variant { instances: None, ..it.variant };
                let call = |it: &Dispatch| (it.kernel.name, text(it), it.groups);
                call(a) == call(b) && a.params == b.params && a.bindings == b.bindings
            }
            (Self::Clear(a), Self::Clear(b)) => a == b,
            (Self::Copy { from, to }, Self::Copy { from: other, to: target }) => {
                (from, to) == (other, target)
            }
            (Self::Dispatch(_) | Self::Clear(_) | Self::Copy { .. }, _) => false,
        }
    }
}

/// Buffers and command lists.
#[derive(Clone, Debug)]
pub struct Program {
    /// Precision of `real`.
    pub precision: Precision,
    /// Number of instances, each with the same commands over buffers of its own.
    pub instances: u32,
    /// All buffers, by [`BufferId`].
    pub buffers: Vec<BufferSpec>,
    /// All lists, by [`ListId`].
    pub lists: Vec<Vec<Command>>,
}

impl Program {
    /// A program without buffers and commands.
    pub fn new(precision: Precision) -> Self {
        Self { precision, instances: 1, buffers: Vec::new(), lists: Vec::new() }
    }

    /// Adds a buffer of `length` zeros.
    pub fn add_zeros(
        &mut self,
        name: impl Into<String>,
        scalar: Scalar,
        length: usize,
    ) -> BufferId {
        self.push(BufferSpec { name: name.into(), scalar, length, contents: None, is_apart: false })
    }

    /// Adds a buffer that holds `data` at the start.
    pub fn add_data(&mut self, name: impl Into<String>, data: Data) -> BufferId {
        let (scalar, length) = (data.scalar(), data.len());
        let (name, contents) = (name.into(), Some(data));
        self.push(BufferSpec { name, scalar, length, contents, is_apart: false })
    }

    fn push(&mut self, spec: BufferSpec) -> BufferId {
        self.buffers.push(spec);
        BufferId(self.buffers.len() as u32 - 1)
    }

    /// Adds a list of commands.
    pub fn add_list(&mut self, commands: Vec<Command>) -> ListId {
        self.lists.push(commands);
        ListId(self.lists.len() as u32 - 1)
    }

    /// True if another program has the same lists over buffers of the same sizes, whatever these hold and however many
    /// instances there are.
    pub fn is_like(&self, other: &Self) -> bool {
        let sizes = |spec: &BufferSpec| (spec.scalar, spec.length);
        let lists = |a: &Vec<Command>, b: &Vec<Command>| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_like(b))
        };
        self.precision == other.precision
            && self.buffers.len() == other.buffers.len()
            && self.lists.len() == other.lists.len()
            && self.buffers.iter().zip(&other.buffers).all(|(a, b)| sizes(a) == sizes(b))
            && self.lists.iter().zip(&other.lists).all(|(a, b)| lists(a, b))
    }

    /// The buffer with this id.
    pub fn buffer(&self, id: BufferId) -> &BufferSpec {
        &self.buffers[id.0 as usize]
    }

    /// Bytes of a buffer on the device, of all instances.
    pub fn bytes(&self, id: BufferId) -> u64 {
        match self.buffer(id).is_apart {
            true => self.stride(id) * u64::from(self.instances),
            false => self.bytes_of_one(id),
        }
    }

    /// Bytes of a buffer of one instance.
    pub fn bytes_of_one(&self, id: BufferId) -> u64 {
        let spec = self.buffer(id);
        spec.scalar.bytes(self.precision) * spec.length as u64
    }

    /// Bytes from the part of an instance in a buffer to that of the next one; 0 where it is shared.
    pub fn stride(&self, id: BufferId) -> u64 {
        let spec = self.buffer(id);
        let entries = spec.length.max(LEAST_ENTRIES) as u64;
        if spec.is_apart { spec.scalar.bytes(self.precision) * entries } else { 0 }
    }

    /// A call of the kernel `name` with one invocation for each of `invocations`.
    ///
    /// # Panics
    /// When there is no such kernel, or `bindings` are not of the number and types in its row of the
    /// table: mistakes of the programmer.
    pub fn call<P: Pod>(
        &self,
        name: &str,
        params: &P,
        bindings: &[BufferId],
        (invocations, sizes): (usize, Sizes),
    ) -> Command {
        self.call_variant((name, None), params, bindings, (invocations, sizes))
    }

    /// The same for a kernel over elements.
    ///
    /// # Panics
    /// As [`Self::call`].
    pub fn call_variant<P: Pod>(
        &self,
        (name, element): (&str, Option<ElementVariant>),
        params: &P,
        bindings: &[BufferId],
        (invocations, sizes): (usize, Sizes),
    ) -> Command {
        let Some(kernel) = kernel(name) else { panic!("no kernel '{name}'") };
        let listed = &kernel.bindings[1..];
        assert_eq!(listed.len(), bindings.len(), "bindings of '{name}'");
        for (binding, &id) in listed.iter().zip(bindings) {
            let spec = self.buffer(id);
            assert_eq!(binding.scalar, spec.scalar, "'{name}': {} is {}", binding.name, spec.name);
            let written = matches!(binding.access, Access::Write | Access::Update);
            let uses = bindings.iter().filter(|&&b| b == id).count();
            assert!(!written || uses == 1, "'{name}': {} is bound twice", spec.name);
        }
        let variant = Variant::new(self.precision, element);
        Command::Dispatch(Dispatch {
            kernel,
            variant,
            params: bytemuck::bytes_of(params).to_vec(),
            bindings: bindings.to_vec(),
            groups: (invocations as u64).div_ceil(u64::from(kernel.workgroup_size)).max(1),
            cost: (kernel.cost)(&sizes, self.precision),
        })
    }
}
