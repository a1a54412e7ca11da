//! Boundary: nodes that are fixed or displaced, and nodes that follow rigid bodies. Spellings of all versions.

use sinew::Vec3;
use sinew::model::{Attachment, Dirichlet, Master, PointRef, Schedule};

use super::import::Import;
use super::steps::elements;
use super::units::Dimension;
use super::values::is_on;
use crate::diagnostic::Diagnostic;
use crate::xml_tree::Element;

pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

impl<'d> Import<'d> {
    pub(super) fn read_boundary(&mut self) {
        for at in elements(self.root, "Boundary") {
            let read = match (at.tag.as_str(), at.kind()) {
                ("fix", _) | ("bc", "fix" | "zero displacement") => self.fix(at.mark()),
                ("prescribe", _) | ("bc", "prescribe" | "prescribed displacement") => {
                    self.prescribe(at.mark())
                }
                ("rigid", _) | ("bc", "rigid") => self.attach(at.mark()),
                _ => Ok(()),
            };
            self.findings.take(read);
        }
    }

    /// `bc="x,y"` (2.5), `<dofs>x,y</dofs>` (3.0), `<x_dof>1</x_dof>` (4.0).
    fn fix(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let mut axes = [false; 3];
        let listed = at.attribute("bc").map(|it| it.value.as_str());
        let listed = listed.or_else(|| at.child("dofs").map(|it| it.text.as_str()));
        if let Some(list) = listed {
            for word in words(list) {
                match AXES.iter().position(|axis| **axis == *word) {
                    Some(axis) => axes[axis] = true,
                    None => self.findings.warn(
                        at.span,
                        format!("'{word}' of {} is not fixed: displacements alone are", at.label()),
                    ),
                }
            }
        }
        for (axis, fixed) in ["x_dof", "y_dof", "z_dof"].into_iter().zip(&mut axes) {
            *fixed |= at.child(axis).is_some_and(is_on);
        }
        let nodes = self.nodes_of(at)?;
        if axes != [false; 3] {
            self.add_support(Dirichlet { axes, ..Dirichlet::fix(nodes) });
        }
        Ok(())
    }

    /// `bc="z"` and `<scale lc="1">` (2.5), `<dof>z</dof>` and `<scale>` (3.0) or `<value>` (4.0).
    fn prescribe(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let Some(axis) = self.axis(at)? else { return Ok(()) };
        let value = ["value", "scale"].into_iter().find_map(|tag| at.child(tag));
        let (distance, schedule) = match value {
            Some(it) => (self.scaled(it, Dimension::Length)?, self.course(it)?),
            None => (self.units.factor(Dimension::Length), Schedule::default()),
        };
        let nodes = self.nodes_of(at)?;
        let mut displacement = Vec3::zeros();
        displacement[axis] = distance;
        let axes = [0, 1, 2].map(|k| k == axis);
        let displacement = vec![displacement];
        self.add_support(Dirichlet { axes, displacement, schedule, ..Dirichlet::fix(nodes) });
        Ok(())
    }

    /// The axis of a condition along one; none, with a warning, where it is of another freedom.
    pub(super) fn axis(&mut self, at: &'d Element) -> Result<Option<usize>, Diagnostic> {
        let word = at.attribute("bc").map(|it| it.value.as_str());
        let Some(word) = word.or_else(|| at.child("dof").map(|it| it.text.as_str())) else {
            return Err(at.refused(format!("{} names no dof", at.label())));
        };
        let plain = word.trim_start_matches('R').to_ascii_lowercase();
        let axis = AXES.iter().position(|axis| **axis == *plain);
        if axis.is_none() {
            let message = format!("{} is not read: '{word}' is none of x, y, z", at.label());
            self.findings.warn(at.span, message);
        }
        Ok(axis)
    }

    fn add_support(&mut self, support: Dirichlet) {
        let Some(fem) = self.tissue.and_then(|it| self.model.get_mut(it)) else { return };
        if !support.nodes.is_empty() {
            fem.dirichlet.push(support);
        }
    }

    /// Nodes that follow a rigid body.
    fn attach(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let name = at.attribute("rb").map(|it| it.value.as_str());
        let name = name.or_else(|| at.child("rb").map(|it| it.text.as_str())).unwrap_or("");
        let Some(number) = self.body_named(name, at) else { return Ok(()) };
        let nodes = self.nodes_of(at)?;
        self.attach_nodes(&nodes, number, at);
        Ok(())
    }

    /// Takes nodes that follow a body out of supports: the body alone says where they are.
    pub(super) fn release_attached(&mut self) {
        let points = self.model.iter::<Attachment>().flat_map(|(_, it)| it.points.iter().copied());
        let attached: std::collections::HashSet<u32> = points
            .filter_map(|point| match point {
                PointRef::FemNode(_, node) => Some(node),
                _ => None,
            })
            .collect();
        let Some(fem) = self.tissue.and_then(|it| self.model.get_mut(it)) else { return };
        let count = |fem: &sinew::model::FemModel| {
            fem.dirichlet.iter().map(|support| support.nodes.len()).sum::<usize>()
        };
        let before = count(fem);
        fem.dirichlet.iter_mut().for_each(|it| it.nodes.retain(|node| !attached.contains(node)));
        fem.dirichlet.retain(|it| !it.nodes.is_empty());
        let released = before - count(fem);
        if released > 0 {
            let message = format!(
                "{released} nodes of conditions follow rigid bodies: those say where they are"
            );
            self.findings.warn(self.root.span, message);
        }
    }

    /// Attaches nodes to the body of a material; those that it has already stay.
    pub(super) fn attach_nodes(&mut self, nodes: &[u32], material: usize, at: &Element) {
        let (Some(fem), Some(&body)) = (self.tissue, self.bodies.get(&material)) else { return };
        let attached: std::collections::HashSet<PointRef> =
            self.model.iter::<Attachment>().flat_map(|(_, it)| it.points.iter().copied()).collect();
        let points = nodes.iter().map(|&node| PointRef::FemNode(fem, node));
        let points: Vec<PointRef> = points.filter(|point| !attached.contains(point)).collect();
        if points.is_empty() {
            return;
        }
        let handle = self.model.add(Attachment::new(points, Master::Body(body)));
        self.put(handle.id(), at.span);
    }
}

/// Words of a list: parted by commas, or letters in a row as 2.0 has them.
fn words(list: &str) -> Vec<String> {
    let parts: Vec<String> =
        list.split(',').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect();
    match &parts[..] {
        [one] if one.chars().all(|c| "xyz".contains(c)) => one.chars().map(String::from).collect(),
        _ => parts,
    }
}
