//! Excitations with the contacts that they bring: the program is solved on pieces, each a set of contacts that push under the
//! conditions that it stays so, and from piece to piece as long as that is better (docs/theory/inverse.md, "Sets that
//! change").

use nalgebra::DMatrix;

use crate::inverse::program::{Program, TermWeights};
use crate::inverse::row_model::{RowModel, SetResponse};
use crate::inverse::target_rows::TargetRows;
use crate::inverse::{ExcitationTerms, TrackedExcitation};

/// Pieces that are tried from one start.
const PIECES: usize = 6;
/// Share of the cost that another piece must save to be taken [-]: pieces that are as good must not alternate.
const GAIN: f64 = 1e-3;

/// The task of a step.
pub(super) struct SetSearch<'a> {
    pub(super) model: &'a RowModel,
    /// The targets on the set of now.
    pub(super) targets: &'a TargetRows,
    /// Their responses to unit impulses on the rows.
    pub(super) by_rows: &'a DMatrix<f64>,
    pub(super) excitations: &'a [TrackedExcitation],
    pub(super) terms: &'a ExcitationTerms,
    pub(super) weights: TermWeights,
    /// Excitations of now, and before the step.
    pub(super) now: &'a [f64],
    pub(super) before: &'a [f64],
}

/// Excitations, and the targets on the set that they bring.
pub(super) struct FoundSet {
    pub(super) excitations: Vec<f64>,
    pub(super) targets: TargetRows,
    cost: f64,
}

impl SetSearch<'_> {
    /// Better excitations than `found`, which are best on the set of now; `None` where there are none.
    pub(super) fn find(&self, program: &mut Program, found: &[f64]) -> Option<FoundSet> {
        let model = self.model;
        let open = model.piece(model.all(false));
        let unit = open.map_or(0.0, |piece| self.on(&piece).largest()).max(self.targets.largest());
        let settled = model.settle(model.present(), &self.change(found))?;
        let least = self.cost(program, &settled, unit, found);
        let starts = [settled.set, model.present(), model.all(false), model.all(true)];
        let (mut seen, mut best) = (Vec::new(), None::<FoundSet>);
        for start in starts {
            let mut next = Some(start);
            for _ in 0..PIECES {
                let Some(set) = next.take().filter(|set| !seen.contains(set)) else { break };
                seen.push(set.clone());
                let Some(piece) = model.piece(set) else { break };
                let Some(own) = self.best_on(program, &piece, unit) else { break };
                next = model.beyond(&piece, &self.change(&own.excitations));
                let most = best.as_ref().map_or(least - GAIN * least.abs(), |it| it.cost);
                if own.cost < most {
                    best = Some(own);
                }
            }
        }
        best
    }

    fn change(&self, excitations: &[f64]) -> Vec<f64> {
        excitations.iter().zip(self.now).map(|(a, now)| a - now).collect()
    }

    /// The targets on a piece.
    fn on(&self, piece: &SetResponse) -> TargetRows {
        self.targets.on(self.model, piece, self.by_rows)
    }

    /// Fills the program with the targets on a piece.
    fn fill(&self, program: &mut Program, targets: &TargetRows, unit: f64) {
        let terms = (self.excitations, self.weights, &self.terms.sums[..]);
        program.fill(targets, terms, [self.now, self.before], Some(unit));
    }

    /// Cost of excitations on the piece that they bring.
    fn cost(
        &self,
        program: &mut Program,
        piece: &SetResponse,
        unit: f64,
        excitations: &[f64],
    ) -> f64 {
        self.fill(program, &self.on(piece), unit);
        total(program, excitations)
    }

    /// The best excitations that bring a piece.
    fn best_on(&self, program: &mut Program, piece: &SetResponse, unit: f64) -> Option<FoundSet> {
        let targets = self.on(piece);
        let mut terms = self.terms.clone();
        terms.constraints.extend(self.model.conditions(piece, self.now)?);
        self.fill(program, &targets, unit);
        let excitations = program.solve(&terms).ok()?.to_vec();
        let cost = total(program, &excitations);
        Some(FoundSet { excitations, targets, cost })
    }
}

/// Cost of excitations in the program at hand.
fn total(program: &Program, excitations: &[f64]) -> f64 {
    let [targets, others, unit] = program.costs(excitations);
    targets + unit * others
}
