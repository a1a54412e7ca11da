//! PLY (Stanford): text and binary of both byte orders, properties in any order. Further numbers of
//! vertices and faces become fields; edges and strips are read; other elements are passed over.

use super::builder::SurfaceBuilder;
use super::ply_header::{Element, Property, read};
use crate::Field;
use crate::io::error::{Parsed, Problem};
use crate::io::text::scanner::{Scalar, Scanner};

/// The names that the list of corners goes by.
const CORNERS: [&str; 2] = ["vertex_indices", "vertex_index"];

/// Reads the whole file.
pub(super) fn parse(bytes: &[u8]) -> Parsed<SurfaceBuilder> {
    let mut s = Scanner::new(bytes);
    let elements = read(&mut s)?;
    if !elements.iter().any(|e| e.name == "vertex") {
        return Err(s.fault(Problem::Missing("the element vertex")));
    }
    let mut builder = SurfaceBuilder::default();
    for element in &elements {
        match element.name.as_str() {
            "vertex" => vertices(&mut s, element, &mut builder)?,
            "face" => faces(&mut s, element, &mut builder)?,
            "tristrips" => strips(&mut s, element, &mut builder)?,
            "edge" => edges(&mut s, element, &mut builder)?,
            other => {
                builder.skip_many(
                    &format!("row of the element {other}"),
                    rows(&mut s, element, |_| Ok(()))?,
                );
            }
        }
    }
    if !s.at_end() {
        builder.notes.push(format!("{} bytes behind the last element passed over", s.left()));
    }
    Ok(builder)
}

/// A row: the number of each property; of a list its length, its members are in `lists`.
struct Row<'r> {
    values: &'r [f64],
    /// The members of the lists, one behind the other.
    members: &'r [f64],
    index: u64,
}

