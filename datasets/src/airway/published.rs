//! The airway with a published soft palate, for those who have its mesh: `softPalate...` of ArtiSynth Models. It
//! hangs on the generated hard palate in the place of the generated pharynx and its air; tasks are the same.

use std::path::{Path, PathBuf};

use sinew::component::{ComponentType, Handle};
use sinew::fem::VolumeMesh;
use sinew::geometry::boundary;
use sinew::io::{LengthUnit, ReadOptions, read_volume};
use sinew::material::MaterialSpec;
use sinew::model::{Attachment, FemModel, Master, Model, PointRef, SurfaceLoad};
use sinew::{Mat3, Vec3};

use super::{
    AirwayParams, DENSITY, MASS_DAMPING, MUCOSA, STIFFNESS_DAMPING, SUPPORTS, Task, add_pull, walls,
};
use crate::ParamError;
use crate::course::{SUSTAINED, course};
use crate::published::{
    Folder, along, fault, lateral_axis, mean, middle, turn_from, unit_of_width,
};
use crate::skeleton::{add_fixed, paint};
use crate::tongue::PASSIVE_TISSUE;

/// Endings of meshes.
const ENDINGS: [&str; 4] = [".elem", ".inp", ".1.ele", ".vtu"];
/// Beginnings of their names.
const NAMES: [&str; 2] = ["softpalate", "soft_palate"];
/// Plausible width of a soft palate [m].
const WIDTH: [f64; 2] = [0.015, 0.08];
/// Rear edge of the hard palate in the midline [m].
const HANGS_AT: Vec3 = Vec3::new(-9e-3, 0.0, 64.5e-3);
/// Part of the length from the hard palate within which nodes are fixed to it [-].
const FIXED: f64 = 0.12;
/// Part of the length at which the levators end, and of the half width [-].
const LEVATOR: [f64; 2] = [0.55, 0.45];
/// Least product of the normal of a face with the direction rearward and up at which it lies on the airway [-].
const FACING: f64 = 0.3;

/// The model.
///
/// # Errors
/// A folder without a soft palate, or one that holds something else.
pub(super) fn airway_from_data(params: &AirwayParams, folder: &str) -> Result<Model, ParamError> {
    let (path, mesh) = palate_in(&Folder::open(folder)?)?;
    let palate = Palate::of(mesh, &path)?;
    let mut model = Model::new("airway");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    let bodies = add_fixed(&mut model, &SUPPORTS, params.cell)?;
    let (fixed, ends) = (palate.fixed_nodes(), palate.levator_ends());
    let tissue = add_tissue(&mut model, palate, &path)?;
    let points = fixed.into_iter().map(|node| PointRef::FemNode(tissue, node)).collect();
    model.add(Attachment::new(points, Master::Body(bodies[0])).named("palate_maxilla"));
    add_pull(&mut model, (tissue, ends.map(|end| vec![end])), (bodies[0], params.task));
    let mut suction = SurfaceLoad::pressure(tissue, "airway", 0.0);
    if params.task == Task::Obstruct {
        (suction.pressure, suction.schedule) = (-params.suction, course(SUSTAINED));
    }
    model.add(suction.named("suction"));
    model.add(walls(tissue));
    Ok(model)
}

/// The mesh whose worst element is the best, of all that are there, with its file: a sliver keeps steps from ending.
fn palate_in(folder: &Folder) -> Result<(PathBuf, VolumeMesh), ParamError> {
    let like = |ending: &'static str| NAMES.iter().flat_map(move |name| folder.like(name, ending));
    let mut best: Option<(f64, &Path, VolumeMesh)> = None;
    for path in ENDINGS.into_iter().flat_map(like) {
        let read = read_volume(path, &ReadOptions { unit: LengthUnit::Metre });
        let mesh = read.map_err(|error| fault(path, error))?.mesh;
        let shapes = mesh.element_qualities().into_iter().map(|it| it.scaled_jacobian);
        let worst = shapes.fold(1.0, f64::min);
        if best.as_ref().is_none_or(|(least, ..)| worst > *least) {
            best = Some((worst, path, mesh));
        }
    }
    let found = best.map(|(_, path, mesh)| (path.to_path_buf(), mesh));
    found.ok_or_else(|| {
        let wanted =
            "softPalate*.node with softPalate*.elem, or softPalate*.inp, a mesh of the soft palate";
        folder.lacks(&[wanted.to_owned()])
    })
}

/// A soft palate in the frame of the model.
struct Palate {
    mesh: VolumeMesh,
    /// Place of each node from the hard palate (0) to the free end (1).
    parts: Vec<f64>,
    /// Half of its width [m].
    half_width: f64,
}

