//! A small model with a component of every kind, and values of every type.

use sinew::Vec3;
use sinew::axial::{AxialLaw, KINDS};
use sinew::component::{Address, ComponentType, Kind};
use sinew::fem::ElementKind;
use sinew::geometry::cuboid_mesh;
use sinew::material::MaterialSpec;
use sinew::model::{
    AxialSpring, BodyLoad, ComponentList, CustomForce, Dirichlet, FemModel, LinearAxial, MechModel,
    Model, Particle, PointLoad, PointRef, ReferenceList, Region, RenderMesh, Schedule,
};
use sinew::property::{Pose, PropertyRef, PropertyType, Value};
use sinew_datasets::beam::{BeamElement, beam_mesh};

/// The law of that name with its default constants.
pub(crate) fn law(name: &str) -> MaterialSpec {
    MaterialSpec::from_name(name).unwrap()
}

/// A tissue of two hexahedra with a region and a support.
pub(crate) fn tissue(name: &str, whole: &str, region: &str) -> FemModel {
    let mesh = beam_mesh(BeamElement::Hex, [2, 1, 1], [0.2, 0.1, 0.1]).unwrap();
    assert_eq!(mesh.element(0).0, ElementKind::Hex8);
    let mut fem = FemModel::new(name, mesh, 1000.0, law(whole));
    fem.regions.push(Region { elements: vec![1], material: law(region) });
    fem.dirichlet.push(Dirichlet::hold(vec![0, 1]));
    fem
}

/// `/models/outer` with tissue `soft` and the rest, `/models/outer/models/inner` with tissue `stiff`.
pub(crate) fn everything() -> Model {
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
    model.add(PointLoad::new(bob, Vec3::x()));
    let ramp = Schedule::Table(vec![[0.0, 0.0], [1.0, 2.0]]);
    model.add(BodyLoad { schedule: ramp, ..BodyLoad::new(soft, Vec3::y()) });
    model.add(CustomForce::new(vec![bob.into(), pin.into()], |motion, forces| {
        forces[0] -= motion.positions[0] * 3.0;
    }));
    let table = cuboid_mesh(&Vec3::new(0.2, 0.3, 0.1)).unwrap();
    model.add(RenderMesh::new("table", table));
    model.add_to(outer, ComponentList::new("mine")).unwrap();
    model.add_to(outer, ReferenceList::new("group", vec![rope.id(), bob.id()])).unwrap();
    model
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
            all.extend([Address::Node(fem, k + 4), Address::Element(fem, k)]);
        }
        all.extend([Address::Region(fem, 0), Address::Support(fem, 0)]);
    }
    for kind in Kind::ALL {
        let there = all.iter().any(|at| matches!(at, Address::Component(id) if id.kind() == kind));
        assert!(there, "{} is missing in the model of these tests", kind.name());
    }
    all
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
            PropertyType::Int => Value::Int(number().round() as i64),
            PropertyType::Real => Value::Real(number()),
            PropertyType::Vector => Value::Vector(Vec3::from_fn(|_, _| number())),
            PropertyType::Matrix => Value::Matrix(sinew::Mat3::from_fn(|_, _| number())),
            PropertyType::Colour => Value::Colour([(); 3].map(|()| number() as f32)),
            PropertyType::Choice(words) => {
                Value::Choice(words[(self.unit() * words.len() as f64) as usize])
            }
            PropertyType::Text => Value::Text(format!("n{}", self.next())),
            PropertyType::Path => Value::Path(self.target(property).to_owned()),
            PropertyType::Paths => Value::Paths(vec![self.target(property).to_owned(), "/".into()]),
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
        let kind = property.host().component().kind();
        match kind {
            Kind::BodyLoad => "/models/outer/models/inner/fem_models/stiff",
            Kind::ReferenceList => "/models/outer/axial_springs/rope",
            _ => points[(self.unit() * 3.0) as usize],
        }
    }

    fn list(&mut self, model: &Model, property: &PropertyRef) -> Vec<f64> {
        let fem = model.fem(0);
        let mut some = |count: usize, most: f64| -> Vec<f64> {
            (0..count).map(|_| (self.unit() * most).floor()).collect()
        };
        match property.info().name {
            "weights" => some(fem.mesh.nodes.len(), 100.0),
            "schedule" => vec![0.0, self.unit(), 0.5, self.unit(), 2.0, self.unit()],
            "elements" => some(3, 2.0),
            "nodes" => some(3, 12.0),
            "displacement" => some(3, 9.0),
            other => panic!("no list '{other}' is known"),
        }
    }
}
