//! Numbers of views as they are read from files: what cannot be drawn is refused where it stands.

use nalgebra::{Quaternion, UnitQuaternion};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use sinew::Vec3;

/// A number from 0 to 1.
pub(crate) fn part<'d, D: Deserializer<'d>>(from: D) -> Result<f32, D::Error> {
    let number = f32::deserialize(from)?;
    let fits = (0.0..=1.0).contains(&number);
    fits.then_some(number).ok_or_else(|| D::Error::custom(format!("{number} is not from 0 to 1")))
}

/// A number from 0.
pub(crate) fn factor<'d, D: Deserializer<'d>>(from: D) -> Result<f32, D::Error> {
    let number = f32::deserialize(from)?;
    let fits = number >= 0.0 && number.is_finite();
    fits.then_some(number).ok_or_else(|| D::Error::custom(format!("{number} is not 0 or more")))
}

/// A number above 0.
pub(crate) fn positive<'d, D: Deserializer<'d>>(from: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(from)?;
    let fits = number > 0.0 && number.is_finite();
    fits.then_some(number).ok_or_else(|| D::Error::custom(format!("{number} is not above 0")))
}

/// An angle that a picture can have between its edges [rad].
pub(crate) fn angle<'d, D: Deserializer<'d>>(from: D) -> Result<f64, D::Error> {
    let angle = f64::deserialize(from)?;
    let fits = angle > 0.0 && angle < std::f64::consts::PI;
    let refused = || D::Error::custom(format!("an angle of {angle} rad is not between 0 and pi"));
    fits.then_some(angle).ok_or_else(refused)
}

/// Two numbers, the smaller one first; or none.
pub(crate) fn range<'d, D: Deserializer<'d>>(from: D) -> Result<Option<[f32; 2]>, D::Error> {
    let range = Option::<[f32; 2]>::deserialize(from)?;
    let Some([low, high]) = range else { return Ok(None) };
    let fits = low < high && low.is_finite() && high.is_finite();
    fits.then_some(range)
        .ok_or_else(|| D::Error::custom(format!("a range from {low} to {high} does not rise")))
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
