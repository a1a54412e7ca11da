//! Overlaps of things that may touch, in a state: what a run would begin with inside each other.

use std::fmt;

use sinew_mesh::geometry::{Operand, Overlap, OverlapSurface};
use sinew_mesh::tree::Bounds;

use super::{ContactSetup, Multibody, State};
use crate::Vec3;
use crate::constraint::Pose;
use crate::contact::{Collider, ContactError, Detector, Member, Pair, Surface};
use crate::geometry::SurfaceMesh;

/// Two things that may touch and are inside each other.
#[derive(Clone, Debug, PartialEq)]
pub struct PairOverlap {
    /// Paths of both, A and B: of a collider on a body, that of the body.
    pub between: [String; 2],
    /// Greatest depth that contact finds [m].
    pub depth: f64,
    /// The solid that both have in common, where both are closed surfaces.
    pub common: Option<CommonVolume>,
}

impl fmt::Display for PairOverlap {
    /// `A and B overlap by 1.00e-3 m: 1.00e-6 m³ below 1.00e-4 m²`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { between: [a, b], depth, common } = self;
        write!(f, "{a} and {b} overlap")?;
        if *depth > 0.0 {
            write!(f, " by {depth:.2e} m")?;
        }
        match common {
            Some(CommonVolume { volume, area, .. }) => {
                write!(f, ": {volume:.2e} m³ below {area:.2e} m²")
            }
            None => Ok(()),
        }
    }
}

/// The common solid of two closed surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommonVolume {
    /// Volume [m³].
    pub volume: f64,
    /// Area of A inside of B [m²].
    pub area: f64,
    /// Unit normal from B into A; `None` where one is inside of the other.
    pub normal: Option<Vec3>,
}

/// Pairs that overlap in a state by more than the tolerance of their behaviour.
pub(super) fn overlaps(
    multibody: &Multibody,
    state: &State,
) -> Result<Vec<PairOverlap>, ContactError> {
    let setup = &multibody.contacts;
    let poses = multibody.poses(&state.q);
    let depths = depths(setup, &poses, &state.q)?;
    let mut surfaces = Surfaces::new(setup, &poses, &state.q);
    let mut overlaps = Vec::new();
    for (pair, &depth) in depths.iter().enumerate() {
        let tolerance = setup.behaviors[pair].tolerance;
        let common = surfaces.common(&setup.pairs[pair]);
        let is_deep = |common: &CommonVolume| common.volume > tolerance * common.area;
        if depth > tolerance || common.as_ref().is_some_and(is_deep) {
            let between = setup.names[pair].clone();
            overlaps.push(PairOverlap { between, depth, common });
        }
    }
    Ok(overlaps)
}

impl Collider {
    /// Its pose in the world where the bodies are.
    pub(super) fn placed(&self, poses: &[Pose]) -> Pose {
        poses.get(self.frame as usize).copied().unwrap_or_else(Pose::identity) * self.pose
    }
}

/// The surface of a collider in the world, where it is bounded by triangles.
pub(super) fn surface_of(collider: &Collider, poses: &[Pose]) -> Option<SurfaceMesh> {
    let pose = collider.placed(poses);
    let turn = pose.rotation.to_rotation_matrix().into_inner();
    collider.shape.triangles()?.transformed(&turn, &pose.translation.vector).ok()
}

/// Greatest depth of each pair [m]; zero where contact finds none.
fn depths(setup: &ContactSetup, poses: &[Pose], q: &[Vec3]) -> Result<Vec<f64>, ContactError> {
    let mut depths = vec![0.0; setup.pairs.len()];
    if depths.is_empty() {
        return Ok(depths);
    }
    let ContactSetup { colliders, points, surfaces, pairs, .. } = setup.clone();
    let mut detector = Detector::with_surfaces(colliders, points, surfaces, pairs)?;
    let mut found = Vec::new();
    detector.detect(poses, q, &mut found);
    for contact in &found {
        let depth: &mut f64 = &mut depths[contact.pair as usize];
        *depth = depth.max(-contact.gap);
    }
    Ok(depths)
}

/// A surface in the world.
struct Placed {
    mesh: SurfaceMesh,
    bounds: Bounds,
    /// Made when another surface is near.
    prepared: Option<OverlapSurface>,
}

impl Placed {
    fn new(mesh: SurfaceMesh) -> Self {
        let bounds = Bounds::of(mesh.vertices().iter().copied(), Vec3::zeros());
        Self { mesh, bounds, prepared: None }
    }

    fn prepared(&mut self) -> &OverlapSurface {
        self.prepared.get_or_insert_with(|| OverlapSurface::new(&self.mesh))
    }
}

/// Surfaces of members: colliders, then tissues that meet tissues, then those of point sets.
struct Surfaces {
    placed: Vec<Option<Placed>>,
    collider_count: usize,
    tissue_count: usize,
    overlap: Overlap,
}

impl Surfaces {
    fn new(setup: &ContactSetup, poses: &[Pose], q: &[Vec3]) -> Self {
        let collider = |it: &Collider| surface_of(it, poses);
        let tissue = |it: &Surface| {
            let vertices = it.rows.iter().map(|&row| q[row as usize]).collect();
            let mesh = SurfaceMesh::new(vertices, it.triangles.clone());
            mesh.ok().filter(|mesh| !mesh.triangles().is_empty())
        };
        let sets = setup.points.iter().map(|set| &set.surface);
        let tissues = setup.surfaces.iter().chain(sets).map(tissue);
        let meshes = setup.colliders.iter().map(collider).chain(tissues);
        let placed = meshes.map(|mesh| mesh.map(Placed::new)).collect();
        let (collider_count, tissue_count) = (setup.colliders.len(), setup.surfaces.len());
        Self { placed, collider_count, tissue_count, overlap: Overlap::default() }
    }

    /// The common solid of a pair; `None` where one of both is no closed surface, they are apart, or they are the same.
    fn common(&mut self, pair: &Pair) -> Option<CommonVolume> {
        let places = [self.place(pair.a)?, self.place(pair.b)?];
        let Self { placed, overlap, .. } = self;
        let [Some(first), Some(second)] = placed.get_disjoint_mut(places).ok()? else {
            return None;
        };
        if !first.bounds.overlaps(&second.bounds) {
            return None;
        }
        overlap.update(first.prepared(), second.prepared());
        let volume = overlap.solid()?.volume;
        let area = overlap.part(Operand::First)?.area;
        let largest = overlap.regions().iter();
        let largest = largest.max_by(|a, b| a.solid.volume.total_cmp(&b.solid.volume))?;
        Some(CommonVolume { volume, area, normal: largest.normal() })
    }

    fn place(&self, member: Member) -> Option<usize> {
        match member {
            Member::Collider(k) => Some(k as usize),
            Member::Surface(k) => Some(self.collider_count + k as usize),
            Member::Points(k) => Some(self.collider_count + self.tissue_count + k as usize),
        }
    }
}
