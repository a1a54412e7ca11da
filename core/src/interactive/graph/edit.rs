//! Edits of graphs: blocks that are added and removed, wires, formulas. What is refused changes nothing.

use std::sync::Arc;

use super::block::{Block, Kind, Role, Source};
use super::store::TIME;
use super::{BlockFunction, BlockId, Function, Graph, GraphError, Port};
use crate::formula::{Formula, FormulaError};

/// Users that are no blocks, in messages.
const OWNER: &str = "the world";

impl Graph {
    /// Adds variables of these names and values, by which all is differentiated.
    ///
    /// # Errors
    /// A name that is taken or no name, values that do not fit.
    pub fn add_variables(
        &mut self,
        name: &str,
        outputs: &[&str],
        values: &[f64],
    ) -> Result<BlockId, GraphError> {
        self.add_source(name, Role::Variable, outputs, values)
    }

    /// Adds numbers that are set from outside.
    ///
    /// # Errors
    /// As for [`Self::add_variables`].
    pub fn add_parameters(
        &mut self,
        name: &str,
        outputs: &[&str],
        values: &[f64],
    ) -> Result<BlockId, GraphError> {
        self.add_source(name, Role::Parameter, outputs, values)
    }

    /// The same with numbers for names, from 0.
    ///
    /// # Errors
    /// As for [`Self::add_variables`].
    pub(in crate::interactive) fn add_numbered_parameters(
        &mut self,
        name: &str,
        values: &[f64],
    ) -> Result<BlockId, GraphError> {
        let outputs: Vec<String> = (0..values.len()).map(|k| k.to_string()).collect();
        let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
        self.add_parameters(name, &outputs, values)
    }

    fn add_source(
        &mut self,
        name: &str,
        role: Role,
        outputs: &[&str],
        values: &[f64],
    ) -> Result<BlockId, GraphError> {
        check_count(name, "value(s)", outputs.len(), values.len())?;
        let finite = values.iter().position(|value| !value.is_finite());
        if let Some(output) = finite {
            let (block, value) = (name.to_owned(), values[output]);
            return Err(GraphError::Value { block, output, value, error: None });
        }
        let motion = values.iter().map(|&value| [value, 0.0, 0.0]).collect();
        let outputs = outputs.iter().map(|&output| output.to_owned()).collect();
        self.insert(name, Kind::Source(Source { role, motion }), Vec::new(), outputs)
    }

    /// Adds a formula whose inputs are named and wired.
    ///
    /// # Errors
    /// A formula that cannot be read, with the column; ports that are not there; a name that is taken.
    pub fn add_formula(
        &mut self,
        name: &str,
        text: &str,
        inputs: &[(&str, Port)],
    ) -> Result<BlockId, GraphError> {
        let names: Vec<&str> = inputs.iter().map(|(input, _)| *input).collect();
        let formula = Formula::parse(text, &names).map_err(|error| in_block(name, error))?;
        let outputs = formula.outputs().to_vec();
        let ports = inputs.iter().map(|(_, port)| *port).collect();
        self.insert(name, Kind::Function(Function::Formula(formula)), ports, outputs)
    }

    /// Adds a formula whose names are those of blocks and their outputs: `circle.x + 2*t`.
    ///
    /// # Errors
    /// As for [`Self::add_formula`]; a name that no block has, with the column.
    pub fn add_expression(&mut self, name: &str, text: &str) -> Result<BlockId, GraphError> {
        let formula = Formula::parse_open(text).map_err(|error| in_block(name, error))?;
        let ports = self.resolve_all(name, &formula)?;
        let outputs = formula.outputs().to_vec();
        self.insert(name, Kind::Function(Function::Formula(formula)), ports, outputs)
    }

    /// Adds Rust code over its inputs, which implements [`Code`](super::Code).
    ///
    /// # Errors
    /// A number of ports that does not fit, ports that are not there, a name that is taken.
    pub fn add_code(
        &mut self,
        name: &str,
        code: impl BlockFunction + 'static,
        inputs: &[Port],
    ) -> Result<BlockId, GraphError> {
        self.add_function(name, Arc::new(code), inputs)
    }

    /// Adds a function that others may share.
    ///
    /// # Errors
    /// As for [`Self::add_code`].
    pub fn add_function(
        &mut self,
        name: &str,
        function: Arc<dyn BlockFunction>,
        inputs: &[Port],
    ) -> Result<BlockId, GraphError> {
        check_count(name, "input(s)", function.input_count(), inputs.len())?;
        let outputs = (0..function.output_count()).map(|output| output.to_string()).collect();
        let kind = Kind::Function(Function::Code(function));
        self.insert(name, kind, inputs.to_vec(), outputs)
    }

