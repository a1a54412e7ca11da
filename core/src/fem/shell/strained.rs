//! A triangle of a sheet as it is deformed: its strains, and their first and second derivatives by the nodes of its patch.

use nalgebra::Vector3;

use super::Layer;
use super::patch::{CLOSE, NODES, Patch, SIDES};
use crate::dynamics::skew;
use crate::{Mat3, Vec3};

/// Normal of the middle triangle and how it changes.
pub(super) struct Turn {
    pub(super) normal: Vec3,
    /// Length of the cross product of two sides [m²].
    pub(super) length: f64,
    /// Derivatives of that product by the corners.
    pub(super) by_corner: [Mat3; 3],
}

/// Derivatives of the strains of a triangle by a node.
#[derive(Clone, Copy)]
pub(super) struct NodeStrains {
    /// Rows: E11, E22, 2 E12.
    pub(super) membrane: Mat3,
    /// Rows: chi11, chi22, 2 chi12.
    pub(super) bending: Mat3,
}

/// A triangle as it is deformed.
pub(super) struct Strained {
    pub(super) count: usize,
    /// Derivatives of positions at each point.
    pub(super) tangents: [[Vec3; 2]; SIDES],
    pub(super) turn: Turn,
    /// Vectors whose dot products with the normal are the bending.
    pub(super) vectors: [Vec3; 3],
    pub(super) membrane: Vector3<f64>,
    pub(super) bending: Vector3<f64>,
}

/// Sums over the thickness, per area: forces and moments, and their derivatives by membrane strain and bending.
pub(super) struct Resultants {
    pub(super) energy: f64,
    pub(super) force: Vector3<f64>,
    pub(super) moment: Vector3<f64>,
    pub(super) stretching: Mat3,
    pub(super) coupling: Mat3,
    pub(super) bending: Mat3,
}

impl Turn {
    fn of(x: &[Vec3; NODES]) -> Self {
        let (a, b) = (x[1] - x[0], x[2] - x[0]);
        let cross = a.cross(&b);
        let length = cross.norm();
        let (second, third) = (-skew(&b), skew(&a));
        Self { normal: cross / length, length, by_corner: [-(second + third), second, third] }
    }
}

impl Strained {
    /// A patch whose nodes, in these rows, are at these places [m].
    pub(super) fn of(patch: &Patch, rows: &[u32], q: &[Vec3]) -> Self {
        let count = rows.len();
        let mut x = [Vec3::zeros(); NODES];
        x.iter_mut().zip(rows).for_each(|(x, &row)| *x = q[row as usize]);
        let turn = Turn::of(&x);
        let vectors = patch.bend_vectors(&x[..count]);
        let mut strained = Self {
            count,
            tangents: [[Vec3::zeros(); 2]; SIDES],
            vectors,
            membrane: Vector3::zeros(),
            bending: Vector3::from([0, 1, 2].map(|m| vectors[m].dot(&turn.normal) - patch.rest[m])),
            turn,
        };
        let share = 1.0 / patch.points.len() as f64;
        for (point, tangents) in patch.points.iter().zip(&mut strained.tangents) {
            let along =
                |k: usize| -> Vec3 { x.iter().zip(point).map(|(x, slope)| x * slope[k]).sum() };
            let (first, second) = (along(0), along(1));
            strained.membrane += Vector3::new(
                0.5 * (first.norm_squared() - 1.0),
                0.5 * (second.norm_squared() - 1.0),
                first.dot(&second),
            ) * share;
            *tangents = [first, second];
        }
        strained
    }

