//! Compilation of tissues: batches of elements of one kind and one material, and the masses of all rows.

use std::ops::Range;
use std::sync::Arc;

use super::check::CompileError;
use super::flat::Flat;
use super::numbering::Numbering;
use super::shells::CompiledShell;
use super::supports::Support;
use crate::fem::{BatchInput, FemBatch, StressMemory, build_batch};
use crate::kinds::TissueFields;
use crate::material::{Axes, LawFrame, Material, MaterialSpec};
use crate::state::{Motion, State};
use crate::{Mat3, Vec3};

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

impl Tissues {
    /// Puts the stresses that batches remember behind `first` other numbers in the memory of a state.
    pub(super) fn place_memory(&mut self, first: usize) {
        let mut next = first;
        for memory in self.batches.iter_mut().filter_map(|batch| batch.memory_mut()) {
            memory.place(next);
            next = memory.range().end;
        }
    }

    /// Numbers that all batches remember.
    pub(super) fn memory_len(&self) -> usize {
        self.batches.iter().filter_map(|batch| batch.memory()).map(StressMemory::len).sum()
    }

    /// Lets all stresses relax at these positions [m].
    pub(super) fn relax(&self, q: &[Vec3], memory: &mut [f64]) {
        self.batches.iter().for_each(|batch| batch.relax(q, memory));
    }

    /// Brings the memory of a state up to date after the step [s] that led to its positions, `others` numbers of which
    /// belong to forces. A state that came without one begins relaxed.
    pub(super) fn advance_memory(&self, others: usize, step: f64, state: &mut State) {
        let len = others + self.memory_len();
        let State { q, memory, .. } = state;
        if memory.len() != len {
            memory.resize(len, 0.0);
            self.relax(q, memory);
            return;
        }
        self.batches.iter().for_each(|batch| batch.advance_memory(step, q, memory));
    }

    /// Adds the rates of the memory \[1/s\] at a motion.
    pub(super) fn memory_rates(&self, motion: Motion<'_>, rates: &mut [f64]) {
        self.batches.iter().for_each(|batch| batch.memory_rates(motion.q, motion.memory, rates));
    }

    /// Name of the first tissue whose stress relaxes.
    pub(super) fn viscoelastic(&self) -> Option<&str> {
        let relaxes = |fem: &&CompiledFem| {
            self.batches[fem.batches.clone()].iter().any(|batch| batch.memory().is_some())
        };
        self.fems.iter().find(relaxes).map(|fem| &*fem.name)
    }
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
    let fields = TissueFields::of(fem);
    let mut batches = Vec::new();
    for ((kind, region), mut elements) in fem.elements_by_kind_and_region() {
        // Along the rows, so that neighbours in memory are neighbours in space.
        elements.sort_by_cached_key(|e| (nodes(e).min(), *e));
        let material = region.map_or(fem.material, |r| fem.regions[r].material);
        let batch = build_batch(BatchInput {
            fem: name.clone(),
            kind,
            quadrature: fem.quadrature,
            axes: axes_of(&fields, &material, &elements),
            axes_at_points: axes_at_points(&fields, &material, &elements),
            at_rest: fields.elastic_at_rest(&elements),
            volume: fem.volume_rule_of(&fields, (kind, &material), &elements),
            laws: laws_of(&fields, &material, &elements),
            material,
            prony: fem.prony.clone(),
            stiffness_damping: fem.stiffness_damping,
            rows: elements.iter().flat_map(nodes).collect(),
            elements,
            rest: points.rest.clone(),
        });
        check_volumes(&*batch, flat, index)?;
        batches.push(batch);
    }
    Ok(batches)
}

/// Refuses a batch of tissue `index` with an element that has no volume at rest.
fn check_volumes(batch: &dyn FemBatch, flat: &Flat<'_>, index: usize) -> Result<(), CompileError> {
    let Some((element, volume)) = batch.degenerate_at_rest() else { return Ok(()) };
    let fem = flat.model.path(flat.places.fems.handles()[index]);
    Err(CompileError::Degenerate { fem, element: element as usize, volume })
}

/// Axes of the material of each of these elements; empty where the law does not look at them or they
/// are those of space.
pub(super) fn axes_of(
    fields: &TissueFields<'_>,
    material: &MaterialSpec,
    elements: &[u32],
) -> Vec<Mat3> {
    if material.kind().axes == Axes::None || !fields.have_axes() {
        return Vec::new();
    }
    elements.iter().map(|&e| fields.axes(e as usize)).collect()
}

/// Axes of the material at the points of each of these elements; empty where elements have one each.
fn axes_at_points(
    fields: &TissueFields<'_>,
    material: &MaterialSpec,
    elements: &[u32],
) -> Vec<Vec<Mat3>> {
    let turns = material.kind().axes != Axes::None && fields.turn_within_elements();
    if !turns || material.law::<f64>().frame() != LawFrame::Point {
        return Vec::new();
    }
    elements.iter().map(|&e| fields.axes_at_points(e as usize)).collect()
}

/// The law of each of these elements; empty where its constants do not vary.
fn laws_of(
    fields: &TissueFields<'_>,
    material: &MaterialSpec,
    elements: &[u32],
) -> Vec<MaterialSpec> {
    if !fields.vary(material) {
        return Vec::new();
    }
    elements.iter().map(|&e| fields.law(e as usize, material)).collect()
}

/// Lumped mass of every row [kg]: equal shares of the mass of an element or a triangle of a shell for its nodes.
pub(super) fn masses_of(
    model: &Flat<'_>,
    points: &Numbering,
    tissues: &Tissues,
    shells: &[CompiledShell],
) -> Vec<f64> {
    let mut masses = vec![0.0; points.rest.len()];
    for (particle, &row) in model.particles.iter().zip(&points.particle_rows) {
        masses[row as usize] = particle.mass;
    }
    for (body, &row) in model.bodies.iter().zip(&points.body_rows) {
        masses[row as usize] = body.spatial_inertia().map_or(0.0, |inertia| inertia.mass());
    }
    for (f, fem) in model.fems.iter().enumerate() {
        let batches = &tissues.batches[tissues.fems[f].batches.clone()];
        let fields = TissueFields::of(fem);
        for report in batches.iter().flat_map(|b| b.reports(&Motion::at(&points.rest, &[]))) {
            let (kind, nodes) = fem.mesh.element(report.element as usize);
            let share =
                fields.density(report.element as usize) * report.rest_volume * kind.mass_share();
            for &node in nodes {
                masses[points.fem_rows[f][node as usize] as usize] += share;
            }
        }
    }
    for shell in shells {
        for (rows, volume) in shell.sheets.volumes() {
            rows.iter().for_each(|&row| masses[row as usize] += shell.density * volume / 3.0);
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
