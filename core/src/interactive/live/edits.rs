//! Edits of a world that runs. Each brings back the edit that undoes it.

use super::error::LiveError;
use super::live_world::LiveWorld;
use super::snapshot::Refusal;
use super::splice::{ObjectMotion, PartsEdit, keep_motion};
use crate::formula::Formula;
use crate::interactive::graph::{BlockId, Port, Role};
use crate::interactive::{
    BlockKind, DescriptionError, ObjectDescription, ObjectKind, World, WorldDescription, WorldError,
};

/// Time, states and velocities.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct WorldMotion {
    time: f64,
    /// State and velocities of each object of the description.
    pub(super) objects: Vec<ObjectMotion>,
}

/// An edit.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum WorldEdit {
    /// Everything is put to where it was; the time is set where `with_time` is true.
    Motion { motion: WorldMotion, with_time: bool },
    /// A block has another formula.
    Formula { block: String, text: String },
    /// A parameter or variable has another value.
    Value { output: String, value: f64 },
    /// There are other parts.
    Parts(Box<PartsEdit>),
}

/// Motion of the objects of a description.
pub(super) fn motion_of(
    description: &WorldDescription,
    world: &World,
) -> Result<WorldMotion, LiveError> {
    let motion = |name: &String| {
        let id = world.find_object(name).ok_or_else(|| LiveError::NoObject(name.clone()))?;
        Ok([world.state(id)?.to_vec(), world.velocity(id)?.to_vec()])
    };
    let objects = description.objects.iter().map(|it| motion(&it.name));
    Ok(WorldMotion { time: world.time(), objects: objects.collect::<Result<_, LiveError>>()? })
}

impl LiveWorld {
    /// Does an edit; the edit that undoes it.
    pub(super) fn apply_edit(&mut self, edit: &WorldEdit) -> Result<WorldEdit, LiveError> {
        match edit {
            WorldEdit::Motion { motion, with_time } => {
                let (before, with_time) = (motion_of(&self.description, &self.world)?, *with_time);
                self.put_motion(motion, with_time)?;
                Ok(WorldEdit::Motion { motion: before, with_time })
            }
            WorldEdit::Formula { block, text } => self.put_formula(block, text),
            WorldEdit::Value { output, value } => {
                let (output, before) = (output.clone(), self.put_value(output, *value)?);
                Ok(WorldEdit::Value { output, value: before })
            }
            WorldEdit::Parts(edit) => Ok(WorldEdit::Parts(Box::new(self.put_parts(edit)?))),
        }
    }

    fn put_motion(&mut self, motion: &WorldMotion, with_time: bool) -> Result<(), LiveError> {
        if with_time {
            self.world.set_time(motion.time);
        }
        for (object, [state, velocity]) in self.description.objects.iter().zip(&motion.objects) {
            let id = self.world.find_object(&object.name);
            let id = id.ok_or_else(|| LiveError::NoObject(object.name.clone()))?;
            self.world.set_state(id, state, velocity)?;
        }
        Ok(())
    }

    /// The output of a name with its block.
    pub(super) fn output(&self, name: &str) -> Result<Port, LiveError> {
        let port = self.world.graph().resolve(name);
        port.ok_or_else(|| LiveError::NoOutput(name.to_owned()))
    }

    /// Sets a parameter or a variable; its value of before.
    fn put_value(&mut self, output: &str, value: f64) -> Result<f64, LiveError> {
        if !value.is_finite() {
            return Err(LiveError::Number { name: "a value", range: "finite", value });
        }
        let port = self.output(output)?;
        let (block, k) = (port.block, port.output as usize);
        let name = self.world.graph().name(block)?.to_owned();
        if self.world.graph().role(block)? == Some(Role::Parameter)
            && port != self.world.graph().time()
        {
            let motion = self.world.graph().motion(block)?;
            let mut values: Vec<f64> = motion.iter().map(|[value, ..]| *value).collect();
            let before = std::mem::replace(&mut values[k], value);
            self.world.set_parameters(block, &values)?;
            return Ok(before);
        }
        let is_variable = |kind: &ObjectKind| matches!(kind, ObjectKind::Variables { .. });
        let object = self.description.objects.iter().find(|it| it.name == name);
        let id = self
            .world
            .find_object(&name)
            .filter(|_| object.is_some_and(|it| is_variable(&it.kind)));
        let id = id.ok_or_else(|| LiveError::Computed(output.to_owned()))?;
        let (mut state, mut velocity) =
            (self.world.state(id)?.to_vec(), self.world.velocity(id)?.to_vec());
        let before = std::mem::replace(&mut state[k], value);
        velocity[k] = 0.0;
        self.world.set_state(id, &state, &velocity)?;
        Ok(before)
    }

    /// The formula of a block or a curve.
    pub(super) fn formula_of(&self, name: &str) -> Option<&str> {
        let block = self.description.blocks.iter().find(|it| it.name == name);
        let object = self.description.objects.iter().find(|it| it.name == name);
        match (block.map(|it| &it.kind), object.map(|it| &it.kind)) {
            (Some(BlockKind::Formula(text)), _) => Some(text),
            (_, Some(ObjectKind::Curve { formula, .. })) => Some(formula),
            _ => None,
        }
    }

