//! The constants of a law as data: name, unit, range, default, doc. From these come the checks, the
//! access by name, and the table of the documentation; `law_constants!` writes a law's struct.

/// A law of tension without its constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawKind {
    /// Its name in files and reports.
    pub name: &'static str,
    /// The law in words, with its equation.
    pub doc: &'static str,
    /// Role of the law: passive or excited.
    pub role: Role,
    /// Key in `docs/reference/references.md`.
    pub source: &'static str,
    /// Its constants.
    pub constants: &'static [Constant],
}

/// Answer of a law to an excitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Springs, ligaments, tendons.
    Passive,
    /// Muscles.
    Active,
}

/// One constant of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// Name of the field.
    pub name: &'static str,
    /// Unit; `-` for numbers and choices.
    pub unit: &'static str,
    /// Values that it may have.
    pub range: Range,
    /// Its default, ArtiSynth's where ArtiSynth has the constant.
    pub default: Value,
    /// Meaning of the constant.
    pub doc: &'static str,
}

/// Value of a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number in the constant's unit.
    Number(f64),
    /// One of the names of [`Range::OneOf`].
    Choice(&'static str),
}

/// Values that a constant may have. Numbers must also be finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Any number.
    Finite,
    /// More than zero.
    Positive,
    /// Zero or more.
    NonNegative,
    /// From the first to the second, both included.
    Within(f64, f64),
    /// From the first, included, to the second, excluded.
    Below(f64, f64),
    /// One of these names.
    OneOf(&'static [&'static str]),
}

impl Range {
    /// True if the value lies in the range.
    pub fn contains(&self, value: &Value) -> bool {
        match (*self, *value) {
            (Self::OneOf(names), Value::Choice(name)) => names.contains(&name),
            (Self::OneOf(_), _) | (_, Value::Choice(_)) => false,
            (range, Value::Number(x)) => {
                x.is_finite()
                    && match range {
                        Self::Positive => x > 0.0,
                        Self::NonNegative => x >= 0.0,
                        Self::Within(low, high) => (low..=high).contains(&x),
                        Self::Below(low, high) => (low..high).contains(&x),
                        Self::Finite | Self::OneOf(_) => true,
                    }
            }
        }
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Finite => write!(f, "finite"),
            Self::Positive => write!(f, "positive"),
            Self::NonNegative => write!(f, "zero or more"),
            Self::Within(low, high) => write!(f, "from {low} to {high}"),
            Self::Below(low, high) => write!(f, "at least {low} and below {high}"),
            Self::OneOf(names) => write!(f, "one of {}", names.join(", ")),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Choice(name) => write!(f, "{name}"),
        }
    }
}

/// The constants of a law by name.
pub trait Constants {
    /// The kind of law that they belong to.
    fn kind(&self) -> &'static LawKind;

    /// Value of the constant of that name, if there is one.
    fn get(&self, constant: &str) -> Option<Value>;

    /// Replaces the constant of that name.
    ///
    /// # Errors
    /// [`AxialError`] when there is none of that name or the value is out of its range; the law is
    /// then as it was.
    fn set(&mut self, constant: &str, value: Value) -> Result<(), AxialError>;
}

/// A constant of a law that describes nothing physical, or that it does not have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AxialError {
    /// A value out of its range.
    #[error("axial law {law}: {constant} is {value}, it must be {range} [{unit}]")]
    OutOfRange {
        /// Name of the law.
        law: &'static str,
        /// The constant.
        constant: &'static str,
        /// Its value.
        value: Value,
        /// The range that it must lie in.
        range: Range,
        /// Its unit.
        unit: &'static str,
    },
    /// Two constants in the wrong order.
    #[error("axial law {law}: {constant} is {value}, it must exceed {other}, which is {bound}")]
    NotAbove {
        /// Name of the law.
        law: &'static str,
        /// The constant.
        constant: &'static str,
        /// Its value.
        value: f64,
        /// The constant that it must exceed.
        other: &'static str,
        /// The value of that one.
        bound: f64,
    },
    /// No constant of that name.
    #[error("axial law {law} has no constant {constant}; it has {known}")]
    NoConstant {
        /// Name of the law.
        law: &'static str,
        /// Name that was asked for.
        constant: String,
        /// The names of its constants.
        known: String,
    },
}

