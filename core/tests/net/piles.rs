//! Random piles of meshes: rigid ones of any shape and tissues that fall into a box. What holds after every step: numbers,
//! nothing through anything (told by exact contours of the surfaces, which contact does not use), no energy from nothing. A few
//! by default; `SINEW_PILES=n` asks for n of 200 steps, with the bones of the shared data where they are, `SINEW_PILE=seed` for
//! one again.

use std::path::PathBuf;

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::contact::ColliderShape;
use sinew::geometry::{
    Overlap, OverlapSurface, SurfaceMesh, boundary, cuboid_mesh, cylinder_mesh, icosphere_mesh,
};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{Collider, CollisionBehavior, FemModel, Model, RigidBody};
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, MechSystem, State};
use sinew_datasets::beam::{BeamElement, beam_mesh};
use sinew_datasets::random::Draws;
use sinew_mesh::VolumeMesh;
use sinew_mesh::io::{ReadOptions, read_surface};

/// Piles of every day, and their steps.
const PILES: u64 = 6;
const STEPS: usize = 40;
/// Steps of the piles that are asked for.
const MANY_STEPS: usize = 200;
/// Length of a step [s].
const STEP: f64 = 0.01;
/// Half the width of the box [m], and half the size of what falls.
const ROOM: f64 = 0.16;
const SIZE: f64 = 0.05;
/// Share of the smaller solid that two may have in common, of which one at least is rigid [-].
const COMMON: f64 = 0.05;
/// Energy that may be gained, over the largest kinetic energy and loss so far [-].
const GAIN: f64 = 0.02;

/// Surfaces whose largest extent from their middle is 1.
fn unit(surface: &SurfaceMesh) -> SurfaceMesh {
    let (low, high) =
        surface.vertices().iter().fold(
            (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)),
            |(low, high), p| (low.inf(p), high.sup(p)),
        );
    let (middle, half) = ((low + high) * 0.5, (high - low).norm() * 0.5);
    let vertices = surface.vertices().iter().map(|p| (p - middle) / half).collect();
    SurfaceMesh::new(vertices, surface.triangles().to_vec()).unwrap()
}

/// A cube without a corner octant: concave.
fn notched() -> SurfaceMesh {
    let mesh = beam_mesh(BeamElement::Hex, [2, 2, 2], [1.0, 1.0, 1.0]).unwrap();
    let mut kept = VolumeMesh::new(mesh.nodes.clone());
    for (kind, nodes) in mesh.elements().skip(1) {
        kept.push_element(kind, nodes).unwrap();
    }
    boundary(&kept).mesh
}

/// Bones of the shared data, where they are.
fn bones() -> Vec<SurfaceMesh> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let root =
        std::env::var_os("SINEW_SHARED").map_or(beside, PathBuf::from).join("datasets/bones");
    let files = ["head_neck/Hyoid.obj", "head_neck/Cricoid.obj", "limbs/ClavicleLeft.obj"];
    let read = |name: &&str| {
        let file = read_surface(&root.join(name), &ReadOptions::default()).ok()?;
        file.surface.mesh().ok().map(|mesh| unit(&mesh))
    };
    files.iter().filter_map(read).collect()
}

struct Pile {
    model: Model,
    rigid: Vec<Handle<RigidBody>>,
    soft: Vec<Handle<FemModel>>,
}

