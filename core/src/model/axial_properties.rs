//! What a spring or a muscle shows of its law and of its activation: names, and constants by name.

use super::AxialSpring;
use crate::axial::{
    self, ActivationDynamics, ActivationModel, AxialLaw, Constants, KINDS, Range as Bounds,
};
use crate::property::{
    Item, ItemAccess, PropertyType, PropertyValue, Put, Range, Refusal, Value, taken,
};

/// The name of an axial law, as a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LawKindName(&'static str);

/// Names of all axial laws.
const NAMES: [&str; KINDS.len()] = {
    let mut names = [""; KINDS.len()];
    let mut k = 0;
    while k < names.len() {
        names[k] = KINDS[k].name;
        k += 1;
    }
    names
};

impl PropertyValue for LawKindName {
    const TYPE: PropertyType = PropertyType::Choice(&NAMES);

    fn to_value(&self) -> Value {
        Value::Choice(self.0)
    }

    fn from_value(value: &Value) -> Option<Self> {
        word(value, &NAMES).map(Self)
    }
}

impl LawKindName {
    pub(crate) const DEFAULT: Self = Self("linear");

    pub(crate) fn of(law: &AxialLaw) -> Self {
        Self(law.kind().name)
    }

    /// Puts the law with its default constants in place of another one.
    pub(crate) fn put(self, law: &mut AxialLaw) -> Put {
        if law.kind().name != self.0 {
            *law = AxialLaw::from_name(self.0).ok_or(Refusal::Absent)?;
        }
        Ok(())
    }
}

fn word(value: &Value, words: &[&'static str]) -> Option<&'static str> {
    let given = match value {
        Value::Choice(word) => word,
        Value::Text(word) => word.as_str(),
        _ => return None,
    };
    words.iter().copied().find(|known| *known == given)
}

/// The constants of all laws.
pub(crate) fn law_items() -> impl Iterator<Item = Item> {
    KINDS.iter().flat_map(|kind| kind.constants).map(|constant| {
        let (value_type, range) = bounds(constant.range);
        Item {
            name: constant.name,
            value_type,
            unit: constant.unit,
            range,
            default: value_of(constant.default),
            doc: constant.doc.trim().trim_end_matches('.'),
        }
    })
}

fn bounds(range: Bounds) -> (PropertyType, Range) {
    let range = match range {
        Bounds::Finite => Range::FINITE,
        Bounds::Positive => Range::POSITIVE,
        Bounds::NonNegative => Range::NOT_NEGATIVE,
        Bounds::Within(low, high) => Range::closed(low, high),
        Bounds::Below(low, high) => Range::below(low, high),
        Bounds::OneOf(words) => return (PropertyType::Choice(words), Range::FINITE),
    };
    (PropertyType::Real, range)
}

fn value_of(value: axial::Value) -> Value {
    match value {
        axial::Value::Number(x) => Value::Real(x),
        axial::Value::Choice(word) => Value::Choice(word),
    }
}

/// Constants of the law that a spring has now.
pub(crate) static LAW: ItemAccess<AxialSpring> = ItemAccess {
    get: |spring, name| spring.material.get(name).map(value_of),
    set: Some(|spring, name, value| {
        let law = &mut spring.material;
        let before = law.get(name).ok_or(Refusal::Absent)?;
        let value = match before {
            axial::Value::Number(_) => axial::Value::Number(taken(value)?),
            axial::Value::Choice(_) => {
                let constants = law.kind().constants;
                let range = constants.iter().find(|c| c.name == name).map(|c| c.range);
                let Some(Bounds::OneOf(words)) = range else { return Err(Refusal::Absent) };
                let known = word(value, words)
                    .ok_or(Refusal::Value("it is none of the words that its law knows"))?;
                axial::Value::Choice(known)
            }
        };
        law.set(name, value)
            .map_err(|_| Refusal::Value("its law has a narrower range for it (docs/muscles.md)"))
    }),
    check: Some(AxialSpring::check_law),
};

/// The parts of activation dynamics.
pub(crate) fn activation_items() -> [Item; 4] {
    let start = ActivationDynamics::default();
    let number = |name, unit, range, default, doc| Item {
        name,
        value_type: PropertyType::Real,
        unit,
        range,
        default: Value::Real(default),
        doc,
    };
    let model = Item {
        name: "model",
        value_type: PropertyType::Choice(ActivationModel::NAMES),
        unit: "",
        range: Range::FINITE,
        default: Value::Choice(start.model.name()),
        doc: "How activation follows excitation, for laws without such dynamics of their own",
    };
    let (rise, fall) = (start.activation_time, start.deactivation_time);
    [
        model,
        number("activation_time", "s", Range::POSITIVE, rise, "Time constant of activation"),
        number("deactivation_time", "s", Range::POSITIVE, fall, "Time constant of deactivation"),
        number("least", "-", Range::below(0.0, 1.0), start.least, "Least activation"),
    ]
}

/// Activation dynamics of a spring.
pub(crate) static ACTIVATION: ItemAccess<AxialSpring> = ItemAccess {
    get: |spring, name| {
        let dynamics = &spring.activation;
        Some(match name {
            "model" => Value::Choice(dynamics.model.name()),
            "activation_time" => Value::Real(dynamics.activation_time),
            "deactivation_time" => Value::Real(dynamics.deactivation_time),
            "least" => Value::Real(dynamics.least),
            _ => return None,
        })
    },
    set: Some(|spring, name, value| {
        let dynamics = &mut spring.activation;
        match name {
            "model" => {
                let word = word(value, ActivationModel::NAMES).and_then(ActivationModel::from_name);
                dynamics.model =
                    word.ok_or(Refusal::Value("it is none of the words that its law knows"))?;
            }
            "activation_time" => dynamics.activation_time = taken(value)?,
            "deactivation_time" => dynamics.deactivation_time = taken(value)?,
            "least" => dynamics.least = taken(value)?,
            _ => return Err(Refusal::Absent),
        }
        Ok(())
    }),
    check: None,
};
