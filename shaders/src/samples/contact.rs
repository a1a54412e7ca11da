//! Samples of the kernels that find candidates for contact: scattered triangles, edges and vertices on their ways, in two
//! trees of two levels above the leaves.

use super::sample::{Sample, noise};
use crate::cpu::boxes::Bounds;
use crate::cpu::contact::count_candidates::count_candidates;
use crate::cpu::{Buffer, Call};
use crate::kernel::{Scalar, Sizes};
use crate::layout::{BRANCHES, WORKGROUP_SIZE};
use crate::params::{CandidateParams, TreeParams};
use crate::program::{BufferId, Data, Program};
use crate::source::Precision;

/// Roots of each tree, and leaves of both.
const ROOTS: u32 = 4;
const LEAVES: u32 = 2 * ROOTS * BRANCHES * BRANCHES;

/// Triangles, as many edges, and as many vertices that are of neither. Some leaves stay empty.
const COUNT: u32 = 250;

pub(super) fn samples() -> Vec<Sample> {
    let of = |kernel, program| Sample::plain(kernel, program, 1e-6);
    vec![
        of("feature_boxes", feature_boxes),
        of("refit_boxes", refit_boxes),
        of("count_candidates", count_among_surfaces),
        of("count_candidates", count_within_one),
        of("place_candidates", place_candidates),
        of("list_candidates", list_all),
        of("list_candidates", list_some),
        of("near_points", near_points),
    ]
}

/// Triangles and edges, each with vertices of its own, and more vertices.
struct Scene {
    reach: Vec<f32>,
    ways: Vec<f32>,
    corners: Vec<u32>,
    boxes: Vec<f32>,
    queries: Vec<u32>,
    params: CandidateParams,
}

/// Triangle `k` has vertices 3 k to 3 k + 2; edge `k` two more after those of all triangles.
fn triangle(k: u32) -> [u32; 3] {
    [3 * k, 3 * k + 1, 3 * k + 2]
}

fn edge(k: u32) -> [u32; 3] {
    let first = 3 * COUNT + 2 * k;
    [first, first + 1, first + 1]
}

fn alone(k: u32) -> u32 {
    5 * COUNT + k
}

/// Vertices of a feature are near each other; ways are short, and longer for every fifth.
fn ways() -> Vec<f32> {
    let features = (0..COUNT).flat_map(|k| [k; 3]).chain((0..COUNT).flat_map(|k| [COUNT + k; 2]));
    let features = features.chain((0..COUNT).map(|k| 2 * COUNT + k));
    let (centers, own) = (noise(9 * COUNT as usize, 3), noise(36 * COUNT as usize, 4));
    let mut ways = Vec::new();
    for (v, feature) in features.enumerate() {
        let center = &centers[3 * feature as usize..][..3];
        let way = if v % 5 == 0 { 0.1 } else { 0.01 };
        ways.extend((0..3).map(|k| (0.8 * center[k] + 0.2 * own[6 * v + k]) as f32));
        ways.extend((3..6).map(|k| (way * own[6 * v + k]) as f32));
    }
    ways
}

impl Scene {
    fn new(has_inside: u32) -> Self {
        let empty = [u32::MAX; 3];
        let leaves = |of: fn(u32) -> [u32; 3]| {
            (0..LEAVES / 2).map(move |k| if k < COUNT { of(k) } else { empty })
        };
        let corners = leaves(triangle).chain(leaves(edge)).flatten().collect();
        let mut queries = Vec::new();
        for k in 0..COUNT {
            // A vertex of a triangle now and then, which is no candidate of its own.
            let v = if k % 3 == 0 { 3 * k } else { alone(k) };
            queries.extend([v, v, 0, 0, ROOTS]);
        }
        for k in 0..COUNT {
            let [i, j, _] = edge(k);
            queries.extend([i, j, LEAVES / 2 + k + 1, ROOTS, 2 * ROOTS]);
        }
        let params = CandidateParams {
            query_count: 2 * COUNT,
            group_count: (2 * COUNT).div_ceil(WORKGROUP_SIZE),
            level_count: 2,
            root_count: 2 * ROOTS,
            box_count: LEAVES + LEAVES / BRANCHES + 2 * ROOTS,
            has_inside,
            capacity: 100_000,
            padding: 0,
        };
        let reach = vec![0.01, 0.02, 1e-5, 0.0];
        let mut scene = Self { reach, ways: ways(), corners, boxes: Vec::new(), queries, params };
        scene.boxes = scene.boxes();
        scene
    }

