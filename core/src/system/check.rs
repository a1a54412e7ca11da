//! What can be wrong with a model: numbers out of range, references to nothing.

use super::flat::Flat;
use crate::Vec3;
use crate::material::{MaterialError, MaterialSpec};
use crate::model::{BodyLoad, CustomForce, FemModel, MechModel, PointLoad, PointRef, Schedule};

/// Why a model cannot be simulated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CompileError {
    /// Nothing has mass.
    #[error("model '{0}' has neither particles nor elements")]
    Empty(String),
    /// A material constant is out of range.
    #[error("material of '{fem}': {source}")]
    Material {
        /// Name of the tissue.
        fem: String,
        /// What is wrong.
        source: MaterialError,
    },
    /// A number is out of range.
    #[error("{what} is {value}; it must be {range}")]
    OutOfRange {
        /// Which number of which component.
        what: String,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// A component refers to something that does not exist.
    #[error("{what} refers to {target}, which does not exist")]
    Missing {
        /// Who refers.
        what: String,
        /// To what.
        target: String,
    },
    /// A list has the wrong length.
    #[error("{what} has {given} entries; it needs {expected}")]
    Length {
        /// Which list.
        what: String,
        /// Its length.
        given: usize,
        /// What it should be.
        expected: usize,
    },
    /// A node without an element has no mass.
    #[error("node {node} of '{fem}' belongs to no element and is not held: remove it, or hold it")]
    MasslessNode {
        /// Name of the tissue.
        fem: String,
        /// Node in its mesh.
        node: usize,
    },
    /// An element has no volume, or a negative one, at rest.
    #[error(
        "element {element} of '{fem}' is flat or turned inside out at rest (volume of a point {volume:.3e} m³) and cannot have a stress: repair the mesh"
    )]
    Degenerate {
        /// Name of the tissue.
        fem: String,
        /// Element in its mesh.
        element: usize,
        /// Smallest volume of a quadrature point [m³].
        volume: f64,
    },
}

/// Everything that can be wrong with the numbers and references of a model.
pub(super) fn check(model: &Flat<'_>) -> Result<(), CompileError> {
    let elements: usize = model.fems.iter().map(|f| f.mesh.element_count()).sum();
    if model.particles.is_empty() && elements == 0 {
        return Err(CompileError::Empty(model.model.name().to_owned()));
    }
    for (i, p) in model.particles.iter().enumerate() {
        let name = || format!("particle {i} '{}'", p.name);
        positive(p.mass, || format!("mass of {}", name()))?;
        finite(&p.position, || format!("position of {}", name()))?;
        finite(&p.velocity, || format!("velocity of {}", name()))?;
        not_negative(p.point_damping.unwrap_or(0.0), || format!("point damping of {}", name()))?;
    }
    model.model.iter::<MechModel>().try_for_each(|(_, mech)| check_mech(mech))?;
    model.fems.iter().try_for_each(|fem| check_fem(fem))?;
    for (i, s) in model.springs.iter().enumerate() {
        let name = || format!("spring {i} '{}'", s.name);
        s.ends.iter().try_for_each(|&end| exists(model, end, name))?;
        not_negative(s.material.stiffness, || format!("stiffness of {}", name()))?;
        not_negative(s.material.damping, || format!("damping of {}", name()))?;
        not_negative(s.material.rest_length, || format!("rest length of {}", name()))?;
    }
    let mut loads = model.point_loads.iter().enumerate();
    loads.try_for_each(|(i, load)| check_point_load(model, i, load))?;
    let mut loads = model.body_loads.iter().enumerate();
    loads.try_for_each(|(i, load)| check_body_load(model, i, load))?;
    let mut forces = model.custom_forces.iter().enumerate();
    forces.try_for_each(|(i, force)| check_custom_force(model, i, force))
}

fn check_mech(mech: &MechModel) -> Result<(), CompileError> {
    let name = &mech.name;
    finite(&mech.gravity.unwrap_or_default(), || format!("gravity of '{name}'"))?;
    not_negative(mech.point_damping.unwrap_or(0.0), || format!("point damping of '{name}'"))
}

fn check_point_load(model: &Flat<'_>, i: usize, load: &PointLoad) -> Result<(), CompileError> {
    exists(model, load.target, || format!("point load {i}"))?;
    finite(&load.force, || format!("force of point load {i}"))?;
    check_schedule(&load.schedule, || format!("point load {i}"))
}

fn check_custom_force(model: &Flat<'_>, i: usize, force: &CustomForce) -> Result<(), CompileError> {
    let name = || format!("force {i} '{}'", force.name);
    force.points.iter().try_for_each(|&point| exists(model, point, name))
}

