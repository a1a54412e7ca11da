//! Overlaps of things that may touch, in a state: what a run would begin with inside each other.

use std::fmt;

use sinew_mesh::geometry::{Operand, Overlap, OverlapSurface};

use super::{CompiledModel, ContactSetup, Multibody, State};
use crate::Vec3;
use crate::constraint::Pose;
use crate::contact::{Collider, ContactError, Detector, Member, Pair};
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

impl CompiledModel {
    /// Pairs that overlap by more than the tolerance of their behaviour, in the order in which they are looked at. Solids
    /// and points are compared by what contact finds of them, closed meshes and boxes also by their common solid
    /// (docs/theory/contact.md, "Overlap of two surfaces").
    ///
    /// # Errors
    /// As [`Detector::with_surfaces`].
    pub fn overlaps(&self, state: &State) -> Result<Vec<PairOverlap>, ContactError> {
        let Some(multibody) = &self.parts.multibody else { return Ok(Vec::new()) };
        let setup = &multibody.contacts;
        let depths = depths(multibody, state)?;
        let mut surfaces = Surfaces::new(multibody, state);
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
}

/// Poses of the frames of bodies.
fn poses(multibody: &Multibody, q: &[Vec3]) -> Vec<Pose> {
    let turns = super::readouts::turns_of(multibody, q);
    let pose = |(row, turn)| {
        let rotation = nalgebra::Rotation3::from_matrix_unchecked(turn);
        Pose::from_parts(nalgebra::Translation3::from(q[row as usize]), rotation.into())
    };
    multibody.bodies.iter().map(|body| body.row).zip(turns).map(pose).collect()
}

/// Greatest depth of each pair [m]; zero where contact finds none.
fn depths(multibody: &Multibody, state: &State) -> Result<Vec<f64>, ContactError> {
    let ContactSetup { colliders, points, surfaces, pairs, .. } = multibody.contacts.clone();
    let mut depths = vec![0.0; pairs.len()];
    if pairs.is_empty() {
        return Ok(depths);
    }
    let mut detector = Detector::with_surfaces(colliders, points, surfaces, pairs)?;
    let mut found = Vec::new();
    detector.detect(&poses(multibody, &state.q), &state.q, &mut found);
    for contact in &found {
        let depth: &mut f64 = &mut depths[contact.pair as usize];
        *depth = depth.max(-contact.gap);
    }
    Ok(depths)
}

/// Surfaces of members in the world, made when they are asked for.
struct Surfaces<'a> {
    multibody: &'a Multibody,
    state: &'a State,
    poses: Vec<Pose>,
    /// `None` where it was not asked for, or has no closed surface.
    colliders: Vec<Option<OverlapSurface>>,
    tissues: Vec<Option<OverlapSurface>>,
    overlap: Overlap,
}

impl<'a> Surfaces<'a> {
    fn new(multibody: &'a Multibody, state: &'a State) -> Self {
        let setup = &multibody.contacts;
        Self {
            multibody,
            state,
            poses: poses(multibody, &state.q),
            colliders: vec![None; setup.colliders.len()],
            tissues: vec![None; setup.surfaces.len()],
            overlap: Overlap::default(),
        }
    }

    /// The common solid of a pair of different members; `None` where one of both is no closed surface, or they are apart.
    fn common(&mut self, pair: &Pair) -> Option<CommonVolume> {
        if pair.a == pair.b {
            return None;
        }
        self.make(pair.a);
        self.make(pair.b);
        let Self { colliders, tissues, overlap, .. } = self;
        let of = |member| match member {
            Member::Collider(k) => colliders[k as usize].as_ref(),
            Member::Surface(k) => tissues[k as usize].as_ref(),
            Member::Points(_) => None,
        };
        overlap.update(of(pair.a)?, of(pair.b)?);
        let volume = overlap.solid()?.volume;
        let area = overlap.part(Operand::First)?.area;
        let largest = overlap.regions().iter();
        let largest = largest.max_by(|a, b| a.solid.volume.total_cmp(&b.solid.volume))?;
        Some(CommonVolume { volume, area, normal: largest.normal() })
    }

    fn make(&mut self, member: Member) {
        match member {
            Member::Collider(k) if self.colliders[k as usize].is_none() => {
                self.colliders[k as usize] = self.collider(k);
            }
            Member::Surface(k) if self.tissues[k as usize].is_none() => {
                let surface = &self.multibody.contacts.surfaces[k as usize];
                let vertices = surface.rows.iter().map(|&row| self.state.q[row as usize]).collect();
                let mesh = SurfaceMesh::new(vertices, surface.triangles.clone()).ok();
                self.tissues[k as usize] = mesh.as_ref().map(OverlapSurface::new);
            }
            Member::Collider(_) | Member::Surface(_) | Member::Points(_) => {}
        }
    }

    fn collider(&self, number: u32) -> Option<OverlapSurface> {
        let Collider { shape, frame, pose } = &self.multibody.contacts.colliders[number as usize];
        let own = shape.triangles()?;
        let frame = self.poses.get(*frame as usize).copied().unwrap_or_else(Pose::identity);
        let pose = frame * pose;
        let turn = pose.rotation.to_rotation_matrix().into_inner();
        let mesh = own.transformed(&turn, &pose.translation.vector).ok()?;
        Some(OverlapSurface::new(&mesh))
    }
}
