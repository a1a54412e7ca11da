//! Controllers as components: a property that is set before every step from a formula, by a law of feedback, an
//! expression, or a table. When they act: `schedule/instruments/`.

use serde::{Deserialize, Serialize};

use crate::component::{Address, ComponentId, Reference};
use crate::property::{
    CheckError, CodeKind, Components, Find, LinkedText, ModelComponent, OnePath, Problem,
    PropertyType, Put, Refusal, choices, properties,
};

/// Law of a controller: its output from its input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlLaw {
    /// The input itself.
    #[default]
    Expression,
    /// Proportional, integral and derivative feedback: the input is the error.
    Pid,
    /// A value of a table, between two rows linearly, beyond its ends as there.
    Table,
    /// The output of registered code.
    Code,
}

choices!(ControlLaw { Expression => "expression", Pid => "pid", Table => "table", Code => "code" });

/// Sets a property of a component before every step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PropertyController {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Its law.
    pub law: ControlLaw,
    /// Its input: a formula of properties, `{PATH:NAME}`, and the time `t` [s].
    pub input: LinkedText,
    /// Component whose property it sets.
    pub target: ComponentId,
    /// Name of the property, one of one number.
    pub property: String,
    /// Factor of the error.
    pub proportional: f64,
    /// Factor of the integral of the error over time [1/s].
    pub integral: f64,
    /// Factor of the rate of the error [s].
    pub derivative: f64,
    /// Least output.
    pub lower: f64,
    /// Greatest output.
    pub upper: f64,
    /// Rows of the table: input and output, by rising input.
    pub table: Vec<[f64; 2]>,
    /// Name that its code is registered under, for a law of code.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub code: String,
    /// True if it acts.
    pub enabled: bool,
}

impl PropertyController {
    /// A controller that sets a property to the value of a formula.
    pub fn new(
        input: impl Into<LinkedText>,
        target: impl Into<ComponentId>,
        property: impl Into<String>,
    ) -> Self {
        Self {
            name: String::new(),
            law: ControlLaw::Expression,
            input: input.into(),
            target: target.into(),
            property: property.into(),
            proportional: 1.0,
            integral: 0.0,
            derivative: 0.0,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            table: Vec::new(),
            code: String::new(),
            enabled: true,
        }
    }

    /// The same with feedback of the error that its input is: factors of the error, its integral, its rate.
    #[must_use]
    pub fn pid(self, proportional: f64, integral: f64, derivative: f64) -> Self {
        Self { law: ControlLaw::Pid, proportional, integral, derivative, ..self }
    }

    /// The same by a table of inputs and outputs.
    #[must_use]
    pub fn by_table(self, table: Vec<[f64; 2]>) -> Self {
        Self { law: ControlLaw::Table, table, ..self }
    }

    /// The same by the code of a name; properties that are declared on it are the parameters of the code
    /// ([`CodeRegistry`](crate::model::CodeRegistry)).
    #[must_use]
    pub fn by_code(self, code: impl Into<String>) -> Self {
        Self { law: ControlLaw::Code, code: code.into(), ..self }
    }

    /// Output of the table.
    pub(crate) fn looked_up(&self, input: f64) -> f64 {
        let above = self.table.partition_point(|row| row[0] <= input);
        match (above.checked_sub(1).map(|k| self.table[k]), self.table.get(above)) {
            (Some(low), Some(high)) => {
                low[1] + (high[1] - low[1]) * (input - low[0]) / (high[0] - low[0])
            }
            (Some(row), None) => row[1],
            (None, Some(row)) => row[1],
            (None, None) => 0.0,
        }
    }

    fn put_target(&mut self, to: &[Address]) -> Put {
        let [Address::Component(id)] = *to else {
            return Err(Refusal::Value("it must lead to a component"));
        };
        self.target = id;
        Ok(())
    }

