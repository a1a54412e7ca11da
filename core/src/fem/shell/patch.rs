//! A triangle of a sheet with the nodes opposite to its sides: the linear maps from positions to strains, which are
//! made once.
//!
//! Of a shell (OnateFlores2005, the enhanced basic shell triangle): positions over the patch of four triangles are
//! quadratic in the coordinates of the middle one. At the middle of side i their derivatives x_1, x_2 by orthonormal
//! coordinates at rest depend on the two triangles there. Strain is the mean of (x_a . x_b - delta_ab) / 2 over the
//! three sides; bending is the mean second derivative over the triangle by Gauss' theorem, 2 sum_i L_i,b x_a(i) . n with
//! n the normal of the triangle and L_i its area coordinates, and derivatives that are exact for constant bending (`sides.rs`). A
//! side of more than two triangles is a hinge; one on the border that is clamped keeps the direction across it.

use super::sides::{SideDerivative, Sides, side};
use crate::Vec3;

/// Most nodes of a patch: a triangle, and three rings of others around it that each share a side with the one before.
pub(super) const NODES: usize = 24;
/// Most nodes that the strain of the middle surface depends on: those of a triangle and its neighbours.
pub(super) const CLOSE: usize = 6;
/// Sides of a triangle.
pub(super) const SIDES: usize = 3;

/// Resistance of sheets to bending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// None: membranes.
    Membrane,
    /// Shells resist it.
    Shell,
}

/// Nodes of a patch: its corners, then for each side that has a neighbour the corner of that opposite to it, then others that the
/// derivatives at its sides depend on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stencil {
    pub(crate) nodes: Vec<u32>,
    /// Place in `nodes` of the node opposite to side k, which lies across from corner k.
    opposite: [Option<u8>; 3],
    /// True for sides that keep their direction.
    clamped: [bool; 3],
    /// Derivatives at the sides that are neither hinges nor clamped, by places in `nodes`.
    derivatives: [Option<SideDerivative>; 3],
}

/// Patches of triangles between rows that are in these places at rest [m]; `clamped` tells whether a node belongs to a clamped
/// edge. A side of more than two triangles is a hinge of all of them.
pub(crate) fn stencils(
    triangles: &[[u32; 3]],
    layer: Layer,
    clamped: &dyn Fn(u32) -> bool,
    rest: &[Vec3],
) -> Vec<Stencil> {
    let shared = match layer {
        Layer::Membrane => &[],
        Layer::Shell => triangles,
    };
    let sides = Sides::new(shared, rest);
    let derivatives = sides.derivatives();
    let of = |(e, t): (usize, &[u32; 3])| {
        let (nodes, derivatives_at) = (t.to_vec(), [None, None, None]);
        let (opposite, fixed) = ([None; 3], [false; 3]);
        let mut stencil = Stencil { nodes, opposite, clamped: fixed, derivatives: derivatives_at };
        for k in 0..3 {
            let at = sides.triangles_at(side(t, k));
            if let [first, second] = at {
                let other = if first.0 == e { second } else { first };
                stencil.opposite[k] = Some(stencil.place(other.1));
            } else if at.len() == 1 {
                stencil.clamped[k] = clamped(t[(k + 1) % 3]) && clamped(t[(k + 2) % 3]);
            }
        }
        for k in 0..3 {
            let derivative = derivatives.get(&side(t, k)).filter(|_| !stencil.clamped[k]).cloned();
            stencil.derivatives[k] = derivative.map(|mut derivative| {
                derivative
                    .weights
                    .iter_mut()
                    .for_each(|(row, _)| *row = stencil.place(*row).into());
                derivative
            });
        }
        stencil
    };
    triangles.iter().enumerate().map(of).collect()
}

impl Stencil {
    /// Place of a node, which becomes the last one if it is new.
    fn place(&mut self, node: u32) -> u8 {
        let known = self.nodes.iter().position(|own| *own == node);
        known.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        }) as u8
    }
}

