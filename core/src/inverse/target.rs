//! Targets that follow a course: points, bodies, coordinates of joints, forces; their values, and
//! derivatives by the rows.

use nalgebra::UnitQuaternion;

use crate::Vec3;
use crate::component::{Address, ComponentId, FemPart, Handle, Kind};
use crate::constraint::JointTerm;
use crate::dynamics::{tangent_map_inverse, turn_between};
use crate::formula::part_names;
use crate::inverse::InverseError;
use crate::inverse::force_target::PlacedForce;
use crate::inverse::sensor_target::check_sensor;
use crate::inverse::surface_target::{nodes_of, rows_of, surface_at, surface_path};
use crate::model::{
    Collider, CollisionBehavior, FemModel, JointCoordinate, Model, PointConstrainer, PointRef,
    RigidBody, Sensor,
};
use crate::property::{PropertyRef, Value};
use crate::schedule::Simulation;
use crate::system::{CompiledModel, State};

/// Quantity that follows a course.
#[derive(Clone, Debug, PartialEq)]
pub enum TargetKind {
    /// Position of a particle, a frame marker or a node of a tissue [m].
    Point(PointRef),
    /// Mean place of the nodes of a set of a tissue, `node_sets.NAME`, or of the faces of one, `face_sets.NAME` [m].
    Surface(Handle<FemModel>, String),
    /// Origin of the frame of a body [m].
    Origin(Handle<RigidBody>),
    /// Turn of the frame of a body, direction times angle [rad].
    Orientation(Handle<RigidBody>),
    /// A coordinate of a joint [m], [rad].
    Coordinate(JointCoordinate),
    /// Force of a joint, of a kind or of its own functions, on the body of its frame C [N].
    JointForce(ComponentId),
    /// Moment of a joint on that body about the origin of C, in world axes [N m].
    JointMoment(ComponentId),
    /// Force of a constraint on its point [N].
    PointForce(Handle<PointConstrainer>),
    /// Sum of the forces of the contacts of a pair on its side A [N], such as a bite force.
    PairForce(Handle<CollisionBehavior>),
    /// Sum of the forces of contacts on a collider [N].
    ColliderForce(Handle<Collider>),
    /// Reading of a sensor, the number or the length of the vector, without its noise, delay and dynamics.
    Sensor(Handle<Sensor>),
}

/// A quantity with its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionTarget {
    /// Point, body, coordinate or force that follows the course.
    pub kind: TargetKind,
    /// Weight of its squared error of velocity, or of force, among those of all targets [-].
    pub weight: f64,
    /// Factors of the weight along the axes of the world [-]; of a coordinate the first.
    pub directions: [f64; 3],
}

impl MotionTarget {
    /// One with weights of 1.
    pub fn new(kind: TargetKind) -> Self {
        Self { kind, weight: 1.0, directions: [1.0; 3] }
    }

    /// The quantity that a property is: `position` of a point or a body, `orientation` of a body,
    /// `coordinate.NAME.value` of a joint, `force` and `moment` of a joint, `force` of a constraint of a point, a pair that touches or a collider,
    /// `value` of a sensor; or `node_sets.NAME.position` and `face_sets.NAME.position` of a tissue, the mean of their nodes.
    ///
    /// # Errors
    /// [`InverseError::Property`]; [`InverseError::Target`] where it is none of these.
    pub fn at(model: &Model, path: &str) -> Result<Self, InverseError> {
        if let Some(surface) = surface_at(model, path) {
            return surface.map(|(fem, set)| Self::new(TargetKind::Surface(fem, set)));
        }
        let property = model.property(path)?;
        let name = property.info().name;
        let none = || InverseError::Target(path.to_owned());
        let kind = match (property.host(), name) {
            (at @ Address::Node(..), "position") => PointRef::at(at).ok_or_else(none)?.into(),
            (Address::Component(id), "position") => match id.kind() {
                Kind::Particle => PointRef::Particle(id.typed().ok_or_else(none)?).into(),
                Kind::FrameMarker => PointRef::Marker(id.typed().ok_or_else(none)?).into(),
                Kind::RigidBody => TargetKind::Origin(id.typed().ok_or_else(none)?),
                _ => return Err(none()),
            },
            (Address::Component(id), "orientation") => {
                TargetKind::Orientation(id.typed().ok_or_else(none)?)
            }
            (Address::Component(id), "force") => force_of(id).ok_or_else(none)?,
            (Address::Component(id), "moment")
                if matches!(id.kind(), Kind::Joint | Kind::CustomJoint) =>
            {
                TargetKind::JointMoment(id)
            }
            (Address::Component(id), "value") if id.kind() == Kind::Sensor => {
                let sensor = id.typed().ok_or_else(none)?;
                check_sensor(model, sensor)?;
                TargetKind::Sensor(sensor)
            }
            (Address::Component(id), name) => {
                let coordinate =
                    name.strip_prefix("coordinate.").and_then(|it| it.strip_suffix(".value"));
                TargetKind::Coordinate(JointCoordinate::new(id, coordinate.ok_or_else(none)?))
            }
            _ => return Err(none()),
        };
        Ok(Self::new(kind))
    }

