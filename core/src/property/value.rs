//! Values of properties, and the types that they can have.

use crate::component::spelling::word_meant;
use crate::property::Range;
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
    /// Path of a component, node or element; empty for none.
    Path(String),
    /// Paths.
    Paths(Vec<String>),
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
    /// Path of a component, node or element.
    Path,
    /// Paths, as many as there are.
    Paths,
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
            Self::Paths => "paths",
            Self::List => "list",
        }
    }

    /// True if its values are made of numbers.
    pub fn is_numeric(self) -> bool {
        self.numeric_size().is_some() || self == Self::List
    }

    /// Count of numbers of a value, for probes; `None` for a value without numbers, or without a
    /// fixed count.
    pub fn numeric_size(self) -> Option<usize> {
        match self {
            Self::Bool | Self::Int | Self::Real => Some(1),
            Self::Vector | Self::Colour => Some(3),
            Self::Matrix => Some(9),
            Self::Pose => Some(7),
            Self::Choice(_) | Self::Text | Self::Path | Self::Paths | Self::List => None,
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
            Self::Paths(_) => PropertyType::Paths.name(),
            Self::List(_) => PropertyType::List.name(),
        }
    }

    /// The one of `words` that it is, as a choice or as text, whatever its case, with hyphens or blanks for underscores.
    pub(crate) fn word_of(&self, words: &[&'static str]) -> Option<&'static str> {
        let given = match self {
            Self::Choice(word) => word,
            Self::Text(word) => word.as_str(),
            _ => return None,
        };
        word_meant(words, given)
    }

    /// True if it is of this type: a whole number is a number too, a text may be a choice or a path.
    pub(crate) fn is_a(&self, ty: PropertyType) -> bool {
        match (self, ty) {
            (Self::Int(_), PropertyType::Real) => true,
            (Self::Text(_) | Self::Choice(_), PropertyType::Choice(words)) => {
                self.word_of(words).is_some()
            }
            (Self::Text(_), PropertyType::Path) => true,
            _ => self.type_name() == ty.name(),
        }
    }

    /// Its numbers, in the order of its text; none for a value without numbers. A bool is 0 or 1, a
    /// matrix goes row by row, a pose is its position and the quaternion i j k w.
    pub fn numbers(&self) -> Numbers<'_> {
        let mut few = [0.0; MOST];
        let mut put = |numbers: &[f64]| {
            few[..numbers.len()].copy_from_slice(numbers);
            numbers.len()
        };
        let count = match self {
            Self::Bool(it) => put(&[f64::from(u8::from(*it))]),
            Self::Int(it) => put(&[*it as f64]),
            Self::Real(it) => put(&[*it]),
            Self::Vector(v) => put(v.as_slice()),
            Self::Matrix(m) => put(m.transpose().as_slice()),
            Self::Pose(p) => {
                put(p.translation.vector.as_slice());
                few[3..7].copy_from_slice(p.rotation.coords.as_slice());
                7
            }
            Self::Colour(c) => put(&c.map(f64::from)),
            Self::List(list) => {
                return Numbers { few, list: Some(list), next: 0, count: list.len() };
            }
            Self::Choice(_) | Self::Text(_) | Self::Path(_) | Self::Paths(_) => 0,
        };
        Numbers { few, list: None, next: 0, count }
    }

    /// The value of type `ty` that these [numbers](Self::numbers) are; `None` when they are too many,
    /// too few, or none of the type (half a whole number, a quaternion of zeros). A bool is `false`
    /// for 0 and else `true`.
    pub fn from_numbers(ty: PropertyType, numbers: &[f64]) -> Option<Self> {
        match (ty, numbers) {
            (PropertyType::Bool, [x]) => Some(Self::Bool(*x != 0.0)),
            (PropertyType::Int, [x]) => (x.fract() == 0.0).then_some(Self::Int(*x as i64)),
            (PropertyType::Real, [x]) => Some(Self::Real(*x)),
            (PropertyType::Vector, &[x, y, z]) => Some(Self::Vector(Vec3::new(x, y, z))),
            (PropertyType::Matrix, m) if m.len() == 9 => {
                Some(Self::Matrix(Mat3::from_row_slice(m)))
            }
            (PropertyType::Pose, &[x, y, z, i, j, k, w]) => {
                let turn = nalgebra::Quaternion::new(w, i, j, k);
                // One that is of length 1 but for rounding is taken as it is, to the bit; one without a
                // length, too, and is refused as improper.
                let off = (turn.norm() - 1.0).abs();
                let turn = if off < 1e-12 || !off.is_finite() {
                    nalgebra::UnitQuaternion::new_unchecked(turn)
                } else {
                    nalgebra::UnitQuaternion::try_new(turn, f64::MIN_POSITIVE)?
                };
                Some(Self::Pose(Pose::from_parts(Vec3::new(x, y, z).into(), turn)))
            }
            (PropertyType::Colour, &[r, g, b]) => Some(Self::Colour([r, g, b].map(|x| x as f32))),
            (PropertyType::List, list) => Some(Self::List(list.to_vec())),
            _ => None,
        }
    }

    /// The first of its numbers that lies outside `range`; of a pose, of its position.
    pub(crate) fn outside(&self, range: &Range) -> Option<f64> {
        let places = if matches!(self, Self::Pose(_)) { 3 } else { usize::MAX };
        let numeric = !matches!(self, Self::Bool(_));
        let mut numbers = self.numbers().take(if numeric { places } else { 0 });
        numbers.find(|x| !range.contains(*x))
    }

    /// True if it turns without stretching: a pose whose quaternion has not length 1 does not.
    pub(crate) fn is_proper(&self) -> bool {
        match self {
            // Products of thousands of rotations are closer.
            Self::Pose(p) => (p.rotation.norm() - 1.0).abs() < 1e-9,
            _ => true,
        }
    }
}

