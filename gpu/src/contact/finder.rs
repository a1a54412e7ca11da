//! The finder that detectors ask: rounds ways for the device, runs the search, and reads the list.

use std::fmt;

use sinew::Vec3;
use sinew::backend::KernelTime;
use sinew::contact::{
    CandidateFinder, Candidates, Collider, Member, Pair, PointSet, PointsBeside, Shape, Surface,
    Ways,
};
use sinew::geometry::SurfaceSide;
use sinew_shaders::layout::reach;
use sinew_shaders::program::{BufferId, Program};
use sinew_shaders::source::Precision;

use super::points::PointSearch;
use super::rounding::{ROUNDING, SLACK, WIDEST};
use super::search::Search;
use super::trees::Trees;
use crate::executor::Shared;
use crate::{Executor, Gpu, GpuError, Options, on_device, on_twins};

/// Finds candidates of those pairs that are large enough on a device. Clones share the device's side.
#[derive(Clone)]
pub struct DeviceFinder {
    shared: Shared,
    /// By pairs of the detector.
    pairs: Vec<Option<PairSearch>>,
    /// The same.
    points: Vec<Option<PointSearch>>,
}

/// Members and pairs that may touch: the input of a detector.
#[derive(Clone, Copy, Debug, Default)]
pub struct Touching<'a> {
    /// Shapes on bodies.
    pub colliders: &'a [Collider],
    /// Sets of points.
    pub points: &'a [PointSet],
    /// Surfaces of tissues.
    pub surfaces: &'a [Surface],
    /// Pairs of these.
    pub pairs: &'a [Pair],
}

/// The search of a pair and what it needs on the host.
#[derive(Clone, Debug)]
struct PairSearch {
    trees: std::sync::Arc<Trees>,
    search: Search,
    /// Candidates that are read along with their number.
    expected: usize,
    ways: Vec<f32>,
}

impl DeviceFinder {
    /// A finder on a device for pairs with at least `contact_triangles` of the options, whose rows are at `q` [m] at the start;
    /// `None` where there is none.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`], [`GpuError::Lost`], [`GpuError::Shader`].
    pub fn on_device(
        gpu: &Gpu,
        options: &Options,
        of: Touching<'_>,
        q: &[Vec3],
    ) -> Result<Option<Self>, GpuError> {
        Self::new(options, of, q, |program| on_device(gpu, program))
    }

    /// The same on the twins of the kernels.
    ///
    /// # Errors
    /// As [`Self::on_device`].
    pub fn on_twins(
        options: &Options,
        of: Touching<'_>,
        q: &[Vec3],
    ) -> Result<Option<Self>, GpuError> {
        Self::new(options, of, q, |program| Ok(on_twins(program)))
    }

    fn new(
        options: &Options,
        of: Touching<'_>,
        q: &[Vec3],
        make: impl FnOnce(Program) -> Result<Box<dyn Executor>, GpuError>,
    ) -> Result<Option<Self>, GpuError> {
        // All is computed in f32.
        let mut program = Program::new(Precision::Single);
        let surfaces =
            of.pairs.iter().map(|pair| pair_search(&mut program, options, (of, pair), q));
        let surfaces: Vec<_> = surfaces.collect();
        let points = of.pairs.iter().map(|pair| point_search(&mut program, options, (of, pair)));
        let points: Vec<_> = points.collect();
        if surfaces.iter().all(Option::is_none) && points.iter().all(Option::is_none) {
            return Ok(None);
        }
        Ok(Some(Self { shared: Shared::new(make(program)?), pairs: surfaces, points }))
    }

    /// Calls of kernels of one search; `None` for a pair that is left to the CPU.
    pub fn calls(&self, pair: u32) -> Option<usize> {
        let surfaces = self.pairs.get(pair as usize)?.as_ref().map(|pair| pair.search.list);
        let points = self.points.get(pair as usize)?.as_ref().map(PointSearch::list);
        let list = surfaces.or(points)?;
        Some(self.shared.with(|executor| executor.program().lists[list.0 as usize].len()))
    }

    /// Bytes written and read since the start.
    pub fn traffic(&self) -> (u64, u64) {
        self.shared.traffic()
    }

    pub(crate) fn set_profiling(&self, on: bool) {
        self.shared.set_profiling(on);
    }

    pub(crate) fn kernel_times(&self) -> Vec<KernelTime> {
        self.shared.kernel_times()
    }
}

/// The search of a pair of surfaces that are large enough.
fn pair_search(
    program: &mut Program,
    options: &Options,
    (of, pair): (Touching<'_>, &Pair),
    q: &[Vec3],
) -> Option<PairSearch> {
    let (Member::Surface(a), Member::Surface(b)) = (pair.a, pair.b) else { return None };
    let both = [a, b].map(|member| &of.surfaces[member as usize]);
    let triangles = both.map(|surface| surface.triangles.len());
    let total = if a == b { triangles[0] } else { triangles[0] + triangles[1] };
    if total < options.contact_triangles || triangles.contains(&0) {
        return None;
    }
    let trees = Trees::new(both, a == b, q);
    let search = Search::new(program, &trees, options.max_binding)?;
    let ways = vec![0.0; 6 * trees.vertex_count];
    Some(PairSearch { trees: trees.into(), search, expected: 0, ways })
}

/// The search of a point set beside a mesh that are large enough. A winding number says more of a mesh that is not closed
/// than its nearest triangles do.
fn point_search(
    program: &mut Program,
    options: &Options,
    (of, pair): (Touching<'_>, &Pair),
) -> Option<PointSearch> {
    let (Member::Points(set), Member::Collider(solid)) = (pair.a.max(pair.b), pair.a.min(pair.b))
    else {
        return None;
    };
    let Shape::Mesh(mesh) = &of.colliders[solid as usize].shape else { return None };
    let count = of.points[set as usize].rows.len();
    let size = count + mesh.surface().triangles().len();
    let is_taken = size >= options.contact_triangles && mesh.side() != SurfaceSide::Solid;
    (is_taken && count > 0).then_some(())?;
    PointSearch::new(program, (mesh, count), options.max_binding)
}

impl fmt::Debug for DeviceFinder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceFinder").field("pairs", &self.pairs).finish_non_exhaustive()
    }
}

