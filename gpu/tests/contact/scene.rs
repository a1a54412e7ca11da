//! Two bumpy balls that touch, on their ways, and finders for them.

use sinew::Vec3;
use sinew::contact::{CandidateFinder, Candidates, Member, Pair, Surface, Ways};
use sinew::geometry::icosphere_mesh;
use sinew_gpu::testing::test_device;
use sinew_gpu::{DeviceFinder, Options, Touching};
use sinew_shaders::samples::noise;

/// Whatever the size, on the device.
pub(crate) fn options() -> Options {
    Options { contact_triangles: 0, ..Options::of_twins() }
}

/// Surfaces where they are and how far they go [m].
pub(crate) struct Balls {
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) points: [Vec<Vec3>; 2],
    pub(crate) steps: [Vec<Vec3>; 2],
    pub(crate) border: f64,
}

impl Balls {
    /// Balls of 0.1 m times `scale`, moved by `at` [m].
    pub(crate) fn new(subdivisions: u32, scale: f64, at: Vec3) -> Self {
        let ball = icosphere_mesh(0.1, subdivisions).unwrap();
        let count = ball.vertices().len();
        let surface = |first: u32| Surface {
            rows: (first..first + count as u32).collect(),
            triangles: ball.triangles().to_vec(),
            holders: vec![Surface::FREE; count],
            sheet_vertices: 0,
        };
        let random = |seed, size: f64| -> Vec<Vec3> {
            let numbers = noise(3 * count, seed);
            numbers.as_chunks::<3>().0.iter().map(|&v| Vec3::from(v) * size).collect()
        };
        let place = |seed: u64, offset: Vec3| -> Vec<Vec3> {
            let moved = ball.vertices().iter().zip(random(seed, 3e-3));
            moved.map(|(p, bump)| at + (p + bump + offset) * scale).collect()
        };
        Self {
            surfaces: vec![surface(0), surface(count as u32)],
            points: [place(1, Vec3::zeros()), place(2, Vec3::new(0.11, 0.16, 0.01))],
            steps: [random(3, 2e-3 * scale), random(4, 2e-3 * scale)],
            border: 1e-3 * scale,
        }
    }

    /// All positions, by rows.
    pub(crate) fn q(&self) -> Vec<Vec3> {
        self.points.concat()
    }

    /// The first ball against the second, or against itself.
    pub(crate) fn pair(&self, is_self: bool) -> Pair {
        let b = Member::Surface(u32::from(!is_self));
        Pair { a: Member::Surface(0), b, margin: self.border, thickness: self.border }
    }

    pub(crate) fn ways(&self, is_self: bool) -> Ways<'_> {
        let other = usize::from(!is_self);
        Ways {
            pair: 0,
            points: [&self.points[0], &self.points[other]],
            steps: [&self.steps[0], &self.steps[other]],
            border: self.border,
        }
    }

    /// The balls as a finder has them.
    pub(crate) fn touching<'a>(&'a self, pairs: &'a [Pair]) -> Touching<'a> {
        Touching { surfaces: &self.surfaces, pairs, ..Touching::default() }
    }

    /// Finders on the twins and on the device.
    pub(crate) fn finders(&self, is_self: bool) -> [DeviceFinder; 2] {
        let (pairs, q, options) = ([self.pair(is_self)], self.q(), options());
        let of = self.touching(&pairs);
        let twins = DeviceFinder::on_twins(&options, of, &q);
        let device = DeviceFinder::on_device(test_device(), &options, of, &q);
        [twins, device].map(|finder| finder.unwrap().expect("there are triangles"))
    }

    /// The candidates that a finder lists.
    pub(crate) fn found(&self, finder: &mut DeviceFinder, is_self: bool) -> Candidates {
        let mut out = Candidates::default();
        assert!(finder.find(&self.ways(is_self), &mut out), "the pair is taken");
        out
    }
}
