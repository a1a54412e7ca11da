//! One small model for each kind of component.

use sinew::Vec3;
use sinew::axial::active::{ConstantMuscle, Millard2012, Thelen2003};
use sinew::axial::passive::MaxwellElement;
use sinew::axial::{ActivationDynamics, ActivationModel, AxialLaw};
use sinew::constraint::{JointKind, Pose};
use sinew::dynamics::SpatialInertia;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::material::{Isotropic, MaterialSpec, MooneyRivlinConstants, PronySeries, PronyStress};
use sinew::model::{
    AxialSpring, Dirichlet, FemModel, FrameMarker, FrameSite, Inertia, Joint, LinearAxial, Model,
    Particle, PointRef, RigidBody,
};

/// A model, how long it moves [s], and the number of steps from which on the rules show their orders.
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) model: fn() -> Model,
    pub(crate) end: f64,
    pub(crate) steps: u32,
}

const fn scene(name: &'static str, model: fn() -> Model, (end, steps): (f64, u32)) -> Scene {
    Scene { name, model, end, steps }
}

pub(crate) const SCENES: &[Scene] = &[
    scene("free body", tumbling, (2.0, 320)),
    scene("two hinged bodies", || links(&[0.0]), (0.3, 80)),
    scene("two bodies on pairs of hinges", || links(&[-0.03, 0.03]), (0.3, 80)),
    scene("damped spring on a fixed point", damper, (0.5, 160)),
    scene("damped spring on a turning body", prescribed, (0.5, 320)),
    scene("tissue, linear", || tissue(0), (0.05, 80)),
    scene("tissue, corotated", || tissue(1), (0.05, 80)),
    scene("tissue, St. Venant-Kirchhoff", || tissue(2), (0.05, 240)),
    scene("tissue, neo-Hookean", || tissue(3), (0.05, 80)),
    scene("tissue, Mooney-Rivlin", || tissue(4), (0.05, 80)),
    scene("neo-Hookean tissue, stiffness damping", damped_tissue, (0.05, 80)),
    scene("viscoelastic tissue, corotated", || relaxing(1, PronyStress::Cauchy), (0.05, 80)),
    scene("viscoelastic tissue, neo-Hookean", || relaxing(3, RELAXING), (0.05, 80)),
    scene(
        "viscoelastic tissue, neo-Hookean, Cauchy's stress",
        || relaxing(3, PronyStress::Cauchy),
        (0.05, 80),
    ),
    scene("Maxwell element", || muscle(0, false), (0.2, 80)),
    scene("Thelen's muscle", || muscle(1, false), (0.2, 160)),
    scene("Thelen's muscle on a body", || muscle(1, true), (0.2, 160)),
    scene("Millard's muscle", || muscle(2, false), (0.2, 160)),
    scene("muscle with activation dynamics", || muscle(3, false), (0.2, 160)),
];

fn named(name: &str) -> Model {
    let mut model = Model::new(name);
    model.set_gravity(Vec3::zeros());
    model
}

fn body(mass: f64, moments: [f64; 3]) -> RigidBody {
    let inertia =
        SpatialInertia::new(mass, Vec3::zeros(), sinew::Mat3::from_diagonal(&moments.into()));
    RigidBody::new("body", Inertia::Explicit(inertia.unwrap()))
}

/// More than half a revolution, about no axis of inertia.
pub(crate) fn tumbling() -> Model {
    let mut model = named("tumbling");
    model.add(RigidBody {
        angular_velocity: Vec3::new(1.0, 2.0, 3.0),
        ..body(1.0, [1.0, 2.0, 3.0])
    });
    model
}

/// Two links on axes along y with a hinge at each of these places along them [m]: with two half of the rows, five of each, depend
/// on the others.
fn links(along: &[f64]) -> Model {
    let mut model = Model::new("links");
    let link = || body(0.5, [0.001, 0.004, 0.004]);
    let first = model.add(link().at(Pose::translation(0.1, 0.0, 0.0)));
    let second = model.add(link().at(Pose::translation(0.3, 0.0, 0.0)));
    for &y in along {
        let about_y =
            |x: f64| Pose::new(Vec3::new(x, y, 0.0), Vec3::x() * -std::f64::consts::FRAC_PI_2);
        let near = |at| FrameSite::on(at, about_y(-0.1));
        model.add(Joint::new(JointKind::Hinge, near(first), FrameSite::ground(about_y(0.0))));
        model.add(Joint::new(JointKind::Hinge, near(second), FrameSite::on(first, about_y(0.1))));
    }
    model
}

fn damper() -> Model {
    let mut model = named("damper");
    let fixed = model.add(Particle::new(1.0, -Vec3::x()).fixed());
    let free = model.add(Particle::new(1.0, Vec3::zeros()).velocity(Vec3::x()));
    let spring = LinearAxial { rest_length: 1.0, stiffness: 100.0, damping: 2.0 };
    model.add(AxialSpring::new([fixed, free], spring));
    model
}

