//! The data arrays of VTK's XML files: text, base64, or bytes appended to the file, plain or in
//! blocks of zlib or LZ4. Every length is checked against the data that is there.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use rayon::prelude::*;
use roxmltree::Node;

use crate::io::error::{Location, Parsed, Problem};
use crate::io::text::scanner::{Endian, Scalar, Scanner, shorten};
use crate::io::vtk::array_fault::ArrayFault;

/// Layout of all arrays of a file.
pub(in crate::io) struct Layout<'a> {
    pub(in crate::io) endian: Endian,
    /// Type of the lengths before each array: 4 or 8 bytes.
    pub(in crate::io) header: Scalar,
    pub(in crate::io) compressor: Compressor,
    /// Bytes that decoded arrays may still take together.
    pub(in crate::io) budget: Cell<u64>,
    /// The bytes behind the underscore of the appended section.
    pub(in crate::io) appended: Option<Stream<'a>>,
}

/// Compression of the blocks of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::io) enum Compressor {
    None,
    Zlib,
    Lz4,
}

/// Encoded bytes, decoded as they are asked for.
#[derive(Clone)]
pub(in crate::io) struct Stream<'a> {
    pub(in crate::io) rest: &'a [u8],
    pub(in crate::io) base64: bool,
    /// Decoded, not yet asked for: base64 comes in threes.
    pub(in crate::io) pending: Vec<u8>,
}

impl<'a> Stream<'a> {
    pub(in crate::io) fn new(rest: &'a [u8], base64: bool) -> Self {
        Self { rest, base64, pending: Vec::new() }
    }

    /// The next `n` decoded bytes.
    fn read(&mut self, n: u64) -> Result<Cow<'a, [u8]>, ArrayFault> {
        let available = self.pending.len() + self.rest.len();
        let cut_off = || ArrayFault::CutOff { declared: n, available };
        let n = usize::try_from(n).ok().filter(|&n| n <= available).ok_or_else(cut_off)?;
        if !self.base64 {
            let (taken, rest) = self.rest.split_at(n);
            self.rest = rest;
            return Ok(taken.into());
        }
        while self.pending.len() < n {
            if !self.decode_up_to(n - self.pending.len())? {
                return Err(cut_off());
            }
        }
        let beyond = self.pending.split_off(n);
        Ok(std::mem::replace(&mut self.pending, beyond).into())
    }

    /// Decodes what holds `n` bytes, or less where padding ends a section; false when nothing is left.
    fn decode_up_to(&mut self, n: usize) -> Result<bool, ArrayFault> {
        let wanted = n.div_ceil(3) * 4;
        let plain = self.rest.get(..wanted);
        if let Some(text) = plain.filter(|t| !t.iter().any(|b| *b == b'=' || *b <= b' ')) {
            self.rest = &self.rest[wanted..];
            STANDARD.decode_vec(text, &mut self.pending)?;
            return Ok(true);
        }
        let mut text = Vec::with_capacity(wanted.min(self.rest.len()));
        let mut used = 0;
        for &b in self.rest {
            let padded = text.last() == Some(&b'=') && text.len() % 4 == 0;
            if text.len() == wanted || padded {
                break;
            }
            used += 1;
            if !b.is_ascii_whitespace() {
                text.push(b);
            }
        }
        self.rest = &self.rest[used..];
        STANDARD.decode_vec(&text, &mut self.pending)?;
        Ok(!text.is_empty())
    }
}

