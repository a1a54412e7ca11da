//! `--checkpoint-every` and `--resume`: a run that goes on where it was, with its files.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sinew::schedule::Scheduler;
use sinew_run_files::attach::Recorded;
use sinew_run_files::checkpoint::{Checkpoint, Hash, model_hash};
use sinew_run_files::spec::ProbeSet;

use super::args::RunArgs;
use super::plan::Plan;
use crate::exit::{CliError, Exit, Failure};
use crate::load::Prepared;
use crate::output::{CHECKPOINT, Recorder, RecorderPosition};

/// A checkpoint of another run.
#[derive(Debug, thiserror::Error)]
#[error(
    "{} is of a run with another model or other options: give the same model, --param, --set, --step, --every, --probe, --input and --checkpoint-every",
    .0.display()
)]
pub(crate) struct OtherRunError(PathBuf);

impl Failure for OtherRunError {
    fn exit(&self) -> Exit {
        Exit::Input
    }
}

/// Part of an interval by which a checkpoint may come early: times are sums of rounded steps.
const ROUNDING: f64 = 1e-6;

/// Data of the command beside the waypoint.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Extra {
    /// Rows, end, smallest and largest values of each recorded file.
    probes: Vec<(u64, f64, Vec<[f64; 2]>)>,
    results: RecorderPosition,
}

impl Extra {
    /// As TOML, which has words for what is infinite or no number; JSON has none.
    fn to_bytes(&self) -> Vec<u8> {
        let text = toml::to_string(self);
        text.expect("numbers and texts can be written as TOML").into_bytes()
    }

    /// `None` where it is not that.
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        toml::from_str(str::from_utf8(bytes).ok()?).ok()
    }
}

/// Writes checkpoints at their interval.
pub(crate) struct Checkpoints {
    model: Hash,
    path: PathBuf,
    /// [s]; none are written without it.
    every: Option<f64>,
    /// Number of the next one.
    next: u64,
    recorded: Vec<Recorded>,
    resumed: bool,
}

impl Checkpoints {
    /// For a run into the directory of `recorder`.
    pub(crate) fn new(args: &RunArgs, hash: Hash, recorder: &Recorder) -> Self {
        let path = recorder.directory().join(CHECKPOINT);
        let every = args.probes.checkpoint_every;
        Self { model: hash, path, every, next: 0, recorded: Vec::new(), resumed: false }
    }

    /// The files whose ranges are kept.
    pub(crate) fn set_recorded(&mut self, recorded: &[Recorded]) {
        self.recorded = recorded.to_vec();
    }

    /// The first one, at the start: a run can be resumed whenever it is killed.
    pub(crate) fn begin(
        &mut self,
        scheduler: &mut Scheduler,
        recorder: &mut Recorder,
    ) -> Result<(), CliError> {
        if self.resumed {
            self.skip_to_after(scheduler.time());
            return Ok(());
        }
        self.save_where_due(scheduler, recorder)
    }

    /// Writes one where its time has come.
    pub(crate) fn save_where_due(
        &mut self,
        scheduler: &mut Scheduler,
        recorder: &mut Recorder,
    ) -> Result<(), CliError> {
        let Some(every) = self.every else { return Ok(()) };
        let time = scheduler.time();
        if time < (self.next as f64 - ROUNDING) * every {
            return Ok(());
        }
        self.skip_to_after(time);
        let ranges = self.recorded.iter().map(|it| it.ranges.now());
        let probes = ranges.map(|it| (it.rows, it.end, it.columns)).collect();
        let waypoint = scheduler.save()?;
        let results = recorder.place()?;
        let extra = Extra { results, probes }.to_bytes();
        Checkpoint { model: self.model, waypoint, extra }.save(&self.path)?;
        Ok(())
    }

    fn skip_to_after(&mut self, time: f64) {
        if let Some(every) = self.every {
            self.next = ((time / every + ROUNDING) as u64).saturating_add(1);
        }
    }

    /// Puts the run where a checkpoint was written; output files are cut off there.
    pub(crate) fn resume(
        &mut self,
        from: &Resumed,
        scheduler: &mut Scheduler,
    ) -> Result<(), CliError> {
        scheduler.restore(&from.checkpoint.waypoint)?;
        for (file, (rows, end, columns)) in self.recorded.iter().zip(&from.extra.probes) {
            let (rows, end, columns) = (*rows, *end, columns.clone());
            file.ranges.set(sinew_run_files::write::Ranges { rows, end, columns });
        }
        self.resumed = true;
        Ok(())
    }
}

/// A checkpoint that a run goes on from.
#[derive(Debug)]
pub(crate) struct Resumed {
    checkpoint: Checkpoint,
    extra: Extra,
}

impl Resumed {
    /// That of `--resume`, if it is one of this run.
    ///
    /// # Errors
    /// A file that is no checkpoint, or one of another model or other options.
    pub(crate) fn of(args: &RunArgs, hash: Hash) -> Result<Option<Self>, CliError> {
        let Some(path) = &args.probes.resume else { return Ok(None) };
        let checkpoint = Checkpoint::load(path)?;
        if checkpoint.model != hash {
            return Err(OtherRunError(path.clone()).into());
        }
        let extra = Extra::of_bytes(&checkpoint.extra);
        let extra = extra.ok_or_else(|| OtherRunError(path.clone()))?;
        Ok(Some(Self { checkpoint, extra }))
    }

    /// Position of the results then.
    pub(crate) fn results(&self) -> &RecorderPosition {
        &self.extra.results
    }
}

/// Hash of the model and of all options that decide what is computed and recorded, but for the end.
pub(crate) fn hash(args: &RunArgs, plan: &Plan, prepared: &Prepared, probes: &ProbeSet) -> Hash {
    let words = [
        format!("{:?}", plan.settings),
        format!("{} {:?} {}", plan.step, plan.frame_interval, plan.smallest_step),
        format!("{:?}", plan.energies),
        format!("{:?} {:?}", args.computes.backend, args.watches),
        format!("{probes:?} {:?}", args.probes.checkpoint_every),
    ];
    model_hash(&prepared.source.model, &words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_none_are_read_back() {
        let results = RecorderPosition::default();
        let ranges = vec![[f64::INFINITY, f64::NEG_INFINITY], [-0.1, 1e-300]];
        let extra = Extra { results, probes: vec![(3, 0.1, ranges), (0, f64::INFINITY, vec![])] };
        assert_eq!(Extra::of_bytes(&extra.to_bytes()), Some(extra));
        let probes = vec![(1, f64::NAN, vec![[f64::NAN; 2]])];
        let text = Extra { results: RecorderPosition::default(), probes }.to_bytes();
        let read = Extra::of_bytes(&text).unwrap().probes.remove(0);
        assert!(read.1.is_nan() && read.2[0][0].is_nan(), "{read:?}");
        assert_eq!(Extra::of_bytes(b"{}"), None);
    }
}
