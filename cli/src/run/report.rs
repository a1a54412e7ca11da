//! Texts for the user: notes before the run, the table after it, the line of `--json`.

use std::fmt::Write;

use sinew::model::FemModel;
use sinew::ode::Method;
use sinew::solve::{BodyCoordinates, ImplicitMode, Integrator, VariableStep};

use super::args::RunArgs;
use super::plan::Plan;
use super::profile;
use super::session::Session;
use super::statistics::Statistics;
use super::summary::{Computer, EndState, MechanismSummary, ModelSize, ProbeSummary, Summary};
use crate::compute::Kind;
use crate::console::{self, StdoutError};
use crate::load::Prepared;
use crate::numbers::counted;
use crate::output::{DistanceRange, Recorder};

/// Prints what the user should know before trusting the results, and what computes and why.
pub(crate) fn print_notes(args: &RunArgs, prepared: &Prepared, session: &Session<'_>) {
    if args.quiet {
        return;
    }
    prepared.source.notes.iter().for_each(|note| console::complain(&format!("note: {note}")));
    for (_, fem) in prepared.source.model.iter::<FemModel>() {
        for (kind, rule) in fem.volume_rules() {
            let (name, kind) = (&fem.name, kind.name());
            console::complain(&format!(
                "note: {name}: hardly changes its volume: {kind} with {rule}"
            ));
        }
    }
    if let Some(why) = &session.why {
        console::complain(&format!("{why}: {}", session.kind.name().to_uppercase()));
    }
}

/// Prints the outcome: the reason of a failure, the table, the profile, the line of JSON.
///
/// # Errors
/// Stdout that does not take it; the results are written by then.
pub(crate) fn print(
    args: &RunArgs,
    prepared: &Prepared,
    session: &mut Session<'_>,
    recorder: &Recorder,
    summary: &Summary,
) -> Result<(), StdoutError> {
    if !args.quiet {
        let mut text = table(prepared, session, recorder, summary);
        if args.profile {
            profile::add(&mut text, summary, session);
        }
        if args.json { console::complain(text.trim_end()) } else { console::print(&text)? }
    }
    if let (Some(note), false) = (session.growth(), args.quiet) {
        console::complain(&format!("note: {note}"));
    }
    if let Some(reason) = &summary.reason {
        console::complain(&format!("error: {reason}"));
    }
    if args.json {
        let line = serde_json::to_string(summary).expect("a summary has string keys only");
        console::print(&format!("{line}\n"))?;
    }
    Ok(())
}

/// The table: one line a subject.
fn table(
    prepared: &Prepared,
    session: &Session<'_>,
    recorder: &Recorder,
    summary: &Summary,
) -> String {
    let EndState { volume, center_of_mass, tip_displacement, distances, .. } = &summary.end;
    let mut rows = vec![
        ("model", format!("{}, {}", prepared.source.name, prepared.source.origin)),
        ("size", size(&summary.size)),
        ("method", method(session.plan, &solver(&summary.computer))),
        ("backend", backend(session, &summary.computer)),
        ("steps", steps(summary)),
        ("energies", energies(&summary.end)),
        ("volume", format!("{volume:.6e} m³, centre of mass {}", point(*center_of_mass))),
    ];
    rows.extend(tip_displacement.map(|u| ("tip", format!("moved by {}", point(u)))));
    rows.extend(distances.iter().map(|range| (range.name.as_str(), distance(range))));
    rows.extend(summary.mechanism.as_ref().map(|m| ("rows", mechanism(m, summary))));
    rows.extend(contact(&session.statistics).map(|text| ("contact", text)));
    rows.extend(summary.peak_memory_mb.map(|mb| ("memory", format!("{mb:.0} MB at the peak"))));
    let probes: Vec<_> = summary.probes.iter().map(ProbeSummary::text).collect();
    rows.extend(probes.into_iter().map(|text| ("probe", text)));
    rows.push(("results", results(recorder)));
    rows.extend(summary.status.map(|status| {
        ("ended", format!("{status} at t = {:.6} s; what was good is kept", summary.sim_time))
    }));
    let mut text = String::new();
    for (subject, content) in rows {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{subject:<9} {content}");
    }
    text
}

/// Nodes, elements, bodies, unknowns.
fn size(size: &ModelSize) -> String {
    let ModelSize { nodes, elements, bodies, dofs, .. } = size;
    let mut parts = Vec::new();
    if *nodes > 0 || *bodies == 0 {
        parts.extend([counted(*nodes, "node"), counted(*elements, "element")]);
    }
    if *bodies > 0 {
        parts.push(counted(*bodies, "rigid body"));
    }
    format!("{}, {dofs} degrees of freedom", parts.join(", "))
}

/// A watched distance: its largest value and that at the end.
fn distance(range: &DistanceRange) -> String {
    let DistanceRange { end, min, max, max_time, .. } = range;
    let [end, min, max] = [end, min, max].map(|d| length(*d));
    format!("{max} m at most, at t = {max_time:.3} s; {min} m at least; {end} m at the end")
}

/// Line on constraints: their number, errors and parts of steps.
fn mechanism(mechanism: &MechanismSummary, summary: &Summary) -> String {
    let MechanismSummary { rotational_energy, row_error, substeps, .. } = mechanism;
    format!(
        "{} of constraints, errors up to {row_error:.1e}; {} in {}; rotational energy {rotational_energy:.6e} J",
        summary.size.constraints,
        counted(summary.steps as usize, "step"),
        counted(*substeps, "part"),
    )
}

