//! Functions of coordinates as elements.

use sinew::constraint::spatial::Function;

use super::element::Element;

/// The property of a name that is a function.
pub(super) fn property(tag: &'static str, function: &Function) -> Element {
    Element::new(tag).with([element(function)])
}

/// A function. One within a range is that without its ends: a document says them with the coordinate.
fn element(function: &Function) -> Element {
    let named = Element::new;
    match function {
        Function::Constant(value) => named("Constant").with([Element::text("value", value)]),
        Function::Linear(factors, constant) => named("LinearFunction")
            .with([Element::numbers("coefficients", factors.iter().chain([constant]))]),
        Function::Polynomial(coefficients) => named("PolynomialFunction")
            .with([Element::numbers("coefficients", coefficients.iter().rev())]),
        Function::Spline(spline) => named("SimmSpline").with(table(spline.points())),
        Function::Natural(spline) => named("GCVSpline")
            .with([Element::text("half_order", spline.half_order())])
            .with(table(spline.points())),
        Function::Lines(points) => {
            named("PiecewiseLinearFunction").with(table(points.iter().copied()))
        }
        Function::Sine { amplitude, omega, phase, offset } => named("Sine").with([
            Element::text("amplitude", amplitude),
            Element::text("omega", omega),
            Element::text("phase", phase),
            Element::text("offset", offset),
        ]),
        Function::Step { from, values } => named("StepFunction").with([
            Element::text("start_time", from[0]),
            Element::text("end_time", from[1]),
            Element::text("start_value", values[0]),
            Element::text("end_value", values[1]),
        ]),
        Function::Within(_, function) => element(function),
        Function::Multiple(function, factor) => named("MultiplierFunction")
            .with([property("function", function), Element::text("scale", factor)]),
    }
}

/// The range outside which a function stays as it is, if it has one.
pub(super) fn range(function: &Function) -> Option<[f64; 2]> {
    match function {
        Function::Within(range, _) => Some(*range),
        Function::Multiple(function, _) => range(function),
        _ => None,
    }
}

fn table(points: impl Iterator<Item = [f64; 2]>) -> [Element; 2] {
    let (x, y): (Vec<f64>, Vec<f64>) = points.map(|[x, y]| (x, y)).unzip();
    [Element::numbers("x", &x), Element::numbers("y", &y)]
}
