//! VTK's legacy surfaces: PolyData with polygons, strips and lines, and unstructured grids without
//! solids; cells with their counts (to version 4.2) and as offsets (5.x), text and binary.

use super::builder::SurfaceBuilder;
use super::vtk_faces;
use crate::Field;
use crate::io::error::{Parsed, Problem};
use crate::io::text::scanner::{Encoding, Scalar, Scanner, shorten};
use crate::io::volume::vtk_legacy::{
    Cells, counted_cells, integers, metadata, named, offset_cells, opening, points,
};

/// Cells of a PolyData set in the order of its cell data: section, VTK's type.
const SECTIONS: [(&str, i64); 4] =
    [("VERTICES", 2), ("LINES", 4), ("POLYGONS", 7), ("TRIANGLE_STRIPS", 6)];

/// Sections of a file, before its cells are added.
#[derive(Default)]
struct Sections {
    cells: [Option<Cells>; 4],
    /// Types of the cells of a grid, whose cells are the first of the above.
    codes: Option<Vec<i64>>,
}

/// Reads the whole file.
pub(super) fn parse(bytes: &[u8]) -> Parsed<SurfaceBuilder> {
    let mut s = Scanner::new(bytes);
    let (major, encoding, set) = opening(&mut s)?;
    if !["POLYDATA", "UNSTRUCTURED_GRID"].contains(&set.to_ascii_uppercase().as_str()) {
        let what = format!("the data set {}", shorten(set.as_bytes()));
        return Err(s.fault(Problem::Unsupported { what, remedy: "save PolyData" }));
    }
    s.encoding = encoding;
    let mut builder = SurfaceBuilder::default();
    let mut sections = Sections::default();
    while let Some(word) = s.token() {
        let keyword = String::from_utf8_lossy(word).to_ascii_uppercase();
        if let Some(i) = SECTIONS.iter().position(|(name, _)| *name == keyword) {
            sections.cells[i] = Some(cells(&mut s, major)?);
            continue;
        }
        match keyword.as_str() {
            "POINTS" => points(&mut s, |_, p| builder.add_point(p))?,
            "CELLS" => sections.cells[0] = Some(cells(&mut s, major)?),
            "CELL_TYPES" => sections.codes = Some(codes(&mut s)?),
            "METADATA" => metadata(&mut s),
            "FIELD" => field(&mut s, None, &mut builder)?,
            "CELL_DATA" | "POINT_DATA" => attributes(&mut s, keyword == "CELL_DATA", &mut builder)?,
            _ => return Err(s.unexpected("a keyword of a surface", word)),
        }
    }
    add_cells(&s, &sections, &mut builder)?;
    Ok(builder)
}

fn cells(s: &mut Scanner<'_>, major: u64) -> Parsed<Cells> {
    if major >= 5 { offset_cells(s) } else { counted_cells(s) }
}

fn codes(s: &mut Scanner<'_>) -> Parsed<Vec<i64>> {
    let declared = s.text_u64("a number of cells")?;
    let n = s.count("cell types", declared, 1, Scalar::I32)?;
    s.rest_of_line();
    integers(s, n, Scalar::I32)
}

fn add_cells(s: &Scanner<'_>, sections: &Sections, builder: &mut SurfaceBuilder) -> Parsed<()> {
    for (i, cells) in sections.cells.iter().enumerate() {
        let Some(cells) = cells else { continue };
        let codes = sections.codes.as_deref();
        if let Some(codes) = codes.filter(|codes| codes.len() != cells.ends.len()) {
            let (declared, found) = (codes.len() as u64, cells.ends.len() as u64);
            return Err(s.fault(Problem::CountMismatch { what: "cells", declared, found }));
        }
        let mut start = 0;
        for (cell, &end) in cells.ends.iter().enumerate() {
            let code = codes.map_or(SECTIONS[i].1, |codes| codes[cell]);
            let points = &cells.connectivity[start..end];
            vtk_faces::add(builder, cell as u64, code, points, 0).map_err(|e| e.at(cells.place))?;
            start = end;
        }
    }
    Ok(())
}

