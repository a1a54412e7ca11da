//! The beams that are timed: those of ArtiSynth's runs and those of the other peers.

use sinew_datasets::beam::{BeamElement, BeamGrid, BeamParams};
use sinew_datasets::law::Law;

use crate::quick;

/// Elements that fill a cell of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One hexahedron of 8 nodes.
    Hex,
    /// Five tetrahedra of 4 nodes.
    Tet,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Hex, Self::Tet];
}

/// Number of nodes of a grid, in thousands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// 24 x 6 x 6 cells: 1,225 nodes, 864 hexahedra or 4,320 tetrahedra.
    K1,
    /// 40 x 10 x 10 cells: 4,961 nodes, 4,000 hexahedra or 20,000 tetrahedra.
    K5,
    /// 64 x 16 x 16 cells: 18,785 nodes, 16,384 hexahedra or 81,920 tetrahedra.
    K19,
}

impl Size {
    /// All of them, rising.
    pub const ALL: [Self; 3] = [Self::K1, Self::K5, Self::K19];

    /// Cells along x, y, z; cubes, as the beam is four times as long as wide.
    pub fn cells(self) -> [usize; 3] {
        match self {
            Self::K1 => [24, 6, 6],
            Self::K5 => [40, 10, 10],
            Self::K19 => [64, 16, 16],
        }
    }

    /// Its name in results.
    fn name(self) -> &'static str {
        match self {
            Self::K1 => "1k",
            Self::K5 => "5k",
            Self::K19 => "19k",
        }
    }
}

/// Cells across the peers' beam: 3,000, 12,288 and 52,728 tetrahedra.
pub const KUHN_SIZES: [usize; 3] = [5, 8, 13];

/// A beam and its name in results.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Its name in results.
    pub name: String,
    /// The beam.
    pub beam: BeamParams,
}

impl Scene {
    /// The same beam of another material, which its name then tells.
    pub fn with_law(mut self, law: Law) -> Self {
        self.beam.law = law;
        self.name = format!("{} {}", self.name, law.kind().name);
        self
    }
}

/// ArtiSynth's beam: 1 x 0.25 x 0.25 m, corotated, E = 5e5 Pa, nu = 0.33, 1000 kg/m³, damped by
/// alpha = 2 1/s and beta = 0.01 s.
pub fn scene(kind: Kind, size: Size) -> Scene {
    let (element, kind) = match kind {
        Kind::Hex => (BeamElement::Hex, "hex"),
        Kind::Tet => (BeamElement::Tet, "tet"),
    };
    let grid = BeamGrid::Cells { element, counts: size.cells() };
    Scene {
        name: format!("{kind} {}", size.name()),
        beam: BeamParams { grid, ..BeamParams::default() },
    }
}

/// The peers' beam: 0.4 x 0.1 x 0.1 m of 24 n³ tetrahedra, corotated, undamped.
pub fn kuhn_scene(n: usize) -> Scene {
    Scene { name: format!("kuhn {n}"), beam: BeamParams::kuhn(n) }
}

/// ArtiSynth's beams in all sizes; only the smallest when the benches are [tried](quick).
pub fn grid_scenes() -> Vec<Scene> {
    let sizes = if quick() { &Size::ALL[..1] } else { &Size::ALL[..] };
    Kind::ALL.iter().flat_map(|&kind| sizes.iter().map(move |&size| scene(kind, size))).collect()
}

/// [`grid_scenes`] and the peers' beams.
pub fn all_scenes() -> Vec<Scene> {
    let sizes = if quick() { &KUHN_SIZES[..1] } else { &KUHN_SIZES[..] };
    let mut scenes = grid_scenes();
    scenes.extend(sizes.iter().map(|&n| kuhn_scene(n)));
    scenes
}
