//! A world of a description, and the state of a world taken back into it.

use super::error::{DescriptionError, DescriptionFault};
use super::images::ImageDescription;
use super::parts::{
    BehaviourDescription, BehaviourKind, BlockDescription, BlockKind, ConstraintDescription,
    ConstraintRule, ObjectDescription, ObjectKind, WorldDescription,
};
use crate::interactive::{
    Bending, BlockFunction, BlockId, ConstantForce, ConstraintKind, Curve, Damper, Difference,
    Distance, EdgeField, EnclosedVolume, InnerProduct, MotionPath, Motor, Norm, ObjectId,
    Objective, Particle, PlanarBody, PlaneAngle, PolygonArea, Port, Potential, Pull, Residuals,
    RigidBody, SpaceAngle, Spring, TriangleNormal, Troid, TroidElasticity, Variables, World,
};

/// Outcome of a part.
type Built<T> = Result<T, DescriptionFault>;

impl WorldDescription {
    /// The world.
    ///
    /// # Errors
    /// The first part that the world does not take, by its name.
    pub fn build(&self) -> Result<World, DescriptionError> {
        let mut world = World::new(self.settings);
        world.set_time(self.time);
        for object in &self.objects {
            add_object(&mut world, object).map_err(in_part("object", &object.name))?;
        }
        for block in &self.blocks {
            add_block(&mut world, block).map_err(in_part("block", &block.name))?;
        }
        for constraint in &self.constraints {
            add_constraint(&mut world, constraint)
                .map_err(in_part("constraint", &constraint.name))?;
        }
        for image in &self.images {
            image.images().map_err(in_part("image", &image.name))?;
        }
        for behaviour in &self.behaviours {
            let added = match &behaviour.kind {
                BehaviourKind::Edges { .. } => add_edges(&mut world, behaviour, &self.images),
                _ => add_behaviour(&mut world, behaviour),
            };
            added.map_err(in_part("behaviour", &behaviour.name))?;
        }
        if let Some(tolerance) = self.assemble {
            let checked = check_range(&[("assemble", tolerance)], true);
            let assembled = checked.and_then(|()| Ok(world.assemble(tolerance)?));
            assembled.map_err(in_part("setting", "assemble"))?;
        }
        Ok(world)
    }

    /// Takes time, states, velocities and parameters of a world that was built of it, so that building it anew goes on from there.
    ///
    /// # Errors
    /// A part that the world does not have any more.
    pub fn keep_state(&mut self, world: &World) -> Result<(), DescriptionError> {
        self.time = world.time();
        // The state is that of a world which has been assembled.
        self.assemble = None;
        for object in &mut self.objects {
            let found = object_of(world, &object.name);
            let (state, velocity) = found
                .and_then(|id| Ok((world.state(id)?.to_vec(), world.velocity(id)?.to_vec())))
                .map_err(in_part("object", &object.name))?;
            (object.state, object.velocity) = (state, velocity);
        }
        for block in &mut self.blocks {
            let BlockKind::Parameters(values) = &mut block.kind else { continue };
            let motion = world.graph().find(&block.name).map(|it| world.graph().motion(it));
            let motion = motion.ok_or_else(|| DescriptionFault::Unknown(block.name.clone()));
            let motion = motion.and_then(|it| Ok(it?));
            let motion = motion.map_err(in_part("block", &block.name))?;
            *values = motion.iter().map(|[value, ..]| *value).collect();
        }
        Ok(())
    }
}

/// The fault with its part.
fn in_part(part: &'static str, name: &str) -> impl FnOnce(DescriptionFault) -> DescriptionError {
    move |fault| DescriptionError::of(part, name, fault)
}

