//! The upper airway: soft palate, base of the tongue, epiglottis and walls of the pharynx around a body of air whose volume and sections are
//! read. The levators raise the velum; negative pressure obstructs. Dimensions and sources: docs/theory/anatomy.md.

mod grid;
mod published;

use std::collections::BTreeMap;

use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::active::ConstantMuscle;
use sinew::component::{ComponentType, Handle};
use sinew::contact::{ContactLaw, NormalLaw};
use sinew::fem::{ElementFace, ElementKind, MeshError, VolumeMesh};
use sinew::material::{Isotropic, MaterialSpec, MooneyRivlinConstants};
use sinew::model::{
    Attachment, AxialSpring, CollisionBehavior, FemModel, FrameMarker, Master, Model,
    MuscleExciter, PointRef, Region, RigidBody, Schedule, SurfaceLoad,
};

use self::grid::{CellIndex, EPIGLOTTIS, Grid, Node, Support, VELUM_END};
use crate::bones::{Bone, CELL_SCALES};
use crate::course::{SUSTAINED, course};
use crate::skeleton::{add_belly, add_fixed, paint};
use crate::tongue::PASSIVE_TISSUE;
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Cartilage of the epiglottis: stiff against all else (our choice).
const CARTILAGE: MooneyRivlinConstants =
    MooneyRivlinConstants { c10: 1e5, c20: 0.0, bulk_modulus: 5e6, ..PASSIVE_TISSUE };
/// The velum, softer than the tongue by a factor of six: E = 1 kPa, of excised palates.
const VELUM: MooneyRivlinConstants =
    MooneyRivlinConstants { c10: 167.0, c20: 78.0, bulk_modulus: 1.6e4, ..PASSIVE_TISSUE };
/// Density of soft tissue [kg/m³], damping by mass [1/s] and by stiffness [s]: those of the tongue.
const DENSITY: f64 = 1040.0;
const MASS_DAMPING: f64 = 40.0;
const STIFFNESS_DAMPING: f64 = 0.03;
/// The air: its density [kg/m³], and a stiffness [Pa] a thousandth of that of tissue, which only keeps its elements apart. Its law is linear:
/// elements between closed walls are flat or inside out.
const AIR_DENSITY: f64 = 1.2;
const AIR: Isotropic = Isotropic { youngs_modulus: 5.0, poissons_ratio: 0.0 };
/// Bones that stay where they are, the hard palate first.
const SUPPORTS: [Bone; 7] =
    [Bone::Maxilla, Bone::Mandible, Bone::Hyoid, Bone::Atlas, Bone::Axis, Bone::C3, Bone::C4];
/// Force of a levator at full activation [N]: 0.25 N/mm² over 16 mm².
const LEVATOR_FORCE: f64 = 4.0;
/// Origin of the left levator, at the apex of the petrous bone [m].
const LEVATOR_ORIGIN: Vec3 = Vec3::new(-33e-3, 19e-3, 82e-3);
/// Stations of the velum that each levator ends at.
const LEVATOR_STATIONS: [f64; 3] = [2.0, 2.67, 3.33];
/// Greatest excitation of the levators when they raise the velum [-]: it comes to the wall at this, and sinks into it at 0.12.
const RAISED: f64 = 0.08;
/// Largest resolution.
const MOST_RESOLUTION: usize = 4;
/// Colours of mucosa and of air.
const MUCOSA: [f32; 3] = [0.80, 0.48, 0.45];
const AIR_COLOR: [f32; 3] = [0.62, 0.78, 0.92];

/// Tasks of the airway in the first second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Nothing.
    Rest,
    /// The levators raise the velum to the rear wall.
    Raise,
    /// Negative pressure on the surface of the airway.
    Obstruct,
}

/// The names of `task=`.
const TASKS: [(&str, Task); 3] =
    [("raise", Task::Raise), ("obstruct", Task::Obstruct), ("rest", Task::Rest)];

