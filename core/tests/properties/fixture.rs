//! A small model with a component of every kind.

use std::sync::LazyLock;

use sinew::axial::{AxialLaw, KINDS};
use sinew::component::{Address, ComponentType, Handle, Kind};
use sinew::constraint::{
    CoordinateSpec, JointFunctions, JointKind, PointConstraint, Quantity, Range,
};
use sinew::dynamics::SpatialInertia;
use sinew::fem::{ElementFace, ElementKind, Field};
use sinew::force::{CoordinateSpring, CoordinateStops};
use sinew::geometry::cuboid_mesh;
use sinew::material::MaterialSpec;
use sinew::model::{
    Anchor, Attachment, AxialSpring, BodyLoad, ClosedVolume, Collider, ColliderShape,
    CollisionBehavior, ComponentList, ControlPanel, CoordinateActuator, CustomConstrainer,
    CustomForce, CustomJoint, Dirichlet, Event, FemModel, FrameAttachment, FrameLoad, FrameMarker,
    FrameSite, FrameSpring, Inertia, InputProbe, Joint, JointCoordinate, JointCoordinateCoupling,
    Keyframe, LinearAxial, Master, MechModel, Model, MultiPointSpring, MuscleBundle, MuscleExciter,
    OutputProbe, PanelItem, Particle, PointConstrainer, PointLoad, PointRef, PropertyController,
    ReferenceList, Region, RenderMesh, RigidBody, Schedule, SegmentedPlane, Sensor, Shell,
    SurfaceLoad, WrapSurface,
};
use sinew::property::{NamedProperty, Pose, PropertyRef};
use sinew::{Mat3, Vec3};
use sinew_datasets::beam::{BeamElement, beam_mesh};

/// The law of that name with its default constants.
pub(crate) fn law(name: &str) -> MaterialSpec {
    MaterialSpec::from_name(name).unwrap()
}

/// A tissue of two hexahedra with a region and a support.
pub(crate) fn tissue(name: &str, whole: &str, region: &str) -> FemModel {
    let mut mesh = beam_mesh(BeamElement::Hex, [2, 1, 1], [0.2, 0.1, 0.1]).unwrap();
    mesh.face_sets.insert("skin".into(), vec![ElementFace { element: 1, face: 2 }]);
    let around = (0..6).map(|face| ElementFace { element: 1, face });
    mesh.face_sets.insert("around".into(), around.collect());
    let values = vec![0.0, 0.0, 0.0, 1.0, 2.0, 3.0];
    mesh.element_fields.insert("lines".into(), Field { components: 3, values });
    assert_eq!(mesh.element(0).0, ElementKind::Hex8);
    let mut fem = FemModel::new(name, mesh, 1000.0, law(whole));
    fem.regions.push(Region { elements: vec![1], material: law(region) });
    fem.dirichlet.push(Dirichlet::fix(vec![0, 1]));
    fem
}

/// [`tissues_and_points`], and bodies in `/models/outer`.
pub(crate) fn everything() -> Model {
    // Thousands of tests of one property each begin with it.
    static BUILT: LazyLock<Model> = LazyLock::new(|| {
        let mut model = tissues_and_points();
        multibody(&mut model);
        model
    });
    BUILT.clone()
}

