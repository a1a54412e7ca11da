//! Properties of the law of a tissue, a region or an element: its name, and its constants by name.

use crate::material::{self, KINDS, MaterialSpec};
use crate::property::{Item, PropertyType, PropertyValue, Put, Refusal, Value, taken};

/// The name of a law, as a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LawName(pub(crate) &'static str);

impl PropertyValue for LawName {
    const TYPE: PropertyType = PropertyType::Choice(&MaterialSpec::WORDS);

    fn to_value(&self) -> Value {
        Value::Choice(self.0)
    }

    /// Other names become that of the law.
    fn from_value(value: &Value) -> Option<Self> {
        let word = value.word_of(&MaterialSpec::WORDS)?;
        KINDS.iter().find(|kind| kind.is_called(word)).map(|kind| Self(kind.name))
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

/// The constants of all laws of tissue, or of those of muscles in it.
pub(crate) fn law_constants(muscle: bool) -> impl Iterator<Item = Item> {
    let fitting = KINDS.iter().filter(move |kind| kind.muscle == muscle);
    fitting.flat_map(|kind| kind.constants).map(|constant| Item {
        name: constant.name,
        value_type: match constant.default {
            material::Value::Number(_) => PropertyType::Real,
            material::Value::Choice(_) => PropertyType::Choice(constant.words),
        },
        unit: if constant.words.is_empty() { constant.unit } else { "" },
        range: constant.range,
        default: value_of(constant.default),
        doc: constant.doc,
    })
}

fn value_of(value: material::Value) -> Value {
    match value {
        material::Value::Number(x) => Value::Real(x),
        material::Value::Choice(word) => Value::Choice(word),
    }
}

pub(crate) fn constant(law: &MaterialSpec, name: &str) -> Option<Value> {
    law.get(name).map(value_of)
}

pub(crate) fn put_constant(law: &mut MaterialSpec, name: &str, value: &Value) -> Put {
    let constant = law.kind().constant(name).ok_or(Refusal::Absent)?;
    let value = match constant.default {
        material::Value::Number(_) => material::Value::Number(taken(value)?),
        material::Value::Choice(_) => {
            let unknown = Refusal::Value("it is none of the words that its law knows");
            material::Value::Choice(value.word_of(constant.words).ok_or(unknown)?)
        }
    };
    if law.put(name, value) { Ok(()) } else { Err(Refusal::Absent) }
}