fn check_body_load(model: &Flat<'_>, i: usize, load: &BodyLoad) -> Result<(), CompileError> {
    let Some(fem) = model.places.fems.place(load.fem).map(|place| model.fems[place]) else {
        let target = format!("tissue {}", load.fem.index);
        return Err(CompileError::Missing { what: format!("body load {i}"), target });
    };
    finite(&load.acceleration, || format!("acceleration of body load {i}"))?;
    let (given, expected) = (load.weights.len(), fem.mesh.nodes.len());
    if given != 0 && given != expected {
        let what = format!("weights of body load {i}");
        return Err(CompileError::Length { what, given, expected });
    }
    if let Some(&value) = load.weights.iter().find(|w| !w.is_finite()) {
        let what = format!("a weight of body load {i}");
        return Err(CompileError::OutOfRange { what, value, range: "finite" });
    }
    check_schedule(&load.schedule, || format!("body load {i}"))
}

fn check_fem(fem: &FemModel) -> Result<(), CompileError> {
    let name = &fem.name;
    let material = |m: &MaterialSpec| {
        m.check().map_err(|source| CompileError::Material { fem: name.clone(), source })
    };
    finite(&fem.gravity.unwrap_or_default(), || format!("gravity of '{name}'"))?;
    not_negative(fem.point_damping.unwrap_or(0.0), || format!("point damping of '{name}'"))?;
    positive(fem.density, || format!("density of '{name}'"))?;
    not_negative(fem.mass_damping, || format!("mass damping of '{name}'"))?;
    not_negative(fem.stiffness_damping, || format!("stiffness damping of '{name}'"))?;
    material(&fem.material)?;
    for region in &fem.regions {
        material(&region.material)?;
        in_range(&region.elements, fem.mesh.element_count(), || format!("a region of '{name}'"))?;
    }
    for support in &fem.dirichlet {
        in_range(&support.nodes, fem.mesh.nodes.len(), || format!("a support of '{name}'"))?;
        let (given, expected) = (support.displacement.len(), support.nodes.len());
        if given > 1 && given != expected {
            let what = format!("displacement of a support of '{name}'");
            return Err(CompileError::Length { what, given, expected });
        }
        for displacement in &support.displacement {
            finite(displacement, || format!("displacement of a support of '{name}'"))?;
        }
        check_schedule(&support.schedule, || format!("a support of '{name}'"))?;
    }
    for (i, node) in fem.mesh.nodes.iter().enumerate() {
        finite(node, || format!("node {i} of '{name}'"))?;
    }
    Ok(())
}

/// Finite values at finite times that do not fall.
fn check_schedule(schedule: &Schedule, owner: impl Fn() -> String) -> Result<(), CompileError> {
    let refused = |what: &str, value, range| {
        let what = format!("{what} of the schedule of {}", owner());
        Err(CompileError::OutOfRange { what, value, range })
    };
    let table = match schedule {
        Schedule::Constant(value) if !value.is_finite() => {
            return refused("the value", *value, "finite");
        }
        Schedule::Constant(_) => return Ok(()),
        Schedule::Table(table) => table,
    };
    let mut before = f64::NEG_INFINITY;
    for &[time, value] in table {
        if !time.is_finite() || time < before {
            return refused("a time", time, "finite and not below the one before it");
        }
        if !value.is_finite() {
            return refused("a value", value, "finite");
        }
        before = time;
    }
    Ok(())
}

fn positive(value: f64, what: impl FnOnce() -> String) -> Result<(), CompileError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(CompileError::OutOfRange { what: what(), value, range: "positive" })
}

fn not_negative(value: f64, what: impl FnOnce() -> String) -> Result<(), CompileError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(CompileError::OutOfRange { what: what(), value, range: "zero or positive" })
}

fn finite(vector: &Vec3, what: impl FnOnce() -> String) -> Result<(), CompileError> {
    match vector.iter().find(|c| !c.is_finite()) {
        None => Ok(()),
        Some(&value) => Err(CompileError::OutOfRange { what: what(), value, range: "finite" }),
    }
}

fn in_range(
    indices: &[u32],
    count: usize,
    what: impl FnOnce() -> String,
) -> Result<(), CompileError> {
    match indices.iter().find(|&&i| i as usize >= count) {
        None => Ok(()),
        Some(i) => {
            let target = format!("number {i} of {count}");
            Err(CompileError::Missing { what: what(), target })
        }
    }
}

fn exists(
    model: &Flat<'_>,
    point: PointRef,
    what: impl FnOnce() -> String,
) -> Result<(), CompileError> {
    let target = match point {
        PointRef::Particle(id) if model.places.particles.place(id).is_some() => return Ok(()),
        PointRef::Particle(id) => format!("particle {}", id.index),
        PointRef::FemNode(id, node) => {
            let fem = model.places.fems.place(id).map(|place| model.fems[place]);
            if fem.is_some_and(|f| (node as usize) < f.mesh.nodes.len()) {
                return Ok(());
            }
            format!("node {node} of tissue {}", id.index)
        }
    };
    Err(CompileError::Missing { what: what(), target })
}
