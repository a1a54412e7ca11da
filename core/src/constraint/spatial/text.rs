//! Functions and motions as text, for model files: words and numbers, read back to the bit.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::{FunctionError, MotionError};
use super::function::Function;
use super::joint_motion::JointMotion;
use super::motion_law::MotionVariable;
use super::natural_spline::NaturalSpline;
use super::spline::Spline;
use super::transform::{SpatialAxis, SpatialTransform};
use crate::Vec3;

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(f, "constant {value:?}"),
            Self::Linear(factors, constant) => {
                write!(f, "linear {constant:?}")?;
                numbers(f, factors.iter().copied())
            }
            Self::Polynomial(coefficients) => {
                f.write_str("polynomial")?;
                numbers(f, coefficients.iter().copied())
            }
            Self::Spline(spline) => {
                f.write_str("spline")?;
                numbers(f, spline.points().flatten())
            }
            Self::Lines(points) => {
                f.write_str("lines")?;
                numbers(f, points.iter().flatten().copied())
            }
            Self::Sine { amplitude, omega, phase, offset } => {
                write!(f, "sine {amplitude:?} {omega:?} {phase:?} {offset:?}")
            }
            Self::Step { from: [start, end], values: [low, high] } => {
                write!(f, "step {start:?} {end:?} {low:?} {high:?}")
            }
            Self::Natural(spline) => {
                write!(f, "natural_spline {}", spline.half_order())?;
                numbers(f, spline.points().flatten())
            }
            Self::Within([low, high], function) => {
                write!(f, "within {low:?} {high:?} {function}")
            }
            Self::Multiple(function, factor) => write!(f, "times {factor:?} {function}"),
        }
    }
}

fn numbers(f: &mut fmt::Formatter<'_>, list: impl Iterator<Item = f64>) -> fmt::Result {
    for number in list {
        write!(f, " {number:?}")?;
    }
    Ok(())
}

/// Most functions inside each other.
const DEEPEST: usize = 8;

impl FromStr for Function {
    type Err = FunctionError;

    fn from_str(text: &str) -> Result<Self, FunctionError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        function(&words, 0)
    }
}

impl Serialize for Function {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Function {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

fn function(words: &[&str], depth: usize) -> Result<Function, FunctionError> {
    let (kind, rest) = words.split_first().ok_or_else(|| FunctionError::Kind(String::new()))?;
    let unknown = || FunctionError::Kind(kind.chars().take(40).collect());
    let inner = |words: &[&str]| match depth > DEEPEST {
        true => Err(unknown()),
        false => function(words, depth + 1).map(Box::new),
    };
    match (*kind, rest) {
        ("times", [factor, rest @ ..]) => {
            return Ok(Function::Multiple(inner(rest)?, number(factor)?));
        }
        ("within", [low, high, rest @ ..]) => {
            let range = [number(low)?, number(high)?];
            if range[0] > range[1] {
                return Err(FunctionError::Falling(range));
            }
            return Ok(Function::Within(range, inner(rest)?));
        }
        _ => {}
    }
    let list: Vec<f64> = rest.iter().map(|word| number(word)).collect::<Result<_, _>>()?;
    of_kind(kind, list).unwrap_or_else(|| Err(unknown()))
}

/// A function by its name and numbers; `None` for other names.
fn of_kind(kind: &str, list: Vec<f64>) -> Option<Result<Function, FunctionError>> {
    let given = list.len();
    let count = |kind, takes| Err(FunctionError::Count { kind, takes, given });
    Some(match (kind, &list[..]) {
        ("constant", &[value]) => Ok(Function::Constant(value)),
        ("constant", _) => count("constant", "one number"),
        ("linear", [constant, factors @ ..]) => Ok(Function::Linear(factors.to_vec(), *constant)),
        ("linear", []) => count("linear", "a constant and a factor for each coordinate"),
        ("polynomial", []) => count("polynomial", "one coefficient at least"),
        ("polynomial", _) => Ok(Function::Polynomial(list)),
        ("spline", _) => {
            points("spline", &list).and_then(|(x, y)| Ok(Function::Spline(Spline::new(x, y)?)))
        }
        ("lines", _) => points("lines", &list).and_then(|(x, y)| lines(x, y)),
        ("sine", &[amplitude, omega, phase, offset]) => {
            Ok(Function::Sine { amplitude, omega, phase, offset })
        }
        ("sine", _) => count("sine", "four numbers"),
        ("step", &[start, end, _, _]) if start >= end => Err(FunctionError::Falling([start, end])),
        ("step", &[start, end, low, high]) => {
            Ok(Function::Step { from: [start, end], values: [low, high] })
        }
        ("step", _) => count("step", "four numbers"),
        ("natural_spline", [half_order, rest @ ..]) => {
            let half_order = half_order.clamp(0.0, 9.0) as usize;
            points("natural_spline", rest)
                .and_then(|(x, y)| Ok(Function::Natural(NaturalSpline::new(half_order, x, y)?)))
        }
        ("natural_spline", []) => count("natural_spline", "half its order and points"),
        _ => return None,
    })
}

fn points(kind: &'static str, list: &[f64]) -> Result<(Vec<f64>, Vec<f64>), FunctionError> {
    if !list.len().is_multiple_of(2) {
        return Err(FunctionError::Count { kind, takes: "x and y in turn", given: list.len() });
    }
    Ok(list.chunks_exact(2).map(|pair| (pair[0], pair[1])).unzip())
}

fn lines(x: Vec<f64>, y: Vec<f64>) -> Result<Function, FunctionError> {
    if x.is_empty() {
        return Err(FunctionError::Points(0));
    }
    match x.windows(2).find(|pair| pair[0] >= pair[1]) {
        Some(pair) => Err(FunctionError::Falling([pair[0], pair[1]])),
        None => Ok(Function::Lines(x.into_iter().zip(y).map(|(x, y)| [x, y]).collect())),
    }
}

fn number(word: &str) -> Result<f64, FunctionError> {
    let found = word.parse::<f64>().ok().filter(|number| number.is_finite());
    found.ok_or_else(|| FunctionError::Number(word.chars().take(40).collect()))
}

impl SpatialTransform {
    /// The six axes as text: `turn 0 0 1 of 0 by linear 0.0 1.0; ...`, coordinates by their numbers.
    pub fn text(&self) -> String {
        let axes = self.turns.iter().map(|axis| ("turn", axis));
        let axes = axes.chain(self.ways.iter().map(|axis| ("way", axis)));
        let one = |(kind, axis): (&str, &SpatialAxis)| {
            let SpatialAxis { direction: d, function, of } = axis;
            let of: String = of.iter().map(|k| format!(" {k}")).collect();
            let of = if of.is_empty() { of } else { format!(" of{of}") };
            format!("{kind} {:?} {:?} {:?}{of} by {function}", d.x, d.y, d.z)
        };
        axes.map(one).collect::<Vec<_>>().join("; ")
    }

