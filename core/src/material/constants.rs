//! The constants of a law as data: name, unit, range, default, an example, doc. Properties, model
//! files, their schema and the page of the documentation come from these; `material_constants!`
//! writes the struct that a model holds.

pub use crate::axial::Value;
use crate::property::Range;

/// One constant of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// Name of the field, in code, in model files and of the property `material.NAME`.
    pub name: &'static str,
    /// Unit; `-` for numbers without one and for words.
    pub unit: &'static str,
    /// Numbers that are allowed.
    pub range: Range,
    /// Words that are allowed; empty for numbers.
    pub words: &'static [&'static str],
    /// Its default, ArtiSynth's where ArtiSynth has the constant.
    pub default: Value,
    /// A value that lets the constant count, for tests and the documentation.
    pub example: Value,
    /// Meaning of the constant.
    pub doc: &'static str,
}

/// The constants of a law by name.
pub(crate) trait ConstantSet {
    /// The list of its constants.
    fn list(&self) -> &'static [Constant];

    /// Value of the constant of that name, if there is one.
    fn get(&self, name: &str) -> Option<Value>;

    /// Replaces the constant of that name, whatever its range; `false` where there is none of that
    /// name and kind.
    fn set(&mut self, name: &str, value: Value) -> bool;

    /// The numbers that the law computes with, in the order in which kernels take them.
    fn pack(&self) -> Vec<f64>;

    /// The first thing that is wrong with constants that are each in range.
    fn check_together(&self) -> Option<Unfit> {
        None
    }
}

/// Constants that do not go together.
pub(crate) struct Unfit {
    /// The constant, or an expression of several.
    pub(crate) parameter: &'static str,
    /// Its value.
    pub(crate) value: f64,
    /// The condition that it must meet.
    pub(crate) must: &'static str,
}

impl Unfit {
    /// `None` where the value is positive.
    pub(crate) fn unless_positive(
        parameter: &'static str,
        value: f64,
        must: &'static str,
    ) -> Option<Self> {
        let positive = value.is_finite() && value > 0.0;
        (!positive).then_some(Self { parameter, value, must })
    }
}

/// The struct of a law's constants, its default, its example and its access by name. One line a
/// constant: `name: type = default, example, "unit", RANGE;` under its doc. Numbers are `f64`; other
/// types are enums made by `choice!`.
macro_rules! material_constants {
    (@value f64, $value:expr) => { $crate::material::Value::Number($value) };
    (@value $ty:ident, $value:expr) => { $crate::material::Value::Choice($value.name()) };
    (@words f64) => { &[] };
    (@words $ty:ident) => { <$ty>::NAMES };
    (@from f64, $value:expr) => {
        match $value { $crate::material::Value::Number(x) => Some(x), _ => None }
    };
    (@from $ty:ident, $value:expr) => {
        match $value { $crate::material::Value::Choice(name) => <$ty>::from_name(name), _ => None }
    };
    (
        $(#[doc = $law_doc:literal])*
        $name:ident {
            $( $(#[doc = $doc:literal])*
               $field:ident: $ty:ident = $default:expr, $example:expr, $unit:literal, $range:ident; )*
        }
        |$packed:ident| $pack:expr $(, together |$checked:ident| $together:expr)?
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
            /// Description of each constant.
            pub const LIST: &'static [$crate::material::Constant] = &[
                $( $crate::material::Constant {
                    name: stringify!($field),
                    unit: $unit,
                    range: $crate::property::Range::$range,
                    words: $crate::material::constants::material_constants!(@words $ty),
                    default: $crate::material::constants::material_constants!(@value $ty, $default),
                    example: $crate::material::constants::material_constants!(@value $ty, $example),
                    doc: concat!($($doc),*).trim_ascii(),
                }, )*
            ];

            /// Constants of a soft tissue that let all terms of the law count.
            pub fn example() -> Self {
                Self { $( $field: $example, )* }
            }
        }

        impl $crate::material::constants::ConstantSet for $name {
            fn list(&self) -> &'static [$crate::material::Constant] {
                Self::LIST
            }

            fn get(&self, name: &str) -> Option<$crate::material::Value> {
                match name {
                    $( stringify!($field) => Some(
                        $crate::material::constants::material_constants!(@value $ty, self.$field)
                    ), )*
                    _ => None,
                }
            }

            fn set(&mut self, name: &str, value: $crate::material::Value) -> bool {
                match name {
                    $( stringify!($field) => {
                        let read = $crate::material::constants::material_constants!(@from $ty, value);
                        read.map(|x| self.$field = x).is_some()
                    } )*
                    _ => false,
                }
            }

            fn pack(&self) -> Vec<f64> {
                let $packed = self;
                $pack
            }

            $( fn check_together(&self) -> Option<$crate::material::constants::Unfit> {
                let $checked = self;
                $together
            } )?
        }
    };
}
pub(super) use material_constants;
