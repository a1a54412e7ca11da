//! VTK's XML unstructured grid (.vtu): all pieces, all encodings, both header types, both byte
//! orders. The appended section is cut out first: raw bytes are not well-formed XML.

use roxmltree::{Document, Node};

use crate::io::error::{Location, Parsed, Problem};
use crate::io::text::scanner::{Endian, Scalar, shorten};
use crate::io::volume::builder::{Builder, region_stem};
use crate::io::vtk::marks::Mark;
use crate::io::vtk::vtk_cells;
use crate::io::vtk::vtu_array::{
    Compressor, Layout, Stream, components, floats, ints, is_integer_column, is_number, line,
};

pub(in crate::io) fn parse(bytes: &[u8]) -> Parsed<Builder> {
    with_document(bytes, |root, layout| {
        expect_grid(root)?;
        let grid = child(root, "UnstructuredGrid")?;
        let mut builder = Builder::default();
        let mut pieces = 0;
        for piece in grid.children().filter(|n| n.has_tag_name("Piece")) {
            read_piece(piece, layout, &mut builder)?;
            pieces += 1;
        }
        if pieces > 1 {
            builder.notes.push(format!(
                "{pieces} pieces joined; nodes on their borders are not merged and may occur twice"
            ));
        }
        Ok(builder)
    })
}

/// Result of `read` on the root of the document and the layout of its arrays.
pub(in crate::io) fn with_document<T>(
    bytes: &[u8],
    read: impl FnOnce(Node<'_, '_>, &Layout<'_>) -> Parsed<T>,
) -> Parsed<T> {
    let (head, appended) = cut_appended(bytes)?;
    let text = str::from_utf8(&head).map_err(|e| {
        Problem::Xml("the text is not UTF-8".to_owned()).at(Location::Byte(e.valid_up_to()))
    })?;
    let document = Document::parse(text)
        .map_err(|e| Problem::Xml(e.to_string()).at(Location::Line(e.pos().row as usize)))?;
    let root = document.root_element();
    let budget = Layout::budget_of(bytes.len());
    read(root, &Layout { appended, budget, ..layout(root)? })
}

/// The file without its appended section, and the data of that section.
fn cut_appended(bytes: &[u8]) -> Parsed<(std::borrow::Cow<'_, [u8]>, Option<Stream<'_>>)> {
    const TAG: &[u8] = b"<AppendedData";
    let Some(start) = memchr::memmem::find(bytes, TAG) else { return Ok((bytes.into(), None)) };
    let behind = &bytes[start..];
    let end = behind.iter().position(|&b| b == b'>').map_or(behind.len(), |i| i + 1);
    let tag = String::from_utf8_lossy(&behind[..end]);
    let base64 = !tag.contains("\"raw\"") && !tag.contains("'raw'");
    let data = behind[end..].trim_ascii_start();
    let head = [&bytes[..start], b"</VTKFile>"].concat();
    let Some(data) = data.strip_prefix(b"_") else {
        return Err(Problem::Expected {
            expected: "an underscore at the start of AppendedData",
            found: shorten(&data[..data.len().min(8)]),
        }
        .at(Location::Byte(start + end)));
    };
    let text_end = data.iter().position(|&b| b == b'<');
    let data = if base64 { &data[..text_end.unwrap_or(data.len())] } else { data };
    Ok((head.into(), Some(Stream::new(data, base64))))
}

fn unsupported(node: Node<'_, '_>, what: String, remedy: &'static str) -> crate::io::error::Fault {
    Problem::Unsupported { what, remedy }.at(Location::Line(line(node)))
}

/// # Errors
/// A VTK file of another type.
fn expect_grid(root: Node<'_, '_>) -> Parsed<()> {
    match root.attribute("type").unwrap_or("") {
        "UnstructuredGrid" => Ok(()),
        "PolyData" => {
            let found = " (a VTK PolyData file holds surfaces)".to_owned();
            Err(Problem::NoVolume { found }.at(Location::Line(line(root))))
        }
        other => {
            let what = format!("a VTK file of type `{}`", shorten(other.as_bytes()));
            Err(unsupported(root, what, "save it as one UnstructuredGrid (.vtu)"))
        }
    }
}

fn layout(root: Node<'_, '_>) -> Parsed<Layout<'static>> {
    if !root.has_tag_name("VTKFile") {
        return Err(
            Problem::UnknownFormat { hint: "; this is some other XML file" }.at(Location::File)
        );
    }
    let compressor = match root.attribute("compressor") {
        None | Some("") => Compressor::None,
        Some("vtkZLibDataCompressor") => Compressor::Zlib,
        Some("vtkLZ4DataCompressor") => Compressor::Lz4,
        Some(other) => {
            let what = format!("the compressor `{}`", shorten(other.as_bytes()));
            let remedy = "save the file with zlib, LZ4 or without compression";
            return Err(unsupported(root, what, remedy));
        }
    };
    let endian = match root.attribute("byte_order") {
        Some("BigEndian") => Endian::Big,
        _ => Endian::Little,
    };
    let header = match root.attribute("header_type") {
        Some("UInt64") => Scalar::U64,
        _ => Scalar::U32,
    };
    let budget = Layout::budget_of(0);
    Ok(Layout { endian, header, compressor, budget, appended: None })
}

pub(in crate::io) fn child<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> Parsed<Node<'a, 'i>> {
    let found = node.children().find(|n| n.has_tag_name(name));
    found.ok_or_else(|| Problem::Missing(name).at(Location::Line(line(node))))
}

