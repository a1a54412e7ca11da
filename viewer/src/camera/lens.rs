//! From the world to pixels and back. Pixel (0, 0) is the upper left corner of the picture.

use nalgebra::Matrix4;
use sinew::Vec3;

use super::{Camera, Projection};

/// A line of sight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Origin [m].
    pub origin: Vec3,
    /// Unit vector along it.
    pub direction: Vec3,
}

impl Ray {
    /// The place at this distance [m].
    pub fn at(&self, distance: f64) -> Vec3 {
        self.origin + distance * self.direction
    }
}

/// Distance along the ray to the plane of points p with (p - point) · normal = 0; `None` where they
/// are parallel.
pub(crate) fn plane_crossing(ray: &Ray, point: Vec3, normal: Vec3) -> Option<f64> {
    let speed = ray.direction.dot(&normal);
    (speed.abs() > 1e-12).then(|| (point - ray.origin).dot(&normal) / speed)
}

/// Transformation of a vertex, relative to the origin of a scene. Depth is 1 at the near plane and
/// 0 at the far one: so spread, f32 resolves both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lens {
    /// From the scene to clip space.
    pub(crate) view_projection: Matrix4<f64>,
    /// Near and far planes [m].
    pub(crate) depths: [f64; 2],
    /// Half of width and height of the picture at depth 1, or anywhere where orthographic [m].
    pub(crate) half: [f64; 2],
}

impl Lens {
    /// That of a camera for a scene with this origin whose points lie in a box relative to it [m].
    pub(crate) fn new(
        camera: &Camera,
        size: [u32; 2],
        origin: Vec3,
        bounds: [[f32; 3]; 2],
    ) -> Self {
        let inverse = camera.orientation.inverse();
        let shift = inverse * (origin - camera.eye());
        let view = Matrix4::new_translation(&shift) * inverse.to_homogeneous();
        let depths = depths(camera, &view, bounds);
        let half = camera.half_extent(size);
        let projection = projection(camera.projection, half, depths);
        Self { view_projection: projection * view, depths, half }
    }
}

/// Near and far planes that hold a box between them.
fn depths(camera: &Camera, view: &Matrix4<f64>, bounds: [[f32; 3]; 2]) -> [f64; 2] {
    let (mut near, mut far) = (f64::INFINITY, f64::NEG_INFINITY);
    for corner in corners(bounds) {
        let depth = -view.transform_point(&corner.into()).z;
        (near, far) = (near.min(depth), far.max(depth));
    }
    let margin = 1e-2 * (far - near) + 1e-3 * camera.distance;
    (near, far) = (near - margin, far + margin);
    if camera.projection == Projection::Perspective {
        near = near.max(1e-3 * camera.distance);
        far = far.max(2.0 * near);
    }
    [near, far]
}

/// Corners of a box.
pub(crate) fn corners(bounds: [[f32; 3]; 2]) -> [Vec3; 8] {
    std::array::from_fn(|k| Vec3::from_fn(|axis, _| f64::from(bounds[k >> axis & 1][axis])))
}

fn projection(kind: Projection, half: [f64; 2], [near, far]: [f64; 2]) -> Matrix4<f64> {
    let span = far - near;
    let mut matrix = Matrix4::zeros();
    (matrix[(0, 0)], matrix[(1, 1)]) = (1.0 / half[0], 1.0 / half[1]);
    match kind {
        Projection::Perspective => {
            (matrix[(2, 2)], matrix[(2, 3)]) = (near / span, near * far / span);
            matrix[(3, 2)] = -1.0;
        }
        Projection::Orthographic => {
            (matrix[(2, 2)], matrix[(2, 3)]) = (1.0 / span, far / span);
            matrix[(3, 3)] = 1.0;
        }
    }
    matrix
}

impl Camera {
    /// Half of width and height of the picture at depth 1, or at any where orthographic [m].
    pub(crate) fn half_extent(&self, size: [u32; 2]) -> [f64; 2] {
        let height = match self.projection {
            Projection::Perspective => (0.5 * self.fov).tan(),
            Projection::Orthographic => self.half_height(),
        };
        [height * aspect(size), height]
    }

    /// The line of sight through a pixel of a picture.
    pub fn ray(&self, pixel: [f64; 2], size: [u32; 2]) -> Ray {
        let [w, h] = size.map(|n| f64::from(n.max(1)));
        let half = self.half_extent(size);
        let across = half[0] * (2.0 * pixel[0] / w - 1.0) * self.right()
            + half[1] * (1.0 - 2.0 * pixel[1] / h) * self.up();
        match self.projection {
            Projection::Perspective => {
                Ray { origin: self.eye(), direction: (across - self.back()).normalize() }
            }
            Projection::Orthographic => {
                Ray { origin: self.eye() + across, direction: -self.back() }
            }
        }
    }

    /// The pixel of a point [m] in a picture, and its depth before the eye [m]; `None` behind the eye of
    /// a perspective picture.
    pub fn project(&self, point: Vec3, size: [u32; 2]) -> Option<([f64; 2], f64)> {
        let [w, h] = size.map(|n| f64::from(n.max(1)));
        let seen = self.orientation.inverse() * (point - self.eye());
        let depth = -seen.z;
        let half = self.half_extent(size);
        let scale = match self.projection {
            Projection::Perspective if depth <= 0.0 => return None,
            Projection::Perspective => 1.0 / depth,
            Projection::Orthographic => 1.0,
        };
        let [x, y] = [seen.x * scale / half[0], seen.y * scale / half[1]];
        Some(([0.5 * w * (1.0 + x), 0.5 * h * (1.0 - y)], depth))
    }

    /// Size of a pixel at a point [m].
    pub fn pixel_at(&self, point: Vec3, size: [u32; 2]) -> f64 {
        let height = 2.0 * self.half_extent(size)[1] / f64::from(size[1].max(1));
        match self.projection {
            Projection::Orthographic => height,
            Projection::Perspective => height * (self.eye() - point).dot(&self.back()).abs(),
        }
    }
}

/// Width over height.
pub(crate) fn aspect(size: [u32; 2]) -> f64 {
    f64::from(size[0].max(1)) / f64::from(size[1].max(1))
}
