//! Volumes around nodes on the device: the lists by which corners are gathered at nodes, and pairs of nodes in one volume at the
//! entries of the matrix. A volume is that of all elements of a batch at a node, so that a batch is not cut.

use std::ops::Range;

use sinew::force::NodeVolume;
use sinew_shaders::kernel::{Scalar, Sizes};
use sinew_shaders::layout::SLICE;
use sinew_shaders::matrix::Segment;
use sinew_shaders::params::{AssembleParams, NodeParams, SlopeParams, VolumeParams};
use sinew_shaders::program::{BufferId, Command, Data, Program};

use super::{ElementChunk, SegmentSources};

/// Buffers of the volumes around the nodes of a batch.
#[derive(Clone, Debug)]
pub(super) struct NodalVolumes {
    node_count: usize,
    /// Corners at each node.
    corners: BufferId,
    nodes: BufferId,
    weights: BufferId,
    slopes: SlopeBuffers,
    entries: Vec<SegmentSources>,
}

/// Buffers of the derivatives of volumes: one for each node and each in an element with it.
#[derive(Clone, Debug)]
struct SlopeBuffers {
    count: usize,
    source_count: usize,
    nodes: BufferId,
    offsets: BufferId,
    sources: BufferId,
    slopes: BufferId,
}

/// Rows of the nodes of elements on the device, that of node a of element e at a * count + e, and nodes of an element.
#[derive(Clone, Copy)]
pub(super) struct ElementRows<'a> {
    pub(super) rows: &'a [u32],
    pub(super) nodes: usize,
}

impl ElementRows<'_> {
    fn count(self) -> usize {
        self.rows.len() / self.nodes
    }

    fn row(self, e: usize, a: usize) -> u32 {
        self.rows[a * self.count() + e]
    }
}

/// The pairs of nodes in one volume. Slope k is of the node `nodes[k]` by the row `rows[k]`; those of a node are side by side,
/// rising by row.
#[derive(Debug, PartialEq, Eq)]
struct Slopes {
    /// Slopes of each node.
    ranges: Vec<Range<usize>>,
    nodes: Vec<u32>,
    rows: Vec<u32>,
    /// Pairs of corners that each is summed over, (e * n + a) * n + b.
    offsets: Vec<u32>,
    sources: Vec<u32>,
}

impl Slopes {
    /// `corners` are those of each node, e * n + a.
    fn new(elements: ElementRows<'_>, corners: &[Vec<u32>]) -> Self {
        let (n, mut found) = (elements.nodes, Self::empty());
        for (node, corners) in (0..).zip(corners) {
            let first = found.rows.len();
            let mut pairs: Vec<(u32, u32)> = Vec::new();
            for &corner in corners {
                let e = corner as usize / n;
                pairs.extend((0..n).map(|b| (elements.row(e, b), corner * n as u32 + b as u32)));
            }
            pairs.sort_unstable();
            for (row, source) in pairs {
                if found.rows.len() == first || found.rows.last() != Some(&row) {
                    found.offsets.push(found.sources.len() as u32);
                    found.rows.push(row);
                    found.nodes.push(node);
                }
                found.sources.push(source);
            }
            found.ranges.push(first..found.rows.len());
        }
        found.offsets.push(found.sources.len() as u32);
        found
    }

    fn empty() -> Self {
        let [nodes, rows, offsets, sources] = [const { Vec::new() }; 4];
        Self { ranges: Vec::new(), nodes, rows, offsets, sources }
    }

    /// Slopes by each of `row_count` rows, rising by node.
    fn at_rows(&self, row_count: usize) -> Vec<Vec<u32>> {
        let mut at = vec![Vec::new(); row_count];
        (0..).zip(&self.rows).for_each(|(slope, &row)| at[row as usize].push(slope));
        at
    }

    /// Entries of a segment that volumes add to, the start of the sources of each, and these: two slopes, of its row and its column.
    fn entries_of(&self, segment: &Segment, at_rows: &[Vec<u32>]) -> [Vec<u32>; 3] {
        let [mut entries, mut offsets, mut sources] = [const { Vec::new() }; 3];
        let mut known = vec![u32::MAX; at_rows.len()];
        for slice in 0..segment.slice_count() {
            let first = segment.first_row + slice * SLICE as usize;
            let end = (first + SLICE as usize).min(segment.first_row + segment.row_count);
            let width = (segment.slices[slice + 1] - segment.slices[slice]) as usize;
            let mut found: Vec<[u32; 3]> = Vec::new();
            for row in first..end {
                let own = || (0..width).map(|k| segment.entry(row, k));
                own().for_each(|entry| known[segment.columns[entry] as usize] = entry as u32);
                for &slope in &at_rows[row] {
                    let beside = self.ranges[self.nodes[slope as usize] as usize].clone();
                    for other in beside.filter(|&other| self.rows[other] as usize != row) {
                        let entry = known[self.rows[other] as usize];
                        assert!(entry != u32::MAX, "rows of one volume have no entry");
                        found.push([entry, slope, other as u32]);
                    }
                }
                own().for_each(|entry| known[segment.columns[entry] as usize] = u32::MAX);
            }
            // Of (i, j) and (j, i) by rising node: the same sums.
            found.sort_unstable();
            for [entry, slope, other] in found {
                if entries.last() != Some(&entry) {
                    offsets.push(sources.len() as u32 / 2);
                    entries.push(entry);
                }
                sources.extend([slope, other]);
            }
        }
        offsets.push(sources.len() as u32 / 2);
        [entries, offsets, sources]
    }
}

