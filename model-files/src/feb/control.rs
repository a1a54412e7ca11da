//! Control: statics or dynamics, number and length of steps.

use super::steps::sections;
use super::units::Units;
use super::values;
use crate::diagnostic::{Diagnostic, Findings};
use crate::solver::{IntegratorName, Solver};
use crate::xml_tree::Element;

/// Most parts in which loads are applied.
const MOST_INCREMENTS: f64 = 1e6;

/// Residual over the largest force at which an equilibrium is found [-]: thin shells and stiff
/// bodies beside soft tissue do not reach the default of 1e-10.
const STATIC_TOLERANCE: f64 = 1e-7;

/// Settings of the runs of a document.
pub(super) struct Control {
    pub(super) solver: Solver,
    /// End of the run in the time of the document.
    pub(super) end: f64,
}

/// One section Control.
struct Phase {
    count: f64,
    step: f64,
    is_dynamic: bool,
}

/// Reads all sections Control: phases of one run.
pub(super) fn read(root: &Element, units: &Units, findings: &mut Findings) -> Control {
    let mut phases: Vec<Phase> = Vec::new();
    for (at, _) in sections(root, "Control") {
        let phase = phase(at);
        let Some(phase) = findings.take(phase) else { continue };
        if phases.first().is_some_and(|first| first.is_dynamic != phase.is_dynamic) {
            findings.warn(at.span, "steps are static or dynamic as the first one");
        }
        phases.push(phase);
    }
    let end: f64 = phases.iter().map(|phase| phase.count * phase.step).sum();
    let Some(first) = phases.first() else {
        return Control { solver: Solver::default(), end: 1.0 };
    };
    let mut solver = Solver { time: Some(end * units.time), ..Solver::default() };
    let least = phases.iter().map(|phase| phase.step).fold(f64::INFINITY, f64::min);
    solver.step = Some(least * units.time);
    if first.is_dynamic {
        // FEBio's rule without damping, Newmark's with 1/4 and 1/2, is the trapezoidal one.
        solver.integrator = Some(IntegratorName::Trapezoidal);
        solver.newton = Some(true);
    } else {
        let count: f64 = phases.iter().map(|phase| phase.count).sum();
        solver.integrator = Some(IntegratorName::Static);
        // FEBio asks for a thousandth of a displacement and a hundredth of an energy.
        solver.newton_tolerance = Some(STATIC_TOLERANCE);
        solver.increments = Some(count.clamp(1.0, MOST_INCREMENTS) as u32);
    }
    Control { solver, end }
}

fn phase(at: &Element) -> Result<Phase, Diagnostic> {
    let positive = |tag: &str, default: f64| match at.child(tag) {
        None => Ok(default),
        Some(it) => match values::number(it)? {
            value if value > 0.0 => Ok(value),
            value => Err(it.refused(format!("<{tag}> must be > 0, got {value}"))),
        },
    };
    let (count, step) = (positive("time_steps", 1.0)?, positive("step_size", 1.0)?);
    let analysis = at.child("analysis");
    let word = analysis.map(|it| it.attribute("type").map_or(it.text.as_str(), |t| &t.value));
    let is_dynamic = match word.unwrap_or("static").to_ascii_lowercase().as_str() {
        "static" | "steady-state" | "0" | "" => false,
        "dynamic" | "transient" | "1" => true,
        other => {
            let message = format!("an analysis is STATIC or DYNAMIC, got '{other}'");
            return Err(at.refused(message));
        }
    };
    Ok(Phase { count, step, is_dynamic })
}
