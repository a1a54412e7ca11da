//! `sinew inspect`: the components of a model, and the properties that can be read and set.

mod args;
mod describe;
mod text;

use sinew::model::Model;
use sinew::simulated::Simulated;
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, State};

use crate::console;
use crate::exit::{CliError, Exit, Failure};
use crate::load::{ModelSource, tree};

pub(crate) use args::InspectArgs;

/// Step of the simulation that `--at` asks for [s].
const STEP: f64 = 0.01;

/// Most steps of it; more are for a run.
const MOST_STEPS: f64 = 1e6;

/// Errors of what is asked for.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InspectError {
    /// A time that takes too many steps.
    #[error(
        "--at {0:?} takes more than {MOST_STEPS:e} steps of {STEP} s: record it in a run, by `sinew run --probe`"
    )]
    TooFar(f64),
}

impl Failure for InspectError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// Shows what `args` ask for.
///
/// # Errors
/// A model that does not exist or cannot be read, a path that leads nowhere; with `--at`, a model that
/// cannot be simulated.
pub(crate) fn run(args: &InspectArgs) -> Result<Exit, CliError> {
    let source = ModelSource::load(&args.model, &args.edits)?;
    let model = &source.model;
    let reached = args.at.map(|time| reach(source.compile()?, time)).transpose()?;
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
    console::print(&text)?;
    Ok(Exit::Done)
}

/// A model, and where its simulation is when that was asked for.
struct View<'m> {
    model: &'m Model,
    simulated: Option<Simulated<'m>>,
}

/// Target of a path.
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

/// Steps a model until `time` [s].
fn reach(compiled: CompiledModel, time: f64) -> Result<(CompiledModel, State), CliError> {
    if time > MOST_STEPS * STEP {
        return Err(InspectError::TooFar(time).into());
    }
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default())?;
    // What is left below a millionth of a step is rounding.
    while time - state.time > 1e-6 * STEP {
        let step = STEP.min(time - state.time);
        solver.step(&compiled, &mut state, step)?;
    }
    Ok((compiled, state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::Vec3;
    use sinew::component::ComponentType;
    use sinew::model::{Collider, CollisionBehavior, Particle};
    use sinew::property::Pose;

    #[test]
    fn colliders_and_behaviours_are_shown_with_what_they_carry() {
        let mut model = Model::new("m");
        model.add(Particle::new(1.0, Vec3::z()));
        model.add(Collider::half_space(Pose::identity()).named("floor"));
        model.add(CollisionBehavior::everything(0.25).named("all"));
        let (compiled, state) = reach(model.compile().unwrap(), 0.0).unwrap();
        let simulated = Simulated { model: &model, compiled: &compiled, state: &state };
        let view = View { model: &model, simulated: Some(simulated) };
        let main = model.find("/models/m").unwrap();
        let tree = tree::listing(&model, main, 2);
        for line in ["colliders  list of 1", "0 floor  Collider", "0 all  CollisionBehavior"] {
            assert!(tree.contains(line), "{line} is not in {tree}");
        }
        let shown = |path: &str| text::properties(&view, model.find(path).unwrap());
        let [floor, all] =
            ["/models/m/colliders/floor", "/models/m/collision_behaviors/all"].map(shown);
        assert!(floor.contains("half_space") && floor.contains("contact_count"), "{floor}");
        assert!(all.contains("0.25") && all.contains("max_penetration"), "{all}");
    }
}
