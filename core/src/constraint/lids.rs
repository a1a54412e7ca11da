//! Openings of a surface of faces, and the lids that close them: from the mean of the nodes of a rim to each of its sides.

use std::collections::BTreeMap;

use super::closed_surface::SurfaceFault;

/// A lid: triangles from the mean of the nodes of a rim to its sides.
#[derive(Clone, Debug)]
pub(super) struct Lid {
    /// Sides of the rim against the direction of their faces, by numbers of nodes: both ends, and the node between them where there is one.
    sides: Vec<Vec<u32>>,
    /// One over the number of nodes.
    share: f64,
}

impl Lid {
    /// Sides of the rim, a part of the lid each.
    pub(super) fn parts(&self) -> impl Iterator<Item = &[u32]> {
        self.sides.iter().map(Vec::as_slice)
    }

    /// Nodes of the rim, each once.
    pub(super) fn rim(&self) -> impl Iterator<Item = u32> {
        self.sides.iter().flat_map(|side| side.iter().enumerate()).filter_map(|(k, &node)| {
            // The second end of a side is the first of the next.
            (k != 1).then_some(node)
        })
    }

    /// Share of each node of the rim in the middle of the lid [-].
    pub(super) fn share(&self) -> f64 {
        self.share
    }
}

/// Lids of the openings of faces, whose nodes are numbers in `nodes`.
///
/// # Errors
/// [`SurfaceFault`], with nodes as `nodes` has them.
pub(super) fn rims(faces: &[Vec<u32>], nodes: &[u32]) -> Result<Vec<Lid>, SurfaceFault> {
    let mut sides: BTreeMap<[u32; 2], Option<u32>> = BTreeMap::new();
    for face in faces {
        let corners = if face.len().is_multiple_of(3) { 3 } else { 4 };
        for k in 0..corners {
            let side = [face[k], face[(k + 1) % corners]];
            if sides.insert(side, face.get(corners + k).copied()).is_some() {
                let [a, b] = side.map(|k| nodes[k as usize]);
                return Err(SurfaceFault::Edge(a, b));
            }
        }
    }
    let mut open: BTreeMap<u32, (u32, Option<u32>)> = BTreeMap::new();
    for (&[from, to], &middle) in &sides {
        // Against the direction of the face.
        if !sides.contains_key(&[to, from]) && open.insert(to, (from, middle)).is_some() {
            return Err(SurfaceFault::Rim(nodes[to as usize]));
        }
    }
    let mut lids = Vec::new();
    while let Some((&first, _)) = open.first_key_value() {
        lids.push(
            lid_from(first, &mut open).map_err(|node| SurfaceFault::Rim(nodes[node as usize]))?,
        );
    }
    Ok(lids)
}

/// Takes the rim that a node is on; the node where it ends, if it does not close.
fn lid_from(first: u32, open: &mut BTreeMap<u32, (u32, Option<u32>)>) -> Result<Lid, u32> {
    let (mut sides, mut from) = (Vec::new(), first);
    loop {
        let (to, middle) = open.remove(&from).ok_or(from)?;
        sides.push([from, to].into_iter().chain(middle).collect());
        from = to;
        if from == first {
            break;
        }
    }
    let share = 1.0 / sides.iter().map(|side: &Vec<u32>| side.len() - 1).sum::<usize>() as f64;
    Ok(Lid { sides, share })
}
