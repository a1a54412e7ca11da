//! Variables and loops of commands: `let NAME = VALUE`, `$NAME`, `for NAME in ..` to `end`.

use std::collections::BTreeMap;

use sinew::component::similar;

use super::command::{CommandError, words};

/// Most lines in loops that are not yet ended.
const MOST_LINES: usize = 100_000;
/// Most loops in each other.
const DEEPEST: usize = 16;
/// Most values of one loop.
const MOST_VALUES: i64 = 1_000_000;

/// A line, or a loop over lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Statement {
    Line { number: usize, text: String },
    For(Loop),
}

/// Lines that are done for every value of a variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Loop {
    /// Number of its first line.
    pub(super) number: usize,
    pub(super) name: String,
    /// Values as they are written, with variables in them.
    pub(super) values: String,
    pub(super) body: Vec<Statement>,
}

/// Lines that are put together into statements.
#[derive(Default)]
pub(super) struct Lines {
    open: Vec<Loop>,
    count: usize,
}

impl Lines {
    /// True within a loop.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Takes a line; a statement where it ends one.
    ///
    /// # Errors
    /// A loop that is not written so; an `end` of nothing; loops of too many lines. Open loops are forgotten then.
    pub(super) fn push(
        &mut self,
        number: usize,
        text: &str,
    ) -> Result<Option<Statement>, CommandError> {
        let done = self.take(number, text);
        if done.is_err() {
            *self = Self::default();
        }
        done
    }

    fn take(&mut self, number: usize, text: &str) -> Result<Option<Statement>, CommandError> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let statement = match word {
            "for" => {
                self.open.push(head(number, rest.trim())?);
                if self.open.len() > DEEPEST {
                    return Err(CommandError::Loop("loops are at most 16 deep"));
                }
                return Ok(None);
            }
            "end" if rest.is_empty() => {
                let ended = self.open.pop().ok_or(CommandError::Loop("`end` ends no `for`"))?;
                Statement::For(ended)
            }
            _ => Statement::Line { number, text: text.to_owned() },
        };
        let Some(outer) = self.open.last_mut() else {
            self.count = 0;
            return Ok(Some(statement));
        };
        self.count += 1;
        if self.count > MOST_LINES {
            return Err(CommandError::Loop("a loop has at most 100,000 lines: `source` a file"));
        }
        outer.body.push(statement);
        Ok(None)
    }

    /// Line of the innermost loop that has no `end` yet.
    pub(super) fn unended(&self) -> Option<usize> {
        self.open.last().map(|it| it.number)
    }
}

/// `NAME in VALUES`.
fn head(number: usize, text: &str) -> Result<Loop, CommandError> {
    let wrong = || CommandError::Arguments {
        name: "for",
        expected: "NAME in VALUE .., or NAME in FIRST..LAST",
        given: text.to_owned(),
    };
    let (name, rest) = text.split_once(char::is_whitespace).ok_or_else(wrong)?;
    let values = rest.trim_start().strip_prefix("in").filter(|it| it.starts_with([' ', '\t']));
    let values = values.map(str::trim).filter(|it| !it.is_empty()).ok_or_else(wrong)?;
    let (name, values) = (name.to_owned(), values.to_owned());
    if is_name(&name) { Ok(Loop { number, name, values, body: Vec::new() }) } else { Err(wrong()) }
}

/// Values of a loop: words, or `FIRST..LAST`, whole numbers with both ends.
///
/// # Errors
/// Too many of them.
pub(super) fn values(text: &str) -> Result<Vec<String>, CommandError> {
    let ends =
        text.split_once("..").map(|(a, b)| (a.trim().parse::<i64>(), b.trim().parse::<i64>()));
    let Some((Ok(first), Ok(last))) = ends else { return Ok(words(text)) };
    match last.checked_sub(first) {
        Some(more) if more < MOST_VALUES => {
            Ok((first..=last).map(|number| number.to_string()).collect())
        }
        _ => Err(CommandError::Loop("a loop has at most a million values")),
    }
}

