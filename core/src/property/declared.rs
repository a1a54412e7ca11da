//! Properties that users declare on a component: name, type, unit, default. Each declaration is kept once for the life of
//! the process, so that a [`PropertyRef`](crate::property::PropertyRef) to it is as small as others.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::component::Invalidates;
use crate::property::{PropertyInfo, PropertyType, Range, Value};
use crate::{Mat3, Vec3};

/// Types that a declared property can have, by their names in texts.
const TYPES: [PropertyType; 9] = [
    PropertyType::Bool,
    PropertyType::Int,
    PropertyType::Real,
    PropertyType::Vector,
    PropertyType::Matrix,
    PropertyType::Pose,
    PropertyType::Text,
    PropertyType::Colour,
    PropertyType::List,
];

/// Longest name and unit of a declared property [byte].
const LONGEST: usize = 64;

/// Most properties that are declared on one component.
pub(crate) const MOST_DECLARED: usize = 1000;

/// Errors of a declaration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeclarationError {
    /// A name that paths and formulas could not have.
    #[error(
        "'{0}' cannot be the name of a property: give letters, digits and '_', a letter first, {LONGEST} bytes at most"
    )]
    Name(String),
    /// The component has such a property.
    #[error("{owner} has a property '{name}' already")]
    Taken {
        /// Path of the component.
        owner: String,
        /// The name.
        name: String,
    },
    /// A type that declared properties cannot have.
    #[error("'{given}' is no type of a declared property; there are {}", Declaration::type_names().join(", "))]
    Type {
        /// The type that was given.
        given: String,
    },
    /// A unit that cannot be written.
    #[error(
        "'{0}' cannot be the unit of a property: give one such as 'N/m' or '-', without commas, {LONGEST} bytes at most; that of a pose is 'm, -'"
    )]
    Unit(String),
    /// A default that is not of the type.
    #[error("the default of '{name}' must be a finite {expected}, got '{given}'")]
    Default {
        /// Name of the property.
        name: String,
        /// Its type.
        expected: &'static str,
        /// The default that was given.
        given: String,
    },
    /// The component has as many as it may.
    #[error("{owner} has {MOST_DECLARED} declared properties already")]
    Many {
        /// Path of the component.
        owner: String,
    },
    /// The property was not declared.
    #[error("{0} was not declared: every component of its kind has it")]
    BuiltIn(String),
    /// Other components name the property.
    #[error("{property} is used by {users}: change or delete these first")]
    Used {
        /// Path of the property.
        property: String,
        /// Paths of the components.
        users: String,
    },
}

/// A property that a user declares on a component.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Name, which no other property of the component has.
    pub name: String,
    /// Type of its values.
    pub value_type: PropertyType,
    /// Unit; "-" for a pure number, "" for a value without one.
    pub unit: String,
    /// Value until another is set.
    pub default: Value,
    /// One line.
    pub doc: String,
}

impl Declaration {
    /// A property of a type, with zeros, `false` or an empty text for its default, and no unit.
    pub fn new(name: impl Into<String>, value_type: PropertyType) -> Self {
        let default = match value_type {
            PropertyType::Bool => Value::Bool(false),
            PropertyType::Int => Value::Int(0),
            PropertyType::Vector => Value::Vector(Vec3::zeros()),
            PropertyType::Matrix => Value::Matrix(Mat3::zeros()),
            PropertyType::Pose => Value::Pose(super::Pose::identity()),
            PropertyType::Colour => Value::Colour([0.0; 3]),
            PropertyType::List => Value::List(Vec::new()),
            PropertyType::Real => Value::Real(0.0),
            PropertyType::Text
            | PropertyType::Choice(_)
            | PropertyType::Path
            | PropertyType::Paths => Value::Text(String::new()),
        };
        let (name, unit) = (name.into(), unit_of(value_type).to_owned());
        Self { name, value_type, unit, default, doc: String::new() }
    }

    /// The same with a unit; an empty one stands for none.
    #[must_use]
    pub fn unit(self, unit: impl Into<String>) -> Self {
        let unit = unit.into();
        let unit = if unit.is_empty() { unit_of(self.value_type).to_owned() } else { unit };
        Self { unit, ..self }
    }

