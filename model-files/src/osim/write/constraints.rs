//! Couplings of coordinates as functions that one of them follows.

use sinew::component::Handle;
use sinew::constraint::spatial::Function;
use sinew::model::{CoupledCoordinate, JointCoordinateCoupling};

use super::element::Element;
use super::{Writer, function};

impl Writer<'_> {
    /// All constraints of the document.
    pub(super) fn constraints(&mut self) -> Vec<Element> {
        let all: Vec<_> = self.model.iter::<JointCoordinateCoupling>().collect();
        all.into_iter().filter_map(|(handle, it)| self.coupling(handle, it)).collect()
    }

    fn coupling(
        &mut self,
        handle: Handle<JointCoordinateCoupling>,
        coupling: &JointCoordinateCoupling,
    ) -> Option<Element> {
        let Some((dependent, of, by)) = self.followed(&coupling.terms) else {
            self.told.left_out("coupling of which no coordinate is a function of the others");
            return None;
        };
        if coupling.inertia != 0.0 || coupling.compliance.compliance != 0.0 {
            let path = self.model.path(handle);
            self.told.changed(format!("{path}: it has neither inertia nor compliance there"));
        }
        let name = self.names.add(handle.id(), "constraint", &coupling.name);
        Some(Element::named("CoordinateCouplerConstraint", name).with([
            Element::text("isEnforced", coupling.enabled),
            function::property("coupled_coordinates_function", &by),
            Element::text("independent_coordinate_names", of.join(" ")),
            Element::text("dependent_coordinate_name", dependent),
            Element::text("scale_factor", 1.0),
        ]))
    }

    /// The coordinate that enters by a factor alone, the others, and the function of these that it is.
    fn followed(&self, terms: &[CoupledCoordinate]) -> Option<(String, Vec<String>, Function)> {
        let line = |term: &CoupledCoordinate| {
            let at = |power: usize| term.polynomial.get(power).copied().unwrap_or(0.0);
            let straight = term.polynomial.iter().skip(2).all(|c| *c == 0.0);
            let is_line = term.curve.is_none() && straight && at(1) != 0.0;
            is_line.then(|| [at(0), at(1)])
        };
        let k = terms.iter().position(|term| line(term).is_some())?;
        let [constant, factor] = line(&terms[k])?;
        let name = |term: &CoupledCoordinate| Some(self.names.coordinate(&term.of)?.to_owned());
        let dependent = name(&terms[k])?;
        let others: Vec<&CoupledCoordinate> =
            terms.iter().enumerate().filter(|it| it.0 != k).map(|it| it.1).collect();
        let of = others.iter().map(|term| name(term)).collect::<Option<Vec<_>>>()?;
        let by = match others[..] {
            [] => return None,
            [one] => match &one.curve {
                Some(curve) if constant == 0.0 && one.polynomial.iter().all(|c| *c == 0.0) => {
                    Function::Multiple(Box::new(curve.clone()), -1.0 / factor)
                }
                Some(_) => return None,
                None => {
                    let mut list: Vec<f64> = one.polynomial.iter().map(|c| -c / factor).collect();
                    list.resize(list.len().max(1), 0.0);
                    list[0] -= constant / factor;
                    Function::Polynomial(list)
                }
            },
            _ => {
                let lines = others.iter().map(|term| line(term)).collect::<Option<Vec<_>>>()?;
                let sum: f64 = constant + lines.iter().map(|line| line[0]).sum::<f64>();
                let factors = lines.iter().map(|line| -line[1] / factor).collect();
                Function::Linear(factors, -sum / factor)
            }
        };
        Some((dependent, of, by))
    }
}
