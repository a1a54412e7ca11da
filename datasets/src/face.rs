//! The face: skin and subcutaneous tissue over skull and mandible with the muscles of expression, lips and lids that close by
//! contact. Frame, dimensions and constants with their sources: docs/theory/anatomy.md.

mod fibre_lines;
mod grid;
mod mesh;
mod muscles;
mod published;
mod shape;
mod task;

pub use task::Task;

use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::passive::UnidirectionalSpring;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::geometry::{SurfaceMesh, icosphere_mesh};
use sinew::material::{
    BulkPotential, MaterialSpec, MooneyRivlinConstants, StrainFrame, TransverseLinearConstants,
};
use sinew::model::{
    Attachment, AxialSpring, Collider, CollisionBehavior, FemModel, FrameMarker, Master, Model,
    PointRef, Region, RenderMesh, RigidBody,
};

use self::mesh::{Cell, FaceMesh, Layer, MOST_RESOLUTION, Stop, face_mesh};
use self::shape::{EYE, EYE_RADIUS, Under};
use crate::bones::{Bone, CELL_SCALES};
use crate::skeleton::{add_fixed, dress_as_skin, hide, paint};
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Subcutaneous tissue with the muscles of expression: the Yeoh law of Nazari et al. 2010 of the indented cheek. The bulk modulus is
/// that of nu = 0.49 at small strain.
const SUPERFICIAL: MooneyRivlinConstants = MooneyRivlinConstants {
    c10: 2500.0,
    c01: 0.0,
    c11: 0.0,
    c20: 1175.0,
    c02: 0.0,
    bulk_modulus: 2.5e5,
    bulk_potential: BulkPotential::Quadratic,
};
/// Loose tissue on the bone, over which the face glides: a fifth as stiff (our choice).
const DEEP: MooneyRivlinConstants =
    MooneyRivlinConstants { c10: 500.0, c20: 235.0, bulk_modulus: 5e4, ..SUPERFICIAL };
/// Origins of muscles on bone, and the cartilage of the nose: stiff against all else (our choice).
const FIRM: MooneyRivlinConstants =
    MooneyRivlinConstants { c10: 5e4, c20: 0.0, bulk_modulus: 5e6, ..SUPERFICIAL };
/// Young's moduli of skin along its tension lines and across them [Pa]: the ends of the range of Luboz et al. 2014.
const SKIN: [f64; 2] = [4.2e4, 3.1e4];
/// Poisson's ratio of skin.
const SKIN_RATIO: f64 = 0.45;
/// Density of soft tissue [kg/m³], and its damping by mass [1/s] and by stiffness [s] (Nazari et al. 2010).
const DENSITY: f64 = 1040.0;
const MASS_DAMPING: f64 = 19.0;
const STIFFNESS_DAMPING: f64 = 0.055;
/// Cartilage of the nose on the unrolled face [mm]: half width, lower and upper end.
const NOSE: [f64; 3] = [16.0, 64.0, 100.0];
/// Tolerance of contact [m]: lips and lids touch at twice this.
const TOLERANCE: f64 = 1e-4;
/// Stiffness of a stop [N/m]: 0.1 N goes 0.1 mm too far.
const STOP_STIFFNESS: f64 = 1e3;
/// Distance of the far end of its spring [m].
const STOP_REACH: f64 = 0.12;
/// Density of the eyeballs [kg/m³], which do not move.
const EYE_DENSITY: f64 = 1000.0;
/// Colours of eyeball and iris.
const EYE_COLOR: [f32; 3] = [0.94, 0.93, 0.90];
const IRIS_COLOR: [f32; 3] = [0.22, 0.15, 0.10];
/// Millimetres to metres.
const MM: f64 = 1e-3;

/// The face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceParams {
    /// Task of the muscles in the first second.
    pub task: Task,
    /// Resolution, 0 to 4: 3,264 to 88,128 hexahedra.
    pub resolution: usize,
    /// Edges of the bones' surfaces over the default ones [-], [`CELL_SCALES`].
    pub cell: f64,
    /// Gravity along -z [m/s²]; 0 as the face is drawn as gravity leaves it.
    pub gravity: f64,
}

impl Default for FaceParams {
    fn default() -> Self {
        Self { task: Task::Smile, resolution: 0, cell: 1.0, gravity: 0.0 }
    }
}

impl FaceParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let [least, most] = CELL_SCALES;
        let face = Self {
            task: params.choice("task", default.task, &Task::NAMED)?,
            resolution: params.usize("resolution", default.resolution, [0, MOST_RESOLUTION])?,
            cell: params.f64("cell", default.cell, Range::Closed(least, most))?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(face)
    }
}