pub(in crate::io) fn data_array<'a, 'i>(
    cells: Node<'a, 'i>,
    name: &'static str,
) -> Parsed<Node<'a, 'i>> {
    let found = cells.children().find(|n| n.attribute("Name") == Some(name));
    found.ok_or_else(|| Problem::Missing(name).at(Location::Line(line(cells))))
}

pub(in crate::io) fn declared(piece: Node<'_, '_>, name: &'static str) -> Parsed<u64> {
    let text = piece.attribute(name).unwrap_or("");
    text.parse().map_err(|_| {
        let found = format!("{name}=\"{}\"", shorten(text.as_bytes()));
        Problem::Expected { expected: "a count", found }.at(Location::Line(line(piece)))
    })
}

pub(in crate::io) fn agree(
    what: &'static str,
    declared: u64,
    found: usize,
    node: Node<'_, '_>,
) -> Parsed<()> {
    let found = found as u64;
    if declared == found {
        return Ok(());
    }
    Err(Problem::CountMismatch { what, declared, found }.at(Location::Line(line(node))))
}

fn read_piece(piece: Node<'_, '_>, layout: &Layout<'_>, builder: &mut Builder) -> Parsed<()> {
    let base = builder.mesh.nodes.len();
    let first_cell = builder.element_of_cell.len();
    let point_count = declared(piece, "NumberOfPoints")?;
    let cell_count = declared(piece, "NumberOfCells")?;
    if point_count == 0 && cell_count == 0 {
        return Ok(());
    }
    let points = child(child(piece, "Points")?, "DataArray")?;
    let xyz = floats(points, layout, point_count.saturating_mul(3))?;
    agree("coordinates", point_count.saturating_mul(3), xyz.len(), points)?;
    let at_points = Location::Line(line(points));
    for (i, p) in xyz.chunks_exact(3).enumerate() {
        builder.add_node((base + i) as u64, [p[0], p[1], p[2]]).map_err(|e| e.at(at_points))?;
    }
    read_cells(child(piece, "Cells")?, cell_count, base, layout, builder)?;
    for (section, first, count) in
        [("PointData", base, point_count), ("CellData", first_cell, cell_count)]
    {
        let data = piece.children().find(|n| n.has_tag_name(section));
        for array in data.into_iter().flat_map(|n| n.children()).filter(Node::is_element) {
            read_field(array, (first, count), layout, builder)?;
        }
    }
    Ok(())
}

/// An array with a row for each of `count` points or cells, of which the first is `first` of all.
fn read_field(
    array: Node<'_, '_>,
    (first, count): (usize, u64),
    layout: &Layout<'_>,
    builder: &mut Builder,
) -> Parsed<()> {
    let of_cells = array.parent().is_some_and(|n| n.has_tag_name("CellData"));
    let name = array.attribute("Name").unwrap_or("");
    if !is_number(array) {
        let name = shorten(name.as_bytes());
        builder.notes.push(format!("array `{name}` holds no numbers and was passed over"));
        return Ok(());
    }
    if let Some(mark) = Mark::of(name, of_cells).filter(|_| is_integer_column(array)) {
        let values = ints(array, layout, count)?;
        agree("values of an array", count, values.len(), array)?;
        if mark.add(builder, first, &values).map_err(|e| e.at(Location::Line(line(array))))? {
            return Ok(());
        }
    }
    match region_stem(name) {
        Some(stem) if of_cells && is_integer_column(array) => {
            let values = ints(array, layout, count)?;
            agree("values of a cell array", count, values.len(), array)?;
            builder.add_regions(&stem, first, &values);
        }
        _ => {
            let components = components(array)?;
            let values = floats(array, layout, count.saturating_mul(components))?;
            agree("values of an array", count.saturating_mul(components), values.len(), array)?;
            // The values are as many as the components times the count, which both fit therefore.
            let components = if values.is_empty() { 1 } else { components as usize };
            builder.add_field((name, of_cells), components, first, &values);
        }
    }
    Ok(())
}

/// Number of entries of a connectivity that ends like this.
pub(in crate::io) fn last_end(ends: &[i64]) -> u64 {
    ends.last().map_or(0, |&end| u64::try_from(end).unwrap_or(0))
}

fn read_cells(
    cells: Node<'_, '_>,
    cell_count: u64,
    base: usize,
    layout: &Layout<'_>,
    builder: &mut Builder,
) -> Parsed<()> {
    let [nodes, ends, types] = ["connectivity", "offsets", "types"].map(|n| data_array(cells, n));
    let (nodes, ends_array, types) = (nodes?, ends?, types?);
    let at = |problem: Problem| problem.at(Location::Line(line(nodes)));
    let ends = ints(ends_array, layout, cell_count)?;
    let types_of = ints(types, layout, cell_count)?;
    agree("cell offsets", cell_count, ends.len(), ends_array)?;
    let connectivity = ints(nodes, layout, last_end(&ends))?;
    agree("cell types", cell_count, types_of.len(), types)?;
    let mut start = 0;
    for (cell, (&end, &code)) in ends.iter().zip(&types_of).enumerate() {
        let cell = cell as u64;
        let points = usize::try_from(end).ok().and_then(|end| connectivity.get(start..end));
        let points = points.ok_or_else(|| {
            let found =
                format!("{end} of cell {cell}, after {start}, in {} entries", connectivity.len());
            let expected = "an offset within the connectivity";
            Problem::Expected { expected, found }.at(Location::Line(line(ends_array)))
        })?;
        vtk_cells::add(builder, cell, code, points, base).map_err(at)?;
        start = end as usize;
    }
    agree("entries of the connectivity", start as u64, connectivity.len(), nodes)
}
