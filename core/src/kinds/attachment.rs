//! Attachments: points that follow a body, a particle or a tissue, without multipliers.

use serde::{Deserialize, Serialize};

use std::collections::HashSet;

use crate::component::{Address, ComponentId, Handle, Reference};
use crate::kinds::{FemModel, Particle, PointRef, RigidBody};
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Paths, Problem, Put, Refusal, properties,
};

/// Master of attached points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Master {
    /// A rigid body: they keep their places in its frame.
    Body(Handle<RigidBody>),
    /// A particle: they keep their offsets from it.
    Particle(Handle<Particle>),
    /// A tissue: each follows the element that it lies in, or the nearest face, edge or node.
    Tissue(Handle<FemModel>),
}

/// Points that follow a master from where they are at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// The points.
    pub points: Vec<PointRef>,
    /// Their master.
    pub master: Master,
}

impl Master {
    /// The component that it is.
    pub fn component(self) -> ComponentId {
        match self {
            Self::Body(body) => body.id(),
            Self::Particle(particle) => particle.id(),
            Self::Tissue(fem) => fem.id(),
        }
    }

    /// The component as a master; `None` where it is of another kind.
    pub fn of(id: ComponentId) -> Option<Self> {
        let body = id.typed().map(Self::Body);
        let particle = || id.typed().map(Self::Particle);
        body.or_else(particle).or_else(|| id.typed().map(Self::Tissue))
    }

    /// Puts the one master of a list in the place of this one.
    fn put(&mut self, to: &[Address]) -> Put {
        let refusal = Refusal::Value("it must lead to a rigid body, a particle or a tissue");
        let [Address::Component(id)] = *to else { return Err(refusal) };
        *self = Self::of(id).ok_or(refusal)?;
        Ok(())
    }
}

impl Attachment {
    /// Points attached to a master.
    pub fn new(points: Vec<PointRef>, master: Master) -> Self {
        Self { name: String::new(), points, master }
    }

    /// Each point is there, once, free to follow, and not the master itself.
    fn check_points(&self, model: &dyn Components) -> Result<(), CheckError> {
        let mut seen = HashSet::new();
        for &point in &self.points {
            model.check_point("points", point)?;
            let target = || model.path(point.address());
            let must = match point {
                PointRef::Marker(_) => "free, and a frame marker follows its body already",
                PointRef::Particle(particle) if self.master == Master::Particle(particle) => {
                    "another than its master"
                }
                _ if !seen.insert(point) => return Err(Problem::Twice(target()).at("points")),
                _ => continue,
            };
            return Err(Problem::Unfit { target: target(), must }.at("points"));
        }
        Ok(())
    }
}

impl ModelComponent for Attachment {
    const HOME: Option<&'static str> = Some("attachments");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.points.iter().for_each(|point| visit(point.reference()));
        visit(Reference::hard(self.master.component()));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.points.iter_mut().for_each(|point| point.redirect(map));
        let Some(id) = map(self.master.component()) else { return };
        match &mut self.master {
            Master::Body(body) => *body = id.typed().unwrap_or(*body),
            Master::Particle(particle) => *particle = id.typed().unwrap_or(*particle),
            Master::Tissue(fem) => *fem = id.typed().unwrap_or(*fem),
        }
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        let master = self.master.component();
        if !model.contains(master) {
            return Err(Problem::Missing(model.path(master)).at("master"));
        }
        self.check_points(model)
    }

    properties! { Attachment {
        "master": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "Master: a rigid body, a particle or a tissue",
            reference (|it| vec![it.master.component().into()], |it, to| it.master.put(to)), check Attachment::check_points;
        "points": Paths = Paths::default(), "", FINITE, STRUCTURE, "The points that follow: particles or nodes",
            reference (|it| it.points.iter().map(|point| point.address()).collect(), |it, to| PointRef::put_all(&mut it.points, to)), check Attachment::check_points;
        "size": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of points", derived (|model: &dyn Components, it| i64::try_from(model.get(it)?.points.len()).ok());
    } }
}