    /// Count of its numbers.
    pub fn size(&self) -> usize {
        match self.kind {
            TargetKind::Point(_)
            | TargetKind::Surface(..)
            | TargetKind::Origin(_)
            | TargetKind::Orientation(_)
            | TargetKind::JointForce(_)
            | TargetKind::JointMoment(_)
            | TargetKind::PointForce(_)
            | TargetKind::PairForce(_)
            | TargetKind::ColliderForce(_) => 3,
            TargetKind::Coordinate(_) | TargetKind::Sensor(_) => 1,
        }
    }

    /// The path of the property that it is.
    pub fn path(&self, model: &Model) -> String {
        match &self.kind {
            TargetKind::Point(PointRef::Particle(p)) => format!("{}:position", model.path(*p)),
            TargetKind::Point(PointRef::Marker(m)) => format!("{}:position", model.path(*m)),
            TargetKind::Point(PointRef::FemNode(fem, node)) => {
                format!("{}:position", model.path(FemPart::Nodes.address(*fem, *node)))
            }
            TargetKind::Surface(fem, set) => surface_path(model, *fem, set),
            TargetKind::Origin(body) => format!("{}:position", model.path(*body)),
            TargetKind::Orientation(body) => format!("{}:orientation", model.path(*body)),
            TargetKind::Coordinate(of) => of.property_path(model, "value"),
            TargetKind::JointForce(joint) => format!("{}:force", model.path(*joint)),
            TargetKind::JointMoment(joint) => format!("{}:moment", model.path(*joint)),
            TargetKind::PointForce(constrainer) => format!("{}:force", model.path(*constrainer)),
            TargetKind::PairForce(behavior) => format!("{}:force", model.path(*behavior)),
            TargetKind::ColliderForce(collider) => format!("{}:force", model.path(*collider)),
            TargetKind::Sensor(sensor) => format!("{}:value", model.path(*sensor)),
        }
    }

    /// The property that it is; of a surface that of one of its nodes, which has the same unit.
    ///
    /// # Errors
    /// [`InverseError::Property`] where it is gone.
    pub fn property(&self, model: &Model) -> Result<PropertyRef, InverseError> {
        let first = match &self.kind {
            TargetKind::Surface(fem, set) => {
                let node = nodes_of(model, *fem, set).and_then(|nodes| nodes.first().copied());
                node.map(|node| Self::new(PointRef::FemNode(*fem, node).into()))
            }
            _ => None,
        };
        Ok(model.property(&first.as_ref().unwrap_or(self).path(model))?)
    }

    /// Names of its numbers: the path of the property, with the part where there are several.
    ///
    /// # Errors
    /// [`InverseError::Property`] where it is gone.
    pub fn columns(&self, model: &Model) -> Result<Vec<String>, InverseError> {
        let path = self.path(model);
        let parts = part_names(self.property(model)?.info().value_type);
        Ok(match self.size() {
            1 => vec![path],
            _ => parts.iter().map(|part| format!("{path}.{part}")).collect(),
        })
    }

    /// Its numbers in a simulation now [m], [rad], [N].
    ///
    /// # Errors
    /// [`InverseError::NotSimulated`]; [`InverseError::Property`] where it is gone.
    pub fn now(&self, simulation: &mut Simulation) -> Result<Vec<f64>, InverseError> {
        let absent = self.path(simulation.model());
        if self.kind.is_reading() {
            let property = simulation.model().property(&absent)?;
            return match simulation.get(&property) {
                Ok(Value::Vector(force)) => Ok(force.as_slice().to_vec()),
                Ok(Value::Real(value)) => Ok(vec![value]),
                Ok(_) => Err(InverseError::NotSimulated(absent)),
                Err(error) => Err(InverseError::State(error.to_string())),
            };
        }
        let placed = self.place(simulation.model(), simulation.compiled());
        let placed = placed.ok_or(InverseError::NotSimulated(absent))?;
        let state = simulation.state().map_err(|error| InverseError::State(error.to_string()))?;
        Ok(placed.place_in(state).as_slice()[..self.size()].to_vec())
    }

