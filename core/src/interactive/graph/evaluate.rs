//! Values and rates of outputs. Only what depends on something that changed is computed.

use super::block::{Kind, Role};
use super::store::Cache;
use super::{BlockId, Graph, GraphError, Port};
use crate::interactive::Taylor;

impl Graph {
    /// Sets the values of a source; their rates stay.
    ///
    /// # Errors
    /// A block that is no source, a number of values that does not fit.
    pub fn set_values(&mut self, block: BlockId, values: &[f64]) -> Result<(), GraphError> {
        self.set_source(block, values.len(), |k, motion| motion[0] = values[k])
    }

    /// Sets value, rate, and rate of the rate of each output of a source.
    ///
    /// # Errors
    /// As for [`Self::set_values`].
    pub fn set_motion(&mut self, block: BlockId, motion: &[[f64; 3]]) -> Result<(), GraphError> {
        self.set_source(block, motion.len(), |k, own| *own = motion[k])
    }

    /// Sets the time \[s\].
    ///
    /// # Errors
    /// None but those of [`Self::set_values`], which do not come about.
    pub fn set_time(&mut self, time: f64) -> Result<(), GraphError> {
        self.set_values(self.time().block, &[time])
    }

    fn set_source(
        &mut self,
        block: BlockId,
        count: usize,
        set: impl Fn(usize, &mut [f64; 3]),
    ) -> Result<(), GraphError> {
        let is_planned = self.is_planned;
        let there = self.block_mut(block)?;
        let expected = there.outputs.len();
        let Kind::Source(source) = &mut there.kind else {
            let block = there.name.clone();
            return Err(GraphError::Kind { block, expected: "source of values" });
        };
        if expected != count {
            let block = there.name.clone();
            return Err(GraphError::Count { block, of: "value(s)", expected, found: count });
        }
        let mut changed = [false; 2];
        for (k, motion) in source.motion.iter_mut().enumerate() {
            let before = *motion;
            set(k, motion);
            changed[0] |= before[0] != motion[0];
            changed[1] |= before[1..] != motion[1..];
        }
        if is_planned {
            let step = self.plan.step_of[block.index as usize] as usize;
            self.cache.stale_values[step] |= changed[0];
            self.cache.stale_rates[step] |= changed[0] || changed[1];
        }
        Ok(())
    }

    /// Values of a source as they were set.
    ///
    /// # Errors
    /// A block that is no source.
    pub fn motion(&self, block: BlockId) -> Result<&[[f64; 3]], GraphError> {
        let there = self.block(block)?;
        match &there.kind {
            Kind::Source(source) => Ok(&source.motion),
            Kind::Function(_) => {
                Err(GraphError::Kind { block: there.name.clone(), expected: "source of values" })
            }
        }
    }

    /// Role of a block, where it is a source.
    ///
    /// # Errors
    /// [`GraphError::Gone`].
    pub fn role(&self, block: BlockId) -> Result<Option<Role>, GraphError> {
        Ok(match &self.block(block)?.kind {
            Kind::Source(source) => Some(source.role),
            Kind::Function(_) => None,
        })
    }

    /// Brings all values up to date.
    ///
    /// # Errors
    /// A block without a value, with the column in its formula.
    pub fn update_values(&mut self) -> Result<(), GraphError> {
        self.update_plan();
        for k in 0..self.plan.steps.len() {
            let stale = &self.cache.stale_values;
            let upstream = |w: usize| stale[self.plan.wires[w].step as usize];
            if stale[k] || self.plan.steps[k].wires().any(upstream) {
                self.cache.stale_values[k] = true;
                self.update_value(k)?;
            }
        }
        // Jacobians follow later, from their own marks.
        let Cache { stale_values, stale_local, .. } = &mut self.cache;
        for ((value, local), step) in stale_values.iter_mut().zip(stale_local).zip(&self.plan.steps)
        {
            *local |= std::mem::take(value) && !step.is_constant;
        }
        Ok(())
    }

    fn update_value(&mut self, k: usize) -> Result<(), GraphError> {
        let step = &self.plan.steps[k];
        let Some(block) = &self.blocks[step.block as usize] else { return Ok(()) };
        let Cache { values, scratch, .. } = &mut self.cache;
        let function = match &block.kind {
            Kind::Source(source) => {
                for (value, motion) in values[step.values()].iter_mut().zip(&source.motion) {
                    *value = motion[0];
                }
                return self.check_values(k);
            }
            Kind::Function(function) => function,
        };
        scratch.x.clear();
        let wires = &self.plan.wires[step.wires()];
        scratch.x.extend(wires.iter().map(|wire| values[wire.value as usize]));
        function.as_dyn().eval(&scratch.x, &mut values[step.values()], &mut scratch.work);
        self.check_values(k)
    }

