//! Measures of a state: energies, volume, centre of mass, displacement of the tip, watched
//! distances, bodies and constraints.

use sinew::Vec3;
use sinew::model::Model;
use sinew::system::{CompiledModel, Energies, Measurement, MechSystem, State};

use super::mechanism::Mechanism;
use crate::load::Distance;

/// Name of the node set whose mean displacement is reported.
const TIP: &str = "tip";

/// Measures of one state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Observation {
    /// Simulated time [s].
    pub(crate) time: f64,
    /// Energies [J].
    pub(crate) energies: Energies,
    /// Volume of all soft tissues [m³].
    pub(crate) volume: f64,
    /// Centre of mass [m].
    pub(crate) center_of_mass: Vec3,
    /// Mean displacement of the node set `tip` [m], for a model that has one.
    pub(crate) tip_displacement: Option<Vec3>,
    /// The watched distances [m].
    pub(crate) distances: Vec<f64>,
    /// Of bodies and constraints, for a model that has any.
    pub(crate) mechanism: Option<Mechanism>,
}

impl Observation {
    /// True if all of it are numbers; an energy that is not means an inverted element or a motion
    /// that has run away.
    pub(crate) fn is_finite(&self) -> bool {
        let tip = self.tip_displacement.unwrap_or_default();
        let mut numbers = self.center_of_mass.iter().chain(&tip).chain(&self.distances);
        self.energies.total().is_finite()
            && self.volume.is_finite()
            && numbers.all(|x| x.is_finite())
    }
}

/// Places of the measures.
pub(crate) struct Observer {
    /// State index and rest position [m] of the nodes of the tip; empty without a tip.
    tip: Vec<(usize, Vec3)>,
    distances: Vec<Distance>,
    has_mechanism: bool,
}

impl Observer {
    /// For the tip of the first tissue of `model` that has one, and these distances.
    pub(crate) fn of(model: &Model, compiled: &CompiledModel, distances: Vec<Distance>) -> Self {
        let tip = model.fems().find_map(|(id, fem)| {
            let nodes = fem.mesh.node_sets.get(TIP)?.iter().map(|&n| n as usize);
            Some(nodes.map(|n| (compiled.block_of_node(id, n), fem.mesh.nodes[n])).collect())
        });
        let has_mechanism = compiled.multibody().is_some();
        Self { tip: tip.unwrap_or_default(), distances, has_mechanism }
    }

    /// True if the model has a tip.
    pub(crate) fn has_tip(&self) -> bool {
        !self.tip.is_empty()
    }

    /// True if the model has bodies or constraints.
    pub(crate) fn has_mechanism(&self) -> bool {
        self.has_mechanism
    }

    /// Names of the watched distances.
    pub(crate) fn distance_names(&self) -> impl Iterator<Item = &str> {
        self.distances.iter().map(|distance| distance.name.as_str())
    }

    /// Measures `state`.
    pub(crate) fn observe(&self, compiled: &CompiledModel, state: &State) -> Observation {
        let displacements = self.tip.iter().map(|&(block, rest)| state.q[block] - rest);
        let mean = || displacements.sum::<Vec3>() / self.tip.len() as f64;
        let Measurement { energies, volume, center_of_mass } = compiled.at(state).measure();
        Observation {
            time: state.time,
            energies,
            volume,
            center_of_mass,
            tip_displacement: self.has_tip().then(mean),
            distances: self.distances.iter().map(|distance| distance.in_state(state)).collect(),
            mechanism: Mechanism::of(compiled, state),
        }
    }
}