/// The airway.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AirwayParams {
    /// Task in the first second.
    pub task: Task,
    /// Resolution, 0 to 4.
    pub resolution: usize,
    /// Greatest negative pressure of [`Task::Obstruct`] [Pa].
    pub suction: f64,
    /// Edges of the bones' surfaces over the default ones [-], [`CELL_SCALES`].
    pub cell: f64,
    /// Gravity along -z [m/s²].
    pub gravity: f64,
}

impl Default for AirwayParams {
    fn default() -> Self {
        Self { task: Task::Raise, resolution: 0, suction: 1000.0, cell: 1.0, gravity: 0.0 }
    }
}

impl AirwayParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let [least, most] = CELL_SCALES;
        let airway = Self {
            task: params.choice("task", default.task, &TASKS)?,
            resolution: params.usize("resolution", default.resolution, [0, MOST_RESOLUTION])?,
            suction: params.f64("suction", default.suction, Range::NOT_NEGATIVE)?,
            cell: params.f64("cell", default.cell, Range::Closed(least, most))?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(airway)
    }
}

/// A mesh of some cells of the grid.
#[derive(Default)]
struct Part {
    mesh: VolumeMesh,
    places: Vec<CellIndex>,
    nodes: BTreeMap<Node, u32>,
}

impl Part {
    fn new(grid: Grid, keep: impl Fn(CellIndex) -> bool) -> Result<Self, MeshError> {
        let mut part = Self::default();
        for place in grid.cells().into_iter().filter(|&place| keep(place)) {
            let corners = grid.corners(place).map(|node| part.node(grid, node));
            part.mesh.push_element(ElementKind::Hex8, &corners)?;
            part.places.push(place);
        }
        Ok(part)
    }

    fn node(&mut self, grid: Grid, node: Node) -> u32 {
        let next = self.nodes.len() as u32;
        *self.nodes.entry(node).or_insert_with(|| {
            self.mesh.nodes.push(grid.place(node));
            next
        })
    }

    /// Elements whose cells are so.
    fn elements(&self, keep: impl Fn(CellIndex) -> bool) -> Vec<u32> {
        (0..).zip(&self.places).filter(|(_, place)| keep(**place)).map(|(e, _)| e).collect()
    }
}

/// The model: bones that stay, the tissue `pharynx`, the body `air` in it, levators.
///
/// # Errors
/// A resolution or a cell size out of range.
pub fn airway(params: &AirwayParams) -> Result<Model, ParamError> {
    let grid = Grid::new(2 + params.resolution.min(MOST_RESOLUTION));
    let mut model = Model::new("airway");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    let bodies = add_fixed(&mut model, &SUPPORTS, params.cell)?;
    let tissue = Part::new(grid, |place| !grid.is_air(place))?;
    let air = Part::new(grid, |place| grid.is_air(place))?;
    let pharynx = add_tissue(&mut model, grid, &tissue, &air);
    attach(&mut model, grid, &tissue, (pharynx, &bodies));
    add_air(&mut model, grid, air, pharynx);
    let ends = [1_isize, -1].map(|side| {
        let node = |station| tissue.nodes[&grid.levator(side, station)];
        LEVATOR_STATIONS.map(node).to_vec()
    });
    add_pull(&mut model, (pharynx, ends), (bodies[0], params.task));
    let mut suction = SurfaceLoad::pressure(pharynx, "airway", 0.0);
    if params.task == Task::Obstruct {
        suction.pressure = -params.suction;
        suction.schedule = course(SUSTAINED);
    }
    model.add(suction.named("suction"));
    model.add(walls(pharynx));
    Ok(model)
}

/// Contact of the walls with each other: soft mucosa, which gives way as its material does. Rigid contact lets nothing pass, and takes steps
/// in parts where the velum and the wall behind it meet in a wedge.
fn walls(tissue: Handle<FemModel>) -> CollisionBehavior {
    let soft = ContactLaw { normal: NormalLaw::Automatic, ..ContactLaw::default() };
    CollisionBehavior::new(tissue, tissue, 0.0).with_law(soft).named("walls")
}