/// The published face in a folder, with the laws, the tasks and the contacts of the generated one; `resolution` and `cell` do not
/// matter.
///
/// # Errors
/// Files that are missing, or hold no face.
pub fn face_from_data(params: &FaceParams, folder: &str) -> Result<Model, ParamError> {
    published::face_from_data(params, folder)
}

/// The model: bones `cranium`, `maxilla`, `mandible` and eyeballs that stay, the tissue `face` on them, its muscles and contacts.
///
/// # Errors
/// A resolution or a cell size out of range.
pub fn face(params: &FaceParams) -> Result<Model, ParamError> {
    let FaceMesh { mesh, cells, attached, stops } =
        face_mesh(params.resolution.min(MOST_RESOLUTION))?;
    let mut model = Model::new("face");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    let bones = [Bone::Cranium, Bone::Maxilla, Bone::Mandible];
    let bodies = add_fixed(&mut model, &bones, params.cell)?;
    let eyes = add_eyes(&mut model)?;
    let face = model.add(tissue(mesh, &cells));
    dress_as_skin(&mut model, face.id());
    for (under, nodes) in attached {
        let body = bodies[Under::ALL.iter().position(|bone| *bone == under).unwrap_or(0)];
        let points = nodes.into_iter().map(|node| PointRef::FemNode(face, node)).collect();
        let name = format!("face_{}", bones[under as usize].name());
        model.add(Attachment::new(points, Master::Body(body)).named(name));
    }
    muscles::add_muscles(&mut model, face, &cells, params.task);
    add_stops(&mut model, face, (bodies[1], &stops));
    touch(&mut model, face, &eyes);
    Ok(model)
}

/// The tissue with a material a layer; fibres of the skin are its tension lines.
fn tissue(mesh: sinew::fem::VolumeMesh, cells: &[Cell]) -> FemModel {
    let region = |elements: Vec<u32>, material| Region { elements, material };
    let of_layer = |layer: Layer| mesh.element_sets[layer.name()].clone();
    let mooney = MaterialSpec::MooneyRivlin;
    let regions = vec![
        region(of_layer(Layer::Skin), skin()),
        region(of_layer(Layer::Deep), mooney(DEEP)),
        region([muscles::origins(cells), nose(cells)].concat(), mooney(FIRM)),
    ];
    let mut face = FemModel::new("face", mesh, DENSITY, mooney(SUPERFICIAL));
    face.regions = regions;
    face.fibres = cells.iter().map(|cell| cell.direction(tension_line(cell.at))).collect();
    face.mass_damping = MASS_DAMPING;
    face.stiffness_damping = STIFFNESS_DAMPING;
    face
}

/// Skin, stiffer along its tension lines.
fn skin() -> MaterialSpec {
    let [along, across] = SKIN;
    MaterialSpec::TransverseLinear(TransverseLinearConstants {
        youngs_modulus_along: along,
        youngs_modulus_across: across,
        poissons_ratio_along: SKIN_RATIO,
        poissons_ratio_across: SKIN_RATIO,
        shear_modulus_along: 0.5 * across / (1.0 + SKIN_RATIO),
        frame: StrainFrame::Corotated,
    })
}

/// Direction of the tension lines of skin at a place of the unrolled face [mm]: around mouth and eyes, across the forehead, down the
/// cheeks.
fn tension_line([s, z]: [f64; 2]) -> [f64; 2] {
    let side = if s < 0.0 { -1.0 } else { 1.0 };
    let around = |center: [f64; 2], reach: f64| {
        let [x, y] = [s - center[0], z - center[1]];
        let square = x * x + y * y;
        let share = reach * reach / (square + 1.0);
        [-y * share / (square + 1.0).sqrt() * side, x * share / (square + 1.0).sqrt() * side]
    };
    let [mouth, eye] = [around([0.0, 39.4], 26.0), around([side * 37.7, EYE[2]], 18.0)];
    // Lines of the cheek fall to the side, those of the forehead are level; signs do not matter to the law.
    let fall = if z < EYE[2] { -0.8 } else { 0.0 };
    let level = [1.0, fall * side];
    let as_level =
        |v: [f64; 2]| if v[0] * level[0] + v[1] * level[1] < 0.0 { v.map(|x| -x) } else { v };
    let [mouth, eye] = [as_level(mouth), as_level(eye)];
    [level[0] + mouth[0] + eye[0], level[1] + mouth[1] + eye[1]]
}