    /// Changes a formula; the edit that undoes it. What was refused is kept, to be shown.
    fn put_formula(&mut self, block: &str, text: &str) -> Result<WorldEdit, LiveError> {
        self.refusals.retain(|(name, _)| name != block);
        let put = match self.curve_with(block, text) {
            Some(next) => next.and_then(|next| self.put_curve(next)),
            None => self.try_formula(block, text),
        };
        if let Err(error) = &put {
            let refusal = Refusal { text: text.to_owned(), reason: error.to_string() };
            self.refusals.push((block.to_owned(), refusal));
        }
        put
    }

    fn put_curve(&mut self, next: WorldDescription) -> Result<WorldEdit, LiveError> {
        let edit = PartsEdit::between(&self.saved()?, &next, self.starts());
        Ok(WorldEdit::Parts(Box::new(self.put_parts(&edit)?)))
    }

    fn try_formula(&mut self, block: &str, text: &str) -> Result<WorldEdit, LiveError> {
        let no_formula = || LiveError::NoFormula(block.to_owned());
        let place = self.description.blocks.iter().position(|it| it.name == block);
        let place = place.ok_or_else(no_formula)?;
        let BlockKind::Formula(before) = self.description.blocks[place].kind.clone() else {
            return Err(no_formula());
        };
        let id = self.world.graph().find(block).ok_or_else(no_formula)?;
        let (outputs, old) = (self.world.graph().outputs(id)?.len(), self.saved()?);
        self.world.graph_mut().set_formula(id, text)?;
        let next = self.check_formula(id, place, text);
        match next {
            Ok((description, world)) => {
                let is_moved = description.blocks[place].name != block;
                let back = match is_moved {
                    // Edits of parts know places in the list.
                    true => {
                        let edit = PartsEdit::between(&description, &old, self.starts());
                        WorldEdit::Parts(Box::new(edit))
                    }
                    false => WorldEdit::Formula { block: block.to_owned(), text: before },
                };
                self.description = description;
                if self.world.graph().outputs(id)?.len() != outputs {
                    // What uses all outputs of the block uses others now.
                    self.replace_world(world);
                }
                Ok(back)
            }
            Err(error) => {
                self.world.graph_mut().set_formula(id, &before)?;
                Err(error)
            }
        }
    }

    /// The description with another formula of a curve, whose parameters are the names in it but for s: those that it had keep
    /// their values, and those that are new are 1. `None` where there is no such curve.
    fn curve_with(&self, name: &str, text: &str) -> Option<Result<WorldDescription, LiveError>> {
        let is_curve =
            |it: &ObjectDescription| it.name == name && matches!(it.kind, ObjectKind::Curve { .. });
        let place = self.description.objects.iter().position(is_curve)?;
        Some(self.saved().and_then(|mut next| {
            let object = &mut next.objects[place];
            let before = object.clone();
            if let ObjectKind::Curve { formula, parameters, .. } = &mut object.kind {
                let used = Formula::parse_open(text)
                    .map_err(|fault| DescriptionError::of("object", name, fault.into()))?;
                let is_new = |it: &&String| **it != "s" && !parameters.contains(it);
                let new: Vec<String> = used.inputs().iter().filter(is_new).cloned().collect();
                parameters.retain(|it| used.inputs().contains(it));
                parameters.extend(new);
                text.clone_into(formula);
            }
            keep_motion(&before, object);
            Ok(next)
        }))
    }

    /// The description with a formula that the world has taken, and the world that is built of it: a file of it can be read.
    fn check_formula(
        &mut self,
        id: BlockId,
        place: usize,
        text: &str,
    ) -> Result<(WorldDescription, World), LiveError> {
        self.world.update_forces()?;
        let mut next = self.description.clone();
        next.blocks[place].kind = BlockKind::Formula(text.to_owned());
        move_inputs_before(&mut next, &self.world, id, place)?;
        next.keep_state(&self.world)?;
        let world = next.build()?;
        Ok((next, world))
    }
}

/// Brings the blocks that a block depends on to places before its own; the others stay in their order.
fn move_inputs_before(
    description: &mut WorldDescription,
    world: &World,
    id: BlockId,
    place: usize,
) -> Result<(), WorldError> {
    let graph = world.graph();
    let (mut open, mut at) = (vec![id], 0);
    while let Some(&block) = open.get(at) {
        for input in graph.inputs(block)? {
            if !open.contains(&input.block) {
                open.push(input.block);
            }
        }
        at += 1;
    }
    let names: Vec<&str> = open[1..].iter().filter_map(|&block| graph.name(block).ok()).collect();
    let rest = description.blocks.split_off(place);
    let is_input = |name: &str| names.contains(&name);
    let (first, last): (Vec<_>, Vec<_>) = rest.into_iter().partition(|it| is_input(&it.name));
    description.blocks.extend(first.into_iter().chain(last));
    Ok(())
}