impl Palate {
    /// From a mesh whose z axis is up; the velum falls rearward.
    fn of(mut mesh: VolumeMesh, path: &Path) -> Result<Self, ParamError> {
        let turn = turn_of(path, &mesh.nodes)?;
        mesh.nodes.iter_mut().for_each(|p| *p = turn * *p);
        let centre = mean(&mesh.nodes);
        let fall = fall_of(&mesh.nodes, centre);
        let along = |p: &Vec3| (p - centre).dot(&fall);
        let [low, high] = ends(mesh.nodes.iter().map(along));
        let parts = mesh.nodes.iter().map(|p| (along(p) - low) / (high - low)).collect::<Vec<_>>();
        let front: Vec<Vec3> = mesh
            .nodes
            .iter()
            .zip(&parts)
            .filter(|(_, part)| **part < FIXED)
            .map(|(p, _)| *p)
            .collect();
        let shift = HANGS_AT - middle(&front);
        mesh.nodes.iter_mut().for_each(|p| *p += shift);
        let [right, left] = ends(mesh.nodes.iter().map(|p| p.y));
        Ok(Self { mesh, parts, half_width: 0.5 * (left - right) })
    }

    /// Nodes on the hard palate.
    fn fixed_nodes(&self) -> Vec<u32> {
        (0..).zip(&self.parts).filter(|(_, part)| **part < FIXED).map(|(node, _)| node).collect()
    }

    /// Nodes at which the levators end, left and right.
    fn levator_ends(&self) -> [u32; 2] {
        let [part, aside] = LEVATOR;
        [1.0, -1.0].map(|side| {
            let far = |node: usize| {
                let length = (self.parts[node] - part) * 2.0 * self.half_width;
                let off = self.mesh.nodes[node].y - side * aside * self.half_width;
                length * length + off * off
            };
            let nodes = 0..self.mesh.nodes.len();
            nodes.min_by(|a, b| far(*a).total_cmp(&far(*b))).unwrap_or(0) as u32
        })
    }
}

/// Turn and unit into the frame of the model.
fn turn_of(path: &Path, nodes: &[Vec3]) -> Result<Mat3, ParamError> {
    let lateral = lateral_axis(nodes);
    if lateral == 2 {
        return Err(fault(path, "the palate has its sides along z; wanted z up"));
    }
    let [low, high] = ends(nodes.iter().map(|p| p[lateral]));
    let unit = unit_of_width("the palate", high - low, WIDTH).map_err(|it| fault(path, it))?;
    let (ahead, centre) = (1 - lateral, mean(nodes));
    // Higher where it is farther forward.
    let slope: f64 = nodes.iter().map(|p| (p - centre)[ahead] * (p - centre).z).sum();
    Ok(turn_from(along(ahead, slope), Vec3::z()) * unit)
}

/// Direction of the greatest extent in the midsagittal plane, rearward and down.
fn fall_of(nodes: &[Vec3], centre: Vec3) -> Vec3 {
    let (mut xx, mut xz, mut zz) = (0.0, 0.0, 0.0);
    for way in nodes.iter().map(|p| p - centre) {
        xx += way.x * way.x;
        xz += way.x * way.z;
        zz += way.z * way.z;
    }
    let angle = 0.5 * (2.0 * xz).atan2(xx - zz);
    let fall = Vec3::new(angle.cos(), 0.0, angle.sin());
    if fall.x > 0.0 { -fall } else { fall }
}

fn ends(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    numbers.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

/// The tissue with the face set `airway`, its upper and rear side.
fn add_tissue(
    model: &mut Model,
    palate: Palate,
    path: &Path,
) -> Result<Handle<FemModel>, ParamError> {
    let mut mesh = palate.mesh;
    let surface = boundary(&mesh);
    let rear = Vec3::new(-1.0, 0.0, 1.0).normalize();
    let mut faces: Vec<_> = Vec::new();
    for (triangle, face) in surface.mesh.triangles().iter().zip(&surface.face_of_triangle) {
        let [a, b, c] = triangle.map(|v| surface.mesh.vertices()[v as usize]);
        let normal = (b - a).cross(&(c - a));
        if normal.dot(&rear) > FACING * normal.norm() && faces.last() != Some(face) {
            faces.push(*face);
        }
    }
    if faces.is_empty() {
        return Err(fault(path, "no face of it looks rearward and up, to the airway"));
    }
    mesh.face_sets.insert("airway".into(), faces);
    let mut tissue =
        FemModel::new("palate", mesh, DENSITY, MaterialSpec::MooneyRivlin(PASSIVE_TISSUE));
    (tissue.mass_damping, tissue.stiffness_damping) = (MASS_DAMPING, STIFFNESS_DAMPING);
    let tissue = model.add(tissue);
    paint(model, tissue.id(), MUCOSA);
    Ok(tissue)
}
