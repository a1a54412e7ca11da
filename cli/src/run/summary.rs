//! The line of `--json`: its keys are an interface that scripts rely on (docs/reference/command-line.md).

use std::time::Duration;

use serde::Serialize;
use sinew::backend::Description;
use sinew::schedule::MostExcited;
use sinew::system::CompiledModel;
use sinew_run_files::attach::Recorded;

use super::session::{Ending, Session};
use super::statistics::{PhaseMeans, StepTimes};
use crate::compute::Kind;
use crate::compute::machine::peak_memory;
use crate::load::Prepared;
use crate::output::{BodyPose, DistanceRange, Recorder, body_poses, row_count};

/// A run in one object. The fields are the keys, in this order.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    /// Name of the model.
    pub(crate) model: String,
    #[serde(flatten)]
    pub(crate) size: ModelSize,
    #[serde(flatten)]
    pub(crate) computer: Computer,
    /// Steps taken.
    pub(crate) steps: u64,
    /// Simulated time [s].
    pub(crate) sim_time: f64,
    /// Wall time of the steps with their output [s].
    pub(crate) wall_s: f64,
    /// Distribution of the wall time of a step [ms], output not included.
    pub(crate) step_ms: StepTimes,
    /// Mean wall time of the phases of a step [ms].
    pub(crate) phases_ms: PhaseMeans,
    /// Bytes sent to the device, mean a step.
    pub(crate) bytes_up: f64,
    /// Bytes read back from the device, mean a step; looks at the state are not among them.
    pub(crate) bytes_down: f64,
    #[serde(flatten)]
    pub(crate) end: EndState,
    /// Of bodies and constraints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mechanism: Option<MechanismSummary>,
    /// Records of the probes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) probes: Vec<ProbeSummary>,
    /// Steps that failed as a whole and were taken in parts.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) halved_steps: u64,
    /// Most memory held [MB]; null where the system does not tell.
    pub(crate) peak_memory_mb: Option<f64>,
    /// Reason for which the device was given up for the processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) device_loss: Option<String>,
    /// `interrupted` or `failed`; left out of a run that was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<&'static str>,
    /// Reason of the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

/// Size of a model.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ModelSize {
    /// Nodes of all soft tissues.
    pub(crate) nodes: usize,
    /// Elements of all soft tissues.
    pub(crate) elements: usize,
    /// Rigid bodies.
    pub(crate) bodies: usize,
    /// Free velocity components.
    pub(crate) dofs: usize,
    /// Rows of bilateral and unilateral constraints.
    pub(crate) constraints: usize,
}

/// Machine and methods that computed a run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Computer {
    /// Kind of backend: `cpu` or `gpu`; at the end, where a device was lost.
    pub(crate) backend: Kind,
    /// Name of the processor or of the device.
    pub(crate) device: String,
    /// `direct`, `hybrid`, `cg`, or `none` where no system is solved.
    pub(crate) solver: &'static str,
    /// `jacobi` or `multigrid`; null without conjugate gradients.
    pub(crate) preconditioner: Option<&'static str>,
    /// Threads.
    pub(crate) threads: usize,
}

/// Last state of a run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EndState {
    /// Kinetic energy [J].
    pub(crate) kinetic_energy: f64,
    /// Energy of the weight [J], zero at the origin.
    pub(crate) potential_energy: f64,
    /// Energy stored in tissues and springs [J].
    pub(crate) strain_energy: f64,
    /// Volume of all soft tissues [m³].
    pub(crate) volume: f64,
    /// Centre of mass [m].
    pub(crate) center_of_mass: [f64; 3],
    /// Mean displacement of the node set `tip` [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tip_displacement: Option<[f64; 3]>,
    /// The watched distances over the run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) distances: Vec<DistanceRange>,
}

/// Bodies and constraints over a run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MechanismSummary {
    /// Energy of the turning of all bodies, part of `kinetic_energy`, at the end [J].
    pub(crate) rotational_energy: f64,
    /// Largest error of a row over all recorded states: a length [m] or the sine of an angle.
    pub(crate) row_error: f64,
    /// Parts that the steps were made in, all together.
    pub(crate) substeps: usize,
    /// Poses of the bodies at the end.
    pub(crate) bodies: Vec<BodyPose>,
}

impl ModelSize {
    fn of(prepared: &Prepared, compiled: &CompiledModel, bodies: usize) -> Self {
        Self {
            nodes: prepared.node_count(),
            elements: prepared.element_count(),
            bodies,
            dofs: compiled.dof_count(),
            constraints: row_count(compiled),
        }
    }
}

