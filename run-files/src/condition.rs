//! Conditions on points: `z < 0.1 and x^2 + y^2 <= 4`. Functions and operators are those of formulas, with
//! comparisons, `and` (`&&`) and `or` (`||`) beside them; `and` binds closer than `or`.

use exmex::{BinOp, Express, FlatEx, FloatOpsFactory, MakeOperators, Operator};

use crate::expression::{DEEPEST, LONGEST, Number, depth};

/// A text that is no condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is no condition: {why}; write one such as z < 0.05, or x > 1 and y^2 + z^2 < 4")]
pub struct ConditionError {
    /// The text as given.
    pub text: String,
    /// Its fault.
    pub why: String,
}

/// A condition on the coordinates of a point, ready to be tested.
#[derive(Clone, Debug)]
pub struct Condition {
    text: String,
    tree: FlatEx<f64, Comparisons, Number>,
    /// Axis of each variable of the tree.
    axes: Vec<usize>,
}

impl Condition {
    /// Reads a condition on `x`, `y` and `z`.
    ///
    /// # Errors
    /// A text without a comparison, with another variable, or that cannot be read.
    pub fn parse(text: &str) -> Result<Self, ConditionError> {
        let wrong = |why: String| ConditionError { text: text.to_owned(), why };
        if text.len() > LONGEST || depth(text) > DEEPEST {
            return Err(wrong(format!("it is longer than {LONGEST} bytes, or nested too deep")));
        }
        let symbols = with_symbols(text);
        check_comparisons(&symbols).map_err(|why| wrong(why.to_owned()))?;
        let tree = FlatEx::<f64, Comparisons, Number>::parse(&symbols);
        let tree = tree.map_err(|error| wrong(error.to_string()))?;
        let axis = |name: &String| {
            let axis = ["x", "y", "z"].iter().position(|axis| axis == name);
            axis.ok_or_else(|| wrong(format!("there is no '{name}', only x, y and z")))
        };
        let axes = tree.var_names().iter().map(axis).collect::<Result<_, _>>()?;
        Ok(Self { text: text.to_owned(), tree, axes })
    }

    /// True if a point meets it; a point where it has no value does not.
    pub fn holds(&self, point: &[f64; 3]) -> bool {
        let mut values = [0.0; 3];
        for (value, &axis) in values.iter_mut().zip(&self.axes) {
            *value = point[axis];
        }
        self.tree.eval(&values[..self.axes.len()]).is_ok_and(|value| value == TRUE)
    }

    /// The text that it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Condition {
    /// True if they were read from the same text.
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// Numbers that truth is kept as.
const TRUE: f64 = 1.0;
const FALSE: f64 = 0.0;

fn truth(is_true: bool) -> f64 {
    if is_true { TRUE } else { FALSE }
}

/// The operators of formulas, comparisons below them, `&&` below these, `||` below all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Comparisons;

impl MakeOperators<f64> for Comparisons {
    fn make<'a>() -> Vec<Operator<'a, f64>> {
        let mut all = FloatOpsFactory::<f64>::make();
        let mut add = |repr, prio, is_commutative, apply: fn(f64, f64) -> f64| {
            all.push(Operator::make_bin(repr, BinOp { apply, prio, is_commutative }));
        };
        // Sums have the priority 0.
        add("<", -1, false, |a, b| truth(a < b));
        add("<=", -1, false, |a, b| truth(a <= b));
        add(">", -1, false, |a, b| truth(a > b));
        add(">=", -1, false, |a, b| truth(a >= b));
        add("&&", -2, true, |a, b| truth(a == TRUE && b == TRUE));
        add("||", -3, true, |a, b| truth(a == TRUE || b == TRUE));
        all
    }
}

/// The text with signs for the words `and` and `or`.
fn with_symbols(text: &str) -> String {
    let mut symbols = String::with_capacity(text.len());
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let same = rest.find(|other| is_letter(other) != is_letter(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(same);
        symbols += match word {
            "and" => "&&",
            "or" => "||",
            other => other,
        };
        rest = after;
    }
    symbols
}

/// Each part between `and`, `or` and the outermost brackets compares once: `0 < z < 1` would compare a truth
/// with a number, and a sum alone would be taken for one.
fn check_comparisons(symbols: &str) -> Result<(), &'static str> {
    let terms = symbols.split("&&").flat_map(|part| part.split("||"));
    for term in terms {
        match term.matches(['<', '>']).count() {
            0 => return Err("a comparison such as z < 0.05 is missing"),
            1 => {}
            _ => return Err("comparisons are joined by 'and': 0 < z and z < 1"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str, point: [f64; 3]) -> bool {
        Condition::parse(text).unwrap_or_else(|error| panic!("{error}")).holds(&point)
    }

    #[test]
    fn comparisons_come_after_sums_and_before_and_and_or() {
        let p = [1.0, 2.0, 3.0];
        for (text, expected) in [
            ("z < 3", false),
            ("z <= 3", true),
            ("x>-1", true),
            ("x + y < z", false),
            ("x + y >= z and y > 1", true),
            ("x > 5 or y > 1 and z > 9", false),
            ("z > 9 and x > 5 or y > 1", true),
            ("(x > 5 or y > 1) and z > 2", true),
            ("x^2 + y^2 < 5.1 && z < 10", true),
            ("sqrt(x*x + y*y) > 2.3 || z < 0", false),
            ("1e-3 < x", true),
            ("z<4 and x>=-10", true),
        ] {
            assert_eq!(holds(text, p), expected, "{text}");
        }
        assert!(!holds("ln(x) < 1", [-1.0, 0.0, 0.0]), "a point without a value");
    }

    #[test]
    fn what_is_no_condition_is_refused_with_the_reason() {
        for (text, why) in [
            ("", "a comparison"),
            ("z", "a comparison"),
            ("z < 1 and y", "a comparison"),
            ("0 < z < 1", "joined by 'and'"),
            ("r < 1", "there is no 'r'"),
            ("z < ", "no condition"),
            ("z < 1)", "no condition"),
            ("(z < 1", "no condition"),
            ("z = 1", "a comparison"),
        ] {
            let error = Condition::parse(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
        assert!(Condition::parse(&("(".repeat(200) + "z<1" + &")".repeat(200))).is_err());
    }
}
