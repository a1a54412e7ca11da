//! The search for points that may touch the mesh of a body: the boxes of its triangles are made once.

use sinew::Vec3;
use sinew::contact::{MeshSolid, PointsBeside};
use sinew::geometry::SurfaceMesh;
use sinew_shaders::kernel::{Scalar, Sizes};
use sinew_shaders::layout::reach;
use sinew_shaders::params::CandidateParams;
use sinew_shaders::program::{BufferId, Data, ListId, Program};

use super::rounding::{SLACK, WIDEST};
use super::search::{fit, groups};
use super::trees::Trees;
use crate::{Executor, GpuError};

/// The search of a pair and what it needs on the host.
#[derive(Clone, Debug)]
pub(super) struct PointSearch {
    frame: Frame,
    points: BufferId,
    kept: BufferId,
    /// Makes the boxes, once.
    fit: ListId,
    look: ListId,
    is_fitted: bool,
    /// Place and limit of each point.
    rounded: Vec<f32>,
}

/// Middle of a mesh, and the largest coordinate about it [m].
#[derive(Clone, Copy, Debug)]
struct Frame {
    middle: Vec3,
    extent: f64,
}

impl Frame {
    /// That of a mesh; `None` where it is a point.
    fn of(surface: &SurfaceMesh) -> Option<Self> {
        let [low, high] = surface.bounding_box()?;
        let (middle, extent) = ((low + high) * 0.5, 0.5 * (high - low).max());
        extent.is_normal().then_some(Self { middle, extent })
    }

    /// A place in its unit.
    fn seen(&self, p: &Vec3) -> Vec3 {
        (p - self.middle) / self.extent
    }
}

impl PointSearch {
    /// Adds the buffers and lists for `count` points beside a mesh; nothing where a buffer would be larger than `max_binding`
    /// [bytes].
    pub(super) fn new(
        program: &mut Program,
        (mesh, count): (&MeshSolid, usize),
        max_binding: u64,
    ) -> Option<Self> {
        let frame = Frame::of(mesh.surface())?;
        let trees = Trees::of_faces(mesh.surface().vertices(), mesh.surface().triangles());
        let boxes = trees.box_count() as usize;
        let largest = 4 * (6 * boxes).max(6 * trees.vertex_count).max(4 * count) as u64;
        if largest > max_binding.min(u64::from(u32::MAX)) {
            return None;
        }
        let tree = add_tree(program, mesh.surface(), &frame, &trees);
        let points = program.add_zeros("points beside a mesh", Scalar::Float, 4 * count);
        let kept = program.add_zeros("points that may touch", Scalar::Word, count);
        let params = CandidateParams {
            query_count: count as u32,
            group_count: groups(count) as u32,
            level_count: trees.level_count,
            root_count: trees.root_count,
            box_count: trees.box_count(),
            ..CandidateParams::default()
        };
        let sizes = Sizes {
            items: count as u64,
            contributions: trees.box_count().into(),
            ..Sizes::default()
        };
        let bindings = [&tree[..], &[points, kept]].concat();
        let look = vec![program.call("near_points", &params, &bindings, (count, sizes))];
        let fit = fit(program, &trees, tree);
        let [fit, look] = [fit, look].map(|commands| program.add_list(commands));
        let rounded = vec![0.0; 4 * count];
        Some(Self { frame, points, kept, fit, look, is_fitted: false, rounded })
    }

    /// Writes places and limits in units of the mesh; false where a number is not finite or too large.
    pub(super) fn round(&mut self, beside: &PointsBeside<'_>) -> bool {
        let Self { frame, rounded, .. } = self;
        if 4 * beside.points.len() != rounded.len() {
            return false;
        }
        let both = beside.points.iter().zip(beside.limits);
        let mut is_sound = true;
        for (rounded, (p, limit)) in rounded.as_chunks_mut::<4>().0.iter_mut().zip(both) {
            let (p, limit) = (frame.seen(p), limit / frame.extent);
            is_sound &= p.sum().is_finite() && (0.0..WIDEST).contains(&limit);
            // Those farther away are not asked about: their place need not be right.
            let p = p.map(|x| x.clamp(-2.0, 2.0));
            *rounded = [p.x, p.y, p.z, limit + SLACK].map(|x| x as f32);
        }
        is_sound
    }

    /// A flag for each point, 0 for those that touch nothing.
    pub(super) fn run(&mut self, executor: &mut dyn Executor) -> Result<Vec<u8>, GpuError> {
        if !std::mem::replace(&mut self.is_fitted, true) {
            executor.submit(&[(self.fit, 1)])?;
        }
        executor.write(self.points, 0, bytemuck::cast_slice(&self.rounded));
        executor.submit(&[(self.look, 1)])?;
        executor.read(self.kept)
    }

    /// Commands of a search.
    pub(super) fn list(&self) -> ListId {
        self.look
    }
}

/// Adds the vertices of a mesh, which have no ways, and its tree: reach, ways, corners, boxes.
fn add_tree(
    program: &mut Program,
    surface: &SurfaceMesh,
    frame: &Frame,
    trees: &Trees,
) -> [BufferId; 4] {
    let ways = surface.vertices().iter().flat_map(|p| {
        let p = frame.seen(p);
        [p.x, p.y, p.z, 0.0, 0.0, 0.0].map(|x| x as f32)
    });
    let mut numbers = [0.0; reach::COUNT as usize];
    numbers[reach::BORDER as usize] = SLACK as f32;
    numbers[reach::SLACK as usize] = SLACK as f32;
    [
        program.add_data("reach", Data::Floats(numbers.to_vec())),
        program.add_data("vertices of a mesh", Data::Floats(ways.collect())),
        program.add_data("corners of features", Data::Words(trees.corners.clone())),
        program.add_zeros("boxes of features", Scalar::Float, 6 * trees.box_count() as usize),
    ]
}
