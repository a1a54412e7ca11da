//! Constraints of points: on a plane, on a line, at a point, at a distance.

use serde::{Deserialize, Serialize};

use crate::Vec3;
use crate::component::{Address, ComponentId, Invalidates, Reference, TransformRefusal};
use crate::constraint::{Compliance, PointConstraint};
use crate::kinds::{FrameSite, PointRef};
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Pose, Problem, PropertyType, PropertyValue,
    Put, Refusal, Transformation, Value, properties,
};

/// Frame, point or ground that a point is constrained to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// A frame on a body or on the ground: its plane z = 0, its z axis, or its origin.
    Frame(FrameSite),
    /// Another point, with the axes of the world.
    Point(PointRef),
}

/// A constraint of a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointConstrainer {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// In a plane, on a line, at a point, at a distance.
    // A component in a file has a `kind` already.
    #[serde(rename = "constraint")]
    pub kind: PointConstraint,
    /// The point that is fixed.
    pub point: PointRef,
    /// Frame, point or ground that it is constrained to.
    pub anchor: Anchor,
    /// Compliance of its rows.
    #[serde(default)]
    pub compliance: Compliance,
    /// True if it holds.
    pub enabled: bool,
}

impl PointConstrainer {
    /// A rigid constraint of a point.
    pub fn new(kind: PointConstraint, point: impl Into<PointRef>, anchor: Anchor) -> Self {
        let (point, compliance) = (point.into(), Compliance::default());
        Self { name: String::new(), kind, point, anchor, compliance, enabled: true }
    }
}

/// Length of a rod that was not given one [m].
const DEFAULT_LENGTH: f64 = 1.0;

const NAMES: [&str; 4] = ["on_plane", "on_line", "at_point", "at_distance"];

/// The name of a point constraint, as a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KindName(&'static str);

impl PropertyValue for KindName {
    const TYPE: PropertyType = PropertyType::Choice(&NAMES);

    fn to_value(&self) -> Value {
        Value::Choice(self.0)
    }

    fn from_value(value: &Value) -> Option<Self> {
        value.word_of(&NAMES).map(Self)
    }
}

impl KindName {
    fn of(kind: &PointConstraint) -> Self {
        Self(match kind {
            PointConstraint::OnPlane => "on_plane",
            PointConstraint::OnLine => "on_line",
            PointConstraint::AtPoint => "at_point",
            PointConstraint::AtDistance { .. } => "at_distance",
        })
    }

    fn put(self, kind: &mut PointConstraint) -> Put {
        if Self::of(kind) != self {
            *kind = match self.0 {
                "on_plane" => PointConstraint::OnPlane,
                "on_line" => PointConstraint::OnLine,
                "at_point" => PointConstraint::AtPoint,
                _ => PointConstraint::AtDistance { length: DEFAULT_LENGTH },
            };
        }
        Ok(())
    }
}

const NO_ANCHOR: Refusal =
    Refusal::Value("it must lead to a rigid body or a point, or be empty, which is the ground");

impl Anchor {
    fn address(&self) -> Vec<Address> {
        match self {
            Self::Frame(site) => site.addresses(),
            Self::Point(point) => vec![point.address()],
        }
    }

    /// A point, or a frame of a body or of the ground, which is as it was where there was one.
    fn put(&mut self, to: &[Address]) -> Put {
        let point = match to {
            [] => None,
            [one] => PointRef::at(*one),
            _ => return Err(NO_ANCHOR),
        };
        *self = match point {
            Some(point) => Self::Point(point),
            None => {
                let pose = self.pose().unwrap_or_default();
                let mut site = FrameSite::ground(pose);
                site.put(to).map_err(|_| NO_ANCHOR)?;
                Self::Frame(site)
            }
        };
        Ok(())
    }

    fn pose(&self) -> Option<Pose> {
        match self {
            Self::Frame(site) => Some(site.pose),
            Self::Point(_) => None,
        }
    }

    fn put_pose(&mut self, pose: Pose) -> Put {
        match self {
            Self::Frame(site) => site.pose = pose,
            Self::Point(_) => return Err(Refusal::Absent),
        }
        Ok(())
    }
}

impl PointConstrainer {
    fn length(&self) -> Option<f64> {
        match self.kind {
            PointConstraint::AtDistance { length } => Some(length),
            PointConstraint::OnPlane | PointConstraint::OnLine | PointConstraint::AtPoint => None,
        }
    }

