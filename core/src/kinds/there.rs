//! Checks that the targets of a component's references are there, and of the right kind.

use crate::Vec3;
use crate::component::{Address, Handle};
use crate::kinds::{FemModel, FrameSite, PointRef, RigidBody};
use crate::property::{CheckError, CodeKind, Components, Problem};

impl<'m> dyn Components + 'm {
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

    /// The error of a point that is on the body, or on the ground, to which it is to be fixed.
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

    /// Checks that code of a name is registered.
    pub(crate) fn check_code(&self, what: CodeKind, name: &str) -> Result<(), CheckError> {
        match self.code_fault(what, name) {
            None => Ok(()),
            Some(fault) => Err(Problem::Code(fault).at("code")),
        }
    }

    /// Checks that a text is a formula of properties that are there.
    pub(crate) fn check_formula(&self, at: &str, text: &str) -> Result<(), CheckError> {
        match self.formula_fault(text) {
            None => Ok(()),
            Some(fault) => Err(Problem::Formula(fault).at(at)),
        }
    }

    fn missing(&self, at: &str, target: Address) -> CheckError {
        Problem::Missing(self.path(target)).at(at)
    }

    /// Position of a point at the start [m]; `None` when it is not there.
    pub(crate) fn start_of(&self, point: PointRef) -> Option<Vec3> {
        match point {
            PointRef::Particle(particle) => Some(self.get(particle)?.position),
            PointRef::Marker(marker) => self.get(marker)?.position(self),
            PointRef::FemNode(fem, node) => self.get(fem)?.mesh.nodes.get(node as usize).copied(),
        }
    }
}
