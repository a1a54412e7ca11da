//! A vocal fold: hexahedra from the thyroid cartilage to the arytenoid, a cover with the ligament at its edge over the
//! thyroarytenoid muscle.

use sinew::Vec3;
use sinew::fem::{ElementKind, MeshError, VolumeMesh};
use sinew::material::{
    MaterialSpec, MooneyRivlinConstants, StrainFrame, TransverseLinearConstants,
};
use sinew::model::{FemModel, Region};

use crate::bones::{self, MM};
use crate::fibres::Fibres;
use crate::interpolation::catmull_rom;
use crate::jaw::muscles::Side;
use crate::tongue::PASSIVE_TISSUE;

/// Density [kg/m³], and damping by mass [1/s] and by stiffness [s].
const DENSITY: f64 = 1040.0;
const DAMPING: [f64; 2] = [40.0, 0.02];
/// Young's modulus of cover and ligament along the fold (key Min1995) and across it [Pa].
const COVER: [f64; 2] = [33e3, 8e3];
const COVER_RATIO: f64 = 0.45;
/// The muscle across its fibres and at rest.
const BODY: MooneyRivlinConstants =
    MooneyRivlinConstants { c20: 0.0, bulk_modulus: 5e4, ..PASSIVE_TISSUE };
/// Elements along, across and upwards at the coarsest.
const CELLS: [usize; 3] = [10, 6, 4];
/// Stations from the anterior commissure rearward [mm]: x, y of the free edge and of the lateral side, heights of the lower side and
/// of the upper one.
const STATIONS: [[f64; 5]; 5] = [
    [-7.4, 0.35, 3.6, -29.0, -24.2],
    [-10.5, 0.7, 5.8, -30.4, -24.0],
    [-14.5, 1.15, 8.6, -31.2, -23.8],
    [-19.0, 1.6, 9.8, -31.2, -23.6],
    [-23.0, 2.2, 10.2, -30.8, -23.4],
];
/// Way of the lower end of the free edge to the side, over the width [-].
const CONUS: f64 = 0.45;
/// Distance from the arytenoid cartilage within which nodes belong to it [mm].
const REACH: f64 = 0.4;
/// Ends of the membranous part on the left [mm]: anterior commissure, tip of the vocal process.
const COMMISSURE: [f64; 3] = [-7.4, 0.35, -25.0];
const VOCAL_PROCESS: [f64; 3] = [-19.0, 2.2, -25.0];

/// A fold, the left one or its mirror image.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    mesh: VolumeMesh,
    /// Cells along, across from the edge and upwards, of each element.
    places: Vec<[usize; 3]>,
    cells: [usize; 3],
    /// Nodes on the thyroid and on the arytenoid cartilage.
    pub(super) front: Vec<u32>,
    pub(super) rear: Vec<u32>,
    /// Ends of the membranous part [mm].
    pub(super) commissure: [f64; 3],
    pub(super) vocal_process: [f64; 3],
}

impl Fold {
    /// The left fold.
    pub(super) fn new(refined: usize) -> Result<Self, MeshError> {
        let cells = CELLS.map(|count| count * refined);
        let [along, across, up] = cells;
        let node = |[i, j, k]: [usize; 3]| ((i * (across + 1) + j) * (up + 1) + k) as u32;
        let arytenoid = bones::left_arytenoid();
        let (mut front, mut rear) = (Vec::new(), Vec::new());
        let mut mesh = VolumeMesh::default();
        for at in triples([along + 1, across + 1, up + 1]) {
            let place = place([0, 1, 2].map(|axis| at[axis] as f64 / cells[axis] as f64));
            if at[0] == 0 {
                front.push(node(at));
            } else if at[0] == along || arytenoid.value(place) < REACH {
                rear.push(node(at));
            }
            mesh.nodes.push(Vec3::from(place) * MM);
        }
        // Counterclockwise from the side, then the same at the free edge.
        const CORNERS: [[usize; 3]; 8] = [
            [0, 1, 0],
            [1, 1, 0],
            [1, 1, 1],
            [0, 1, 1],
            [0, 0, 0],
            [1, 0, 0],
            [1, 0, 1],
            [0, 0, 1],
        ];
        let places: Vec<_> = triples(cells).collect();
        for [i, j, k] in &places {
            let corners = CORNERS.map(|[a, b, c]| node([i + a, j + b, k + c]));
            mesh.push_element(ElementKind::Hex8, &corners)?;
        }
        let ends = [COMMISSURE, VOCAL_PROCESS];
        let [commissure, vocal_process] = ends;
        Ok(Self { mesh, places, cells, front, rear, commissure, vocal_process })
    }