    fn put_length(&mut self, new: f64) -> Put {
        match &mut self.kind {
            PointConstraint::AtDistance { length } => *length = new,
            PointConstraint::OnPlane | PointConstraint::OnLine | PointConstraint::AtPoint => {
                return Err(Refusal::Absent);
            }
        }
        Ok(())
    }

    /// Checks that both sides are there, and are not the same.
    fn check_sides(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_point("point", self.point)?;
        let body = model.body_of(self.point);
        let other = match self.anchor {
            Anchor::Frame(FrameSite { body, .. }) => {
                model.check_body("anchor", body)?;
                body
            }
            Anchor::Point(point) => {
                model.check_point("anchor", point)?;
                if point == self.point {
                    let path = model.path(point.address());
                    return Err(Problem::SameSide(path).at("anchor"));
                }
                model.body_of(point)
            }
        };
        if body.is_some() && body == other {
            return Err(model.same_side(body).at("anchor"));
        }
        Ok(())
    }
}

impl ModelComponent for PointConstrainer {
    const HOME: Option<&'static str> = Some("constrainers");
    const MOVED: Invalidates = Invalidates::GEOMETRY;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(self.point.reference());
        match &self.anchor {
            Anchor::Frame(site) => site.visit(visit),
            Anchor::Point(point) => visit(point.reference()),
        }
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.point.redirect(map);
        match &mut self.anchor {
            Anchor::Frame(site) => site.redirect(map),
            Anchor::Point(point) => point.redirect(map),
        }
    }

    /// A frame moves, and the length of a rod changes with the distance.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        if let (PointConstraint::AtDistance { length }, true) =
            (&mut self.kind, transformation.selected)
        {
            *length *= match self.anchor {
                Anchor::Frame(site) => transformation.length_factor_to(self.point, &site)?,
                Anchor::Point(other) => transformation.length_factor_of(&[self.point, other])?,
            };
        }
        let Anchor::Frame(site) = &mut self.anchor else { return Ok(()) };
        match self.kind {
            PointConstraint::OnPlane => transformation.put_plane(site).map(|_| ()),
            PointConstraint::OnLine => transformation.put_line(site),
            PointConstraint::AtPoint | PointConstraint::AtDistance { .. } => {
                transformation.put_site(site, 2).map(|_| ())
            }
        }
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_sides(model)
    }

    properties! { PointConstrainer {
        "enabled": bool = true, "", FINITE, STRUCTURE, "True if it is in force", own (enabled);
        "kind": KindName = KindName("at_point"), "", FINITE, STRUCTURE, "In a plane, on a line, at a point, or at a distance, which begins as 1 m",
            replacing (|it: &PointConstrainer| Some(KindName::of(&it.kind)), |it: &mut PointConstrainer, kind: KindName| kind.put(&mut it.kind));
        "length": f64 = DEFAULT_LENGTH, "m", POSITIVE, GEOMETRY, "Length of the rod, for a distance", via (PointConstrainer::length, PointConstrainer::put_length);
        "point": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "Point that is constrained: a particle, a frame marker or a node",
            reference (|it| vec![it.point.address()], |it, to| it.point.put(to)), check PointConstrainer::check_sides;
        "anchor": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "Anchor of the point: a rigid body, another point, or, when empty, the ground",
            reference (|it| it.anchor.address(), |it, to| it.anchor.put(to)), check PointConstrainer::check_sides;
        "frame": Pose = Pose::identity(), "m, -", FINITE, GEOMETRY, "Frame on the body or the ground that has the plane, the line or the point: position, then the quaternion i j k w",
            via (|it: &PointConstrainer| it.anchor.pose(), |it: &mut PointConstrainer, pose: Pose| it.anchor.put_pose(pose));
        "compliance": f64 = 0.0, "m/N", NOT_NEGATIVE, PARAMETER, "Compliance of its rows", own (compliance.compliance);
        "damping": f64 = 0.0, "N s/m", NOT_NEGATIVE, PARAMETER, "Damping of its rows, of effect where the compliance is not zero", own (compliance.damping);
        "errors": Vec<f64> = Vec::new(), "m", FINITE, NOTHING, "Errors of its rows", simulated ();
        "force": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Force on its point, mean over the last step; zero before the first", simulated ();
        "multipliers": Vec<f64> = Vec::new(), "N", FINITE, NOTHING, "Forces of its rows, mean over the last step", simulated ();
    } }
}
