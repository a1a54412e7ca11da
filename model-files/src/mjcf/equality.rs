//! Equalities: joints that follow others along polynomials, points and bodies that are held together.

use std::collections::{BTreeMap, BTreeSet};

use sinew::constraint::{Compliance, JointKind, Pose};
use sinew::model::{CoupledCoordinate, FrameSite, Joint, JointCoordinateCoupling};

use super::import::Import;
use super::records::{Body, Dependent};
use super::tree::shifted;
use super::view::View;
use super::xml::Element;
use crate::diagnostic::Diagnostic;
use crate::imported::plain_name;

impl Dependent {
    fn target(&self, x: f64) -> f64 {
        self.polynomial.iter().rev().fold(0.0, |sum, c| sum * x + c)
    }

    fn slope(&self, x: f64) -> f64 {
        let terms = self.polynomial.iter().enumerate().skip(1);
        terms.map(|(k, c)| c * k as f64 * x.powi(k as i32 - 1)).sum()
    }
}

/// Puts joints that follow others where these are, but for those that are given.
pub(super) fn follow(
    bodies: &mut [Body<'_>],
    places: &BTreeMap<String, [usize; 2]>,
    dependents: &[Dependent],
    given: &BTreeSet<String>,
) {
    // Chains of joints that follow each other take a pass each.
    for _ in 0..dependents.len().min(MOST_PASSES) {
        for dependent in dependents.iter().filter(|it| !given.contains(&it.dependent)) {
            let by = dependent.by.as_ref().and_then(|name| places.get(name));
            let by = by.map(|&[body, k]| &bodies[body].joints[k]);
            let (x, rate) = by.map_or((0.0, 0.0), |it| (it.value, it.rate));
            let slope = dependent.slope(x);
            if let Some(&[body, k]) = places.get(&dependent.dependent) {
                let joint = &mut bodies[body].joints[k];
                (joint.value, joint.rate) = (dependent.target(x), slope * rate);
            }
        }
    }
}

/// Longest chain of joints that follow each other.
const MOST_PASSES: usize = 8;

/// Coefficients of the same polynomial of x that is one of x - shift, with `offset` added.
fn recentred(coefficients: &[f64], shift: f64, offset: f64) -> Vec<f64> {
    let mut made = vec![0.0; coefficients.len().max(1)];
    for c in coefficients.iter().rev() {
        // Horner's scheme over polynomials: times (x - shift), plus c.
        for k in (0..made.len()).rev() {
            let below = if k > 0 { made[k - 1] } else { 0.0 };
            made[k] = below - shift * made[k];
        }
        made[0] += c;
    }
    made[0] += offset;
    made
}

impl<'d> Import<'d> {
    /// Reads the joints that follow others, and puts them where these are, but for those that are given.
    pub(super) fn read_dependents(&mut self, root: &'d Element) {
        if self.compiler.is_off("equality") {
            return root.all("equality").for_each(Element::mark_all);
        }
        for at in root.all("equality").flat_map(|list| list.mark().all("joint")) {
            let read = self.defaults.view(at, &["equality"], None);
            let read = read.and_then(|view| self.dependent(&view));
            if let Some(Some(dependent)) = self.findings.take(read) {
                self.dependents.push(dependent);
            }
        }
        follow(&mut self.bodies, &self.joint_places, &self.dependents, &self.given);
    }

    fn is_active(&self, view: &View<'d>) -> Result<bool, Diagnostic> {
        let active = view.flag("active")?.unwrap_or(true);
        if !active {
            view.at.mark_all();
        }
        Ok(active)
    }

    fn dependent(&self, view: &View<'d>) -> Result<Option<Dependent>, Diagnostic> {
        if !self.is_active(view)? {
            return Ok(None);
        }
        let dependent = view.target("joint1")?;
        let by = view.text("joint2");
        let reference = |name: &str, of: &str| {
            let found = self.joint_named(name).filter(|it| it.kind.is_scalar());
            found.map(|it| it.reference).ok_or_else(|| {
                let message = format!("{}: '{name}' is no hinge or slide", view.at.label());
                let span = view.blamed(of, "").span.unwrap_or(view.at.span);
                let known = self.joint_places.keys().map(String::as_str);
                Diagnostic::unknown(span, message, name, known)
            })
        };
        let own = reference(dependent, "joint1")?;
        let other = by.map(|name| reference(name, "joint2")).transpose()?;
        let mut polynomial = [0.0, 1.0, 0.0, 0.0, 0.0];
        view.put_numbers("polycoef", &mut polynomial)?;
        let polynomial = match other {
            Some(other) => recentred(&polynomial, other, own),
            None => vec![polynomial[0] + own],
        };
        let (name, span) = (view.at.name().to_owned(), view.at.span);
        let (dependent, by) = (dependent.to_owned(), by.map(str::to_owned));
        Ok(Some(Dependent { name, span, dependent, by, polynomial }))
    }

    /// True for a joint whose coordinate is bound to others.
    pub(super) fn follows(&self, joint: &str) -> bool {
        self.dependents.iter().any(|it| it.dependent == joint)
    }

    /// Adds couplings, and the joints that hold points and bodies together.
    pub(super) fn add_equalities(&mut self, root: &'d Element) {
        for dependent in self.dependents.clone() {
            let of = self.joint_named(&dependent.dependent).and_then(|it| it.coordinate.clone());
            let by = dependent.by.as_deref().and_then(|name| self.joint_named(name));
            let Some(of) = of else { continue };
            let mut terms = vec![CoupledCoordinate { of, polynomial: vec![0.0, 1.0], curve: None }];
            match (by.and_then(|it| it.coordinate.clone()), &dependent.by) {
                (Some(by), _) => {
                    let polynomial = dependent.polynomial.iter().map(|c| -c).collect();
                    terms.push(CoupledCoordinate { of: by, polynomial, curve: None });
                }
                (None, Some(_)) => continue,
                (None, None) => terms[0].polynomial[0] = -dependent.polynomial[0],
            }
            let (name, compliance) = (plain_name(&dependent.name), Compliance::default());
            let made =
                JointCoordinateCoupling { name, terms, compliance, inertia: 0.0, enabled: true };
            let handle = self.model.add(made);
            self.put(handle.id(), dependent.span);
        }
        for at in root.all("equality").flat_map(|list| &list.children) {
            let kind = match at.tag.as_str() {
                "connect" => JointKind::Spherical,
                "weld" => JointKind::Solid,
                _ => continue,
            };
            let added = self.defaults.view(at, &["equality"], None);
            let added = added.and_then(|view| self.add_tie(&view, kind));
            self.findings.take(added);
        }
    }

    fn add_tie(&mut self, view: &View<'d>, kind: JointKind) -> Result<(), Diagnostic> {
        if !self.is_active(view)? {
            return Ok(());
        }
        let [first, second] = match view.text("site1") {
            Some(_) => [self.site_frame(view, "site1")?, self.site_frame(view, "site2")?],
            None => self.body_frames(view, kind)?,
        };
        if self.bodies[first.0].welded == self.bodies[second.0].welded {
            let message = format!("{} holds a body to itself", view.at.label());
            self.findings.note(view.at.span, message);
            return Ok(());
        }
        let ends = [first, second].map(|(body, pose)| self.frame_site(body, &pose));
        let made = Joint { name: plain_name(view.at.name()), ..Joint::new(kind, ends[0], ends[1]) };
        let handle = self.model.add(made);
        self.put(handle.id(), view.at.span);
        Ok(())
    }

    fn site_frame(&self, view: &View<'d>, name: &str) -> Result<(usize, Pose), Diagnostic> {
        let site = &self.sites[self.site_number(view, name)?];
        Ok((site.body, site.pose))
    }

    /// Frames on both bodies that meet in the pose of the file: at an anchor of the first, or as they are.
    fn body_frames(
        &self,
        view: &View<'d>,
        kind: JointKind,
    ) -> Result<[(usize, Pose); 2], Diagnostic> {
        let first = self.body_number(view, "body1")?;
        let second = match view.text("body2") {
            Some(_) => self.body_number(view, "body2")?,
            None => 0,
        };
        let between = self.reference_pose(first).inv_mul(&self.reference_pose(second));
        let anchor = view.vector("anchor")?.unwrap_or_default();
        if kind == JointKind::Spherical {
            let on_first = shifted(anchor);
            return Ok([(first, on_first), (second, between.inverse() * on_first)]);
        }
        // Seven zeros, or none, stand for the pose of the file; the anchor is in the second body.
        let relative = view.array::<7>("relpose")?.filter(|it| it[3..].iter().any(|x| *x != 0.0));
        let relative = match relative {
            None => between,
            Some([x, y, z, w, i, j, k]) => {
                let turn =
                    nalgebra::UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, i, j, k));
                Pose::from_parts(sinew::Vec3::new(x, y, z).into(), turn)
            }
        };
        Ok([(first, relative), (second, Pose::identity())])
    }

    /// Pose of a body in the world at the reference coordinates [m].
    fn reference_pose(&self, number: usize) -> Pose {
        let mut pose = Pose::identity();
        let mut at = number;
        while at != 0 {
            pose = self.bodies[at].pose * pose;
            at = self.bodies[at].parent;
        }
        pose
    }

    /// The number of the body that an attribute names.
    pub(super) fn body_number(&self, view: &View<'d>, name: &str) -> Result<usize, Diagnostic> {
        let wanted = view.target(name)?;
        let found = self.bodies.iter().position(|it| it.name == wanted);
        found.ok_or_else(|| {
            let span = view.blamed(name, "").span.unwrap_or(view.at.span);
            let message = format!("{}: there is no body '{wanted}'", view.at.label());
            let known = self.bodies.iter().map(|it| it.name.as_str());
            Diagnostic::unknown(span, message, wanted, known)
        })
    }

    /// A frame on a body of the model, or on the ground.
    pub(super) fn frame_site(&self, body: usize, pose: &Pose) -> FrameSite {
        FrameSite { body: self.handles.get(body).copied().flatten(), pose: *pose }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_about_another_point_have_the_same_values() {
        let list = [0.3, -1.0, 2.0, 0.5, -0.25];
        let made = recentred(&list, 0.7, 0.1);
        for x in [-1.0, 0.0, 0.4, 2.0f64] {
            let value = |list: &[f64], x: f64| list.iter().rev().fold(0.0, |sum, c| sum * x + c);
            let expected = value(&list, x - 0.7) + 0.1;
            assert!((value(&made, x) - expected).abs() < 1e-13, "{x}: {expected}");
        }
    }
}
