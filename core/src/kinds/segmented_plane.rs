//! A point on a chain of planes.

use serde::{Deserialize, Serialize};

use crate::component::{ComponentId, Invalidates, Reference, TransformRefusal};
use crate::constraint::{Compliance, PlaneChain};
use crate::kinds::{FrameSite, PointRef};
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Pose, Problem, Put, Refusal, Transformation,
    properties,
};

/// Holds a point on planes that follow each other along a chain of points (x, z) in a frame, each along
/// y of it; or, if it is unilateral, on their side of growing z, where x grows along the chain: a
/// condyle on its eminence. ArtiSynth's SegmentedPlanarConnector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SegmentedPlane {
    /// Name in paths and reports; may be empty.
    #[serde(default)]
    pub name: String,
    /// The point.
    pub point: PointRef,
    /// The frame of the chain, on a body or on the ground.
    pub frame: FrameSite,
    /// Points (x, z) of the chain in the frame [m]; the first and the last plane have no end.
    pub chain: Vec<[f64; 2]>,
    /// True if the point may leave the planes on the side of their normals.
    pub unilateral: bool,
    /// Compliance of the row.
    #[serde(default)]
    pub compliance: Compliance,
    /// Rate at which the point leaves after an impact over that before, if it is unilateral [-].
    #[serde(default)]
    pub restitution: f64,
    /// True if it holds.
    pub enabled: bool,
}

impl SegmentedPlane {
    /// A rigid constraint to both sides of planes.
    pub fn new(point: impl Into<PointRef>, frame: FrameSite, chain: Vec<[f64; 2]>) -> Self {
        let (name, compliance, point) = (String::new(), Compliance::default(), point.into());
        let (unilateral, restitution, enabled) = (false, 0.0, true);
        Self { name, point, frame, chain, unilateral, compliance, restitution, enabled }
    }

    /// The planes; `None` where the chain has less than two points, or two in one place.
    pub(crate) fn planes(&self) -> Option<PlaneChain> {
        PlaneChain::new(&self.chain)
    }

    fn put_chain(&mut self, list: &[f64]) -> Put {
        let (points, rest) = list.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(Refusal::Value("it must be x and z of its points in turn"));
        }
        self.chain = points.to_vec();
        Ok(())
    }

    fn check_chain(&self, _: &dyn Components) -> Result<(), CheckError> {
        let numbers = self.chain.as_flattened();
        if let Some(&value) = numbers.iter().find(|x| !x.is_finite()) {
            let must = "finite";
            return Err(Problem::Entry { what: "number", value, must }.at("chain"));
        }
        if self.chain.len() < 2 {
            return Err(Problem::Few { given: numbers.len(), least: 4 }.at("chain"));
        }
        if self.planes().is_none() {
            let must = "more than 0";
            return Err(Problem::Entry { what: "segment length", value: 0.0, must }.at("chain"));
        }
        Ok(())
    }

    fn check_sides(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_point("point", self.point)?;
        model.check_body("body", self.frame.body)?;
        let body = model.body_of(self.point);
        if body.is_some() && body == self.frame.body {
            return Err(model.same_side(body).at("body"));
        }
        Ok(())
    }
}

impl ModelComponent for SegmentedPlane {
    const HOME: Option<&'static str> = Some("constrainers");
    const MOVED: Invalidates = Invalidates::GEOMETRY;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(self.point.reference());
        self.frame.visit(visit);
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.point.redirect(map);
        self.frame.redirect(map);
    }

    /// Its frame moves, and the chain changes along the axes x and z of that.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        // The chain lies across y, the axis that may be turned over.
        if let Some(image) = transformation.put_site(&mut self.frame, 1)? {
            for [x, z] in &mut self.chain {
                [*x, *z] = [*x * image.along(0), *z * image.along(2)];
            }
        }
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_sides(model)?;
        self.check_chain(model)
    }

    properties! { SegmentedPlane {
        "enabled": bool = true, "", FINITE, STRUCTURE, "True if it is in force", own (enabled);
        "unilateral": bool = false, "", FINITE, STRUCTURE, "True if the point may leave the planes on the side of growing z", own (unilateral);
        "point": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "Point that is constrained: a particle, a frame marker or a node",
            reference (|it| vec![it.point.address()], |it, to| it.point.put(to)), check SegmentedPlane::check_sides;
        "body": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that the chain is on; empty for the ground",
            reference (|it| it.frame.addresses(), |it, to| it.frame.put(to)), check SegmentedPlane::check_sides;
        "frame": Pose = Pose::identity(), "m, -", FINITE, GEOMETRY, "Frame of the chain, in that of its body or of the world: position, then the quaternion i j k w", own (frame.pose);
        "chain": Vec<f64> = Vec::new(), "m", FINITE, GEOMETRY, "x and z of its points in the frame, in turn; each two in a row span a plane along y",
            via (|it: &SegmentedPlane| Some(it.chain.as_flattened().to_vec()), |it: &mut SegmentedPlane, list: Vec<f64>| it.put_chain(&list)), check SegmentedPlane::check_chain;
        "compliance": f64 = 0.0, "m/N", NOT_NEGATIVE, PARAMETER, "Compliance of its row", own (compliance.compliance);
        "damping": f64 = 0.0, "N s/m", NOT_NEGATIVE, PARAMETER, "Damping of its row, of effect where the compliance is not zero", own (compliance.damping);
        "restitution": f64 = 0.0, "-", UNIT, PARAMETER, "Rate at which the point leaves after an impact over that before, if it is unilateral", own (restitution);
        "distance": f64 = 0.0, "m", FINITE, NOTHING, "Distance from the nearest plane, positive on the side of growing z", simulated ();
    } }
}