impl CandidateFinder for DeviceFinder {
    /// False also where a number is not finite; and from then on where the list has not enough room, or the device is
    /// lost. The hierarchies of the CPU find the same contacts.
    fn find(&mut self, ways: &Ways<'_>, out: &mut Candidates) -> bool {
        let Self { shared, pairs, .. } = self;
        let Some(slot) = pairs.get_mut(ways.pair as usize) else { return false };
        let Some(pair) = slot else { return false };
        let Some(numbers) = pair.round(ways) else { return false };
        let found = shared.with(|executor| pair.run(executor, &numbers));
        let Ok(Some(words)) = found else {
            *slot = None;
            return false;
        };
        for &[query, leaf] in words.as_chunks::<2>().0 {
            match pair.trees.pair(query, leaf) {
                Some((features, numbers)) => out.add(features, numbers),
                None => return false,
            }
        }
        true
    }

    fn takes_points(&self, pair: u32) -> bool {
        self.points.get(pair as usize).is_some_and(Option::is_some)
    }

    /// False where a number is not finite, and from then on where the device is lost.
    fn find_points(&mut self, points: &PointsBeside<'_>, out: &mut Vec<bool>) -> bool {
        let Self { shared, points: searches, .. } = self;
        let Some(slot) = searches.get_mut(points.pair as usize) else { return false };
        let Some(search) = slot else { return false };
        if !search.round(points) {
            return false;
        }
        let Ok(flags) = shared.with(|executor| search.run(executor)) else {
            *slot = None;
            return false;
        };
        out.clear();
        out.extend(flags.as_chunks::<4>().0.iter().map(|flag| *flag != [0; 4]));
        true
    }
}

impl PairSearch {
    /// Writes places and ways in units of the largest coordinate about the middle, and returns border, limit and slack in it;
    /// `None` where a number is not finite or the border is as wide as the surfaces.
    fn round(&mut self, ways: &Ways<'_>) -> Option<[f32; reach::COUNT as usize]> {
        let surfaces = if self.trees.is_self { 1 } else { 2 };
        let both = ways.points.iter().zip(&ways.steps).take(surfaces);
        let all = || both.clone().flat_map(|(points, steps)| points.iter().zip(steps.iter()));
        if all().count() != self.trees.vertex_count {
            return None;
        }
        let none = Vec3::repeat(f64::INFINITY);
        let [low, high] = all().fold([none, -none], |[l, h], (p, _)| [l.inf(p), h.sup(p)]);
        let middle = (low + high) * 0.5;
        let extent = all().map(|(p, step)| (p - middle).amax() + step.amax()).fold(0.0, f64::max);
        // Comparisons with what is no number are false; maxima may have lost some.
        let is_finite = all().all(|(p, step)| (p + step).sum().is_finite());
        if !(is_finite && extent.is_normal() && ways.border < WIDEST * extent) {
            return None;
        }
        for (way, (p, step)) in self.ways.as_chunks_mut::<6>().0.iter_mut().zip(all()) {
            let (p, step) = ((p - middle) / extent, step / extent);
            *way = [p.x, p.y, p.z, step.x, step.y, step.z].map(|x| x as f32);
        }
        let slack = SLACK + ROUNDING * (low.amax().max(high.amax()) / extent);
        let border = ways.border / extent + slack;
        Some([border, 2.0 * border + slack, slack, 0.0].map(|x| x as f32))
    }

    /// Query and leaf of each candidate; `None` where there are more than the list has room for.
    fn run(
        &mut self,
        executor: &mut dyn Executor,
        reach: &[f32],
    ) -> Result<Option<Vec<u32>>, GpuError> {
        let Search { pairs, capacity, .. } = self.search;
        executor.write(self.search.reach, 0, bytemuck::cast_slice(reach));
        executor.write(self.search.ways, 0, bytemuck::cast_slice(&self.ways));
        executor.submit(&[(self.search.list, 1)])?;
        let mut words = read(executor, pairs, self.expected)?;
        let count = words[0] as usize;
        if count <= capacity && count > self.expected {
            words = read(executor, pairs, count)?;
        }
        // About as many next time.
        self.expected = (count + count / 4).min(capacity);
        words.truncate(1 + 2 * count);
        Ok((count <= capacity).then(|| words.split_off(1)))
    }
}

/// The head of the list and its first `count` candidates.
fn read(executor: &mut dyn Executor, pairs: BufferId, count: usize) -> Result<Vec<u32>, GpuError> {
    let ticket = executor.start_read_parts(&[(pairs, 0..4 * (1 + 2 * count as u64))])?;
    let parts = executor.finish_read(ticket)?;
    Ok(bytemuck::pod_collect_to_vec(&parts[0]))
}
