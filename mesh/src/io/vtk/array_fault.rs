//! Faults of an encoded array of VTK's XML files: lengths that its bytes contradict.

use crate::io::error::Problem;

/// A fault of an array.
#[derive(Debug, thiserror::Error)]
pub(in crate::io) enum ArrayFault {
    #[error("{declared} bytes are declared, at most {available} are left")]
    CutOff { declared: u64, available: usize },
    #[error(transparent)]
    Base64(#[from] base64::DecodeError),
    #[error("the block count overflows")]
    BlockCount,
    #[error("the declared length overflows")]
    TotalLength,
    #[error("{0}")]
    Length(Problem),
    #[error("{declared} bytes are declared, {expected} are expected")]
    Expected { declared: u64, expected: u64 },
    #[error("{0} bytes are declared, far more than a file of this length holds")]
    Budget(u64),
    #[error(transparent)]
    Zlib(std::io::Error),
    #[error(transparent)]
    Lz4(#[from] lz4_flex::block::DecompressError),
    #[error("{declared} bytes are declared, it holds {}{found}", if *.more { "at least " } else { "" })]
    Inflated { declared: u64, found: u64, more: bool },
    #[error("{declared} bytes are declared, {available} bytes cannot hold them")]
    Ratio { declared: u64, available: usize },
    #[error("block {block} of {count}: {fault}")]
    Block { block: usize, count: u64, fault: Box<Self> },
}

impl ArrayFault {
    /// The same of one of `count` blocks.
    pub(in crate::io) fn of_block(self, block: usize, count: u64) -> Self {
        Self::Block { block, count, fault: Box::new(self) }
    }
}
