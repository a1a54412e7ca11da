//! Lines as words: parted at blanks and commas, but for those in quotes. A quote at the start of a word, or behind its
//! first `=`, is taken off; any other one belongs to the word, as in `/models/"a/b"`.

use super::EditTextError;

/// Signs that a word in double quotes is written with, and what they stand for.
const ESCAPES: [(char, char); 5] =
    [('\\', '\\'), ('"', '"'), ('n', '\n'), ('r', '\r'), ('t', '\t')];

/// Words of a line.
///
/// # Errors
/// [`EditTextError::OpenQuote`].
pub(super) fn words(line: &str) -> Result<Vec<String>, EditTextError> {
    let (mut words, mut word): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        if is_separator(letter) {
            words.extend(word.take());
            continue;
        }
        let so_far = word.get_or_insert_default();
        let opens = so_far.is_empty() || so_far.find('=') == Some(so_far.len() - 1);
        let open_quote = || EditTextError::OpenQuote(line.to_owned());
        match letter {
            '"' if opens => read_escaped(&mut letters, so_far).ok_or_else(open_quote)?,
            '\'' if opens => read_plain(&mut letters, so_far).ok_or_else(open_quote)?,
            '"' => {
                so_far.push('"');
                read_verbatim(&mut letters, so_far).ok_or_else(open_quote)?;
            }
            other => so_far.push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

fn is_separator(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\r' | '\n' | ',')
}

/// To the closing double quote, escapes replaced by what they stand for; others stay as they are.
fn read_escaped(letters: &mut std::str::Chars<'_>, word: &mut String) -> Option<()> {
    loop {
        match letters.next()? {
            '"' => return Some(()),
            '\\' => {
                let next = letters.next()?;
                match ESCAPES.iter().find(|(sign, _)| *sign == next) {
                    Some((_, meant)) => word.push(*meant),
                    None => word.extend(['\\', next]),
                }
            }
            other => word.push(other),
        }
    }
}

/// To the closing single quote.
fn read_plain(letters: &mut std::str::Chars<'_>, word: &mut String) -> Option<()> {
    loop {
        match letters.next()? {
            '\'' => return Some(()),
            other => word.push(other),
        }
    }
}

/// To the closing double quote, which is kept, as all before it.
fn read_verbatim(letters: &mut std::str::Chars<'_>, word: &mut String) -> Option<()> {
    loop {
        let letter = letters.next()?;
        word.push(letter);
        match letter {
            '"' => return Some(()),
            '\\' => word.push(letters.next()?),
            _ => {}
        }
    }
}

/// A text as one word of a line.
pub(crate) fn written(text: &str) -> String {
    let is_plain = !text.contains(['\'', '(', ')', '#', '\n', '\r'])
        && words(text).is_ok_and(|it| it == [text]);
    if is_plain { text.to_owned() } else { quoted(text) }
}

/// A text in double quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match ESCAPES.iter().find(|(_, meant)| *meant == letter) {
            Some((sign, _)) => quoted.extend(['\\', *sign]),
            None => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