/// True for letters, digits and `_`, beginning with no digit.
pub(super) fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(is_part) && !text.is_empty()
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Values by the names of variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables(BTreeMap<String, String>);

impl Variables {
    pub(super) fn set(&mut self, name: String, value: String) {
        self.0.insert(name, value);
    }

    /// A line with values in the place of `$NAME` and `${NAME}`; `$$` is a `$`, and one before anything else stays.
    ///
    /// # Errors
    /// A variable that is not there.
    pub(super) fn fill(&self, line: &str) -> Result<String, CommandError> {
        let (mut filled, mut rest) = (String::with_capacity(line.len()), line);
        while let Some((before, after)) = rest.split_once('$') {
            filled.push_str(before);
            let braced = after.strip_prefix('{').and_then(|it| it.split_once('}'));
            let bare = after.split_at(after.find(|c| !is_part(c)).unwrap_or(after.len()));
            rest = match (braced, bare) {
                (Some((name, more)), _) if is_name(name) => {
                    filled.push_str(self.get(name)?);
                    more
                }
                (_, (name, more)) if is_name(name) => {
                    filled.push_str(self.get(name)?);
                    more
                }
                _ => {
                    filled.push('$');
                    after.strip_prefix('$').unwrap_or(after)
                }
            };
        }
        Ok(filled + rest)
    }

    fn get(&self, name: &str) -> Result<&str, CommandError> {
        self.0.get(name).map(String::as_str).ok_or_else(|| {
            let near = similar(name, self.0.keys().map(String::as_str));
            CommandError::Variable { name: name.to_owned(), near }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_stand_in_lines_by_their_names() {
        let mut variables = Variables::default();
        variables.set("k".to_owned(), "3".to_owned());
        variables.set("k2".to_owned(), "x y".to_owned());
        let fill = |line: &str| variables.fill(line).unwrap();
        assert_eq!(fill("add particle p$k"), "add particle p3");
        assert_eq!(fill("p${k}2 $k2:z $k"), "p32 x y:z 3");
        assert_eq!(fill("5 $ 6 $$k $ {k} $(k) ä$"), "5 $ 6 $k $ {k} $(k) ä$");
        let error = variables.fill("$kk").unwrap_err().to_string();
        assert!(error.contains("'kk'") && error.contains("'k'"), "{error}");
    }

    #[test]
    fn lines_of_a_loop_are_one_statement() {
        let mut lines = Lines::default();
        for (number, text) in [(1, "for a in 1..3"), (2, "  for b in x 'y z' "), (3, "get $a")] {
            assert_eq!(lines.push(number, text).unwrap(), None);
        }
        assert_eq!(lines.push(4, " end").unwrap(), None);
        assert_eq!(lines.unended(), Some(1));
        let Some(Statement::For(outer)) = lines.push(5, "end").unwrap() else { panic!("a loop") };
        assert_eq!((outer.number, &*outer.name), (1, "a"));
        let Statement::For(inner) = &outer.body[0] else { panic!("a loop in it") };
        assert_eq!(inner.body, [Statement::Line { number: 3, text: "get $a".to_owned() }]);
        assert_eq!(values(&inner.values).unwrap(), ["x", "y z"]);
        assert_eq!(values(&outer.values).unwrap(), ["1", "2", "3"]);
        assert_eq!(values("3..1").unwrap(), Vec::<String>::new());
        assert!(values("0..1000000").is_err() && values(&format!("{}..9", i64::MIN)).is_err());
        for wrong in ["end", "for", "for a", "for a on b", "for 1 in 2", "for a in ", "for a inn b"]
        {
            assert!(lines.push(1, wrong).is_err() && !lines.is_open(), "{wrong}");
        }
        assert_eq!(lines.unended(), None);
    }
}
