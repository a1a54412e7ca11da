//! The part of a tetrahedron of the lattice below the surface, as tetrahedra.

use super::warp::Warped;

/// A corner of a piece: a vertex of the lattice, or the crossing on an edge between two, the lesser number first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Corner {
    Vertex(u32),
    Cut([u32; 2]),
}

type Corners = [Corner; 4];

/// Vertices of a tetrahedron below a surface, the deepest first, on it and above it.
fn sides(tetrahedron: [u32; 4], warped: &Warped) -> (Vec<u32>, Vec<Corner>, Vec<u32>) {
    let mut inside: Vec<u32> = Vec::with_capacity(4);
    let (mut on, mut outside) = (Vec::with_capacity(4), Vec::with_capacity(4));
    for vertex in tetrahedron {
        match warped.depth(vertex) {
            depth if depth > 0.0 => inside.push(vertex),
            depth if depth < 0.0 => outside.push(vertex),
            _ => on.push(Corner::Vertex(vertex)),
        }
    }
    // The deepest first; of equals that of the lesser number.
    inside.sort_by(|a, b| warped.depth(*b).total_cmp(&warped.depth(*a)).then(a.cmp(b)));
    (inside, on, outside)
}

/// The pieces of a tetrahedron with one vertex below the surface at least. A quadrilateral that the surface leaves of
/// one of its sides is cut by the diagonal from the deeper of its two vertices, in both tetrahedra on that side.
pub(super) fn pieces(tetrahedron: [u32; 4], warped: &Warped) -> Vec<Corners> {
    let (inside, on, outside) = sides(tetrahedron, warped);
    let corner = Corner::Vertex;
    match (&inside[..], &on[..], &outside[..]) {
        (_, _, []) => vec![tetrahedron.map(corner)],
        (&[a], on, outside) => {
            let rest = on.iter().copied().chain(outside.iter().map(|&out| Warped::cut(a, out)));
            let rest: Vec<Corner> = rest.collect();
            vec![[corner(a), rest[0], rest[1], rest[2]]]
        }
        (&[a, b], &[on], &[out]) => {
            let [to_a, to_b] = [a, b].map(|vertex| Warped::cut(vertex, out));
            vec![[corner(a), corner(b), to_b, on], [corner(a), to_b, to_a, on]]
        }
        (&[a, b], _, &[one, other]) => {
            let [a_one, a_other] = [one, other].map(|out| Warped::cut(a, out));
            let [b_one, b_other] = [one, other].map(|out| Warped::cut(b, out));
            vec![
                [corner(a), corner(b), b_one, b_other],
                [corner(a), a_one, a_other, b_other],
                [corner(a), a_one, b_other, b_one],
            ]
        }
        (&[a, b, c], _, &[out]) => {
            let [to_a, to_b, to_c] = [a, b, c].map(|vertex| Warped::cut(vertex, out));
            vec![
                [corner(a), corner(b), corner(c), to_c],
                [corner(a), corner(b), to_b, to_c],
                [corner(a), to_a, to_b, to_c],
            ]
        }
        _ => Vec::new(),
    }
}