    /// Derivatives of the strains by each node.
    pub(super) fn strains(&self, patch: &Patch, layer: Layer) -> [NodeStrains; NODES] {
        let zero = NodeStrains { membrane: Mat3::zeros(), bending: Mat3::zeros() };
        let mut strains = [zero; NODES];
        let share = 1.0 / patch.points.len() as f64;
        for (point, [first, second]) in patch.points.iter().zip(&self.tangents) {
            for (node, slope) in strains.iter_mut().zip(point) {
                let [by_first, by_second] = slope.map(|slope| slope * share);
                let rows =
                    [first * by_first, second * by_second, second * by_first + first * by_second];
                node.membrane += Mat3::from_rows(&rows.map(|row| row.transpose()));
            }
        }
        if layer == Layer::Membrane {
            return strains;
        }
        let normal = self.turn.normal;
        for m in 0..3 {
            let along = self.vectors[m] - normal * normal.dot(&self.vectors[m]);
            let along = along / self.turn.length;
            for (k, node) in strains.iter_mut().enumerate().take(self.count) {
                let mut row = normal * patch.bending[m][k];
                if k < 3 {
                    row += self.turn.by_corner[k].tr_mul(&along);
                }
                node.bending.set_row(m, &row.transpose());
            }
        }
        strains
    }

    /// Stiffness that forces and moments add.
    pub(super) fn curvature(&self, patch: &Patch, sums: &Resultants) -> Curvature {
        let n = self.turn.normal;
        let mut slopes = [[0.0; CLOSE]; CLOSE];
        let share = 1.0 / patch.points.len() as f64;
        let force = sums.force * share;
        for point in &patch.points {
            for (k, a) in point.iter().enumerate() {
                for (l, b) in point.iter().enumerate() {
                    slopes[k][l] += force[0] * a[0] * b[0]
                        + force[1] * a[1] * b[1]
                        + force[2] * (a[0] * b[1] + a[1] * b[0]);
                }
            }
        }
        let (mut weights, mut vector) = ([0.0; NODES], Vec3::zeros());
        for m in 0..3 {
            vector += self.vectors[m] * sums.moment[m];
            weights.iter_mut().zip(&patch.bending[m]).for_each(|(w, k)| *w += k * sums.moment[m]);
        }
        let across = Mat3::identity() - n * n.transpose();
        let along = vector.dot(&n);
        // Second derivative of vector . c / |c| by c.
        let second = (n * n.transpose() * (3.0 * along)
            - vector * n.transpose()
            - n * vector.transpose()
            - Mat3::from_diagonal_element(along))
            / (self.turn.length * self.turn.length);
        Curvature {
            slopes,
            weights,
            turned: across / self.turn.length,
            second,
            of_product: skew(&(across * vector / self.turn.length)),
        }
    }
}

/// Second derivatives of the strains of a triangle, summed with forces and moments.
pub(super) struct Curvature {
    /// Of the membrane, times the identity.
    pub(super) slopes: [[f64; CLOSE]; CLOSE],
    /// Moments times the coefficients of bending of each node.
    pub(super) weights: [f64; NODES],
    /// Derivative of the normal by the cross product of two sides.
    pub(super) turned: Mat3,
    /// Second derivative of the bending by that product.
    pub(super) second: Mat3,
    /// [w]x of its first derivative w, which multiplies the second derivative of the product.
    pub(super) of_product: Mat3,
}

impl Curvature {
    pub(super) fn block(&self, at: &Strained, (k, l): (usize, usize)) -> Mat3 {
        let slopes = self.slopes.get(k).and_then(|slopes| slopes.get(l));
        let mut block = Mat3::from_diagonal_element(slopes.copied().unwrap_or(0.0));
        let corner = |k: usize| at.turn.by_corner.get(k);
        if let Some(c) = corner(l) {
            block += self.turned * c * self.weights[k];
        }
        if let Some(c) = corner(k) {
            block += c.tr_mul(&self.turned) * self.weights[l];
        }
        if let (Some(a), Some(b)) = (corner(k), corner(l)) {
            block += a.tr_mul(&(self.second * b));
            // d²(a x b) = 2 da x db: with w, da . (db x w), so -[w]x of the second corner by the third, and round.
            match (l + 3 - k) % 3 {
                1 => block -= self.of_product,
                2 => block += self.of_product,
                _ => {}
            }
        }
        block
    }
}
