//! The published face, for those who have its files: the mesh of nodes and elements, bones, attachments and muscles of ArtiSynth Models
//! (key Nazari2010), with the laws, the tasks and the contacts of the generated one.

use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::fem::VolumeMesh;
use sinew::io::{LengthUnit, ReadOptions, element_volume, read_volume};
use sinew::material::MaterialSpec;
use sinew::model::{Attachment, CollisionBehavior, FemModel, Master, Model, PointRef, RigidBody};
use sinew::{Mat3, Vec3};
use std::path::Path;

use super::fibre_lines::{FibreLines, NodeList, read_numbers};
use super::{DENSITY, FaceParams, MASS_DAMPING, STIFFNESS_DAMPING, SUPERFICIAL, TOLERANCE, Task};
use crate::ParamError;
use crate::fibres::{Fibres, add_muscle};
use crate::published::{
    Folder, along, fault, lateral_axis, mean, middle, read_surface, turn_from, unit_of_width,
};
use crate::skeleton::{dress, dress_as_skin};

/// Names of the mesh without their endings, the one of the published studies first.
const MESHES: [&str; 6] = [
    "badinface_oop_csa_midsagittal",
    "badinface_adjusted",
    "badinface",
    "face_jawconformed",
    "face_skullconformed",
    "newface",
];
/// Names of the points of muscle fibres, and of their order.
const POINTS: &[&str] = &[
    "face_muscles_ch_with_lls.node",
    "face_muscles_flynn_with_lls.node",
    "face_muscles_flynn.node",
    "face_muscles_yohan.node",
    "face_muscles_original.node",
];
const ORDER: &[&str] = &["face_muscles_topology_flynn.mac", "face_muscles_topology.mac"];
/// Names of bones, and of the lists of nodes that go with each: places in the mesh from 0 for the jaw, numbers for the skull.
const JAW: &[&str] = &["badinjaw.obj", "ubcjaw.obj", "mandible.obj", "jaw.obj"];
const MAXILLA: &[&str] = &["badinmaxilla.obj", "ubcmaxilla.obj", "maxilla.obj"];
const ON_JAW: &[&str] = &["face_jaw_attachments.txt"];
const ON_SKULL: [&[&str]; 3] =
    [&["edge_nodes.nodenum"], &["nose_nodes_to_fix.txt"], &["zygomatic_ligament_attachments.txt"]];
/// Plausible width of a face [m].
const WIDTH: [f64; 2] = [0.08, 0.35];
/// Largest distance of the middle of an element from a fibre of its muscle [m].
const REACH: f64 = 6e-3;
/// Greatest stress of a muscle along its fibres [Pa].
const STRESS: f64 = 1e5;
/// Part of the depth of a face behind which nodes are fixed where no list says which [-].
const EDGE: f64 = 0.1;
/// Density of bones that do not move [kg/m³]; nothing depends on it.
const BONE_DENSITY: f64 = 1900.0;

/// Published short names of muscles, and those of the tasks.
const MUSCLES: [(&str, &str); 11] = [
    ("DAO", "depressor_anguli_oris"),
    ("BUC", "buccinator"),
    ("DLI", "depressor_labii_inferioris"),
    ("MENT", "mentalis"),
    ("OOM", "orbicularis_oris_marginalis"),
    ("OOP", "orbicularis_oris"),
    ("LLSAN", "levator_labii_alaeque_nasi"),
    ("LAO", "levator_anguli_oris"),
    ("RIS", "risorius"),
    ("ZYG", "zygomaticus_major"),
    ("LLS", "levator_labii"),
];

/// From the axes and the unit of the files into the frame of the model.
struct Placement(Mat3);

impl Placement {
    /// Up is z, as in all published faces; the nose and the lips are in front.
    fn of(path: &Path, nodes: &[Vec3]) -> Result<Self, ParamError> {
        let lateral = lateral_axis(nodes);
        if lateral == 2 {
            return Err(fault(path, "the face has its sides along z; wanted z up"));
        }
        let centre = middle(nodes);
        let half = nodes.iter().map(|p| (p - centre)[lateral].abs()).fold(0.0, f64::max);
        let midst: Vec<Vec3> =
            nodes.iter().filter(|p| (*p - centre)[lateral].abs() < 0.15 * half).copied().collect();
        let ahead = 1 - lateral;
        let forward = along(ahead, (mean(&midst) - mean(nodes))[ahead]);
        let unit = unit_of_width("the face", 2.0 * half, WIDTH).map_err(|it| fault(path, it))?;
        Ok(Self(turn_from(forward, Vec3::z()) * unit))
    }