fn pile(draws: &mut Draws, shapes: &[SurfaceMesh]) -> Pile {
    let mut model = Model::new("pile");
    model.set_gravity(Vec3::new(0.0, 0.0, -9.81));
    add_box(&mut model);
    let (mut rigid, mut soft) = (Vec::new(), Vec::new());
    for k in 0..2 + draws.below(7) {
        let cell = [k % 2, k / 2 % 2, k / 4].map(|c| c as f64);
        let at = Vec3::new(0.16 * cell[0] - 0.08, 0.16 * cell[1] - 0.08, 0.08 + 0.14 * cell[2]);
        let pose = Pose::new(at, draws.vector(3.0));
        if draws.chance(0.3) {
            soft.push(add_tissue(&mut model, &format!("soft{k}"), pose, draws));
        } else {
            let (shape, size) = (draws.below(shapes.len()), SIZE * draws.between(0.7, 1.3));
            let vertices = shapes[shape].vertices().iter().map(|p| p * size).collect();
            let surface = SurfaceMesh::new(vertices, shapes[shape].triangles().to_vec()).unwrap();
            let mut body = RigidBody::from_mesh(format!("b{k}"), surface, 1000.0).at(pose);
            body.velocity = draws.vector(1.0);
            let body = model.add(body);
            model.add(Collider::on(body, ColliderShape::MESH).named(format!("b{k}")));
            rigid.push(body);
        }
    }
    model.add(CollisionBehavior::everything(draws.pick(&[0.0, 0.3, 0.8])));
    Pile { model, rigid, soft }
}

/// A floor and four walls.
fn add_box(model: &mut Model) {
    let quarter = std::f64::consts::FRAC_PI_2;
    let walls = [
        (Vec3::zeros(), Vec3::zeros()),
        (Vec3::x() * -ROOM, Vec3::y() * quarter),
        (Vec3::x() * ROOM, Vec3::y() * -quarter),
        (Vec3::y() * -ROOM, Vec3::x() * -quarter),
        (Vec3::y() * ROOM, Vec3::x() * quarter),
    ];
    for (k, (at, turn)) in walls.into_iter().enumerate() {
        model.add(Collider::half_space(Pose::new(at, turn)).named(format!("wall{k}")));
    }
}

fn add_tissue(model: &mut Model, name: &str, pose: Pose, draws: &mut Draws) -> Handle<FemModel> {
    let mut mesh = beam_mesh(BeamElement::Hex, [2, 2, 1], [0.08, 0.08, 0.04]).unwrap();
    for node in &mut mesh.nodes {
        *node = (pose * nalgebra::Point3::from(*node)).coords;
    }
    let law = Isotropic { youngs_modulus: draws.between(5e3, 1e5), poissons_ratio: 0.4 };
    let mut tissue = FemModel::new(name, mesh, 1000.0, MaterialSpec::Corotated(law)).named(name);
    (tissue.mass_damping, tissue.stiffness_damping) = (1.0, 0.01);
    model.add(tissue)
}

/// Surfaces of all that falls, where it is, with their volumes at rest.
struct Surfaces {
    list: Vec<OverlapSurface>,
    rest: Vec<SurfaceMesh>,
    volumes: Vec<Option<f64>>,
    overlap: Overlap,
}

impl Surfaces {
    fn new(pile: &Pile) -> Self {
        let rigid = pile.rigid.iter().map(|&body| pile.model[body].mesh.clone().unwrap());
        let soft = pile.soft.iter().map(|&fem| boundary(&pile.model[fem].mesh).mesh);
        let rest: Vec<SurfaceMesh> = rigid.chain(soft).collect();
        let list: Vec<OverlapSurface> = rest.iter().map(OverlapSurface::new).collect();
        let volume =
            |(k, it): (usize, &SurfaceMesh)| list[k].is_closed().then(|| it.signed_volume().abs());
        let volumes = rest.iter().enumerate().map(volume).collect();
        Self { list, rest, volumes, overlap: Overlap::default() }
    }

    fn place(&mut self, pile: &Pile, compiled: &CompiledModel, state: &State) {
        for (k, &body) in pile.rigid.iter().enumerate() {
            let (pose, ..) = compiled.body_motion(body, state).unwrap();
            let at = |p: &Vec3| (pose * nalgebra::Point3::from(*p)).coords;
            let vertices: Vec<Vec3> = self.rest[k].vertices().iter().map(at).collect();
            self.list[k].set_vertices(&vertices).unwrap();
        }
        for (k, &fem) in pile.soft.iter().enumerate() {
            let of_node = |&node: &u32| state.q[compiled.block_of_node(fem, node as usize)];
            let nodes = boundary(&pile.model[fem].mesh).node_of_vertex;
            let vertices: Vec<Vec3> = nodes.iter().map(of_node).collect();
            self.list[pile.rigid.len() + k].set_vertices(&vertices).unwrap();
        }
    }

