//! The world that a part is made for, and what was clicked for it.

use crate::interactive::{
    BehaviourDescription, BehaviourKind, BlockDescription, BlockKind, ConstraintDescription,
    ConstraintRule, GraphError, ObjectDescription, ObjectKind, PartId, PartList, World,
    WorldDescription, WorldError, WorldPart,
};

/// A thing that was clicked.
#[derive(Clone, Debug, PartialEq)]
pub enum Pick {
    /// A place \[m\].
    At([f64; 3]),
    /// A point of an object, by its coordinates there; s of a curve. Those beyond its dimensions are left out.
    Point {
        /// Name of the object.
        object: String,
        /// The coordinates.
        coordinates: Vec<f64>,
    },
    /// A block, or an output, by its name.
    Name(String),
}

/// Clicks of which a part cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PaletteError {
    /// A word that is not in the table.
    #[error("there is no kind of part '{0}'")]
    Kind(String),
    /// Too few clicks.
    #[error("a part of kind '{kind}' takes {expected} click(s), got {found}")]
    Clicks {
        /// The kind.
        kind: &'static str,
        /// Clicks that it takes at least.
        expected: usize,
        /// Clicks.
        found: usize,
    },
    /// A name that nothing has, or that does not fit.
    #[error("'{0}' does not fit here: click {1}")]
    Pick(String, &'static str),
    /// The world has no such part.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The graph has no such output.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// Outcome of making a part.
pub(super) type Made = Result<(), PaletteError>;

/// A world, and the parts that are made for it.
pub(in crate::interactive) struct Site<'w> {
    world: &'w mut World,
    description: &'w WorldDescription,
    parts: Vec<WorldPart>,
}

impl<'w> Site<'w> {
    /// Nothing is made yet.
    pub(in crate::interactive) fn new(
        world: &'w mut World,
        description: &'w WorldDescription,
    ) -> Self {
        Self { world, description, parts: Vec::new() }
    }

    /// The parts that were made.
    pub(super) fn into_parts(self) -> Vec<WorldPart> {
        self.parts
    }

    /// Time of the world \[s\].
    pub(super) fn time(&self) -> f64 {
        self.world.time()
    }

    /// Dimensions of what is added: 3 where an object lies in space.
    pub(super) fn dimensions(&self) -> usize {
        let objects = self.description.objects.iter().map(|it| dimensions(&it.kind));
        objects.fold(2, |most, own| most.max(own.unwrap_or(2)))
    }

    /// The first image.
    pub(super) fn image(&self) -> String {
        self.description.images.first().map(|it| it.name.clone()).unwrap_or_default()
    }

    /// A name that no part has: the word with a number.
    pub(super) fn name(&self, word: &str) -> String {
        let graph = self.world.graph();
        let is_taken = |name: &str| {
            let listed = PartList::ALL
                .iter()
                .any(|&list| self.description.part(&PartId::new(list, name)).is_some());
            listed || graph.find(name).is_some() || self.parts.iter().any(|it| it.id().name == name)
        };
        let mut names = (1u64..).map(|k| format!("{word}_{k}"));
        names.find(|name| !is_taken(name)).unwrap_or_default()
    }

    /// The place of a click on the plane.
    pub(super) fn free(&self, pick: &Pick) -> Result<[f64; 3], PaletteError> {
        match pick {
            Pick::At(place) => Ok(*place),
            Pick::Point { object, .. } => Err(PaletteError::Pick(object.clone(), "a place")),
            Pick::Name(name) => Err(PaletteError::Pick(name.clone(), "a place")),
        }
    }

    /// The object and its coordinates of a click on one.
    pub(super) fn object_point(&self, pick: &Pick) -> Result<(String, Vec<f64>), PaletteError> {
        let fault = |name: &str| PaletteError::Pick(name.to_owned(), "a point of an object");
        match pick {
            Pick::At(_) => Err(fault("a place")),
            Pick::Name(name) => {
                let object = self.object(name).ok_or_else(|| fault(name))?;
                let count = dimensions(&object.kind).ok_or_else(|| fault(name))?;
                Ok((name.clone(), vec![0.0; count]))
            }
            Pick::Point { object: name, coordinates } => {
                let object = self.object(name).ok_or_else(|| fault(name))?;
                let count = match &object.kind {
                    ObjectKind::Curve { .. } => 1,
                    kind => dimensions(kind).ok_or_else(|| fault(name))?,
                };
                let at = coordinates.iter().copied().chain(std::iter::repeat(0.0));
                Ok((name.clone(), at.take(count).collect()))
            }
        }
    }

    /// An object by its name.
    pub(super) fn object(&self, name: &str) -> Option<&ObjectDescription> {
        self.description.objects.iter().find(|it| it.name == name)
    }

