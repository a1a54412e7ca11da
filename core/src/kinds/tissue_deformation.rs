//! Tissues and the fibres in them under a map: nodes, supports, directions.

use std::collections::BTreeSet;

use crate::Vec3;
use crate::component::{ComponentId, MassRule, ROOT, TransformRefusal};
use crate::fem::VolumeMesh;
use crate::kinds::{Dirichlet, FemModel, MuscleBundle, Shell};
use crate::property::{Components, Transformation};

/// Mean of the corners of an element [m].
fn center(mesh: &VolumeMesh, e: usize) -> Vec3 {
    let nodes = mesh.element(e).1;
    nodes.iter().map(|&n| mesh.nodes[n as usize]).sum::<Vec3>() / nodes.len().max(1) as f64
}

/// Takes a field of directions along, of elements and of nodes.
fn turn_field(
    mesh: &mut VolumeMesh,
    name: &str,
    by: &Transformation<'_>,
) -> Result<(), TransformRefusal> {
    if let Some(field) = mesh.element_fields.get(name) {
        let mut field = field.clone();
        for (e, vector) in field.values.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            let linear = by.near(&center(mesh, e))?.linear;
            *vector = (linear * Vec3::from(*vector)).into();
        }
        mesh.element_fields.insert(name.to_owned(), field);
    }
    if let Some(field) = mesh.node_fields.get_mut(name) {
        let vectors = field.values.as_chunks_mut::<3>().0;
        for (vector, node) in vectors.iter_mut().zip(&mesh.nodes) {
            *vector = (by.near(node)?.linear * Vec3::from(*vector)).into();
        }
    }
    Ok(())
}

impl Transformation<'_> {
    /// Takes directions along that stand for all of `elements`, or for one each.
    fn turn_directions(
        &self,
        directions: &mut Vec<Vec3>,
        mesh: &VolumeMesh,
        elements: &[u32],
    ) -> Result<(), TransformRefusal> {
        if let ([one], None) = (directions.as_slice(), self.map.affine()) {
            *directions = vec![*one; elements.len()];
        }
        for (direction, &e) in directions.iter_mut().zip(elements) {
            *direction = self.near(&center(mesh, e as usize))?.linear * *direction;
        }
        Ok(())
    }
}

impl FemModel {
    /// Takes nodes, supports and directions along; a map that mirrors renumbers the nodes of elements.
    pub(super) fn deform(&mut self, by: &Transformation<'_>) -> Result<(), TransformRefusal> {
        self.freeze_fields();
        let mut fields = fibre_fields(by.model, by.id);
        fields.extend(self.frozen_directions());
        let map = by.map.affine();
        let partial = |d: &Dirichlet| d.axes.contains(&true) && d.axes.contains(&false);
        if !map.is_some_and(|map| map.keeps_axes()) && self.dirichlet.iter().any(partial) {
            return Err(TransformRefusal::AxisSupport);
        }
        self.deform_supports(by)?;
        let elements: Vec<u32> = (0..self.mesh.element_count() as u32).collect();
        by.turn_directions(&mut self.fibres, &self.mesh, &elements)?;
        by.turn_directions(&mut self.sheets, &self.mesh, &elements)?;
        for name in &fields {
            turn_field(&mut self.mesh, name, by)?;
        }
        let volume = |fem: &Self| crate::io::mesh_volume(&fem.mesh);
        let before =
            (by.options.masses == MassRule::Mass && by.map.rigid().is_none()).then(|| volume(self));
        for node in &mut self.mesh.nodes {
            let image = by.map.point(node);
            by.near(node).map_err(|_| TransformRefusal::Inverts)?;
            *node = image;
        }
        match map {
            Some(map) if map.linear.determinant() < 0.0 => self.mesh.mirror(),
            Some(_) => {}
            None => self.check_folds()?,
        }
        if let Some(before) = before {
            let factor = before / volume(self);
            self.density *= factor;
            self.scale_density_field(factor);
        }
        Ok(())
    }

    /// Displacements of supports, one for all or one a node.
    fn deform_supports(&mut self, by: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let nodes = &self.mesh.nodes;
        for support in &mut self.dirichlet {
            if let ([one], None) = (support.displacement.as_slice(), by.map.affine()) {
                support.displacement = vec![*one; support.nodes.len()];
            }
            for (displacement, &node) in support.displacement.iter_mut().zip(&support.nodes) {
                *displacement = by.near(&nodes[node as usize])?.linear * *displacement;
            }
            // One path for all nodes turns as the first of them does.
            let first = support.nodes.first().filter(|_| !support.keyframes.is_empty());
            if let Some(&node) = first {
                let map = by.near(&nodes[node as usize])?;
                support.keyframes.iter_mut().for_each(|it| it.position = map.linear * it.position);
            }
        }
        Ok(())
    }

    /// Elements that stay as they wind.
    fn check_folds(&self) -> Result<(), TransformRefusal> {
        let sound = |e| self.mesh.jacobian_ratio(e, self.quadrature) > 0.0;
        match (0..self.mesh.element_count()).all(sound) {
            true => Ok(()),
            false => Err(TransformRefusal::Inverts),
        }
    }
}

/// Names of the fields of a tissue's mesh that muscle bundles have their fibres from.
fn fibre_fields(model: &dyn Components, fem: ComponentId) -> BTreeSet<String> {
    let (mut names, mut rest) = (BTreeSet::new(), vec![ROOT]);
    while let Some(id) = rest.pop() {
        rest.extend(model.children_of(id));
        let bundle = id.typed::<MuscleBundle>().and_then(|handle| model.get(handle));
        names.extend(
            bundle
                .filter(|it| !it.field.is_empty() && it.fem.id() == fem)
                .map(|it| it.field.clone()),
        );
    }
    names
}

impl Shell {
    /// Takes its fibres along; a map that mirrors turns the triangles over, so that they go on facing the same side.
    pub(super) fn deform(&mut self, by: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let Some(fem) = by.model.get(self.fem) else { return Ok(()) };
        let triangles = self.triangles_in(fem);
        if let ([one], None) = (self.fibres.as_slice(), by.map.affine()) {
            self.fibres = vec![*one; triangles.len()];
        }
        for (direction, (nodes, _)) in self.fibres.iter_mut().zip(&triangles) {
            let middle = nodes.iter().map(|&n| fem.mesh.nodes[n as usize]).sum::<Vec3>() / 3.0;
            *direction = by.near(&middle)?.linear * *direction;
        }
        if by.map.affine().is_some_and(|map| map.linear.determinant() < 0.0) {
            self.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        Ok(())
    }
}

impl MuscleBundle {
    /// Takes its fibres along; those of a field go with the tissue.
    pub(super) fn deform(&mut self, by: &Transformation<'_>) -> Result<(), TransformRefusal> {
        if !self.field.is_empty() {
            let shifts = by.map.affine().is_some_and(|map| map.linear == crate::Mat3::identity());
            return match shifts || by.moves(self.fem) {
                true => Ok(()),
                false => Err(TransformRefusal::FibreField),
            };
        }
        let Some(fem) = by.model.get(self.fem) else { return Ok(()) };
        let elements = self.elements_in(fem);
        by.turn_directions(&mut self.fibres, &fem.mesh, &elements)
    }
}
