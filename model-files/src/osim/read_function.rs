//! Functions as the file has them.

use sinew::constraint::spatial::{Function, NaturalSpline, Spline};

use super::import::Import;
use super::xml::Element;
use crate::diagnostic::Diagnostic;

/// Most functions inside each other.
const DEEPEST: usize = 8;

/// Tags of functions, in the order in which they are looked for in an element.
const TAGS: [&str; 11] = [
    "Constant",
    "LinearFunction",
    "PolynomialFunction",
    "SimmSpline",
    "NaturalCubicSpline",
    "natCubicSpline",
    "PiecewiseLinearFunction",
    "Sine",
    "MultiplierFunction",
    "StepFunction",
    "GCVSpline",
];

/// The first function in an element that is not known.
pub(super) fn unknown_function(at: &Element) -> Option<&Element> {
    let mut all = at.children.iter();
    all.find_map(|it| if is_other(it) { Some(it) } else { unknown_function(it) })
}

/// True if it is a function that is not known.
fn is_other(at: &Element) -> bool {
    let is_function = at.tag.ends_with("Function") || at.tag.contains("Spline");
    is_function && !TAGS.contains(&at.tag.as_str())
}

impl Import<'_> {
    /// The function in an element: itself, in it, or in its child `function`.
    ///
    /// # Errors
    /// None there, one that is not known, or one whose numbers make none.
    pub(super) fn function(&self, at: &Element) -> Result<Function, Diagnostic> {
        self.function_within(at, 0)
    }

    fn function_within(&self, at: &Element, depth: usize) -> Result<Function, Diagnostic> {
        if depth > DEEPEST {
            let message = format!("there are more than {DEEPEST} functions in each other");
            return Err(Diagnostic::error(at.span, message));
        }
        if TAGS.contains(&at.tag.as_str()) {
            return self.known_function(at.mark(), depth);
        }
        let inner = at.child("function").unwrap_or(at);
        let found = inner.children.iter().find(|child| TAGS.contains(&child.tag.as_str()));
        if let Some(found) = found {
            return self.known_function(found.mark(), depth);
        }
        let message = match inner.children.iter().find(|child| is_other(child)) {
            Some(other) => format!("function {} is not known", other.label()),
            None => format!("{} has no function that is known", at.label()),
        };
        let known = TAGS.join(", ");
        Err(Diagnostic::error(inner.span, message).help(format!("known here: {known}")))
    }

    fn known_function(&self, at: &Element, depth: usize) -> Result<Function, Diagnostic> {
        let refused =
            |message: &str| Diagnostic::error(at.span, format!("{}: {message}", at.label()));
        match at.tag.as_str() {
            "Constant" => Ok(Function::Constant(self.number(at, "value")?.unwrap_or(0.0))),
            "LinearFunction" => {
                let mut list = self.numbers(at, "coefficients")?.unwrap_or(vec![1.0, 0.0]);
                let constant = list.pop().ok_or_else(|| refused("it has no coefficients"))?;
                Ok(Function::Linear(list, constant))
            }
            "PolynomialFunction" => {
                let mut list = self.numbers(at, "coefficients")?.unwrap_or_default();
                list.reverse();
                let is_given = !list.is_empty();
                let made = is_given.then_some(Function::Polynomial(list));
                made.ok_or_else(|| refused("it has no coefficients"))
            }
            "SimmSpline" | "NaturalCubicSpline" | "natCubicSpline" => {
                let (x, y) = self.table(at)?;
                Spline::new(x, y).map(Function::Spline).map_err(|why| refused(&why.to_string()))
            }
            "StepFunction" => self.step(at),
            "GCVSpline" => self.smoothing(at),
            "PiecewiseLinearFunction" => self.lines(at),
            "Sine" => Ok(Function::Sine {
                amplitude: self.number(at, "amplitude")?.unwrap_or(1.0),
                omega: self.number(at, "omega")?.unwrap_or(1.0),
                phase: self.number(at, "phase")?.unwrap_or(0.0),
                offset: self.number(at, "offset")?.unwrap_or(0.0),
            }),
            "MultiplierFunction" => {
                let scale = self.number(at, "scale")?.unwrap_or(1.0);
                let inner = at.object("function").unwrap_or(at);
                Ok(Function::Multiple(Box::new(self.function_within(inner, depth + 1)?), scale))
            }
            _ => Err(refused("this kind of function is not read")),
        }
    }

    fn lines(&self, at: &Element) -> Result<Function, Diagnostic> {
        let (x, y) = self.table(at)?;
        if x.is_empty() || x.windows(2).any(|pair| pair[0] >= pair[1]) {
            let message = format!("{}: its x must rise, one at least", at.label());
            return Err(Diagnostic::error(at.span, message));
        }
        Ok(Function::Lines(x.into_iter().zip(y).map(|(x, y)| [x, y]).collect()))
    }

    fn step(&self, at: &Element) -> Result<Function, Diagnostic> {
        let number = |tag: &str, default: f64| self.number(at, tag).map(|it| it.unwrap_or(default));
        let from = [number("start_time", 0.0)?, number("end_time", 1.0)?];
        let values = [number("start_value", 0.0)?, number("end_value", 1.0)?];
        if from[0] >= from[1] {
            let message = format!("{}: <end_time> must be after <start_time>", at.label());
            return Err(Diagnostic::error(at.span, message));
        }
        Ok(Function::Step { from, values })
    }

    /// A spline of generalized cross-validation: that through its points.
    fn smoothing(&self, at: &Element) -> Result<Function, Diagnostic> {
        let (x, y) = self.table(at)?;
        let half_order = self.number(at, "half_order")?.unwrap_or(3.0).clamp(0.0, 9.0) as usize;
        for tag in ["error_variance", "weights", "coefficients"] {
            at.child(tag);
        }
        let made = NaturalSpline::new(half_order, x, y);
        made.map(Function::Natural)
            .map_err(|why| Diagnostic::error(at.span, format!("{}: {why}", at.label())))
    }

    /// x and y of a function by points.
    fn table(&self, at: &Element) -> Result<(Vec<f64>, Vec<f64>), Diagnostic> {
        let x = self.numbers(at, "x")?.unwrap_or_default();
        let y = self.numbers(at, "y")?.unwrap_or_default();
        if x.len() == y.len() {
            return Ok((x, y));
        }
        let message = format!("{} has {} x and {} y", at.label(), x.len(), y.len());
        Err(Diagnostic::error(at.span, message))
    }
}
