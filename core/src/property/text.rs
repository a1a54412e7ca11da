//! Values as text, on the command line and in reports: `true`, `12`, `0.5`, `0 0 -9.8`, a word.

use std::fmt;

use super::value::{PropertyType, Value};
use crate::component::spelling::word_meant;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(it) => write!(f, "{it}"),
            Self::Int(it) => write!(f, "{it}"),
            Self::Real(it) => write!(f, "{it}"),
            Self::Choice(word) => f.write_str(word),
            Self::Text(text) | Self::Path(text) => f.write_str(text),
            Self::Paths(paths) => f.write_str(&paths.join(" ")),
            Self::Colour(c) => write!(f, "{} {} {}", c[0], c[1], c[2]),
            Self::Vector(_) | Self::Matrix(_) | Self::Pose(_) | Self::List(_) => {
                for (k, x) in self.numbers().enumerate() {
                    write!(f, "{}{x}", if k == 0 { "" } else { " " })?;
                }
                Ok(())
            }
        }
    }
}

impl Value {
    /// Reads a value of type `ty`. Numbers of a vector, matrix (row by row), pose (position, then the
    /// quaternion i j k w), colour or list are separated by blanks or commas; so are paths, which
    /// begin with `/`.
    ///
    /// `None` when the text is not of the type.
    pub fn parse(ty: PropertyType, text: &str) -> Option<Self> {
        let text = text.trim();
        match ty {
            PropertyType::Bool => text.parse().ok().map(Self::Bool),
            PropertyType::Int => text.parse().ok().map(Self::Int),
            PropertyType::Choice(words) => word_meant(words, text).map(Self::Choice),
            PropertyType::Text => Some(Self::Text(text.to_owned())),
            PropertyType::Path => Some(Self::Path(text.to_owned())),
            PropertyType::Paths => paths(text).map(Self::Paths),
            _ => Self::from_numbers(ty, &list(text)?),
        }
    }
}

fn list(text: &str) -> Option<Vec<f64>> {
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    words.map(|word| word.parse().ok()).collect()
}

/// Absolute paths, apart where a `/` follows blanks or commas outside quotes.
fn paths(text: &str) -> Option<Vec<String>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let (mut found, mut start, mut inside, mut before) = (Vec::new(), 0, false, ' ');
    let path = |part: &str| part.trim_end_matches([' ', ',']).to_owned();
    for (at, c) in text.char_indices() {
        if c == '"' && before != '\\' {
            inside = !inside;
        }
        if c == '/' && !inside && matches!(before, ' ' | ',') && at > 0 {
            found.push(path(&text[start..at]));
            start = at;
        }
        before = c;
    }
    found.push(path(&text[start..]));
    found.iter().all(|path| path.starts_with('/')).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::Pose;
    use crate::{Mat3, Vec3};

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
            (PropertyType::Paths, Value::Paths(vec![])),
            (
                PropertyType::Paths,
                Value::Paths(vec!["/models/a b".into(), "/\"x, /y\"".into(), "/0/1".into()]),
            ),
        ];
        for (ty, value) in values {
            assert_eq!(Value::parse(ty, &value.to_string()), Some(value));
        }
        let pose = Value::Pose(Pose::from_parts(Vec3::x().into(), turned));
        assert_eq!(Value::parse(PropertyType::Pose, &pose.to_string()), Some(pose));
        let Some(Value::Pose(read)) = Value::parse(PropertyType::Pose, "0 0 0 0 0 2 2") else {
            panic!("a pose")
        };
        assert!((read.rotation.angle() - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
    }

    #[test]
    fn what_is_of_another_type_is_refused() {
        for (ty, text) in [
            (PropertyType::Real, "x"),
            (PropertyType::Vector, "1 2"),
            (PropertyType::Bool, "1"),
            (PropertyType::Choice(&["a"]), "b"),
            (PropertyType::Int, "1.5"),
            (PropertyType::Pose, "0 0 0 0 0 0 0"),
            (PropertyType::Paths, "models/jaw"),
        ] {
            assert_eq!(Value::parse(ty, text), None, "{text}");
        }
    }
}
