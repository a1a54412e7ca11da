//! Parts that are added to a world that runs, taken away with what hangs on them, and replaced. The rest of the world stays
//! as it is.

use super::edits::WorldEdit;
use super::error::LiveError;
use super::live_world::LiveWorld;
use super::splice::{ObjectMotion, PartsEdit, keep_motion};
use crate::interactive::palette::{Site, make_parts};
use crate::interactive::{PartId, PartList, Pick, World, WorldDescription, WorldPart};

impl LiveWorld {
    /// Adds a part of a kind of the table, [`part_kinds`](crate::interactive::part_kinds), by what was clicked for it.
    ///
    /// # Errors
    /// A kind that is not in the table, clicks that do not fit; as for [`Self::add_parts`].
    pub fn add(&mut self, kind: &str, picks: &[Pick]) -> Result<(), LiveError> {
        let site = Site::new(&mut self.world, &self.description);
        let parts = make_parts(site, kind, picks)?;
        self.add_parts(parts)
    }

    /// Adds parts, each at the end of its list: one edit.
    ///
    /// # Errors
    /// Parts of which the world cannot be built, or has no value or forces where it is now. It is then as it was.
    pub fn add_parts(&mut self, parts: Vec<WorldPart>) -> Result<(), LiveError> {
        self.edit_parts(|next| parts.into_iter().for_each(|part| next.push(part)))
    }

    /// Takes parts away, with all that use them: one edit.
    ///
    /// # Errors
    /// A part that is not there, the settings; the world is then as it was.
    pub fn remove_parts(&mut self, parts: &[PartId]) -> Result<(), LiveError> {
        let is_fixed =
            |id: &&PartId| id.list == PartList::Settings || self.description.part(id).is_none();
        if let Some(none) = parts.iter().find(is_fixed) {
            return Err(LiveError::NoPart(none.clone()));
        }
        let gone = self.with_hanging(parts);
        self.edit_parts(|next| {
            for id in &gone {
                next.remove(id);
            }
        })
    }

    /// A part as it is now.
    pub fn part(&self, id: &PartId) -> Option<WorldPart> {
        let mut part = self.description.part(id)?;
        if let WorldPart::Object(object) = &mut part {
            let found = self.world.find_object(&object.name)?;
            object.state = self.world.state(found).ok()?.to_vec();
            object.velocity = self.world.velocity(found).ok()?.to_vec();
        }
        Some(part)
    }

    /// Puts a part in the place of another one of its list. An object without a state keeps that of the other one.
    ///
    /// # Errors
    /// A part that is not there, or of another list; as for [`Self::add_parts`].
    pub fn replace_part(&mut self, id: &PartId, mut part: WorldPart) -> Result<(), LiveError> {
        if let (WorldPart::Object(object), Some(WorldPart::Object(old))) =
            (&mut part, self.part(id))
            && object.state.is_empty()
        {
            (object.state, object.velocity) = (old.state.clone(), old.velocity.clone());
            if object.kind.state_names() != old.kind.state_names() {
                keep_motion(&old, object);
            }
        }
        let is_there = part.id().list == id.list && self.description.part(id).is_some();
        if !is_there {
            return Err(LiveError::NoPart(id.clone()));
        }
        self.edit_parts(|next| {
            next.replace(id, part);
        })
    }

    /// Changes the description in the state of now, as one edit; none where it comes out the same.
    fn edit_parts(&mut self, change: impl FnOnce(&mut WorldDescription)) -> Result<(), LiveError> {
        let before = self.saved()?;
        let mut next = before.clone();
        change(&mut next);
        let edit = PartsEdit::between(&before, &next, self.starts());
        if !edit.is_empty() {
            let back = self.apply_edit(&WorldEdit::Parts(Box::new(edit)))?;
            self.keep(back);
        }
        Ok(())
    }

    /// Does an edit of parts; the edit that undoes it.
    pub(super) fn put_parts(&mut self, edit: &PartsEdit) -> Result<PartsEdit, LiveError> {
        let (mut next, mut starts) = (self.saved()?, self.starts().to_vec());
        let back = edit.apply(&mut next, &mut starts);
        let mut world = next.build()?;
        world.update_forces()?;
        begin_at_rest(&next, &world, &mut starts)?;
        self.take_parts(next, starts);
        self.replace_world(world);
        if edit.has_images() {
            self.show_images();
        }
        Ok(back)
    }
}

/// Gives objects that are new the velocities of rest at the start.
fn begin_at_rest(
    description: &WorldDescription,
    world: &World,
    starts: &mut [ObjectMotion],
) -> Result<(), LiveError> {
    for (object, [_, velocity]) in description.objects.iter().zip(starts) {
        let new = world.find_object(&object.name).filter(|_| velocity.is_empty());
        if let Some(id) = new {
            velocity.resize(world.velocity(id)?.len(), 0.0);
        }
    }
    Ok(())
}
