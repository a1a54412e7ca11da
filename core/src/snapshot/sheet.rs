//! Properties of the selected components, for a panel that shows and sets them.

use crate::component::ComponentId;
use crate::property::{PropertyInfo, Source, Value};

/// The properties of one component.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The component.
    pub owner: ComponentId,
    /// Its path.
    pub path: String,
    /// Rows in the order of the table; properties without a value now are left out.
    pub rows: Vec<SheetRow>,
}

/// A property and its value.
#[derive(Clone, Debug)]
pub struct SheetRow {
    /// Description: name, unit, range, one line of documentation.
    pub info: &'static PropertyInfo,
    /// Its value now.
    pub value: Value,
    /// Source of the value.
    pub source: Source,
}