/// Refuses numbers that are not above zero (`above`), or not zero or above.
fn check_range(numbers: &[(&'static str, f64)], above: bool) -> Built<()> {
    for &(what, found) in numbers {
        let fits = found.is_finite() && if above { found > 0.0 } else { found >= 0.0 };
        if !fits {
            let range = if above { "> 0" } else { ">= 0" };
            return Err(DescriptionFault::Number { what, range, found });
        }
    }
    Ok(())
}

fn object_of(world: &World, name: &str) -> Built<ObjectId> {
    world.find_object(name).ok_or_else(|| DescriptionFault::NoObject(name.to_owned()))
}

/// All outputs of a block, or the one that is named.
fn ports_of(world: &World, name: &str) -> Built<Vec<Port>> {
    let graph = world.graph();
    if let Some(block) = graph.find(name) {
        return Ok(graph.ports(block)?);
    }
    let port = graph.resolve(name).ok_or_else(|| DescriptionFault::Unknown(name.to_owned()))?;
    Ok(vec![port])
}

fn all_ports(world: &World, names: &[String]) -> Built<Vec<Port>> {
    let ports: Built<Vec<Vec<Port>>> = names.iter().map(|name| ports_of(world, name)).collect();
    Ok(ports?.concat())
}

fn block_of(world: &World, name: &str) -> Built<BlockId> {
    world.graph().find(name).ok_or_else(|| DescriptionFault::Unknown(name.to_owned()))
}

fn add_object(world: &mut World, object: &ObjectDescription) -> Built<()> {
    let ObjectDescription { name, kind, order, state, velocity } = object;
    check_object(kind)?;
    let order = *order;
    let id = match kind {
        ObjectKind::Particle { mass, dimensions } => {
            let particle = Particle { dimensions: *dimensions, mass: *mass };
            world.add_object(name, particle, order, state)
        }
        ObjectKind::PlanarBody { mass, inertia } => {
            world.add_object(name, PlanarBody { mass: *mass, inertia: *inertia }, order, state)
        }
        ObjectKind::RigidBody { mass, inertia } => {
            world.add_object(name, RigidBody { mass: *mass, inertia: *inertia }, order, state)
        }
        ObjectKind::Troid { mass, sides } => match sides[..] {
            [a, b] => world.add_object(name, Troid::of_box(*mass, [a, b]), order, state),
            [a, b, c] => world.add_object(name, Troid::of_box(*mass, [a, b, c]), order, state),
            _ => return Err(length("sides", "2 or 3", sides.len())),
        },
        ObjectKind::Curve { formula, parameters, range, density, weight } => {
            let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
            let curve = Curve::new(formula, &parameters, *range)?.with_density(*density, *weight);
            world.add_object(name, curve, order, state)
        }
        ObjectKind::Variables { names, masses } => {
            let variables = Variables { names: names.clone(), masses: masses.clone() };
            world.add_object(name, variables, order, state)
        }
    }?;
    if !velocity.is_empty() {
        world.set_state(id, state, velocity)?;
    }
    Ok(())
}

/// Refuses numbers of an object that have no meaning.
fn check_object(kind: &ObjectKind) -> Built<()> {
    let all = |what: &'static str, numbers: &[f64]| {
        numbers.iter().try_for_each(|number| check_range(&[(what, *number)], true))
    };
    match kind {
        ObjectKind::Particle { mass, dimensions } => {
            let (what, range, found) = ("dimensions", "2 or 3", *dimensions as f64);
            let fits = (2..=3).contains(dimensions);
            all("mass", &[*mass])?;
            if fits { Ok(()) } else { Err(DescriptionFault::Number { what, range, found }) }
        }
        ObjectKind::PlanarBody { mass, inertia } => {
            check_range(&[("mass", *mass), ("inertia", *inertia)], true)
        }
        ObjectKind::RigidBody { mass, inertia } => {
            all("mass", &[*mass]).and_then(|()| all("inertia", inertia))
        }
        ObjectKind::Troid { mass, sides } => {
            all("mass", &[*mass]).and_then(|()| all("a side", sides))
        }
        ObjectKind::Curve { density, .. } => all("density", &[*density]),
        ObjectKind::Variables { names, masses } if names.len() != masses.len() => {
            Err(length("masses", &names.len().to_string(), masses.len()))
        }
        ObjectKind::Variables { masses, .. } => all("a mass", masses),
    }
}

fn length(what: &'static str, expected: &str, found: usize) -> DescriptionFault {
    DescriptionFault::Length { what, expected: expected.to_owned(), found }
}

fn add_block(world: &mut World, block: &BlockDescription) -> Built<()> {
    let BlockDescription { name, kind } = block;
    match kind {
        BlockKind::Formula(text) => world.graph_mut().add_expression(name, text)?,
        BlockKind::Parameters(values) => world.graph_mut().add_numbered_parameters(name, values)?,
        BlockKind::Point { object, at } => world.add_point(name, object_of(world, object)?, at)?,
        BlockKind::Direction { object, at } => {
            world.add_direction(name, object_of(world, object)?, at)?
        }
        BlockKind::Path(keyframes) => {
            let (path, time) = (motion_path(keyframes)?, world.graph().time());
            world.graph_mut().add_code(name, path, &[time])?
        }
        BlockKind::Difference(of) => add_code(world, name, of, |ports| Difference(ports / 2))?,
        BlockKind::Distance(of) => add_code(world, name, of, |ports| Distance(ports / 2))?,
        BlockKind::InnerProduct(of) => add_code(world, name, of, |ports| InnerProduct(ports / 2))?,
        BlockKind::PlaneAngle(of) => add_code(world, name, of, |_| PlaneAngle)?,
        BlockKind::SpaceAngle(of) => add_code(world, name, of, |_| SpaceAngle)?,
        BlockKind::TriangleNormal(of) => add_code(world, name, of, |_| TriangleNormal)?,
        BlockKind::PolygonArea(of) => add_code(world, name, of, |_| PolygonArea(of.len()))?,
        BlockKind::EnclosedVolume { corners, triangles } => {
            let volume = enclosed_volume(corners.len(), triangles)?;
            add_code(world, name, corners, |_| volume)?
        }
    };
    Ok(())
}

/// Adds a function of the outputs of blocks, which is made for their number.
fn add_code<F: BlockFunction + 'static>(
    world: &mut World,
    name: &str,
    of: &[String],
    make: impl FnOnce(usize) -> F,
) -> Built<BlockId> {
    let ports = all_ports(world, of)?;
    Ok(world.graph_mut().add_code(name, make(ports.len()), &ports)?)
}

