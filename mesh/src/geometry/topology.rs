//! Topology of a triangle surface: open and shared edges, winding, components. Edges are sorted,
//! not hashed, so that all is found in a fixed order.

use super::{DisjointSets, SurfaceMesh};

/// Winding of the triangles of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// Closed, and the signed volume is positive: normals point out.
    Outward,
    /// Closed, and the signed volume is negative: the surface is inside-out.
    Inward,
    /// No sign can be given: it is open, or neighbours wind against each other, or no volume.
    Undefined,
}

/// Result of [`SurfaceMesh::topology`]. Self-intersection is not looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    /// Edges with one triangle.
    pub open_edges: usize,
    /// Edges with more than two triangles.
    pub non_manifold_edges: usize,
    /// Edges of two or more triangles that are not passed equally often in both directions.
    pub inconsistent_edges: usize,
    /// Vertices where fans of triangles meet that share no edge there.
    pub non_manifold_vertices: usize,
    /// Vertices that no triangle names.
    pub unused_vertices: usize,
    /// Winding of the triangles as a whole.
    pub orientation: Orientation,
    /// Number of parts that hang together by edges.
    pub component_count: usize,
    /// The part of each triangle, below [`Self::component_count`], numbered by first triangles.
    pub component_of_triangle: Vec<u32>,
}

impl Topology {
    /// True if the surface bounds a solid: there are triangles, and every edge is passed equally
    /// often in both directions. Solids that touch along an edge do.
    pub fn is_closed(&self) -> bool {
        let has_triangles = !self.component_of_triangle.is_empty();
        has_triangles && self.open_edges == 0 && self.inconsistent_edges == 0
    }

    /// True if each point of the surface has a neighbourhood like a disc, or half a disc.
    pub fn is_manifold(&self) -> bool {
        self.non_manifold_edges == 0 && self.non_manifold_vertices == 0
    }
}

/// One side of a triangle: its ends (smaller first), whether it is passed from the smaller to the
/// larger, and where it starts: corner `start % 3` of triangle `start / 3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    pub(super) ends: [u32; 2],
    pub(super) is_forward: bool,
    pub(super) start: u32,
}

impl Side {
    /// The corner of the triangle at the end with the smaller (0) or larger (1) vertex number.
    fn corner(&self, end: usize) -> u32 {
        let next = self.start - self.start % 3 + (self.start + 1) % 3;
        if self.is_forward == (end == 0) { self.start } else { next }
    }
}

impl SurfaceMesh {
    /// Edges, winding and components. n log n in the number of triangles.
    pub fn topology(&self) -> Topology {
        let sides = self.sorted_sides();
        let count = |condition: &dyn Fn(usize, usize) -> bool| {
            let edges = sides.chunk_by(|a, b| a.ends == b.ends);
            let balance = edges.map(|e| (e.len(), e.iter().filter(|s| s.is_forward).count()));
            balance.filter(|&(all, forward)| condition(all, forward)).count()
        };
        let (component_of_triangle, component_count) = self.components(&sides);
        let (non_manifold_vertices, unused_vertices) = self.count_fans(&sides);
        let mut topology = Topology {
            open_edges: count(&|all, _| all == 1),
            non_manifold_edges: count(&|all, _| all > 2),
            inconsistent_edges: count(&|all, forward| all > 1 && 2 * forward != all),
            non_manifold_vertices,
            unused_vertices,
            orientation: Orientation::Undefined,
            component_count,
            component_of_triangle,
        };
        if topology.is_closed() {
            topology.orientation = match self.signed_volume() {
                v if v > 0.0 => Orientation::Outward,
                v if v < 0.0 => Orientation::Inward,
                _ => Orientation::Undefined,
            };
        }
        topology
    }

    /// Number of parts that hang together by vertices; [`Topology::component_count`] counts those that
    /// do by edges.
    pub fn count_parts(&self) -> usize {
        let mut sets = DisjointSets::new(self.vertices().len());
        let mut used = vec![false; self.vertices().len()];
        for &[a, b, c] in self.triangles() {
            sets.join(a, b);
            sets.join(a, c);
            [a, b, c].iter().for_each(|&v| used[v as usize] = true);
        }
        (0..used.len() as u32).filter(|&v| used[v as usize] && sets.find(v) == v).count()
    }

    pub(super) fn sorted_sides(&self) -> Vec<Side> {
        let mut sides = Vec::with_capacity(3 * self.triangles().len());
        for (t, corners) in self.triangles().iter().enumerate() {
            for c in 0..3 {
                let (from, to) = (corners[c], corners[(c + 1) % 3]);
                let ends = [from.min(to), from.max(to)];
                sides.push(Side { ends, is_forward: from <= to, start: (3 * t + c) as u32 });
            }
        }
        sides.sort_unstable();
        sides
    }

