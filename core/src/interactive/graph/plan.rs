//! The plan of an evaluation: the order of the blocks, places of their numbers in flat arrays, and the variables that
//! each depends on.

use super::Port;
use super::block::{Block, Kind, Role};
use crate::formula::Dependence;

/// Places of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// Index of the block.
    pub(super) block: u32,
    pub(super) first_value: u32,
    pub(super) outputs: u32,
    pub(super) first_input: u32,
    pub(super) inputs: u32,
    pub(super) first_local: u32,
    /// First of its columns, where it is a variable.
    pub(super) first_column: Option<u32>,
    /// True if its Jacobian by the variables never changes.
    pub(super) is_constant: bool,
    /// True if its rows are wanted, or needed for those of others.
    pub(super) has_rows: bool,
    pub(super) first_row: u32,
    pub(super) first_support: u32,
    pub(super) support: u32,
}

/// An input: the value that it reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    pub(super) value: u32,
    pub(super) step: u32,
    pub(super) output: u32,
    /// Start of the places of the support of the other block in that of this one.
    pub(super) first_place: u32,
}

/// Lengths of the arrays of results.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    pub(super) values: usize,
    pub(super) local: usize,
    pub(super) rows: usize,
}

#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    /// Step of each block.
    pub(super) step_of: Vec<u32>,
    pub(super) wires: Vec<Wire>,
    pub(super) dependence: Vec<Dependence>,
    /// Columns of each support, ascending.
    pub(super) supports: Vec<u32>,
    pub(super) places: Vec<u32>,
    pub(super) columns: usize,
    /// Column at which the variables of each block would begin.
    first_columns: Vec<u32>,
    pub(super) sizes: Sizes,
}

impl Step {
    pub(super) fn values(&self) -> std::ops::Range<usize> {
        self.first_value as usize..(self.first_value + self.outputs) as usize
    }
    pub(super) fn wires(&self) -> std::ops::Range<usize> {
        self.first_input as usize..(self.first_input + self.inputs) as usize
    }
    pub(super) fn local(&self) -> std::ops::Range<usize> {
        let first = self.first_local as usize;
        first..first + (self.outputs * self.inputs) as usize
    }
    pub(super) fn support(&self) -> std::ops::Range<usize> {
        self.first_support as usize..(self.first_support + self.support) as usize
    }
    /// Place of the row of an output.
    pub(super) fn row(&self, output: u32) -> std::ops::Range<usize> {
        let first = (self.first_row + output * self.support) as usize;
        first..first + self.support as usize
    }
}

impl Plan {
    pub(super) fn new(blocks: &[Option<Block>], requested: &[Port]) -> Self {
        let mut plan = Self { step_of: vec![u32::MAX; blocks.len()], ..Self::default() };
        plan.number_columns(blocks);
        for index in order(blocks) {
            plan.push_step(blocks, index);
        }
        plan.mark_rows(requested);
        plan.find_supports();
        plan
    }

    pub(super) fn value_of(&self, port: Port) -> usize {
        let step = &self.steps[self.step_of[port.block.index as usize] as usize];
        (step.first_value + port.output) as usize
    }

    /// Columns follow the places of blocks, not the order of evaluation: edits elsewhere do not move them about.
    fn number_columns(&mut self, blocks: &[Option<Block>]) {
        for block in blocks {
            self.first_columns.push(self.columns as u32);
            if let Some(block) = block.as_ref().filter(|block| is_variable(block)) {
                self.columns += block.outputs.len();
            }
        }
    }

    fn push_step(&mut self, blocks: &[Option<Block>], index: u32) {
        let Some(block) = &blocks[index as usize] else { return };
        let (outputs, inputs) = (block.outputs.len(), block.inputs.len());
        self.step_of[index as usize] = self.steps.len() as u32;
        let first_input = self.wires.len() as u32;
        for port in &block.inputs {
            let step = self.step_of[port.block.index as usize];
            let value = self.value_of(*port) as u32;
            self.wires.push(Wire { value, step, output: port.output, first_place: 0 });
        }
        let first = self.dependence.len();
        self.add_dependence(block, first_input as usize);
        self.steps.push(Step {
            block: index,
            first_value: self.sizes.values as u32,
            outputs: outputs as u32,
            first_input,
            inputs: inputs as u32,
            first_local: self.sizes.local as u32,
            first_column: is_variable(block).then(|| self.first_columns[index as usize]),
            is_constant: self.dependence[first..].iter().all(|d| *d <= Dependence::Affine),
            ..Step::default()
        });
        self.sizes.values += outputs;
        self.sizes.local += outputs * inputs;
    }

