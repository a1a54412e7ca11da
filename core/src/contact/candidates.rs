//! Candidates for contact between two surfaces: vertices and faces, edges and edges, that are looked at in 64 bits.
//! Hierarchies of boxes find them, unless a finder from elsewhere lists them: a device, say.

use super::surface::Skin;
use crate::Vec3;

/// Kinds of features that may meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Features {
    /// A vertex of A and a face of B.
    VertexOfA,
    /// A vertex of B and a face of A.
    VertexOfB,
    /// An edge of each.
    Edges,
}

/// Two surfaces, or one twice, on their straight ways.
#[derive(Debug, Clone, Copy)]
pub struct Ways<'a> {
    /// Number of the pair.
    pub pair: u32,
    /// Positions of the vertices of both [m].
    pub points: [&'a [Vec3]; 2],
    /// Ways of these [m], seen from the mean motion of both surfaces.
    pub steps: [&'a [Vec3]; 2],
    /// Width of the border of boxes around features on their ways [m]: half of the distance within which they count.
    pub border: f64,
}

/// Points beside the solid inside a mesh, in its frame.
#[derive(Debug, Clone, Copy)]
pub struct PointsBeside<'a> {
    /// Number of the pair.
    pub pair: u32,
    /// Positions [m].
    pub points: &'a [Vec3],
    /// Signed distance from which on each touches nothing [m].
    pub limits: &'a [f64],
}

/// Finds candidates in the place of hierarchies of boxes.
pub trait CandidateFinder: Send + std::fmt::Debug {
    /// Adds to `out`, which is empty, the candidates of a pair; false where that is left to the hierarchies.
    ///
    /// The candidates of a vertex are all faces whose boxes overlap its own; of an edge, all edges. All those of one
    /// vertex or edge may be missing together, if none of them can matter: if each is farther away than twice the border
    /// and the ways that both go against each other, and a vertex is in front of each face, unless the surface is its
    /// own. What shares a vertex is no candidate, and two edges of one surface are one once. Others may be listed
    /// as well: the detector asks again in 64 bits whether boxes overlap, and its contacts are the same bits
    /// whoever finds candidates.
    fn find(&mut self, ways: &Ways<'_>, out: &mut Candidates) -> bool;

    /// True if it looks at the points of a pair of a point set and a mesh.
    fn takes_points(&self, _pair: u32) -> bool {
        false
    }

    /// Replaces `out` by a flag for each point, false only where its signed distance is more than its limit. False where that is
    /// left to the detector.
    fn find_points(&mut self, _points: &PointsBeside<'_>, _out: &mut Vec<bool>) -> bool {
        false
    }
}

/// Candidates by kinds and by their first feature.
#[derive(Debug, Default)]
pub struct Candidates {
    lists: [List; 3],
}

#[derive(Debug, Default)]
struct List {
    pairs: Vec<[u32; 2]>,
    /// Pairs whose first feature is number k: `pairs[starts[k]..starts[k + 1]]`.
    starts: Vec<u32>,
}

impl Candidates {
    /// Adds a vertex and a face, or an edge of A and one of B.
    pub fn add(&mut self, features: Features, pair: [u32; 2]) {
        self.lists[features as usize].pairs.push(pair);
    }

    /// All of one kind.
    pub fn of(&self, features: Features) -> &[[u32; 2]] {
        &self.lists[features as usize].pairs
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.lists.iter_mut().for_each(|list| list.pairs.clear());
    }

    /// Brings pairs in order; `counts` are the numbers of vertices of A, of those of B, and of edges of A.
    pub(super) fn sort(&mut self, counts: [usize; 3]) {
        for (List { pairs, starts }, count) in self.lists.iter_mut().zip(counts) {
            pairs.sort_unstable();
            starts.clear();
            starts.resize(count + 1, 0);
            pairs.iter().for_each(|[first, _]| starts[*first as usize + 1] += 1);
            for k in 0..count {
                starts[k + 1] += starts[k];
            }
        }
    }

    /// The second features of number `first`.
    fn seconds(&self, features: Features, first: usize) -> impl Iterator<Item = usize> {
        let List { pairs, starts } = &self.lists[features as usize];
        let own = &pairs[starts[first] as usize..starts[first + 1] as usize];
        own.iter().map(|pair| pair[1] as usize)
    }
}

/// Features of two surfaces whose boxes overlap, in the hierarchies or among listed candidates.
#[derive(Clone, Copy)]
pub(super) struct NearFeatures<'a> {
    pub(super) skins: [&'a Skin; 2],
    pub(super) listed: Option<&'a Candidates>,
}

impl NearFeatures<'_> {
    /// Visits the faces of the other surface whose boxes overlap that of a vertex; `features` says whose it is.
    pub(super) fn visit_faces(&self, features: Features, v: usize, visit: &mut dyn FnMut(usize)) {
        let [a, b] = self.skins;
        let [own, other] = if features == Features::VertexOfB { [b, a] } else { [a, b] };
        let way = own.vertex_box(v);
        match self.listed {
            None => other.visit_faces(&way, visit),
            Some(list) => list
                .seconds(features, v)
                .filter(|&face| other.face_box(face).overlaps(&way))
                .for_each(visit),
        }
    }

    /// Visits the edges of B whose boxes overlap that of an edge of A.
    pub(super) fn visit_edges(&self, edge: usize, visit: &mut dyn FnMut(usize)) {
        let [a, b] = self.skins;
        let way = a.edge_box(edge);
        match self.listed {
            None => b.visit_edges(&way, visit),
            Some(list) => list
                .seconds(Features::Edges, edge)
                .filter(|&second| b.edge_box(second).overlaps(&way))
                .for_each(visit),
        }
    }
}
