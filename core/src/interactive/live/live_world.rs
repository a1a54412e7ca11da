//! A world that is pulled, edited and looked at while it runs.

use std::sync::Arc;

use super::command::WorldPoint;
use super::edits::{WorldEdit, WorldMotion, motion_of};
use super::error::LiveError;
use super::marks::paths;
use super::pulls::OutputPull;
use super::snapshot::{Mark, Refusal, ShownImage};
use super::splice::ObjectMotion;
use crate::interactive::{World, WorldDescription};

/// Edits that can be undone: more than a hand makes.
const MOST_EDITS: usize = 1000;

/// A world with its description, and what pulls on it.
///
/// ```
/// use sinew::interactive::{LiveWorld, WorldDescription, WorldPoint};
/// # use sinew::interactive::{ObjectDescription, ObjectKind, Order};
///
/// let mut description = WorldDescription::default();
/// # let kind = ObjectKind::Particle { mass: 2.0, dimensions: 2 };
/// # let state = vec![0.0, 0.0];
/// # let (name, order, velocity) = ("bead".to_owned(), Order::Second, Vec::new());
/// description.objects.push(ObjectDescription { name, kind, order, state, velocity });
/// let mut world = LiveWorld::new(description)?;
/// let bead = WorldPoint { object: "bead".to_owned(), coordinates: vec![0.0; 3] };
/// world.drag(&bead, [1.0, 0.5, 0.0])?;
/// (0..200).try_for_each(|_| world.step(0.005))?;
/// world.release()?;
/// let state = &world.saved()?.objects[0].state;
/// assert!((state[0] - 1.0).abs() < 0.01 && (state[1] - 0.5).abs() < 0.01, "{state:?}");
/// # Ok::<(), sinew::interactive::LiveError>(())
/// ```
pub struct LiveWorld {
    pub(super) description: WorldDescription,
    pub(super) world: World,
    start: WorldMotion,
    pub(super) drag: Option<OutputPull>,
    /// Names of outputs that are pulled, with their pulls.
    pub(super) pulls: Vec<(String, OutputPull)>,
    pub(super) paths: Vec<Mark>,
    pub(super) images: Arc<Vec<ShownImage>>,
    /// Formulas that were refused last, by their blocks.
    pub(super) refusals: Vec<(String, Refusal)>,
    done: Vec<WorldEdit>,
    undone: Vec<WorldEdit>,
    /// The output whose value is being edited.
    edited: Option<String>,
}

impl LiveWorld {
    /// The world of a description.
    ///
    /// # Errors
    /// [`LiveError::Description`].
    pub fn new(description: WorldDescription) -> Result<Self, LiveError> {
        let world = description.build()?;
        let mut live = Self {
            start: motion_of(&description, &world)?,
            paths: paths(&description),
            images: Arc::default(),
            description,
            world,
            drag: None,
            pulls: Vec::new(),
            refusals: Vec::new(),
            done: Vec::new(),
            undone: Vec::new(),
            edited: None,
        };
        live.show_images();
        Ok(live)
    }

    /// Makes the images of the description to be shown.
    pub(super) fn show_images(&mut self) {
        let image = |it: &crate::interactive::ImageDescription| {
            // A description that was built has its images.
            let frames = it.images().unwrap_or_default();
            ShownImage { name: it.name.clone(), frames, period: it.period }
        };
        self.images = Arc::new(self.description.images.iter().map(image).collect());
    }

    /// Motion of each object at the start.
    pub(super) fn starts(&self) -> &[ObjectMotion] {
        &self.start.objects
    }