/// `/models/outer` with tissue `soft` and the rest, `/models/outer/models/inner` with tissue `stiff`.
pub(crate) fn tissues_and_points() -> Model {
    let mut model = Model::new("everything");
    let outer = model.add(MechModel::new("outer"));
    let inner = model.add_to(outer, MechModel::new("inner")).unwrap();
    let named = |name: &str, at: Vec3| Particle { name: name.into(), ..Particle::new(0.5, at) };
    let bob = model.add(named("bob", Vec3::new(0.3, 0.1, 0.2)));
    let pin = model.add_to(inner, named("pin", Vec3::new(0.5, 0.0, 0.1)).fixed()).unwrap();
    let soft = model.add(tissue("soft", "linear", "mr"));
    let stiff = tissue("stiff", "mr", "neohook");
    model.add_to(inner, stiff).unwrap();
    let material = LinearAxial { stiffness: 30.0, damping: 2.0, rest_length: 0.1 };
    let ends = [PointRef::from(bob), PointRef::FemNode(soft, 5)];
    let rope = model.add(AxialSpring { name: "rope".into(), ..AxialSpring::new(ends, material) });
    for kind in KINDS {
        let law = AxialLaw::from_name(kind.name).unwrap();
        model.add(AxialSpring::with_law(ends, law).named(kind.name));
    }
    model.add(MuscleBundle::new(soft, law("blemker_muscle")).named("fibres"));
    model.add(PointLoad::new(bob, Vec3::x()));
    let ramp = Schedule::Table(vec![[0.0, 0.0], [1.0, 2.0]]);
    model.add(BodyLoad { schedule: ramp, ..BodyLoad::new(soft, Vec3::y()) });
    model.add(SurfaceLoad::pressure(soft, "skin", 100.0));
    model.add(ClosedVolume::gas(soft, "around").named("air"));
    model.add(Shell::on_surface(soft, "skin", law("neohook")).named("hide"));
    model.add(CustomForce::new(vec![bob.into(), pin.into()], |motion, forces| {
        forces[0] -= motion.positions[0] * 3.0;
    }));
    let table = cuboid_mesh(&Vec3::new(0.2, 0.3, 0.1)).unwrap();
    model.add(RenderMesh::new("table", table));
    model.add_to(outer, ComponentList::new("mine")).unwrap();
    model.add_to(outer, ReferenceList::new("group", vec![rope.id(), bob.id()])).unwrap();
    model
}

/// Bodies of the fixture that others are on, and a marker on one of them.
struct Bones {
    skull: Handle<RigidBody>,
    jaw: Handle<RigidBody>,
    chin: Handle<FrameMarker>,
}

impl Bones {
    /// Sides of what joins them: on the jaw, on the skull.
    fn sites(&self) -> [FrameSite; 2] {
        [FrameSite::on(self.jaw, place(0.1)), FrameSite::on(self.skull, place(0.4))]
    }
}

fn place(x: f64) -> Pose {
    Pose::new(Vec3::new(x, 0.2, 0.1), Vec3::new(0.1, x, -0.2))
}

fn bob(model: &Model) -> Handle<Particle> {
    model.find_handle("/models/outer/particles/bob").unwrap()
}

/// Bodies, one of them fixed, and every kind of what joins, holds and moves them: with laws and
/// joints of every kind.
fn multibody(model: &mut Model) {
    let bones = bones(model);
    add_joints(model, &bones);
    let hung = add_lines(model, &bones);
    add_colliders(model, &bones);
    add_instruments(model, hung);
}

fn small_inertia() -> Inertia {
    let moments = Mat3::from_diagonal(&Vec3::new(2e-4, 3e-4, 4e-4));
    Inertia::Explicit(SpatialInertia::new(0.1, Vec3::x() * 0.01, moments).unwrap())
}

/// Adds bodies with their inertia given in all ways.
fn bones(model: &mut Model) -> Bones {
    let bone = cuboid_mesh(&Vec3::new(0.1, 0.2, 0.3)).unwrap();
    let keyframe = |time: f64| Keyframe { time, pose: place(time) };
    let skull = RigidBody {
        keyframes: vec![keyframe(0.0), keyframe(0.5)],
        ..RigidBody::from_mesh("skull", bone.clone(), 1000.0).fixed()
    };
    let skull = model.add(skull.at(place(0.0)));
    let jaw = model.add(RigidBody::from_mesh("jaw", bone, 1900.0).at(place(0.3)));
    model.add(RigidBody::new("hyoid", small_inertia()).at(place(0.4)));
    let chin = model.add(FrameMarker::new(jaw, Vec3::y() * 0.1).named("chin"));
    Bones { skull, jaw, chin }
}

