//! Surfaces of two meshes tied to each other: displacements of nodes of one as weights of nodes of the other. Weights are those
//! of mortar integrals with dual shape functions (Wohlmuth2000, PusoLaursen2004), so that a uniform stress passes between
//! meshes that do not match; nodes of quadratic faces follow the nearest place.

use std::collections::BTreeMap;

use nalgebra::DMatrix;

use super::{Face, Placed, Surface, corner_count, face, positions, surface_nodes};
use crate::face_rule::face_points;
use crate::tree::Bounds;
use crate::{Vec3, VolumeMesh};

/// Least share of a face that is across faces of the other mesh for its integrals to be taken [-]: dual functions of small
/// parts have large weights.
const COVERED: f64 = 0.5;
/// Parts of a face below this share of its area are rounding [-].
const SLIVER: f64 = 1e-14;
/// Newton steps at most to a place in a flat face.
const STEPS: usize = 20;

/// A place in the plane of a face.
type Flat = [f64; 2];

/// Nodes on the surface of `mesh` that are no farther than `reach` [m] from `to`, rising, each in terms of nodes of `to`.
/// The weights of each add up to 1, and linear displacements of a flat surface are followed exactly.
pub fn tie(mesh: &VolumeMesh, to: &VolumeMesh, reach: f64) -> Vec<(u32, Placed)> {
    let [own, other] = [mesh, to].map(Surface::of);
    let nearest = surface_nodes(mesh).into_iter().map(|node| {
        let placed = other.place(&mesh.nodes[node as usize]);
        (node, placed)
    });
    let near: BTreeMap<u32, Placed> = nearest
        .filter(|(_, placed)| !placed.nodes.is_empty() && placed.offset.norm() <= reach)
        .collect();
    let mut mortar = Mortar { other: &other, reach, of_nodes: BTreeMap::new() };
    for (nodes, count) in own.faces.iter().filter(|(_, count)| *count <= 4) {
        if nodes[..*count].iter().any(|node| near.contains_key(node)) {
            mortar.add_face(mesh, &nodes[..*count]);
        }
    }
    let of_nodes = mortar.of_nodes;
    let tied = |(node, nearest)| match of_nodes.get(&node) {
        Some((area, sums)) => {
            let nodes: Vec<u32> = sums.keys().copied().collect();
            let weights: Vec<f64> = sums.values().map(|sum| sum / area).collect();
            (node, super::placed(to, &nodes, &weights, &mesh.nodes[node as usize]))
        }
        None => (node, nearest),
    };
    near.into_iter().map(tied).collect()
}

/// Integrals over the faces of one surface that are across faces of another.
struct Mortar<'a> {
    other: &'a Surface<'a>,
    reach: f64,
    /// Of each node the integral of its dual function [m²], and of that times the shape function of each node of the other.
    of_nodes: BTreeMap<u32, (f64, BTreeMap<u32, f64>)>,
}

/// A face of the surface seen in its plane.
struct Plane {
    origin: Vec3,
    axes: [Vec3; 2],
    normal: Vec3,
}

/// Integrals over one face.
struct Integrals {
    /// Of products of its shape functions [m²].
    products: DMatrix<f64>,
    /// Of each times the shape functions of nodes of the other surface [m²].
    across: Vec<([f64; 4], u32)>,
}

impl Mortar<'_> {
    /// Adds the integrals of a face with 3 or 4 nodes.
    fn add_face(&mut self, mesh: &VolumeMesh, nodes: &[u32]) {
        let mut all = [Vec3::zeros(); face::MAX_FACE];
        let x = positions(mesh, nodes, &mut all);
        let plane = Plane::of(x);
        let flat: Vec<Flat> = x.iter().map(|p| plane.project(p)).collect();
        let size = area(&flat);
        let (products, across) = (DMatrix::zeros(nodes.len(), nodes.len()), Vec::new());
        let mut found = Integrals { products, across };
        let bounds = Bounds::of(x.iter().copied(), Vec3::repeat(self.reach));
        self.other.tree.visit_overlapping(&bounds, &mut |k| {
            let other = &self.other.faces[k as usize];
            found.add(&plane, (&flat, size), (self.other.mesh, other), self.reach);
        });
        let own = found.products.column_sum();
        if own.sum() < COVERED * size {
            return;
        }
        let Some(inverse) = found.products.try_inverse() else { return };
        for (i, node) in nodes.iter().enumerate() {
            let (integral, sums) = self.of_nodes.entry(*node).or_default();
            *integral += own[i];
            for (by, other) in &found.across {
                let dual: f64 = (0..nodes.len()).map(|j| inverse[(i, j)] * by[j]).sum();
                *sums.entry(*other).or_default() += own[i] * dual;
            }
        }
    }
}

impl Integrals {
    /// Adds the part of a face of `plane` that is across a face of the other mesh, which looks at it.
    fn add(
        &mut self,
        plane: &Plane,
        (flat, size): (&[Flat], f64),
        (mesh, (nodes, count)): (&VolumeMesh, &Face),
        reach: f64,
    ) {
        let mut all = [Vec3::zeros(); face::MAX_FACE];
        let nodes = &nodes[..*count];
        let x = positions(mesh, nodes, &mut all);
        let other: Vec<Flat> = x.iter().map(|p| plane.project(p)).collect();
        let corners = corner_count(nodes.len());
        for mine in triangles(flat.len()) {
            for theirs in triangles(corners) {
                // What looks at the face goes the other way round.
                let [a, b, c] = theirs.map(|k| other[k]);
                let part = cut(mine.map(|k| flat[k]), [c, b, a]);
                for k in 2..part.len() {
                    let triangle = [part[0], part[k - 1], part[k]];
                    if area(&triangle) > SLIVER * size {
                        self.add_triangle(plane, flat, (x, &other, nodes), (&triangle, reach));
                    }
                }
            }
        }
    }

