//! VTK's legacy format: cells with their counts (to version 4.2) and as offsets (5.x), text and
//! big-endian binary. Attributes of numbers become sets (regions) and fields.

use crate::io::error::{Location, Parsed, Problem};
use crate::io::text::scanner::{Encoding, Endian, Scalar, Scanner, shorten};
use crate::io::volume::builder::{Builder, region_stem};
use crate::io::vtk::marks::Mark;
use crate::io::vtk::vtk_cells;

pub(in crate::io) fn parse(bytes: &[u8]) -> Parsed<Builder> {
    let mut s = Scanner::new(bytes);
    let major = header(&mut s)?;
    let mut builder = Builder::default();
    let mut cells: Option<Cells> = None;
    let mut cell_count = None;
    while let Some(word) = s.token() {
        match word.to_ascii_uppercase().as_slice() {
            b"POINTS" => points(&mut s, |i, p| builder.add_node(i, p))?,
            b"CELLS" if major >= 5 => cells = Some(offset_cells(&mut s)?),
            b"CELLS" => cells = Some(counted_cells(&mut s)?),
            b"CELL_TYPES" => {
                let cells = cells.as_ref().ok_or_else(|| s.fault(Problem::Missing("CELLS")))?;
                cell_types(&mut s, cells, &mut builder)?;
                cell_count = Some(cells.ends.len() as u64);
            }
            b"METADATA" => metadata(&mut s),
            b"FIELD" => field(&mut s, Owner::Nothing, &mut builder)?,
            b"CELL_DATA" | b"POINT_DATA" => {
                let of_cells = word.eq_ignore_ascii_case(b"CELL_DATA");
                let owner = if of_cells { Owner::Cells } else { Owner::Points };
                attributes(&mut s, owner, &mut builder)?;
            }
            _ => return Err(s.unexpected("a keyword of an unstructured grid", word)),
        }
    }
    match cell_count {
        Some(_) => Ok(builder),
        None => Err(s.fault(Problem::EndOfFile { expected: "CELL_TYPES" })),
    }
}

/// Reads the first four lines: the major version, the encoding, and the kind of data set.
pub(in crate::io) fn opening<'a>(s: &mut Scanner<'a>) -> Parsed<(u64, Encoding, &'a str)> {
    for word in ["#", "vtk", "DataFile", "Version"] {
        s.expect(word)?;
    }
    let version = s.word("a version")?;
    let major =
        version.split('.').next().and_then(|m| m.parse().ok()).filter(|m| (1..=5).contains(m));
    let major = major.ok_or_else(|| {
        let what = format!("version {} of the legacy VTK format", shorten(version.as_bytes()));
        s.fault(Problem::Unsupported { what, remedy: "versions 1 to 5 are read" })
    })?;
    s.rest_of_line();
    s.rest_of_line(); // the title
    let encoding = s.word("ASCII or BINARY")?;
    let encoding = match encoding.to_ascii_uppercase().as_str() {
        "ASCII" => Encoding::Ascii,
        "BINARY" => Encoding::Binary(Endian::Big),
        _ => return Err(s.unexpected("ASCII or BINARY", encoding.as_bytes())),
    };
    s.expect("DATASET")?;
    let dataset = s.word("a kind of data set")?;
    Ok((major, encoding, dataset))
}

/// Reads the first four lines; the major version.
fn header(s: &mut Scanner<'_>) -> Parsed<u64> {
    let (major, encoding, dataset) = opening(s)?;
    match dataset.to_ascii_uppercase().as_str() {
        "UNSTRUCTURED_GRID" => {}
        "POLYDATA" => {
            let found = " (a POLYDATA set holds surfaces)".to_owned();
            return Err(s.fault(Problem::NoVolume { found }));
        }
        _ => {
            let what = format!("the data set {}", shorten(dataset.as_bytes()));
            return Err(s.fault(Problem::Unsupported { what, remedy: "save an UNSTRUCTURED_GRID" }));
        }
    }
    s.encoding = encoding;
    Ok(major)
}

pub(in crate::io) fn scalar(s: &mut Scanner<'_>) -> Parsed<Scalar> {
    let name = s.word("a data type")?;
    named(name).ok_or_else(|| s.unexpected("a data type", name.as_bytes()))
}

pub(in crate::io) fn named(name: &str) -> Option<Scalar> {
    Some(match name.to_ascii_lowercase().as_str() {
        "char" | "vtktypeint8" => Scalar::I8,
        "unsigned_char" | "vtktypeuint8" => Scalar::U8,
        "short" | "vtktypeint16" => Scalar::I16,
        "unsigned_short" | "vtktypeuint16" => Scalar::U16,
        "int" | "vtktypeint32" | "vtkidtype" => Scalar::I32,
        "unsigned_int" | "vtktypeuint32" => Scalar::U32,
        "long" | "vtktypeint64" => Scalar::I64,
        "unsigned_long" | "vtktypeuint64" => Scalar::U64,
        "float" => Scalar::F32,
        "double" => Scalar::F64,
        _ => return None,
    })
}