/// A particle on a damped spring from a point of a body that turns at an even rate.
fn prescribed() -> Model {
    let mut model = named("led");
    let turning =
        RigidBody { angular_velocity: Vec3::new(1.0, 3.0, 6.0), ..body(1.0, [1.0; 3]).fixed() };
    let turning = model.add(turning);
    let marker = model.add(FrameMarker::new(turning, Vec3::x() * 0.2));
    let free = model.add(Particle::new(1.0, Vec3::new(0.5, 0.2, 0.0)));
    let spring = LinearAxial { rest_length: 0.4, stiffness: 100.0, damping: 2.0 };
    model.add(AxialSpring::new([PointRef::from(marker), free.into()], spring));
    model
}

/// The same with damping by stiffness.
fn damped_tissue() -> Model {
    let mut model = tissue(3);
    model.fem_mut(0).stiffness_damping = 2e-3;
    model
}

const RELAXING: PronyStress = PronyStress::SecondPiolaKirchhoff;

/// The same with a stress that relaxes within the time of the scene, and beyond.
fn relaxing(law: usize, stress: PronyStress) -> Model {
    let mut model = tissue(law);
    model.fem_mut(0).prony = PronySeries { stress, ..PronySeries::new([[0.01, 0.6], [0.2, 0.4]]) };
    model
}

/// A clamped cube that a particle on a spring tears at; strains of a fifth.
pub(crate) fn tissue(law: usize) -> Model {
    let soft = Isotropic { youngs_modulus: 2e4, poissons_ratio: 0.3 };
    let mooney = MooneyRivlinConstants {
        c10: 3e3,
        c01: 1e3,
        c11: 0.0,
        c20: 0.0,
        c02: 0.0,
        bulk_modulus: 2e4,
        ..MooneyRivlinConstants::default()
    };
    let law = [
        MaterialSpec::Linear(soft),
        MaterialSpec::Corotated(soft),
        MaterialSpec::StVenantKirchhoff(soft),
        MaterialSpec::NeoHookean(soft),
        MaterialSpec::MooneyRivlin(mooney),
    ][law];
    let mut model = Model::new("tissue");
    let mut fem = FemModel::new("cube", cube(), 1000.0, law);
    fem.mass_damping = 2.0;
    fem.dirichlet.push(Dirichlet::fix(vec![4, 5, 6, 7]));
    let fem = model.add(fem);
    let at = Vec3::new(0.12, 0.03, 0.12);
    let thrown = model.add(Particle::new(0.3, at).velocity(Vec3::new(1.5, -0.8, 0.4)));
    let spring = LinearAxial { rest_length: 0.03, stiffness: 2e3, damping: 0.0 };
    model.add(AxialSpring::new([PointRef::FemNode(fem, 2), thrown.into()], spring));
    model
}

fn cube() -> VolumeMesh {
    let corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
    let layer = |z: f64| corners.map(|[x, y]| Vec3::new(0.1 * f64::from(x), 0.1 * f64::from(y), z));
    let nodes = [layer(0.1), layer(0.0)].concat();
    let mut mesh = VolumeMesh::new(nodes);
    mesh.push_element(ElementKind::Hex8, &[0, 1, 2, 3, 4, 5, 6, 7]).unwrap();
    mesh
}

/// Laws of muscles, by number.
fn muscle_law(law: usize) -> AxialLaw {
    let thelen = Thelen2003 {
        max_isometric_force: 20.0,
        optimal_fibre_length: 0.1,
        tendon_slack_length: 0.19,
        ..Thelen2003::default()
    };
    let millard = Millard2012 {
        max_isometric_force: 20.0,
        tendon_slack_length: 0.19,
        fibre_damping: 0.1,
        ..Millard2012::default()
    };
    [
        AxialLaw::Maxwell(MaxwellElement { stiffness: 400.0, damping: 20.0 }),
        AxialLaw::Thelen2003(thelen),
        AxialLaw::Millard2012(millard),
        AxialLaw::ConstantMuscle(ConstantMuscle { max_force: 20.0, ..Default::default() }),
    ][law]
}

/// A mass of 1 kg between a muscle and a spring: of file thelen_body.json.
pub(crate) fn muscle(law: usize, on_body: bool) -> Model {
    let mut model = named("muscle");
    let origin = model.add(Particle::new(1.0, Vec3::zeros()).fixed());
    let other = model.add(Particle::new(1.0, Vec3::x() * 0.9).fixed());
    let at = Vec3::x() * 0.3;
    let end = match on_body {
        false => PointRef::from(model.add(Particle::new(1.0, at))),
        true => {
            let body = model.add(body(1.0, [0.01; 3]).at(Pose::translation(0.3, 0.0, 0.0)));
            model.add(FrameMarker::new(body, Vec3::zeros())).into()
        }
    };
    let law = muscle_law(law);
    let mut muscle = AxialSpring::with_law([PointRef::from(origin), end], law);
    (muscle.excitation, muscle.rest_length) = (0.5, 0.25);
    let dynamics = ActivationDynamics { model: ActivationModel::FirstOrder, ..Default::default() };
    muscle.activation =
        if matches!(law, AxialLaw::ConstantMuscle(_)) { dynamics } else { muscle.activation };
    model.add(muscle);
    let spring = LinearAxial { rest_length: 0.57, stiffness: 300.0, damping: 1.0 };
    model.add(AxialSpring::new([end, other.into()], spring));
    model
}
