//! `Model` to `CompiledModel`: checks, numbering of rows, masses, supports, batches, pattern.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::check::{CompileError, check};
use super::compiled::{CompiledFem, CompiledModel, Support};
use super::flat::Flat;
use super::numbering::rows_along_curve;
use super::rows::RowOwners;
use super::{BodyRows, Motion, State, bodies, rows};
use crate::component::ComponentId;
use crate::fem::{BatchInput, ElementKind, FemBatch, Muscles, build_batch, build_fibres};
use crate::force::{
    Actuators, BodyForces, CustomPointForce, Drag, Drives, ForceEffector, PointForces,
    RowPartition, Springs,
};
use crate::linalg::BlockPattern;
use crate::material::{Axes, MaterialSpec};
use crate::model::{
    BodyLoad, CoordinateActuator, FemModel, Model, MuscleExciter, Particle, PointKeyframe,
    PointLoad, PointRef, Schedule, material_axes,
};
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

/// Forces that are not those of tissues, in the order in which they are added.
#[derive(Default)]
pub(super) struct Forces {
    /// Weight and loads.
    pub(super) loads: Vec<Box<dyn ForceEffector>>,
    pub(super) springs: Option<Springs>,
    /// Bundles of tissues.
    pub(super) muscles: Option<Muscles>,
    /// Drag, and the user's own.
    pub(super) others: Vec<Box<dyn ForceEffector>>,
    /// Mass of every row by the acceleration that it falls with [kg].
    pub(super) weights: Vec<(Vec3, Vec<f64>)>,
}

impl Forces {
    pub(super) fn effectors(&self) -> impl Iterator<Item = &dyn ForceEffector> {
        let springs = self.springs.as_ref().map(|s| s as &dyn ForceEffector);
        let loads = self.loads.iter().map(|e| &**e);
        let muscles = self.muscles.as_ref().map(|m| m as &dyn ForceEffector);
        loads.chain(springs).chain(muscles).chain(self.others.iter().map(|e| &**e))
    }

    pub(super) fn add_actuators(&mut self, actuators: Option<Actuators>) {
        self.others.extend(actuators.map(|it| Box::new(it) as Box<dyn ForceEffector>));
    }

    /// Memory of springs and muscles at rest at these positions [m], with the excitations of a time [s].
    pub(super) fn memory_at_rest(&self, q: &[Vec3], time: f64) -> Vec<f64> {
        let springs = self.springs.as_ref();
        let mut memory = springs.map_or_else(Vec::new, |s| s.memory_at_rest(q, time));
        memory.extend(self.muscles.iter().flat_map(|m| m.memory_at_rest(time)));
        memory
    }

    /// Rates of the memory \[1/s\] at a motion and a time [s], for rules that sum them.
    pub(super) fn memory_rates(&self, time: f64, motion: Motion<'_>, rates: &mut [f64]) {
        rates.fill(0.0);
        if let Some(springs) = &self.springs {
            springs.memory_rates(time, motion, rates);
        }
        if let Some(muscles) = &self.muscles {
            muscles.memory_rates(time, motion, rates);
        }
    }

    /// Brings the memory of a state up to date after the step [s] that led to its motion.
    pub(super) fn advance_memory(&self, step: f64, state: &mut State) {
        if let Some(springs) = &self.springs {
            springs.advance_memory(step, state);
        }
        if let Some(muscles) = &self.muscles {
            muscles.advance_memory(step, state);
        }
    }

    pub(super) fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        self.loads.iter_mut().for_each(|e| e.bind(pattern, partition));
        self.springs.iter_mut().for_each(|s| s.bind(pattern, partition));
        self.muscles.iter_mut().for_each(|m| m.bind(pattern, partition));
        self.others.iter_mut().for_each(|e| e.bind(pattern, partition));
    }
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

