//! The world: its parts, its state, and how it is looked at. Edits and steps are in files of their own.

use super::accelerations::Model;
use super::engine::{Engine, Motion};
use super::layout::Layout;
use super::parts::{BehaviourPart, ConstraintPart, ObjectPart, place_of};
use super::{
    BehaviourId, ConstraintId, Integrator, Mobility, ObjectId, Statistics, WorldError,
    WorldSettings,
};
use crate::interactive::graph::{BlockId, Graph, Port};

/// Objects, constraints and behaviours that move together.
///
/// A bead on a straight wire that is pulled aside accelerates along the wire alone:
///
/// ```
/// use sinew::interactive::{ConstantForce, ConstraintKind, Order, Particle, World};
///
/// let mut world = World::default();
/// let particle = Particle { dimensions: 2, mass: 2.0 };
/// let bead = world.add_object("bead", particle, Order::Second, &[0.0, 0.0])?;
/// let wire = world.graph_mut().add_expression("wire", "bead.y - bead.x")?;
/// let on_wire = world.constrain("on_wire", &[wire.port(0)], ConstraintKind::Equal)?;
/// let ports = world.ports(bead)?;
/// world.add_behaviour("pull", ConstantForce(vec![3.0, 1.0]), &ports)?;
/// world.update_forces()?;
/// let acceleration = world.acceleration(bead)?;
/// assert!((acceleration[0] - 1.0).abs() < 1e-12 && (acceleration[1] - 1.0).abs() < 1e-12);
/// // The force of the constraint is λ times its gradient (-1, 1).
/// assert!((world.multipliers(on_wire)?[0] - 1.0).abs() < 1e-12);
/// # Ok::<(), sinew::interactive::WorldError>(())
/// ```
#[derive(Default)]
pub struct World {
    pub(super) graph: Graph,
    pub(super) objects: Vec<ObjectPart>,
    pub(super) constraints: Vec<ConstraintPart>,
    pub(super) behaviours: Vec<BehaviourPart>,
    pub(super) next_id: u32,
    pub(super) motion: Motion,
    pub(super) settings: WorldSettings,
    pub(super) is_laid_out: bool,
    pub(super) layout: Layout,
    pub(super) engine: Engine,
}

