//! Conditions on points: `z < 0.1 and x^2 + y^2 <= 4`. Functions and operators are those of formulas, with
//! comparisons, `and` (`&&`) and `or` (`||`) beside them; `and` binds closer than `or`.

use super::{Formula, FormulaError};

/// A text that is no condition.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "'{text}' is no condition: {fault}; write one such as z < 0.05, or x > 1 and y^2 + z^2 < 4"
)]
pub struct ConditionError {
    /// The text as given.
    pub text: String,
    /// Its fault.
    pub fault: FormulaError,
}

/// A condition on the coordinates of a point, ready to be tested.
#[derive(Clone, Debug)]
pub struct Condition(Formula);

impl Condition {
    /// Reads a condition on `x`, `y` and `z`.
    ///
    /// # Errors
    /// A text without a comparison, with another variable, or that cannot be read.
    pub fn parse(text: &str) -> Result<Self, ConditionError> {
        let formula = Formula::parse_condition(text, &["x", "y", "z"]);
        formula.map(Self).map_err(|fault| ConditionError { text: text.to_owned(), fault })
    }

    /// True if a point meets it; a comparison with a number that is none is not met.
    pub fn holds(&self, point: &[f64; 3]) -> bool {
        let mut value = [0.0];
        self.0.eval(point, &mut value, &mut Vec::new());
        value == [1.0]
    }

    /// The text that it was read from.
    pub fn text(&self) -> &str {
        self.0.text()
    }
}

impl PartialEq for Condition {
    /// True if they were read from the same text.
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
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
            ("", "a number, a name or"),
            ("z", "a comparison"),
            ("z < 1 and y", "a comparison"),
            ("0 < z < 1", "joined by 'and'"),
            ("r < 1", "'r' is no input"),
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