/// Everything that makes forces, but for the tissues; of the masses of all rows, and of those whose
/// inertia is that of the row.
pub(super) fn forces_of(
    model: &Flat<'_>,
    points: &Points,
    (masses, inertial): (&[f64], &[f64]),
    bodies: &[BodyRows],
) -> Forces {
    let weights = weights_of(model, points, inertial);
    let mut loads: Vec<Box<dyn ForceEffector>> = Vec::new();
    for (acceleration, masses) in &weights {
        let (acceleration, schedule) = (*acceleration, Schedule::default());
        loads.push(Box::new(BodyForces { acceleration, schedule, masses: masses.clone() }));
    }
    loads.extend(model.body_loads.iter().map(|load| {
        let body = Box::new(body_forces(model, points, masses, load));
        body as Box<dyn ForceEffector>
    }));
    if !model.point_loads.is_empty() || !model.frame_loads.is_empty() {
        let on_point = |l: &&PointLoad| (points.row(model, l.target), l.force, l.schedule.clone());
        let mut rows: Vec<_> = model.point_loads.iter().map(on_point).collect();
        for load in &model.frame_loads {
            let body = model.places.bodies.place(load.body).expect("references were checked");
            let row = points.body_rows[body];
            rows.push((row, load.force, load.schedule.clone()));
            rows.push((row + 1, load.moment, load.schedule.clone()));
        }
        loads.push(Box::new(PointForces { loads: rows }));
    }
    let springs = springs_of(model, points);
    let muscles = muscles_of(model, points, springs.as_ref().map_or(0, Springs::memory_len));
    let mut others: Vec<Box<dyn ForceEffector>> = Vec::new();
    let coefficients = drag_of(model, points, masses);
    if coefficients.iter().any(|&c| c != 0.0) {
        others.push(Box::new(Drag { coefficients, diagonal: Vec::new() }));
    }
    bodies::add_forces(model, points, bodies, &mut others);
    for force in model.custom_forces.iter().filter(|force| force.enabled) {
        let rows = force.points.iter().map(|&point| points.row(model, point)).collect();
        others.push(Box::new(CustomPointForce { rows, law: force.law.clone() }));
    }
    Forces { loads, springs, muscles, others, weights }
}

/// All springs and muscles, axial ones first.
fn springs_of(model: &Flat<'_>, points: &Points) -> Option<Springs> {
    let row = |&point: &PointRef| points.row(model, point);
    let axial = model.springs.iter().map(|s| s.ends.iter().map(row).collect());
    let multi = model.multi_point_springs.iter().map(|s| s.points.iter().map(row).collect());
    let lines: Vec<Vec<u32>> = axial.chain(multi).collect();
    let pulls = model.springs.iter().map(|s| s.pull());
    let pulls = pulls.chain(model.multi_point_springs.iter().map(|s| s.pull())).collect();
    (!lines.is_empty()).then(|| Springs::lines(&lines, pulls).with_drives(drives_of(model)))
}

/// The bundles of all tissues; their activations come after `offset` numbers in the memory of a state.
fn muscles_of(model: &Flat<'_>, points: &Points, offset: usize) -> Option<Muscles> {
    let mut batches = Vec::new();
    for (k, bundle) in model.bundles.iter().enumerate() {
        let f = model.places.fems.place(bundle.fem).expect("references were checked");
        let (fem, rows) = (model.fems[f], &points.fem_rows[f]);
        let elements = bundle.elements_in(fem);
        let mut kinds: BTreeMap<ElementKind, Vec<usize>> = BTreeMap::new();
        for (place, &e) in elements.iter().enumerate() {
            kinds.entry(fem.mesh.element(e as usize).0).or_default().push(place);
        }
        for (kind, places) in kinds {
            let of_kind: Vec<u32> = places.iter().map(|&place| elements[place]).collect();
            let nodes = |&e: &u32| fem.mesh.element(e as usize).1.iter().map(|&n| rows[n as usize]);
            let axes = places.iter().map(|&place| match bundle.fibres.as_slice() {
                [] => fem.axes_of(elements[place] as usize),
                [fibre] => material_axes(Some(*fibre), None),
                all => material_axes(Some(all[place]), None),
            });
            let input = BatchInput {
                fem: fem.name.as_str().into(),
                kind,
                quadrature: fem.quadrature,
                material: bundle.material,
                stiffness_damping: 0.0,
                axes: axes.collect(),
                rows: of_kind.iter().flat_map(nodes).collect(),
                elements: of_kind,
                rest: points.rest.clone(),
            };
            batches.push((k, build_fibres(input)));
        }
    }
    let bundles = model.bundles.iter().map(|bundle| bundle.contraction()).collect();
    let muscles = || Muscles::new(bundles, batches, bundle_drives_of(model), offset);
    (!model.bundles.is_empty()).then(muscles)
}

/// What exciters do to bundles of tissues.
pub(super) fn bundle_drives_of(model: &Flat<'_>) -> Drives {
    let place = |target: ComponentId| target.typed().and_then(|h| model.places.bundles.place(h));
    drives_onto(model, model.bundles.len(), &place)
}