    fn point(&self, p: &Vec3) -> Vec3 {
        self.0 * p
    }
}

/// The face from a folder.
///
/// # Errors
/// Files that are missing, or hold no face.
pub(super) fn face_from_data(params: &FaceParams, folder: &str) -> Result<Model, ParamError> {
    let folder = Folder::open(folder)?;
    let [nodes, elements] = mesh_files(&folder)?;
    let [points, order] = folder.need([POINTS, ORDER])?;
    let list = NodeList::read(nodes)?;
    let read = read_volume(elements, &ReadOptions { unit: LengthUnit::Metre });
    let mut mesh = read.map_err(|error| fault(elements, error))?.mesh;
    let placement = Placement::of(nodes, &mesh.nodes)?;
    let places = list.places_in(&mesh.nodes);
    let lines = FibreLines::read(points, order)?.moved(|p| placement.point(p));
    mesh.nodes.iter_mut().for_each(|p| *p = placement.point(p));
    let fixed = fixed_nodes(&folder, &list, &places, &mesh)?;
    let mut model = Model::new("face");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    let bones = [("maxilla", MAXILLA), ("mandible", JAW)];
    let bodies =
        bones.map(|(name, names)| add_bone(&mut model, (name, names), (&folder, &placement)));
    let centres = centres_of(&mesh);
    let face = model.add(tissue(mesh));
    dress_as_skin(&mut model, face.id());
    for (body, nodes) in bodies.into_iter().zip(fixed) {
        let body = body?;
        let points = nodes.into_iter().map(|node| PointRef::FemNode(face, node)).collect();
        let name = format!("face_{}", model[body].name);
        model.add(Attachment::new(points, Master::Body(body)).named(name));
    }
    add_muscles(&mut model, face, (&lines, &centres), params.task);
    model.add(CollisionBehavior {
        tolerance: Some(TOLERANCE),
        name: "lips".into(),
        ..CollisionBehavior::new(face, face, 0.0)
    });
    Ok(model)
}

/// Nodes and elements of the first mesh of which both are there.
fn mesh_files(folder: &Folder) -> Result<[&Path; 2], ParamError> {
    let pair = |stem: &str| {
        let file = |ending: &str| folder.find(&[format!("{stem}{ending}").as_str()]);
        Some([file(".node")?, file(".elem")?])
    };
    let named = MESHES.iter().find_map(|stem| pair(stem));
    named.ok_or_else(|| {
        let wanted = MESHES.map(|stem| format!("{stem}.node with {stem}.elem")).join(" or ");
        folder.lacks(&[wanted, POINTS.join(" or "), ORDER.join(" or ")])
    })
}

fn tissue(mesh: VolumeMesh) -> FemModel {
    let mut face = FemModel::new("face", mesh, DENSITY, MaterialSpec::MooneyRivlin(SUPERFICIAL));
    face.mass_damping = MASS_DAMPING;
    face.stiffness_damping = STIFFNESS_DAMPING;
    face
}

/// A bone that stays where it is; a point without a surface where there is no file.
fn add_bone(
    model: &mut Model,
    (name, names): (&str, &[&str]),
    (folder, placement): (&Folder, &Placement),
) -> Result<Handle<RigidBody>, ParamError> {
    let cube = sinew::dynamics::SpatialInertia::of_box(1.0, &Vec3::repeat(0.1))?;
    let mut body = RigidBody::new(name, sinew::model::Inertia::Explicit(cube));
    if let Some(path) = folder.find(names) {
        let surface = read_surface(path)?.transformed(&placement.0, &Vec3::zeros())?;
        if surface.solid_integrals().is_ok() {
            body.inertia = sinew::model::Inertia::Density(BONE_DENSITY);
        }
        body.mesh = Some(surface);
    }
    let body = model.add(body.at(Pose::identity()).fixed());
    dress(model, body.id(), false);
    Ok(body)
}