/// Derivatives at one point of the shape functions of the nodes of a patch by two orthonormal coordinates [1/m].
type Slopes = [[f64; 2]; CLOSE];

/// Maps of a patch from the positions of its nodes to its strains.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    /// Points of the strain of the middle surface, which count alike.
    pub(super) points: Vec<Slopes>,
    /// Coefficients of the bending 11, 22, twice 12 by the distance of each node along the normal [1/m²].
    pub(super) bending: [[f64; NODES]; 3],
    /// The same of directions that stay: bending is that of the nodes plus the dot product with the normal [1/m].
    pub(super) kept: [Vec3; 3],
    /// Bending at rest [1/m].
    pub(super) rest: [f64; 3],
    /// Area at rest [m²].
    pub(super) area: f64,
    /// Orthonormal axes at rest: along the first side, across it, normal.
    pub(super) axes: [Vec3; 3],
}

/// Shape functions of the quadratic patch differentiated by (xi, eta) at the middle of side k: corners, then the node
/// opposite to that side. Corners are at (0, 0), (1, 0), (0, 1), the others at (1, 1), (-1, 1), (1, -1).
const AT_SIDES: [([[f64; 2]; 3], [f64; 2]); SIDES] = [
    // At (1/2, 1/2): N1 = z + xi eta, N2 = xi + eta z, N3 = eta + z xi, N4 = z (z - 1) / 2, z = 1 - xi - eta.
    ([[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5]], [0.5, 0.5]),
    // At (0, 1/2): N5 = xi (xi - 1) / 2.
    ([[-0.5, -1.0], [0.5, 0.0], [0.5, 1.0]], [-0.5, 0.0]),
    // At (1/2, 0): N6 = eta (eta - 1) / 2.
    ([[-1.0, -0.5], [1.0, 0.5], [0.0, 0.5]], [0.0, -0.5]),
];
/// Derivatives of the linear triangle.
const LINEAR: [[f64; 2]; 3] = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];

/// Area of a triangle [m²], and its axes: along its first side, across it, normal. `None` without an area.
fn area_and_axes(rest: &[Vec3]) -> Option<(f64, [Vec3; 3])> {
    let (a, b) = (rest[1] - rest[0], rest[2] - rest[0]);
    let cross = a.cross(&b);
    let area = 0.5 * cross.norm();
    // Written so that what is not a number is refused; below this it is rounding.
    let has_area = area > 1e-12 * a.norm() * b.norm();
    let (normal, along) = (cross.normalize(), a.normalize());
    has_area.then(|| (area, [along, normal.cross(&along), normal]))
}

impl Patch {
    /// Of nodes at these places at rest [m]; `None` for a triangle without an area.
    pub(super) fn new(stencil: &Stencil, layer: Layer, rest: &[Vec3]) -> Option<Self> {
        let (area, axes) = area_and_axes(rest)?;
        let linear = slopes(&corner_slopes(&LINEAR, None), rest, &axes)?;
        let mut patch = Self {
            points: vec![linear],
            bending: [[0.0; NODES]; 3],
            kept: [Vec3::zeros(); 3],
            rest: [0.0; 3],
            area,
            axes,
        };
        if layer == Layer::Membrane {
            return Some(patch);
        }
        patch.points.clear();
        for (k, (corners, far)) in AT_SIDES.iter().enumerate() {
            patch.points.push(match stencil.opposite[k] {
                Some(place) => {
                    let there = corner_slopes(corners, Some((place.into(), *far)));
                    slopes(&there, rest, &axes)?
                }
                None => linear,
            });
            let gradient = linear[k].map(|slope| 2.0 * slope);
            if stencil.clamped[k] {
                // The side lies in the triangle as it turns; what stays is the direction across it.
                let ends = [rest[(k + 1) % 3], rest[(k + 2) % 3]];
                patch.keep_direction(ends, gradient);
            } else if let Some(derivative) = &stencil.derivatives[k] {
                patch.add_bending(derivative, gradient)?;
            }
        }
        patch.rest = patch.bend(rest, &axes[2]);
        Some(patch)
    }

