//! Paths as text: `/models/jaw/axial_springs/lad:material.stiffness`. Absolute ones begin with `/`,
//! relative ones at a component; numbers stand for names; odd names stand in quotes.

use super::spelling::did_you_mean;

/// Errors of paths.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// It cannot be read.
    #[error("path '{path}': {what}")]
    Syntax {
        /// The path.
        path: String,
        /// The fault in it.
        what: &'static str,
    },
    /// A step of it leads nowhere.
    #[error("path '{path}': '{matched}' has no '{missing}'{}; {there}", did_you_mean(.near))]
    NotFound {
        /// The path.
        path: String,
        /// The part that leads somewhere.
        matched: String,
        /// The step that does not.
        missing: String,
        /// Names that are spelled like it.
        near: Vec<String>,
        /// Names that are there.
        there: String,
    },
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// `.`
    Here,
    /// `..`
    Up,
    /// To the child of that number.
    Number(u32),
    /// To the child of that name.
    Name(String),
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Here => f.write_str("."),
            Self::Up => f.write_str(".."),
            Self::Number(number) => write!(f, "{number}"),
            Self::Name(name) => f.write_str(&quoted(name)),
        }
    }
}

/// A path that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParsedPath<'t> {
    pub(crate) absolute: bool,
    pub(crate) steps: Vec<Step>,
    /// Text after the colon.
    pub(crate) property: Option<&'t str>,
}

/// A name as a step of a path: in quotes when it could be read as something else.
pub(crate) fn quoted(name: &str) -> String {
    let odd = |c: char| c.is_control() || matches!(c, '/' | ':' | '"' | '\\');
    let number = name.chars().all(|c| c.is_ascii_digit());
    let blank = name.trim() != name;
    if !(number || blank || matches!(name, "." | "..") || name.contains(odd)) {
        return name.to_owned();
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

impl<'t> ParsedPath<'t> {
    /// Reads a path.
    ///
    /// # Errors
    /// [`PathError::Syntax`]: an open quote, something after a closed one, an empty step.
    pub(crate) fn parse(text: &'t str) -> Result<Self, PathError> {
        let refused = |what| PathError::Syntax { path: text.to_owned(), what };
        let absolute = text.starts_with('/');
        let mut rest = text.strip_prefix('/').unwrap_or(text);
        let (mut steps, mut property) = (Vec::new(), None);
        if let Some(name) = rest.strip_prefix(':') {
            return Ok(Self { absolute, steps, property: Some(name) });
        }
        while !rest.is_empty() {
            let (step, after) = parse_step(rest).map_err(refused)?;
            steps.push(step);
            rest = match (after.strip_prefix('/'), after.strip_prefix(':')) {
                (Some(more), _) if more.starts_with(':') => return Err(refused("a step is empty")),
                (Some(more), _) => more,
                (_, Some(name)) => {
                    property = Some(name);
                    ""
                }
                _ if after.is_empty() => "",
                _ => return Err(refused("after a closing quote comes '/', ':' or the end")),
            };
        }
        Ok(Self { absolute, steps, property })
    }
}

/// The first step of `text`, and what follows it.
fn parse_step(text: &str) -> Result<(Step, &str), &'static str> {
    if let Some(inside) = text.strip_prefix('"') {
        return parse_quoted(inside).ok_or("a quote is not closed");
    }
    let end = text.find(['/', ':']).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    let step = match word {
        "" => return Err("a step is empty"),
        "." => Step::Here,
        ".." => Step::Up,
        _ if word.bytes().all(|b| b.is_ascii_digit()) => {
            Step::Number(word.parse().map_err(|_| "a number is too large")?)
        }
        _ => Step::Name(word.to_owned()),
    };
    Ok((step, after))
}

fn parse_quoted(inside: &str) -> Option<(Step, &str)> {
    let mut name = String::new();
    let mut characters = inside.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return Some((Step::Name(name), &inside[at + 1..])),
            '\\' => name.push(characters.next()?.1),
            _ => name.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Step {
        Step::Name(text.to_owned())
    }

    #[test]
    fn names_numbers_and_properties_are_told_apart() {
        let path = ParsedPath::parse("/models/0/\"a/b\"/..:material.stiffness").unwrap();
        assert_eq!(path.steps, [name("models"), Step::Number(0), name("a/b"), Step::Up]);
        assert_eq!((path.absolute, path.property), (true, Some("material.stiffness")));
        assert_eq!(ParsedPath::parse("/").unwrap().steps, []);
        assert_eq!(ParsedPath::parse(":gravity").unwrap().property, Some("gravity"));
    }

    #[test]
    fn a_name_in_a_path_is_read_as_it_was_written() {
        for odd in ["12", ".", "..", " a", "a:b", "a/b", "say \"a\"", "back\\slash", "größe", "a b"]
        {
            let text = quoted(odd);
            assert_eq!(ParsedPath::parse(&text).unwrap().steps, [name(odd)], "{text}");
        }
        assert_eq!(quoted("lad_2"), "lad_2");
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for bad in ["/a//b", "\"a", "\"a\"b", "a/99999999999", "a/:b"] {
            assert!(matches!(ParsedPath::parse(bad), Err(PathError::Syntax { .. })), "{bad}");
        }
    }
}
