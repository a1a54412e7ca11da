//! A small model with a component of every kind, and values of every type.

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
use sinew::material::{Law, MaterialSpec};
use sinew::model::{
    Anchor, Attachment, AxialSpring, BodyLoad, Collider, ColliderShape, CollisionBehavior,
    ComponentList, ControlPanel, CoordinateActuator, CustomConstrainer, CustomForce, CustomJoint,
    Dirichlet, Event, FemModel, FrameAttachment, FrameLoad, FrameMarker, FrameSite, FrameSpring,
    Inertia, InputProbe, Joint, JointCoordinate, JointCoordinateCoupling, Keyframe, LinearAxial,
    Master, MechModel, Model, MultiPointSpring, MuscleBundle, MuscleExciter, OutputProbe,
    PanelItem, Particle, PointConstrainer, PointLoad, PointRef, PropertyController, ReferenceList,
    Region, RenderMesh, RigidBody, Schedule, SegmentedPlane, Sensor, Shell, SurfaceLoad,
    WrapSurface,
};
use sinew::property::{NamedProperty, Pose, PropertyRef, PropertyType, Value};
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

/// Three bodies, one of them held, and every kind of what joins, holds and moves them: with laws and
/// joints of every kind.
fn multibody(model: &mut Model) {
    let bob: Handle<Particle> = model.find_handle("/models/outer/particles/bob").unwrap();
    let rope: Handle<AxialSpring> = model.find_handle("/models/outer/axial_springs/rope").unwrap();
    let place = |x: f64| Pose::new(Vec3::new(x, 0.2, 0.1), Vec3::new(0.1, x, -0.2));
    let bone = cuboid_mesh(&Vec3::new(0.1, 0.2, 0.3)).unwrap();
    let keyframe = |time: f64| Keyframe { time, pose: place(time) };
    let skull = RigidBody {
        keyframes: vec![keyframe(0.0), keyframe(0.5)],
        ..RigidBody::from_mesh("skull", bone.clone(), 1000.0).fixed()
    };
    let skull = model.add(skull.at(place(0.0)));
    let jaw = model.add(RigidBody::from_mesh("jaw", bone, 1900.0).at(place(0.3)));
    let moments = Mat3::from_diagonal(&Vec3::new(2e-4, 3e-4, 4e-4));
    let inertia = SpatialInertia::new(0.1, Vec3::x() * 0.01, moments).unwrap();
    model.add(RigidBody::new("hyoid", Inertia::Explicit(inertia)).at(place(0.4)));
    let chin = model.add(FrameMarker::new(jaw, Vec3::y() * 0.1).named("chin"));
    let (c, d) = (FrameSite::on(jaw, place(0.1)), FrameSite::on(skull, place(0.4)));
    for kind in JointKind::ALL {
        model.add(Joint::new(kind, c, d).named(kind.name()));
    }
    coordinates_of_joints(model, [c, d]);
    let stiffness = Vec3::new(100.0, 200.0, 300.0);
    model.add(FrameSpring { stiffness, ..FrameSpring::new(c, d) }.named("disc"));
    let rod = PointConstraint::AtDistance { length: 0.2 };
    model.add(PointConstrainer::new(rod, bob, Anchor::Frame(d)).named("rod"));
    let both = PointConstrainer::new(PointConstraint::AtPoint, bob, Anchor::Point(chin.into()));
    model.add(PointConstrainer { enabled: false, ..both });
    let hung = model.add(Particle::new(0.2, Vec3::new(0.3, 0.3, 0.0)).named("hung"));
    model.add(Attachment::new(vec![hung.into()], Master::Body(jaw)).named("string"));
    let points: Vec<PointRef> = vec![bob.into(), hung.into(), chin.into()];
    let pulley = model.add(WrapSurface::cylinder(d, 0.01).named("pulley"));
    for kind in KINDS {
        let law = AxialLaw::from_name(kind.name).unwrap();
        let line = MultiPointSpring::new(points.clone(), law).named(kind.name);
        model.add(if kind.name == "linear" { line.over(pulley) } else { line });
    }
    model.add(FrameLoad::new(jaw, Vec3::x(), Vec3::z()).named("push"));
    let tooth = RigidBody::new("tooth", Inertia::Explicit(inertia)).at(place(0.15));
    let tooth = model.add(tooth);
    let soft: Handle<FemModel> = model.find_handle("/models/outer/fem_models/soft").unwrap();
    let seat: Vec<PointRef> = vec![bob.into(), hung.into(), (soft, 7).into()];
    model.add(FrameAttachment::to_points(tooth, seat).named("socket"));
    model.add(MuscleExciter::new("exciter", [rope]));
    for (name, shape) in shapes() {
        model.add(Collider::on(jaw, shape).at(place(0.1)).named(name));
    }
    let mass = || vec![NamedProperty::new(hung, "mass")];
    model.add(InputProbe::of_rows(mass(), &[vec![0.0, 1.0], vec![1.0, 2.0]]).named("fed"));
    model.add(OutputProbe::new(mass()).named("kept"));
    model.add(sinew::model::Waypoint::new(0.5, false).named("half"));
    let turned = mass().into_iter().map(PanelItem::new).collect();
    model.add(ControlPanel::new("turned", turned));
    model.add(Collider::of_mesh(skull).named("socket"));
    model.add(Collider::half_space(place(0.0)).named("floor"));
    model.add(CollisionBehavior::everything(0.3).named("all"));
    model.add(CollisionBehavior::new(jaw, skull, 0.1).named("bite"));
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
    let bob: Handle<Particle> = model.find_handle("/models/outer/particles/bob").unwrap();
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

/// True for a property of a controller.
fn is_controller(property: &PropertyRef) -> bool {
    property.host().component().kind() == Kind::PropertyController
}

/// Numbers that look random and are the same in every run (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Between the ends of a range, or within ten of the one that it has.
    fn number(&mut self, property: &PropertyRef) -> f64 {
        let info = property.info();
        let (low, high) = (info.range.low().0, info.range.high().0);
        // A constant that laws have in different ranges: in most of them half of the time.
        let (free, name) = (low.is_infinite() && high.is_infinite(), info.name);
        if free && name.starts_with("material.") && self.unit() < 0.5 {
            return self.unit();
        }
        let low = if low.is_finite() { low } else { high.min(10.0) - 20.0 };
        let high = if high.is_finite() { high } else { low.max(-10.0) + 20.0 };
        let x = low + (0.01 + 0.98 * self.unit()) * (high - low);
        // The two constants of Mooney and Rivlin whose sum must be positive.
        if ["material.c10", "material.c01"].contains(&info.name) { x.abs() } else { x }
    }

    /// A value that the property can have; `None` for what can only be read.
    pub(crate) fn value(&mut self, model: &Model, property: &PropertyRef) -> Option<Value> {
        let info = property.info();
        if info.read_only {
            return None;
        }
        let mut number = || self.number(property);
        Some(match info.value_type {
            PropertyType::Bool => Value::Bool(self.unit() < 0.5),
            // Its closure writes one.
            PropertyType::Int if info.name == "rows" => Value::Int(1),
            PropertyType::Int => Value::Int(number().round() as i64),
            PropertyType::Real => Value::Real(number()),
            PropertyType::Vector => Value::Vector(Vec3::from_fn(|_, _| number())),
            // The only one that can be set is an inertia.
            PropertyType::Matrix => {
                let moments = Vec3::from_fn(|_, _| 3.0 + self.unit());
                Value::Matrix(Mat3::from_diagonal(&moments) + Mat3::repeat(0.1 * self.unit()))
            }
            PropertyType::Colour => Value::Colour([(); 3].map(|()| number() as f32)),
            PropertyType::Choice(words) if words == MaterialSpec::WORDS => {
                let muscle = property.host().component().kind() == Kind::MuscleBundle;
                let fits = |law: &Law| law.kind().muscle == muscle;
                let laws: Vec<Law> = Law::ALL.into_iter().filter(fits).collect();
                Value::Choice(laws[(self.unit() * laws.len() as f64) as usize].kind().name)
            }
            // Without that of code, which is not registered here.
            PropertyType::Choice(words) if info.name == "law" => {
                Value::Choice(words[(self.unit() * 3.0) as usize])
            }
            PropertyType::Choice(words) => {
                Value::Choice(words[(self.unit() * words.len() as f64) as usize])
            }
            PropertyType::Text if info.name == "coordinate" => Value::Text("theta".to_owned()),
            PropertyType::Text if info.name == "surface" => Value::Text("skin".to_owned()),
            PropertyType::Text if info.name == "field" => Value::Text("lines".to_owned()),
            PropertyType::Text if info.name == "field.prestrain" => {
                Value::Text(format!("{} + x * x; 0; 0; 0; 1; 0; 0; 0; 1", 0.1 * self.unit() + 1.0))
            }
            PropertyType::Text if ["field.fibres", "field.sheets"].contains(&info.name) => {
                Value::Text(format!("1 + x; {}; 0.1", 2.0 + self.unit()))
            }
            PropertyType::Text if info.name.starts_with("field.") => {
                Value::Text(format!("{} + x * x / 100", 0.1 * self.unit() + 0.05))
            }
            PropertyType::Text if info.name == "thickness" => {
                Value::Text(format!("0.001 * ({} + x * x)", self.unit() + 0.5))
            }
            PropertyType::Text if info.name == "clamped" => Value::Text(String::new()),
            // That of the fixture is code.
            PropertyType::Text if ["variables", "motion"].contains(&info.name) => return None,
            // Those of the fixture are closures.
            PropertyType::Text if info.name == "code" && !is_controller(property) => return None,
            PropertyType::Text if ["moves", "active_coordinate"].contains(&info.name) => {
                Value::Text(String::new())
            }
            PropertyType::Text if ["input", "when"].contains(&info.name) => {
                Value::Text(format!("t + {}", self.unit()))
            }
            PropertyType::Text if info.name == "property" => {
                let sensor = property.host().component().kind() == Kind::Sensor;
                Value::Text(if sensor { "position" } else { "mass" }.to_owned())
            }
            // Rows stand in place of a file.
            PropertyType::Text if info.name == "columns" => Value::Text(String::new()),
            PropertyType::Text if info.name == "file" => {
                let records = property.host().component().kind() == Kind::OutputProbe;
                Value::Text(if records { format!("n{}.csv", self.next()) } else { String::new() })
            }
            PropertyType::Text if info.name == "expressions" => Value::Text(format!(
                "n = {{/models/outer/particles/hung:velocity.x}} + {}",
                self.unit()
            )),
            PropertyType::Text if info.name == "widgets" => Value::Text("slider".to_owned()),
            PropertyType::Text => Value::Text(format!("n{}", self.next())),
            PropertyType::Path => Value::Path(self.target(property).to_owned()),
            PropertyType::Paths if info.name == "properties" => {
                Value::Paths(vec!["/models/outer/particles/hung:mass".to_owned()])
            }
            PropertyType::Paths => {
                let targets = self.targets(property);
                Value::Paths(targets.into_iter().map(str::to_owned).collect())
            }
            PropertyType::List => Value::List(self.list(model, property)),
            PropertyType::Pose => {
                let turn = Vec3::from_fn(|_, _| number());
                let place = Vec3::from_fn(|_, _| number());
                Value::Pose(Pose::new(place, turn))
            }
        })
    }

    fn target(&mut self, property: &PropertyRef) -> &'static str {
        let points = [
            "/models/outer/particles/bob",
            "/models/outer/models/inner/particles/pin",
            "/models/outer/fem_models/soft/nodes/7",
        ];
        let bodies = ["/models/outer/rigid_bodies/jaw", "/models/outer/rigid_bodies/hyoid", ""];
        let soft = "/models/outer/fem_models/soft";
        let kind = property.host().component().kind();
        let of = |list: &[&'static str], unit: f64| list[(unit * list.len() as f64) as usize];
        let free = ["/models/outer/rigid_bodies/tooth", bodies[1]];
        match (kind, property.info().name) {
            (Kind::PropertyController, _) => "/models/outer/particles/hung",
            (Kind::FrameAttachment, "body") => of(&free, self.unit()),
            (Kind::MuscleBundle | Kind::Shell, _) => soft,
            (Kind::BodyLoad | Kind::SurfaceLoad, _) => {
                "/models/outer/models/inner/fem_models/stiff"
            }
            (Kind::FrameMarker, "active_joint") => "",
            (Kind::FrameMarker | Kind::FrameLoad, _) => of(&bodies[..2], self.unit()),
            // Those that have a surface.
            (Kind::Collider, _) => {
                of(&[bodies[0], "/models/outer/rigid_bodies/skull"], self.unit())
            }
            (_, "a") => of(&[bodies[0], soft, points[0], "/models/outer", ""], self.unit()),
            (_, "b") => of(&[bodies[1], "/models/outer/colliders/floor", ""], self.unit()),
            // The ones that are not on the other side.
            (Kind::CoordinateActuator, _) => "/models/outer/connectors/own",
            (_, "body") => of(&bodies, self.unit()),
            (_, "body_c") => of(&bodies, self.unit()),
            (_, "body_d") => of(&bodies[1..], self.unit()),
            (_, "anchor") => of(&[bodies[1], "", "/models/outer/frame_markers/chin"], self.unit()),
            (_, "master") => of(&[bodies[1], soft, points[0]], self.unit()),
            _ => of(&points, self.unit()),
        }
    }

    fn targets(&mut self, property: &PropertyRef) -> Vec<&'static str> {
        let rope = "/models/outer/axial_springs/rope";
        match property.host().component().kind() {
            Kind::ReferenceList => vec![rope, "/"],
            Kind::FrameMarker => Vec::new(),
            Kind::Sensor => vec!["/models/outer/particles/hung"],
            Kind::CustomConstrainer if property.info().name == "bodies" => Vec::new(),
            Kind::CustomConstrainer => vec!["/models/outer/particles/hung"],
            Kind::JointCoordinateCoupling => vec!["/models/outer/connectors/own"; 2],
            Kind::MultiPointSpring if property.info().name == "wrap_surfaces" => {
                vec!["/models/outer/wrap_surfaces/pulley"]
            }
            Kind::MuscleExciter => vec![rope, "/models/outer/multi_point_springs/linear"],
            Kind::FrameAttachment => vec![
                "/models/outer/fem_models/soft/nodes/5",
                "/models/outer/fem_models/soft/nodes/6",
                "/models/outer/fem_models/soft/nodes/9",
            ],
            _ => vec!["/models/outer/particles/hung", self.target(property)],
        }
    }

    fn list(&mut self, model: &Model, property: &PropertyRef) -> Vec<f64> {
        let fem = model.fem(0);
        let mut some = |count: usize, most: f64| -> Vec<f64> {
            (0..count).map(|_| (self.unit() * most).floor()).collect()
        };
        match property.info().name {
            "weights" if property.host().component().kind() == Kind::FrameAttachment => {
                some(3, 100.0).into_iter().map(|weight| weight + 1.0).collect()
            }
            "weights" => some(fem.mesh.nodes.len(), 100.0),
            "schedule" => vec![0.0, self.unit(), 0.5, self.unit(), 2.0, self.unit()],
            "elements" if property.host().component().kind() == Kind::MuscleBundle => {
                vec![1.0, 0.0]
            }
            "elements" => some(3, 2.0),
            "low" => vec![-1.0 - self.unit()],
            "high" => vec![1.0 + self.unit()],
            "data" => vec![0.0, self.unit(), 1.0, self.unit()],
            "fibres" | "sheets" => some(3, 9.0).into_iter().map(|x| x + 1.0).collect(),
            "prony_series" => vec![0.1, 0.4 * self.unit(), 2.0, 0.4 * self.unit()],
            "nodes" => some(3, 12.0),
            "triangles" => vec![0.0, 1.0, 2.0, 4.0, 5.0, 6.0],
            "compliance" | "damping" => {
                let rows = model.get_property(property).unwrap().numbers().len();
                some(rows, 100.0)
            }
            "gains" => some(1, 100.0),
            "wrap_segments" => {
                let count = model.get_property(property).unwrap().numbers().len();
                some(count, 2.0)
            }
            "locked" => some(1, 2.0),
            "ranges" => vec![-self.unit(), 1.0 + self.unit()],
            "wrap_last_segments" | "active_range" | "stop_stiffness" => {
                let count = model.get_property(property).unwrap().numbers().len();
                some(count, 2.0)
            }
            "stop_ends" => vec![-self.unit(), 1.0 + self.unit()],
            "table" => vec![0.0, self.unit(), 1.0, self.unit()],
            "coefficients" => [vec![2.0], some(2, 9.0), vec![3.0], some(3, 9.0)].concat(),
            "chain" => (0..3).flat_map(|x| [f64::from(x), self.unit()]).collect(),
            // Of a support: from rest.
            "keyframes" if property.host().component().kind() == Kind::FemModel => {
                vec![0.0, 0.0, 0.0, 0.0, 0.5, 0.001, 0.002, 0.003]
            }
            "keyframes" if property.host().component().kind() == Kind::Particle => {
                vec![0.0, 1.0, 2.0, 3.0, 0.5, 2.0, 3.0, 4.0]
            }
            "keyframes" => {
                let turn = [0.0, 0.6, 0.0, 0.8];
                [&[0.0, 1.0, 2.0, 3.0], &turn[..], &[0.5, 2.0, 3.0, 4.0], &turn[..]].concat()
            }
            "displacement" | "constants" => some(3, 9.0),
            other => panic!("no list '{other}' is known"),
        }
    }
}
