//! Errors of properties, in reading and in setting.

use crate::component::PathError;
use crate::component::spelling::{did_you_mean, with_article};
use crate::property::{CheckError, Range, number};

/// Errors of reading or setting a property; it is then as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PropertyError {
    /// The part before the colon, or a path that is the value.
    #[error(transparent)]
    Path(#[from] PathError),
    /// There is no colon with a name behind it.
    #[error("'{0}' names no property: add ':' and its name")]
    NoName(String),
    /// There is no such property.
    #[error("{owner} has no property '{name}'{}", did_you_mean(.near))]
    Unknown {
        /// Path and kind of the component.
        owner: String,
        /// The name.
        name: String,
        /// Names that are spelled like it.
        near: Vec<String>,
    },
    /// The value is of another type.
    #[error("{property} takes {}, not {given}", with_article(.expected))]
    Type {
        /// Path of the property.
        property: String,
        /// Name of its type, with the words where it is a choice.
        expected: String,
        /// Type that was given.
        given: String,
    },
    /// There are too many numbers, or too few.
    #[error("{property} is {expected} numbers, not {given}")]
    Count {
        /// Path of the property.
        property: String,
        /// Number of values it has.
        expected: usize,
        /// Number of values given, or for which there was room.
        given: usize,
    },
    /// A number is out of range.
    #[error("{property} must be {range}, got {}", number(.value))]
    Range {
        /// Path of the property.
        property: String,
        /// The number.
        value: f64,
        /// Range of permitted values.
        range: Range,
    },
    /// The value is of the type and in range, and still has no meaning.
    #[error("{property} cannot be '{value}': {why}")]
    Value {
        /// Path of the property.
        property: String,
        /// The value.
        value: String,
        /// The condition that it must meet.
        why: &'static str,
    },
    /// The component would not do with the value.
    #[error("{property} cannot be '{value}': {fault}")]
    Invalid {
        /// Path of the property.
        property: String,
        /// The value.
        value: String,
        /// The fault that it would cause.
        fault: Box<CheckError>,
    },
    /// A sibling has the name.
    #[error("{property} cannot be '{name}': a sibling has that name")]
    NameTaken {
        /// Path of the property.
        property: String,
        /// The name.
        name: String,
    },
    /// It can only be read.
    #[error("{0} can only be read")]
    ReadOnly(String),
    /// It has no ancestor's value to take.
    #[error("{0} cannot be inherited: set it to a value")]
    NotInheritable(String),
    /// The component has no such number now.
    #[error("{property} has no value: {why}")]
    Absent {
        /// Path of the property.
        property: String,
        /// The reason.
        why: &'static str,
    },
    /// The component was deleted.
    #[error("{0} is not there any more")]
    Gone(String),
}
