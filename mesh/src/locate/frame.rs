//! Frames in a mesh: beside the weights of a point, the gradients of the shape functions there,
//! which make a deformation gradient of positions of nodes.

use super::{BoxTree, Map, Surface, bounds_of, clamp, placed, positions, size_of};
use crate::{ElementKind, VolumeMesh};
use crate::{Mat3, Vec3};

/// A frame in terms of the nodes of the element that its origin lies in.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedFrame {
    /// Nodes of the element; none where the origin is nowhere.
    pub nodes: Vec<u32>,
    /// Weight of each node [-]; their sum is 1.
    pub weights: Vec<f64>,
    /// Gradient of each shape function by rest positions [1/m]; their sum is zero.
    pub gradients: Vec<Vec3>,
    /// The origin less the weighted sum of the nodes [m]: roundings for points in the mesh.
    pub offset: Vec3,
}

/// Elements and weights of frames with their origins at `points` [m] in a mesh. One that lies outside of all elements
/// is in the element at the nearest place of the surface, with its distance from there as the offset.
pub fn locate_frames(mesh: &VolumeMesh, points: &[Vec3]) -> Vec<PlacedFrame> {
    let elements = BoxTree::new((0..mesh.element_count()).map(|e| bounds_of(mesh, e)).collect());
    let mut surface = None;
    let mut around = Vec::new();
    let place = |point: &Vec3| {
        let nowhere = PlacedFrame {
            nodes: Vec::new(),
            weights: Vec::new(),
            gradients: Vec::new(),
            offset: *point,
        };
        if !point.iter().all(|x| x.is_finite()) {
            return nowhere;
        }
        elements.find_around(point, &mut around);
        let inside = around.iter().find_map(|&e| Some((e, coordinates(mesh, e, point)?)));
        let found = inside.or_else(|| {
            let surface = surface.get_or_insert_with(|| Surface::of(mesh));
            nearest(mesh, &surface.place(point), point)
        });
        found.map_or(nowhere, |(element, r)| frame_in(mesh, (element, r), point))
    };
    points.iter().map(place).collect()
}

/// Natural coordinates of a point in element `e`, if it is inside.
fn coordinates(mesh: &VolumeMesh, e: usize, point: &Vec3) -> Option<[f64; 3]> {
    let (kind, nodes) = mesh.element(e);
    let mut all = [Vec3::zeros(); ElementKind::MAX_NODE_COUNT];
    let x = positions(mesh, nodes, &mut all);
    Map { kind, x, point: *point, size: size_of(x) }.invert_within()
}

/// The element that has the face which a point outside was placed on, and where in it.
fn nearest(mesh: &VolumeMesh, on: &super::Placed, point: &Vec3) -> Option<(usize, [f64; 3])> {
    let has = |(_, nodes): (ElementKind, &[u32])| on.nodes.iter().all(|n| nodes.contains(n));
    let element = mesh.elements().position(has).filter(|_| !on.nodes.is_empty())?;
    let (kind, nodes) = mesh.element(element);
    let mut all = [Vec3::zeros(); ElementKind::MAX_NODE_COUNT];
    let x = positions(mesh, nodes, &mut all);
    let map = Map { kind, x, point: point - on.offset, size: size_of(x) };
    Some((element, clamp(kind, map.invert(kind.centre()))))
}

/// Weights and gradients at a place of an element.
fn frame_in(mesh: &VolumeMesh, (e, r): (usize, [f64; 3]), point: &Vec3) -> PlacedFrame {
    let (kind, nodes) = mesh.element(e);
    let mut weights = [0.0; ElementKind::MAX_NODE_COUNT];
    kind.shape(r, &mut weights);
    let point = placed(mesh, nodes, &weights[..nodes.len()], point);
    // Natural coordinates have no derivative at the apex of a pyramid.
    let gradients = gradients(mesh, e, r).or_else(|| gradients(mesh, e, kind.centre()));
    let gradients = gradients.unwrap_or_else(|| vec![Vec3::zeros(); nodes.len()]);
    PlacedFrame { nodes: point.nodes, weights: point.weights, gradients, offset: point.offset }
}

/// Gradients of the shape functions of element `e` by rest positions at `r` [1/m].
fn gradients(mesh: &VolumeMesh, e: usize, r: [f64; 3]) -> Option<Vec<Vec3>> {
    let (kind, nodes) = mesh.element(e);
    let mut natural = [[0.0; 3]; ElementKind::MAX_NODE_COUNT];
    kind.gradient(r, &mut natural);
    let natural: Vec<Vec3> = natural[..nodes.len()].iter().map(|g| Vec3::from(*g)).collect();
    let at = nodes.iter().map(|&n| mesh.nodes[n as usize]);
    let jacobian: Mat3 = at.zip(&natural).map(|(x, g)| x * g.transpose()).sum();
    let inverse = jacobian.try_inverse()?;
    Some(natural.iter().map(|g| inverse.tr_mul(g)).collect())
}
