//! Convex hulls of points: the hull itself is parry's; triangles in one plane are made one face here.

use super::border;
use super::polytope::Polytope;
use super::{ContactError, point};
use crate::Vec3;

/// Points closer to a plane than this part of the hull's size are in it: far above what quickhull's
/// arithmetic leaves and below what a contact resolves. Points that are noisy by just so much leave
/// faces that do not close; then the next is tried, up to what single precision rounds.
const COPLANAR: [f64; 4] = [1e-9, 1e-8, 1e-7, 1e-6];
/// Most times that points are left out; one or two are usual.
const ITERATIONS: usize = 8;
/// A hull that is thinner than this part of its size is flat.
const FLAT: f64 = 1e-9;

/// A convex solid with flat faces, made from points. Faces are plane polygons: what lies in one
/// plane is one face, and corners inside faces or edges are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct ConvexHull {
    pub(super) polytope: Polytope,
}

impl ConvexHull {
    /// The hull of points [m].
    ///
    /// # Errors
    /// Too few points, points that are not finite, points in one plane, or so close to each other
    /// that rounding leaves no closed surface.
    pub fn new(points: &[Vec3]) -> Result<Self, ContactError> {
        if points.len() < 4 {
            return Err(ContactError::TooFewPoints { count: points.len() });
        }
        if let Some(point) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(ContactError::HullPoint { point });
        }
        let size = check_thickness(points)?;
        let open = ContactError::OpenHull { count: points.len() };
        COPLANAR
            .iter()
            .find_map(|part| close(points, part * size))
            .map(|polytope| ConvexHull { polytope })
            .ok_or(open)
    }

    /// Corners [m], in the frame of the shape.
    pub fn corners(&self) -> &[Vec3] {
        &self.polytope.corners
    }

    /// Its faces cut into triangles, counterclockwise seen from outside.
    pub(super) fn triangles(&self) -> Vec<[u32; 3]> {
        let solid = self.polytope.solid();
        let fan = |face: usize| {
            let corners = solid.face(face);
            corners[1..].windows(2).map(|two| [corners[0], two[0], two[1]])
        };
        (0..self.face_count()).flat_map(fan).collect()
    }

    /// Number of plane faces.
    pub fn face_count(&self) -> usize {
        self.polytope.normals.len()
    }
}

/// Extent of the points [m], or what is flat about them.
fn check_thickness(points: &[Vec3]) -> Result<f64, ContactError> {
    let farthest = |measure: &dyn Fn(&Vec3) -> f64| {
        points.iter().map(|p| (measure(p), *p)).max_by(|a, b| a.0.total_cmp(&b.0)).expect("some")
    };
    let origin = points[0];
    let (size, end) = farthest(&|p| (p - origin).norm());
    let axis = (end - origin) / size;
    let (width, third) = farthest(&|p| (p - origin).cross(&axis).norm());
    let normal = axis.cross(&((third - origin) / width));
    let (height, _) = farthest(&|p| (p - origin).dot(&normal).abs());
    let thick = size > 0.0 && width > FLAT * size && height > FLAT * size;
    let height = if height.is_finite() { height } else { 0.0 };
    thick.then_some(size).ok_or(ContactError::FlatHull { count: points.len(), height, size })
}

/// The surface, if faces of triangles merged within a tolerance close and enclose all points.
/// Points of one face's plane that are no corners of it are corners of none: they are left out, and
/// the hull is made anew without them.
fn close(points: &[Vec3], tolerance: f64) -> Option<Polytope> {
    let mut left = distinct(&border::hull_triangles(points)?.0, tolerance);
    for _ in 0..ITERATIONS {
        let (corners, triangles) = border::hull_triangles(&left)?;
        let mut is_corner = vec![true; corners.len()];
        let faces = merge(&corners, &triangles, tolerance, &mut is_corner);
        if is_corner.iter().all(|&is| is) {
            let polytope = compact(&corners, faces)?;
            return encloses(&polytope, points, 10.0 * tolerance).then_some(polytope);
        }
        left = corners.into_iter().zip(is_corner).filter(|(_, is)| *is).map(|(p, _)| p).collect();
    }
    None
}

/// One of points that are closer than a distance.
fn distinct(points: &[Vec3], distance: f64) -> Vec<Vec3> {
    let mut left: Vec<Vec3> = Vec::with_capacity(points.len());
    for p in points {
        if left.iter().all(|q| (p - q).norm() > distance) {
            left.push(*p);
        }
    }
    left
}

