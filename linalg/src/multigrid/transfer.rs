//! From one level to the next and back: the prolongator of the aggregates and the coarse matrix.

use rayon::prelude::*;

use super::aggregation::{Aggregation, NONE};
use super::galerkin::{Products, galerkin_block, half_block, symmetrize};
use super::lanes::{self, Lanes};
use super::modes::{Block6, Modes, RowModes, orthonormalize};
use super::ordering::Ordering;
use crate::Vec3;
use crate::block_matrix::BLOCK;
use crate::vector::CHUNK;
use crate::{BlockMatrix, BlockPattern};

/// Aggregates a task works on: some 15 rows each.
const AGGREGATES: usize = CHUNK / 16;

/// Prolongator and Galerkin product of one level.
pub(super) struct Transfer {
    /// Block rows, aggregate by aggregate.
    members: Vec<u32>,
    /// Index of the first member of each aggregate.
    offsets: Vec<u32>,
    /// Aggregate and member index of every block row, or [`NONE`].
    place: Vec<[u32; 2]>,
    /// `members` and `place` in the order of the sweeps.
    swept_members: Vec<u32>,
    swept_place: Vec<[u32; 2]>,
    /// Prolongator of every member.
    modes: Vec<Modes>,
    /// The same, rounded.
    rounded: Vec<[Lanes; 6]>,
    /// Rigid motions of each aggregate in its own coarse scalars, about its center.
    rigid: Vec<Block6>,
    centers: Vec<Vec3>,
    /// Coupled pairs of aggregates, first <= second: where their contributions start.
    pair_offsets: Vec<u32>,
    /// Contributions: member index of the row, slot of the fine block.
    contributions: Vec<[u32; 2]>,
    pairs: Vec<Block6>,
    /// For every slot of the coarse pattern, 8 pair + 4 [transposed] + 2 (row half) + column half.
    sources: Vec<u32>,
}

impl Transfer {
    /// Maps for a level whose nodes are `width` consecutive block rows of `pattern`, and which is
    /// swept in the order of `ordering`; returns them with the graph of the aggregates and the coarse pattern of two block rows an aggregate.
    pub(super) fn new(
        (pattern, ordering): (&BlockPattern, &Ordering),
        width: usize,
        aggregation: &Aggregation,
    ) -> (Self, BlockPattern, BlockPattern) {
        let mut sorted: Vec<(u32, u32)> = (0..pattern.size() as u32)
            .map(|row| (aggregation.of_node[row as usize / width], row))
            .filter(|&(aggregate, _)| aggregate != NONE)
            .collect();
        sorted.sort_unstable();
        let mut place = vec![[NONE; 2]; pattern.size()];
        let mut offsets = vec![0u32; aggregation.count + 1];
        for (k, &(aggregate, row)) in sorted.iter().enumerate() {
            place[row as usize] = [aggregate, k as u32];
            offsets[aggregate as usize + 1] = k as u32 + 1;
        }
        let members: Vec<u32> = sorted.iter().map(|s| s.1).collect();
        let products = Products::new(pattern, &place, (&offsets, &members));
        let graph = products.graph(aggregation.count);
        let (coarse, sources) = products.coarse_pattern(&graph);
        let transfer = Self {
            swept_members: members.iter().map(|&row| ordering.places[row as usize]).collect(),
            swept_place: ordering.rows.iter().map(|&row| place[row as usize]).collect(),
            modes: vec![[Vec3::zeros(); 6]; members.len()],
            rounded: vec![[lanes::ZERO; 6]; members.len()],
            rigid: vec![[[0.0; 6]; 6]; aggregation.count],
            centers: vec![Vec3::zeros(); aggregation.count],
            pairs: vec![[[0.0; 6]; 6]; products.pairs.len()],
            pair_offsets: products.offsets,
            contributions: products.contributions,
            members,
            offsets,
            place,
            sources,
        };
        (transfer, graph, coarse)
    }

    /// Renews the prolongator for what rigid motions are on the rows of this level.
    pub(super) fn update_modes(&mut self, row_modes: &(impl Fn(usize) -> RowModes + Sync)) {
        let Self { members, offsets, modes, rigid, centers, .. } = self;
        let aggregates = Aggregates { offsets, members, modes, rigid, centers };
        aggregates.update(row_modes);
        let chunks = (self.rounded.par_chunks_mut(CHUNK), self.modes.par_chunks(CHUNK));
        chunks.into_par_iter().for_each(|(rounded, modes)| {
            for (rounded, modes) in rounded.iter_mut().zip(modes) {
                *rounded = modes.map(|mode| lanes::round(&mode, 1.0));
            }
        });
    }

    /// Rigid motions on a row of the next level.
    pub(super) fn coarse_modes(&self, row: usize) -> RowModes {
        let (rigid, half) = (&self.rigid[row / 2], 3 * (row % 2));
        let column = |k: usize| Vec3::new(rigid[k][half], rigid[k][half + 1], rigid[k][half + 2]);
        RowModes { modes: std::array::from_fn(column), point: self.centers[row / 2] }
    }