impl Layout<'_> {
    fn lengths(&self, stream: &mut Stream<'_>, n: u64) -> Result<Vec<u64>, ArrayFault> {
        let size = self.header.size() as u64;
        let bytes = stream.read(n.checked_mul(size).ok_or(ArrayFault::BlockCount)?)?;
        let mut scanner = Scanner::decoded(&bytes, self.endian, Location::File);
        let mut lengths = Vec::with_capacity(n as usize);
        while !scanner.at_end() {
            let length = scanner
                .uint(self.header, "a length")
                .map_err(|fault| ArrayFault::Length(fault.problem))?;
            lengths.push(length);
        }
        Ok(lengths)
    }

    /// The bytes of an array, which are to be `expected`: nothing is decoded where they are declared to be
    /// others.
    fn bytes<'a>(
        &self,
        mut stream: Stream<'a>,
        expected: u64,
    ) -> Result<Cow<'a, [u8]>, ArrayFault> {
        let first = self.lengths(&mut stream, 1)?[0];
        if self.compressor == Compressor::None {
            self.charge(first, expected)?;
            return stream.read(first);
        }
        if first == 0 {
            self.charge(0, expected)?;
            return Ok(Cow::default());
        }
        let sizes = self.lengths(&mut stream, 2)?;
        let last = if sizes[1] == 0 { sizes[0] } else { sizes[1] };
        let whole = (first - 1).checked_mul(sizes[0]).and_then(|whole| whole.checked_add(last));
        self.charge(whole.ok_or(ArrayFault::TotalLength)?, expected)?;
        let compressed = self.lengths(&mut stream, first)?;
        // The table of lengths is encoded on its own; what is pending there is padding.
        let mut blocks = Vec::with_capacity(compressed.len());
        for (i, &length) in compressed.iter().enumerate() {
            let last = i + 1 == compressed.len() && sizes[1] != 0;
            let block = stream.read(length).map_err(|fault| fault.of_block(i, first))?;
            blocks.push((block, if last { sizes[1] } else { sizes[0] }));
        }
        let decompress = match self.compressor {
            Compressor::Lz4 => decompress_lz4,
            Compressor::Zlib | Compressor::None => inflate,
        };
        let decompressed: Vec<Result<Vec<u8>, ArrayFault>> =
            blocks.into_par_iter().map(|(block, expected)| decompress(&block, expected)).collect();
        let mut bytes = Vec::with_capacity(decompressed.iter().flatten().map(Vec::len).sum());
        for (i, block) in decompressed.into_iter().enumerate() {
            bytes.extend(block.map_err(|fault| fault.of_block(i, first))?);
        }
        Ok(bytes.into())
    }
}

impl Layout<'_> {
    /// Bytes that the arrays of a file of `length` bytes may take together.
    pub(in crate::io) fn budget_of(length: usize) -> Cell<u64> {
        const FLOOR: u64 = 256 << 20;
        const MOST_RATIO: u64 = 100;
        Cell::new(FLOOR.max((length as u64).saturating_mul(MOST_RATIO)))
    }

    /// Takes an array off the budget.
    fn charge(&self, declared: u64, expected: u64) -> Result<(), ArrayFault> {
        if declared != expected {
            return Err(ArrayFault::Expected { declared, expected });
        }
        let left = self.budget.get().checked_sub(declared);
        self.budget.set(left.ok_or(ArrayFault::Budget(declared))?);
        Ok(())
    }
}

/// Inflates a block; grows with the data, never by the declared length.
fn inflate(block: &[u8], expected: u64) -> Result<Vec<u8>, ArrayFault> {
    let limit = expected.saturating_add(1);
    let mut out = Vec::new();
    ZlibDecoder::new(block).take(limit).read_to_end(&mut out).map_err(ArrayFault::Zlib)?;
    let found = out.len() as u64;
    if found == expected {
        Ok(out)
    } else {
        Err(ArrayFault::Inflated { declared: expected, found, more: found > expected })
    }
}

/// Decompresses a block of LZ4 (the block format, which does not say its length).
fn decompress_lz4(block: &[u8], expected: u64) -> Result<Vec<u8>, ArrayFault> {
    /// One byte of LZ4 stands for 255 at the most.
    const MOST: u64 = 255;
    let length = usize::try_from(expected).ok();
    let length = length.filter(|_| expected <= MOST.saturating_mul(block.len() as u64));
    let too_much = ArrayFault::Ratio { declared: expected, available: block.len() };
    let length = length.ok_or(too_much)?;
    let mut out = vec![0; length];
    match lz4_flex::block::decompress_into(block, &mut out)? {
        found if found == length => Ok(out),
        found => Err(ArrayFault::Inflated { declared: expected, found: found as u64, more: false }),
    }
}

