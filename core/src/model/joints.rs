//! Joints of a kind and custom ones seen alike: their frames and kinematics, and coordinates by properties.

use std::borrow::Cow;

use super::Model;
use crate::component::{Address, ComponentId};
use crate::constraint::{Compliance, CoordinateSettings, JointLaw};
use crate::kinds::{CustomJoint, FrameSite, Joint, coordinate_index};
use crate::property::{Components, PropertyRef};

/// A joint of any sort.
pub(crate) struct AnyJoint<'m> {
    pub(crate) law: JointLaw,
    /// Frames C and D.
    pub(crate) sides: [&'m FrameSite; 2],
    pub(crate) enabled: bool,
    /// Compliance of every row.
    pub(crate) rows: Cow<'m, [Compliance]>,
    /// Settings of every coordinate.
    pub(crate) coordinates: Cow<'m, [CoordinateSettings]>,
}

/// A list with default values where it leaves some out at its end.
fn filled<T: Clone + Default>(list: &[T], count: usize) -> Cow<'_, [T]> {
    if list.len() >= count {
        return Cow::Borrowed(list);
    }
    let mut filled = list.to_vec();
    filled.resize_with(count, T::default);
    Cow::Owned(filled)
}

impl AnyJoint<'_> {
    /// Coordinates at the start [m and rad]: of those that describe the same pose, the smallest.
    pub(crate) fn start(&self, model: &dyn Components) -> Option<Vec<f64>> {
        let [c, d] = self.sides.map(|site| site.world_pose(model));
        let zeros = vec![0.0; self.law.coordinate_count()];
        let mut start = zeros.clone();
        self.law.calc_coordinates(&d?.inv_mul(&c?), &zeros, &mut start);
        Some(start)
    }
}

impl Model {
    /// The joint of an address; `None` where there is none, or its code makes no functions.
    pub(crate) fn joint(&self, id: ComponentId) -> Option<AnyJoint<'_>> {
        if let Some(joint) = id.typed::<Joint>() {
            let joint = self.get(joint)?;
            return Some(AnyJoint {
                law: joint.settings.kind.into(),
                sides: [&joint.c, &joint.d],
                enabled: joint.enabled,
                rows: Cow::Borrowed(&joint.settings.rows),
                coordinates: Cow::Borrowed(&joint.settings.coordinates),
            });
        }
        let handle = id.typed::<CustomJoint>()?;
        let (joint, functions) = (self.get(handle)?, self.functions_of(handle)?.ok()?);
        let (rows, coordinates) = (functions.rows.len(), functions.coordinates.len());
        Some(AnyJoint {
            law: joint.law(functions),
            sides: [&joint.c, &joint.d],
            enabled: joint.enabled,
            rows: filled(&joint.rows, rows),
            coordinates: filled(&joint.coordinates, coordinates),
        })
    }

    /// The joint and the number of the coordinate of which a property is the value.
    pub(crate) fn coordinate_of(&self, property: &PropertyRef) -> Option<(ComponentId, usize)> {
        let Address::Component(id) = property.host() else { return None };
        let info = property.info();
        if let Some(joint) = id.typed::<Joint>() {
            return Some((id, coordinate_index(&self.get(joint)?.settings.kind, info.name)?));
        }
        let name = info.name.strip_prefix("coordinate.")?;
        let ours = id.typed::<CustomJoint>().is_some() && name.ends_with(".value");
        ours.then_some((id, info.number))
    }

    /// Settings of a coordinate of a joint, to change.
    pub(crate) fn coordinate_mut(
        &mut self,
        (joint, at): (ComponentId, usize),
    ) -> Option<&mut CoordinateSettings> {
        match joint.typed::<Joint>() {
            Some(joint) => self.data_mut(joint)?.settings.coordinates.get_mut(at),
            None => self.data_mut(joint.typed::<CustomJoint>()?)?.coordinate_mut(at),
        }
    }
}
