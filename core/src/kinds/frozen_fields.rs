//! Formulas of a tissue as fields of its mesh: a motion of its nodes would change their values.

use super::fem_model::FemModel;
use super::field_formula::{Direction, FieldFormula, tensor};
use super::rest_state::PRESTRAIN;
use super::tissue_fields::{DENSITY, DIRECTIONS};
use crate::fem::Field;

impl FemModel {
    /// Makes fields of the mesh of all formulas: of its elements; of its nodes for directions that turn within elements.
    pub(super) fn freeze_fields(&mut self) {
        for name in self.fields.keys().cloned().collect::<Vec<_>>() {
            let Some((values, of_nodes)) = self.values_of_field(&name) else { continue };
            let field = frozen(&name);
            self.fields.insert(name, format!("{{{field}}}"));
            if of_nodes {
                self.mesh.element_fields.remove(&field);
                self.mesh.node_fields.insert(field, values);
            } else {
                self.mesh.element_fields.insert(field, values);
            }
        }
    }

    /// Values of a formula at all elements, or with `true` at all nodes; `None` for one that cannot be read.
    fn values_of_field(&self, name: &str) -> Option<(Field, bool)> {
        let (text, count) = (&self.fields[name], self.mesh.element_count());
        if DIRECTIONS.contains(&name) {
            let direction = Direction::parse(&self.mesh, text).ok()?;
            let of_nodes = direction.at_nodes();
            let turns = of_nodes.is_some();
            let of_elements = || (0..count).map(|e| direction.eval(e).into()).collect();
            let values = of_nodes.unwrap_or_else(of_elements).into_flattened();
            return Some((Field { components: 3, values }, turns));
        }
        let formulas = match name {
            PRESTRAIN => tensor(&self.mesh, text).ok()?,
            _ => vec![FieldFormula::parse(&self.mesh, text).ok()?],
        };
        let at = |e: usize| formulas.iter().map(move |formula| formula.eval(e));
        let values = (0..count).flat_map(at).collect();
        Some((Field { components: formulas.len(), values }, false))
    }

    /// Names of the fields of the mesh that directions are frozen in.
    pub(super) fn frozen_directions(&self) -> impl Iterator<Item = String> {
        DIRECTIONS.into_iter().filter(|name| self.fields.contains_key(*name)).map(frozen)
    }

    /// Multiplies a frozen density.
    pub(super) fn scale_density_field(&mut self, factor: f64) {
        if let Some(field) = self.mesh.element_fields.get_mut(&frozen(DENSITY))
            && self.fields.contains_key(DENSITY)
        {
            field.values.iter_mut().for_each(|value| *value *= factor);
        }
    }
}

/// Field of the mesh that a field of a tissue is frozen in.
fn frozen(name: &str) -> String {
    format!("field:{name}")
}
