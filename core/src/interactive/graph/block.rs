//! One block: its name, its function or source, and the ports that its inputs are wired to.

use super::{Function, Port};

/// Role of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Unknowns: all is differentiated by them.
    Variable,
    /// Numbers that are set from outside, and the time.
    Parameter,
}

/// Values of a source.
pub(super) struct Source {
    pub(super) role: Role,
    /// Value, rate, and rate of the rate of each output.
    pub(super) motion: Vec<[f64; 3]>,
}

pub(super) enum Kind {
    Source(Source),
    Function(Function),
}

pub(super) struct Block {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) inputs: Vec<Port>,
    pub(super) outputs: Vec<String>,
}

impl Block {
    /// Name of an input for messages.
    pub(super) fn input_name(&self, input: usize) -> String {
        match &self.kind {
            Kind::Function(Function::Formula(formula)) => formula.inputs()[input].clone(),
            _ => input.to_string(),
        }
    }
}