/// The tissue with the epiglottis in it, and the face set `airway`.
fn add_tissue(model: &mut Model, grid: Grid, tissue: &Part, air: &Part) -> Handle<FemModel> {
    let mut mesh = tissue.mesh.clone();
    let velum = |place: CellIndex| grid.is_before(place) && grid.station(place) < VELUM_END;
    let [from, to] = EPIGLOTTIS;
    let epiglottis =
        |place: CellIndex| grid.is_lining(place) && (from..to).contains(&grid.station(place));
    let base = |place: CellIndex| {
        grid.is_before(place) && grid.station(place) > VELUM_END && !epiglottis(place)
    };
    let (cartilage, velum) = (tissue.elements(epiglottis), tissue.elements(velum));
    mesh.element_sets.insert("velum".into(), velum.clone());
    mesh.element_sets.insert("tongue_base".into(), tissue.elements(base));
    mesh.element_sets.insert("epiglottis".into(), cartilage.clone());
    let middle = |node: &Node| grid.is_middle_of_velum(*node);
    let middle = tissue.nodes.iter().filter(|(node, _)| middle(node)).map(|(_, &k)| k);
    mesh.node_sets.insert("velum_middle".into(), middle.collect());
    let faces = faces_on(&mesh, tissue, air);
    mesh.face_sets.insert("airway".into(), faces);
    let mut pharynx =
        FemModel::new("pharynx", mesh, DENSITY, MaterialSpec::MooneyRivlin(PASSIVE_TISSUE));
    pharynx.regions = [(cartilage, CARTILAGE), (velum, VELUM)]
        .map(|(elements, law)| Region { elements, material: MaterialSpec::MooneyRivlin(law) })
        .into();
    pharynx.mass_damping = MASS_DAMPING;
    pharynx.stiffness_damping = STIFFNESS_DAMPING;
    let pharynx = model.add(pharynx);
    paint(model, pharynx.id(), MUCOSA);
    pharynx
}

/// Faces of the tissue all of whose nodes lie on the air.
fn faces_on(mesh: &VolumeMesh, tissue: &Part, air: &Part) -> Vec<ElementFace> {
    let on_air = |node: &Node| air.nodes.contains_key(&Node { velum: false, ..*node });
    let on_air: std::collections::BTreeSet<u32> =
        tissue.nodes.iter().filter(|(node, _)| on_air(node)).map(|(_, &k)| k).collect();
    let mut faces = Vec::new();
    for (element, (kind, nodes)) in (0..).zip(mesh.elements()) {
        for (face, corners) in (0..).zip(kind.faces()) {
            if corners.iter().all(|&corner| on_air.contains(&nodes[corner as usize])) {
                faces.push(ElementFace { element, face });
            }
        }
    }
    faces
}

/// Attaches palate, rear wall and base of the tongue.
fn attach(
    model: &mut Model,
    grid: Grid,
    tissue: &Part,
    (pharynx, bodies): (Handle<FemModel>, &[Handle<RigidBody>]),
) {
    let supports = [
        (Support::Palate, "pharynx_maxilla", bodies[0]),
        (Support::Tongue, "pharynx_mandible", bodies[1]),
        (Support::Spine, "pharynx_spine", bodies[4]),
    ];
    for (support, name, body) in supports {
        let own = tissue.nodes.iter().filter(|(node, _)| grid.support(**node) == Some(support));
        let points = own.map(|(_, &node)| PointRef::FemNode(pharynx, node)).collect();
        model.add(Attachment::new(points, Master::Body(body)).named(name));
    }
}

