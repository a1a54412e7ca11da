//! CON-fem-block-incline: soft blocks on slopes and on each other.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{Collider, CollisionBehavior, FemModel, Model};
use sinew::system::MechSystem;
use sinew_datasets::beam::{BeamElement, beam_mesh};

use crate::table::Row;
use crate::touching::{EULER, Scene, TRAPEZOIDAL, add_box, add_slope, model_under};

const G: f64 = 9.81;
/// Length of the steps [s].
const H: f64 = 4e-3;
/// Normal forces of the stack, from below [N].
const NORMALS: [f64; 3] = [29.43, 19.62, 9.81];
/// Shortening of the stack by its weight [m].
const SHORTENING: f64 = 0.00044144999999999997;
/// Mass [kg] and half the thickness [m] of the plates between soft cubes.
const PLATE: [f64; 2] = [0.01, 0.005];

/// A block of hexahedra of 1000 kg/m³ with E = 1e6 Pa, nu = 0.3, centred in a frame.
fn add_block(model: &mut Model, counts: [usize; 3], size: [f64; 3], at: Pose) -> Handle<FemModel> {
    let mut mesh = beam_mesh(BeamElement::Hex, counts, size).unwrap();
    mesh.nodes.iter_mut().for_each(|p| *p = at.rotation * *p + at.translation.vector);
    let law = Isotropic { youngs_modulus: 1e6, poissons_ratio: 0.3 };
    let mut block = FemModel::new("block", mesh, 1000.0, MaterialSpec::Corotated(law));
    block.stiffness_damping = 0.005;
    model.add(block)
}

/// Mean of the places of the nodes by their masses [m].
fn middle(scene: &Scene, fem: Handle<FemModel>, nodes: usize) -> Vec3 {
    let masses = scene.compiled.masses();
    let rows = (0..nodes).map(|k| scene.compiled.block_of_node(fem, k));
    let (mut sum, mut mass) = (Vec3::zeros(), 0.0);
    for row in rows {
        sum += scene.state.q[row] * masses[row];
        mass += masses[row];
    }
    sum / mass
}

/// Distances of the middle of a block down a slope after 1 s and 2 s [m].
fn slide(degrees: f64, friction: f64) -> [f64; 2] {
    let mut model = model_under(G);
    let slope = add_slope(&mut model, degrees.to_radians());
    let at = slope * Pose::translation(0.0, 0.0, 0.05);
    let block = add_block(&mut model, [2, 2, 1], [0.2, 0.2, 0.1], at);
    model.add(CollisionBehavior::everything(friction));
    let nodes = model[block].mesh.nodes.len();
    let mut scene = Scene::new(&model, TRAPEZOIDAL);
    let (start, down) = (middle(&scene, block, nodes), slope.rotation * Vec3::x());
    [(); 2].map(|()| {
        scene.steps(H, 250);
        (middle(&scene, block, nodes) - start).dot(&down)
    })
}

fn slopes() -> Vec<Row> {
    let sliding = |degrees: f64, friction: f64, allowed: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let [_, distance] = slide(degrees, friction);
        let expected = G * (sin - friction * cos);
        let case = format!("CON-fem-block-incline, {degrees} degrees, mu = {friction}, 4 ms");
        // x = a t² / 2 at 2 s.
        Row::new(case, "mean acceleration in 2 s [m/s²]", (expected, 0.5 * distance), allowed)
    };
    let [one, two] = slide(30.0, 0.6);
    let stick = "CON-fem-block-incline, 30 degrees, mu = 0.6, 4 ms";
    vec![
        sliding(30.0, 0.3, 2e-2),
        sliding(15.0, 0.2, 1e-2),
        Row::of_error(stick, "drift from 1 s to 2 s [m/s]", (two - one).abs(), 1e-3),
    ]
}

/// The three cubes from below, the plates on the first two, and the behaviour of each lower face.
struct Stack {
    model: Model,
    cubes: [Handle<FemModel>; 3],
    faces: Vec<Handle<CollisionBehavior>>,
}

fn stack() -> Stack {
    let mut model = model_under(G);
    let mut below = model.add(Collider::half_space(Pose::identity()).named("ground")).id();
    let (mut faces, pitch) = (Vec::new(), 0.1 + 2.0 * PLATE[1]);
    let cubes = [0.0, 1.0, 2.0].map(|k| {
        let at = Pose::translation(0.0, 0.0, 0.05 + pitch * k);
        let cube = add_block(&mut model, [2; 3], [0.1; 3], at);
        faces.push(model.add(CollisionBehavior::new(below, cube, 0.0)));
        if k < 2.0 {
            let at = Pose::translation(0.0, 0.0, 0.1 + PLATE[1] + pitch * k);
            let half = Vec3::new(0.06, 0.06, PLATE[1]);
            let plate = add_box(&mut model, "plate", PLATE[0], half, at);
            model.add(CollisionBehavior::new(cube, plate, 0.0));
            below = plate.id();
        }
        cube
    });
    Stack { model, cubes, faces }
}

/// Height of a cube: mean of its upper nodes over that of its lower ones [m].
fn height(scene: &Scene, model: &Model, cube: Handle<FemModel>) -> f64 {
    let nodes = &model[cube].mesh.nodes;
    let low = nodes.iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
    let mean = |z: f64| {
        let on: Vec<usize> = (0..nodes.len()).filter(|&k| (nodes[k].z - z).abs() < 1e-9).collect();
        let place = |k: &usize| scene.state.q[scene.compiled.block_of_node(cube, *k)].z;
        on.iter().map(place).sum::<f64>() / on.len() as f64
    };
    mean(low + 0.1) - mean(low)
}

fn stacked() -> [Row; 2] {
    let Stack { model, cubes, faces } = stack();
    let mut scene = Scene::new(&model, EULER);
    scene.steps(5e-3, 300);
    let forces: Vec<f64> = faces.iter().map(|&face| scene.force_of(face).z.abs()).collect();
    // The plates above a face weigh on it too.
    let plates = |k: usize| PLATE[0] * G * (2 - k) as f64;
    let error = (0..3).map(|k| ((forces[k] - plates(k)) / NORMALS[k] - 1.0).abs());
    let shorter: f64 = cubes.iter().map(|&cube| 0.1 - height(&scene, &model, cube)).sum();
    // They shorten the cubes below them, by weight times length over E A.
    let by_plates = (plates(0) + plates(1)) * 0.1 / (1e6 * 0.01);
    let case = "CON-fem-block-incline, three soft cubes, 5 ms";
    [
        Row::new(
            case,
            "lowest normal force without plates [N]; error: of all",
            (NORMALS[0], forces[0] - plates(0)),
            5e-3,
        )
        .with_error(error.fold(0.0, f64::max)),
        Row::new(case, "shortening [m]", (SHORTENING, shorter - by_plates), 5e-2),
    ]
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows = slopes();
    rows.extend(stacked());
    rows
}
