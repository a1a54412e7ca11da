//! Description of a property: its line in the table of its kind. The macro [`properties!`] turns a
//! line into what reads and writes it; composites from a list of constants: `composite.rs`.

use crate::component::{Address, Handle, Invalidates};
use crate::property::{
    CheckError, Components, LinkedText, NamedProperty, PropertyType, Range, ReadLinked, Value,
};

/// Description of a property.
#[derive(Clone, Debug)]
pub struct PropertyInfo {
    /// Name after the colon of a path; a dot separates the parts of a composite.
    pub name: &'static str,
    /// Type of its values.
    pub value_type: PropertyType,
    /// Unit; "-" for a pure number, "" for a value without one.
    pub unit: &'static str,
    /// Its numbers lie here.
    pub range: Range,
    /// Value of a new component.
    pub default: Value,
    /// One line.
    pub doc: &'static str,
    /// Parts of the model that become stale when it is set.
    pub invalidates: Invalidates,
    /// True if it can only be read.
    pub read_only: bool,
    /// True if its value can come from an ancestor.
    pub inheritable: bool,
    /// True if it needs a state of the simulation.
    pub simulated: bool,
    /// Number of the coordinate that it is of, among those of a custom joint; 0 for all others.
    pub number: usize,
}

/// A line of the table of component kind `T`.
pub struct Property<T: 'static> {
    pub(crate) info: PropertyInfo,
    pub(crate) access: Access<T>,
    /// Check that the component does with its value, where type and range do not say it all.
    pub(crate) check: Option<Check<T>>,
}

/// Access to a property: its functions to read and write.
pub(crate) enum Access<T: 'static> {
    /// A value of the component.
    Own {
        /// `None` where it has none of this name now.
        get: fn(&T) -> Option<Value>,
        set: fn(&mut T, &Value) -> Put,
        extent: SetExtent,
    },
    /// One of many values that are told apart by name: constants of a law.
    Item { item: &'static str, get: GetItem<T>, set: Option<SetItem<T>> },
    /// One for each of its coordinates, which are told apart by number: of a custom joint.
    Numbered { part: &'static str, get: GetNumbered<T>, set: SetNumbered<T> },
    /// A reference, or several, to what is there.
    Reference { get: fn(&T) -> Vec<Address>, set: fn(&mut T, &[Address]) -> Put },
    /// Text or paths in which properties of other components are named.
    Named { get: fn(&T, &dyn Components) -> Value, set: SetNamed<T> },
    /// Text with paths that follow what they lead to.
    Linked { get: fn(&T) -> &LinkedText, set: fn(&mut T, LinkedText), read: ReadLinked },
    /// A value that may come from an ancestor: `None` is "inherited".
    Inheritable { get: fn(&T) -> Option<Value>, set: fn(&mut T, Option<&Value>) },
    /// Follows from the model.
    Derived(fn(&dyn Components, Handle<T>) -> Option<Value>),
    /// Follows from a state of the simulation; `simulated/` reads it.
    Simulated,
}

/// Extent of setting a value of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetExtent {
    /// One field, which takes every value of its type.
    Field,
    /// One value, by a function that may refuse it.
    Value,
    /// Several values, by a function that may refuse it; it is undone with all of the component.
    Component,
}

/// Looks at a component of a model.
pub(crate) type Check<T> = fn(&T, &dyn Components) -> Result<(), CheckError>;
/// Reads the value of that name; `None` where there is none now.
pub(crate) type GetItem<T> = fn(&T, &str) -> Option<Value>;
/// Reads the value of that name of the coordinate of a number; `None` where there is none now.
pub(crate) type GetNumbered<T> = fn(&T, usize, &str) -> Option<Value>;
/// Sets it.
pub(crate) type SetNumbered<T> = fn(&mut T, usize, &str, &Value) -> Put;
/// Sets the value of that name.
pub(crate) type SetItem<T> = fn(&mut T, &str, &Value) -> Put;
/// Sets a value, given the properties that it names, in its order.
pub(crate) type SetNamed<T> = fn(&mut T, &Value, &[NamedProperty]) -> Put;

/// Result of setting a value.
pub(crate) type Put = Result<(), Refusal>;

/// Reasons for refusing a value of the right type and range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The component is not there.
    Gone,
    /// The component has no such value now.
    Absent,
    /// The value has no meaning: what it must be.
    Value(&'static str),
}