    /// The block of a click, and its values: a point that is made for it, or the place as numbers.
    pub(super) fn block(&mut self, pick: &Pick) -> Result<(String, Vec<f64>), PaletteError> {
        match pick {
            Pick::Name(name) => Ok((name.clone(), self.values(name)?)),
            Pick::At(place) => {
                let values = place[..self.dimensions()].to_vec();
                let name = self.add_block("place", BlockKind::Parameters(values.clone()));
                Ok((name, values))
            }
            Pick::Point { .. } => {
                let (object, at) = self.object_point(pick)?;
                let found = self.object(&object).map(|it| &it.kind);
                if matches!(found, Some(ObjectKind::Particle { .. })) {
                    let values = self.values(&object)?;
                    return Ok((object, values));
                }
                let values = self.point_values(&object, &at)?;
                let name = self.add_block("point", BlockKind::Point { object, at });
                Ok((name, values))
            }
        }
    }

    /// Names of the blocks of some clicks.
    pub(super) fn blocks<const N: usize>(
        &mut self,
        picks: &[Pick],
    ) -> Result<[String; N], PaletteError> {
        let mut names = std::array::from_fn(|_| String::new());
        for (name, pick) in names.iter_mut().zip(picks) {
            *name = self.block(pick)?.0;
        }
        Ok(names)
    }

    /// The output of a click: a block of a single one stands for it.
    pub(super) fn output(&self, pick: &Pick) -> Result<String, PaletteError> {
        match pick {
            Pick::Name(name) => Ok(name.clone()),
            Pick::At(_) => Err(PaletteError::Pick("a place".to_owned(), "an output")),
            Pick::Point { object, .. } => Err(PaletteError::Pick(object.clone(), "an output")),
        }
    }

    /// Names of all outputs of a block, as in formulas.
    pub(super) fn outputs_of(&self, name: &str) -> Result<Vec<String>, PaletteError> {
        let graph = self.world.graph();
        let block = graph.find(name);
        let block = block.ok_or_else(|| PaletteError::Pick(name.to_owned(), "a part"))?;
        Ok(graph.outputs(block)?.iter().map(|output| format!("{name}.{output}")).collect())
    }

    /// Values of all outputs of a block, or of the one that is named.
    pub(super) fn values(&mut self, name: &str) -> Result<Vec<f64>, PaletteError> {
        let graph = self.world.graph();
        let ports = match (graph.find(name), graph.resolve(name)) {
            (Some(block), _) => graph.ports(block)?,
            (None, Some(port)) => vec![port],
            (None, None) => return Err(PaletteError::Pick(name.to_owned(), "a part")),
        };
        Ok(ports.iter().map(|port| self.world.value(*port)).collect::<Result<_, _>>()?)
    }

    /// Place of a point of an object.
    fn point_values(&mut self, object: &str, at: &[f64]) -> Result<Vec<f64>, PaletteError> {
        let fault = || PaletteError::Pick(object.to_owned(), "an object");
        let id = self.world.find_object(object).ok_or_else(fault)?;
        let name = self.world.graph().free_name("clicked_point");
        let block = self.world.add_point(&name, id, at)?;
        let values = self.values(&name);
        self.world.graph_mut().remove(block)?;
        values
    }

    /// Makes an object.
    pub(super) fn add(&mut self, object: ObjectDescription) {
        self.parts.push(WorldPart::Object(object));
    }

    /// Makes an image or any other part.
    pub(super) fn add_part(&mut self, part: WorldPart) {
        self.parts.push(part);
    }

    /// Makes a block; its name.
    pub(super) fn add_block(&mut self, word: &str, kind: BlockKind) -> String {
        let name = self.name(word);
        self.parts.push(WorldPart::Block(BlockDescription { name: name.clone(), kind }));
        name
    }

    /// Makes a constraint.
    pub(super) fn add_constraint(&mut self, word: &str, rule: ConstraintRule) {
        let (name, feedback) = (self.name(word), None);
        self.parts.push(WorldPart::Constraint(ConstraintDescription { name, rule, feedback }));
    }

    /// Makes a behaviour.
    pub(super) fn add_behaviour(&mut self, kind: BehaviourKind, on: Vec<String>) {
        let name = self.name(kind.name());
        self.parts.push(WorldPart::Behaviour(BehaviourDescription { name, kind, on }));
    }
}

/// Dimensions of an object with a place; those of a curve are those of its formula.
fn dimensions(kind: &ObjectKind) -> Option<usize> {
    match kind {
        ObjectKind::Particle { dimensions, .. } => Some(*dimensions),
        ObjectKind::PlanarBody { .. } => Some(2),
        ObjectKind::RigidBody { .. } => Some(3),
        ObjectKind::Troid { sides, .. } => Some(sides.len()),
        ObjectKind::Curve { formula, .. } => {
            crate::formula::Formula::parse_open(formula).ok().map(|it| it.outputs().len())
        }
        ObjectKind::Variables { .. } => None,
    }
}
