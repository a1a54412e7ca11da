//! Wavefront OBJ: vertices, faces of any number of corners, lines; groups, objects and materials as
//! sets. Normals, texture coordinates and free-form curves are passed over; libraries are not opened.

use std::collections::BTreeMap;

use super::builder::SurfaceBuilder;
use crate::io::error::{Fault, Location, Parsed, Problem};
use crate::io::text::scanner::shorten;

/// Keywords that may begin a line, and their names in notes where they are skipped; `None` for
/// those that are read or do not concern the shape.
const KEYWORDS: [(&str, Option<&str>); 26] = [
    ("v", None),
    ("f", None),
    ("fo", None),
    ("l", None),
    ("p", Some("point element")),
    ("g", None),
    ("o", None),
    ("usemtl", None),
    ("mtllib", None),
    ("s", None),
    ("vn", Some("normal")),
    ("vt", Some("texture coordinate")),
    ("vp", Some("free-form line")),
    ("cstype", Some("free-form line")),
    ("deg", Some("free-form line")),
    ("curv", Some("free-form line")),
    ("curv2", Some("free-form line")),
    ("surf", Some("free-form line")),
    ("parm", Some("free-form line")),
    ("trim", Some("free-form line")),
    ("hole", Some("free-form line")),
    ("end", Some("free-form line")),
    ("mg", None),
    ("lod", None),
    ("usemap", None),
    ("maplib", None),
];

