//! Cases of tissue with what acts on its border: springs and muscles along lines, what they remember, particles, points that
//! follow elements, membranes and shells, pressures on surfaces, forces by code, constraints of nodes.

use super::case::{Case, fixed, law, model_of, tissue};
use super::meshes::{CELL, block, nodes_where};
use crate::Vec3;
use crate::axial::active::Thelen2003;
use crate::axial::passive::MaxwellElement;
use crate::axial::{ActivationModel, AxialLaw};
use crate::component::Handle;
use crate::constraint::{Compliance, PointConstraint, Pose};
use crate::dynamics::SpatialInertia;
use crate::fem::{ElementFace, ElementKind, Incompressible};
use crate::material::MaterialSpec;
use crate::model::{
    Anchor, Attachment, AxialSpring, Bending, CustomForce, FemModel, FrameMarker, FrameSite,
    Inertia, LinearAxial, Master, Model, MultiPointSpring, MuscleBundle, MuscleExciter, Particle,
    PointConstrainer, PointLoad, PointRef, RigidBody, Schedule, Shell, SurfaceLoad,
};
use crate::solve::Integrator;

/// Cells of a block.
const CELLS: [usize; 3] = [3, 2, 1];
/// Steps of a case [s].
const STEPS: [f64; 10] = [0.01; 10];

/// A beam of three cells, fixed at its root, and its tissue.
fn beam(kind: ElementKind) -> (Model, Handle<FemModel>) {
    let model = model_of([fixed(tissue("beam", block(kind, CELLS), law("neohook")))]);
    let tissue = model.nth(0);
    (model, tissue)
}

fn case_of(model: Model) -> Case {
    Case { steps: STEPS.to_vec(), ..Case::new(model) }
}

/// The node of a beam that is nearest to a place, in cells.
fn node(model: &Model, at: [f64; 3]) -> PointRef {
    let nodes = model.fem(0).mesh.nodes.iter().enumerate();
    let far = |p: &Vec3| (p - Vec3::from(at) * CELL).norm();
    let nearest = nodes.min_by(|a, b| far(a.1).total_cmp(&far(b.1)));
    PointRef::FemNode(model.nth(0), nearest.expect("a beam has nodes").0 as u32)
}

fn spring(ends: [PointRef; 2], damping: f64) -> AxialSpring {
    AxialSpring::new(ends, LinearAxial { stiffness: 800.0, damping, rest_length: 0.12 })
}

/// Springs from the end of a beam to a wall and to a ball that hangs there, and one along several points.
fn add_springs(model: &mut Model, damping: f64) {
    let [end, side, top] =
        [[3.0, 0.0, 0.0], [3.0, 2.0, 0.0], [2.0, 1.0, 1.0]].map(|at| node(model, at));
    let wall = model.add(Particle::new(1.0, Vec3::new(0.35, -0.1, 0.2)).fixed());
    let ball = model.add(Particle::new(0.7, Vec3::new(0.33, 0.22, -0.15)));
    model.add(spring([end, wall.into()], damping));
    model.add(spring([side, ball.into()], 0.5 * damping));
    let law = spring([end, side], damping).material;
    let line = MultiPointSpring::new(vec![wall.into(), top, side, ball.into()], law);
    model.add(MultiPointSpring { rest_length: 0.4, ..line });
}

