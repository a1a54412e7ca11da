//! Units of a file, and how its numbers become SI ones.

use std::f64::consts::PI;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Units of the numbers in a file; others follow from these (a force is mass length / time²). Millimetre,
/// tonne and second make N and MPa. What is read is SI from then on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Units {
    /// Unit of length.
    pub length: Length,
    /// Unit of mass.
    pub mass: Mass,
    /// Unit of time.
    pub time: Time,
    /// Unit of angle.
    pub angle: Angle,
}

/// A unit of length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Length {
    /// 1 m.
    #[default]
    #[serde(rename = "m")]
    Metre,
    /// 1e-2 m.
    #[serde(rename = "cm")]
    Centimetre,
    /// 1e-3 m.
    #[serde(rename = "mm")]
    Millimetre,
    /// 1e-6 m.
    #[serde(rename = "um")]
    Micrometre,
}

/// A unit of mass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Mass {
    /// 1 kg.
    #[default]
    #[serde(rename = "kg")]
    Kilogram,
    /// 1e-3 kg.
    #[serde(rename = "g")]
    Gram,
    /// 1e3 kg.
    #[serde(rename = "t")]
    Tonne,
}

/// A unit of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Time {
    /// 1 s.
    #[default]
    #[serde(rename = "s")]
    Second,
    /// 1e-3 s.
    #[serde(rename = "ms")]
    Millisecond,
}

/// A unit of angle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Angle {
    /// 1 rad.
    #[default]
    #[serde(rename = "rad")]
    Radian,
    /// pi/180 rad.
    #[serde(rename = "deg")]
    Degree,
}

/// Exponents of length, mass, time and angle.
type Dimensions = [i32; 4];

/// A factor as a fraction: 1.5 mm are 1.5 / 1000 m, which is the number nearest to 0.0015, as
/// 1.5 * 0.001 need not be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Factor {
    up: f64,
    down: f64,
}

impl Factor {
    pub(crate) const ONE: Self = Self { up: 1.0, down: 1.0 };

    pub(crate) fn apply(self, x: f64) -> f64 {
        if self.up == self.down {
            return x;
        }
        let inverse = self.down / self.up;
        if inverse.fract() == 0.0 { x / inverse } else { x * (self.up / self.down) }
    }
}

impl Length {
    /// Metres in one, as a fraction.
    pub(crate) fn factor(self) -> Factor {
        let down = match self {
            Self::Metre => 1.0,
            Self::Centimetre => 1e2,
            Self::Millimetre => 1e3,
            Self::Micrometre => 1e6,
        };
        Factor { up: 1.0, down }
    }
}

impl Units {
    fn base(self) -> [Factor; 4] {
        let mass = match self.mass {
            Mass::Kilogram => Factor::ONE,
            Mass::Gram => Factor { up: 1.0, down: 1e3 },
            Mass::Tonne => Factor { up: 1e3, down: 1.0 },
        };
        let time = match self.time {
            Time::Second => Factor::ONE,
            Time::Millisecond => Factor { up: 1.0, down: 1e3 },
        };
        let angle = match self.angle {
            Angle::Radian => Factor::ONE,
            Angle::Degree => Factor { up: PI, down: 180.0 },
        };
        [self.length.factor(), mass, time, angle]
    }

    /// Factor of a number of a unit; one where the unit is none of these.
    pub(crate) fn factor(self, unit: &str) -> Factor {
        let Some(dimensions) = dimensions(unit) else { return Factor::ONE };
        let mut factor = Factor::ONE;
        for (base, exponent) in self.base().into_iter().zip(dimensions) {
            let (up, down) = if exponent < 0 { (base.down, base.up) } else { (base.up, base.down) };
            factor.up *= up.powi(exponent.abs());
            factor.down *= down.powi(exponent.abs());
        }
        factor
    }

