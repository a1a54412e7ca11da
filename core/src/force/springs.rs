//! Axial springs: f = (k (l - l0) + c dl/dt) n on the first end towards the second.

use super::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition,
    VelocityTerms,
};
use crate::linalg::{BlockPattern, add_block};
use crate::model::LinearAxial;
use crate::{Mat3, Vec3};

/// Every axial spring of a model.
pub(crate) struct Springs {
    ends: Vec<[u32; 2]>,
    materials: Vec<LinearAxial>,
    /// Slots of the blocks (0,0) (0,1) (1,0) (1,1) of each spring.
    slots: Vec<[u32; 4]>,
    parts: Vec<Vec<u32>>,
}

/// Length, direction from end 0 to end 1, and tension of one spring.
struct Stretch {
    length: f64,
    direction: Vec3,
    tension: f64,
}

impl Springs {
    pub(crate) fn new(ends: Vec<[u32; 2]>, materials: Vec<LinearAxial>) -> Self {
        Self { ends, materials, slots: Vec::new(), parts: Vec::new() }
    }

    /// Another law for a spring.
    pub(crate) fn set_material(&mut self, spring: usize, material: LinearAxial) {
        self.materials[spring] = material;
    }

    /// `None` for a spring of length zero, which has no direction and pulls nowhere.
    fn stretch(&self, spring: usize, kin: &Kinematics, velocity: VelocityTerms) -> Option<Stretch> {
        let [a, b] = self.ends[spring].map(|e| e as usize);
        let (direction, length) = nalgebra::Unit::try_new_and_get(kin.q[b] - kin.q[a], 0.0)?;
        let m = &self.materials[spring];
        let rate = match velocity {
            VelocityTerms::Included => direction.dot(&(kin.u[b] - kin.u[a])),
            VelocityTerms::Excluded => 0.0,
        };
        let tension = m.stiffness * (length - m.rest_length) + m.damping * rate;
        Some(Stretch { length, direction: direction.into_inner(), tension })
    }
}

impl ForceEffector for Springs {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.ends.iter().for_each(|ends| visit(ends));
    }

    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        let slot = |i, j| pattern.slot(i, j).expect("springs are part of the pattern");
        self.slots = self
            .ends
            .iter()
            .map(|&[a, b]| [slot(a, a), slot(a, b), slot(b, a), slot(b, b)])
            .collect();
        self.parts = partition.assign(self.ends.iter().map(|e| &e[..]));
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for &spring in &self.parts[part.index] {
            let Some(s) = self.stretch(spring as usize, kin, velocity) else { continue };
            let [a, b] = self.ends[spring as usize];
            for (end, sign) in [(a, 1.0), (b, -1.0)] {
                if let Some(i) = part.local(end) {
                    forces[i] += s.direction * (sign * s.tension);
                }
            }
        }
        Ok(())
    }

    /// -df/dq = k n n^T + T/l (I - n n^T), -df/du = c n n^T on the diagonal blocks; the derivative of
    /// dl/dt by position, which is not symmetric, is left out.
    fn add_jacobian(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        for &spring in &self.parts[part.index] {
            let k = spring as usize;
            let Some(s) = self.stretch(k, kin, VelocityTerms::Included) else { continue };
            let m = &self.materials[k];
            let axial = s.direction * s.direction.transpose();
            let lateral = (Mat3::identity() - axial) * (s.tension / s.length);
            let block = (axial * m.stiffness + lateral) * scale.position
                + axial * (m.damping * scale.velocity);
            let [a, b] = self.ends[k];
            for (row, slot, sign) in [(a, 0, 1.0), (a, 1, -1.0), (b, 2, -1.0), (b, 3, 1.0)] {
                if part.rows.contains(&row) {
                    let slot = self.slots[k][slot] as usize - part.first_slot;
                    add_block(blocks, slot, &(block * sign));
                }
            }
        }
        Ok(())
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::Other("springs")
    }

    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        let energy = |(ends, m): (&[u32; 2], &LinearAxial)| {
            let stretch = (q[ends[1] as usize] - q[ends[0] as usize]).norm() - m.rest_length;
            0.5 * m.stiffness * stretch * stretch
        };
        self.ends.iter().zip(&self.materials).map(energy).sum()
    }
}
