//! Coordinates of custom joints: as lists in their order, and one by one by name.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::coordinate_parts::{
    compliance_items, coordinate_part, limit_items, path_items, put_coordinate_part, value_item,
};
use super::joint_state::IN_A_SIMULATION;
use crate::component::Invalidates;
use crate::constraint::{CoordinateSettings, CoordinateSpec, Quantity, Range as Limits};
use crate::kinds::CustomJoint;
use crate::property::{Access, Item, Property, PropertyInfo, Put, Refusal, Value, info};

/// Ends of ranges that are as good as none [m or rad].
const FAR: f64 = 1e300;

/// Most coordinates of a joint.
const MOST: usize = 6;

/// Beginning of the lines of coordinates in the table, in which a word stands for their names.
const ANY: &str = "coordinate.NAME";

impl CustomJoint {
    /// True if it has, or, of registered code, may have this many coordinates; it has them then.
    fn takes(&mut self, count: usize) -> bool {
        if self.is_registered() && count <= MOST {
            self.coordinates.resize_with(count, CoordinateSettings::default);
        }
        count == self.coordinates.len()
    }

    /// Settings of a coordinate, to change.
    pub(crate) fn coordinate_mut(&mut self, number: usize) -> Option<&mut CoordinateSettings> {
        if self.is_registered() && (self.coordinates.len()..MOST).contains(&number) {
            self.coordinates.resize_with(number + 1, CoordinateSettings::default);
        }
        self.coordinates.get_mut(number)
    }

    /// Settings of a coordinate; those of a free one where a joint of registered code leaves them out.
    fn coordinate(&self, number: usize) -> Option<CoordinateSettings> {
        let known = self.coordinates.get(number).cloned();
        known.or_else(|| self.is_registered().then(CoordinateSettings::default))
    }

    /// Ends of the ranges of its coordinates; a pair that falls is no range. Empty where all are free.
    pub(super) fn ranges(&self) -> Vec<f64> {
        let ends = |it: &CoordinateSettings| match (it.range.lower, it.range.upper) {
            (None, None) => [1.0, -1.0],
            (low, high) => [low.unwrap_or(-FAR), high.unwrap_or(FAR)],
        };
        let free = self.coordinates.iter().all(|it| it.range == Limits::FREE);
        if free { Vec::new() } else { self.coordinates.iter().flat_map(ends).collect() }
    }

    pub(super) fn put_ranges(&mut self, list: &[f64]) -> Put {
        if !(list.is_empty() || list.len().is_multiple_of(2) && self.takes(list.len() / 2)) {
            return Err(Refusal::Value("it must be two numbers for each of its coordinates"));
        }
        self.coordinates.iter_mut().for_each(|it| it.range = Limits::FREE);
        for (it, ends) in self.coordinates.iter_mut().zip(list.chunks_exact(2)) {
            let [low, high] = [ends[0], ends[1]];
            if low <= high {
                it.range.lower = Some(low).filter(|low| *low > -FAR);
                it.range.upper = Some(high).filter(|high| *high < FAR);
            }
        }
        Ok(())
    }

    /// Locks of the coordinates: 1 for a locked one, 0 else.
    pub(super) fn locks(&self) -> Vec<f64> {
        self.coordinates.iter().map(|it| f64::from(u8::from(it.locked))).collect()
    }

    pub(super) fn put_locks(&mut self, list: &[f64]) -> Put {
        if list.iter().any(|x| ![0.0, 1.0].contains(x)) || !self.takes(list.len()) {
            return Err(Refusal::Value("it must be 0 or 1 for each of its coordinates"));
        }
        self.coordinates.iter_mut().zip(list).for_each(|(it, x)| it.locked = *x == 1.0);
        Ok(())
    }
}

type Items = fn(Option<Quantity>) -> Vec<Item>;

/// Parts of a coordinate, and what becomes stale where they are set.
const PARTS: [(Invalidates, Items); 4] = [
    (Invalidates::NOTHING, value_item),
    (Invalidates::STRUCTURE, limit_items),
    (Invalidates::STRUCTURE, path_items),
    (Invalidates::PARAMETER, compliance_items),
];

/// Lines for the coordinates of a joint, each of which has all of them under its name.
pub(super) fn coordinate_table() -> Vec<Property<CustomJoint>> {
    let items = PARTS
        .into_iter()
        .flat_map(|(stale, items)| items(None).into_iter().map(move |it| (stale, it)));
    items.map(|(stale, item)| line(stale, item)).collect()
}

fn line(stale: Invalidates, item: Item) -> Property<CustomJoint> {
    let part = item.name;
    let simulated = part == "value";
    Property {
        info: PropertyInfo { simulated, ..info(ANY, stale, item, false) },
        access: Access::Numbered { part, get, set },
        check: (!simulated).then_some(CustomJoint::check_motion),
    }
}

fn get(joint: &CustomJoint, number: usize, part: &str) -> Option<Value> {
    coordinate_part(&joint.coordinate(number)?, part)
}

fn set(joint: &mut CustomJoint, number: usize, part: &str, value: &Value) -> Put {
    if part == "value" {
        return Err(IN_A_SIMULATION);
    }
    put_coordinate_part(joint.coordinate_mut(number).ok_or(Refusal::Absent)?, part, value)
}

/// Part, name, number and quantity of a coordinate.
type Named = (&'static str, String, usize, bool);

/// Descriptions of coordinates. Each is kept for the life of the process, so that a reference
/// to it is as small as others.
static NAMED: Mutex<BTreeMap<Named, &'static PropertyInfo>> = Mutex::new(BTreeMap::new());

/// True for a line of the table that stands for one of each coordinate.
pub(crate) fn is_of_coordinates(line: &PropertyInfo) -> bool {
    line.name.starts_with(ANY)
}

/// The description that coordinate number `number` has in the place of a line of the table.
pub(crate) fn named_line(
    line: &'static PropertyInfo,
    spec: &CoordinateSpec,
    number: usize,
) -> &'static PropertyInfo {
    let part = line.name.trim_start_matches(ANY).trim_start_matches('.');
    let key = (part, spec.name.to_string(), number, spec.quantity == Quantity::Angle);
    // Entries are added whole: one that was poisoned lacks none.
    let mut known = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(key).or_insert_with(|| {
        let items = PARTS.into_iter().flat_map(|(_, items)| items(Some(spec.quantity)));
        let unit = items.into_iter().find(|it| it.name == part).map_or(line.unit, |it| it.unit);
        let name = Box::leak(format!("coordinate.{}.{part}", spec.name).into_boxed_str());
        Box::leak(Box::new(PropertyInfo { name, unit, number, ..line.clone() }))
    })
}
