//! The tissue of a document: all solids of its mesh, with a region a material, densities, fibres and sheets.

use sinew::fem::{Field, VolumeMesh};
use sinew::material::{Axes, Law, MaterialSpec};
use sinew::model::{FemModel, MuscleBundle, Region};
use sinew::{Mat3, Vec3};

use super::import::Import;
use super::materials::from_vectors;

/// Share of its density that the elements of a rigid body keep, whose mass the body has: it must be above 0.
const RIGID_DENSITY: f64 = 1e-9;
/// Field of the mesh that densities are in.
const DENSITY_FIELD: &str = "density of materials";

impl Import<'_> {
    pub(super) fn add_tissue(&mut self) {
        let mesh = std::mem::take(&mut self.mesh);
        let used = (0..self.materials.len()).filter(|m| self.material_of.contains(&Some(*m)));
        let used: Vec<usize> = used.collect();
        let soft = used.iter().copied().find(|&m| self.materials[m].laws.is_some());
        let first = soft.or(used.first().copied()).unwrap_or(0);
        let law = |m: usize| {
            let own = self.materials.get(m).and_then(|it| it.laws.as_ref());
            own.map_or_else(stand_in, |laws| laws.tissue)
        };
        let density = self.materials.get(first).map_or(1.0, |it| it.density);
        let name = "tissue";
        let mut fem = FemModel::new(name, mesh, density, law(first));
        for &m in used.iter().filter(|&&m| m != first) {
            let elements = self.elements_of(m);
            fem.regions.push(Region { elements, material: law(m) });
        }
        self.put_densities(&mut fem);
        self.put_axes(&mut fem);
        self.put_prestrain(&mut fem);
        let span = self.materials.get(first).map_or(self.root.span, |it| it.at.span);
        let handle = self.model.add(fem);
        self.put(handle.id(), span);
        self.tissue = Some(handle);
        for m in used {
            self.add_fibres(m);
        }
    }

    /// Elements of a material.
    pub(super) fn elements_of(&self, material: usize) -> Vec<u32> {
        let own = (0..).zip(&self.material_of).filter(|(_, it)| **it == Some(material));
        own.map(|(e, _)| e).collect()
    }

    fn put_densities(&self, fem: &mut FemModel) {
        let density = |m: &Option<usize>| {
            let own = m.map(|m| &self.materials[m]);
            own.map_or(fem.density, |it| match it.laws {
                Some(_) => it.density,
                None => it.density * RIGID_DENSITY,
            })
        };
        let values: Vec<f64> = self.material_of.iter().map(density).collect();
        if values.iter().all(|&value| value == fem.density) {
            return;
        }
        let field = Field { components: 1, values };
        fem.mesh.element_fields.insert(DENSITY_FIELD.to_owned(), field);
        fem.fields.insert("density".to_owned(), format!("{{{DENSITY_FIELD}}}"));
    }

    /// Fibres and sheets of the elements whose laws have them: of the data of the mesh, or of the material.
    fn put_axes(&self, fem: &mut FemModel) {
        let has = |m: Option<usize>, axes: &[Axes]| {
            let laws = m.and_then(|m| self.materials[m].laws.as_ref());
            laws.is_some_and(|it| {
                axes.contains(&it.tissue.kind().axes) || it.fibres.is_some() && axes.len() > 1
            })
        };
        let any = |axes: &[Axes]| self.material_of.iter().any(|&m| has(m, axes));
        if !any(&[Axes::Fibre, Axes::All]) {
            return;
        }
        let mut all = [Vec::new(), Vec::new()];
        for (e, &material) in self.material_of.iter().enumerate() {
            let (axes, along) = self.axes_and_fibre(&fem.mesh, e);
            let has_sheets = has(material, &[Axes::All]);
            // The laws with sheets take the axes themselves.
            let fibre = if has_sheets { axes.column(0).into() } else { along };
            let across = axes.column(1).into_owned();
            let sheet = if has_sheets { across } else { aside(&fibre) };
            all[0].push(fibre);
            all[1].push(sheet);
        }
        let [fibres, sheets] = all;
        fem.fibres = fibres;
        if any(&[Axes::All]) {
            fem.sheets = sheets;
        }
    }

    /// Axes of the material of an element, and the direction of its fibres in space: of the data of the mesh, or of the
    /// material.
    pub(super) fn axes_and_fibre(&self, mesh: &VolumeMesh, e: usize) -> (Mat3, Vec3) {
        let vector = |name: &str, at: usize| {
            let field = mesh.element_fields.get(name)?;
            let row = field.values.chunks_exact(field.components).nth(e)?;
            let vector = Vec3::from_column_slice(row.get(at..at + 3)?);
            (vector != Vec3::zeros()).then_some(vector)
        };
        let material = self.material_of[e].map(|m| &self.materials[m]);
        let given = vector("mat_axis", 0).zip(vector("mat_axis", 3));
        let of_material = || material.map_or_else(Mat3::identity, |it| it.axes);
        let axes = given.and_then(|(a, d)| from_vectors(a, d)).unwrap_or_else(of_material);
        let own =
            vector("fiber", 0).unwrap_or_else(|| material.map_or_else(Vec3::x, |it| it.fibre));
        (axes, axes * own)
    }

    /// The fibres of a transversely isotropic material, in its elements.
    fn add_fibres(&mut self, material: usize) {
        let Some(fem) = self.tissue else { return };
        let own = &self.materials[material];
        let Some(law) = own.laws.as_ref().and_then(|it| it.fibres) else { return };
        let span = own.at.span;
        let mut bundle = MuscleBundle::new(fem, law);
        bundle.name = format!("fibres_{}", crate::imported::plain_name(&own.names[1]));
        bundle.elements = self.elements_of(material);
        let handle = self.model.add(bundle);
        self.put(handle.id(), span);
    }
}

/// The law of the elements of a rigid body, which are never strained.
fn stand_in() -> MaterialSpec {
    Law::NeoHookean.spec()
}

/// An axis that is not along a vector.
fn aside(v: &Vec3) -> Vec3 {
    let least = v.abs().imin();
    Vec3::ith(least, 1.0)
}