    fn resolve_all(&self, block: &str, formula: &Formula) -> Result<Vec<Port>, GraphError> {
        let resolve = |(k, name): (usize, &String)| {
            let (block, name, column) = (block.to_owned(), name.clone(), formula.input_column(k));
            self.resolve(&name).ok_or(GraphError::Unknown { block, column, name })
        };
        formula.inputs().iter().enumerate().map(resolve).collect()
    }

    fn insert(
        &mut self,
        name: &str,
        kind: Kind,
        inputs: Vec<Port>,
        outputs: Vec<String>,
    ) -> Result<BlockId, GraphError> {
        self.check_name(name)?;
        for &port in &inputs {
            self.check_port(port)?;
        }
        let block = Block { name: name.to_owned(), kind, inputs, outputs };
        let free = self.blocks.iter().position(Option::is_none);
        let index = match free.filter(|_| self.free > 0) {
            Some(index) => {
                self.free -= 1;
                self.blocks[index] = Some(block);
                index
            }
            None => {
                self.blocks.push(Some(block));
                self.generations.push(0);
                self.blocks.len() - 1
            }
        };
        self.names.insert(name.to_owned(), index as u32);
        self.is_planned = false;
        Ok(BlockId { index: index as u32, generation: self.generations[index] })
    }

    fn check_name(&self, name: &str) -> Result<(), GraphError> {
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        let begins = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
        if !begins || !name.chars().all(inside) || name == "pi" {
            return Err(GraphError::Name(name.to_owned()));
        }
        match self.names.contains_key(name) {
            true => Err(GraphError::Taken(name.to_owned())),
            false => Ok(()),
        }
    }

    /// A name that is not taken: `base`, or with the first number behind it that is free.
    pub fn free_name(&self, base: &str) -> String {
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        let names = std::iter::once(base.to_owned()).chain(numbered);
        names.into_iter().find(|name| !self.names.contains_key(name)).unwrap_or_default()
    }

    /// Names of the blocks that read outputs of a block.
    ///
    /// # Errors
    /// [`GraphError::Gone`].
    pub fn users(&self, block: BlockId) -> Result<Vec<&str>, GraphError> {
        self.block(block)?;
        let reads = |user: &&Block| user.inputs.iter().any(|port| port.block == block);
        Ok(self.blocks.iter().flatten().filter(reads).map(|user| user.name.as_str()).collect())
    }

    /// Removes a block.
    ///
    /// # Errors
    /// A block that others use, or the time.
    pub fn remove(&mut self, block: BlockId) -> Result<(), GraphError> {
        let users = self.users(block)?;
        let name = self.block(block)?.name.clone();
        let mut users: Vec<&str> = users;
        if name == TIME || self.owned.iter().any(|port| port.block == block) {
            users.push(OWNER);
        }
        if !users.is_empty() {
            return Err(GraphError::Used { block: name, users: users.join(", ") });
        }
        self.names.remove(&name);
        self.requested.retain(|port| port.block != block);
        self.blocks[block.index as usize] = None;
        self.generations[block.index as usize] += 1;
        self.free += 1;
        self.is_planned = false;
        Ok(())
    }

    /// Gives a block another name; texts of formulas keep the old one.
    ///
    /// # Errors
    /// A name that is taken or no name.
    pub fn rename(&mut self, block: BlockId, name: &str) -> Result<(), GraphError> {
        self.block(block)?;
        self.check_name(name)?;
        let old = std::mem::replace(&mut self.block_mut(block)?.name, name.to_owned());
        self.names.remove(&old);
        self.names.insert(name.to_owned(), block.index);
        Ok(())
    }

    /// Wires an input to another output.
    ///
    /// # Errors
    /// A wire that would close a circle, an input or port that is not there.
    pub fn rewire(&mut self, block: BlockId, input: usize, port: Port) -> Result<(), GraphError> {
        self.check_port(port)?;
        let there = self.block(block)?;
        if input >= there.inputs.len() {
            let (block, input) = (there.name.clone(), input.to_string());
            return Err(GraphError::Input { block, input });
        }
        self.check_circle(block, &[port])?;
        self.block_mut(block)?.inputs[input] = port;
        self.is_planned = false;
        Ok(())
    }

    /// Wires an input of a formula by its name.
    ///
    /// # Errors
    /// As for [`Self::rewire`].
    pub fn rewire_input(
        &mut self,
        block: BlockId,
        input: &str,
        port: Port,
    ) -> Result<(), GraphError> {
        let there = self.block(block)?;
        let index = (0..there.inputs.len()).find(|&k| there.input_name(k) == input);
        let missing = || GraphError::Input { block: there.name.clone(), input: input.to_owned() };
        self.rewire(block, index.ok_or_else(missing)?, port)
    }

