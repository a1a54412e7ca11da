//! Edits of a world, at any time between two steps. What is refused changes nothing.

use super::parts::{BehaviourPart, ConstraintPart, ObjectPart, check_name, place_of};
use super::store::check_numbers;
use super::{
    BehaviourId, ConstraintId, ConstraintKind, Feedback, ObjectId, Order, World, WorldError,
};
use crate::interactive::behaviours::Behaviour;
use crate::interactive::connectors::Difference;
use crate::interactive::graph::{BlockId, Graph, GraphError, Port, Role};
use crate::interactive::objects::{PhysicalObject, StateFunction};
use crate::interactive::path::MotionPath;

/// Points or directions of objects by coordinates.
type Finder = fn(&dyn PhysicalObject, &[f64]) -> Option<StateFunction>;

impl World {
    /// Adds an object at rest in a state; its numbers are outputs of a block of its name.
    ///
    /// # Errors
    /// A name that a part or block has, a state that does not fit, an object without inertia of second order.
    pub fn add_object(
        &mut self,
        name: &str,
        object: impl PhysicalObject + 'static,
        order: Order,
        state: &[f64],
    ) -> Result<ObjectId, WorldError> {
        check_name(&self.objects, name)?;
        let names = object.state_names();
        check_numbers(name, "state(s)", names.len(), state)?;
        if order == Order::Second && !object.has_inertia() {
            return Err(WorldError::Inertia(name.to_owned()));
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let block = self.graph.add_variables(name, &names, state)?;
        let (id, velocities) = (self.new_id(), object.velocity_count());
        let mut own = state.to_vec();
        object.normalize(&mut own);
        self.motion.q.extend(own);
        self.motion.u.resize(self.motion.u.len() + velocities, 0.0);
        let (states, name, object) = (names.len(), name.to_owned(), Box::new(object));
        self.objects.push(ObjectPart { id, name, object, order, block, states, velocities });
        self.edited();
        Ok(ObjectId(id))
    }

    fn new_id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    /// The layout is stale, and the ports that parts use are others.
    fn edited(&mut self) {
        self.is_laid_out = false;
        let states = self.objects.iter().map(|part| part.block.port(0));
        let constrained = self.constraints.iter().flat_map(|part| part.ports.iter().copied());
        let forced = self.behaviours.iter().flat_map(|part| part.ports.iter().copied());
        self.graph.set_owned(states.chain(constrained).chain(forced).collect());
    }

    /// Removes an object with its block.
    ///
    /// # Errors
    /// An object whose outputs blocks, constraints or behaviours use; they are named.
    pub fn remove_object(&mut self, object: ObjectId) -> Result<(), WorldError> {
        let place = place_of(&self.objects, object.0)?;
        let block = self.objects[place].block;
        let uses = |ports: &[Port]| ports.iter().any(|port| port.block == block);
        let constraints = self.constraints.iter().filter(|part| uses(&part.ports));
        let behaviours = self.behaviours.iter().filter(|part| uses(&part.ports));
        let mut users: Vec<String> = constraints.map(|part| part.name.clone()).collect();
        users.extend(behaviours.map(|part| part.name.clone()));
        users.extend(self.graph.users(block)?.into_iter().map(str::to_owned));
        if !users.is_empty() {
            let (block, users) = (self.objects[place].name.clone(), users.join(", "));
            return Err(GraphError::Used { block, users }.into());
        }
        let (states, velocities) = self.ranges(object)?;
        self.motion.q.drain(states);
        self.motion.u.drain(velocities);
        self.objects.remove(place);
        self.edited();
        Ok(self.graph.remove(block)?)
    }

    /// Lets an object move in another order.
    ///
    /// # Errors
    /// An object that was removed, one without inertia in second order.
    pub fn set_order(&mut self, object: ObjectId, order: Order) -> Result<(), WorldError> {
        let place = place_of(&self.objects, object.0)?;
        let part = &mut self.objects[place];
        if order == Order::Second && !part.object.has_inertia() {
            return Err(WorldError::Inertia(part.name.clone()));
        }
        part.order = order;
        self.is_laid_out = false;
        Ok(())
    }

    /// Adds the place of a point of an object as a block of this name.
    ///
    /// # Errors
    /// Coordinates at which the object has no point, a name that is taken.
    pub fn add_point(
        &mut self,
        name: &str,
        object: ObjectId,
        coordinates: &[f64],
    ) -> Result<BlockId, WorldError> {
        self.add_connector(name, object, coordinates, ("point", |object, at| object.point(at)))
    }

    /// Adds a direction that turns with an object as a block of this name.
    ///
    /// # Errors
    /// As for [`Self::add_point`].
    pub fn add_direction(
        &mut self,
        name: &str,
        object: ObjectId,
        coordinates: &[f64],
    ) -> Result<BlockId, WorldError> {
        let by = |object: &dyn PhysicalObject, at: &[f64]| object.direction(at);
        self.add_connector(name, object, coordinates, ("direction", by))
    }

    fn add_connector(
        &mut self,
        name: &str,
        object: ObjectId,
        coordinates: &[f64],
        (of, by): (&'static str, Finder),
    ) -> Result<BlockId, WorldError> {
        let part = &self.objects[place_of(&self.objects, object.0)?];
        let function = by(part.object.as_ref(), coordinates).ok_or_else(|| {
            let (object, coordinates) = (part.name.clone(), coordinates.to_vec());
            WorldError::Point { object, of, coordinates }
        })?;
        let ports = self.graph.ports(part.block)?;
        self.is_laid_out = false;
        Ok(self.graph.add_function(name, function, &ports)?)
    }

    /// Adds a constraint on outputs.
    ///
    /// # Errors
    /// A name that is taken, ports that are not there.
    pub fn constrain(
        &mut self,
        name: &str,
        ports: &[Port],
        kind: ConstraintKind,
    ) -> Result<ConstraintId, WorldError> {
        check_name(&self.constraints, name)?;
        check_ports(&self.graph, ports)?;
        let (id, name, ports) = (self.new_id(), name.to_owned(), ports.to_vec());
        let feedback = self.settings.feedback;
        self.constraints.push(ConstraintPart { id, name, ports, kind, feedback });
        self.edited();
        Ok(ConstraintId(id))
    }

    /// Joins two blocks: their outputs are to be equal, number by number.
    ///
    /// # Errors
    /// A name that is taken, blocks of different numbers of outputs.
    pub fn join(&mut self, name: &str, a: BlockId, b: BlockId) -> Result<ConstraintId, WorldError> {
        check_name(&self.constraints, name)?;
        let (mut ports, others) = (self.graph.ports(a)?, self.graph.ports(b)?);
        let (expected, found) = (ports.len(), others.len());
        if expected != found {
            let (name, of) = (name.to_owned(), "outputs of both blocks");
            return Err(WorldError::Count { name, of, expected, found });
        }
        ports.extend(others);
        let block = self.graph.free_name(name);
        let gap = self.graph.add_code(&block, Difference(expected), &ports)?;
        let ports = self.graph.ports(gap)?;
        self.constrain(name, &ports, ConstraintKind::Equal)
    }

    /// Nails the outputs of a block to a place.
    ///
    /// # Errors
    /// A name that is taken, a place of another number of coordinates.
    pub fn nail(
        &mut self,
        name: &str,
        block: BlockId,
        place: &[f64],
    ) -> Result<ConstraintId, WorldError> {
        check_name(&self.constraints, name)?;
        check_numbers(name, "coordinate(s)", self.graph.ports(block)?.len(), place)?;
        let base = self.graph.free_name(&format!("{name}_place"));
        let target = self.graph.add_numbered_parameters(&base, place)?;
        self.join(name, block, target)
    }

    /// Lets the outputs of a block follow a path of keyframes.
    ///
    /// # Errors
    /// A name that is taken, a path of another number of coordinates.
    pub fn follow(
        &mut self,
        name: &str,
        block: BlockId,
        path: MotionPath,
    ) -> Result<ConstraintId, WorldError> {
        check_name(&self.constraints, name)?;
        let base = self.graph.free_name(&format!("{name}_path"));
        let time = self.graph.time();
        let target = self.graph.add_code(&base, path, &[time])?;
        self.join(name, block, target)
    }

    /// Sets the values of a block of parameters: the place of a nail, a number in a formula. No layout is made anew.
    ///
    /// # Errors
    /// A block that is none of parameters, a number of values that does not fit.
    pub fn set_parameters(&mut self, block: BlockId, values: &[f64]) -> Result<(), WorldError> {
        if self.graph.role(block)? == Some(Role::Parameter) {
            return Ok(self.graph.set_values(block, values)?);
        }
        let block = self.graph.name(block)?.to_owned();
        Err(GraphError::Kind { block, expected: "block of parameters" }.into())
    }

    /// Removes a constraint; blocks stay.
    ///
    /// # Errors
    /// A constraint that was removed.
    pub fn remove_constraint(&mut self, constraint: ConstraintId) -> Result<(), WorldError> {
        self.constraints.remove(place_of(&self.constraints, constraint.0)?);
        self.edited();
        Ok(())
    }

    /// Sets the feedback of a constraint.
    ///
    /// # Errors
    /// A constraint that was removed.
    pub fn set_feedback(
        &mut self,
        constraint: ConstraintId,
        feedback: Feedback,
    ) -> Result<(), WorldError> {
        let place = place_of(&self.constraints, constraint.0)?;
        self.constraints[place].feedback = feedback;
        Ok(())
    }

    /// Adds a behaviour on outputs.
    ///
    /// # Errors
    /// A name that is taken, a number of ports that does not fit.
    pub fn add_behaviour(
        &mut self,
        name: &str,
        behaviour: impl Behaviour,
        ports: &[Port],
    ) -> Result<BehaviourId, WorldError> {
        check_name(&self.behaviours, name)?;
        check_ports(&self.graph, ports)?;
        let (expected, found) = (behaviour.port_count(), ports.len());
        if expected != found {
            let name = name.to_owned();
            return Err(WorldError::Count { name, of: "port(s)", expected, found });
        }
        let (id, name, ports) = (self.new_id(), name.to_owned(), ports.to_vec());
        self.behaviours.push(BehaviourPart { id, name, behaviour: Box::new(behaviour), ports });
        self.edited();
        Ok(BehaviourId(id))
    }

    /// A behaviour of a type, to change its numbers: the place that a mouse pulls to.
    ///
    /// # Errors
    /// A behaviour that was removed, or is of another type.
    pub fn behaviour_mut<B: Behaviour>(
        &mut self,
        behaviour: BehaviourId,
    ) -> Result<&mut B, WorldError> {
        let place = place_of(&self.behaviours, behaviour.0)?;
        let part = &mut self.behaviours[place];
        let other = WorldError::Type(part.name.clone());
        part.as_any_mut().downcast_mut().ok_or(other)
    }

    /// Removes a behaviour.
    ///
    /// # Errors
    /// A behaviour that was removed.
    pub fn remove_behaviour(&mut self, behaviour: BehaviourId) -> Result<(), WorldError> {
        self.behaviours.remove(place_of(&self.behaviours, behaviour.0)?);
        self.edited();
        Ok(())
    }
}

fn check_ports(graph: &Graph, ports: &[Port]) -> Result<(), WorldError> {
    ports.iter().try_for_each(|&port| Ok(graph.check_port(port)?))
}