    fn add_triangle(
        &mut self,
        plane: &Plane,
        flat: &[Flat],
        (x, other, nodes): (&[Vec3], &[Flat], &[u32]),
        (triangle, reach): (&[Flat; 3], f64),
    ) {
        for point in face_points(3) {
            let weight = 2.0 * area(triangle) * point.weight;
            let at = sum(triangle, &point.n);
            let [mine, theirs] = [flat, other].map(|face| weights_at(face, at));
            let across: Vec3 = x.iter().zip(theirs).map(|(x, n)| x * n).sum();
            if plane.height(&across).abs() > reach {
                continue;
            }
            for (i, a) in mine[..flat.len()].iter().enumerate() {
                for (j, b) in mine[..flat.len()].iter().enumerate() {
                    self.products[(i, j)] += weight * a * b;
                }
            }
            for (node, n) in nodes.iter().zip(theirs) {
                let by = [0, 1, 2, 3].map(|j| weight * mine[j] * n);
                self.across.push((by, *node));
            }
        }
    }
}

impl Plane {
    /// The plane of a face with corners at `x`, counter-clockwise seen along its normal.
    fn of(x: &[Vec3]) -> Self {
        let last = x[x.len() - 1];
        let across = (x[2] - x[0]).cross(&(last - x[1]));
        let normal = match x.len() {
            3 => (x[1] - x[0]).cross(&(x[2] - x[0])),
            _ => across,
        };
        let normal = normal.try_normalize(0.0).unwrap_or_else(Vec3::z);
        let first = (x[1] - x[0]).try_normalize(0.0).unwrap_or_else(Vec3::x);
        let first = (first - normal * normal.dot(&first)).try_normalize(0.0).unwrap_or(first);
        Self { origin: x[0], axes: [first, normal.cross(&first)], normal }
    }

    fn project(&self, p: &Vec3) -> Flat {
        self.axes.map(|axis| axis.dot(&(p - self.origin)))
    }

    fn height(&self, p: &Vec3) -> f64 {
        self.normal.dot(&(p - self.origin))
    }
}

/// Corners of the triangles that a face of 3 or 4 corners is cut into.
fn triangles(corners: usize) -> &'static [[usize; 3]] {
    if corners == 3 { &[[0, 1, 2]] } else { &[[0, 1, 2], [0, 2, 3]] }
}

/// Twice the signed area of a triangle.
fn turn(a: Flat, b: Flat, c: Flat) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Signed area of a polygon.
fn area(polygon: &[Flat]) -> f64 {
    (2..polygon.len()).map(|k| 0.5 * turn(polygon[0], polygon[k - 1], polygon[k])).sum()
}

fn sum(points: &[Flat], weights: &[f64]) -> Flat {
    [0, 1].map(|axis| points.iter().zip(weights).map(|(p, w)| p[axis] * w).sum())
}

/// The part of a triangle that is inside another one, both counter-clockwise (SutherlandHodgman1974).
fn cut(triangle: [Flat; 3], by: [Flat; 3]) -> Vec<Flat> {
    let mut part = triangle.to_vec();
    for k in 0..3 {
        let (from, to) = (by[k], by[(k + 1) % 3]);
        let inside = |p: Flat| turn(from, to, p);
        let before = std::mem::take(&mut part);
        for (i, &p) in before.iter().enumerate() {
            let next = before[(i + 1) % before.len()];
            let (here, there) = (inside(p), inside(next));
            if here >= 0.0 {
                part.push(p);
            }
            if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
                let t = here / (here - there);
                part.push([0, 1].map(|axis| p[axis] + t * (next[axis] - p[axis])));
            }
        }
    }
    part
}

/// Shape functions of a face with nodes at `x` in a plane, at a place in it.
fn weights_at(x: &[Flat], at: Flat) -> [f64; face::MAX_FACE] {
    let mut r = if x.len().is_multiple_of(3) { [1.0 / 3.0; 2] } else { [0.0; 2] };
    for _ in 0..STEPS {
        let shape = face::shape(x.len(), r);
        let of = |k: usize| sum(x, &shape.map(|n| n[k]));
        let [here, a, b] = [of(0), of(1), of(2)];
        let miss = [at[0] - here[0], at[1] - here[1]];
        let determinant = a[0] * b[1] - a[1] * b[0];
        if determinant == 0.0 {
            break;
        }
        let step = [
            (miss[0] * b[1] - miss[1] * b[0]) / determinant,
            (a[0] * miss[1] - a[1] * miss[0]) / determinant,
        ];
        r = [r[0] + step[0], r[1] + step[1]];
        // The error is the square of the last step.
        if step[0].abs().max(step[1].abs()) < 1e-9 {
            break;
        }
    }
    face::shape(x.len(), r).map(|n| n[0])
}
