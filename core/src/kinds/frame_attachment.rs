//! Frame attachments: rigid bodies that follow a tissue, or points, without multipliers.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::rigid_body::put_body;
use crate::component::{Address, ComponentId, Handle, Reference};
use crate::kinds::{FemModel, PointRef, RigidBody};
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Paths, Problem, Put, Refusal, properties,
};
use crate::{Mat3, Vec3};

/// Middle one of the sums of squares of distances along three axes over the largest, below which points
/// lie on a line [-]: turns about it would be known to half of the digits at best.
const ON_A_LINE: f64 = 1e-8;

/// Master of an attached body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameMaster {
    /// A tissue: the element that the centre of mass lies in, or the one at the nearest place of the
    /// surface. It turns with the rotation of the deformation gradient there.
    Tissue(Handle<FemModel>),
    /// Points: it goes with their weighted mean, and turns as they do, by least squares.
    Points(Vec<PointRef>),
}

/// A rigid body that follows a tissue or points from where it is at the start. Its inertia is theirs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameAttachment {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// The body; forces must move it.
    pub body: Handle<RigidBody>,
    /// Its master.
    pub master: FrameMaster,
    /// Weight of each of the points [-], positive; empty: all the same.
    #[serde(default)]
    pub weights: Vec<f64>,
}

const NO_MASTER: Refusal =
    Refusal::Value("they must lead to one tissue, or to particles, frame markers or nodes");

impl FrameAttachment {
    /// A body on a tissue.
    pub fn to_tissue(body: Handle<RigidBody>, fem: Handle<FemModel>) -> Self {
        let master = FrameMaster::Tissue(fem);
        Self { name: String::new(), body, master, weights: Vec::new() }
    }

    /// A body on points with equal weights, at least three that do not lie on a line.
    pub fn to_points(body: Handle<RigidBody>, points: Vec<PointRef>) -> Self {
        let master = FrameMaster::Points(points);
        Self { name: String::new(), body, master, weights: Vec::new() }
    }

    fn addresses(&self) -> Vec<Address> {
        match &self.master {
            FrameMaster::Tissue(fem) => vec![(*fem).into()],
            FrameMaster::Points(points) => points.iter().map(|point| point.address()).collect(),
        }
    }

    fn put(&mut self, to: &[Address]) -> Put {
        let tissue = match *to {
            [Address::Component(id)] => id.typed().map(FrameMaster::Tissue),
            _ => None,
        };
        let points = || to.iter().map(|&at| PointRef::at(at)).collect::<Option<_>>();
        let points = || points().map(FrameMaster::Points);
        self.master = tissue.or_else(points).ok_or(NO_MASTER)?;
        Ok(())
    }

    fn check_masters(&self, model: &dyn Components) -> Result<(), CheckError> {
        let points = match &self.master {
            FrameMaster::Tissue(fem) => return model.checked_fem("masters", *fem).map(|_| ()),
            FrameMaster::Points(points) => points,
        };
        let mut seen = HashSet::new();
        for &point in points {
            model.check_point("masters", point)?;
            if !seen.insert(point) {
                return Err(Problem::Twice(model.path(point.address())).at("masters"));
            }
            if model.body_of(point) == Some(self.body) {
                let (target, must) = (model.path(point.address()), "no marker of the body itself");
                return Err(Problem::Unfit { target, must }.at("masters"));
            }
        }
        if points.len() < 3 {
            return Err(Problem::Few { given: points.len(), least: 3 }.at("masters"));
        }
        self.check_spread(model, points)
    }

    /// Points that are not all on a line.
    fn check_spread(&self, model: &dyn Components, points: &[PointRef]) -> Result<(), CheckError> {
        let at: Vec<Vec3> = points.iter().filter_map(|&p| model.start_of(p)).collect();
        let center = at.iter().sum::<Vec3>() / at.len() as f64;
        let spread: Mat3 = at.iter().map(|x| (x - center) * (x - center).transpose()).sum();
        let mut sizes: [f64; 3] = spread.symmetric_eigenvalues().into();
        sizes.sort_by(f64::total_cmp);
        if sizes[1] > ON_A_LINE * sizes[2] {
            return Ok(());
        }
        let (what, must) = ("distance of its points from a line", "positive");
        Err(Problem::Entry { what, value: sizes[1].max(0.0).sqrt(), must }.at("masters"))
    }

    fn check_weights(&self, _: &dyn Components) -> Result<(), CheckError> {
        let expected = match &self.master {
            FrameMaster::Points(points) if !self.weights.is_empty() => points.len(),
            FrameMaster::Points(_) | FrameMaster::Tissue(_) => 0,
        };
        if self.weights.len() != expected {
            return Err(Problem::Length { given: self.weights.len(), expected }.at("weights"));
        }
        let proper = |w: &&f64| !(**w > 0.0 && w.is_finite());
        match self.weights.iter().find(proper) {
            None => Ok(()),
            Some(&value) => {
                let (what, must) = ("weight", "positive");
                Err(Problem::Entry { what, value, must }.at("weights"))
            }
        }
    }
}

impl ModelComponent for FrameAttachment {
    const HOME: Option<&'static str> = Some("attachments");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(Reference::hard(self.body));
        match &self.master {
            FrameMaster::Tissue(fem) => visit(Reference::hard(*fem)),
            FrameMaster::Points(points) => points.iter().for_each(|p| visit(p.reference())),
        }
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.body.redirect(map);
        match &mut self.master {
            FrameMaster::Tissue(fem) => {
                fem.redirect(map);
            }
            FrameMaster::Points(points) => points.iter_mut().for_each(|p| p.redirect(map)),
        }
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_body("body", Some(self.body))?;
        self.check_masters(model)?;
        self.check_weights(model)
    }

    properties! { FrameAttachment {
        "body": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that follows",
            reference (|it| vec![it.body.into()], |it, to| put_body(&mut it.body, to)), check FrameAttachment::check_masters;
        "masters": Paths = Paths::default(), "", FINITE, STRUCTURE, "Master: one tissue, or three or more points",
            reference (FrameAttachment::addresses, FrameAttachment::put), check FrameAttachment::check_masters;
        "weights": Vec<f64> = Vec::new(), "-", POSITIVE, STRUCTURE, "Weight of each of the points; none: all the same", own (weights), check FrameAttachment::check_weights;
    } }
}
