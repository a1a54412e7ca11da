//! Forces: muscles, ligaments and springs along paths. All others are in files of their own.

use sinew::axial::AxialLaw;
use sinew::axial::active::ConstantMuscle;
use sinew::axial::passive::{Blankevoort1991, CurveLigament, UnidirectionalSpring};
use sinew::model::{AxialSpring, MultiPointSpring, WrapOrder};

use super::constraints::is_on;
use super::import::{Import, name};
use super::paths::Path;
use super::read_function::unknown_function;
use super::xml::Element;
use crate::diagnostic::Diagnostic;

/// Law of the pull along a path.
pub(super) struct Line {
    pub(super) law: AxialLaw,
    /// Length without tension [m], for laws that have none of their own.
    pub(super) rest_length: f64,
}

impl<'d> Import<'d> {
    /// Adds the forces that are read; the others are told as elements that are not.
    pub(super) fn add_forces(&mut self, model: &'d Element) {
        for at in model.members("ForceSet") {
            if let Some(why) = lack(at) {
                self.findings.warn(at.mark().span, format!("{} is left out: {why}", at.label()));
                at.mark_all();
                continue;
            }
            let made = match self.line(at) {
                Ok(Some(line)) => self.add_line(at, line),
                Ok(None) => self.add_other(at),
                Err(error) => Err(error),
            };
            self.findings.take(made);
        }
    }

    /// Forces of other kinds; what is none of them is told as not read.
    fn add_other(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        if !self.add_spring(at)? && !self.add_actuator(at)? {
            self.add_contact(at)?;
        }
        Ok(())
    }

    /// The law of a spring along a path, and its length without tension [m].
    fn path_spring(&mut self, at: &'d Element) -> Result<(AxialLaw, f64), Diagnostic> {
        let number = |tag: &str| self.number(at.mark(), tag).map(Option::unwrap_or_default);
        let law = UnidirectionalSpring { stiffness: number("stiffness")?, damping: 0.0 };
        if number("dissipation")? != 0.0 {
            let span = self.blamed(at, "dissipation", "").span;
            let message =
                format!("<dissipation> of {} is not here: it is a spring without", at.label());
            self.findings.warn(span, message);
        }
        let rest = self.number(at, "resting_length")?.unwrap_or_default();
        Ok((AxialLaw::UnidirectionalLinear(law), rest))
    }

    /// The law of what pulls along a path; `None` for other kinds of forces.
    fn line(&mut self, at: &'d Element) -> Result<Option<Line>, Diagnostic> {
        let number = |tag: &str| self.number(at.mark(), tag).map(Option::unwrap_or_default);
        let (law, rest_length) = match at.tag.as_str() {
            "PathActuator" => {
                let max_force = self.number(at.mark(), "optimal_force")?.unwrap_or(1.0);
                let law = ConstantMuscle { max_force, ..ConstantMuscle::default() };
                (AxialLaw::ConstantMuscle(law), 0.0)
            }
            "PathSpring" => self.path_spring(at)?,
            "Ligament" => {
                let law = CurveLigament {
                    max_force: number("pcsa_force")?,
                    slack_length: number("resting_length")?,
                    ..CurveLigament::default()
                };
                (AxialLaw::AxialLigament(law), 0.0)
            }
            "Blankevoort1991Ligament" => {
                let law = Blankevoort1991 {
                    linear_stiffness: number("linear_stiffness")?,
                    transition_strain: self.number(at, "transition_strain")?.unwrap_or(0.06),
                    damping: self.number(at, "damping_coefficient")?.unwrap_or(0.003),
                    slack_length: number("slack_length")?,
                };
                (AxialLaw::Blankevoort1991(law), 0.0)
            }
            _ => match self.muscle(at)? {
                Some(law) => (law, 0.0),
                None => return Ok(None),
            },
        };
        Ok(Some(Line { law, rest_length }))
    }

    fn add_line(&mut self, at: &'d Element, line: Line) -> Result<(), Diagnostic> {
        let enabled = is_on(self, at)?;
        let Path { points, is_conditional, wraps } = self.path(at)?;
        let wraps = self.wraps(at, wraps, points.len())?;
        let (called, Line { law, rest_length }) = (name(at.title()), line);
        let id = match points[..] {
            [a, b] if wraps.is_empty() && !is_conditional => {
                let made = AxialSpring::with_law([a, b], law);
                self.model.add(AxialSpring { name: called, rest_length, enabled, ..made }).id()
            }
            _ => {
                let made = MultiPointSpring::new(points, law);
                let wrap_order = if wraps.is_empty() { WrapOrder::Listed } else { WrapOrder::Met };
                let made = MultiPointSpring { name: called, rest_length, enabled, ..made };
                self.model.add(MultiPointSpring { wraps, wrap_order, ..made }).id()
            }
        };
        self.put(id, at.span);
        Ok(())
    }
}

/// The reason that nothing can be made of what pulls along a path: the path is one of functions, or a function in it is
/// not known.
fn lack(at: &Element) -> Option<String> {
    if let Some(path) = at.children.iter().find(|it| it.tag == "FunctionBasedPath") {
        return Some(format!("{} is no path through points", path.label()));
    }
    let path = at.children.iter().find(|it| it.tag == "GeometryPath")?;
    unknown_function(path).map(|it| format!("function {} is not known", it.label()))
}