    /// Takes other parts, and the motion of their objects at the start.
    pub(super) fn take_parts(&mut self, description: WorldDescription, starts: Vec<ObjectMotion>) {
        self.paths = paths(&description);
        (self.description, self.start.objects) = (description, starts);
        let blocks = self.description.blocks.iter().map(|it| &it.name);
        let names: Vec<&String> =
            self.description.objects.iter().map(|it| &it.name).chain(blocks).collect();
        self.refusals.retain(|(name, _)| names.contains(&name));
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Value of an output where the world is now.
    ///
    /// # Errors
    /// A name that no output has, a block without a value.
    pub fn value(&mut self, output: &str) -> Result<f64, LiveError> {
        let port = self.output(output)?;
        Ok(self.world.value(port)?)
    }

    /// The description with the state of now: a file of it goes on from here. Pulls are no part of it.
    ///
    /// # Errors
    /// None but those of parts that are not there.
    pub fn saved(&self) -> Result<WorldDescription, LiveError> {
        let mut description = self.description.clone();
        description.keep_state(&self.world)?;
        Ok(description)
    }

    /// Advances by a step \[s\].
    ///
    /// # Errors
    /// As for [`World::step`]; the world stays where it was.
    pub fn step(&mut self, h: f64) -> Result<(), LiveError> {
        for pull in self.drag.iter().chain(self.pulls.iter().map(|(_, pull)| pull)) {
            pull.update(&mut self.world, h)?;
        }
        Ok(self.world.step(h)?)
    }

    /// Begins to pull a point towards a place \[m\]: an edit, which is undone by putting everything back.
    ///
    /// # Errors
    /// An object or point that is not there.
    pub fn drag(&mut self, point: &WorldPoint, place: [f64; 3]) -> Result<(), LiveError> {
        self.release()?;
        let motion = motion_of(&self.description, &self.world)?;
        self.drag = Some(OutputPull::of_point(&mut self.world, point, place)?);
        self.keep(WorldEdit::Motion { motion, with_time: false });
        Ok(())
    }

    /// Pulls towards another place \[m\].
    ///
    /// # Errors
    /// None but those of parts that are not there.
    pub fn move_drag(&mut self, place: [f64; 3]) -> Result<(), LiveError> {
        match &mut self.drag {
            Some(drag) => Ok(drag.set_target(&mut self.world, &place)?),
            None => Ok(()),
        }
    }

    /// Ends the pull on a point.
    ///
    /// # Errors
    /// None but those of parts that are not there.
    pub fn release(&mut self) -> Result<(), LiveError> {
        match self.drag.take() {
            Some(drag) => Ok(drag.remove(&mut self.world)?),
            None => Ok(()),
        }
    }

    /// Pulls an output towards a value, until it is released.
    ///
    /// # Errors
    /// A name that no output has, a value that is not finite.
    pub fn pull(&mut self, output: &str, target: f64) -> Result<(), LiveError> {
        if !target.is_finite() {
            return Err(LiveError::Number { name: "a value", range: "finite", value: target });
        }
        if let Some((_, pull)) = self.pulls.iter_mut().find(|(name, _)| name == output) {
            return Ok(pull.set_target(&mut self.world, &[target])?);
        }
        let motion = motion_of(&self.description, &self.world)?;
        let port = self.output(output)?;
        let pull = OutputPull::new(&mut self.world, vec![port], &[target])?;
        self.pulls.push((output.to_owned(), pull));
        self.keep(WorldEdit::Motion { motion, with_time: false });
        Ok(())
    }

    /// Ends the pull on an output, or the edit of its value.
    ///
    /// # Errors
    /// None but those of parts that are not there.
    pub fn release_output(&mut self, output: &str) -> Result<(), LiveError> {
        self.edited = None;
        match self.pulls.iter().position(|(name, _)| name == output) {
            Some(at) => Ok(self.pulls.remove(at).1.remove(&mut self.world)?),
            None => Ok(()),
        }
    }

    /// Sets a parameter or a variable. Values that follow each other up to a release are one edit.
    ///
    /// # Errors
    /// A name that no output has, an output that is computed, a value that is not finite.
    pub fn set_value(&mut self, output: &str, value: f64) -> Result<(), LiveError> {
        let before = self.apply_edit(&WorldEdit::Value { output: output.to_owned(), value })?;
        if self.edited.as_deref() != Some(output) {
            self.keep(before);
            self.edited = Some(output.to_owned());
        }
        Ok(())
    }

    /// Changes the formula of a block or a curve; the one that it has is no edit. Parameters of a curve are the names in its
    /// formula but for s: those that it had keep their values, and those that are new are 1.
    ///
    /// # Errors
    /// A block without a formula; a text that cannot be read, with its place; a formula without a value where the world is
    /// now, or one that leads to a world that cannot be built. The old formula stays.
    pub fn set_formula(&mut self, block: &str, text: &str) -> Result<(), LiveError> {
        if self.formula_of(block) == Some(text) {
            self.refusals.retain(|(name, _)| name != block);
            return Ok(());
        }
        let edit = WorldEdit::Formula { block: block.to_owned(), text: text.to_owned() };
        let before = self.apply_edit(&edit)?;
        self.keep(before);
        Ok(())
    }

    /// Goes back to the time, states and velocities of the start; formulas and parameters stay.
    ///
    /// # Errors
    /// None but those of parts that are not there.
    pub fn reset(&mut self) -> Result<(), LiveError> {
        self.release()?;
        let motion = self.start.clone();
        let before = self.apply_edit(&WorldEdit::Motion { motion, with_time: true })?;
        self.keep(before);
        Ok(())
    }

    /// True if there is an edit to be undone, and one to be done again.
    pub fn can_undo(&self) -> [bool; 2] {
        [!self.done.is_empty(), !self.undone.is_empty()]
    }

    /// Takes the last edit or pull back; false where there is none.
    ///
    /// # Errors
    /// An edit that the world does not take where it is now; it can be undone later.
    pub fn undo(&mut self) -> Result<bool, LiveError> {
        self.release()?;
        self.edited = None;
        let Some(edit) = self.done.last().cloned() else { return Ok(false) };
        let again = self.apply_edit(&edit)?;
        self.done.pop();
        self.undone.push(again);
        Ok(true)
    }

    /// Does it again; false where there is none.
    ///
    /// # Errors
    /// As for [`Self::undo`].
    pub fn redo(&mut self) -> Result<bool, LiveError> {
        self.release()?;
        self.edited = None;
        let Some(edit) = self.undone.last().cloned() else { return Ok(false) };
        let back = self.apply_edit(&edit)?;
        self.undone.pop();
        self.done.push(back);
        Ok(true)
    }

    /// Keeps an edit that undoes another.
    pub(super) fn keep(&mut self, edit: WorldEdit) {
        if self.done.len() == MOST_EDITS {
            self.done.remove(0);
        }
        self.done.push(edit);
        self.undone.clear();
        self.edited = None;
    }

    /// Takes a world that was built of the description in place of the one that runs. Pulls on outputs that are still there
    /// go on, that of the mouse ends.
    pub(super) fn replace_world(&mut self, world: World) {
        (self.world, self.drag) = (world, None);
        for (name, pull) in std::mem::take(&mut self.pulls) {
            let Ok(port) = self.output(&name) else { continue };
            let pull = OutputPull::new(&mut self.world, vec![port], pull.target());
            self.pulls.extend(pull.ok().map(|pull| (name, pull)));
        }
    }
}
