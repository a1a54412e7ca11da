//! What can be wrong with a model: numbers out of range, references to nothing.

use crate::Vec3;
use crate::material::{MaterialError, MaterialSpec};
use crate::model::{FemModel, Model, PointRef, Schedule};

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
pub(super) fn check(model: &Model) -> Result<(), CompileError> {
    let elements: usize = model.fems.iter().map(|f| f.mesh.element_count()).sum();
    if model.particles.is_empty() && elements == 0 {
        return Err(CompileError::Empty(model.name.clone()));
    }
    for (i, p) in model.particles.iter().enumerate() {
        positive(p.mass, || format!("mass of particle {i} '{}'", p.name))?;
        finite(&p.position, || format!("position of particle {i} '{}'", p.name))?;
        finite(&p.velocity, || format!("velocity of particle {i} '{}'", p.name))?;
    }
    finite(&model.gravity, || "gravity".into())?;
    not_negative(model.point_damping, || "point damping".into())?;
    model.fems.iter().try_for_each(check_fem)?;
    for (i, s) in model.springs.iter().enumerate() {
        let name = || format!("spring {i} '{}'", s.name);
        s.ends.iter().try_for_each(|&end| exists(model, end, name))?;
        not_negative(s.material.stiffness, || format!("stiffness of {}", name()))?;
        not_negative(s.material.damping, || format!("damping of {}", name()))?;
        not_negative(s.material.rest_length, || format!("rest length of {}", name()))?;
    }
    for (i, load) in model.point_loads.iter().enumerate() {
        exists(model, load.target, || format!("point load {i}"))?;
        finite(&load.force, || format!("force of point load {i}"))?;
        check_schedule(&load.schedule, || format!("point load {i}"))?;
    }
    for (i, load) in model.body_loads.iter().enumerate() {
        let Some(fem) = model.fems.get(load.fem.0 as usize) else {
            let target = format!("tissue {}", load.fem.0);
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
        check_schedule(&load.schedule, || format!("body load {i}"))?;
    }
    Ok(())
}

fn check_fem(fem: &FemModel) -> Result<(), CompileError> {
    let name = &fem.name;
    let material = |m: &MaterialSpec| {
        m.check().map_err(|source| CompileError::Material { fem: name.clone(), source })
    };
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
    model: &Model,
    point: PointRef,
    what: impl FnOnce() -> String,
) -> Result<(), CompileError> {
    let (there, target) = match point {
        PointRef::Particle(id) => {
            ((id.0 as usize) < model.particles.len(), format!("particle {}", id.0))
        }
        PointRef::FemNode(id, node) => {
            let fem = model.fems.get(id.0 as usize);
            let there = fem.is_some_and(|f| (node as usize) < f.mesh.nodes.len());
            (there, format!("node {node} of tissue {}", id.0))
        }
    };
    if there { Ok(()) } else { Err(CompileError::Missing { what: what(), target }) }
}