/// Checks that `constant` exceeds `other`, for [`super::TensionLaw::check_together`].
pub(super) fn ensure_above(
    law: &impl Constants,
    constant: &'static str,
    other: &'static str,
) -> Result<(), AxialError> {
    match (law.get(constant), law.get(other)) {
        (Some(Value::Number(value)), Some(Value::Number(bound))) if value <= bound => {
            Err(AxialError::NotAbove { law: law.kind().name, constant, value, other, bound })
        }
        _ => Ok(()),
    }
}

/// Checks that a value may be set.
pub(super) fn ensure_in_range(
    kind: &'static LawKind,
    constant: &str,
    value: Value,
) -> Result<(), AxialError> {
    let law = kind.name;
    let Some(row) = kind.constants.iter().find(|row| row.name == constant) else {
        let names: Vec<&str> = kind.constants.iter().map(|row| row.name).collect();
        let (constant, known) = (constant.to_owned(), names.join(", "));
        return Err(AxialError::NoConstant { law, constant, known });
    };
    if row.range.contains(&value) {
        return Ok(());
    }
    let (constant, range, unit) = (row.name, row.range, row.unit);
    Err(AxialError::OutOfRange { law, constant, value, range, unit })
}

/// An enum that a constant may be, with its names in files.
macro_rules! choice {
    (
        $(#[$attr:meta])*
        $name:ident { $( $(#[$doc:meta])* $variant:ident = $text:literal, )* }
    ) => {
        $(#[$attr])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $( $(#[$doc])* $variant, )* }

        impl $name {
            /// The names, in the order of the variants.
            pub const NAMES: &'static [&'static str] = &[$($text),*];

            /// Name in files and reports.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $text, )* }
            }

            /// The one of that name, if there is one.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $( $text => Some(Self::$variant), )* _ => None }
            }
        }
    };
}
pub(crate) use choice;

/// The struct of a law's constants, its default, and its [`LawKind`]. One line a constant:
/// `name: type = default, "unit", range;` under its doc.
macro_rules! law_constants {
    (@value f64, $value:expr) => { $crate::axial::Value::Number($value) };
    (@value $ty:ident, $value:expr) => { $crate::axial::Value::Choice($value.name()) };
    (@from f64, $value:expr) => {
        match $value { $crate::axial::Value::Number(x) => Some(x), _ => None }
    };
    (@from $ty:ident, $value:expr) => {
        match $value { $crate::axial::Value::Choice(name) => <$ty>::from_name(name), _ => None }
    };
    (
        $(#[doc = $law_doc:literal])*
        $name:ident = $tag:literal, $role:ident, $source:literal {
            $( $(#[doc = $doc:literal])*
               $field:ident: $ty:ident = $default:expr, $unit:literal, $range:expr; )*
        }
    ) => {
        $(#[doc = $law_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $( $(#[doc = $doc])* #[doc = concat!("Unit: ", $unit, ".")] pub $field: $ty, )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl $name {
            /// Name, doc and constants of this law.
            pub const KIND: $crate::axial::LawKind = $crate::axial::LawKind {
                name: $tag,
                doc: concat!($($law_doc, "\n"),*),
                role: $crate::axial::Role::$role,
                source: $source,
                constants: &[ $( $crate::axial::Constant {
                    name: stringify!($field),
                    unit: $unit,
                    range: $range,
                    default: $crate::axial::constants::law_constants!(@value $ty, $default),
                    doc: concat!($($doc, "\n"),*),
                }, )* ],
            };
        }

        impl $crate::axial::Constants for $name {
            fn kind(&self) -> &'static $crate::axial::LawKind {
                const { &Self::KIND }
            }

            fn get(&self, constant: &str) -> Option<$crate::axial::Value> {
                match constant {
                    $( stringify!($field) =>
                        Some($crate::axial::constants::law_constants!(@value $ty, self.$field)), )*
                    _ => None,
                }
            }

            fn set(
                &mut self,
                constant: &str,
                value: $crate::axial::Value,
            ) -> Result<(), $crate::axial::AxialError> {
                $crate::axial::constants::ensure_in_range(self.kind(), constant, value)?;
                match constant {
                    $( stringify!($field) => {
                        let read = $crate::axial::constants::law_constants!(@from $ty, value);
                        self.$field = read.unwrap_or(self.$field);
                    } )*
                    _ => {}
                }
                Ok(())
            }
        }
    };
}
pub(super) use law_constants;