    /// Distance of its numbers from desired ones [m], [rad], [N]; of orientations the angle between them.
    pub fn distance(&self, now: &[f64], desired: &[f64]) -> f64 {
        let [now, desired] = [now, desired].map(vector);
        match self.kind {
            TargetKind::Orientation(_) => {
                turn_between(&UnitQuaternion::new(now), &UnitQuaternion::new(desired)).norm()
            }
            TargetKind::Point(_)
            | TargetKind::Surface(..)
            | TargetKind::Origin(_)
            | TargetKind::Coordinate(_)
            | TargetKind::JointForce(_)
            | TargetKind::JointMoment(_)
            | TargetKind::PointForce(_)
            | TargetKind::PairForce(_)
            | TargetKind::ColliderForce(_)
            | TargetKind::Sensor(_) => (desired - now).norm(),
        }
    }

    pub(super) fn check(&self) -> Result<(), InverseError> {
        let mut weights = [self.weight].into_iter().chain(self.directions);
        match weights.find(|w| !(w.is_finite() && *w >= 0.0)) {
            Some(value) => {
                Err(InverseError::Number { name: "weight", must: "finite and >= 0", value })
            }
            None => Ok(()),
        }
    }

    /// Its rows in a compiled model; `None` where it is not simulated.
    pub(crate) fn place(&self, model: &Model, compiled: &CompiledModel) -> Option<PlacedTarget> {
        Some(match &self.kind {
            TargetKind::Point(point) => PlacedTarget::Point(compiled.find_row(*point)?),
            TargetKind::Surface(fem, set) => {
                PlacedTarget::Mean(rows_of(model, compiled, (*fem, set))?)
            }
            TargetKind::Origin(body) => {
                let rows = compiled.body_rows(*body)?;
                PlacedTarget::Origin(rows.row as usize, rows.inertia.center_of_mass())
            }
            TargetKind::Orientation(body) => {
                PlacedTarget::Orientation(compiled.body_rows(*body)?.row as usize)
            }
            TargetKind::Coordinate(of) => {
                let index = of.index(model)?;
                let term = compiled.coordinate_term(of.joint, index)?;
                let place = compiled.coordinates_of(of.joint)?.start + index;
                PlacedTarget::Coordinate(Box::new(term), place)
            }
            TargetKind::JointForce(_)
            | TargetKind::JointMoment(_)
            | TargetKind::PointForce(_)
            | TargetKind::PairForce(_)
            | TargetKind::ColliderForce(_) => {
                PlacedTarget::Force(PlacedForce::of(model, compiled, &self.kind)?)
            }
            TargetKind::Sensor(sensor) => {
                let _ = model.get(*sensor).filter(|it| !it.disabled)?;
                PlacedTarget::Sensor(*sensor)
            }
        })
    }
}

impl From<PointRef> for TargetKind {
    fn from(point: PointRef) -> Self {
        Self::Point(point)
    }
}

/// Up to three numbers as a vector.
pub(super) fn vector(numbers: &[f64]) -> Vec3 {
    let at = |k: usize| numbers.get(k).copied().unwrap_or(0.0);
    Vec3::new(at(0), at(1), at(2))
}

/// The target that the property `force` of a component is.
fn force_of(id: ComponentId) -> Option<TargetKind> {
    Some(match id.kind() {
        Kind::Joint | Kind::CustomJoint => TargetKind::JointForce(id),
        Kind::PointConstrainer => TargetKind::PointForce(id.typed()?),
        Kind::CollisionBehavior => TargetKind::PairForce(id.typed()?),
        Kind::Collider => TargetKind::ColliderForce(id.typed()?),
        _ => return None,
    })
}

/// Mean of some of these vectors.
fn mean(rows: &[usize], of: &[Vec3]) -> Vec3 {
    rows.iter().map(|&row| of[row]).sum::<Vec3>() / rows.len() as f64
}

/// A target in a compiled model.
pub(crate) enum PlacedTarget {
    Point(usize),
    /// The mean of rows.
    Mean(Vec<usize>),
    /// The first row of a body, and its centre of mass in its frame.
    Origin(usize, Vec3),
    /// The first row of a body.
    Orientation(usize),
    /// A coordinate, and its place among all.
    Coordinate(Box<JointTerm>, usize),
    /// A force.
    Force(PlacedForce),
    /// A reading.
    Sensor(Handle<Sensor>),
}

