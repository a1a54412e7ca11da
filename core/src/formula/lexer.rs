//! Words of a formula, with their columns.

use super::{FormulaError, FormulaFault};

/// A word or sign.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    Number(f64),
    /// A name, or the path of a property with its braces.
    Name(String),
    Sign(&'static str),
    End,
}

/// A word and its column.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) word: Word,
    pub(super) column: usize,
}

impl Word {
    /// The word as errors name it.
    pub(super) fn spelled(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Name(name) => format!("'{name}'"),
            Self::Sign(sign) => format!("'{sign}'"),
            Self::End => "the end".to_owned(),
        }
    }
}

/// Signs, the longer ones first.
const SIGNS: [&str; 16] =
    ["<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "^", "(", ")", ",", ";", "="];

/// The words of a text, the end last.
pub(super) fn words(text: &str) -> Result<Vec<Spot>, FormulaError> {
    let letters: Vec<char> = text.chars().collect();
    let (mut at, mut found) = (0, Vec::new());
    while let Some(&letter) = letters.get(at) {
        let column = at + 1;
        let rest = &letters[at..];
        let (word, length) = match letter {
            _ if letter.is_whitespace() => {
                at += 1;
                continue;
            }
            '0'..='9' | '.' => number(rest).map_err(|fault| FormulaError { column, fault })?,
            _ if letter.is_alphabetic() || letter == '_' => name(rest),
            '{' => path(rest).map_err(|fault| FormulaError { column, fault })?,
            _ => match SIGNS.into_iter().find(|sign| begins(rest, sign)) {
                Some(sign) => (Word::Sign(sign), sign.len()),
                None => return Err(FormulaError { column, fault: FormulaFault::Letter(letter) }),
            },
        };
        found.push(Spot { word, column });
        at += length;
    }
    found.push(Spot { word: Word::End, column: letters.len() + 1 });
    Ok(found)
}

fn begins(letters: &[char], sign: &str) -> bool {
    sign.chars().zip(0..).all(|(letter, k)| letters.get(k) == Some(&letter))
}

/// All up to the closing brace.
fn path(letters: &[char]) -> Result<(Word, usize), FormulaFault> {
    let end = letters.iter().position(|&letter| letter == '}').ok_or(FormulaFault::Brace)?;
    Ok((Word::Name(letters[..=end].iter().collect()), end + 1))
}

fn name(letters: &[char]) -> (Word, usize) {
    let inside = |c: &&char| c.is_alphanumeric() || **c == '_' || **c == '.';
    let name: String = letters.iter().take_while(inside).collect();
    let length = name.chars().count();
    (Word::Name(name), length)
}

fn number(letters: &[char]) -> Result<(Word, usize), FormulaFault> {
    let is_digit = |c: &char| c.is_ascii_digit();
    let mut length = letters.iter().take_while(|c| is_digit(c) || **c == '.').count();
    let exponent = matches!(letters.get(length), Some('e' | 'E'));
    let signed = exponent && matches!(letters.get(length + 1), Some('+' | '-'));
    let digits = length + 1 + usize::from(signed);
    if exponent && letters.get(digits).is_some_and(is_digit) {
        length = digits + letters[digits..].iter().take_while(|c| is_digit(c)).count();
    }
    let text: String = letters[..length].iter().collect();
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok((Word::Number(number), length)),
        _ => Err(FormulaFault::Number(text)),
    }
}
