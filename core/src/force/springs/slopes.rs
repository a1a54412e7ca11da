//! Derivatives that steps leave out, for derivatives of steps (docs/theory/adjoint.md): of the rates of lines by positions, and of
//! what springs remember.

use super::{Drawn, LinePath, Springs};
use crate::axial::EARLIER;
use crate::dynamics::skew;
use crate::force::pull::{PullSlope, PullSlopes};
use crate::force::{ExcitationSource, ForceNumber, JacobianScale, Kinematics, MemorySlopes, Part};
use crate::linalg::add_block;
use crate::{Mat3, Vec3};

impl Drawn<'_> {
    /// Hands derivatives of the rate of the line by its points to `add`, part by part, at the velocities `u` of all rows.
    fn for_each_change_of_rate(
        &self,
        (points, u): (&[u32], &[Vec3]),
        mut add: impl FnMut(usize, Vec3),
    ) {
        let velocity = |i: usize| u[points[i] as usize];
        match &self.path {
            LinePath::Straight(path) => {
                for j in 0..points.len() {
                    let by = |i: usize| path.hessian(j, i, 1.0) * velocity(i);
                    add(j, (0..points.len()).map(by).sum());
                }
            }
            LinePath::Wrapped(path) => {
                path.for_each_curvature(|i, j, block| add(j, block.tr_mul(&velocity(i))));
                path.for_each_moment(|turn, moment| {
                    add(turn, skew(&moment).tr_mul(&velocity(turn)) * -0.5);
                });
            }
        }
    }
}

impl Springs {
    /// With r = g . u the rate of a length l: -df_i/dq_j has dF/dr g_i (d²l/dq_j dq u)^T too. The gradient of l by a turn of a body
    /// is a moment m, which a turn changes by the second derivatives along turns less half of the matrix of m.
    pub(super) fn add_slopes(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) {
        for &spring in &self.parts[part.index] {
            let k = spring as usize;
            let Some(drawn) = self.draw(k, kin) else { continue };
            let points = self.lines.points(k);
            let slots = &self.slots[self.slot_starts[k] as usize..];
            let mut add = |i: usize, j: usize, block: &Mat3| {
                if part.rows.contains(&points[i]) {
                    let slot = slots[i * points.len() + j] as usize - part.first_slot;
                    add_block(blocks, slot, block);
                }
            };
            if let LinePath::Wrapped(path) = &drawn.path {
                let factor = drawn.tension.force * scale.position;
                path.for_each_moment(|turn, moment| {
                    add(turn, turn, &(skew(&moment) * (-0.5 * factor)));
                });
            }
            let factor = drawn.tension.by_rate * scale.position;
            if factor != 0.0 {
                drawn.for_each_change_of_rate((points, kin.motion.u), |j, change| {
                    for i in 0..points.len() {
                        add(i, j, &(drawn.path.gradient(i) * change.transpose() * factor));
                    }
                });
            }
        }
    }

    /// Derivatives of a spring whose excitation changes; `None` where its memory is not there.
    fn slopes(&self, spring: usize, kin: &Kinematics, change: [f64; 2]) -> Option<PullSlopes> {
        let memory = kin.motion.memory.get(self.memory_of(spring))?;
        let (motion, step) = ((kin.motion.q, kin.motion.u), kin.motion.step);
        let at = self.stretch(spring, motion, (kin.load.time, step));
        Some(self.pulls[spring].slopes(at, (step, change), memory))
    }

    /// Change of the excitation of a spring after the share [`EARLIER`] of a step and at its end by what `source` excites.
    fn change(&self, spring: usize, source: ExcitationSource, kin: &Kinematics) -> [f64; 2] {
        let ago = [(1.0 - EARLIER) * kin.motion.step, 0.0];
        ago.map(|ago| self.share(spring, source, kin.load.time - ago))
    }

    /// Adds the derivative of forces by a number of the memory at the begin of a step, or by an excitation.
    pub(super) fn add_by(
        &self,
        part: &Part,
        kin: &Kinematics,
        number: ForceNumber,
        forces: &mut [Vec3],
    ) {
        match number {
            ForceNumber::Memory(number) => {
                // The last of those that begin so: others before it remember nothing.
                let spring = self.memory.partition_point(|&first| first as usize <= number) - 1;
                if spring < self.pulls.len()
                    && let Some(slopes) = self.slopes(spring, kin, [0.0; 2])
                {
                    let by = slopes.force.by_memory[number - self.memory_of(spring).start];
                    self.add_pull(spring, (part, kin), by, forces);
                }
            }
            ForceNumber::Excitation(source) => {
                for &spring in &self.parts[part.index] {
                    let change = self.change(spring as usize, source, kin);
                    if change != [0.0; 2]
                        && let Some(slopes) = self.slopes(spring as usize, kin, change)
                    {
                        let by = slopes.force.by_excitation;
                        self.add_pull(spring as usize, (part, kin), by, forces);
                    }
                }
            }
        }
    }

    /// Adds the forces of a line of this tension [N].
    fn add_pull(
        &self,
        spring: usize,
        (part, kin): (&Part, &Kinematics),
        tension: f64,
        forces: &mut [Vec3],
    ) {
        let path = self.lines.line_path(spring, kin.motion.q);
        for (k, &row) in self.lines.points(spring).iter().enumerate() {
            if let Some(i) = part.local(row) {
                forces[i] -= path.gradient(k) * tension;
            }
        }
    }

    /// Adds the derivatives of the memory at the end of a step.
    pub(super) fn add_slopes_of_memory(&self, kin: &Kinematics, slopes: &mut MemorySlopes) {
        for spring in 0..self.pulls.len() {
            let range = self.memory_of(spring);
            let own = self.slopes(spring, kin, [0.0; 2]).filter(|_| !range.is_empty());
            let Some(own) = own else { continue };
            let path = self.lines.line_path(spring, kin.motion.q);
            for (of, PullSlope { by_memory, by_length, .. }) in range.clone().zip(&own.memory) {
                let by = range.clone().zip(by_memory).filter(|(_, slope)| **slope != 0.0);
                slopes.by_memory.extend(by.map(|(by, slope)| (of, by, *slope)));
                if *by_length != 0.0 {
                    let rows = self.lines.points(spring).iter().enumerate();
                    let by =
                        rows.map(|(k, &row)| (of, row as usize, path.gradient(k) * *by_length));
                    slopes.by_position.extend(by);
                }
            }
        }
    }

    /// Adds the derivatives of the memory at the end of a step by what `source` excites.
    pub(super) fn add_excited_memory(
        &self,
        kin: &Kinematics,
        source: ExcitationSource,
        memory: &mut [f64],
    ) {
        for spring in 0..self.pulls.len() {
            let (range, change) = (self.memory_of(spring), self.change(spring, source, kin));
            if range.is_empty() || change == [0.0; 2] {
                continue;
            }
            let Some(own) = self.slopes(spring, kin, change) else { continue };
            let places = memory[range].iter_mut().zip(&own.memory);
            places.for_each(|(place, slope)| *place += slope.by_excitation);
        }
    }
}