/// The arrays behind CELL_DATA or POINT_DATA, up to the next such keyword.
fn attributes(s: &mut Scanner<'_>, of_cells: bool, builder: &mut SurfaceBuilder) -> Parsed<()> {
    let tuples = s.text_u64("a number of tuples")?;
    while let Some(word) = s.peek() {
        let keyword = String::from_utf8_lossy(word).to_ascii_uppercase();
        let components = match keyword.as_str() {
            "CELL_DATA" | "POINT_DATA" => return Ok(()),
            "METADATA" | "FIELD" => 0,
            "SCALARS" | "TEXTURE_COORDINATES" => 1,
            "VECTORS" | "NORMALS" => 3,
            "TENSORS" => 9,
            _ => {
                pass_over_rest(s, &keyword, builder);
                return Ok(());
            }
        };
        s.token();
        match keyword.as_str() {
            "METADATA" => metadata(s),
            "FIELD" => field(s, Some((tuples, of_cells)), builder)?,
            "TEXTURE_COORDINATES" => texture(s, tuples, of_cells, builder)?,
            _ => attribute(s, components, tuples, of_cells, builder)?,
        }
    }
    Ok(())
}

/// Leaves the attributes out, which a surface can do without, at a word that is not understood.
fn pass_over_rest(s: &mut Scanner<'_>, word: &str, builder: &mut SurfaceBuilder) {
    let word = shorten(word.as_bytes());
    builder.notes.push(format!("attributes from `{word}` on passed over"));
    let rest = s.left();
    // Less than what is left cannot be asked for.
    let _ = s.take(rest, "the rest");
}

/// `SCALARS name type [components]` and its like, behind the keyword; one component may be more.
fn attribute(
    s: &mut Scanner<'_>,
    components: u64,
    tuples: u64,
    of_cells: bool,
    builder: &mut SurfaceBuilder,
) -> Parsed<()> {
    let name = s.word("the name of an array")?;
    let ty = s.word("a data type")?;
    let rest = s.rest_of_line().unwrap_or_default();
    let stated = str::from_utf8(rest).ok().and_then(|r| r.trim().parse().ok());
    let components = if components == 1 { stated.unwrap_or(1) } else { components };
    if s.peek() == Some(b"LOOKUP_TABLE") {
        s.rest_of_line();
    }
    array(s, (name, ty), [components, tuples], Some(of_cells), builder)
}

/// `TEXTURE_COORDINATES name dimension type`.
fn texture(
    s: &mut Scanner<'_>,
    tuples: u64,
    of_cells: bool,
    builder: &mut SurfaceBuilder,
) -> Parsed<()> {
    let name = s.word("the name of an array")?;
    let components = s.text_u64("a dimension")?;
    let ty = s.word("a data type")?;
    s.rest_of_line();
    array(s, (name, ty), [components, tuples], Some(of_cells), builder)
}

/// `FIELD name count`, then the arrays; `of` has the number of tuples that belong to points or cells.
fn field(s: &mut Scanner<'_>, of: Option<(u64, bool)>, builder: &mut SurfaceBuilder) -> Parsed<()> {
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
        let ty = s.word("a data type")?;
        s.rest_of_line();
        let of_cells = of.filter(|&(n, _)| n == tuples).map(|(_, of_cells)| of_cells);
        array(s, (name, ty), [components, tuples], of_cells, builder)?;
    }
    Ok(())
}

/// Reads an array into a field of points or cells; `None` passes it over.
fn array(
    s: &mut Scanner<'_>,
    (name, ty): (&str, &str),
    [components, tuples]: [u64; 2],
    of_cells: Option<bool>,
    builder: &mut SurfaceBuilder,
) -> Parsed<()> {
    let Some(ty) = named(ty) else {
        pass_over_rest(s, ty, builder);
        return Ok(());
    };
    let overflow =
        Problem::CountTooLarge { what: "values", declared: tuples, bytes_left: s.left() };
    let values = components.checked_mul(tuples).ok_or_else(|| s.fault(overflow))?;
    let n = s.count("values", values, 1, ty)?;
    if n == 0 {
        return Ok(());
    }
    let Some(of_cells) = of_cells else {
        builder.skip("array that belongs to no point or cell");
        match s.encoding {
            Encoding::Ascii => return (0..n).try_for_each(|_| s.word("a value").map(drop)),
            Encoding::Binary(_) => return s.take(n * ty.size(), "values").map(drop),
        }
    };
    let values = (0..n).map(|_| s.float(ty, "a value")).collect::<Parsed<Vec<f64>>>()?;
    let fields = if of_cells { &mut builder.cell_fields } else { &mut builder.point_fields };
    fields.insert(name.to_owned(), Field { components: components as usize, values });
    Ok(())
}
