//! `--set PATH=VALUE`: properties of the model that are set before it is compiled.

use sinew::model::Model;
use sinew::property::PropertyError;

use crate::exit::{Exit, Failure};

/// Errors of `--set`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SetError {
    /// There is no `=` after the name of a property.
    #[error("--set '{0}': expected PATH:NAME=VALUE, such as /models/beam:gravity='0 0 0'")]
    Form(String),
    /// The property is not there, or does not take the value.
    #[error("--set '{text}': {source}")]
    Property {
        /// The option as given.
        text: String,
        /// Error of the property.
        source: Box<PropertyError>,
    },
}

impl Failure for SetError {
    fn exit(&self) -> Exit {
        Exit::Input
    }
}

/// Sets properties, in order.
///
/// # Errors
/// The first text that cannot be read or done.
pub(crate) fn apply(model: &mut Model, sets: &[String]) -> Result<(), SetError> {
    for text in sets {
        let (path, value) = split(text).ok_or_else(|| SetError::Form(text.clone()))?;
        model.set_text(path, value).map_err(|source| SetError::Property {
            text: text.clone(),
            source: Box::new(source),
        })?;
    }
    Ok(())
}

/// Path and value: parted at the first `=` after the colon that ends the path. Both signs may stand in
/// a name, the colon in quotes only.
fn split(text: &str) -> Option<(&str, &str)> {
    let (mut quoted, mut escaped, mut colon) = (false, false, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => quoted = !quoted,
            ':' if !quoted => colon = true,
            '=' if colon => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_and_value_part_at_the_first_equals_sign_after_the_name() {
        assert_eq!(split("/a/b:c=1 2"), Some(("/a/b:c", "1 2")));
        assert_eq!(split("/a=b:name=x=y"), Some(("/a=b:name", "x=y")));
        assert_eq!(split("/\"a:b=\\\"c\":d="), Some(("/\"a:b=\\\"c\":d", "")));
        for wrong in ["/a/b:c", "gravity=3", "\"/a:b=3", ""] {
            assert_eq!(split(wrong), None, "{wrong}");
        }
    }
}
