//! Springs and muscles along a line between two points.

use serde::{Deserialize, Serialize};

use super::axial_properties::{Pulling, law_table, pulling, scale_lengths};
use crate::axial::passive::LinearSpring;
use crate::axial::{ActivationDynamics, AxialLaw};
use crate::component::{ComponentId, Invalidates, LineLengths, Reference, TransformRefusal};
use crate::kinds::PointRef;
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Transformation, properties,
};

/// A spring or a muscle along the line between two points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxialSpring {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Its two ends.
    pub ends: [PointRef; 2],
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

/// Linear spring: tension = stiffness (l - rest_length) + damping dl/dt.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinearAxial {
    /// Stiffness [N/m].
    pub stiffness: f64,
    /// Damping [N s/m].
    pub damping: f64,
    /// Length without tension [m].
    pub rest_length: f64,
}

impl AxialSpring {
    /// A linear spring between two points.
    pub fn new(ends: [impl Into<PointRef>; 2], spring: LinearAxial) -> Self {
        let LinearAxial { stiffness, damping, rest_length } = spring;
        let law = AxialLaw::Linear(LinearSpring { stiffness, damping });
        Self { rest_length, ..Self::with_law(ends, law) }
    }

    /// Two points that are pulled together by a law, with a rest length of zero: muscles have lengths
    /// of their own.
    pub fn with_law(ends: [impl Into<PointRef>; 2], law: AxialLaw) -> Self {
        Self {
            name: String::new(),
            ends: ends.map(Into::into),
            material: law,
            rest_length: 0.0,
            excitation: 0.0,
            activation: ActivationDynamics::default(),
            enabled: true,
        }
    }
}

pulling!(AxialSpring);

impl ModelComponent for AxialSpring {
    const HOME: Option<&'static str> = Some("axial_springs");
    const MOVED: Invalidates = Invalidates::PARAMETER;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.ends.iter().for_each(|end| visit(end.reference()));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.ends.iter_mut().for_each(|end| end.redirect(map));
    }

    /// Its lengths change with that of the line.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        if transformation.options.lengths == LineLengths::Keep {
            return Ok(());
        }
        let factor = transformation.length_factor_of(&self.ends)?;
        self.rest_length *= factor;
        if transformation.options.lengths == LineLengths::All {
            scale_lengths(&mut self.material, factor);
        }
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        let ends = ["first", "second"].iter().zip(self.ends);
        ends.into_iter().try_for_each(|(at, end)| model.check_point(at, end))?;
        self.check_law(model)
    }

    properties! { AxialSpring {
        "enabled": bool = true, "", FINITE, PARAMETER, "True if it pulls", own (enabled);
        "first": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "Its first end: a particle, a frame marker or a node",
            reference (|s| vec![s.ends[0].address()], |s, to| s.ends[0].put(to));
        "second": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "Its second end: a particle, a frame marker or a node",
            reference (|s| vec![s.ends[1].address()], |s, to| s.ends[1].put(to));
        "rest_length": f64 = 0.0, "m", NOT_NEGATIVE, PARAMETER, "Length without tension, for laws that have none of their own", own (rest_length);
        "excitation": f64 = 0.0, "-", UNIT, PARAMETER, "Excitation of a muscle", own (excitation);
        ..law_table();
        "length": f64 = 0.0, "m", FINITE, NOTHING, "Length now", simulated ();
        "length_rate": f64 = 0.0, "m/s", FINITE, NOTHING, "Rate of its length", simulated ();
        "tension": f64 = 0.0, "N", FINITE, NOTHING, "Pull on its ends", simulated ();
        "strain_energy": f64 = 0.0, "J", FINITE, NOTHING, "Energy stored in it; 0 for laws without a potential", simulated ();
        "moment_arms": Vec<f64> = Vec::new(), "m, -", FINITE, NOTHING, "Moment arms by all coordinates of joints, those of joints of a kind first, then of custom joints, in the order of the tree: minus the derivative of the length, with the other coordinates at rest; 0 by coordinates that a coupling makes dependent", simulated ();
        "activation_level": f64 = 0.0, "-", FINITE, NOTHING, "Activation now; the excitation for laws without dynamics of activation", simulated ();
        "fibre_length": f64 = 0.0, "m", FINITE, NOTHING, "Length of the fibre now, for laws with a fibre", simulated ();
        "fibre_velocity": f64 = 0.0, "m/s", FINITE, NOTHING, "Rate of the length of the fibre, positive when it lengthens", simulated ();
        "tendon_force": f64 = 0.0, "N", FINITE, NOTHING, "Force of the tendon in series with the fibre", simulated ();
    } }
}
