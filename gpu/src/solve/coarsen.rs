//! The lists behind one step to a coarser level: which rows form an aggregate, and which blocks add up
//! to which of the coarse matrix. Made once, from the pattern alone.

use sinew::linalg::aggregation::{Aggregation, NONE};
use sinew_shaders::matrix::Segment;

use super::graph::Graph;
use super::level::countable;
use crate::GpuError;

/// From the rows of a level to those of the next, two for each aggregate.
pub(super) struct Coarsening {
    pub(super) aggregate_count: usize,
    /// Starts of the aggregates, their rows, the aggregate of every row, entries (2a, 2a + 1).
    pub(super) maps: Vec<u32>,
    /// Index of the first aggregate of the rows in `maps`.
    pub(super) of_row: u32,
    /// Index of the first entry in `maps`.
    pub(super) bases: u32,
    /// Number of coupled pairs of aggregates.
    pub(super) pair_count: usize,
    /// For each segment of the level: starts of the pairs, two entries of each, then row and entry of
    /// every contribution.
    pub(super) lists: Vec<Vec<u32>>,
    /// The graph of the aggregates.
    pub(super) graph: Graph,
    /// The coarse matrix.
    pub(super) coarse: Segment,
}

/// One block between two aggregates: the second of them, segment, row, entry.
type Contribution = (u32, u32, u32, u32);

impl Coarsening {
    /// For a level whose nodes are `width` consecutive rows of `graph`, which lies in `segments`.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] when a list cannot be numbered.
    pub(super) fn new(
        (graph, width): (&Graph, usize),
        segments: &[Segment],
        aggregation: &Aggregation,
    ) -> Result<Self, GpuError> {
        let of_row: Vec<u32> =
            (0..graph.size()).map(|row| aggregation.of_node[row / width]).collect();
        let (starts, members) = members(&of_row, aggregation.count);
        let (pairs, found) = coupled_pairs(graph, segments, &of_row, (&starts, &members));
        let coarse_graph = Graph::of_pairs(aggregation.count, &pairs);
        let rows = coarse_graph.doubled();
        let coarse = Segment::new(0, rows.size(), |row| rows.of(row), |_| 0);
        let entry = |row: u32, column: u32| {
            let k = rows.of(row as usize).partition_point(|&c| c < column);
            coarse.entry(row as usize, k) as u32
        };
        let bases: Vec<u32> =
            pairs.iter().flat_map(|&[a, b]| [entry(2 * a, 2 * b), entry(2 * b, 2 * a)]).collect();
        let own_entries = (0..aggregation.count as u32).map(|a| entry(2 * a, 2 * a + 1)).collect();
        let lists: Vec<Vec<u32>> = found.into_iter().map(|found| found.words(&bases)).collect();
        for list in &lists {
            countable("the list of blocks between aggregates", list.len() as u64)?;
        }
        let of_row_place = (starts.len() + members.len()) as u32;
        Ok(Self {
            aggregate_count: aggregation.count,
            of_row: of_row_place,
            bases: of_row_place + of_row.len() as u32,
            maps: [starts, members, of_row, own_entries].concat(),
            pair_count: pairs.len(),
            lists,
            graph: coarse_graph,
            coarse,
        })
    }
}

/// Pairs of aggregates that couple, rising, and the contributions of each segment to them. The rows of aggregate a are
/// `members[starts[a]..starts[a + 1]]`.
fn coupled_pairs(
    graph: &Graph,
    segments: &[Segment],
    of_row: &[u32],
    (starts, members): (&[u32], &[u32]),
) -> (Vec<[u32; 2]>, Vec<Found>) {
    let (mut pairs, mut found) = (Vec::new(), vec![Found::default(); segments.len()]);
    let mut own: Vec<Contribution> = Vec::new();
    for (aggregate, ends) in starts.windows(2).enumerate() {
        own.clear();
        for &row in &members[ends[0] as usize..ends[1] as usize] {
            push_couplings(graph, segments, (of_row, row), &mut own);
        }
        own.sort_unstable();
        for pair in own.chunk_by(|a, b| a.0 == b.0) {
            pairs.push([aggregate as u32, pair[0].0]);
            found.iter_mut().for_each(|found| found.starts.push(found.list.len() as u32 / 2));
            for &(_, segment, row, entry) in pair {
                found[segment as usize].list.extend([row, entry]);
            }
        }
    }
    (pairs, found)
}

/// Contributions of one segment.
#[derive(Clone, Default)]
struct Found {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Found {
    fn words(mut self, bases: &[u32]) -> Vec<u32> {
        self.starts.push(self.list.len() as u32 / 2);
        [&self.starts, bases, &self.list].concat()
    }
}

/// Aggregates that are sorted among themselves: two rows each, 256 rows. Neighbours in space stay near each other.
const WINDOW: usize = 128;

/// Numbers the aggregates of the nodes of `graph` anew, within windows the most coupled first, so that the rows of a
/// slice of the coarse matrix are about as long. Returns the new number of each.
pub(super) fn sort_by_length(graph: &Graph, aggregation: &mut Aggregation) -> Vec<usize> {
    let of_node = &aggregation.of_node;
    let mut coupled = vec![Vec::new(); aggregation.count];
    for (node, &own) in of_node.iter().enumerate().filter(|&(_, &own)| own != NONE) {
        let others = graph.of(node).iter().map(|&other| of_node[other as usize]);
        coupled[own as usize].extend(others.filter(|&other| other != NONE && other != own));
    }
    for others in &mut coupled {
        others.sort_unstable();
        others.dedup();
    }
    let mut order: Vec<usize> = (0..aggregation.count).collect();
    for window in order.chunks_mut(WINDOW) {
        window.sort_by_key(|&aggregate| std::cmp::Reverse(coupled[aggregate].len()));
    }
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &aggregate)| places[aggregate] = place);
    for aggregate in aggregation.of_node.iter_mut().filter(|aggregate| **aggregate != NONE) {
        *aggregate = places[*aggregate as usize] as u32;
    }
    places
}