/// Elements of the cartilage of the nose.
fn nose(cells: &[Cell]) -> Vec<u32> {
    let [aside, low, high] = NOSE;
    let inside = |cell: &Cell| {
        let [s, z] = cell.at;
        cell.layer == Layer::Deep && s.abs() < aside && low < z && z < high
    };
    (0..).zip(cells).filter(|(_, cell)| inside(cell)).map(|(element, _)| element).collect()
}

/// Adds both eyeballs, and what is drawn of them.
fn add_eyes(model: &mut Model) -> Result<Vec<Handle<RigidBody>>, ParamError> {
    const CORNEA: f64 = 6.6;
    let mut eyes = Vec::new();
    for (word, side) in [("left", 1.0), ("right", -1.0)] {
        let center = Vec3::new(EYE[0], side * EYE[1], EYE[2]) * MM;
        let body = RigidBody::from_mesh(format!("{word}_eye"), ball(EYE_RADIUS)?, EYE_DENSITY);
        let body = model.add(body.at(Pose::new(center, Vec3::zeros())).fixed());
        paint(model, body.id(), EYE_COLOR);
        let before = center + Vec3::x() * (EYE_RADIUS - CORNEA + 0.4) * MM;
        let iris = RenderMesh::new(format!("{word}_iris"), ball(CORNEA)?);
        let iris = model.add(iris.at(Pose::new(before, Vec3::zeros())));
        paint(model, iris.id(), IRIS_COLOR);
        model.add(Collider::sphere(body, EYE_RADIUS * MM).named(format!("{word}_eye")));
        eyes.push(body);
    }
    Ok(eyes)
}

/// A ball about the origin, of a radius [mm].
fn ball(radius: f64) -> Result<SurfaceMesh, ParamError> {
    Ok(icosphere_mesh(radius * MM, 3)?)
}

/// Lets lips and cheeks rest on teeth and gums: each free node before them is pulled back once it is behind the place where it meets them, by
/// a spring to a point far before it. It slides along freely: by s it meets them s² / 2 of the reach early.
fn add_stops(
    model: &mut Model,
    face: Handle<FemModel>,
    (body, stops): (Handle<RigidBody>, &[Stop]),
) {
    let law = UnidirectionalSpring { stiffness: STOP_STIFFNESS, damping: 0.0 };
    for stop in stops {
        let at = model[face].mesh.nodes[stop.node as usize];
        let far = FrameMarker::new(body, at + stop.outward * STOP_REACH);
        let far = model.add(far.named(format!("stop_{}", stop.node)));
        let ends = [PointRef::FemNode(face, stop.node), PointRef::from(far)];
        let mut spring = AxialSpring::with_law(ends, AxialLaw::UnidirectionalLinear(law));
        spring.rest_length = STOP_REACH + stop.play;
        let spring = model.add(spring.named(format!("stop_{}", stop.node)));
        for aid in [spring.id(), far.id()] {
            hide(model, aid);
        }
    }
}

/// Lets lips and lids touch each other, and the lids the eyeballs.
fn touch(model: &mut Model, face: Handle<FemModel>, bodies: &[Handle<RigidBody>]) {
    let behavior = |a, b, name: &str| CollisionBehavior {
        tolerance: Some(TOLERANCE),
        name: name.into(),
        ..CollisionBehavior::new(a, b, 0.0)
    };
    model.add(behavior(face.id(), face.id(), "lips_and_lids"));
    for &body in bodies {
        let name = format!("face_on_{}", model[body].name);
        model.add(behavior(face.id(), body.id(), &name));
    }
}

/// `face` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "face",
    summary: "face of skin and subcutaneous tissue over skull and mandible, moved by 13 pairs of muscles of expression",
    params: &[
        ParamInfo::new("task", "smile", "-", "smile, pucker, frown, blink, rest"),
        ParamInfo::new(
            "resolution",
            "0",
            "-",
            "0 to 4: 3,264, 9,792, 21,760, 47,600, 88,128 hexahedra",
        ),
        ParamInfo::new("cell", "1", "-", "edges of the bones over the default, 0.6 to 1"),
        ParamInfo::new("g", "0", "m/s^2", "gravity along -z; 0: the face is drawn as it hangs"),
        ParamInfo::new(
            "data",
            "none",
            "-",
            "folder with a published face: badinface_adjusted.node, .elem, muscles and attachments",
        ),
    ],
    build: |params| {
        let folder = crate::published::folder_of(params);
        let own = FaceParams::read(params)?;
        match folder {
            Some(folder) => face_from_data(&own, &folder),
            None => face(&own),
        }
    },
};
