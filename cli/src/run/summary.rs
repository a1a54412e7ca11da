//! The line of `--json`: its keys are an interface that scripts rely on (docs/command-line.md).

use std::time::Duration;

use serde::Serialize;
use sinew::solve::{Integrator, LinearSolver, MechSystemSolver};

use super::machine::{Machine, peak_memory};
use super::session::Session;
use super::statistics::{PhaseMeans, StepTimes};
use super::{Ending, Observation, Plan, Prepared};

/// A run in one object. The fields are the keys, in this order.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    /// Name of the model.
    pub(crate) model: String,
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
    /// What computed: `cpu`.
    pub(crate) backend: &'static str,
    /// Name of the processor.
    pub(crate) device: String,
    /// `direct`, `cg`, or `none` where no system is solved.
    pub(crate) solver: &'static str,
    /// Threads.
    pub(crate) threads: usize,
    /// Steps taken.
    pub(crate) steps: usize,
    /// Simulated time [s].
    pub(crate) sim_time: f64,
    /// Wall time of the steps with their output [s].
    pub(crate) wall_s: f64,
    /// Distribution of the wall time of a step [ms], output not included.
    pub(crate) step_ms: StepTimes,
    /// Mean wall time of the phases of a step [ms].
    pub(crate) phases_ms: PhaseMeans,
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
    /// Most memory held [MB]; null where the system does not tell.
    pub(crate) peak_memory_mb: Option<f64>,
    /// `interrupted` or `failed`; left out of a run that was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<&'static str>,
    /// Why the run failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

impl Summary {
    /// Of a session that ended after `wall`, having last measured `observation`.
    pub(crate) fn of(
        prepared: &Prepared,
        session: &Session<'_>,
        observation: &Observation,
        wall: Duration,
        ending: &Ending,
    ) -> Self {
        let (status, reason) = match ending {
            Ending::Done => (None, None),
            Ending::Interrupted => (Some("interrupted"), None),
            Ending::Failed(error) => (Some("failed"), Some(error.to_string())),
        };
        let statistics = &session.statistics;
        Self {
            model: prepared.source.name.clone(),
            nodes: prepared.node_count(),
            elements: prepared.element_count(),
            bodies: 0,
            dofs: prepared.compiled.dof_count(),
            constraints: 0,
            backend: "cpu",
            device: Machine::this().cpu,
            solver: solver_name(session.plan, &session.solver),
            threads: rayon::current_num_threads(),
            steps: statistics.step_count(),
            sim_time: observation.time,
            wall_s: wall.as_secs_f64(),
            step_ms: statistics.step_times(),
            phases_ms: statistics.phase_means(),
            kinetic_energy: observation.energies.kinetic,
            potential_energy: observation.energies.gravitational,
            strain_energy: observation.energies.strain,
            volume: observation.volume,
            center_of_mass: observation.center_of_mass.into(),
            tip_displacement: observation.tip_displacement.map(Into::into),
            peak_memory_mb: peak_memory(),
            status,
            reason,
        }
    }
}

/// How the linear systems were solved.
fn solver_name(plan: &Plan, solver: &MechSystemSolver) -> &'static str {
    if plan.settings.integrator == Integrator::SymplecticEuler {
        return "none";
    }
    match solver.linear_solver() {
        LinearSolver::Auto => "auto",
        LinearSolver::Direct => "direct",
        LinearSolver::Hybrid => "hybrid",
        LinearSolver::ConjugateGradients => "cg",
    }
}
