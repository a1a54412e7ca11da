//! Models that are run, and rows kept in memory.

use std::sync::{Arc, Mutex};

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::Pose;
use sinew::geometry::cuboid_mesh;
use sinew::model::{Collider, CollisionBehavior, Model, RigidBody};
use sinew::property::Value;
use sinew::schedule::{CallbackError, Scheduler, SchedulerSettings, Simulation, Sink};
use sinew::solve::{LinearSolver, SolverSettings};
use sinew::system::State;
use sinew_datasets::{Params, find};

/// A built-in model.
pub(crate) fn built(name: &str, arguments: &[&str]) -> Model {
    let mut params = Params::parse(arguments).unwrap();
    (find(name).unwrap().build)(&mut params).unwrap()
}

/// Jaw, tongue and hyoid with their muscles; a block that falls onto a plate beside them, and the jaw
/// in the list of what touches.
pub(crate) fn jaw_with_contact() -> Model {
    let mut model = built("jaw-tongue-hyoid", &[]);
    let edge = 0.02;
    let mesh = cuboid_mesh(&Vec3::repeat(edge)).unwrap();
    let wide = cuboid_mesh(&Vec3::new(0.1, 0.1, edge)).unwrap();
    let at = |z: f64| Pose::translation(0.3, 0.0, z);
    let plate = model.add(RigidBody::from_mesh("plate", wide, 2000.0).at(at(0.0)).fixed());
    model.add(Collider::boxed(plate, Vec3::new(0.05, 0.05, 0.5 * edge)).named("plate"));
    for k in 0..2 {
        let height = 1.02 * edge * f64::from(k + 1);
        let block = RigidBody::from_mesh(format!("block{k}"), mesh.clone(), 1000.0);
        let block = model.add(block.at(at(height)));
        model.add(Collider::boxed(block, Vec3::repeat(0.5 * edge)).named(format!("block{k}")));
    }
    model.add(CollisionBehavior::everything(0.3).named("contact"));
    model
}

/// `model` with a solver that may keep factors from step to step.
pub(crate) fn scheduler(model: Model, solver: LinearSolver, step: f64) -> Scheduler {
    let settings = SolverSettings { linear_solver: solver, ..SolverSettings::default() };
    let simulation = Simulation::new(model, settings).unwrap();
    Scheduler::new(simulation, SchedulerSettings::with_step(step)).unwrap()
}

/// The state of now.
pub(crate) fn state(scheduler: &mut Scheduler) -> State {
    scheduler.simulation_mut().state().unwrap().clone()
}

/// A time [s] and the values of a row.
pub(crate) type Row = (f64, Vec<f64>);

/// Rows in memory.
#[derive(Clone, Default)]
pub(crate) struct Rows(Arc<Mutex<Vec<Row>>>);

impl Rows {
    pub(crate) fn all(&self) -> Vec<Row> {
        self.0.lock().unwrap().clone()
    }

    pub(crate) fn times(&self) -> Vec<f64> {
        self.all().iter().map(|row| row.0).collect()
    }
}

impl Sink for Rows {
    fn write(&mut self, time: f64, values: &[f64]) -> Result<(), CallbackError> {
        self.0.lock().unwrap().push((time, values.to_vec()));
        Ok(())
    }

    fn place(&mut self) -> Result<u64, CallbackError> {
        Ok(self.0.lock().unwrap().len() as u64)
    }

    fn go_back(&mut self, place: u64) -> Result<(), CallbackError> {
        self.0.lock().unwrap().truncate(place as usize);
        Ok(())
    }
}

/// A run with default settings.
pub(crate) fn default_run(model: Model, step: f64) -> Scheduler {
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    Scheduler::new(simulation, SchedulerSettings::with_step(step)).unwrap()
}

/// Value of the property at a path.
pub(crate) fn read(scheduler: &mut Scheduler, path: &str) -> Value {
    let property = scheduler.simulation().property(path).unwrap();
    scheduler.simulation_mut().get(&property).unwrap()
}

/// Number of the property at a path.
pub(crate) fn real(scheduler: &mut Scheduler, path: &str) -> f64 {
    match read(scheduler, path) {
        Value::Real(value) => value,
        other => panic!("{path}: {other:?}"),
    }
}

/// Vector of the property at a path.
pub(crate) fn vector(scheduler: &mut Scheduler, path: &str) -> Vec3 {
    match read(scheduler, path) {
        Value::Vector(value) => value,
        other => panic!("{path}: {other:?}"),
    }
}