fn enclosed_volume(corners: usize, triangles: &[[u32; 3]]) -> Built<EnclosedVolume> {
    EnclosedVolume::new(corners, triangles.to_vec()).ok_or_else(|| DescriptionFault::Number {
        what: "a corner of a triangle",
        range: "a place among the corners, from 0",
        found: triangles.iter().flatten().copied().max().map_or(0.0, f64::from),
    })
}

/// A path of keyframes, each a list of its time and its coordinates.
pub(in crate::interactive) fn motion_path(keyframes: &[Vec<f64>]) -> Built<MotionPath> {
    let split = |keyframe: &Vec<f64>| match keyframe.split_first() {
        Some((time, place)) => Ok((*time, place.to_vec())),
        None => Err(DescriptionFault::Keyframe),
    };
    let keyframes: Built<Vec<(f64, Vec<f64>)>> = keyframes.iter().map(split).collect();
    Ok(MotionPath::new(&keyframes?)?)
}

fn add_constraint(world: &mut World, constraint: &ConstraintDescription) -> Built<()> {
    let ConstraintDescription { name, rule, feedback } = constraint;
    let id = match rule {
        ConstraintRule::Zero(on) => {
            world.constrain(name, &all_ports(world, on)?, ConstraintKind::Equal)?
        }
        ConstraintRule::NotNegative(on) => {
            world.constrain(name, &all_ports(world, on)?, ConstraintKind::NotNegative)?
        }
        ConstraintRule::Join([a, b]) => {
            let (a, b) = (block_of(world, a)?, block_of(world, b)?);
            world.join(name, a, b)?
        }
        ConstraintRule::Nail { block, at } => world.nail(name, block_of(world, block)?, at)?,
        ConstraintRule::Follow { block, keyframes } => {
            world.follow(name, block_of(world, block)?, motion_path(keyframes)?)?
        }
    };
    if let Some(feedback) = feedback {
        world.set_feedback(id, *feedback)?;
    }
    Ok(())
}