/// True if no point is farther than a tolerance outside a face [m].
fn encloses(polytope: &Polytope, points: &[Vec3], tolerance: f64) -> bool {
    let solid = polytope.solid();
    points.iter().all(|p| {
        (0..solid.normals.len())
            .all(|f| solid.normals[f].dot(&(p - solid.face_point(f))) <= tolerance)
    })
}

/// Faces from triangles, largest first: all corners in the plane of one, in order. What lies in a
/// plane and is no corner there is marked.
fn merge(
    corners: &[Vec3],
    triangles: &[[u32; 3]],
    tolerance: f64,
    is_corner: &mut [bool],
) -> Vec<Vec<u32>> {
    let cross = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| corners[i as usize]);
        (b - a).cross(&(c - a))
    };
    let mut order: Vec<(usize, Vec3)> =
        triangles.iter().map(cross).enumerate().filter(|(_, c)| c.norm() > 0.0).collect();
    order.sort_by(|a, b| b.1.norm().total_cmp(&a.1.norm()).then(a.0.cmp(&b.0)));
    let mut used = vec![false; triangles.len()];
    let mut faces = Vec::new();
    for (t, cross) in order {
        if used[t] {
            continue;
        }
        let normal = cross.normalize();
        let level = corners[triangles[t][0] as usize].dot(&normal);
        let within = |i: u32| (corners[i as usize].dot(&normal) - level).abs() <= tolerance;
        let plane: Vec<u32> = (0..corners.len() as u32).filter(|&i| within(i)).collect();
        for (other, triangle) in triangles.iter().enumerate() {
            used[other] |= triangle.iter().all(|i| plane.contains(i));
        }
        let face = outline(corners, &plane, &normal, tolerance);
        plane.iter().filter(|i| !face.contains(i)).for_each(|&i| is_corner[i as usize] = false);
        faces.push(face);
    }
    faces
}

/// The convex polygon of corners in a plane, counterclockwise about its normal (monotone chain,
/// Andrew1979), without those on its edges.
fn outline(corners: &[Vec3], plane: &[u32], normal: &Vec3, tolerance: f64) -> Vec<u32> {
    let (u, v) = point::tangents(normal);
    let flat = |i: u32| [corners[i as usize].dot(&u), corners[i as usize].dot(&v)];
    let mut sorted = plane.to_vec();
    sorted.sort_by(|&i, &j| {
        let (a, b) = (flat(i), flat(j));
        a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
    });
    let half = |order: &mut dyn Iterator<Item = u32>| {
        let mut chain: Vec<u32> = Vec::new();
        for next in order {
            while let [.., a, b] = chain[..] {
                let (pa, pb, pc) = (flat(a), flat(b), flat(next));
                let along = [pc[0] - pa[0], pc[1] - pa[1]];
                let off = along[1] * (pb[0] - pa[0]) - along[0] * (pb[1] - pa[1]);
                if off > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(next);
        }
        chain.pop();
        chain
    };
    let lower = half(&mut sorted.iter().copied());
    let upper = half(&mut sorted.iter().rev().copied());
    let mut face = [lower, upper].concat();
    let on_edge = |face: &[u32], k: usize| {
        let n = face.len();
        let [a, b, c] = [k + n - 1, k, k + 1].map(|i| corners[face[i % n] as usize]);
        let between = (b - a).dot(&(c - b)) >= 0.0;
        between && (b - a).cross(&(c - a)).norm() <= tolerance * (c - a).norm()
    };
    while let Some(k) = (0..face.len()).find(|&k| face.len() > 3 && on_edge(&face, k)) {
        face.remove(k);
    }
    face
}

/// Leaves out corners of no face, and closes the surface.
fn compact(corners: &[Vec3], mut faces: Vec<Vec<u32>>) -> Option<Polytope> {
    if faces.iter().any(|face| face.len() < 3) {
        return None;
    }
    let mut place = vec![u32::MAX; corners.len()];
    faces.iter().flatten().for_each(|&i| place[i as usize] = 0);
    let mut kept = Vec::new();
    for (corner, place) in corners.iter().zip(&mut place) {
        if *place == 0 {
            *place = kept.len() as u32;
            kept.push(*corner);
        }
    }
    faces.iter_mut().flatten().for_each(|i| *i = place[*i as usize]);
    Polytope::from_faces(kept, &faces)
}
