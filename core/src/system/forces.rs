//! The forces of a compiled model beside those of its tissues: weight and loads, springs and muscles, drag, the
//! user's own.

use super::bundles::muscles_of;
use super::drives::drives_of;
use super::flat::Flat;
use super::markers::conditions_of;
use super::multibody::JointSet;
use super::numbering::Numbering;
use super::shells::CompiledShell;
use super::wraps::wraps_of;
use super::{BodyRows, CompileError, Motion, State, body_forces};
use crate::Vec3;
use crate::fem::{ElementFace, Muscles};
use crate::force::{
    Actuators, BodyForces, CoordinateSprings, CustomPointForce, Drag, ForceEffector, LineRows,
    PointForces, RowPartition, Springs, SurfaceLoads, SurfacePressure, Wraps,
};
use crate::linalg::BlockPattern;
use crate::model::{AxialSpring, BodyLoad, MultiPointSpring, PointRef, Schedule, SurfaceLoad};

/// Forces that are not those of tissues, in the order in which they are added.
#[derive(Default)]
pub(super) struct Forces {
    /// Weight and loads.
    pub(super) loads: Vec<Box<dyn ForceEffector>>,
    pub(super) springs: Option<Springs>,
    /// Bundles of tissues.
    pub(super) muscles: Option<Muscles>,
    /// Membranes and shells.
    pub(super) shells: Vec<CompiledShell>,
    /// Drag, and the user's own.
    pub(super) others: Vec<Box<dyn ForceEffector>>,
    /// Mass of every row by the acceleration that it falls with [kg].
    pub(super) weights: Vec<(Vec3, Vec<f64>)>,
}

impl Forces {
    pub(super) fn effectors(&self) -> impl Iterator<Item = &dyn ForceEffector> {
        self.effectors_beside(false)
    }

    /// Bundles of tissues.
    pub(super) fn bundles(&self) -> Option<&dyn ForceEffector> {
        self.muscles.as_ref().map(|muscles| muscles as &dyn ForceEffector)
    }

    /// All, or all but the bundles.
    pub(super) fn effectors_beside(
        &self,
        bundles: bool,
    ) -> impl Iterator<Item = &dyn ForceEffector> {
        let springs = self.springs.as_ref().map(|s| s as &dyn ForceEffector);
        let loads = self.loads.iter().map(|e| &**e);
        let muscles = self.bundles().filter(|_| !bundles);
        let shells = self.shells.iter().map(|shell| &shell.sheets as &dyn ForceEffector);
        let others = self.others.iter().map(|e| &**e);
        loads.chain(springs).chain(muscles).chain(shells).chain(others)
    }

    pub(super) fn add_actuators(&mut self, actuators: Option<Actuators>) {
        self.others.extend(actuators.map(|it| Box::new(it) as Box<dyn ForceEffector>));
    }

    pub(super) fn add_springs(&mut self, springs: Option<CoordinateSprings>) {
        self.others.extend(springs.map(|it| Box::new(it) as Box<dyn ForceEffector>));
    }

    /// Numbers that springs and muscles remember; they stand first in the memory of a state.
    pub(super) fn memory_len(&self) -> usize {
        let springs = self.springs.as_ref().map_or(0, Springs::memory_len);
        self.muscles.as_ref().map_or(springs, Muscles::memory_end)
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
        self.shells.iter_mut().for_each(|shell| shell.sheets.bind(pattern, partition));
        self.others.iter_mut().for_each(|e| e.bind(pattern, partition));
    }
}

/// Loads on points and on bodies; `None` without any.
fn point_forces_of(model: &Flat<'_>, points: &Numbering) -> Option<PointForces> {
    let mut own = PointForces::default();
    let mut add =
        |place: usize, row: u32, (force, excitation): (Vec3, f64), schedule: &Schedule| {
            own.loads.push((row, force * excitation, schedule.clone()));
            own.excited.push((place, force));
        };
    for (place, load) in model.point_loads.iter().enumerate() {
        let row = points.row(model, load.target);
        add(place, row, (load.force, load.excitation), &load.schedule);
    }
    for (k, load) in model.frame_loads.iter().enumerate() {
        let body = model.places.bodies.place(load.body).expect("references were checked");
        let (place, row) = (model.point_loads.len() + k, points.body_rows[body]);
        add(place, row, (load.force, load.excitation), &load.schedule);
        add(place, row + 1, (load.moment, load.excitation), &load.schedule);
    }
    (!own.loads.is_empty()).then_some(own)
}

