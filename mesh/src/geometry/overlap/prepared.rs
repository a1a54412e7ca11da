//! A surface made ready for queries: a tree of the boxes of its triangles, its edges and what they belong
//! to, and an order in which edges lead from vertex to vertex.

use crate::Vec3;
use crate::geometry::{GeometryError, Orientation, SurfaceMesh};
use crate::tree::{Bounds, BoxTree};

/// The way to a vertex in the spanning forest of the edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) vertex: u32,
    /// The vertex before it and the edge between; `None` for the root of a component.
    pub(super) from: Option<BranchEdge>,
}

/// A vertex and an edge that leaves it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BranchEdge {
    pub(super) vertex: u32,
    pub(super) edge: u32,
}

/// A surface, prepared to be asked for its overlap with others. It may move and deform; its triangles
/// stay.
#[derive(Clone, Debug)]
pub struct OverlapSurface {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    tree: BoxTree,
    boxes: Vec<Bounds>,
    is_closed: bool,
    /// Ends of each edge, smaller number first.
    edges: Vec<[u32; 2]>,
    /// Index of the first side of each edge in `sides`, and their number at the end.
    first_side: Vec<u32>,
    /// Sides of triangles by edge: side k of triangle t is 3 t + k.
    sides: Vec<u32>,
    /// Edge of each side.
    edge_of_side: Vec<u32>,
    branches: Vec<Branch>,
    reach: f64,
}

impl OverlapSurface {
    /// Prepares a surface. A closed one that is inside-out is turned. n log n in the number of triangles.
    pub fn new(surface: &SurfaceMesh) -> Self {
        let topology = surface.topology();
        let turned =
            (topology.orientation == Orientation::Inward).then(|| surface.clone().flipped());
        let surface = turned.as_ref().unwrap_or(surface);
        let sorted = surface.sorted_sides();
        let mut edge_of_side = vec![0; sorted.len()];
        let (mut edges, mut first_side) = (Vec::new(), Vec::new());
        let mut before = 0;
        for uses in sorted.chunk_by(|a, b| a.ends == b.ends) {
            uses.iter().for_each(|side| edge_of_side[side.start as usize] = edges.len() as u32);
            edges.push(uses[0].ends);
            first_side.push(before);
            before += uses.len() as u32;
        }
        first_side.push(before);
        let mut prepared = Self {
            vertices: surface.vertices().to_vec(),
            triangles: surface.triangles().to_vec(),
            tree: surface.triangle_tree(),
            boxes: Vec::new(),
            is_closed: topology.is_closed(),
            branches: forest(surface.vertices().len(), &edges),
            edges,
            first_side,
            sides: sorted.iter().map(|side| side.start).collect(),
            edge_of_side,
            reach: 0.0,
        };
        prepared.reach = prepared.largest_coordinate();
        prepared
    }

    /// Moves the vertices to these positions [m], one for each, in the order of the surface. Linear in
    /// their number. A surface that was turned because it was inside-out stays turned.
    ///
    /// # Errors
    /// Another number of positions than vertices, or one that is not finite.
    pub fn set_vertices(&mut self, positions: &[Vec3]) -> Result<(), GeometryError> {
        if positions.len() != self.vertices.len() {
            return Err(GeometryError::VertexCount {
                given: positions.len(),
                expected: self.vertices.len(),
            });
        }
        let is_finite = |p: &Vec3| p.iter().all(|c| c.is_finite());
        if let Some(vertex) = positions.iter().position(|p| !is_finite(p)) {
            return Err(GeometryError::NotFinite { vertex, at: positions[vertex] });
        }
        self.vertices.copy_from_slice(positions);
        self.boxes.clear();
        let vertices = &self.vertices;
        let bounds =
            |t: &[u32; 3]| Bounds::of(t.iter().map(|&v| vertices[v as usize]), Vec3::zeros());
        self.boxes.extend(self.triangles.iter().map(bounds));
        self.tree.refit(&self.boxes);
        self.reach = self.largest_coordinate();
        Ok(())
    }

    /// True if the surface bounds a solid: every edge is passed equally often both ways.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Positions of the vertices [m].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Corners of the triangles, counterclockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    fn largest_coordinate(&self) -> f64 {
        self.vertices.iter().map(|p| p.amax()).fold(0.0, f64::max)
    }

    /// The largest size of a coordinate [m].
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    pub(super) fn tree(&self) -> &BoxTree {
        &self.tree
    }

    pub(super) fn corners(&self, t: u32) -> [Vec3; 3] {
        self.triangles[t as usize].map(|v| self.vertices[v as usize])
    }

    /// Ends of all edges, smaller number first.
    pub(super) fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The edge of side `k` of triangle `t`.
    pub(super) fn edge_of(&self, t: u32, k: usize) -> u32 {
        self.edge_of_side[3 * t as usize + k]
    }

    /// Sides of triangles that an edge is: side k of triangle t is 3 t + k.
    pub(super) fn sides_of(&self, edge: u32) -> &[u32] {
        let e = edge as usize;
        &self.sides[self.first_side[e] as usize..self.first_side[e + 1] as usize]
    }

    /// True if side `k` of triangle `t` runs from the smaller to the larger number.
    pub(super) fn is_forward(&self, t: u32, k: usize) -> bool {
        let corners = self.triangles[t as usize];
        corners[k] < corners[(k + 1) % 3]
    }

    /// All vertices, each after the one that an edge leads to it from.
    pub(super) fn branches(&self) -> &[Branch] {
        &self.branches
    }
}

/// The spanning forest of the edges, breadth first, roots by rising number.
fn forest(vertex_count: usize, edges: &[[u32; 2]]) -> Vec<Branch> {
    let mut first = vec![0_u32; vertex_count + 2];
    edges.iter().flatten().for_each(|&v| first[v as usize + 2] += 1);
    (2..first.len()).for_each(|k| first[k] += first[k - 1]);
    let mut around = vec![BranchEdge { vertex: 0, edge: 0 }; 2 * edges.len()];
    for (edge, &[a, b]) in (0..).zip(edges) {
        for (at, vertex) in [(a, b), (b, a)] {
            let slot = &mut first[at as usize + 1];
            around[*slot as usize] = BranchEdge { vertex, edge };
            *slot += 1;
        }
    }
    let mut branches: Vec<Branch> = Vec::with_capacity(vertex_count);
    let mut is_reached = vec![false; vertex_count];
    let mut next = 0;
    for root in 0..vertex_count {
        if is_reached[root] || first[root] == first[root + 1] {
            continue;
        }
        is_reached[root] = true;
        branches.push(Branch { vertex: root as u32, from: None });
        while next < branches.len() {
            let vertex = branches[next].vertex;
            next += 1;
            let own = first[vertex as usize] as usize..first[vertex as usize + 1] as usize;
            for BranchEdge { vertex: to, edge } in &around[own] {
                if !std::mem::replace(&mut is_reached[*to as usize], true) {
                    let from = Some(BranchEdge { vertex, edge: *edge });
                    branches.push(Branch { vertex: *to, from });
                }
            }
        }
    }
    branches
}
