//! Location of points in a mesh: the element that holds them, or the nearest place on its surface,
//! as weights of nodes. Elements are inverted by Newton's method on their shape functions.

mod face;
pub(crate) use face::{MAX_FACE, shape as face_shape};
mod frame;
#[cfg(test)]
mod tests;
mod tie;

use std::collections::BTreeMap;

use super::{ElementKind, VolumeMesh};
use crate::tree::{Bounds, BoxTree};
use crate::{Mat3, Vec3};

pub use frame::{PlacedFrame, locate_frames};
pub use tie::tie;

/// Distance outside the reference element at which a point still is in the element [-].
const OUTSIDE: f64 = 1e-9;
/// Newton steps at most.
const STEPS: usize = 50;

/// A point in terms of nodes of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Nodes: those of the element that holds the point, or of the nearest face.
    pub nodes: Vec<u32>,
    /// Weight of each node [-]; their sum is 1.
    pub weights: Vec<f64>,
    /// The point less the weighted sum of the nodes [m]: roundings for points in the mesh.
    pub offset: Vec3,
}

/// Nodes and weights of points [m] in a mesh. A point in an element has the shape functions of the element as
/// weights, the one with the lowest index if there are several; a point outside of all has those of
/// the nearest place on the surface. Linear fields over the mesh have their value at the point, less
/// what they change over the offset. Points that are nowhere (not finite, or in a mesh without
/// elements) come back without nodes, and with the point as the offset.
pub fn locate(mesh: &VolumeMesh, points: &[Vec3]) -> Vec<Placed> {
    let elements = BoxTree::new((0..mesh.element_count()).map(|e| bounds_of(mesh, e)).collect());
    let mut surface = None;
    let mut around = Vec::new();
    let place = |point: &Vec3| {
        if !point.iter().all(|x| x.is_finite()) {
            return Placed { nodes: Vec::new(), weights: Vec::new(), offset: *point };
        }
        elements.find_around(point, &mut around);
        let inside = around.iter().find_map(|&e| place_inside(mesh, e, point));
        inside.unwrap_or_else(|| surface.get_or_insert_with(|| Surface::of(mesh)).place(point))
    };
    points.iter().map(place).collect()
}

fn placed(mesh: &VolumeMesh, nodes: &[u32], weights: &[f64], point: &Vec3) -> Placed {
    let at = |(&n, &w): (&u32, &f64)| (mesh.nodes[n as usize] - point) * w;
    let offset = -nodes.iter().zip(weights).map(at).sum::<Vec3>();
    Placed { nodes: nodes.to_vec(), weights: weights.to_vec(), offset }
}

/// The element that holds each of some points [m], the one with the lowest index if there are several.
pub(super) fn elements_at(mesh: &VolumeMesh, points: &[Vec3]) -> Vec<Option<usize>> {
    let elements = BoxTree::new((0..mesh.element_count()).map(|e| bounds_of(mesh, e)).collect());
    let mut around = Vec::new();
    let holder = |point: &Vec3| {
        if !point.iter().all(|x| x.is_finite()) {
            return None;
        }
        elements.find_around(point, &mut around);
        around.iter().copied().find(|&e| place_inside(mesh, e, point).is_some())
    };
    points.iter().map(holder).collect()
}

/// A box around corners and the mid-edge nodes' bulges: an element, or a face, is what its corners
/// span, plus for each mid-edge node its distance from the middle of its edge times a shape function
/// that is within 0 and 1.
fn bounds(corners: &[Vec3], bulges: impl Iterator<Item = Vec3>) -> Bounds {
    let bulge = bulges.fold(Vec3::zeros(), |sum, bulge| sum + bulge.abs());
    let tight = Bounds::of(corners.iter().copied(), bulge);
    let margin = Vec3::repeat((tight.high - tight.low).norm() * OUTSIDE);
    Bounds::of([tight.low, tight.high].into_iter(), margin)
}