fn add_behaviour(world: &mut World, behaviour: &BehaviourDescription) -> Built<()> {
    let BehaviourDescription { name, kind, on } = behaviour;
    check_behaviour(kind)?;
    let ports = all_ports(world, on)?;
    match kind.clone() {
        BehaviourKind::Spring { stiffness, damping, rest_length } => {
            let spring = Spring { dimensions: ports.len() / 2, stiffness, damping, rest_length };
            world.add_behaviour(name, spring, &ports)
        }
        BehaviourKind::Pull { target, stiffness, damping } => {
            world.add_behaviour(name, Pull { target, stiffness, damping }, &ports)
        }
        BehaviourKind::Motor { speed, gain, max_torque } => {
            world.add_behaviour(name, Motor { speed, gain, max_torque }, &ports)
        }
        BehaviourKind::Force(forces) => world.add_behaviour(name, ConstantForce(forces), &ports),
        BehaviourKind::Damper(damping) => {
            world.add_behaviour(name, Damper { ports: ports.len(), damping }, &ports)
        }
        BehaviourKind::Objective(gain) => world.add_behaviour(name, Objective { gain }, &ports),
        BehaviourKind::Residuals { stiffness, norm } => {
            world.add_behaviour(name, Residuals { ports: ports.len(), stiffness, norm }, &ports)
        }
        BehaviourKind::TroidElasticity { measure, shape, dilation } => {
            let moduli = [measure, shape, dilation];
            match ports.len() {
                9 => world.add_behaviour(name, elasticity::<3>(moduli), &ports),
                _ => world.add_behaviour(name, elasticity::<2>(moduli), &ports),
            }
        }
        BehaviourKind::Bending(stiffness) => {
            let bending = Bending { dimensions: ports.len() / 3, stiffness };
            world.add_behaviour(name, bending.behaviour(), &ports)
        }
        // Made with the images of the description.
        BehaviourKind::Edges { image, .. } => return Err(DescriptionFault::NoImage(image)),
    }?;
    Ok(())
}

/// Adds the attraction of points by the edges of an image.
fn add_edges(
    world: &mut World,
    behaviour: &BehaviourDescription,
    images: &[ImageDescription],
) -> Built<()> {
    let BehaviourDescription { name, kind, on } = behaviour;
    check_behaviour(kind)?;
    let BehaviourKind::Edges { image, deviation, gain } = kind else { return Ok(()) };
    let found = images.iter().find(|it| it.name == *image);
    let found = found.ok_or_else(|| DescriptionFault::NoImage(image.clone()))?;
    let ports = all_ports(world, on)?;
    let field = EdgeField::new(&found.images()?, found.period, *deviation, *gain)?;
    world.add_behaviour(name, field.on_points(ports.len() / 2), &ports)?;
    Ok(())
}

/// Elasticity of a troid of `D` dimensions, from its measure at rest, shape and dilation.
fn elasticity<const D: usize>(
    [measure, shape, dilation]: [f64; 3],
) -> Potential<TroidElasticity<D>> {
    TroidElasticity { measure, shape, dilation }.behaviour()
}

/// Refuses numbers of a behaviour that have no meaning.
fn check_behaviour(kind: &BehaviourKind) -> Built<()> {
    match *kind {
        BehaviourKind::Spring { stiffness, damping, rest_length } => {
            let numbers =
                [("stiffness", stiffness), ("damping", damping), ("rest_length", rest_length)];
            check_range(&numbers, false)
        }
        BehaviourKind::Pull { stiffness, damping, .. } => {
            check_range(&[("stiffness", stiffness), ("damping", damping)], false)
        }
        BehaviourKind::Motor { gain, max_torque, .. } => {
            check_range(&[("gain", gain), ("max_torque", max_torque)], false)
        }
        BehaviourKind::Damper(damping) => check_range(&[("damping", damping)], false),
        BehaviourKind::Residuals { stiffness, norm } => {
            check_range(&[("stiffness", stiffness)], false)?;
            match norm {
                Norm::Square => Ok(()),
                Norm::Huber(scale) | Norm::Tukey(scale) | Norm::GemanMcClure(scale) => {
                    check_range(&[("scale of the norm", scale)], true)
                }
            }
        }
        BehaviourKind::TroidElasticity { measure, shape, dilation } => {
            check_range(&[("measure", measure)], true)?;
            check_range(&[("shape", shape), ("dilation", dilation)], false)
        }
        BehaviourKind::Bending(stiffness) => check_range(&[("stiffness", stiffness)], false),
        BehaviourKind::Edges { deviation, gain, .. } => {
            check_range(&[("deviation", deviation)], true)?;
            check_range(&[("gain", gain)], false)
        }
        // Of either sign.
        BehaviourKind::Force(_) | BehaviourKind::Objective(_) => Ok(()),
    }
}
