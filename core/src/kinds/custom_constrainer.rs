//! Constraints that the user's own code defines.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::component::{Address, ComponentId, Handle, Reference};
use crate::constraint::{Compliance, ConstraintInput, ConstraintLaw, RowSheet};
use crate::kinds::{PointRef, RigidBody};
use crate::property::{
    CheckError, CodeKind, Components, ModelComponent, Paths, Problem, Put, Refusal, properties,
};

/// A constraint of some points and bodies, by code: a law that writes the values of its rows, which the
/// constraint makes zero, and their derivatives, which are compared with differences when a model is
/// compiled. It must depend on nothing but its arguments, and is computed many times a step. A file has it
/// where its code goes by a registered name, and not where it is a closure.
#[derive(Clone, Serialize, Deserialize)]
pub struct CustomConstrainer {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// The points that it sees and pushes.
    pub points: Vec<PointRef>,
    /// The bodies that it sees and pushes.
    pub bodies: Vec<Handle<RigidBody>>,
    /// Compliance of each of its rows.
    pub rows: Vec<Compliance>,
    /// True if it holds.
    pub enabled: bool,
    /// Name that its code is registered under; empty for a closure.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub code: String,
    /// The closure, where it is one.
    #[serde(skip)]
    pub(crate) law: Option<Arc<ConstraintLaw>>,
}

/// Most rows of a law.
const MOST_ROWS: i64 = 10_000;

impl CustomConstrainer {
    /// The `rows` rigid rows that `law` writes for `points` and `bodies`.
    pub fn new(
        points: Vec<PointRef>,
        bodies: Vec<Handle<RigidBody>>,
        rows: usize,
        law: impl Fn(ConstraintInput<'_>, &mut RowSheet<'_>) + Send + Sync + 'static,
    ) -> Self {
        Self { law: Some(Arc::new(law)), ..Self::registered("", points, bodies, rows) }
    }

    /// The `rows` rigid rows that the code of this name writes for `points` and `bodies`; properties that are declared on
    /// it are the parameters of the code ([`CodeRegistry`](crate::model::CodeRegistry)).
    pub fn registered(
        code: impl Into<String>,
        points: Vec<PointRef>,
        bodies: Vec<Handle<RigidBody>>,
        rows: usize,
    ) -> Self {
        let (name, rows) = (String::new(), vec![Compliance::default(); rows]);
        Self { name, points, bodies, rows, enabled: true, code: code.into(), law: None }
    }

    /// Check that a closure keeps what it was made for.
    fn check_closure(&self, changes: bool) -> Put {
        match self.law.is_some() && changes {
            true => Err(Refusal::Value("what its closure was made for")),
            false => Ok(()),
        }
    }

    fn put_points(&mut self, to: &[Address]) -> Put {
        self.check_closure(to.len() != self.points.len())?;
        PointRef::put_all(&mut self.points, to)
    }

    fn put_bodies(&mut self, to: &[Address]) -> Put {
        self.check_closure(to.len() != self.bodies.len())?;
        let body = |at: &Address| match at {
            Address::Component(id) => id.typed(),
            _ => None,
        };
        let bodies = to.iter().map(body).collect::<Option<_>>();
        self.bodies = bodies.ok_or(Refusal::Value("paths of rigid bodies"))?;
        Ok(())
    }

    fn put_rows(&mut self, count: i64) -> Put {
        self.check_closure(usize::try_from(count) != Ok(self.rows.len()))?;
        if count > MOST_ROWS {
            return Err(Refusal::Value("at most 10,000"));
        }
        self.rows.resize(usize::try_from(count).unwrap_or_default(), Compliance::default());
        Ok(())
    }

    fn put_row_values(&mut self, list: &[f64], put: fn(&mut Compliance, f64)) -> Put {
        if list.len() != self.rows.len() {
            return Err(Refusal::Value("one number a row"));
        }
        self.rows.iter_mut().zip(list).for_each(|(row, x)| put(row, *x));
        Ok(())
    }

    fn put_code(&mut self, code: String) -> Put {
        self.check_closure(!code.is_empty())?;
        self.code = code;
        Ok(())
    }