impl Computer {
    fn of(session: &Session<'_>) -> Self {
        let Description { solver, preconditioner } = session.backend().description();
        Self {
            backend: session.kind,
            device: session.kind.device(session.backend()),
            solver,
            preconditioner,
            threads: rayon::current_num_threads(),
        }
    }
}

impl EndState {
    fn of(recorder: &Recorder) -> Self {
        let observation = recorder.observation();
        Self {
            kinetic_energy: observation.energies.kinetic,
            potential_energy: observation.energies.gravitational,
            strain_energy: observation.energies.strain,
            volume: observation.volume,
            center_of_mass: observation.center_of_mass.into(),
            tip_displacement: observation.tip_displacement.map(Into::into),
            distances: recorder.extremes().distances.clone(),
        }
    }
}

impl Summary {
    /// Of a session that ended after `wall`, recorded by `recorder`.
    pub(crate) fn of(
        prepared: &Prepared,
        session: &Session<'_>,
        recorder: &Recorder,
        wall: Duration,
        ending: &Ending,
    ) -> Self {
        let (status, reason) = outcome(ending, session.shortest.as_ref());
        let statistics = &session.statistics;
        let observation = recorder.observation();
        let mechanism = observation.mechanism.map(|end| MechanismSummary {
            rotational_energy: end.rotational_energy,
            row_error: recorder.extremes().row_error,
            substeps: statistics.substeps,
            bodies: body_poses(&prepared.source.model, session.compiled(), &session.state),
        });
        let body_count = mechanism.as_ref().map_or(0, |m| m.bodies.len());
        let mean = |sum: u64| sum as f64 / statistics.step_count() as f64;
        Self {
            model: prepared.source.name.clone(),
            size: ModelSize::of(prepared, session.compiled(), body_count),
            computer: Computer::of(session),
            steps: session.steps,
            sim_time: observation.time,
            wall_s: wall.as_secs_f64(),
            step_ms: statistics.step_times(),
            phases_ms: statistics.phase_means(),
            bytes_up: mean(statistics.bytes_up),
            bytes_down: mean(statistics.bytes_down),
            end: EndState::of(recorder),
            mechanism,
            probes: recorder.probes().iter().map(ProbeSummary::of).collect(),
            halved_steps: session.scheduler.halved_steps(),
            peak_memory_mb: peak_memory(),
            device_loss: session.loss.clone(),
            status,
            reason,
        }
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Record of a probe.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ProbeSummary {
    /// Its file.
    pub(crate) file: String,
    /// Rows in it.
    pub(crate) rows: u64,
    /// Time of the last [s].
    pub(crate) end: f64,
    /// Its columns.
    pub(crate) columns: Vec<ColumnSummary>,
}

/// The values of a column.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ColumnSummary {
    /// Its name.
    pub(crate) name: String,
    /// Smallest value.
    pub(crate) min: f64,
    /// Largest value.
    pub(crate) max: f64,
}

/// More columns than these are counted, not listed.
const LISTED: usize = 6;

impl ProbeSummary {
    fn of(recorded: &Recorded) -> Self {
        let ranges = recorded.ranges.now();
        let column = |(name, range): (&String, &[f64; 2])| ColumnSummary {
            name: name.clone(),
            min: range[0],
            max: range[1],
        };
        let file = recorded.file.display().to_string();
        let columns = recorded.columns.iter().zip(&ranges.columns).map(column).collect();
        Self { file, rows: ranges.rows, end: ranges.end, columns }
    }

    /// For the table: where, how much, and between which values.
    pub(crate) fn text(&self) -> String {
        let Self { file, rows, end, columns } = self;
        let mut text = format!("{file}: {rows} rows of {} values to t = {end} s", columns.len());
        for ColumnSummary { name, min, max } in columns.iter().take(LISTED) {
            text += &format!("\n          {name} from {min:.6e} to {max:.6e}");
        }
        if columns.len() > LISTED {
            text += &format!("\n          and {} more", columns.len() - LISTED);
        }
        text
    }
}

/// Status of a run that was not done, and its reason.
fn outcome(
    ending: &Ending,
    shortest: Option<&(f64, MostExcited)>,
) -> (Option<&'static str>, Option<String>) {
    match ending {
        Ending::Done => (None, None),
        Ending::Interrupted => (Some("interrupted"), None),
        Ending::Failed(error) => {
            let mut reason = error.to_string();
            if let Some((length, excited)) = shortest {
                let excited = excited.behind_reason();
                reason += &format!("; parts of {length:e} s failed too{excited}");
            }
            (Some("failed"), Some(reason))
        }
    }
}