    /// Says what is through something.
    fn check(&mut self, rigid: usize) -> Result<(), String> {
        for (k, it) in self.list.iter().enumerate() {
            let middle = it.vertices().iter().sum::<Vec3>() / it.vertices().len() as f64;
            if middle.z < 0.0 || middle.xy().amax() > ROOM {
                return Err(format!("{k} has left the box: {middle:?}"));
            }
        }
        for b in 0..self.list.len() {
            for a in 0..b {
                self.overlap.update(&self.list[a], &self.list[b]);
                if a >= rigid && !self.overlap.contours().is_empty() {
                    return Err(format!("tissues {a} and {b} pass through each other"));
                }
                let (Some(first), Some(second)) = (self.volumes[a], self.volumes[b]) else {
                    continue;
                };
                let common = self.overlap.solid().map_or(0.0, |solid| solid.volume);
                if common > COMMON * first.min(second) {
                    let share = common / first.min(second);
                    return Err(format!("{a} and {b} have {share:.3} of the smaller in common"));
                }
            }
        }
        Ok(())
    }
}

/// Steps a pile to its end.
fn run(seed: u64, steps: usize, shapes: &[SurfaceMesh]) -> Result<(), String> {
    let pile = pile(&mut Draws::from_seed(seed), shapes);
    let compiled = pile.model.compile().map_err(|error| format!("seed {seed}: {error}"))?;
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
    let mut state = compiled.initial_state();
    let mut surfaces = Surfaces::new(&pile);
    let start = compiled.energies(&state).total();
    let mut scale = 1e-6;
    for step in 0..steps {
        let failed = |error: String| format!("seed {seed}, step {step}: {error}");
        solver.step(&compiled, &mut state, STEP).map_err(|error| failed(error.to_string()))?;
        if !state.q.iter().chain(&state.u).flatten().all(|x| x.is_finite()) {
            return Err(failed("numbers that are none".into()));
        }
        surfaces.place(&pile, &compiled, &state);
        surfaces.check(pile.rigid.len()).map_err(failed)?;
        let energies = compiled.energies(&state);
        let change = energies.total() - start;
        scale = energies.kinetic.max(-change).max(scale);
        if change > GAIN * scale {
            return Err(failed(format!("energy gained: {change} J over {scale} J")));
        }
    }
    Ok(())
}

#[test]
fn nothing_passes_through_anything_in_random_piles() {
    let asked: Option<u64> =
        std::env::var("SINEW_PILES").ok().map(|n| n.parse().expect("a number"));
    let mut shapes: Vec<SurfaceMesh> = [
        cuboid_mesh(&Vec3::new(1.0, 0.8, 0.6)).unwrap(),
        icosphere_mesh(1.0, 1).unwrap(),
        cylinder_mesh(0.6, 1.2, 12).unwrap(),
        notched(),
    ]
    .iter()
    .map(unit)
    .collect();
    if let Ok(seed) = std::env::var("SINEW_PILE") {
        shapes.extend(bones());
        return run(seed.parse().expect("a seed"), MANY_STEPS, &shapes).unwrap();
    }
    let steps = if asked.is_some() { MANY_STEPS } else { STEPS };
    if asked.is_some() {
        shapes.extend(bones());
    }
    let all = 1..=asked.unwrap_or(PILES);
    let wrong: Vec<String> = all.filter_map(|seed| run(seed, steps, &shapes).err()).collect();
    assert!(wrong.is_empty(), "{} piles went wrong:\n{}", wrong.len(), wrong.join("\n"));
}