    fn check_code(&self, model: &dyn Components) -> Result<(), CheckError> {
        match self.law {
            Some(_) => Ok(()),
            None => model.check_code(CodeKind::Constraint, &self.code),
        }
    }

    /// Points and bodies are there, each once.
    fn check_targets(&self, model: &dyn Components) -> Result<(), CheckError> {
        for (k, &point) in self.points.iter().enumerate() {
            model.check_point("points", point)?;
            if self.points[..k].contains(&point) {
                return Err(Problem::Twice(model.path(point.address())).at("points"));
            }
        }
        for (k, &body) in self.bodies.iter().enumerate() {
            model.check_body("bodies", Some(body))?;
            if self.bodies[..k].contains(&body) {
                return Err(Problem::Twice(model.path(body)).at("bodies"));
            }
        }
        if self.points.is_empty() && self.bodies.is_empty() {
            return Err(Problem::Few { given: 0, least: 1 }.at("points"));
        }
        Ok(())
    }
}

impl fmt::Debug for CustomConstrainer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("CustomConstrainer");
        text.field("name", &self.name).field("points", &self.points);
        text.field("bodies", &self.bodies).finish_non_exhaustive()
    }
}

impl ModelComponent for CustomConstrainer {
    const HOME: Option<&'static str> = Some("constrainers");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.points.iter().for_each(|point| visit(point.reference()));
        self.bodies.iter().for_each(|&body| visit(Reference::hard(body)));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.points.iter_mut().for_each(|point| point.redirect(map));
        for body in &mut self.bodies {
            body.redirect(map);
        }
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_targets(model)?;
        self.check_code(model)
    }

    properties! { CustomConstrainer {
        "enabled": bool = true, "", FINITE, STRUCTURE, "True if it is in force", own (enabled);
        "points": Paths = Paths::default(), "", FINITE, STRUCTURE, "The points that its law sees and pushes",
            reference (|it| it.points.iter().map(|point| point.address()).collect(), |it, to| it.put_points(to)), check CustomConstrainer::check_targets;
        "bodies": Paths = Paths::default(), "", FINITE, STRUCTURE, "The bodies that its law sees and pushes",
            reference (|it| it.bodies.iter().map(|&body| body.into()).collect(), |it, to| it.put_bodies(to)), check CustomConstrainer::check_targets;
        "rows": i64 = 1, "-", NOT_NEGATIVE, STRUCTURE, "Number of rows that its law writes",
            replacing (|it: &CustomConstrainer| i64::try_from(it.rows.len()).ok(), |it: &mut CustomConstrainer, count| it.put_rows(count));
        "compliance": Vec<f64> = Vec::new(), "m/N, rad/(N m)", NOT_NEGATIVE, PARAMETER, "Compliance of each of its rows",
            via (|it: &CustomConstrainer| Some(it.rows.iter().map(|row| row.compliance).collect()), |it: &mut CustomConstrainer, list: Vec<f64>| it.put_row_values(&list, |row, x| row.compliance = x));
        "damping": Vec<f64> = Vec::new(), "N s/m, N m s/rad", NOT_NEGATIVE, PARAMETER, "Damping of each of its rows, of effect where the compliance is not zero",
            via (|it: &CustomConstrainer| Some(it.rows.iter().map(|row| row.damping).collect()), |it: &mut CustomConstrainer, list: Vec<f64>| it.put_row_values(&list, |row, x| row.damping = x));
        "code": String = String::new(), "", FINITE, STRUCTURE, "Name that its code is registered under; declared properties are the parameters of the code",
            via (|it: &CustomConstrainer| Some(it.code.clone()), |it: &mut CustomConstrainer, code| it.put_code(code)), check CustomConstrainer::check_code;
        "errors": Vec<f64> = Vec::new(), "m, rad", FINITE, NOTHING, "Values of its rows", simulated ();
        "multipliers": Vec<f64> = Vec::new(), "N, N m", FINITE, NOTHING, "Forces of its rows, mean over the last step", simulated ();
    } }
}
