//! From the name of a model to arrays that can be stepped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sinew::system::CompiledModel;

use super::source::ModelSource;
use super::watch::{Distance, WatchError};
use crate::exit::CliError;
use crate::options::EditArgs;

/// Overlaps at the start that are told.
const MOST_OVERLAPS: usize = 5;

/// A model that was loaded and compiled. What was compiled is not in it: it belongs to what steps it alone, which
/// may put other numbers into it.
pub(crate) struct Prepared {
    /// The model as it was loaded.
    pub(crate) source: ModelSource,
    /// Wall time of reading or generating the model.
    pub(crate) load_time: Duration,
    /// Wall time of compiling it.
    pub(crate) compile_time: Duration,
}

impl Prepared {
    /// Loads and compiles the model `name`, changed by `edits`.
    ///
    /// # Errors
    /// A model that does not exist, cannot be read or cannot be simulated, a property that is not
    /// there or does not take the value.
    pub(crate) fn of(name: &str, edits: &EditArgs) -> Result<(Self, Arc<CompiledModel>), CliError> {
        let begun = Instant::now();
        let mut source = ModelSource::load(name, edits)?;
        let load_time = begun.elapsed();
        tracing::info!(model = source.name, origin = source.origin, ?load_time, "model loaded");

        let compiled = Arc::new(source.compile()?);
        let compile_time = begun.elapsed() - load_time;
        tracing::info!(dofs = compiled.dof_count(), ?compile_time, "model compiled");
        // A setup that cannot be detected is refused where the solver is made.
        let overlaps = compiled.at(&compiled.initial_state()).overlaps().unwrap_or_default();
        let told = overlaps.iter().take(MOST_OVERLAPS).map(|it| format!("at the start {it}"));
        source.notes.extend(told);
        Ok((Self { source, load_time, compile_time }, compiled))
    }

    /// The distances that are watched of this model unasked, and those of `--watch`.
    ///
    /// # Errors
    /// A text of the wrong form, a path that leads to no point.
    pub(crate) fn distances(
        &self,
        texts: &[String],
        compiled: &CompiledModel,
    ) -> Result<Vec<Distance>, WatchError> {
        Distance::all(&self.source.watches, texts, &self.source.model, compiled)
    }

    /// Nodes of all soft tissues.
    pub(crate) fn node_count(&self) -> usize {
        self.source.model.fems().map(|(_, fem)| fem.mesh.nodes.len()).sum()
    }

    /// Elements of all soft tissues.
    pub(crate) fn element_count(&self) -> usize {
        self.source.model.fems().map(|(_, fem)| fem.mesh.element_count()).sum()
    }
}
