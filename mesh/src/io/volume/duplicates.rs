//! Elements and faces that occur too often. They are gathered by their smallest node, which takes
//! time in proportion to their number: sorting them took half of the time of reading a mesh.

use crate::VolumeMesh;

/// Node lists by their smallest node: the `N` nodes after it, `u32::MAX` behind shorter lists.
struct ByNode<const N: usize> {
    /// End of the list of each node, moved up while they are filled in.
    ends: Vec<u32>,
    lists: Vec<[u32; N]>,
}

impl<const N: usize> ByNode<N> {
    /// `all` calls its argument for each list, in the same order each time: the smallest node, and the
    /// others in rising order.
    fn gather(node_count: usize, all: impl Fn(&mut dyn FnMut(u32, [u32; N]))) -> Self {
        let mut ends = vec![0; node_count + 1];
        all(&mut |smallest, _| ends[smallest as usize + 1] += 1);
        for i in 1..ends.len() {
            ends[i] += ends[i - 1];
        }
        let mut lists = vec![[u32::MAX; N]; ends[node_count] as usize];
        all(&mut |smallest, others| {
            let end = &mut ends[smallest as usize];
            lists[*end as usize] = others;
            *end += 1;
        });
        Self { ends, lists }
    }

    /// Counts of the lists that occur more than once.
    fn repeated(mut self) -> impl Iterator<Item = usize> {
        let mut start = 0;
        let mut counts = Vec::new();
        for &end in &self.ends {
            // The last entry counts none: all lists are passed by then.
            let own = &mut self.lists[start..(end as usize).max(start)];
            own.sort_unstable();
            let runs = own.chunk_by(|a, b| a == b).map(<[_]>::len).filter(|&n| n > 1);
            counts.extend(runs);
            start = start.max(end as usize);
        }
        counts.into_iter()
    }
}

/// Four numbers in rising order, by the five exchanges that any four need at the most.
fn sorted([mut a, mut b, mut c, mut d]: [u32; 4]) -> [u32; 4] {
    [a, b] = [a.min(b), a.max(b)];
    [c, d] = [c.min(d), c.max(d)];
    [a, c] = [a.min(c), a.max(c)];
    [b, d] = [b.min(d), b.max(d)];
    [b, c] = [b.min(c), b.max(c)];
    [a, b, c, d]
}

/// Number of elements that repeat the corners of another one.
pub(in crate::io) fn repeated_elements(mesh: &VolumeMesh) -> usize {
    let four = |n: &[u32]| sorted([n[0], n[1], n[2], n[3]]);
    if mesh.elements().all(|(kind, _)| kind.corner_count() == 4) {
        let corners = ByNode::<3>::gather(mesh.nodes.len(), |each| {
            for [smallest, others @ ..] in mesh.elements().map(|(_, nodes)| four(nodes)) {
                each(smallest, others);
            }
        });
        return corners.repeated().map(|n| n - 1).sum();
    }
    let corners = ByNode::<7>::gather(mesh.nodes.len(), |each| {
        for (kind, nodes) in mesh.elements() {
            let mut own = [u32::MAX; 8];
            own.iter_mut().zip(&nodes[..kind.corner_count()]).for_each(|(slot, &n)| *slot = n);
            own.sort_unstable();
            let [smallest, others @ ..] = own;
            each(smallest, others);
        }
    });
    corners.repeated().map(|n| n - 1).sum()
}

/// Number of faces that lie on more than two elements.
pub(in crate::io) fn crowded_faces(mesh: &VolumeMesh) -> usize {
    let faces = ByNode::<3>::gather(mesh.nodes.len(), |each| {
        for (kind, nodes) in mesh.elements() {
            for face in kind.linear().faces() {
                let fourth = face.get(3).map_or(u32::MAX, |&corner| nodes[corner as usize]);
                let corner = |i: usize| nodes[face[i] as usize];
                let [smallest, others @ ..] = sorted([corner(0), corner(1), corner(2), fourth]);
                each(smallest, others);
            }
        }
    });
    faces.repeated().filter(|&n| n > 2).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_numbers_in_any_order_come_out_rising() {
        for code in 0..256_u32 {
            let four = [0, 2, 4, 6].map(|shift| code >> shift & 3);
            let mut rising = four;
            rising.sort_unstable();
            assert_eq!(sorted(four), rising, "{four:?}");
        }
    }
}
