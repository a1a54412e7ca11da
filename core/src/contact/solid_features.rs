//! Corners and edges of solids that can be between the nodes of a tissue: of boxes, hulls, capsules and meshes, points on the
//! rims of cylinders and chords between these, the centres of balls.

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use super::mesh_pair::RIM;
use super::polytope::Polytope;
use super::shape::Skeleton;
use super::{MeshSolid, Shape};
use crate::Vec3;

/// A corner in the frame of its solid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    /// Its place [m]; of round solids without their radius.
    pub(super) at: Vec3,
    /// Unit vector out of the solid; zero where it has no side.
    pub(super) away: Vec3,
}

/// An edge in the frame of its solid.
#[derive(Debug, Clone, Copy)]
pub(super) struct SolidEdge {
    /// Its ends [m].
    pub(super) ends: [Vec3; 2],
    /// Outward unit normals of its faces; `None` of the axis of a capsule.
    pub(super) normals: Option<[Vec3; 2]>,
}

/// Corners and edges where a solid is convex.
#[derive(Debug, Clone, Default)]
pub(super) struct SolidFeatures {
    pub(super) corners: Vec<Corner>,
    pub(super) edges: Vec<SolidEdge>,
    /// Chords of what is round, between its corners: they tell what passes through it.
    chords: Vec<[Vec3; 2]>,
}

impl SolidFeatures {
    /// Those of a shape; none of half-spaces and clouds.
    pub(super) fn of(shape: &Shape) -> Self {
        match shape.skeleton() {
            Skeleton::Plane | Skeleton::Cloud(_) => Self::default(),
            Skeleton::Point => {
                let centre = Corner { at: Vec3::zeros(), away: Vec3::zeros() };
                Self { corners: vec![centre], ..Self::default() }
            }
            Skeleton::Disk(radius, half_length) => {
                let corners = rims(radius, half_length);
                Self { chords: chords(&corners), corners, ..Self::default() }
            }
            Skeleton::Polytope => {
                shape.polytope().map_or_else(Self::default, |shape| of_polytope(&shape))
            }
            Skeleton::Mesh(mesh) => of_mesh(mesh),
        }
    }

    /// Ends of its edges, then of its chords [m].
    pub(super) fn lines(&self) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        self.edges.iter().map(|edge| edge.ends).chain(self.chords.iter().copied())
    }
}

fn unit(sum: Vec3) -> Vec3 {
    sum.try_normalize(0.0).unwrap_or_default()
}

/// Points on both rims of a cylinder.
fn rims(radius: f64, half_length: f64) -> Vec<Corner> {
    let corner = |(k, end): (u32, f64)| {
        let (sin, cos) = (f64::from(k) * TAU / f64::from(RIM)).sin_cos();
        let at = Vec3::new(radius * cos, radius * sin, end * half_length);
        Corner { at, away: Vec3::new(cos, sin, end) * FRAC_1_SQRT_2 }
    };
    [-1.0, 1.0].into_iter().flat_map(|end| (0..RIM).map(move |k| corner((k, end)))).collect()
}

/// Between neighbours on both rims, and from rim to rim.
fn chords(corners: &[Corner]) -> Vec<[Vec3; 2]> {
    let at = |end: u32, k: u32| corners[(end * RIM + k % RIM) as usize].at;
    let along = (0..2).flat_map(|end| (0..RIM).map(move |k| [(end, k), (end, k + 1)]));
    let across = (0..RIM).map(|k| [(0, k), (1, k)]);
    along.chain(across).map(|ends| ends.map(|(end, k)| at(end, k))).collect()
}

fn of_polytope(shape: &Polytope) -> SolidFeatures {
    let mut away = vec![Vec3::zeros(); shape.corners.len()];
    let solid = shape.solid();
    for (face, normal) in shape.normals.iter().enumerate() {
        solid.face(face).iter().for_each(|&corner| away[corner as usize] += normal);
    }
    let corners = shape.corners.iter().zip(away);
    let normal = |face: u32| shape.normals.get(face as usize).copied();
    let edges = (0..).zip(&shape.edges).map(|(k, edge)| SolidEdge {
        ends: solid.segment(k),
        normals: normal(edge.faces[0]).zip(normal(edge.faces[1])).map(|(l, r)| [l, r]),
    });
    SolidFeatures {
        corners: corners.map(|(&at, away)| Corner { at, away: unit(away) }).collect(),
        edges: edges.collect(),
        chords: Vec::new(),
    }
}

/// Convex edges of a mesh and their ends.
fn of_mesh(mesh: &MeshSolid) -> SolidFeatures {
    let surface = mesh.surface();
    let mut away: BTreeMap<u32, Vec3> = BTreeMap::new();
    for &v in mesh.edges().iter().flat_map(|edge| &edge.vertices) {
        away.insert(v, Vec3::zeros());
    }
    for (t, corners) in surface.triangles().iter().enumerate() {
        for v in corners {
            if let Some(away) = away.get_mut(v) {
                *away += surface.area_normal(t);
            }
        }
    }
    let corner =
        |(v, away): (u32, Vec3)| Corner { at: surface.vertices()[v as usize], away: unit(away) };
    let edge =
        |edge: &super::mesh::ConvexEdge| SolidEdge { ends: edge.ends, normals: Some(edge.normals) };
    SolidFeatures {
        corners: away.into_iter().map(corner).collect(),
        edges: mesh.edges().iter().map(edge).collect(),
        chords: Vec::new(),
    }
}
