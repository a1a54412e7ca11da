//! Strain at rest of a material: FEBio's gradient F_p, which its law sees before the deformation (F F_p). Here it is the
//! `prestrain` of the tissue, in the axes of the material.

use sinew::Mat3;
use sinew::fem::Field;
use sinew::model::FemModel;

use super::import::Import;
use super::materials::Prestrain;
use super::values::{self, is_on, numbers};
use crate::diagnostic::Diagnostic;
use crate::xml_tree::Element;

/// Field of the mesh that gradients of materials are in.
const FIELD: &str = "prestrain of materials";
/// Gradients that differ by less are the same [-].
const SAME: f64 = 1e-12;

impl<'d> Import<'d> {
    /// The strain at rest of a material; none where it has none, or where that is told.
    ///
    /// # Errors
    /// Stretches and gradients that leave no volume.
    pub(super) fn prestrain(&mut self, at: &'d Element) -> Result<Option<Prestrain>, Diagnostic> {
        let Some(own) = at.child("prestrain") else { return Ok(None) };
        match own.kind() {
            "in-situ stretch" => self.in_situ(own),
            "prestrain gradient" => self.whole_gradient(own),
            kind => {
                let message = format!("the prestrain of the type '{kind}' is not read");
                self.findings.warn(own.span, message);
                Ok(None)
            }
        }
    }

    /// λ a a + μ (1 - a a), with μ = λ^(-1/2) where it is isochoric and 1 otherwise.
    fn in_situ(&mut self, at: &'d Element) -> Result<Option<Prestrain>, Diagnostic> {
        let is_isochoric = at.child("isochoric").is_none_or(is_on);
        let Some(stretch) = at.child("stretch") else { return Ok(None) };
        let [along] = numbers(&stretch.text)[..] else {
            self.tell_map(stretch);
            return Ok(None);
        };
        let along = along * self.at_the_end(stretch)?;
        if along <= 0.0 {
            return Err(stretch.refused(format!("<stretch> must be > 0, got {along}")));
        }
        let across = if is_isochoric { 1.0 / along.sqrt() } else { 1.0 };
        Ok(Some(Prestrain::Fibres { along, across }))
    }

    /// 1 + r (F0 - 1), r the ramp.
    fn whole_gradient(&mut self, at: &'d Element) -> Result<Option<Prestrain>, Diagnostic> {
        let ramp = match at.child("ramp") {
            Some(ramp) => values::number(ramp)? * self.at_the_end(ramp)?,
            None => 1.0,
        };
        let Some(whole) = at.child("F0") else { return Ok(None) };
        let rows = numbers(&whole.text);
        if rows.len() != 9 {
            self.tell_map(whole);
            return Ok(None);
        }
        let whole_gradient = Mat3::from_row_slice(&rows);
        let gradient = Mat3::identity() + (whole_gradient - Mat3::identity()) * ramp;
        let determinant = gradient.determinant();
        if determinant <= 0.0 {
            let message = format!("<F0> must have a determinant > 0, got {determinant}");
            return Err(whole.refused(message));
        }
        Ok(Some(Prestrain::Whole(gradient)))
    }

    fn tell_map(&mut self, at: &Element) {
        let message = format!("<{}> by a map or a formula is not read: no strain at rest", at.tag);
        self.findings.warn(at.span, message);
    }

    /// Factor of the load curve of an element at the end of the run, which acts from the start on.
    fn at_the_end(&mut self, at: &Element) -> Result<f64, Diagnostic> {
        let course = self.course(at)?;
        let end = self.solver.time.unwrap_or(0.0);
        let factor = course.at(end);
        if factor != course.at(0.0) {
            let message = format!(
                "<{}> acts from the start on as its load curve has it at the end of the run",
                at.tag
            );
            self.findings.warn(at.span, message);
        }
        Ok(factor)
    }

    /// Strain at rest of the elements of a tissue whose fibres are known.
    pub(super) fn put_prestrain(&self, fem: &mut FemModel) {
        if self.materials.iter().all(|it| it.prestrain.is_none()) {
            return;
        }
        let axes = fem.material_axes();
        let gradient = |(e, axes): (usize, &Mat3)| {
            let material = self.material_of[e].map(|m| &self.materials[m]);
            let own = material.and_then(|it| it.prestrain.as_ref());
            own.map_or_else(Mat3::identity, |it| {
                let (_, fibre) = self.axes_and_fibre(&fem.mesh, e);
                axes.transpose() * it.gradient(&fibre) * axes
            })
        };
        let all: Vec<Mat3> = axes.iter().enumerate().map(gradient).collect();
        let Some(first) = all.first().copied() else { return };
        if all.iter().all(|it| (it - first).amax() < SAME) {
            fem.rest.prestrain = first;
            return;
        }
        let values = all.iter().flat_map(|it| it.transpose().as_slice().to_vec()).collect();
        let field = Field { components: 9, values };
        fem.mesh.element_fields.insert(FIELD.to_owned(), field);
        fem.fields.insert("prestrain".to_owned(), format!("{{{FIELD}}}"));
    }
}
