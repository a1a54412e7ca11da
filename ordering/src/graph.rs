//! The checks that a graph must pass before it may cross to C, and the type that proves them.

use crate::OrderingError;

/// A checked graph: offsets monotone from 0 to the number of neighbours, every neighbour a node,
/// no self loop, no double entry, symmetric, and all of it within 31-bit indices.
#[cfg_attr(not(feature = "metis"), allow(dead_code))]
pub(crate) struct Graph {
    offsets: Vec<i32>,
    neighbours: Vec<i32>,
}

#[cfg_attr(not(feature = "metis"), allow(dead_code))]
impl Graph {
    /// Checks and copies a graph.
    pub(crate) fn new(offsets: &[u32], neighbours: &[u32]) -> Result<Self, OrderingError> {
        let offsets = if offsets.is_empty() { &[0] } else { offsets };
        check_offsets(offsets, neighbours.len())?;
        check_neighbours(offsets, neighbours)?;
        check_symmetry(offsets, neighbours)?;
        // The size check above makes both conversions lossless.
        let signed = |values: &[u32]| values.iter().map(|&v| v as i32).collect();
        Ok(Self { offsets: signed(offsets), neighbours: signed(neighbours) })
    }

    pub(crate) fn node_count(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(crate) fn is_edgeless(&self) -> bool {
        self.neighbours.is_empty()
    }

    /// Offsets and neighbours, given away: METIS takes mutable arrays.
    pub(crate) fn into_parts(self) -> (Vec<i32>, Vec<i32>) {
        (self.offsets, self.neighbours)
    }
}

fn check_offsets(offsets: &[u32], neighbour_count: usize) -> Result<(), OrderingError> {
    let node_count = offsets.len() - 1;
    // One less than the range of i32, so that node_count + 1 fits too.
    if node_count.max(neighbour_count) >= i32::MAX as usize {
        return Err(OrderingError::TooLarge { node_count, neighbour_count });
    }
    let (first, last) = (offsets.first().copied(), offsets.last().copied());
    if first != Some(0) || last != Some(neighbour_count as u32) {
        return Err(OrderingError::OffsetRange { first, last, neighbour_count });
    }
    match offsets.windows(2).position(|pair| pair[0] > pair[1]) {
        None => Ok(()),
        Some(node) => {
            Err(OrderingError::OffsetOrder { node, start: offsets[node], end: offsets[node + 1] })
        }
    }
}

/// The neighbours of each node, in order.
fn rows<'a>(offsets: &'a [u32], neighbours: &'a [u32]) -> impl Iterator<Item = &'a [u32]> {
    offsets.windows(2).map(|pair| &neighbours[pair[0] as usize..pair[1] as usize])
}

fn check_neighbours(offsets: &[u32], neighbours: &[u32]) -> Result<(), OrderingError> {
    let node_count = offsets.len() - 1;
    for (node, row) in rows(offsets, neighbours).enumerate() {
        for &neighbour in row {
            if neighbour as usize >= node_count {
                return Err(OrderingError::MissingNode { node, neighbour, node_count });
            }
            if neighbour as usize == node {
                return Err(OrderingError::SelfLoop { node });
            }
        }
    }
    Ok(())
}

/// A transpose has sorted rows, so that the graph transposed twice is itself, sorted; it is
/// symmetric when it equals its transpose. Linear in the number of edges.
fn check_symmetry(offsets: &[u32], neighbours: &[u32]) -> Result<(), OrderingError> {
    let (t_offsets, t_neighbours) = transpose(offsets, neighbours);
    let (s_offsets, s_neighbours) = transpose(&t_offsets, &t_neighbours);
    let pairs = rows(&s_offsets, &s_neighbours).zip(rows(&t_offsets, &t_neighbours));
    for (node, (out, back)) in pairs.enumerate() {
        if let Some(pair) = out.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(OrderingError::Duplicate { node, neighbour: pair[0] });
        }
        if let Some(&neighbour) = out.iter().find(|n| back.binary_search(n).is_err()) {
            return Err(OrderingError::Asymmetric { node, neighbour });
        }
        if let Some(&other) = back.iter().find(|n| out.binary_search(n).is_err()) {
            let (node, neighbour) = (other as usize, node as u32);
            return Err(OrderingError::Asymmetric { node, neighbour });
        }
    }
    Ok(())
}

fn transpose(offsets: &[u32], neighbours: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; offsets.len()];
    for &n in neighbours {
        starts[n as usize + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut cursor = starts.clone();
    let mut out = vec![0u32; neighbours.len()];
    for (node, row) in rows(offsets, neighbours).enumerate() {
        for &n in row {
            out[cursor[n as usize] as usize] = node as u32;
            cursor[n as usize] += 1;
        }
    }
    (starts, out)
}
