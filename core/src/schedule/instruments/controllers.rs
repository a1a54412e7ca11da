//! Controllers of the model before a step.

use super::bench::{Bench, Cached, InstrumentError, taken};
use crate::component::Handle;
use crate::kinds::{ControlLaw, PropertyController};
use crate::model::{CodeParameters, ControlCode, Model};
use crate::property::{PropertyType, Value};

/// A controller with what it remembers.
pub(super) struct ControllerUnit {
    pub(super) handle: Handle<PropertyController>,
    pub(super) input: Cached,
    /// Integral of the error over time.
    integral: f64,
    /// Error and time [s] of the step before; none before the first.
    before: Option<[f64; 2]>,
    /// Registered code, where it was made.
    code: Option<MadeCode>,
    /// Numbers of a waypoint that code which is made next takes over.
    remembered: Vec<f64>,
}

/// Registered code, and what it was made of.
struct MadeCode {
    name: String,
    parameters: CodeParameters,
    code: Box<dyn ControlCode>,
}

impl ControllerUnit {
    pub(super) fn new(handle: Handle<PropertyController>) -> Self {
        let (input, code, remembered) = (Cached::default(), None, Vec::new());
        Self { handle, input, integral: 0.0, before: None, code, remembered }
    }

    /// Sets the property for the step of this length [s] that comes.
    pub(super) fn act(&mut self, bench: &mut Bench<'_>, step: f64) -> Result<(), InstrumentError> {
        let now = bench.now();
        let Some(it) = now.model.get(self.handle).filter(|it| it.enabled) else { return Ok(()) };
        let input = self.input.eval(&it.input, &now)?;
        let property = now.model.property_of(it.target, &it.property)?;
        let output = match it.law {
            ControlLaw::Expression => input,
            ControlLaw::Table => it.looked_up(input),
            ControlLaw::Pid => self.feedback(it, input, [now.state.time, step]),
            ControlLaw::Code => {
                let code = self.code(now.model, it)?;
                let output = code.output(input, now.state.time, step);
                output.map_err(InstrumentError::Code)?
            }
        };
        let value = output.max(it.lower).min(it.upper);
        if property.info().value_type != PropertyType::Real {
            return Err(InstrumentError::NotOne(now.model.property_path(&property)));
        }
        let known = now.model.get_property(&property) == Ok(Value::Real(value));
        bench.written.remember(bench.model, &property)?;
        if !known {
            bench.model.set_property(&property, value)?;
        }
        Ok(())
    }

    /// Proportional, integral and derivative feedback. Where the error takes the output beyond an end, the integral grows
    /// until the output is there, and no further (conditional integration, AstromHagglund2006).
    fn feedback(&mut self, it: &PropertyController, error: f64, [time, step]: [f64; 2]) -> f64 {
        let rate = match self.before {
            Some([before, at]) if time > at => (error - before) / (time - at),
            _ => 0.0,
        };
        self.before = Some([error, time]);
        let direct = it.proportional * error + it.derivative * rate;
        let grown = self.integral + error * step;
        let output = direct + it.integral * grown;
        let (growth, share) = (it.integral * error, it.integral * self.integral);
        self.integral = if growth > 0.0 && output > it.upper {
            (it.upper - direct).max(share) / it.integral
        } else if growth < 0.0 && output < it.lower {
            (it.lower - direct).min(share) / it.integral
        } else {
            grown
        };
        direct + it.integral * self.integral
    }

    /// The code of its name. It is made anew where its name or its parameters have changed, and goes on with what the
    /// one before remembers.
    fn code(
        &mut self,
        model: &Model,
        it: &PropertyController,
    ) -> Result<&mut dyn ControlCode, InstrumentError> {
        let id = self.handle.id();
        let fits =
            |made: &MadeCode| made.name == it.code && made.parameters.are_those_of(model, id);
        let made = match self.code.take() {
            Some(made) if fits(&made) => made,
            before => {
                if let Some(before) = before {
                    self.remembered.clear();
                    before.code.save(&mut self.remembered);
                }
                let mut code = model.control_code(id, it)?;
                if !self.remembered.is_empty() {
                    code.restore(&self.remembered);
                }
                let (name, parameters) = (it.code.clone(), model.code_parameters(id));
                MadeCode { name, parameters, code }
            }
        };
        Ok(&mut *self.code.insert(made).code)
    }

    pub(super) fn save(&self, numbers: &mut Vec<f64>) {
        let [error, time] = self.before.unwrap_or([0.0; 2]);
        let known = f64::from(u8::from(self.before.is_some()));
        numbers.extend([self.integral, known, error, time]);
        // The count of what the code remembers stands before it.
        let at = numbers.len();
        numbers.push(0.0);
        match &self.code {
            Some(made) => made.code.save(numbers),
            None => numbers.extend(&self.remembered),
        }
        numbers[at] = (numbers.len() - at - 1) as f64;
    }

    pub(super) fn restore(&mut self, rest: &mut &[f64]) {
        let [integral, known, error, time] = taken(rest);
        self.integral = integral;
        self.before = (known != 0.0).then_some([error, time]);
        let [count] = taken(rest);
        let (own, others) = rest.split_at(rest.len().min(count as usize));
        *rest = others;
        self.remembered = own.to_vec();
        if let Some(made) = &mut self.code {
            made.code.restore(own);
        }
    }
}
