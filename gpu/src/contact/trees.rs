//! The trees of one pair of surfaces and what is looked for in them: leaves in an order that stays near in space, that
//! of the start, and queries. It is made once; only boxes change.

use sinew::Vec3;
use sinew::contact::{Features, Surface};
use sinew_shaders::layout::BRANCHES;

use super::morton;

/// Most roots of a tree. A walk looks at each; one level less saves a call of a kernel a step.
const ROOTS: u32 = 64;

/// Vertex of a leaf without a feature.
const NONE: u32 = u32::MAX;

/// Trees of all kinds, one after another, and all queries.
#[derive(Debug, Default)]
pub(super) struct Trees {
    /// Vertices of both surfaces; those of the second after those of the first.
    pub(super) vertex_count: usize,
    /// Three vertices of each leaf.
    pub(super) corners: Vec<u32>,
    /// Number of the feature of each leaf.
    pub(super) features: Vec<u32>,
    pub(super) level_count: u32,
    pub(super) root_count: u32,
    /// Five words of each query, as the kernels have them.
    pub(super) queries: Vec<u32>,
    /// Kind and number of the feature of each query.
    pub(super) asked: Vec<(Features, u32)>,
    /// True if both are the same surface.
    pub(super) is_self: bool,
}

/// Faces or edges of a surface: up to three vertices each, and numbers in the order of the curve.
struct Sorted {
    corners: Vec<[u32; 3]>,
    order: Vec<u32>,
}

impl Trees {
    /// Those of two surfaces, or of one twice, that are at `q` [m] at the start.
    pub(super) fn new([a, b]: [&Surface; 2], is_self: bool, q: &[Vec3]) -> Self {
        let offset = if is_self { 0 } else { a.rows.len() as u32 };
        let at = |surface: &Surface| -> Vec<Vec3> {
            surface.rows.iter().map(|&row| q[row as usize]).collect()
        };
        let mut places = at(a);
        if !is_self {
            places.extend(at(b));
        }
        let faces = |surface: &Surface, offset| {
            Sorted::new(surface.triangles.iter().map(|t| t.map(|v| v + offset)).collect(), &places)
        };
        let edges = |surface: &Surface, offset| {
            let ends = surface.edges().into_iter();
            Sorted::new(ends.map(|[i, j]| [i, j, j].map(|v| v + offset)).collect(), &places)
        };
        let vertices =
            |range: std::ops::Range<u32>| Sorted::new(range.map(|v| [v, v, v]).collect(), &places);
        let count = places.len() as u32;
        let own = if is_self { count } else { offset };
        let (edges_of_a, edges_of_b) = (edges(a, 0), edges(b, offset));
        let mut kinds = vec![
            (Features::VertexOfA, vertices(0..own), faces(b, offset)),
            (Features::VertexOfB, vertices(own..count), faces(a, 0)),
        ];
        if is_self {
            kinds.pop();
        }
        let largest = kinds.iter().map(|(_, _, faces)| faces.order.len());
        let largest = largest.chain([edges_of_b.order.len()]).max().unwrap_or(0);
        let level_count = level_count(largest);
        let mut trees =
            Self { vertex_count: places.len(), level_count, is_self, ..Self::default() };
        for (kind, vertices, faces) in &kinds {
            trees.add(*kind, vertices, faces);
        }
        trees.add(Features::Edges, &edges_of_a, &edges_of_b);
        trees
    }

    /// That of the triangles of a mesh with these vertices [m], without queries.
    pub(super) fn of_faces(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let (vertex_count, level_count) = (vertices.len(), level_count(triangles.len()));
        let mut tree = Self { vertex_count, level_count, ..Self::default() };
        tree.add_leaves(&Sorted::new(triangles.to_vec(), vertices));
        tree
    }

    /// Adds a tree over `leaves`; its roots follow those before.
    fn add_leaves(&mut self, leaves: &Sorted) {
        let width = BRANCHES.pow(self.level_count);
        self.root_count += (leaves.order.len() as u32).div_ceil(width);
        let end = (self.root_count * width) as usize;
        self.features.extend(&leaves.order);
        self.features.resize(end, NONE);
        let corners = leaves.order.iter().flat_map(|&k| leaves.corners[k as usize]);
        self.corners.extend(corners);
        self.corners.resize(3 * end, NONE);
    }

    /// Adds a tree over `leaves`, and queries for what is near `asked`.
    fn add(&mut self, kind: Features, asked: &Sorted, leaves: &Sorted) {
        let (first, root) = (self.features.len() as u32, self.root_count);
        self.add_leaves(leaves);
        let twice = self.is_self && kind == Features::Edges;
        for (place, &number) in (0..).zip(&asked.order) {
            let [i, j, _] = asked.corners[number as usize];
            // Of two edges of one surface the later leaf is a candidate of the earlier.
            let first_leaf = if twice { first + place + 1 } else { first };
            self.queries.extend([i, j, first_leaf, root, self.root_count]);
            self.asked.push((kind, number));
        }
    }

    /// Boxes of all levels.
    pub(super) fn box_count(&self) -> u32 {
        (0..=self.level_count).map(|level| self.root_count * BRANCHES.pow(level)).sum()
    }

    /// Features of a candidate as the detector has them.
    pub(super) fn pair(&self, query: u32, leaf: u32) -> Option<(Features, [u32; 2])> {
        let &(kind, first) = self.asked.get(query as usize)?;
        let &second = self.features.get(leaf as usize)?;
        let is_swapped = self.is_self && kind == Features::Edges && second < first;
        Some((kind, if is_swapped { [second, first] } else { [first, second] }))
    }
}

/// Levels above so many leaves.
fn level_count(leaves: usize) -> u32 {
    (0..).find(|&l| (leaves as u32).div_ceil(BRANCHES.pow(l)) <= ROOTS).unwrap_or(0)
}

impl Sorted {
    fn new(corners: Vec<[u32; 3]>, places: &[Vec3]) -> Self {
        let middle =
            |corners: &[u32; 3]| corners.iter().map(|&v| places[v as usize]).sum::<Vec3>() / 3.0;
        let middles: Vec<Vec3> = corners.iter().map(middle).collect();
        Self { order: morton::order(&middles), corners }
    }
}
