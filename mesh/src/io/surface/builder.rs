//! The builder that surface parsers fill: points, faces of any number of corners in cells, lines,
//! sets, fields; and the surface made of them at the end.

use std::collections::BTreeMap;

use super::data::{SurfaceData, SurfaceFile};
use super::polygon::{Cut, MAX_CORNERS, triangulate};
use crate::Field;
use crate::Vec3;
use crate::io::ReadOptions;
use crate::io::error::Problem;

#[derive(Default)]
pub(super) struct SurfaceBuilder {
    pub(super) points: Vec<Vec3>,
    pub(super) polylines: Vec<Vec<u32>>,
    pub(super) polyline_sets: BTreeMap<String, Vec<u32>>,
    pub(super) point_fields: BTreeMap<String, Field>,
    /// Fields by cell.
    pub(super) cell_fields: BTreeMap<String, Field>,
    /// Sets of cells of faces.
    pub(super) cell_sets: BTreeMap<String, Vec<u32>>,
    /// Sets of cells of both faces and lines.
    pub(super) mixed_sets: BTreeMap<String, Vec<u32>>,
    /// Counts of skipped entries, by name in the singular.
    pub(super) skipped: BTreeMap<String, usize>,
    pub(super) notes: Vec<String>,
    corners: Vec<u32>,
    /// End of each face in `corners`.
    ends: Vec<usize>,
    /// The cell that each face came from: a strip is one cell and many faces.
    cell_of_face: Vec<u32>,
    /// The same of each line, in formats whose lines are cells.
    cell_of_line: Vec<u32>,
    pub(super) cell_count: u32,
}

impl SurfaceBuilder {
    /// Appends a point in the unit of the file.
    pub(super) fn add_point(&mut self, at: [f64; 3]) -> Result<(), Problem> {
        let node = self.points.len() as u64;
        if !at.iter().all(|x| x.is_finite()) {
            return Err(Problem::NonFinite { node, at });
        }
        // One less than fits: the largest index marks what is unused.
        if node >= u64::from(u32::MAX) {
            return Err(too_many("points"));
        }
        self.points.push(Vec3::from(at));
        Ok(())
    }

    /// The index of a point that is there; `element` is the face that names it.
    pub(super) fn index(&self, element: u64, node: i64) -> Result<u32, Problem> {
        let node_count = self.points.len();
        let found = usize::try_from(node).ok().filter(|&n| n < node_count);
        found.map(|n| n as u32).ok_or(Problem::MissingNode { element, node, node_count, hint: "" })
    }

    /// Begins a cell; its number.
    pub(super) fn begin_cell(&mut self) -> Result<u32, Problem> {
        let cell = self.cell_count;
        self.cell_count = cell.checked_add(1).ok_or_else(|| too_many("faces"))?;
        Ok(cell)
    }

    /// Appends a face of the last cell.
    pub(super) fn add_face(&mut self, corners: &[u32]) -> Result<(), Problem> {
        let first = self.corners.len();
        for &corner in corners {
            if self.corners.len() == first || self.corners.last() != Some(&corner) {
                self.corners.push(corner);
            }
        }
        while self.corners.len() > first + 1 && self.corners.last() == self.corners.get(first) {
            self.corners.pop();
        }
        let count = self.corners.len() - first;
        if count < 3 {
            self.corners.truncate(first);
            self.skip("face with fewer than three different corners");
            return Ok(());
        }
        if count > MAX_CORNERS {
            let what = format!("a polygon of {count} corners");
            return Err(Problem::Unsupported { what, remedy: "cut it into triangles" });
        }
        self.ends.push(self.corners.len());
        self.cell_of_face.push(self.cell_count - 1);
        Ok(())
    }

