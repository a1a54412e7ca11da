//! Materials, as far as a mesh needs them: the material of each element, and the check that none is
//! incompressible by a law that cannot be.

use roxmltree::Node;

use super::xml::{at, children};
use crate::io::error::{Parsed, Problem};
use crate::io::text::number::float;
use crate::io::text::scanner::shorten;
use crate::io::volume::builder::Builder;

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
            let [material, law] = [name(node), law].map(|text| shorten(text.as_bytes()));
            return Err(Problem::Poisson { material, law, value }.at(at(node)));
        }
    }
    Ok(())
}

/// Most materials that are told of one by one.
const MOST_TOLD: usize = 5;

/// Tells of the materials, which a mesh does not have.
pub(super) fn note(root: Node<'_, '_>, builder: &mut Builder) {
    let materials: Vec<_> = materials(root).collect();
    for node in materials.iter().take(MOST_TOLD) {
        let numbers = children(*node).filter_map(|it| {
            let value = it.text().and_then(|text| float(text.trim().as_bytes()))?;
            Some(format!(", {} = {value}", shorten(it.tag_name().name().as_bytes())))
        });
        let numbers: String = numbers.collect();
        let law = shorten(node.attribute("type").unwrap_or("no law").as_bytes());
        let name = shorten(name(*node).as_bytes());
        let what = format!("material `{name}` ({law}{numbers}) not read");
        builder.notes.push(format!("{what}: give the model one of its own"));
    }
    if let Some(more) = materials.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
        builder.notes.push(format!("{more} more materials not read"));
    }
}

/// The materials of the model; those within materials are not among them.
fn materials<'a>(root: Node<'a, 'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    let section = children(root).find(|n| n.has_tag_name("Material"));
    section.into_iter().flat_map(children).filter(|n| n.has_tag_name("material"))
}

fn name<'a>(material: Node<'a, '_>) -> &'a str {
    material.attribute("name").or(material.attribute("id")).unwrap_or("")
}

/// Refuses a domain of a material that there is not; materials may stand in other files.
fn check_domain(root: Node<'_, '_>, domain: Node<'_, '_>, material: &str) -> Parsed<()> {
    let section = children(root).find(|n| n.has_tag_name("Material"));
    let elsewhere = |n: Node<'_, '_>| n.descendants().any(|n| n.has_attribute("from"));
    if section.is_none_or(elsewhere) {
        return Ok(());
    }
    let known = |n: Node<'_, '_>| {
        let names = [n.attribute("name"), n.attribute("id")];
        names.into_iter().flatten().any(|name| name.trim() == material.trim())
    };
    if materials(root).any(known) {
        return Ok(());
    }
    let (expected, found) = ("the name of a material of the file", shorten(material.as_bytes()));
    Err(Problem::Expected { expected, found }.at(at(domain)))
}

/// From version 3.0 on, domains say which part has which material: sets `material_<name>`.
pub(super) fn domains(root: Node<'_, '_>, builder: &mut Builder) -> Parsed<()> {
    let section = children(root).find(|n| n.has_tag_name("MeshDomains"));
    for domain in section.into_iter().flat_map(children) {
        let (Some(part), Some(material)) = (domain.attribute("name"), domain.attribute("mat"))
        else {
            continue;
        };
        check_domain(root, domain, material)?;
        if let Some(list) = builder.mesh.element_sets.get(part).cloned() {
            let name = format!("material_{material}");
            builder.add_to_set(&name, list).map_err(|problem| problem.at(at(domain)))?;
        }
    }
    Ok(())
}
