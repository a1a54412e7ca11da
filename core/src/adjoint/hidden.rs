//! Columns of numbers that forces depend on beside the motion, in closed form: the memory at the start of a step, and
//! excitations.

use super::error::AdjointError;
use super::jacobian::{at_end, at_start, named};
use super::layout::StateScalar;
use super::linearization::{Column, Linearization};
use super::step::{StepDerivatives, TakenStep};
use crate::Vec3;
use crate::attachment::Attachments;
use crate::force::{ExcitationSource, ForceNumber};
use crate::system::{DerivativeTerms, MechSystem};

impl StepDerivatives {
    /// Columns of all numbers of the memory at the start of the step whose equations were evaluated last; the derivatives of the
    /// memory at its end are kept.
    pub(super) fn memory_columns(
        &mut self,
        system: &dyn MechSystem,
        taken: &TakenStep,
        (rows, mean): (usize, Option<&Attachments>),
    ) -> Result<Vec<(StateScalar, Column)>, AdjointError> {
        let Some(terms) = system.derivative_terms() else { return Ok(Vec::new()) };
        let end = at_end(system, (&taken.start, &self.base, taken.h)).kinematics();
        self.memory = terms.memory_slopes(&end);
        let mut columns = Vec::new();
        for k in 0..taken.start.memory.len() {
            let column =
                self.momenta((system, terms), taken, (rows, mean), ForceNumber::Memory(k))?;
            columns.push((StateScalar::Memory(k), column));
        }
        for (of, by, slope) in &self.memory.by_memory {
            columns[*by].1.end.memory[*of] += slope;
        }
        Ok(columns)
    }

    /// Column of an excitation in a step that was linearized last; `None` of a system that does not know it.
    pub(super) fn excitation_column(
        &self,
        system: &dyn MechSystem,
        source: ExcitationSource,
        (taken, of): (&TakenStep, &Linearization),
    ) -> Result<Option<Column>, AdjointError> {
        let Some(terms) = system.derivative_terms() else { return Ok(None) };
        let mean = of.attachments.as_ref().map(|it| &it.mean);
        let number = ForceNumber::Excitation(source);
        let mut column = self.momenta((system, terms), taken, (of.layout.rows, mean), number)?;
        let end = at_end(system, (&taken.start, &self.base, taken.h)).kinematics();
        column.end.memory = terms.memory_by_excitation(source, &end);
        Ok(Some(column))
    }

    /// Derivatives of momenta by a number, through the forces at the end of the step and, where the rule has them, at its start.
    fn momenta(
        &self,
        (system, terms): (&dyn MechSystem, &dyn DerivativeTerms),
        TakenStep { start, h, .. }: &TakenStep,
        (rows, mean): (usize, Option<&Attachments>),
        number: ForceNumber,
    ) -> Result<Column, AdjointError> {
        let w = self.w;
        let mut sides = vec![(at_end(system, (start, &self.base, *h)), w * w * h)];
        if w < 1.0 {
            sides.push((at_start(system, start), w * (1.0 - w) * h));
        }
        let mut column = Column::zeros(start, rows);
        let mut forces = vec![Vec3::zeros(); start.q.len()];
        let momenta = &mut column.equations.momenta;
        for (at, factor) in sides {
            let done = terms.forces_by(number, &at.kinematics(), &mut forces);
            done.map_err(|fault| named(fault, at.load.time))?;
            momenta.iter_mut().zip(&forces).for_each(|(r, f)| *r -= f * factor);
        }
        if let Some(attachments) = mean {
            attachments.reduce_force(momenta);
        }
        Ok(column)
    }
}
