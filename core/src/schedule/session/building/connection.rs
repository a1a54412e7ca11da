//! Connections: joints between bodies or to the ground, motors, springs, muscles, attachments.

use nalgebra::UnitQuaternion;

use super::place::{Picked, Target};
use super::{BuildError, Builder, Connection, Pick, add};
use crate::Vec3;
use crate::component::{ComponentId, Handle, Kind};
use crate::editing::EditCommand;
use crate::model::{Joint, PointRef, RigidBody};
use crate::property::{Pose, Value};

/// Distance of places that count as one, over the extent of everything [-].
const SAME: f64 = 1e-6;
/// Angular velocity of a motor without a load [rad/s]: a turn a second.
const SPEED: f64 = std::f64::consts::TAU;
/// Acceleration that a motor gives all that is joined to its part: twice what lifts it [m/s²].
const LIFT: f64 = 20.0;
/// Weight that a spring carries when it is this part of its length longer [-].
const SAG: f64 = 0.05;
/// Damping of a spring, in parts of the critical one for the whole mass [-].
const DAMPING: f64 = 0.1;
/// Force of a muscle, in weights of the whole mass [-].
const STRENGTH: f64 = 5.0;
/// Standard acceleration of free fall [m/s²].
const GRAVITY: f64 = 9.8;

impl Connection {
    /// Name in messages and of what is added.
    pub fn name(self) -> &'static str {
        match self {
            Self::Weld => "weld",
            Self::Hinge => "hinge",
            Self::Slider => "slider",
            Self::Nail => "nail",
            Self::Motor => "motor",
            Self::Spring => "spring",
            Self::Muscle => "muscle",
            Self::Attachment => "attachment",
        }
    }

    /// Kind of the joint that it is; `None` for what is none.
    fn joint(self) -> Option<&'static str> {
        match self {
            Self::Weld => Some("solid"),
            Self::Hinge | Self::Motor => Some("hinge"),
            Self::Slider => Some("slider"),
            Self::Nail => Some("spherical"),
            Self::Spring | Self::Muscle | Self::Attachment => None,
        }
    }
}

