//! Depth of the values of a TOML text, told before it is parsed: names with dots within tables
//! within names with dots make a tree so deep that even dropping it overflows the stack.

/// Most tables and lists around a value of a text that is parsed.
const DEEPEST: usize = 200;

/// The first byte that opens a table or list in more than 200 others; `None` where there is none.
pub(crate) fn too_deep(text: &str) -> Option<usize> {
    let mut scanner = Scanner { rest: text.as_bytes(), at: 0, open: vec![Level::default()] };
    scanner.find()
}

/// A table or list that is open.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// Tables and lists around its items, their names with dots included.
    depth: usize,
    /// Dots of the item so far, if it is a key.
    dots: usize,
    /// True if the key has ended.
    is_value: bool,
}

struct Scanner<'t> {
    rest: &'t [u8],
    at: usize,
    open: Vec<Level>,
}

impl Scanner<'_> {
    fn find(&mut self) -> Option<usize> {
        while let Some(&byte) = self.rest.first() {
            let at = self.at;
            match byte {
                b'"' | b'\'' => self.skip_string(byte),
                b'#' => self.skip(memchr_line(self.rest)),
                _ => {
                    self.skip(1);
                    if self.step(byte) > DEEPEST {
                        return Some(at);
                    }
                }
            }
        }
        None
    }

    /// One byte outside strings and remarks; how deep the innermost table or list lies.
    fn step(&mut self, byte: u8) -> usize {
        let is_top = self.open.len() == 1;
        let Some(level) = self.open.last_mut() else { return 0 };
        match byte {
            b'[' | b'{' => {
                let key = if level.is_value { level.dots } else { 0 };
                let depth = level.depth + key + 1;
                self.open.push(Level { depth, ..Level::default() });
                return depth;
            }
            b']' | b'}' if !is_top => drop(self.open.pop()),
            b'=' => level.is_value = true,
            b'.' if !level.is_value => level.dots += 1,
            b',' => (level.dots, level.is_value) = (0, false),
            b'\n' if is_top => (level.dots, level.is_value) = (0, false),
            _ => {}
        }
        0
    }

    fn skip(&mut self, count: usize) {
        let count = count.min(self.rest.len());
        self.rest = &self.rest[count..];
        self.at += count;
    }

    fn skip_string(&mut self, quote: u8) {
        let triple = [quote; 3];
        let is_long = self.rest.starts_with(&triple);
        self.skip(if is_long { 3 } else { 1 });
        while let Some(&byte) = self.rest.first() {
            match byte {
                b'\\' if quote == b'"' => self.skip(2),
                b'\n' if !is_long => return,
                _ if is_long && self.rest.starts_with(&triple) => return self.skip(3),
                _ if !is_long && byte == quote => return self.skip(1),
                _ => self.skip(1),
            }
        }
    }
}

/// Bytes to the end of the line.
fn memchr_line(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_tables_and_dots_of_names_count() {
        let lists = |n: usize| format!("a = {}{}", "[".repeat(n), "]".repeat(n));
        assert_eq!((too_deep(&lists(200)), too_deep(&lists(201))), (None, Some(204)));
        let dots = format!("a{} = [1]", ".a".repeat(199));
        assert_eq!((too_deep(&dots), too_deep(&format!("b.{dots}"))), (None, Some(404)));
        let both = |n: usize| "{ a.b.c = [".repeat(n);
        assert_eq!(too_deep(&format!("x = {}", both(50))), None);
        assert!(too_deep(&format!("x = {}", both(60))).is_some());
    }

    #[test]
    fn numbers_strings_and_remarks_are_not_deep() {
        let brackets = "[".repeat(500);
        for text in [
            format!("a = [{}]", "1.5, ".repeat(1000)),
            format!("a = \"\\\"{brackets}\"\nb = '{brackets}'\n# {brackets}\n"),
            format!("a = \"\"\"\n{brackets}\"{brackets}\"\"\"\nb = '''{brackets}'''\n"),
            "[[a.b]]\nx = 1.5\n".repeat(1000),
        ] {
            assert_eq!(too_deep(&text), None, "{text}");
        }
        assert!(too_deep(&format!("a = \"x\"\nb = {brackets}")).is_some());
    }
}
