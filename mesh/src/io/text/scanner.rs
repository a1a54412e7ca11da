//! One reader for text and binary numbers: tokens with line numbers, bounded reads with byte
//! offsets. Counts are checked here against what is left before anything is allocated.

mod arrays;

use crate::io::error::{Fault, Location, Parsed, Problem};
use crate::io::text::number;

/// Byte order of binary numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::io) enum Endian {
    Little,
    Big,
}

/// Encoding of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::io) enum Encoding {
    Ascii,
    Binary(Endian),
}

/// Type of a stored number; text ignores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::io) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    pub(in crate::io) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    pub(in crate::io) fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

pub(in crate::io) struct Scanner<'a> {
    bytes: &'a [u8],
    pos: usize,
    line: usize,
    /// Once binary data has been passed, line numbers mean nothing and bytes are reported.
    passed_binary: bool,
    /// Set when the bytes are decoded from elsewhere: reported instead of the own position.
    fixed: Option<Location>,
    pub(in crate::io) encoding: Encoding,
}

impl<'a> Scanner<'a> {
    pub(in crate::io) fn new(bytes: &'a [u8]) -> Self {
        let encoding = Encoding::Ascii;
        Self { bytes, pos: 0, line: 1, passed_binary: false, fixed: None, encoding }
    }

    /// Text that begins on line `line` of the file.
    pub(in crate::io) fn from_line(bytes: &'a [u8], line: usize) -> Self {
        Self { line, ..Self::new(bytes) }
    }

    /// Decoded bytes; every fault is reported at `place`.
    pub(in crate::io) fn decoded(bytes: &'a [u8], endian: Endian, place: Location) -> Self {
        let encoding = Encoding::Binary(endian);
        Self { fixed: Some(place), encoding, ..Self::new(bytes) }
    }

    pub(in crate::io) fn place(&self) -> Location {
        match self.fixed {
            Some(place) => place,
            None if self.passed_binary => Location::Byte(self.pos),
            None => Location::Line(self.line),
        }
    }

    pub(in crate::io) fn fault(&self, problem: Problem) -> Fault {
        problem.at(self.place())
    }

    pub(in crate::io) fn left(&self) -> usize {
        self.bytes.len() - self.pos
    }

    fn skip_space(&mut self) {
        while let Some(&b) = self.bytes.get(self.pos) {
            if !b.is_ascii_whitespace() {
                break;
            }
            self.line += usize::from(b == b'\n');
            self.pos += 1;
        }
    }

    /// The next word, or `None` at the end.
    pub(in crate::io) fn token(&mut self) -> Option<&'a [u8]> {
        self.skip_space();
        let rest = &self.bytes[self.pos..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.pos += length;
        (length > 0).then(|| &rest[..length])
    }