/// Corners of each of the nodes of volumes, e * n + a.
fn corners_of(
    elements: ElementRows<'_>,
    volumes: &[NodeVolume],
    device_row: &[u32],
) -> Vec<Vec<u32>> {
    let mut node_of = vec![u32::MAX; device_row.len()];
    (0..).zip(volumes).for_each(|(node, it)| node_of[device_row[it.row as usize] as usize] = node);
    let mut corners = vec![Vec::new(); volumes.len()];
    for (e, a) in (0..elements.count()).flat_map(|e| (0..elements.nodes).map(move |a| (e, a))) {
        let node = node_of[elements.row(e, a) as usize] as usize;
        corners[node].push((e * elements.nodes + a) as u32);
    }
    corners
}

impl NodalVolumes {
    /// Adds the buffers for a batch to a program, with `blocks` of each segment.
    pub(super) fn new(
        program: &mut Program,
        (elements, volumes): (ElementRows<'_>, &[NodeVolume]),
        device_row: &[u32],
        segments: (&[Segment], &[BufferId]),
    ) -> Self {
        let corners = corners_of(elements, volumes, device_row);
        let slopes = Slopes::new(elements, &corners);
        let at_rows = slopes.at_rows(device_row.len());
        let entries = segments.0.iter().zip(segments.1).map(|(segment, &blocks)| {
            let [entries, offsets, sources] = slopes.entries_of(segment, &at_rows);
            let (entry_count, source_count) = (entries.len(), sources.len() / 2);
            let mut add = |name, words| program.add_data(name, Data::Words(words));
            SegmentSources {
                blocks,
                entries: add("entries of volumes", entries),
                offsets: add("offsets of slopes", offsets),
                sources: add("slopes of entries", sources),
                entry_count,
                source_count,
            }
        });
        let entries = entries.collect();
        let of_node = |it: &NodeVolume| {
            let [modulus, logarithmic] = it.bulk.packed();
            [it.volume, modulus, logarithmic]
        };
        let nodes = volumes.iter().flat_map(of_node).collect();
        let corners = corner_words(elements, &corners);
        Self {
            node_count: volumes.len(),
            corners: program.add_data("corners at nodes", Data::Words(corners)),
            nodes: program.add_data("volumes around nodes", Data::Reals(nodes)),
            weights: program.add_zeros("weights of volumes", Scalar::Float, volumes.len()),
            slopes: SlopeBuffers::new(program, slopes),
            entries,
        }
    }

    /// The pressures of the nodes, and what the field changes them by.
    pub(super) fn pressures(
        &self,
        program: &Program,
        chunk: &ElementChunk,
        (displacement, field): (BufferId, BufferId),
    ) -> [Command; 2] {
        let (variant, corner_count) = (chunk.variant, chunk.corner_count());
        let params = VolumeParams { element_count: chunk.count as u32, ..Default::default() };
        let bindings = [displacement, field, chunk.rows, chunk.table, chunk.geometry];
        // Of a point the scalars of its own; two of each corner.
        let items = u64::from(variant.pressure_scalars() + 2 * variant.node_count);
        let work = (chunk.count, Sizes { items, ..chunk.sizes() });
        let volumes = ("corner_volumes", Some(variant));
        let volumes = program.call_variant(volumes, &params, &bindings, work);
        let params = NodeParams {
            node_count: self.node_count as u32,
            first_corner: variant.geometry_places().nodal * chunk.count as u32,
            rate_stride: corner_count as u32,
            extra_0: 0,
        };
        let bindings = [self.corners, self.nodes, chunk.geometry, self.weights];
        let (rows, contributions) = (self.node_count as u64, corner_count as u64);
        let work = (self.node_count, Sizes { rows, contributions, ..Sizes::default() });
        let pressures = ("node_pressures", Some(variant));
        [volumes, program.call_variant(pressures, &params, &bindings, work)]
    }

    /// Adds what the volumes resist with to the matrix, with the factor at a place; from `points` of all elements of the batch.
    pub(super) fn assemble(
        &self,
        program: &Program,
        chunk: &ElementChunk,
        (points, factors, factor_place): (BufferId, BufferId, u32),
    ) -> Vec<Command> {
        let (variant, own) = (Some(chunk.variant), &self.slopes);
        let params = SlopeParams { slope_count: own.count as u32, ..Default::default() };
        let lists = [own.nodes, own.offsets, own.sources, self.weights, own.slopes];
        let bindings = [&[points, chunk.table_floats][..], &lists].concat();
        let (entries, contributions) = (own.count as u64, own.source_count as u64);
        let work = (own.count, Sizes { entries, contributions, ..chunk.sizes() });
        let mut commands =
            vec![program.call_variant(("node_slopes", variant), &params, &bindings, work)];
        for to in self.entries.iter().filter(|to| to.entry_count > 0) {
            let entry_count = to.entry_count as u32;
            let params = AssembleParams { entry_count, factor_place, ..Default::default() };
            let bindings = [own.slopes, to.entries, to.offsets, to.sources, factors, to.blocks];
            let sizes = Sizes {
                entries: to.entry_count as u64,
                contributions: to.source_count as u64,
                items: own.count as u64,
                ..Sizes::default()
            };
            let work = (to.entry_count, sizes);
            commands.push(program.call_variant(
                ("assemble_nodes", variant),
                &params,
                &bindings,
                work,
            ));
        }
        commands
    }
}

impl SlopeBuffers {
    fn new(program: &mut Program, slopes: Slopes) -> Self {
        let (count, source_count) = (slopes.nodes.len(), slopes.sources.len());
        let mut add = |name, words| program.add_data(name, Data::Words(words));
        Self {
            count,
            source_count,
            nodes: add("nodes of slopes", slopes.nodes),
            offsets: add("offsets of corners", slopes.offsets),
            sources: add("corners of slopes", slopes.sources),
            slopes: program.add_zeros("slopes of volumes", Scalar::Float, 4 * count),
        }
    }
}

/// Offsets of the corners of each node, then their places behind the first of them in a geometry.
fn corner_words(elements: ElementRows<'_>, corners: &[Vec<u32>]) -> Vec<u32> {
    let (count, n) = (elements.count() as u32, elements.nodes as u32);
    let sums = corners.iter().scan(0, |sum, own| {
        *sum += own.len() as u32;
        Some(*sum)
    });
    let places = corners.iter().flatten().map(|corner| corner % n * count + corner / n);
    std::iter::once(0).chain(sums).chain(places).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::material::Bulk;

    #[test]
    fn nodes_of_two_tetrahedra_couple_where_they_are_around_one_node() {
        // Nodes 0 1 2 3 and 1 2 3 4.
        let rows = [0, 1, 1, 2, 2, 3, 3, 4];
        let elements = ElementRows { rows: &rows, nodes: 4 };
        let volume = |row| NodeVolume { row, volume: 1.0, bulk: Bulk::unpack(1.0, 0.0) };
        let volumes: Vec<NodeVolume> = (0..5).map(volume).collect();
        let corners = corners_of(elements, &volumes, &[0, 1, 2, 3, 4]);
        assert_eq!(corners, [vec![0], vec![1, 4], vec![2, 5], vec![3, 6], vec![7]]);
        // Corner a of element e stands at 2 a + e.
        let words = [0, 1, 3, 5, 7, 8, 0, 2, 1, 4, 3, 6, 5, 7];
        assert_eq!(corner_words(elements, &corners), words);

        let slopes = Slopes::new(elements, &corners);
        assert_eq!(slopes.ranges, [0..4, 4..9, 9..14, 14..19, 19..23]);
        assert_eq!(slopes.rows[4..9], [0, 1, 2, 3, 4]);
        // Of node 1 by row 2: corners 1 and 2 of the first element, 0 and 1 of the second.
        let own = slopes.offsets[6] as usize..slopes.offsets[7] as usize;
        assert_eq!(slopes.sources[own], [6, 17]);

        let neighbours: Vec<Vec<u32>> =
            (0..5).map(|i| (0..5).filter(|&j| j != i).collect()).collect();
        let segment = Segment::new(0, 5, |i| &neighbours[i], |_| 0);
        let [entries, offsets, sources] = slopes.entries_of(&segment, &slopes.at_rows(5));
        assert_eq!((entries.len(), offsets.len(), sources.len()), (20, 21, 2 * (2 * 12 + 3 * 20)));
        let pairs = |row: usize, column: u32| -> Vec<[u32; 2]> {
            let entry = (0..4).map(|k| segment.entry(row, k));
            let entry = entry.into_iter().find(|&entry| segment.columns[entry] == column).unwrap();
            let k = entries.iter().position(|&known| known as usize == entry).unwrap();
            let own = 2 * offsets[k] as usize..2 * offsets[k + 1] as usize;
            sources[own].chunks(2).map(|pair| [pair[0], pair[1]]).collect()
        };
        // Rows 0 and 4 are both around nodes 1, 2 and 3, in that order from either side.
        assert_eq!(pairs(0, 4), [[4, 8], [9, 13], [14, 18]]);
        assert_eq!(pairs(4, 0), [[8, 4], [13, 9], [18, 14]]);
    }
}
