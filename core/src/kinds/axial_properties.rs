//! Properties of the law and of the activation of a spring or a muscle: names, and constants by
//! name.

use crate::axial::{
    self, ActivationDynamics, ActivationModel, AxialLaw, Constants, KINDS, Range as Bounds,
};
use crate::component::Invalidates;
use crate::property::{
    CheckError, Components, Item, ItemAccess, Problem, Property, PropertyType, PropertyValue, Put,
    Range, Refusal, Value, composite, properties, taken,
};

/// The name of an axial law, as a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LawKindName(&'static str);

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
        value.word_of(&NAMES).map(Self)
    }
}

impl LawKindName {
    const DEFAULT: Self = Self("linear");

    fn of(law: &AxialLaw) -> Self {
        Self(law.kind().name)
    }

    /// Puts the law with its default constants in place of another one.
    fn put(self, law: &mut AxialLaw) -> Put {
        if law.kind().name != self.0 {
            *law = AxialLaw::from_name(self.0).ok_or(Refusal::Absent)?;
        }
        Ok(())
    }
}

/// Makes the lengths among the constants of a law larger by a factor [-]: optimal lengths, slack lengths.
pub(super) fn scale_lengths(law: &mut AxialLaw, factor: f64) {
    for constant in law.kind().constants.iter().filter(|constant| constant.unit == "m") {
        if let Some(axial::Value::Number(length)) = law.get(constant.name) {
            // What is positive or zero stays so.
            let _ = law.set(constant.name, axial::Value::Number(length * factor));
        }
    }
}

/// The constants of all laws.
fn law_items() -> impl Iterator<Item = Item> {
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

/// Components that pull along a line by a law.
pub(super) trait Pulling: Sized + 'static {
    fn law(&self) -> &AxialLaw;
    fn law_mut(&mut self) -> &mut AxialLaw;
    fn activation(&self) -> &ActivationDynamics;
    fn activation_mut(&mut self) -> &mut ActivationDynamics;

    /// Checks that the constants make a law.
    fn check_law(&self, _: &dyn Components) -> Result<(), CheckError> {
        self.law().check().map_err(|error| Problem::Axial(Box::new(error)).at("material"))
    }
}

/// [`Pulling`] for a component with the fields `material` and `activation`.
macro_rules! pulling {
    ($T:ty) => {
        impl $crate::kinds::axial_properties::Pulling for $T {
            fn law(&self) -> &$crate::axial::AxialLaw {
                &self.material
            }

            fn law_mut(&mut self) -> &mut $crate::axial::AxialLaw {
                &mut self.material
            }

            fn activation(&self) -> &$crate::axial::ActivationDynamics {
                &self.activation
            }

            fn activation_mut(&mut self) -> &mut $crate::axial::ActivationDynamics {
                &mut self.activation
            }
        }

        impl $T {
            /// Its pull: law, rest length, excitation, activation.
            pub(crate) fn pull(&self) -> $crate::force::Pull {
                $crate::force::Pull {
                    law: self.material,
                    rest_length: self.rest_length,
                    excitation: self.excitation,
                    activation: self.activation,
                    enabled: self.enabled,
                }
            }
        }
    };
}

pub(super) use pulling;

/// Lines for the law and the activation.
pub(super) fn law_table<T: Pulling>() -> Vec<Property<T>> {
    let mut table = Vec::new();
    properties! { @lines table T;
        "material": LawKindName = LawKindName::DEFAULT, "", FINITE, STRUCTURE, "Law of the tension; another one begins with its default constants",
            replacing (|it: &T| Some(LawKindName::of(it.law())), |it: &mut T, law: LawKindName| law.put(it.law_mut()));
        ..composite("material", Invalidates::PARAMETER, law_items(), &law_access());
        ..composite("activation", Invalidates::STRUCTURE, activation_items(), &activation_access());
    }
    table
}

/// Constants of the law that there is now.
fn law_access<T: Pulling>() -> ItemAccess<T> {
    ItemAccess {
        get: |it, name| it.law().get(name).map(value_of),
        set: Some(|it, name, value| put_constant(it.law_mut(), name, value)),
        check: Some(T::check_law),
    }
}

fn put_constant(law: &mut AxialLaw, name: &str, value: &Value) -> Put {
    let value = match law.get(name).ok_or(Refusal::Absent)? {
        axial::Value::Number(_) => axial::Value::Number(taken(value)?),
        axial::Value::Choice(_) => {
            let constants = law.kind().constants;
            let range = constants.iter().find(|c| c.name == name).map(|c| c.range);
            let Some(Bounds::OneOf(words)) = range else { return Err(Refusal::Absent) };
            axial::Value::Choice(value.word_of(words).ok_or(UNKNOWN_WORD)?)
        }
    };
    law.set(name, value).map_err(|_| {
        Refusal::Value("its law has a narrower range for it (docs/reference/muscles.md)")
    })
}

const UNKNOWN_WORD: Refusal = Refusal::Value("it is none of the words that its law knows");

/// The parts of activation dynamics.
pub(super) fn activation_items() -> [Item; 4] {
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
        doc: "Dynamics of activation, for laws without such dynamics of their own",
    };
    let (rise, fall) = (start.activation_time, start.deactivation_time);
    [
        model,
        number("activation_time", "s", Range::POSITIVE, rise, "Time constant of activation"),
        number("deactivation_time", "s", Range::POSITIVE, fall, "Time constant of deactivation"),
        number("least", "-", Range::below(0.0, 1.0), start.least, "Least activation"),
    ]
}

fn activation_access<T: Pulling>() -> ItemAccess<T> {
    ItemAccess {
        get: |it, name| activation_part(it.activation(), name),
        set: Some(|it, name, value| put_activation(it.activation_mut(), name, value)),
        check: None,
    }
}

pub(super) fn activation_part(dynamics: &ActivationDynamics, name: &str) -> Option<Value> {
    Some(match name {
        "model" => Value::Choice(dynamics.model.name()),
        "activation_time" => Value::Real(dynamics.activation_time),
        "deactivation_time" => Value::Real(dynamics.deactivation_time),
        "least" => Value::Real(dynamics.least),
        _ => return None,
    })
}

pub(super) fn put_activation(dynamics: &mut ActivationDynamics, name: &str, value: &Value) -> Put {
    match name {
        "model" => {
            let word = value.word_of(ActivationModel::NAMES).and_then(ActivationModel::from_name);
            dynamics.model = word.ok_or(UNKNOWN_WORD)?;
        }
        "activation_time" => dynamics.activation_time = taken(value)?,
        "deactivation_time" => dynamics.deactivation_time = taken(value)?,
        "least" => dynamics.least = taken(value)?,
        _ => return Err(Refusal::Absent),
    }
    Ok(())
}
