//! Elements and faces that occur too often. They are gathered by their smallest node, which takes
//! time in proportion to their number: sorting them took half of the time of reading a mesh.

use crate::fem::VolumeMesh;

/// Node lists of up to `N` nodes after the smallest one, by that one.
struct ByNode<const N: usize> {
    /// Where the lists of each node end, moved up while they are filled in.
    ends: Vec<u32>,
    lists: Vec<[u32; N]>,
}

impl<const N: usize> ByNode<N> {
    /// `all` calls its argument for each list, in the same order each time.
    fn gather(node_count: usize, all: impl Fn(&mut dyn FnMut(&mut [u32]))) -> Self {
        let mut ends = vec![0; node_count + 1];
        all(&mut |nodes| ends[*nodes.iter().min().unwrap_or(&0) as usize + 1] += 1);
        for i in 1..ends.len() {
            ends[i] += ends[i - 1];
        }
        let mut lists = vec![[u32::MAX; N]; ends[node_count] as usize];
        all(&mut |nodes| {
            nodes.sort_unstable();
            let end = &mut ends[nodes[0] as usize];
            lists[*end as usize][..nodes.len() - 1].copy_from_slice(&nodes[1..]);
            *end += 1;
        });
        Self { ends, lists }
    }

    /// How often each list occurs that occurs more than once.
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

/// How many elements repeat the corners of another one.
pub(super) fn repeated_elements(mesh: &VolumeMesh) -> usize {
    let corners = ByNode::<7>::gather(mesh.nodes.len(), |each| {
        for (kind, nodes) in mesh.elements() {
            let mut own = [0; 8];
            let own = &mut own[..kind.corner_count()];
            own.copy_from_slice(&nodes[..own.len()]);
            each(own);
        }
    });
    corners.repeated().map(|n| n - 1).sum()
}

/// How many faces lie on more than two elements.
pub(super) fn crowded_faces(mesh: &VolumeMesh) -> usize {
    let faces = ByNode::<3>::gather(mesh.nodes.len(), |each| {
        for (kind, nodes) in mesh.elements() {
            for face in kind.linear().faces() {
                let mut own = [0; 4];
                let own = &mut own[..face.len()];
                own.iter_mut().zip(*face).for_each(|(n, &corner)| *n = nodes[corner as usize]);
                each(own);
            }
        }
    });
    faces.repeated().filter(|&n| n > 2).count()
}