/// Reads all rows of an element and passes them to `take`; their number. An element without
/// properties has no rows to read, whatever its count.
fn rows(
    s: &mut Scanner<'_>,
    element: &Element,
    mut take: impl FnMut(&Row<'_>) -> Result<(), Problem>,
) -> Parsed<usize> {
    if element.properties.is_empty() {
        return Ok(0);
    }
    let count = element.count(s)?;
    let mut values = vec![0.0; element.properties.len()];
    let mut members = Vec::new();
    for index in 0..count as u64 {
        members.clear();
        for (value, property) in values.iter_mut().zip(&element.properties) {
            *value = match property.length {
                None => s.float(property.ty, "a number of the element")?,
                Some(length) => list(s, property, length, &mut members)?,
            };
        }
        let place = s.place();
        take(&Row { values: &values, members: &members, index }).map_err(|e| e.at(place))?;
    }
    Ok(count)
}

/// Appends the members of a list; its length.
fn list(
    s: &mut Scanner<'_>,
    property: &Property,
    length: Scalar,
    members: &mut Vec<f64>,
) -> Parsed<f64> {
    let declared = s.int(length, "the length of a list")?;
    let declared = u64::try_from(declared).map_err(|_| {
        let found = declared.to_string();
        s.fault(Problem::Expected { expected: "the length of a list, 0 or above", found })
    })?;
    let count = s.count("members of a list", declared, 1, property.ty)?;
    for _ in 0..count {
        members.push(s.float(property.ty, "a member of a list")?);
    }
    Ok(count as f64)
}

/// The place in the members where the list that is property `of` begins, and its length.
fn span(element: &Element, row: &Row<'_>, of: usize) -> [usize; 2] {
    let lists = element.properties.iter().zip(row.values).take(of);
    let before = lists.filter(|(p, _)| p.length.is_some()).map(|(_, &n)| n as usize).sum();
    [before, before + row.values[of] as usize]
}

fn vertices(s: &mut Scanner<'_>, element: &Element, builder: &mut SurfaceBuilder) -> Parsed<()> {
    let missing = || s.fault(Problem::Missing("a coordinate x, y or z of the vertices"));
    let place = |name| element.find(&[name]).filter(|&i| element.properties[i].length.is_none());
    let xyz = [place("x"), place("y"), place("z")].map(|p| p.ok_or_else(missing));
    let [x, y, z] = xyz;
    let xyz = [x?, y?, z?];
    let mut fields = Fields::new(element, &xyz);
    rows(s, element, |row| {
        fields.take(row);
        builder.add_point(xyz.map(|i| row.values[i]))
    })?;
    fields.finish(builder, |b| &mut b.point_fields);
    Ok(())
}

fn faces(s: &mut Scanner<'_>, element: &Element, builder: &mut SurfaceBuilder) -> Parsed<()> {
    let of = corners_of(s, element)?;
    let mut fields = Fields::new(element, &[of]);
    let mut corners = Vec::new();
    rows(s, element, |row| {
        fields.take(row);
        let [start, end] = span(element, row, of);
        corners.clear();
        for &index in &row.members[start..end] {
            corners.push(builder.index(row.index, integer(index)?)?);
        }
        builder.begin_cell()?;
        builder.add_face(&corners)
    })?;
    fields.finish(builder, |b| &mut b.cell_fields);
    Ok(())
}

fn corners_of(s: &Scanner<'_>, element: &Element) -> Parsed<usize> {
    let of = element.find(&CORNERS).filter(|&i| element.properties[i].length.is_some());
    of.ok_or_else(|| s.fault(Problem::Missing("the list vertex_indices of the faces")))
}

/// Strips of triangles in one list, ended by -1.
fn strips(s: &mut Scanner<'_>, element: &Element, builder: &mut SurfaceBuilder) -> Parsed<()> {
    let of = corners_of(s, element)?;
    rows(s, element, |row| {
        let [start, end] = span(element, row, of);
        for strip in row.members[start..end].split(|&i| i == -1.0) {
            let index = |&i: &f64| builder.index(row.index, integer(i)?);
            let corners = strip.iter().map(index).collect::<Result<Vec<u32>, Problem>>()?;
            builder.begin_cell()?;
            builder.add_strip(&corners)?;
        }
        Ok(())
    })?;
    Ok(())
}

fn edges(s: &mut Scanner<'_>, element: &Element, builder: &mut SurfaceBuilder) -> Parsed<()> {
    let ends = [element.find(&["vertex1"]), element.find(&["vertex2"])];
    let [Some(a), Some(b)] = ends else {
        let count = rows(s, element, |_| Ok(()))?;
        builder.skip_many("edge", count);
        return Ok(());
    };
    rows(s, element, |row| {
        let end = |i: usize| builder.index(row.index, integer(row.values[i])?);
        let line = vec![end(a)?, end(b)?];
        builder.add_polyline(line)
    })?;
    Ok(())
}

/// An index that was read as a number: exact up to 2^53, larger than any count.
fn integer(value: f64) -> Result<i64, Problem> {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        return Ok(value as i64);
    }
    Err(Problem::Expected { expected: "a vertex number", found: value.to_string() })
}

/// The numbers of an element that are neither positions nor corners.
struct Fields {
    /// Place in the row, name, and values so far.
    columns: Vec<(usize, String, Vec<f64>)>,
    lists: usize,
}

impl Fields {
    fn new(element: &Element, known: &[usize]) -> Self {
        let others = || element.properties.iter().enumerate().filter(|(i, _)| !known.contains(i));
        let columns = others().filter(|(_, p)| p.length.is_none());
        let columns = columns.map(|(i, p)| (i, p.name.clone(), Vec::new())).collect();
        Self { columns, lists: others().filter(|(_, p)| p.length.is_some()).count() }
    }

    fn take(&mut self, row: &Row<'_>) {
        self.columns.iter_mut().for_each(|(i, _, values)| values.push(row.values[*i]));
    }

    fn finish(
        self,
        builder: &mut SurfaceBuilder,
        of: impl Fn(&mut SurfaceBuilder) -> &mut std::collections::BTreeMap<String, Field>,
    ) {
        builder.skip_many("list of numbers in each row", self.lists);
        for (_, name, values) in self.columns {
            of(builder).insert(name, Field { components: 1, values });
        }
    }
}
