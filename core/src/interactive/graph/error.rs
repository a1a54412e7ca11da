//! Errors of graphs: each names the block.

use crate::formula::FormulaError;

/// An edit that is refused, or a block without a value. A graph that refuses an edit is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// A block that was removed, or belongs to another graph.
    #[error("the block is not there any more; use one that is")]
    Gone,
    /// An output that a block does not have.
    #[error("block '{block}' has {count} output(s), there is no number {output}")]
    Output {
        /// The block.
        block: String,
        /// Number of outputs.
        count: usize,
        /// The output that was named.
        output: usize,
    },
    /// An input that a block does not have.
    #[error("block '{block}' has no input '{input}'")]
    Input {
        /// The block.
        block: String,
        /// The input that was named.
        input: String,
    },
    /// Two blocks of one name.
    #[error("there is a block '{0}' already; use another name")]
    Taken(String),
    /// A name that formulas could not use.
    #[error("'{0}' cannot name a block; use letters, digits and '_', a letter first")]
    Name(String),
    /// A formula that cannot be read.
    #[error("block '{block}': {error}")]
    Formula {
        /// The block.
        block: String,
        /// The fault and its column.
        error: FormulaError,
    },
    /// A name of a formula that names no output of a block.
    #[error(
        "block '{block}': column {column}: '{name}' is no output of a block; name one, as in 'circle.x'"
    )]
    Unknown {
        /// The block.
        block: String,
        /// Column of the name.
        column: usize,
        /// The name.
        name: String,
    },
    /// A wire that would close a circle.
    #[error("block '{block}' cannot depend on itself: {circle}")]
    Cycle {
        /// The block.
        block: String,
        /// Names of the blocks along the circle.
        circle: String,
    },
    /// A block that others use.
    #[error("block '{block}' is used by {users}; rewire or remove these first")]
    Used {
        /// The block.
        block: String,
        /// Names of the blocks that use it.
        users: String,
    },
    /// A number of wires or values that does not fit.
    #[error("block '{block}' takes {expected} {of}, got {found}")]
    Count {
        /// The block.
        block: String,
        /// The things that were counted.
        of: &'static str,
        /// Number that fits.
        expected: usize,
        /// Number that was given.
        found: usize,
    },
    /// A block of another kind than the call is made for.
    #[error("block '{block}' is no {expected}")]
    Kind {
        /// The block.
        block: String,
        /// The kind that the call is made for.
        expected: &'static str,
    },
    /// A block whose outputs are no finite numbers.
    #[error("block '{block}', output {output}, is {value}{place}", place = place(error))]
    Value {
        /// The block.
        block: String,
        /// Index of the output.
        output: usize,
        /// Its value; finite where only a derivative is not.
        value: f64,
        /// The operation of the formula.
        error: Option<FormulaError>,
    },
}

fn place(error: &Option<FormulaError>) -> String {
    match error {
        Some(error) => format!(": {error}"),
        None => "; keep its inputs where it has a value and derivatives".to_owned(),
    }
}
