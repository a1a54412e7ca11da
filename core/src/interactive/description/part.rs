//! Parts of a description as one type: lists that they stand in, names, and how they are found, added and taken out.

use super::images::ImageDescription;
use super::parts::{
    BehaviourDescription, BlockDescription, ConstraintDescription, ObjectDescription,
    WorldDescription,
};
use crate::interactive::WorldSettings;

/// A list of a description.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PartList {
    /// Objects.
    #[default]
    Object,
    /// Images.
    Image,
    /// Blocks.
    Block,
    /// Constraints.
    Constraint,
    /// Behaviours.
    Behaviour,
    /// The settings, of which there is one.
    Settings,
}

impl PartList {
    /// All of them, in the order of files.
    pub const ALL: [Self; 6] =
        [Self::Settings, Self::Object, Self::Image, Self::Block, Self::Constraint, Self::Behaviour];

    /// Its word, as in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Image => "image",
            Self::Block => "block",
            Self::Constraint => "constraint",
            Self::Behaviour => "behaviour",
            Self::Settings => "settings",
        }
    }
}

/// A part by its list and name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PartId {
    /// The list.
    pub list: PartList,
    /// The name.
    pub name: String,
}

impl PartId {
    /// The part of a name.
    pub fn new(list: PartList, name: impl Into<String>) -> Self {
        Self { list, name: name.into() }
    }
}

impl std::fmt::Display for PartId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} '{}'", self.list.name(), self.name)
    }
}

/// A part of a description.
#[derive(Clone, Debug, PartialEq)]
pub enum WorldPart {
    /// An object.
    Object(ObjectDescription),
    /// An image.
    Image(ImageDescription),
    /// A block.
    Block(BlockDescription),
    /// A constraint.
    Constraint(ConstraintDescription),
    /// A behaviour.
    Behaviour(BehaviourDescription),
    /// The settings.
    Settings(WorldSettings),
}

impl WorldPart {
    /// Its list and name.
    pub fn id(&self) -> PartId {
        match self {
            Self::Object(it) => PartId::new(PartList::Object, &it.name),
            Self::Image(it) => PartId::new(PartList::Image, &it.name),
            Self::Block(it) => PartId::new(PartList::Block, &it.name),
            Self::Constraint(it) => PartId::new(PartList::Constraint, &it.name),
            Self::Behaviour(it) => PartId::new(PartList::Behaviour, &it.name),
            Self::Settings(_) => PartId::new(PartList::Settings, PartList::Settings.name()),
        }
    }
}

impl WorldDescription {
    /// The part of a list and name.
    pub fn part(&self, id: &PartId) -> Option<WorldPart> {
        let is = |name: &String| *name == id.name;
        match id.list {
            PartList::Object => {
                self.objects.iter().find(|it| is(&it.name)).cloned().map(WorldPart::Object)
            }
            PartList::Image => {
                self.images.iter().find(|it| is(&it.name)).cloned().map(WorldPart::Image)
            }
            PartList::Block => {
                self.blocks.iter().find(|it| is(&it.name)).cloned().map(WorldPart::Block)
            }
            PartList::Constraint => {
                self.constraints.iter().find(|it| is(&it.name)).cloned().map(WorldPart::Constraint)
            }
            PartList::Behaviour => {
                self.behaviours.iter().find(|it| is(&it.name)).cloned().map(WorldPart::Behaviour)
            }
            PartList::Settings => {
                Some(WorldPart::Settings(self.settings)).filter(|it| it.id() == *id)
            }
        }
    }

    /// Adds a part at the end of its list, or takes other settings; nothing is checked before [`Self::build`].
    pub fn push(&mut self, part: WorldPart) {
        match part {
            WorldPart::Object(it) => self.objects.push(it),
            WorldPart::Image(it) => self.images.push(it),
            WorldPart::Block(it) => self.blocks.push(it),
            WorldPart::Constraint(it) => self.constraints.push(it),
            WorldPart::Behaviour(it) => self.behaviours.push(it),
            WorldPart::Settings(it) => self.settings = it,
        }
    }

    /// Takes a part out; false where there is none, and of settings. Those that use it stay.
    pub fn remove(&mut self, id: &PartId) -> bool {
        let is = |name: &String| *name == id.name;
        match id.list {
            PartList::Object => take(&mut self.objects, |it| is(&it.name)),
            PartList::Image => take(&mut self.images, |it| is(&it.name)),
            PartList::Block => take(&mut self.blocks, |it| is(&it.name)),
            PartList::Constraint => take(&mut self.constraints, |it| is(&it.name)),
            PartList::Behaviour => take(&mut self.behaviours, |it| is(&it.name)),
            PartList::Settings => false,
        }
    }

    /// Puts a part in the place of another one of the same list; false where there is none.
    pub fn replace(&mut self, id: &PartId, part: WorldPart) -> bool {
        let is = |name: &String| *name == id.name;
        match part {
            WorldPart::Object(it) => put(&mut self.objects, |old| is(&old.name), it),
            WorldPart::Image(it) => put(&mut self.images, |old| is(&old.name), it),
            WorldPart::Block(it) => put(&mut self.blocks, |old| is(&old.name), it),
            WorldPart::Constraint(it) => put(&mut self.constraints, |old| is(&old.name), it),
            WorldPart::Behaviour(it) => put(&mut self.behaviours, |old| is(&old.name), it),
            WorldPart::Settings(it) => {
                self.settings = it;
                true
            }
        }
    }
}

fn take<T>(list: &mut Vec<T>, is: impl Fn(&T) -> bool) -> bool {
    let at = list.iter().position(is);
    at.map(|at| list.remove(at)).is_some()
}

fn put<T>(list: &mut [T], is: impl Fn(&T) -> bool, part: T) -> bool {
    let at = list.iter().position(is);
    at.map(|at| list[at] = part).is_some()
}
