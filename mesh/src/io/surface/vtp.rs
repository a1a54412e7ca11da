//! VTK's XML surfaces: PolyData (.vtp), and unstructured grids without solids, in all encodings of
//! their arrays (`vtu_array.rs`).

use roxmltree::Node;

use super::builder::SurfaceBuilder;
use super::vtk_faces;
use crate::Field;
use crate::io::error::{Location, Parsed, Problem};
use crate::io::text::scanner::shorten;
use crate::io::volume::vtu::{agree, child, data_array, declared, last_end, with_document};
use crate::io::vtk::marks::SET;
use crate::io::vtk::vtu_array::{Layout, floats, ints, is_integer_column, line};

/// VTK's types of the cells of a PolyData piece, in the order of its cell data.
const SECTIONS: [(&str, &str, i64); 4] = [
    ("Verts", "NumberOfVerts", 2),
    ("Lines", "NumberOfLines", 4),
    ("Polys", "NumberOfPolys", 7),
    ("Strips", "NumberOfStrips", 6),
];

/// Reads the whole file.
pub(super) fn parse(bytes: &[u8]) -> Parsed<SurfaceBuilder> {
    with_document(bytes, |root, layout| {
        let (set, is_grid) = match root.attribute("type").unwrap_or("") {
            "PolyData" => (child(root, "PolyData")?, false),
            "UnstructuredGrid" => (child(root, "UnstructuredGrid")?, true),
            other => {
                let what = format!("a VTK file of type `{}`", shorten(other.as_bytes()));
                let remedy = "save it as one PolyData (.vtp)";
                return Err(Problem::Unsupported { what, remedy }.at(Location::Line(line(root))));
            }
        };
        let mut builder = SurfaceBuilder::default();
        let pieces = || set.children().filter(|n| n.has_tag_name("Piece"));
        for piece in pieces() {
            read_piece(piece, is_grid, layout, &mut builder)?;
        }
        if pieces().count() > 1 {
            let note = "pieces joined; points on their borders are not merged and may occur twice";
            builder.notes.push(format!("{} {note}", pieces().count()));
        }
        Ok(builder)
    })
}

fn read_piece(
    piece: Node<'_, '_>,
    is_grid: bool,
    layout: &Layout<'_>,
    builder: &mut SurfaceBuilder,
) -> Parsed<()> {
    let base = builder.points.len();
    let first_cell = builder.cell_count;
    let point_count = declared(piece, "NumberOfPoints")?;
    if point_count > 0 {
        let points = child(child(piece, "Points")?, "DataArray")?;
        let xyz = floats(points, layout, point_count.saturating_mul(3))?;
        agree("coordinates", point_count.saturating_mul(3), xyz.len(), points)?;
        let place = Location::Line(line(points));
        for p in xyz.chunks_exact(3) {
            builder.add_point([p[0], p[1], p[2]]).map_err(|e| e.at(place))?;
        }
    }
    if is_grid {
        grid_cells(piece, base, layout, builder)?;
    } else {
        for section in SECTIONS {
            poly_cells(piece, section, base, layout, builder)?;
        }
    }
    let cells = u64::from(builder.cell_count - first_cell);
    data(piece, "PointData", (0, point_count), layout, builder)?;
    data(piece, "CellData", (first_cell, cells), layout, builder)
}

fn poly_cells(
    piece: Node<'_, '_>,
    (tag, attribute, code): (&str, &'static str, i64),
    base: usize,
    layout: &Layout<'_>,
    builder: &mut SurfaceBuilder,
) -> Parsed<()> {
    let cell_count = if piece.has_attribute(attribute) { declared(piece, attribute)? } else { 0 };
    let Some(cells) = piece.children().find(|n| n.has_tag_name(tag) && cell_count > 0) else {
        return agree("cells of a piece", cell_count, 0, piece);
    };
    add_cells(cells, cell_count, base, layout, builder, |_| Ok(code))
}

fn grid_cells(
    piece: Node<'_, '_>,
    base: usize,
    layout: &Layout<'_>,
    builder: &mut SurfaceBuilder,
) -> Parsed<()> {
    let cell_count = declared(piece, "NumberOfCells")?;
    if cell_count == 0 {
        return Ok(());
    }
    let cells = child(piece, "Cells")?;
    let types = data_array(cells, "types")?;
    let codes = ints(types, layout, cell_count)?;
    agree("cell types", cell_count, codes.len(), types)?;
    add_cells(cells, cell_count, base, layout, builder, |cell| Ok(codes[cell]))
}

fn add_cells(
    cells: Node<'_, '_>,
    cell_count: u64,
    base: usize,
    layout: &Layout<'_>,
    builder: &mut SurfaceBuilder,
    code: impl Fn(usize) -> Parsed<i64>,
) -> Parsed<()> {
    let [nodes, ends] = ["connectivity", "offsets"].map(|name| data_array(cells, name));
    let (nodes, ends) = (nodes?, ends?);
    let at = |problem: Problem| problem.at(Location::Line(line(nodes)));
    let offsets = ints(ends, layout, cell_count)?;
    agree("cell offsets", cell_count, offsets.len(), ends)?;
    let connectivity = ints(nodes, layout, last_end(&offsets))?;
    let parts = vtk_faces::parts(&connectivity, &offsets).map_err(at)?;
    for (cell, points) in parts.into_iter().enumerate() {
        vtk_faces::add(builder, cell as u64, code(cell)?, points, base).map_err(at)?;
    }
    Ok(())
}

/// The arrays of points or cells, of which the first is `first` of all; those that are no numbers are
/// passed over.
fn data(
    piece: Node<'_, '_>,
    tag: &str,
    (first, tuples): (u32, u64),
    layout: &Layout<'_>,
    builder: &mut SurfaceBuilder,
) -> Parsed<()> {
    let Some(section) = piece.children().find(|n| n.has_tag_name(tag)) else { return Ok(()) };
    for (i, array) in section.children().filter(|n| n.has_tag_name("DataArray")).enumerate() {
        let name = array.attribute("Name").map_or_else(|| format!("array_{i}"), str::to_owned);
        if array.attribute("type") == Some("String") {
            builder.skip("array of texts");
            continue;
        }
        let stated = array.attribute("NumberOfComponents").and_then(|n| n.parse::<u64>().ok());
        let components = stated.unwrap_or(1).max(1);
        let values = floats(array, layout, tuples.saturating_mul(components))?;
        agree("values of an array", tuples.saturating_mul(components), values.len(), array)?;
        if values.is_empty() {
            continue;
        }
        let is_of_points = tag == "PointData";
        let set = name.strip_prefix(SET).filter(|_| !is_of_points && is_integer_column(array));
        if let Some(set) = set.filter(|_| values.iter().all(|&x| x == 0.0 || x == 1.0)) {
            let marked = (first..).zip(&values).filter(|(_, x)| **x == 1.0).map(|(cell, _)| cell);
            builder.mixed_sets.entry(set.to_owned()).or_default().extend(marked);
            continue;
        }
        let fields =
            if is_of_points { &mut builder.point_fields } else { &mut builder.cell_fields };
        let empty = Field { components: 0, values: Vec::new() };
        vtk_faces::extend(fields.entry(name).or_insert(empty), components as usize, values);
    }
    Ok(())
}
