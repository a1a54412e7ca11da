//! Jacobians by the chain rule: forwards to sparse rows of outputs by variables, backwards to the product of a row of
//! forces and the whole Jacobian.

use super::block::Kind;
use super::plan::Plan;
use super::store::Cache;
use super::{Graph, GraphError, Port};
use crate::interactive::Dual;

impl Graph {
    /// Brings Jacobians of blocks by their inputs up to date.
    fn update_local(&mut self) -> Result<(), GraphError> {
        self.update_values()?;
        for k in 0..self.plan.steps.len() {
            if self.cache.stale_local[k] {
                self.update_local_of(k)?;
            }
        }
        self.cache.stale_local.fill(false);
        Ok(())
    }

    fn update_local_of(&mut self, k: usize) -> Result<(), GraphError> {
        let step = &self.plan.steps[k];
        let Some(block) = &self.blocks[step.block as usize] else { return Ok(()) };
        let Kind::Function(function) = &block.kind else { return Ok(()) };
        let Cache { values, local, scratch, stale_rows, .. } = &mut self.cache;
        scratch.x.clear();
        let wires = &self.plan.wires[step.wires()];
        scratch.x.extend(wires.iter().map(|wire| values[wire.value as usize]));
        let by = function.as_dyn();
        by.jacobian(&scratch.x, &mut local[step.local()], &mut scratch.work);
        stale_rows[k] = true;
        let local = &local[step.local()];
        match local.iter().position(|slope| !slope.is_finite()) {
            None => Ok(()),
            Some(at) => Err(self.no_value(k, at / step.inputs.max(1) as usize)),
        }
    }

    /// Brings the requested rows up to date; true if any has changed.
    ///
    /// # Errors
    /// A block without a value or a derivative.
    pub fn update_rows(&mut self) -> Result<bool, GraphError> {
        self.update_local()?;
        let mut changed = false;
        for k in 0..self.plan.steps.len() {
            let step = &self.plan.steps[k];
            if !step.has_rows {
                continue;
            }
            let stale = &self.cache.stale_rows;
            let upstream = |w: usize| stale[self.plan.wires[w].step as usize];
            if stale[k] || step.wires().any(upstream) {
                self.cache.stale_rows[k] = true;
                changed = true;
                let Cache { local, rows, .. } = &mut self.cache;
                chain(&self.plan, k, local, rows);
            }
        }
        self.cache.stale_rows.fill(false);
        Ok(changed)
    }

    /// Derivatives of a requested output by the variables: columns, ascending, and values.
    ///
    /// # Errors
    /// A port whose row was not requested; a block without a value or a derivative.
    pub fn row(&mut self, port: Port) -> Result<(&[u32], &[f64]), GraphError> {
        self.check_port(port)?;
        self.update_rows()?;
        self.kept_row(port)
    }

    /// The same as at the last [`Self::update_rows`].
    ///
    /// # Errors
    /// A port whose row was not requested.
    pub fn kept_row(&self, port: Port) -> Result<(&[u32], &[f64]), GraphError> {
        let step = self.step_with_rows(port)?;
        let step = &self.plan.steps[step];
        Ok((&self.plan.supports[step.support()], &self.cache.rows[step.row(port.output)]))
    }

    fn step_with_rows(&self, port: Port) -> Result<usize, GraphError> {
        self.check_port(port)?;
        let step = self.plan.step_of.get(port.block.index as usize);
        let step = step.map(|&step| step as usize).filter(|_| self.is_planned);
        step.filter(|&step| self.plan.steps[step].has_rows).ok_or_else(|| GraphError::Kind {
            block: self.block(port.block).map_or_else(|_| String::new(), |b| b.name.clone()),
            expected: "block with rows; request them first",
        })
    }