/// Line on contacts; `None` where nothing came near.
fn contact(statistics: &Statistics) -> Option<String> {
    let Statistics { unilateral_rows, contacts, pivots, fallbacks, box_for_cone, .. } = statistics;
    let fallbacks = match fallbacks {
        0 => String::new(),
        times => format!("; another method took over {}", counted(*times, "time")),
    };
    let boxes = match box_for_cone {
        0 => String::new(),
        steps => format!("; friction by the box in {}", counted(*steps, "step")),
    };
    (*unilateral_rows > 0).then(|| {
        format!(
            "{} and {} at most; {}{fallbacks}{boxes}",
            counted(*contacts, "contact"),
            counted(*unilateral_rows, "row"),
            counted(*pivots, "pivot"),
        )
    })
}

/// Integrator, iteration, linear solver.
fn method(plan: &Plan, solver: &str) -> String {
    let implicit = |name: &str, mode: ImplicitMode| match mode {
        ImplicitMode::Linearized => name.to_owned(),
        ImplicitMode::Newton(_) => format!("{name} with Newton iteration"),
    };
    let name = match plan.settings.integrator {
        Integrator::BackwardEuler(mode) => implicit("backward Euler", mode),
        Integrator::Trapezoidal(mode) => implicit("trapezoidal rule", mode),
        Integrator::Midpoint(_) => "midpoint rule with Newton iteration".to_owned(),
        Integrator::SymplecticEuler => return format!("symplectic Euler, step {} s", plan.step),
        Integrator::RungeKutta4 => return format!("Runge-Kutta of order 4, step {} s", plan.step),
        Integrator::Variable(VariableStep { method, relative, coordinates, .. }) => {
            let name = match method {
                Method::RungeKuttaFehlberg => "Runge-Kutta-Fehlberg 4(5)",
                Method::DormandPrince => "Dormand-Prince 5(4)",
                Method::Adams => "Adams-Bashforth-Moulton",
                Method::Radau => "Radau IIA of order five",
            };
            let form = match coordinates {
                BodyCoordinates::Quaternions => "",
                BodyCoordinates::Natural => " in natural coordinates",
            };
            return format!("{name}{form} to {relative:e}, states every {} s", plan.step);
        }
        Integrator::Static(settings) => {
            return format!(
                "equilibrium in {}, solver {solver}",
                counted(settings.increments, "increment")
            );
        }
    };
    format!("{name}, step {} s, solver {solver}", plan.step)
}

/// The solver and what preconditions it.
fn solver(computer: &Computer) -> String {
    let preconditioner = computer.preconditioner.map(|name| format!(" with {name}"));
    computer.solver.to_owned() + &preconditioner.unwrap_or_default()
}

fn backend(session: &Session<'_>, computer: &Computer) -> String {
    let why = session.why.as_ref().map(|why| format!(" (auto: {why})"));
    let lost = if session.loss.is_some() { " (the device was lost)" } else { "" };
    let (kind, why) = (computer.backend.name(), why.unwrap_or_default());
    let threads = counted(computer.threads, "thread");
    match computer.backend {
        Kind::Cpu => format!("{kind}{why}{lost}, {threads}, {}", computer.device),
        Kind::Gpu => format!("{kind}{why}, {}", computer.device),
    }
}

fn steps(summary: &Summary) -> String {
    let Summary { steps, sim_time, wall_s, step_ms, .. } = summary;
    if *steps == 0 {
        return "none".to_owned();
    }
    let factor = sim_time / wall_s;
    format!(
        "{steps} to t = {sim_time:.6} s in {wall_s:.3} s ({factor:.3} x real time): {:.3} ms a step, median {:.3}, at most {:.3}",
        step_ms.mean, step_ms.median, step_ms.max
    )
}

fn energies(end: &EndState) -> String {
    let EndState { kinetic_energy, potential_energy, strain_energy, .. } = end;
    format!(
        "kinetic {kinetic_energy:.6e} J, of weight {potential_energy:.6e} J, strain {strain_energy:.6e} J"
    )
}

fn results(recorder: &Recorder) -> String {
    let directory = recorder.directory().display();
    match recorder.frame_count() {
        0 => format!("{directory}: energies.csv, run.json"),
        count => {
            let frames = counted(count, "frame");
            format!("{directory}: {frames} (frames.pvd), energies.csv, run.json")
        }
    }
}

fn point([x, y, z]: [f64; 3]) -> String {
    format!("({}, {}, {}) m", length(x), length(y), length(z))
}

/// A length in plain digits where six decimals show it, with an exponent elsewhere.
fn length(x: f64) -> String {
    // Smaller is rounding in models of the size of a body.
    const NOTHING: f64 = 1e-12;
    match x.abs() {
        size if size < NOTHING => "0".to_owned(),
        size if (1e-2..1e6).contains(&size) => format!("{x:.6}"),
        _ => format!("{x:.4e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_keep_their_digits_whatever_their_size() {
        assert_eq!(point([0.5, -1.25e-5, 1e-17]), "(0.500000, -1.2500e-5, 0) m");
        assert_eq!(length(-3e300), "-3.0000e300");
    }
}