/// Starts of the aggregates, and their rows one aggregate after another.
fn members(of_row: &[u32], count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; count + 1];
    let grouped = || of_row.iter().enumerate().filter(|&(_, &aggregate)| aggregate != NONE);
    grouped().for_each(|(_, &aggregate)| starts[aggregate as usize + 1] += 1);
    (0..count).for_each(|aggregate| starts[aggregate + 1] += starts[aggregate]);
    let (mut next, mut members) = (starts.clone(), vec![0; starts[count] as usize]);
    for (row, &aggregate) in grouped() {
        let place = &mut next[aggregate as usize];
        members[*place as usize] = row as u32;
        *place += 1;
    }
    (starts, members)
}

/// The blocks of a row to aggregates after its own.
fn push_couplings(
    graph: &Graph,
    segments: &[Segment],
    (of_row, row): (&[u32], u32),
    own: &mut Vec<Contribution>,
) {
    let segment = segments.partition_point(|s| s.first_row <= row as usize) - 1;
    for (k, &column) in graph.of(row as usize).iter().enumerate() {
        let other = of_row[column as usize];
        if other != NONE && other > of_row[row as usize] {
            let entry = segments[segment].entry(row as usize, k);
            own.push((other, segment as u32, row, entry as u32));
        }
    }
}

#[cfg(test)]
mod tests {
    use sinew::linalg::aggregation::aggregate;

    use super::*;

    /// A block of nodes, each coupled to those within a box that grows along it.
    fn uneven() -> Graph {
        let [width, height] = [60i32, 12];
        let place = |i: i32| [i % width, i / width % height, i / width / height];
        let near = |i: i32, j: i32| {
            let (a, b) = (place(i), place(j));
            let reach = if a[0].min(b[0]) < width / 2 { 1 } else { 2 };
            i != j && (0..3).all(|k| (a[k] - b[k]).abs() <= reach)
        };
        let size = width * height * 4;
        let list = |i: i32| (0..size).filter(|&j| near(i, j)).map(|j| j as u32).collect();
        let lists: Vec<Vec<u32>> = (0..size).map(list).collect();
        Graph::new(size as usize, &|i| &lists[i])
    }

    #[test]
    fn rows_of_a_coarse_slice_are_about_as_long() {
        let graph = uneven();
        let mut aggregation = aggregate(&graph.pattern(), &vec![true; graph.size()]);
        let segment = Segment::new(0, graph.size(), |i| graph.of(i), |_| 0);
        let stored = |aggregation: &Aggregation| {
            let segments = std::slice::from_ref(&segment);
            let made = Coarsening::new((&graph, 1), segments, aggregation).expect("small");
            let rows = made.graph.doubled();
            let real: usize = (0..rows.size()).map(|row| rows.of(row).len()).sum();
            made.coarse.entry_count() as f64 / real as f64
        };
        let before = stored(&aggregation);
        let old = aggregation.of_node.clone();
        let places = sort_by_length(&graph, &mut aggregation);
        let after = stored(&aggregation);
        assert!(after < 1.25 && after < before, "{after} entries stored for one, {before} before");
        for (old, new) in old.iter().zip(&aggregation.of_node) {
            assert_eq!(places[*old as usize], *new as usize);
        }
    }

    /// A ring of 600 nodes, coupled to the next two on either side, in three segments.
    #[test]
    fn every_block_between_aggregates_is_listed_once() {
        let size = 600;
        let lists: Vec<Vec<u32>> = (0..size)
            .map(|i| {
                let mut list: Vec<u32> =
                    [1, 2, size - 1, size - 2].map(|k| ((i + k) % size) as u32).to_vec();
                list.sort_unstable();
                list
            })
            .collect();
        let graph = Graph::new(size, &|i| &lists[i]);
        let aggregation = aggregate(&graph.pattern(), &vec![true; size]);
        let cut = [(0, 256), (256, 256), (512, 88)];
        let segments = cut.map(|(first, count)| Segment::new(first, count, |i| &lists[i], |_| 0));
        let made = Coarsening::new((&graph, 1), &segments, &aggregation).expect("small");
        let of = &aggregation.of_node;
        let mut listed = 0;
        for (segment, list) in segments.iter().zip(&made.lists) {
            let contributions = &list[3 * made.pair_count + 1..];
            assert_eq!(list[made.pair_count] as usize, contributions.len() / 2);
            for pair in 0..made.pair_count {
                for k in list[pair] as usize..list[pair + 1] as usize {
                    let (row, entry) = (contributions[2 * k] as usize, contributions[2 * k + 1]);
                    let column = segment.columns[entry as usize] as usize;
                    assert!(lists[row].contains(&(column as u32)), "{row} to {column}");
                    let base = list[made.pair_count + 1 + 2 * pair] as usize;
                    assert_eq!(made.coarse.columns[base], 2 * of[column], "row {}", 2 * of[row]);
                    let mirrored = list[made.pair_count + 2 + 2 * pair] as usize;
                    assert_eq!(made.coarse.columns[mirrored], 2 * of[row], "of {}", 2 * of[column]);
                    listed += 1;
                }
            }
        }
        let crossing = |i: usize| lists[i].iter().filter(move |&&j| of[j as usize] > of[i]).count();
        assert_eq!(listed, (0..size).map(crossing).sum::<usize>());
    }
}
