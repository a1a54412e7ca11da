//! Points on rigid bodies: where muscles, loads and constraints take hold. A point may move in its body with
//! coordinates of joints, and be part of paths at some values of a coordinate only.

use serde::{Deserialize, Serialize};

use super::marker_motion::{MarkerRange, PointMove, moves_from_text, moves_text};
use super::rigid_body::put_body;
use crate::Vec3;
use crate::component::{Address, ComponentId, Handle, Invalidates, Reference, TransformRefusal};
use crate::kinds::{JointCoordinate, RigidBody};
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Paths, Problem, Put, Refusal, Transformation,
    properties,
};

/// A point on a rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameMarker {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// The body.
    pub body: Handle<RigidBody>,
    /// Position in the frame of the body [m].
    pub location: Vec3,
    /// Coordinates of the location that follow coordinates of joints.
    #[serde(default)]
    pub moves: Vec<PointMove>,
    /// Values of a coordinate at which it is part of paths; it always is where there are none.
    #[serde(default)]
    pub active: Option<MarkerRange>,
}

impl FrameMarker {
    /// A point of a body, in its frame [m].
    pub fn new(body: Handle<RigidBody>, location: Vec3) -> Self {
        Self { name: String::new(), body, location, moves: Vec::new(), active: None }
    }

    /// Position in the frame of the body at the start [m].
    pub(crate) fn place(&self, model: &dyn Components) -> Vec3 {
        let mut place = self.location;
        for moving in &self.moves {
            let value = moving.of.start(model, moving.near());
            let function = value.and_then(|value| moving.function.of(&[value]));
            place[moving.axis.index()] = function.unwrap_or(self.location[moving.axis.index()]);
        }
        place
    }

    /// Position at the start, in the world [m]; `None` when its body is not there.
    pub fn position(&self, model: &dyn Components) -> Option<Vec3> {
        Some(model.get(self.body)?.pose.transform_point(&self.place(model).into()).coords)
    }

    fn put_joints(&mut self, to: &[Address]) -> Put {
        let mut moves = self.moves.clone();
        moves.resize_with(to.len(), PointMove::default);
        for (moving, joint) in moves.iter_mut().zip(to) {
            moving.of.put_joint(joint)?;
        }
        self.moves = moves;
        Ok(())
    }

    fn put_moves(&mut self, text: &str) -> Put {
        let Ok(parts) = moves_from_text(text) else {
            return Err(Refusal::Value(
                "it must be like 'x of knee_angle by spline 0 0.1 1 0.2; y of knee_angle by polynomial 0 1'",
            ));
        };
        if parts.len() != self.moves.len() {
            return Err(Refusal::Value("it must be one function for each of its move_joints"));
        }
        for (moving, (axis, coordinate, function)) in self.moves.iter_mut().zip(parts) {
            let of = JointCoordinate { joint: moving.of.joint, coordinate };
            *moving = PointMove { axis, of, function };
        }
        Ok(())
    }

    fn put_active(&mut self, to: &[Address]) -> Put {
        let known = self.active.take().unwrap_or_default();
        self.active = match to {
            [] => None,
            [joint] => {
                let mut active = known;
                active.of.put_joint(joint)?;
                Some(active)
            }
            _ => return Err(Refusal::Value("it must lead to one joint, or none")),
        };
        Ok(())
    }

    fn put_active_coordinate(&mut self, coordinate: String) -> Put {
        match &mut self.active {
            Some(active) => active.of.coordinate = coordinate,
            None if coordinate.is_empty() => {}
            None => return Err(Refusal::Value("it needs an active_joint first")),
        }
        Ok(())
    }

    fn put_active_range(&mut self, list: &[f64]) -> Put {
        match (&mut self.active, list) {
            (Some(active), &[low, high]) => active.range = [low, high],
            (None, []) => {}
            (Some(_), _) => return Err(Refusal::Value("it must be two numbers")),
            (None, _) => return Err(Refusal::Value("it needs an active_joint first")),
        }
        Ok(())
    }

    fn check_moves(&self, model: &dyn Components) -> Result<(), CheckError> {
        for (k, moving) in self.moves.iter().enumerate() {
            moving.of.check(model, ["move_joints", "moves"])?;
            let twice = self.moves[..k].iter().any(|before| before.axis == moving.axis);
            if twice || moving.function.of(&[0.0]).is_none() {
                let (what, value) = ("number of functions of one coordinate", self.moves.len());
                let must = "one function of one coordinate of a joint for an axis at most";
                return Err(Problem::Entry { what, value: value as f64, must }.at("moves"));
            }
        }
        Ok(())
    }

