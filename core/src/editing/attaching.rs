//! Points attached to masters and taken off them, with the reasons against it.

use std::collections::BTreeSet;

use super::apply::component;
use super::{AttachError, EditCommandError};
use crate::component::{Address, ComponentId, Handle};
use crate::kinds::{Attachment, FrameAttachment, FrameMarker, FrameMaster, Master, PointRef};
use crate::model::{Batch, Edit, MechModel, Model};
use crate::property::{PropertyRef, Setting, Value};

impl Batch<'_> {
    /// Lets points follow a master: by the attachment of that master that there is, or a new one.
    pub(super) fn attach(&mut self, points: &[String], to: &str) -> Result<(), EditCommandError> {
        let target = component(self, to)?;
        let master = Master::of(target).ok_or_else(|| AttachError::NoMaster(to.to_owned()))?;
        let mut refs = Vec::with_capacity(points.len());
        for path in points {
            let point = point_at(self, path)?;
            self.check_attachable((path, point), (to, master))?;
            if refs.contains(&point) {
                continue;
            }
            refs.push(point);
        }
        let known =
            attachments(self).find(|&at| self.get(at).is_some_and(|it| it.master == master));
        let Some(at) = known else {
            let home = self.first::<MechModel>().map_or(crate::component::ROOT, Handle::id);
            self.edit(Edit::add(home, Attachment::new(refs, master)))?;
            return Ok(());
        };
        let mut all = self.get(at).map_or_else(Vec::new, |it| it.points.clone());
        all.extend(refs);
        self.put_points(at, &all)
    }

    /// Lets points follow nobody; an attachment that has no point left goes.
    pub(super) fn detach(&mut self, points: &[String]) -> Result<(), EditCommandError> {
        for path in points {
            let point = point_at(self, path)?;
            let holds = |model: &Model, at: Handle<Attachment>| {
                model.get(at).is_some_and(|it| it.points.contains(&point))
            };
            let Some(at) = attachments(self).find(|&at| holds(self, at)) else {
                return Err(AttachError::Free(path.clone()).into());
            };
            let mut rest = self.get(at).map_or_else(Vec::new, |it| it.points.clone());
            rest.retain(|other| *other != point);
            if rest.is_empty() {
                self.edit(Edit::delete(at))?;
            } else {
                self.put_points(at, &rest)?;
            }
        }
        Ok(())
    }

    fn put_points(
        &mut self,
        at: Handle<Attachment>,
        points: &[PointRef],
    ) -> Result<(), EditCommandError> {
        let property: PropertyRef = self.property_of(at, "points")?;
        let paths = points.iter().map(|point| self.path(point.address())).collect();
        self.edit(Edit::Set { property, setting: Setting::Explicit(Value::Paths(paths)) })?;
        Ok(())
    }

    /// Checks that a point may follow a master.
    fn check_attachable(
        &self,
        (path, point): (&str, PointRef),
        (to, master): (&str, Master),
    ) -> Result<(), AttachError> {
        let [of_point, of_master] = [path, to].map(str::to_owned);
        for at in attachments(self) {
            let Some(it) = self.get(at).filter(|it| it.points.contains(&point)) else { continue };
            let master = self.path(it.master.component());
            return Err(AttachError::Follows {
                point: of_point,
                master,
                attachment: self.path(at),
            });
        }
        let is_fixed = match point {
            PointRef::Particle(particle) => self.get(particle).is_some_and(|it| it.fixed),
            PointRef::FemNode(fem, node) => {
                self.get(fem).is_some_and(|fem| fem.fixed(node as usize).contains(&true))
            }
            PointRef::Marker(_) => false,
        };
        if is_fixed {
            return Err(AttachError::Fixed(of_point));
        }
        match (point, master) {
            (PointRef::FemNode(fem, _), Master::Tissue(other)) if fem == other => {
                Err(AttachError::Own { point: of_point, master: of_master })
            }
            _ if leaders(self, master).contains(&point.address().component()) => {
                Err(AttachError::Circle { point: of_point, master: of_master })
            }
            _ => Ok(()),
        }
    }
}

/// A master, whom it follows, and whom these follow.
fn leaders(model: &Model, master: Master) -> BTreeSet<ComponentId> {
    let (mut known, mut rest) = (BTreeSet::new(), vec![master.component()]);
    while let Some(id) = rest.pop() {
        if !known.insert(id) {
            continue;
        }
        let is_it = |point: &PointRef| matches!(point, PointRef::Particle(own) if own.id() == id);
        let attached = attachments(model).filter_map(|at| model.get(at));
        rest.extend(
            attached.filter(|it| it.points.iter().any(is_it)).map(|it| it.master.component()),
        );
        let fitted = model.iter::<FrameAttachment>().filter(|(_, it)| it.body.id() == id);
        for (_, it) in fitted {
            match &it.master {
                FrameMaster::Tissue(fem) => rest.push(fem.id()),
                FrameMaster::Points(points) => rest.extend(points.iter().map(|&point| {
                    body_of(model, point).unwrap_or_else(|| point.address().component())
                })),
            }
        }
    }
    known
}

/// The body that a marker is on.
fn body_of(model: &Model, point: PointRef) -> Option<ComponentId> {
    match point {
        PointRef::Marker(marker) => model.get(marker).map(|marker| marker.body.id()),
        PointRef::Particle(_) | PointRef::FemNode(..) => None,
    }
}

/// All attachments of points.
fn attachments(model: &Model) -> impl Iterator<Item = Handle<Attachment>> + '_ {
    model.iter::<Attachment>().map(|(handle, _)| handle)
}

/// The point at a path that can follow.
fn point_at(model: &Model, path: &str) -> Result<PointRef, EditCommandError> {
    let address = model.find(path)?;
    if let Address::Component(id) = address
        && id.typed::<FrameMarker>().is_some()
    {
        return Err(AttachError::Marker(path.to_owned()).into());
    }
    PointRef::at(address).ok_or_else(|| AttachError::NoPoint(path.to_owned()).into())
}