    /// Rates of the derivatives of requested outputs by the variables, the matrices ∂ẋ/∂q of Witkin1990, equation 7.
    /// The right side of the constraints does not need them; see [`Self::motion_of`].
    ///
    /// # Errors
    /// As for [`Self::row`].
    pub fn row_rate(&mut self, port: Port) -> Result<(&[u32], &[f64]), GraphError> {
        self.check_port(port)?;
        self.update_rates()?;
        self.update_rows()?;
        let at = self.step_with_rows(port)?;
        for k in 0..=at {
            if self.plan.steps[k].has_rows {
                self.update_row_rate(k);
            }
        }
        let step = &self.plan.steps[at];
        let rate = &self.cache.row_rates[step.row(port.output)];
        match rate.iter().all(|value| value.is_finite()) {
            true => Ok((&self.plan.supports[step.support()], rate)),
            false => Err(self.no_value(at, port.output as usize)),
        }
    }

    fn update_row_rate(&mut self, k: usize) {
        let step = &self.plan.steps[k];
        let Some(block) = &self.blocks[step.block as usize] else { return };
        let Kind::Function(function) = &block.kind else { return };
        let Cache { values, rates, rows, row_rates, scratch, .. } = &mut self.cache;
        scratch.dual.clear();
        scratch.dual.extend(self.plan.wires[step.wires()].iter().map(|wire| {
            let at = wire.value as usize;
            Dual { re: values[at], du: rates[at][0] }
        }));
        scratch.dual_local.resize(step.local().len(), Dual::default());
        let by = function.as_dyn();
        by.jacobian_rate(&scratch.dual, &mut scratch.dual_local, &mut scratch.work);
        for output in 0..step.outputs {
            row_rates[step.row(output)].fill(0.0);
            for (input, w) in step.wires().enumerate() {
                let slope = scratch.dual_local[(output * step.inputs) as usize + input];
                let wire = self.plan.wires[w];
                let below = self.plan.steps[wire.step as usize].row(wire.output);
                for (at, from) in below.enumerate() {
                    let place = self.plan.places[wire.first_place as usize + at];
                    let to = step.row(output).start + place as usize;
                    row_rates[to] += slope.du * rows[from] + slope.re * row_rates[from];
                }
            }
        }
    }

    /// Adds Jᵀ f to `result`, one number a variable: generalized forces of forces on outputs (Witkin1990, equation 8).
    ///
    /// # Errors
    /// A port that is not there, a block without a value or a derivative.
    pub fn add_pullback(
        &mut self,
        forces: impl Iterator<Item = (Port, f64)> + Clone,
        result: &mut [f64],
    ) -> Result<(), GraphError> {
        for (port, _) in forces.clone() {
            self.check_port(port)?;
        }
        self.update_local()?;
        let (plan, Cache { local, scratch, .. }) = (&self.plan, &mut self.cache);
        let adjoints = &mut scratch.adjoints;
        adjoints.clear();
        adjoints.resize(plan.sizes.values, 0.0);
        forces.for_each(|(port, force)| adjoints[plan.value_of(port)] += force);
        for step in plan.steps.iter().rev() {
            let values = step.values();
            if let Some(first) = step.first_column {
                let own = &mut result[first as usize..(first + step.outputs) as usize];
                own.iter_mut().zip(&adjoints[values]).for_each(|(sum, force)| *sum += force);
                continue;
            }
            for (output, value) in values.enumerate() {
                let force = adjoints[value];
                if force == 0.0 {
                    continue;
                }
                let slopes = &local[step.local()][output * step.inputs as usize..];
                for (wire, slope) in plan.wires[step.wires()].iter().zip(slopes) {
                    adjoints[wire.value as usize] += force * slope;
                }
            }
        }
        Ok(())
    }
}

/// The rows of a block from those of its inputs.
fn chain(plan: &Plan, k: usize, local: &[f64], rows: &mut [f64]) {
    let step = &plan.steps[k];
    for output in 0..step.outputs {
        let own = step.row(output);
        rows[own.clone()].fill(0.0);
        if step.first_column.is_some() {
            rows[own.start + output as usize] = 1.0;
            continue;
        }
        let slopes = &local[step.local()][(output * step.inputs) as usize..];
        for (wire, slope) in plan.wires[step.wires()].iter().zip(slopes) {
            let below = plan.steps[wire.step as usize].row(wire.output);
            let places = &plan.places[wire.first_place as usize..];
            for (from, &place) in below.zip(places) {
                rows[own.start + place as usize] += slope * rows[from];
            }
        }
    }
}