/// The line a node of the XML begins on.
pub(in crate::io) fn line(node: Node<'_, '_>) -> usize {
    node.document().text_pos_at(node.range().start).row as usize
}

fn scalar(node: Node<'_, '_>) -> Parsed<Scalar> {
    Ok(match node.attribute("type").unwrap_or("") {
        "Int8" => Scalar::I8,
        "UInt8" => Scalar::U8,
        "Int16" => Scalar::I16,
        "UInt16" => Scalar::U16,
        "Int32" => Scalar::I32,
        "UInt32" => Scalar::U32,
        "Int64" => Scalar::I64,
        "UInt64" => Scalar::U64,
        "Float32" => Scalar::F32,
        "Float64" => Scalar::F64,
        other => {
            let found = shorten(other.as_bytes());
            let expected = "a type from Int8 to UInt64, Float32 or Float64";
            return Err(Problem::Expected { expected, found }.at(Location::Line(line(node))));
        }
    })
}

/// Passes a scanner over the numbers of an array, which are to be `count`, to `read`.
fn scan<T>(
    node: Node<'_, '_>,
    layout: &Layout<'_>,
    count: u64,
    read: impl Fn(&mut Scanner<'_>, Scalar) -> Parsed<Vec<T>>,
) -> Parsed<Vec<T>> {
    let ty = scalar(node)?;
    let place = Location::Line(line(node));
    // ParaView puts InformationKey elements before inline data.
    let inline =
        node.children().find(|c| c.is_text() && c.text().is_some_and(|t| !t.trim().is_empty()));
    let text = inline.and_then(|c| c.text()).unwrap_or("").as_bytes();
    if node.attribute("format").is_none_or(|f| f == "ascii") {
        return read(&mut Scanner::from_line(text, inline.map_or(line(node), line)), ty);
    }
    let encoding = |fault: ArrayFault| {
        let array = node.attribute("Name").unwrap_or("Points").to_owned();
        Problem::Encoding { array, what: fault.to_string() }.at(place)
    };
    let expected = count.saturating_mul(ty.size() as u64);
    let bytes = layout.bytes(stream(node, text, layout)?, expected).map_err(encoding)?;
    read(&mut Scanner::decoded(&bytes, layout.endian, place), ty)
}

/// The encoded bytes of an array, from their begin.
fn stream<'a>(node: Node<'_, '_>, text: &'a [u8], layout: &Layout<'a>) -> Parsed<Stream<'a>> {
    let at = |problem: Problem| problem.at(Location::Line(line(node)));
    match node.attribute("format").unwrap_or("") {
        "binary" => Ok(Stream::new(text, true)),
        "appended" => {
            let missing = || at(Problem::Missing("the AppendedData section"));
            let mut stream = layout.appended.clone().ok_or_else(missing)?;
            let offset = node.attribute("offset").unwrap_or("none");
            let rest = offset.parse().ok().and_then(|offset: usize| stream.rest.get(offset..));
            stream.rest = rest.ok_or_else(|| {
                let found = format!(
                    "{}, with {} bytes appended",
                    shorten(offset.as_bytes()),
                    stream.rest.len()
                );
                at(Problem::Expected { expected: "an offset within AppendedData", found })
            })?;
            Ok(stream)
        }
        other => {
            let found = shorten(other.as_bytes());
            Err(at(Problem::Expected { expected: "ascii, binary or appended", found }))
        }
    }
}

/// All numbers of an array as f64. Of one that is encoded they are `count`, or it is refused; of one in
/// words they may be others.
pub(in crate::io) fn floats(
    node: Node<'_, '_>,
    layout: &Layout<'_>,
    count: u64,
) -> Parsed<Vec<f64>> {
    scan(node, layout, count, |scanner, ty| scanner.floats(ty, "a number"))
}

/// All numbers of an array of integers; `count` as for [`floats`].
pub(in crate::io) fn ints(node: Node<'_, '_>, layout: &Layout<'_>, count: u64) -> Parsed<Vec<i64>> {
    scan(node, layout, count, |scanner, ty| scanner.ints(ty, "an integer"))
}

/// Numbers a point or cell of an array.
pub(in crate::io) fn components(node: Node<'_, '_>) -> Parsed<u64> {
    let text = node.attribute("NumberOfComponents").unwrap_or("1");
    match text.parse() {
        Ok(0) => Ok(1),
        Ok(count) => Ok(count),
        Err(_) => {
            let found = shorten(text.as_bytes());
            let expected = "a number of components";
            Err(Problem::Expected { expected, found }.at(Location::Line(line(node))))
        }
    }
}

/// True if an array holds numbers of a known type.
pub(in crate::io) fn is_number(node: Node<'_, '_>) -> bool {
    node.has_tag_name("DataArray") && scalar(node).is_ok()
}

/// True if an array holds one integer a cell.
pub(in crate::io) fn is_integer_column(node: Node<'_, '_>) -> bool {
    let single = node.attribute("NumberOfComponents").is_none_or(|n| n == "1" || n == "0");
    single && scalar(node).is_ok_and(|ty| !ty.is_float())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_with_and_without_a_padded_header_and_with_line_breaks_decodes_alike() {
        let together = STANDARD.encode([&6_u32.to_le_bytes()[..], b"bodies"].concat());
        let apart = STANDARD.encode(6_u32.to_le_bytes()) + "\n  " + &STANDARD.encode("bodies");
        let broken: String = together.chars().flat_map(|c| [c, '\n']).collect();
        let layout = Layout {
            endian: Endian::Little,
            header: Scalar::U32,
            compressor: Compressor::None,
            budget: Layout::budget_of(0),
            appended: None,
        };
        for text in [together, apart, broken] {
            let bytes = layout.bytes(Stream::new(text.as_bytes(), true), 6);
            assert_eq!(&*bytes.unwrap(), b"bodies", "{text}");
        }
    }

    #[test]
    fn declared_lengths_past_the_data_are_refused() {
        for compressor in [Compressor::None, Compressor::Zlib, Compressor::Lz4] {
            for n in [7_u64, 1 << 40, u64::MAX] {
                let layout = Layout {
                    endian: Endian::Little,
                    header: Scalar::U64,
                    compressor,
                    budget: Cell::new(u64::MAX),
                    appended: None,
                };
                let bytes = [n.to_le_bytes(), n.to_le_bytes(), n.to_le_bytes()].concat();
                let short = &bytes[..if compressor == Compressor::None { 14 } else { 24 }];
                assert!(layout.bytes(Stream::new(short, false), n).is_err(), "{compressor:?} {n}");
            }
        }
    }

    /// A block of zlib with zeros, as a file has it: the count of blocks, their length, that of the last
    /// one, that of the compressed bytes, and these.
    fn zeros(length: u64) -> Vec<u8> {
        let mut block = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::copy(&mut std::io::repeat(0).take(length), &mut block).unwrap();
        let block = block.finish().unwrap();
        let lengths = [1, length, 0, block.len() as u64].map(u64::to_le_bytes);
        [&lengths.concat()[..], &block].concat()
    }

    fn zlib(budget: u64) -> Layout<'static> {
        Layout {
            endian: Endian::Little,
            header: Scalar::U64,
            compressor: Compressor::Zlib,
            budget: Cell::new(budget),
            appended: None,
        }
    }

    #[test]
    fn nothing_is_inflated_that_is_not_expected_or_is_out_of_proportion() {
        let bytes = zeros(192);
        let of = |layout: &Layout<'_>, expected| {
            layout.bytes(Stream::new(&bytes, false), expected).map(|bytes| bytes.len())
        };
        let layout = zlib(400);
        assert_eq!(of(&layout, 192).unwrap(), 192);
        let error = of(&layout, 24).unwrap_err();
        assert!(error.to_string().contains("192 bytes are declared, 24 are expected"), "{error}");
        assert_eq!(of(&layout, 192).unwrap(), 192);
        // The same bytes may be the array of many names.
        let error = of(&layout, 192).unwrap_err();
        assert!(error.to_string().contains("far more than a file of this length"), "{error}");
    }
}
