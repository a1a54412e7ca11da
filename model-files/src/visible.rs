//! Text of files on a terminal: characters that command it are shown, not sent.

use std::borrow::Cow;

/// True if a character commands a terminal, or turns the direction of the text around it: controls but for
/// the end of a line and the tabulator, and the marks of bidirectional text.
fn commands(c: char) -> bool {
    let is_layout = matches!(c, '\n' | '\t');
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() && !is_layout || turns
}

/// The text with such characters as `\u001b`, which means the same in a string of JSON or TOML.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(commands) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if commands(c) { shown += &format!("\\u{:04x}", u32::from(c)) } else { shown.push(c) }
    }
    shown.into()
}

/// The text with such characters as others of the same length [bytes], so that places in it stay.
pub(crate) fn masked(text: &str) -> Cow<'_, str> {
    if !text.contains(commands) {
        return text.into();
    }
    let mask = |c: char| match c.len_utf8() {
        _ if !commands(c) => c,
        1 => '?',
        2 => '\u{bf}',
        _ => '\u{fffd}',
    };
    text.chars().map(mask).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_commands_a_terminal_is_shown_and_the_rest_left_alone() {
        assert!(matches!(visible("a\tµ\n"), Cow::Borrowed("a\tµ\n")));
        let evil = "\u{1b}[2J\u{9b}31m\u{202e}x\r\u{7f}";
        assert_eq!(visible(evil), "\\u001b[2J\\u009b31m\\u202ex\\u000d\\u007f");
        let json = serde_json::to_string("\u{9b}\u{1b}").unwrap();
        let read: String = serde_json::from_str(&visible(&json)).unwrap();
        assert_eq!(read, "\u{9b}\u{1b}");
    }

    #[test]
    fn a_mask_is_as_long_as_what_it_hides() {
        let evil = "a\u{1b}\u{9b}\u{202e}b";
        let shown = masked(evil);
        assert_eq!((shown.len(), shown.find('b')), (evil.len(), evil.find('b')));
        assert!(!shown.contains(commands), "{shown:?}");
    }
}
