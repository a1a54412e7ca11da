//! Parts that a click meets: what the part that is added takes, or what is to be selected.

use std::collections::HashMap;

use egui::Pos2;
use sinew::interactive::{
    BlockRow, Mark, ObjectOutline, PartId, PartList, Pick, Slot, WorldSnapshot,
};

use super::build::candidate;
use super::near::{Near, Seen, near_of, nearest_mark};

/// Distance within which a mark is met before an object [point].
const MARK: f32 = 7.0;

/// Objects and blocks of a snapshot by their names.
pub(super) struct Listed<'s>(HashMap<&'s str, &'s BlockRow>);

impl<'s> Listed<'s> {
    /// Those of a snapshot.
    pub(super) fn of(snapshot: &'s WorldSnapshot) -> Self {
        Self(snapshot.blocks.iter().map(|row| (row.name.as_str(), row)).collect())
    }

    /// True if points of an object, the object itself or its angle will do.
    pub(super) fn takes_object(&self, slot: Slot, name: &str) -> bool {
        self.0.get(name).is_some_and(|row| {
            let of = candidate(row);
            slot.takes_points(of) || slot.takes_block(of) || single_output(slot, row).is_some()
        })
    }

    /// True if the block of a mark will do.
    pub(super) fn takes_mark(&self, slot: Slot, mark: &Mark) -> bool {
        let row = self.0.get(mark.part.name.as_str());
        mark.part.list == PartList::Block && row.is_some_and(|row| slot.takes_block(candidate(row)))
    }

    /// The object point under the pointer that will do.
    pub(super) fn near(
        &self,
        slot: Slot,
        (snapshot, seen): (&WorldSnapshot, Seen),
        at: Pos2,
    ) -> Option<Near> {
        near_of(snapshot, seen, at, |it: &ObjectOutline| self.takes_object(slot, &it.object))
    }

    /// The thing that a click is taken for, with its place.
    pub(super) fn pick(
        &self,
        slot: Slot,
        (snapshot, seen): (&WorldSnapshot, Seen),
        at: Pos2,
    ) -> Option<(Pick, [f64; 3])> {
        let mark = nearest_mark(snapshot, seen, at, |mark| self.takes_mark(slot, mark));
        if let Some((_, mark)) = mark.filter(|(distance, _)| *distance <= MARK) {
            return Some((Pick::Name(mark.part.name.clone()), *mark.points.first()?));
        }
        if let Some(near) = self.near(slot, (snapshot, seen), at) {
            let row = self.0.get(near.point.object.as_str())?;
            let pick = match single_output(slot, row) {
                _ if slot.takes_points(candidate(row)) => {
                    let (object, coordinates) = (near.point.object, near.point.coordinates);
                    Pick::Point { object, coordinates }
                }
                Some(output) => Pick::Name(output.to_owned()),
                None => Pick::Name(near.point.object),
            };
            return Some((pick, near.place));
        }
        let place = seen.projection.moved([0.0; 3], seen.plane.to_plane(at));
        slot.takes_places().then_some((Pick::At(place), place))
    }
}

/// The output of an object that will do, where it is a single one.
fn single_output(slot: Slot, row: &BlockRow) -> Option<&str> {
    let of = candidate(row);
    let mut outputs = row.outputs.iter().filter(|it| slot.takes_output(of, &it.name));
    let output = outputs.next()?;
    outputs.next().is_none().then_some(output.name.as_str())
}

/// The part that a click selects: a mark, or an object.
pub(super) fn selected(snapshot: &WorldSnapshot, seen: Seen, at: Pos2) -> Option<PartId> {
    let mark = nearest_mark(snapshot, seen, at, |_| true).filter(|(distance, _)| *distance <= MARK);
    let object = || {
        let near = near_of(snapshot, seen, at, |_| true)?;
        Some(PartId::new(PartList::Object, near.point.object))
    };
    mark.map(|(_, mark)| mark.part.clone()).or_else(object)
}
