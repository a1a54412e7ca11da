//! Faults of the bytes of a checkpoint, and the version that these are of.

/// The version that is written.
pub const VERSION: u32 = 3;

/// A fault in the bytes of a checkpoint; each is written to follow the name of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointFault {
    /// There is no room for its checksum.
    #[error("it is too short")]
    Short,
    /// Its first bytes are those of another kind of file.
    #[error("it does not begin as one")]
    Foreign,
    /// A version that this program does not read.
    #[error("it has version {0}, this program reads {VERSION}")]
    Version(u32),
    /// Its checksum is not that of its bytes.
    #[error("its checksum does not fit: it was cut off or changed")]
    Checksum,
    /// It ends within a number or a list.
    #[error("it ends too early")]
    Ended,
    /// It says of more entries than it has bytes for.
    #[error("it counts {0} entries and ends before")]
    Count(u64),
    /// A text in another encoding than UTF-8.
    #[error("a text in it is not UTF-8")]
    Text,
    /// The number of a pair, a point or a row that is larger than any.
    #[error("{0} is too large for the number of a pair, a point of contact or a row")]
    ContactNumber(u64),
    /// The value of a property that is none of its type.
    #[error("'{text}' is no {ty}")]
    Value {
        /// The value as text.
        text: String,
        /// Name of the type.
        ty: String,
    },
    /// A property of a type that is not known.
    #[error("there is no value of type '{0}'")]
    Type(String),
    /// Bytes behind the last list.
    #[error("{0} bytes follow its end")]
    Trailing(usize),
}