fn bounds_of(mesh: &VolumeMesh, e: usize) -> Bounds {
    let (kind, nodes) = mesh.element(e);
    let mut all = [Vec3::zeros(); ElementKind::MAX_NODE_COUNT];
    let x = positions(mesh, nodes, &mut all);
    let (corners, middles) = x.split_at(kind.corner_count());
    let middle = |&[a, b]: &[u8; 2]| (x[a as usize] + x[b as usize]) * 0.5;
    bounds(corners, middles.iter().zip(kind.edges()).map(|(x, edge)| x - middle(edge)))
}

/// Positions of nodes [m], in `all`.
fn positions<'a>(mesh: &VolumeMesh, nodes: &[u32], all: &'a mut [Vec3]) -> &'a [Vec3] {
    for (x, &node) in all.iter_mut().zip(nodes) {
        *x = mesh.nodes[node as usize];
    }
    &all[..nodes.len()]
}

/// The shape functions of element `e` at a point, if it is inside.
fn place_inside(mesh: &VolumeMesh, e: usize, point: &Vec3) -> Option<Placed> {
    let (kind, nodes) = mesh.element(e);
    let mut all = [Vec3::zeros(); ElementKind::MAX_NODE_COUNT];
    let x = positions(mesh, nodes, &mut all);
    let map = Map { kind, x, point: *point, size: size_of(x) };
    let r = map.invert_within()?;
    let mut weights = [0.0; ElementKind::MAX_NODE_COUNT];
    kind.shape(r, &mut weights);
    Some(placed(mesh, nodes, &weights[..nodes.len()], point))
}

/// Diagonal of the box of some points [m].
fn size_of(x: &[Vec3]) -> f64 {
    let Bounds { low, high } = Bounds::of(x.iter().copied(), Vec3::zeros());
    (high - low).norm()
}

/// The map from the reference element to an element with nodes at `x`, and the point looked for.
struct Map<'a> {
    kind: ElementKind,
    x: &'a [Vec3],
    point: Vec3,
    size: f64,
}

impl Map<'_> {
    /// Natural coordinates of the point, if they are those of a place in the element.
    fn invert_within(&self) -> Option<[f64; 3]> {
        let center = self.kind.centre();
        // From the middle, or, where the element is bent, half way to the nearest corner.
        let corners = self.x[..self.kind.corner_count()].iter().zip(self.kind.nodes());
        let far = |x: &Vec3| (x - self.point).norm_squared();
        let nearest = corners.min_by(|a, b| far(a.0).total_cmp(&far(b.0)))?.1;
        let between: [f64; 3] = std::array::from_fn(|i| 0.5 * (center[i] + nearest[i]));
        [center, between].into_iter().find_map(|start| {
            let r = self.invert(start);
            let clamped = clamp(self.kind, r);
            let outside = (0..3).map(|i| (r[i] - clamped[i]).abs()).fold(0.0, f64::max);
            // At the apex of a pyramid natural coordinates lose their meaning: there, distance counts.
            [(r, outside <= OUTSIDE), (clamped, true)]
                .into_iter()
                .find_map(|(r, near)| (near && self.misses(r) <= OUTSIDE * self.size).then_some(r))
        })
    }

    /// Distance from the point to the image of `r` [m].
    fn misses(&self, r: [f64; 3]) -> f64 {
        self.miss(r).norm()
    }

    fn miss(&self, r: [f64; 3]) -> Vec3 {
        let mut n = [0.0; ElementKind::MAX_NODE_COUNT];
        self.kind.shape(r, &mut n);
        self.x.iter().zip(n).map(|(x, n)| (x - self.point) * n).sum()
    }

    /// Newton's method, with steps of at most 1 and none that leads far away.
    fn invert(&self, mut r: [f64; 3]) -> [f64; 3] {
        let mut gradients = [[0.0; 3]; ElementKind::MAX_NODE_COUNT];
        for _ in 0..STEPS {
            self.kind.gradient(r, &mut gradients);
            let mut jacobian = Mat3::zeros();
            for (x, gradient) in self.x.iter().zip(gradients) {
                jacobian += x * Vec3::from(gradient).transpose();
            }
            let Some(inverse) = jacobian.try_inverse() else { break };
            let step = inverse * self.miss(r);
            let length = step.amax();
            if !length.is_finite() {
                break;
            }
            let step = step / length.max(1.0);
            r = std::array::from_fn(|i| (r[i] - step[i]).clamp(-3.0, 3.0));
            // The error is the square of the last step.
            if length < 1e-12 {
                break;
            }
        }
        r
    }
}

