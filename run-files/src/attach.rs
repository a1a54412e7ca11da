//! From the description of probes to probes of a run.

use std::path::Path;

use sinew::model::Model;
use sinew::schedule::{SampleTimes, Scheduler};

use crate::ProbeError;
pub use crate::input::input_probe;
pub use crate::live::Recorded;
use crate::live::{Recordings, follow};
use crate::output_files::check_files;
use crate::output_plan::OutputPlan;
use crate::spec::{OutputProbeSpec, ProbeSet};
use crate::write::MemoryTable;

pub use crate::write::Opening;

/// Adds probes to the model of a run, and has those of the model act from now on. Files of input are relative to `input`,
/// those of output to `output`.
///
/// # Errors
/// The first probe that cannot be made; those before it are added then.
pub fn attach(
    probes: &ProbeSet,
    scheduler: &mut Scheduler,
    [input, output]: [&Path; 2],
    opening: Opening,
) -> Result<Vec<Recorded>, ProbeError> {
    probes.add_to(scheduler.simulation_mut().model_mut())?;
    follow(scheduler, input, Recordings::Files(output.to_owned(), opening))
}

/// Adds a probe that records into memory from now on; its file is none.
///
/// # Errors
/// A property, formula or field that does not do.
pub fn record_in_memory(
    probe: &OutputProbeSpec,
    scheduler: &mut Scheduler,
) -> Result<MemoryTable, ProbeError> {
    let plan = OutputPlan::of(probe, scheduler.simulation().model())?;
    let table = MemoryTable::new(plan.columns.clone());
    scheduler.add_output_probe(plan.probe(Box::new(table.clone()))?);
    Ok(table)
}

impl ProbeSet {
    /// The probes that would record more in a step of this length [s] than can be.
    pub fn check_step(&self, step: f64) -> Vec<ProbeError> {
        let outputs = self.outputs();
        let dense = outputs.iter().filter(|it| !SampleTimes::every(it.every).fit(step));
        let error = |it: &OutputProbeSpec| ProbeError::Field {
            probe: it.name.clone(),
            what: format!(
                "every = {:?} s takes {:.1e} samples in a step of {step} s: sample less often, 0 for after \
                 every step",
                it.every,
                step / it.every
            ),
        };
        dense.map(error).collect()
    }

    /// Faults of the probes for a model, all at once; files of input are looked at.
    pub fn check(&self, model: &Model, input: &Path) -> Vec<ProbeError> {
        let inputs = self.input_probes.iter().map(|it| input_probe(it, model, input).err());
        let outputs = self.outputs();
        let plans = outputs.iter().map(|it| OutputPlan::of(it, model).err());
        let files = check_files(&outputs).into_iter().map(|(_, error)| Some(error));
        inputs.chain(plans).chain(files).flatten().collect()
    }
}