    /// The right fold.
    pub(super) fn mirrored(mut self) -> Self {
        self.mesh.nodes.iter_mut().for_each(|x| x.y = -x.y);
        self.mesh.mirror();
        self.commissure[1] *= -1.0;
        self.vocal_process[1] *= -1.0;
        self
    }

    /// Length of the membranous part [m].
    pub(super) fn length(&self) -> f64 {
        (Vec3::from(self.vocal_process) - Vec3::from(self.commissure)).norm() * MM
    }

    /// The tissue, with the cover as a region.
    pub(super) fn tissue(&self, side: Side) -> FemModel {
        let mut mesh = self.mesh.clone();
        let cover = self.elements(|place| self.is_cover(place));
        mesh.element_sets.insert("cover".into(), cover.clone());
        mesh.element_sets.insert("muscle".into(), self.elements(|place| !self.is_cover(place)));
        mesh.node_sets.insert("edge".into(), self.edge());
        let [along, across] = COVER;
        let layer = MaterialSpec::TransverseLinear(TransverseLinearConstants {
            youngs_modulus_along: along,
            youngs_modulus_across: across,
            poissons_ratio_along: COVER_RATIO,
            poissons_ratio_across: COVER_RATIO,
            shear_modulus_along: 0.5 * across / (1.0 + COVER_RATIO),
            frame: StrainFrame::Corotated,
        });
        let body = MaterialSpec::MooneyRivlin(BODY);
        let mut fold = FemModel::new(format!("{}_fold", side.name()), mesh, DENSITY, body);
        fold.fibres = (0..self.places.len()).map(|element| self.direction(element)).collect();
        fold.regions = vec![Region { elements: cover, material: layer }];
        [fold.mass_damping, fold.stiffness_damping] = DAMPING;
        fold
    }

    /// The elements of the thyroarytenoid muscle.
    pub(super) fn muscle(&self) -> Fibres {
        let elements = self.elements(|place| !self.is_cover(place));
        let directions = elements.iter().map(|&element| self.direction(element as usize)).collect();
        let volume = elements.iter().map(|&element| self.volume(element as usize)).sum();
        Fibres { elements, directions, volume }
    }

    /// True for elements at the free edge and on the upper side.
    fn is_cover(&self, [_, j, k]: [usize; 3]) -> bool {
        j * CELLS[1] < self.cells[1] || (k + 1) * CELLS[2] > self.cells[2] * (CELLS[2] - 1)
    }

    fn elements(&self, keep: impl Fn([usize; 3]) -> bool) -> Vec<u32> {
        (0..).zip(&self.places).filter(|(_, place)| keep(**place)).map(|(e, _)| e).collect()
    }

    /// Upper nodes of the free edge, from the front to the rear.
    fn edge(&self) -> Vec<u32> {
        let [along, across, up] = self.cells;
        (0..=along).map(|i| (i * (across + 1) * (up + 1) + up) as u32).collect()
    }

    /// Direction from the front to the rear of an element.
    fn direction(&self, element: usize) -> Vec3 {
        let way = self.along(element);
        way / way.norm()
    }

    fn along(&self, element: usize) -> Vec3 {
        let [i, j, k] = self.places[element];
        let [_, across, up] = self.cells;
        let mean = |i: usize| {
            let corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
                .map(|[a, b]| self.mesh.nodes[(i * (across + 1) + j + a) * (up + 1) + k + b]);
            corners.iter().sum::<Vec3>() * 0.25
        };
        mean(i + 1) - mean(i)
    }

    /// Volume of an element [m³], of its middle section times its length.
    fn volume(&self, element: usize) -> f64 {
        let (_, nodes) = self.mesh.element(element);
        let [a, b, c, d, e, f, g, h] = std::array::from_fn(|k| self.mesh.nodes[nodes[k] as usize]);
        let [u, v, w] = [
            (b + c + f + g) - (a + d + e + h),
            (c + d + g + h) - (a + b + e + f),
            (a + b + c + d) - (e + f + g + h),
        ];
        (u.cross(&v).dot(&w) / 64.0).abs()
    }
}

/// Triples below the counts, the last axis first.
fn triples([ni, nj, nk]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..ni).flat_map(move |i| (0..nj).flat_map(move |j| (0..nk).map(move |k| [i, j, k])))
}

/// A point of the left fold [mm]: part of the way from the front to the rear, from the edge to the side, upwards.
fn place([along, across, up]: [f64; 3]) -> [f64; 3] {
    let [x, edge, side, low, high] = catmull_rom(&STATIONS, along * (STATIONS.len() - 1) as f64);
    let below = (1.0 - up) * (1.0 - up);
    let edge = edge + CONUS * (side - edge) * below;
    [x, edge + (side - edge) * across, low + (high - low) * up]
}