    fn check_active(&self, model: &dyn Components) -> Result<(), CheckError> {
        let Some(active) = &self.active else { return Ok(()) };
        active.of.check(model, ["active_joint", "active_coordinate"])?;
        let [low, high] = active.range;
        if low <= high {
            return Ok(());
        }
        let (what, must) = ("lower end", "at most the upper one");
        Err(Problem::Entry { what, value: low, must }.at("active_range"))
    }
}

impl ModelComponent for FrameMarker {
    const HOME: Option<&'static str> = Some("frame_markers");
    const DEFORMED: Invalidates = Invalidates::GEOMETRY;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(Reference::hard(self.body));
        self.moves.iter().for_each(|it| it.of.visit(visit));
        self.active.iter().for_each(|it| it.of.visit(visit));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.body.redirect(map);
        self.moves.iter_mut().for_each(|it| it.of.redirect(map));
        self.active.iter_mut().for_each(|it| it.of.redirect(map));
    }

    /// It keeps its place in a body that is deformed.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let location = transformation.place_on(self.body, &self.location)?;
        if location != self.location && !self.moves.is_empty() {
            return Err(TransformRefusal::Code);
        }
        self.location = location;
        if let Some(active) = &mut self.active {
            let factor = transformation.coordinate_factor(&active.of)?;
            active.range = active.range.map(|end| end * factor);
            if factor < 0.0 {
                active.range.reverse();
            }
        }
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_body("body", Some(self.body))?;
        self.check_moves(model)?;
        self.check_active(model)
    }

    properties! { FrameMarker {
        "body": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that it is on",
            reference (|marker| vec![marker.body.into()], |marker, to| put_body(&mut marker.body, to));
        "location": Vec3 = Vec3::zeros(), "m", FINITE, GEOMETRY, "Position in the frame of its body; coordinates that move follow their functions", own (location);
        "move_joints": Paths = Paths::default(), "", FINITE, STRUCTURE, "For each coordinate of its location that moves the joint that it moves with",
            reference (|marker| marker.moves.iter().map(|it| it.of.joint.into()).collect(), |marker, to| marker.put_joints(to)), check FrameMarker::check_moves;
        "moves": String = String::new(), "", FINITE, STRUCTURE, "For each of its move_joints the coordinate of the location, that of the joint, and a function [m]: 'x of theta by spline 0 0.1 1 0.2'; parted by ';' (docs/reference/joints.md)",
            via (|marker: &FrameMarker| Some(moves_text(&marker.moves)), |marker: &mut FrameMarker, text: String| marker.put_moves(&text)), check FrameMarker::check_moves;
        "active_joint": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "Joint of the coordinate that says whether paths go through it; empty where they always do",
            reference (|marker| marker.active.iter().map(|it| it.of.joint.into()).collect(), |marker, to| marker.put_active(to)), check FrameMarker::check_active;
        "active_coordinate": String = String::new(), "", FINITE, STRUCTURE, "That coordinate",
            via (|marker: &FrameMarker| Some(marker.active.as_ref().map_or_else(String::new, |it| it.of.coordinate.clone())), |marker: &mut FrameMarker, name: String| marker.put_active_coordinate(name)), check FrameMarker::check_active;
        "active_range": Vec<f64> = Vec::new(), "m, rad", FINITE, STRUCTURE, "Values of that coordinate between which paths go through it",
            via (|marker: &FrameMarker| Some(marker.active.as_ref().map_or_else(Vec::new, |it| it.range.to_vec())), |marker: &mut FrameMarker, list: Vec<f64>| marker.put_active_range(&list)), check FrameMarker::check_active;
        "position": Vec3 = Vec3::zeros(), "m", FINITE, NOTHING, "Position; of a model, that at the start", derived (|model: &dyn Components, marker| model.get(marker)?.position(model));
        "velocity": Vec3 = Vec3::zeros(), "m/s", FINITE, NOTHING, "Velocity", simulated ();
        "displacement": Vec3 = Vec3::zeros(), "m", FINITE, NOTHING, "Position now minus that at the start", simulated ();
    } }
}