/// Most numbers of a value of fixed size.
const MOST: usize = 9;

/// The numbers of a [`Value`], one after the other.
#[derive(Clone, Debug)]
pub struct Numbers<'v> {
    few: [f64; MOST],
    list: Option<&'v [f64]>,
    next: usize,
    count: usize,
}

impl Iterator for Numbers<'_> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let at = self.next;
        self.next += 1;
        (at < self.count).then(|| self.list.unwrap_or(&self.few)[at])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.count.saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Numbers<'_> {}

/// Types of properties in code.
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

/// Path of one component, node or element, for lines of tables; empty for none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OnePath(pub(crate) String);

impl PropertyValue for OnePath {
    const TYPE: PropertyType = PropertyType::Path;

    fn to_value(&self) -> Value {
        Value::Path(self.0.clone())
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Path(path) | Value::Text(path) => Some(Self(path.clone())),
            _ => None,
        }
    }
}

/// Paths, for lines of tables.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Paths(pub(crate) Vec<String>);

impl PropertyValue for Paths {
    const TYPE: PropertyType = PropertyType::Paths;

    fn to_value(&self) -> Value {
        Value::Paths(self.0.clone())
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Paths(paths) => Some(Self(paths.clone())),
            _ => None,
        }
    }
}

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Self::Real(x)
    }
}

impl From<i32> for Value {
    fn from(x: i32) -> Self {
        Self::Int(x.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// [`PropertyValue`] for an enum: a word for each of its variants.
macro_rules! choices {
    (named $ty:ident { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $ty {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its word, as in model files.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        $crate::property::choices!($ty { $($variant => $word),+ });
    };
    ($ty:ty { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $crate::property::PropertyValue for $ty {
            const TYPE: $crate::property::PropertyType =
                $crate::property::PropertyType::Choice(&[$($word),+]);

            fn to_value(&self) -> $crate::property::Value {
                $crate::property::Value::Choice(match self { $(Self::$variant => $word),+ })
            }

            fn from_value(value: &$crate::property::Value) -> Option<Self> {
                match value.word_of(&[$($word),+])? {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use choices;
