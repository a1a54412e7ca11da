//! Constraints: coordinates that follow others, welds and points of two frames.

use sinew::constraint::JointKind;
use sinew::constraint::spatial::Function;

use super::build::Term;
use super::fields::refused;
use super::import::Import;
use super::records::{Coupler, Frame};
use super::xml::Element;
use crate::diagnostic::Diagnostic;

/// True if a force or constraint is in force, in the words of all versions.
pub(super) fn is_on(import: &Import<'_>, at: &Element) -> Result<bool, Diagnostic> {
    let yes = match import.flag(at, "appliesForce")? {
        Some(yes) => Some(yes),
        None => import.flag(at, "isEnforced")?,
    };
    let off = import.flag(at, "isDisabled")?.unwrap_or(false);
    Ok(yes.unwrap_or(true) && !off)
}

impl<'d> Import<'d> {
    /// Reads the couplers, and puts coordinates that follow others where these are.
    pub(super) fn read_couplers(&mut self, model: &'d Element) {
        for at in model
            .members("ConstraintSet")
            .iter()
            .filter(|it| it.tag == "CoordinateCouplerConstraint")
        {
            let coupler = self.coupler(at.mark());
            if let Some(Some(coupler)) = self.findings.take(coupler) {
                self.follow(&coupler);
                self.couplers.push(coupler);
            }
        }
    }

    fn coupler(&self, at: &Element) -> Result<Option<Coupler>, Diagnostic> {
        if !is_on(self, at)? {
            at.mark_all();
            return Ok(None);
        }
        let of = self.words(at, "independent_coordinate_names");
        let dependent = self.text(at, "dependent_coordinate_name").unwrap_or("").to_owned();
        for name in of.iter().chain([&dependent]) {
            self.known_coordinate(name, at)?;
        }
        let within = at.object("coupled_coordinates_function").unwrap_or(at);
        let function = self.function(within)?;
        let factor = self.number(at, "scale_factor")?.unwrap_or(1.0);
        if of.is_empty() || function.of(&vec![0.0; of.len()]).is_none() {
            let message =
                format!("{}: its function does not take {} coordinates", at.label(), of.len());
            return Err(refused(at, message));
        }
        Ok(Some(Coupler {
            name: at.title().to_owned(),
            span: at.span,
            dependent,
            of,
            function,
            factor,
        }))
    }

    /// Refuses the name of a coordinate that is not there.
    pub(super) fn known_coordinate(&self, name: &str, at: &Element) -> Result<(), Diagnostic> {
        if self.value(name).is_some() {
            return Ok(());
        }
        let message = format!("{}: there is no coordinate '{name}'", at.label());
        let known = self.coordinate_places.keys().map(String::as_str);
        Err(Diagnostic::unknown(at.span, message, name, known))
    }

    /// A coordinate at the start [m or rad].
    pub(super) fn value(&self, name: &str) -> Option<f64> {
        let [joint, k] = *self.coordinate_places.get(name)?;
        Some(self.joints.get(joint)?.coordinates.get(k)?.value)
    }

    /// The range of a coordinate [m or rad].
    pub(super) fn range(&self, name: &str) -> Option<[f64; 2]> {
        let [joint, k] = *self.coordinate_places.get(name)?;
        self.joints.get(joint)?.coordinates.get(k)?.range
    }

    fn follow(&mut self, coupler: &Coupler) {
        let of: Option<Vec<f64>> = coupler.of.iter().map(|name| self.value(name)).collect();
        let target = of.and_then(|of| coupler.function.of(&of)).map(|value| value * coupler.factor);
        let place = self.coordinate_places.get(&coupler.dependent);
        if let (Some(target), Some(&[joint, k])) = (target, place) {
            self.joints[joint].coordinates[k].value = target;
        }
    }

    /// Adds the couplings, and the other constraints.
    pub(super) fn add_constraints(&mut self, model: &'d Element) {
        for Coupler { name, span, dependent, of, factor, function } in
            std::mem::take(&mut self.couplers)
        {
            let all = Coupler { name, span, dependent, of, factor, function };
            let mut terms =
                vec![Term { of: &all.dependent, polynomial: vec![0.0, 1.0], curve: None }];
            match all.polynomials() {
                Some(polynomials) => {
                    let scaled =
                        |list: Vec<f64>| list.into_iter().map(|c| -c * all.factor).collect();
                    let one = |(of, list)| Term { of, polynomial: scaled(list), curve: None };
                    terms.extend(all.of.iter().map(String::as_str).zip(polynomials).map(one));
                }
                None => {
                    let inner = Box::new(all.function.clone());
                    let curve = Some(Function::Multiple(inner, -all.factor));
                    let of = all.of.first().map_or("", String::as_str);
                    terms.push(Term { of, polynomial: Vec::new(), curve });
                }
            }
            self.add_coupling(&all.name, all.span, terms);
        }
        for at in model.members("ConstraintSet") {
            let made = match at.tag.as_str() {
                "WeldConstraint" => self.tie(at, JointKind::Solid),
                "PointConstraint" => self.tie(at, JointKind::Spherical),
                _ => continue,
            };
            self.findings.take(made);
        }
    }

    /// A weld or a ball between two frames.
    fn tie(&mut self, at: &'d Element, kind: JointKind) -> Result<(), Diagnostic> {
        if !is_on(self, at.mark())? {
            at.mark_all();
            return Ok(());
        }
        let ends = [self.tied(at, 1)?, self.tied(at, 2)?];
        let [a, b] = ends.map(|frame| self.solid_frame(&frame).base);
        if a != b {
            self.add_between(kind, at.title(), at.span, ends);
        }
        Ok(())
    }

    /// Frame of a side of what ties two.
    pub(super) fn tied(&self, at: &Element, side: usize) -> Result<Frame, Diagnostic> {
        let tags = [format!("frame{side}"), format!("frame_{side}"), format!("body_{side}")];
        let name =
            tags.iter().find_map(|tag| self.socket(at, tag)).or_else(|| self.text(at, &tags[2]));
        let name = name.ok_or_else(|| refused(at, format!("{} has no body {side}", at.label())))?;
        let frame = self.frame(name, at.title(), at)?;
        let place = [format!("location_body_{side}"), format!("orientation_body_{side}")];
        Ok(frame.with(&self.pose(at, [&place[0], &place[1]])?))
    }
}
