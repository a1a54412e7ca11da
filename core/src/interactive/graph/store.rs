//! The graph: its blocks, their names, and what was computed. Edits, evaluation and Jacobians are in files of their
//! own.

use std::collections::HashMap;

use super::block::{Block, Kind, Role, Source};
use super::plan::Plan;
use super::{BlockId, GraphError, Port, Workspace};
use crate::formula::Dependence;
use crate::interactive::{Dual, Taylor};

/// Results of a plan's blocks, and what of them is stale.
#[derive(Default)]
pub(super) struct Cache {
    /// Value of every output.
    pub(super) values: Vec<f64>,
    /// Rate and second rate of every output.
    pub(super) rates: Vec<[f64; 2]>,
    /// Jacobians of blocks by their own inputs.
    pub(super) local: Vec<f64>,
    /// Jacobians of outputs by variables, on their supports.
    pub(super) rows: Vec<f64>,
    /// Rates of `rows`.
    pub(super) row_rates: Vec<f64>,
    /// Steps in the order of which values, rates and Jacobians are to be made anew.
    pub(super) stale_values: Vec<bool>,
    pub(super) stale_rates: Vec<bool>,
    pub(super) stale_local: Vec<bool>,
    pub(super) stale_rows: Vec<bool>,
    pub(super) scratch: Scratch,
}

/// Memory of one evaluation.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) work: Workspace,
    pub(super) x: Vec<f64>,
    pub(super) moving: Vec<Taylor>,
    pub(super) moved: Vec<Taylor>,
    pub(super) dual: Vec<Dual<f64>>,
    pub(super) dual_local: Vec<Dual<f64>>,
    pub(super) adjoints: Vec<f64>,
}

/// A directed acyclic graph of function blocks.
///
/// ```
/// use sinew::interactive::Graph;
///
/// let mut graph = Graph::default();
/// let circle = graph.add_variables("circle", &["x", "y", "r"], &[0.0, 0.0, 2.0])?;
/// let point = graph.add_expression("point", "a = t/2; circle.x + circle.r*cos(a)")?;
/// graph.request_rows(&[point.port(1)])?;
/// graph.set_time(std::f64::consts::TAU)?;
/// assert_eq!(graph.value(point.port(1))?, -2.0);
/// let (columns, values) = graph.row(point.port(1))?;
/// assert_eq!((columns, values), (&[0, 1, 2][..], &[1.0, 0.0, -1.0][..]));
/// assert_eq!(graph.column(circle, 2)?, 2);
/// # Ok::<(), sinew::interactive::GraphError>(())
/// ```
pub struct Graph {
    pub(super) blocks: Vec<Option<Block>>,
    pub(super) generations: Vec<u32>,
    /// Number of removed blocks whose indices are free.
    pub(super) free: usize,
    pub(super) names: HashMap<String, u32>,
    pub(super) requested: Vec<Port>,
    /// Ports that others than blocks use.
    pub(super) owned: Vec<Port>,
    pub(super) plan: Plan,
    pub(super) is_planned: bool,
    pub(super) cache: Cache,
}

/// Name of the block of the time.
pub(super) const TIME: &str = "t";

impl Default for Graph {
    fn default() -> Self {
        let source = Source { role: Role::Parameter, motion: vec![[0.0, 1.0, 0.0]] };
        let (name, kind) = (TIME.to_owned(), Kind::Source(source));
        let time = Block { name, kind, inputs: Vec::new(), outputs: vec!["0".to_owned()] };
        Self {
            blocks: vec![Some(time)],
            generations: vec![0],
            free: 0,
            names: HashMap::from([(TIME.to_owned(), 0)]),
            requested: Vec::new(),
            owned: Vec::new(),
            plan: Plan::default(),
            is_planned: false,
            cache: Cache::default(),
        }
    }
}

impl Graph {
    /// The time \[s\].
    pub fn time(&self) -> Port {
        BlockId { index: 0, generation: 0 }.port(0)
    }

    /// Number of blocks, that of the time among them.
    pub fn block_count(&self) -> usize {
        self.blocks.iter().flatten().count()
    }

    /// The block of a name.
    pub fn find(&self, name: &str) -> Option<BlockId> {
        let index = *self.names.get(name)?;
        Some(BlockId { index, generation: self.generations[index as usize] })
    }

