//! Numbers in the texts of elements.

use sinew::Vec3;

use crate::diagnostic::Diagnostic;
use crate::xml_tree::Element;

/// The numbers of a text, between commas or blanks; none where one is no finite number.
pub(super) fn numbers(text: &str) -> Vec<f64> {
    let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|it| !it.is_empty());
    let numbers: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
    numbers.filter(|list| list.iter().all(|x| x.is_finite())).unwrap_or_default()
}

/// One finite number.
///
/// # Errors
/// A text that is none: FEBio takes maps and formulas there as well.
pub(super) fn number(at: &Element) -> Result<f64, Diagnostic> {
    let [value] = numbers(&at.text)[..] else {
        let message = format!("<{}> must be a number, got '{}'", at.tag, at.text);
        return Err(at
            .refused(message)
            .help("maps and formulas in the place of numbers are not read"));
    };
    at.mark();
    Ok(value)
}

/// Three finite numbers.
///
/// # Errors
/// A text that has others.
pub(super) fn vector(at: &Element) -> Result<Vec3, Diagnostic> {
    let [x, y, z] = numbers(&at.text)[..] else {
        let message = format!("<{}> must be three numbers, got '{}'", at.tag, at.text);
        return Err(at
            .refused(message)
            .help("maps and formulas in the place of numbers are not read"));
    };
    at.mark();
    Ok(Vec3::new(x, y, z))
}

/// True for 1 and true.
pub(super) fn is_on(at: &Element) -> bool {
    matches!(at.mark().text.as_str(), "1" | "true")
}
