//! Reads triangle surfaces from Wavefront OBJ text: `v` and `f` lines; polygons are cut into fans. Texture
//! coordinates, normals, groups, materials, lines and points are passed over.

use sinew::Vec3;
use sinew::geometry::{GeometryError, SurfaceMesh};

/// Errors of OBJ text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObjError {
    /// A line that cannot be read.
    #[error("line {line}: '{word}' is not {expected}")]
    Word {
        /// Its number, from 1.
        line: usize,
        /// The word, its first letters if it is long.
        word: String,
        /// Text expected there.
        expected: &'static str,
    },
    /// Words are missing at the end of a line.
    #[error("line {line}: {found} of at least 3 {what}")]
    Short {
        /// Its number, from 1.
        line: usize,
        /// Number found.
        found: usize,
        /// Name of the counted things.
        what: &'static str,
    },
    /// A face names a vertex that does not stand before it.
    #[error("line {line}: vertex {index} of {vertex_count}; indices count from 1, or back from -1")]
    Index {
        /// Its number, from 1.
        line: usize,
        /// The index as given.
        index: i64,
        /// Vertices up to this line.
        vertex_count: usize,
    },
    /// There is no face.
    #[error("there is no face in it")]
    NoFaces,
    /// The surface is none.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
}

/// The surface in a text, `scale` times its coordinates [m].
///
/// # Errors
/// The first line that is no vertex or face where it says so, with its number; no face at all.
pub fn read_obj(text: &str, scale: f64) -> Result<SurfaceMesh, ObjError> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (k, content) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = k + 1;
        let mut words = content.split_whitespace();
        match words.next() {
            Some("v") => vertices.push(read_vertex(line, words)? * scale),
            Some("f") => {
                let corners = read_face(line, words, vertices.len())?;
                let fan = corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]);
                triangles.extend(fan);
            }
            _ => {}
        }
    }
    if triangles.is_empty() {
        return Err(ObjError::NoFaces);
    }
    Ok(SurfaceMesh::new(vertices, triangles)?)
}

/// The first three numbers; a weight and colours may follow.
fn read_vertex<'t>(line: usize, words: impl Iterator<Item = &'t str>) -> Result<Vec3, ObjError> {
    let (mut point, mut found) = (Vec3::zeros(), 0);
    for (axis, word) in words.take(3).enumerate() {
        let number = word.parse::<f64>().ok().filter(|x| x.is_finite());
        point[axis] = number.ok_or_else(|| unreadable(line, word, "a finite number"))?;
        found += 1;
    }
    if found < 3 {
        return Err(ObjError::Short { line, found, what: "coordinates" });
    }
    Ok(point)
}

/// Indices from 0 of the corners of a face.
fn read_face<'t>(
    line: usize,
    words: impl Iterator<Item = &'t str>,
    vertex_count: usize,
) -> Result<Vec<u32>, ObjError> {
    let corner = |word: &str| {
        let number = word.split('/').next().unwrap_or_default();
        let index: i64 = number.parse().map_err(|_| unreadable(line, word, "a vertex index"))?;
        let count = vertex_count as i64;
        let from_zero = if index < 0 { index.saturating_add(count) } else { index - 1 };
        let inside = (0..count).contains(&from_zero);
        let valid = u32::try_from(from_zero).ok().filter(|_| inside);
        valid.ok_or(ObjError::Index { line, index, vertex_count })
    };
    let corners = words.map(corner).collect::<Result<Vec<u32>, _>>()?;
    if corners.len() < 3 {
        return Err(ObjError::Short { line, found: corners.len(), what: "corners" });
    }
    Ok(corners)
}

fn unreadable(line: usize, word: &str, expected: &'static str) -> ObjError {
    ObjError::Word { line, word: word.chars().take(40).collect(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_count_from_1_or_back_from_the_last_and_others_are_told_by_their_line() {
        let vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
        let read = |faces: &str| read_obj(&format!("{vertices}{faces}"), 2.0);
        let surface = read("f 1/1 -3 3\nf 1 4 2\n").unwrap();
        assert_eq!(surface.triangles(), [[0, 1, 2], [0, 3, 1]]);
        assert_eq!(surface.vertices()[3], Vec3::z() * 2.0);
        for (face, message) in [
            ("f 1 2 0", "line 5: vertex 0 of 4; indices count from 1, or back from -1"),
            ("f 1 2 5", "line 5: vertex 5 of 4; indices count from 1, or back from -1"),
            ("f 1 -5 2", "line 5: vertex -5 of 4; indices count from 1, or back from -1"),
            ("f 1 2", "line 5: 2 of at least 3 corners"),
            ("", "there is no face in it"),
        ] {
            assert_eq!(read(face).unwrap_err().to_string(), message);
        }
    }
}
