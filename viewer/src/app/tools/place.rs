//! Places that a tool meets: connectors within reach, surfaces, or free space in the plane across the line of sight.

use nalgebra::{Rotation3, UnitQuaternion};
use sinew::Vec3;
use sinew::component::{ComponentId, Kind};
use sinew::schedule::{Connection, DragPoint, Pick};
use sinew::snapshot::Shape;

use super::super::reach::Reach;
use crate::camera::plane_crossing;

/// Distance within which a connector is met [point].
const REACH: f64 = 10.0;
/// Length of a part that is clicked in, in halves of the height of the picture [-].
const USUAL: f64 = 0.4;
/// Cosine of the angle to an axis of the world within which that axis is meant: 20 degrees.
const ALIGNED: f64 = 0.9397;

impl Reach<'_> {
    /// Pixel at which a place is seen.
    pub(super) fn seen(&self, place: Vec3) -> Option<[f64; 2]> {
        self.view.camera.project(place, self.size).map(|(pixel, _)| pixel)
    }

    /// Particles and markers in the picture: where each is seen, and its point.
    pub(super) fn connectors(&self) -> impl Iterator<Item = ([f64; 2], u32)> + '_ {
        let items = self.snapshot.scene.items.iter().filter(|item| item.style.visible);
        let points = items.flat_map(|item| match &item.shape {
            Shape::Points(points) => points.as_slice(),
            _ => &[],
        });
        points.filter_map(|&point| Some((self.seen(self.point(point)?)?, point)))
    }

    fn point(&self, point: u32) -> Option<Vec3> {
        let relative = self.snapshot.points.get(point as usize)?;
        Some(self.snapshot.scene.origin + Vec3::from(relative.map(f64::from)))
    }

    /// Pick of a click at a pixel. Free space is as deep as the first pick, or as what the camera looks at.
    pub(super) fn place(&self, pixel: [f64; 2], first: Option<Pick>) -> Pick {
        let apart = |(seen, _): &([f64; 2], u32)| (seen[0] - pixel[0]).hypot(seen[1] - pixel[1]);
        let reach = REACH * f64::from(self.view.options.pixel_scale);
        let near = self.connectors().filter(|it| apart(it) <= reach);
        let nearest = near.min_by(|a, b| apart(a).total_cmp(&apart(b)));
        if let Some((point, place)) = nearest.and_then(|(_, it)| Some((it, self.point(it)?))) {
            return Pick { grabbed: Some(DragPoint::Point(point)), place };
        }
        if let Some(hit) = self.pick(pixel) {
            return Pick { grabbed: Some(hit.grabbed), place: hit.point };
        }
        let depth = first.map_or(self.view.camera.target, |first| first.place);
        Pick { grabbed: None, place: self.in_plane(depth, pixel) }
    }

    /// The joint at a pixel.
    pub(super) fn joint_at(&self, pixel: [f64; 2]) -> Option<ComponentId> {
        let joints = self.snapshot.scene.items.iter().filter(|item| item.style.visible);
        let joints = joints.filter(|item| item.owner.kind() == Kind::Joint);
        let reach = REACH * f64::from(self.view.options.pixel_scale);
        let seen = joints.filter_map(|item| {
            let Shape::Frame { frame, .. } = &item.shape else { return None };
            let frame = self.snapshot.frames.get(*frame as usize)?;
            let place = self.snapshot.scene.origin + Vec3::from(frame.position.map(f64::from));
            let [x, y] = self.seen(place)?;
            let apart = (x - pixel[0]).hypot(y - pixel[1]);
            (apart <= reach).then_some((apart, item.owner))
        });
        seen.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, joint)| joint)
    }

    /// The other end of a part that is clicked in.
    pub(super) fn usual_end(&self, from: Pick) -> Pick {
        let camera = &self.view.camera;
        let place = from.place + self.axes() * Vec3::x() * (USUAL * camera.half_height());
        Pick { grabbed: None, place }
    }

    /// Axes of the picture to the world; those of the world that they nearly are.
    pub(super) fn axes(&self) -> UnitQuaternion<f64> {
        let camera = &self.view.camera;
        let (right, back) = (aligned(camera.right()), aligned(camera.back()));
        if right.dot(&back).abs() > 1e-9 {
            return camera.orientation;
        }
        let basis = Rotation3::from_basis_unchecked(&[right, back.cross(&right), back]);
        UnitQuaternion::from_rotation_matrix(&basis)
    }

    /// Axis of a joint: a hinge turns about the line of sight, a slider slides to the right.
    pub(super) fn axis(&self, connection: Connection) -> Vec3 {
        match connection {
            Connection::Slider => aligned(self.view.camera.right()),
            Connection::Weld
            | Connection::Hinge
            | Connection::Nail
            | Connection::Motor
            | Connection::Spring
            | Connection::Muscle
            | Connection::Attachment => aligned(self.view.camera.back()),
        }
    }

    /// The point below a pixel in the plane across the line of sight through `start`.
    pub(in super::super) fn in_plane(&self, start: Vec3, pixel: [f64; 2]) -> Vec3 {
        let ray = self.view.camera.ray(pixel, self.size);
        let along = plane_crossing(&ray, start, aligned(self.view.camera.back()));
        along.map_or(start, |along| ray.at(along))
    }
}

/// The axis of the world that a direction nearly is; else itself.
fn aligned(direction: Vec3) -> Vec3 {
    let k = direction.iamax();
    if direction[k].abs() < ALIGNED {
        return direction;
    }
    let mut axis = Vec3::zeros();
    axis[k] = direction[k].signum();
    axis
}
