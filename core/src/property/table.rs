//! What a property is: its line in the table of its kind. The macro [`properties!`] turns a line
//! into what reads and writes it.

use super::{PropertyType, Simulated, Value};
use crate::component::{Handle, Invalidates};

/// The numbers that a property may hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    low: f64,
    high: f64,
    /// Whether the ends belong to it.
    closed: [bool; 2],
}

impl Range {
    /// Every number, infinite ones excluded.
    pub const FINITE: Self =
        Self { low: f64::NEG_INFINITY, high: f64::INFINITY, closed: [false; 2] };
    /// Above zero.
    pub const POSITIVE: Self = Self { low: 0.0, high: f64::INFINITY, closed: [false; 2] };
    /// Zero or above.
    pub const NOT_NEGATIVE: Self = Self { low: 0.0, high: f64::INFINITY, closed: [true, false] };
    /// What a Poisson's ratio can be.
    pub const POISSON: Self = Self::open(-1.0, 0.5);
    /// From 0 to 1.
    pub const UNIT: Self = Self { low: 0.0, high: 1.0, closed: [true; 2] };

    /// Between two numbers, both excluded.
    pub const fn open(low: f64, high: f64) -> Self {
        Self { low, high, closed: [false; 2] }
    }

    /// Whether `x` lies in it; what is not a number lies nowhere.
    pub fn contains(&self, x: f64) -> bool {
        (x > self.low || self.closed[0] && x == self.low)
            && (x < self.high || self.closed[1] && x == self.high)
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.low.is_finite(), self.high.is_finite()) {
            (false, _) => f.write_str("finite"),
            (true, false) => write!(f, "{} {}", if self.closed[0] { ">=" } else { ">" }, self.low),
            _ => {
                let left = if self.closed[0] { '[' } else { '(' };
                let right = if self.closed[1] { ']' } else { ')' };
                write!(f, "in {left}{}, {}{right}", self.low, self.high)
            }
        }
    }
}

/// What is known of a property.
#[derive(Clone, Copy, Debug)]
pub struct PropertyInfo {
    /// Name after the colon of a path; a dot separates the parts of a composite.
    pub name: &'static str,
    /// Type of its values.
    pub value_type: PropertyType,
    /// Unit; "-" for a pure number, "" for what has none.
    pub unit: &'static str,
    /// Its numbers lie here.
    pub range: Range,
    /// Value of a new component.
    pub default: fn() -> Value,
    /// One line.
    pub doc: &'static str,
    /// What becomes stale when it is set.
    pub invalidates: Invalidates,
    /// Whether it can only be read.
    pub read_only: bool,
    /// Whether its value can come from an ancestor.
    pub inheritable: bool,
    /// Whether it needs a state of the simulation.
    pub simulated: bool,
    /// Whether setting it changes one field and nothing else.
    pub(crate) plain: bool,
}

/// A line of the table of component kind `T`.
pub struct Property<T: 'static> {
    pub(crate) info: PropertyInfo,
    pub(crate) access: Access<T>,
}

/// How a property is read and written.
pub(crate) enum Access<T: 'static> {
    /// A value of the component; `None`, and `false`, where it has none of this name.
    Own { get: fn(&T) -> Option<Value>, set: fn(&mut T, &Value) -> bool },
    /// A value that may come from an ancestor: `None` is "inherited".
    Inheritable { get: fn(&T) -> Option<Value>, set: fn(&mut T, Option<&Value>) },
    /// Follows from the component.
    Derived(fn(&T) -> Option<Value>),
    /// Follows from a state of the simulation.
    Simulated(fn(&Simulated<'_>, Handle<T>) -> Option<Value>),
}

/// The function `properties` of a kind, a line a property:
/// `"name": Type = default, "unit", RANGE, INVALIDATES, "doc", how (..);` where `how` is
/// `own (field.of.it)`, `inheritable (field)` with a field of type `Option`, `via (get, set)` with
/// functions, `derived (get)` or `simulated (get)`.
macro_rules! properties {
    ($T:ty {
        $($name:literal: $V:ty = $default:expr, $unit:literal, $range:ident, $stale:ident,
          $doc:literal, $how:ident $arguments:tt;)*
    }) => {
        fn properties() -> &'static [$crate::property::Property<$T>] {
            static TABLE: &[$crate::property::Property<$T>] = &[$(
                $crate::property::Property {
                    info: $crate::property::PropertyInfo {
                        name: $name,
                        value_type: <$V as $crate::property::PropertyValue>::TYPE,
                        unit: $unit,
                        range: $crate::property::Range::$range,
                        default: || {
                            let default: $V = $default;
                            $crate::property::PropertyValue::to_value(&default)
                        },
                        doc: $doc,
                        invalidates: $crate::component::Invalidates::$stale,
                        read_only: $crate::property::properties!(@read_only $how),
                        inheritable: $crate::property::properties!(@inheritable $how),
                        simulated: $crate::property::properties!(@simulated $how),
                        plain: $crate::property::properties!(@plain $how),
                    },
                    access: $crate::property::properties!(@access $how $T, $V, $arguments),
                },
            )*];
            TABLE
        }
    };
    (@read_only derived) => { true };
    (@read_only simulated) => { true };
    (@read_only $how:ident) => { false };
    (@inheritable inheritable) => { true };
    (@inheritable $how:ident) => { false };
    (@plain via) => { false };
    (@plain $how:ident) => { true };
    (@simulated simulated) => { true };
    (@simulated $how:ident) => { false };
    (@access own $T:ty, $V:ty, ($($field:tt)+)) => {
        $crate::property::Access::Own {
            get: |it| Some($crate::property::PropertyValue::to_value(&it.$($field)+)),
            set: |it, value| {
                let value = <$V as $crate::property::PropertyValue>::from_value(value);
                value.map(|value| it.$($field)+ = value).is_some()
            },
        }
    };
    (@access inheritable $T:ty, $V:ty, ($($field:tt)+)) => {
        $crate::property::Access::Inheritable {
            get: |it| it.$($field)+.as_ref().map($crate::property::PropertyValue::to_value),
            set: |it, value| {
                it.$($field)+ = value.and_then(<$V as $crate::property::PropertyValue>::from_value);
            },
        }
    };
    (@access via $T:ty, $V:ty, ($get:expr, $set:expr)) => {
        $crate::property::Access::Own {
            get: |it| {
                let value: Option<$V> = $get(it);
                value.as_ref().map($crate::property::PropertyValue::to_value)
            },
            set: |it, value| {
                let value = <$V as $crate::property::PropertyValue>::from_value(value);
                value.is_some_and(|value| $set(it, value))
            },
        }
    };
    (@access derived $T:ty, $V:ty, ($get:expr)) => {
        $crate::property::Access::Derived(|it| {
            let value: Option<$V> = $get(it);
            value.as_ref().map($crate::property::PropertyValue::to_value)
        })
    };
    (@access simulated $T:ty, $V:ty, ($get:expr)) => {
        $crate::property::Access::Simulated(|simulated, handle| {
            let value: Option<$V> = $get(simulated, handle);
            value.as_ref().map($crate::property::PropertyValue::to_value)
        })
    };
}

pub(crate) use properties;