/// Everything that makes forces, but for the tissues; of the masses of all rows, and of those whose
/// inertia is that of the row.
///
/// # Errors
/// [`CompileError::Component`] for a force whose registered code is not there, or refuses its parameters.
pub(super) fn forces_of(
    model: &Flat<'_>,
    points: &Numbering,
    (masses, inertial): (&[f64], &[f64]),
    on: (&[BodyRows], &JointSet),
) -> Result<Forces, CompileError> {
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
    loads.extend(point_forces_of(model, points).map(|it| Box::new(it) as Box<dyn ForceEffector>));
    loads.extend(surface_loads_of(model, points).map(|it| Box::new(it) as Box<dyn ForceEffector>));
    let springs = springs_of(model, points, on);
    let muscles = muscles_of(model, points, springs.as_ref().map_or(0, Springs::memory_len));
    let mut others: Vec<Box<dyn ForceEffector>> = Vec::new();
    let coefficients = drag_of(model, points, masses);
    if coefficients.iter().any(|&c| c != 0.0) {
        others.push(Box::new(Drag { coefficients, diagonal: Vec::new() }));
    }
    body_forces::add(model, points, on.0, &mut others);
    for (handle, force) in model.custom_forces.iter().filter(|(_, force)| force.enabled) {
        let rows = force.points.iter().map(|&point| points.row(model, point)).collect();
        let law = model.model.force_law(handle.id(), force);
        let law = law.map_err(|fault| model.code_fault(handle.id(), &fault))?;
        others.push(Box::new(CustomPointForce { rows, law }));
    }
    Ok(Forces { loads, springs, muscles, shells: Vec::new(), others, weights })
}

/// Pressures and tractions on surfaces.
fn surface_loads_of(model: &Flat<'_>, points: &Numbering) -> Option<SurfaceLoads> {
    let of = |load: &&SurfaceLoad| {
        let f = model.places.fems.place(load.fem).expect("references were checked");
        let (mesh, rows) = (&model.fems[f].mesh, &points.fem_rows[f]);
        let nodes = |at: &ElementFace| {
            let (kind, nodes) = mesh.element(at.element as usize);
            let face = kind.faces()[usize::from(at.face)];
            face.iter().map(|&k| rows[nodes[usize::from(k)] as usize]).collect()
        };
        let faces = mesh.face_sets[&load.surface].iter().map(nodes).collect();
        let (pressure, traction, schedule) = (load.pressure, load.traction, load.schedule.clone());
        (SurfacePressure { pressure, traction, schedule }, faces)
    };
    let loads: Vec<_> = model.surface_loads.iter().map(of).collect();
    (!loads.is_empty()).then(|| SurfaceLoads::new(loads, &points.rest))
}

/// All springs and muscles, axial ones first.
fn springs_of(
    model: &Flat<'_>,
    points: &Numbering,
    on: (&[BodyRows], &JointSet),
) -> Option<Springs> {
    let row = |&point: &PointRef| points.row(model, point);
    let axial = |s: &&AxialSpring| {
        let mut rows = s.ends.iter().map(row).collect();
        let conditions = conditions_of(model, on.1, &s.ends);
        let wraps = (!conditions.is_empty())
            .then(|| Wraps::new(Vec::new(), &mut rows).with_conditions(conditions));
        LineRows { rows, wraps }
    };
    let multi = |s: &&MultiPointSpring| {
        let mut rows = s.points.iter().map(row).collect();
        let wraps = wraps_of(model, points, on, s, &mut rows);
        LineRows { rows, wraps }
    };
    let axial = model.springs.iter().map(axial);
    let lines: Vec<_> = axial.chain(model.multi_point_springs.iter().map(multi)).collect();
    let pulls = model.springs.iter().map(|s| s.pull());
    let pulls = pulls.chain(model.multi_point_springs.iter().map(|s| s.pull())).collect();
    (!lines.is_empty()).then(|| Springs::new(lines, pulls).with_drives(drives_of(model)))
}

/// Rows by the acceleration that they fall with, with their masses [kg].
fn weights_of(model: &Flat<'_>, points: &Numbering, masses: &[f64]) -> Vec<(Vec3, Vec<f64>)> {
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

fn body_forces(
    model: &Flat<'_>,
    points: &Numbering,
    masses: &[f64],
    load: &BodyLoad,
) -> BodyForces {
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
fn drag_of(model: &Flat<'_>, points: &Numbering, masses: &[f64]) -> Vec<f64> {
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
