//! The nearest item that a line of sight meets.

use sinew::Vec3;
use sinew::schedule::DragPoint;
use sinew::snapshot::{Frame, Item, Lines, Shape, Snapshot};

use super::{Hit, REACH};
use crate::camera::Ray;
use crate::cuts::{Cuts, Plane};
use crate::{Camera, View};

/// A line of sight, and the nearest of what it met so far.
pub(super) struct Search<'s> {
    snapshot: &'s Snapshot,
    camera: &'s Camera,
    size: [u32; 2],
    pixel: [f64; 2],
    /// Relative to the origin of the scene.
    ray: Ray,
    cuts: Cuts,
    scale: f64,
    /// The distance of the best, less a little for what lies on a surface.
    rank: f64,
    pub(super) best: Option<Hit>,
}

fn wide(p: [f32; 3]) -> Vec3 {
    Vec3::from(p.map(f64::from))
}

impl<'s> Search<'s> {
    pub(super) fn new(
        snapshot: &'s Snapshot,
        view: &'s View,
        size: [u32; 2],
        pixel: [f64; 2],
    ) -> Self {
        let mut ray = view.camera.ray(pixel, size);
        let origin = snapshot.scene.origin;
        ray.origin -= origin;
        Self {
            snapshot,
            camera: &view.camera,
            size,
            pixel,
            ray,
            cuts: Cuts::of(&view.options, origin),
            scale: f64::from(view.options.pixel_scale),
            rank: f64::INFINITY,
            best: None,
        }
    }

    fn is_cut(&self, point: Vec3) -> bool {
        self.cuts.is_cut(point)
    }

    fn offer(
        &mut self,
        (place, item): (usize, &Item),
        rank: f64,
        point: Vec3,
        grabbed: DragPoint,
        triangle: Option<u32>,
    ) {
        if rank < self.rank {
            let distance = (point - self.ray.origin).dot(&self.ray.direction);
            let point = point + self.snapshot.scene.origin;
            self.rank = rank;
            self.best =
                Some(Hit { item: place, owner: item.owner, grabbed, point, distance, triangle });
        }
    }

    /// Triangles of a body or a tissue, and the section of a tissue.
    pub(super) fn surface(&mut self, place: usize, item: &Item) {
        match &item.shape {
            Shape::Rigid { frame, vertices, triangles } => {
                let Some(frame) = self.snapshot.frames.get(*frame as usize) else { return };
                // The ray into the frame, once, rather than each vertex out of it.
                let rotation = rotation(frame);
                let inverse = rotation.inverse();
                let local = Ray {
                    origin: inverse * (self.ray.origin - wide(frame.position)),
                    direction: inverse * self.ray.direction,
                };
                let corner = |v: u32| vertices.get(v as usize).copied().map(wide);
                let ray = self.ray;
                let keeps = |t: f64| !self.is_cut(ray.at(t));
                let Some(met) = nearest(&local, triangles, corner, keeps) else { return };
                let grabbed = DragPoint::Body(item.owner, local.at(met.t));
                self.offer((place, item), met.t, ray.at(met.t), grabbed, met.triangle);
            }
            Shape::Tissue { triangles, inside, .. } => {
                let snapshot = self.snapshot;
                let corner = |p: u32| snapshot.points.get(p as usize).copied().map(wide);
                let ray = self.ray;
                let keeps = |t: f64| !self.is_cut(ray.at(t));
                let outside = match self.cuts.sections_alone {
                    true => None,
                    false => nearest(&ray, triangles, corner, keeps),
                };
                let sections = self.cuts.sections();
                let sections = sections
                    .filter_map(|(plane, others)| self.on_section(plane, &others, &inside.corners));
                let found = sections.chain(outside).min_by(|a, b| a.t.total_cmp(&b.t));
                if let Some(Meeting { t, corner, triangle }) = found {
                    let grabbed = DragPoint::Point(corner);
                    self.offer((place, item), t, ray.at(t), grabbed, triangle);
                }
            }
            Shape::Fibres { .. } | Shape::Points(_) | Shape::Lines(_) | Shape::Frame { .. } => {}
        }
    }

    /// Distance along the line of sight to the section of tetrahedra by a plane, where others leave it, and their nearest
    /// corner there.
    fn on_section(&self, (n, d): Plane, others: &[Plane], corners: &[[u32; 4]]) -> Option<Meeting> {
        let t = crate::camera::plane_crossing(&self.ray, d * n, n).filter(|t| *t > 0.0)?;
        let point = self.ray.at(t);
        if others.iter().any(|(n, d)| n.dot(&point) > *d) {
            return None;
        }
        for tetrahedron in corners {
            let places = tetrahedron.map(|p| self.snapshot.points.get(p as usize).copied());
            let [Some(a), Some(b), Some(c), Some(e)] = places else { continue };
            let [a, b, c, e] = [a, b, c, e].map(wide);
            let volume = |p: Vec3, q: Vec3, r: Vec3, s: Vec3| (q - p).cross(&(r - p)).dot(&(s - p));
            let parts = [
                volume(point, b, c, e),
                volume(a, point, c, e),
                volume(a, b, point, e),
                volume(a, b, c, point),
            ];
            if parts.iter().all(|v| *v >= 0.0) {
                let most = (0..4).max_by(|i, j| parts[*i].total_cmp(&parts[*j]))?;
                return Some(Meeting { t, corner: tetrahedron[most], triangle: None });
            }
        }
        None
    }

