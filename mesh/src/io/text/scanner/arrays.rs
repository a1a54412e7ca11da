//! Whole arrays of numbers, without a look at the end of the data before each of them.

use super::{Encoding, Endian, Scalar, Scanner};
use crate::io::error::Parsed;
use crate::io::text::number;

impl Scanner<'_> {
    /// All numbers up to the end as f64: of a text, or of bytes that are a whole number of numbers.
    pub(in crate::io) fn floats(&mut self, ty: Scalar, what: &'static str) -> Parsed<Vec<f64>> {
        match (self.encoding, ty) {
            (Encoding::Ascii, _) => self.words(what, number::float),
            (Encoding::Binary(e), Scalar::F32) => Ok(self.numbers(e, f32::from_le_bytes)),
            (Encoding::Binary(e), Scalar::F64) => Ok(self.numbers(e, f64::from_le_bytes)),
            _ => Ok(self.ints(ty, what)?.into_iter().map(|n| n as f64).collect()),
        }
    }

    /// All numbers up to the end as integers.
    pub(in crate::io) fn ints(&mut self, ty: Scalar, what: &'static str) -> Parsed<Vec<i64>> {
        let Encoding::Binary(e) = self.encoding else { return self.words(what, number::int) };
        Ok(match ty {
            Scalar::I8 => self.numbers(e, i8::from_le_bytes),
            Scalar::U8 => self.numbers(e, u8::from_le_bytes),
            Scalar::I16 => self.numbers(e, i16::from_le_bytes),
            Scalar::U16 => self.numbers(e, u16::from_le_bytes),
            Scalar::I32 => self.numbers(e, i32::from_le_bytes),
            Scalar::U32 => self.numbers(e, u32::from_le_bytes),
            Scalar::I64 | Scalar::U64 => self.numbers(e, i64::from_le_bytes),
            Scalar::F32 | Scalar::F64 => return Err(self.unexpected("an integer type", b"float")),
        })
    }

    fn words<T>(&mut self, what: &'static str, read: fn(&[u8]) -> Option<T>) -> Parsed<Vec<T>> {
        // Numbers in text take two bytes at the least, some eight usually.
        let mut values = Vec::with_capacity(self.left() / 8);
        while let Some(word) = self.token() {
            values.push(read(word).ok_or_else(|| self.unexpected(what, word))?);
        }
        Ok(values)
    }

    fn numbers<const N: usize, B, T: From<B>>(
        &mut self,
        endian: Endian,
        read: fn([u8; N]) -> B,
    ) -> Vec<T> {
        let (rows, _) = self.bytes[self.pos..].as_chunks::<N>();
        self.pos = self.bytes.len();
        let swapped = |&row: &[u8; N]| {
            let mut row = row;
            row.reverse();
            T::from(read(row))
        };
        match endian {
            Endian::Little => rows.iter().map(|&row| T::from(read(row))).collect(),
            Endian::Big => rows.iter().map(swapped).collect(),
        }
    }
}