/// What exciters do to springs.
pub(super) fn drives_of(model: &Flat<'_>) -> Drives {
    let count = model.springs.len() + model.multi_point_springs.len();
    drives_onto(model, count, &|target| {
        let axial = target.typed().and_then(|h| model.places.springs.place(h));
        let multi = target.typed().and_then(|h| model.places.multi_point_springs.place(h));
        axial.or(multi.map(|k| model.springs.len() + k))
    })
}

/// What exciters do to actuators, in the order of the tree.
pub(super) fn actuator_drives_of(model: &Flat<'_>) -> Drives {
    let all = model.model.iter::<CoordinateActuator>().map(|(handle, _)| handle.id());
    let places: BTreeMap<ComponentId, usize> = all.zip(0..).collect();
    drives_onto(model, places.len(), &|target| places.get(&target).copied())
}

/// What exciters do to `count` components that `place` numbers, those that drive other exciters included.
fn drives_onto(
    model: &Flat<'_>,
    count: usize,
    place: &dyn Fn(ComponentId) -> Option<usize>,
) -> Drives {
    let mut of_place = vec![Vec::new(); count];
    let mut exciters = Vec::new();
    for (k, exciter) in (0..).zip(&model.exciters) {
        exciters.push((exciter.excitation, exciter.schedule.clone()));
        // Exciters were checked to drive each other in no circle.
        let mut driven: Vec<(ComponentId, f64)> =
            exciter.targets.iter().map(|to| (to.target, to.gain)).collect();
        while let Some((target, gain)) = driven.pop() {
            let further = target.typed::<MuscleExciter>().and_then(|h| model.model.get(h));
            match (place(target), further) {
                (Some(place), _) => of_place[place].push((k, gain)),
                (None, Some(other)) => {
                    driven.extend(other.targets.iter().map(|to| (to.target, gain * to.gain)));
                }
                _ => {}
            }
        }
    }
    Drives::new(exciters, &of_place)
}

/// Rows by the acceleration that they fall with, with their masses [kg].
fn weights_of(model: &Flat<'_>, points: &Points, masses: &[f64]) -> Vec<(Vec3, Vec<f64>)> {
    let mut weights: Vec<(Vec3, Vec<f64>)> = Vec::new();
    let mut add = |gravity: Vec3, rows: &[u32]| {
        let known = weights.iter().position(|(g, _)| *g == gravity);
        let place = known.unwrap_or_else(|| {
            weights.push((gravity, vec![0.0; masses.len()]));
            weights.len() - 1
        });
        rows.iter().for_each(|&row| weights[place].1[row as usize] = masses[row as usize]);
    };
    for (around, row) in model.at_particles.iter().zip(&points.particle_rows) {
        add(around.gravity, std::slice::from_ref(row));
    }
    for (around, rows) in model.at_fems.iter().zip(&points.fem_rows) {
        add(around.gravity, rows);
    }
    for (around, row) in model.at_bodies.iter().zip(&points.body_rows) {
        add(around.gravity, std::slice::from_ref(row));
    }
    weights
}

fn body_forces(model: &Flat<'_>, points: &Points, masses: &[f64], load: &BodyLoad) -> BodyForces {
    let mut weighted = vec![0.0; masses.len()];
    let fem = model.places.fems.place(load.fem).expect("references were checked");
    for (node, &row) in points.fem_rows[fem].iter().enumerate() {
        weighted[row as usize] =
            masses[row as usize] * load.weights.get(node).copied().unwrap_or(1.0);
    }
    let (acceleration, schedule) = (load.acceleration, load.schedule.clone());
    BodyForces { acceleration, schedule, masses: weighted }
}

/// Point damping, alpha m of the tissues, and the drag on bodies [N s/m], [N m s].
fn drag_of(model: &Flat<'_>, points: &Points, masses: &[f64]) -> Vec<f64> {
    let mut drag = vec![0.0; masses.len()];
    for (around, &row) in model.at_particles.iter().zip(&points.particle_rows) {
        drag[row as usize] = around.point_damping;
    }
    for (f, (fem, rows)) in model.fems.iter().zip(&points.fem_rows).enumerate() {
        for &row in rows {
            let damping = model.at_fems[f].point_damping;
            drag[row as usize] = damping + fem.mass_damping * masses[row as usize];
        }
    }
    for (body, &row) in points.body_rows.iter().enumerate() {
        let damping = model.damping_of(body);
        drag[row as usize] = damping.frame;
        drag[row as usize + 1] = damping.rotary;
    }
    drag
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