    fn put_table(&mut self, list: &[f64]) -> Put {
        let (rows, rest) = list.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(Refusal::Value("it must be inputs and outputs in turn"));
        }
        self.table = rows.to_vec();
        Ok(())
    }

    fn check_code(&self, model: &dyn Components) -> Result<(), CheckError> {
        match self.law {
            ControlLaw::Code => model.check_code(CodeKind::Controller, &self.code),
            ControlLaw::Expression | ControlLaw::Pid | ControlLaw::Table => Ok(()),
        }
    }

    fn check_law(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_table(model)?;
        self.check_code(model)
    }

    fn check_table(&self, _: &dyn Components) -> Result<(), CheckError> {
        if self.law == ControlLaw::Table && self.table.is_empty() {
            return Err(Problem::Few { given: 0, least: 1 }.at("table"));
        }
        let mut before = f64::NEG_INFINITY;
        for &[input, output] in &self.table {
            if !(input.is_finite() && input > before && output.is_finite()) {
                let (what, must) =
                    ("input", "finite and above the one before it, its output finite");
                return Err(Problem::Entry { what, value: input, must }.at("table"));
            }
            before = input;
        }
        Ok(())
    }

    fn check_input(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_formula("input", &model.text(&self.input))
    }

    /// A target that is there, with a property of one number.
    fn check_target(&self, model: &dyn Components) -> Result<(), CheckError> {
        if !model.contains(self.target) {
            return Err(Problem::Missing(model.path(self.target)).at("target"));
        }
        let refused = |why: String| Problem::Property(why).at("property");
        let of = model.property_info(self.target.into(), &self.property);
        match of.map_err(|error| refused(error.to_string()))?.value_type {
            PropertyType::Real => Ok(()),
            _ => Err(refused("it must be one number".to_owned())),
        }
    }

    fn check_bounds(&self, _: &dyn Components) -> Result<(), CheckError> {
        if self.lower <= self.upper {
            return Ok(());
        }
        let (what, value, must) = ("lower end", self.lower, "at most the upper one");
        Err(Problem::Entry { what, value, must }.at("lower"))
    }
}

impl ModelComponent for PropertyController {
    const HOME: Option<&'static str> = Some("controllers");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(Reference::hard(self.target));
        self.input.visit(visit);
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.target = map(self.target).unwrap_or(self.target);
        self.input.redirect(map);
    }

    fn keep_hosts(&mut self, keep: &mut dyn FnMut(&mut Address) -> bool) -> bool {
        self.input.keep_hosts(keep)
    }

    fn link(&mut self, find: Find<'_>) {
        self.input.link(LinkedText::formula, find);
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_target(model)?;
        self.check_input(model)?;
        self.check_law(model)?;
        self.check_bounds(model)
    }

    properties! { PropertyController {
        "enabled": bool = true, "", FINITE, NOTHING, "True if it acts", own (enabled);
        "law": ControlLaw = ControlLaw::Expression, "", FINITE, NOTHING, "Its output: the input itself, feedback of the input as an error, a value of a table, or what registered code makes of it", own (law), check PropertyController::check_law;
        "input": String = String::new(), "", FINITE, NOTHING, "Its input: a formula of properties by absolute paths, {PATH:NAME}, and the time t", linked (input, LinkedText::formula), check PropertyController::check_input;
        "target": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "Component whose property it sets",
            reference (|it| vec![it.target.into()], |it, to| it.put_target(to)), check PropertyController::check_target;
        "property": String = String::new(), "", FINITE, NOTHING, "Name of the property that it sets, one of one number", own (property), check PropertyController::check_target;
        "proportional": f64 = 1.0, "by property", FINITE, NOTHING, "Factor of the error, for feedback", own (proportional);
        "integral": f64 = 0.0, "by property", FINITE, NOTHING, "Factor of the integral of the error over time", own (integral);
        "derivative": f64 = 0.0, "by property", FINITE, NOTHING, "Factor of the rate of the error", own (derivative);
        "lower": f64 = f64::NEG_INFINITY, "by property", ANY, NOTHING, "Least output; the integral does not grow beyond it", own (lower), check PropertyController::check_bounds;
        "upper": f64 = f64::INFINITY, "by property", ANY, NOTHING, "Greatest output; the integral does not grow beyond it", own (upper), check PropertyController::check_bounds;
        "table": Vec<f64> = Vec::new(), "by property", FINITE, NOTHING, "Inputs and outputs in turn, by rising input",
            via (|it: &PropertyController| Some(it.table.as_flattened().to_vec()), |it: &mut PropertyController, list: Vec<f64>| it.put_table(&list)), check PropertyController::check_table;
        "code": String = String::new(), "", FINITE, NOTHING, "Name that its code is registered under, for a law of code; declared properties are the parameters of the code", own (code), check PropertyController::check_code;
    } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::ROOT;

    #[test]
    fn a_table_is_linear_between_its_rows_and_holds_beyond_its_ends() {
        let it = PropertyController::new("t", ROOT, "x").by_table(vec![
            [0.0, 1.0],
            [2.0, 5.0],
            [3.0, -1.0],
        ]);
        for (input, output) in
            [(-1.0, 1.0), (0.0, 1.0), (1.0, 3.0), (2.0, 5.0), (2.5, 2.0), (9.0, -1.0)]
        {
            assert_eq!(it.looked_up(input), output, "{input}");
        }
    }
}
