//! Values of properties, and the types that they can have.

use super::Range;
use crate::{Mat3, Vec3};

/// Position and orientation of a frame [m].
pub type Pose = nalgebra::Isometry3<f64>;

/// The value of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// A vector in space.
    Vector(Vec3),
    /// A 3 x 3 matrix.
    Matrix(Mat3),
    /// Position and orientation.
    Pose(Pose),
    /// One of a list of words.
    Choice(&'static str),
    /// Text.
    Text(String),
    /// Red, green, blue, each in [0, 1].
    Colour([f32; 3]),
    /// Path of a component.
    Path(String),
    /// Numbers.
    List(Vec<f64>),
}

/// The type of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyType {
    /// Yes or no.
    Bool,
    /// A whole number.
    Int,
    /// A number.
    Real,
    /// A vector in space.
    Vector,
    /// A 3 x 3 matrix.
    Matrix,
    /// Position and orientation.
    Pose,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Text.
    Text,
    /// Red, green, blue.
    Colour,
    /// Path of a component.
    Path,
    /// Numbers, as many as there are.
    List,
}

impl PropertyType {
    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Real => "number",
            Self::Vector => "vector",
            Self::Matrix => "matrix",
            Self::Pose => "pose",
            Self::Choice(_) => "choice",
            Self::Text => "text",
            Self::Colour => "colour",
            Self::Path => "path",
            Self::List => "list",
        }
    }

    /// How many numbers a value is, for probes; `None` for what is no numbers, or has no fixed count.
    pub fn numeric_size(self) -> Option<usize> {
        match self {
            Self::Bool | Self::Int | Self::Real => Some(1),
            Self::Vector | Self::Colour => Some(3),
            Self::Matrix => Some(9),
            Self::Pose => Some(7),
            Self::Choice(_) | Self::Text | Self::Path | Self::List => None,
        }
    }
}

impl Value {
    /// Name of its type.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Bool(_) => PropertyType::Bool.name(),
            Self::Int(_) => PropertyType::Int.name(),
            Self::Real(_) => PropertyType::Real.name(),
            Self::Vector(_) => PropertyType::Vector.name(),
            Self::Matrix(_) => PropertyType::Matrix.name(),
            Self::Pose(_) => PropertyType::Pose.name(),
            Self::Choice(_) => PropertyType::Choice(&[]).name(),
            Self::Text(_) => PropertyType::Text.name(),
            Self::Colour(_) => PropertyType::Colour.name(),
            Self::Path(_) => PropertyType::Path.name(),
            Self::List(_) => PropertyType::List.name(),
        }
    }

    /// Whether it is of this type: a whole number is a number too, and a text may be a choice.
    pub(crate) fn is_a(&self, ty: PropertyType) -> bool {
        match (self, ty) {
            (Self::Int(_), PropertyType::Real) => true,
            (Self::Text(word), PropertyType::Choice(words)) => words.contains(&word.as_str()),
            (Self::Choice(word), PropertyType::Choice(words)) => words.contains(word),
            _ => self.type_name() == ty.name(),
        }
    }

    /// The first of its numbers that lies outside `range`.
    pub(crate) fn outside(&self, range: &Range) -> Option<f64> {
        let find = |numbers: &[f64]| numbers.iter().copied().find(|x| !range.contains(*x));
        match self {
            Self::Int(x) => find(&[*x as f64]),
            Self::Real(x) => find(&[*x]),
            Self::Vector(v) => find(v.as_slice()),
            Self::Matrix(m) => find(m.as_slice()),
            Self::Pose(p) => find(p.translation.vector.as_slice()),
            Self::Colour(c) => find(&c.map(f64::from)),
            Self::List(numbers) => find(numbers),
            _ => None,
        }
    }
}

/// What can be the type of a property in code.
pub trait PropertyValue: Sized {
    /// The type.
    const TYPE: PropertyType;

    /// As a value.
    fn to_value(&self) -> Value;

    /// From a value; `None` when it is of another type.
    fn from_value(value: &Value) -> Option<Self>;
}

/// [`PropertyValue`] and `From` for types that one variant holds.
macro_rules! plain_values {
    ($($ty:ty => $variant:ident,)+) => {
        $(
            impl PropertyValue for $ty {
                const TYPE: PropertyType = PropertyType::$variant;

                fn to_value(&self) -> Value {
                    Value::$variant(self.clone())
                }

                fn from_value(value: &Value) -> Option<Self> {
                    match value {
                        Value::$variant(it) => Some(it.clone()),
                        _ => None,
                    }
                }
            }

            impl From<$ty> for Value {
                fn from(it: $ty) -> Self {
                    Self::$variant(it)
                }
            }
        )+
    };
}

plain_values! {
    bool => Bool,
    i64 => Int,
    Vec3 => Vector,
    Mat3 => Matrix,
    Pose => Pose,
    String => Text,
    [f32; 3] => Colour,
    Vec<f64> => List,
}

impl PropertyValue for f64 {
    const TYPE: PropertyType = PropertyType::Real;

    fn to_value(&self) -> Value {
        Value::Real(*self)
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Real(x) => Some(*x),
            Value::Int(x) => Some(*x as f64),
            _ => None,
        }
    }
}

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Self::Real(x)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// [`PropertyValue`] for an enum: a word for each of its variants.
macro_rules! choices {
    ($ty:ty { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $crate::property::PropertyValue for $ty {
            const TYPE: $crate::property::PropertyType =
                $crate::property::PropertyType::Choice(&[$($word),+]);

            fn to_value(&self) -> $crate::property::Value {
                $crate::property::Value::Choice(match self { $(Self::$variant => $word),+ })
            }

            fn from_value(value: &$crate::property::Value) -> Option<Self> {
                let word = match value {
                    $crate::property::Value::Choice(word) => *word,
                    $crate::property::Value::Text(word) => word.as_str(),
                    _ => return None,
                };
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use choices;
