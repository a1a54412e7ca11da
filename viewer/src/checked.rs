//! Numbers of views as they are read from files: values that cannot be drawn are refused in their
//! place.

use std::fmt;

use nalgebra::{Quaternion, UnitQuaternion};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};
use sinew::Vec3;

/// A number that meets a condition, and the words for it. Refused by a visitor, so that the error knows
/// its line.
struct Number {
    fits: fn(f64) -> bool,
    must: &'static str,
}

impl Visitor<'_> for Number {
    type Value = f64;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.must)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
        let Self { fits, must } = self;
        let refused = || E::custom(format!("{number} is not {must}"));
        (number.is_finite() && fits(number)).then_some(number).ok_or_else(refused)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }
}

/// A number from 0 to 1.
pub(crate) fn part<'d, D: Deserializer<'d>>(from: D) -> Result<f32, D::Error> {
    let number = Number { fits: |x| (0.0..=1.0).contains(&x), must: "a number from 0 to 1" };
    from.deserialize_f64(number).map(|x| x as f32)
}

/// A number from 0 that single precision can hold.
pub(crate) fn factor<'d, D: Deserializer<'d>>(from: D) -> Result<f32, D::Error> {
    let fits = |x: f64| x >= 0.0 && (x as f32).is_finite();
    from.deserialize_f64(Number { fits, must: "a number from 0 to 3e38" }).map(|x| x as f32)
}

/// A number above 0.
pub(crate) fn positive<'d, D: Deserializer<'d>>(from: D) -> Result<f64, D::Error> {
    from.deserialize_f64(Number { fits: |x| x > 0.0, must: "a number above 0" })
}

/// An angle that a picture can have between its edges [rad].
pub(crate) fn angle<'d, D: Deserializer<'d>>(from: D) -> Result<f64, D::Error> {
    let fits = |x: f64| x > 0.0 && x < std::f64::consts::PI;
    from.deserialize_f64(Number { fits, must: "an angle between 0 and pi" })
}

/// A vector of any length but 0.
pub(crate) fn direction<'d, D: Deserializer<'d>>(from: D) -> Result<Vec3, D::Error> {
    let vector = Vec3::deserialize(from)?;
    let refused = || D::Error::custom("a normal of length 0 has no direction");
    vector.try_normalize(1e-300).map(|_| vector).ok_or_else(refused)
}

/// A quaternion of any length but 0.
pub(crate) fn orientation<'d, D: Deserializer<'d>>(
    from: D,
) -> Result<UnitQuaternion<f64>, D::Error> {
    let numbers = Quaternion::<f64>::deserialize(from)?;
    let norm = numbers.norm();
    // One of unit length is taken as it is: read again, it is the same to the last digit.
    match norm {
        _ if (norm - 1.0).abs() < 1e-12 => Ok(UnitQuaternion::new_unchecked(numbers)),
        _ if norm > 1e-300 && norm.is_finite() => Ok(UnitQuaternion::new_normalize(numbers)),
        _ => Err(D::Error::custom("an orientation of four zeros is none")),
    }
}
