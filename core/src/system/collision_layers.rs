//! Layers of tissues that automatic compliances of contact are computed of: means of material and density over the
//! volume, and volume by surface, all at rest.

use super::ContactSetup;
use super::check::CompileError;
use super::flat::Flat;
use crate::contact::{ContactLayer, NormalLaw};
use crate::geometry::boundary;
use crate::kinds::TissueFields;
use crate::model::FemModel;
use crate::property::Problem;
use sinew_mesh::io::element_volume;

/// Layer of the tissues of a pair, by their places; none where neither side has a volume.
pub(super) fn layer_of(
    flat: &Flat<'_>,
    tissues: [Option<u32>; 2],
) -> Result<Option<ContactLayer>, CompileError> {
    let mut layer: Option<ContactLayer> = None;
    for place in tissues.into_iter().flatten() {
        let Some(own) = layer_of_tissue(flat, place as usize)? else { continue };
        layer = Some(layer.map_or(own, |other| other.behind(own)));
    }
    Ok(layer)
}

/// Layers of all pairs of a setup, by the tissues as they are now.
pub(super) fn layers_of(
    flat: &Flat<'_>,
    setup: &ContactSetup,
) -> Result<Vec<Option<ContactLayer>>, CompileError> {
    let now = |(known, tissues): (&Option<ContactLayer>, &[Option<u32>; 2])| match known {
        Some(_) => layer_of(flat, *tissues),
        None => Ok(None),
    };
    setup.layers.iter().zip(&setup.tissues).map(now).collect()
}

/// True if contacts of that law have the layers of their pair.
pub(super) fn has_layers(law: NormalLaw) -> bool {
    law == NormalLaw::Automatic
}

fn layer_of_tissue(flat: &Flat<'_>, place: usize) -> Result<Option<ContactLayer>, CompileError> {
    let fem = flat.fems[place];
    let surface = boundary(&fem.mesh).mesh.surface_integrals().area;
    let (volume, density, modulus) = means(fem);
    if !(volume > 0.0 && surface > 0.0) {
        return Ok(None);
    }
    match modulus {
        Some(modulus) => Ok(Some(ContactLayer::new([volume, surface], modulus, density))),
        None => {
            let path = flat.model.path(flat.places.fems.handles()[place]);
            Err(CompileError::Component { path, error: Problem::NoModulus.at("material") })
        }
    }
}

/// Volume [m³], and density [kg/m³] and Young's modulus at rest [Pa] as means over it; no modulus where some material
/// has none.
fn means(fem: &FemModel) -> (f64, f64, Option<f64>) {
    let fields = TissueFields::of(fem);
    let (mut volume, mut mass, mut stiffness) = (0.0, 0.0, Some(0.0));
    for ((_, region), elements) in fem.elements_by_kind_and_region() {
        let material = region.map_or(fem.material, |r| fem.regions[r].material);
        let of_all = if fields.vary(&material) { None } else { Some(material.youngs_modulus()) };
        for &e in &elements {
            let e = e as usize;
            let part = element_volume(&fem.mesh, e);
            volume += part;
            mass += part * fields.density(e);
            let modulus = of_all.unwrap_or_else(|| fields.law(e, &material).youngs_modulus());
            stiffness = stiffness.zip(modulus).map(|(sum, modulus)| sum + part * modulus);
        }
    }
    (volume, mass / volume, stiffness.map(|sum| sum / volume))
}