/// A muscle with a tendon that an exciter drives, and an element of a spring and a dashpot.
fn add_muscles(model: &mut Model) {
    let [root, tip, side] =
        [[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [2.0, 2.0, 0.0]].map(|at| node(model, at));
    let muscle = Thelen2003 {
        max_isometric_force: 40.0,
        activation: ActivationModel::FirstOrder,
        fibre_damping: 0.1,
        ..Thelen2003::default()
    };
    let muscle = model.add(AxialSpring::with_law([root, tip], AxialLaw::Thelen2003(muscle)));
    let mut exciter = MuscleExciter::new("will", [muscle]);
    (exciter.excitation, exciter.schedule) =
        (0.8, Schedule::Table(vec![[0.0, 0.1], [0.04, 1.0], [0.08, 0.2]]));
    model.add(exciter);
    let element = MaxwellElement { stiffness: 900.0, damping: 20.0 };
    let element = AxialSpring::with_law([side, tip], AxialLaw::Maxwell(element));
    model.add(AxialSpring { rest_length: 0.2, ..element });
}

/// Springs alone.
pub(super) fn springs(kind: ElementKind, damping: f64) -> Case {
    let (mut model, _) = beam(kind);
    add_springs(&mut model, damping);
    case_of(model)
}

/// The same under another rule, with steps of these lengths [s].
pub(super) fn stepped(damping: f64, integrator: Integrator, steps: Vec<f64>) -> Case {
    let mut case = springs(ElementKind::Hex8, damping);
    if integrator.is_explicit() {
        // Damping by stiffness would make the stable step smaller.
        case.model.fem_mut(0).stiffness_damping = 0.0;
    }
    case.stepped(integrator, steps)
}

/// Muscles and springs that remember, over steps of other lengths.
pub(super) fn muscles(kind: ElementKind) -> Case {
    let (mut model, _) = beam(kind);
    add_springs(&mut model, 4.0);
    add_muscles(&mut model);
    Case { steps: [0.01, 0.004, 0.015].repeat(3), ..case_of(model) }
}

/// Springs between points that follow elements, one of them by another, with mass and drag; and a load on one.
pub(super) fn attached() -> Case {
    let (mut model, tissue) = beam(ElementKind::Hex8);
    let at = [[0.26, 0.13, 0.04], [0.14, 0.06, 0.07], [0.28, 0.15, 0.12]];
    let [first, second, third] =
        at.map(|at| model.add(Particle::new(0.4, Vec3::from(at)))).map(PointRef::from);
    let PointRef::Particle(leader) = first else { unreachable!("it is a particle") };
    model.add(Attachment::new(vec![first, second], Master::Tissue(tissue)));
    model.add(Attachment::new(vec![third], Master::Particle(leader)));
    model[leader].point_damping = Some(3.0);
    let wall = model.add(Particle::new(1.0, Vec3::new(0.2, 0.3, 0.3)).fixed());
    model.add(spring([third, wall.into()], 2.0));
    model.add(spring([first, second], 2.0));
    model.add(PointLoad::new(second, Vec3::new(5.0, -20.0, 0.0)));
    case_of(model)
}

/// A beam that another one is attached to, with a muscle in it and a spring to where it ends, and nodes of which follow a particle.
pub(super) fn tied() -> Case {
    let first = fixed(tissue("first", block(ElementKind::Hex8, CELLS), law("neohook")));
    let mut mesh = block(ElementKind::Hex8, [2, 1, 1]);
    mesh.nodes.iter_mut().for_each(|p| *p += Vec3::new(2.9, 0.2, 0.1) * CELL);
    let mut second = tissue("second", mesh, law("mr"));
    second.incompressible = Incompressible::Element;
    let mut model = model_of([first, second]);
    let [first, second] = [0, 1].map(|k| model.nth::<FemModel>(k));
    let points_where = |model: &Model, holds: &dyn Fn(&Vec3) -> bool| {
        let nodes = nodes_where(&model[second].mesh, holds);
        nodes.into_iter().map(|node| PointRef::FemNode(second, node)).collect::<Vec<_>>()
    };
    let root = points_where(&model, &|p| p.x < 3.2 * CELL);
    let end = points_where(&model, &|p| p.x > 4.6 * CELL && p.z < 0.5 * CELL);
    let wall = model.add(Particle::new(1.0, Vec3::new(0.6, 0.1, 0.3)).fixed());
    model.add(spring([end[0], wall.into()], 2.0));
    let ball = model.add(Particle::new(0.3, Vec3::new(0.5, 0.1, -0.05)));
    model.add(Attachment::new(root, Master::Tissue(first)));
    model.add(Attachment::new(end[1..].to_vec(), Master::Particle(ball)));
    let pulls = law_of_muscle();
    model.add(MuscleBundle { excitation: 0.6, ..MuscleBundle::new(second, pulls) });
    case_of(model)
}

fn law_of_muscle() -> MaterialSpec {
    let mut law = MaterialSpec::from_name("simple_muscle").expect("a law of the list");
    law.put("max_stress", crate::material::Value::Number(2e4));
    law
}

/// A beam whose root is attached to a bone that stands still, with a spring to a marker of that.
pub(super) fn on_a_bone() -> Case {
    let mut model = model_of([tissue("beam", block(ElementKind::Hex8, CELLS), law("neohook"))]);
    let inertia = SpatialInertia::of_box(1.0, &Vec3::repeat(0.1)).expect("a box");
    let bone = RigidBody::new("bone", Inertia::Explicit(inertia));
    let turned = Pose::new(Vec3::new(-0.1, 0.0, 0.1), Vec3::new(0.3, 0.2, -0.1));
    let bone = model.add(RigidBody { dynamic: false, pose: turned, ..bone });
    let root = nodes_where(&model.fem(0).mesh, |p| p.x < 0.3 * CELL);
    let root = root.into_iter().map(|node| PointRef::FemNode(model.nth(0), node)).collect();
    model.add(Attachment::new(root, Master::Body(bone)));
    let marker = model.add(FrameMarker::new(bone, Vec3::new(0.05, 0.1, 0.2)));
    let tip = node(&model, [3.0, 1.0, 1.0]);
    model.add(AxialSpring { rest_length: 0.25, ..spring([tip, marker.into()], 2.0) });
    case_of(model)
}

/// The faces of a beam of which all nodes are at a place.
fn faces(fem: &FemModel, holds: impl Fn(&Vec3) -> bool) -> Vec<ElementFace> {
    let there = nodes_where(&fem.mesh, holds);
    let of = |element: u32| {
        let (kind, nodes) = fem.mesh.element(element as usize);
        let covered = |face: &[u8]| face.iter().all(|&k| there.contains(&nodes[usize::from(k)]));
        let faces = (0u8..).zip(kind.faces()).filter(move |(_, face)| covered(face));
        faces.map(move |(face, _)| ElementFace { element, face }).collect::<Vec<_>>()
    };
    (0..fem.mesh.element_count() as u32).flat_map(of).collect()
}

/// A shell or a membrane on the top of a beam, and pressures on its end and within the shell.
pub(super) fn covered(bending: Bending) -> Case {
    let (mut model, tissue) = beam(ElementKind::Hex8);
    let fem = model.fem_mut(0);
    // Faces are bent by the distortion, 5 mm at most.
    for (name, axis, place) in [("top", 2, 1.0), ("end", 0, 3.0)] {
        let found = faces(fem, |p| p[axis] > (place - 0.3) * CELL);
        assert!(!found.is_empty(), "a beam has a {name}");
        fem.mesh.face_sets.insert(name.to_owned(), found);
    }
    let rising = Schedule::Table(vec![[0.0, 0.0], [0.05, 1.0], [0.1, 0.5]]);
    let skin: MaterialSpec = law("neohook");
    let shell = Shell::on_surface(tissue, "top", skin);
    let shell = Shell { bending, thickness: "0.004".to_owned(), pressure: 300.0, ..shell };
    model.add(Shell { schedule: rising.clone(), ..shell });
    let load = SurfaceLoad::pressure(tissue, "end", 2e3);
    model.add(SurfaceLoad { schedule: rising, traction: Vec3::new(0.0, 400.0, 0.0), ..load });
    case_of(model)
}

/// A node on a plane that it is not on at the start, one near a line, and one that a ball hangs on.
pub(super) fn pinned() -> Case {
    let (mut model, _) = beam(ElementKind::Hex8);
    let points = [[3.0, 0.0, 0.0], [3.0, 2.0, 0.0], [2.0, 1.0, 1.0]].map(|at| node(&model, at));
    let [end, side, top] = points;
    let places = points.map(|point| match point {
        PointRef::FemNode(_, node) => model.fem(0).mesh.nodes[node as usize],
        _ => unreachable!("they are nodes"),
    });
    let frame = |at: Vec3, turn: Vec3| Anchor::Frame(FrameSite::ground(Pose::new(at, turn)));
    let plane = frame(places[0] + Vec3::z() * 0.002, Vec3::new(0.3, 0.2, 0.0));
    model.add(PointConstrainer::new(PointConstraint::OnPlane, end, plane));
    let line = frame(places[1], Vec3::new(0.0, 0.7, 0.1));
    let line = PointConstrainer::new(PointConstraint::OnLine, side, line);
    let compliance = Compliance { compliance: 2e-4, damping: 1.0 };
    model.add(PointConstrainer { compliance, ..line });
    let ball = model.add(Particle::new(0.7, places[2]));
    let ball = Anchor::Point(ball.into());
    model.add(PointConstrainer::new(PointConstraint::AtPoint, top, ball));
    case_of(model)
}

/// A force by code on three nodes, beside a spring.
pub(super) fn coded() -> Case {
    let (mut model, _) = beam(ElementKind::Tet4);
    let points = [[3.0, 0.0, 0.0], [3.0, 2.0, 1.0], [2.0, 1.0, 1.0]].map(|at| node(&model, at));
    model.add(spring([points[0], points[1]], 1.0));
    let swirl = |motion: crate::force::PointMotion<'_>, forces: &mut [Vec3]| {
        for (k, force) in forces.iter_mut().enumerate() {
            let wind = Vec3::new((20.0 * motion.time).sin(), 1.0, k as f64);
            *force += 10.0 * wind - 3.0 * motion.velocities[k];
        }
    };
    model.add(CustomForce::new(points.to_vec(), swirl));
    case_of(model)
}
