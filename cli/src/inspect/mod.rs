//! `sinew inspect`: what there is in a model, and what can be read and set.

mod describe;
mod text;
mod tree;

use sinew::model::Model;
use sinew::property::Simulated;
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, State};

use crate::args::InspectArgs;
use crate::console;
use crate::exit::{CliError, Exit};
use crate::run::ModelSource;

/// Step of the simulation that `--at` asks for [s].
const STEP: f64 = 0.01;

/// Shows what `args` ask for.
///
/// # Errors
/// A model that does not exist or cannot be read, a path that leads nowhere; with `--at`, a model that
/// cannot be simulated.
pub(crate) fn run(args: &InspectArgs) -> Result<Exit, CliError> {
    let source = ModelSource::load(&args.model, &args.params, &args.sets)?;
    let model = &source.model;
    let reached = args.at.map(|time| reach(model, time)).transpose()?;
    let view = View {
        model,
        simulated: reached.as_ref().map(|(compiled, state)| Simulated { model, compiled, state }),
    };
    let at = Target::of(model, &args.path)?;
    let text = match (args.json, at) {
        (true, at) => format!("{:#}\n", describe::json(&view, &at, args.depth, &source.name)),
        (false, Target::Property(property)) => text::property(&view, &property),
        (false, Target::Host(host)) => {
            let tree = tree::listing(model, host, args.depth);
            format!("{tree}\n{}", text::properties(&view, host))
        }
    };
    console::print(&text);
    Ok(Exit::Done)
}

/// A model, and where its simulation is when that was asked for.
struct View<'m> {
    model: &'m Model,
    simulated: Option<Simulated<'m>>,
}

/// What a path names.
enum Target {
    Host(sinew::component::Address),
    Property(sinew::property::PropertyRef),
}

impl Target {
    /// # Errors
    /// A path that leads nowhere, a property that is not there.
    fn of(model: &Model, path: &str) -> Result<Self, CliError> {
        match model.property(path) {
            Ok(property) => Ok(Self::Property(property)),
            Err(sinew::property::PropertyError::NoName(_)) => {
                let host = model.find(path).map_err(sinew::property::PropertyError::from)?;
                Ok(Self::Host(host))
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Compiles the model and steps it until `time` [s].
fn reach(model: &Model, time: f64) -> Result<(CompiledModel, State), CliError> {
    let compiled = model.compile()?;
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default())?;
    // What is left below a millionth of a step is rounding.
    while time - state.time > 1e-6 * STEP {
        let step = STEP.min(time - state.time);
        solver.step(&compiled, &mut state, step)?;
    }
    Ok((compiled, state))
}
