//! Lines of the tables of nodes, elements, regions and supports of a tissue, which are no components:
//! they are found in the tissue by number.

use crate::kinds::FemModel;
use crate::property::{CheckError, PropertyInfo, Put, Value};

/// A line of the table of one kind of part.
pub(crate) struct PartProperty {
    pub(crate) info: PropertyInfo,
    pub(super) access: PartAccess,
    /// Check that the tissue does with its value, where type and range do not say it all.
    pub(crate) check: Option<CheckPart>,
}

/// Looks at a part of a tissue.
pub(crate) type CheckPart = fn(&FemModel, usize) -> Result<(), CheckError>;
/// Reads the value of that name; `None` where there is none now.
pub(super) type GetPartItem = fn(&FemModel, usize, &str) -> Option<Value>;
/// Sets the value of that name.
pub(super) type SetPartItem = fn(&mut FemModel, usize, &str, &Value) -> Put;

/// Access to the value of part number `k`.
pub(super) enum PartAccess {
    /// A value of the tissue.
    Own {
        get: fn(&FemModel, usize) -> Option<Value>,
        set: fn(&mut FemModel, usize, &Value) -> Put,
        /// True if setting it leaves everything else as it was.
        alone: bool,
    },
    /// One of many values that are told apart by name.
    Item {
        item: &'static str,
        get: GetPartItem,
        /// `None`: it can only be read.
        set: Option<SetPartItem>,
    },
    /// Follows from the tissue.
    Derived(fn(&FemModel, usize) -> Option<Value>),
    /// Follows from a state of the simulation; `simulated/` reads it.
    Simulated,
}

impl PartProperty {
    /// True if setting it leaves everything else as it was.
    pub(crate) fn alone(&self) -> bool {
        !matches!(self.access, PartAccess::Own { alone: false, .. })
    }
}

/// A table as [`properties!`](super::properties) has it, with `via`, `replacing`, `derived` and
/// `simulated ()`; functions take the number of the part last.
macro_rules! part_properties {
    ($table:ident: $($name:literal: $V:ty = $default:expr, $unit:literal, $range:ident,
        $stale:ident, $doc:literal, $how:ident $arguments:tt $(, check $check:expr)?;)*
    ) => {
        $($table.push($crate::model::properties::part_table::PartProperty {
            info: $crate::property::properties!(@info
                $name, $V, $default, $unit, $range, $stale, $doc, $how),
            access: $crate::model::properties::part_table::part_properties!(@access $how $V, $arguments),
            check: $crate::property::properties!(@check $($check)?),
        });)*
    };
    (@access via $V:ty, ($get:expr, $set:expr)) => {
        $crate::model::properties::part_table::part_properties!(@own $V, $get, $set, true)
    };
    (@access replacing $V:ty, ($get:expr, $set:expr)) => {
        $crate::model::properties::part_table::part_properties!(@own $V, $get, $set, false)
    };
    (@own $V:ty, $get:expr, $set:expr, $alone:literal) => {
        $crate::model::properties::part_table::PartAccess::Own {
            get: |fem, k| {
                let get: fn(&$crate::model::FemModel, usize) -> Option<$V> = $get;
                let value = get(fem, k);
                value.as_ref().map($crate::property::PropertyValue::to_value)
            },
            set: |fem, k, value| {
                let set: fn(&mut $crate::model::FemModel, $V, usize) -> $crate::property::Put =
                    $set;
                set(fem, $crate::property::taken::<$V>(value)?, k)
            },
            alone: $alone,
        }
    };
    (@access derived $V:ty, ($get:expr)) => {
        $crate::model::properties::part_table::PartAccess::Derived(|fem, k| {
            let get: fn(&$crate::model::FemModel, usize) -> Option<$V> = $get;
            let value = get(fem, k);
            value.as_ref().map($crate::property::PropertyValue::to_value)
        })
    };
    (@access simulated $V:ty, ()) => {
        $crate::model::properties::part_table::PartAccess::Simulated
    };
}

pub(super) use part_properties;