/// Passes over a section that a blank line ends; its keyword is taken.
pub(in crate::io) fn metadata(s: &mut Scanner<'_>) {
    s.rest_of_line();
    while s.rest_of_line().is_some_and(|line| !line.trim_ascii().is_empty()) {}
}

/// Leaves the attributes out, which a mesh can do without, at a word that is not understood.
fn pass_over_rest(s: &mut Scanner<'_>, word: &str, builder: &mut Builder) {
    let place = s.place();
    builder.notes.push(format!("attributes from `{word}`{place} on were passed over"));
    while s.rest_of_line().is_some() {}
}

/// `POINTS n type`, behind the keyword; `add` takes each with its number.
pub(in crate::io) fn points(
    s: &mut Scanner<'_>,
    mut add: impl FnMut(u64, [f64; 3]) -> Result<(), Problem>,
) -> Parsed<()> {
    let declared = s.text_u64("a number of points")?;
    let ty = scalar(s)?;
    let n = s.count("points", declared, 3, ty)?;
    s.rest_of_line();
    for i in 0..n {
        let mut p = [0.0; 3];
        for x in &mut p {
            *x = s.float(ty, "a coordinate")?;
        }
        let place = s.place();
        add(i as u64, p).map_err(|e| e.at(place))?;
    }
    Ok(())
}

pub(in crate::io) struct Cells {
    pub(in crate::io) place: Location,
    pub(in crate::io) connectivity: Vec<i64>,
    /// End of each cell in the connectivity.
    pub(in crate::io) ends: Vec<usize>,
}

pub(in crate::io) fn integers(s: &mut Scanner<'_>, n: usize, ty: Scalar) -> Parsed<Vec<i64>> {
    (0..n).map(|_| s.int(ty, "an integer")).collect()
}

/// `CELLS n size`, then for each cell its count and points (to version 4.2).
pub(in crate::io) fn counted_cells(s: &mut Scanner<'_>) -> Parsed<Cells> {
    let place = s.place();
    let declared = s.text_u64("a number of cells")?;
    let size = s.text_u64("a number of entries")?;
    let n = s.count("cells", declared, 1, Scalar::I32)?;
    s.count("entries of CELLS", size, 1, Scalar::I32)?;
    s.rest_of_line();
    let mut cells = Cells {
        place,
        connectivity: Vec::with_capacity(size as usize),
        ends: Vec::with_capacity(n),
    };
    for _ in 0..n {
        let count = s.int(Scalar::I32, "a number of points")?;
        let used = (cells.connectivity.len() + cells.ends.len() + 1) as u64;
        let count = u64::try_from(count).ok().filter(|&c| c <= size.saturating_sub(used));
        let count = count.ok_or_else(|| {
            let what = "entries of CELLS";
            s.fault(Problem::CountMismatch { what, declared: size, found: used })
        })?;
        cells.connectivity.extend(integers(s, count as usize, Scalar::I32)?);
        cells.ends.push(cells.connectivity.len());
    }
    let found = (cells.connectivity.len() + n) as u64;
    if found != size {
        let what = "entries of CELLS";
        return Err(s.fault(Problem::CountMismatch { what, declared: size, found }));
    }
    Ok(cells)
}

/// `CELLS offsets entries`, then the two arrays (from version 5).
pub(in crate::io) fn offset_cells(s: &mut Scanner<'_>) -> Parsed<Cells> {
    let place = s.place();
    let offsets = s.text_u64("a number of offsets")?;
    let entries = s.text_u64("a number of entries")?;
    s.expect("OFFSETS")?;
    let ty = scalar(s)?;
    let n = s.count("offsets", offsets, 1, ty)?;
    s.rest_of_line();
    let offsets = integers(s, n, ty)?;
    s.expect("CONNECTIVITY")?;
    let ty = scalar(s)?;
    let n = s.count("entries", entries, 1, ty)?;
    s.rest_of_line();
    let connectivity = integers(s, n, ty)?;
    let last = offsets.last().copied().unwrap_or(0);
    let ordered = offsets.first().is_none_or(|&o| o == 0) && offsets.is_sorted();
    if !ordered || last != n as i64 {
        let found = format!("offsets up to {last} for {n} entries");
        return Err(s.fault(Problem::Expected { expected: "offsets from 0, rising", found }));
    }
    let ends = offsets.iter().skip(1).map(|&o| o as usize).collect();
    Ok(Cells { place, connectivity, ends })
}

fn cell_types(s: &mut Scanner<'_>, cells: &Cells, builder: &mut Builder) -> Parsed<()> {
    let declared = s.text_u64("a number of cells")?;
    if declared != cells.ends.len() as u64 {
        let found = cells.ends.len() as u64;
        return Err(s.fault(Problem::CountMismatch { what: "cells", declared, found }));
    }
    let n = s.count("cell types", declared, 1, Scalar::I32)?;
    s.rest_of_line();
    let mut start = 0;
    for (cell, code) in integers(s, n, Scalar::I32)?.into_iter().enumerate() {
        let points = &cells.connectivity[start..cells.ends[cell]];
        vtk_cells::add(builder, cell as u64, code, points, 0).map_err(|e| e.at(cells.place))?;
        start = cells.ends[cell];
    }
    Ok(())
}

