//! The table of a world: states of objects, outputs of blocks, multipliers of constraints.

use std::path::Path;

use sinew::interactive::{
    BlockKind, ConstraintId, Graph, GraphError, Port, World, WorldDescription, WorldError,
};
use sinew::schedule::{CallbackError, Sink};
use sinew_run_files::write::{Opening, create};

use super::WorldCommandError;
use crate::exit::{CliError, Exit, Failure};

/// A table that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the table: {0}")]
pub(crate) struct TableError(CallbackError);

impl Failure for TableError {
    fn exit(&self) -> Exit {
        Exit::Output
    }
}

/// The table, with the places of its columns.
pub(super) struct WorldTable {
    ports: Vec<Port>,
    constraints: Vec<ConstraintId>,
    sink: Box<dyn Sink>,
}

impl WorldTable {
    /// An empty table with its heading.
    ///
    /// # Errors
    /// A part that the world does not have, a file that cannot be written.
    pub(super) fn create(
        path: &Path,
        description: &WorldDescription,
        world: &World,
    ) -> Result<Self, CliError> {
        let objects = description.objects.iter().map(|object| object.name.as_str());
        let computed = description
            .blocks
            .iter()
            .filter(|block| !matches!(block.kind, BlockKind::Parameters(_)))
            .map(|block| block.name.as_str());
        let failed = |source| WorldCommandError::Step { time: world.time(), source };
        let (mut columns, mut ports) = (Vec::new(), Vec::new());
        for name in objects.chain(computed) {
            let found = outputs(world.graph(), name).map_err(|error| failed(error.into()))?;
            let (names, places): (Vec<String>, Vec<Port>) = found.into_iter().unzip();
            columns.extend(names);
            ports.extend(places);
        }
        let mut constraints = Vec::new();
        for constraint in &description.constraints {
            let id = world.find_constraint(&constraint.name);
            let id = id.ok_or(WorldError::Gone("constraint")).map_err(failed)?;
            let rows = 0..world.row_count(id).map_err(failed)?;
            columns.extend(rows.map(|row| format!("{}:multiplier.{row}", constraint.name)));
            constraints.push(id);
        }
        let sink = create(path, &columns, Opening::New);
        Ok(Self { ports, constraints, sink: sink? })
    }

    /// The numbers of a row.
    ///
    /// # Errors
    /// A block without a value, forces that do not exist.
    pub(super) fn row(&self, world: &mut World) -> Result<Vec<f64>, WorldError> {
        world.update_forces()?;
        let values: Result<Vec<f64>, WorldError> =
            self.ports.iter().map(|port| world.value(*port)).collect();
        let mut values = values?;
        for constraint in &self.constraints {
            values.extend_from_slice(world.multipliers(*constraint)?);
        }
        Ok(values)
    }

    /// Adds a row.
    ///
    /// # Errors
    /// A disk that does not take it.
    pub(super) fn add(&mut self, time: f64, row: &[f64]) -> Result<(), TableError> {
        self.sink.write(time, row).map_err(TableError)
    }

    /// Completes the file.
    ///
    /// # Errors
    /// A disk that does not take it.
    pub(super) fn finish(&mut self) -> Result<(), TableError> {
        self.sink.finish().map_err(TableError)
    }
}

/// Outputs of a block with their names: `bead.x`, or that of the block where it has one.
fn outputs(graph: &Graph, name: &str) -> Result<Vec<(String, Port)>, GraphError> {
    let block = graph.find(name).ok_or(GraphError::Gone)?;
    let names = graph.outputs(block)?;
    let column = |output: &String| match names.len() {
        1 => name.to_owned(),
        _ => format!("{name}.{output}"),
    };
    Ok(names.iter().map(column).zip(graph.ports(block)?).collect())
}
