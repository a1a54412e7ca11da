//! Right sides of the equations of natural coordinates, and their solutions: accelerations, and least motions in the
//! metric of the masses.

use crate::Vec3;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::work::LinearStep;
use crate::system::MechSystem;

use super::base::{BODY, Bases, FIRST_BASE, PAIRS};
use super::equations::{NaturalEquations, is_free};
use super::structure::{NONE, RowPlace};

/// Demand of rows on a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demand {
    /// Second derivatives are zero, under the forces.
    Accelerations,
    /// Errors are taken back.
    Positions,
    /// Rates of errors are taken back.
    Rates,
}

impl Demand {
    /// Right side of a row of rigidity.
    pub(super) fn of_rigidity(self, bases: &Bases, body: usize, pair: [usize; 2]) -> f64 {
        match self {
            Self::Accelerations => -bases.bending(body, pair),
            Self::Positions => -bases.rigidity(body, pair)[0],
            Self::Rates => -bases.rigidity(body, pair)[1],
        }
    }
}

impl NaturalEquations {
    /// Solves by the factor for what rows demand, their own right sides in `parts.linear.row_right`. Accelerations are
    /// those under the forces in `parts.linear.right`; those of what is prescribed stand in `parts.linear.step`. The
    /// solution goes there and into `bases.found`, forces of rows into `parts.linear.row_step`.
    pub(super) fn solve(
        &mut self,
        system: &dyn MechSystem,
        (parts, bases): (&mut Parts, &mut Bases),
        demand: Demand,
    ) {
        self.x.fill(0.0);
        if demand == Demand::Accelerations {
            self.put_forces(system, parts, bases);
        } else {
            parts.linear.step.fill(Vec3::zeros());
        }
        for (node, mobile) in self.structure.mobiles.iter().enumerate() {
            let at = self.tree.tree.unknowns(node).start + BODY;
            for (k, &pair) in PAIRS.iter().enumerate().filter(|_| mobile.body != NONE) {
                self.x[at + k] = demand.of_rigidity(bases, mobile.body as usize, pair);
            }
        }
        for row in 0..self.structure.rows.len() {
            let side = parts.linear.row_right[row] - self.prescribed(row, system, parts);
            self.multiplier(row).into_iter().for_each(|it| *it = side);
        }
        self.tree.solve(&mut self.x, &mut self.across);
        self.take_solution(parts, bases);
    }

    /// Forces on coordinates; accelerations where these are prescribed.
    fn put_forces(&mut self, system: &dyn MechSystem, parts: &Parts, bases: &Bases) {
        let LinearStep { right, step, .. } = &parts.linear;
        for (node, mobile) in self.structure.mobiles.iter().enumerate() {
            let (at, row) = (self.tree.tree.unknowns(node).start, mobile.row as usize);
            for axis in 0..3 {
                let free = is_free(system, parts, mobile.row, axis);
                self.x[at + axis] = if free { right[row][axis] } else { step[row][axis] };
            }
            if mobile.body != NONE {
                let on_base = bases.on_base(mobile.body as usize, &right[row + 1]);
                self.x[at + FIRST_BASE..at + BODY].copy_from_slice(on_base.as_slice());
            }
        }
    }

    /// Share of a row that what is prescribed makes.
    fn prescribed(&self, row: usize, system: &dyn MechSystem, parts: &Parts) -> f64 {
        let pattern = parts.reduction.rows.pattern();
        let mut sum = 0.0;
        for entry in pattern.entries(row) {
            let (block, push) = (pattern.blocks()[entry], &parts.trial.reduced[entry]);
            let step = &parts.linear.step[block as usize];
            match self.structure.coordinates(block) {
                None => sum += push.dot(step),
                Some((_, coordinates)) if coordinates.start == 0 => {
                    let fixed = (0..3).filter(|&axis| !is_free(system, parts, block, axis));
                    sum += fixed.map(|axis| push[axis] * step[axis]).sum::<f64>();
                }
                Some(_) => {}
            }
        }
        sum
    }

    /// Place of the right side, then of the multiplier, of a constraint row.
    fn multiplier(&mut self, row: usize) -> Option<&mut f64> {
        match self.structure.rows[row] {
            RowPlace::Still => None,
            RowPlace::Link(node, link) => {
                let links = self.structure.nodes[node as usize].links;
                let end = self.tree.tree.unknowns(node as usize).end;
                self.x.get_mut(end - (links - link) as usize)
            }
            RowPlace::Across(k) => self.across.get_mut(k as usize),
        }
    }

    /// Takes the solution to where it is read.
    fn take_solution(&mut self, parts: &mut Parts, bases: &mut Bases) {
        for (node, mobile) in self.structure.mobiles.iter().enumerate() {
            let (at, row) = (self.tree.tree.unknowns(node).start, mobile.row as usize);
            parts.linear.step[row].copy_from_slice(&self.x[at..at + FIRST_BASE]);
            if mobile.body != NONE {
                let body = mobile.body as usize;
                bases.found[body].copy_from_slice(&self.x[at + FIRST_BASE..at + BODY]);
                parts.linear.step[row + 1] = bases.turning(body, &bases.found[body]);
            }
        }
        for row in 0..self.structure.rows.len() {
            // The equations have the opposite of a force.
            parts.linear.row_step[row] = self.multiplier(row).map_or(0.0, |it| -*it);
        }
    }
}
