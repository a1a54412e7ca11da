//! Structs that cross to the programs of `*.wgsl`: the same fields in the same order.

use bytemuck::{Pod, Zeroable};

use crate::scene_view::MOST_PLANES;

/// The camera, lights, colours: `Globals`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(super) struct Globals {
    pub(super) view_projection: [[f32; 4]; 4],
    pub(super) right: [f32; 4],
    pub(super) up: [f32; 4],
    pub(super) back: [f32; 4],
    pub(super) eye: [f32; 4],
    pub(super) viewport: [f32; 4],
    pub(super) depths: [f32; 4],
    pub(super) planes: [[f32; 4]; MOST_PLANES],
    pub(super) top: [f32; 4],
    pub(super) bottom: [f32; 4],
    pub(super) selection: [f32; 4],
    pub(super) flags: [u32; 4],
    pub(super) scales: [f32; 4],
    pub(super) light: [f32; 4],
    pub(super) light_projection: [[f32; 4]; 4],
    pub(super) shadow: [f32; 4],
}

/// An item: `Item`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(super) struct ItemData {
    pub(super) rotation: [f32; 4],
    pub(super) position: [f32; 4],
    pub(super) face: [f32; 4],
    pub(super) back: [f32; 4],
    pub(super) specular: [f32; 4],
    pub(super) flags: [u32; 4],
    pub(super) scatter: [f32; 4],
    pub(super) finish: [f32; 4],
}

/// A line or a dot: `Mark`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct Mark {
    pub(crate) a: [f32; 4],
    pub(crate) b: [f32; 4],
    pub(crate) color: [f32; 4],
}

/// A solid about a line: `Tube`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct Tube {
    pub(crate) a: [f32; 4],
    pub(crate) b: [f32; 4],
    pub(crate) color: [f32; 4],
    pub(crate) profile: [f32; 4],
    pub(crate) thin: [f32; 4],
}

/// Sides of a tube, as `SIDES`.
pub(super) const SIDES: u32 = 16;

/// Rings of a tube between its ends, as `RINGS`.
pub(super) const RINGS: u32 = 12;

/// Vertices of a tube: two triangles a side of each strip, two strips of which close it.
pub(super) const TUBE_VERTICES: u32 = 6 * SIDES * (RINGS + 2);

/// Width of a flat tube over its mean width, as `FLATNESS`.
pub(crate) const FLATNESS: f32 = 1.6;

/// The programs, each with what they share.
pub(super) mod sources {
    pub(crate) const SURFACE: &str = concat!(
        include_str!("common.wgsl"),
        include_str!("shading.wgsl"),
        include_str!("surface.wgsl")
    );
    pub(crate) const OUTLINES: &str =
        concat!(include_str!("common.wgsl"), include_str!("outlines.wgsl"));
    pub(crate) const EDGES: &str = concat!(include_str!("common.wgsl"), include_str!("edges.wgsl"));
    pub(crate) const MARKS: &str = concat!(include_str!("common.wgsl"), include_str!("marks.wgsl"));
    pub(crate) const TUBES: &str = concat!(
        include_str!("common.wgsl"),
        include_str!("shading.wgsl"),
        include_str!("tubes.wgsl")
    );
    pub(crate) const OCCLUSION: &str =
        concat!(include_str!("common.wgsl"), include_str!("occlusion.wgsl"));
    pub(crate) const COMPOSE: &str =
        concat!(include_str!("common.wgsl"), include_str!("compose.wgsl"));
}
