//! Materials of a document: laws, densities, axes, rigid bodies; and which elements have them.

use sinew::{Mat3, Vec3};

use super::import::Import;
use super::laws::{self, Laws};
use super::units::Dimension;
use super::values;
use crate::diagnostic::Diagnostic;
use crate::xml_tree::Element;

/// A material.
pub(super) struct Material<'d> {
    pub(super) at: &'d Element,
    /// Its number and its name: both are what domains may call it.
    pub(super) names: [String; 2],
    /// Its laws; none of a rigid body.
    pub(super) laws: Option<Laws>,
    /// Density [kg/m³].
    pub(super) density: f64,
    /// Axes of the material, columns.
    pub(super) axes: Mat3,
    /// Direction of its fibres in these axes.
    pub(super) fibre: Vec3,
    /// Strain at rest; none where it is free of stress there.
    pub(super) prestrain: Option<Prestrain>,
}

/// Strain at rest of a material.
pub(super) enum Prestrain {
    /// Stretches along the fibres and across them.
    Fibres { along: f64, across: f64 },
    /// A gradient in the axes of space.
    Whole(Mat3),
}

impl Prestrain {
    /// Deformation gradient at rest in the axes of space, with fibres along a vector.
    pub(super) fn gradient(&self, fibre: &Vec3) -> Mat3 {
        match *self {
            Self::Whole(gradient) => gradient,
            Self::Fibres { along, across } => {
                let along_fibres = fibre.normalize() * fibre.normalize().transpose();
                along_fibres * along + (Mat3::identity() - along_fibres) * across
            }
        }
    }
}

/// Materials that hold another: its tag, and what of them is not read.
const AROUND: [(&str, &str, Option<&str>); 5] = [
    ("viscoelastic", "elastic", Some("its relaxation")),
    ("uncoupled viscoelastic", "elastic", Some("its relaxation")),
    ("biphasic", "solid", Some("its fluid")),
    ("prestrain elastic", "elastic", None),
    ("uncoupled prestrain elastic", "elastic", None),
];

impl<'d> Import<'d> {
    pub(super) fn read_materials(&mut self) {
        let sections = self.root.all("Material").map(Element::mark);
        for at in sections.flat_map(|it| it.all("material")) {
            let material = self.material(at.mark());
            if let Some(material) = self.findings.take(material) {
                self.materials.push(material);
            }
        }
    }

    fn material(&mut self, at: &'d Element) -> Result<Material<'d>, Diagnostic> {
        let names =
            ["id", "name"].map(|key| at.attribute(key).map_or("", |it| &it.value).to_owned());
        let kind = at.attribute("type").map_or("", |it| it.value.as_str());
        let mut own = at;
        if let Some((_, tag, what)) = AROUND.iter().find(|(name, ..)| *name == kind)
            && let Some(inner) = at.child(tag)
        {
            if let Some(what) = what {
                let message = format!("of the material '{kind}' <{tag}> alone is read, not {what}");
                self.findings.warn(at.span, message);
            }
            own = inner;
        }
        let prestrain = self.prestrain(at)?;
        let density = own.child("density").or_else(|| at.child("density"));
        // FEBio's density without a word is 1.
        let density = density.map_or(Ok(1.0), values::number)?;
        let density = density * self.units.factor(Dimension::Density);
        let is_rigid = kind == "rigid body";
        let laws = match is_rigid {
            true => None,
            false => Some(laws::read(own, &self.units, &mut self.findings)?),
        };
        if is_rigid {
            // Of no effect on a body.
            for tag in ["E", "v"] {
                at.child(tag);
            }
        }
        let (axes, fibre) = (axes(own)?, fibre(own)?);
        Ok(Material { at, names, laws, density, axes, fibre, prestrain })
    }

    /// The number of the material of a name or a number.
    pub(super) fn material_named(&self, name: &str) -> Option<usize> {
        let name = name.trim();
        let named = |key: usize| self.materials.iter().position(|it| it.names[key] == name);
        named(1).filter(|_| !name.is_empty()).or_else(|| named(0))
    }

    /// Finds the material of each element, by the sets that the reader of the mesh makes of domains.
    pub(super) fn assign_materials(&mut self) {
        let mut material_of = vec![None; self.mesh.element_count()];
        for (number, material) in self.materials.iter().enumerate() {
            for name in material.names.iter().filter(|name| !name.is_empty()) {
                let set = self.mesh.element_sets.get(&format!("material_{name}"));
                for &e in set.into_iter().flatten() {
                    material_of[e as usize] = Some(number);
                }
            }
        }
        let sections = self.root.all("MeshDomains").map(Element::mark);
        sections.flat_map(|it| it.all("SolidDomain")).for_each(|it| {
            it.attribute("mat");
            it.mark();
        });
        let missing = material_of.iter().filter(|it| it.is_none()).count();
        if missing > 0 && self.findings.error_count == 0 {
            let message = format!("{missing} elements have no material");
            let help = "name the domain of each part in <MeshDomains>, in 2.5 its mat";
            self.findings.push(Diagnostic::error(self.root.span, message).help(help));
        }
        self.material_of = material_of;
    }
}

/// Axes of a material: those of space without a word.
fn axes(at: &Element) -> Result<Mat3, Diagnostic> {
    let Some(own) = at.child("mat_axis") else { return Ok(Mat3::identity()) };
    let kind = own.attribute("type").map_or("vector", |it| it.value.as_str());
    if kind != "vector" {
        return Err(own.refused(format!("axes by '{kind}' are not read: give <a> and <d>")));
    }
    let [a, d] = ["a", "d"].map(|tag| own.child(tag).map(values::vector).transpose());
    let [a, d] = [a?.unwrap_or_else(Vec3::x), d?.unwrap_or_else(Vec3::y)];
    from_vectors(a, d).ok_or_else(|| own.refused("<a> and <d> must have different directions"))
}

/// Axes from a vector along the first and one in the plane of the first two.
pub(super) fn from_vectors(a: Vec3, d: Vec3) -> Option<Mat3> {
    let (first, third) = (a.try_normalize(0.0)?, a.cross(&d).try_normalize(0.0)?);
    Some(Mat3::from_columns(&[first, third.cross(&first), third]))
}

/// Direction of fibres in the axes of a material.
fn fibre(at: &Element) -> Result<Vec3, Diagnostic> {
    let Some(own) = at.child("fiber") else { return Ok(Vec3::x()) };
    let kind = own.attribute("type").map_or("vector", |it| it.value.as_str());
    let vector = match kind {
        "vector" => {
            // From 4.0 on some writers have a <vector> in it.
            values::vector(own.child("vector").unwrap_or(own))?
        }
        "angles" => {
            let angle = |tag| own.child(tag).map_or(Ok(0.0), values::number).map(f64::to_radians);
            let (theta, phi) =
                (angle("theta")?, own.child("phi").map_or(Ok(90.0), values::number)?.to_radians());
            Vec3::new(theta.cos() * phi.sin(), theta.sin() * phi.sin(), phi.cos())
        }
        other => {
            let message = format!("fibres by '{other}' are not read");
            let help = "give a vector, angles, or ElementData of the name fiber";
            return Err(own.refused(message).help(help));
        }
    };
    match vector.norm() > 0.0 {
        true => Ok(vector),
        false => Err(own.refused("fibres need a direction, got 0, 0, 0")),
    }
}
