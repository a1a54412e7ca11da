//! Record of a run: its options and its outcome.

use serde_json::{Value, json};
use sinew_model_files::{
    ContactMethodName, FrictionMethodName, FrictionName, IntegratorName, LinearSolverName,
    PreconditionerName, StabilizationName,
};

use super::args::RunArgs;
use super::session::Session;
use super::statistics::Statistics;
use super::summary::Summary;
use crate::output::Outcome;

/// The options that decide what is computed.
pub(super) fn settings(args: &RunArgs, session: &Session<'_>) -> Value {
    let plan = session.plan;
    let set = &plan.settings;
    json!({
        "integrator": IntegratorName::from(set.integrator),
        "integrator_detail": format!("{:?}", set.integrator),
        "step_s": plan.step,
        "smallest_step_s": plan.smallest_step,
        "steps": plan.step_count,
        "solver": LinearSolverName::from(set.linear_solver),
        "preconditioner": PreconditionerName::from(set.preconditioner),
        "friction": FrictionName::from(set.friction),
        "friction_method": FrictionMethodName::from(set.friction_method),
        "contact_solver": ContactMethodName::from(set.contact_method),
        "stabilization": StabilizationName::from(set.stabilization),
        "cg_tolerance": set.cg_tolerance,
        "cg_max_iterations": set.cg_max_iterations,
        "backend": session.kind,
        "backend_reason": session.why,
        "device": session.kind.device(session.backend()),
        "threads": rayon::current_num_threads(),
        "frames": args.frames,
        "frame_interval_s": plan.frame_interval,
        "probes": args.probes.probe,
        "traces": args.probes.trace,
        "inputs": args.probes.input,
        "checkpoint_every_s": args.probes.checkpoint_every,
        "resumed": args.probes.resume,
    })
}

/// Outcome of a run that ended as `summary` says.
pub(super) fn outcome(summary: &Summary, statistics: &Statistics) -> Outcome {
    Outcome {
        status: summary.status.unwrap_or("done"),
        reason: summary.reason.clone(),
        statistics: solver_statistics(statistics),
        result: serde_json::to_value(summary).unwrap_or(Value::Null),
    }
}

/// Counts over the whole run, and sizes of its last system.
fn solver_statistics(statistics: &Statistics) -> Value {
    json!({
        "linear_solves": statistics.linear_solves,
        "substeps": statistics.substeps,
        "unilateral_rows": statistics.unilateral_rows,
        "contacts": statistics.contacts,
        "pivots": statistics.pivots,
        "fallbacks": statistics.fallbacks,
        "box_for_cone_steps": statistics.box_for_cone,
        "factorizations": statistics.factorizations,
        "cg_iterations": statistics.cg_iterations,
        "corrections": statistics.corrections,
        "bytes_up": statistics.bytes_up,
        "bytes_down": statistics.bytes_down,
        "matrix_blocks": statistics.last.matrix_blocks,
        "factor_nnz": statistics.last.factor_nnz,
        "last_residual": statistics.last.residual,
    })
}
