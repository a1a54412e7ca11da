//! Second derivative of the rows of a joint times their multipliers, by the motions of its two carriers: one matrix
//! a joint, however many rows it has.

use nalgebra::{Matrix6, Vector6};

use super::joint_numbers::JointNumbers;
use super::joint_rows::JointTerm;
use super::joint_sample::find;
use super::placed_joint::PlacedFrame;
use super::rows::RelativeMotion;
use super::stiffness::{StiffnessBlocks, geometric_parts};
use super::{Jet, PlacedJoint, Placement, Pose, Scalar};
use crate::Mat3;

/// A joint and the sum of its rows.
pub(super) struct Bending<'a> {
    joint: &'a PlacedJoint,
    previous: &'a [f64],
    /// Block rows of its carriers.
    rows: [Option<u32>; 4],
    frames: [PlacedFrame; 2],
    pose: Pose,
    known: JointNumbers<Jet>,
    sum: Jet,
    /// Share of the polynomials and curves of its numbers.
    curved: StiffnessBlocks,
    is_curved: bool,
}

impl<'a> Bending<'a> {
    fn new(term: &'a JointTerm, at: Placement<'a>) -> Self {
        let joint = &*term.joint;
        let frames = joint.frames(at);
        Self {
            joint,
            previous: joint.previous(at.coordinates),
            rows: term.rows(),
            pose: frames[1].pose.inv_mul(&frames[0].pose),
            frames,
            known: JointNumbers::default(),
            sum: Jet::constant(0.0),
            curved: [[Matrix6::zeros(); 2]; 2],
            is_curved: false,
        }
    }

    /// Adds `factor` times a term to that of its joint, in whose place, if it is another, it is put.
    pub(super) fn add_term(
        bending: &mut Option<Self>,
        (term, factor): (&'a JointTerm, f64),
        at: Placement<'a>,
        visit: &mut dyn FnMut(u32, u32, Mat3),
    ) {
        if let Some(other) = bending.take_if(|it| !std::ptr::eq(it.joint, &*term.joint)) {
            other.finish(visit);
        }
        bending.get_or_insert_with(|| Self::new(term, at)).add(term, factor);
    }

    fn add(&mut self, term: &JointTerm, factor: f64) {
        let at = (&self.pose, self.previous);
        let jet = find(self.joint, term.number, at, &mut self.known);
        let [_, slope, bend] = term.at(jet.value() - term.offset(self.previous));
        self.sum = self.sum + jet * (slope * factor);
        if bend == 0.0 {
            return;
        }
        self.is_curved = true;
        let row = self.motion().row(&jet);
        let sides = [row.on_a, row.on_b].map(|wrench| {
            let (f, m) = (wrench.force, wrench.moment);
            Vector6::new(f.x, f.y, f.z, m.x, m.y, m.z)
        });
        for (i, blocks) in self.curved.iter_mut().enumerate() {
            for (j, block) in blocks.iter_mut().enumerate() {
                *block += sides[i] * sides[j].transpose() * (bend * factor);
            }
        }
    }

    fn motion(&self) -> RelativeMotion {
        let [c, d] = &self.frames;
        RelativeMotion::new(&c.motion(), &d.motion())
    }

    /// Hands the symmetric blocks to `visit`.
    pub(super) fn finish(&self, visit: &mut dyn FnMut(u32, u32, Mat3)) {
        let parts = geometric_parts(&self.motion(), &self.sum);
        let curved = |r: usize, c: usize| {
            let block = &self.curved[r / 2][c / 2];
            block.fixed_view::<3, 3>(3 * (r % 2), 3 * (c % 2)).into_owned()
        };
        for (i, row) in self.rows.iter().enumerate() {
            for (j, column) in self.rows.iter().enumerate() {
                if let (Some(row), Some(column)) = (row, column) {
                    let mut block = (parts[i][j] + parts[j][i].transpose()) * 0.5;
                    if self.is_curved {
                        block += (curved(i, j) + curved(j, i).transpose()) * 0.5;
                    }
                    visit(*row, *column, block);
                }
            }
        }
    }
}