impl World {
    /// An empty world.
    pub fn new(settings: WorldSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Its settings.
    pub fn settings(&self) -> &WorldSettings {
        &self.settings
    }

    /// Takes other settings; constraints keep their feedback.
    pub fn set_settings(&mut self, settings: WorldSettings) {
        self.settings = settings;
        self.is_laid_out = false;
    }

    /// Counts of work.
    pub fn statistics(&self) -> Statistics {
        self.engine.statistics
    }

    /// The graph of blocks.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The graph, to add and edit blocks. States of objects are set through the world.
    pub fn graph_mut(&mut self) -> &mut Graph {
        // Any edit may change what rows depend on.
        self.is_laid_out = false;
        &mut self.graph
    }

    /// Time \[s\].
    pub fn time(&self) -> f64 {
        self.motion.time
    }

    /// Sets the time \[s\].
    pub fn set_time(&mut self, time: f64) {
        self.motion.time = time;
    }

    /// The object of a name.
    pub fn find_object(&self, name: &str) -> Option<ObjectId> {
        self.objects.iter().find(|part| part.name == name).map(|part| ObjectId(part.id))
    }

    /// The constraint of a name.
    pub fn find_constraint(&self, name: &str) -> Option<ConstraintId> {
        self.constraints.iter().find(|part| part.name == name).map(|part| ConstraintId(part.id))
    }

    /// The behaviour of a name.
    pub fn find_behaviour(&self, name: &str) -> Option<BehaviourId> {
        self.behaviours.iter().find(|part| part.name == name).map(|part| BehaviourId(part.id))
    }

    /// Outputs of the state of an object.
    ///
    /// # Errors
    /// An object that was removed.
    pub fn ports(&self, object: ObjectId) -> Result<Vec<Port>, WorldError> {
        Ok(self.graph.ports(self.block(object)?)?)
    }

    /// Block of the state of an object.
    ///
    /// # Errors
    /// An object that was removed.
    pub fn block(&self, object: ObjectId) -> Result<BlockId, WorldError> {
        Ok(self.objects[place_of(&self.objects, object.0)?].block)
    }

    /// State of an object.
    ///
    /// # Errors
    /// An object that was removed.
    pub fn state(&self, object: ObjectId) -> Result<&[f64], WorldError> {
        let (states, _) = self.ranges(object)?;
        Ok(&self.motion.q[states])
    }

    /// Velocities of an object; of first order those of the last evaluation.
    ///
    /// # Errors
    /// An object that was removed.
    pub fn velocity(&self, object: ObjectId) -> Result<&[f64], WorldError> {
        let (_, velocities) = self.ranges(object)?;
        Ok(&self.motion.u[velocities])
    }

    /// Accelerations of an object at the last evaluation; zero of first order.
    ///
    /// # Errors
    /// An object that was removed, an edit since.
    pub fn acceleration(&self, object: ObjectId) -> Result<&[f64], WorldError> {
        let (_, velocities) = self.ranges(object)?;
        let known = self.motion.acceleration.get(velocities).filter(|_| self.is_laid_out);
        known.ok_or(WorldError::Gone(RESULT))
    }

    /// Places of an object in states and velocities.
    pub(super) fn ranges(
        &self,
        object: ObjectId,
    ) -> Result<(std::ops::Range<usize>, std::ops::Range<usize>), WorldError> {
        let place = place_of(&self.objects, object.0)?;
        let before = &self.objects[..place];
        let state = before.iter().map(|part| part.states).sum::<usize>();
        let velocity = before.iter().map(|part| part.velocities).sum::<usize>();
        let part = &self.objects[place];
        Ok((state..state + part.states, velocity..velocity + part.velocities))
    }

    /// Sets state and velocities of an object.
    ///
    /// # Errors
    /// An object that was removed, numbers that do not fit or are not finite.
    pub fn set_state(
        &mut self,
        object: ObjectId,
        state: &[f64],
        velocity: &[f64],
    ) -> Result<(), WorldError> {
        let (states, velocities) = self.ranges(object)?;
        let part = &self.objects[place_of(&self.objects, object.0)?];
        check_numbers(&part.name, "state(s)", states.len(), state)?;
        check_numbers(&part.name, "velocities", velocities.len(), velocity)?;
        self.motion.q[states.clone()].copy_from_slice(state);
        part.object.normalize(&mut self.motion.q[states]);
        self.motion.u[velocities].copy_from_slice(velocity);
        Ok(())
    }

    /// Number of rows of a constraint.
    ///
    /// # Errors
    /// A constraint that was removed.
    pub fn row_count(&self, constraint: ConstraintId) -> Result<usize, WorldError> {
        Ok(self.constraints[place_of(&self.constraints, constraint.0)?].ports.len())
    }

    /// Multipliers λ of the rows of a constraint at the last evaluation or step: its forces are λ ∂c/∂q.
    ///
    /// # Errors
    /// A constraint that was removed, an edit since.
    pub fn multipliers(&self, constraint: ConstraintId) -> Result<&[f64], WorldError> {
        let place = place_of(&self.constraints, constraint.0)?;
        let first: usize = self.constraints[..place].iter().map(|part| part.ports.len()).sum();
        let count = self.constraints[place].ports.len();
        let lambda = &self.engine.evaluation.lambda;
        let known = lambda.get(first..first + count).filter(|_| self.is_laid_out);
        known.ok_or(WorldError::Gone(RESULT))
    }

    /// Value of an output where the world is now.
    ///
    /// # Errors
    /// A port that is not there, a block without a value.
    pub fn value(&mut self, port: Port) -> Result<f64, WorldError> {
        self.lay_out()?;
        self.sync_graph()?;
        Ok(self.graph.value(port)?)
    }

    /// Value, rate and second rate without accelerations of an output where the world is now.
    ///
    /// # Errors
    /// A port that is not there, a block without a value.
    pub fn motion_of(&mut self, port: Port) -> Result<[f64; 3], WorldError> {
        self.lay_out()?;
        self.sync_graph()?;
        Ok(self.graph.motion_of(port)?)
    }

    /// Moves graph, masses and rows to where the world is.
    pub(super) fn sync_graph(&mut self) -> Result<(), WorldError> {
        let (mut model, motion, engine) = self.split();
        engine.sync(&mut model, motion)
    }

    /// The parts of the world, what moves, and the engine that moves it.
    fn split(&mut self) -> (Model<'_>, &mut Motion, &mut Engine) {
        let model = Model {
            graph: &mut self.graph,
            objects: &self.objects,
            constraints: &self.constraints,
            behaviours: &self.behaviours,
            layout: &self.layout,
            gravity: self.settings.gravity,
        };
        (model, &mut self.motion, &mut self.engine)
    }

    /// Advances the world by `h` \[s\].
    ///
    /// # Errors
    /// A length that is not positive, a block without a value, forces that do not exist: the world stays where it was.
    pub fn step(&mut self, h: f64) -> Result<(), WorldError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(WorldError::Number { name: "step", range: "> 0", value: h });
        }
        self.lay_out()?;
        let integrator = self.settings.integrator;
        let (mut model, motion, engine) = self.split();
        match integrator {
            Integrator::RungeKutta4 => engine.step_explicitly(&mut model, motion, h)?,
            Integrator::Implicit => engine.step_implicitly(&mut model, motion, h)?,
        }
        self.engine.statistics.steps += 1;
        Ok(())
    }

    /// Evaluates accelerations, first-order velocities and multipliers where the world is.
    ///
    /// # Errors
    /// As for [`Self::step`].
    pub fn update_forces(&mut self) -> Result<(), WorldError> {
        self.lay_out()?;
        let (mut model, motion, engine) = self.split();
        engine.evaluate_here(&mut model, motion)
    }

    /// Mobility of an output where the world is now, constraints aside: J W Jᵀ.
    ///
    /// # Errors
    /// A port that is not there, a block without a value or derivative, a mass matrix that is not positive definite.
    pub fn mobility(&mut self, port: Port) -> Result<Mobility, WorldError> {
        self.lay_out()?;
        self.sync_graph()?;
        let mut by_column = vec![0.0; self.layout.columns];
        self.graph.add_pullback(std::iter::once((port, 1.0)), &mut by_column)?;
        let mut mobility = Mobility { value: 0.0, order: super::Order::First };
        for (k, (part, places)) in self.objects.iter().zip(&self.layout.objects).enumerate() {
            let mut row = vec![0.0; places.velocities];
            let q = &self.motion.q[places.state()];
            part.object.write_velocity_row(q, &by_column[places.columns()], &mut row);
            let mut response = row.clone();
            self.engine.evaluation.masses.solve(k, places, &mut response);
            let own: f64 = row.iter().zip(&response).map(|(row, response)| row * response).sum();
            mobility.value += own;
            if own > 0.0 && places.order == super::Order::Second {
                mobility.order = super::Order::Second;
            }
        }
        Ok(mobility)
    }

    /// Kinetic energy of the objects of second order \[J\].
    ///
    /// # Errors
    /// A mass matrix that is not positive definite.
    pub fn kinetic_energy(&mut self) -> Result<f64, WorldError> {
        self.lay_out()?;
        self.engine.evaluation.masses.update(&self.objects, &self.layout, &self.motion.q)?;
        let mut energy = 0.0;
        for (k, places) in self.layout.objects.iter().enumerate() {
            if places.order == super::Order::First {
                continue;
            }
            let u = &self.motion.u[places.velocity()];
            let rows = self.engine.evaluation.masses.matrix(k, places).chunks_exact(u.len());
            let products = rows.map(|row| row.iter().zip(u).map(|(m, u)| m * u).sum::<f64>());
            energy += 0.5 * products.zip(u).map(|(p, u)| p * u).sum::<f64>();
        }
        Ok(energy)
    }

    /// Brings the layout up to date after edits.
    pub(super) fn lay_out(&mut self) -> Result<(), WorldError> {
        if self.is_laid_out {
            return Ok(());
        }
        let is_implicit = self.settings.integrator == Integrator::Implicit;
        let parts = (&self.objects[..], &self.constraints[..], &self.behaviours[..]);
        let (objects, constraints, behaviours) = parts;
        self.layout = Layout::new(&mut self.graph, objects, constraints, behaviours, is_implicit)?;
        self.engine.evaluation.reset(&self.layout);
        self.engine.mixed = None;
        self.motion.acceleration.clear();
        self.motion.acceleration.resize(self.layout.velocities, 0.0);
        self.is_laid_out = true;
        Ok(())
    }
}

/// Numbers that edits make stale, in messages.
const RESULT: &str = "result of the last step";

pub(super) fn check_numbers(
    name: &str,
    of: &'static str,
    expected: usize,
    numbers: &[f64],
) -> Result<(), WorldError> {
    let found = numbers.len();
    if found != expected {
        return Err(WorldError::Count { name: name.to_owned(), of, expected, found });
    }
    match numbers.iter().find(|number| !number.is_finite()) {
        None => Ok(()),
        Some(&value) => {
            Err(WorldError::Number { name: "states and velocities", range: "finite", value })
        }
    }
}