/// The place in the reference element next to `r`, axis by axis.
fn clamp(kind: ElementKind, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let triangle = |x: f64, y: f64, most: f64| {
        let (x, y) = (x.max(0.0), y.max(0.0));
        let shrink = (most / (x + y).max(f64::MIN_POSITIVE)).min(1.0);
        [x * shrink, y * shrink]
    };
    let unit = |x: f64| x.clamp(-1.0, 1.0);
    match kind.linear() {
        ElementKind::Tet4 => {
            let z = z.clamp(0.0, 1.0);
            let [x, y] = triangle(x, y, 1.0 - z);
            [x, y, z]
        }
        ElementKind::Wedge6 => {
            let [x, y] = triangle(x, y, 1.0);
            [x, y, unit(z)]
        }
        _ => [x, y, z].map(unit),
    }
}

/// Nodes of a face, as many as it has, and none in the other places.
type Face = ([u32; face::MAX_FACE], usize);

/// The faces that only one element has.
struct Surface<'a> {
    mesh: &'a VolumeMesh,
    faces: Vec<Face>,
    tree: BoxTree,
}

impl<'a> Surface<'a> {
    fn of(mesh: &'a VolumeMesh) -> Self {
        let faces = surface_faces(mesh);
        let tree = BoxTree::new(faces.iter().map(|face| face_bounds(mesh, face)).collect());
        Self { mesh, faces, tree }
    }

    /// The place on the surface that is nearest to a point.
    fn place(&self, point: &Vec3) -> Placed {
        let mut best = (f64::INFINITY, None);
        self.tree.find_nearest(point, f64::INFINITY, &mut |k, _| {
            let (nodes, count) = &self.faces[k];
            let mut all = [Vec3::zeros(); face::MAX_FACE];
            let found = face::nearest(positions(self.mesh, &nodes[..*count], &mut all), *point);
            if found.distance_squared < best.0 {
                best = (found.distance_squared, Some((k, found.weights)));
            }
            best.0
        });
        let Some((k, weights)) = best.1 else {
            return Placed { nodes: Vec::new(), weights: Vec::new(), offset: *point };
        };
        let (nodes, count) = &self.faces[k];
        placed(self.mesh, &nodes[..*count], &weights[..*count], point)
    }
}

/// Faces that belong to one element alone.
fn surface_faces(mesh: &VolumeMesh) -> Vec<Face> {
    let mut known: BTreeMap<[u32; 4], Option<Face>> = BTreeMap::new();
    for (kind, nodes) in mesh.elements() {
        for local in kind.faces() {
            let mut face = [u32::MAX; face::MAX_FACE];
            for (to, &from) in face.iter_mut().zip(*local) {
                *to = nodes[from as usize];
            }
            let mut key = [u32::MAX; 4];
            let corners = corner_count(local.len());
            key[..corners].copy_from_slice(&face[..corners]);
            key.sort_unstable();
            let twice = known.contains_key(&key);
            known.insert(key, (!twice).then_some((face, local.len())));
        }
    }
    known.into_values().flatten().collect()
}

/// Nodes on the surface of a mesh, by rising number.
pub fn surface_nodes(mesh: &VolumeMesh) -> Vec<u32> {
    let faces = surface_faces(mesh);
    let mut nodes: Vec<u32> =
        faces.iter().flat_map(|(nodes, count)| &nodes[..*count]).copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Corners of a face of so many nodes.
fn corner_count(nodes: usize) -> usize {
    if nodes > 4 { nodes / 2 } else { nodes }
}

fn face_bounds(mesh: &VolumeMesh, (nodes, count): &Face) -> Bounds {
    let mut all = [Vec3::zeros(); face::MAX_FACE];
    let x = positions(mesh, &nodes[..*count], &mut all);
    let (corners, middles) = x.split_at(corner_count(*count));
    let middle = |k: usize| (corners[k] + corners[(k + 1) % corners.len()]) * 0.5;
    bounds(corners, middles.iter().enumerate().map(|(k, x)| x - middle(k)))
}