/// The function `properties` of a kind, a line a property:
/// `"name": Type = default, "unit", RANGE, INVALIDATES, "doc", how (..);` where `how` is
/// - `own (field.of.it)`,
/// - `inheritable (field)` with a field of type `Option`,
/// - `via (get, set)`: functions; `replacing (get, set)` where setting changes other values too,
/// - `reference (get, set)`: of type [`Value::Path`] or [`Value::Paths`], addresses in and out,
/// - `named (get, set)`: text with properties in braces, or paths of properties, which follow their hosts,
/// - `linked (field, read)`: a [`LinkedText`], read so,
/// - `derived (get)` of model and handle, `simulated ()` for what `simulated/` reads.
///
/// `, check function` before the semicolon names what looks at the component after it was set.
/// A line `..expression;` adds a composite.
macro_rules! properties {
    ($T:ty { $($lines:tt)* }) => {
        fn properties() -> &'static [$crate::property::Property<$T>] {
            static TABLE: std::sync::LazyLock<Vec<$crate::property::Property<$T>>> =
                std::sync::LazyLock::new(|| {
                    #[allow(unused_mut, reason = "a kind may have no properties of its own")]
                    let mut table = Vec::new();
                    $crate::property::properties!(@lines table $T; $($lines)*);
                    table
                });
            &TABLE
        }
    };
    (@lines $table:ident $T:ty;) => {};
    (@lines $table:ident $T:ty; .. $more:expr; $($lines:tt)*) => {
        $table.extend($more);
        $crate::property::properties!(@lines $table $T; $($lines)*);
    };
    (@lines $table:ident $T:ty;
        $name:literal: $V:ty = $default:expr, $unit:literal, $range:ident, $stale:ident,
        $doc:literal, $how:ident $arguments:tt $(, check $check:expr)?; $($lines:tt)*
    ) => {
        $table.push($crate::property::Property::<$T> {
            info: $crate::property::properties!(@info
                $name, $V, $default, $unit, $range, $stale, $doc, $how),
            access: $crate::property::properties!(@access $how $T, $V, $arguments),
            check: $crate::property::properties!(@check $($check)?),
        });
        $crate::property::properties!(@lines $table $T; $($lines)*);
    };
    (@info $name:expr, $V:ty, $default:expr, $unit:expr, $range:ident, $stale:ident, $doc:expr,
        $how:ident
    ) => {
        $crate::property::PropertyInfo {
            name: $name,
            value_type: <$V as $crate::property::PropertyValue>::TYPE,
            unit: $unit,
            range: $crate::property::Range::$range,
            default: {
                let default: $V = $default;
                $crate::property::PropertyValue::to_value(&default)
            },
            doc: $doc,
            invalidates: $crate::component::Invalidates::$stale,
            read_only: $crate::property::properties!(@read_only $how),
            inheritable: $crate::property::properties!(@inheritable $how),
            simulated: $crate::property::properties!(@simulated $how),
            number: 0,
        }
    };
    (@check) => { None };
    (@check $check:expr) => { Some($check) };
    (@read_only derived) => { true };
    (@read_only simulated) => { true };
    (@read_only $how:ident) => { false };
    (@inheritable inheritable) => { true };
    (@inheritable $how:ident) => { false };
    (@simulated simulated) => { true };
    (@simulated $how:ident) => { false };
    (@access own $T:ty, $V:ty, ($($field:tt)+)) => {
        $crate::property::Access::Own {
            get: |it| Some($crate::property::PropertyValue::to_value(&it.$($field)+)),
            set: |it, value| {
                it.$($field)+ = $crate::property::taken::<$V>(value)?;
                Ok(())
            },
            extent: $crate::property::SetExtent::Field,
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
        $crate::property::properties!(@functions $V, $get, $set, Value)
    };
    (@access replacing $T:ty, $V:ty, ($get:expr, $set:expr)) => {
        $crate::property::properties!(@functions $V, $get, $set, Component)
    };
    (@functions $V:ty, $get:expr, $set:expr, $extent:ident) => {
        $crate::property::Access::Own {
            get: |it| {
                let value: Option<$V> = $get(it);
                value.as_ref().map($crate::property::PropertyValue::to_value)
            },
            set: |it, value| $set(it, $crate::property::taken::<$V>(value)?),
            extent: $crate::property::SetExtent::$extent,
        }
    };
    (@access reference $T:ty, $V:ty, ($get:expr, $set:expr)) => {
        $crate::property::Access::Reference { get: $get, set: $set }
    };
    (@access named $T:ty, $V:ty, ($get:expr, $set:expr)) => {
        $crate::property::Access::Named { get: $get, set: $set }
    };
    (@access linked $T:ty, $V:ty, ($field:ident, $read:expr)) => {
        $crate::property::Access::Linked {
            get: |it| &it.$field,
            set: |it, text| it.$field = text,
            read: $read,
        }
    };
    (@access derived $T:ty, $V:ty, ($get:expr)) => {
        $crate::property::Access::Derived(|model, handle| {
            let get: fn(&dyn $crate::property::Components, $crate::component::Handle<$T>) -> Option<$V> = $get;
            let value = get(model, handle);
            value.as_ref().map($crate::property::PropertyValue::to_value)
        })
    };
    (@access simulated $T:ty, $V:ty, ()) => {
        $crate::property::Access::Simulated
    };
}

pub(crate) use properties;

/// The value as `V`; values are checked for their type before they get here.
pub(crate) fn taken<V: super::PropertyValue>(value: &Value) -> Result<V, Refusal> {
    V::from_value(value).ok_or(Refusal::Value("of the type of the property"))
}
