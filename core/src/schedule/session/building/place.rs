//! Places that were picked, resolved to bodies and points of the model.

use super::super::command::DragPoint;
use super::{BuildError, Builder, Pick, add, text_of};
use crate::Vec3;
use crate::component::{ComponentId, Handle, Kind};
use crate::editing::EditCommand;
use crate::model::{
    Collider, FrameMarker, Joint, Model, PointRef, RenderMesh, RigidBody, WrapSurface,
};
use crate::property::Pose;
use crate::system::{CompiledModel, MechSystem};

/// Target of a pick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    /// Free space, or something that nothing moves.
    Ground,
    /// A point.
    Point(PointRef),
    /// A body.
    Body(Handle<RigidBody>),
}

/// Target of a pick, and its place now, world [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Picked {
    pub(super) target: Target,
    pub(super) place: Vec3,
}

/// The point of a row of the state.
pub(crate) fn point_at(model: &Model, compiled: &CompiledModel, row: u32) -> Option<PointRef> {
    let row = row as usize;
    let particles = compiled.particles().iter();
    let mut particles = particles.filter(|&&it| compiled.block_of_particle(it) == row);
    if let Some(&particle) = particles.next() {
        return Some(PointRef::Particle(particle));
    }
    let of_marker = |it: &&_| compiled.find_row(PointRef::Marker(**it)) == Some(row);
    if let Some(&marker) = compiled.markers().iter().find(of_marker) {
        return Some(PointRef::Marker(marker));
    }
    compiled.fems().iter().find_map(|&fem| {
        let mut nodes = 0..model[fem].mesh.nodes.len();
        let node = nodes.find(|&node| compiled.block_of_node(fem, node) == row)?;
        Some(PointRef::FemNode(fem, node as u32))
    })
}

/// The body, or the ground, that a drawn component is on, and a place of it in that frame [m]; `None` for what is drawn
/// otherwise.
pub(crate) fn site_of(
    model: &Model,
    id: ComponentId,
    at: Vec3,
) -> Option<(Option<Handle<RigidBody>>, Vec3)> {
    if let Some(body) = id.typed::<RigidBody>() {
        return model.contains(id).then_some((Some(body), at));
    }
    let site = match id.kind() {
        Kind::Collider => model.get(id.typed::<Collider>()?)?.site,
        Kind::WrapSurface => model.get(id.typed::<WrapSurface>()?)?.site,
        Kind::Joint => model.get(id.typed::<Joint>()?)?.d,
        Kind::RenderMesh => model.get(id.typed::<RenderMesh>()?)?.site,
        _ => return None,
    };
    Some((site.body, site.pose.transform_point(&at.into()).coords))
}

impl Builder<'_> {
    /// Pose of a body now.
    pub(super) fn pose(&self, body: Handle<RigidBody>) -> Result<Pose, BuildError> {
        let motion = self.simulated.compiled.body_motion(body, self.simulated.state);
        motion.map(|(pose, ..)| pose).ok_or(BuildError::Gone)
    }

    /// Target of a pick.
    pub(super) fn picked(&self, pick: Pick) -> Result<Picked, BuildError> {
        let model = self.model();
        match pick.grabbed {
            None => Ok(Picked { target: Target::Ground, place: pick.place }),
            Some(DragPoint::Point(row)) => {
                let point = point_at(model, self.simulated.compiled, row);
                let place = self.simulated.state.q.get(row as usize);
                let (point, place) = point.zip(place).ok_or(BuildError::Gone)?;
                Ok(Picked { target: Target::Point(point), place: *place })
            }
            Some(DragPoint::Body(id, at)) => match site_of(model, id, at) {
                Some((Some(body), at)) => {
                    let place = self.pose(body)?.transform_point(&at.into()).coords;
                    Ok(Picked { target: Target::Body(body), place })
                }
                Some((None, place)) => Ok(Picked { target: Target::Ground, place }),
                None => Err(BuildError::Gone),
            },
        }
    }

    /// The body of what is picked.
    pub(super) fn body(&self, picked: Picked) -> Option<Handle<RigidBody>> {
        match picked.target {
            Target::Body(body) => Some(body),
            Target::Point(PointRef::Marker(marker)) => Some(self.model().get(marker)?.body),
            Target::Point(PointRef::Particle(_) | PointRef::FemNode(..)) | Target::Ground => None,
        }
    }

    /// Path of the point at what is picked; where there is none yet, a marker or a fixed particle that the commands add.
    pub(super) fn point(
        &self,
        picked: Picked,
        base: &str,
        commands: &mut Vec<EditCommand>,
    ) -> Result<String, BuildError> {
        let model = self.model();
        match picked.target {
            Target::Point(point) => Ok(model.path(point.address())),
            Target::Body(body) => {
                let (name, path) = self.fresh(Kind::FrameMarker, base);
                let at = self.pose(body)?.inverse_transform_point(&picked.place.into()).coords;
                let properties = [("body", model.path(body)), ("location", text_of(at))];
                commands.push(add("frame_marker", &name, &properties));
                Ok(path)
            }
            Target::Ground => {
                let (name, path) = self.fresh(Kind::Particle, base);
                let properties =
                    [("position", text_of(picked.place)), ("dynamic", false.to_string())];
                commands.push(add("particle", &name, &properties));
                Ok(path)
            }
        }
    }

    /// Another body with a marker within this distance of a place [m].
    pub(super) fn other_at(
        &self,
        place: Vec3,
        reach: f64,
        body: Handle<RigidBody>,
    ) -> Option<Handle<RigidBody>> {
        let compiled = self.simulated.compiled;
        let others = self.model().iter::<FrameMarker>().filter(|(_, it)| it.body != body);
        let near = others.filter_map(|(marker, it)| {
            let row = compiled.find_row(PointRef::Marker(marker))?;
            let apart = (self.simulated.state.q.get(row)? - place).norm();
            (apart <= reach).then_some((apart, it.body))
        });
        near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, body)| body)
    }

    /// A marker on a body, or a point of a small mass that follows a tissue.
    pub(super) fn marker(&self, pick: Pick) -> Result<Vec<EditCommand>, BuildError> {
        let picked = self.picked(pick)?;
        let mut commands = Vec::new();
        match (self.body(picked), picked.target) {
            (Some(body), _) => {
                let picked = Picked { target: Target::Body(body), ..picked };
                self.point(picked, "marker", &mut commands)?;
            }
            (None, Target::Point(PointRef::FemNode(fem, node))) => {
                let (name, path) = self.fresh(Kind::Particle, "marker");
                let row = self.simulated.compiled.block_of_node(fem, node as usize);
                // It stands as far from the node as where one clicked, at rest.
                let moved = picked.place - self.simulated.compiled.rest_positions()[row];
                let mass = (MARKER_MASS * self.total_mass()).to_string();
                let place = text_of(pick.place - moved);
                commands.push(add("particle", &name, &[("position", place), ("mass", mass)]));
                let to = self.model().path(fem);
                commands.push(EditCommand::Attach { points: vec![path], to });
            }
            (None, Target::Ground | Target::Body(_) | Target::Point(_)) => {
                return Err(BuildError::NoSurface);
            }
        }
        Ok(commands)
    }

    /// Mass of everything that moves; 1 kg where that is nothing.
    pub(super) fn total_mass(&self) -> f64 {
        let mass: f64 = self.simulated.compiled.masses().iter().sum();
        if mass > 0.0 { mass } else { 1.0 }
    }
}

/// Mass of a marker on a tissue over that of everything [-]: of no weight, and large enough to be told from rounding.
const MARKER_MASS: f64 = 1e-9;
