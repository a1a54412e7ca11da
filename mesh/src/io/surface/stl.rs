//! STL: text with any case and number of solids, and binary, told apart by the length, since binary
//! headers may begin with `solid`. Corners at the same place are made one point: the format itself
//! has no connectivity. Normals are those of the corners; those of the file are not read.

use super::builder::SurfaceBuilder;
use super::weld::KnownPoints;
use crate::io::error::{Parsed, Problem};
use crate::io::text::scanner::{Encoding, Endian, Scalar, Scanner};

/// Bytes before the count of a binary file.
const HEADER: usize = 80;
/// Bytes of a triangle: normal and corners as f32, and two of attributes.
const TRIANGLE: usize = 50;

/// Reads the binary form.
pub(super) fn parse_binary(bytes: &[u8]) -> Parsed<SurfaceBuilder> {
    let mut s = Scanner::new(bytes);
    s.take(HEADER, "the header of a binary STL file")?;
    s.encoding = Encoding::Binary(Endian::Little);
    let declared = s.uint(Scalar::U32, "a number of triangles")?;
    let what = "triangles (of a binary STL file)";
    let count = s.count(what, declared, TRIANGLE as u64, Scalar::U8)?;
    let found = (s.left() / TRIANGLE) as u64;
    if found != declared {
        return Err(s.fault(Problem::CountMismatch { what, declared, found }));
    }
    let mut builder = SurfaceBuilder::default();
    let mut places = KnownPoints::default();
    let mut coloured = 0;
    for _ in 0..count {
        let place = s.place();
        s.take(12, "a normal")?;
        let corners = corners(&mut s, &mut builder, &mut places)?;
        coloured += usize::from(s.take(2, "attributes")? != [0, 0]);
        builder.begin_cell().map_err(|e| e.at(place))?;
        builder.add_face(&corners).map_err(|e| e.at(place))?;
    }
    builder.skip_many("attribute of a triangle (colour)", coloured);
    Ok(builder)
}

/// The three corners of a binary triangle.
fn corners(
    s: &mut Scanner<'_>,
    builder: &mut SurfaceBuilder,
    places: &mut KnownPoints,
) -> Parsed<[u32; 3]> {
    let mut corners = [0; 3];
    for corner in &mut corners {
        let place = s.place();
        *corner = point(s, builder, places).map_err(|fault| fault.problem.at(place))?;
    }
    Ok(corners)
}

fn point(
    s: &mut Scanner<'_>,
    builder: &mut SurfaceBuilder,
    places: &mut KnownPoints,
) -> Parsed<u32> {
    let mut at = [0.0; 3];
    for x in &mut at {
        *x = s.float(Scalar::F32, "a coordinate")?;
    }
    let place = s.place();
    places.point(builder, at).map_err(|e| e.at(place))
}

/// Reads the text form.
pub(super) fn parse_text(bytes: &[u8]) -> Parsed<SurfaceBuilder> {
    let mut s = Scanner::new(bytes);
    let mut builder = SurfaceBuilder::default();
    let mut places = KnownPoints::default();
    let mut solids: Vec<(String, u32)> = Vec::new();
    while s.peek().is_some() {
        keyword(&mut s, "solid")?;
        let name = s.rest_of_line().unwrap_or_default().trim_ascii();
        solids.push((String::from_utf8_lossy(name).into_owned(), builder.cell_count));
        while is_next(&mut s, "facet") {
            facet(&mut s, &mut builder, &mut places)?;
        }
        keyword(&mut s, "endsolid")?;
        s.rest_of_line();
    }
    name_solids(&mut builder, solids);
    Ok(builder)
}

fn facet(
    s: &mut Scanner<'_>,
    builder: &mut SurfaceBuilder,
    places: &mut KnownPoints,
) -> Parsed<()> {
    keyword(s, "facet")?;
    keyword(s, "normal")?;
    for _ in 0..3 {
        // Not a number where the triangle has no area.
        s.word("a component of a normal")?;
    }
    keyword(s, "outer")?;
    keyword(s, "loop")?;
    let mut corners = [0; 3];
    for corner in &mut corners {
        keyword(s, "vertex")?;
        *corner = point(s, builder, places)?;
    }
    keyword(s, "endloop")?;
    keyword(s, "endfacet")?;
    let place = s.place();
    builder.begin_cell().map_err(|e| e.at(place))?;
    builder.add_face(&corners).map_err(|e| e.at(place))
}

fn is_next(s: &mut Scanner<'_>, word: &str) -> bool {
    s.peek().is_some_and(|token| token.eq_ignore_ascii_case(word.as_bytes()))
}

/// Takes one given word in any case.
fn keyword(s: &mut Scanner<'_>, word: &'static str) -> Parsed<()> {
    let found = s.word(word)?;
    if found.eq_ignore_ascii_case(word) {
        Ok(())
    } else {
        Err(s.unexpected(word, found.as_bytes()))
    }
}

/// Makes each solid a set where there are several, or where the only one has a name.
fn name_solids(builder: &mut SurfaceBuilder, solids: Vec<(String, u32)>) {
    let only = solids.len() < 2;
    let ends: Vec<u32> = solids.iter().skip(1).map(|&(_, start)| start).collect();
    let ends = ends.into_iter().chain([builder.cell_count]);
    for (i, ((name, start), end)) in solids.into_iter().zip(ends).enumerate() {
        if only && name.is_empty() {
            return;
        }
        let name = if name.is_empty() { format!("solid_{}", i + 1) } else { name };
        builder.cell_sets.entry(name).or_default().extend(start..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::error::Location;

    #[test]
    fn a_binary_file_one_byte_too_short_is_refused_by_its_count() {
        let mut bytes = vec![0; HEADER];
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend([0; TRIANGLE - 1]);
        let fault = parse_binary(&bytes).err().unwrap();
        assert_eq!(fault.at, Location::Byte(HEADER + 4));
        assert!(fault.problem.to_string().contains("only 49 bytes"), "{}", fault.problem);
    }
}