    /// Appends the faces of a strip of triangles: every second one is turned round.
    pub(super) fn add_strip(&mut self, corners: &[u32]) -> Result<(), Problem> {
        for (i, w) in corners.windows(3).enumerate() {
            let face = if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] };
            // Strips are stitched by triangles that name a corner twice.
            if face[0] != face[1] && face[1] != face[2] && face[2] != face[0] {
                self.add_face(&face)?;
            }
        }
        Ok(())
    }

    pub(super) fn add_polyline(&mut self, points: Vec<u32>) -> Result<(), Problem> {
        if points.len() < 2 {
            self.skip("line with fewer than two points");
            return Ok(());
        }
        if self.polylines.len() >= u32::MAX as usize {
            return Err(too_many("lines"));
        }
        self.polylines.push(points);
        self.cell_of_line.push(self.cell_count.saturating_sub(1));
        Ok(())
    }

    /// Counts something that is passed over.
    pub(super) fn skip(&mut self, name: &str) {
        self.skip_many(name, 1);
    }

    pub(super) fn skip_many(&mut self, name: &str, count: usize) {
        if count > 0 {
            *self.skipped.entry(name.to_owned()).or_default() += count;
        }
    }

    /// Makes the surface of what was read.
    pub(super) fn finish(mut self, format: &'static str, options: &ReadOptions) -> SurfaceFile {
        let (triangles, cell_of_triangle) = self.triangles();
        self.part_mixed_sets(&cell_of_triangle);
        let (points, cells) = (self.points.len(), self.cell_count as usize);
        keep_whole(&mut self.point_fields, points, &mut self.notes);
        keep_whole(&mut self.cell_fields, cells, &mut self.notes);
        let mut surface = SurfaceData {
            triangle_sets: per_triangle_sets(&self.cell_sets, &cell_of_triangle),
            triangle_fields: per_triangle_fields(self.cell_fields, &cell_of_triangle),
            points: self.points,
            triangles,
            polylines: self.polylines,
            polyline_sets: self.polyline_sets,
            point_fields: self.point_fields,
        };
        let factor = options.unit.factor();
        if factor != 1.0 {
            surface.points.iter_mut().for_each(|p| *p *= factor);
        }
        let plural = |(name, &n): (&String, &usize)| match n {
            1 => format!("1 {name}"),
            _ => format!("{n} {name}s"),
        };
        let mut notes = self.notes;
        if !self.skipped.is_empty() {
            let list: Vec<String> = self.skipped.iter().map(plural).collect();
            notes.push(format!("passed over: {}", list.join(", ")));
        }
        if surface.triangles.is_empty() {
            let (points, lines) = (surface.points.len(), surface.polylines.len());
            notes.push(format!("no triangle: {points} points and {lines} lines only"));
        }
        SurfaceFile { surface, format, notes }
    }

    /// Makes sets of faces and sets of lines of those of both.
    fn part_mixed_sets(&mut self, cell_of_triangle: &[u32]) {
        for (name, cells) in std::mem::take(&mut self.mixed_sets) {
            let lines = per_line_set(&cells, &self.cell_of_line);
            let triangles = per_triangle_set(&cells, cell_of_triangle);
            // A set of nothing stays a set.
            if !triangles.is_empty() || lines.is_empty() {
                self.cell_sets.insert(name.clone(), cells);
            }
            if !lines.is_empty() {
                self.polyline_sets.insert(name, lines);
            }
        }
    }

    /// All triangles, and the cell of each.
    fn triangles(&mut self) -> (Vec<[u32; 3]>, Vec<u32>) {
        let mut triangles = Vec::with_capacity(self.ends.len());
        let mut cells = Vec::with_capacity(self.ends.len());
        let (mut start, mut polygons, mut forced) = (0, 0, 0);
        for (&end, &cell) in self.ends.iter().zip(&self.cell_of_face) {
            match &self.corners[start..end] {
                &[a, b, c] => triangles.push([a, b, c]),
                polygon => {
                    polygons += 1;
                    let cut = triangulate(&self.points, polygon, &mut triangles);
                    forced += usize::from(cut == Cut::Forced);
                }
            }
            cells.resize(triangles.len(), cell);
            start = end;
        }
        if polygons > 0 {
            self.notes.push(format!("{polygons} of {} faces cut into triangles", self.ends.len()));
        }
        if forced > 0 {
            self.notes.push(format!("{forced} of them cross themselves or have no area"));
        }
        (triangles, cells)
    }
}

/// Drops the fields that do not have their numbers for each point or cell.
fn keep_whole(fields: &mut BTreeMap<String, Field>, count: usize, notes: &mut Vec<String>) {
    fields.retain(|name, field| {
        let fits = field.components.checked_mul(count) == Some(field.values.len());
        if !fits {
            let values = field.values.len();
            notes.push(format!("field `{name}` passed over: {values} values for {count} places"));
        }
        fits
    });
}

fn too_many(what: &'static str) -> Problem {
    Problem::Unsupported { what: format!("a surface of 2^32 {what} or more"), remedy: "split it" }
}

/// Sets of cells as sets of triangles; both rise.
fn per_triangle_sets(
    sets: &BTreeMap<String, Vec<u32>>,
    cell_of_triangle: &[u32],
) -> BTreeMap<String, Vec<u32>> {
    let own = |(name, cells): (&String, &Vec<u32>)| {
        (name.clone(), per_triangle_set(cells, cell_of_triangle))
    };
    sets.iter().map(own).collect()
}

fn per_triangle_set(cells: &[u32], cell_of_triangle: &[u32]) -> Vec<u32> {
    let of_cell = |&cell: &u32| {
        let start = cell_of_triangle.partition_point(|&c| c < cell);
        let count = cell_of_triangle[start..].iter().take_while(|&&c| c == cell).count();
        start as u32..(start + count) as u32
    };
    cells.iter().flat_map(of_cell).collect()
}

/// The lines that are one of the cells.
fn per_line_set(cells: &[u32], cell_of_line: &[u32]) -> Vec<u32> {
    let is_in = |&line: &u32| cells.binary_search(&cell_of_line[line as usize]).is_ok();
    (0..cell_of_line.len() as u32).filter(is_in).collect()
}

fn per_triangle_fields(
    fields: BTreeMap<String, Field>,
    cell_of_triangle: &[u32],
) -> BTreeMap<String, Field> {
    let is_same = cell_of_triangle.iter().enumerate().all(|(t, &cell)| t == cell as usize);
    let expand = |field: Field| {
        let n = field.components;
        if is_same && field.values.len() == n * cell_of_triangle.len() {
            return field;
        }
        let of = |&cell: &u32| &field.values[cell as usize * n..][..n];
        Field { components: n, values: cell_of_triangle.iter().flat_map(of).copied().collect() }
    };
    fields.into_iter().map(|(name, field)| (name, expand(field))).collect()
}
