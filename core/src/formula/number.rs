//! Numbers in formulas and conditions: `3`, `.5`, `2.`, `6.02e23`, `1E-3`.

use exmex::MatchLiteral;

/// Matches a number at the beginning of a text, with an exponent where one follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number;

impl MatchLiteral for Number {
    fn is_literal(text: &str) -> Option<&str> {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let whole = digits(text);
        let mut end = whole;
        if text[end..].starts_with('.') {
            let fraction = digits(&text[end + 1..]);
            if whole + fraction == 0 {
                return None;
            }
            end += 1 + fraction;
        }
        if end == 0 {
            return None;
        }
        Some(&text[..end + exponent(&text[end..])])
    }
}

/// Length of the exponent that a text begins with; `e` alone is Euler's number.
fn exponent(text: &str) -> usize {
    let Some(rest) = text.strip_prefix(['e', 'E']) else { return 0 };
    let unsigned = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    match unsigned.bytes().take_while(u8::is_ascii_digit).count() {
        0 => 0,
        digits => text.len() - unsigned.len() + digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_where_it_is_none_any_more() {
        for (text, number) in [
            ("5/6", Some("5")),
            ("1e-3<x", Some("1e-3")),
            ("6.02E+23*t", Some("6.02E+23")),
            (".5", Some(".5")),
            ("2.", Some("2.")),
            ("2.e1", Some("2.e1")),
            ("3e", Some("3")),
            ("3e-x", Some("3")),
            ("3*e", Some("3")),
            (".", None),
            ("e3", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(Number::is_literal(text), number, "{text}");
        }
    }
}
