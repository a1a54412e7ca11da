//! Resultants of the forces on idle points ([`IdlePoints`](crate::system::IdlePoints)): with A = sum of a f^T over the
//! points of a body, a their arms in its axes, the moment at the axes R is the axial vector of R A, and what the arms add
//! to the matrix of a step follows from R A too. So no iteration looks at a point.

use crate::solve::constrained::parts::Parts;
use crate::system::Multibody;
use crate::{Mat3, Vec3};

/// Forces [N s] on the idle points of each body, and the sums of the products of their arms with them [N m s].
pub(in crate::solve) struct IdleLoads {
    forces: Vec<Vec3>,
    products: Vec<Mat3>,
}

impl IdleLoads {
    /// For so many bodies.
    pub(super) fn new(bodies: usize) -> Self {
        Self { forces: vec![Vec3::zeros(); bodies], products: vec![Mat3::zeros(); bodies] }
    }

    /// Takes the impulses on idle points out of `b`.
    pub(super) fn take(&mut self, multibody: &Multibody, b: &mut [Vec3]) {
        self.forces.fill(Vec3::zeros());
        self.products.fill(Mat3::zeros());
        for point in &multibody.attachments.idle.points {
            let push = std::mem::replace(&mut b[point.row as usize], Vec3::zeros());
            self.forces[point.body as usize] += push;
            self.products[point.body as usize] += point.arm * push.transpose();
        }
    }

    /// Adds them to the rows of the bodies, whose axes are `turns`.
    pub(super) fn add_to(&self, multibody: &Multibody, turns: &[Mat3], b: &mut [Vec3]) {
        if multibody.attachments.idle.points.is_empty() {
            return;
        }
        for (k, body) in multibody.bodies.iter().enumerate() {
            let row = body.row as usize;
            b[row] += self.forces[k];
            b[row + 1] += axial(&(turns[k] * self.products[k]));
        }
    }

    /// The sum of [`lever_stiffness`](crate::constraint::lever_stiffness) over the points of body `k` with the axes `turn`.
    pub(super) fn lever_stiffness(&self, k: usize, turn: &Mat3) -> Mat3 {
        let product = turn * self.products[k];
        Mat3::identity() * product.trace() - (product + product.transpose()) * 0.5
    }
}

/// The sum of r x f where `product` is that of r f^T.
fn axial(product: &Mat3) -> Vec3 {
    let at = |i: usize, j: usize| product[(i, j)] - product[(j, i)];
    Vec3::new(at(1, 2), at(2, 0), at(0, 1))
}

/// All attached points of the iterate where their masters have them, half way and at the end, with their velocities:
/// iterations leave the idle ones behind.
pub(in crate::solve) fn complete_trial(parts: &mut Parts, multibody: &Multibody) {
    let Parts { trial, reduction, .. } = parts;
    if multibody.attachments.idle.points.is_empty() {
        return;
    }
    multibody.place_idle(&trial.bodies.turns, &mut trial.q);
    multibody.place_idle(&trial.bodies.mean_turns, &mut trial.mean_q);
    multibody.expand_idle_velocity(&trial.bodies.mean_turns, &mut trial.y);
    let half = (&trial.mean_q[..], &trial.bodies.mean_turns[..]);
    multibody.update_weights(half, &trial.bodies.rates, &mut trial.weights);
    reduction.attachments.update_weights(&trial.weights);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::lever_stiffness;

    #[test]
    fn moments_and_levers_of_points_follow_from_one_matrix_a_body() {
        let points = [
            (Vec3::new(0.1, -0.2, 0.3), Vec3::new(5.0, -7.0, 2.0)),
            (Vec3::new(-0.4, 0.15, 0.05), Vec3::new(-1.0, 3.0, 8.0)),
        ];
        let turn = Mat3::new(0.9, -0.1, 0.2, 0.15, 0.95, -0.05, -0.2, 0.1, 0.97);
        let mut loads = IdleLoads::new(1);
        points.iter().for_each(|(arm, push)| loads.products[0] += arm * push.transpose());
        let moment: Vec3 = points.iter().map(|(arm, push)| (turn * arm).cross(push)).sum();
        let stiffness: Mat3 =
            points.iter().map(|(arm, push)| lever_stiffness(&(turn * arm), push)).sum();
        assert!((axial(&(turn * loads.products[0])) - moment).norm() < 1e-14, "{moment}");
        assert!((loads.lever_stiffness(0, &turn) - stiffness).norm() < 1e-14, "{stiffness}");
    }
}
