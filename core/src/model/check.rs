//! What can be wrong with a component: numbers out of the ranges of its properties, references to
//! nothing, lists of the wrong length. What each kind has to look at stands beside its fields.

use std::collections::BTreeSet;

use super::{FemModel, FrameSite, Model, PointRef, RigidBody, Schedule};
use crate::Vec3;
use crate::axial::AxialError;
use crate::component::{Address, ComponentId, Handle, Kind, ModelComponent, for_kind};
use crate::constraint::JointError;
use crate::contact::ContactError;
use crate::dynamics::InertiaError;
use crate::material::MaterialError;
use crate::property::Range;

/// Fault of a component. Display says all but the path of the component.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{at} {problem}")]
pub struct CheckError {
    /// The property, or the part and its property: `density`, `nodes/3:rest_position`.
    pub at: String,
    /// Its fault.
    pub problem: Problem,
}

/// Faults of components.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// A number is out of range.
    #[error("is {value}; it must be {range}")]
    OutOfRange {
        /// The number.
        value: f64,
        /// Where it may lie.
        range: Range,
    },
    /// A number in a list is not what it must be.
    #[error("has a {what} of {value}; it must be {must}")]
    Entry {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// It refers to something that is not there.
    #[error("refers to {0}, which is not there")]
    Missing(String),
    /// A list has the wrong length.
    #[error("has {given} entries; it needs {expected}")]
    Length {
        /// Its length.
        given: usize,
        /// What it should be.
        expected: usize,
    },
    /// A list is too short.
    #[error("has {given} entries; it needs {least} at least")]
    Few {
        /// Its length.
        given: usize,
        /// Least length.
        least: usize,
    },
    /// It refers to something of a kind that does not do.
    #[error("refers to {target}; it must be {must}")]
    Unfit {
        /// Path of what it refers to.
        target: String,
        /// What it must be.
        must: &'static str,
    },
    /// It refers to something more than once.
    #[error("names {0} more than once")]
    Twice(String),
    /// A component that would be constrained to itself.
    #[error("is {0}, which is on the other side already")]
    SameSide(String),
    /// An exciter drives itself by way of others.
    #[error("lead back to it; an exciter cannot drive itself")]
    Circle,
    /// A joint has no coordinate of that name.
    #[error("is '{name}', which {joint} has not; its coordinates are: {names}")]
    Coordinate {
        /// The name.
        name: String,
        /// Path of the joint.
        joint: String,
        /// What its coordinates are called.
        names: String,
    },
    /// Positions are rounded to more than the size of what is there.
    #[error(
        "is {farthest:e} m away, where positions are rounded to {rounding:.1e} m; its radius of gyration is {size:.1e} m: move it nearer, or look at the unit"
    )]
    Remote {
        /// Largest coordinate [m].
        farthest: f64,
        /// What it is rounded to [m].
        rounding: f64,
        /// Radius of gyration [m].
        size: f64,
    },
    /// A pose does not only turn.
    #[error("has a quaternion whose length is not 1")]
    Quaternion,
    /// The constants of a law make no material.
    #[error("is refused: {0}")]
    Material(#[from] MaterialError),
    /// Surface and numbers of a body make no inertia.
    #[error("is refused: {0}")]
    Inertia(Box<InertiaError>),
    /// Settings that make no joint.
    #[error("is refused: {0}")]
    Joint(Box<JointError>),
    /// A set of faces that the mesh does not have.
    #[error("is '{surface}', and the mesh has no such face set; it has: {known}")]
    NoSet {
        /// Its name.
        surface: String,
        /// Those that there are.
        known: String,
    },
    /// A shape that is made of a surface, on a body without one.
    #[error("is {0}, which is made of the surface of its body, and it has none: take another")]
    NoSurface(&'static str),
    /// Points make no shape that can touch.
    #[error("is refused: {0}")]
    Shape(Box<ContactError>),
    /// The constants of a law make no spring or muscle.
    #[error("is refused: {0}")]
    Axial(Box<AxialError>),
}

impl Problem {
    /// The same, of the property or part `at`.
    pub(crate) fn at(self, at: impl Into<String>) -> CheckError {
        CheckError { at: at.into(), problem: self }
    }
}

impl CheckError {
    /// The whole message: `/models/jaw/fem_models/tongue:density is -1; it must be > 0`.
    pub fn of(&self, path: &str) -> String {
        let part = ["nodes/", "elements/", "regions/", "supports/"];
        let separator = if part.iter().any(|part| self.at.starts_with(part)) { '/' } else { ':' };
        format!("{path}{separator}{self}")
    }
}

impl Model {
    /// Looks at every component, in the order of the tree.
    ///
    /// # Errors
    /// The first component with which something is wrong, and what.
    pub fn check(&self) -> Result<(), (ComponentId, CheckError)> {
        let mut found = Ok(());
        self.store.for_each_id(&mut |id| {
            if found.is_ok() {
                found = self.check_component(id).map_err(|error| (id, error));
            }
        });
        found
    }

    /// Looks at one component; there is nothing wrong with one that is not there.
    pub(crate) fn check_component(&self, id: ComponentId) -> Result<(), CheckError> {
        for_kind!(id.kind(), T => {
            let Some(component) = id.typed::<T>().and_then(|handle| self.get(handle)) else {
                return Ok(());
            };
            for property in T::properties() {
                property.check_range(component)?;
            }
            component.check(self)?;
            self.check_circle(id, component)
        })
    }

    /// Checks that exciter `id`, as `it` says, does not drive itself by way of others; other kinds do not.
    pub(crate) fn check_circle(
        &self,
        id: ComponentId,
        it: &impl ModelComponent,
    ) -> Result<(), CheckError> {
        if id.kind() != Kind::MuscleExciter {
            return Ok(());
        }
        let (mut open, mut seen) = (Vec::new(), BTreeSet::new());
        it.visit_refs(&mut |r| open.push(r.target));
        while let Some(next) = open.pop() {
            if next == id {
                return Err(Problem::Circle.at("targets"));
            }
            if next.kind() == Kind::MuscleExciter && seen.insert(next) {
                self.store.visit_refs(next, &mut |r| open.push(r.target));
            }
        }
        Ok(())
    }

    /// Checks that a point is there.
    pub(crate) fn check_point(&self, at: &str, point: PointRef) -> Result<(), CheckError> {
        let there = match point {
            PointRef::Particle(particle) => self.get(particle).is_some(),
            PointRef::Marker(marker) => self.get(marker).is_some(),
            PointRef::FemNode(fem, node) => {
                self.get(fem).is_some_and(|fem| (node as usize) < fem.mesh.nodes.len())
            }
        };
        if there { Ok(()) } else { Err(self.missing(at, point.address())) }
    }

    /// The tissue, when it is there.
    pub(crate) fn checked_fem(
        &self,
        at: &str,
        fem: Handle<FemModel>,
    ) -> Result<&FemModel, CheckError> {
        self.get(fem).ok_or_else(|| self.missing(at, fem.into()))
    }

    /// Checks that a body is there; none is the ground, which always is.
    pub(crate) fn check_body(
        &self,
        at: &str,
        body: Option<Handle<RigidBody>>,
    ) -> Result<(), CheckError> {
        match body.filter(|&body| self.get(body).is_none()) {
            None => Ok(()),
            Some(gone) => Err(self.missing(at, gone.into())),
        }
    }

    /// Checks that what frames C and D are on is there, and is not the same.
    pub(crate) fn check_sides(&self, c: &FrameSite, d: &FrameSite) -> Result<(), CheckError> {
        self.check_body("body_c", c.body)?;
        self.check_body("body_d", d.body)?;
        if c.body == d.body { Err(self.same_side(c.body).at("body_d")) } else { Ok(()) }
    }

    /// What is held to the body, or to the ground, that it is on.
    pub(crate) fn same_side(&self, body: Option<Handle<RigidBody>>) -> Problem {
        Problem::SameSide(body.map_or_else(|| "the ground".to_owned(), |body| self.path(body)))
    }

    /// The body that a point is fixed to, if it is.
    pub(crate) fn body_of(&self, point: PointRef) -> Option<Handle<RigidBody>> {
        match point {
            PointRef::Marker(marker) => self.get(marker).map(|marker| marker.body),
            PointRef::Particle(_) | PointRef::FemNode(..) => None,
        }
    }

    fn missing(&self, at: &str, target: Address) -> CheckError {
        Problem::Missing(self.path(target)).at(at)
    }
}

/// Finite values at finite times that do not fall.
pub(crate) fn check_schedule(schedule: &Schedule) -> Result<(), Problem> {
    let refused = |what, value, must| Err(Problem::Entry { what, value, must });
    let table = match schedule {
        Schedule::Constant(value) if !value.is_finite() => {
            return refused("value", *value, "finite");
        }
        Schedule::Constant(_) => return Ok(()),
        Schedule::Table(table) => table,
    };
    let mut before = f64::NEG_INFINITY;
    for &[time, value] in table {
        if !time.is_finite() || time < before {
            return refused("time", time, "finite and not below the one before it");
        }
        if !value.is_finite() {
            return refused("value", value, "finite");
        }
        before = time;
    }
    Ok(())
}

/// Indices below `count`.
pub(crate) fn check_indices(indices: &[u32], count: usize) -> Result<(), Problem> {
    match indices.iter().find(|&&i| i as usize >= count) {
        None => Ok(()),
        Some(i) => Err(Problem::Missing(format!("number {i} of {count}"))),
    }
}

/// No entry, one for all, or one for each of `count`; all of them finite.
pub(crate) fn check_vectors(vectors: &[Vec3], count: usize) -> Result<(), Problem> {
    let given = vectors.len();
    if given > 1 && given != count {
        return Err(Problem::Length { given, expected: count });
    }
    let mut numbers = vectors.iter().flatten();
    match numbers.find(|x| !x.is_finite()) {
        None => Ok(()),
        Some(&value) => Err(Problem::OutOfRange { value, range: Range::FINITE }),
    }
}