    /// Changes the text of a formula. Names of its inputs keep their wires; others are those of blocks.
    ///
    /// # Errors
    /// A text that cannot be read, with its column; names that no block has; an output that others use and that the
    /// new formula does not have; a circle.
    pub fn set_formula(&mut self, block: BlockId, text: &str) -> Result<(), GraphError> {
        let there = self.block(block)?;
        let name = there.name.clone();
        let Kind::Function(Function::Formula(old)) = &there.kind else {
            return Err(GraphError::Kind { block: name, expected: "formula" });
        };
        let formula = Formula::parse_open(text).map_err(|error| in_block(&name, error))?;
        let mut inputs = Vec::new();
        for (k, input) in formula.inputs().iter().enumerate() {
            let wired = old.inputs().iter().position(|known| known == input);
            let port = wired.map(|at| there.inputs[at]).or_else(|| self.resolve(input));
            let (block, column) = (name.clone(), formula.input_column(k));
            inputs.push(port.ok_or(GraphError::Unknown { block, column, name: input.clone() })?);
        }
        self.check_circle(block, &inputs)?;
        let count = formula.outputs().len();
        self.check_outputs(block, count)?;
        self.requested.retain(|port| port.block != block || (port.output as usize) < count);
        let there = self.block_mut(block)?;
        there.outputs = formula.outputs().to_vec();
        there.inputs = inputs;
        there.kind = Kind::Function(Function::Formula(formula));
        self.is_planned = false;
        Ok(())
    }

    /// Refuses fewer outputs of a block than others read.
    fn check_outputs(&self, block: BlockId, count: usize) -> Result<(), GraphError> {
        let beyond = |port: &Port| port.block == block && port.output as usize >= count;
        let users = self.blocks.iter().flatten().filter(|user| user.inputs.iter().any(beyond));
        let mut users: Vec<&str> = users.map(|user| user.name.as_str()).collect();
        if self.owned.iter().any(beyond) {
            users.push(OWNER);
        }
        if users.is_empty() {
            return Ok(());
        }
        let block = self.block(block)?.name.clone();
        Err(GraphError::Used { block, users: users.join(", ") })
    }

    /// Refuses ports whose values depend on a block.
    fn check_circle(&self, block: BlockId, ports: &[Port]) -> Result<(), GraphError> {
        let mut open: Vec<(u32, Option<usize>)> =
            ports.iter().map(|port| (port.block.index, None)).collect();
        let mut seen = vec![false; self.blocks.len()];
        let mut at = 0;
        while let Some(&(index, _)) = open.get(at) {
            if index == block.index {
                return Err(self.circle(block, &open, at));
            }
            let inputs = self.blocks[index as usize].iter().flat_map(|block| &block.inputs);
            if !std::mem::replace(&mut seen[index as usize], true) {
                open.extend(inputs.map(|port| (port.block.index, Some(at))));
            }
            at += 1;
        }
        Ok(())
    }

    fn circle(&self, block: BlockId, open: &[(u32, Option<usize>)], end: usize) -> GraphError {
        let name = |index: u32| {
            let block = self.blocks[index as usize].as_ref();
            block.map_or_else(String::new, |block| block.name.clone())
        };
        let (mut names, mut at) = (Vec::new(), Some(end));
        while let Some(place) = at {
            names.push(name(open[place].0));
            at = open[place].1;
        }
        names.push(name(block.index));
        GraphError::Cycle { block: name(block.index), circle: names.join(" -> ") }
    }

    /// Names the outputs that are used outside of the graph, and may not be removed; those of before are forgotten.
    pub(in crate::interactive) fn set_owned(&mut self, ports: Vec<Port>) {
        self.owned = ports;
    }

    /// Names the outputs whose Jacobians are wanted; those of before are forgotten.
    ///
    /// # Errors
    /// A port that is not there.
    pub fn request_rows(&mut self, ports: &[Port]) -> Result<(), GraphError> {
        for &port in ports {
            self.check_port(port)?;
        }
        if self.requested != ports {
            self.requested = ports.to_vec();
            self.is_planned = false;
        }
        Ok(())
    }
}

fn in_block(block: &str, error: FormulaError) -> GraphError {
    GraphError::Formula { block: block.to_owned(), error }
}

fn check_count(
    block: &str,
    of: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), GraphError> {
    match expected == found {
        true => Ok(()),
        false => Err(GraphError::Count { block: block.to_owned(), of, expected, found }),
    }
}
