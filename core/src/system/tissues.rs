//! Compilation of tissues: batches of elements of one kind and one material, and the masses of all rows.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::check::CompileError;
use super::flat::Flat;
use super::numbering::Numbering;
use super::supports::Support;
use crate::Mat3;
use crate::fem::{BatchInput, ElementKind, FemBatch, build_batch};
use crate::material::{Axes, MaterialSpec};
use crate::model::FemModel;

/// A tissue: its name, number of elements, and range of batches.
#[derive(Clone, Debug)]
pub(super) struct CompiledFem {
    pub(super) name: String,
    pub(super) element_count: usize,
    pub(super) batches: Range<usize>,
}

/// All tissues, and the batches of their elements.
pub(super) struct Tissues {
    pub(super) fems: Vec<CompiledFem>,
    pub(super) batches: Vec<Box<dyn FemBatch>>,
}

/// Compiles all tissues.
pub(super) fn compile(flat: &Flat<'_>, points: &Numbering) -> Result<Tissues, CompileError> {
    let mut tissues = Tissues { fems: Vec::new(), batches: Vec::new() };
    for (f, fem) in flat.fems.iter().enumerate() {
        let first = tissues.batches.len();
        tissues.batches.extend(batches_of(flat, points, f)?);
        tissues.fems.push(CompiledFem {
            name: fem.name.clone(),
            element_count: fem.mesh.element_count(),
            batches: first..tissues.batches.len(),
        });
    }
    Ok(tissues)
}

/// The batches of tissue `index`: one for every kind and material.
pub(super) fn batches_of(
    flat: &Flat<'_>,
    points: &Numbering,
    index: usize,
) -> Result<Vec<Box<dyn FemBatch>>, CompileError> {
    let fem = flat.fems[index];
    let name: Arc<str> = fem.name.as_str().into();
    let rows = &points.fem_rows[index];
    let nodes = |&e: &u32| fem.mesh.element(e as usize).1.iter().map(|&n| rows[n as usize]);
    let mut batches = Vec::new();
    for ((kind, region), mut elements) in elements_by_kind_and_region(fem) {
        // Along the rows, so that neighbours in memory are neighbours in space.
        elements.sort_by_cached_key(|e| (nodes(e).min(), *e));
        let material = region.map_or(fem.material, |r| fem.regions[r].material);
        let batch = build_batch(BatchInput {
            fem: name.clone(),
            kind,
            quadrature: fem.quadrature,
            axes: axes_of(fem, &material, &elements),
            volume: fem.volume_rule(kind, &material),
            material,
            stiffness_damping: fem.stiffness_damping,
            rows: elements.iter().flat_map(nodes).collect(),
            elements,
            rest: points.rest.clone(),
        });
        if let Some((element, volume)) = batch.degenerate_at_rest() {
            let fem = flat.model.path(flat.places.fems.handles()[index]);
            let element = element as usize;
            return Err(CompileError::Degenerate { fem, element, volume });
        }
        batches.push(batch);
    }
    Ok(batches)
}

/// Axes of the material of each of these elements; empty where the law does not look at them or they
/// are those of space.
pub(super) fn axes_of(fem: &FemModel, material: &MaterialSpec, elements: &[u32]) -> Vec<Mat3> {
    if material.kind().axes == Axes::None || fem.fibres.is_empty() && fem.sheets.is_empty() {
        return Vec::new();
    }
    elements.iter().map(|&e| fem.axes_of(e as usize)).collect()
}

/// Element indices of each kind in each region (`None`: in no region).
fn elements_by_kind_and_region(fem: &FemModel) -> BTreeMap<(ElementKind, Option<usize>), Vec<u32>> {
    let mut region_of = vec![None; fem.mesh.element_count()];
    for (r, region) in fem.regions.iter().enumerate() {
        region.elements.iter().for_each(|&e| region_of[e as usize] = Some(r));
    }
    let mut groups: BTreeMap<_, Vec<u32>> = BTreeMap::new();
    for (e, (kind, _)) in fem.mesh.elements().enumerate() {
        groups.entry((kind, region_of[e])).or_default().push(e as u32);
    }
    groups
}

/// Lumped mass of every row [kg]: equal shares of an element's mass for its nodes.
pub(super) fn masses_of(model: &Flat<'_>, points: &Numbering, tissues: &Tissues) -> Vec<f64> {
    let mut masses = vec![0.0; points.rest.len()];
    for (particle, &row) in model.particles.iter().zip(&points.particle_rows) {
        masses[row as usize] = particle.mass;
    }
    for (body, &row) in model.bodies.iter().zip(&points.body_rows) {
        masses[row as usize] = body.spatial_inertia().map_or(0.0, |inertia| inertia.mass());
    }
    for (f, fem) in model.fems.iter().enumerate() {
        let batches = &tissues.batches[tissues.fems[f].batches.clone()];
        for report in batches.iter().flat_map(|b| b.reports(&points.rest)) {
            let (kind, nodes) = fem.mesh.element(report.element as usize);
            let share = fem.density * report.rest_volume * kind.mass_share();
            for &node in nodes {
                masses[points.fem_rows[f][node as usize] as usize] += share;
            }
        }
    }
    masses
}

/// Refuses nodes without mass that no support holds in all axes.
pub(super) fn check_masses(
    model: &Flat<'_>,
    masses: &[f64],
    supports: &[Support],
    points: &Numbering,
) -> Result<(), CompileError> {
    let fixed = |row: u32| supports.iter().filter(|s| s.row == row).count() == 3;
    for (handle, rows) in model.places.fems.handles().iter().zip(&points.fem_rows) {
        let massless = rows.iter().position(|&row| masses[row as usize] <= 0.0 && !fixed(row));
        if let Some(node) = massless {
            return Err(CompileError::MasslessNode { fem: model.model.path(*handle), node });
        }
    }
    Ok(())
}