/// Adds joints, what acts on their coordinates, a spring between frames, and constraints of points.
fn add_joints(model: &mut Model, bones: &Bones) {
    let [c, d] = bones.sites();
    for kind in JointKind::ALL {
        model.add(Joint::new(kind, c, d).named(kind.name()));
    }
    coordinates_of_joints(model, [c, d]);
    let stiffness = Vec3::new(100.0, 200.0, 300.0);
    model.add(FrameSpring { stiffness, ..FrameSpring::new(c, d) }.named("disc"));
    let (bob, rod) = (bob(model), PointConstraint::AtDistance { length: 0.2 });
    model.add(PointConstrainer::new(rod, bob, Anchor::Frame(d)).named("rod"));
    let chin = Anchor::Point(bones.chin.into());
    let both = PointConstrainer::new(PointConstraint::AtPoint, bob, chin);
    model.add(PointConstrainer { enabled: false, ..both });
}

/// Adds lines over a pulley, a load, attachments and an exciter; a particle that is attached.
fn add_lines(model: &mut Model, bones: &Bones) -> Handle<Particle> {
    let rope: Handle<AxialSpring> = model.find_handle("/models/outer/axial_springs/rope").unwrap();
    let soft: Handle<FemModel> = model.find_handle("/models/outer/fem_models/soft").unwrap();
    let (bob, jaw) = (bob(model), bones.jaw);
    let hung = model.add(Particle::new(0.2, Vec3::new(0.3, 0.3, 0.0)).named("hung"));
    model.add(Attachment::new(vec![hung.into()], Master::Body(jaw)).named("string"));
    let points: Vec<PointRef> = vec![bob.into(), hung.into(), bones.chin.into()];
    let [_, d] = bones.sites();
    let pulley = model.add(WrapSurface::cylinder(d, 0.01).named("pulley"));
    for kind in KINDS {
        let law = AxialLaw::from_name(kind.name).unwrap();
        let line = MultiPointSpring::new(points.clone(), law).named(kind.name);
        model.add(if kind.name == "linear" { line.over(pulley) } else { line });
    }
    model.add(FrameLoad::new(jaw, Vec3::x(), Vec3::z()).named("push"));
    let tooth = model.add(RigidBody::new("tooth", small_inertia()).at(place(0.15)));
    let seat: Vec<PointRef> = vec![bob.into(), hung.into(), (soft, 7).into()];
    model.add(FrameAttachment::to_points(tooth, seat).named("socket"));
    model.add(MuscleExciter::new("exciter", [rope]));
    hung
}

/// Adds colliders of every shape, and how they collide.
fn add_colliders(model: &mut Model, bones: &Bones) {
    for (name, shape) in shapes() {
        model.add(Collider::on(bones.jaw, shape).at(place(0.1)).named(name));
    }
    model.add(Collider::of_mesh(bones.skull).named("socket"));
    model.add(Collider::half_space(place(0.0)).named("floor"));
    model.add(CollisionBehavior::everything(0.3).named("all"));
    model.add(CollisionBehavior::new(bones.jaw, bones.skull, 0.1).named("bite"));
}

/// Adds probes, a waypoint, a sensor, a controller and an event.
fn add_instruments(model: &mut Model, hung: Handle<Particle>) {
    let bob = bob(model);
    let mass = || vec![NamedProperty::new(hung, "mass")];
    model.add(InputProbe::of_rows(mass(), &[vec![0.0, 1.0], vec![1.0, 2.0]]).named("fed"));
    model.add(OutputProbe::new(mass()).named("kept"));
    model.add(sinew::model::Waypoint::new(0.5, false).named("half"));
    let turned = mass().into_iter().map(PanelItem::new).collect();
    model.add(ControlPanel::new("turned", turned));
    model.add(Sensor::of_property(bob, "position").named("eye"));
    let controller = PropertyController::new("t + 1", bob, "mass");
    model.add(controller.by_table(vec![[0.0, 1.0], [1.0, 2.0]]).named("growth"));
    model.add(Event::new("t", 100.0, "stop").named("end"));
}

