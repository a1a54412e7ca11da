//! `Model` to `CompiledModel`: checks, numbering of rows, masses, supports, batches, pattern.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::check::{CompileError, check};
use super::compiled::{CompiledFem, CompiledModel, Support};
use super::flat::Flat;
use super::forces::forces_of;
use super::numbering::rows_along_curve;
use super::rows::RowOwners;
use super::{State, bodies, rows};
use crate::fem::{BatchInput, ElementKind, FemBatch, build_batch};
use crate::force::RowPartition;
use crate::linalg::BlockPattern;
use crate::material::{Axes, MaterialSpec};
use crate::model::{FemModel, Model, Particle, PointKeyframe, PointRef, Schedule};
use crate::{Mat3, Vec3};

/// Time over which the velocities of what is led are taken at the start [s]: their schedules are straight over it. A
/// power of two, so that dividing by it rounds nothing.
pub(super) const FIRST_MOMENT: f64 = 1.0 / (1 << 20) as f64;

/// Compiles `model`.
pub(super) fn compile(model: &Model) -> Result<CompiledModel, CompileError> {
    let flat = Flat::of(model);
    check(&flat)?;
    let mut points = Points::number(&flat);
    let mut fem_batches = Vec::new();
    let mut fems = Vec::new();
    for (f, fem) in flat.fems.iter().enumerate() {
        let first_batch = fem_batches.len();
        fem_batches.extend(batches_of(&flat, &points, f)?);
        fems.push(CompiledFem {
            name: fem.name.clone(),
            rows: points.fem_rows[f].clone(),
            element_count: fem.mesh.element_count(),
            batches: first_batch..fem_batches.len(),
        });
    }
    let masses = masses_of(&flat, &points, &fem_batches, &fems);
    let supports = supports_of(&flat, &points);
    check_masses(&flat, &masses, &supports, &points)?;
    let mut held = held_by(&supports, masses.len());
    let mut plan = bodies::plan(&flat, &mut points, &masses, &held)?;
    bodies::hold(&plan.led, &mut held);
    let mut forces = forces_of(&flat, &points, (&masses, &plan.inertial), &plan.bodies);
    forces.add_actuators(rows::actuators_of(&flat, &plan.joints, &plan.joint_places));
    let mut pattern = Arc::new(BlockPattern::from_cliques(points.rest.len(), |visit| {
        fem_batches.iter().for_each(|b| b.visit_cliques(visit));
        forces.effectors().for_each(|e| e.visit_cliques(visit));
        plan.visit_cliques(visit);
    }));
    let (led, inertial) = (plan.led.clone(), plan.inertial.clone());
    let carries_tissue = plan.carries_tissue;
    let contact_owners = std::mem::take(&mut plan.collisions.owners);
    let multibody = match plan.is_empty() {
        true => None,
        false => Some(plan.finish((&flat, &points), &pattern, &held)?),
    };
    if let Some(multibody) = &multibody {
        pattern = multibody.attachments.pattern().clone();
    }
    let partition = RowPartition::new(&pattern, rayon::current_num_threads());
    fem_batches.iter_mut().for_each(|b| b.bind(&pattern, &partition));
    forces.bind(&pattern, &partition);
    let mut initial = initial_state(&flat, &points);
    for Support { row, axis, displacement, schedule } in &supports {
        let change = schedule.at(FIRST_MOMENT) - schedule.at(0.0);
        initial.u[*row as usize][*axis] = displacement * change / FIRST_MOMENT;
    }
    if let Some(multibody) = &multibody {
        bodies::start(multibody, &flat, &led, &mut initial);
    }
    // By where things begin, which is not where they rest for what is led.
    initial.memory = forces.memory_at_rest(&initial.q, 0.0);
    Ok(CompiledModel::new(
        super::compiled::Parts { fems, fem_batches, forces, pattern, partition, multibody },
        super::compiled::Points {
            rest: points.rest,
            particle_rows: points.particle_rows,
            marker_rows: points.marker_rows,
            body_rows: points.body_rows,
            lumped: masses,
            masses: inertial,
            carries_tissue,
            held,
            led,
            supports,
            row_owners: RowOwners::of(&flat),
            contact_owners,
            initial,
            places: flat.places,
        },
        model.changes().now(),
    ))
}

/// Scalars that supports hold, by row.
fn held_by(supports: &[Support], size: usize) -> Vec<[bool; 3]> {
    let mut held = vec![[false; 3]; size];
    supports.iter().for_each(|support| held[support.row as usize][support.axis] = true);
    held
}

/// Rows of all particles, markers, nodes and bodies, and their rest positions by row. A body has two rows
/// in a row: its centre of mass, and its rotation.
pub(super) struct Points {
    pub(super) particle_rows: Vec<u32>,
    pub(super) marker_rows: Vec<u32>,
    /// First row of each body.
    pub(super) body_rows: Vec<u32>,
    pub(super) fem_rows: Vec<Vec<u32>>,
    pub(super) rest: Arc<Vec<Vec3>>,
}

impl Points {
    fn number(model: &Flat<'_>) -> Self {
        let particles = model.particles.iter().map(|p| p.position);
        let markers = model.markers.iter().map(|marker| model.place_of(marker));
        let nodes = model.fems.iter().flat_map(|f| f.mesh.nodes.iter().copied());
        let all: Vec<Vec3> = particles.chain(markers).chain(nodes).collect();
        let rows = rows_along_curve(&all);
        let mut rest = vec![Vec3::zeros(); all.len()];
        for (&row, p) in rows.iter().zip(&all) {
            rest[row as usize] = *p;
        }
        let (particle_rows, others) = rows.split_at(model.particles.len());
        let (marker_rows, mut nodes) = others.split_at(model.markers.len());
        let mut fem_rows = Vec::new();
        for fem in &model.fems {
            let (own, others) = nodes.split_at(fem.mesh.nodes.len());
            fem_rows.push(own.to_vec());
            nodes = others;
        }
        let mut body_rows = Vec::new();
        for _ in &model.bodies {
            body_rows.push(rest.len() as u32);
            // Set once it is known what is attached to it.
            rest.extend([Vec3::zeros(); 2]);
        }
        let (particle_rows, marker_rows) = (particle_rows.to_vec(), marker_rows.to_vec());
        Self { particle_rows, marker_rows, body_rows, fem_rows, rest: Arc::new(rest) }
    }