    /// Six axes of a text.
    ///
    /// # Errors
    /// [`MotionError`].
    pub fn from_text(text: &str) -> Result<Self, MotionError> {
        let parts: Vec<&str> = text.split(';').map(str::trim).collect();
        let [a, b, c, d, e, f] = parts[..] else { return Err(MotionError::Axes(parts.len())) };
        let turns = [axis("turn", a, 1)?, axis("turn", b, 2)?, axis("turn", c, 3)?];
        let ways = [axis("way", d, 4)?, axis("way", e, 5)?, axis("way", f, 6)?];
        Ok(Self { turns, ways })
    }
}

fn axis(kind: &str, text: &str, place: usize) -> Result<SpatialAxis, MotionError> {
    let wrong = || MotionError::Axis(text.chars().take(60).collect());
    let words: Vec<&str> = text.split_whitespace().collect();
    let by = words.iter().position(|word| *word == "by").ok_or_else(wrong)?;
    let (head, tail) = (&words[..by], &words[by + 1..]);
    let [first, x, y, z, rest @ ..] = head else { return Err(wrong()) };
    let [x, y, z] = [x, y, z].map(|word| number(word).ok());
    let (Some(x), Some(y), Some(z)) = (x, y, z) else { return Err(wrong()) };
    let of: Option<Vec<usize>> = match rest {
        [] => Some(Vec::new()),
        ["of", list @ ..] => list.iter().map(|word| word.parse().ok()).collect(),
        _ => None,
    };
    let direction = Vec3::new(x, y, z);
    let unit = (direction.norm() - 1.0).abs() < 1e-9;
    let of = of.filter(|_| *first == kind && unit).ok_or_else(wrong)?;
    let function =
        function(tail, 0).map_err(|error| MotionError::Function { axis: place, error })?;
    Ok(SpatialAxis { direction, function, of })
}

impl JointMotion {
    /// The coordinates as text: `knee at 0.0 from -2.0 to 0.2; ...`.
    pub fn variables_text(&self) -> String {
        let one = |it: &MotionVariable| match it.range {
            None => format!("{} at {:?}", it.name, it.value),
            Some([low, high]) => format!("{} at {:?} from {low:?} to {high:?}", it.name, it.value),
        };
        self.variables.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    /// Coordinates of a text.
    ///
    /// # Errors
    /// [`MotionError::Variable`].
    pub fn variables_from_text(text: &str) -> Result<Vec<MotionVariable>, MotionError> {
        let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
        parts.map(variable).collect()
    }
}

/// Both texts of a motion.
#[derive(Serialize, Deserialize)]
struct MotionText {
    variables: String,
    motion: String,
}

impl Serialize for JointMotion {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (variables, motion) = (self.variables_text(), self.transform.text());
        MotionText { variables, motion }.serialize(to)
    }
}

impl<'de> Deserialize<'de> for JointMotion {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let MotionText { variables, motion } = MotionText::deserialize(from)?;
        let variables = Self::variables_from_text(&variables).map_err(D::Error::custom)?;
        let transform = SpatialTransform::from_text(&motion).map_err(D::Error::custom)?;
        Ok(Self { variables, transform })
    }
}

fn variable(text: &str) -> Result<MotionVariable, MotionError> {
    let wrong = || MotionError::Variable(text.chars().take(60).collect());
    let (name, rest) = text.rsplit_once(" at ").ok_or_else(wrong)?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let number = |word: &str| number(word).map_err(|_| wrong());
    let (value, range) = match words[..] {
        [value] => (number(value)?, None),
        [value, "from", low, "to", high] => {
            let range = [number(low)?, number(high)?];
            (number(value)?, Some(range).filter(|[low, high]| low <= high))
        }
        _ => return Err(wrong()),
    };
    Ok(MotionVariable { name: name.trim().to_owned(), value, range })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_come_back_from_their_text_to_the_bit() {
        let x = vec![-1.0, 0.1 + 0.2, 0.9, 2.0e-7 + 1.0];
        let y = vec![1.0 / 3.0, -4e-17, 1e21, 0.5];
        let functions = [
            Function::Constant(-0.1),
            Function::Linear(vec![2.0, -0.3], 1e-300),
            Function::Polynomial(vec![0.0, 0.1, 0.05]),
            Function::Spline(Spline::new(x.clone(), y.clone()).unwrap()),
            Function::Lines(vec![[0.0, 1.0], [0.3, -2.0]]),
            Function::Sine { amplitude: 2.0, omega: 1.5, phase: 0.3, offset: 1.0 },
            Function::Step { from: [0.0, 0.1], values: [1.0, -2.0] },
            Function::Natural(NaturalSpline::new(3, x, y).unwrap()),
        ];
        for function in functions {
            let twice = Function::Multiple(Box::new(function.clone()), 0.7);
            let within = Function::Within([-0.1, 0.3], Box::new(twice.clone()));
            for it in [function, twice, within] {
                assert_eq!(it.to_string().parse::<Function>(), Ok(it));
            }
        }
    }

    #[test]
    fn motions_come_back_from_their_text() {
        let mut transform = SpatialTransform::rest();
        transform.turns[1] = SpatialAxis::plain(Vec3::new(0.6, 0.0, -0.8), 1);
        transform.ways[2] = SpatialAxis {
            function: Function::Linear(vec![0.1, 0.2], 0.3),
            of: vec![0, 1],
            ..SpatialAxis::constant(Vec3::z(), 0.0)
        };
        assert_eq!(SpatialTransform::from_text(&transform.text()), Ok(transform.clone()));
        let variable =
            |name: &str, range| MotionVariable { name: name.to_owned(), value: 0.1, range };
        let variables = vec![variable("knee angle", Some([-1.0, 2.0])), variable("b", None)];
        let motion = JointMotion { variables, transform };
        let back = JointMotion::variables_from_text(&motion.variables_text());
        assert_eq!(back, Ok(motion.variables));
    }

    #[test]
    fn what_is_no_function_is_said() {
        let error = |text: &str| text.parse::<Function>().unwrap_err().to_string();
        assert!(error("cubic 1 2").contains("'cubic' is no function"));
        assert!(error("constant 1 2").contains("one number, got 2"));
        assert!(error("linear 1 inf").contains("'inf' is no finite number"));
        assert!(error("spline 1 2 3").contains("x and y in turn, got 3"));
        assert!(error("lines 1 2 0 3").contains("must rise"));
        assert!(error("natural_spline 9 0 0 1 1").contains("half order"));
        for kind in ["spline", "natural_spline 1"] {
            assert!(error(&format!("{kind} 0 0 1e-320 1")).contains("too close together"));
        }
        let error = |text: &str| SpatialTransform::from_text(text).unwrap_err().to_string();
        assert!(error("turn 0 0 1 by constant 1").contains("got 1 axes"));
        let rest = SpatialTransform::rest().text();
        assert!(error(&rest.replacen("turn", "way", 1)).contains("is no axis"));
        assert!(error(&rest.replacen("constant 0.0", "constant", 1)).contains("axis 1: constant"));
    }
}
