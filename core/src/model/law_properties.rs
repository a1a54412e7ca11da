//! What a tissue, a region and an element show of their law: its name, and its constants by name.

use crate::material::{CONSTANTS, MaterialSpec, material_constant, set_material_constant};
use crate::property::{Item, PropertyType, PropertyValue, Put, Refusal, Value};

/// The name of a law, as a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LawName(pub(crate) &'static str);

impl PropertyValue for LawName {
    const TYPE: PropertyType = PropertyType::Choice(&MaterialSpec::NAMES);

    fn to_value(&self) -> Value {
        Value::Choice(self.0)
    }

    fn from_value(value: &Value) -> Option<Self> {
        value.word_of(&MaterialSpec::NAMES).map(Self)
    }
}

impl LawName {
    pub(crate) const DEFAULT: Self = Self("linear");

    pub(crate) fn of(law: &MaterialSpec) -> Self {
        Self(law.name())
    }

    /// Puts the law with its default constants in place of another one.
    pub(crate) fn put(self, law: &mut MaterialSpec) -> Put {
        if law.name() != self.0 {
            *law = MaterialSpec::from_name(self.0).ok_or(Refusal::Absent)?;
        }
        Ok(())
    }
}

/// The constants of all laws.
pub(crate) fn law_constants() -> impl Iterator<Item = Item> {
    CONSTANTS.iter().map(|constant| Item {
        name: constant.name,
        value_type: PropertyType::Real,
        unit: constant.unit,
        range: constant.range,
        default: Value::Real(constant.default),
        doc: constant.doc,
    })
}

pub(crate) fn constant(law: &MaterialSpec, name: &str) -> Option<Value> {
    material_constant(law, name).map(Value::Real)
}

pub(crate) fn put_constant(law: &mut MaterialSpec, name: &str, value: &Value) -> Put {
    let value = crate::property::taken(value)?;
    if set_material_constant(law, name, value) { Ok(()) } else { Err(Refusal::Absent) }
}