/// Owner of the values of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Points,
    Cells,
    Nothing,
}

impl Owner {
    /// Number of the points or cells that were read.
    fn count(self, builder: &Builder) -> usize {
        match self {
            Self::Points => builder.mesh.nodes.len(),
            Self::Cells => builder.element_of_cell.len(),
            Self::Nothing => 0,
        }
    }
}

/// The arrays behind CELL_DATA or POINT_DATA, up to the next such keyword.
fn attributes(s: &mut Scanner<'_>, owner: Owner, builder: &mut Builder) -> Parsed<()> {
    let n = s.text_u64("a number of tuples")?;
    while let Some(word) = s.peek() {
        let keyword = word.to_ascii_uppercase();
        let components = match keyword.as_slice() {
            b"CELL_DATA" | b"POINT_DATA" => return Ok(()),
            b"METADATA" | b"FIELD" => 0,
            b"SCALARS" => 1,
            b"VECTORS" | b"NORMALS" => 3,
            b"TENSORS" => 9,
            _ => {
                pass_over_rest(s, &shorten(word), builder);
                return Ok(());
            }
        };
        s.token();
        match keyword.as_slice() {
            b"METADATA" => metadata(s),
            b"FIELD" => field(s, owner, builder)?,
            _ => attribute(s, [components, n], owner, builder)?,
        }
    }
    Ok(())
}

/// `SCALARS name type [components]` and its like, behind the keyword; one component may be more.
fn attribute(
    s: &mut Scanner<'_>,
    [components, n]: [u64; 2],
    owner: Owner,
    builder: &mut Builder,
) -> Parsed<()> {
    let name = s.word("the name of an array")?;
    let type_name = s.word("a data type")?;
    let Some(ty) = named(type_name) else {
        pass_over_rest(s, type_name, builder);
        return Ok(());
    };
    let rest = s.rest_of_line().unwrap_or_default();
    let stated = str::from_utf8(rest).ok().and_then(|r| r.trim().parse().ok());
    let components = if components == 1 { stated.unwrap_or(1) } else { components };
    if s.peek() == Some(b"LOOKUP_TABLE") {
        s.rest_of_line();
    }
    array(s, (name, ty), [components, n], owner, builder)
}

/// `FIELD name count`, then the arrays.
fn field(s: &mut Scanner<'_>, owner: Owner, builder: &mut Builder) -> Parsed<()> {
    s.word("the name of a field")?;
    let count = s.text_u64("a number of arrays")?;
    for _ in 0..count {
        while s.peek() == Some(b"METADATA") {
            s.token();
            metadata(s);
        }
        let name = s.word("the name of an array")?;
        let components = s.text_u64("a number of components")?;
        let tuples = s.text_u64("a number of tuples")?;
        let type_name = s.word("a data type")?;
        let Some(ty) = named(type_name) else {
            pass_over_rest(s, type_name, builder);
            return Ok(());
        };
        s.rest_of_line();
        array(s, (name, ty), [components, tuples], owner, builder)?;
    }
    Ok(())
}

fn array(
    s: &mut Scanner<'_>,
    (name, ty): (&str, Scalar),
    [components, tuples]: [u64; 2],
    owner: Owner,
    builder: &mut Builder,
) -> Parsed<()> {
    let values = components.checked_mul(tuples).ok_or_else(|| {
        let bytes_left = s.left();
        s.fault(Problem::CountTooLarge { what: "values", declared: tuples, bytes_left })
    })?;
    let n = s.count("values", values, 1, ty)?;
    let owners = owner.count(builder);
    let of_cells = owner == Owner::Cells;
    let is_kept = n > 0 && tuples == owners as u64;
    let is_integer_column = is_kept && components == 1 && !ty.is_float();
    if let Some(mark) = Mark::of(name, of_cells).filter(|_| is_integer_column) {
        let values = integers(s, n, ty)?;
        if !mark.add(builder, 0, &values).map_err(|problem| s.fault(problem))? {
            let values: Vec<f64> = values.iter().map(|&value| value as f64).collect();
            builder.add_field((name, of_cells), 1, 0, &values);
        }
        return Ok(());
    }
    match region_stem(name) {
        Some(stem) if of_cells && is_integer_column => {
            let values = integers(s, n, ty)?;
            builder.add_regions(&stem, 0, &values);
        }
        _ if is_kept => {
            let values: Vec<f64> = (0..n).map(|_| s.float(ty, "a value")).collect::<Parsed<_>>()?;
            builder.add_field((name, of_cells), n / owners, 0, &values);
        }
        _ => pass_over(s, n, ty)?,
    }
    Ok(())
}

/// Passes over `n` values.
fn pass_over(s: &mut Scanner<'_>, n: usize, ty: Scalar) -> Parsed<()> {
    match s.encoding {
        Encoding::Binary(_) => s.take(n * ty.size(), "values").map(drop),
        _ => (0..n).try_for_each(|_| s.word("a value").map(drop)),
    }
}
