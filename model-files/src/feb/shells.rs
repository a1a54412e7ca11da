//! Shells of a document: a part each, on the triangles that the reader of the mesh makes of it.

use sinew::model::{Dirichlet, Shell};

use super::import::{Import, distinct};
use super::units::Dimension;
use super::values::{self, numbers};
use crate::diagnostic::Diagnostic;
use crate::xml_tree::Element;

impl<'d> Import<'d> {
    pub(super) fn add_shells(&mut self) {
        let parts: Vec<String> = self.mesh().triangle_sets.keys().cloned().collect();
        for part in parts {
            let added = self.add_shell(&part);
            self.findings.take(added);
        }
    }

    fn add_shell(&mut self, part: &str) -> Result<(), Diagnostic> {
        let Some(fem) = self.tissue else { return Ok(()) };
        let domains = self.root.all("MeshDomains").flat_map(|it| it.all("ShellDomain"));
        let domain = domains.map(Element::mark).find(|it| it.name() == part);
        let material = match domain.and_then(|it| it.attribute("mat")) {
            Some(name) => self.material_named(&name.value),
            // In 2.5 the part itself names its material.
            None => self.part(part).and_then(|it| self.material_named(&it.attribute("mat")?.value)),
        };
        let span = domain.map_or(self.root.span, |it| it.span);
        let Some(material) = material else {
            return Err(Diagnostic::error(span, format!("the shells '{part}' have no material")));
        };
        let Some(laws) = &self.materials[material].laws else {
            let message = format!(
                "the rigid shells '{part}' are not read, as bodies are of solids: what they alone have of nodes is fixed"
            );
            self.findings.warn(span, message);
            self.fix_alone(part);
            return Ok(());
        };
        if self.materials[material].prestrain.is_some() {
            let message =
                format!("the shells '{part}' have no strain at rest, which shells do not take");
            self.findings.warn(span, message);
        }
        let mut shell = Shell::on_surface(fem, part, laws.tissue);
        shell.name = crate::imported::plain_name(part);
        shell.density = self.materials[material].density;
        let thickness = self.thickness(part, domain)?;
        shell.thickness = format!("{}", thickness * self.units.factor(Dimension::Length));
        let handle = self.model.add(shell);
        self.put(handle.id(), span);
        Ok(())
    }

    /// Fixes the nodes of a part that no solid and no other part has: they have no mass.
    fn fix_alone(&mut self, part: &str) {
        let Some(fem) = self.tissue.and_then(|it| self.model.get_mut(it)) else { return };
        let mesh = &fem.mesh;
        let mut used = vec![false; mesh.nodes.len()];
        let others = mesh.triangle_sets.iter().filter(|(name, _)| *name != part);
        let of_others = others.flat_map(|(_, triangles)| triangles.iter().flatten());
        of_others.for_each(|&n| used[n as usize] = true);
        mesh.elements().flat_map(|(_, nodes)| nodes).for_each(|&n| used[n as usize] = true);
        let own = mesh.triangle_sets.get(part).into_iter().flatten().flatten().copied();
        let alone = distinct(own.filter(|&n| !used[n as usize]));
        if !alone.is_empty() {
            fem.dirichlet.push(Dirichlet::fix(alone));
        }
    }

    /// The part of elements of a name.
    fn part(&self, name: &str) -> Option<&'d Element> {
        self.meshes().flat_map(|it| it.all("Elements")).find(|it| it.name() == name)
    }

    /// Thickness of a part: of its data, their mean where they differ, or of its domain.
    fn thickness(&mut self, part: &str, domain: Option<&Element>) -> Result<f64, Diagnostic> {
        let sections = self.root.all("MeshData").flat_map(|it| it.all("ElementData"));
        let data = sections.filter(|it| {
            let word = |key: &str| it.attribute(key).map_or("", |it| it.value.as_str());
            [word("type"), word("var"), word("name")].contains(&"shell thickness")
                && word("elem_set") == part
        });
        let values: Vec<f64> =
            data.flat_map(|it| &it.children).flat_map(|row| numbers(&row.text)).collect();
        if let Some(&first) = values.first() {
            if values.iter().any(|&it| (it - first).abs() > 1e-9 * first.abs()) {
                let message =
                    format!("the thickness of the shells '{part}' varies: its mean is taken");
                self.findings.warn(domain.map_or(self.root.span, |it| it.span), message);
            }
            if let Some(own) = domain {
                own.child("shell_thickness");
            }
            return Ok(values.iter().sum::<f64>() / values.len() as f64);
        }
        let own = domain.and_then(|it| it.child("shell_thickness"));
        let thickness = own.map_or(Ok(0.0), values::number)?;
        match thickness > 0.0 {
            true => Ok(thickness),
            false => {
                let message = format!("the shells '{part}' have no thickness above 0");
                let help = "give <shell_thickness> in their domain, or ElementData of the type 'shell thickness'";
                Err(Diagnostic::error(domain.map_or(self.root.span, |it| it.span), message)
                    .help(help))
            }
        }
    }
}
