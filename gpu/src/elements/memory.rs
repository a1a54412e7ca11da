//! Stresses that the points of elements remember, on the device: quasi-linear viscoelasticity. What is left of them in a step is
//! summed at its start; what they become is computed after it, from where it led to.

use std::ops::Range;

use sinew::force::Relaxation;
use sinew::material::PronyTerm;
use sinew_shaders::kernel::Sizes;
use sinew_shaders::layout::STRESS_SIZE;
use sinew_shaders::params::{LeftParams, MemoryParams};
use sinew_shaders::program::{BufferId, Command, Program};

use super::{ElementChunk, Elements, FactorOffsets};

/// A series by which stresses relax.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    terms: Vec<PronyTerm>,
    /// Share of the stress of the law that is left in the long run [-].
    long_term: f64,
}

impl Series {
    pub(crate) fn of(relaxation: &Relaxation<'_>) -> Self {
        Self { terms: relaxation.terms.to_vec(), long_term: relaxation.long_term }
    }

    fn stress_count(&self) -> usize {
        1 + self.terms.len()
    }

    fn relaxation(&self) -> Relaxation<'_> {
        let Self { terms, long_term } = self;
        Relaxation { terms, long_term: *long_term, stress: Default::default(), first: 0 }
    }

    /// Number of its factors.
    pub fn factor_count(&self) -> usize {
        1 + self.stress_count() + 3 * self.terms.len()
    }

    /// Multiple of the stress of the law that is left a time [s] after the start of a step [-].
    pub fn law_factor(&self, after: f64) -> f64 {
        self.relaxation().weights_after(after).0
    }

    /// Its factors for a step of length `h` [s] whose forces are taken `after` [s], with the factor of forces `h`.
    pub fn factors(&self, after: f64, h: f64) -> impl Iterator<Item = f64> {
        let relaxation = self.relaxation();
        let (factor, weights) = relaxation.weights_after(after);
        let left = weights.into_iter().take(self.stress_count());
        let delayed: Vec<f64> = relaxation.delayed_after(h).flatten().collect();
        std::iter::once(h * factor).chain(left).chain(delayed)
    }
}

/// Memory of the points of one piece of a batch.
#[derive(Clone, Debug)]
pub(super) struct ChunkMemory {
    /// Index of its series.
    pub(super) series: usize,
    pub(super) remembered: RememberedStresses,
}

/// A part of the memory of a state that a device holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RememberedStresses {
    /// Its numbers, in the order of the state.
    pub buffer: BufferId,
    /// Places in the memory of a state.
    pub places: Range<usize>,
}

impl Elements {
    /// The series by which stresses relax, in the order of their places.
    pub fn series(&self) -> &[Series] {
        &self.series
    }

    /// All stresses that are remembered; none of elastic tissue.
    pub fn remembered(&self) -> impl Iterator<Item = &RememberedStresses> {
        self.chunks.iter().filter_map(|chunk| chunk.memory.as_ref()).map(|it| &it.remembered)
    }

    /// Sums what is left in a step of earlier stresses; to be done before forces and matrix.
    pub fn left_stresses(&self, program: &Program, places: FactorOffsets) -> Vec<Command> {
        let with_memory = |chunk: &ElementChunk| {
            chunk.memory.as_ref().map(|memory| self.left_call(program, (chunk, memory), places))
        };
        self.chunks.iter().filter_map(with_memory).collect()
    }

    /// Brings what is remembered up to date after the step that led to the displacements `end`.
    pub fn remember(
        &self,
        program: &Program,
        end: BufferId,
        places: FactorOffsets,
    ) -> Vec<Command> {
        let with_memory = |chunk: &ElementChunk| {
            let call = |memory| self.remember_call(program, (chunk, memory), (end, places));
            chunk.memory.as_ref().map(call)
        };
        self.chunks.iter().filter_map(with_memory).collect()
    }

    fn left_call(
        &self,
        program: &Program,
        (chunk, memory): (&ElementChunk, &ChunkMemory),
        places: FactorOffsets,
    ) -> Command {
        let (points, stresses) = (chunk.point_count(), self.series[memory.series].stress_count());
        let params = LeftParams {
            point_count: points as u32,
            stress_count: stresses as u32,
            first_left: chunk.variant.geometry_places().left * chunk.count as u32,
            weight_place: self.series_place(memory.series, places) + 1,
        };
        let sizes =
            Sizes { items: (points * stresses) as u64, points: points as u64, ..Sizes::default() };
        let bindings = [self.shared.factors, memory.remembered.buffer, chunk.geometry];
        program.call("left_stress", &params, &bindings, (points, sizes))
    }

    fn remember_call(
        &self,
        program: &Program,
        (chunk, memory): (&ElementChunk, &ChunkMemory),
        (end, places): (BufferId, FactorOffsets),
    ) -> Command {
        let stresses = self.series[memory.series].stress_count() as u32;
        let params = MemoryParams {
            element_count: chunk.count as u32,
            activation_place: places.activation(chunk),
            stress_count: stresses,
            weight_place: self.series_place(memory.series, places) + 1 + stresses,
        };
        let (factors, numbers) = (self.shared.factors, memory.remembered.buffer);
        let bindings = [end, chunk.rows, chunk.geometry, chunk.table, factors, numbers];
        let sizes = Sizes { items: u64::from(stresses), ..chunk.sizes() };
        let variant = ("remember_stress", Some(chunk.variant));
        program.call_variant(variant, &params, &bindings, (chunk.point_count(), sizes))
    }

    /// Place of the first factor of a series.
    pub(super) fn series_place(&self, series: usize, places: FactorOffsets) -> u32 {
        let before: usize = self.series[..series].iter().map(Series::factor_count).sum();
        places.series + before as u32
    }
}

/// Numbers of an element in the memory of a state.
pub(super) fn numbers_of_element(relaxation: &Relaxation<'_>, points: u32) -> usize {
    STRESS_SIZE as usize * relaxation.stress_count() * points as usize
}