/// Nodes that go with the skull and with the jaw, each with one of both.
fn fixed_nodes(
    folder: &Folder,
    list: &NodeList,
    places: &[Option<u32>],
    mesh: &VolumeMesh,
) -> Result<[Vec<u32>; 2], ParamError> {
    let mut on_jaw = Vec::new();
    if let Some(path) = folder.find(ON_JAW) {
        let indices = read_numbers(path)?;
        on_jaw = indices.iter().filter_map(|&k| *places.get(k as usize)?).collect();
    }
    let mut on_skull = Vec::new();
    for path in ON_SKULL.iter().filter_map(|names| folder.find(names)) {
        let rows = read_numbers(path)?.into_iter().filter_map(|number| list.row(number));
        on_skull.extend(rows.filter_map(|row| places[row]));
    }
    if on_skull.is_empty() {
        on_skull = rear_nodes(mesh);
    }
    on_jaw.sort_unstable();
    on_jaw.dedup();
    on_skull.retain(|node| on_jaw.binary_search(node).is_err());
    on_skull.sort_unstable();
    on_skull.dedup();
    Ok([on_skull, on_jaw])
}

/// Nodes at the rear edge of a face.
fn rear_nodes(mesh: &VolumeMesh) -> Vec<u32> {
    let [low, high] = mesh.bounding_box().unwrap_or_default();
    let edge = low.x + EDGE * (high.x - low.x);
    (0..).zip(&mesh.nodes).filter(|(_, p)| p.x < edge).map(|(node, _)| node).collect()
}

/// Middle and volume of each element [m, m³].
fn centres_of(mesh: &VolumeMesh) -> Vec<(Vec3, f64)> {
    let of = |element: usize| {
        let (_, nodes) = mesh.element(element);
        let corners: Vec<Vec3> = nodes.iter().map(|&n| mesh.nodes[n as usize]).collect();
        (mean(&corners), element_volume(mesh, element).abs())
    };
    (0..mesh.element_count()).map(of).collect()
}

/// Adds a bundle a side of each muscle, of the elements near its fibres, with an exciter of both under its name in words.
fn add_muscles(
    model: &mut Model,
    face: Handle<FemModel>,
    (lines, centres): (&FibreLines, &[(Vec3, f64)]),
    task: Task,
) {
    for (code, name) in MUSCLES {
        let sides = [("left", 1.0), ("right", -1.0)].map(|(word, sign)| {
            let (fibres, length) = near(lines.of(code), centres, sign);
            (format!("{word}_{name}"), fibres, length)
        });
        let bundles: Vec<_> = sides
            .into_iter()
            .filter(|(_, fibres, _)| !fibres.elements.is_empty())
            .map(|(name, fibres, length)| {
                let force = STRESS * fibres.volume / length;
                (name, fibres.bundle(face, [force, length], super::muscles::STIFFENING))
            })
            .collect();
        if !bundles.is_empty() {
            add_muscle(model, name, bundles, task.drive(name));
        }
    }
}

/// Elements near the fibres of a muscle on a side, 1 for left, and the mean length of the fibres [m]; files have the left ones.
fn near(fibres: &[Vec<Vec3>], centres: &[(Vec3, f64)], side: f64) -> (Fibres, f64) {
    let on_side = |p: &Vec3| Vec3::new(p.x, side * p.y.abs(), p.z);
    let steps: Vec<[Vec3; 2]> = fibres
        .iter()
        .flat_map(|line| line.windows(2).map(|ends| [on_side(&ends[0]), on_side(&ends[1])]))
        .filter(|[a, b]| (b - a).norm() > 1e-9)
        .collect();
    let length =
        steps.iter().map(|[a, b]| (b - a).norm()).sum::<f64>() / fibres.len().max(1) as f64;
    let mut found = Fibres::default();
    for (element, (centre, volume)) in (0..).zip(centres) {
        let far = |[a, b]: &[Vec3; 2]| {
            let way = b - a;
            let t = ((centre - a).dot(&way) / way.norm_squared()).clamp(0.0, 1.0);
            (centre - a - way * t).norm()
        };
        let nearest = steps.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
        let Some([a, b]) = nearest.filter(|step| far(step) < REACH) else { continue };
        found.elements.push(element);
        found.directions.push((b - a).normalize());
        found.volume += volume;
    }
    (found, length)
}