    /// The same with a default.
    #[must_use]
    pub fn default_value(self, default: impl Into<Value>) -> Self {
        Self { default: default.into(), ..self }
    }

    /// The same with a description.
    #[must_use]
    pub fn doc(self, doc: impl Into<String>) -> Self {
        Self { doc: doc.into(), ..self }
    }

    /// Names of the types that a declared property can have.
    pub fn type_names() -> [&'static str; 9] {
        TYPES.map(PropertyType::name)
    }

    /// The type of that name.
    ///
    /// # Errors
    /// [`DeclarationError::Type`].
    pub fn type_of(name: &str) -> Result<PropertyType, DeclarationError> {
        let known = TYPES.into_iter().find(|known| known.name() == name);
        known.ok_or_else(|| DeclarationError::Type { given: name.to_owned() })
    }

    /// The value of a type that a text means; a text is itself.
    pub(crate) fn value_of(ty: PropertyType, text: &str) -> Option<Value> {
        match ty {
            PropertyType::Text => Some(Value::Text(text.to_owned())),
            ty => Value::parse(ty, text),
        }
    }

    /// Its line of the table of properties, which is the same for the same declaration.
    ///
    /// # Errors
    /// [`DeclarationError`] says what is wrong with it by itself.
    pub(crate) fn info(&self) -> Result<&'static PropertyInfo, DeclarationError> {
        self.check()?;
        let key =
            [&self.name, self.value_type.name(), &self.unit, &self.default.to_string(), &self.doc];
        let key = key.map(str::to_owned);
        // Entries are added whole: one that was poisoned lacks none.
        let mut known = DECLARED.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(known.entry(key).or_insert_with(|| Box::leak(Box::new(self.line()))))
    }

    fn line(&self) -> PropertyInfo {
        let kept = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
        PropertyInfo {
            name: kept(&self.name),
            value_type: self.value_type,
            unit: kept(&self.unit),
            range: range_of(self.value_type),
            default: as_type(self.default.clone(), self.value_type),
            doc: kept(&self.doc),
            invalidates: Invalidates::NOTHING,
            read_only: false,
            inheritable: false,
            simulated: false,
            number: 0,
        }
    }

    fn check(&self) -> Result<(), DeclarationError> {
        let mut letters = self.name.chars();
        let is_word = letters.next().is_some_and(char::is_alphabetic)
            && letters.all(|c| c.is_alphanumeric() || c == '_');
        if !is_word || self.name.len() > LONGEST {
            return Err(DeclarationError::Name(self.name.clone()));
        }
        Self::type_of(self.value_type.name())?;
        let odd = |c: char| c.is_control() || c == ',';
        let is_pose = self.value_type == PropertyType::Pose;
        let fits = if is_pose { self.unit == "m, -" } else { !self.unit.contains(odd) };
        let lacks = self.unit.is_empty() && !unit_of(self.value_type).is_empty();
        if !fits || lacks || self.unit.len() > LONGEST {
            return Err(DeclarationError::Unit(self.unit.clone()));
        }
        let default = &self.default;
        let fits = default.is_a(self.value_type) && default.is_proper();
        if !fits || default.outside(&range_of(self.value_type)).is_some() {
            let (name, expected) = (self.name.clone(), self.value_type.name());
            return Err(DeclarationError::Default { name, expected, given: default.to_string() });
        }
        Ok(())
    }
}

/// Lines of all declarations so far, by name, type, unit, default and description.
static DECLARED: Mutex<BTreeMap<[String; 5], &'static PropertyInfo>> = Mutex::new(BTreeMap::new());

/// Unit of values of a type where none is given.
fn unit_of(ty: PropertyType) -> &'static str {
    match ty {
        PropertyType::Pose => "m, -",
        PropertyType::Bool | PropertyType::Text | PropertyType::Colour => "",
        _ => "-",
    }
}

fn range_of(ty: PropertyType) -> Range {
    if ty == PropertyType::Colour { Range::UNIT } else { Range::FINITE }
}