/// The air: its nodes on the walls follow them.
fn add_air(model: &mut Model, grid: Grid, part: Part, pharynx: Handle<FemModel>) {
    let mut mesh = part.mesh;
    for station in 0..10_u8 {
        let here = |place: &CellIndex| grid.station(*place) as u8 == station;
        let own = (0..).zip(&part.places).filter(|(_, place)| here(place)).map(|(e, _)| e);
        mesh.element_sets.insert(format!("station_{station}"), own.collect());
    }
    let boundary = sinew::geometry::boundary(&mesh);
    let mut air = FemModel::new("air", mesh, AIR_DENSITY, MaterialSpec::Linear(AIR));
    air.gravity = Some(Vec3::zeros());
    air.mass_damping = MASS_DAMPING;
    let air = model.add(air);
    paint(model, air.id(), AIR_COLOR);
    let points = boundary.node_of_vertex.iter().map(|&node| PointRef::FemNode(air, node)).collect();
    model.add(Attachment::new(points, Master::Tissue(pharynx)).named("air_on_walls"));
}

/// Adds the levators, lines from the base of the skull to nodes of the velum on the left and on the right, with an exciter of all.
fn add_pull(
    model: &mut Model,
    (velum, ends): (Handle<FemModel>, [Vec<u32>; 2]),
    (skull, task): (Handle<RigidBody>, Task),
) {
    let mut lines = Vec::new();
    for ((word, side), nodes) in [("left", 1.0), ("right", -1.0)].into_iter().zip(ends) {
        let max_force = LEVATOR_FORCE / nodes.len() as f64;
        let law = ConstantMuscle { max_force, ..ConstantMuscle::default() };
        let origin = LEVATOR_ORIGIN.component_mul(&Vec3::new(1.0, side, 1.0));
        let marker = FrameMarker::new(skull, origin).named(format!("{word}_levator_origin"));
        let origin_marker = model.add(marker);
        for (k, node) in nodes.into_iter().enumerate() {
            let length = (model[velum].mesh.nodes[node as usize] - origin).norm();
            let ends = [PointRef::from(origin_marker), PointRef::FemNode(velum, node)];
            let spring = AxialSpring::with_law(ends, AxialLaw::ConstantMuscle(law));
            let line = model.add(spring.named(format!("{word}_levator_{}", k + 1)));
            add_belly(model, line.id(), max_force, [length; 2]);
            lines.push(line);
        }
    }
    let mut exciter = MuscleExciter::new("levator_veli_palatini", lines);
    (exciter.excitation, exciter.schedule) = match task {
        Task::Raise => (RAISED, course(SUSTAINED)),
        Task::Rest | Task::Obstruct => (0.0, Schedule::default()),
    };
    model.add(exciter);
}

/// The airway with the soft palate of a folder, in the place of the generated pharynx and its air; `resolution` does not matter.
///
/// # Errors
/// A folder without a mesh of a soft palate.
pub fn airway_from_data(params: &AirwayParams, folder: &str) -> Result<Model, ParamError> {
    published::airway_from_data(params, folder)
}

/// `airway` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "airway",
    summary: "upper airway: soft palate, base of the tongue, epiglottis and pharynx around a body of air",
    params: &[
        ParamInfo::new(
            "task",
            "raise",
            "-",
            "raise (the velum), obstruct (negative pressure), rest",
        ),
        ParamInfo::new(
            "resolution",
            "0",
            "-",
            "0 to 4: 2,160 to 58,320 hexahedra, of which 2/9 are air",
        ),
        ParamInfo::new("suction", "1000", "Pa", "greatest negative pressure, with task=obstruct"),
        ParamInfo::new("cell", "1", "-", "edges of the bones over the default, 0.6 to 1"),
        ParamInfo::new("g", "0", "m/s^2", "gravity along -z"),
        ParamInfo::new(
            "data",
            "none",
            "-",
            "folder with a published soft palate: softPalate*.node, .elem or .inp",
        ),
    ],
    build: |params| {
        let folder = crate::published::folder_of(params);
        let own = AirwayParams::read(params)?;
        match folder {
            Some(folder) => airway_from_data(&own, &folder),
            None => airway(&own),
        }
    },
};