    /// Boxes of all levels.
    fn boxes(&self) -> Vec<f32> {
        let leaf = |corners: &[u32]| match corners[0] {
            u32::MAX => Bounds::EMPTY,
            _ => (corners.iter())
                .fold(Bounds::EMPTY, |bounds, &v| bounds.with_way(&self.ways, v))
                .widened(self.reach[0]),
        };
        let mut levels = vec![self.corners.chunks(3).map(leaf).collect::<Vec<_>>()];
        for k in 0..2 {
            let join = |children: &[Bounds]| children.iter().copied().reduce(Bounds::joined);
            levels.push(levels[k].chunks(BRANCHES as usize).filter_map(join).collect());
        }
        let mut boxes = vec![0.0; 6 * self.params.box_count as usize];
        for (number, bounds) in levels.iter().flatten().enumerate() {
            bounds.store(&mut boxes, number);
        }
        boxes
    }

    /// Places and sums that counting leaves.
    fn counted(&self) -> [Vec<u32>; 2] {
        let mut places = vec![0; 2 * self.params.query_count as usize];
        let mut totals = vec![0; self.params.group_count as usize];
        let buffers = &mut [
            Buffer::<f32>::Floats(&self.reach),
            Buffer::Floats(&self.ways),
            Buffer::Words(&self.corners),
            Buffer::Floats(&self.boxes),
            Buffer::Words(&self.queries),
            Buffer::WordsMut(&mut places),
            Buffer::WordsMut(&mut totals),
        ];
        let params = bytemuck::bytes_of(&self.params);
        count_candidates(Call { params, groups: self.params.group_count.into(), buffers });
        [places, totals]
    }

    /// The buffers that a walk reads.
    fn add_to(&self, program: &mut Program) -> [BufferId; 5] {
        [
            program.add_data("reach", Data::Floats(self.reach.clone())),
            program.add_data("ways", Data::Floats(self.ways.clone())),
            program.add_data("corners", Data::Words(self.corners.clone())),
            program.add_data("boxes", Data::Floats(self.boxes.clone())),
            program.add_data("queries", Data::Words(self.queries.clone())),
        ]
    }
}

fn finish(
    mut program: Program,
    (kernel, params): (&str, &impl bytemuck::Pod),
    bindings: &[BufferId],
    invocations: u32,
) -> Program {
    let count = u64::from(invocations);
    let sizes = Sizes { elements: count, items: count, contributions: count, ..Sizes::default() };
    let call = program.call(kernel, params, bindings, (invocations as usize, sizes));
    program.add_list(vec![call]);
    program
}

fn feature_boxes(precision: Precision) -> Program {
    let (scene, mut program) = (Scene::new(1), Program::new(precision));
    let [reach, ways, corners, ..] = scene.add_to(&mut program);
    let boxes = program.add_zeros("boxes", Scalar::Float, scene.boxes.len());
    let params = TreeParams { count: LEAVES, ..TreeParams::default() };
    finish(program, ("feature_boxes", &params), &[reach, ways, corners, boxes], LEAVES)
}