    /// Points within reach of the pointer.
    pub(super) fn points(&mut self, place: usize, item: &Item, points: &[u32]) {
        let width = f64::from(item.style.point_size) * self.scale;
        for &p in points {
            let Some(&point) = self.snapshot.points.get(p as usize) else { continue };
            self.dot(
                (place, item),
                wide(point),
                f64::from(item.style.point_radius),
                width,
                DragPoint::Point(p),
            );
        }
    }

    /// The origin of a frame within reach of the pointer.
    pub(super) fn frame(&mut self, place: usize, item: &Item, frame: u32) {
        let Some(frame) = self.snapshot.frames.get(frame as usize) else { return };
        let grabbed = DragPoint::Body(item.owner, Vec3::zeros());
        self.dot((place, item), wide(frame.position), 0.0, 0.0, grabbed);
    }

    fn dot(
        &mut self,
        of: (usize, &Item),
        point: Vec3,
        radius: f64,
        width: f64,
        grabbed: DragPoint,
    ) {
        let world = point + self.snapshot.scene.origin;
        let Some((seen, _)) = self.camera.project(world, self.size) else { return };
        let pixel = self.camera.pixel_at(world, self.size);
        let apart = (seen[0] - self.pixel[0]).hypot(seen[1] - self.pixel[1]);
        if apart <= REACH * self.scale + (0.5 * width).max(radius / pixel) && !self.is_cut(point) {
            let along = (point - self.ray.origin).dot(&self.ray.direction);
            // What lies on a surface is half inside it, and is meant all the same.
            self.offer(of, along - radius - 2.0 * REACH * pixel, point, grabbed, None);
        }
    }

    /// A line within reach of the pointer; what is pulled is its nearer end of the part that is hit.
    pub(super) fn line(&mut self, place: usize, item: &Item, lines: &Lines) {
        let width = f64::from(item.style.line_width) * self.scale;
        let radius = f64::from(item.style.line_radius);
        for ends in lines.points.windows(2) {
            let places = [ends[0], ends[1]].map(|p| self.snapshot.points.get(p as usize).copied());
            let [Some(a), Some(b)] = places else { continue };
            let [a, b] = [a, b].map(wide);
            let part = part_of_approach(&self.ray, a, b);
            let grabbed = DragPoint::Point(ends[usize::from(part > 0.5)]);
            let on = a + part * (b - a);
            let solid = if item.style.line_style == sinew::property::LineStyle::Line {
                0.0
            } else {
                radius
            };
            self.dot((place, item), on, solid, width, grabbed);
        }
    }
}

fn rotation(frame: &Frame) -> nalgebra::UnitQuaternion<f64> {
    let [i, j, k, w] = frame.rotation.map(f64::from);
    nalgebra::UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, i, j, k))
}

/// Position on the segment from `a` to `b` that is nearest to the ray, from 0 to 1.
fn part_of_approach(ray: &Ray, a: Vec3, b: Vec3) -> f64 {
    let (u, v, w) = (b - a, ray.direction, a - ray.origin);
    let (uu, uv) = (u.dot(&u), u.dot(&v));
    let denominator = uu - uv * uv;
    if denominator <= 1e-12 * uu || uu == 0.0 {
        return 0.0;
    }
    ((uv * v.dot(&w) - u.dot(&w)) / denominator).clamp(0.0, 1.0)
}

/// The place at which a line of sight meets a surface.
struct Meeting {
    /// Along the line [m].
    t: f64,
    /// The nearest corner.
    corner: u32,
    /// The triangle; none of a section.
    triangle: Option<u32>,
}

/// The nearest of the triangles that the ray meets where `keeps` lets it.
/// Möller and Trumbore's test [Moller1997].
fn nearest(
    ray: &Ray,
    triangles: &[[u32; 3]],
    corner: impl Fn(u32) -> Option<Vec3>,
    keeps: impl Fn(f64) -> bool,
) -> Option<Meeting> {
    let mut best: Option<Meeting> = None;
    for (place, triangle) in triangles.iter().enumerate() {
        let [Some(a), Some(b), Some(c)] = triangle.map(&corner) else { continue };
        let (e, f) = (b - a, c - a);
        let p = ray.direction.cross(&f);
        let determinant = e.dot(&p);
        if determinant == 0.0 {
            continue;
        }
        let s = ray.origin - a;
        let u = s.dot(&p) / determinant;
        let q = s.cross(&e);
        let v = ray.direction.dot(&q) / determinant;
        if u < 0.0 || v < 0.0 || u + v > 1.0 {
            continue;
        }
        let t = f.dot(&q) / determinant;
        if t > 0.0 && best.as_ref().is_none_or(|best| t < best.t) && keeps(t) {
            let weights = [1.0 - u - v, u, v];
            let most = (0..3).fold(0, |k, j| if weights[j] > weights[k] { j } else { k });
            best = Some(Meeting { t, corner: triangle[most], triangle: Some(place as u32) });
        }
    }
    best
}
