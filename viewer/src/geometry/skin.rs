//! Surfaces as they are drawn: vertices are split where faces meet at a sharp angle, so that normals
//! are smooth within a face and not across its edges.

use super::soup::{cross, dot, minus, plus, unit};

/// Faces that meet at less than this are drawn as one smooth surface: cosine of 40 degrees. Facets of
/// coarse meshes of round things meet at up to 35 degrees, faces of boxes at 90.
const SHARP: f32 = 0.766;

/// A surface with split vertices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Skin {
    /// The point that each vertex follows.
    pub(crate) points: Vec<u32>,
    /// Vertices of each triangle.
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Skin {
    /// Splits a surface where it is sharp now. Triangles with points that are not there are left out.
    pub(crate) fn new(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Self {
        let there = |t: &&[u32; 3]| t.iter().all(|&p| (p as usize) < points.len());
        let triangles: Vec<[u32; 3]> = triangles.iter().filter(there).copied().collect();
        let normals: Vec<[f32; 3]> =
            triangles.iter().map(|&t| unit(normal_of(t.map(|p| points[p as usize])))).collect();
        let mut joined = Joined((0..3 * triangles.len() as u32).collect());
        for (one, other) in shared_edges(&triangles) {
            if dot(normals[one as usize / 3], normals[other as usize / 3]) > SHARP {
                // Along an edge, the beginning of one triangle is the end of the other, or the same
                // where they are turned against each other.
                for (a, b) in [(one, other), (next(one), next(other))] {
                    let point = |corner: u32| triangles[corner as usize / 3][corner as usize % 3];
                    let b = if point(a) == point(b) { b } else { turned(other, b) };
                    joined.join(a, b);
                }
            }
        }
        numbered(&triangles, joined)
    }

    /// Adds area-weighted normals of the vertices, whose places are `vertices`, as unit vectors.
    pub(crate) fn calc_normals(&self, vertices: &[[f32; 4]], normals: &mut [[f32; 4]]) {
        normals.fill([0.0; 4]);
        for t in &self.triangles {
            let normal = normal_of(t.map(|v| {
                let [x, y, z, _] = vertices[v as usize];
                [x, y, z]
            }));
            for &v in t {
                let [x, y, z, _] = normals[v as usize];
                let [x, y, z] = plus([x, y, z], normal);
                normals[v as usize] = [x, y, z, 0.0];
            }
        }
        for n in normals {
            let [x, y, z] = unit([n[0], n[1], n[2]]);
            *n = [x, y, z, 0.0];
        }
    }
}

/// Normal of a triangle, as long as twice its area.
fn normal_of([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    cross(minus(b, a), minus(c, a))
}

/// The corner after this one in its triangle.
fn next(corner: u32) -> u32 {
    corner - corner % 3 + (corner + 1) % 3
}

/// The other end of the edge that begins at `edge`.
fn turned(edge: u32, end: u32) -> u32 {
    if end == edge { next(edge) } else { edge }
}

/// Pairs of corners at which an edge begins that two triangles share, and no third.
fn shared_edges(triangles: &[[u32; 3]]) -> Vec<(u32, u32)> {
    let mut edges: Vec<(u32, u32, u32)> = Vec::with_capacity(3 * triangles.len());
    for (t, triangle) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
            edges.push((a.min(b), a.max(b), (3 * t + k) as u32));
        }
    }
    edges.sort_unstable();
    let same = |a: &(u32, u32, u32), b: &(u32, u32, u32)| (a.0, a.1) == (b.0, b.1);
    let pairs = edges.chunk_by(same).filter(|run| run.len() == 2);
    pairs.map(|run| (run[0].2, run[1].2)).collect()
}

/// Corners that are one vertex, as a forest.
struct Joined(Vec<u32>);

impl Joined {
    fn root(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            let above = self.0[self.0[at as usize] as usize];
            self.0[at as usize] = above;
            at = above;
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

/// One vertex a set of joined corners, in the order of the triangles.
fn numbered(triangles: &[[u32; 3]], mut joined: Joined) -> Skin {
    let mut number = vec![u32::MAX; joined.0.len()];
    let mut skin = Skin { points: Vec::new(), triangles: Vec::with_capacity(triangles.len()) };
    for (t, triangle) in triangles.iter().enumerate() {
        skin.triangles.push(std::array::from_fn(|k| {
            let root = joined.root((3 * t + k) as u32) as usize;
            if number[root] == u32::MAX {
                number[root] = skin.points.len() as u32;
                skin.points.push(triangle[k]);
            }
            number[root]
        }));
    }
    skin
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The surface of a cube, two triangles a face.
    fn cube() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
        let points = (0..8).map(|k| [k & 1, k >> 1 & 1, k >> 2 & 1].map(|b| b as f32)).collect();
        let quads =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles =
            quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        (points, triangles)
    }

    #[test]
    fn a_cube_has_four_vertices_a_face_and_their_normals_are_those_of_the_faces() {
        let (points, triangles) = cube();
        let skin = Skin::new(&points, &triangles);
        assert_eq!(skin.points.len(), 24);
        let vertices: Vec<[f32; 4]> = skin
            .points
            .iter()
            .map(|&p| [points[p as usize][0], points[p as usize][1], points[p as usize][2], 0.0])
            .collect();
        let mut normals = vec![[9.0; 4]; 24];
        skin.calc_normals(&vertices, &mut normals);
        for (v, n) in vertices.iter().zip(&normals) {
            let along = (0..3).find(|&k| n[k].abs() > 0.99).expect("along an axis");
            assert_eq!(n[along] > 0.0, v[along] > 0.5, "{n:?} at {v:?}");
        }
    }

    #[test]
    fn a_gentle_fold_stays_one_surface_also_where_a_face_is_turned_over() {
        let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 1.0, 0.1], [0.5, -1.0, 0.1]];
        assert_eq!(Skin::new(&points, &[[0, 1, 2], [1, 0, 3]]).points.len(), 4);
        // Turned over, its normal points the other way: that is as sharp as a fold can be.
        assert_eq!(Skin::new(&points, &[[0, 1, 2], [0, 1, 3]]).points.len(), 6);
    }
}