impl PlacedTarget {
    /// True if it is a force or a reading.
    pub(super) fn is_reading(&self) -> bool {
        matches!(self, Self::Force(_) | Self::Sensor(_))
    }

    /// Its numbers in a state, the first of three; of a force or a reading zeros.
    pub(crate) fn place_in(&self, state: &State) -> Vec3 {
        match self {
            Self::Point(row) => state.q[*row],
            Self::Mean(rows) => mean(rows, &state.q),
            Self::Origin(row, centre) => {
                state.q[*row] - UnitQuaternion::new(state.q[row + 1]) * centre
            }
            Self::Orientation(row) => state.q[row + 1],
            Self::Coordinate(_, place) => {
                Vec3::new(state.coordinates.get(*place).copied().unwrap_or(0.0), 0.0, 0.0)
            }
            Self::Force(_) | Self::Sensor(_) => Vec3::zeros(),
        }
    }

    /// Its rate in a state, the first of three [m/s], [rad/s].
    pub(super) fn rate(&self, state: &State) -> Vec3 {
        self.change([state, state], &state.u)
    }

    /// Change from one value to another: a difference, of orientations a turn in world axes.
    pub(crate) fn between(&self, from: &Vec3, to: &Vec3) -> Vec3 {
        match self {
            Self::Orientation(_) => {
                turn_between(&UnitQuaternion::new(*from), &UnitQuaternion::new(*to))
            }
            Self::Point(_)
            | Self::Mean(_)
            | Self::Origin(..)
            | Self::Coordinate(..)
            | Self::Force(_)
            | Self::Sensor(_) => to - from,
        }
    }

    /// Change of the difference of the value at `state` from a desired one, by a column of changes of the rows.
    pub(crate) fn difference_by(&self, desired: &Vec3, state: &State, column: &[Vec3]) -> Vec3 {
        match self {
            Self::Orientation(row) => {
                let turn = self.between(desired, &state.q[row + 1]);
                tangent_map_inverse(&turn) * column[row + 1]
            }
            Self::Point(_)
            | Self::Mean(_)
            | Self::Origin(..)
            | Self::Coordinate(..)
            | Self::Force(_)
            | Self::Sensor(_) => self.change([state, state], column),
        }
    }

    /// Adds to derivatives by the rows those that a scalar has by the numbers at `state`; of a force or a reading nothing.
    pub(crate) fn add_derivatives(&self, state: &State, by: &[f64], rows: &mut [Vec3]) {
        let by = vector(by);
        match self {
            Self::Point(row) => rows[*row] += by,
            Self::Mean(nodes) => {
                let share = by / nodes.len() as f64;
                nodes.iter().for_each(|&row| rows[row] += share);
            }
            Self::Origin(row, centre) => {
                let arm = UnitQuaternion::new(state.q[row + 1]) * centre;
                rows[*row] += by;
                rows[row + 1] -= arm.cross(&by);
            }
            Self::Orientation(row) => {
                rows[row + 1] += tangent_map_inverse(&state.q[row + 1]).tr_mul(&by);
            }
            Self::Coordinate(term, _) => {
                let wrenches = term.wrenches_at(&state.q, &state.coordinates);
                for (row, wrench) in term.rows().iter().zip(&wrenches) {
                    row.iter().for_each(|row| rows[*row as usize] += wrench * by.x);
                }
            }
            Self::Force(_) | Self::Sensor(_) => {}
        }
    }

    /// Change of what leads from the value at `start` to that at `end`, by a column of changes of the rows at `end`.
    pub(crate) fn change(&self, [start, end]: [&State; 2], column: &[Vec3]) -> Vec3 {
        match self {
            Self::Point(row) => column[*row],
            Self::Mean(rows) => mean(rows, column),
            Self::Origin(row, centre) => {
                let arm = UnitQuaternion::new(end.q[row + 1]) * centre;
                column[*row] - column[row + 1].cross(&arm)
            }
            Self::Orientation(row) => {
                let turn = self.between(&start.q[row + 1], &end.q[row + 1]);
                tangent_map_inverse(&turn) * column[row + 1]
            }
            Self::Coordinate(term, _) => {
                let wrenches = term.wrenches_at(&end.q, &end.coordinates);
                let part = |(row, wrench): (&Option<u32>, &Vec3)| {
                    row.map_or(0.0, |row| wrench.dot(&column[row as usize]))
                };
                let rate = term.rows().iter().zip(&wrenches).map(part).sum();
                Vec3::new(rate, 0.0, 0.0)
            }
            Self::Force(_) | Self::Sensor(_) => Vec3::zeros(),
        }
    }
}
