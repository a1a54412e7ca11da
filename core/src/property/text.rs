//! Values as text, on the command line and in reports: `true`, `12`, `0.5`, `0 0 -9.8`, a word.

use std::fmt;

use super::value::{Pose, PropertyType, Value};
use crate::{Mat3, Vec3};

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(it) => write!(f, "{it}"),
            Self::Int(it) => write!(f, "{it}"),
            Self::Real(it) => write!(f, "{it}"),
            Self::Choice(word) => f.write_str(word),
            Self::Text(text) | Self::Path(text) => f.write_str(text),
            Self::Vector(v) => numbers(f, v.iter().copied()),
            Self::Matrix(m) => numbers(f, m.transpose().iter().copied()),
            Self::Pose(p) => {
                let turn = p.rotation.coords;
                numbers(f, p.translation.vector.iter().chain(turn.iter()).copied())
            }
            Self::Colour(c) => {
                write!(f, "{} {} {}", c[0], c[1], c[2])
            }
            Self::List(list) => numbers(f, list.iter().copied()),
        }
    }
}

fn numbers(f: &mut fmt::Formatter<'_>, list: impl Iterator<Item = f64>) -> fmt::Result {
    for (k, x) in list.enumerate() {
        write!(f, "{}{x}", if k == 0 { "" } else { " " })?;
    }
    Ok(())
}

impl Value {
    /// Reads a value of type `ty`. Numbers of a vector, matrix (row by row), pose (position, then the
    /// quaternion i j k w) or list are separated by blanks or commas.
    ///
    /// `None` when the text is not of the type.
    pub fn parse(ty: PropertyType, text: &str) -> Option<Self> {
        let text = text.trim();
        match ty {
            PropertyType::Bool => text.parse().ok().map(Self::Bool),
            PropertyType::Int => text.parse().ok().map(Self::Int),
            PropertyType::Real => text.parse().ok().map(Self::Real),
            PropertyType::Vector => Some(Self::Vector(fixed::<3>(text)?.into())),
            PropertyType::Matrix => Some(Self::Matrix(Mat3::from_row_slice(&fixed::<9>(text)?))),
            PropertyType::Pose => {
                let [x, y, z, i, j, k, w] = fixed::<7>(text)?;
                let turn = nalgebra::Quaternion::new(w, i, j, k);
                let turn = nalgebra::UnitQuaternion::try_new(turn, f64::MIN_POSITIVE)?;
                Some(Self::Pose(Pose::from_parts(Vec3::new(x, y, z).into(), turn)))
            }
            PropertyType::Choice(words) => {
                words.iter().find(|word| **word == text).map(|word| Self::Choice(word))
            }
            PropertyType::Text => Some(Self::Text(text.to_owned())),
            PropertyType::Path => Some(Self::Path(text.to_owned())),
            PropertyType::Colour => Some(Self::Colour(fixed::<3>(text)?.map(|x| x as f32))),
            PropertyType::List => list(text).map(Self::List),
        }
    }
}

fn list(text: &str) -> Option<Vec<f64>> {
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    words.map(|word| word.parse().ok()).collect()
}

fn fixed<const N: usize>(text: &str) -> Option<[f64; N]> {
    list(text)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_as_it_was_written() {
        let turned = nalgebra::UnitQuaternion::from_euler_angles(0.1, 0.2, 0.3);
        let values = [
            (PropertyType::Bool, Value::Bool(true)),
            (PropertyType::Int, Value::Int(-3)),
            (PropertyType::Real, Value::Real(1.0 / 3.0)),
            (PropertyType::Vector, Value::Vector(Vec3::new(0.1, -2.0, 3e-9))),
            (PropertyType::Matrix, Value::Matrix(Mat3::new(1., 2., 3., 4., 5., 6., 7., 8., 9.))),
            (PropertyType::Choice(&["a", "b"]), Value::Choice("b")),
            (PropertyType::Colour, Value::Colour([0.1, 0.2, 1.0])),
            (PropertyType::List, Value::List(vec![])),
            (PropertyType::Path, Value::Path("/models/jaw".into())),
        ];
        for (ty, value) in values {
            assert_eq!(Value::parse(ty, &value.to_string()), Some(value));
        }
        let pose = Value::Pose(Pose::from_parts(Vec3::x().into(), turned));
        let Some(Value::Pose(read)) = Value::parse(PropertyType::Pose, &pose.to_string()) else {
            panic!("a pose")
        };
        // The quaternion is normalized again: a few roundings.
        assert!(read.rotation.angle_to(&turned) < 1e-15);
    }

    #[test]
    fn what_is_of_another_type_is_refused() {
        for (ty, text) in [
            (PropertyType::Real, "x"),
            (PropertyType::Vector, "1 2"),
            (PropertyType::Bool, "1"),
            (PropertyType::Choice(&["a"]), "b"),
            (PropertyType::Int, "1.5"),
        ] {
            assert_eq!(Value::parse(ty, text), None, "{text}");
        }
    }
}