    /// Row of a point that was checked to exist.
    pub(super) fn row(&self, model: &Flat<'_>, point: PointRef) -> u32 {
        let place = |place: Option<usize>| place.expect("references were checked");
        match point {
            PointRef::Particle(id) => self.particle_rows[place(model.places.particles.place(id))],
            PointRef::Marker(id) => self.marker_rows[place(model.places.markers.place(id))],
            PointRef::FemNode(id, node) => {
                self.fem_rows[place(model.places.fems.place(id))][node as usize]
            }
        }
    }
}

/// The batches of tissue `index`: one for every kind and material.
pub(super) fn batches_of(
    flat: &Flat<'_>,
    points: &Points,
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
fn axes_of(fem: &FemModel, material: &MaterialSpec, elements: &[u32]) -> Vec<Mat3> {
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
pub(super) fn masses_of(
    model: &Flat<'_>,
    points: &Points,
    batches: &[Box<dyn FemBatch>],
    fems: &[CompiledFem],
) -> Vec<f64> {
    let mut masses = vec![0.0; points.rest.len()];
    for (particle, &row) in model.particles.iter().zip(&points.particle_rows) {
        masses[row as usize] = particle.mass;
    }
    for (body, &row) in model.bodies.iter().zip(&points.body_rows) {
        masses[row as usize] = body.spatial_inertia().map_or(0.0, |inertia| inertia.mass());
    }
    for (f, fem) in model.fems.iter().enumerate() {
        for report in batches[fems[f].batches.clone()].iter().flat_map(|b| b.reports(&points.rest))
        {
            let (kind, nodes) = fem.mesh.element(report.element as usize);
            let share = fem.density * report.rest_volume * kind.mass_share();
            for &node in nodes {
                masses[points.fem_rows[f][node as usize] as usize] += share;
            }
        }
    }
    masses
}

fn supports_of(model: &Flat<'_>, points: &Points) -> Vec<Support> {
    let mut supports: BTreeMap<(u32, usize), (f64, Schedule)> = BTreeMap::new();
    for (particle, &row) in model.particles.iter().zip(&points.particle_rows) {
        if particle.fixed {
            (0..3).for_each(|axis| {
                supports.insert((row, axis), led_scalar(particle, axis));
            });
        }
    }
    for (f, fem) in model.fems.iter().enumerate() {
        for support in &fem.dirichlet {
            for (k, &node) in support.nodes.iter().enumerate() {
                let displacement = match support.displacement.len() {
                    0 => Vec3::zeros(),
                    1 => support.displacement[0],
                    _ => support.displacement[k],
                };
                let row = points.fem_rows[f][node as usize];
                for axis in (0..3).filter(|&a| support.axes[a]) {
                    supports.insert((row, axis), (displacement[axis], support.schedule.clone()));
                }
            }
        }
    }
    supports
        .into_iter()
        .map(|((row, axis), (displacement, schedule))| Support {
            row,
            axis,
            displacement,
            schedule,
        })
        .collect()
}

/// Longest time for which a particle keeps its velocity [s].
const FOREVER: f64 = 1e9;

/// Displacement and time course of a coordinate of a particle that forces do not move.
fn led_scalar(particle: &Particle, axis: usize) -> (f64, Schedule) {
    let (start, velocity) = (particle.position[axis], particle.velocity[axis]);
    if !particle.keyframes.is_empty() {
        let row = |frame: &PointKeyframe| [frame.time, frame.position[axis] - start];
        return (1.0, Schedule::Table(particle.keyframes.iter().map(row).collect()));
    }
    match velocity == 0.0 {
        true => (0.0, Schedule::default()),
        false => (velocity, Schedule::Table(vec![[0.0, 0.0], [FOREVER, FOREVER]])),
    }
}

fn initial_state(model: &Flat<'_>, points: &Points) -> State {
    let mut u = vec![Vec3::zeros(); points.rest.len()];
    for (particle, &row) in model.particles.iter().zip(&points.particle_rows) {
        if !particle.fixed || particle.keyframes.is_empty() {
            u[row as usize] = particle.velocity;
        }
    }
    let mut q = points.rest.to_vec();
    for (particle, &row) in model.particles.iter().zip(&points.particle_rows) {
        if particle.fixed && !particle.keyframes.is_empty() {
            for axis in 0..3 {
                let (displacement, schedule) = led_scalar(particle, axis);
                q[row as usize][axis] += displacement * schedule.at(0.0);
            }
        }
    }
    State { time: 0.0, q, u, ..State::default() }
}

pub(super) fn check_masses(
    model: &Flat<'_>,
    masses: &[f64],
    supports: &[Support],
    points: &Points,
) -> Result<(), CompileError> {
    let held = |row: u32| supports.iter().filter(|s| s.row == row).count() == 3;
    for (handle, rows) in model.places.fems.handles().iter().zip(&points.fem_rows) {
        let massless = rows.iter().position(|&row| masses[row as usize] <= 0.0 && !held(row));
        if let Some(node) = massless {
            return Err(CompileError::MasslessNode { fem: model.model.path(*handle), node });
        }
    }
    Ok(())
}