    fn add_dependence(&mut self, block: &Block, first_input: usize) {
        let first = self.dependence.len();
        let of_source = match &block.kind {
            Kind::Source(source) if source.role == Role::Variable => Dependence::Affine,
            Kind::Source(_) => Dependence::Time,
            Kind::Function(_) => Dependence::Fixed,
        };
        self.dependence.resize(first + block.outputs.len(), of_source);
        if let Kind::Function(function) = &block.kind {
            let wires = &self.wires[first_input..];
            let inputs: Vec<Dependence> =
                wires.iter().map(|wire| self.dependence[wire.value as usize]).collect();
            function.as_dyn().dependence(&inputs, &mut self.dependence[first..]);
        }
    }

    /// Blocks upstream of the requested ones have rows.
    fn mark_rows(&mut self, requested: &[Port]) {
        for port in requested {
            self.steps[self.step_of[port.block.index as usize] as usize].has_rows = true;
        }
        for k in (0..self.steps.len()).rev().filter(|&k| self.steps[k].has_rows).collect::<Vec<_>>()
        {
            self.mark_upstream(k);
        }
    }

    fn mark_upstream(&mut self, from: usize) {
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for w in self.steps[at].wires() {
                let step = self.wires[w].step as usize;
                if !self.steps[step].has_rows {
                    self.steps[step].has_rows = true;
                    open.push(step);
                }
            }
        }
    }

    fn find_supports(&mut self) {
        for k in 0..self.steps.len() {
            if !self.steps[k].has_rows {
                continue;
            }
            let support = self.support_of(k);
            let first_support = self.supports.len();
            self.supports.extend_from_slice(&support);
            for w in self.steps[k].wires() {
                let below = self.steps[self.wires[w].step as usize].support();
                self.wires[w].first_place = self.places.len() as u32;
                for column in &self.supports[below] {
                    // Supports are unions of those below.
                    self.places.push(support.partition_point(|known| known < column) as u32);
                }
            }
            let step = &mut self.steps[k];
            step.first_support = first_support as u32;
            step.support = support.len() as u32;
            step.first_row = self.sizes.rows as u32;
            self.sizes.rows += step.outputs as usize * support.len();
        }
    }

    fn support_of(&self, k: usize) -> Vec<u32> {
        let step = &self.steps[k];
        if let Some(first) = step.first_column {
            return (first..first + step.outputs).collect();
        }
        let below = step.wires().flat_map(|w| {
            let below = &self.steps[self.wires[w].step as usize];
            self.supports[below.support()].iter().copied()
        });
        let mut support: Vec<u32> = below.collect();
        support.sort_unstable();
        support.dedup();
        support
    }
}

fn is_variable(block: &Block) -> bool {
    matches!(&block.kind, Kind::Source(source) if source.role == Role::Variable)
}

/// Indices of the blocks, each after those that it reads.
fn order(blocks: &[Option<Block>]) -> Vec<u32> {
    let mut users = vec![Vec::new(); blocks.len()];
    let mut missing = vec![0_usize; blocks.len()];
    let there = |index: &usize| blocks[*index].is_some();
    for index in (0..blocks.len()).filter(there) {
        for port in blocks[index].iter().flat_map(|block| &block.inputs) {
            users[port.block.index as usize].push(index);
            missing[index] += 1;
        }
    }
    let mut order: Vec<u32> = (0..blocks.len())
        .filter(|index| there(index) && missing[*index] == 0)
        .map(|index| index as u32)
        .collect();
    let mut at = 0;
    while at < order.len() {
        for &user in &users[order[at] as usize] {
            missing[user] -= 1;
            if missing[user] == 0 {
                order.push(user as u32);
            }
        }
        at += 1;
    }
    order
}
