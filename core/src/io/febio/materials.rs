//! What a mesh needs of the materials: which elements have which, and that none is incompressible
//! by a law that cannot be.

use roxmltree::Node;

use super::{at, children};
use crate::io::builder::Builder;
use crate::io::error::{Parsed, Problem};
use crate::io::number::float;
use crate::io::scanner::shorten;

/// Laws with a Poisson's ratio `v`, all of them compressible (FEBio User Manual, elastic materials).
const COMPRESSIBLE: [&str; 5] = [
    "neo-Hookean",
    "isotropic elastic",
    "natural neo-Hookean",
    "coupled Mooney-Rivlin",
    "Holmes-Mow",
];

/// Refuses a Poisson's ratio that makes the bulk modulus infinite or negative; mixtures hold
/// materials within materials.
pub(super) fn check(root: Node<'_, '_>) -> Parsed<()> {
    let section = children(root).find(|n| n.has_tag_name("Material"));
    for node in section.into_iter().flat_map(|n| n.descendants()) {
        let law = node.attribute("type").unwrap_or("");
        if !COMPRESSIBLE.contains(&law) {
            continue;
        }
        let ratio = children(node).find(|n| n.has_tag_name("v")).and_then(|n| n.text());
        // A ratio by a map or a parameter is no number and cannot be told here.
        let Some(value) = ratio.and_then(|text| float(text.trim().as_bytes())) else { continue };
        if !(value > -1.0 && value < 0.5) {
            let material = node.attribute("name").or(node.attribute("id")).unwrap_or("");
            let [material, law] = [material, law].map(|text| shorten(text.as_bytes()));
            return Err(Problem::Poisson { material, law, value }.at(at(node)));
        }
    }
    Ok(())
}

/// From version 3.0 on, domains say which part has which material: sets `material_<name>`.
pub(super) fn domains(root: Node<'_, '_>, builder: &mut Builder) -> Parsed<()> {
    let section = children(root).find(|n| n.has_tag_name("MeshDomains"));
    for domain in section.into_iter().flat_map(children) {
        let (Some(part), Some(material)) = (domain.attribute("name"), domain.attribute("mat"))
        else {
            continue;
        };
        if let Some(list) = builder.mesh.element_sets.get(part).cloned() {
            let name = format!("material_{material}");
            builder.add_to_set(&name, list).map_err(|problem| problem.at(at(domain)))?;
        }
    }
    Ok(())
}
