//! Surfaces of the tests, and numbers that look random.

use nalgebra::{Rotation3, Unit};
use sinew_mesh::geometry::{SurfaceMesh, cuboid_mesh};
use sinew_mesh::{Mat3, Vec3};

/// Numbers by SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, count: u64) -> u64 {
        self.bits() % count
    }

    /// Between -1 and 1.
    pub(crate) fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.signed())
    }

    pub(crate) fn turn(&mut self) -> Mat3 {
        let axis = Unit::new_normalize(self.vector() + Vec3::new(0.0, 0.0, 1e-3));
        Rotation3::from_axis_angle(&axis, 3.0 * self.signed()).into_inner()
    }
}

pub(crate) fn moved(mesh: &SurfaceMesh, by: Vec3) -> SurfaceMesh {
    mesh.transformed(&Mat3::identity(), &by).unwrap()
}

/// A box between two corners.
pub(crate) fn cuboid(low: Vec3, high: Vec3) -> SurfaceMesh {
    moved(&cuboid_mesh(&(high - low)).unwrap(), (low + high) * 0.5)
}

/// Two surfaces as one.
pub(crate) fn joined(a: &SurfaceMesh, b: &SurfaceMesh) -> SurfaceMesh {
    let shift = a.vertices().len() as u32;
    let more = b.triangles().iter().map(|t| t.map(|v| v + shift));
    let vertices = [a.vertices(), b.vertices()].concat();
    SurfaceMesh::new(vertices, a.triangles().iter().copied().chain(more).collect()).unwrap()
}

/// A torus about z with tube radius `r` about a circle of radius 1, and counts of facets around both.
pub(crate) fn torus(r: f64, around: u32, tube: u32) -> SurfaceMesh {
    let turn = |k: u32, n: u32| std::f64::consts::TAU * f64::from(k) / f64::from(n);
    let mut vertices = Vec::new();
    for i in 0..around {
        for j in 0..tube {
            let (a, b) = (turn(i, around), turn(j, tube));
            let radius = 1.0 + r * b.cos();
            vertices.push(Vec3::new(radius * a.cos(), radius * a.sin(), r * b.sin()));
        }
    }
    let at = |i: u32, j: u32| (i % around) * tube + j % tube;
    let mut triangles = Vec::new();
    for i in 0..around {
        for j in 0..tube {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    SurfaceMesh::new(vertices, triangles).unwrap()
}

/// A square sheet across z of `half` its side, with `cells` of two triangles along each side.
pub(crate) fn sheet(half: f64, z: f64, cells: u32) -> SurfaceMesh {
    let at = |k: u32| half * (2.0 * f64::from(k) / f64::from(cells) - 1.0);
    let rows = cells + 1;
    let vertices =
        (0..rows * rows).map(|k| Vec3::new(at(k % rows), at(k / rows), z)).collect::<Vec<_>>();
    let mut triangles = Vec::new();
    for i in 0..cells {
        for j in 0..cells {
            let [a, b, c, d] =
                [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(|[x, y]| y * rows + x);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    SurfaceMesh::new(vertices, triangles).unwrap()
}
