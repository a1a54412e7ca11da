//! The shape of a collider and its sizes as properties. The solids: `contact/shape.rs`.

use super::images::SiteImage;
use crate::Vec3;
use crate::kinds::ColliderShape;
use crate::property::{PropertyType, PropertyValue, Put, Refusal, Value};

/// The name of a shape, as a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShapeName(pub(super) &'static str);

impl PropertyValue for ShapeName {
    const TYPE: PropertyType = PropertyType::Choice(&ColliderShape::NAMES);

    fn to_value(&self) -> Value {
        Value::Choice(self.0)
    }

    fn from_value(value: &Value) -> Option<Self> {
        value.word_of(&ColliderShape::NAMES).map(Self)
    }
}

impl ShapeName {
    /// Makes a shape that of this name, with the radius and the length that it has.
    pub(super) fn put(self, shape: &mut ColliderShape) -> Put {
        if shape.name() == self.0 {
            return Ok(());
        }
        let named = ColliderShape::ALL.into_iter().find(|known| known.name() == self.0);
        let mut new = named.ok_or(Refusal::Absent)?;
        let mut old = *shape;
        if let (Some(new), Some(&mut old)) = (new.radius_mut(), old.radius_mut())
            && *new > 0.0
            && old > 0.0
        {
            *new = old;
        }
        if let (Some(new), Some(&mut old)) = (new.half_length_mut(), old.half_length_mut()) {
            *new = old;
        }
        *shape = new;
        Ok(())
    }
}

/// Puts a number where there is a place for it.
pub(super) fn put<T>(place: Option<&mut T>, new: T) -> Put {
    *place.ok_or(Refusal::Absent)? = new;
    Ok(())
}

/// A copy of what is there.
pub(super) fn copied<T: Copy>(
    shape: &ColliderShape,
    size: fn(&mut ColliderShape) -> Option<&mut T>,
) -> Option<T> {
    let mut shape = *shape;
    size(&mut shape).copied()
}

/// The half edges of a box, and the like [m].
pub(super) fn half_extents(shape: &ColliderShape) -> Option<Vec3> {
    copied(shape, ColliderShape::half_extents_mut)
}

/// Takes sizes along: by the factors of lengths along the axes of the frame, by their means where a size has no direction.
pub(super) fn scale(shape: &mut ColliderShape, image: &SiteImage) {
    // What has a length has its radius across it.
    let is_long = shape.half_length_mut().is_some();
    let radial = if is_long { image.across() } else { image.mean() };
    shape.radius_mut().into_iter().for_each(|radius| *radius *= radial);
    shape.half_length_mut().into_iter().for_each(|half_length| *half_length *= image.along(2));
    if let Some(half_extents) = shape.half_extents_mut() {
        (0..3).for_each(|k| half_extents[k] *= image.along(k));
    }
}