/// Reads the whole file.
pub(super) fn parse(bytes: &[u8]) -> Parsed<SurfaceBuilder> {
    let mut reader = Reader::default();
    let mut joined = Vec::new();
    let mut begun = 1;
    for (i, line) in bytes.split(|&b| b == b'\n').enumerate() {
        let line = line.trim_ascii_end();
        if joined.is_empty() {
            begun = i + 1;
        }
        if let Some(part) = line.strip_suffix(b"\\") {
            joined.extend_from_slice(part);
            joined.push(b' ');
            continue;
        }
        reader.number = begun;
        let whole = if joined.is_empty() {
            reader.line(line)
        } else {
            joined.extend_from_slice(line);
            let done = reader.line(&joined);
            joined.clear();
            done
        };
        whole.map_err(|problem| problem.at(Location::Line(begun)))?;
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    builder: SurfaceBuilder,
    groups: Vec<String>,
    object: Option<String>,
    material: Option<String>,
    /// Names of the sets that faces and lines go to now: all of the above, each once.
    sets: Vec<String>,
    /// The line that is read, from 1.
    number: usize,
    /// The largest vertex that was named before it was given, from 0, and on which line.
    ahead: Option<(u32, usize)>,
    /// The line of the first face of fewer than three corners.
    short: Option<usize>,
    corners: Vec<u32>,
}

impl Reader {
    fn line(&mut self, line: &[u8]) -> Result<(), Problem> {
        let text = match line.iter().position(|&b| b == b'#') {
            Some(comment) => &line[..comment],
            None => line,
        };
        let mut words = text.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty());
        let Some(keyword) = words.next() else { return Ok(()) };
        match keyword {
            b"v" => return self.vertex(words),
            b"f" | b"fo" => return self.face(words),
            b"l" => return self.polyline(words),
            b"g" => self.groups = words.map(name).collect(),
            b"o" => self.object = rest(words),
            b"usemtl" => self.material = rest(words).map(|name| format!("material_{name}")),
            _ => return self.pass_over(keyword),
        }
        self.sets.clear();
        self.sets.extend(self.groups.iter().chain(&self.object).chain(&self.material).cloned());
        self.sets.sort();
        self.sets.dedup();
        Ok(())
    }

    fn pass_over(&mut self, keyword: &[u8]) -> Result<(), Problem> {
        let known = KEYWORDS.iter().find(|(k, _)| k.as_bytes() == keyword);
        let (_, what) = known.ok_or_else(|| Problem::Expected {
            expected: "a keyword of OBJ (v, f, l, g, ...)",
            found: shorten(keyword),
        })?;
        if let Some(what) = what {
            self.builder.skip(what);
        }
        Ok(())
    }

    fn vertex<'w>(&mut self, mut words: impl Iterator<Item = &'w [u8]>) -> Result<(), Problem> {
        let mut at = [0.0; 3];
        for x in &mut at {
            let word = words.next();
            *x = number(word.ok_or_else(|| expected("three coordinates", b"end of line"))?)?;
        }
        let extra = words.count();
        if extra > MAX_EXTRA {
            let found = format!("{} numbers", extra + 3);
            return Err(Problem::Expected { expected: "a vertex of 3 to 8 numbers", found });
        }
        if extra > 0 {
            self.builder.skip("weight or colour of a vertex");
        }
        self.builder.add_point(at).map_err(|problem| match problem {
            // Vertices are counted from 1 in this format.
            Problem::NonFinite { node, at } => Problem::NonFinite { node: node + 1, at },
            other => other,
        })
    }

    fn face<'w>(&mut self, words: impl Iterator<Item = &'w [u8]>) -> Result<(), Problem> {
        let corners = self.indices(words)?;
        if corners.len() < 3 {
            self.short.get_or_insert(self.number);
        }
        let cell = self.builder.begin_cell()?;
        self.builder.add_face(&corners)?;
        self.corners = corners;
        self.sets.iter().for_each(|set| add_to(&mut self.builder.cell_sets, set, cell));
        Ok(())
    }

    fn polyline<'w>(&mut self, words: impl Iterator<Item = &'w [u8]>) -> Result<(), Problem> {
        let points = self.indices(words)?;
        let line = self.builder.polylines.len() as u32;
        let is_short = points.len() < 2;
        self.builder.add_polyline(points)?;
        if !is_short {
            self.sets.iter().for_each(|set| add_to(&mut self.builder.polyline_sets, set, line));
        }
        Ok(())
    }

    /// Vertex numbers of a face or line, from 0; texture and normal behind slashes are checked to be
    /// numbers and dropped.
    fn indices<'w>(&mut self, words: impl Iterator<Item = &'w [u8]>) -> Result<Vec<u32>, Problem> {
        let mut found = std::mem::take(&mut self.corners);
        found.clear();
        for word in words {
            let mut parts = word.split(|&b| b == b'/');
            let index = integer(parts.next().unwrap_or_default())?;
            if let Some(bad) = parts.find(|p| !p.is_empty() && integer(p).is_err()) {
                return Err(expected("a vertex number, or v/vt/vn", bad));
            }
            found.push(self.index(index)?);
        }
        Ok(found)
    }

    /// Numbers from 1, or from the last vertex back by -1.
    fn index(&mut self, number: i64) -> Result<u32, Problem> {
        let count = self.builder.points.len() as i64;
        let missing = |node_count| Problem::MissingNode {
            element: u64::from(self.builder.cell_count) + 1,
            node: number,
            node_count,
            hint: if number == 0 { ": OBJ counts from 1" } else { "" },
        };
        let index = if number > 0 { number - 1 } else { count + number };
        let index = u32::try_from(index).ok().filter(|_| number != 0);
        let index = index.ok_or_else(|| missing(count as usize))?;
        if i64::from(index) >= count && self.ahead.is_none_or(|(most, _)| index > most) {
            self.ahead = Some((index, self.number));
        }
        Ok(index)
    }

    fn finish(mut self) -> Parsed<SurfaceBuilder> {
        let node_count = self.builder.points.len();
        if let Some((index, line)) = self.ahead.filter(|&(index, _)| index as usize >= node_count) {
            let node = i64::from(index) + 1;
            // The line is what finds it; faces are not numbered in the file.
            let element = u64::from(self.builder.cell_count);
            let problem = Problem::MissingNode { element, node, node_count, hint: "" };
            return Err(Fault { at: Location::Line(line), problem });
        }
        if let Some(line) = self.short {
            let note = format!("the first face with fewer than three corners is on line {line}");
            self.builder.notes.push(note);
        }
        Ok(self.builder)
    }
}

/// A weight, three of colour and one more behind the coordinates at most.
const MAX_EXTRA: usize = 5;

fn expected(expected: &'static str, found: &[u8]) -> Problem {
    Problem::Expected { expected, found: shorten(found) }
}

fn number(word: &[u8]) -> Result<f64, Problem> {
    let parsed = str::from_utf8(word).ok().and_then(|w| w.parse().ok());
    parsed.ok_or_else(|| expected("a number", word))
}

fn integer(word: &[u8]) -> Result<i64, Problem> {
    let parsed = str::from_utf8(word).ok().and_then(|w| w.parse().ok());
    parsed.ok_or_else(|| expected("a vertex number", word))
}

fn name(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}

/// The words as one name; `None` without any.
fn rest<'w>(words: impl Iterator<Item = &'w [u8]>) -> Option<String> {
    let words: Vec<String> = words.map(name).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn add_to(sets: &mut BTreeMap<String, Vec<u32>>, name: &str, index: u32) {
    match sets.get_mut(name) {
        Some(set) => set.push(index),
        None => drop(sets.insert(name.to_owned(), vec![index])),
    }
}
