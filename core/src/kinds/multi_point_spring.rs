//! Springs and muscles along a line through several points.

use serde::{Deserialize, Serialize};

use super::axial_properties::{Pulling, law_table, pulling};
use crate::axial::{ActivationDynamics, AxialLaw};
use crate::component::{Affine, ComponentId, Invalidates, Reference, TransformRefusal};
use crate::kinds::PointRef;
use crate::property::{CheckError, Components, ModelComponent, Paths, Problem, properties};

/// A spring or a muscle along the line through an origin, any number of via points, and an insertion.
/// One tension acts along the whole line, by its whole length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MultiPointSpring {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// The points in order, two at least.
    pub points: Vec<PointRef>,
    /// Its law.
    pub material: AxialLaw,
    /// Length without tension [m], for laws that have none of their own.
    pub rest_length: f64,
    /// Excitation of a muscle [-], 0 to 1.
    #[serde(default)]
    pub excitation: f64,
    /// Dynamics of activation, for laws without such dynamics of their own.
    #[serde(default)]
    pub activation: ActivationDynamics,
    /// True if it pulls.
    pub enabled: bool,
}

impl MultiPointSpring {
    /// A line through points that are pulled together by a law, with a rest length of zero.
    pub fn new(points: Vec<PointRef>, law: AxialLaw) -> Self {
        Self {
            name: String::new(),
            points,
            material: law,
            rest_length: 0.0,
            excitation: 0.0,
            activation: ActivationDynamics::default(),
            enabled: true,
        }
    }

    /// Two points at least, all of them there.
    fn check_points(&self, model: &dyn Components) -> Result<(), CheckError> {
        let (given, least) = (self.points.len(), 2);
        if given < least {
            return Err(Problem::Few { given, least }.at("points"));
        }
        self.points.iter().try_for_each(|&point| model.check_point("points", point))
    }
}

pulling!(MultiPointSpring);

impl ModelComponent for MultiPointSpring {
    const HOME: Option<&'static str> = Some("multi_point_springs");
    const MOVED: Invalidates = Invalidates::PARAMETER;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.points.iter().for_each(|point| visit(point.reference()));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.points.iter_mut().for_each(|point| point.redirect(map));
    }

    /// The rest length scales, as that of an [`AxialSpring`](super::AxialSpring) does.
    fn transform(&mut self, map: &Affine) -> Result<(), TransformRefusal> {
        self.rest_length *= map.scale().ok_or(TransformRefusal::NotSimilar)?;
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_points(model)?;
        self.check_law(model)
    }

    properties! { MultiPointSpring {
        "enabled": bool = true, "", FINITE, PARAMETER, "True if it pulls", own (enabled);
        "points": Paths = Paths::default(), "", FINITE, STRUCTURE, "Its points in order, two at least: particles, frame markers or nodes",
            reference (|s| s.points.iter().map(|point| point.address()).collect(), |s, to| PointRef::put_all(&mut s.points, to)), check MultiPointSpring::check_points;
        "point_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of points", derived (|model: &dyn Components, s| i64::try_from(model.get(s)?.points.len()).ok());
        "rest_length": f64 = 0.0, "m", NOT_NEGATIVE, PARAMETER, "Length without tension, for laws that have none of their own", own (rest_length);
        "excitation": f64 = 0.0, "-", UNIT, PARAMETER, "Excitation of a muscle", own (excitation);
        ..law_table();
        "length": f64 = 0.0, "m", FINITE, NOTHING, "Length of the whole line now", simulated ();
        "length_rate": f64 = 0.0, "m/s", FINITE, NOTHING, "Rate of its length", simulated ();
        "tension": f64 = 0.0, "N", FINITE, NOTHING, "Pull along the line", simulated ();
        "strain_energy": f64 = 0.0, "J", FINITE, NOTHING, "Energy stored in it; 0 for laws without a potential", simulated ();
    } }
}
