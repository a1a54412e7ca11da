//! Couplings: an equation between coordinates of joints.

use serde::{Deserialize, Serialize};

use super::joint_coordinate::joint_at;
use crate::component::{Address, ComponentId, Invalidates, Reference, TransformRefusal};
use crate::constraint::Compliance;
use crate::constraint::spatial::Function;
use crate::kinds::JointCoordinate;
use crate::property::{
    CheckError, Components, ModelComponent, Paths, Problem, Put, Range, Refusal, Transformation,
    properties,
};

/// A polynomial of a coordinate x, and a curve of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoupledCoordinate {
    /// The coordinate.
    #[serde(flatten)]
    pub of: JointCoordinate,
    /// Coefficients of 1, x, x², ... in m or rad.
    pub polynomial: Vec<f64>,
    /// Function of x that is added, in m or rad.
    #[serde(default)]
    pub curve: Option<Function>,
}

/// Holds the sum of functions of coordinates at zero by one row: two hinges geared 2 : 1 by
/// polynomials x and -2 x, a coordinate that follows another along a curve (the patella of a knee).
/// Every row of a joint does no work, and so does this one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointCoordinateCoupling {
    /// Name in paths and reports; may be empty.
    #[serde(default)]
    pub name: String,
    /// Terms of the sum.
    pub terms: Vec<CoupledCoordinate>,
    /// Compliance of the row.
    #[serde(default)]
    pub compliance: Compliance,
    /// Inertia that the sum of its terms has [kg or kg m²], as a rotor that is geared to a joint; of effect where the
    /// compliance is not zero.
    #[serde(default)]
    pub inertia: f64,
    /// True if it holds.
    pub enabled: bool,
}

impl JointCoordinateCoupling {
    /// A rigid coupling that holds the sum of factor times coordinate at zero.
    pub fn linear(terms: impl IntoIterator<Item = (JointCoordinate, f64)>) -> Self {
        let term =
            |(of, factor)| CoupledCoordinate { of, polynomial: vec![0.0, factor], curve: None };
        Self {
            name: String::new(),
            terms: terms.into_iter().map(term).collect(),
            compliance: Compliance::default(),
            inertia: 0.0,
            enabled: true,
        }
    }

    /// A rigid coupling that holds `dependent` at the polynomial of `by` with these coefficients of 1, x, x²,
    /// ... [m or rad].
    pub fn following(dependent: JointCoordinate, by: JointCoordinate, polynomial: &[f64]) -> Self {
        let mut coupling = Self::linear([(dependent, 1.0), (by, -1.0)]);
        coupling.terms[1].polynomial = polynomial.iter().map(|c| -c).collect();
        coupling
    }

    fn put_joints(&mut self, to: &[Address]) -> Put {
        if to.len() != self.terms.len() {
            return Err(Refusal::Value("it must be one joint for each of its terms"));
        }
        let joints: Vec<ComponentId> = to.iter().map(joint_at).collect::<Result<_, _>>()?;
        self.terms.iter_mut().zip(joints).for_each(|(term, joint)| term.of.joint = joint);
        Ok(())
    }

    /// The coefficients of all terms, their number before each.
    fn coefficients(&self) -> Vec<f64> {
        let list = |term: &CoupledCoordinate| {
            std::iter::once(term.polynomial.len() as f64).chain(term.polynomial.clone())
        };
        self.terms.iter().flat_map(list).collect()
    }

    fn put_coefficients(&mut self, list: &[f64]) -> Put {
        let refusal =
            Refusal::Value("it must be, for each of its terms, a count and so many coefficients");
        let mut rest = list;
        let mut polynomials = Vec::new();
        while let [count, numbers @ ..] = rest {
            let fits = count.fract() == 0.0 && (0.0..=numbers.len() as f64).contains(count);
            if !fits {
                return Err(refusal);
            }
            let (own, others) = numbers.split_at(*count as usize);
            polynomials.push(own.to_vec());
            rest = others;
        }
        if polynomials.len() != self.terms.len() {
            return Err(refusal);
        }
        let terms = self.terms.iter_mut().zip(polynomials);
        terms.for_each(|(term, polynomial)| term.polynomial = polynomial);
        Ok(())
    }

    fn check_terms(&self, model: &dyn Components) -> Result<(), CheckError> {
        if self.terms.is_empty() {
            return Err(Problem::Few { given: 0, least: 1 }.at("joints"));
        }
        for term in &self.terms {
            term.of.check(model, ["joints", "joints"])?;
            if let Some(&value) = term.polynomial.iter().find(|c| !c.is_finite()) {
                return Err(Problem::OutOfRange { value, range: Range::FINITE }.at("coefficients"));
            }
            if term.curve.as_ref().is_some_and(|curve| curve.of(&[0.0]).is_none()) {
                let (what, value, must) =
                    ("curve of coordinates", 0.0, "a function of one coordinate");
                return Err(Problem::Entry { what, value, must }.at("joints"));
            }
        }
        Ok(())
    }
}

impl ModelComponent for JointCoordinateCoupling {
    const HOME: Option<&'static str> = Some("constrainers");
    const DEFORMED: Invalidates = Invalidates::STRUCTURE;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.terms.iter().for_each(|term| term.of.visit(visit));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.terms.iter_mut().for_each(|term| term.of.redirect(map));
    }

    /// Polynomials of coordinates that are `factor` times as large: coefficient k is divided by `factor` to the power k. Other
    /// functions stay as they are.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        for term in &mut self.terms {
            let factor = transformation.coordinate_factor(&term.of)?;
            if term.curve.is_some() && factor != 1.0 {
                return Err(TransformRefusal::Code);
            }
            let mut power = 1.0;
            for coefficient in &mut term.polynomial {
                *coefficient /= power;
                power *= factor;
            }
        }
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_terms(model)
    }

    properties! { JointCoordinateCoupling {
        "enabled": bool = true, "", FINITE, STRUCTURE, "True if it is in force", own (enabled);
        "joints": Paths = Paths::default(), "", FINITE, STRUCTURE, "The joint of each of its terms, which keep the names of their coordinates",
            reference (|it| it.terms.iter().map(|term| term.of.joint.into()).collect(), |it, to| it.put_joints(to)), check JointCoordinateCoupling::check_terms;
        "coefficients": Vec<f64> = Vec::new(), "m, rad", FINITE, STRUCTURE, "For each of its terms the number of coefficients and the coefficients of 1, x, x², ... of its coordinate x",
            via (|it: &JointCoordinateCoupling| Some(it.coefficients()), |it: &mut JointCoordinateCoupling, list: Vec<f64>| it.put_coefficients(&list)), check JointCoordinateCoupling::check_terms;
        "compliance": f64 = 0.0, "m/N, rad/(N m)", NOT_NEGATIVE, PARAMETER, "Compliance of its row", own (compliance.compliance);
        "damping": f64 = 0.0, "N s/m, N m s/rad", NOT_NEGATIVE, PARAMETER, "Damping of its row, of effect where the compliance is not zero", own (compliance.damping);
        "inertia": f64 = 0.0, "kg, kg m²", NOT_NEGATIVE, PARAMETER, "Inertia of the sum of its terms, as of a rotor that is geared to them (armature), of effect where the compliance is not zero", own (inertia);
        "error": f64 = 0.0, "m, rad", FINITE, NOTHING, "The sum of its terms", simulated ();
        "multiplier": f64 = 0.0, "N, N m", FINITE, NOTHING, "Force of its row, mean over the last step; on each coordinate it is times the slope of the term", simulated ();
    } }
}