    fn check_values(&self, k: usize) -> Result<(), GraphError> {
        let values = &self.cache.values[self.plan.steps[k].values()];
        match values.iter().position(|value| !value.is_finite()) {
            None => Ok(()),
            Some(output) => Err(self.no_value(k, output)),
        }
    }

    /// The error of a block whose value, rates or slopes are no numbers.
    pub(super) fn no_value(&self, k: usize, output: usize) -> GraphError {
        let step = &self.plan.steps[k];
        let value = self.cache.values[step.first_value as usize + output];
        let Some(block) = &self.blocks[step.block as usize] else { return GraphError::Gone };
        let wires = &self.plan.wires[step.wires()];
        let x: Vec<f64> = wires.iter().map(|wire| self.cache.values[wire.value as usize]).collect();
        let error = match &block.kind {
            Kind::Function(function) => function.fault(&x),
            Kind::Source(_) => None,
        };
        GraphError::Value { block: block.name.clone(), output, value, error }
    }

    /// Brings all values and rates up to date.
    ///
    /// # Errors
    /// A block without a value or a rate.
    pub fn update_rates(&mut self) -> Result<(), GraphError> {
        self.update_values()?;
        for k in 0..self.plan.steps.len() {
            let stale = &self.cache.stale_rates;
            let upstream = |w: usize| stale[self.plan.wires[w].step as usize];
            if stale[k] || self.plan.steps[k].wires().any(upstream) {
                self.cache.stale_rates[k] = true;
                self.update_rate(k)?;
            }
        }
        self.cache.stale_rates.fill(false);
        Ok(())
    }

    fn update_rate(&mut self, k: usize) -> Result<(), GraphError> {
        let step = &self.plan.steps[k];
        let Some(block) = &self.blocks[step.block as usize] else { return Ok(()) };
        let Cache { values, rates, scratch, .. } = &mut self.cache;
        let own = step.values();
        match &block.kind {
            Kind::Source(source) => {
                for (rate, motion) in rates[own].iter_mut().zip(&source.motion) {
                    *rate = [motion[1], motion[2]];
                }
            }
            Kind::Function(function) => {
                scratch.moving.clear();
                scratch.moving.extend(self.plan.wires[step.wires()].iter().map(|wire| {
                    let at = wire.value as usize;
                    Taylor::of_motion([values[at], rates[at][0], rates[at][1]])
                }));
                scratch.moved.resize(own.len(), Taylor::default());
                let by = function.as_dyn();
                by.taylor(&scratch.moving, &mut scratch.moved, &mut scratch.work);
                for (rate, moved) in rates[own].iter_mut().zip(&scratch.moved) {
                    let [_, first, second] = moved.motion();
                    *rate = [first, second];
                }
            }
        }
        let rates = &rates[step.values()];
        match rates.iter().position(|rate| !rate.iter().all(|r| r.is_finite())) {
            None => Ok(()),
            Some(output) => Err(self.no_value(k, output)),
        }
    }

    /// Value of an output, brought up to date.
    ///
    /// # Errors
    /// A port that is not there, a block without a value.
    pub fn value(&mut self, port: Port) -> Result<f64, GraphError> {
        self.check_port(port)?;
        self.update_values()?;
        Ok(self.cache.values[self.plan.value_of(port)])
    }

    /// The same as [`Self::motion_of`] at the last [`Self::update_rates`].
    ///
    /// # Errors
    /// A port that is not there.
    pub fn kept_motion(&self, port: Port) -> Result<[f64; 3], GraphError> {
        self.check_port(port)?;
        let step = self.plan.step_of.get(port.block.index as usize).filter(|_| self.is_planned);
        let step = *step.ok_or(GraphError::Gone)? as usize;
        let at = (self.plan.steps[step].first_value + port.output) as usize;
        let [rate, second] = self.cache.rates[at];
        Ok([self.cache.values[at], rate, second])
    }

    /// Value of an output with its rate, and the second rate that it has while rates of variables stay as set.
    ///
    /// # Errors
    /// As for [`Self::value`].
    pub fn motion_of(&mut self, port: Port) -> Result<[f64; 3], GraphError> {
        self.check_port(port)?;
        self.update_rates()?;
        let at = self.plan.value_of(port);
        let [rate, second] = self.cache.rates[at];
        Ok([self.cache.values[at], rate, second])
    }
}