fn refit_boxes(precision: Precision) -> Program {
    let (scene, mut program) = (Scene::new(1), Program::new(precision));
    let (first, below) = (LEAVES, 0);
    let mut boxes = scene.boxes.clone();
    boxes[6 * first as usize..].fill(0.0);
    let boxes = program.add_data("boxes", Data::Floats(boxes));
    let count = LEAVES / BRANCHES;
    let params = TreeParams { count, first, below, padding: 0 };
    finish(program, ("refit_boxes", &params), &[boxes], count)
}

fn count_among_surfaces(precision: Precision) -> Program {
    count(precision, 1)
}

fn count_within_one(precision: Precision) -> Program {
    count(precision, 0)
}

fn count(precision: Precision, has_inside: u32) -> Program {
    let (scene, mut program) = (Scene::new(has_inside), Program::new(precision));
    let [reach, ways, corners, boxes, queries] = scene.add_to(&mut program);
    let CandidateParams { query_count, group_count, .. } = scene.params;
    let places = program.add_zeros("places", Scalar::Word, 2 * query_count as usize);
    let totals = program.add_zeros("totals", Scalar::Word, group_count as usize);
    let bindings = [reach, ways, corners, boxes, queries, places, totals];
    finish(program, ("count_candidates", &scene.params), &bindings, query_count)
}

/// More workgroups than one has lanes.
fn place_candidates(precision: Precision) -> Program {
    let mut program = Program::new(precision);
    let group_count = WORKGROUP_SIZE + 45;
    let totals = (0..group_count).map(|k| k * 7919 % 101).collect();
    let totals = program.add_data("totals", Data::Words(totals));
    let pairs = program.add_zeros("pairs", Scalar::Word, 3);
    let params = CandidateParams { group_count, ..CandidateParams::default() };
    finish(program, ("place_candidates", &params), &[totals, pairs], WORKGROUP_SIZE)
}

fn list_all(precision: Precision) -> Program {
    list(precision, 1)
}

/// There is room for half of the candidates.
fn list_some(precision: Precision) -> Program {
    list(precision, 2)
}

fn list(precision: Precision, share: u32) -> Program {
    let (scene, mut program) = (Scene::new(1), Program::new(precision));
    let [reach, ways, corners, boxes, queries] = scene.add_to(&mut program);
    let [places, mut totals] = scene.counted();
    let mut sum = 0;
    for total in &mut totals {
        sum += std::mem::replace(total, sum);
    }
    let params = CandidateParams { capacity: sum / share, ..scene.params };
    let places = program.add_data("places", Data::Words(places));
    let totals = program.add_data("totals", Data::Words(totals));
    let pairs = program.add_zeros("pairs", Scalar::Word, 1 + 2 * sum as usize);
    let bindings = [reach, ways, corners, boxes, queries, places, totals, pairs];
    finish(program, ("list_candidates", &params), &bindings, params.query_count)
}

/// Points beside the triangles of the scene, which are static here, with limits from none to a quarter of their size.
fn near_points(precision: Precision) -> Program {
    let (mut scene, mut program) = (Scene::new(1), Program::new(precision));
    scene.ways.chunks_mut(6).for_each(|way| way[3..].fill(0.0));
    // Triangles alone; a few, so that points are beside one in front of all others.
    let few = 3 * 20;
    scene.corners[few..].fill(u32::MAX);
    scene.boxes = scene.boxes();
    // So much that it decides for some.
    scene.reach[2] = 0.05;
    let [reach, ways, corners, boxes, _] = scene.add_to(&mut program);
    let count = 2 * COUNT;
    let numbers = noise(4 * count as usize, 7).into_iter().enumerate();
    let points = numbers.map(|(k, x)| if k % 4 == 3 { 0.1 * x.abs() } else { x } as f32).collect();
    let points = program.add_data("points", Data::Floats(points));
    let kept = program.add_data("kept", Data::Words(vec![7; count as usize]));
    let params = CandidateParams { query_count: count, ..scene.params };
    finish(program, ("near_points", &params), &[reach, ways, corners, boxes, points, kept], count)
}
