//! A soft tissue as a model holds it: mesh, materials, damping, supports.

use super::Schedule;
use crate::Vec3;
use crate::fem::{QuadratureRule, VolumeMesh};
use crate::material::MaterialSpec;

/// A finite-element model of one tissue.
#[derive(Clone, Debug)]
pub struct FemModel {
    /// Name in reports and errors.
    pub name: String,
    /// Rest shape [m].
    pub mesh: VolumeMesh,
    /// Mass density [kg/m³], positive.
    pub density: f64,
    /// Material of every element that no region claims.
    pub material: MaterialSpec,
    /// Elements with a material of their own; a later region wins over an earlier one.
    pub regions: Vec<Region>,
    /// Rayleigh damping by mass, alpha [1/s].
    pub mass_damping: f64,
    /// Rayleigh damping by stiffness, beta [s].
    pub stiffness_damping: f64,
    /// Digits of the quadrature rules.
    pub quadrature: QuadratureRule,
    /// Supports; a later one wins over an earlier one at the same node and axis.
    pub dirichlet: Vec<Dirichlet>,
}

impl FemModel {
    /// A tissue without damping and supports.
    pub fn new(
        name: impl Into<String>,
        mesh: VolumeMesh,
        density: f64,
        material: MaterialSpec,
    ) -> Self {
        Self {
            name: name.into(),
            mesh,
            density,
            material,
            regions: Vec::new(),
            mass_damping: 0.0,
            stiffness_damping: 0.0,
            quadrature: QuadratureRule::default(),
            dirichlet: Vec::new(),
        }
    }
}

/// Elements with a material of their own.
#[derive(Clone, Debug)]
pub struct Region {
    /// Indices of the elements.
    pub elements: Vec<u32>,
    /// Their material.
    pub material: MaterialSpec,
}

/// Nodes held, or led along a displacement.
#[derive(Clone, Debug)]
pub struct Dirichlet {
    /// Node indices in the mesh.
    pub nodes: Vec<u32>,
    /// Which of x, y, z are held.
    pub axes: [bool; 3],
    /// Displacement from rest at a schedule value of 1 [m]: empty for none, one for all the nodes,
    /// or one a node.
    pub displacement: Vec<Vec3>,
    /// Time course of the displacement.
    pub schedule: Schedule,
}

impl Dirichlet {
    /// Nodes that stay where they are at rest, in all three directions.
    pub fn hold(nodes: Vec<u32>) -> Self {
        Self { nodes, axes: [true; 3], displacement: Vec::new(), schedule: Schedule::default() }
    }
}