    /// The factors of a list of numbers whose unit names several, in turn.
    pub(crate) fn cycle(self, unit: &str, count: usize) -> Vec<Factor> {
        let [length, time, angle] = ["m", "s", "rad"].map(|unit| self.factor(unit));
        let one = Factor::ONE;
        match unit {
            "s, -" if count == 1 => vec![one],
            "s, -" => vec![time, one],
            "s, m" => vec![time, length, length, length],
            "s, m (pairs)" => vec![time, length],
            "s, rad (pairs)" => vec![time, angle],
            "s, m, -" => [vec![time, length, length, length], vec![one; 4]].concat(),
            "m, -" => [vec![length; 3], vec![one; 4]].concat(),
            _ => vec![self.factor(unit)],
        }
    }
}

/// Exponents of a unit; `None` where it is written in a unit that files cannot choose.
pub(crate) fn dimensions(unit: &str) -> Option<Dimensions> {
    let (over, under) = unit.split_once('/').unwrap_or((unit, ""));
    let under = under.trim_matches(['(', ')']);
    let mut sum = [0; 4];
    for (part, sign) in [(over, 1), (under, -1)] {
        for symbol in part.split_whitespace() {
            let of_symbol = of_symbol(symbol)?;
            sum.iter_mut().zip(of_symbol).for_each(|(sum, exponent)| *sum += sign * exponent);
        }
    }
    Some(sum)
}

fn of_symbol(symbol: &str) -> Option<Dimensions> {
    let powers = [("²", 2), ("³", 3)];
    let power = powers.iter().find_map(|(mark, power)| Some((symbol.strip_suffix(mark)?, *power)));
    let (symbol, power) = power.unwrap_or((symbol, 1));
    let base = match symbol {
        "m" => [1, 0, 0, 0],
        "kg" => [0, 1, 0, 0],
        "s" => [0, 0, 1, 0],
        "rad" => [0, 0, 0, 1],
        "N" => [1, 1, -2, 0],
        "Pa" => [-1, 1, -2, 0],
        "J" => [2, 1, -2, 0],
        "-" | "1" => [0; 4],
        _ => return None,
    };
    Some(base.map(|exponent| exponent * power))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MM: Units = Units {
        length: Length::Millimetre,
        mass: Mass::Tonne,
        time: Time::Second,
        angle: Angle::Degree,
    };

    #[test]
    fn millimetre_tonne_and_second_make_newton_and_megapascal() {
        for (unit, number, si) in [
            ("N", 2.5, 2.5),
            ("Pa", 2.5, 2.5e6),
            ("N/m", 1.0, 1e3),
            ("kg/m³", 1.06e-9, 1060.0),
            ("m/s²", -9800.0, -9.8),
            ("kg m²", 1.0, 1e-3),
            ("rad", 90.0, std::f64::consts::FRAC_PI_2),
            ("m/N", 1.0, 1e-3),
            ("1/s", 3.0, 3.0),
            ("um", 2.8, 2.8),
        ] {
            let converted = MM.factor(unit).apply(number);
            // Two roundings of a factor that is no power of two.
            assert!((converted - si).abs() <= 4.0 * f64::EPSILON * si.abs(), "{unit}: {converted}");
        }
        assert_eq!(MM.factor("m").apply(1.5), 0.0015);
        assert_eq!(Units::default().factor("N m s/rad").apply(0.1), 0.1);
    }

    #[test]
    fn every_unit_of_every_property_is_understood() {
        use sinew::component::{FemPart, Kind};
        let kinds = Kind::ALL.into_iter().flat_map(Kind::properties);
        let parts = FemPart::ALL.into_iter().flat_map(FemPart::properties);
        for info in kinds.chain(parts).filter(|info| !info.read_only) {
            let special = ["um", "pixel", ""].contains(&info.unit)
                || info.unit.contains(',')
                || info.unit.starts_with("by ");
            assert!(special || dimensions(info.unit).is_some(), "{}: {}", info.name, info.unit);
        }
    }
}
