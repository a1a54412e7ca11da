//! Growth and prestrain of a tissue: its shape without stress where that is not its rest shape. F_e = F F_0 F_g^-1 with F_0
//! the deformation at rest (prestrain, GardinerWeiss2003) and F_g growth (RodriguezHogerMcCulloch1994), both along
//! the axes of the material.

use serde::{Deserialize, Serialize};

use crate::Mat3;
use crate::property::{CheckError, Item, Problem, PropertyType, Put, Range, Refusal, Value, taken};

/// Numbers of the rest state that fields may have, and their docs.
pub(super) const REST_NUMBERS: [(&str, &str); 5] = [
    ("growth", "Volume without stress over that at rest, alike in all directions"),
    ("growth_fibre", "Length along the fibres without stress over that at rest, beside `growth`"),
    ("growth_sheet", "Length along the sheets without stress over that at rest, beside `growth`"),
    ("growth_normal", "Length across both without stress over that at rest, beside `growth`"),
    ("prestretch", "Stretch of the fibres at rest; across them, the volume is kept"),
];

/// The deformation at rest as a whole, in the axes of the material.
pub(super) const PRESTRAIN: &str = "prestrain";

/// Shape without stress of a tissue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RestState {
    /// Volume without stress over that at rest [-], alike in all directions: F_g = growth^(1/3) I.
    pub growth: f64,
    /// Lengths without stress over those at rest [-], along fibre, sheet and normal, beside `growth`.
    pub growth_along: [f64; 3],
    /// Stretch of the fibres at rest [-], with its inverse square root across them.
    pub prestretch: f64,
    /// Deformation gradient at rest [-] in the axes of the material, beside `prestretch`; its determinant is positive.
    pub prestrain: Mat3,
    /// Share of all these that acts [-], 0 to 1: 1 + ramp (number - 1).
    pub ramp: f64,
}

/// Place of a number among those of fields, the ramp after them.
fn place_of(name: &str) -> Option<usize> {
    let names = REST_NUMBERS.iter().map(|(name, _)| *name).chain(["ramp"]);
    names.into_iter().position(|known| known == name)
}

impl Default for RestState {
    /// Free of stress at rest.
    fn default() -> Self {
        Self {
            growth: 1.0,
            growth_along: [1.0; 3],
            prestretch: 1.0,
            prestrain: Mat3::identity(),
            ramp: 1.0,
        }
    }
}

impl RestState {
    /// Deformation at rest from the stress-free shape, F_0 F_g^-1, in the axes of the material.
    pub fn elastic(&self) -> Mat3 {
        let part = |number: f64| 1.0 + self.ramp * (number - 1.0);
        let (isotropic, stretch) = (part(self.growth).cbrt(), part(self.prestretch));
        let lengths = self.growth_along.map(|length| 1.0 / (isotropic * part(length)));
        let across = 1.0 / stretch.sqrt();
        let prestrain = Mat3::identity() + (self.prestrain - Mat3::identity()) * self.ramp;
        let stretched = Mat3::from_diagonal(&[stretch, across, across].into());
        stretched * prestrain * Mat3::from_diagonal(&lengths.into())
    }

    /// True if the rest shape is free of stress.
    pub fn is_free(&self) -> bool {
        self.ramp == 0.0 || *self == Self { ramp: self.ramp, ..Self::default() }
    }

    /// Value of one of [`rest_items`].
    pub(super) fn value(&self, name: &str) -> Option<Value> {
        match name {
            PRESTRAIN => Some(Value::Matrix(self.prestrain)),
            _ => self.number(name).map(Value::Real),
        }
    }

    /// Sets one of [`rest_items`].
    pub(super) fn put(&mut self, name: &str, value: &Value) -> Put {
        match name {
            PRESTRAIN => self.prestrain = taken(value)?,
            _ => *self.number_mut(name).ok_or(Refusal::Absent)? = taken(value)?,
        }
        Ok(())
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        let [fibre, sheet, normal] = self.growth_along;
        let numbers = [self.growth, fibre, sheet, normal, self.prestretch, self.ramp];
        Some(numbers[place_of(name)?])
    }

    pub(super) fn number_mut(&mut self, name: &str) -> Option<&mut f64> {
        let [fibre, sheet, normal] = &mut self.growth_along;
        let numbers =
            [&mut self.growth, fibre, sheet, normal, &mut self.prestretch, &mut self.ramp];
        numbers.into_iter().nth(place_of(name)?)
    }

    pub(super) fn check(&self) -> Result<(), CheckError> {
        for (name, range) in REST_NUMBERS
            .map(|(name, _)| (name, Range::POSITIVE))
            .into_iter()
            .chain([("ramp", Range::UNIT)])
        {
            let value = self.number(name).unwrap_or(1.0);
            if !range.contains(value) {
                return Err(Problem::OutOfRange { value, range }.at(format!("rest.{name}")));
            }
        }
        let value = self.elastic().determinant();
        if value.is_finite() && value > 0.0 {
            return Ok(());
        }
        let must = "finite and above 0, since the shape without stress has a volume";
        Err(Problem::Entry { what: "determinant", value, must }.at("rest.prestrain"))
    }
}

/// The properties of a rest state.
pub(super) fn rest_items() -> impl Iterator<Item = Item> {
    let number = |name, range, doc| Item {
        name,
        value_type: PropertyType::Real,
        unit: "-",
        range,
        default: Value::Real(1.0),
        doc,
    };
    let whole = Item {
        value_type: PropertyType::Matrix,
        default: Value::Matrix(Mat3::identity()),
        ..number(
            PRESTRAIN,
            Range::FINITE,
            "Deformation gradient at rest from the shape without stress, in the axes of the material, beside `prestretch`",
        )
    };
    let ramp = number(
        "ramp",
        Range::UNIT,
        "Share of growth and prestrain that acts, such as one that a probe raises",
    );
    let numbers = REST_NUMBERS.map(|(name, doc)| number(name, Range::POSITIVE, doc));
    numbers.into_iter().chain([whole, ramp])
}
