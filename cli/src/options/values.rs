//! Parsers of the values of options: numbers with their ranges, units, angles.

use sinew::io::LengthUnit;

/// A finite number above 0.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a number of seconds above 0".to_owned()),
    }
}

/// A finite number, 0 or above.
pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x >= 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a number of seconds, 0 or above".to_owned()),
    }
}

/// A finite length, 0 or above.
pub(crate) fn length(text: &str) -> Result<f64, String> {
    not_negative(text).map_err(|_| "expected a length, 0 or above".to_owned())
}

/// A tolerance: above 0, below 1.
pub(crate) fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x < 1.0 => Ok(x),
        _ => Err("expected a number above 0 and below 1".to_owned()),
    }
}

/// A unit of length by its symbol or name.
pub(crate) fn length_unit(text: &str) -> Result<LengthUnit, String> {
    LengthUnit::from_name(text).ok_or_else(|| "expected m, cm, mm or um".to_owned())
}

/// Two units of length.
pub(crate) fn unit_pair(text: &str) -> Result<[LengthUnit; 2], String> {
    let (from, to) = text.split_once(':').ok_or("expected two units, such as mm:m")?;
    Ok([length_unit(from)?, length_unit(to)?])
}

/// A finite number above 0, without unit.
pub(crate) fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a number above 0".to_owned()),
    }
}

/// An angle from 0 to 180 degrees, in radians.
pub(crate) fn angle(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if (0.0..=180.0).contains(&x) => Ok(x.to_radians()),
        _ => Err("expected an angle from 0 to 180 degrees".to_owned()),
    }
}