    /// Adds the bending of the derivative at a side whose area coordinate has twice this gradient.
    fn add_bending(&mut self, derivative: &SideDerivative, gradient: [f64; 2]) -> Option<()> {
        let [along, across] = derivative.directions;
        let normal = along.cross(&across);
        let normal = normal * normal.dot(&self.axes[2]).signum();
        let first = self.axes[0] - normal * normal.dot(&self.axes[0]);
        let first = first.try_normalize(1e-6)?;
        let second = normal.cross(&first);
        for &(node, [by_along, by_across]) in &derivative.weights {
            let slope = along * by_along + across * by_across;
            let terms = bending_terms(gradient, [slope.dot(&first), slope.dot(&second)]);
            (0..3).for_each(|m| self.bending[m][node as usize] += terms[m]);
        }
        Some(())
    }

    /// Adds the bending of a side between these places that keeps the direction across it.
    fn keep_direction(&mut self, [from, to]: [Vec3; 2], gradient: [f64; 2]) {
        let across = (to - from).normalize().cross(&self.axes[2]);
        let slope = [across.dot(&self.axes[0]), across.dot(&self.axes[1])];
        let terms = bending_terms(gradient, slope);
        let kept = self.kept.iter_mut().zip(terms);
        kept.for_each(|(kept, term)| *kept += across * term);
    }

    /// Vectors whose dot products with the normal are the bending.
    pub(super) fn bend_vectors(&self, x: &[Vec3]) -> [Vec3; 3] {
        let sum = |m: usize| x.iter().zip(&self.bending[m]).map(|(x, k)| x * *k).sum::<Vec3>();
        [0, 1, 2].map(|m| sum(m) + self.kept[m])
    }

    fn bend(&self, x: &[Vec3], normal: &Vec3) -> [f64; 3] {
        self.bend_vectors(x).map(|vector| vector.dot(normal))
    }
}

/// Terms of the bending 11, 22, twice 12 of a derivative (by 1, by 2) at a side whose area coordinate has twice this
/// gradient.
fn bending_terms(gradient: [f64; 2], slope: [f64; 2]) -> [f64; 3] {
    [
        gradient[0] * slope[0],
        gradient[1] * slope[1],
        gradient[1] * slope[0] + gradient[0] * slope[1],
    ]
}

fn corner_slopes(corners: &[[f64; 2]; 3], far: Option<(usize, [f64; 2])>) -> Slopes {
    let mut slopes = [[0.0; 2]; CLOSE];
    slopes[..3].copy_from_slice(corners);
    if let Some((place, slope)) = far {
        slopes[place] = slope;
    }
    slopes
}

/// Derivatives by orthonormal coordinates of the tangent plane at rest, the first as near as can be to the first axis.
fn slopes(by_reference: &Slopes, rest: &[Vec3], axes: &[Vec3; 3]) -> Option<Slopes> {
    let tangent =
        |k: usize| -> Vec3 { rest.iter().zip(by_reference).map(|(x, slope)| x * slope[k]).sum() };
    let (by_xi, by_eta) = (tangent(0), tangent(1));
    let normal = by_xi.cross(&by_eta).try_normalize(0.0)?;
    let first = (axes[0] - normal * normal.dot(&axes[0])).try_normalize(1e-6)?;
    let second = normal.cross(&first);
    // Rows: xi, eta; columns: the axes.
    let jacobian = nalgebra::Matrix2::new(
        by_xi.dot(&first),
        by_xi.dot(&second),
        by_eta.dot(&first),
        by_eta.dot(&second),
    );
    let inverse = jacobian.try_inverse()?;
    Some(by_reference.map(|slope| {
        let there = inverse * nalgebra::Vector2::from(slope);
        [there.x, there.y]
    }))
}
