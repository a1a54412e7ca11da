//! Transformations of space worked out in full: whom a map is applied to, who goes along, and what becomes of each.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::change_set::Op;
use crate::component::{
    ComponentId, Invalidates, Kind, ROOT, SpatialMap, TransformOptions, TransformRefusal,
};
use crate::model::{CustomJoint, EditError, Model, for_kind};
use crate::property::{ModelComponent, Setting, Transformation, Value};

impl Model {
    /// Works out a transformation of components and all below them.
    pub(super) fn plan_deformation(
        &self,
        ids: &[ComponentId],
        map: &SpatialMap,
        options: TransformOptions,
    ) -> Result<Vec<Op>, EditError> {
        ids.iter().try_for_each(|&id| self.present(id))?;
        let refused = |id, refusal| Err(EditError::Transform { path: self.path(id), refusal });
        if let Some(&first) = ids.first()
            && map.affine().is_some_and(|map| !map.is_finite())
        {
            return refused(first, TransformRefusal::NotFinite);
        }
        let mut moved = BTreeSet::new();
        for &id in ids {
            self.store.visit_subtree(id, &mut |id| {
                moved.insert(id);
            });
        }
        let along = self.going_along(&moved, map);
        let rigid = map.rigid().is_some();
        let (mut ops, logged) = (Vec::new(), map.affine().map(|map| Arc::new(*map)));
        for &id in moved.union(&along) {
            let invalidates = for_kind!(id.kind, T => if rigid { T::MOVED } else { T::DEFORMED });
            if invalidates == Invalidates::NOTHING {
                continue;
            }
            let Some(mut other) = self.store.cloned(id) else { continue };
            let selected = moved.contains(&id);
            let by = Transformation { map, options, model: self, moved: &moved, id, selected };
            let parameters = self.image_of_code(id, &by);
            if let Err(refusal) = other.transform(&by) {
                return refused(id, refusal);
            }
            ops.push(Op::Swap { id, other: Box::new(other), invalidates, map: logged.clone() });
            ops.extend(parameters?);
        }
        Ok(ops)
    }

    /// Settings of the parameters of a joint of code where a map has them.
    fn image_of_code(
        &self,
        id: ComponentId,
        by: &Transformation<'_>,
    ) -> Result<Vec<Op>, EditError> {
        let joint = id.typed::<CustomJoint>().and_then(|joint| self.get(joint));
        let image = joint.map_or(Ok(None), |joint| joint.code_image(by));
        let refused = |refusal| EditError::Transform { path: self.path(id), refusal };
        let parameters = image.map_err(refused)?.unwrap_or_default().parameters;
        let op = |(name, value): (String, Value)| {
            let property = self.property_of(id, &name)?;
            let other = Setting::Explicit(value);
            self.plan_setting(&property, &other)?;
            Ok(Op::Set { property, other, along: Vec::new() })
        };
        parameters.into_iter().map(op).collect()
    }

    /// Components that go along though nobody named them: what is on bodies that are deformed, fibres of tissues that
    /// turn, and what counts by coordinates of joints that change.
    fn going_along(
        &self,
        moved: &BTreeSet<ComponentId>,
        map: &SpatialMap,
    ) -> BTreeSet<ComponentId> {
        let deforms = map.rigid().is_none();
        let turns = map.affine().is_none_or(|map| map.linear != crate::Mat3::identity());
        if !turns {
            return BTreeSet::new();
        }
        let on_moved = |id: ComponentId| {
            let mut on_moved = false;
            self.store.visit_refs(id, &mut |r| on_moved |= moved.contains(&r.target));
            on_moved
        };
        let taken = |id: ComponentId, target: ComponentId| match (id.kind, target.kind) {
            (Kind::ReferenceList, _) => false,
            (Kind::MuscleBundle | Kind::Shell, Kind::FemModel) => moved.contains(&target),
            (_, Kind::RigidBody) => deforms && moved.contains(&target),
            (_, Kind::Joint | Kind::CustomJoint) => {
                deforms && (moved.contains(&target) || on_moved(target))
            }
            _ => false,
        };
        let mut along = BTreeSet::new();
        self.store.visit_subtree(ROOT, &mut |id| {
            let mut goes = false;
            self.store.visit_refs(id, &mut |r| goes |= taken(id, r.target));
            if goes && !moved.contains(&id) {
                along.insert(id);
            }
        });
        along
    }
}