impl Builder<'_> {
    pub(super) fn connection(
        &self,
        connection: Connection,
        ends: [Pick; 2],
        axis: Vec3,
    ) -> Result<Vec<EditCommand>, BuildError> {
        let [a, b] = ends.map(|pick| self.picked(pick));
        let picked = [a?, b?];
        match connection {
            Connection::Spring | Connection::Muscle => self.line(connection, picked),
            Connection::Attachment => self.attachment(picked),
            Connection::Weld
            | Connection::Hinge
            | Connection::Slider
            | Connection::Nail
            | Connection::Motor => self.joint(connection, picked, axis),
        }
    }

    /// A joint where the first pick is; a part that is free is put where the other one is.
    fn joint(
        &self,
        connection: Connection,
        [first, second]: [Picked; 2],
        axis: Vec3,
    ) -> Result<Vec<EditCommand>, BuildError> {
        let model = self.model();
        let [body, mut other] = [self.body(first), self.body(second)];
        let reach = SAME * self.extent();
        let mut place = first.place;
        if body.is_some() && body == other {
            let there = body.and_then(|body| self.other_at(place, reach, body));
            let same = || BuildError::SameBody(body.map_or_else(String::new, |b| model.path(b)));
            other = Some(there.ok_or_else(same)?);
        } else if let (Some(body), Some(other)) = (body, other) {
            let apart = (second.place - first.place).norm();
            if apart > reach {
                return self.put_and_join(connection, [(body, first), (other, second)], axis);
            }
        } else if body.is_none() {
            place = second.place;
        }
        let bodies = [body, other];
        if bodies == [None, None] {
            return Err(BuildError::NoBody(connection.name()));
        }
        let mut commands = self.starts(&bodies.into_iter().flatten().collect::<Vec<_>>(), None);
        commands.extend(self.joint_at(connection, bodies, None, (place, axis))?);
        Ok(commands)
    }

    /// A joint between places that are apart: the part that is joined to nothing yet goes to the other one.
    fn put_and_join(
        &self,
        connection: Connection,
        ends: [(Handle<RigidBody>, Picked); 2],
        axis: Vec3,
    ) -> Result<Vec<EditCommand>, BuildError> {
        let model = self.model();
        let free = |&(body, _): &(Handle<RigidBody>, Picked)| {
            let moves = model.get(body).is_some_and(|body| body.dynamic);
            moves && super::start::is_alone(model, body)
        };
        let Some(k) = (0..2).find(|&k| free(&ends[k])) else {
            let [first, second] = ends.map(|(body, _)| model.path(body));
            let apart = (ends[1].1.place - ends[0].1.place).norm();
            return Err(BuildError::Apart { first, second, apart });
        };
        let ((moved, from), (_, to)) = (ends[k], ends[1 - k]);
        let mut pose = self.pose(moved)?;
        pose.translation.vector += to.place - from.place;
        let bodies = ends.map(|(body, _)| body);
        let mut commands = self.starts(&bodies, Some((moved, pose)));
        let put = Some((moved, pose));
        commands.extend(self.joint_at(connection, bodies.map(Some), put, (to.place, axis))?);
        Ok(commands)
    }

    /// A joint at a place, about or along an axis.
    fn joint_at(
        &self,
        connection: Connection,
        bodies: [Option<Handle<RigidBody>>; 2],
        put: Option<(Handle<RigidBody>, Pose)>,
        (place, axis): (Vec3, Vec3),
    ) -> Result<Vec<EditCommand>, BuildError> {
        let kind = connection.joint().ok_or(BuildError::NoBody(connection.name()))?;
        let turn = match axis.try_normalize(0.0) {
            Some(z) => UnitQuaternion::rotation_between(&Vec3::z(), &z).unwrap_or_else(|| {
                UnitQuaternion::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI)
            }),
            None => UnitQuaternion::identity(),
        };
        let frame = Pose::from_parts(place.into(), turn);
        let local = |body: Option<Handle<RigidBody>>| -> Result<Pose, BuildError> {
            let Some(body) = body else { return Ok(frame) };
            let here = put.filter(|(it, _)| *it == body).map(|(_, pose)| pose);
            Ok(here.map_or_else(|| self.pose(body), Ok)?.inv_mul(&frame))
        };
        // Frame C is on a body: the ground, where one side is it, is D.
        let [c, d] = if bodies[0].is_some() { bodies } else { [bodies[1], bodies[0]] };
        let (name, path) = self.fresh(Kind::Joint, connection.name());
        let mut properties = vec![("kind", kind.to_owned())];
        for (side, body) in [("body_c", c), ("body_d", d)] {
            properties.extend(body.map(|body| (side, self.model().path(body))));
        }
        properties.push(("frame_c", Value::Pose(local(c)?).to_string()));
        properties.push(("frame_d", Value::Pose(local(d)?).to_string()));
        let mut commands = vec![add("joint", &name, &properties)];
        if let (Connection::Motor, Some(body)) = (connection, c) {
            let arm = local(Some(body))?.translation.vector;
            commands.push(self.motor((&path, "theta"), body, arm.norm()));
        }
        Ok(commands)
    }

    /// A motor that lifts a body, and all that is joined to it, by an arm [m].
    fn motor(
        &self,
        (joint, coordinate): (&str, &str),
        body: Handle<RigidBody>,
        arm: f64,
    ) -> EditCommand {
        let model = self.model();
        let inertia = |body| model.get(body).and_then(|it: &RigidBody| it.spatial_inertia().ok());
        let gyration =
            inertia(body).map_or(0.0, |it| (0.5 * it.rotational().trace() / it.mass()).sqrt());
        let joined = self.joined(&[body]);
        let mass: f64 = joined.into_iter().filter_map(inertia).map(|it| it.mass()).sum();
        let force = LIFT * mass * (arm + gyration);
        let (name, _) = self.fresh(Kind::CoordinateActuator, "motor");
        let properties = [
            ("joint", joint.to_owned()),
            ("coordinate", coordinate.to_owned()),
            ("max_force", force.to_string()),
            ("excitation", "1".to_owned()),
            ("damping", (force / SPEED).to_string()),
        ];
        add("coordinate_actuator", &name, &properties)
    }

    /// A motor on the first coordinate of a joint.
    pub(super) fn motor_on(&self, id: ComponentId) -> Result<Vec<EditCommand>, BuildError> {
        let model = self.model();
        let joint = id.typed::<Joint>().and_then(|joint| model.get(joint));
        let joint = joint.ok_or(BuildError::Gone)?;
        let path = model.path(id);
        let [only] = joint.settings.kind.coordinate_specs() else {
            return Err(BuildError::NoCoordinate(path));
        };
        let mut sides = [joint.c.body, joint.d.body].into_iter().flatten();
        let moves = |body: &Handle<_>| model.get(*body).is_some_and(|it: &RigidBody| it.dynamic);
        let body = sides.find(moves).ok_or(BuildError::NoBody(Connection::Motor.name()))?;
        let arm = joint.c.pose.translation.vector.norm();
        Ok(vec![self.motor((&path, &only.name), body, arm)])
    }

    /// A spring or a muscle, at rest now.
    fn line(
        &self,
        connection: Connection,
        picked: [Picked; 2],
    ) -> Result<Vec<EditCommand>, BuildError> {
        let length = (picked[1].place - picked[0].place).norm();
        if length <= SAME * self.extent() {
            return Err(BuildError::NoLength(connection.name()));
        }
        let (name, _) = self.fresh(Kind::AxialSpring, connection.name());
        let mut commands = Vec::new();
        let bases = ["origin", "insertion"].map(|end| format!("{name}_{end}"));
        let first = self.point(picked[0], &bases[0], &mut commands)?;
        let second = self.point(picked[1], &bases[1], &mut commands)?;
        let mass = self.total_mass();
        let mut properties =
            vec![("first", first), ("second", second), ("rest_length", length.to_string())];
        if connection == Connection::Muscle {
            properties.push(("material", "simple_muscle".to_owned()));
            properties.push(("material.max_force", (STRENGTH * mass * GRAVITY).to_string()));
        } else {
            let stiffness = mass * GRAVITY / (SAG * length);
            let damping = 2.0 * DAMPING * (stiffness * mass).sqrt();
            properties.push(("material.stiffness", stiffness.to_string()));
            properties.push(("material.damping", damping.to_string()));
        }
        commands.push(add("axial_spring", &name, &properties));
        Ok(commands)
    }

    fn attachment(&self, [point, to]: [Picked; 2]) -> Result<Vec<EditCommand>, BuildError> {
        let model = self.model();
        let is_point = |it: &PointRef| !matches!(it, PointRef::Marker(_));
        let Target::Point(point) = point.target else { return Err(BuildError::NoPoint) };
        let point = Some(point).filter(is_point).ok_or(BuildError::NoPoint)?;
        let master = match (self.body(to), to.target) {
            (Some(body), _) => model.path(body),
            (None, Target::Point(point)) => model.path(point.component()),
            (None, Target::Ground | Target::Body(_)) => return Err(BuildError::NoMaster),
        };
        let points = vec![model.path(point.address())];
        Ok(vec![EditCommand::Attach { points, to: master }])
    }

    /// Extent of everything [m]; 1 m where that is nothing.
    fn extent(&self) -> f64 {
        let q = &self.simulated.state.q;
        let first = q.first().copied().unwrap_or_default();
        let spread = |(low, high): (Vec3, Vec3), q: &Vec3| (low.inf(q), high.sup(q));
        let (low, high) = q.iter().fold((first, first), spread);
        let extent = (high - low).norm();
        if extent > 0.0 { extent } else { 1.0 }
    }
}
