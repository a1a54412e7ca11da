//! Claims of formulas.

use sinew::interactive::{Formula, FormulaFault};

fn value(text: &str, inputs: &[(&str, f64)]) -> Vec<f64> {
    let names: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
    let values: Vec<f64> = inputs.iter().map(|(_, value)| *value).collect();
    let formula = Formula::parse(text, &names).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut outputs = vec![0.0; formula.outputs().len()];
    formula.eval(&values, &mut outputs, &mut Vec::new());
    outputs
}

#[test]
fn operators_bind_as_usual() {
    let (x, y) = (1.7_f64, 0.6_f64);
    let cases = [
        ("1 + 2*3 - 4/8", 6.5),
        ("-x^2", -x * x),
        ("2^3^2", 512.0),
        ("x^-2", 1.0 / (x * x)),
        ("(x - y)*-y", (x - y) * -y),
        ("x - y - x", -y),
        ("8/2/2", 2.0),
        ("1.5e-1*x", 0.15 * x),
        ("atan2(y, x) + hypot(x, y)", y.atan2(x) + x.hypot(y)),
        ("max(x, y) - min(x, y)*abs(-y)", x - y * y),
        ("pi", std::f64::consts::PI),
        ("sqrt(x)*ln(x)/exp(y)", x.sqrt() * x.ln() / y.exp()),
        ("x^y + x^1.5", x.powf(y) + x.powf(1.5)),
        ("x^1 + x^0 + 0*y", x + 1.0),
        ("log10(1000) + log2(8) + cbrt(-27)", 3.0),
        ("asinh(x) + acosh(1 + y) + atanh(y)", x.asinh() + (1.0 + y).acosh() + y.atanh()),
        ("floor(x) + ceil(x) + round(x) + trunc(-x) + fract(x) + signum(-x)", x + 2.0),
        ("e - E + tau - 2*PI + log(e)", 1.0),
    ];
    for (text, expected) in cases {
        let found = value(text, &[("x", x), ("y", y)])[0];
        assert!((found - expected).abs() <= 1e-14 * expected.abs(), "{text}: {found}, {expected}");
    }
}

#[test]
fn outputs_are_named_and_used_by_later_ones() {
    let formula =
        Formula::parse("c = cos(a); s = sin(a); r*c; r*s;", &["r", "a"]).expect("it is one");
    assert_eq!(formula.outputs(), ["c", "s", "2", "3"]);
    assert_eq!(value("c = 2*a; c + c*c", &[("a", 3.0)]), [6.0, 42.0]);
    let open = Formula::parse_open("u = q + 2*p.x; u*q").expect("it is one");
    assert_eq!(open.inputs(), ["q", "p.x"]);
    assert_eq!((open.input_column(0), open.input_column(1)), (5, 11));
}

#[test]
fn equal_operations_are_computed_once_and_constants_at_once() {
    let count = |text| Formula::parse(text, &["x"]).expect("a formula").operation_count();
    assert_eq!(count("sin(x)*sin(x) + sin(x)"), 4);
    assert_eq!(count("2*pi/360*sqrt(16)*x"), 3);
    assert_eq!(count("x*1 + 0"), 1);
    assert_eq!(count("a = x^5; b = 2"), 3);
}

#[test]
fn faults_have_columns() {
    let fault = |text: &str| {
        let error = Formula::parse(text, &["x", "y"]).expect_err(text);
        (error.column, error.fault)
    };
    assert_eq!(fault("x + #"), (5, FormulaFault::Letter('#')));
    assert_eq!(fault("x + 1.2.3"), (5, FormulaFault::Number("1.2.3".to_owned())));
    assert!(matches!(fault("x + z"), (5, FormulaFault::Name { .. })));
    assert!(matches!(fault("x + sine(y)"), (5, FormulaFault::Function(_))));
    assert!(matches!(
        fault("atan2(x)"),
        (1, FormulaFault::Arguments { expected: 2, found: 1, .. })
    ));
    assert!(matches!(fault("(x + y"), (7, FormulaFault::Unexpected { .. })));
    assert!(matches!(fault("x < y"), (3, FormulaFault::Unexpected { .. })));
    assert_eq!(fault("x + {a/b:c"), (5, FormulaFault::Brace));
    assert!(matches!(fault("x y"), (3, FormulaFault::Unexpected { .. })));
    assert!(matches!(fault(""), (1, FormulaFault::Unexpected { .. })));
    assert!(matches!(fault("x = 2"), (1, FormulaFault::Defined(_))));
    assert!(matches!(fault("ä = 1; ä = 2"), (8, FormulaFault::Defined(_))));
    for deep in ["(".repeat(200), "2^".repeat(200), "-(".repeat(200), "sin(".repeat(200)] {
        assert!(matches!(fault(&deep).1, FormulaFault::Size { .. }), "{deep}");
    }
    assert!(matches!(fault(&"x+".repeat(6000)).1, FormulaFault::Size { .. }));
}

#[test]
fn no_text_makes_the_parser_panic() {
    let mut random = crate::random::Random(3);
    let parts = [
        "x", "(", ")", "+", "-", "*", "/", "^", ",", ";", "=", "2", ".", "1e", "sin", "min", "é",
        " ", "\n", "{", "}", "<", ">=", "&&", "or",
    ];
    for _ in 0..20_000 {
        let text: String =
            (0..random.below(12)).map(|_| parts[random.below(parts.len())]).collect();
        if let Err(error) = Formula::parse(&text, &["x"]) {
            assert!(error.column <= text.chars().count() + 1, "{text}: {error}");
        }
    }
}

#[test]
fn derivatives_are_formulas_of_the_same_inputs() {
    let texts = [
        "sin(x)*cos(y) - tan(x/3)",
        "sqrt(1 + x^2)/ln(3 + y) + exp(-x*y)",
        "asin(x/4); acos(x/5 + y/9); atan(x); atan2(x*y, 2 + x)",
        "sinh(x) - cosh(x*y) + tanh(x^2)",
        "(2 + x)^y + x^3 - (1 + x*x)^0.3 + x^-2",
        "abs(x - 3) + min(x, y)*max(x*x, y)",
        "asinh(x*y) - acosh(2 + x) + atanh(x/3)",
        "cbrt(x + y) + log2(1 + x) - log10(x)",
        "floor(y)*x + signum(x)*x^2 + fract(x)*y",
        "y^2; 7; x",
    ];
    let (x, y, step) = (0.7, 1.2, 1e-5);
    for text in texts {
        let formula = Formula::parse(text, &["x", "y"]).expect(text);
        let slopes = formula.derivative("x").expect("it has x");
        assert_eq!(slopes.inputs(), formula.inputs());
        let at = |formula: &Formula, x: f64| {
            let mut outputs = vec![0.0; formula.outputs().len()];
            formula.eval(&[x, y], &mut outputs, &mut Vec::new());
            outputs
        };
        let (before, after) = (at(&formula, x - step), at(&formula, x + step));
        for (k, slope) in at(&slopes, x).into_iter().enumerate() {
            let difference = (after[k] - before[k]) / (2.0 * step);
            assert!((slope - difference).abs() < 1e-8, "{text}, {k}: {slope}, {difference}");
        }
    }
    assert!(Formula::parse("x", &["x"]).expect("one").derivative("z").is_none());
}