    /// Name of a block.
    ///
    /// # Errors
    /// [`GraphError::Gone`].
    pub fn name(&self, block: BlockId) -> Result<&str, GraphError> {
        Ok(&self.block(block)?.name)
    }

    /// Names of the outputs of a block.
    ///
    /// # Errors
    /// [`GraphError::Gone`].
    pub fn outputs(&self, block: BlockId) -> Result<&[String], GraphError> {
        Ok(&self.block(block)?.outputs)
    }

    /// Ports that the inputs of a block are wired to.
    ///
    /// # Errors
    /// [`GraphError::Gone`].
    pub fn inputs(&self, block: BlockId) -> Result<&[Port], GraphError> {
        Ok(&self.block(block)?.inputs)
    }

    /// All outputs of a block.
    ///
    /// # Errors
    /// [`GraphError::Gone`].
    pub fn ports(&self, block: BlockId) -> Result<Vec<Port>, GraphError> {
        Ok((0..self.block(block)?.outputs.len()).map(|output| block.port(output)).collect())
    }

    /// The output of a name: of a block with one output `circle`, else `circle.x` or `circle.0`.
    pub fn resolve(&self, name: &str) -> Option<Port> {
        if let Some(block) = self.find(name) {
            return Some(block.port(0));
        }
        let (block, output) = name.split_once('.')?;
        let block = self.find(block)?;
        let outputs = &self.block(block).ok()?.outputs;
        Some(block.port(outputs.iter().position(|known| known == output)?))
    }

    pub(super) fn block(&self, id: BlockId) -> Result<&Block, GraphError> {
        let is_there = self.generations.get(id.index as usize) == Some(&id.generation);
        let block = self.blocks.get(id.index as usize).and_then(Option::as_ref);
        block.filter(|_| is_there).ok_or(GraphError::Gone)
    }

    pub(super) fn block_mut(&mut self, id: BlockId) -> Result<&mut Block, GraphError> {
        self.block(id)?;
        self.blocks[id.index as usize].as_mut().ok_or(GraphError::Gone)
    }

    /// Refuses a port that there is not.
    pub(in crate::interactive) fn check_port(&self, port: Port) -> Result<(), GraphError> {
        let block = self.block(port.block)?;
        let (count, output) = (block.outputs.len(), port.output as usize);
        if output < count {
            return Ok(());
        }
        Err(GraphError::Output { block: block.name.clone(), count, output })
    }

    /// Dependence of an output on the variables.
    ///
    /// # Errors
    /// A port that there is not.
    pub fn dependence(&mut self, port: Port) -> Result<Dependence, GraphError> {
        self.check_port(port)?;
        self.update_plan();
        Ok(self.plan.dependence[self.plan.value_of(port)])
    }

    /// Number of scalar variables.
    pub fn column_count(&mut self) -> usize {
        self.update_plan();
        self.plan.columns
    }

    /// Number of a scalar variable: its column in Jacobians.
    ///
    /// # Errors
    /// A block that is no variable.
    pub fn column(&mut self, block: BlockId, output: usize) -> Result<usize, GraphError> {
        self.check_port(block.port(output))?;
        self.update_plan();
        let step = &self.plan.steps[self.plan.step_of[block.index as usize] as usize];
        let kind = || GraphError::Kind {
            block: self.blocks[block.index as usize]
                .as_ref()
                .map_or_else(String::new, |b| b.name.clone()),
            expected: "variable",
        };
        step.first_column.map(|first| first as usize + output).ok_or_else(kind)
    }

    /// Brings the plan up to date after edits; all is then stale.
    pub(super) fn update_plan(&mut self) {
        if self.is_planned {
            return;
        }
        self.plan = Plan::new(&self.blocks, &self.requested);
        let Plan { steps, sizes, .. } = &self.plan;
        let cache = &mut self.cache;
        cache.values = vec![0.0; sizes.values];
        cache.rates = vec![[0.0; 2]; sizes.values];
        cache.local = vec![0.0; sizes.local];
        cache.rows = vec![0.0; sizes.rows];
        cache.row_rates = vec![0.0; sizes.rows];
        for stale in [
            &mut cache.stale_values,
            &mut cache.stale_rates,
            &mut cache.stale_local,
            &mut cache.stale_rows,
        ] {
            *stale = vec![true; steps.len()];
        }
        self.is_planned = true;
    }
}
