//! Identities of blocks and of their outputs.

/// A block of a graph. Once the block is removed, the identity names nothing any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

/// One output of a block, a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Port {
    /// The block.
    pub block: BlockId,
    /// Index among its outputs.
    pub output: u32,
}

impl BlockId {
    /// One of the outputs.
    pub fn port(self, output: usize) -> Port {
        Port { block: self, output: output as u32 }
    }

    /// The first outputs.
    pub fn ports<const N: usize>(self) -> [Port; N] {
        std::array::from_fn(|output| self.port(output))
    }
}