    /// `coarse` = P^T `fine` P, with 1 on the diagonal of scalars that no mode stands behind.
    pub(super) fn update_coarse(&mut self, fine: &BlockMatrix, coarse: &mut BlockMatrix) {
        let Self { place, modes, pair_offsets, contributions, pairs, members, .. } = self;
        pairs.par_chunks_mut(AGGREGATES).enumerate().for_each(|(chunk, pairs)| {
            for (k, pair) in pairs.iter_mut().enumerate() {
                let pair_index = chunk * AGGREGATES + k;
                let range =
                    pair_offsets[pair_index] as usize..pair_offsets[pair_index + 1] as usize;
                let list = &contributions[range];
                *pair = galerkin_block(fine, (place, modes), list);
                let [row, slot] = list[0];
                let own = place[members[row as usize] as usize][0];
                let other = place[fine.pattern().columns()[slot as usize] as usize][0];
                if own == other {
                    symmetrize(pair);
                }
            }
        });
        let Self { pairs, sources, rigid, .. } = self;
        let chunks = coarse.values_mut().par_chunks_mut(BLOCK * CHUNK);
        (chunks, sources.par_chunks(CHUNK)).into_par_iter().for_each(|(values, sources)| {
            for (target, &source) in values.as_chunks_mut::<BLOCK>().0.iter_mut().zip(sources) {
                *target = half_block(&pairs[source as usize / 8], source);
            }
        });
        let pattern = coarse.pattern().clone();
        for (aggregate, rigid) in rigid.iter().enumerate() {
            for k in (0..6).filter(|&k| rigid[k][k] == 0.0) {
                let slot = pattern.diagonal(2 * aggregate + k / 3);
                coarse.values_mut()[BLOCK * slot + 4 * (k % 3)] = 1.0;
            }
        }
    }

    /// `coarse` = P^T `fine`; `fine` is in the order of the sweeps.
    pub(super) fn restrict(&self, fine: &[Lanes], coarse: &mut [Lanes]) {
        coarse.par_chunks_mut(2 * AGGREGATES).enumerate().for_each(|(chunk, coarse)| {
            for (k, coarse) in coarse.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                let aggregate = chunk * AGGREGATES + k;
                let range = self.offsets[aggregate] as usize..self.offsets[aggregate + 1] as usize;
                let mut parts = [lanes::ZERO; 6];
                let members = self.rounded[range.clone()].iter().zip(&self.swept_members[range]);
                for (modes, &place) in members {
                    let fine = fine[place as usize];
                    (0..6).for_each(|c| parts[c] += modes[c] * fine);
                }
                let [a, b, c, d, e, f] = parts.map(lanes::sum);
                *coarse = [lanes::new([a, b, c]), lanes::new([d, e, f])];
            }
        });
    }

    /// `x` += `factor` P `coarse`; `x` is in the order of the sweeps.
    pub(super) fn prolong(&self, factor: f32, coarse: &[Lanes], x: &mut [Lanes]) {
        let chunks = (x.par_chunks_mut(CHUNK), self.swept_place.par_chunks(CHUNK));
        chunks.into_par_iter().for_each(|(x, place)| {
            for (x, &[aggregate, member]) in x.iter_mut().zip(place) {
                if aggregate == NONE {
                    continue;
                }
                let [a, b, c, d, e, f] = self.rounded[member as usize];
                let [t, w] = [coarse[2 * aggregate as usize], coarse[2 * aggregate as usize + 1]];
                let sum = lanes::product([a, b, c], t) + lanes::product([d, e, f], w);
                *x += lanes::scale(sum, factor);
            }
        });
    }
}

/// A contiguous range of aggregates with their own slices of what is renewed.
struct Aggregates<'a> {
    offsets: &'a [u32],
    members: &'a [u32],
    modes: &'a mut [Modes],
    rigid: &'a mut [Block6],
    centers: &'a mut [Vec3],
}

impl Aggregates<'_> {
    /// In parallel by halving, which allocates nothing.
    fn update(self, row_modes: &(impl Fn(usize) -> RowModes + Sync)) {
        let count = self.centers.len();
        if count <= AGGREGATES {
            return self.update_here(row_modes);
        }
        let half = count / 2;
        let split = (self.offsets[half] - self.offsets[0]) as usize;
        let (members, modes) = (self.members.split_at(split), self.modes.split_at_mut(split));
        let (rigid, centers) = (self.rigid.split_at_mut(half), self.centers.split_at_mut(half));
        let left = Aggregates {
            offsets: &self.offsets[..=half],
            members: members.0,
            modes: modes.0,
            rigid: rigid.0,
            centers: centers.0,
        };
        let right = Aggregates {
            offsets: &self.offsets[half..],
            members: members.1,
            modes: modes.1,
            rigid: rigid.1,
            centers: centers.1,
        };
        rayon::join(|| left.update(row_modes), || right.update(row_modes));
    }

    fn update_here(self, row_modes: &impl Fn(usize) -> RowModes) {
        for (k, (rigid, center)) in self.rigid.iter_mut().zip(self.centers).enumerate() {
            let start = self.offsets[0];
            let range = (self.offsets[k] - start) as usize..(self.offsets[k + 1] - start) as usize;
            let (members, modes) = (&self.members[range.clone()], &mut self.modes[range]);
            let points = members.iter().map(|&row| row_modes(row as usize).point);
            *center = points.sum::<Vec3>() / members.len() as f64;
            for (modes, &row) in modes.iter_mut().zip(members) {
                *modes = row_modes(row as usize).about(*center);
            }
            *rigid = orthonormalize(modes);
        }
    }
}