/// A collider of every shape but the half-space, with its name.
fn shapes() -> [(&'static str, ColliderShape); 6] {
    let (radius, half_length) = (0.02, 0.03);
    [
        ("sphere", ColliderShape::Sphere { radius }),
        ("capsule", ColliderShape::Capsule { radius, half_length }),
        ("cylinder", ColliderShape::Cylinder { radius, half_length }),
        ("box", ColliderShape::Box { half_extents: Vec3::new(0.05, 0.1, 0.15) }),
        ("hull", ColliderShape::HULL),
        ("vertices", ColliderShape::vertices(radius)),
    ]
}

/// Adds a coupling and an actuator of a coordinate, and a joint and constraints by code.
fn coordinates_of_joints(model: &mut Model, [c, d]: [FrameSite; 2]) {
    let bob = bob(model);
    let functions = JointFunctions {
        name: "own".to_owned(),
        coordinates: vec![CoordinateSpec::angle("theta", Range::FREE)],
        rows: vec![Quantity::Length; 5],
        pose: Box::new(|q| Pose::new(Vec3::zeros(), Vec3::z() * q[0])),
        errors: Box::new(|t, _, g| {
            g[..3].copy_from_slice(&t.position);
            g[3..5].copy_from_slice(&t.tilt());
        }),
        readout: Box::new(|t, q| q[0] = t.twist()),
    };
    let own = model.add(CustomJoint::new(functions, c, d));
    let theta = JointCoordinate::new(own, "theta");
    let coupling = JointCoordinateCoupling::linear([(theta.clone(), 1.0), (theta.clone(), -2.0)]);
    model.add(JointCoordinateCoupling { enabled: false, ..coupling }.named("gear"));
    let stops = CoordinateStops { ends: [-0.5, 0.5], stiffness: [2.0, 3.0], ..Default::default() };
    let spring = CoordinateSpring { stiffness: 1.0, stops: Some(stops), ..Default::default() };
    let motor = CoordinateActuator { spring, ..CoordinateActuator::new(theta, 2.0) };
    model.add(motor.named("motor"));
    let near = CustomConstrainer::new(vec![bob.into()], Vec::new(), 1, |place, sheet| {
        sheet.set_value(0, place.positions[0].x - 0.3);
        sheet.set_point(0, 0, Vec3::x());
    });
    model.add(near.named("near"));
    let chain = vec![[-1.0, 0.0], [0.0, 0.1], [1.0, 0.0]];
    let ground = FrameSite::ground(Pose::identity());
    model.add(SegmentedPlane::new(bob, ground, chain).named("eminence"));
}

/// False for a line that differs from another one in the name of a constant alone: of fields and of the laws of shells a
/// few stand for all.
pub(crate) fn is_of_its_own(property: &PropertyRef) -> bool {
    let few = ["youngs_modulus", "c10", "density", "fibres", "sheets"];
    let on_shell = property.host().component().kind() == Kind::Shell;
    let name = property.info().name;
    let constant = name.strip_prefix("field.");
    constant
        .or(name.strip_prefix("material.").filter(|_| on_shell))
        .is_none_or(|it| few.contains(&it))
}

/// Everything in the model that has properties: components, and two of each part of each tissue.
pub(crate) fn hosts(model: &Model) -> Vec<Address> {
    let mut all: Vec<Address> = vec![model.find("/").unwrap()];
    let mut next = 0;
    while let Some(&at) = all.get(next) {
        all.extend(model.children(at.component()).map(Address::from));
        next += 1;
    }
    for (fem, _) in model.fems().collect::<Vec<_>>() {
        for k in 0..2 {
            all.extend([Address::Node(fem.id(), k + 4), Address::Element(fem.id(), k)]);
        }
        all.extend([Address::Region(fem.id(), 0), Address::Support(fem.id(), 0)]);
    }
    for kind in Kind::ALL {
        let there = all.iter().any(|at| matches!(at, Address::Component(id) if id.kind() == kind));
        assert!(there, "{} is missing in the model of these tests", kind.name());
    }
    all
}

/// True if a value of the type and range may still not do, as long as something else is as it is: the
/// law of a material, the other end of a range, a surface.
pub(crate) fn by_choice(name: &str) -> bool {
    let parts = ["material.", "coordinate."];
    parts.iter().any(|part| name.starts_with(part))
        || ["inertia_method", "shape", "stiffening", "radius", "ring_radius", "quantity"]
            .contains(&name)
}