/// A value that fits a type as one of that type: a whole number as a number.
fn as_type(value: Value, ty: PropertyType) -> Value {
    match (value, ty) {
        (Value::Int(x), PropertyType::Real) => Value::Real(x as f64),
        (value, _) => value,
    }
}

/// A declared property of a component, and its value.
#[derive(Clone, Debug)]
pub(crate) struct DeclaredProperty {
    pub(crate) info: &'static PropertyInfo,
    value: Value,
}

impl DeclaredProperty {
    /// One with its default.
    pub(crate) fn new(info: &'static PropertyInfo) -> Self {
        Self { info, value: info.default.clone() }
    }

    /// Its value.
    pub(crate) fn value(&self) -> &Value {
        &self.value
    }

    /// Takes a value that fits its type.
    pub(crate) fn put(&mut self, value: &Value) {
        match (&mut self.value, value) {
            (Value::Real(old), Value::Real(new)) => *old = *new,
            (old, new) => *old = as_type(new.clone(), self.info.value_type),
        }
    }
}

/// A declared property as documents have it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    #[serde(rename = "type")]
    value_type: String,
    #[serde(default)]
    unit: String,
    default: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    doc: String,
    value: String,
}

impl Serialize for DeclaredProperty {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let info = self.info;
        Written {
            name: info.name.to_owned(),
            value_type: info.value_type.name().to_owned(),
            unit: info.unit.to_owned(),
            default: info.default.to_string(),
            doc: info.doc.to_owned(),
            value: self.value.to_string(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for DeclaredProperty {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { name, value_type, unit, default, doc, value } =
            Written::deserialize(deserializer)?;
        let refused = serde::de::Error::custom::<DeclarationError>;
        let ty = Declaration::type_of(&value_type).map_err(refused)?;
        let read = |text: &str| {
            Declaration::value_of(ty, text).ok_or_else(|| {
                let (name, given) = (name.clone(), text.to_owned());
                refused(DeclarationError::Default { name, expected: ty.name(), given })
            })
        };
        let (default, value) = (read(&default)?, read(&value)?);
        let declaration =
            Declaration::new(name.clone(), ty).unit(unit).default_value(default).doc(doc);
        let info = declaration.info().map_err(refused)?;
        // The value meets what the default has to meet.
        let of_value = Declaration { default: value.clone(), ..declaration };
        of_value.check().map_err(refused)?;
        Ok(Self { info, value: as_type(value, ty) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_declaration_is_one_line_and_another_is_another() {
        let age = || Declaration::new("age", PropertyType::Real).unit("year").default_value(40);
        let line = age().info().unwrap();
        assert!(std::ptr::eq(line, age().info().unwrap()));
        assert_eq!((line.unit, &line.default), ("year", &Value::Real(40.0)));
        for other in [age().unit("month"), age().default_value(41.0), age().doc("At the scan")] {
            assert!(!std::ptr::eq(line, other.info().unwrap()), "{other:?}");
        }
    }

    #[test]
    fn what_could_not_be_written_or_read_is_no_declaration() {
        let real = |name: &str| Declaration::new(name, PropertyType::Real);
        for name in ["", "2nd", "a b", "a.b", "a:b", "_a", &"x".repeat(65)] {
            assert!(matches!(real(name).info(), Err(DeclarationError::Name(_))), "{name}");
        }
        for unit in ["m, -", "a\nb"] {
            let unit = real("a").unit(unit).info();
            assert!(matches!(unit, Err(DeclarationError::Unit(_))), "{unit:?}");
        }
        for default in [Value::Bool(true), Value::Real(f64::NAN), Value::Real(f64::INFINITY)] {
            let default = real("a").default_value(default).info();
            assert!(matches!(default, Err(DeclarationError::Default { .. })), "{default:?}");
        }
        let path = Declaration::new("a", PropertyType::Path).info();
        assert!(matches!(path, Err(DeclarationError::Type { .. })), "{path:?}");
        assert!(real("größe_2").info().is_ok());
    }
}