    /// The next word without taking it.
    pub(in crate::io) fn peek(&mut self) -> Option<&'a [u8]> {
        self.skip_space();
        let start = self.pos;
        let token = self.token();
        self.pos = start;
        token
    }

    /// The rest of the current line without its end; `None` at the end of the file.
    pub(in crate::io) fn rest_of_line(&mut self) -> Option<&'a [u8]> {
        let rest = &self.bytes[self.pos..];
        if rest.is_empty() {
            return None;
        }
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let ended = length < rest.len();
        self.pos += length + usize::from(ended);
        self.line += usize::from(ended);
        let line = &rest[..length];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// The next word as text.
    pub(in crate::io) fn word(&mut self, expected: &'static str) -> Parsed<&'a str> {
        let token = self.token().ok_or_else(|| self.fault(Problem::EndOfFile { expected }))?;
        str::from_utf8(token).map_err(|_| self.unexpected(expected, token))
    }

    pub(in crate::io) fn unexpected(&self, expected: &'static str, found: &[u8]) -> Fault {
        self.fault(Problem::Expected { expected, found: shorten(found) })
    }

    /// Takes one given word.
    pub(in crate::io) fn expect(&mut self, word: &'static str) -> Parsed<()> {
        let found = self.word(word)?;
        if found == word { Ok(()) } else { Err(self.unexpected(word, found.as_bytes())) }
    }

    fn parse<T>(&mut self, expected: &'static str, read: impl Fn(&[u8]) -> Option<T>) -> Parsed<T> {
        let word = self.token().ok_or_else(|| self.fault(Problem::EndOfFile { expected }))?;
        read(word).ok_or_else(|| self.unexpected(expected, word))
    }

    /// A count or number written as text, whatever the encoding of the data.
    pub(in crate::io) fn text_u64(&mut self, expected: &'static str) -> Parsed<u64> {
        self.parse(expected, number::uint)
    }

    /// A signed number written as text, whatever the encoding of the data.
    pub(in crate::io) fn text_i64(&mut self, expected: &'static str) -> Parsed<i64> {
        self.parse(expected, number::int)
    }

    /// The next `n` bytes.
    pub(in crate::io) fn take(&mut self, n: usize, expected: &'static str) -> Parsed<&'a [u8]> {
        let end = self.pos.checked_add(n).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or_else(|| self.fault(Problem::EndOfFile { expected }))?;
        let taken = &self.bytes[self.pos..end];
        self.pos = end;
        self.passed_binary = true;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, e: Endian, what: &'static str) -> Parsed<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, what)?);
        if e == Endian::Big {
            array.reverse();
        }
        Ok(array)
    }

    /// The next number as f64.
    pub(in crate::io) fn float(&mut self, ty: Scalar, what: &'static str) -> Parsed<f64> {
        match (self.encoding, ty) {
            (Encoding::Ascii, _) => self.parse(what, number::float),
            (Encoding::Binary(e), Scalar::F32) => {
                Ok(f64::from(f32::from_le_bytes(self.array(e, what)?)))
            }
            (Encoding::Binary(e), Scalar::F64) => Ok(f64::from_le_bytes(self.array(e, what)?)),
            (Encoding::Binary(_), _) => Ok(self.int(ty, what)? as f64),
        }
    }

    /// The next number as an integer; 64-bit values past i64 come out negative, which every use
    /// refuses.
    pub(in crate::io) fn int(&mut self, ty: Scalar, what: &'static str) -> Parsed<i64> {
        let Encoding::Binary(e) = self.encoding else {
            return self.parse(what, number::int);
        };
        Ok(match ty {
            Scalar::I8 => i64::from(i8::from_le_bytes(self.array(e, what)?)),
            Scalar::U8 => i64::from(u8::from_le_bytes(self.array(e, what)?)),
            Scalar::I16 => i64::from(i16::from_le_bytes(self.array(e, what)?)),
            Scalar::U16 => i64::from(u16::from_le_bytes(self.array(e, what)?)),
            Scalar::I32 => i64::from(i32::from_le_bytes(self.array(e, what)?)),
            Scalar::U32 => i64::from(u32::from_le_bytes(self.array(e, what)?)),
            Scalar::I64 | Scalar::U64 => i64::from_le_bytes(self.array(e, what)?),
            Scalar::F32 | Scalar::F64 => {
                return Err(self.unexpected("an integer type", b"float"));
            }
        })
    }

    /// The next number as an unsigned integer.
    pub(in crate::io) fn uint(&mut self, ty: Scalar, what: &'static str) -> Parsed<u64> {
        let Encoding::Binary(_) = self.encoding else { return self.parse(what, number::uint) };
        // Sizes of 2^63 and more stay what they are: `count` refuses them with the number.
        self.int(ty, what).map(|n| n as u64)
    }

    /// Checks that `declared` items of `per_item` numbers of type `ty` can follow.
    pub(in crate::io) fn count(
        &self,
        what: &'static str,
        declared: u64,
        per_item: u64,
        ty: Scalar,
    ) -> Parsed<usize> {
        // A number in text takes a digit and a separator, but the last one may lack the separator.
        let (size, slack) = match self.encoding {
            Encoding::Ascii => (2, 1),
            Encoding::Binary(_) => (ty.size() as u64, 0),
        };
        let bytes_left = self.left();
        let needed = declared.checked_mul(per_item).and_then(|n| n.checked_mul(size));
        match needed {
            Some(n) if n <= bytes_left as u64 + slack => Ok(declared as usize),
            _ => Err(self.fault(Problem::CountTooLarge { what, declared, bytes_left })),
        }
    }

    /// True if only white space is left (text) or nothing (binary).
    pub(in crate::io) fn at_end(&mut self) -> bool {
        match self.encoding {
            Encoding::Ascii => self.peek().is_none(),
            Encoding::Binary(_) => self.left() == 0,
        }
    }

    /// Skips to just behind the next `marker`; false when there is none.
    pub(in crate::io) fn skip_past(&mut self, marker: &[u8]) -> bool {
        let rest = &self.bytes[self.pos..];
        let Some(found) = memchr::memmem::find(rest, marker) else { return false };
        self.line += memchr::memchr_iter(b'\n', &rest[..found]).count();
        self.pos += found + marker.len();
        true
    }
}

/// At most 40 characters of a token, for messages.
pub(in crate::io) fn shorten(token: &[u8]) -> String {
    let text = String::from_utf8_lossy(&token[..token.len().min(160)]);
    let mut short: String = text.chars().take(40).flat_map(char::escape_default).collect();
    if text.chars().count() > 40 {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_in_text_carries_its_line() {
        let mut s = Scanner::new(b"1 2\n\n3 x");
        for _ in 0..3 {
            s.float(Scalar::F64, "a number").unwrap();
        }
        assert_eq!(s.float(Scalar::F64, "a number").unwrap_err().at, Location::Line(3));
    }

    #[test]
    fn a_count_that_cannot_fit_is_refused_and_one_that_just_fits_is_not() {
        let s = Scanner::new(b"1 2 3");
        assert!(s.count("values", 3, 1, Scalar::F64).is_ok());
        for declared in [4, u64::MAX] {
            assert!(s.count("values", declared, 1, Scalar::F64).is_err());
        }
    }

    #[test]
    fn both_byte_orders_give_the_number() {
        for (endian, bytes) in
            [(Endian::Big, 258_u32.to_be_bytes()), (Endian::Little, 258_u32.to_le_bytes())]
        {
            let mut s = Scanner::decoded(&bytes, endian, Location::File);
            assert_eq!(s.int(Scalar::U32, "a number").unwrap(), 258);
            assert!(s.int(Scalar::U8, "a number").is_err());
        }
    }
}
