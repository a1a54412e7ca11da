//! Drag on bodies in proportion to their momentum and angular momentum (ArtiSynth's inertial damping):
//! -a m v on the centre of mass and -a R J R^T w about it.

use nalgebra::UnitQuaternion;

use super::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition,
    VelocityTerms,
};
use crate::linalg::{BlockPattern, add_block};
use crate::{Mat3, Vec3};

/// Drag on one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyDrag {
    /// First row of the body.
    pub(crate) row: u32,
    /// a [1/s].
    pub(crate) rate: f64,
    /// m [kg].
    pub(crate) mass: f64,
    /// J about the centre of mass, body axes [kg m²].
    pub(crate) inertia: Mat3,
}

impl BodyDrag {
    /// -df/du of the two rows, each by its own velocity.
    fn coefficients(&self, q: &[Vec3]) -> [Mat3; 2] {
        let turn = UnitQuaternion::new(q[self.row as usize + 1]).to_rotation_matrix().into_inner();
        let inertia = turn * self.inertia * turn.transpose();
        [Mat3::from_diagonal_element(self.rate * self.mass), inertia * self.rate]
    }
}

/// Drag on every body that has one.
pub(crate) struct InertialDrag {
    bodies: Vec<BodyDrag>,
    /// Slots of the diagonal blocks of each body.
    slots: Vec<[u32; 2]>,
    parts: Vec<Vec<u32>>,
}

impl InertialDrag {
    pub(crate) fn new(bodies: Vec<BodyDrag>) -> Self {
        Self { bodies, slots: Vec::new(), parts: Vec::new() }
    }

    /// Row, position of its diagonal slot, and coefficient, of everything that is in a part.
    fn of_part<'a>(
        &'a self,
        part: &'a Part,
        q: &'a [Vec3],
    ) -> impl Iterator<Item = (u32, u32, Mat3)> + 'a {
        self.parts[part.index].iter().flat_map(move |&k| {
            let (body, slots) = (&self.bodies[k as usize], self.slots[k as usize]);
            let [mass, inertia] = body.coefficients(q);
            let both = [(body.row, slots[0], mass), (body.row + 1, slots[1], inertia)];
            both.into_iter().filter(|(row, _, _)| part.rows.contains(row))
        })
    }
}

impl ForceEffector for InertialDrag {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.bodies.iter().flat_map(|body| [body.row, body.row + 1]).for_each(|row| visit(&[row]));
    }

    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        let rows: Vec<[u32; 2]> = self.bodies.iter().map(|b| [b.row, b.row + 1]).collect();
        let diagonal = |row: u32| pattern.diagonal(row as usize) as u32;
        self.slots = rows.iter().map(|rows| rows.map(diagonal)).collect();
        self.parts = partition.assign(rows.iter().map(|rows| &rows[..]));
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        if velocity == VelocityTerms::Included {
            for (row, _, coefficient) in self.of_part(part, kin.motion.q) {
                forces[(row - part.rows.start) as usize] -=
                    coefficient * kin.motion.u[row as usize];
            }
        }
        Ok(())
    }

    /// By velocity; the derivative of R J R^T by the turn is left out.
    fn add_jacobian(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        for (_, slot, coefficient) in self.of_part(part, kin.motion.q) {
            let block = coefficient * scale.velocity;
            add_block(blocks, slot as usize - part.first_slot, &block);
        }
        Ok(())
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::Border("inertial drag")
    }
}