    /// Component of each triangle and their number.
    fn components(&self, sides: &[Side]) -> (Vec<u32>, usize) {
        let mut sets = DisjointSets::new(self.triangles().len());
        for edge in sides.chunk_by(|a, b| a.ends == b.ends) {
            edge.windows(2).for_each(|w| sets.join(w[0].start / 3, w[1].start / 3));
        }
        let mut names = vec![u32::MAX; self.triangles().len()];
        let mut count = 0;
        let component = |t: u32| {
            let name = &mut names[sets.find(t) as usize];
            if *name == u32::MAX {
                *name = count;
                count += 1;
            }
            *name
        };
        let of_triangle = (0..self.triangles().len() as u32).map(component).collect();
        (of_triangle, count as usize)
    }

    /// Number of vertices with more than one fan of triangles, and with none. Corners of triangles
    /// are one fan when they share an edge at that vertex.
    fn count_fans(&self, sides: &[Side]) -> (usize, usize) {
        let mut sets = DisjointSets::new(3 * self.triangles().len());
        for edge in sides.chunk_by(|a, b| a.ends == b.ends) {
            for w in edge.windows(2) {
                (0..2).for_each(|end| sets.join(w[0].corner(end), w[1].corner(end)));
            }
        }
        let mut fans = vec![0; self.vertices().len()];
        for (corner, &vertex) in self.triangles().as_flattened().iter().enumerate() {
            fans[vertex as usize] += usize::from(sets.find(corner as u32) == corner as u32);
        }
        let with = |condition: fn(usize) -> bool| fans.iter().filter(|&&f| condition(f)).count();
        (with(|f| f > 1), with(|f| f == 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use crate::geometry::cuboid_mesh;

    fn cube() -> SurfaceMesh {
        cuboid_mesh(&Vec3::repeat(1.0)).unwrap()
    }

    /// Two surfaces as one, vertices at the same place made one.
    fn welded(a: &SurfaceMesh, b: &SurfaceMesh) -> SurfaceMesh {
        let mut vertices = a.vertices().to_vec();
        let renamed: Vec<u32> = (b.vertices().iter())
            .map(|p| match vertices.iter().position(|q| q == p) {
                Some(known) => known as u32,
                None => {
                    vertices.push(*p);
                    vertices.len() as u32 - 1
                }
            })
            .collect();
        let moved = b.triangles().iter().map(|t| t.map(|v| renamed[v as usize]));
        SurfaceMesh::new(vertices, a.triangles().iter().copied().chain(moved).collect()).unwrap()
    }

    #[test]
    fn a_cube_is_closed_manifold_and_outward_and_inside_out_when_flipped() {
        let t = cube().topology();
        assert!(t.is_closed() && t.is_manifold(), "{t:?}");
        assert_eq!((t.component_count, t.orientation), (1, Orientation::Outward));
        assert_eq!(cube().flipped().topology().orientation, Orientation::Inward);
    }

    #[test]
    fn a_missing_triangle_opens_three_edges() {
        let triangles = cube().triangles()[1..].to_vec();
        let t = SurfaceMesh::new(cube().vertices().to_vec(), triangles).unwrap().topology();
        assert_eq!((t.open_edges, t.orientation), (3, Orientation::Undefined));
        assert!(!t.is_closed() && t.is_manifold());
    }

    #[test]
    fn a_turned_triangle_is_inconsistent_along_its_three_edges() {
        let mut triangles = cube().triangles().to_vec();
        triangles[4].swap(0, 1);
        let t = SurfaceMesh::new(cube().vertices().to_vec(), triangles).unwrap().topology();
        assert_eq!((t.inconsistent_edges, t.open_edges), (3, 0));
        assert!(!t.is_closed());
    }

    #[test]
    fn cubes_that_touch_at_a_corner_or_an_edge_are_closed_but_not_manifold() {
        let moved = |by: Vec3| cube().transformed(&crate::Mat3::identity(), &by).unwrap();
        let t = welded(&cube(), &moved(Vec3::repeat(1.0))).topology();
        assert_eq!((t.component_count, t.non_manifold_vertices, t.non_manifold_edges), (2, 1, 0));
        assert!(t.is_closed() && !t.is_manifold());
        let t = welded(&cube(), &moved(Vec3::new(1.0, 1.0, 0.0))).topology();
        assert_eq!((t.component_count, t.non_manifold_edges), (1, 1));
        assert!(t.is_closed() && !t.is_manifold());
    }

    #[test]
    fn separate_parts_are_told_apart_and_unused_vertices_counted() {
        let far = cube().transformed(&crate::Mat3::identity(), &(Vec3::x() * 5.0)).unwrap();
        let two = welded(&cube(), &far);
        let t = two.topology();
        assert_eq!(t.component_count, 2);
        assert_eq!(t.component_of_triangle[..12], [0; 12]);
        assert_eq!(t.component_of_triangle[12..], [1; 12]);
        let lonely = SurfaceMesh::new(two.vertices().to_vec(), cube().triangles().to_vec());
        assert_eq!(lonely.unwrap().topology().unused_vertices, 8);
        let nothing = SurfaceMesh::default().topology();
        assert!(!nothing.is_closed() && nothing.component_count == 0);
    }
}
